# SPDX-License-Identifier: Apache-2.0
"""Runs the built gate as a harness would, in a home of the test's own, and reads its reply."""

import contextlib
import ctypes
import json
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(os.environ.get("GATE_SOURCE") or pathlib.Path(__file__).parents[2])
BUILD = pathlib.Path(os.environ.get("GATE_BUILD") or SOURCE / "build")
SKIP = 77
# Under a trapping filter every child keeps stderr for its report, also one that a hung file system lets nobody kill.
HANGING_STDERR = subprocess.DEVNULL if "GATE_TRAP" in os.environ else subprocess.PIPE

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18

_libc = ctypes.CDLL(None, use_errno=True)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIP)


def _call(name, *arguments):
    if getattr(_libc, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _mount(source, target, kind=None, flags=0):
    encode = (lambda s: None if s is None else os.fsencode(s))
    _call("mount", encode(source), encode(target), encode(kind), ctypes.c_ulong(flags), None)


def bind(source, target):
    """One file in another's place, for this process and what it starts: in a world's mount namespace."""
    _mount(source, target, None, MS_BIND)


class World:
    """
    A private mount namespace in which passwd gives us another, empty home, and /etc/auto-classifier is not there:
    hooks take home from passwd, never from $HOME, so a variable could not keep a test off the user's own files.
    """

    def __init__(self, user="tester"):
        self.program = BUILD / "broker" / "auto-classifier"
        if not self.program.exists():
            skip(f"{self.program} is not built")
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="gate-test-"))
        try:
            self._enter(user)
        except OSError as error:
            self._unable(error)

    def _unable(self, error):
        shutil.rmtree(self.scratch)
        skip(f"no private home can be mounted here ({error})")

    def _enter(self, user):
        uid, gid = os.getuid(), os.getgid()
        _call("unshare", CLONE_NEWNS if uid == 0 else CLONE_NEWNS | CLONE_NEWUSER)
        if uid != 0:
            pathlib.Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
            pathlib.Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1", encoding="ascii")
            pathlib.Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1", encoding="ascii")
        _mount(None, "/", None, MS_REC | MS_PRIVATE)
        needed = [BUILD, SOURCE, pathlib.Path(sys.prefix), self.scratch]
        base = next(b for b in map(pathlib.Path, ("/home", "/mnt", "/srv", "/media"))
                    if b.is_dir() and not any(b in path.parents for path in needed))
        _mount("tmpfs", base, "tmpfs")
        self.home = base / user
        self.home.mkdir(0o700)
        passwd = self.scratch / "passwd"
        lines = [line for line in pathlib.Path("/etc/passwd").read_text(encoding="utf-8").splitlines()
                 if line.split(":")[2:3] != [str(uid)]]
        lines.insert(0, f"{pwd.getpwuid(uid).pw_name}:x:{uid}:{gid}::{self.home}:/bin/bash")
        passwd.write_text("\n".join(lines) + "\n", encoding="utf-8")
        passwd.chmod(0o644)
        _mount(passwd, "/etc/passwd", None, MS_BIND)
        if pathlib.Path("/etc/auto-classifier").exists():
            empty = self.scratch / "etc"
            empty.mkdir()
            _mount(empty, "/etc/auto-classifier", None, MS_BIND)
        os.chdir(self.scratch)

    def close(self):
        os.chdir("/")
        shutil.rmtree(self.scratch, ignore_errors=True)

    def fresh(self):
        """Empties the home; returns a new working directory outside it."""
        for entry in self.home.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        return pathlib.Path(tempfile.mkdtemp(prefix="cwd-", dir=self.scratch))

    def config(self, text, name="config.jsonc"):
        folder = self.home / ".config" / "auto-classifier"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / name
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        path.chmod(0o600)
        return path

    @property
    def state(self):
        return self.home / ".cache" / "auto-classifier" / "sessions"

    def environment(self, **more):
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home), "LANG": "C.UTF-8"}
        env.update(more)
        return env

    def start(self, *arguments, env=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=None,
              stdin=subprocess.PIPE):
        return subprocess.Popen([str(self.program), *map(str, arguments)], env=env or self.environment(),
                                stdin=stdin, stdout=stdout, stderr=stderr, cwd=cwd or self.scratch)

    def run(self, *arguments, stdin=b"", timeout=60, **more):
        began = time.monotonic()
        process = self.start(*arguments, **more)
        try:
            out, err = process.communicate(stdin, timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        return Result(process.returncode, out or b"", err or b"", time.monotonic() - began)

    def hook(self, harness, payload, *arguments, **more):
        stdin = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return self.run("hook", harness, *arguments, stdin=stdin, **more)

    def check(self, command, *arguments, **more):
        return self.run("check", *arguments, command, **more)


class Result:
    def __init__(self, status, out, err, seconds):
        self.status, self.out, self.err, self.seconds = status, out, err, seconds

    def json(self):
        """The whole of stdout as one JSON value; harnesses accept nothing around it."""
        return json.loads(self.out.decode("utf-8"))

    def verdict(self):
        """(decision, reason) of a reply in any of the shapes that the gate prints; raises where there is none."""
        reply = self.json()
        nested = reply.get("hookSpecificOutput")
        if nested is None:
            return reply["decision"], reply.get("reason", "")
        if nested["hookEventName"] == "PermissionRequest":
            decision = nested["decision"]
            return decision["behavior"], decision.get("message", "")
        return nested["permissionDecision"], nested.get("permissionDecisionReason", "")

    @property
    def decision(self):
        return self.verdict()[0]

    def __repr__(self):
        return f"status {self.status} after {self.seconds:.2f} s\nstdout: {self.out!r}\nstderr: {self.err!r}"


def finish(process, payload, timeout=60):
    """Gives a started hook its payload and waits for its end."""
    began = time.monotonic()
    out, err = process.communicate(payload if isinstance(payload, bytes) else json.dumps(payload).encode(), timeout)
    return Result(process.returncode, out, err, time.monotonic() - began)


def claude(command, session="s-1", cwd="/tmp", event="PreToolUse", **more):
    payload = {"session_id": session, "transcript_path": "/nowhere/t.jsonl", "cwd": str(cwd),
               "permission_mode": "default", "hook_event_name": event, "tool_name": "Bash",
               "tool_input": {"command": command, "description": "a test"}}
    if event != "PermissionRequest":
        payload["tool_use_id"] = "toolu_1"
    payload.update(more)
    return payload


def agy(command, session="c-1", cwd="/tmp", **more):
    payload = {"conversationId": session, "workspacePaths": [str(cwd)], "modelName": "m", "stepIdx": 3,
               "toolCall": {"name": "run_command", "args": {"CommandLine": command, "Cwd": str(cwd)}}}
    payload.update(more)
    return payload


def _stat(pid):
    """(state, parent), or None for a process that is gone."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text[text.rindex(")") + 2:].split()
    return fields[0], int(fields[1])


def children(pid):
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            stat = _stat(entry)
            if stat and stat[1] == pid and stat[0] != "Z":
                found.append(int(entry))
    return sorted(found)


def role(pid):
    """What a child of the guard is, by its command line: the broker is a fork and keeps the guard's own."""
    try:
        line = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].decode(errors="replace")
    except OSError:
        return None
    for name in ("worker", "netproc", "git"):
        if line.endswith("-" + name) or line.endswith(": " + name):
            return name
    return "broker"


def wait_child(guard, wanted, seconds=5.0):
    """The pid of the guard's child of that role, as soon as there is one."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        for pid in children(guard):
            if role(pid) == wanted:
                return pid
        time.sleep(0.001)
    return None


def gone(pids, seconds=5.0):
    """Have all these ended (or become zombies of somebody else's) in that time?"""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        if all((_stat(pid) or ("Z", 0))[0] in "ZX" for pid in pids):
            return True
        time.sleep(0.01)
    return False


class Cases:
    """Runs named cases, prints what failed, and is the exit status."""

    def __init__(self):
        self.passed, self.failed = 0, []

    @contextlib.contextmanager
    def case(self, name):
        try:
            yield
            self.passed += 1
        except Exception as error:  # a case that breaks is a case that failed, whatever broke it
            self.failed.append(name)
            print(f"FAILED {name}: {type(error).__name__}: {error}")

    def close(self):
        print(f"{self.passed} cases passed, {len(self.failed)} failed")
        return 1 if self.failed or not self.passed else 0


def expect(condition, detail):
    if not condition:
        raise AssertionError(detail)
