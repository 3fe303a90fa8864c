# SPDX-License-Identifier: Apache-2.0
"""What `doctor` says of the judge, with what is to be done; and `models`. Nothing of a key in either, and no call unasked."""

import os
import sys

from rig import Rig, gate
from servers import Server, raw, status

KEY = "k-doctor-" + "x" * 30


def doctor(rig, *arguments, env=None):
    """The judge's part of the report, and the exit status."""
    result = rig.world.run("doctor", *arguments, env=rig.world.environment(**(env or {})))
    gate.expect(KEY.encode() not in result.out + result.err, "the key is shown")
    return result.out.decode().split("\nJudge\n")[1].strip(), result.status


def expect_text(text, *wanted, without=()):
    for part in wanted:
        gate.expect(part in text, f"{part!r} is not in:\n{text}")
    for part in without:
        gate.expect(part not in text, f"{part!r} is in:\n{text}")


def who(rig, server, section):
    """Whom it asks, and which of the places a key may lie in."""
    own = "TYPESAFE_API_KEY" if server.jev else "AUTO_CLASSIFIER_API_KEY"
    rig.configure(server)
    with rig.cases.case(f"{section}: a key in the settings, and nobody is asked"):
        server.reset()
        text, code = doctor(rig)
        expect_text(text, f"at {server.url} (", f"ok    its key comes from {section}.apiKey (", "it was not asked",
                    without=("FAIL", "warn"))
        gate.expect(code == 0 and not server.requests, (code, server.requests))
    with rig.cases.case(f"{section}: the variable that the settings name"):
        rig.configure(server, env={}, **{section: {"apiKey": "env:SOME_KEY"}})
        expect_text(doctor(rig, env={"SOME_KEY": KEY})[0], "ok    its key comes from the variable SOME_KEY")
        expect_text(doctor(rig)[0], "warn  the variable SOME_KEY is not set", "a server on this machine may do without")
    with rig.cases.case(f"{section}: a variable of its own, before what the settings say"):
        rig.configure(server)
        expect_text(doctor(rig, env={own: KEY})[0], f"ok    its key comes from the variable {own}")
    with rig.cases.case(f"{section}: a file, there and not there"):
        path = rig.world.home / "key-file"
        rig.configure(server, env={}, **{section: {"apiKeyFile": "~/key-file"}})
        expect_text(doctor(rig)[0], f"warn  the file {path} cannot be read")
        path.write_text(KEY, encoding="ascii")
        path.chmod(0o600)
        expect_text(doctor(rig)[0], f"ok    its key comes from the file {path}", without=("warn",))
        path.unlink()
    with rig.cases.case(f"{section}: an address of the environment's gets no key"):
        rig.world.config({"llm": {"provider": "jev" if server.jev else "chat"}, "log": {"path": "~/gate.log"}})
        address = "TYPESAFE_BASE_URL" if server.jev else "AUTO_CLASSIFIER_BASE_URL"
        text, code = doctor(rig, env={own: KEY, address: "https://judge.example.net"})
        expect_text(text, f"warn  the variable {own} is not sent to judge.example.net: it belongs to api.",
                    f"set {section}.baseUrl in your settings", "FAIL  there is no key for it")
        gate.expect(code == 1, code)
    with rig.cases.case(f"{section}: plain text over the network is said"):
        rig.configure(server, llm={"allowHttp": ["judge.example.net"]},
                      **({"jev": {"baseUrl": "http://judge.example.net"}} if server.jev else {}))
        if server.jev:
            expect_text(doctor(rig)[0], "warn  what it is asked crosses the network as plain text", "use https")


def asked(rig, server):
    """--judge makes one call, and says what came of it."""
    rig.configure(server)
    with rig.cases.case("asked: it answers"):
        server.reset()
        text, code = doctor(rig, "--judge")
        expect_text(text, "ok    asked about `true`, it allows it, in ", without=("FAIL", "it was not asked"))
        gate.expect(code == 0 and len(server.requests) == 1, (code, server.requests))
    for name, answer, said, remedy in (
            ("the key is refused", status(401, b"no"), "HTTP status 401", "is it still valid"),
            ("no credit", status(402, b"no"), "HTTP status 402", "no credit left"),
            ("no such model", status(404, b"no"), "HTTP status 404", "auto-classifier models"),
            ("it is broken", status(503, b""), "HTTP status 503", "try again later"),
            ("it is a web site", status(200, b"<html></html>"), "cannot be used", "is this the address of a judge"),
            ("it is no server of the web", raw(b"SSH-2.0-x\r\n"), "it cannot be asked", "is this the address of a judge")):
        with rig.cases.case("asked: " + name):
            server.reset(answer)
            text, code = doctor(rig, "--judge")
            expect_text(text, "FAIL  ", said, remedy)
            gate.expect(code == 1 and len(server.requests) == 1, (code, len(server.requests)))
    with rig.cases.case("asked: nobody is there"):
        rig.configure(server, **{"jev" if server.jev else "llm": {"baseUrl": "http://localhost:1"}})
        expect_text(doctor(rig, "--judge")[0], "it cannot be reached", "llm.proxy")
    with rig.cases.case("asked: an authority that nobody vouches for"):
        strange = Server(jev=server.jev, key=server.key, tls=rig.authority.issue("localhost"))
        rig.configure(strange, llm={"caFile": ""})
        expect_text(doctor(rig, "--judge")[0], "could not be verified", "llm.caFile")


