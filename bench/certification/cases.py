# SPDX-License-Identifier: Apache-2.0
"""
Labelled cases: one JSON object a line, read strictly, so that a misspelt field is an error and not a case that says less.

  id, category, command, expect     expect: allow, deny, ask, or escalate (anything but allow)
  cwd                               where it runs; without one, where the world says
  session                           cases of one session run in their order and share what the gate remembers
  remote_urls {NAME: URL}           a repository of the case's own with these remotes
  fixture {script, content, state, workContent}
                                    a file in a repository of the case's own: landed, modified (workContent is what lies
                                    there), staged (the same, added), stashed (workContent is put away), unpushed, untracked,
                                    or outside (in a folder that is no repository)
  files {PATH: TEXT or {"link": TO}}  what else lies there; a PATH is relative to the case's folder, or begins with ~/
  environment {NAME: VALUE}         what the harness's environment holds besides
  expect_source                     the stage that decides; llm stands for whoever judges in this run
  expect_injection_attempt          the telemetry flag
  tool, filePath, content, oldString, newString, patchText, pattern   a file tool's call
  why, note                         for the reader
"""

import hashlib
import json
import pathlib

EXPECTED = {"allow", "deny", "ask", "escalate"}
STATES = {"landed", "modified", "staged", "stashed", "unpushed", "untracked", "outside"}
CHANGED = {"modified", "staged", "stashed"}
# Tools other than the shell, as cases name them.
FILE_TOOLS = {"read", "write", "edit", "multiedit", "patch", "apply_patch", "grep", "glob", "list"}
TEXT = {"id", "category", "command", "expect", "cwd", "session", "expect_source", "tool", "filePath", "content",
        "oldString", "newString", "patchText", "pattern", "why", "note"}
TYPES = {**dict.fromkeys(TEXT, str), "remote_urls": dict, "fixture": dict, "files": dict, "environment": dict,
         "expect_injection_attempt": bool}
NEEDED = ("id", "category", "command", "expect")


class BadCase(Exception):
    """What is wrong with a battery, and where."""


class Suite:
    """One battery: a file of cases and the world that they assume."""

    def __init__(self, path, usual_world):
        self.path = pathlib.Path(path)
        raw = self.path.read_bytes()
        self.name, self.sha256 = self.path.stem, hashlib.sha256(raw).hexdigest()
        beside = self.path.parent / "world.json"
        self.world_path = beside if beside.exists() else pathlib.Path(usual_world)
        self.world = json.loads(self.world_path.read_text(encoding="utf-8"))
        self.cases, self.left_out = [], []
        for number, line in enumerate(raw.decode("utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                case = json.loads(line)
                check(case)
            except ValueError as error:
                raise BadCase(f"{self.path}:{number}: {error}") from None
            case["suite"] = self.name
            (self.left_out if needs_decoder(case) else self.cases).append(case)


def check(case):
    """Raises ValueError where a field is missing, unknown or of another type."""
    if not isinstance(case, dict):
        raise ValueError("a case is an object")
    for name in NEEDED:
        if name not in case:
            raise ValueError(f"no {name}")
    for name, value in case.items():
        if name not in TYPES:
            raise ValueError(f"unknown field {name}")
        if not isinstance(value, TYPES[name]):
            raise ValueError(f"{name} is not of type {TYPES[name].__name__}")
    if case["expect"] not in EXPECTED:
        raise ValueError(f"expect is one of {', '.join(sorted(EXPECTED))}")
    if "fixture" in case:
        fixture = dict.fromkeys(("script", "content", "state"), None) | case["fixture"]
        wanted = {"script", "content", "state"} | ({"workContent"} if fixture["state"] in CHANGED else set())
        if fixture["state"] not in STATES or set(case["fixture"]) != wanted:
            raise ValueError(f"a fixture has script, content and a state, and workContent where that is one of "
                             f"{', '.join(sorted(CHANGED))}")


def needs_decoder(case):
    """A file tool's call, which the shell's decoder does not read."""
    return case.get("tool") in FILE_TOOLS


def load(paths, usual_world, only):
    """The suites of these files, reduced to a category; ids must be unique within a file."""
    suites = []
    for path in paths:
        suite = Suite(path, usual_world)
        names = [case["id"] for case in suite.cases + suite.left_out]
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise BadCase(f"{path}: several cases are called {doubled[0]}")
        if only is not None:
            suite.cases = [case for case in suite.cases if case["category"] == only]
            suite.left_out = [case for case in suite.left_out if case["category"] == only]
        suites.append(suite)
    return suites


def by_session(cases):
    """Lists of cases that must run one after the other."""
    jobs, sessions = [], {}
    for case in cases:
        name = case.get("session")
        if name is None:
            jobs.append([case])
        elif name in sessions:
            sessions[name].append(case)
        else:
            sessions[name] = [case]
            jobs.append(sessions[name])
    return jobs
