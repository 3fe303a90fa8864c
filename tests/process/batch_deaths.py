# SPDX-License-Identifier: Apache-2.0
"""A batch whose workers are killed at random: one answer a row, in order, and a dead worker is only its own row's deny."""

import json
import os
import random
import signal
import sys
import threading
import time

import gate

ROWS = 3000


def rows():
    return "".join(json.dumps({"id": str(n), "command": f"echo {n}"}) + "\n" for n in range(ROWS)).encode()


def killed_at_random(world, seed):
    cwd = world.fresh()
    rng = random.Random(seed)
    process = world.start("check", "--batch", "--cwd", str(cwd))
    kills = 0
    ended = threading.Event()

    def kill():
        nonlocal kills
        while not ended.is_set() and kills < 40:
            worker = gate.wait_child(process.pid, "worker", 0.2)
            if worker is not None:
                try:
                    os.kill(worker, signal.SIGKILL)
                    kills += 1
                except ProcessLookupError:
                    pass
            time.sleep(rng.uniform(0, 0.01))

    killer = threading.Thread(target=kill)
    killer.start()
    out, err = process.communicate(rows(), 60)
    ended.set()
    killer.join()
    assert process.returncode == 0, (process.returncode, err)
    answers = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == ROWS, len(answers)
    denied = 0
    for n, answer in enumerate(answers):
        if answer["decision"] == "allow":
            assert answer["id"] == str(n), (n, answer)
            continue
        denied += 1
        assert answer["decision"] == "deny" and answer["source"] == "error", answer
        # The one sent to find out the row's name may have been killed too.
        assert answer["id"] in (str(n), None), (n, answer)
    assert denied <= kills, (denied, kills)
    return denied


def deaths(world):
    assert sum(killed_at_random(world, seed) for seed in range(4)) > 0, "no worker was hit at work"


def bad_rows(world):
    cwd = world.fresh()
    lines = [b'{"id":"a","command":"echo hi"}', b'not json', b'', b'{"id":"b"}', b'\xff', b'{"id":"c","command":"echo hi"}']
    result = world.run("check", "--batch", "--cwd", str(cwd), stdin=b"\n".join(lines))
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert [(a["id"], a["decision"], a.get("line")) for a in answers] == [
        ("a", "allow", None), (None, "deny", 2), ("b", "deny", 4), (None, "deny", 5), ("c", "allow", None)], answers


def nothing_on_disk(world):
    cwd = world.fresh()
    denied = b'{"id":"1","command":"rm -rf /","session":"s"}\n'
    result = world.run("check", "--batch", "--cwd", str(cwd), stdin=denied * 2)
    assert [json.loads(line)["decision"] for line in result.out.splitlines()] == ["deny", "force_ask"], result
    assert not list(world.home.iterdir()), list(world.home.iterdir())
    world.run("check", "--batch", "--record", "--cwd", str(cwd), stdin=denied)
    telemetry = (world.home / ".config" / "auto-classifier" / "telemetry.jsonl").read_text().splitlines()
    assert [json.loads(line)["session"] for line in telemetry] == ["s"], telemetry
    assert not world.state.exists()


def each_row_as_it_comes(world):
    cwd = world.fresh()
    process = world.start("check", "--batch", "--cwd", str(cwd))
    for n in range(5):
        process.stdin.write(json.dumps({"id": str(n), "command": "echo hi"}).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == str(n)
    assert process.communicate(timeout=20)[0] == b""
    assert process.returncode == 0


def a_row_too_long(world):
    cwd = world.fresh()
    huge = b'{"id":"huge","command":"' + b"x" * (17 * 1024 * 1024) + b'"}\n'
    result = world.run("check", "--batch", "--cwd", str(cwd), stdin=huge + b'{"id":"after","command":"echo hi"}\n')
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert [(a["id"], a["decision"]) for a in answers] == [(None, "deny"), ("after", "allow")], answers


def main():
    world = gate.World()
    cases = gate.Cases()
    for case in (deaths, bad_rows, nothing_on_disk, each_row_as_it_comes, a_row_too_long):
        with cases.case(case.__name__):
            case(world)
    world.close()
    return cases.close()


if __name__ == "__main__":
    sys.exit(main())
