# SPDX-License-Identifier: Apache-2.0
"""
Whom the roles become where the gate runs as root: what roles.uid and netproc.uid name, or nothing at all. Repositories
that such a reader cannot read give no facts, which is never an allow.
"""

import json
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / name) for name in ("process", "model")]

from rig import Rig, gate, expect_allowed, expect_failed  # noqa: E402
from servers import Server, silent  # noqa: E402

OTHER, THIRD = "nobody", "daemon"
CAP_SETUID = 7
FINE = "every command is understood and does no harm"


def identity(pid):
    """(the one user, the one group, other groups, effective capabilities) of a process."""
    lines = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    fields = {name: value.split() for name, _, value in (line.partition(":") for line in lines)}
    users, groups = set(fields["Uid"]), set(fields["Gid"])
    gate.expect(len(users) == 1 and len(groups) == 1, (users, groups))
    return int(users.pop()), int(groups.pop()), tuple(fields["Groups"]), int(fields["CapEff"][0], 16)


def batch(rig, command, cwd):
    """Who the children of a batch are that has judged one row and waits for the next, by role; and the row's verdict."""
    process = rig.world.start("check", "--batch")
    process.stdin.write(json.dumps({"id": "1", "command": command, "cwd": str(cwd)}).encode() + b"\n")
    process.stdin.flush()
    row = json.loads(process.stdout.readline())
    found = {gate.role(pid): identity(pid) for pid in gate.children(process.pid)}
    process.communicate(timeout=30)
    return found, row


def asking(rig):
    """Who netproc is while it waits for a server."""
    process = rig.world.start("hook", "claude")
    process.stdin.write(json.dumps(gate.claude("frobnicate", session=f"u-{time.monotonic()}")).encode())
    process.stdin.close()
    pid = gate.wait_child(process.pid, "netproc")
    gate.expect(pid is not None, "no netproc")
    found = identity(pid)
    process.stdout.read()
    process.wait(30)
    return found


def ids(name):
    entry = pwd.getpwnam(name)
    return entry.pw_uid, entry.pw_gid


def is_user(who, uid, gid):
    gate.expect(who == (uid, gid, (), 0), (who, uid, gid))


def becoming(rig, server):
    uid, gid = ids(OTHER)
    server.reset(silent(0.4))
    for name in (OTHER, str(uid)):
        with rig.cases.case(f"roles.uid {name}: worker and netproc"):
            rig.configure(server, roles={"uid": name})
            is_user(batch(rig, "ls", "/")[0]["worker"], uid, gid)
            is_user(asking(rig), uid, gid)
    with rig.cases.case("netproc.uid is netproc's alone"):
        rig.configure(server, roles={"uid": OTHER}, netproc={"uid": THIRD})
        is_user(batch(rig, "ls", "/")[0]["worker"], uid, gid)
        is_user(asking(rig), *ids(THIRD))
    with rig.cases.case("netproc.uid without roles.uid; a number that passwd does not have"):
        rig.configure(server, netproc={"uid": "4242"})
        gate.expect(batch(rig, "ls", "/")[0]["worker"][0] == 0, "the worker became somebody")
        is_user(asking(rig), 4242, 4242)
    server.reset()
    with rig.cases.case("a key of the environment and a literal reach it all the same"):
        rig.configure(server, roles={"uid": OTHER})
        expect_allowed(*rig.ask())
        rig.configure(server, env={}, roles={"uid": OTHER})
        expect_allowed(*rig.ask(env={"TYPESAFE_API_KEY": server.key}))
    with rig.cases.case("a key file that this user may not read is no key"):
        key = rig.world.home / "key"
        key.write_text(server.key, encoding="ascii")
        key.chmod(0o600)
        rig.configure(server, env={}, roles={"uid": OTHER}, jev={"apiKeyFile": str(key)})
        result, row = rig.ask()
        gate.expect(result.decision == "deny" and row["source"] == "error", (result, row))
        rig.configure(server, env={}, roles={"uid": ""}, jev={"apiKeyFile": str(key)})
        expect_allowed(*rig.ask())


