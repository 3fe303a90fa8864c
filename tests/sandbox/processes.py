# SPDX-License-Identifier: Apache-2.0
"""The real processes, looked at from outside while they work: descriptors, sandbox, environment, memory, start by hand."""

import contextlib
import json
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import time
import unittest

BUILD = pathlib.Path(sys.argv.pop(1))
GATE = BUILD / "broker" / "auto-classifier"
WORKER = BUILD / "worker" / "auto-classifier-worker"
NETPROC = BUILD / "netproc" / "auto-classifier-netproc"
MODE = sys.argv.pop(1)
FILTERED = MODE != "unfiltered"

PLANTED = b"planted-" + os.urandom(12).hex().encode()
NAMES = ("AUTO_CLASSIFIER_API_KEY", "OPENAI_API_KEY", "TYPESAFE_API_KEY", "GITHUB_TOKEN", "MY_OWN_SETTING",
         "AUTO_CLASSIFIER_SECRET_THING")
PAYLOAD = json.dumps({"session_id": "s", "cwd": "/tmp", "hook_event_name": "PreToolUse", "tool_name": "Bash",
                      "permission_mode": "default", "tool_input": {"command": "ls"}}).encode()


def children_of(pid):
    return [int(p) for p in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]


def descriptors(pid):
    folder = f"/proc/{pid}/fd"
    found = {}
    for fd in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            found[int(fd)] = re.sub(r":.*", "", os.readlink(f"{folder}/{fd}"))
    return found


def settled_descriptors(pid, wanted):
    """Of a process that opens directories to look at, and closes them again."""
    until = time.monotonic() + 5
    while (found := descriptors(pid)) != wanted and time.monotonic() < until:
        time.sleep(0.01)
    return found


def status(pid):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def confined(pid):
    """Its status once it has gone into its sandbox; a slow machine may be looked at before that."""
    until = time.monotonic() + 10
    while status(pid)["NoNewPrivs"] != "1" and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.2)  # the filter is the last thing to be set
    return status(pid)


def holds(pid, needle):
    """The mapped regions of a process in which the bytes are found."""
    found = []
    maps = pathlib.Path(f"/proc/{pid}/maps").read_text("ascii").splitlines()
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in maps:
            area, modes, *_ = line.split()
            if not modes.startswith("r") or "[v" in line:
                continue
            start, end = (int(x, 16) for x in area.split("-"))
            with contextlib.suppress(OSError):
                memory.seek(start)
                if needle in memory.read(end - start):
                    found.append(line)
    return found


