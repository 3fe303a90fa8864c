# SPDX-License-Identifier: Apache-2.0
"""
The service's processes looked at from outside while they work: what each has open, is confined to and holds. The key is
in those alone that ask, whatever the judge does, and in nothing that the gate or the service says or writes.
"""

import os
import pathlib
import random
import sys
import threading
import time

from keys import readable_memory
from rig import Rig, Service, gate
from servers import Server, raw, silent, status

CANARY = "sk-canary-" + "".join(random.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(40))
OTHER = 65534
WARM = 2


def started(pid):
    text = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    return int(text[text.rindex(")") + 2:].split()[19])


def roles(service):
    """The accepting process was started first, those that ask after it."""
    pids = sorted(service.children(), key=lambda pid: (started(pid), pid))
    return pids[0], pids[1:]


def open_files(pid):
    folder = pathlib.Path(f"/proc/{pid}/fd")
    return {int(fd.name): os.readlink(fd).split(":")[0] for fd in folder.iterdir()}


def fields(pid):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return {name: value.split() for name, _, value in (line.partition(":") for line in lines)}


def listeners():
    """Inode numbers of listening sockets (proc(5): the flag of 00010000)."""
    lines = pathlib.Path("/proc/net/unix").read_text(encoding="ascii").splitlines()[1:]
    return {line.split()[6] for line in lines if line.split()[3] == "00010000"}


def socket_numbers(pid):
    folder = pathlib.Path(f"/proc/{pid}/fd")
    links = (os.readlink(fd) for fd in folder.iterdir())
    return {link[8:-1] for link in links if link.startswith("socket:[")}


def is_ready(pid):
    """Its key has been read: the last thing before it waits."""
    return any(CANARY.encode() in block for block in readable_memory(pid))


def ready(service):
    gate.expect(service.wait(lambda: len(service.children()) == 1 + WARM and all(map(is_ready, roles(service)[1]))),
                "no processes that are ready")
    return roles(service)


def looks(rig, server, **more):
    service = rig.serve(server, warm=WARM, **more)
    first = service.process.pid
    acceptor, asking = ready(service)
    null = {0: "/dev/null", 1: "/dev/null", 2: "/dev/null"}
    if "GATE_TRAP" in os.environ:
        null.pop(2)
    literal = "settings" in more
    with rig.cases.case("what the first process has open"):
        held = sorted(kind for fd, kind in open_files(first).items() if fd > 2)
        gate.expect(held == sorted(["/dev/null", "anon_inode", "socket"] + [str(service.config)] * literal), held)
        gate.expect(not socket_numbers(first) & listeners(), "it could accept")
    with rig.cases.case("what the accepting process has open"):
        held = open_files(acceptor)
        gate.expect(null.items() <= held.items() and {kind for fd, kind in held.items() if fd > 2} == {"socket"}, held)
        gate.expect(len(held) == 5 + WARM, held)
        gate.expect(len(socket_numbers(acceptor) & listeners()) == 1, "it listens to nothing")
    with rig.cases.case("what one that asks has open"):
        for pid in asking:
            held = open_files(pid)
            gate.expect({kind for fd, kind in held.items() if fd > 2} == {"socket"} and len(held) < 16, held)
            gate.expect(not socket_numbers(pid) & listeners(), "it could accept")
    with rig.cases.case("how they are confined"):
        for pid in (acceptor, *asking):
            state = fields(pid)
            gate.expect(state["NoNewPrivs"] == ["1"] and state["Seccomp"] == ["2"], state)
            gate.expect(all(int(state[name][0], 16) == 0 for name in ("CapPrm", "CapEff", "CapInh", "CapAmb")), state)
        gate.expect(fields(first)["NoNewPrivs"] == ["1"], "the first could gain privileges")
    with rig.cases.case("nobody of their user may look into them"):
        for pid in (first, acceptor, *asking):
            gate.expect(os.stat(f"/proc/{pid}/mem").st_uid == 0, pid)
    with rig.cases.case("the environment that it was started with is gone"):
        for pid in (first, acceptor, *asking):
            gate.expect(b"not-for-a-service" not in pathlib.Path(f"/proc/{pid}/environ").read_bytes(), pid)
            gate.expect(not any(b"not-for-a-service" in block for block in readable_memory(pid)), pid)
    with rig.cases.case("the key is in those alone that ask"):
        for pid in (first, acceptor):
            gate.expect(not any(CANARY.encode() in block for block in readable_memory(pid)), pid)
        gate.expect(all(map(is_ready, asking)), "the search is blind")
    gate.expect(service.close() == "", "it had something to say")


def credentials(rig, server):
    with rig.cases.case("a key from systemd's credentials"):
        service = Service(rig, Server(jev=True))  # writes no key
        service.close()
        service.server = server
        service.write(rig, {"jev": {"apiKeyFile": ""}}, {"warm": WARM})
        folder = service.folder / "credentials"
        folder.mkdir(mode=0o700)
        (folder / "api-key").write_text(CANARY, encoding="ascii")
        service.start(CREDENTIALS_DIRECTORY=str(folder))
        rig.point(server, service)
        ready(service)
        server.reset()
        gate.expect(rig.ask()[0].decision == "allow", "no key")
        service.close()


def everywhere(rig, server):
    """Scans the gate's processes and the service's while each kind of answer is under way."""
    echo = (lambda handler, body: handler.reply(400, {"error": {"message": "bad key " + CANARY}}))

    def slow(answer):
        def slowly(handler, body):
            time.sleep(0.4)
            answer(handler, body)
        return slowly
    service = rig.serve(server, uid=OTHER, warm=WARM)
    needle, allow = CANARY.encode(), server.answer
    for name, answer in (("allow", allow), ("an error that repeats the key", echo), ("401", status(401, b"no")),
                         ("torn", raw(b"HTTP/1.1 200 OK\r\n")), ("silence", silent(3)), ("redirect", status(302))):
        with rig.cases.case(f"canary: {name}"):
            acceptor, _ = ready(service)
            server.reset(slow(answer))
            rig.n += 1
            process = rig.world.start("hook", "claude")
            found, seen, stop = set(), set(), threading.Event()

            def look(process=process, found=found, seen=seen, stop=stop, acceptor=acceptor):
                time.sleep(0.05)
                while not stop.is_set():
                    mine = [process.pid, *gate.children(process.pid)]
                    for pid in (*mine, service.process.pid, acceptor):
                        try:
                            if any(needle in block for block in readable_memory(pid)):
                                found.add(pid)
                            seen.add(pid)
                        except OSError:
                            continue
                    time.sleep(0.02)
            watcher = threading.Thread(target=look)
            watcher.start()
            result = gate.finish(process, gate.claude(f"frobnicate {rig.n}", session=f"c-{rig.n}"))
            stop.set()
            watcher.join()
            gate.expect(not found and {process.pid, acceptor} < seen, (found, seen))
            gate.expect(needle not in result.out + result.err, result)
            for path in rig.world.home.rglob("*"):
                gate.expect(not path.is_file() or needle not in path.read_bytes(), path)
    gate.expect(CANARY not in service.close(), "it printed the key")


def main():
    if os.geteuid() != 0:
        gate.skip("only root may look into undumpable processes")
    rig = Rig()
    server = Server(jev=True, key=CANARY, tls=rig.authority.issue("localhost"))
    looks(rig, server)
    looks(rig, server, settings={"jev": {"apiKey": CANARY, "apiKeyFile": ""}})
    credentials(rig, server)
    everywhere(rig, server)
    return rig.close()


if __name__ == "__main__":
    sys.exit(main())
