# SPDX-License-Identifier: Apache-2.0
"""The largest inputs: each is answered, by the worker itself and not by the guard's patience, and none is let through unread."""

import json
import sys

import gate
import hostile

# What these print or keep in the shell is all that they do.
HARMLESS = ("one word", "words", "newlines", "comments", "single quotes, many",
            "double quotes, many", "blanks")
# The text never runs as a shell: denied however little of it is understood.
BROKEN = ("quotes, never closed", "substitutions, never closed", "parameters, never closed", "parentheses, never closed")
PAYLOAD_LIMIT = 16 * 1024 * 1024


def judged(result):
    decision, reason = result.verdict()
    gate.expect(result.status == 0 or (result.status, decision) == (2, "deny"), f"{result}"[:400])
    gate.expect(decision in ("allow", "deny"), f"{result}"[:400])
    gate.expect(reason or decision == "allow", "a deny without a reason")
    gate.expect("could not judge" not in reason and "in time" not in reason, f"no judgement: {reason}")
    return decision, reason


def main():
    world = gate.World()
    cases = gate.Cases()
    for name, line in hostile.LINES.items():
        with cases.case(name):
            decision, reason = judged(world.hook("claude", gate.claude(line, session=name, cwd=world.fresh())))
            if name in HARMLESS:
                gate.expect(decision == "allow", f"denied: {reason}"[:400])
            if name in BROKEN:
                gate.expect(decision == "deny", "allowed")
    with cases.case("a command of one byte too many is denied, with the limit named"):
        decision, reason = judged(world.hook("claude", gate.claude("echo " + "a" * (hostile.LIMIT - 4),
                                                                    session="too long")))
        gate.expect(decision == "deny" and "length" in reason, reason)
    with cases.case("a payload just below the limit is read whole"):
        payload = gate.claude("echo hi", filler="x" * (PAYLOAD_LIMIT - 4096))
        gate.expect(judged(world.hook("claude", payload))[0] == "allow", "denied")
    for size in (PAYLOAD_LIMIT + 1, 17_000_000):
        with cases.case(f"a payload of {size} bytes is denied"):
            payload = json.dumps(gate.claude("echo hi")).encode()
            decision, _ = judged(world.hook("claude", payload[:-1] + b" " * (size - len(payload)) + b"}"))
            gate.expect(decision == "deny", "allowed")
    world.close()
    return cases.close()


sys.exit(main())
