# SPDX-License-Identifier: Apache-2.0
"""A decision service over TLS on this machine that knows its own time (tests/model must be among the module paths)."""

import pathlib
import time

import servers

SYSTEM_CA = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")


class TimedHandler(servers.Handler):
    """Knows how long it took from the whole head of a request to the last byte of the answer."""

    def do_POST(self):
        began = time.monotonic()
        super().do_POST()
        self.server.took.append((time.monotonic() - began) * 1000)


def trusted(authority, folder):
    """What a user's caller trusts: all that the system does, and in this run its authority."""
    bundle = pathlib.Path(folder) / "bundle.pem"
    system = SYSTEM_CA.read_bytes() if SYSTEM_CA.exists() else b""
    bundle.write_bytes(system + pathlib.Path(authority.ca).read_bytes())
    return str(bundle)


def server(authority):
    made = servers.Server(jev=True, key="k-bench", tls=authority.issue("localhost"))
    made.RequestHandlerClass, made.took = TimedHandler, []
    return made
