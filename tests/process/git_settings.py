# SPDX-License-Identifier: Apache-2.0
"""Random files of settings, read by git and by us: the same names and values, or both give up."""

import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

PIECES = ("[core]", "[a \"b\"]", "[A.B]", "[a \"x.Y\\\"z\"]", "[a \"\\\\\"]", "[", "]", "\"", "\\", "\n", "\r\n", "\t", " ", "=",
          " = ", "key", "Key-2", "value", "#", ";", "\\n", "\\t", "\\b", "\\\"", "\\q", "\\\n", "a b  c", "\"q d\"", "\n\tx = ",
          "\n\ty\n", "[c] z = 1", "1", "-", "é", "\v", "\r", "[x \"y\" ]", "[ x]", "include.path", "\ufeff", "  ", "\n[d]\n")


def text_from(rng):
    text = "".join(rng.choice(PIECES) for _ in range(rng.randint(0, 14)))
    # Half of them begin well: otherwise most end at their first byte.
    return ("[core]\n\tx = " if rng.random() < 0.5 else "") + text


def git_reads(path):
    done = subprocess.run(["git", "config", "--list", "-z", "--no-includes", "-f", str(path)], capture_output=True,
                          env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C"}, check=False)
    return done.stdout if done.returncode == 0 else None


def we_read(path):
    done = subprocess.run([sys.argv[1], str(path)], capture_output=True, check=False)
    return done.stdout if done.returncode == 0 else None


def main():
    if shutil.which("git") is None:
        print("skipped: git is not installed")
        return 77
    seed = int(os.environ.get("GATE_SEED", "1"))
    lines = int(os.environ.get("GATE_LINES", "600"))
    both = wrong = 0
    with tempfile.TemporaryDirectory(prefix="gate-settings-") as folder:
        path = pathlib.Path(folder) / "config"
        for number in range(lines):
            text = text_from(random.Random(f"{seed}/{number}"))
            path.write_bytes(text.encode())
            git, ours = git_reads(path), we_read(path)
            both += git is not None and ours is not None
            # What we give up on is refused; what only we read would be a setting that git never saw.
            if ours is not None and git != ours:
                wrong += 1
                print(f"{text!r}\n  git:  {git!r}\n  ours: {ours!r}")
            if ours is None and git is not None and "\0" not in text:
                wrong += 1
                print(f"refused: {text!r}\n  git:  {git!r}")
    print(f"{lines} files, {both} read by both, {wrong} otherwise")
    return 1 if wrong or not both else 0


sys.exit(main())
