# SPDX-License-Identifier: Apache-2.0
"""
What an agent that runs as the same user can prepare before the hook starts: limits, descriptors, variables, working
directory, files of state and logs, a kernel that refuses. Every call ends in a reply; what is not fine is never allowed.
"""

import ctypes
import fcntl
import json
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time

import gate

FINE, OPEN = "echo hi", "frobnicate --all"
REFUSED = ("deny", "ask")
NEVER = "rm -rf /"
SANITIZED = "GATE_SANITIZED" in os.environ
LIMIT_MS = 8000 if SANITIZED else 4000
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
PR_CAPBSET_DROP = 24

libc = ctypes.CDLL(None, use_errno=True)


def answered(result, harness="claude"):
    """A reply in the harness's shape, or the status that stands for a refusal where nothing could be written."""
    if harness == "claude" and result.status == 2 and not result.out:
        return "deny"
    gate.expect(result.status in (0, 2), f"neither 0 nor 2: {result}")
    gate.expect(result.out.count(b"\n") == 1, f"not one line: {result}")
    return result.decision


def start(world, command, prepare=None, env=None, cwd=None, harness="claude", payload=None, **more):
    """A hook whose process is prepared between fork and exec."""
    stdin = payload if payload is not None else json.dumps(getattr(gate, harness)(command, cwd=cwd or "/tmp")).encode()
    began = time.monotonic()
    with subprocess.Popen([str(world.program), "hook", harness, "--limit-ms", str(LIMIT_MS)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=prepare,
                          env=world.environment() if env is None else env, cwd=cwd, **more) as process:
        try:
            out, err = process.communicate(stdin, 30)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        result = gate.Result(process.returncode, out, err, time.monotonic() - began)
    gate.expect(result.seconds < LIMIT_MS / 1000 - 0.5, f"late: {result}")
    return result


def both(world, prepare=None, fine=("allow", "deny", "ask"), **more):
    """Each of the two harnesses: what is fine may be refused where too much is missing, what is not is always."""
    for harness in ("claude", "agy"):
        for command, wanted in ((FINE, fine), (NEVER, ("deny",)), (OPEN, ("deny", "ask", "force_ask"))):
            result = start(world, command, prepare, harness=harness, **more)
            gate.expect(answered(result, harness) in wanted, f"{harness}, {command}: {result}")


LIMITS = ((resource.RLIMIT_NOFILE, (3, 4, 5, 6, 8, 10, 12, 16, 20)), (resource.RLIMIT_NPROC, (0, 1)),
          (resource.RLIMIT_AS, (4 << 20, 8 << 20, 12 << 20, 16 << 20, 24 << 20, 40 << 20)),
          (resource.RLIMIT_FSIZE, (0, 1, 100)), (resource.RLIMIT_DATA, (0, 64 << 10, 1 << 20)),
          (resource.RLIMIT_STACK, (64 << 10, 256 << 10)), (resource.RLIMIT_MEMLOCK, (0,)),
          (resource.RLIMIT_CPU, (1,)), (resource.RLIMIT_SIGPENDING, (0,)), (resource.RLIMIT_MSGQUEUE, (0,)))


def limits(world, cases):
    for which, values in LIMITS:
        name = next(n for n in dir(resource) if n.startswith("RLIMIT_") and getattr(resource, n) == which)
        for value in values:
            if SANITIZED and which in (resource.RLIMIT_AS, resource.RLIMIT_DATA, resource.RLIMIT_STACK):
                continue  # its runtime does not start

            def lower(which=which, value=value):
                resource.setrlimit(which, (value, value))
            with cases.case(f"{name} {value}"):
                world.fresh()
                for harness in ("claude", "agy"):
                    for command, wanted in ((FINE, ("allow", "deny", "ask")), (NEVER, ("deny",))):
                        try:
                            result = start(world, command, lower, harness=harness)
                        except (OSError, subprocess.SubprocessError):
                            break  # not even the exec succeeds
                        # What the loader cannot map never begins: 127, or a signal from the kernel.
                        if result.status in (127, -signal.SIGKILL, -signal.SIGSEGV):
                            break
                        gate.expect(answered(result, harness) in wanted, f"{harness}, {command}: {result}")


def descriptors(world, cases):
    for closed in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
        with cases.case(f"descriptors {closed} closed"):
            world.fresh()
            script = 'exec "$0" hook claude ' + " ".join(f"{fd}{'<' if fd == 0 else '>'}&-" for fd in closed)
            done = subprocess.run(["/bin/sh", "-c", script, str(world.program)], env=world.environment(), timeout=30,
                                  input=json.dumps(gate.claude(NEVER)).encode(), capture_output=True, check=False)
            result = gate.Result(done.returncode, done.stdout, done.stderr, 0)
            if 1 in closed:
                gate.expect(result.status == 2, f"{result}")
            else:
                gate.expect(answered(result) == "deny", f"{result}")
    with cases.case("every descriptor open"):
        world.fresh()

        def fill():
            null = os.open("/dev/null", os.O_RDONLY)
            try:
                while True:
                    os.set_inheritable(os.dup(null), True)
            except OSError:
                pass
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        try:
            both(world, fill, close_fds=False)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    with cases.case("stdin is a directory"):
        world.fresh()
        folder = os.open("/", os.O_RDONLY)
        done = subprocess.run([str(world.program), "hook", "claude"], env=world.environment(), timeout=30, stdin=folder,
                              capture_output=True, check=False)
        os.close(folder)
        gate.expect(answered(gate.Result(done.returncode, done.stdout, done.stderr, 0)) == "deny", f"{done}")
    with cases.case("stdin is not there to read: write-only"):
        world.fresh()
        with open("/dev/null", "wb") as null:
            done = subprocess.run([str(world.program), "hook", "claude"], env=world.environment(), timeout=30, stdin=null,
                                  capture_output=True, check=False)
        gate.expect(answered(gate.Result(done.returncode, done.stdout, done.stderr, 0)) == "deny", f"{done}")
    with cases.case("stdin is nonblocking, stdout too, and slow"):
        world.fresh()
        for fd_read, fd_write in (os.pipe(),):
            fcntl.fcntl(fd_read, fcntl.F_SETFL, os.O_NONBLOCK)
            process = subprocess.Popen([str(world.program), "hook", "claude"], env=world.environment(), stdin=fd_read,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            payload = json.dumps(gate.claude(FINE)).encode()
            for i in range(0, len(payload), 40):
                os.write(fd_write, payload[i:i + 40])
                time.sleep(0.005)
            os.close(fd_write)
            os.close(fd_read)
            out, err = process.communicate(timeout=30)
            gate.expect(answered(gate.Result(process.returncode, out, err, 0)) == "allow", f"{out} {err}")


def variables(world, cases):
    evil = world.scratch / "evil.so"
    evil.write_bytes(b"\x7fELFnonsense")
    settings = {
        "loader": {"LD_PRELOAD": str(evil), "LD_LIBRARY_PATH": str(world.scratch), "LD_AUDIT": str(evil), "LD_DEBUG": "all",
                   "LD_DEBUG_OUTPUT": str(world.scratch / "debug")},
        "C library": {"GCONV_PATH": str(world.scratch), "LOCPATH": str(world.scratch), "TZ": "/dev/zero",
                      "TZDIR": str(world.scratch), "LC_ALL": "../../etc", "LANG": "x" * 4000, "NLSPATH": "%s%n",
                      "MALLOC_ARENA_MAX": "0", "GLIBC_TUNABLES": "glibc.malloc.check=3:glibc.malloc.tcache_count=-1",
                      "MALLOC_PERTURB_": "165", "HOSTALIASES": "/etc/shadow", "RES_OPTIONS": "debug"},
        "no PATH": {"PATH": ""},
        "PATH of this directory": {"PATH": "."},
        "PATH without end": {"PATH": ":".join(["/nowhere"] * 8000)},
        "a variable of a mebibyte": {f"X{i}": "y" * 120000 for i in range(8)},
        "many variables": {f"VARIABLE_{i}": "z" for i in range(3000)},
        "strange names": {"": "a", "A B": "c", "AUTO_CLASSIFIER_": "x", "AUTO_CLASSIFIER_\n": "y", "\udcff": "\udcfe"},
        "home in proc": {"HOME": "/proc/self/root", "XDG_RUNTIME_DIR": "/proc/self/cwd", "XDG_STATE_HOME": "/dev"},
    }
    for name, more in settings.items():
        with cases.case(f"environment: {name}"):
            world.fresh()
            both(world, env=world.environment(**{k: v for k, v in more.items() if k}), fine=("allow",)
                 # The rules may close on what these change for the commands to come.
                 if not name.startswith(("loader", "C library", "PATH", "no PATH", "strange")) else ("allow", "deny", "ask"))
    with cases.case("environment: more variables than are taken"):
        world.fresh()
        result = start(world, FINE, env=world.environment(**{f"VARIABLE_{i}": "z" for i in range(20000)}))
        gate.expect(answered(result) == "deny" and b"too many" in result.err, f"{result}")
    with cases.case("no environment at all"):
        world.fresh()
        both(world, env={}, fine=("allow",))


def working_directory(world, cases):
    with cases.case("a working directory that was removed"):
        cwd = world.fresh()

        def remove():
            os.chdir(cwd)
            os.rmdir(cwd)
        result = start(world, FINE, remove)
        gate.expect(answered(result) == "allow", f"{result}")
        os.mkdir(cwd)
        gate.expect(answered(start(world, NEVER, remove)) == "deny", "not denied")
    with cases.case("a working directory as deep as none can name"):
        cwd = world.fresh()

        def dive():
            os.chdir(cwd)
            for _ in range(40):
                os.mkdir("d" * 200)
                os.chdir("d" * 200)
        gate.expect(answered(start(world, FINE, dive)) == "allow", "not allowed")
        gate.expect(answered(start(world, NEVER, lambda: os.chdir(cwd))) == "deny", "not denied")
        shutil.rmtree(cwd, ignore_errors=True)


def state_files(world, cases):
    """Places inside the state directory, each taken by something else before the call."""
    def fifo(path):
        os.mkfifo(path, 0o600)

    def directory(path):
        path.mkdir()

    def link(path):
        path.symlink_to(world.home / "victim")

    def second_name(path):
        path.hardlink_to(world.home / "victim")

    def huge(path):
        with open(path, "wb") as file:
            file.truncate(1 << 40)

    def unreadable(path):
        path.write_text("{}", encoding="utf-8")
        path.chmod(0)

    def socket_file(path):
        libc.mknod(os.fsencode(path), 0o140600, 0)

    def deep(path):
        path.write_text("[" * 100000, encoding="utf-8")

    def lying(path):
        path.write_text(json.dumps({"version": 1, "sessionId": "s-1", "recentDenials": [{"count": -1e308}] * 3,
                                    "recentAllows": [{"key": "0" * 64, "reason": "yes", "timestamp": 9e18}],
                                    "totalDenials": 1e400}), encoding="utf-8")

    victim = world.home / "victim"
    for make in (fifo, directory, link, second_name, huge, unreadable, socket_file, deep, lying):
        for which in ("session", ".lock", "missed", ".swept"):
            with cases.case(f"state: {which} is {make.__name__.replace('_', ' ')}"):
                cwd = world.fresh()
                victim.write_text("kept", encoding="utf-8")
                os.chmod(victim, 0o600)
                gate.expect(answered(start(world, OPEN, cwd=cwd)) in ("deny", "ask"), "the first")
                files = [p for p in world.state.iterdir() if p.suffix == ".json"]
                gate.expect(len(files) == 1, f"{files}")
                path = files[0] if which == "session" else world.state / which
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)
                make(path)
                # Where nothing can be counted a denial is the one that a person decides on.
                for command, wanted in ((OPEN, REFUSED), (OPEN, REFUSED), (NEVER, REFUSED), (FINE, ("allow",))):
                    result = start(world, command, cwd=cwd)
                    gate.expect(answered(result) in wanted, f"{command}: {result}")
                gate.expect(victim.read_text(encoding="utf-8") == "kept", "written through")
    with cases.case("a lock that is held"):
        cwd = world.fresh()
        start(world, OPEN, cwd=cwd)
        with open(world.state / ".lock", "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            result = start(world, OPEN, cwd=cwd)
        gate.expect(answered(result) in ("deny", "ask") and result.seconds < 2, f"{result}")


def swap(one, other):
    """A process that lets two names change places without pause."""
    pid = os.fork()
    if pid == 0:
        libc.prctl(1, signal.SIGKILL, 0, 0, 0)
        while True:
            libc.renameat2(-100, os.fsencode(one), -100, os.fsencode(other), 2)
    return pid


def swapped(world, cases):
    """The settings change between the look and the opening."""
    def fifo(path):
        os.mkfifo(path, 0o600)

    def endless(path):
        path.symlink_to("/dev/zero")

    def loose(path):
        path.symlink_to(world.scratch / "loose")

    def directory(path):
        path.mkdir()

    for make in (fifo, endless, loose, directory):
        with cases.case(f"config.jsonc and {make.__name__} change places"):
            cwd = world.fresh()
            evil = world.scratch / "loose"
            evil.write_text('{"rules": {"fastAllow": ["frobnicate"], "fastDeny": []}}', encoding="utf-8")
            os.chmod(evil, 0o666)  # anybody's to write, so nobody's settings
            path = world.config("{}")
            other = path.parent / "other"
            make(other)
            pid = swap(path, other)
            try:
                for command in (OPEN, NEVER) * 25:
                    gate.expect(answered(start(world, command, cwd=cwd)) in REFUSED, command)
            finally:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
    with cases.case("the state directory and a link change places"):
        cwd = world.fresh()
        start(world, OPEN, cwd=cwd)
        elsewhere = world.home / "elsewhere"
        elsewhere.mkdir()
        other = world.state.parent / "other"
        other.symlink_to(elsewhere)
        pid = swap(world.state, other)
        try:
            for i in range(50):
                gate.expect(answered(start(world, f"{OPEN} {i}", cwd=cwd)) in REFUSED, "not refused")
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        gate.expect(not list(elsewhere.iterdir()), f"written through a link: {list(elsewhere.iterdir())}")


def log_files(world, cases):
    def fifo(path):
        os.mkfifo(path, 0o600)

    def second_name(path):
        path.hardlink_to(world.home / "victim")

    def full_device(path):
        path.symlink_to("/dev/full")

    for make in (fifo, second_name, full_device):
        with cases.case(f"log and telemetry: {make.__name__.replace('_', ' ')}"):
            cwd = world.fresh()
            folder = world.config("{}").parent
            victim = world.home / "victim"
            victim.write_text("kept", encoding="utf-8")
            for name in ("auto-classifier.log", "telemetry.jsonl"):
                make(folder / name)
            for command, wanted in ((OPEN, ("deny", "ask")), (FINE, ("allow",))):
                gate.expect(answered(start(world, command, cwd=cwd)) in wanted, command)
            gate.expect(victim.read_text(encoding="utf-8") == "kept", "written through")


def signals(world, cases):
    numbers = [n for n in range(1, 65) if n not in (signal.SIGKILL, signal.SIGSTOP) and not 32 <= n < 34]
    with cases.case("every signal that can be held back, while it waits"):
        world.fresh()
        process = world.start("hook", "claude", "--limit-ms", LIMIT_MS)
        gate.wait_child(process.pid, "worker")
        for number in numbers:
            os.kill(process.pid, number)
        result = gate.finish(process, gate.claude(NEVER), 30)
        gate.expect(answered(result) == "deny", f"{result}")
    with cases.case("stopped and continued"):
        world.fresh()
        process = world.start("hook", "claude", "--limit-ms", LIMIT_MS)
        gate.wait_child(process.pid, "worker")
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(0.2)
        os.kill(process.pid, signal.SIGCONT)
        gate.expect(answered(gate.finish(process, gate.claude(FINE), 30)) == "allow", "no allow")
    with cases.case("everything ignored and blocked by the caller"):
        world.fresh()

        def deafen():
            for number in numbers:
                signal.signal(number, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
        both(world, deafen, fine=("allow",), restore_signals=False)


def arguments(world, cases):
    for name, argv in (("none", []), ("an empty one", [""]), ("another program's name", ["/bin/sh", "hook", "claude"]),
                       ("one of a hundred kibibytes", ["x", "hook", "claude", "y" * 100000]),
                       ("a thousand", ["x", "hook"] + ["claude"] * 1000)):
        with cases.case(f"arguments: {name}"):
            world.fresh()
            done = subprocess.run(argv, executable=str(world.program), env=world.environment(), timeout=30,
                                  input=json.dumps(gate.claude(NEVER)).encode(), capture_output=True, check=False)
            gate.expect(done.returncode in (0, 2, 64), f"{done}")
            gate.expect(b'"allow"' not in done.stdout, f"{done}")


# One classic filter: load the call's number, and for those listed return an error.
def refuse_calls(numbers, error):
    program = [(0x20, 0, 0, 0)]
    for i, number in enumerate(numbers):
        program.append((0x15, len(numbers) - i, 0, number))
    program += [(0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050000 | error)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *line) for line in program))
    head = ctypes.create_string_buffer(struct.pack("<HxxxxxxQ", len(program), ctypes.addressof(code)))
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, head, 0, 0):
        os._exit(99)


