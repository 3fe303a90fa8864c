# SPDX-License-Identifier: Apache-2.0
"""A decision service over TLS on this machine that knows its own time (tests/model must be among the module paths)."""

import time

import servers


class TimedHandler(servers.Handler):
    """Knows how long it took from the whole head of a request to the last byte of the answer."""

    def do_POST(self):
        began = time.monotonic()
        super().do_POST()
        self.server.took.append((time.monotonic() - began) * 1000)


def server(authority):
    made = servers.Server(jev=True, key="k-bench", tls=authority.issue("localhost"))
    made.RequestHandlerClass, made.took = TimedHandler, []
    return made
