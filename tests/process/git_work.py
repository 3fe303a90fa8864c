# SPDX-License-Identifier: Apache-2.0
"""What is lost, what is forged, where scripts come from: by real repositories, through the whole gate."""

import contextlib
import json
import shutil
import subprocess
import sys

import gate
from git_world import PUSH_CONFIG, Repositories, executable


def discards(r, cases):
    """Work is thrown away unasked where there is none that no commit holds."""
    app = r.new()
    (app / ".gitignore").write_text("out/\n", encoding="utf-8")
    (app / "src").mkdir()
    (app / "src/a.c").write_text("a\n", encoding="utf-8")
    r.git(app, "add", ".")
    r.git(app, "commit", "-q", "-m", "two")
    everything = ("git checkout -- run.sh", "git checkout .", "git restore run.sh src", "git reset --hard", "git clean -fd",
                  "git clean -fdx", "git stash drop", "git checkout -f", "git restore --source=HEAD~1 run.sh",
                  "git rm -f run.sh", "git -C src checkout -- a.c", "git reset --hard && git clean -fdx", "git reset --hard HEAD~1")
    with cases.case("a clean worktree"):
        for command in everything:
            r.allows(command, app)
    with cases.case("a changed file"):
        (app / "src/a.c").write_text("changed\n", encoding="utf-8")
        for command in ("git checkout .", "git restore src", "git reset --hard", "git checkout -f", "git -C src checkout -- a.c",
                        "git checkout HEAD~1 -- src", "git rm -f src/a.c", "git restore -SW src/a.c", "git reset --hard HEAD~1",
                        "git checkout -b other && git reset --hard main"):
            r.stops(command, app, "loses uncommitted work")
        for command in ("git checkout -- run.sh", "git clean -fdx", "git stash -u && git reset --hard HEAD~1"):
            r.allows(command, app)
        r.git(app, "add", ".")
        for command in ("git restore -SW src/a.c", "git reset --hard"):
            r.stops(command, app, "loses uncommitted work")
        r.git(app, "stash", "-q")
        r.stops("git stash drop", app, "loses uncommitted work")
        r.stops("git stash clear", app)
        r.allows("git reset --hard", app)
        r.git(app, "stash", "drop", "-q")
    with cases.case("untracked and ignored files"):
        (app / "note").write_text("x", encoding="utf-8")
        for command in ("git clean -fd", "git clean -f", "git clean -fdx", "git checkout -f", "git checkout HEAD~1 -- note"):
            r.stops(command, app, "loses uncommitted work")
        for command in ("git checkout .", "git reset --hard", "git clean -fd src", "git clean -fdX"):
            r.allows(command, app)
        (app / "note").unlink()
        (app / "out").mkdir()
        (app / "out/x").write_text("x", encoding="utf-8")
        r.stops("git clean -fdx", app, "loses uncommitted work")
        r.stops("git clean -fdX", app, "loses uncommitted work")
        r.allows("git clean -fd", app)
        shutil.rmtree(app / "out")
    with cases.case("another worktree"):
        r.git(app, "worktree", "add", "-q", "-b", "side", "../beside")
        (app / "src/a.c").write_text("changed\n", encoding="utf-8")
        r.allows("git worktree remove --force ../beside", app)
        r.allows("git worktree remove --force ../never", app)
        (r.cwd / "beside/note").write_text("x", encoding="utf-8")
        r.stops("git worktree remove --force ../beside", app, "loses uncommitted work")
        r.allows("git worktree remove ../beside", app)
        r.git(app, "add", ".")
        r.stops("git reset --merge", app, "loses uncommitted work")
        r.git(app, "reset", "-q", "--hard")
        r.allows("git reset --merge", app)
        r.git(app, "worktree", "remove", "--force", "../beside")
    with cases.case("what the line does before"):
        for command in ("touch x && git clean -fd", "git stash pop; git checkout .", "make; git checkout .",
                        "for i in 1 2; do git clean -fd; touch x; done", "git add x && git reset --hard"):
            r.stops(command, app)
        r.allows("git status && git diff && git checkout .", app)
    with cases.case("a submodule's work"):
        r.git(app, "config", "submodule.recurse", "true")
        r.stops("git reset --hard", app)
        r.git(app, "config", "--unset", "submodule.recurse")
        r.stops("git reset --hard --recurse-submodules", app)
    with cases.case("no repository"):
        (r.cwd / "plain").mkdir()
        r.stops("git reset --hard && git clean -fdx", r.cwd / "plain")


