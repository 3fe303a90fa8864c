# SPDX-License-Identifier: Apache-2.0
"""
llm.proxy, for a netproc that is started and for one that is a service: the proxy is asked, carries TLS it cannot look
into, and whatever it does instead is a judge that failed. Variables that name a proxy count for nothing.
"""

import select
import socket
import socketserver
import sys
import threading

from rig import Rig, Service, TOTAL_MS, gate, expect_allowed, expect_failed
from servers import Server

KEY = "k-proxy-0123456789"


def splice(one, other):
    """Bytes either way, until one end has had enough; what has passed, whole."""
    passed, ends = b"", (one, other)
    while True:
        for end in select.select(ends, [], [], 10)[0] or ends:
            data = end.recv(65536)
            if not data:
                return passed
            passed += data
            ends[end is one].sendall(data)


class Proxy(socketserver.ThreadingTCPServer):
    """Carries CONNECT, and plain requests to loopback; `answer` instead of that, where it is set."""

    daemon_threads, allow_reuse_address = True, True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), None)
        self.heads, self.passed, self.answer = [], [], None
        self.url = f"http://localhost:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def finish_request(self, request, client_address):
        head = b""
        while b"\r\n\r\n" not in head:
            data = request.recv(65536)
            if not data:
                return
            head += data
        self.heads.append(head.split(b"\r\n\r\n")[0].decode())
        method, target, _ = head.split(b" ", 2)
        if self.answer is not None:
            request.sendall(self.answer)
            return
        place = target if method == b"CONNECT" else target.split(b"/")[2]
        with socket.create_connection(("127.0.0.1", int(place.rpartition(b":")[2]))) as other:
            if method == b"CONNECT":
                request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                other.sendall(head.replace(b"http://" + place, b"", 1))
            self.passed.append(splice(request, other))

    def handle_error(self, request, client_address):
        pass

    def reset(self, answer=None):
        self.heads.clear()
        self.passed.clear()
        self.answer = answer


FAILURES = {
    "refuses": b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n",
    "wants to know who asks": b"HTTP/1.1 407 Proxy Authentication Required\r\n"
                              b"Proxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n",
    "sends elsewhere": b"HTTP/1.1 302 Found\r\nLocation: http://localhost:1/\r\nContent-Length: 0\r\n\r\n",
    "says nothing": b"",
    "does not speak HTTP": b"hello\r\n\r\n",
    "answers in the judge's place": b"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
}


def carried(rig, proxy, tls, plain, configure, how):
    for server in (tls, plain):
        with rig.cases.case(f"{how}: {server.scheme} through it"):
            proxy.reset()
            server.reset()
            done = configure(server)
            expect_allowed(*rig.ask())
            gate.expect(server.requests and proxy.heads, (server.requests, proxy.heads))
            port = server.server_address[1]
            if server is tls:
                gate.expect(all(head.startswith(f"CONNECT localhost:{port} ") for head in proxy.heads), proxy.heads)
                gate.expect(KEY not in "".join(proxy.heads), "the proxy was told the key")
                gate.expect(not any(b"frobnicate" in data for data in proxy.passed), "it could look into it")
            else:
                gate.expect(f" http://localhost:{port}/v1/systemone " in proxy.heads[-1], proxy.heads)
            done()
    for name, answer in FAILURES.items():
        with rig.cases.case(f"{how}: it {name}"):
            proxy.reset(answer)
            tls.reset()
            done = configure(tls)
            expect_failed(*rig.ask(), "the judge failed: ")
            gate.expect(not tls.requests, tls.requests)
            done()
    proxy.reset()


def main():
    rig = Rig()
    proxy = Proxy()
    tls = Server(jev=True, key=KEY, tls=rig.authority.issue("localhost"))
    plain = Server(jev=True, key=KEY)

    def started(server):
        rig.configure(server, llm={"proxy": proxy.url})
        return lambda: None

    def served(server):
        service = Service(rig, server, settings={"llm": {"proxy": proxy.url}}, warm=1)
        rig.point(server, service)
        return service.close
    carried(rig, proxy, tls, plain, started, "started")
    carried(rig, proxy, tls, plain, served, "a service")
    with rig.cases.case("variables name none"):
        tls.reset()
        rig.configure(tls)
        expect_allowed(*rig.ask(env={name: proxy.url for name in ("https_proxy", "HTTPS_PROXY", "ALL_PROXY", "http_proxy")}))
        gate.expect(not proxy.heads, proxy.heads)
    for name, url in (("https", "https://localhost:1"), ("a path", proxy.url + "/x"), ("a user", "http://a:b@localhost:1"),
                      ("no scheme that is known", "socks5://localhost:1")):
        with rig.cases.case(f"a proxy with {name} is none"):
            rig.configure(tls, llm={"proxy": url})
            result, row = rig.ask()
            gate.expect(result.decision == "deny" and row["source"] == "error", (result, row))
    with rig.cases.case("a proxy that is not there"):
        proxy.server_close()
        proxy.shutdown()
        rig.configure(tls, llm={"proxy": "http://127.0.0.1:1", "totalTimeoutMs": TOTAL_MS})
        expect_failed(*rig.ask(), "cannot be reached")
    return rig.close()


if __name__ == "__main__":
    sys.exit(main())
