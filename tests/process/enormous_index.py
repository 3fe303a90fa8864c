# SPDX-License-Identifier: Apache-2.0
"""
A repository whose index has half a million entries, made by git: every question about it ends as an answer or as a
refusal with its reason, and what cannot be known in time is never a reason to allow.
"""

import sys

import gate
import repositories

ENTRIES = 500_000
SCRIPT = "#!/bin/sh\nframesign --release\n"
# Harmless whatever the index says; and what would lose work, which only the index knows of.
HARMLESS = ("ls -la", "git log -1", "cat README.md", "make")
ANSWERED = ("git status", "git diff --stat", "./tool.sh", "git add README.md", "rm -rf src", "git stash", "git push origin main")
LOSING = ("git checkout -- README.md", "git restore .", "git reset --hard", "git clean -fdx")


def build(world):
    app = world.fresh() / "app"
    repositories.git(app.parent, "init", "-q", "-b", "main", str(app))
    for name, text in (("README.md", "An application.\n"), ("tool.sh", SCRIPT), ("src/main.c", "int main;\n"),
                       ("Makefile", "all:\n\t@true\n")):
        (app / name).parent.mkdir(exist_ok=True)
        (app / name).write_text(text, encoding="utf-8")
    (app / "tool.sh").chmod(0o755)
    repositories.git(app, "add", "-A")
    repositories.git(app, "commit", "-q", "-m", "Begin")
    repositories.git(app, "remote", "add", "origin", "https://forge.example.net/team/app.git")
    repositories.git(app, "update-ref", "refs/remotes/origin/main", "HEAD")
    repositories.enormous_index(app, ENTRIES)
    (app / "README.md").write_text("An afternoon's work.\n", encoding="utf-8")
    return app


def decided(world, app, command):
    result = world.check(command, "--session", "of-" + command, "--cwd", str(app))
    reply = result.json()
    gate.expect(reply["decision"] in ("allow", "deny") and reply["reason"] and result.err == b"", result)
    gate.expect(result.status == {"allow": 0, "deny": 2}[reply["decision"]], result)
    gate.expect(reply["source"] not in ("error", None), result)
    return reply


def main():
    world, cases = gate.World(), gate.Cases()
    app = build(world)
    world.config({"llm": {"provider": "offline"}, "sanctionedRemotes": ["forge.example.net"]})
    for command in HARMLESS + ANSWERED + LOSING:
        with cases.case(command):
            reply = decided(world, app, command)
            gate.expect(command not in HARMLESS or reply["decision"] == "allow", reply)
            gate.expect(command not in LOSING or reply["decision"] == "deny", reply)
    with cases.case("other repositories are answered as ever"):
        (app / ".git" / "index").unlink()
        repositories.git(app, "reset", "-q")
        gate.expect(decided(world, app, "git restore README.md")["decision"] == "deny", "allowed")
        gate.expect(decided(world, app, "git restore --staged README.md")["decision"] == "allow", "denied")
    world.close()
    return cases.close()


if __name__ == "__main__":
    sys.exit(main())
