# SPDX-License-Identifier: Apache-2.0
"""
Keys: where they are taken from, to whom they go, and that they are nowhere else: no memory, argument, environment, log,
telemetry, state or reply of any process but netproc's own, whatever the judge does.
"""

import os
import pathlib
import random
import sys
import threading
import time

from rig import Rig, gate, expect_allowed, expect_denied, expect_failed
from servers import Server, raw, silent, status

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


def scan(guard, found, seen):
    needle = CANARY.encode()
    for pid in [guard, *gate.children(guard)]:
        name = "guard" if pid == guard else gate.role(pid)
        try:
            for kind in ("cmdline", "environ"):
                if pid != guard and needle in pathlib.Path(f"/proc/{pid}/{kind}").read_bytes():
                    found.add((name, kind))
            if name != "netproc" and any(needle in block for block in readable_memory(pid)):
                found.add((name, "memory"))
            seen.add(name)
        except OSError:
            continue  # it has ended


def watched(rig, payload, env):
    """The reply, where the key was seen while it came about, and which processes were looked into."""
    process = rig.world.start("hook", "claude", env=env)
    found, seen, stop = set(), set(), threading.Event()

    def look():
        time.sleep(0.05)
        while not stop.is_set():
            scan(process.pid, found, seen)
            time.sleep(0.02)
    watcher = threading.Thread(target=look)
    watcher.start()
    result = gate.finish(process, payload)
    stop.set()
    watcher.join()
    return result, found, seen


def canary(rig):
    def slow(answer):
        def slowly(handler, body):
            time.sleep(0.4)
            answer(handler, body)
        return slowly

    server = Server(key=CANARY, tls=rig.authority.issue("localhost"))
    allow = server.answer
    echo = (lambda handler, body: handler.reply(400, {"error": {"message": "bad key " + CANARY}}))
    seen_all = set()
    for name, answer in (("allow", allow), ("an error that repeats the key", echo), ("401", status(401, b"no")),
                         ("torn", raw(b"HTTP/1.1 200 OK\r\n")), ("silence", silent(3)), ("redirect", status(302))):
        for kind in ("literal", "variable"):
            with rig.cases.case(f"canary: {name}, {kind}"):
                server.reset(slow(answer))
                rig.configure(server, env={} if kind == "variable" else None)
                extra = {"TYPESAFE_API_KEY": CANARY} if kind == "variable" else {}
                rig.n += 1
                result, found, seen = watched(rig, gate.claude(f"frobnicate {rig.n}", session=f"c-{rig.n}"),
                                              rig.world.environment(**extra))
                seen_all |= seen
                gate.expect(not found, found)
                gate.expect(CANARY.encode() not in result.out + result.err, result)
                config = rig.world.home / ".config" / "auto-classifier"
                for path in rig.world.home.rglob("*"):
                    if path.is_file() and path.name != "config.jsonc":
                        gate.expect(CANARY.encode() not in path.read_bytes(), path)
                gate.expect(config.exists(), config)
    with rig.cases.case("canary: all of them were looked into"):
        gate.expect({"guard", "broker", "netproc"} <= seen_all, seen_all)


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
    return rig.close()


if __name__ == "__main__":
    sys.exit(main())