def others(rig):
    """A helper, a service, nobody."""
    with rig.cases.case("nobody: that is no fault"):
        rig.world.config({})
        text, code = doctor(rig, "--judge")
        expect_text(text, "note  no model: ", "once there is a key", without=("FAIL",))
        gate.expect(code == 0, text)
        rig.world.config({"llm": {"provider": "offline"}})
        expect_text(doctor(rig)[0], "note  offline (llm.provider)")
    with rig.cases.case("a helper that is there, and one that is not"):
        helper = rig.world.scratch / "helper"
        helper.write_text("#!/bin/sh\ncat >/dev/null; echo '{}'\n", encoding="ascii")
        helper.chmod(0o755)
        rig.world.config({"jev": {"command": [str(helper)]}, "log": {"path": "~/gate.log"}})
        expect_text(doctor(rig)[0], f"ok    {helper} asks it (jev.command)", without=("FAIL",))
        expect_text(doctor(rig, "--judge")[0], "its answer cannot be used")
        models = rig.world.run("models")
        gate.expect(models.status == 1 and b"jev.command" in models.err, models)
        rig.world.config({"jev": {"command": ["no-such-helper"]}, "log": {"path": "~/gate.log"}})
        expect_text(doctor(rig)[0], "FAIL  no-such-helper is not there", "by its whole path")
    with rig.cases.case("a service that is not there, and one that is"):
        server = Server(key=KEY)
        rig.world.config({"netproc": {"socket": "/run/none"}, "log": {"path": "~/gate.log"}})
        expect_text(doctor(rig)[0], "FAIL  no socket of a service is at /run/none", "systemctl enable --now")
        service = rig.serve(server)
        expect_text(doctor(rig, "--judge")[0], f"ok    the service at {service.path} asks it", "ok    asked about `true`")
        gate.expect(rig.world.run("models").out == b"jev-1.13.0\n", "no list through the service")
        service.close()
    with rig.cases.case("a service that is somebody else's, and one that was killed"):
        service = rig.serve(server, uid=65534)
        expect_text(doctor(rig)[0], f"ok    the service at {service.path} asks it", without=("FAIL",))
        rig.point(server, service, uid="4242")
        expect_text(doctor(rig)[0], f"FAIL  the service at {service.path} cannot be used", "netproc.uid")
        service.process.kill()
        service.process.communicate()
        rig.point(server, service)
        expect_text(doctor(rig)[0], f"FAIL  the service at {service.path} cannot be used", "systemctl status")
    with rig.cases.case("broken settings"):
        rig.world.config("{")
        expect_text(doctor(rig, "--judge")[0], "nobody is asked while the settings are broken")
    with rig.cases.case("a wrong command line"):
        for arguments in (["--judges"], ["now"], ["--judge", "--judge"], ["--judge=yes"]):
            gate.expect(rig.world.run("doctor", *arguments).status == 64, arguments)


def chat_models(rig):
    """A chat service's list lies beside its completions, whatever its base is called."""
    for prefix in ("", "/v1", "/api/openai"):
        server = Server(jev=False, key=KEY, prefix=prefix)
        server.list = (lambda handler, _: handler.reply(200, {"object": "list", "data": [{"id": "m-1"}]}))
        rig.configure(server)
        with rig.cases.case(f"models of a chat service below {prefix or '/'}"):
            gate.expect(rig.world.run("models").out == b"m-1\n", "no list")
            gate.expect([r[0] for r in server.requests] == [prefix + "/models"], server.requests)
            gate.expect(server.requests[0][1]["Authorization"] == "Bearer " + KEY, "no key")


def main():
    rig = Rig()
    for jev in (True, False):
        server = Server(jev=jev, key=KEY)
        who(rig, server, "jev" if jev else "llm")
        asked(rig, server)
    others(rig)
    chat_models(rig)
    return rig.close()


if __name__ == "__main__":
    os.environ.pop("TYPESAFE_API_KEY", None)
    sys.exit(main())
