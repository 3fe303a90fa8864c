# SPDX-License-Identifier: Apache-2.0
"""The guard before brokers of every kind (stub_broker.c): whatever they do, one whole reply, in time."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

STUB = sys.argv.pop(1)
WORKER = sys.argv.pop(1)
TRAPPING = sys.argv.pop(1) == "trapping"  # such a build leaves stderr open, to report on
MIB = 1024 * 1024


def run(*arguments, stdin=b"{}", **options):
    """The guard's stdout, stderr, status and the seconds it took."""
    started = time.monotonic()
    done = subprocess.run([STUB, *arguments], input=stdin, capture_output=True, timeout=60, check=False, **options)
    return done.stdout, done.stderr, done.returncode, time.monotonic() - started


def wait_for_children(pid):
    until = time.monotonic() + 10
    while time.monotonic() < until:
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
        if children:
            return children
        time.sleep(0.02)
    raise AssertionError("no children")


def is_claude_deny(stdout):
    reply = json.loads(stdout)
    return reply["hookSpecificOutput"]["permissionDecision"] == "deny"


class Replies(unittest.TestCase):
    def test_whole_stdin_arrives(self):
        for size in (0, 1, 65519, 65520, 65521, 65537, MIB, 16 * MIB):
            out, err, status, _ = run("count", stdin=b"x" * size)
            self.assertEqual((out, err, status), (b"%d bytes, end 0\n" % size, b"", 0))

    def test_too_long_stdin_is_cut_and_read_to_its_end(self):
        for extra in (1, MIB):
            out, _, status, _ = run("count", stdin=b"x" * (16 * MIB + extra))
            self.assertTrue(out.endswith(b", end 1\n"), out)
            self.assertLessEqual(int(out.split()[0]), 16 * MIB)
            self.assertEqual(status, 0)

    def test_reply_before_stdin_ends(self):
        out, err, status, _ = run("early", stdin=b"x" * (2 * MIB))
        self.assertEqual((out, err, status), (b"early\n", b"", 0))

    def test_rows_stream_both_ways(self):
        rows = b"".join(b'{"id": %d}\n' % i for i in range(400000))
        for behaviour in ("echo", "echo-verdicts"):
            out, err, status, _ = run(behaviour, stdin=rows)
            self.assertEqual((out == rows, err, status), (True, b"", 3))

    def test_a_row_is_answered_before_the_next_is_read(self):
        with subprocess.Popen([STUB, "echo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            for i in range(50):
                row = b"row %d\n" % i
                os.write(child.stdin.fileno(), row)
                self.assertEqual(child.stdout.readline(), row)
            child.stdin.close()
            self.assertEqual(child.wait(10), 3)

    def test_large_reply_to_a_slow_reader(self):
        with subprocess.Popen([STUB, "large"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as child:
            time.sleep(0.3)
            self.assertEqual(child.stdout.read(), b"x" * 4 * MIB)
            self.assertEqual(child.wait(10), 0)

    def test_reply_over_sockets(self):
        ours, theirs = socket.socketpair()
        with ours, theirs, subprocess.Popen([STUB, "large"], stdin=theirs, stdout=theirs) as child:
            theirs.close()
            got = b""
            while len(got) < 4 * MIB:
                got += ours.recv(65536)
            self.assertEqual(child.wait(10), 0)

    def test_unknown_command(self):
        out, err, status, _ = run("nonsense")
        self.assertEqual((out, err, status), (b"", b"stub: unknown behaviour\n", 64))
        self.assertEqual(run()[2], 64)


class LastWords(unittest.TestCase):
    def denies(self, *arguments, limit=5, **options):
        out, err, status, seconds = run(*arguments, **options)
        self.assertTrue(is_claude_deny(out), out)
        self.assertEqual(status, 2)
        self.assertNotIn(b"half", out)
        self.assertTrue(err)
        self.assertLess(seconds, limit)
        return err

    def test_broker_killed(self):
        self.assertIn(b"the broker is gone", self.denies("killed"))

    def test_broker_leaves_and_says_why(self):
        self.assertIn(b"the disk is on fire", self.denies("leaves"))

    def test_broker_sends_garbage(self):
        self.denies("garbage")

    def test_broker_floods(self):
        self.denies("floods", limit=15)

    def test_broker_says_an_impossible_status(self):
        self.denies("bad-status")

    def test_broker_asks_for_what_there_is_not(self):
        self.denies("no-such-role")

    def test_broker_names_a_program_or_a_socket_late(self):
        for behaviour in ("late-helper", "late-service", "starts-early"):
            with self.subTest(behaviour):
                self.assertIn(b"Protocol error", self.denies(behaviour))

    def test_broker_names_both_in_time(self):
        out, err, status, _ = run("names-in-time")
        self.assertEqual((out, err, status), (b"", b"", 0))

    def test_broker_never_listens(self):
        self.denies("asks-only", "claude", "3000")

    def test_broker_stopped_is_answered_for_in_time(self):
        for limit_ms in (2000, 4000):
            err = self.denies("stopped", "claude", str(limit_ms), limit=limit_ms / 1000 - 0.2)
            self.assertIn(b"no answer in time", err)

    def test_stdin_never_closed(self):
        ours, theirs = os.pipe()
        started = time.monotonic()
        done = subprocess.run([STUB, "count", "claude", "2500"], stdin=ours, capture_output=True, timeout=20, check=False)
        self.assertTrue(is_claude_deny(done.stdout))
        self.assertLess(time.monotonic() - started, 2.2)
        os.close(ours)
        os.close(theirs)

    def test_no_signal_takes_the_word_from_it(self):
        with subprocess.Popen([STUB, "stopped", "claude", "3000"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as guard:
            wait_for_children(guard.pid)
            for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                guard.send_signal(number)
            out, _ = guard.communicate(timeout=20)
            self.assertTrue(is_claude_deny(out))
            self.assertEqual(guard.returncode, 2)

    def test_a_person_may_interrupt(self):
        with subprocess.Popen([STUB, "echo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as guard:
            wait_for_children(guard.pid)
            guard.send_signal(signal.SIGINT)
            self.assertEqual(guard.wait(10), -signal.SIGINT)

    def test_agy_reads_stdout_and_needs_status_0(self):
        out, _, status, _ = run("killed", "agy")
        self.assertEqual((json.loads(out)["decision"], status), ("deny", 0))

    def test_rows_end_without_a_foreign_line(self):
        out, err, status, _ = run("killed-rows")
        self.assertEqual((out, status), (b"half a rep", 2))
        self.assertTrue(err)

    def test_text_ends_without_a_verdict(self):
        out, err, status, _ = run("killed-text")
        self.assertEqual((out, err, status), (b"", b"auto-classifier: the broker is gone\n", 2))


class Surroundings(unittest.TestCase):
    def test_stdout_that_nobody_reads(self):
        for behaviour in ("count", "killed"):
            ours, theirs = os.pipe()
            os.close(ours)
            done = subprocess.run([STUB, behaviour], input=b"{}", stdout=theirs, stderr=subprocess.PIPE, timeout=20,
                                  check=False)
            os.close(theirs)
            self.assertEqual(done.returncode, 2)

    def test_standard_descriptors_closed(self):
        shell = ["/bin/sh", "-c", 'exec "$0" "$@" %s', STUB]
        done = subprocess.run([*shell[:2], shell[2] % ">&-", STUB, "count"], input=b"{}", timeout=20, check=False)
        self.assertEqual(done.returncode, 2)
        done = subprocess.run([*shell[:2], shell[2] % "<&-", STUB, "count"], capture_output=True, timeout=20, check=False)
        self.assertEqual((done.stdout, done.returncode), (b"0 bytes, end 0\n", 0))
        done = subprocess.run([*shell[:2], shell[2] % "2>&-", STUB, "killed"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, timeout=20, check=False)
        self.assertTrue(is_claude_deny(done.stdout))

    def test_signals_left_by_the_caller(self):
        def leave():
            signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP})
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)

        out, _, status, _ = run("missing", preexec_fn=leave)
        self.assertEqual(out.count(b"CHILD_GONE worker 127"), 2, out)
        self.assertEqual(status, 0)

    def test_missing_program(self):
        out, _, status, _ = run("missing")
        self.assertEqual(status, 0)
        self.assertEqual(sorted(out.splitlines()), [
            b"CHILD worker 0", b"CHILD_FAILED tmux Function not implemented0", b"CHILD_GONE worker 127",
            b"CHILD_GONE worker 127"])

    def test_no_arguments_at_all(self):
        script = "import ctypes, sys; ctypes.CDLL(None).execve(sys.argv[1].encode(), None, None)"
        done = subprocess.run([sys.executable, "-c", script, STUB], capture_output=True, timeout=20, check=False)
        self.assertEqual(done.returncode, 64)

    def test_broker_descriptors(self):
        extra = os.open("/etc/passwd", os.O_RDONLY)
        out, _, _, _ = run("descriptors", pass_fds=(extra,))
        lines = [line.split(b" ", 1) for line in out.splitlines()]
        self.assertEqual([fd for fd, _ in lines], [b"0", b"1", b"2", b"3", b"4"])
        self.assertTrue(all(path == b"/dev/null" for _, path in lines[:2 if TRAPPING else 3]))
        self.assertTrue(all(path.startswith(b"socket:") for _, path in lines[3:]))
        os.close(extra)

    def test_environment_is_parted(self):
        environment = {
            "PATH": "/usr/bin", "HOME": "/h", "AUTO_CLASSIFIER_MODEL": "m", "LC_CTYPE": "C",
            "AUTO_CLASSIFIER_API_KEY": "planted-1", "OPENAI_API_KEY": "planted-2", "TYPESAFE_API_KEY": "planted-3",
            "GITHUB_TOKEN": "planted-4", "AUTO_CLASSIFIER_proxy_password": "planted-5", "LC_SECRET": "planted-6",
            "BASH_ENV": "planted-7", "EMPTY": "", "PATHS": "planted-8",
        }
        out, _, status, _ = run("environment", env=environment)
        self.assertEqual(status, 0)
        lines = out.decode().splitlines()
        self.assertNotIn("planted", out.decode())
        self.assertEqual({line[6:] for line in lines if line.startswith("value ")},
                         {"PATH=/usr/bin", "HOME=/h", "AUTO_CLASSIFIER_MODEL=m", "LC_CTYPE=C"})
        self.assertEqual({line[5:] for line in lines if line.startswith("name ")},
                         set(environment) - {"PATH", "HOME", "AUTO_CLASSIFIER_MODEL", "LC_CTYPE"})

    def test_nothing_outlives_the_guard(self):
        with subprocess.Popen([STUB, "stopped", "claude", "20000"], stdin=subprocess.PIPE) as guard:
            children = wait_for_children(guard.pid)
            guard.kill()
            guard.wait(10)
        until = time.monotonic() + 10
        while any(os.path.exists(f"/proc/{pid}") for pid in children) and time.monotonic() < until:
            time.sleep(0.02)
        self.assertFalse([pid for pid in children if os.path.exists(f"/proc/{pid}")])

    @unittest.skipUnless(os.geteuid() == 0, "only root can start another user's processes")
    def test_a_role_leaves_root(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            # As in a build tree, where programs are found beside the guard's own directory.
            for program, place in ((STUB, "broker/guard-stub"), (WORKER, "worker/auto-classifier-worker")):
                path = pathlib.Path(folder, place)
                path.parent.mkdir()
                shutil.copy(program, path)
            with subprocess.Popen([path.parent.parent / "broker/guard-stub", "as-user"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE) as guard:
                pid = int(guard.stdout.readline())
                state = self.state_of(pid)
                self.assertEqual(state["Uid"].split(), ["65534"] * 4)
                self.assertEqual(state["Gid"].split(), ["65534"] * 4)
                self.assertEqual(state["Groups"].split(), [])
                self.assertEqual(int(state["CapPrm"], 16), 0)
                own = self.state_of(guard.pid)
                self.assertEqual(int(own["CapEff"], 16) & ~(1 << 5 | 1 << 6 | 1 << 7), 0)
                guard.stdin.close()
                self.assertEqual(guard.wait(10), 0)

    def state_of(self, pid):
        until = time.monotonic() + 10
        while time.monotonic() < until:
            if pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().startswith((b"auto-", STUB[:1].encode())):
                break
            time.sleep(0.02)
        lines = pathlib.Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
        return {name: value for name, _, value in (line.partition(":") for line in lines)}


if __name__ == "__main__":
    unittest.main()
