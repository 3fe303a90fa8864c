# SPDX-License-Identifier: Apache-2.0
"""
Keys: where they are taken from, to whom they go, and that they are nowhere else: no memory, argument, environment, log,
telemetry, state or reply of any process but netproc's own, whatever the judge does.
"""

import contextlib
import os
import pathlib
import random
import resource
import signal
import socket
import sys
import threading
import time

import failures
from rig import Rig, gate, expect_allowed, expect_denied, expect_failed
from servers import Server, raw, status

CANARY = "sk-canary-" + "".join(random.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(40))


def sources(rig, server):
    """Each way to a key, and each that must not be one."""
    folder = rig.world.home / "keys"

    def key_file(text, mode=0o600):
        folder.mkdir(exist_ok=True)
        path = folder / "key"
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
        return str(path)

    section = "jev" if server.jev else "llm"
    own = "TYPESAFE_API_KEY" if server.jev else "AUTO_CLASSIFIER_API_KEY"
    for name, members, env in (
            ("a literal", {"apiKey": server.key}, {}),
            ("a variable that the file names", {"apiKey": "env:SOME_KEY"}, {"SOME_KEY": server.key}),
            ("its own variable", {}, {own: server.key}),
            ("the variable before the literal", {"apiKey": "wrong"}, {own: server.key}),
            *([] if server.jev else [
                ("a weaker variable", {}, {"OPENAI_API_KEY": server.key}),
                ("the stronger variable first", {}, {own: server.key, "OPENAI_API_KEY": "wrong"}),
                ("a file", {"apiKeyFile": key_file(server.key + "\n")}, {}),
                ("a file below ~", {"apiKeyFile": "~/keys/key"}, {})])):
        with rig.cases.case(f"{section}: key from {name}"):
            server.reset()
            rig.configure(server, env=env, **{section: members})
            expect_allowed(*rig.ask(env=env))
    for name, members, env in (
            ("nowhere", {}, {}), ("an empty variable", {}, {own: ""}), ("a blank one", {}, {own: "  "}),
            ("one with a line break", {}, {own: server.key + "\r\nX-Evil: 1"}),
            ("a variable that is not set", {"apiKey": "env:SOME_KEY"}, {}),
            *([] if server.jev else [("a file that is not there", {"apiKeyFile": "~/keys/none"}, {}),
                                     ("a folder", {"apiKeyFile": "~/keys"}, {})])):
        with rig.cases.case(f"{section}: no key from {name}"):
            server.reset()
            rig.configure(server, env={}, **{section: members})
            result, row = rig.ask(env=env)
            gate.expect(result.decision == "deny" and row["source"] in ("error", "offline"), (result, row))
            gate.expect(not any("X-Evil" in headers for _, headers, _ in server.requests), server.requests)


def pairing(rig, server):
    """An address that a variable chose gets no key: whoever can set variables could have every key sent to themselves."""
    with rig.cases.case("a hook's environment moves no address"):
        rig.configure(server, env={}, jev={"baseUrl": "https://localhost:1"})
        server.reset()
        result, _ = rig.ask(env={"TYPESAFE_API_KEY": server.key, "TYPESAFE_BASE_URL": server.url})
        gate.expect(result.decision == "deny" and not server.requests, (result, server.requests))
    with rig.cases.case("where a person's own command takes it, no key goes along"):
        rig.world.config({"log": {"path": "~/gate.log"}, "llm": {"caFile": rig.authority.ca, "totalTimeoutMs": 2000}})
        server.reset()
        result = rig.world.check("frobnicate --pair", env=rig.world.environment(
            TYPESAFE_API_KEY=server.key, TYPESAFE_BASE_URL=server.url))
        gate.expect(result.json()["decision"] == "deny", result)
        gate.expect(not any("Authorization" in headers for _, headers, _ in server.requests), server.requests)
    with rig.cases.case("a file that trusts the environment pairs them"):
        rig.world.config({"environment": "trusted", "llm": {"caFile": rig.authority.ca}})
        server.reset()
        expect_allowed(*rig.ask(env={"TYPESAFE_API_KEY": server.key, "TYPESAFE_BASE_URL": server.url}))


