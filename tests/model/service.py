# SPDX-License-Identifier: Apache-2.0
"""
netproc as a service, through the real gate and the real service: who may ask what, what happens when it is not there,
is somebody else's, stands still, has enough of a client, or has kept a connection too long.
"""

import contextlib
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

from rig import Rig, Service, TOTAL_MS, gate, expect_allowed, expect_failed
from servers import Server, answering, silent, status

OTHER = 65534
CLIENTS = 40
CLIENT = sys.argv[1] if len(sys.argv) > 1 else str(gate.BUILD / "tests" / "model" / "service-client")
KEY = "k-service-0123456789"


@contextlib.contextmanager
def serving(rig, server, **more):
    service = rig.serve(server, **more)
    try:
        yield service
    finally:
        service.said = service.close()


def client(service, mode, *arguments, uid=None):
    """What a client of our own hears."""
    become = (lambda: os.setuid(uid)) if uid else None
    return subprocess.run([CLIENT, str(service.path), mode, *arguments], stdout=subprocess.PIPE, check=True, timeout=20,
                          preexec_fn=become).stdout.decode().strip()


def log(rig):
    path = rig.world.home / "gate.log"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def answers(rig, jev, talk, plain):
    for name, server in (("decision service over TLS", jev), ("chat service over TLS", talk), ("plain HTTP", plain)):
        for activated in (False, True):
            with rig.cases.case(f"{name}, {'activated' if activated else 'by hand'}"):
                server.reset()
                with serving(rig, server, activated=activated):
                    for _ in range(4):
                        expect_allowed(*rig.ask())
                    server.reset(answering(choice="deny", p=0.97) if server.jev else
                                 answering(content='{"allow": false, "reason": "no"}'))
                    gate.expect(rig.ask()[0].decision == "deny", "a denial became something else")
                    server.reset(status(503, b"{}"))
                    result, row = rig.ask()
                    expect_failed(result, row, "HTTP status 503")
    with rig.cases.case("the models that the endpoint lists"), serving(rig, jev):
        jev.reset()
        result = rig.world.run("models")
        gate.expect(result.out == b"jev-1.13.0\n", result)


def activation(rig, jev):
    with rig.cases.case("systemd's descriptor is another process's"):
        service = rig.serve(jev, activated=True)
        service.close()
        for more in ({"LISTEN_PID": "1", "LISTEN_FDS": "1"}, {"LISTEN_FDS": "1"}, {"LISTEN_PID": "$$", "LISTEN_FDS": "2"}):
            done = subprocess.run(["/bin/sh", "-c", 'LISTEN_PID=$(eval echo "$LISTEN_PID") exec "$@"', "sh",
                                   str(Service.PROGRAM), "--config", str(service.config)],
                                  env={"PATH": "/usr/bin:/bin", **more}, capture_output=True, timeout=20, check=False)
            gate.expect(done.returncode == 1 and b"no socket" in done.stderr, done)
    with rig.cases.case("a descriptor that is no such socket"):
        stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        service = Service(rig, jev, listener=stream)
        gate.expect(b"no listening SOCK_SEQPACKET" in service.process.communicate(timeout=20)[1], "taken")
    with rig.cases.case("it ends when nobody asks, and the next client finds it again"):
        jev.reset()
        with serving(rig, jev, activated=True, idleExitMs=400, warm=1) as service:
            expect_allowed(*rig.ask())
            gate.expect(service.wait(lambda: service.process.poll() is not None), "it stays")
            gate.expect(service.process.returncode == 0, service.process.returncode)
            waiting = threading.Timer(0.3, service.start)  # as systemd does, once somebody has connected
            waiting.start()
            expect_allowed(*rig.ask())
            waiting.join()
    with rig.cases.case("one that made its socket itself stays"):
        with serving(rig, jev, idleExitMs=100) as service:
            time.sleep(0.5)
            gate.expect(service.process.poll() is None, "it has ended")
            expect_allowed(*rig.ask())
        gate.expect(not service.path.exists(), "its socket is left")
    with rig.cases.case("a socket that another left behind is replaced, one in use is not"):
        with serving(rig, jev) as service:
            os.kill(service.process.pid, signal.SIGKILL)
            service.process.communicate()
            gate.expect(service.path.exists(), "no socket is left")
            service.start()
            second = Service(rig, jev)
            second.close()
            done = subprocess.run([str(Service.PROGRAM), "--config", str(second.config), "--socket", str(service.path)],
                                  capture_output=True, timeout=20, check=False)
            gate.expect(done.returncode == 1 and b"in use" in done.stderr, done)
            expect_allowed(*rig.ask())