FORGERIES = (
    "git update-ref refs/remotes/origin/main HEAD", "git update-ref --stdin", "git replace HEAD~1 HEAD",
    "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/x", "git symbolic-ref -d refs/remotes/origin/HEAD",
    "git remote add x https://forge.example.net/team/x", "git remote set-url origin https://forge.example.net/team/x",
    "git remote rename x origin", "git remote set-head origin x", "git remote set-branches origin x",
    "git config remote.origin.url https://forge.example.net/team/x", "git config --add remote.origin.fetch +x:refs/remotes/origin/main",
    "git config branch.main.remote x", "git config --unset remote.origin.url", "git config --rename-section remote.x remote.origin",
    "git config url.https://forge.example.net/.insteadOf https://x/", "git fetch . HEAD:refs/remotes/origin/main",
    "git fetch origin x:refs/remotes/origin/main", "git fetch origin +refs/heads/x:refs/remotes/origin/main",
    "git fetch ../up main:refs/remotes/origin/main", "git fetch --refmap=x:refs/remotes/origin/main origin x",
    "echo x:refs/remotes/origin/main | git fetch --stdin origin", "git pull origin x:refs/remotes/origin/main",
    "git -c remote.origin.fetch=+refs/heads/x:refs/remotes/origin/main fetch origin",
    "git push . HEAD:refs/remotes/origin/main", "git push \"$PWD\" HEAD:refs/remotes/origin/main", "git push file://$PWD x:origin/main",
    "git send-pack . HEAD:refs/remotes/origin/main", "git fast-import < x", "git pack-refs --all", "git bundle unbundle x",
    "git init --separate-git-dir /tmp/x .", "cp .git/refs/heads/feature .git/refs/remotes/origin/main",
    "git rev-parse HEAD > .git/refs/remotes/origin/main", "echo x >> .git/packed-refs", "sed -i s/a/b/ .git/packed-refs",
    "ln -sf ../../heads/feature .git/refs/remotes/origin/main", "mv x .git/packed-refs", "tee .git/shallow < x",
    "cd .git && git rev-parse HEAD > refs/remotes/origin/main", "cd .git/refs/remotes/origin && cp ../../heads/feature main",
    "echo x > .git/info/grafts", "echo /tmp/x > .git/objects/info/alternates", "echo 'gitdir: /tmp/x' > .git", "rsync x/ .git/",
    "git config -f .git/config remote.origin.url x", "dd if=x of=.git/packed-refs", "tar -C .git -xf x.tar", "git replace --graft HEAD",
)


def forgeries(r, cases):
    r.world.config(PUSH_CONFIG)
    app = r.new()
    r.git(app, "update-ref", "refs/remotes/origin/main", "HEAD")
    with cases.case("nothing but fetch and push writes what is known of a remote"):
        for command in FORGERIES:
            r.stops(command, app)
    with cases.case("these do"):
        for command in ("git fetch", "git fetch --all --prune", "git fetch origin main", "git fetch origin +main:main",
                        "git fetch origin '+refs/heads/*:refs/remotes/origin/*'", "git remote prune origin", "git push",
                        "git remote set-head origin -a"):
            r.allows(command, app)
    with cases.case("in another repository, in scratch"):
        (r.cwd / "beside").mkdir()
        r.git(r.cwd / "beside", "init", "-q")
        r.stops(f"echo x > {r.cwd}/beside/.git/packed-refs", app)


