# SPDX-License-Identifier: Apache-2.0
"""Puts each case to the real gate, a process of its own each time, and learns from telemetry how it was decided."""

import concurrent.futures
import dataclasses
import json
import os
import re
import subprocess
import threading

import cases
import gate

PATIENCE_SECONDS = 60
# What a judge may need of the caller's environment; nothing else of it reaches the gate.
KEYS = ("TYPESAFE_API_KEY", "AUTO_CLASSIFIER_API_KEY", "OPENAI_API_KEY")
# `check` knows a repeated denial by another name than a harness's prompt.
CHECK_WORDS = {"force_ask": "ask"}


@dataclasses.dataclass
class Answer:
    """One call's outcome. `decision` is None where the gate gave none that a harness would understand."""
    case: dict
    run: int
    decision: str | None
    reason: str
    process_ms: float
    row: dict | None = None  # of telemetry

    @property
    def source(self):
        return self.row["source"] if self.row else None

    @property
    def usage(self):
        return (self.row or {}).get("usage") or {"input_tokens": 0, "output_tokens": 0, "calls": 0}


def key_variables(settings):
    """The variables that hold keys: ours, and those that the settings name."""
    named = re.findall(r'"apiKey": "env:(\w+)"', json.dumps(settings))
    return {name: os.environ[name] for name in (*KEYS, *named) if os.environ.get(name)}


class Caller:
    def __init__(self, world, settings, jobs):
        self.world, self.jobs = world, jobs
        self.env = world.environment(SHELL="/bin/bash", **key_variables(settings))
        self.telemetry = world.home / ".config" / "auto-classifier" / "telemetry.jsonl"
        self.lock = threading.Lock()

    def _hook(self, command, folder, session, call, env):
        result = self.world.hook("claude", gate.claude(command, session=session, cwd=folder, tool_use_id=call),
                                 "--event", "PreToolUse", env=env, timeout=PATIENCE_SECONDS)
        return (*result.verdict(), result)

    def _check(self, command, folder, session, env):
        result = self.world.run("check", "--session", session, "--cwd", folder, "--", command, env=env,
                                timeout=PATIENCE_SECONDS)
        reply = result.json()
        return CHECK_WORDS.get(reply["decision"], reply["decision"]), reply.get("reason", ""), result

    def _ask(self, case, folder, run):
        command, call = self.world.here(case["command"]), f"{run}-{case['id']}"
        env = {**self.env, **case.get("environment", {})}
        session = f"{run}-{case['suite']}-{case.get('session', 'alone-' + case['id'])}"
        try:
            if self.world.private:
                decision, reason, result = self._hook(command, folder, session, call, env)
            else:
                decision, reason, result = self._check(command, folder, session, env)
        except (ValueError, KeyError, TypeError, subprocess.TimeoutExpired) as error:
            return Answer(case, run, None, f"no reply: {type(error).__name__}: {error}", 1000 * PATIENCE_SECONDS), session
        return Answer(case, run, decision, reason, 1000 * result.seconds), session

    def _in_turn(self, job, folders, run):
        return [self._ask(case, folders[case["id"]], run) for case in job]

    def run(self, suite, folders, run):
        """Every case once; sessions in order, the rest side by side."""
        jobs = cases.by_session(suite.cases)
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            done = [pair for pairs in pool.map(lambda job: self._in_turn(job, folders, run), jobs) for pair in pairs]
        self._join(done)
        order = {case["id"]: number for number, case in enumerate(suite.cases)}
        return sorted((answer for answer, _ in done), key=lambda answer: order[answer.case["id"]])

    def _join(self, done):
        """Gives each answer its row. The rows of one session stand in the order of its calls; a blank line has none."""
        rows = {}
        if self.telemetry.exists():
            for line in self.telemetry.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                rows.setdefault(row["session"], []).append(row)
            self.telemetry.unlink()
        for answer, session in done:
            if answer.decision is not None and answer.case["command"].strip() and rows.get(session):
                answer.row = rows[session].pop(0)
