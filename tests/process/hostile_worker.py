# SPDX-License-Identifier: Apache-2.0
"""
The real guard and broker with a worker that has been taken over (tools/hostile_worker.c): what it asks for shows it no
protected byte, what it says breaks nothing but its own decision, and whatever it does ends in a reply in time.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import gate

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "model"))
import servers  # noqa: E402

HOSTILE = pathlib.Path(sys.argv[1])
SANITIZED = "GATE_SANITIZED" in os.environ
RACES = int(os.environ.get("GATE_RACES") or (640 if SANITIZED else 10000))
QUESTIONS = 32
LIMIT_MS = 8000 if SANITIZED else 3000
IN_TIME = (LIMIT_MS - 500) / 1000
PROTECTED = "PLANTED-" + os.urandom(8).hex()
# enum question_kind
PATH, PROGRAM, SCRIPT, FILE, REPOSITORY, PUSH, ENTRY, GLOB, STATE, WORK = map(str, range(1, 11))
REFUSED = ("deny", "ask")


class Hostile:
    """A build tree of its own, in which the worker is ours."""

    def __init__(self, world):
        self.world = world
        tree = world.scratch / "tree"
        self.worker = tree / "worker"
        self.worker.mkdir(parents=True)
        (tree / "broker").mkdir()
        shutil.copy(world.program, tree / "broker" / "auto-classifier")
        shutil.copytree(world.program.parent / "git", tree / "broker" / "git",
                        ignore=lambda folder, names: [n for n in names if n != "auto-classifier-git"])
        shutil.copy(HOSTILE, self.worker / "auto-classifier-worker")
        world.program = tree / "broker" / "auto-classifier"

    def plan(self, *words):
        (self.worker / "plan").write_text("\n".join(map(str, words)) + "\n", encoding="utf-8")
        (self.worker / "seen").unlink(missing_ok=True)

    @property
    def seen(self):
        path = self.worker / "seen"
        return path.read_bytes() if path.exists() else b""

    def hook(self, command="echo hi", cwd="/tmp", harness="claude", **more):
        payload = getattr(gate, harness)(command, cwd=cwd, **more)
        result = self.world.hook(harness, payload, "--limit-ms", LIMIT_MS, stderr=gate.HANGING_STDERR)
        gate.expect(result.seconds < IN_TIME, f"late: {result}")
        return result


def protected_places(world, cwd):
    """(name, base, text, session): what no worker is shown, by whatever name."""
    ssh = world.home / ".ssh"
    ssh.mkdir(mode=0o700)
    for name in ("id_rsa", "notes.sh"):
        (ssh / name).write_text(PROTECTED, encoding="utf-8")
    config = world.config(json.dumps({"llm": {"model": PROTECTED}}))
    (cwd / "link.sh").symlink_to(ssh / "id_rsa")
    (cwd / "second.sh").hardlink_to(ssh / "id_rsa")
    (cwd / "config.sh").hardlink_to(config)
    (cwd / "folder").symlink_to(ssh)
    os.mkfifo(cwd / "fifo.sh")
    (cwd / ".env").write_text(f"TOKEN={PROTECTED}", encoding="utf-8")
    other = cwd.parent / "other"
    other.mkdir()
    (other / "todo.txt").write_text(PROTECTED, encoding="utf-8")
    yield "a private key", "/", ssh / "id_rsa", cwd
    yield "a file beside it", "/", ssh / "notes.sh", cwd
    yield "a private key, said to be the session's", ssh, "id_rsa", ssh
    yield "the home's, said to be the session's", world.home, ".ssh/notes.sh", world.home
    yield "a private key through ..", cwd, f"../../../../../../..{ssh}/id_rsa", cwd
    yield "a link to it", cwd, "link.sh", cwd
    yield "a second name of it", cwd, "second.sh", cwd
    yield "a directory that is a link", cwd, "folder/notes.sh", cwd
    yield "the configuration", "/", config, cwd
    yield "a second name of the configuration", cwd, "config.sh", cwd
    yield "an .env file", cwd, ".env", cwd
    yield "shadow", "/", "/etc/shadow", "/etc"
    yield "an environment", "/", "/proc/self/task/1/environ", cwd
    yield "an environment, said to be the session's", "/proc/self", "environ", "/proc/self"
    yield "the broker's memory", "/", "/proc/self/mem", cwd
    yield "a FIFO", cwd, "fifo.sh", cwd
    yield "zeros without end", "/", "/dev/zero", "/dev"
    yield "a terminal", "/", "/dev/tty", "/dev"
    yield "the kernel's settings", "/", "/sys/kernel/mm/transparent_hugepage/enabled", "/sys"
    yield "a directory", "/", cwd, cwd
    yield "another project's", "/", other / "todo.txt", cwd
    yield "another project's, said to be the session's", other, "todo.txt", other
    yield "another project's, its parent said to be the session's", other, "todo.txt", world.scratch


# Plain facts, that an honest worker may come upon as well.
OPEN_TO_LOOK = ("a directory", "another project's", "another project's, said to be the session's", "the kernel's settings",
                "another project's, its parent said to be the session's")


def shown(hostile, cases):
    world = hostile.world
    world.fresh()
    # Not below /tmp, which is scratch, whose files are shown.
    cwd = world.home / "work" / "project"
    cwd.mkdir(parents=True)
    places = list(protected_places(world, cwd))
    (cwd / "plain.sh").write_text("echo plain\n", encoding="utf-8")
    for session, wanted in ((cwd, b"echo plain\n\n"), (cwd.parent, b"")):
        with cases.case(f"asks for a script, {session} said to be the session's"):
            hostile.plan("ask", SCRIPT, cwd, "plain.sh", session)
            result = hostile.hook("echo", cwd)
            gate.expect(hostile.seen == wanted, f"shown {hostile.seen!r}: {result}")
    for kind in (SCRIPT, FILE):
        for name, base, text, session in places:
            with cases.case(f"asks for {name} ({kind})"):
                hostile.plan("ask", kind, base, text, session)
                # The payload names none but what everybody's would: an agent may have read what it names itself.
                result = hostile.hook("echo environ mem zero tty enabled id_rsa shadow", cwd)
                gate.expect(PROTECTED.encode() not in hostile.seen, f"shown {hostile.seen[:200]!r}: {result}")
                # Whoever asks for the content of what is guarded has no allow to give.
                guarded = name not in OPEN_TO_LOOK and kind == SCRIPT
                gate.expect(result.decision in (REFUSED if guarded else REFUSED + ("allow",)), f"{result}")


def git(folder, *arguments):
    subprocess.run(["git", "-C", folder, "-c", "init.defaultBranch=main", "-c", "user.name=t", "-c", "user.email=t@localhost",
                    *arguments], check=True, capture_output=True)


def repositories(hostile, cases):
    """Facts about repositories are told of any; a password in a remote's URL is no fact, nor is what a settings file includes."""
    world = hostile.world
    if shutil.which("git") is None:
        return
    world.fresh()
    ssh = world.home / ".ssh"
    ssh.mkdir(mode=0o700)
    for name in ("id_rsa", "config"):
        (ssh / name).write_text(f"[remote \"x\"]\nurl = {PROTECTED}\n{PROTECTED}\n", encoding="utf-8")
    folder = world.home / "other"
    folder.mkdir()
    git(folder, "init")
    for name, url in (("origin", f"https://u:{PROTECTED}@github.com/o/r"), ("user", f"https://{PROTECTED}@github.com/o/r"),
                      ("query", f"https://github.com/o/r?access_token={PROTECTED}"), ("ssh", f"ssh://git:{PROTECTED}@github.com/o/r"),
                      ("at", f"https://u@x:{PROTECTED}@y@github.com/o/r")):
        git(folder, "remote", "add", name, url)
    git(folder, "commit", "--allow-empty", "-m", PROTECTED)
    git(folder, "config", "remote.pushDefault", "origin")
    git(folder, "config", f"url.https://x-access-token:{PROTECTED}@github.com/.insteadOf", "gh:")
    git(folder, "remote", "add", "short", "gh:o/r")
    git(folder, "config", "remote.short.pushurl", f"https://{PROTECTED}@github.com/o/r")
    linked = world.home / "linked"
    linked.mkdir()
    (linked / ".git").write_text(f"gitdir: {ssh}\n", encoding="utf-8")
    including = world.home / "including"
    including.mkdir()
    git(including, "init")
    git(including, "config", "include.path", str(ssh / "id_rsa"))
    config = world.home / "config-is-a-link"
    config.mkdir()
    git(config, "init")
    (config / ".git" / "config").unlink()
    (config / ".git" / "config").symlink_to(ssh / "config")
    with cases.case("facts about a repository are given"):
        hostile.plan("ask", REPOSITORY, folder, "git push", "")
        hostile.hook("git push", folder)
        gate.expect(str(folder).encode() in hostile.seen, f"shown {hostile.seen!r}")
    with cases.case("where a push goes is told without the password"):
        for remote, wanted in (("ssh", b"ssh://git:xxxx"), ("gh:o/r", b"@github.com/o/r"), ("origin", b"@github.com/o/r")):
            hostile.plan("ask", PUSH, folder, remote, "")
            hostile.hook("git push", folder)
            gate.expect(wanted in hostile.seen, f"{remote}: shown {hostile.seen!r}")
    for base in (folder, linked, including, config, ssh, world.home):
        for kind, texts in ((REPOSITORY, ("git push",)), (PUSH, ("", "origin", "user", "query", "ssh", "at", "short", "gh:o/r", "x", f"file://{ssh}/id_rsa"))):
            for text in texts:
                with cases.case(f"asks of {base.name}, {kind}, {text}"):
                    hostile.plan("ask", kind, base, text, "")
                    result = hostile.hook("git push", base)
                    gate.expect(PROTECTED.encode() not in hostile.seen, f"shown {hostile.seen!r}")
                    gate.expect(result.decision, "no reply")


