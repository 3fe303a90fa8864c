# SPDX-License-Identifier: Apache-2.0
"""The built gate in a home of its own, set up to ask the servers of this folder."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))

import gate  # noqa: E402
import servers  # noqa: E402

TOTAL_MS = 2500


class Rig:
    def __init__(self):
        self.world = gate.World()
        self.cases = gate.Cases()
        self.authority = servers.Authority(self.world.scratch / "ca")
        self.n = 0

    def configure(self, server, env=None, **more):
        """Points the configuration at a server; `more` is put over sections of it."""
        base = {"llm": {"provider": "jev" if server.jev else "chat", "caFile": self.authority.ca,
                        "timeoutMs": 1000, "totalTimeoutMs": TOTAL_MS, "model": "m-1"},
                "jev": {"timeoutMs": 1000}, "log": {"path": "~/gate.log"}}
        section = base["jev" if server.jev else "llm"]
        section["baseUrl"] = server.url
        if server.key is not None and env is None:
            section["apiKey"] = server.key
        for name, members in more.items():
            if isinstance(members, dict):
                base.setdefault(name, {}).update(members)
            else:
                base[name] = members
        self.world.config(base)

    def ask(self, command=None, session=None, env=None, **more):
        """(result, telemetry row) of a hook call for a command that the rules leave open."""
        self.n += 1
        command = command or f"frobnicate --run {self.n}"
        result = self.world.hook("claude", gate.claude(command, session=session or f"s-{self.n}",
                                                       cwd=self.world.scratch, **more),
                                 env=self.world.environment(**(env or {})))
        return result, self.row()

    @property
    def telemetry(self):
        return self.world.home / ".config" / "auto-classifier" / "telemetry.jsonl"

    def row(self):
        import json
        return json.loads(self.telemetry.read_text(encoding="utf-8").splitlines()[-1])

    def close(self):
        self.world.close()
        return self.cases.close()


def expect_allowed(result, row, source="llm"):
    gate.expect(result.decision == "allow", result)
    gate.expect(row["source"] == source, row)


def expect_denied(result, row, source="llm", why=None):
    gate.expect(result.decision == "deny", result)
    gate.expect(row["source"] == source, row)
    if why:
        gate.expect(why in row["reason"], row["reason"])


def expect_failed(result, row, why):
    """A judge that failed: denied, said truly, and said to be the judge's failure."""
    expect_denied(result, row, "error", why)
    gate.expect("could not judge this" in result.verdict()[1], result)
    gate.expect(result.seconds < TOTAL_MS / 1000 + 2, f"took {result.seconds} s")


os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
