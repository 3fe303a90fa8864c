# SPDX-License-Identifier: Apache-2.0
"""Counting across processes: parallel calls lose nothing, a held lock is not waited for, state that fails denies."""

import concurrent.futures
import fcntl
import hashlib
import json
import pathlib
import sys

import gate

PARALLEL = 200
DENIED = "rm -rf /"


def session_file(world, session):
    return world.state / (hashlib.sha256(session.encode()).hexdigest()[:32] + ".json")


def parallel_calls(world):
    cwd = world.fresh()
    payload = gate.claude(DENIED, session="parallel", cwd=cwd)
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        results = list(pool.map(lambda _: world.hook("claude", payload), range(PARALLEL)))
    assert all(r.decision in ("deny", "ask") for r in results), {r.decision for r in results}
    # One more, which adds what a busy machine may have left waiting for the lock.
    assert world.hook("claude", payload).decision == "ask"
    state = json.loads(session_file(world, "parallel").read_text())
    assert state["totalDenials"] == PARALLEL + 1, state["totalDenials"]
    assert [d["count"] for d in state["recentDenials"]] == [PARALLEL + 1], state["recentDenials"]
    left = [p.name for p in world.state.iterdir() if p.name.endswith(".tmp") or p.name == "missed"]
    assert not left, left


def held_lock(world):
    cwd = world.fresh()
    payload = gate.claude(DENIED, session="held", cwd=cwd)
    first = world.hook("claude", payload)
    assert first.decision == "deny", first
    with open(world.state / ".lock", "r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waited = world.hook("claude", payload)
        # As the denial at the threshold: a person's turn, where there is one.
        assert waited.decision == "ask", waited
        assert 0.2 <= waited.seconds < 1.0, waited.seconds
        world.config({"policy": {"headless": True}})
        headless = world.hook("claude", payload)
        assert headless.decision == "deny", headless
        allowed = world.hook("claude", gate.claude("echo hi", session="held", cwd=cwd))
        assert allowed.decision == "allow", allowed
    assert json.loads(session_file(world, "held").read_text())["totalDenials"] == 1
    world.hook("claude", payload)
    # Nothing was lost meanwhile.
    assert json.loads(session_file(world, "held").read_text())["totalDenials"] == 4


def sessions_are_apart(world):
    cwd = world.fresh()
    for session in ("one", "two"):
        assert world.hook("claude", gate.claude(DENIED, session=session, cwd=cwd)).decision == "deny"
    for session in ("one", "two"):
        assert world.hook("claude", gate.claude(DENIED, session=session, cwd=cwd)).decision == "ask"


def respellings_count_as_one(world):
    cwd = world.fresh()
    first = world.hook("claude", gate.claude("rm -rf /", session="spell", cwd=cwd))
    assert first.decision == "deny", first
    for spelling in ("sudo rm -rf / 2>&1 | tail -3", "rm   -r -f  '/' # harmless"):
        again = world.hook("claude", gate.claude(spelling, session="spell", cwd=cwd))
        assert again.decision == "ask", (spelling, again)


def an_allow_counts_nothing(world):
    cwd = world.fresh()
    assert world.hook("claude", gate.claude("echo hi", cwd=cwd)).decision == "allow"
    assert not list(world.state.glob("*.json"))


def state_that_cannot_be_kept(world):
    cwd = world.fresh()
    (world.home / ".cache").mkdir(mode=0o700)
    (world.home / ".cache" / "auto-classifier").symlink_to(cwd)
    denied = world.hook("claude", gate.claude(DENIED, session="broken", cwd=cwd))
    assert denied.decision == "ask", denied
    assert not list(pathlib.Path(cwd).iterdir())
    log = (world.home / ".config" / "auto-classifier" / "auto-classifier.log").read_text()
    assert "session state could not be kept" in log, log


def corrupt_state(world):
    cwd = world.fresh()
    payload = gate.claude(DENIED, session="corrupt", cwd=cwd)
    assert world.hook("claude", payload).decision == "deny"
    file = session_file(world, "corrupt")
    file.write_text('{"totalDenials": 1, "recentDen')
    assert world.hook("claude", payload).decision == "deny"
    assert len([p for p in world.state.iterdir() if ".corrupt-" in p.name]) == 1
    assert world.hook("claude", payload).decision == "ask"


def main():
    world = gate.World()
    cases = gate.Cases()
    for case in (parallel_calls, held_lock, sessions_are_apart, respellings_count_as_one, an_allow_counts_nothing,
                 state_that_cannot_be_kept, corrupt_state):
        with cases.case(case.__name__):
            case(world)
    world.close()
    return cases.close()


if __name__ == "__main__":
    sys.exit(main())
