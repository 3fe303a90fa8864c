# SPDX-License-Identifier: Apache-2.0
"""The built gate in a home of its own, set up to ask the servers of this folder."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "process"))

import gate  # noqa: E402
import servers  # noqa: E402

TOTAL_MS = 2500


class Rig:
    def __init__(self):
        self.world = gate.World()
        self.cases = gate.Cases()
        self.authority = servers.Authority(self.world.scratch / "ca")
        self.n = 0

    def configure(self, server, env=None, **more):
        """Points the configuration at a server; `more` is put over sections of it."""
        base = {"llm": {"provider": "jev" if server.jev else "chat", "caFile": self.authority.ca,
                        "timeoutMs": 1000, "totalTimeoutMs": TOTAL_MS, "model": "m-1"},
                "jev": {"timeoutMs": 1000}, "log": {"path": "~/gate.log"}}
        section = base["jev" if server.jev else "llm"]
        section["baseUrl"] = server.url
        if server.key is not None and env is None:
            section["apiKey"] = server.key
        for name, members in more.items():
            if isinstance(members, dict):
                base.setdefault(name, {}).update(members)
            else:
                base[name] = members
        self.world.config(base)

    def serve(self, server, **more):
        """A service for this server, to which the gate's configuration then points: it knows no address and no key."""
        service = Service(self, server, **more)
        self.point(server, service)
        return service

    def point(self, server, service, **netproc):
        self.world.config({"llm": {"provider": "jev" if server.jev else "chat", "timeoutMs": 1000, "model": "m-1",
                                   "totalTimeoutMs": TOTAL_MS},
                           "jev": {"timeoutMs": 1000}, "log": {"path": "~/gate.log"},
                           "netproc": {**service.settings(), **netproc}})

    def ask(self, command=None, session=None, env=None, **more):
        """(result, telemetry row) of a hook call for a command that the rules leave open."""
        self.n += 1
        command = command or f"frobnicate --run {self.n}"
        result = self.world.hook("claude", gate.claude(command, session=session or f"s-{self.n}",
                                                       cwd=self.world.scratch, **more),
                                 env=self.world.environment(**(env or {})))
        return result, self.row()

    @property
    def telemetry(self):
        return self.world.home / ".config" / "auto-classifier" / "telemetry.jsonl"

    def row(self):
        return json.loads(self.telemetry.read_text(encoding="utf-8").splitlines()[-1])

    def close(self):
        self.world.close()
        return self.cases.close()


class Service:
    """netproc as a service for one server, started as a person would (--socket) or as systemd does."""

    PROGRAM = gate.BUILD / "netproc" / "auto-classifier-netproc"
    LISTEN_FD = 3

    def __init__(self, rig, server, activated=False, uid=0, settings=None, listener=None, **limits):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="service-", dir=rig.world.scratch))
        for folder in (rig.world.scratch, self.folder):
            folder.chmod(0o755)
        os.chown(self.folder, uid, uid)
        self.path, self.uid, self.server, self.listener = self.folder / "s", uid, server, listener
        self.config = self.folder / "netproc.jsonc"
        self.write(rig, settings or {}, limits)
        if activated and listener is None:
            self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self.listener.bind(str(self.path))
            self.path.chmod(0o666)
            self.listener.listen(64)
        self.process = None
        self.start()

    def write(self, rig, settings, limits):
        section = "jev" if self.server.jev else "llm"
        body = {"llm": {"provider": "jev" if self.server.jev else "chat", "caFile": rig.authority.ca, "model": "m-1"},
                "netproc": limits}
        body.setdefault(section, {})["baseUrl"] = self.server.url
        if self.server.key is not None:
            key = self.folder / "key"
            key.write_text(self.server.key + "\n", encoding="ascii")
            key.chmod(0o400)
            os.chown(key, self.uid, self.uid)
            body[section]["apiKeyFile"] = str(key)
        for name, members in settings.items():
            body.setdefault(name, {}).update(members)
        self.config.write_text(json.dumps(body), encoding="utf-8")
        self.config.chmod(0o640)
        os.chown(self.config, self.uid, self.uid)

    def start(self, **variables):
        """Starts the program (again), and waits until somebody listens."""
        command, passed = [str(self.PROGRAM), "--config", str(self.config)], ()
        environment = {"PATH": "/usr/bin:/bin", "UNUSED_SECRET": "not-for-a-service", **variables}
        if self.listener is not None:
            # systemd names the process that it starts: only that one may take the descriptor.
            command = ["/bin/sh", "-c", 'export LISTEN_PID=$$; exec "$@"', "sh", *command]
            environment["LISTEN_FDS"] = "1"
            passed = (self.LISTEN_FD,)
        else:
            command += ["--socket", str(self.path)]

        def prepare():
            os.umask(0)
            if self.listener is not None:
                os.dup2(self.listener.fileno(), self.LISTEN_FD)
            if self.uid != 0:
                os.setgroups([])
                os.setgid(self.uid)
                os.setuid(self.uid)
        self.process = subprocess.Popen(command, preexec_fn=prepare, pass_fds=passed, env=environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if self.listener is None:
            self.wait(self.listens)

    def listens(self):
        """More than that the socket is there: one that was left behind is, and so is one that is bound and no more."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
            return connection.connect_ex(str(self.path)) == 0

    def wait(self, condition, seconds=10):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if condition():
                return True
            time.sleep(0.01)
        return False

    def children(self):
        return gate.children(self.process.pid)

    def close(self):
        """Its stderr; none of its processes is left."""
        pids = self.children()
        if self.process.poll() is None:
            self.process.terminate()
        error = self.process.communicate(timeout=20)[1]
        gate.expect(gate.gone(pids), "processes of the service are left")
        return error.decode()

    def settings(self):
        """What the gate's configuration says to reach it."""
        return {"socket": str(self.path), **({"uid": str(self.uid)} if self.uid else {})}


def expect_allowed(result, row, source="llm"):
    gate.expect(result.decision == "allow", result)
    gate.expect(row["source"] == source, row)


def expect_denied(result, row, source="llm", why=None):
    gate.expect(result.decision == "deny", result)
    gate.expect(row["source"] == source, row)
    if why:
        gate.expect(why in row["reason"], row["reason"])


def expect_failed(result, row, why):
    """A judge that failed: denied, said truly, and said to be the judge's failure."""
    expect_denied(result, row, "error", why)
    gate.expect("could not judge this" in result.verdict()[1], result)
    gate.expect(result.seconds < TOTAL_MS / 1000 + 2, f"took {result.seconds} s")


os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
