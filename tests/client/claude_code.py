# SPDX-License-Identifier: Apache-2.0
"""
Real Claude Code, driven by a scripted model, with the gate as its hook: what the gate allows runs, what it denies
does not and the model is told why, and nothing runs when the worker or the broker is killed during the decision.
"""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "process"))
import gate
import model

HERE = pathlib.Path(__file__).resolve().parent
# Its output is not in its text, so that an echo of the command is not taken for its having run.
HARMLESS = "printf '%s-%s' gate ran | tr a-z A-Z"
OUTPUT = "GATE-RAN"
MARKER = "marker"


class Client:
    def __init__(self, world, program):
        self.world, self.program = world, program

    def run(self, commands, hook):
        """Has the client call Bash with each command in turn; returns the work folder and the results it reported."""
        work = self.world.fresh()
        self._settings(hook)
        # The gate reads it and finds a program that it does not know; were the script run, its marker would be there.
        (work / "leave-marker").write_text(f"#!/bin/sh\ntouch {work}/{MARKER}\nno-such-program\n", encoding="utf-8")
        (work / "leave-marker").chmod(0o755)
        server = model.Model([("Bash", {"command": c, "description": "a test"}) for c in commands])
        env = self.world.environment(
            ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="sk-ant-test", DISABLE_TELEMETRY="1",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", DISABLE_AUTOUPDATER="1")
        try:
            done = subprocess.run([str(self.program), "-p", "do it"], env=env, cwd=work, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        finally:
            server.close()
        gate.expect(done.returncode == 0, f"the client ended with {done.returncode}: {done.stdout!r}")
        return work, server.results()

    def _settings(self, hook):
        handler = [{"type": "command", "command": hook, "timeout": 30}]
        events = {event: [{"matcher": "*", "hooks": handler}] for event in ("PreToolUse", "PermissionRequest")}
        (self.world.home / ".claude").mkdir()
        (self.world.home / ".claude" / "settings.json").write_text(json.dumps({"hooks": events}), encoding="utf-8")


def check_allowed(client, hook):
    _, results = client.run([HARMLESS], hook)
    gate.expect(results == [(False, OUTPUT)], f"the model was told {results}")


def check_denied(client, hook):
    work, results = client.run(["./leave-marker", "git push --force origin main", HARMLESS], hook)
    gate.expect(len(results) == 3, f"the model was told {results}")
    for failed, text in results[:2]:
        gate.expect(failed and "attempt(s) remaining" in text, f"the model was told {text!r}")
    gate.expect(results[2] == (False, OUTPUT), f"after denials the model was told {results[2]}")
    gate.expect(not (work / MARKER).exists(), "the denied command ran")


def check_killed(client, hook, role):
    log = client.world.scratch / f"killed-{role}"
    shim = shlex.join([sys.executable, str(HERE / "interrupted_hook.py"), str(log), role])
    _, results = client.run([HARMLESS], f"{shim} {hook}")
    gate.expect(log.exists() and log.read_text() == f"killed {role}\n", f"the {role} was not killed during the decision")
    gate.expect(len(results) == 1 and results[0][0] and OUTPUT not in results[0][1], f"the model was told {results}")


def main():
    found = os.environ.get("CLAUDE_BIN") or shutil.which("claude")
    if not found:
        gate.skip("Claude Code is not installed (put `claude` on PATH or set CLAUDE_BIN)")
    program = pathlib.Path(found).resolve()
    world = gate.World()
    client = Client(world, program)
    hook = shlex.join([str(world.program), "hook", "claude"])
    cases = gate.Cases()
    with cases.case("an allowed command runs"):
        check_allowed(client, hook)
    with cases.case("a denied command does not run, and the model is told why"):
        check_denied(client, hook)
    for role in ("worker", "broker"):
        with cases.case(f"nothing runs when the {role} is killed during the decision"):
            check_killed(client, hook, role)
    world.close()
    return cases.close()


sys.exit(main())