def no_redirect(rig, server):
    thief = Server(key=None)
    with rig.cases.case("a redirect takes no key elsewhere"):
        rig.configure(server)
        server.reset(status(307, b"", [("Location", thief.url + "/v1/systemone")]))
        expect_failed(*rig.ask(), "HTTP status 307")
        gate.expect(not thief.requests, thief.requests)


def readable_memory(pid):
    """Every mapped byte of a process, as far as we may look."""
    with open(f"/proc/{pid}/maps", encoding="ascii", errors="replace") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
        for line in maps:
            span, rights = line.split()[:2]
            low, high = (int(n, 16) for n in span.split("-"))
            if rights[0] != "r" or "[v" in line:
                continue
            try:
                mem.seek(low)
                yield mem.read(high - low)
            except (OSError, ValueError, OverflowError):
                continue


def scan(guard, found, seen, allowed=("netproc",)):
    needle = CANARY.encode()
    for pid in [guard, *gate.children(guard)]:
        name = "guard" if pid == guard else gate.role(pid)
        try:
            for kind in ("cmdline", "environ"):
                if pid != guard and needle in pathlib.Path(f"/proc/{pid}/{kind}").read_bytes():
                    found.add((name, kind))
            if name not in allowed and any(needle in block for block in readable_memory(pid)):
                found.add((name, "memory"))
            seen.add(name)
        except OSError:
            continue  # it has ended


def watched(rig, payload, env, allowed=("netproc",)):
    """The reply, where the key was seen while it came about, and which processes were looked into."""
    process = rig.world.start("hook", "claude", env=env)
    found, seen, stop = set(), set(), threading.Event()
    # A worker's life is a few milliseconds: it is held until one look has met it with the request under way.
    worker = gate.wait_child(process.pid, "worker")

    def look():
        while not stop.is_set():
            scan(process.pid, found, seen, allowed)
            with contextlib.suppress(OSError):
                os.kill(worker, signal.SIGCONT)
            time.sleep(0.01)
    os.kill(worker, signal.SIGSTOP)
    watcher = threading.Thread(target=look)
    watcher.start()
    result = gate.finish(process, payload)
    stop.set()
    watcher.join()
    return result, found, seen


def slow(answer):
    """Late enough for every process to be looked into while netproc holds the key."""
    def slowly(handler, body):
        time.sleep(0.2)
        answer(handler, body)
    return slowly


def key_sources(rig, section):
    """name: (members of the section, variables) of every way to the key."""
    path = rig.world.home / "keys" / "canary"
    path.parent.mkdir(exist_ok=True)
    path.write_text(CANARY + "\n", encoding="ascii")
    path.chmod(0o600)
    own = {"jev": "TYPESAFE_API_KEY", "llm": "AUTO_CLASSIFIER_API_KEY"}[section]
    return {"a literal": ({"apiKey": CANARY}, {}), "its variable": ({}, {own: CANARY}),
            "a named variable": ({"apiKey": "env:SOME_KEY"}, {"SOME_KEY": CANARY}),
            "a file": ({"apiKeyFile": str(path)}, {})}


def written(rig, allowed):
    """Files of the home and the scratch directory that hold the key and may not."""
    needle = CANARY.encode()
    return [path for top in (rig.world.home, rig.world.scratch) for path in top.rglob("*")
            if path.is_file() and path not in allowed and needle in path.read_bytes()]


def hidden(rig, server, source, allowed_files):
    """One call, looked at from all sides."""
    rig.n += 1
    members, variables = source
    section = "jev" if server.jev else "llm"
    rig.configure(server, env=variables, **{section: members})
    server.script = [slow(server.answer)]
    result, found, seen = watched(rig, gate.claude(f"frobnicate {rig.n}", session=f"c-{rig.n}", cwd=rig.world.scratch),
                                  rig.world.environment(**variables))
    gate.expect(not found, found)
    gate.expect(CANARY.encode() not in result.out + result.err, result)
    left = written(rig, allowed_files)
    gate.expect(not left, left)
    for path, headers, body in server.requests:
        told = repr((path, body, {k: v for k, v in headers.items() if k != "Authorization"}))
        gate.expect(CANARY not in told, told)
    return result, seen