def process_of(uid, begin, go_on):
    """A process of that user's that has done `begin`, and goes on with what it gave."""
    ready, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setgid(uid)
            os.setuid(uid)
            begun = begin()
            os.write(write, b"!")
            go_on(begun)
        finally:
            os._exit(1)
    os.close(write)
    begun = os.read(ready, 1)
    os.close(ready)
    gate.expect(begun, "it could not begin")
    return pid


def listener_of(uid, path, told):
    """Listens there and keeps what it hears."""
    def listen():
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(str(path))
        listener.listen(8)
        return listener

    def keep(listener):
        while True:
            connection, _ = listener.accept()
            with open(told, "ab") as file:
                file.write(b"[" + connection.recv(65536) + b"]")
            connection.close()
    return process_of(uid, listen, keep)


def identity(rig, jev):
    with rig.cases.case("a service of the user that must be it"):
        jev.reset()
        with serving(rig, jev, uid=OTHER) as service:
            expect_allowed(*rig.ask())
            rig.point(jev, service, uid="nobody")
            expect_allowed(*rig.ask())
            for wrong in ("", "4242", "no-such-user"):
                rig.point(jev, service, uid=wrong)
                jev.reset()
                expect_failed(*rig.ask(), "the service that asks it is not there")
                gate.expect(not jev.requests, jev.requests)
            gate.expect(f"user {OTHER} answers there" in log(rig), log(rig))
            gate.expect("netproc.uid: no such user" in log(rig), log(rig))
    with rig.cases.case("root's is always the right one"), serving(rig, jev) as service:
        jev.reset()
        rig.point(jev, service, uid="4242")
        expect_allowed(*rig.ask())
    with rig.cases.case("somebody else's hears not a byte"):
        service = rig.serve(jev)
        service.close()
        os.chown(service.folder, OTHER, OTHER)
        told = service.folder / "told"
        pid = listener_of(OTHER, service.path, told)
        try:
            expect_failed(*rig.ask(), "the service that asks it is not there")
            time.sleep(0.1)
            gate.expect(not told.exists() or set(told.read_bytes()) <= set(b"[]"), "it was told something")
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def missing(rig, jev):
    service = rig.serve(jev)
    service.close()
    for name, path in (("nothing there", "/nowhere/s"), ("a directory", "/tmp"), ("a file", "/etc/passwd"),
                       ("a path too long", "/tmp/" + "x" * 120)):
        with rig.cases.case(f"{name} where the service should be"):
            rig.point(jev, service, socket=path)
            expect_failed(*rig.ask(), "the service that asks it is not there")
            gate.expect("netproc.socket: " in log(rig), log(rig))
    with rig.cases.case("a service that was killed"):
        with serving(rig, jev) as service:
            gate.expect(service.wait(service.children), "nobody accepts")
            pids = service.children()
            os.kill(service.process.pid, signal.SIGKILL)
            gate.expect(gate.gone(pids), "its processes outlive it")
            expect_failed(*rig.ask(), "the service that asks it is not there")
    with rig.cases.case("a service whose accepting process was killed ends whole"):
        with serving(rig, jev) as service:
            time.sleep(0.3)
            os.kill(min(service.children()), signal.SIGKILL)
            gate.expect(service.wait(lambda: service.process.poll() is not None), "it stays")
            gate.expect(service.process.returncode == 1, service.process.returncode)
            expect_failed(*rig.ask(), "the service that asks it is not there")
        gate.expect("the process that accepts was killed" in service.said, service.said)


