# SPDX-License-Identifier: Apache-2.0
"""
Random lines of file programs with options and paths of every kind, judged by the gate; those that it allows are run,
in a worktree that lies in a home with other things in it. An allowed line changes nothing outside the worktree, but for
directories and files that it makes there and leaves empty, and brings no private key to light: where one does, a command
model is wrong about its program.

The lines run without privileges, in a mount namespace where all but that home is read-only.
"""

import ctypes
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys

import gate

LINES = int(os.environ.get("GATE_LINES") or 3000)
SEED = int(os.environ.get("GATE_SEED") or 4711)
SECRET = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE"

MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, RDONLY = 442, -100, 0x8000, 1

TREE = {
    "work/notes.txt": "alpha\nbeta\ngamma\n", "work/data.csv": "a,1\nb,2\n", "work/src/main.c": "int main(void) { return 0; }\n",
    "work/src/util.py": "print('x')\n", "work/build/out.o": "object\n", "work/list": "../other/keep.txt\n", "work/name with blank": "x\n",
    "work/-rf": "x\n", "work/cmds.sed": "w ../other/from-sed\n", "work/fix.patch":
    "--- a/../other/keep.txt\n+++ b/../other/keep.txt\n@@ -1 +1 @@\n-kept\n+patched\n", "other/keep.txt": "kept\n", "other/deep/file": "deep\n",
    ".bashrc": "# mine\n", ".profile": "# mine\n", ".gitconfig": "[user]\n\tname = t\n\temail = t@example.com\n",
    ".ssh/id_ed25519": f"-----BEGIN OPENSSH PRIVATE KEY-----\n{SECRET}\n-----END OPENSSH PRIVATE KEY-----\n", ".ssh/authorized_keys": "",
    ".config/auto-classifier/config.jsonc": "{}\n",
}
LINKS = {"work/out": "../other", "work/link.txt": "../other/keep.txt", "work/key": "../.ssh/id_ed25519", "work/in": "src", "work/up": ".."}

INSIDE = ["notes.txt", "data.csv", "src", "src/main.c", "src/util.py", "build", "build/out.o", ".", "./notes.txt", "new", "build/new", "*",
          "*.txt", "src/*.c", "'name with blank'", "list", "fresh/dir", "in/main.c", "./-rf", "src/../notes.txt", "\"$PWD/notes.txt\"", "[n]otes.txt"]
OUTSIDE = ["../other", "../other/keep.txt", "../other/new", "..", "~", "~/.bashrc", "~/.profile", "~/new", "$HOME/.bashrc", "out/keep.txt",
           "out/new", "link.txt", "key", "up", "up/other/keep.txt", "~/.ssh/id_ed25519", "../.ssh/id_ed25519", "~/.ssh", "../.ssh/*",
           "~/.ssh/authorized_keys", "src/../../other/keep.txt", "~/.config/auto-classifier/config.jsonc", "../*", "../oth*/keep.txt",
           "{notes.txt,../other/keep.txt}", "\"$OLDPWD\"", "$(echo ../other/keep.txt)", "`cat list`", "../.gitconfig", "../{other,x}/new"]