def nobody_there(rig, server):
    for what, more in (("roles.uid", {"roles": {"uid": "no-such-user"}}), ("an odd number", {"roles": {"uid": "-1"}}),
                       ("more than a user's number", {"roles": {"uid": "4294967295"}})):
        with rig.cases.case(f"{what} that names nobody"):
            rig.configure(server, **more)
            result = rig.world.hook("claude", gate.claude("ls", cwd=rig.world.scratch))
            gate.expect(result.decision == "deny", result)
            gate.expect("could not be started" in result.verdict()[1], result)
            log = (rig.world.home / "gate.log").read_text(encoding="utf-8")
            gate.expect("roles.uid: no such user" in log, log)
    with rig.cases.case("netproc.uid that names nobody"):
        rig.configure(server, netproc={"uid": "no-such-user"})
        result = rig.world.hook("claude", gate.claude("ls", cwd=rig.world.scratch))
        gate.expect(result.decision == "allow", result)
        expect_failed(*rig.ask(), "the process that asks it failed")


def powerless(rig, payload):
    """A hook call by root without the power to become others (prctl(2), PR_CAPBSET_DROP)."""
    program = f"""import ctypes, os, sys
assert ctypes.CDLL(None).prctl(24, {CAP_SETUID}, 0, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])"""
    process = subprocess.Popen([sys.executable, "-c", program, str(rig.world.program), "hook", "claude"],
                               env=rig.world.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    return gate.finish(process, payload)


def cannot_become(rig, server):
    """No role stays root because it could not become another."""
    why = "could not become the user it is to run as"
    with rig.cases.case("a worker that cannot become that user"):
        rig.configure(server, roles={"uid": OTHER})
        result = powerless(rig, gate.claude("ls"))
        gate.expect(result.decision == "deny" and why in result.verdict()[1], result)
    with rig.cases.case("a netproc that cannot"):
        server.reset()
        rig.configure(server, netproc={"uid": OTHER})
        expect_failed(powerless(rig, gate.claude("frobnicate --alone")), rig.row(), "the process that asks it failed")
        log = (rig.world.home / "gate.log").read_text(encoding="utf-8")
        gate.expect("netproc " + why in log and not server.requests, log)


def git(folder, *arguments):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, env={"PATH": os.environ["PATH"], "HOME": "/nowhere"})


def repositories(rig):
    folder = rig.world.scratch / "repository"
    (folder / "sub").mkdir(parents=True)
    for path in (rig.world.scratch, folder):
        path.chmod(0o755)
    git(folder, "init", "-q", "-b", "main")
    (folder / "sub" / "file").write_text("text", encoding="ascii")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    git(folder, "remote", "add", "origin", "https://git.example.org/one.git")

    def push(what, allowed):
        with rig.cases.case(f"git push: {what}"):
            result = rig.world.hook("claude", gate.claude("git push", session=what, cwd=folder))
            gate.expect((result.decision == "allow") == allowed, result)
            if allowed:
                gate.expect(result.verdict()[1] == FINE, result)
    settings = {"sanctionedRemotes": ["git.example.org"], "llm": {"provider": "offline"}}
    rig.world.config(settings)
    push("as root", True)
    rig.world.config({**settings, "roles": {"uid": OTHER}})
    with rig.cases.case("the git reader becomes that user"):
        found, row = batch(rig, "git push", folder)
        gate.expect(row["decision"] == "allow", row)
        is_user(found["git"], *ids(OTHER))
        is_user(found["worker"], *ids(OTHER))
    push("of a repository that others may read", True)
    for name in (".git/config", ".git/HEAD", ".git/objects", ".git", "."):
        path = folder / name
        mode = path.stat().st_mode
        path.chmod(mode & 0o700)
        push(f"{name} is not for others to read", False)
        path.chmod(mode)
    push("readable again", True)
    with rig.cases.case("another user's repository stays unread"):
        os.chown(folder / ".git", *ids(OTHER))
        result = rig.world.hook("claude", gate.claude("git push", session="foreign", cwd=folder))
        gate.expect(result.decision != "allow", result)
        os.chown(folder / ".git", 0, 0)
    with rig.cases.case("settings at home that it cannot read may say anything"):
        (rig.world.home / ".gitconfig").write_text(
            '[url "https://elsewhere.example.org/"]\n\tinsteadOf = https://git.example.org/\n', encoding="ascii")
        result = rig.world.hook("claude", gate.claude("git push", session="home", cwd=folder))
        gate.expect(result.decision != "allow", result)


def main():
    if os.geteuid() != 0:
        gate.skip("only root becomes others")
    if not shutil.which("git"):
        gate.skip("no git")
    rig = Rig()
    server = Server(jev=True, key="k-users-0123456789")
    becoming(rig, server)
    nobody_there(rig, server)
    cannot_become(rig, server)
    repositories(rig)
    return rig.close()


if __name__ == "__main__":
    sys.exit(main())
