# SPDX-License-Identifier: Apache-2.0
"""What Claude Code and agy are told, call after call, and what check, explain, parse and --batch print."""

import json
import os
import pty
import select
import subprocess
import sys

import gate

FINE, OPEN, HARM = "echo hi", "frobnicate --all", "rm -rf /"


def claude(world, cases):
    def ask(command, event="PreToolUse", **more):
        env = more.pop("env", None)
        return world.hook("claude", gate.claude(command, event=event, **more), "--event", event, env=env)

    with cases.case("claude: an allow has a reason"):
        decision, reason = ask(FINE, cwd=world.fresh()).verdict()
        gate.expect(decision == "allow" and reason, f"{decision}: {reason}")
    with cases.case("claude: the first denial says what was not understood, the second asks a person"):
        cwd = world.fresh()
        decision, reason = ask(OPEN, cwd=cwd).verdict()
        gate.expect(decision == "deny" and "frobnicate" in reason and "1 attempt(s) remaining" in reason, reason)
        decision, reason = ask(OPEN, cwd=cwd).verdict()
        gate.expect(decision == "ask" and "SAFETY ESCALATION" in reason and OPEN in reason, f"{decision}: {reason}")
    with cases.case("claude: another session starts anew"):
        gate.expect(ask(OPEN, cwd=world.scratch, session="s-2").decision == "deny", "not denied")
    with cases.case("claude: spelling it another way does not start anew"):
        cwd = world.fresh()
        ask(OPEN, cwd=cwd)
        gate.expect(ask("  'frobnicate'   --all 2>&1  # again", cwd=cwd).decision == "ask", "not counted as the same")
    for label, config, env in (("headless", {"policy": {"headless": True}}, {}),
                               ("unattended", {}, {"CLAUDE_CODE_SESSION_ATTENDED": "0"})):
        with cases.case(f"claude: {label}, nobody is asked"):
            cwd = world.fresh()
            world.config(config)
            replies = [ask(OPEN, cwd=cwd, env=world.environment(**env)) for _ in range(3)]
            gate.expect([r.decision for r in replies] == ["deny"] * 3, f"{replies}")
            gate.expect("report" in replies[2].verdict()[1], f"{replies[2]}")
    with cases.case("claude: a permission prompt is answered from what was decided, and counts nothing"):
        cwd = world.fresh()
        ask(OPEN, cwd=cwd)
        for _ in range(3):
            result = ask(OPEN, "PermissionRequest", cwd=cwd)
            gate.expect(result.decision == "deny" and result.verdict()[1], f"{result}")
        decision, reason = ask(OPEN, cwd=cwd).verdict()
        gate.expect(decision == "ask" and "2" in reason.splitlines()[0], f"prompts were counted: {reason}")
    with cases.case("claude: a permission prompt for what is allowed is allowed"):
        cwd = world.fresh()
        ask(FINE, cwd=cwd)
        gate.expect(ask(FINE, "PermissionRequest", cwd=cwd).decision == "allow", "not allowed")
    with cases.case("claude: a permission prompt that nothing is known of stands"):
        result = ask(OPEN, "PermissionRequest", cwd=world.fresh())
        gate.expect(result.status == 0 and result.out == b"", f"{result}")
    with cases.case("claude: a skill's commands are judged, and are never put to a prompt"):
        cwd = world.fresh()
        gate.expect(ask(FINE, "PreSkillShellCommand", cwd=cwd).decision == "allow", "not allowed")
        for _ in range(3):
            result = ask(OPEN, "PreSkillShellCommand", cwd=cwd)
            gate.expect(result.decision == "deny", f"{result}")
            gate.expect(result.json()["hookSpecificOutput"]["hookEventName"] == "PreSkillShellCommand", f"{result}")
    with cases.case("claude: the bare hook recognises it"):
        result = world.run("hook", stdin=json.dumps(gate.claude(FINE, cwd=world.fresh())).encode())
        gate.expect(result.decision == "allow", f"{result}")


