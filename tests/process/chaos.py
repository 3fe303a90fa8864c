# SPDX-License-Identifier: Apache-2.0
"""
A thousand decisions of commands that would be allowed, in each of which the broker or the worker is killed or stopped
at a random moment: each ends in a reply that the harness understands, in time, and none is an allow that came from a
process which was hit before it had the whole request.
"""

import concurrent.futures
import contextlib
import json
import os
import random
import signal
import sys
import time

import gate

SANITIZED = "GATE_SANITIZED" in os.environ
DECISIONS = int(os.environ.get("GATE_CHAOS") or (200 if SANITIZED else 1000))
SEED = int(os.environ.get("GATE_SEED") or time.time_ns() & 0xFFFFFFFF)
AT_ONCE = 10
# A sanitizer makes every start a slow one.
LIMIT_MS = 6000 if SANITIZED else 2000
IN_TIME = (LIMIT_MS - 500) / 1000
COMMANDS = ("echo hi", "cd /tmp && pwd", "printf '%s\\n' a b | sort -r | head -n 1", "test -n x && echo yes",
            "echo one; echo two | tr a-z A-Z | wc -c")
# Before the rest of the payload is written, or so long after it; a whole decision takes a few milliseconds.
BEFORE, LATEST = 0.25, 0.06 if SANITIZED else 0.006


def deliver(process, pid, number):
    """The signal, unless the process is already gone: then this decision was simply not disturbed."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def disturb(world, choice):
    harness, command, role, number, delay = choice
    payload = json.dumps(gate.claude(command) if harness == "claude" else gate.agy(command)).encode()
    began = time.monotonic()
    process = world.start("hook", harness, "--limit-ms", LIMIT_MS)
    family = []
    try:
        process.stdin.write(payload[:10])
        process.stdin.flush()
        pid = gate.wait_child(process.pid, role)
        gate.expect(pid is not None, f"the guard started no {role}")
        family = gate.children(process.pid)
        if delay is None:
            hit = deliver(process, pid, number)
        rest = payload[10:]
        if delay is not None:
            # On a busy machine the guard's time can be over before the test has come to this.
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(rest)
                process.stdin.close()
            rest = None
            process.stdin = None
            time.sleep(delay)
            hit = deliver(process, pid, number)
        out, err = process.communicate(rest, 30)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    result = gate.Result(process.returncode, out, err, time.monotonic() - began)
    decision, reason = result.verdict()
    gate.expect(decision in ("allow", "deny"), f"neither allow nor deny: {result}")
    gate.expect(decision != "allow" or not (hit and delay is None), f"allowed without the {role}: {result}")
    gate.expect(decision != "deny" or reason, f"a deny without a reason: {result}")
    gate.expect(result.status == 0 or decision == "deny", f"an allow with a failure: {result}")
    gate.expect(result.seconds < IN_TIME, f"late: {result}")
    gate.expect(gate.gone(family), "the guard left a child behind")
    return decision


def choose(source):
    delay = None if source.random() < BEFORE else source.random() * LATEST
    return (source.choice(("claude", "agy")), source.choice(COMMANDS), source.choice(("broker", "worker")),
            source.choice((signal.SIGKILL, signal.SIGSTOP)), delay)


def main():
    world = gate.World()
    world.fresh()
    cases = gate.Cases()
    for command in COMMANDS:
        with cases.case(f"undisturbed: {command}"):
            result = world.hook("claude", gate.claude(command))
            gate.expect(result.decision == "allow", f"{result}")
    source = random.Random(SEED)
    choices = [choose(source) for _ in range(DECISIONS)]
    decisions = []
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        futures = [pool.submit(disturb, world, choice) for choice in choices]
        for choice, future in zip(choices, futures):
            with cases.case(f"{choice}"):
                decisions.append(future.result())
    print(f"seed {SEED}: {decisions.count('allow')} allowed before they were hit, {decisions.count('deny')} denied")
    with cases.case("both kinds of outcome were met"):
        gate.expect({"allow", "deny"} <= set(decisions), "the moments chosen try nothing")
    world.close()
    return cases.close()


sys.exit(main())