# What follows the program: words, of which P stands for a path, N for a number and the rest for itself.
PROGRAMS = {
    "cat": ["-n", "-A", "--show-all", "-s", "P", "-"], "cp": ["-r", "-a", "-f", "-t P", "--target-directory=P", "--target=P", "-T", "-l", "-s",
    "-b", "-S .bak", "-u", "-L", "-P", "-R", "--parents", "-n", "P", "P", "P"], "mv": ["-f", "-t P", "--target-directory P", "-T", "-b", "-n",
    "--backup=simple", "P", "P"], "rm": ["-r", "-f", "-rf", "-R", "-d", "-v", "--recursive", "--forc", "-i", "--", "P", "P"],
    "ln": ["-s", "-f", "-sf", "-r", "-t P", "-n", "-T", "P", "P"], "touch": ["-c", "-r P", "-d now", "-a", "--reference=P", "P"],
    "mkdir": ["-p", "-m 700", "-v", "P"], "rmdir": ["-p", "--ignore-fail-on-non-empty", "P"], "tee": ["-a", "--append", "-i", "P"],
    "sed": ["-i", "-n", "-E", "-e s/a/b/", "s/a/b/", "-i.bak", "--in-place", "-ibak", "'w P'", "'1e touch P'", "-f cmds.sed", "'s/a/b/w P'",
    "'r P'", "1d", "-s", "-ni p", "--expression=p", "'1w P\np'", "'$!{w P\n}'", "P"], "awk": ["'{ print }'", "'{ print > \"P\" }'",
    "'BEGIN { system(\"touch P\") }'", "'{ print | \"tee P\" }'", "'BEGIN { while ((getline l < \"P\") > 0) print l }'", "-F,", "-v x=1", "P"],
    "find": ["P", "-name '*.txt'", "-type f", "-delete", "-exec rm {} \\;", "-exec cat {} +", "-fprint P", "-fls P", "-exec touch P \\;",
    "-newer P", "-print0", "-maxdepth N", "-ok rm {} \\;", "-execdir rm {} \\;", "-quit", "-L"], "sort": ["-o P", "-u", "-oP", "--output=P",
    "--outp P", "-k 1", "-T P", "--compress-program=touch", "-r", "--files0-from=P", "P"], "uniq": ["-c", "-d", "P", "P"],
    "split": ["-l N", "-b N", "--filter='cat > P'", "-d", "P", "P"], "csplit": ["-f P", "-s", "P", "1"], "cut": ["-c 1-3", "-d ,", "-f 1", "P"],
    "head": ["-n N", "-c N", "-N", "P"], "tail": ["-n N", "-c +1", "-q", "P"], "wc": ["-l", "--files0-from=P", "P"], "paste": ["-s", "P", "P"],
    "grep": ["-r", "-n", "-f P", "-e a", "-R", "a", "-l", "--include='*.c'", "''", "-d recurse", "P"], "tr": ["a b", "-d x"], "nl": ["P"],
    "tac": ["P"], "od": ["-c", "P"], "xxd": ["P", "P", "-r"], "base64": ["-d", "-w 0", "P"], "diff": ["-u", "-r", "--to-file=P", "P", "P"],
    "cmp": ["P", "P"], "comm": ["P", "P"], "join": ["P", "P"], "tar": ["-cf P", "-xf P", "-C P", "cf P", "xf P", "-tf P", "-czf P", "-rf P",
    "--to-command='tee P'", "--remove-files", "--checkpoint=1", "--checkpoint-action=exec='touch P'", "-P", "--one-top-level=P", "P"],
    "gzip": ["-k", "-d", "-c", "-r", "-f", "P"], "dd": ["if=P", "of=P", "bs=N", "count=1", "status=none", "conv=notrunc"],
    "install": ["-m 600", "-d", "-t P", "-D", "P", "P"], "truncate": ["-s 0", "-r P", "-c", "P"], "shred": ["-u", "-n 1", "P"],
    "patch": ["-p0", "-p1", "-i P", "-o P", "-d P", "-R", "P", "< fix.patch"], "chmod": ["600", "-R a+w", "u+x", "--reference=P", "P"],
    "xargs": ["rm", "touch", "cat", "-a P", "-I {} cp {} P", "-n 1", "-t"], "realpath": ["P"], "stat": ["P"], "ls": ["-la", "-R", "P"],
    "du": ["-s", "P"], "file": ["P", "-f P", "-C -m P"], "readlink": ["-f", "P"], "test": ["-f", "P"], "tree": ["-o P", "P"],
    "git": ["status", "add P", "add -A", "commit -qm x", "checkout -- P", "clean -fdx", "clean -fd P", "reset --hard", "reset --hard HEAD", "stash",
    "stash -u", "worktree add P", "config --global user.name x", "config user.name x", "-C P", "log --output=P", "diff --output=P", "diff", "log -p",
    "grep a", "grep -Otouch a", "archive -o P HEAD", "archive HEAD", "format-patch -o P HEAD", "bundle create P HEAD", "init P", "clone -q . P",
    "apply P", "apply --unsafe-paths P", "mv P P", "rm -rf P", "--git-dir=P", "--work-tree=P", "diff --no-index P P", "show HEAD:notes.txt", "branch x",
    "rev-parse HEAD", "ls-files", "cat-file -p HEAD", "hash-object -w P", "restore P", "switch -c y", "submodule add P", "blame P", "tag z",
    "update-index --add P", "checkout-index --prefix=P -a", "read-tree HEAD", "rebase HEAD", "merge HEAD", "config -f P a.b c", "notes add -F P"],
}
PREFIXES = [""] * 12 + ["cd .. && ", "cd src && ", "cd ../other; ", "cd - ; ", "cd; ", "cd out && ", "env ", "timeout 5 ", "nice ", "command ", "env -C .. ",
            "env -C ../other ", "d=../other; ", "(cd ..; ", "sh -c '", "bash -c \"", "for f in *; do ", "if true; then ", "xargs -a list ", "HOME=.. ",
            "! ", "time ", "eval ", "stdbuf -o0 ", "pushd .. > build/x; ", "x=$(", "cd \"$HOME\" && ", "cd ./src/../.. && ", "CDPATH=..; cd other && ",
            "ln -s ../other build/o && ", "f() { ", "while read f; do ", "set -- ../other/keep.txt; "]