def stopped(rig, jev):
    def stop(pids):
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)

    def go_on(pids):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
    with rig.cases.case("a service that stands still"):
        jev.reset()
        with serving(rig, jev) as service:
            pids = [service.process.pid, *service.children()]
            stop(pids)
            expect_failed(*rig.ask(), "did not answer in time")
            go_on(pids)
            expect_allowed(*rig.ask())
    with rig.cases.case("a backlog that is full"):
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        path = rig.world.scratch / "full"
        listener.bind(str(path))
        listener.listen(0)
        held = []
        for _ in range(4):
            held.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK))
            held[-1].connect_ex(str(path))
        rig.point(jev, service, socket=str(path))
        result, row = rig.ask()
        expect_failed(result, row, "did not answer in time")
        listener.close()
    with rig.cases.case("one that accepts and says nothing, and reads nothing of a long request"):
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        path = rig.world.scratch / "mute"
        listener.bind(str(path))
        listener.listen(8)
        rig.point(jev, service, socket=str(path))
        script = rig.world.scratch / "long.sh"
        script.write_text("".join(f"frobnicate --step {i} {'x' * 60}\n" for i in range(900)), encoding="ascii")
        expect_failed(*rig.ask(f"bash {script}"), "did not answer in time")
        listener.close()
    with rig.cases.case("a server that is slow"), serving(rig, jev):
        jev.reset(silent(3))
        expect_failed(*rig.ask(), "did not answer in time")
    with rig.cases.case("a server that is not there"):
        gone = Server(jev=True, key=KEY)
        gone.server_close()
        with serving(rig, gone):
            expect_failed(*rig.ask(), "cannot be reached")


def restricted(rig, jev, talk):
    thief = Server(jev=True)
    for server, mode in ((jev, "hostile-jev"), (talk, "hostile-chat")):
        with rig.cases.case(f"{mode}: nothing of where and how is the client's to say"):
            server.reset()
            with serving(rig, server, settings={"llm": {"instructionsAppend": "ours"}, "jev": {"model": "m-1"}}) as service:
                heard = client(service, mode, thief.url)
                gate.expect(heard.startswith("reply 200"), heard)
                path, headers, body = server.requests[-1]
                gate.expect(headers["Authorization"] == "Bearer " + KEY, headers)
                gate.expect(body["model"] == "m-1", body["model"])
                gate.expect("poem" not in str(body) and "root:" not in str(body), body)
                gate.expect(body.get("max_tokens", 120) == 120 and not body.get("stream"), body)
                gate.expect(not thief.requests and KEY not in heard, thief.requests)
    with rig.cases.case("what is no request ends the connection, and the next is answered"), serving(rig, jev) as service:
        jev.reset()
        for mode in ("key", "garbage", "raw"):
            gate.expect(client(service, mode) == "closed", mode)
            gate.expect(client(service, "jev").startswith("reply 200"), mode)
        gate.expect(len(jev.requests) == 3, jev.requests)
    with rig.cases.case("the other judge's requests are not for this service"), serving(rig, jev) as service:
        gate.expect("another kind of judge" in client(service, "chat"), "asked all the same")
        rig.world.config({"llm": {"provider": "chat", "totalTimeoutMs": TOTAL_MS}, "netproc": service.settings()})
        expect_failed(*rig.ask(), "another kind of judge")
    with rig.cases.case("a client that says nothing is let go, and holds nobody up"), serving(rig, jev) as service:
        jev.reset()
        quiet = [threading.Thread(target=client, args=(service, "silent")) for _ in range(20)]
        for thread in quiet:
            thread.start()
        time.sleep(0.3)
        expect_allowed(*rig.ask())
        began = time.monotonic()
        for thread in quiet:
            thread.join()
        gate.expect(time.monotonic() - began < 6, "they were kept")