ENOSYS, EPERM = 38, 1
KERNELS = {  # numbers of x86-64
    "without Landlock": ((444, 445, 446), ENOSYS, ("allow",)),
    "with Landlock switched off": ((444, 445, 446), 95, ("allow",)),
    "whose Landlock fails": ((446,), EPERM, ("deny",)),
    "without pidfd": ((434, 424), ENOSYS, ("allow",)),
    "that refuses pidfd": ((434, 424), EPERM, ("allow",)),
    "that refuses seccomp": ((317,), EPERM, ("allow", "deny")),
    "that refuses prctl's filters": ((157,), EPERM, ("deny",)),
    "without memory files": ((319,), ENOSYS, ("deny",)),
    "without close_range": ((436,), ENOSYS, ("deny", "allow")),
    "without statx": ((332,), ENOSYS, ("allow", "deny")),
    "without getrandom": ((318,), ENOSYS, ("allow", "deny")),
    "without socketpairs": ((53,), EPERM, ("deny",)),
    "without clone": ((56, 435, 57, 58), EPERM, ("deny",)),
    "without exec": ((322,), ENOSYS, ("allow",)),
    "without capget": ((125, 126), EPERM, ("deny", "allow")),
    "without rlimits": ((302, 160), EPERM, ("deny",)),
}