CLOSERS = {"(cd ..; ": ")", "sh -c '": "'", "bash -c \"": "\"", "for f in *; do ": "; done", "if true; then ": "; fi", "x=$(": ")", "f() { ": "; }; f",
           "while read f; do ": "; done < list"}
EXTRAS = {"d=../other; ": ["$d", "$d/keep.txt", "\"${d}/new\""], "for f in *; do ": ["\"$f\"", "\"../$f\"", "$f/keep.txt"],
          "while read f; do ": ["$f", "\"$f\""], "ln -s ../other build/o && ": ["build/o/keep.txt", "build/o/new"],
          "set -- ../other/keep.txt; ": ["$1", "\"$@\"", "$*"]}


def path(source, extra):
    if extra and source.random() < 0.6:
        return source.choice(extra)
    return source.choice(INSIDE if source.random() < 0.6 else OUTSIDE)


def command(source, extra):
    program = source.choice(list(PROGRAMS))
    words = [program]
    for _ in range(source.randint(1, 4)):
        words += source.choice(PROGRAMS[program]).split(" ") if program != "sed" else [source.choice(PROGRAMS[program])]
    for number, word in enumerate(words[1:], 1):
        while "P" in word and word.strip("'-") != "P" or word == "P":
            at = word.index("P")
            if at and word[at - 1].isupper() or word in ("-P", "-PR"):
                break
            word = word[:at] + path(source, extra) + word[at + 1:]
            break
        words[number] = word.replace("N", str(source.randint(1, 3))) if word in ("N", "-N") else word
    text = " ".join(words)
    if source.random() < 0.15:
        text += source.choice([" > ", " >> ", " 2> ", " &> ", " >| ", " < ", " <> "]) + path(source, extra)
    return text


def line_of(source):
    prefix = source.choice(PREFIXES)
    extra = EXTRAS.get(prefix)
    joint = source.choice([" && ", "; ", " | ", " || ", "\n"])
    body = joint.join(command(source, extra) for _ in range(source.choice((1, 1, 1, 2, 2, 3))))
    return prefix + body + CLOSERS.get(prefix, "")


def read_only_but(writable):
    """All mounts of this namespace read-only, and then that one writable again."""
    libc = ctypes.CDLL(None, use_errno=True)
    for target, attributes, flags in (("/", struct.pack("QQQQ", RDONLY, 0, 0, 0), AT_RECURSIVE),
                                      (str(writable), struct.pack("QQQQ", 0, RDONLY, 0, 0), 0)):
        if libc.syscall(MOUNT_SETATTR, AT_FDCWD, os.fsencode(target), flags, attributes, len(attributes)) != 0:
            gate.skip(f"mounts cannot be made read-only here: {os.strerror(ctypes.get_errno())}")