def hung(hostile, cases):
    """A file system that never answers: neither asking for it nor racing it in takes the guard's word."""
    world = hostile.world
    program = gate.BUILD / "tests" / "process" / "hungfs"
    if not program.exists() or not pathlib.Path("/dev/fuse").exists():
        return
    cwd = world.fresh()
    mount = world.scratch / "hung"
    mount.mkdir()
    with subprocess.Popen([str(program), str(mount)], stdout=subprocess.PIPE) as server:
        if server.stdout.readline() == b"mounted\n":
            for kind, text in ((PATH, "x"), (SCRIPT, "x"), (FILE, "x"), (ENTRY, "x"), (GLOB, "*"), (GLOB, "*/x"),
                               (REPOSITORY, "git status"), (PUSH, "origin"), (STATE, "x"), (WORK, "x")):
                with cases.case(f"asks for what never answers ({kind}, {text})"):
                    hostile.plan("ask", kind, mount / "folder" if kind in (REPOSITORY, PUSH) else mount, text, "")
                    gate.expect(hostile.hook().decision, "no reply")
            (cwd / "folder").mkdir()
            (cwd / "folder" / "x.sh").write_text("echo harmless\n", encoding="utf-8")
            (cwd / "z").symlink_to(mount)
            with cases.case("races what never answers"):
                for _ in range(5):
                    hostile.plan("race", SCRIPT, cwd, "folder/x.sh", cwd, cwd / "folder", cwd / "z")
                    gate.expect(hostile.hook("bash folder/x.sh", cwd).decision, "no reply")
        server.terminate()


