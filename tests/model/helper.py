# SPDX-License-Identifier: Apache-2.0
"""jev.command: a program of the user's that asks in our place, whatever it does; then no key is in any of our processes."""

import json
import os
import pathlib
import sys
import time

from rig import Rig, gate, expect_allowed, expect_denied, expect_failed

PROLOGUE = """#!/usr/bin/env python3
import json, os, subprocess, sys, time
FOLDER = %r
def answers(request, **how):
    risks = {n: {"type": "noul", "noul": 0.02} for n, q in request["questions"].items() if q["type"] == "noul"}
    verdict = {"type": "choice", "choice": "allow", "confidence": 0.9, "probabilities": {"allow": 0.97, "deny": 0.03}}
    verdict.update(how)
    return {"model": "helper-1", "answers": {"verdict": verdict, **risks}, "usage": {"input_tokens": 5, "output_tokens": 1}}
"""

LEAVE = "json.dump(answers(json.load(sys.stdin)), sys.stdout); sys.stdout.flush(); os.close(0); os.close(1)\n"

ALLOW = """
request = json.load(sys.stdin)
json.dump({"request": request, "env": dict(os.environ), "argv": sys.argv, "fds": os.listdir("/proc/self/fd"),
           "pid": os.getpid(), "group": os.getpgrp()}, open(FOLDER + "/seen", "w"))
json.dump(answers(request), sys.stdout)
"""

FAILURES = {
    "exits with an error": ("request = json.load(sys.stdin); json.dump(answers(request), sys.stdout); sys.stdout.flush(); sys.exit(3)",
                            "process that asks it failed"),
    "is killed": ("os.kill(os.getpid(), 9)", "process that asks it failed"),
    "says nothing": ("sys.stdin.read()", "not a JSON object"),
    "does not read, says nothing": ("pass", "not a JSON object"),
    "says something else": ("print('hello')", "not a JSON object"),
    "says too much": ("sys.stdin.read(); sys.stdout.write(' ' * (20 << 20))", "too large"),
    "waits": ("sys.stdin.read(); time.sleep(30)", "did not answer in time"),
    "leaves a child that keeps its output": (
        "sys.stdin.read(); subprocess.Popen(['sleep', '31']); print('{}'); sys.stdout.flush()", "no answers"),
    "does not end after its answer": (LEAVE + "time.sleep(30)", "process that asks it failed"),
    "never stops talking after its answer": (LEAVE + "while True: sys.stderr.write('x' * 65536)",
                                             "process that asks it failed"),
    "says more after its answer": ("json.dump(answers(json.load(sys.stdin)), sys.stdout); print('{}')",
                                   "not a JSON object"),
}


def main():
    rig = Rig()
    program = rig.world.scratch / "helper"
    folder = rig.world.scratch / "told"
    folder.mkdir()

    def helper(text):
        program.write_text(PROLOGUE % str(folder) + text, encoding="utf-8")
        program.chmod(0o755)

    def configure(argv):
        rig.world.config({"jev": {"command": argv, "timeoutMs": 1500}, "llm": {"totalTimeoutMs": 1800},
                          "log": {"path": "~/gate.log"}})

    configure([str(program), "--flag", "a b"])
    with rig.cases.case("it is asked"):
        helper(ALLOW)
        result, row = rig.ask("frobnicate --it", env={"TYPESAFE_API_KEY": "sk-nowhere-near-it"})
        expect_allowed(result, row)
        seen = json.loads((folder / "seen").read_text(encoding="utf-8"))
        gate.expect(seen["request"]["state"]["command"] == "frobnicate --it", seen)
        gate.expect(seen["argv"][1:] == ["--flag", "a b"], seen["argv"])
        gate.expect(set(seen["env"]) <= {"PATH", "HOME", "LC_ALL", "LC_CTYPE"}, seen["env"])
        gate.expect(seen["env"]["HOME"] == str(rig.world.home), seen["env"])
        gate.expect(len(seen["fds"]) <= 5 and seen["group"] == seen["pid"], seen)
        gate.expect(row["model"] == "helper-1", row)
    with rig.cases.case("its denial is a denial"):
        helper("request = json.load(sys.stdin)\njson.dump(answers(request, choice='deny', "
               "probabilities={'allow': 0.1, 'deny': 0.9}), sys.stdout)")
        expect_denied(*rig.ask())
    for name, (text, why) in FAILURES.items():
        with rig.cases.case("it " + name):
            helper(text)
            began = time.monotonic()
            result, row = rig.ask()
            expect_failed(result, row, why)
            gate.expect(time.monotonic() - began < 4, "too late")
    def logged():
        return (rig.world.home / "gate.log").read_text(encoding="utf-8").splitlines()[-2:]
    for name, text, wanted in (
            ("what it says on stderr", "sys.stdin.read(); sys.exit('no route to the judge')",
             "jev.command gave up: no route to the judge"),
            ("the last line of it", "sys.stdin.read(); [print('line', i, file=sys.stderr) for i in range(20000)]; sys.exit(2)",
             "jev.command gave up: line 19999"),
            ("a traceback's end", "raise ValueError('of this kind')", "jev.command gave up: ValueError: of this kind"),
            ("what it said before it was too late", "sys.stdin.read(); print('waiting', file=sys.stderr, flush=True); time.sleep(30)",
             "jev.command it did not answer in time: waiting"),
            ("what it says beside no answer", "sys.stdin.read(); print('tired', file=sys.stderr)",
             "jev.command gives no answer: tired"),
            ("one line, whatever is in it", "sys.stdin.read(); sys.stderr.write('a\\x1b[31m\\u202eb' + 'x' * 5000); sys.exit(1)",
             "jev.command gave up: ")):
        with rig.cases.case("logged: " + name):
            helper(text)
            result, _ = rig.ask()
            gate.expect(result.decision == "deny", result)
            lines = [line for line in logged() if wanted in line]
            gate.expect(len(lines) == 1, logged())
            gate.expect("\x1b" not in lines[0] and "\u202e" not in lines[0] and len(lines[0]) < 500, lines)
            gate.expect("ValueError" not in result.verdict()[1] and "tired" not in result.verdict()[1], result)
    with rig.cases.case("a helper that floods its stderr still answers"):
        helper("[sys.stderr.write('x' * 65536) for _ in range(40)]\n" + ALLOW)
        expect_allowed(*rig.ask())
    with rig.cases.case("so does one that floods it after its answer"):
        helper(LEAVE + "[sys.stderr.write('x' * 65536) for _ in range(40)]\nos._exit(0)")
        expect_allowed(*rig.ask())
    with rig.cases.case("its stderr is one that waits"):
        helper("import os\nassert os.get_blocking(0) and os.get_blocking(1) and os.get_blocking(2)\n" + ALLOW)
        expect_allowed(*rig.ask())
    with rig.cases.case("nothing it started is left"):
        def is_ours(pid):
            try:
                return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes() in (b"sleep\x0031\0",)
            except OSError:
                return False
        time.sleep(0.3)
        left = [pid for pid in os.listdir("/proc") if pid.isdigit() and is_ours(pid)]
        gate.expect(not left, left)
    for name, argv in (("a program that is not there", ["/nowhere/helper"]), ("a name that is not there", ["no-such-helper"]),
                       ("a relative path", ["./helper"])):
        with rig.cases.case(name):
            configure(argv)
            result, row = rig.ask()
            gate.expect(result.decision == "deny" and row["source"] == "error", (result, row))
    return rig.close()


if __name__ == "__main__":
    sys.exit(main())