def canary(rig):
    """In every failure of every kind of judge, by every way to the key."""
    config = rig.world.home / ".config" / "auto-classifier" / "config.jsonc"
    allowed = {config, rig.world.home / "keys" / "canary"}
    seen = set()
    echo = status(400, {"error": {"message": "bad key " + CANARY}})
    escaped = status(400, b'{"error": {"message": "bad key %s"}}' % "".join(
        f"\\u{ord(c):04{'x' if i % 2 else 'X'}}" if i % 3 else c for i, c in enumerate(CANARY)).encode())
    other = raw(b"HTTP/1.1 200 OK\r\nX-Key: " + CANARY.encode() + b"\r\nContent-Length: 2\r\n\r\n{}")
    for jev in (True, False):
        server = Server(jev=jev, key=CANARY, tls=rig.authority.issue("localhost"))
        ways = key_sources(rig, "jev" if jev else "llm")
        answers = {"allow": (server.answer, None), "an error that repeats the key": (echo, None),
                   "an error that repeats it escaped": (escaped, None), "a header that repeats it": (other, None), **failures.WIRE, **(failures.JEV if jev else failures.CHAT)}
        for number, (name, (answer, _)) in enumerate(answers.items()):
            way = list(ways)[number % len(ways)]
            with rig.cases.case(f"canary, {'jev' if jev else 'chat'}: {name}, key from {way}"):
                server.reset(answer)
                result, looked = hidden(rig, server, ways[way], allowed)
                seen |= looked
                gate.expect(result.decision == ("allow" if name == "allow" else "deny"), result)
    with rig.cases.case("canary: all of them were looked into"):
        gate.expect({"guard", "broker", "worker", "netproc"} <= seen, seen)


def unasked(rig):
    """No request is made, and the key is there all the same."""
    config = rig.world.home / ".config" / "auto-classifier" / "config.jsonc"
    allowed = {config, rig.world.home / "keys" / "canary"}
    server = Server(key=CANARY, tls=rig.authority.issue("localhost"))
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    for name, url in (("refused", f"https://localhost:{port}"), ("no such host", "https://nobody.invalid"),
                      ("another's certificate", None), ("an address that may not be asked", "http://example.com")):
        for way, (members, variables) in key_sources(rig, "jev").items():
            with rig.cases.case(f"canary, unasked: {name}, key from {way}"):
                server.reset()
                more = {"llm": {"caFile": ""}} if url is None else {}
                source = ({**members, "baseUrl": url or server.url}, variables)
                rig.configure(server, env=variables, jev=source[0], **more)
                result, found, _ = watched(rig, gate.claude("frobnicate", session=f"u-{rig.n}", cwd=rig.world.scratch),
                                           rig.world.environment(**variables))
                rig.n += 1
                gate.expect(result.decision in ("deny", "ask") and not server.requests, result)
                gate.expect(not found and not written(rig, allowed), (found, written(rig, allowed)))
    for name, text in (("broken configuration", '{"jev": {"apiKey": "%s", "timeoutMs": "x"}}'),
                       ("a torn one", '{"jev": {"apiKey": "%s"'), ("a key of another type", '{"jev": {"apiKey": ["%s"]}}'),
                       ("a key in a wrong place", '{"llm": {"jev": {"apiKey": "%s"}}}')):
        with rig.cases.case(f"canary, unasked: {name}"):
            rig.world.config(text % CANARY)
            result, found, _ = watched(rig, gate.claude("frobnicate", session=f"u-{rig.n}", cwd=rig.world.scratch),
                                       rig.world.environment())
            rig.n += 1
            gate.expect(CANARY.encode() not in result.out + result.err, result)
            gate.expect(not found and not written(rig, allowed), (found, written(rig, allowed)))
            for command in (("config", "show"), ("config", "check"), ("doctor",)):
                shown = rig.world.run(*command)
                gate.expect(CANARY.encode() not in shown.out + shown.err, (command, shown))


