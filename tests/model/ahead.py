# SPDX-License-Identifier: Apache-2.0
"""
A netproc that is on its way before there is anything to ask: nobody is called where nobody will be asked, a connection
that is not needed says nothing and ends, a server that breaks off before it was asked has allowed nothing; and of a
name's addresses those are tried that may be.
"""

import fcntl
import socket
import sys
import time

from rig import Rig, gate, expect_allowed, expect_denied, expect_failed
from servers import Server, answering


class Counting(Server):
    """Knows its connections, and may treat the next ones badly before it has heard a word."""

    def __init__(self, *arguments, **more):
        self.connections, self.ended, self.rude = 0, 0, None
        super().__init__(*arguments, **more)

    def get_request(self):
        accepted = super().get_request()
        self.connections += 1
        return accepted

    def process_request_thread(self, request, client_address):
        try:
            if self.rude is not None:
                self.rude(request)
            else:
                super().process_request_thread(request, client_address)
        except OSError:
            pass
        finally:
            self.ended += 1

    def reset(self, *arguments):
        self.connections, self.ended = 0, 0
        super().reset(*arguments)

    def settled(self):
        """(connections, requests), once every connection has come to its end."""
        until = time.monotonic() + 5
        while self.ended < self.connections and time.monotonic() < until:
            time.sleep(0.01)
        gate.expect(self.ended == self.connections, f"{self.connections - self.ended} connections still stand")
        return self.connections, len(self.requests)


def called(rig, server):
    """Once for each question, and not for what is known."""
    with rig.cases.case(f"{server.scheme}: one connection for one question"):
        server.reset()
        expect_allowed(*rig.ask("frobnicate --one", session=server.scheme))
        gate.expect(server.settled() == (1, 1), server.settled())
    with rig.cases.case(f"{server.scheme}: none for what was allowed"):
        server.reset()
        expect_allowed(*rig.ask("frobnicate --one", session=server.scheme), source="cache")
        gate.expect(server.settled() == (0, 0), server.settled())
    with rig.cases.case(f"{server.scheme}: none while a denial stands"):
        server.reset(answering(choice="deny"))
        expect_denied(*rig.ask("frobnicate --bad", session=server.scheme))
        gate.expect(rig.ask("frobnicate --bad", session=server.scheme)[1]["source"] == "retry", "asked again")
        gate.expect(server.settled() == (1, 1), server.settled())
    with rig.cases.case(f"{server.scheme}: none once the judge has denied enough"):
        rig.configure(server, policy={"judgeDenialsPerWindow": 1})
        server.reset(answering(choice="deny"))
        expect_denied(*rig.ask("frobnicate --worse", session="full " + server.scheme))
        result, _ = rig.ask("frobnicate --others", session="full " + server.scheme)
        gate.expect(result.decision in ("deny", "ask") and server.settled() == (1, 1), (result, server.settled()))
        rig.configure(server)
    with rig.cases.case(f"{server.scheme}: none for what the rules decide"):
        server.reset()
        rig.ask("ls -la", session=server.scheme)
        rig.ask("rm -rf /", session=server.scheme)
        gate.expect(server.settled() == (0, 0), server.settled())


def unneeded(rig, server):
    """The session's state is locked, so that what netproc set out for does not happen."""
    with rig.cases.case(f"{server.scheme}: one that is not needed hangs up without a word"):
        server.reset()
        with (rig.world.state / ".lock").open("r+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            result, row = rig.ask(session="locked")
        gate.expect(result.decision == "ask" and row["source"] == "error", (result, row))
        connections, requests = server.settled()
        gate.expect(connections <= 1 and requests == 0, (connections, requests))


def broken_off(rig, server):
    def close(connection):
        if server.scheme == "https":
            connection.do_handshake()
        connection.shutdown(socket.SHUT_RDWR)
        connection.close()

    def silent(connection):
        connection.settimeout(10)
        if server.scheme == "http":
            while connection.recv(65536):
                pass
        else:
            while socket.socket.recv(connection, 65536):
                pass

    for name, rude, why in (("ends the connection before it is asked", close, "broke off or is not HTTP"),
                            ("says nothing at all", silent, "did not answer in time")):
        with rig.cases.case(f"{server.scheme}: a server that {name}"):
            server.reset()
            server.rude = rude
            result, row = rig.ask()
            server.rude = None
            expect_failed(result, row, why)
            gate.expect(server.settled()[1] == 0, server.requests)


def addresses(rig, server):
    """A name of several addresses: each is tried, in the resolver's order, but none off this machine."""
    hosts = rig.world.scratch / "hosts"
    hosts.write_text("", encoding="ascii")
    gate.bind(hosts, "/etc/hosts")
    for name, listed, why in (("the first that answers", ("127.0.0.3", "127.0.0.2", "127.0.0.1"), None),
                              ("none that is elsewhere", ("192.0.2.1", "127.0.0.1"), None),
                              ("none answers", ("127.0.0.3", "127.0.0.2"), "cannot be reached"),
                              ("all are elsewhere", ("192.0.2.1", "192.0.2.2"), "cannot be reached")):
        with rig.cases.case(f"{server.scheme}: several addresses: {name}"):
            hosts.write_text("".join(f"{address} localhost\n" for address in listed), encoding="ascii")
            server.reset()
            result, row = rig.ask()
            if why:
                expect_failed(result, row, why)
            else:
                expect_allowed(result, row)
            gate.expect(server.settled() == ((0, 0) if why else (1, 1)), server.settled())


def main():
    rig = Rig()
    for tls in (None, rig.authority.issue("localhost")):
        server = Counting(jev=True, key="k-ahead", tls=tls)
        rig.configure(server)
        for part in (called, unneeded, broken_off):
            part(rig, server)
    addresses(rig, server)
    return rig.close()


if __name__ == "__main__":
    sys.exit(main())