def agy(world, cases):
    def ask(payload, *arguments):
        return world.hook("agy", payload, *arguments)

    def telemetry():
        path = world.home / ".config" / "auto-classifier" / "telemetry.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    with cases.case("agy: an allow carries no reason"):
        result = ask(gate.agy(FINE, cwd=world.fresh()))
        gate.expect(result.json() == {"decision": "allow"} and result.status == 0, f"{result}")
    with cases.case("agy: a denial, then a prompt that is forced"):
        cwd = world.fresh()
        gate.expect(ask(gate.agy(OPEN, cwd=cwd)).decision == "deny", "not denied")
        result = ask(gate.agy(OPEN, cwd=cwd))
        gate.expect(result.decision == "force_ask" and "SAFETY ESCALATION" in result.json()["reason"], f"{result}")
    with cases.case("agy: where it answers its own prompts, an escalation is a denial and is recorded as one"):
        cwd = world.fresh()
        settings = world.home / ".gemini" / "antigravity-cli" / "settings.json"
        settings.parent.mkdir(parents=True)
        settings.write_text('{"toolPermission": "always-proceed"}', encoding="utf-8")
        replies = [ask(gate.agy(OPEN, cwd=cwd)) for _ in range(2)]
        gate.expect([r.decision for r in replies] == ["deny", "deny"], f"{replies}")
        gate.expect("approve its prompts by itself" in replies[1].json()["reason"], f"{replies[1]}")
        rows = telemetry()
        gate.expect([(r["source"], r["decision"]) for r in rows] ==
                    [("offline", "deny"), (rows[1]["source"], "force_ask"), ("gate-kept", "deny")], f"{rows}")
    with cases.case("agy: --dangerously-skip-permissions above us is seen"):
        cwd = world.fresh()
        ask(gate.agy(OPEN, cwd=cwd))
        shell = 'exec -a agy /bin/sh -c \'"$0" hook agy; exit $?\' "$0" --dangerously-skip-permissions'
        process = subprocess.run(["/bin/bash", "-c", shell, str(world.program)], env=world.environment(), timeout=60,
                                 input=json.dumps(gate.agy(OPEN, cwd=cwd)).encode(), stdout=subprocess.PIPE, check=False)
        gate.expect(json.loads(process.stdout)["decision"] == "deny", f"{process}")
    for event, payload, wanted in (
            ("PreInvocation", {"conversationId": "c", "invocationNum": 1}, {"injectSteps": []}),
            ("PostToolUse", gate.agy(FINE), {}), ("Stop", {"conversationId": "c"}, {}),
            ("PreToolUse", gate.agy(FINE, toolCall={"name": "view_file", "args": {"AbsolutePath": "/x"}}), {"decision": "allow"})):
        with cases.case(f"agy: {event} without an opinion"):
            result = ask(payload, "--event", event)
            gate.expect(result.json() == wanted and result.status == 0, f"{result}")
    with cases.case("agy: its other names"):
        payload = json.dumps(gate.agy(FINE, cwd=world.fresh())).encode()
        gate.expect(world.run("agy", stdin=payload).decision == "allow", "agy")
        gate.expect(world.run(stdin=payload).decision == "allow", "no argument")
        gate.expect(world.run("agy-pre-invocation", stdin=b'{"invocationNum":1}').json() == {"injectSteps": []}, "pre")


def on_terminal(world, *arguments, **variables):
    """(status, output) with a terminal for stdout."""
    mine, theirs = pty.openpty()
    process = world.start(*arguments, stdout=theirs, stdin=subprocess.DEVNULL,
                          env=world.environment(**{"TERM": "xterm", **variables}))
    os.close(theirs)
    text = b""
    try:
        while part := os.read(mine, 4096):
            text += part
    except OSError:  # how Linux tells that the other side is closed
        pass
    os.close(mine)
    process.stderr.close()
    return process.wait(20), text


