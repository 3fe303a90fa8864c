# SPDX-License-Identifier: Apache-2.0
"""Real repositories in a world of their own, and verdicts about commands run in them."""

import subprocess

import gate

PUSH_CONFIG = {"sanctionedRemotes": ["forge.example.net/team", "*.corp.example"]}


class Repositories:
    def __init__(self, world):
        self.world = world
        self.cwd = world.fresh()
        self.environment = world.environment(
            GIT_AUTHOR_NAME="Ada", GIT_AUTHOR_EMAIL="ada@example.org", GIT_COMMITTER_NAME="Ada",
            GIT_COMMITTER_EMAIL="ada@example.org", GIT_CONFIG_NOSYSTEM="1")
        self.count = 0

    def git(self, directory, *arguments):
        subprocess.run(["git", "-C", str(directory), *arguments], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def new(self, name="app", branch="feature"):
        app = self.cwd / name
        self.git(self.cwd, "init", "-q", "-b", branch, str(app))
        (app / "run.sh").write_text("#!/bin/sh\necho x\n", encoding="utf-8")
        self.git(app, "add", ".")
        self.git(app, "commit", "-q", "-m", "one")
        self.git(app, "remote", "add", "origin", "https://forge.example.net/team/app.git")
        return app

    def verdict(self, command, directory, env=None, session=None):
        """(decision, source, reason) of a session of its own, or of the one named."""
        self.count += 1
        done = self.world.check(command, "--session", session or f"s{self.count}", "--cwd", str(directory), env=env)
        reply = done.json()
        return reply["decision"], reply["source"], reply.get("reason", "")

    def becomes(self, wanted, command, directory, env=None, session=None):
        """The first verdict that is wanted, else the last: a busy machine may take longer than a repository is given."""
        for _ in range(20):
            verdict = self.verdict(command, directory, env, session)
            if wanted(verdict):
                break
        return verdict

    def allows(self, command, directory, env=None):
        verdict = self.becomes(lambda v: v[0] == "allow", command, directory, env)
        gate.expect(verdict[0] == "allow", f"{command}: {verdict}")

    def lands(self, command, directory, session=None):
        verdict = self.becomes(lambda v: v[:2] == ("allow", "landed"), command, directory, session=session)
        gate.expect(verdict[:2] == ("allow", "landed"), f"{command}: {verdict}")

    def stops(self, command, directory, why="", env=None, source=None):
        def wanted(verdict):
            return verdict[0] != "allow" and why in verdict[2] and source in (None, verdict[1])

        verdict = self.verdict(command, directory, env)
        gate.expect(verdict[0] != "allow", f"{command}: {verdict}")
        if not wanted(verdict):
            verdict = self.becomes(wanted, command, directory, env)
        gate.expect(wanted(verdict), f"{command}: {verdict}")


def executable(path, text="#!/bin/sh\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
