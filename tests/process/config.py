# SPDX-License-Identifier: Apache-2.0
"""`config show`, `config check` and `config path` from outside, and settings as a hook obeys them."""

import json
import os
import pathlib
import sys

import gate

PLANTED = "planted-" + "key-value-0123456789"


def shown(world, *arguments, **env):
    result = world.run("config", "show", *arguments, env=world.environment(**env))
    return result, json.loads(result.out)


def on_show(world, cases):
    with cases.case("bare config is config show, and keeps the table's order"):
        world.fresh()
        plain, bare = world.run("config", "show"), world.run("config")
        gate.expect(plain.status == 0 and plain.out == bare.out and not plain.err, f"{plain}\n{bare}")
        gate.expect(list(plain.json())[:4] == ["environment", "sanctionedRemotes", "sanctionedRemotesFile", "llm"], f"{plain}")
    with cases.case("what is shown can be used as a configuration that shows the same"):
        world.fresh()
        world.config({"policy": {"consecutiveThreshold": 3}, "rules": {"fastAllow": ["^x\\b"]}, "jev": {"riskThreshold": 0.55}})
        first = world.run("config", "show")
        world.config(first.out.decode())
        second = world.run("config", "show")
        gate.expect(first.out == second.out, f"{first}\n{second}")
        gate.expect(world.run("config", "check").status == 0, "what is shown is in order")
    with cases.case("origins: file, overlay, environment, default"):
        world.fresh()
        world.config({"llm": {"model": "file", "triageModel": "file"}})
        world.config({"llm": {"triageModel": "overlay"}}, "local.jsonc")
        result, all_ = shown(world, "--origin", AUTO_CLASSIFIER_MODEL="variable")
        gate.expect(all_["llm"]["model"] == {"value": "variable", "origin": "environment"}, f"{result}")
        gate.expect(all_["llm"]["triageModel"] == {"value": "overlay", "origin": "overlay"}, f"{result}")
        gate.expect(all_["llm"]["timeoutMs"] == {"value": 15000, "origin": "default"}, f"{result}")
    with cases.case("a key is shown as set, wherever it comes from, and its value nowhere"):
        for config, env in (({"llm": {"apiKey": PLANTED}}, {}), ({}, {"AUTO_CLASSIFIER_API_KEY": PLANTED}),
                            ({}, {"OPENAI_API_KEY": PLANTED}), ({"llm": {"apiKey": "env:MINE"}}, {"MINE": PLANTED})):
            world.fresh()
            world.config(config)
            for command in (["config", "show"], ["config", "show", "--origin"], ["config", "check"], ["config", "path"]):
                result = world.run(*command, env=world.environment(**env))
                gate.expect(result.status == 0, f"{result}")
                gate.expect(PLANTED.encode() not in result.out + result.err, f"{command}: {result}")
            gate.expect(shown(world, **env)[1]["llm"]["apiKey"] == "[set]", f"{config} {env}")
        world.fresh()
        gate.expect(shown(world)[1]["llm"]["apiKey"] == "", "no key")


def on_check(world, cases):
    with cases.case("in order"):
        world.fresh()
        world.config("// nothing to say\n{ \"policy\": { \"headless\": true, }, }\n")
        result = world.run("config", "check")
        gate.expect(result.status == 0 and result.out == b"The configuration is in order.\n", f"{result}")
    with cases.case("an error has its place, a warning its suggestion"):
        world.fresh()
        path = world.config('{\n  "llm": { "modle": "m",\n    "timeoutMs": "soon" }\n}')
        result = world.run("config", "check")
        gate.expect(result.status == 1, f"{result}")
        lines = result.out.decode().splitlines()
        gate.expect(f"warning: {path}:2:12: llm.modle: no such setting; did you mean llm.model?" in lines, f"{result}")
        gate.expect(f"error: {path}:3:5: llm.timeoutMs: must be a whole number" in lines, f"{result}")
    with cases.case("a key that stands in a broken file is not told"):
        world.fresh()
        for text in ('{"llm": {"apiKey": "%s"', '{"llm": {"apiKey": ["%s"]}}', '{"llm": {"apiKey": "%s", "apiKey": "%s"}}'):
            world.config(text.replace("%s", PLANTED))
            for command in (["config", "check"], ["config", "show"], ["doctor"], ["check", "echo hi"]):
                result = world.run(*command)
                gate.expect(PLANTED.encode() not in result.out + result.err, f"{command}: {result}")
            gate.expect(world.run("config", "check").status == 1, text)
    with cases.case("a broken overlay"):
        world.fresh()
        world.config({})
        world.config("{", "local.jsonc")
        result = world.run("config", "check")
        gate.expect(result.status == 1 and b"local.jsonc:1:2: syntax error" in result.out, f"{result}")
    with cases.case("variables that a hook ignores are told, and count for a person"):
        world.fresh()
        result = world.run("config", "check", env=world.environment(AUTO_CLASSIFIER_BASE_URL="https://elsewhere.example.org"))
        gate.expect(result.status == 0 and b"warning: AUTO_CLASSIFIER_BASE_URL: llm.baseUrl: does not count in a hook" in result.out,
                    f"{result}")
    with cases.case("control characters of a file do not reach the terminal"):
        world.fresh()
        world.config('{"\\u001b[31m\\u202e": 1}')
        result = world.run("config", "check")
        gate.expect(b"\x1b" not in result.out and "\u202e" not in result.out.decode(), f"{result}")