def kernels(world, cases):
    if os.uname().machine != "x86_64" or SANITIZED:  # a sanitizer's own calls would be refused first
        return
    for name, (numbers, error, fine) in KERNELS.items():
        with cases.case(f"a kernel {name}"):
            world.fresh()
            both(world, lambda n=numbers, e=error: refuse_calls(n, e), fine=fine)
    if os.getuid() == 0:
        for name, prepare in (("root without the power to drop power", lambda: libc.prctl(PR_CAPBSET_DROP, 8, 0, 0, 0)),
                              ("root without any power", lambda: [libc.prctl(PR_CAPBSET_DROP, n, 0, 0, 0) for n in range(64)]),
                              ("root that gains none", lambda: libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))):
            with cases.case(name):
                world.fresh()
                both(world, prepare, fine=("allow",))
                # Its worker starts when the guard has already given up what it had.
                done = subprocess.run([str(world.program), "doctor"], env=world.environment(), timeout=30,
                                      capture_output=True, check=False, preexec_fn=prepare)
                gate.expect(b"worker answer" in done.stdout, f"{done}")
    with cases.case("doctor names a kernel without Landlock"):
        done = subprocess.run([str(world.program), "doctor"], env=world.environment(), timeout=30, capture_output=True,
                              check=False, preexec_fn=lambda: refuse_calls((444, 445, 446), ENOSYS))
        gate.expect(b"Landlock" in done.stdout, f"{done}")