def never_asked(hostile, cases):
    for name, base, text in (("a NUL in a path", "/", "a NUL"), ("a relative base", "tmp", "x"), ("no path", "/", ""),
                             ("a path of a kilometre", "/", "/" + "a" * 5000)):
        with cases.case(f"asks with {name}"):
            hostile.plan("ask", SCRIPT, base, text, "/tmp")
            gate.expect(hostile.hook().decision == "deny", "not denied")
            gate.expect(hostile.seen == b"", f"shown {hostile.seen!r}")
    for kind in ("0", "250"):
        with cases.case(f"asks a question of kind {kind}"):
            hostile.plan("ask", kind, "/", "/tmp", "")
            gate.expect(hostile.hook().decision == "deny", "not denied")
    with cases.case("asks for a path with a newline"):
        hostile.plan("ask", SCRIPT, "/", "a newline", "/tmp")
        gate.expect(hostile.hook().decision in REFUSED + ("allow",), "no reply")
        gate.expect(hostile.seen == b"", f"shown {hostile.seen!r}")
    for name in ("ask without end", "ask and not listen"):
        with cases.case(f"does: {name}"):
            hostile.plan(name, "1", "/tmp", "x", "/tmp")
            gate.expect(hostile.hook().decision == "deny", "not denied")


def races(hostile, cases):
    """Names change between the look and the opening: the broker opens what it looked at, or nothing."""
    world = hostile.world
    cwd = world.fresh()
    ssh = world.home / ".ssh"
    ssh.mkdir(mode=0o700)
    (ssh / "x.sh").write_text(PROTECTED, encoding="utf-8")
    harmless = "echo harmless\n"
    (cwd / "x.sh").write_text(harmless, encoding="utf-8")
    (cwd / "y").symlink_to(ssh / "x.sh")
    (cwd / "folder").mkdir()
    (cwd / "folder" / "x.sh").write_text(harmless, encoding="utf-8")
    (cwd / "z").symlink_to(ssh)
    for name, text, swap in (("a file and a link", "x.sh", ("x.sh", "y")), ("directories", "folder/x.sh", ("folder", "z"))):
        with cases.case(f"races {name}"):
            hostile.plan("race", SCRIPT, cwd, text, cwd, cwd / swap[0], cwd / swap[1])
            for _ in range(RACES // 2 // QUESTIONS + 1):
                hostile.hook("bash x.sh", cwd)
            lines = set(hostile.seen.split(b"\n")) - {b""}
            gate.expect(PROTECTED.encode() not in lines, "shown what is protected")
            gate.expect(lines == {harmless.strip().encode()}, f"nothing was ever shown: {lines}")


LIES = ("another harness", "a model's word", "blank", "doubts", "malformed", "a torn frame", "less than announced",
        "too large a frame", "a chain without end", "a chain of nothing", "a descriptor", "the guard's word", "a listing",
        "the end of rows", "zeros", "leave", "silence", "controls")


def lies(hostile, cases):
    for name in LIES:
        for harness in ("claude", "agy"):
            with cases.case(f"{harness}: {name}"):
                hostile.world.fresh()
                hostile.plan(name)
                result = hostile.hook("echo hi", harness=harness)
                gate.expect(result.decision in REFUSED, f"{result}")
                gate.expect(result.out.count(b"\n") == 1, f"more than a line: {result}")
                bad = set(range(32)) - {10}
                gate.expect(not bad & set(result.out + result.err), f"controls came through: {result}")
                gate.expect("\u202e".encode() not in result.out, f"bidi came through: {result}")
    with cases.case("says allow without end: one reply"):
        hostile.plan("allow without end")
        result = hostile.hook()
        gate.expect(result.out.count(b"\n") == 1 and result.json(), f"{result}")


def rows(hostile, cases):
    for name in ("another row", "a listing", "the end of rows", "zeros", "leave", "a torn frame", "malformed",
                 "another harness", "blank"):
        with cases.case(f"batch: {name}"):
            hostile.plan(name)
            given = "".join(json.dumps({"id": str(i), "command": "echo hi"}) + "\n" for i in range(3)).encode()
            result = hostile.world.run("check", "--batch", stdin=given)
            replies = [json.loads(line) for line in result.out.splitlines()]
            gate.expect(len(replies) == 3, f"{result}")
            gate.expect(all(r["decision"] in REFUSED for r in replies), f"{result}")


def remembered(hostile, cases):
    """What it says of another command holds for none."""
    world = hostile.world
    honest = gate.BUILD / "worker" / "auto-classifier-worker"
    with cases.case("an allow under another command's keys is nowhere kept"):
        cwd = world.fresh()
        hostile.plan("allow")
        gate.expect(hostile.hook("rm -rf /", cwd).decision == "allow", "its one verdict")
        text = b"".join(p.read_bytes() for p in world.home.rglob("*") if p.is_file() and p.suffix == ".json")
        gate.expect(b"recentAllows\": [{" not in text and b'recentAllows":[{' not in text, f"kept: {text!r}")
        kept = hostile.worker / "auto-classifier-worker"
        os.rename(kept, hostile.worker / "hostile")
        shutil.copy(honest, kept)
        for command in ("rm -rf /", "frobnicate --now"):
            gate.expect(hostile.hook(command, cwd).decision in REFUSED, f"{command} is allowed afterwards")
        os.rename(hostile.worker / "hostile", kept)


def lasting(hostile, cases):
    """A judge's allow for a command that was not the one: kept by nobody, found by no honest worker."""
    if SANITIZED:
        return  # a netproc without a filter cannot ask
    world = hostile.world
    honest = gate.BUILD / "worker" / "auto-classifier-worker"
    place = hostile.worker / "auto-classifier-worker"
    shutil.copy(honest, hostile.worker / "honest")
    netproc = hostile.worker.parent / "netproc"
    netproc.mkdir()
    shutil.copy(gate.BUILD / "netproc" / "auto-classifier-netproc", netproc)
    server = servers.Server(jev=True)
    for plan, kept in (("open once", False), ("open", True)):
        cwd = world.fresh()
        config = {"llm": {"provider": "jev"}, "jev": {"baseUrl": server.url}}
        world.config(config)
        server.reset()
        with cases.case(f"the judge allows what was never asked for ({plan})"):
            hostile.plan(plan, "frobnicate --lie", cwd)
            result = hostile.hook("frobnicate --truth", cwd)
            gate.expect(result.decision == "allow" and len(server.requests) == 1, f"its one verdict: {result}")
            gate.expect(server.requests[0][2]["state"]["command"] == "frobnicate --lie", server.requests)
            text = "".join(p.read_text(encoding="utf-8") for p in world.state.glob("*.json")) if world.state.exists() else ""
            # Two that lie alike are believed to agree; what they lied about is in the key.
            gate.expect(('"key"' in text) == kept, text)
        os.rename(place, hostile.worker / "hostile")
        shutil.copy(honest, place)
        for command in ("frobnicate --lie", "frobnicate --truth"):
            with cases.case(f"and {command} is asked about again ({plan})"):
                server.reset(servers.answering(choice="deny"))
                result = hostile.hook(command, cwd)
                gate.expect(result.decision in REFUSED and len(server.requests) == 1, f"{len(server.requests)}: {result}")
        os.rename(hostile.worker / "hostile", place)
    shutil.rmtree(netproc)


REPLIES = ("reply: zeros", "reply: twice", "reply: a chain without end", "reply: a descriptor", "reply: an odd failure",
           "silence", "leave", "a torn frame", "zeros", "the guard's word", "allow without end")


def model(hostile, cases):
    """The process that talks to a model is taken over instead; the worker is honest."""
    world = hostile.world
    shutil.copy(gate.BUILD / "worker" / "auto-classifier-worker", hostile.worker / "auto-classifier-worker")
    folder = hostile.worker.parent / "netproc"
    folder.mkdir()
    shutil.copy(HOSTILE, folder / "auto-classifier-netproc")
    for name in REPLIES:
        with cases.case(f"the model's process: {name}"):
            cwd = world.fresh()
            world.config({"llm": {"provider": "chat", "baseUrl": "http://127.0.0.1:9/v1", "apiKey": "k", "model": "m"}})
            (folder / "plan").write_text(f"{name}\n", encoding="utf-8")
            result = hostile.hook("frobnicate --all", cwd)
            gate.expect(result.decision in REFUSED, f"{result}")
            gate.expect(result.out.count(b"\n") == 1, f"{result}")
            gate.expect("the judge failed" in result.verdict()[1], f"it is not said that the judge failed: {result}")


def main():
    world = gate.World()
    cases = gate.Cases()
    hostile = Hostile(world)
    for part in (shown, repositories, hung, never_asked, races, lies, rows, remembered, lasting, model):
        part(hostile, cases)
    world.close()
    return cases.close()


sys.exit(main())