def by_hand(world, cases):
    with cases.case("check: the exit status is the decision"):
        cwd = world.fresh()
        for command, status, decision in ((FINE, 0, "allow"), (OPEN, 2, "deny"), (OPEN, 1, "force_ask"),
                                          (HARM, 2, "deny"), ("", 0, "allow")):
            result = world.check(command, cwd=cwd)
            gate.expect((result.status, result.json()["decision"]) == (status, decision), f"{command}: {result}")
            gate.expect(result.out.startswith(b'{\n  "decision"'), f"{result}")
    with cases.case("check: sessions are apart, --cwd and --dialect are heeded"):
        cwd = world.fresh()
        gate.expect(world.check(OPEN, "--session", "a").status == 2 and world.check(OPEN, "--session=b").status == 2, "shared")
        (cwd / "inner").mkdir()
        inside = world.run("explain", "--json", "--cwd", "inner", "touch x", cwd=cwd).json()
        gate.expect(inside["cmds"][0]["effects"][0]["target"] == str(cwd / "inner" / "x"), f"{inside}")
        arrays = "a=(1 2); echo ${a[0]}"
        gate.expect(world.run("parse", arrays).json()["modelled"], "bash has arrays")
        gate.expect(not world.run("parse", arrays, "--dialect", "posix").json()["modelled"], "dash has none")
    with cases.case("explain and parse count nothing"):
        cwd = world.fresh()
        for _ in range(3):
            gate.expect(b"frobnicate" in world.run("explain", OPEN, cwd=cwd).out, "explain")
            gate.expect(world.run("parse", OPEN, cwd=cwd).json()["cmds"][0]["argv"] == OPEN.split(), "parse")
        gate.expect(not world.state.exists() or not list(world.state.glob("*.json")), "a session was written")
        gate.expect(world.check(OPEN, cwd=cwd).json()["consecutiveCount"] == 1, "counted")
    with cases.case("explain: no colour where no terminal is, controls escaped"):
        result = world.run("explain", "echo '\033[2Jx'; frobnicate '\u202e'", env=world.environment(TERM="xterm"))
        gate.expect(b"\033" not in result.out and "\u202e".encode() not in result.out, f"{result}")
    with cases.case("explain and doctor: colour on a terminal that wants it"):
        world.fresh()
        for command in (["explain", OPEN], ["doctor"]):
            gate.expect(b"\033[" in on_terminal(world, *command)[1], "no colour")
            gate.expect(b"\033[" not in on_terminal(world, *command, NO_COLOR="1")[1], "colour against NO_COLOR")
            gate.expect(b"\033[" not in on_terminal(world, *command, TERM="dumb")[1], "colour on a dumb terminal")
        status, text = on_terminal(world, "hook", "--help")
        gate.expect(status == 0 and text.startswith(b"usage:"), f"{status} {text}")
    with cases.case("parse: a line the shell would refuse"):
        result = world.run("parse", "if then (")
        gate.expect(result.status == 1 and result.json()["parse"] is False, f"{result}")
    with cases.case("batch: a reply as soon as a row is there"):
        process = world.start("check", "--batch", cwd=world.fresh())
        for number in range(3):
            process.stdin.write(b'{"id":"%d","command":"echo hi"}\n' % number)
            process.stdin.flush()
            gate.expect(select.select([process.stdout], [], [], 20)[0], f"no reply to row {number}")
            gate.expect(json.loads(process.stdout.readline())["id"] == str(number), "another row")
        process.stdin.close()
        gate.expect(process.wait(20) == 0, "status")
        process.stdout.close()
        process.stderr.close()
    with cases.case("batch: sessions count in memory, and nothing is written"):
        world.fresh()
        rows = [{"id": str(n), "command": OPEN, "session": s} for n, s in enumerate("aabab")]
        result = world.run("check", "--batch", stdin="".join(json.dumps(r) + "\n" for r in rows).encode())
        decisions = [json.loads(line)["decision"] for line in result.out.splitlines()]
        gate.expect(decisions == ["deny", "force_ask", "deny", "force_ask", "force_ask"], f"{decisions}")
        gate.expect(not [p for p in world.home.rglob("*") if p.is_file()], "something was written")
    with cases.case("batch: --record writes telemetry"):
        world.fresh()
        world.run("check", "--batch", "--record", stdin=b'{"id":"a","command":"echo hi"}\n')
        rows = (world.home / ".config" / "auto-classifier" / "telemetry.jsonl").read_text(encoding="utf-8").splitlines()
        gate.expect(len(rows) == 1 and json.loads(rows[0])["command"] == FINE, f"{rows}")
    with cases.case("doctor: in a new home nothing is amiss, and a hook that is cut off is"):
        world.fresh()
        good = world.run("doctor")
        # A sanitizer's build has no filter, and says so.
        amiss = [line for line in good.out.splitlines() if b"FAIL" in line and b"in this build" not in line]
        gate.expect(not amiss and good.status == (b"FAIL" in good.out), f"{good}")
        settings = world.home / ".claude" / "settings.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
            {"type": "command", "command": f"{world.program} hook claude", "timeout": 3}]}]}}), encoding="utf-8")
        bad = world.run("doctor")
        gate.expect(bad.status == 1 and b"cut off after 3 s" in bad.out, f"{bad}")
        world.config("{")
        broken = world.run("doctor")
        gate.expect(broken.status == 1 and b"every command is denied" in broken.out, f"{broken}")


def main():
    world = gate.World()
    cases = gate.Cases()
    os.environ.pop("CLAUDE_CODE_SESSION_ATTENDED", None)
    claude(world, cases)
    agy(world, cases)
    by_hand(world, cases)
    world.close()
    return cases.close()


sys.exit(main())
