# SPDX-License-Identifier: Apache-2.0
"""A worker that dies during a batch costs the row it was at, and no other; rows are answered as they come, in order."""

import json
import os
import signal
import sys

import gate

ROWS = 12
KILLED_BEFORE = (2, 3, 7)


def main():
    world = gate.World()
    cases = gate.Cases()
    with cases.case("a new worker for the rest"):
        process = world.start("check", "--batch")
        answers = []
        for number in range(ROWS):
            if number in KILLED_BEFORE:
                worker = gate.wait_child(process.pid, "worker")
                gate.expect(worker is not None, f"there is no worker before row {number}")
                os.kill(worker, signal.SIGKILL)
                gate.expect(gate.gone([worker]), "the worker did not die")
            process.stdin.write(json.dumps({"id": str(number), "command": "echo a"}).encode() + b"\n")
            process.stdin.flush()
            answers.append(json.loads(process.stdout.readline()))
        out, err = process.communicate()
        gate.expect(out == b"" and process.returncode == 0, f"{process.returncode} {out!r} {err!r}")
        gate.expect([row["id"] for row in answers] == list(map(str, range(ROWS))), f"{answers}")
        denied = [int(row["id"]) for row in answers if row["decision"] != "allow"]
        gate.expect(set(denied) <= set(KILLED_BEFORE), f"denied: {denied}")
    with cases.case("a stopped worker is a deny, not a wait for ever"):
        process = world.start("check", "--batch")
        worker = gate.wait_child(process.pid, "worker")
        os.kill(worker, signal.SIGSTOP)
        out, err = process.communicate(b'{"id":"a","command":"echo a"}\n', timeout=60)
        gate.expect(json.loads(out)["decision"] == "deny", f"{out!r} {err!r}")
    world.close()
    return cases.close()


sys.exit(main())
