# SPDX-License-Identifier: Apache-2.0
"""Ten thousand damaged repositories: each is answered for or refused, and nothing of ours crashes."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def main():
    if shutil.which("git") is None:
        print("skipped: git is not installed")
        return 77
    memory = pathlib.Path("/dev/shm")
    place = memory if os.access(memory, os.W_OK) else None
    root = pathlib.Path(tempfile.mkdtemp(prefix="gate-mutations-", dir=place))
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}

    def git(directory, *arguments):
        subprocess.run(["git", "-C", str(directory), "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *arguments],
                       env=environment, check=True, stdout=subprocess.DEVNULL)

    try:
        up, app = root / "up", root / "app"
        up.mkdir()
        git(up, "init", "-q", "-b", "main")
        for number in range(12):
            (up / f"file{number}").write_text(f"{number}\n" * 40, encoding="utf-8")
        (up / "run.sh").write_text("#!/bin/sh\necho x\n", encoding="utf-8")
        git(up, "add", ".")
        git(up, "commit", "-q", "-m", "one")
        git(root, "clone", "-q", f"file://{up}", str(app))
        (app / "run.sh").write_text("#!/bin/sh\necho y\n", encoding="utf-8")
        git(app, "commit", "-q", "-a", "-m", "two")
        git(app, "branch", "other")
        git(app, "pack-refs", "--all")
        return subprocess.run([sys.argv[1], str(app), os.environ.get("GATE_LINES", "10000"),
                               os.environ.get("GATE_SEED", "1")], check=False).returncode
    finally:
        shutil.rmtree(root, ignore_errors=True)


sys.exit(main())