def on_deny(world, cases):
    with cases.case("a deny for a broken file says where it is broken"):
        cwd = world.fresh()
        path = world.config('{\n "policy": {\n "headless": 1 } }')
        reply = world.hook("claude", gate.claude("echo hi", cwd=cwd))
        gate.expect(reply.decision == "deny" and f"{path}:3:2: policy.headless: must be true or false" in reply.verdict()[1],
                    f"{reply}")


def on_path(world, cases):
    with cases.case("where files are looked for, and which were read"):
        world.fresh()
        path = world.config({"sanctionedRemotesFile": "remotes.json"})
        lines = dict(line.split(None, 1) for line in world.run("config", "path").out.decode().splitlines())
        gate.expect(lines["file"] == str(path), f"{lines}")
        gate.expect(lines["overlay"].endswith("local.jsonc  (not read)"), f"{lines}")
        gate.expect(lines["remotes"] == f"{path.parent}/remotes.json  (not read)", f"{lines}")
        gate.expect(lines["floor"].startswith("/etc/auto-classifier/policy.jsonc"), f"{lines}")


def on_hooks(world, cases):
    with cases.case("rules of the file count in a hook"):
        cwd = world.fresh()
        world.config({"rules": {"fastDeny": ["^frobnicate --gently"], "fastAllow": ["^frobnicate"]}})
        reply = world.hook("claude", gate.claude("frobnicate --gently", cwd=cwd))
        gate.expect(reply.decision == "deny" and "frobnicate" in reply.verdict()[1], f"{reply}")
        reply = world.hook("claude", gate.claude("frobnicate --hard", session="s-2", cwd=cwd))
        gate.expect(reply.decision == "allow", f"{reply}")
    with cases.case("a file that a variable names counts in a hook only where the usual file trusts the environment"):
        for trusted in (False, True):
            cwd = world.fresh()
            other = world.config({"rules": {"fastAllow": ["^frobnicate"]}}, "other.jsonc")
            world.config({"environment": "trusted"} if trusted else {})
            env = world.environment(AUTO_CLASSIFIER_CONFIG=str(other))
            reply = world.hook("claude", gate.claude("frobnicate --hard", cwd=cwd), env=env)
            gate.expect(reply.decision == ("allow" if trusted else "deny"), f"trusted {trusted}: {reply}")
            person = world.check("frobnicate --hard", env=env)
            gate.expect(person.json()["decision"] == "allow", f"{person}")
    with cases.case("$HOME does not move a hook's configuration"):
        cwd = world.fresh()
        world.config({"rules": {"fastDeny": ["^echo forbidden"]}})
        evil = cwd / "home" / ".config" / "auto-classifier"
        evil.mkdir(parents=True)
        (evil / "config.jsonc").write_text('{"rules": {"fastDeny": [], "fastAllow": ["^"]}}', encoding="utf-8")
        reply = world.hook("claude", gate.claude("echo forbidden", cwd=cwd), env=world.environment(HOME=str(cwd / "home")))
        gate.expect(reply.decision == "deny", f"{reply}")
    with cases.case("a broken overlay leaves nobody to ask"):
        cwd = world.fresh()
        world.config({"policy": {"denyMode": "ask-user"}})
        world.config("{", "local.jsonc")
        for _ in range(3):
            reply = world.hook("claude", gate.claude("frobnicate --all", cwd=cwd))
            gate.expect(reply.decision == "deny", f"{reply}")
        reply = world.hook("claude", gate.claude("echo hi", cwd=cwd))
        gate.expect(reply.decision == "allow", f"{reply}")


def on_name_service(world, cases):
    """A user of whom the file knows nothing: the name service is asked, with a stand-in for the program that does."""
    asked, getent = world.scratch / "asked", pathlib.Path("/usr/bin/getent")
    if not getent.exists():
        return
    stand_in = world.scratch / "getent"
    stand_in.write_text(f"#!/bin/sh\necho \"$*\" >{asked}\necho \"me:x:{os.getuid()}:1::{world.home}:/bin/sh\"\n",
                        encoding="utf-8")
    stand_in.chmod(0o755)
    passwd = pathlib.Path("/etc/passwd")
    known = passwd.read_text(encoding="utf-8")
    gate.bind(stand_in, getent)
    cwd = world.fresh()
    world.config({"rules": {"fastDeny": ["^echo forbidden", "^echo banned"]}})
    with cases.case("a user in passwd's file is looked for nowhere else"):
        reply = world.hook("claude", gate.claude("echo forbidden", cwd=cwd))
        gate.expect(reply.decision == "deny" and not asked.exists(), f"{reply}")
    with cases.case("another one's home is the name service's, and his configuration counts"):
        passwd.write_text("".join(line for line in known.splitlines(True) if line.split(":")[2:3] != [str(os.getuid())]),
                          encoding="utf-8")
        for command, decision in (("echo banned", "deny"), ("echo hi", "allow")):
            reply = world.hook("claude", gate.claude(command, cwd=cwd))
            gate.expect(reply.decision == decision, f"{command}: {reply}")
        gate.expect(asked.read_text(encoding="utf-8") == f"passwd {os.getuid()}\n", "not asked as getent(1) is")
    passwd.write_text(known, encoding="utf-8")


def main():
    world = gate.World()
    cases = gate.Cases()
    on_show(world, cases)
    on_check(world, cases)
    on_deny(world, cases)
    on_path(world, cases)
    on_hooks(world, cases)
    on_name_service(world, cases)
    world.close()
    return cases.close()


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main())