def before_connected(rig):
    """As long as netproc may still reach any host, it does not know the key either."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full, contextlib.ExitStack() as stack:
        for _ in range(4):  # what waits to be accepted fills the queue: the next connection is made by nobody
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        for way, (members, variables) in key_sources(rig, "jev").items():
            with rig.cases.case(f"canary: before the connection stands, key from {way}"):
                rig.configure(Server(key=CANARY), env=variables,
                              jev={**members, "baseUrl": f"https://localhost:{full.getsockname()[1]}"})
                result, found, seen = watched(rig, gate.claude("frobnicate", session=f"b-{rig.n}", cwd=rig.world.scratch),
                                              rig.world.environment(**variables), allowed=())
                rig.n += 1
                gate.expect(result.decision == "deny" and "in time" in result.verdict()[1], result)
                gate.expect("netproc" in seen and not found, (seen, found))


def helper(rig):
    """With jev.command no process of ours has a key, nor is one handed to the program."""
    program = rig.world.scratch / "ask"
    program.write_text("#!/bin/sh\nenv > %s\ncat > /dev/null\nsleep 0.3\n" % (rig.world.scratch / "told"), encoding="ascii")
    program.chmod(0o755)
    config = rig.world.config({"jev": {"command": [str(program)], "apiKey": CANARY}, "log": {"path": "~/gate.log"}})
    variables = {"TYPESAFE_API_KEY": CANARY, "AUTO_CLASSIFIER_API_KEY": CANARY, "OPENAI_API_KEY": CANARY}
    with rig.cases.case("canary: a helper asks"):
        result, found, seen = watched(rig, gate.claude("frobnicate", session="h", cwd=rig.world.scratch),
                                      rig.world.environment(**variables))
        gate.expect(result.decision == "deny" and "netproc" not in seen, (result, seen))
        gate.expect(not found and CANARY.encode() not in result.out + result.err, (found, result))
        left = written(rig, {config, rig.world.home / "keys" / "canary"})
        gate.expect((rig.world.scratch / "told").exists() and not left, left)


def cores(rig):
    """Each process is made to die with a core while netproc holds the key: none is left that holds it."""
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text(encoding="ascii").strip()
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    if pattern.startswith(("|", "/")) or most == 0:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))
    server = Server(key=CANARY, tls=rig.authority.issue("localhost"))
    holding = threading.Event()

    def held(handler, body):
        holding.set()
        time.sleep(0.6)
        handler.reply(200, {})
    for victim in ("netproc", "broker", "guard"):
        for way, (members, variables) in key_sources(rig, "jev").items():
            with rig.cases.case(f"core: {victim}, key from {way}"):
                server.reset(held)
                holding.clear()
                rig.configure(server, env=variables, jev=members)
                process = rig.world.start("hook", "claude", env=rig.world.environment(**variables))
                threading.Thread(target=lambda: (holding.wait(5), strike(process.pid, victim))).start()
                result = gate.finish(process, gate.claude("frobnicate", session=f"core-{rig.n}", cwd=rig.world.scratch))
                rig.n += 1
                gate.expect(holding.is_set(), "netproc never asked")
                gate.expect(victim == "guard" or result.decision in ("deny", "ask"), result)
                left = [p for p in rig.world.scratch.rglob("core*") if p.is_file() and CANARY.encode() in p.read_bytes()]
                gate.expect(not left, left)


def strike(guard, victim):
    for pid in [guard, *gate.children(guard)]:
        if (pid == guard) == (victim == "guard") and (pid == guard or gate.role(pid) == victim):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGABRT)


def main():
    if os.geteuid() != 0:
        gate.skip("only root may look into undumpable processes")
    rig = Rig()
    jev = Server(jev=True, key="k-jev-0123456789", tls=rig.authority.issue("localhost"))
    talk = Server(jev=False, key="k-chat-0123456789")
    sources(rig, jev)
    sources(rig, talk)
    pairing(rig, jev)
    no_redirect(rig, jev)
    canary(rig)
    unasked(rig)
    before_connected(rig)
    helper(rig)
    cores(rig)
    return rig.close()


if __name__ == "__main__":
    sys.exit(main())