def provenance(r, cases):
    app = r.new()
    up = "refs/remotes/origin/main"
    for name in ("landed.sh", "modified.sh"):
        executable(app / name, "#!/bin/sh\nfrobnicate\n")
    r.git(app, "add", ".")
    r.git(app, "commit", "-q", "-m", "scripts")
    r.git(app, "update-ref", up, "HEAD")
    executable(app / "unpushed.sh", "#!/bin/sh\nfrobnicate\n")
    r.git(app, "add", ".")
    r.git(app, "commit", "-q", "-m", "more")
    executable(app / "modified.sh", "#!/bin/sh\nfrobnicate\nfrobnicate\n")
    executable(app / "untracked.sh", "#!/bin/sh\nfrobnicate\n")
    executable(app / "nul.sh", "#!/bin/sh\nfrobnicate\0\n")
    executable(r.cwd / "outside.sh", "#!/bin/sh\nfrobnicate\n")
    for config, landed_as in ((PUSH_CONFIG, "landed"), ({"sanctionedRemotes": []}, "foreign")):
        r.world.config(config)
        with cases.case(f"where a script comes from: {landed_as}"):
            for command, word in (("timeout 5 ./landed.sh", landed_as), ("env A=b ./landed.sh; true", landed_as),
                                  ("sh < modified.sh", "modified"), ("cat unpushed.sh | sh", "unpushed"),
                                  ("bash -x untracked.sh", "untracked"), ("./nul.sh", "untracked"), ("./gone.sh", "missing"),
                                  ("../outside.sh", "outside"), (f"python3 -u {r.cwd}/outside.sh", "outside")):
                done = r.world.run("explain", "--cwd", str(app), command)
                gate.expect(f"({word})" in done.out.decode(), f"{command}: {word} {done.out.decode()}")


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
                r.lands(command, app)
    with cases.case("with files of the worktree"):
        for command in ("./run.sh tools", "./run.sh -v tools/x.py run.sh", "python3 tools/x.py run.sh"):
            r.lands(command, app)
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

    def lands(session, directory):
        r.lands("./run.sh", directory, session)

    def begin(decide):
        """A session whose beginning was put down: a busy machine may take longer than the repository is given."""
        for number in range(20):
            session = f"began-{r.count}-{number}"
            before = set(r.world.state.glob("*.origin"))
            decide(session)
            if all(path.stat().st_size > 65 for path in set(r.world.state.glob("*.origin")) - before):
                break
        return session

    def log():
        path = r.world.home / ".config/auto-classifier/auto-classifier.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def stops(session, directory, why):
        verdict = r.verdict("./run.sh", directory, session=session)
        gate.expect(verdict[0] != "allow", f"{why}: {verdict}")

    with cases.case("the remote that a session began with"):
        one = begin(lambda session: r.verdict("ls", app, session=session))
        lands(one, app)
        r.git(app, "checkout", "-q", "-b", "more", "--track", "origin/main")
        lands(one, app)
        r.git(app, "remote", "add", "mine", "https://forge.example.net/mine/app.git")
        lands(one, app)
        r.git(app, "remote", "set-url", "origin", "https://other.example.net/app.git")
        stops(one, app, "another address")
        lands(None, app)
        r.git(app, "remote", "set-url", "origin", url)
        lands(one, app)
        (r.world.home / ".gitconfig").write_text('[url "https://other.example.net/"]\n\tinsteadOf = https://forge.example.net/\n',
                                                 encoding="utf-8")
        stops(one, app, "another address by the user's settings")
        (r.world.home / ".gitconfig").unlink()
        r.git(app, "remote", "rename", "origin", "up")
        r.git(app, "branch", "-q", "--set-upstream-to", "up/main")
        stops(one, app, "another name")
        r.git(app, "remote", "rename", "up", "origin")
        lands(one, app)
    with cases.case("a first decision of any kind, by a hook"):
        three = begin(lambda session: r.world.hook("claude", gate.claude("ls", session=session, cwd=str(app))))
        r.git(app, "remote", "set-url", "origin", "https://other.example.net/app.git")
        stops(three, app, "changed since")
        r.git(app, "remote", "set-url", "origin", url)
        lands(three, app)
    with cases.case("what a fetch takes from elsewhere"):
        for value in ("+refs/heads/x:refs/remotes/origin/main", "+refs/heads/x*:refs/remotes/origin/*", "+refs/*:refs/*",
                      "refs/heads/x:refs/remotes/origin/HEAD"):
            r.git(app, "config", "--add", "remote.mine.fetch", value)
            stops(one, app, value)
            r.git(app, "config", "--unset-all", "remote.mine.fetch")
        r.git(app, "config", "--add", "remote.origin.fetch", "+refs/pull/*/head:refs/remotes/origin/pull/*")
        lands(one, app)
    with cases.case("a clone made since, a worktree made since"):
        r.git(r.cwd, "clone", "-q", str(app), "again")
        r.git(r.cwd / "again", "remote", "set-url", "origin", url)
        stops(one, r.cwd / "again", "a clone")
        lands(None, r.cwd / "again")
        r.git(app, "worktree", "add", "-q", "-b", "side", "../beside", "origin/main")
        lands(one, r.cwd / "beside")
    with cases.case("a session that began in no repository, or with one that could not be read"):
        (r.cwd / "plain").mkdir(exist_ok=True)
        before = log()
        r.verdict("ls", r.cwd / "plain", session="five")
        gate.expect("counts as landed" not in log()[len(before):], log())
        stops("five", app, "elsewhere")
        r.verdict("ls", app, env=r.world.environment(GIT_DIR="/tmp/x"), session="six")
        stops("six", app, "unknown")
        gate.expect("own remotes: the repository that it began in could not be read" in log()[len(before):], log())
    full_disk(r, cases, app, stops, log)
    with cases.case("what is kept of it is ours and whole, or nothing"):
        kept = list(r.world.state.glob("*.origin"))
        gate.expect(len(kept) >= 6, kept)
        for path in kept:
            gate.expect(path.stat().st_mode & 0o777 == 0o600 and path.stat().st_size % 65 == 0, path)
            text = path.read_text(encoding="ascii")
            gate.expect("example" not in text and set(text) <= set("0123456789abcdef\n"), text)
            path.write_text(text[:100], encoding="ascii")
        stops(one, app, "cut")
        for path in kept:
            path.unlink()
            path.symlink_to("/dev/zero")
        stops(one, app, "a link")
        for path in kept:
            path.unlink()
    with cases.case("sessions that keep nothing"):
        reply = r.world.check("./run.sh", "--cwd", str(app)).json()
        gate.expect(reply["decision"] != "allow", reply)
        done = r.world.run("check", "--batch", stdin=json.dumps({"id": "x", "command": "./run.sh", "session": one,
                                                                 "cwd": str(app)}).encode() + b"\n")
        gate.expect(json.loads(done.out)["decision"] != "allow", done)
        gate.expect(not list(r.world.state.glob("*.origin")), "a file")