def plant(home):
    for name, text in TREE.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    for name, target in LINKS.items():
        (home / name).symlink_to(target)
    work = home / "work"
    for arguments in (["init", "-q"], ["add", "notes.txt", "src"], ["commit", "-qm", "first"]):
        subprocess.run(["git", *arguments], cwd=work, env={"PATH": "/usr/bin:/bin", "HOME": str(home)}, check=True)


def snapshot(home):
    """What everything outside the worktree is: type, mode, content or target."""
    seen = {}
    for folder, folders, names in os.walk(home):
        if pathlib.Path(folder) == home:
            folders.remove("work")
        for name in folders + names:
            full = os.path.join(folder, name)
            mode = os.lstat(full).st_mode
            content = os.readlink(full) if stat.S_ISLNK(mode) else pathlib.Path(full).read_bytes() if stat.S_ISREG(mode) else b""
            seen[full] = (mode, content)
    return seen


def unprivileged():
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (3, 3))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def run(home, line):
    process = subprocess.Popen(["bash", "--norc", "-c", line], cwd=home / "work", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, preexec_fn=unprivileged,
                               env={"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", "GIT_CONFIG_SYSTEM": "/dev/null",
                                    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"})
    try:
        out, _ = process.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        out = b""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return out


def key_in(folder):
    for place, _, names in os.walk(folder):
        for name in names:
            full = pathlib.Path(place, name)
            if full.is_file() and not full.is_symlink() and SECRET.encode() in full.read_bytes():
                return full
    return None


class Ground:
    """The home, planted anew before each line from a copy that no line can reach."""

    def __init__(self, world):
        self.home = world.home
        self.template = world.home.parent / "template"
        plant(self.home)
        shutil.copytree(self.home, self.template, symlinks=True)
        self.template.chmod(0o700)

    def fresh(self):
        for entry in self.home.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        shutil.copytree(self.template, self.home, symlinks=True, dirs_exist_ok=True)
        if os.getuid() == 0:
            for folder, folders, names in os.walk(self.home):
                for name in [".", *folders, *names]:
                    os.lchown(os.path.join(folder, name), 65534, 65534)


def made_empty(name, before, after):
    mode, content = after.get(name, (0, b""))
    return name not in before and not content and (stat.S_ISDIR(mode) or stat.S_ISREG(mode))


def check(ground, line):
    ground.fresh()
    before = snapshot(ground.home)
    out = run(ground.home, line)
    after = snapshot(ground.home)
    changed = sorted(name for name in before.keys() | after.keys()
                     if before.get(name) != after.get(name) and not made_empty(name, before, after))
    gate.expect(not changed, f"it changed {changed}")
    gate.expect(SECRET.encode() not in out, "it printed the private key")
    gate.expect(key_in(ground.home / "work") is None, "it brought the private key into the worktree")


def main():
    world = gate.World()
    ground = Ground(world)
    source = random.Random(SEED)
    lines = list(dict.fromkeys(line_of(source) for _ in range(LINES)))
    rows = "".join(json.dumps({"id": str(n), "command": line, "cwd": str(world.home / "work")}) + "\n" for n, line in enumerate(lines))
    result = world.run("check", "--batch", "--dialect", "bash", stdin=rows.encode(), timeout=600)
    decisions = [json.loads(row)["decision"] for row in result.out.decode().splitlines()]
    gate.expect(len(decisions) == len(lines), f"rows are missing: {result.err!r}")
    allowed = [line for line, decision in zip(lines, decisions) if decision == "allow"]
    read_only_but(world.home.parent)
    cases = gate.Cases()
    for line in allowed:
        with cases.case(repr(line)):
            check(ground, line)
    print(f"{len(lines)} lines, {len(allowed)} allowed and run")
    with cases.case("lines were allowed"):
        gate.expect(len(allowed) > len(lines) // 30, "the lines try nothing")
    world.close()
    return cases.close()


sys.exit(main())
