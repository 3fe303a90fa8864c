# SPDX-License-Identifier: Apache-2.0
"""Whatever reaches the gate in place of what should: a reply in the harness's own shape, a reason, and never an allow."""

import json
import os
import pathlib
import subprocess
import sys

import gate

# An unknown program is denied by no rule, so that only a broken gate would let it run; `echo hi` is allowed.
OPEN, FINE = "frobnicate --all", "echo hi"
SOMEBODY = 12345


def payloads():
    """(name, harness or None for a bare hook, stdin)"""
    good = json.dumps(gate.claude(FINE)).encode()
    agy = json.dumps(gate.agy(FINE)).encode()
    for harness, whole in (("claude", good), ("agy", agy), (None, good), (None, agy)):
        label = harness or "bare"
        yield f"{label}: nothing", harness, b""
        yield f"{label}: blanks", harness, b" \r\n\t"
        yield f"{label}: a NUL byte", harness, b"\0"
        yield f"{label}: cut short", harness, whole[:-1]
        yield f"{label}: cut in half", harness, whole[:len(whole) // 2]
        yield f"{label}: something behind it", harness, whole + b"x"
        yield f"{label}: twice", harness, whole + whole
        yield f"{label}: a NUL byte behind it", harness, whole + b"\0"
        yield f"{label}: a NUL byte in the command", harness, whole.replace(b"echo hi", b"echo \0hi")
        yield f"{label}: an escaped NUL in the command", harness, whole.replace(b"echo hi", b"echo \\u0000hi")
        yield f"{label}: not UTF-8", harness, whole.replace(b"echo hi", b"echo \xff\xfe")
        yield f"{label}: an overlong slash", harness, whole.replace(b"echo hi", b"echo \xc0\xaf")
        yield f"{label}: a byte order mark", harness, b"\xef\xbb\xbf" + whole
        yield f"{label}: UTF-16", harness, whole.decode().encode("utf-16")
        yield f"{label}: a number that is not finite", harness, whole[:-1] + b',"x":1e999}'
        yield f"{label}: NaN", harness, whole[:-1] + b',"x":NaN}'
        yield f"{label}: deep", harness, whole[:-1] + b',"x":' + b"[" * 100000 + b"]" * 100000 + b"}"
        yield f"{label}: a comment", harness, b"/* */" + whole
        yield f"{label}: an array", harness, b"[" + whole + b"]"
        yield f"{label}: a string", harness, b'"echo hi"'
        yield f"{label}: null", harness, b"null"
    yield "claude: a name twice", "claude", good.replace(b'"tool_name"', b'"tool_name": "Read", "tool_name"')
    yield "claude: the command twice", "claude", good.replace(b'"command"', b'"command": "rm -rf x", "command"')
    yield "claude: the command no text", "claude", json.dumps(gate.claude(["echo", "hi"])).encode()
    yield "claude: no tool", "claude", json.dumps(gate.claude(FINE, tool_name=None)).encode()
    yield "claude: no input", "claude", json.dumps(gate.claude(FINE, tool_input=None)).encode()
    yield "claude: no event", "claude", json.dumps(gate.claude(FINE, hook_event_name=None)).encode()
    yield "claude: agy's payload", "claude", agy
    yield "agy: the command no text", "agy", json.dumps(gate.agy(7)).encode()
    yield "agy: the command in two cases", "agy", agy.replace(b'"Cwd"', b'"commandline": "rm -rf x", "Cwd"')
    yield "bare: both at once", None, json.dumps({**gate.claude(FINE), **gate.agy(FINE)}).encode()
    yield "bare: an object", None, b"{}"


def refused(result, harness):
    """A deny in the harness's shape, with the status that makes it count."""
    decision, reason = result.verdict()
    gate.expect(decision == "deny", f"not denied: {result}")
    gate.expect(len(reason) > 20, f"no reason: {result}")
    gate.expect(result.out.count(b"\n") == 1 and result.out.endswith(b"\n"), f"not one line: {result}")
    if harness == "agy":
        gate.expect(result.status == 0, f"{result}")
    else:
        gate.expect(result.status in (0, 2), f"{result}")
        gate.expect(result.status == 0 or result.err.strip(), f"status 2 needs a line on stderr: {result}")


def ask(world, harness, stdin, *more, **keywords):
    arguments = ["hook"] + ([harness] if harness else []) + list(more)
    return world.run(*arguments, stdin=stdin, **keywords)


def on_stdin(world, cases):
    for name, harness, stdin in payloads():
        with cases.case(name):
            refused(ask(world, harness, stdin), harness)
    with cases.case("claude: malformed, with the event on the command line: status 0"):
        result = ask(world, "claude", b"{", "--event", "PreToolUse")
        refused(result, "claude")
        gate.expect(result.out.find(b"PreToolUse") > 0, f"{result}")
    with cases.case("claude: another event than the hook's"):
        refused(ask(world, "claude", json.dumps(gate.claude(FINE)).encode(), "--event", "PermissionRequest"), "claude")
    for arguments in (["codex"], ["claude", "--force"], ["claude", "--limit-ms", "never"], ["claude", "agy"]):
        with cases.case(f"hook {' '.join(arguments)}"):
            refused(world.run("hook", *arguments, stdin=json.dumps(gate.claude(FINE)).encode()), None)
    with cases.case("unknown events get no opinion"):
        result = ask(world, "claude", json.dumps(gate.claude(FINE, event="SessionStart")).encode())
        gate.expect(result.status == 0 and result.out == b"", f"{result}")
    with cases.case("other tools get no opinion"):
        result = ask(world, "claude", json.dumps(gate.claude(FINE, tool_name="Read")).encode())
        gate.expect(result.status == 0 and result.out == b"", f"{result}")


def on_stdout(world, cases):
    payload = json.dumps(gate.claude(FINE)).encode()
    with cases.case("stdout is closed"):
        process = subprocess.Popen(["/bin/sh", "-c", 'exec "$0" hook claude >&-', str(world.program)],
                                   env=world.environment(), stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        _, err = process.communicate(payload, 60)
        gate.expect(process.returncode == 2, f"status {process.returncode}, {err!r}")
    with cases.case("nobody reads stdout"):
        reading, writing = os.pipe()
        os.close(reading)
        result = gate.finish(world.start("hook", "claude", stdout=writing), payload)
        os.close(writing)
        gate.expect(result.status == 2, f"{result}")
    if pathlib.Path("/dev/full").exists():
        with cases.case("stdout is full"):
            with open("/dev/full", "wb") as full:
                result = gate.finish(world.start("hook", "claude", stdout=full), payload)
            gate.expect(result.status == 2, f"{result}")


def in_state(world, cases):
    """However the state is broken, what is fine is allowed and what is not is never."""
    def a_file(path):
        path.write_text("", encoding="utf-8")

    def a_link(path):
        (world.scratch / "elsewhere").mkdir(exist_ok=True)
        path.symlink_to(world.scratch / "elsewhere")

    def open_to_all(path):
        path.mkdir()
        path.chmod(0o777)

    def of_somebody(path):
        path.mkdir()
        os.chown(path, SOMEBODY, SOMEBODY)

    def a_loop(path):
        path.symlink_to(path.name)

    makers = [a_file, a_link, open_to_all, a_loop] + ([of_somebody] if os.getuid() == 0 else [])
    for make in makers:
        for below in (".cache/auto-classifier", ".cache/auto-classifier/sessions"):
            with cases.case(f"{below} is {make.__name__.replace('_', ' ')}"):
                cwd = world.fresh()
                path = world.home / below
                path.parent.mkdir(parents=True, mode=0o700)
                make(path)
                for command, wanted in ((FINE, ("allow",)), (OPEN, ("deny", "ask")), (OPEN, ("deny", "ask"))):
                    result = world.hook("claude", gate.claude(command, cwd=cwd))
                    gate.expect(result.decision in wanted, f"{command}: {result}")
                if make is a_link:
                    gate.expect(not any((world.scratch / "elsewhere").rglob("*.json")), "state was written through a link")


def in_log(world, cases):
    with cases.case("a log and a telemetry file that are links are not written through"):
        cwd = world.fresh()
        folder = world.config("{}").parent
        victim = world.scratch / "victim"
        victim.write_text("kept", encoding="utf-8")
        for name in ("auto-classifier.log", "telemetry.jsonl"):
            (folder / name).symlink_to(victim)
        gate.expect(world.hook("claude", gate.claude(OPEN, cwd=cwd)).decision == "deny", "not denied")
        gate.expect(world.hook("claude", gate.claude(FINE, cwd=cwd)).decision == "allow", "not allowed")
        gate.expect(victim.read_text(encoding="utf-8") == "kept", "the link's target was written")


def in_config(world, cases):
    def a_directory(path):
        path.mkdir()

    def a_fifo(path):
        os.mkfifo(path)

    def a_loop(path):
        path.symlink_to(path.name)

    def of_somebody(path):
        path.write_text("{}", encoding="utf-8")
        os.chown(path, SOMEBODY, SOMEBODY)

    def a_device(path):
        path.symlink_to("/dev/zero")

    def too_large(path):
        path.write_text("{" + " " * (8 << 20) + "}", encoding="utf-8")

    def not_json(path):
        path.write_text('{"rules": ', encoding="utf-8")

    def of_another_type(path):
        path.write_text('{"policy": {"headless": "yes"}}', encoding="utf-8")

    def not_text(path):
        path.write_bytes(b'{"llm": {"model": "\xff\0"}}')

    makers = [a_directory, a_fifo, a_loop, a_device, too_large, not_json, of_another_type, not_text]
    for make in makers + ([of_somebody] if os.getuid() == 0 else []):
        with cases.case(f"config.jsonc is {make.__name__.replace('_', ' ')}"):
            cwd = world.fresh()
            path = world.config("{}")
            path.unlink()
            make(path)
            result = world.hook("claude", gate.claude(FINE, cwd=cwd), "--event", "PreToolUse")
            refused(result, "claude")
            gate.expect(result.status == 0, f"{result}")
            gate.expect("config" in result.verdict()[1], f"the reason does not name the configuration: {result}")
            shown = world.run("config", "check")
            gate.expect(shown.status == 1 and str(path).encode() in shown.out + shown.err, f"config check: {shown}")


def in_environment(world, cases):
    """What a repository's .env can set: every variable that is read, each to what an attacker would like."""
    with cases.case("an environment set by a repository loosens nothing"):
        cwd = world.fresh()
        evil = world.scratch / "evil"
        evil.mkdir()
        (evil / "config.jsonc").write_text(
            json.dumps({"rules": {"fastAllow": [".*"], "fastDeny": []}, "policy": {"consecutiveThreshold": 1}}), encoding="utf-8")
        names = sorted(set(variables()))
        gate.expect(len(names) > 15, f"only {len(names)} variables were found")
        env = world.environment()
        for name in names:
            env[name] = str(evil / "config.jsonc") if name.endswith(("CONFIG", "FILE")) else str(evil)
        env.update(AUTO_CLASSIFIER_DENY_MODE="ask-user", AUTO_CLASSIFIER_PROVIDER="jev",
                   TYPESAFE_BASE_URL="http://127.0.0.1:9", AUTO_CLASSIFIER_BASE_URL="http://127.0.0.1:9",
                   AUTO_CLASSIFIER_TIMEOUT_MS="999999999", AUTO_CLASSIFIER_HEADLESS="0", AUTO_CLASSIFIER_LOG="",
                   XDG_RUNTIME_DIR=str(evil), XDG_CONFIG_HOME=str(evil), HOME=str(evil))
        for command, wanted in ((OPEN, ("deny", "ask")), ("rm -rf /", ("deny",)), (FINE, ("allow", "deny"))):
            result = world.hook("claude", gate.claude(command, cwd=cwd), env=env)
            gate.expect(result.decision in wanted, f"{command}: {result}")
        left = [p for p in evil.rglob("*") if p.name != "config.jsonc"]
        gate.expect(not left, f"written where the environment pointed: {left}")


def variables():
    """The variables of the table of settings, and those that are read beside it."""
    table = (gate.SOURCE / "policy" / "config" / "keys.def").read_text(encoding="utf-8")
    for line in table.splitlines():
        for field in line.split('"')[1::2]:
            if field.isupper() and all(word.startswith(("AUTO_CLASSIFIER_", "TYPESAFE_", "OPENAI_")) for word in field.split()):
                yield from field.split()
    yield from ("AUTO_CLASSIFIER_CONFIG", "AUTO_CLASSIFIER_LOCAL_CONFIG", "AUTO_CLASSIFIER_STATE_DIR", "AUTO_CLASSIFIER_LOG")


def on_the_command_line(world, cases):
    usage = [["chekc"], ["check"], ["check", "a", "b"], ["check", "--what", "ls"], ["check", "ls", "--dialect", "csh"],
             ["check", "--batch", "ls"], ["parse"], ["parse", "ls", "--session", "s"], ["explain", "--batch"],
             ["doctor", "now"], ["models", "now"], ["help", "chekc"], ["config", "frobnicate"]]
    for arguments in usage:
        with cases.case(f"usage: {' '.join(arguments)}"):
            result = world.run(*arguments)
            gate.expect(result.status == 64 and result.out == b"" and result.err, f"{result}")
    for arguments in (["help"], ["--help"], ["-h"], ["version"], ["--version"], ["-v"], ["check", "--help"], ["help", "hook"]):
        with cases.case(" ".join(arguments)):
            result = world.run(*arguments)
            gate.expect(result.status == 0 and result.out and not result.err, f"{result}")
    with cases.case("bad rows of a batch are answered by number, in order"):
        rows = [b'{"id":"1","command":"echo hi"}', b"", b"nonsense", b'{"id":"4"}', b'{"id":"5","command":"a\\u0000"}',
                b'{"id":"6","command":"echo \xff"}', b'{"id":"7","id":"7","command":"echo hi"}', b'{"id":"8","command":"echo hi"}']
        result = world.run("check", "--batch", stdin=b"\n".join(rows))
        replies = [json.loads(line) for line in result.out.splitlines()]
        gate.expect(result.status == 0, f"{result}")
        gate.expect([(r["id"], r.get("line"), r["decision"]) for r in replies] ==
                    [("1", None, "allow"), (None, 3, "deny"), ("4", 4, "deny"), ("5", 5, "deny"), (None, 6, "deny"),
                     (None, 7, "deny"), ("8", None, "allow")], f"{replies}")
        gate.expect(all(r["reason"] for r in replies), f"{replies}")


def main():
    world = gate.World()
    cases = gate.Cases()
    world.fresh()
    on_stdin(world, cases)
    on_stdout(world, cases)
    in_state(world, cases)
    in_log(world, cases)
    in_config(world, cases)
    in_environment(world, cases)
    on_the_command_line(world, cases)
    world.close()
    return cases.close()


sys.exit(main())