def namespaces(world, cases):
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-m", "true"], capture_output=True, check=False).returncode:
        return
    for name, script, fine in (
            ("without /proc", "mount -t tmpfs none /proc", ("deny",)),
            ("without /dev/null", "mount -t tmpfs none /dev", ("deny",)),
            ("with a /dev/null that is a file", "mount -t tmpfs none /dev && : > /dev/null", ("allow", "deny")),
            ("with everything read-only", f"mount -t tmpfs -o ro none {world.home}", ("allow",)),
            ("with a home that is full", f"mount -t tmpfs -o size=4k,nr_inodes=2 none {world.home}", ("allow",)),
            ("without a passwd", "mount --bind /dev/null /etc/passwd", ("allow", "deny"))):
        with cases.case(f"a namespace {name}"):
            world.fresh()
            for command, wanted in ((FINE, fine), (NEVER, REFUSED), (OPEN, REFUSED)):
                done = subprocess.run([unshare, "-m", "/bin/sh", "-c", f'{script} && exec "$0" hook claude',
                                       str(world.program)], env=world.environment(), timeout=30, capture_output=True,
                                      check=False, input=json.dumps(gate.claude(command)).encode())
                result = gate.Result(done.returncode, done.stdout, done.stderr, 0)
                gate.expect(answered(result) in wanted, f"{command}: {result}")


def unreadable(world, cases):
    """Without root's power a file of mode 0 is one that cannot be read."""
    with cases.case("stdin is never closed"):
        world.fresh()
        process = world.start("hook", "claude", "--limit-ms", 2500)
        process.stdin.write(json.dumps(gate.claude(NEVER)).encode())
        process.stdin.flush()
        began = time.monotonic()
        out = process.stdout.readline()
        gate.expect(b'"deny"' in out and time.monotonic() - began < 2.2, f"{out}")
        process.stdin.close()
        process.wait(30)


def main():
    world = gate.World()
    cases = gate.Cases()
    for part in (limits, descriptors, variables, working_directory, state_files, swapped, log_files, signals, arguments, kernels,
                 namespaces, unreadable):
        if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
            part(world, cases)
    world.close()
    return cases.close()


sys.exit(main())