def full_disk(r, cases, app, stops, log):
    small = r.world.scratch / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k,mode=0700", "none", str(small)], check=False,
                      stderr=subprocess.DEVNULL).returncode != 0:
        return
    try:
        with cases.case("a disk that was full when a session began"):
            r.world.config({"sanctionedRemotes": [], "state": {"dir": str(small)}})
            with contextlib.suppress(OSError), open(small / "filler", "wb", buffering=0) as filler:
                while True:
                    filler.write(b"x" * 4096)
            r.verdict("ls", app, session="full")
            gate.expect("own remotes: No space left on device" in log(), log())
            (small / "filler").unlink()
            stops("full", app, "not kept")
            # A busy machine may take longer than the repository is given.
            gate.expect(any(r.verdict("ls", app, session=f"room-{i}") and
                            r.verdict("./run.sh", app, session=f"room-{i}")[0] == "allow" for i in range(20)), "never kept")
    finally:
        subprocess.run(["umount", str(small)], check=True)
    r.world.config({"sanctionedRemotes": []})


def main():
    if shutil.which("git") is None:
        gate.skip("git is not installed")
    world = gate.World()
    cases = gate.Cases()
    for part in (discards, forgeries, provenance, landed):
        part(Repositories(world), cases)
    world.close()
    return cases.close()


sys.exit(main())
