# SPDX-License-Identifier: Apache-2.0
"""By which name a service's operators find a call: in its telemetry row, in the log where it failed, and told to nobody else."""

import sys

from rig import Rig, gate, expect_allowed, expect_failed
from servers import Server, jev_answers, status

KEY = "k-request-0123456789"
NAME = "X-Typesafe-Request-Id"


def named(*headers):
    """A true answer under these headers."""
    def answer(handler, body):
        handler.reply(200, jev_answers(body), headers)
    return answer


CASES = (
    ("there is none", (), None),
    ("the service's", ((NAME, "req-1a2b"),), "req-1a2b"),
    ("however it is spelled", ((NAME.lower(), "  req-3c \t"),), "req-3c"),
    ("one of a gateway's", (("X-Request-Id", "gw-5"),), "gw-5"),
    ("the service's before a gateway's", (("X-Request-Id", "gw-5"), (NAME, "req-6")), "req-6"),
    ("in whichever order", ((NAME, "req-6"), ("X-Request-Id", "gw-5")), "req-6"),
    ("as long as one may be", ((NAME, "r" * 127),), "r" * 127),
    ("longer is none", ((NAME, "r" * 128),), None),
    ("one line, whatever is in it", ((NAME, "a\u009bb\u00e9"),), "a\\x9bb\\xe9"),
    ("not the key", ((NAME, "id of " + KEY + "!"),), "id of " + "*" * len(KEY) + "!"),
)


def main():
    rig = Rig()
    server = Server(jev=True, key=KEY, tls=rig.authority.issue("localhost"))

    def log():
        return (rig.world.home / "gate.log").read_text(encoding="utf-8").splitlines()

    for mode in ("spawned", "service"):
        service = rig.serve(server) if mode == "service" else rig.configure(server)
        for name, headers, wanted in CASES:
            with rig.cases.case(f"{mode}: {name}"):
                server.reset(named(*headers))
                result, row = rig.ask()
                expect_allowed(result, row)
                gate.expect(row["request_id"] == wanted, row)
                gate.expect(wanted is None or wanted not in result.verdict()[1], result)
        with rig.cases.case(f"{mode}: of a call that failed"):
            server.reset(status(422, {"detail": "no"}, [(NAME, "req-7")]))
            result, row = rig.ask()
            expect_failed(result, row, "HTTP status 422")
            gate.expect(row["request_id"] == "req-7" and "req-7" not in result.verdict()[1], (row, result))
            gate.expect(log()[-1].endswith("HTTP status 422, it is an error: no; request req-7"), log()[-1])
        with rig.cases.case(f"{mode}: of the last of several"):
            server.reset(named((NAME, "req-9")), status(503, {}, [(NAME, "req-8")]))
            result, row = rig.ask()
            expect_allowed(result, row)
            gate.expect(row["request_id"] == "req-9" and row["usage"]["calls"] == 2, row)
        if service is not None:
            service.close()
    return rig.close()


if __name__ == "__main__":
    sys.exit(main())