@contextlib.contextmanager
def at_work(*arguments, feed, until_reply):
    """A gate in the middle of its work: (guard, broker, worker) and what it printed so far."""
    environment = {"PATH": os.environ["PATH"], **{name: PLANTED.decode() for name in NAMES}}
    gate = subprocess.Popen([GATE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env=environment)
    try:
        os.write(gate.stdin.fileno(), feed)
        printed = gate.stdout.readline() if until_reply else b""
        yield gate, find_processes(gate.pid), printed
    finally:
        out, err = gate.communicate(timeout=30)
        if PLANTED in out + err:
            raise AssertionError("the key was printed")


def find_processes(guard):
    until = time.monotonic() + 10
    while time.monotonic() < until:
        found = {"guard": guard}
        for pid in children_of(guard):
            line = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
            found["worker" if line.startswith(b"auto-classifier-worker") else "broker"] = pid
        ready = all(status(pid)["Seccomp"] == "2" for role, pid in found.items() if role != "guard")
        if len(found) == 3 and (ready or not FILTERED):
            # The last layer is entered: what follows is a wait on the channel.
            return found
        time.sleep(0.02)
    raise AssertionError("no broker and worker")


def may_look():
    with at_work("check", "--batch", feed=b'{"id":"1","command":"ls"}\n', until_reply=True) as (_, pids, _):
        try:
            os.listdir(f"/proc/{pids['worker']}/fd")
            with open(f"/proc/{pids['worker']}/mem", "rb"):
                return True
        except PermissionError:
            return False


class AtWork(unittest.TestCase):
    CASES = (
        (("check", "--batch"), b'{"id":"1","command":"ls"}\n', True),
        (("hook", "claude"), PAYLOAD, False),
    )

    def each(self):
        for arguments, feed, until_reply in self.CASES:
            with self.subTest(arguments), at_work(*arguments, feed=feed, until_reply=until_reply) as (_, pids, _):
                yield pids

    def test_descriptors(self):
        for pids in self.each():
            null = {fd: "/dev/null" for fd in range(3)}
            if MODE == "trapping":
                null[2] = "pipe"  # such a build leaves stderr open, to report on
            self.assertEqual(descriptors(pids["worker"]), {**null, 3: "socket"})
            broker = {**null, 3: "socket", 4: "socket"}
            self.assertEqual(settled_descriptors(pids["broker"], broker), broker)
            guard = {fd: kind for fd, kind in descriptors(pids["guard"]).items() if fd > 2}
            self.assertEqual(sorted(guard.values()),
                             ["/dev/null", "/memfd", "anon_inode", "socket"])

    def test_sandbox(self):
        for pids in self.each():
            for role in ("broker", "worker"):
                state = confined(pids[role])
                self.assertEqual(state["NoNewPrivs"], "1")
                self.assertEqual(state["Seccomp"], "2" if FILTERED else "0")
                self.assertIn(int(state["CapPrm"], 16), (0,) if role == "worker" else (0, 1 << 2))
                self.assertEqual(int(state["CapEff"], 16) & ~(1 << 2), 0)

    @unittest.skipUnless(FILTERED, "a sanitizer maps terabytes")
    def test_key_is_in_no_process(self):
        for pids in self.each():
            for role, pid in pids.items():
                self.assertNotIn(PLANTED, pathlib.Path(f"/proc/{pid}/environ").read_bytes(), role)
                self.assertNotIn(PLANTED, pathlib.Path(f"/proc/{pid}/cmdline").read_bytes(), role)
                self.assertEqual(holds(pid, PLANTED), [], role)
                self.assertNotIn("memfd", pathlib.Path(f"/proc/{pid}/maps").read_text("ascii"), role)

    @unittest.skipUnless(FILTERED, "a sanitizer maps terabytes")
    def test_the_search_would_find_it(self):
        # Not the key's absence but the search's blindness would pass the test above.
        for pids in self.each():
            self.assertTrue(holds(pids["worker"], b"auto-classifier-worker is started by"))
            self.assertTrue(holds(pids["guard"], b"AUTO_CLASSIFIER_API_KEY"))

    def test_the_key_is_in_the_file_alone(self):
        for pids in self.each():
            fd = next(fd for fd, kind in descriptors(pids["guard"]).items() if kind == "/memfd")
            text = pathlib.Path(f"/proc/{pids['guard']}/fd/{fd}").read_bytes()
            entries = dict(entry.split(b"=", 1) for entry in text.split(b"\0") if entry)
            self.assertEqual({name for name, value in entries.items() if value == PLANTED},
                             {name.encode() for name in NAMES})

    def test_worker_environment_is_fixed(self):
        for pids in self.each():
            self.assertEqual(pathlib.Path(f"/proc/{pids['worker']}/environ").read_bytes(),
                             b"PATH=/usr/bin:/bin\0LC_ALL=C.UTF-8\0")
            self.assertEqual(pathlib.Path(f"/proc/{pids['worker']}/cmdline").read_bytes(), b"auto-classifier-worker\0")


def frame(kind, body, serial=1, flags=0):
    return struct.pack("<IHHII", len(body), kind, flags, serial, 0) + body


class StartedByHand(unittest.TestCase):
    MODEL_REQUEST, MODEL_FAILED, MODEL_PLACE = 18, 20, 38

    def test_without_a_channel(self):
        for program in (WORKER, NETPROC):
            done = subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False)
            self.assertEqual((done.stdout, done.returncode), (b"", 64))
            self.assertIn(b"is started by auto-classifier", done.stderr)

    @contextlib.contextmanager
    def channel(self, program):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.settimeout(20)
        with ours:
            child = subprocess.Popen([program], preexec_fn=lambda: os.dup2(theirs.fileno(), 3), pass_fds=(3,),
                                     stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            theirs.close()
            yield ours, child
        self.assertIsNotNone(child.wait(20))

    def test_netproc_takes_no_body_of_others(self):
        for kind in (self.MODEL_PLACE, self.MODEL_REQUEST):
            with self.channel(NETPROC) as (ours, child):
                ours.send(frame(kind, b"{}"))
                self.assertEqual(ours.recv(65536), b"")
                self.assertEqual(child.wait(20), 1)

    def test_broken_frames_end_them(self):
        for program in (WORKER, NETPROC):
            for sent in (b"", b"x", frame(0, b""), frame(self.MODEL_FAILED, b"\0" * 8), frame(11, b"\xff" * 64),
                         frame(12, b"x"), frame(11, b"p", serial=2)):
                with self.channel(program) as (ours, child):
                    ours.send(sent)
                    ours.shutdown(socket.SHUT_WR)
                    self.assertEqual(ours.recv(65536), b"")
                    self.assertIn(child.wait(20), (0, 1))

    def test_end_of_the_channel_ends_them(self):
        for program in (WORKER, NETPROC):
            with self.channel(program) as (ours, child):
                ours.close()
                self.assertEqual(child.wait(20), 0)


if __name__ == "__main__":
    if not may_look():
        print("skipped: this user may not look into undumpable processes")
        del AtWork
    unittest.main()