def bounds(rig, jev):
    with rig.cases.case("a flood is refused, and only that user's"), serving(rig, jev, perMinute=6) as service:
        jev.reset()
        heard = [client(service, "jev", uid=OTHER) for _ in range(12)]
        gate.expect(sum(h.startswith("reply 200") for h in heard) == 6, heard)
        gate.expect(sum("too many requests" in h for h in heard) == 6, heard)
        gate.expect(len(jev.requests) == 6, len(jev.requests))
        expect_allowed(*rig.ask())
    with rig.cases.case("the gate says so"), serving(rig, jev, perMinute=1):
        jev.reset()
        expect_allowed(*rig.ask())
        expect_failed(*rig.ask(), "too many requests")
    with rig.cases.case(f"{CLIENTS} at a time"), serving(rig, jev, perUid=8) as service:
        at_once, most, lock = [0], [0], threading.Lock()

        def counted(handler, body):
            with lock:
                at_once[0] += 1
                most[0] = max(most[0], at_once[0])
            time.sleep(0.05)
            with lock:
                at_once[0] -= 1
            answering()(handler, body)
        jev.reset(counted)
        heard = []
        threads = [threading.Thread(target=lambda: heard.append(client(service, "jev"))) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        gate.expect(len(heard) == CLIENTS and all(h.startswith("reply 200") for h in heard), heard)
        gate.expect(1 < most[0] <= 8, most)


def hold(uid, path, n):
    """Holds so many connections and says nothing on any."""
    def connect():
        held = [socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(n)]
        for connection in held:
            connection.connect(str(path))
        return held
    return process_of(uid, connect, lambda _: signal.pause())


def shared_out(rig, jev):
    with rig.cases.case("users who hold every place keep nobody out"), serving(rig, jev) as service:
        jev.reset()
        pids = [hold(OTHER - i, service.path, 60) for i in range(3)]
        try:
            result, row = rig.ask()
            expect_allowed(result, row)
            gate.expect(result.seconds < 1.5, f"took {result.seconds} s")
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
    with rig.cases.case("where nothing is left to accept with it waits, and goes on"), serving(rig, jev, warm=0) as service:
        jev.reset()
        gate.expect(client(service, "jev").startswith("reply 200"), "not ready")
        gate.expect(service.wait(lambda: len(service.children()) == 1), service.children())
        acceptor = service.children()[0]
        limits = resource.prlimit(acceptor, resource.RLIMIT_NOFILE)
        used = max(int(fd) for fd in os.listdir(f"/proc/{acceptor}/fd")) + 1
        resource.prlimit(acceptor, resource.RLIMIT_NOFILE, (used, limits[1]))
        heard = []
        waiting = threading.Thread(target=lambda: heard.append(client(service, "jev")))
        waiting.start()
        time.sleep(0.5)
        gate.expect(not heard and service.children() == [acceptor], (heard, service.children()))
        resource.prlimit(acceptor, resource.RLIMIT_NOFILE, limits)
        waiting.join()
        gate.expect(heard[0].startswith("reply 200"), heard)


def kept_connections(rig, jev):
    """Servers close what lies idle: the gate must not notice."""
    def drop(server):
        for connection in server.held:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        server.held.clear()
    for tls in (True, False):
        server = Server(jev=True, key=KEY, tls=rig.authority.issue("localhost") if tls else None)
        server.held = []
        accept = server.get_request

        def hold(accept=accept, server=server):
            connection, address = accept()
            server.held.append(connection)
            return connection, address
        server.get_request = hold
        with rig.cases.case(f"kept connections are made ahead ({'TLS' if tls else 'plain'})"):
            with serving(rig, server, warm=3) as service:
                gate.expect(service.wait(lambda: len(server.held) == 3), len(server.held))
                gate.expect(not server.requests, server.requests)
                expect_allowed(*rig.ask())
                gate.expect(service.wait(lambda: len(server.held) == 4), "it was not replaced")
        with rig.cases.case(f"one that the server has closed is not used ({'TLS' if tls else 'plain'})"):
            server.held.clear()
            with serving(rig, server, warm=2) as service:
                gate.expect(service.wait(lambda: len(server.held) == 2), len(server.held))
                time.sleep(0.2)
                drop(server)
                time.sleep(0.2)
                expect_allowed(*rig.ask())
        with rig.cases.case(f"one that the server closes at the request is asked for anew ({'TLS' if tls else 'plain'})"):
            with serving(rig, server, warm=2):
                time.sleep(0.4)

                def hang_up(handler, _):
                    handler.close_connection = True
                    handler.connection.shutdown(socket.SHUT_RDWR)
                server.reset(None, hang_up)
                expect_allowed(*rig.ask())
                gate.expect(len(server.requests) == 2, server.requests)
                server.reset(hang_up)
                result, row = rig.ask()
                expect_failed(result, row, "its connection was closed")


def chaos(rig, jev, rounds):
    """A judge that never allows, and processes of the service that are killed, stopped or ended at any moment."""
    seed = random.randrange(1 << 32)
    dice = random.Random(seed)
    jev.reset(answering(choice="deny", p=0.97))
    with serving(rig, jev, perMinute=100000) as service:
        for i in range(rounds):
            with rig.cases.case(f"chaos {i} of seed {seed}"):
                if service.process.poll() is not None:
                    service.start()
                rig.n += 1
                process = rig.world.start("hook", "claude")
                kind, stopped_pids = dice.choice((signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM)), []

                def strike(kind=kind, stopped_pids=stopped_pids):
                    pid = dice.choice([service.process.pid, *service.children()])
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, kind)
                        stopped_pids.append(pid)
                timer = threading.Timer(dice.random() * 0.04, strike)
                timer.start()
                result = gate.finish(process, gate.claude(f"frobnicate {rig.n}", session=f"chaos-{seed}-{i}"))
                timer.join()
                for pid in stopped_pids:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGCONT)
                gate.expect(result.decision == "deny" and rig.row()["source"] in ("llm", "error"), result)
                gate.expect(result.seconds < TOTAL_MS / 1000 + 2, result)


def refused_starts(rig, jev):
    service = rig.serve(jev)
    service.close()

    def starts(why, change):
        with rig.cases.case(f"it does not start: {why}"):
            service.write(rig, {}, {})
            change()
            done = subprocess.run([str(Service.PROGRAM), "--config", str(service.config), "--socket", str(service.path)],
                                  capture_output=True, timeout=20, check=False)
            gate.expect(done.returncode == 1 and why.encode() in done.stderr, done)
            gate.expect(KEY.encode() not in done.stdout + done.stderr, done)
    starts("may be written by others", lambda: service.config.chmod(0o666))
    starts("belongs to another user", lambda: os.chown(service.config, OTHER, OTHER))
    starts("Address already in use", lambda: service.path.write_text("somebody's", encoding="ascii"))
    elsewhere = service.folder / "elsewhere"
    service.path.rename(elsewhere)
    starts("Address already in use", lambda: service.path.symlink_to(elsewhere))
    with rig.cases.case("what is no socket is left where it is"):
        gate.expect(service.path.is_symlink() and elsewhere.read_text(encoding="ascii") == "somebody's", service.path)
        service.path.unlink()
    starts("holds a key and may be read by others", lambda: (service.folder / "key").chmod(0o444))
    starts("belongs to another user", lambda: os.chown(service.folder / "key", OTHER, OTHER))
    starts("No such file", (service.folder / "key").unlink)
    starts("No such file", service.config.unlink)
    starts("is no regular file", lambda: (service.config.unlink(), service.config.mkdir()))
    service.config.rmdir()

    def say(text, mode=0o600):
        return lambda: (service.config.write_text(text, encoding="utf-8"), service.config.chmod(mode))
    starts("syntax error", say("{"))
    starts("no provider", say('{"llm": {"provider": "offline"}}'))
    starts("from a variable", say('{"jev": {"apiKey": "env:KEY"}}'))
    starts("holds a key and may be read by others", say('{"jev": {"apiKey": "%s"}}' % KEY, 0o644))
    starts("must be", say('{"netproc": {"warm": "many"}}'))
    with rig.cases.case("a command line that it does not know"):
        for arguments in (["--config"], ["--socket", "/tmp/x"], ["--config", "/x", "more"], ["--verbose", "yes"]):
            done = subprocess.run([str(Service.PROGRAM), *arguments], capture_output=True, timeout=20, check=False)
            gate.expect(done.returncode == 64 and b"usage" in done.stderr, done)


def main():
    if os.geteuid() != 0:
        gate.skip("only root can be two users")
    rig = Rig()
    jev = Server(jev=True, key=KEY, tls=rig.authority.issue("localhost"))
    talk = Server(jev=False, key=KEY, tls=rig.authority.issue("localhost"))
    answers(rig, jev, talk, Server(jev=True, key=KEY))
    activation(rig, jev)
    identity(rig, jev)
    missing(rig, jev)
    stopped(rig, jev)
    restricted(rig, jev, talk)
    bounds(rig, jev)
    shared_out(rig, jev)
    kept_connections(rig, jev)
    chaos(rig, jev, int(sys.argv[2]) if len(sys.argv) > 2 else 25)
    refused_starts(rig, jev)
    return rig.close()


if __name__ == "__main__":
    sys.exit(main())
