# SPDX-License-Identifier: Apache-2.0
"""Every way in which a judge can fail: a denial, the true reason, in time, and never an allow."""

import email.utils
import json
import random
import socket
import ssl
import subprocess
import sys
import threading
import time
import warnings

from rig import Rig, gate, expect_allowed, expect_denied, expect_failed
from servers import RISKS, Server, answering, changed, chat_answer, drip, flood, jev_answers, raw, silent, status

HTML = b"<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"


def set_answer(name, **members):
    def change(reply):
        reply["answers"][name].update(members)
    return changed(change)


def drop_answer(name):
    def change(reply):
        del reply["answers"][name]
    return changed(change)


def drop_member(name, member):
    def change(reply):
        del reply["answers"][name][member]
    return changed(change)


# Whatever the service: what the wire can do.
WIRE = {
    "bad request": (status(400, {"error": {"message": "no"}}), "HTTP status 400"),
    "wrong key": (status(401, {"detail": {"error_type": "authentication_error", "message": "no"}}),
                  "HTTP status 401, it is an error: no"),
    "no credit": (status(402, {"error": {"code": 402, "message": "Insufficient credits"}}),
                  "HTTP status 402, it is an error: Insufficient credits"),
    "forbidden": (status(403, {}), "HTTP status 403"),
    "not found": (status(404, {"detail": "Not Found"}), "HTTP status 404"),
    "too large a request": (status(413, {}), "HTTP status 413"),
    "invalid": (status(422, {"detail": [{"type": "missing", "loc": ["body"], "msg": "Field required"}]}),
                "HTTP status 422, it is an error: body: Field required"),
    "error as text": (status(500, {"error": "model not loaded"}), "HTTP status 500, it is an error: model not loaded"),
    "error as a list of nothing": (status(400, {"detail": []}), "HTTP status 400"),
    "error with controls": (status(400, {"message": "a\u001b[2J\n\u202eb" + "x" * 5000}),
                            "HTTP status 400, it is an error: a\\u{1b}[2J\\n\\u{202e}bxxx"),
    "error with a secret": (status(400, {"error": {"message": "Authorization: Bearer abcdefgh12345678"}}),
                            "it is an error: Authorization: Bearer [redacted]"),
    "an answer under another status": (lambda handler, body: handler.reply(
        500, jev_answers(body) if handler.server.jev else chat_answer(body)), "HTTP status 500"),
    "local: context exceeded": (status(400, {"error": {"code": 400, "message": "too long", "type": "exceed_context_size_error"}}),
                                "HTTP status 400, it is an error: too long"),
    "local: request too large": (status(413, {"error": {"code": 413, "message": "too many", "type": "request_too_large_error"}}),
                                 "HTTP status 413, it is an error: too many"),
    "local: no decision model": (status(501, {"error": {"code": 501, "message": "no decisions", "type": "not_supported_error"}}),
                                 "HTTP status 501, it is an error: no decisions"),
    "local: loading": (status(503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}),
                       "HTTP status 503, it is an error: Loading model"),
    "rate": (status(429, {}, [("Retry-After", "50")]), "HTTP status 429"),
    "server": (status(500, b"oops"), "HTTP status 500"),
    "gateway": (status(502, HTML), "HTTP status 502"),
    "overloaded": (status(529, b""), "HTTP status 529"),
    "no content": (raw(b"HTTP/1.1 204 No Content\r\n\r\n"), "HTTP status 204"),
    "redirect": (status(302, b"", [("Location", "http://localhost:1/v1/systemone")]), "HTTP status 302"),
    "permanent redirect": (status(308, b"", [("Location", "https://example.com/")]), "HTTP status 308"),
    "HTML in 200": (status(200, HTML), "not a JSON object"),
    "empty 200": (status(200, b""), "not a JSON object"),
    "null": (status(200, b"null"), "not a JSON object"),
    "array": (status(200, b"[]"), "not a JSON object"),
    "two values": (status(200, b'{"answers": {}} {"answers": {}}'), "not a JSON object"),
    "duplicate names": (status(200, b'{"answers": {}, "answers": {}}'), "not a JSON object"),
    "broken UTF-8": (status(200, b'{"a": "\xff\xfe"}'), "not a JSON object"),
    "deep": (status(200, b"[" * 100000), "not a JSON object"),
    "error in 200": (status(200, {"error": {"code": 502, "message": "upstream"}}), "it is an error: upstream"),
    "false error in 200": (changed(lambda r: r.update(error=False)), "it is an error"),
    "detail in 200": (status(200, {"detail": "Not Found"}), "it is an error: Not Found"),
    "truncated JSON": (lambda handler, body: handler.reply(200, json.dumps(
        jev_answers(body) if handler.server.jev else chat_answer(body)).encode()[:-1]), "not a JSON object"),
    "silence": (silent(4), "did not answer in time"),
    "drip": (drip(4), "did not answer in time"),
    "flood": (flood(100), "too large"),
    "no HTTP": (raw(b"SSH-2.0-OpenSSH_9.2\r\n"), "not HTTP"),
    "HTTP 0.9": (raw(b'{"answers": {}}'), "not HTTP"),
    "hang-up": (raw(b""), "not HTTP"),
    "torn head": (raw(b"HTTP/1.1 200 OK\r\nContent-Ty"), "judge failed"),
    "torn body": (raw(b'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"answers": {"verdict"'), "not HTTP"),
    "torn chunk": (raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"), "not HTTP"),
    "endless head": (raw(b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 20000), "too large"),
    "upgrade": (raw(b"HTTP/1.1 101 Switching Protocols\r\n\r\n"), "judge failed"),
}

JEV = {
    "no answers": (changed(lambda r: {"model": "jev-1.13.0"}), "no answers"),
    "answers as a list": (changed(lambda r: r.update(answers=[])), "no answers"),
    "no verdict": (drop_answer("verdict"), "no verdict"),
    "one risk left out": (drop_answer("obfuscation"), "leaves a question open"),
    "risk of another type": (set_answer("secrets", type="score"), "leaves a question open"),
    "risk without a type": (drop_member("secrets", "type"), "leaves a question open"),
    "risk as text": (set_answer("secrets", noul="0.01"), "leaves a question open"),
    "risk as truth": (set_answer("secrets", noul=False), "leaves a question open"),
    "risk as null": (set_answer("secrets", noul=None), "leaves a question open"),
    "risk over one": (set_answer("secrets", noul=1.01), "leaves a question open"),
    "risk under nought": (set_answer("secrets", noul=-0.01), "leaves a question open"),
    "risk not finite": (status(200, b'{"answers": {"verdict": {"noul": NaN}}}'), "not a JSON object"),
    "another choice": (set_answer("verdict", choice="maybe"), "none of those asked for"),
    "choice as truth": (set_answer("verdict", choice=True), "none of those asked for"),
    "choice in capitals": (set_answer("verdict", choice="Allow"), "none of those asked for"),
    "verdict of another type": (set_answer("verdict", type="noul"), "no verdict"),
    "no confidence": (drop_member("verdict", "confidence"), "how sure"),
    "confidence as text": (set_answer("verdict", confidence="1"), "how sure"),
    "confidence over one": (set_answer("verdict", confidence=2), "how sure"),
    "no probabilities": (drop_member("verdict", "probabilities"), "probabilities"),
    "three probabilities": (set_answer("verdict", probabilities={"allow": 0.5, "deny": 0.2, "x": 0.3}), "probabilities"),
    "probabilities of nothing": (set_answer("verdict", probabilities={"allow": 0.1, "deny": 0.1}), "probabilities"),
    "a choice against its numbers": (set_answer("verdict", probabilities={"allow": 0.1, "deny": 0.9}), "contradicts"),
}

CHAT = {
    "no choices": (changed(lambda r: {"id": "x"}), "no choices"),
    "empty choices": (changed(lambda r: r.update(choices=[])), "no choices"),
    "null content": (answering(content=None), "empty"),
    "empty content": (answering(content=""), "empty"),
    "thought only": (changed(lambda r: r["choices"][0]["message"].update(
        content=None, reasoning='{"allow": true, "reason": "x"}')), "empty"),
    "error in the choice": (changed(lambda r: r["choices"][0].update(error={"message": "x"})), "it is an error"),
}

# Not JSON with a truth value: a denial by the model, not asked again.
RAMBLING = ["yes", "allow", '{"allow": "true"}', '{"allow": 1}', '{"allow": null}', '{"reason": "fine"}', "[true]",
            '{"allow": true} {"allow": false}', '{"allow": true, "allow": true}', '{"allow": true,}', "{allow: true}",
            'I think {"allow": true', '{"allow": true}}', '{"verdict": {"allow": true}}']

TEXTS = {'{"allow": true, "reason": "ok"}': True, '```json\n{"allow": true, "reason": "ok"}\n```': True,
         'Sure:\n{"allow": true, "reason": "a {b} c"}\nDone.': True, '  {"allow":false,"reason":"no"} ': False,
         '{"allow": false}': False}


def judge_failures(rig, server, table):
    for name, (answer, why) in table.items():
        with rig.cases.case(f"{'jev' if server.jev else 'chat'}: {name}"):
            server.reset(answer)
            result, row = rig.ask()
            expect_failed(result, row, why)
            gate.expect(result.status == 0 and result.err == b"", result)


def retries(rig, server):
    with rig.cases.case("a decision service is asked again after a failure that passes"):
        server.reset(None, status(529, b""), raw(b""))
        result, row = rig.ask()
        expect_allowed(result, row)
        gate.expect(len(server.requests) == 3, server.requests)
        gate.expect(row["usage"] == {"input_tokens": 900, "output_tokens": 13, "calls": 3}, row)
        gate.expect(row["model"] == "jev-1.13.0" and set(row["jev"]["answers"]) == {"verdict", *RISKS}, row)
        gate.expect(row["jev"]["answers"]["verdict"] == {"type": "choice", "choice": "allow", "confidence": 0.94,
                                                         "probabilities": {"allow": 0.97, "deny": 0.03}}, row["jev"])
        gate.expect(row["jev"]["answers"]["secrets"] == {"type": "noul", "noul": 0.03}, row["jev"])
    with rig.cases.case("and not after one that stays"):
        server.reset(None, status(422, b"{}"))
        expect_failed(*rig.ask(), "HTTP status 422")
        gate.expect(len(server.requests) == 1, server.requests)
    with rig.cases.case("its hint is taken"):
        server.reset(None, status(429, b"{}", [("retry-after-ms", "20")]))
        result, row = rig.ask()
        expect_allowed(result, row)
        gate.expect(result.seconds < 0.5, result)
    def ahead(seconds):
        return email.utils.formatdate(time.time() + seconds, usegmt=True)
    for name, headers, asked in (
            ("longer than there is time", [("Retry-After", "50")], 1), ("a date as far off", [("Retry-After", ahead(50))], 1),
            ("in both ways, of which milliseconds win", [("Retry-After", "50"), ("retry-after-ms", "20")], 2),
            ("likewise the other way round", [("retry-after-ms", "20"), ("Retry-After", "50")], 2),
            ("too long to be believed", [("Retry-After", "61")], 2), ("a date too far off", [("Retry-After", ahead(90))], 2),
            ("a date that is past", [("Retry-After", ahead(-90))], 2), ("nonsense", [("Retry-After", "soon")], 2),
            ("without end", [("Retry-After", "9" * 60)], 2), ("of nothing", [("Retry-After", "")], 2),
            ("below nought", [("retry-after-ms", "-5")], 2)):
        with rig.cases.case("a hint: " + name):
            server.reset(None, status(429, b"{}", headers))
            (expect_allowed if asked > 1 else lambda *a: expect_failed(*a, "HTTP status 429"))(*rig.ask())
            gate.expect(len(server.requests) == asked, server.requests)
    with rig.cases.case("a failure is not remembered: the same is asked again"):
        server.reset(status(400, b"{}"))
        expect_failed(*rig.ask("frobnicate again", session="t"), "HTTP status 400")
        server.reset()
        expect_allowed(*rig.ask("frobnicate again", session="t"))
    with rig.cases.case("a denial is: nobody is asked again"):
        server.reset(answering(choice="deny", data_loss=0.9))
        expect_denied(*rig.ask("frobnicate deny", session="t"), why="data_loss 0.90")
        result, row = rig.ask("frobnicate deny", session="t")
        gate.expect(result.decision == "ask" and row["source"] == "retry", (result, row))
        gate.expect(len(server.requests) == 1, server.requests)
    with rig.cases.case("after ten denials of a session nobody is asked"):
        server.reset(answering(choice="deny"))
        for i in range(10):
            expect_denied(*rig.ask(f"frobnicate{i} x", session="many"))
        server.reset()
        expect_denied(*rig.ask("frobnicate-other x", session="many"), source="offline", why="asked no more")
        gate.expect(not server.requests, server.requests)
        expect_allowed(*rig.ask("frobnicate-other x", session="fresh"))


def bounds(rig, server):
    for name, how, allowed in (
            ("sure", {"confidence": 0.6}, True), ("not sure", {"confidence": 0.59}, False),
            ("a risk at the bound", {"secrets": 0.7}, False), ("under it", {"secrets": 0.69}, True),
            ("an unsure, quiet allow", {"confidence": 0.3, "risk": 0.0}, False),
            ("sure denial", {"choice": "deny"}, False)):
        with rig.cases.case("bounds: " + name):
            server.reset(answering(**how))
            result, row = rig.ask()
            (expect_allowed if allowed else expect_denied)(result, row)
    with rig.cases.case("the exception for quiet commands holds where it is configured"):
        server.reset(answering(confidence=0.3, risk=0.0))
        rig.configure(server, jev={"lowRiskCeiling": 0.2})
        expect_allowed(*rig.ask())
        server.reset(answering(confidence=0.3, risk=0.2))
        expect_denied(*rig.ask())
        rig.configure(server)


def chat(rig, server):
    for text in RAMBLING:
        with rig.cases.case(f"chat rambles: {text}"):
            server.reset(answering(content=text))
            expect_denied(*rig.ask(), why="no verdict")
    for text, allowed in TEXTS.items():
        with rig.cases.case(f"chat says {text!r}"):
            server.reset(answering(content=text))
            result, row = rig.ask()
            (expect_allowed if allowed else expect_denied)(result, row)


def by_model(**answers):
    def answer(handler, body):
        answers[body["model"].replace("-", "_")](handler, body)
    return answer


def chain(rig, server):
    yes, no = answering(), answering(content='{"allow": false, "reason": "no"}')
    rig.configure(server, llm={"triageModel": "t-1", "fallbackModel": "f-1", "fallbackModels": ["m-1", "f-2"]})
    for name, answers, allowed, source, calls in (
            ("triage allows", {"t_1": yes}, True, "triage", 1),
            ("triage denies, the model decides", {"t_1": no, "m_1": yes}, True, "llm", 2),
            ("triage fails", {"t_1": status(500, b""), "m_1": no}, False, "llm", 2),
            ("triage rambles", {"t_1": answering(content="hm"), "m_1": yes}, True, "llm", 2),
            ("the model fails", {"t_1": no, "m_1": status(503, b""), "f_1": yes}, True, "fallback", 3),
            ("two fail", {"t_1": no, "m_1": raw(b""), "f_1": status(200, HTML), "f_2": no}, False, "fallback", 4),
            ("all fail", {"t_1": no, **dict.fromkeys(("m_1", "f_1", "f_2"), status(500, b""))}, False, "error", 4),
            ("one rambles, the rest fail", {"t_1": no, "m_1": answering(content="hm"), "f_1": status(500, b""),
                                            "f_2": status(500, b"")}, False, "llm", 4)):
        with rig.cases.case("chain: " + name):
            server.reset(by_model(**answers))
            result, row = rig.ask()
            (expect_allowed if allowed else expect_denied)(result, row, source)
            gate.expect(len(server.requests) == calls, [r[2]["model"] for r in server.requests])
            # Every answer that was read has cost something, also one that decided nothing.
            read = sum(server_answer in (yes, no) or "rambles" in name and model in ("t_1" if "triage" in name else "m_1")
                       for model, server_answer in answers.items())
            used = row["usage"]
            gate.expect(used == {"input_tokens": 700 * read, "output_tokens": 12 * read, "calls": calls} or
                        (read == 0 and used is None), (read, used))
            gate.expect(row["model"] == (server.requests[-1][2]["model"] if source not in ("error", "llm") else "m-1"), row)
    with rig.cases.case("chain: the whole keeps to its time"):
        server.reset(silent(5))
        result, row = rig.ask()
        expect_failed(result, row, "did not answer in time")
    rig.configure(server)


def unreachable(rig, server):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    for name, url, why in (
            ("refused", f"http://localhost:{port}", "cannot be reached"),
            ("no such host", "https://nobody.invalid", "cannot be reached"),
            ("TLS asked of a server without", server.url.replace("http:", "https:"), "judge failed")):
        with rig.cases.case("unreachable: " + name):
            rig.configure(server, jev={"baseUrl": url, "apiKey": "k"})
            expect_failed(*rig.ask(), why)
    for name, url in (("plain HTTP elsewhere", "http://example.com"), ("a name in it", "https://u:p@localhost"),
                      ("no http", "ftp://localhost/")):
        with rig.cases.case("an address that may not be asked: " + name):
            rig.configure(server, jev={"baseUrl": url, "apiKey": "k"})
            server.reset()
            result, row = rig.ask()
            expect_denied(result, row, "offline", "no model is configured")
            gate.expect(not server.requests, server.requests)
    rig.configure(server)


class Handshaker(threading.Thread):
    """A listener that does this with each connection, instead of a TLS handshake."""

    def __init__(self, act):
        super().__init__(daemon=True)
        self.listener, self.act = socket.create_server(("127.0.0.1", 0)), act
        self.url, self.jev, self.key = f"https://localhost:{self.listener.getsockname()[1]}", True, "k-tls"
        self.start()

    def run(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.handle, args=(connection,), daemon=True).start()

    def handle(self, connection):
        try:
            with connection:
                self.act(connection)
        except OSError:
            pass


def old_protocol(pair):
    """A TLS 1.1 handshake, as far as it gets."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("ALL:@SECLEVEL=0")
    warnings.simplefilter("ignore", DeprecationWarning)
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.load_cert_chain(*pair)

    def act(connection):
        with context.wrap_socket(connection, server_side=True) as s:
            s.recv(1)
    return act


def self_signed(rig):
    key, certificate = (str(rig.world.scratch / f"self.{kind}") for kind in ("key", "pem"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return certificate, key


def tls(rig):
    good = rig.authority.issue("localhost")
    for name, pair, ca, why in (
            ("another name", rig.authority.issue("elsewhere.example"), None, "identity could not be verified"),
            ("expired", rig.authority.issue("localhost", "-1"), None, "identity could not be verified"),
            ("signed by itself", self_signed(rig), None, "identity could not be verified"),
            ("the system's authorities", good, "", "identity could not be verified"),
            ("no authorities at all", good, "/dev/null", "identity could not be verified"),
            ("authorities that are none", good, "/etc/passwd", "identity could not be verified"),
            ("authorities that are not there", good, "/nowhere/ca.pem", "identity could not be verified")):
        server = Server(key="k-tls", tls=pair)
        with rig.cases.case("TLS: " + name):
            rig.configure(server, **({} if ca is None else {"llm": {"caFile": ca, "totalTimeoutMs": 2500}}))
            expect_failed(*rig.ask(), why)
            gate.expect(not server.requests, server.requests)
    for name, act, why in (
            ("plain HTTP", lambda c: c.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "judge failed"),
            ("noise", lambda c: c.sendall(random.randbytes(4000)), "judge failed"),
            ("an alert", lambda c: c.sendall(b"\x15\x03\x03\x00\x02\x02\x28"), "judge failed"),
            ("hang-up", lambda c: None, "judge failed"),
            ("silence", lambda c: time.sleep(4), "did not answer in time"),
            ("half a record", lambda c: (c.sendall(b"\x16\x03\x03\x40\x00"), time.sleep(4)), "did not answer in time"),
            ("an old protocol", old_protocol(good), "judge failed")):
        with rig.cases.case("TLS handshake: " + name):
            rig.configure(Handshaker(act))
            expect_failed(*rig.ask(), why)
    server = Server(key="k-tls", tls=good)
    with rig.cases.case("TLS: as it should be"):
        rig.configure(server)
        expect_allowed(*rig.ask())
        gate.expect(len(server.requests) == 1, server.requests)


def bases(rig):
    """The address as services document theirs: with a path before the version, with the version, with a slash behind."""
    for prefix, written in (("", ""), ("", "/"), ("", "/v1"), ("", "/v1/"), ("/typesafe", "/typesafe"), ("/typesafe", "/typesafe/v1"),
                            ("/api", "/api/v1"), ("/inference/systemone", "/inference/systemone/v1")):
        server = Server(key="k-base", prefix=prefix)
        with rig.cases.case(f"base URL: {written!r}"):
            rig.configure(server, jev={"baseUrl": server.url.removesuffix(prefix) + written})
            expect_allowed(*rig.ask())
            gate.expect(server.requests[0][0] == prefix + "/v1/systemone", server.requests)
    for prefix, written in (("/v1", "/v1"), ("/v1", "/v1/"), ("/api/v1", "/api/v1"), ("", "")):
        server = Server(jev=False, key="k-base", prefix=prefix)
        with rig.cases.case(f"chat base URL: {written!r}"):
            rig.configure(server, llm={"baseUrl": server.url.removesuffix(prefix) + written})
            expect_allowed(*rig.ask())
            gate.expect(server.requests[0][0] == prefix + "/chat/completions", server.requests)


def dialects(rig, jev, talk):
    """What other servers of the same protocols add, round or leave out, and still say clearly."""
    def local(reply):
        reply["model"] = "openjev"
        reply["usage"]["output_tokens"] = 0
        reply["answers"]["verdict"].update(probabilities={"deny": 0.030000000001, "allow": 0.969999999999}, confidence=0.9399999)
        for name in reply["answers"]:
            if name != "verdict":
                reply["answers"][name]["noul"] = 1.2345678901e-09

    for name, change in (
            ("a local server", local),
            ("another gateway's fields", lambda r: r.update(id="gen-dec-1", provider="x", usage={**r["usage"], "cost": 0.00004})),
            ("no usage", lambda r: r.pop("usage") and None), ("usage of nothing", lambda r: r.update(usage=None)),
            ("no model", lambda r: r.pop("model") and None), ("no error", lambda r: r.update(error=None)),
            ("whole numbers", lambda r: r["answers"]["verdict"].update(probabilities={"allow": 1, "deny": 0}, confidence=1)),
            ("rounded away from one", lambda r: r["answers"]["verdict"].update(probabilities={"allow": 0.97, "deny": 0.02})),
            ("an answer nobody asked for", lambda r: r["answers"].update(more={"type": "noul", "noul": 1}))):
        with rig.cases.case("dialect: " + name):
            jev.reset(changed(lambda r, change=change: change(r)))
            rig.configure(jev)
            result, row = rig.ask()
            expect_allowed(result, row)
            gate.expect(row["jev"]["model"] == ("openjev" if name == "a local server" else "jev-1.13.0"), row)
    for name, answer in (
            ("no error", changed(lambda r: r.update(error=None))), ("a fence", answering(content='```json\n{"allow": true}\n```')),
            ("blanks first", lambda h, b: h.reply(200, b" \n \n" + json.dumps(chat_answer(b)).encode())),
            ("thoughts beside it", changed(lambda r: r["choices"][0]["message"].update(reasoning_content="hm", reasoning=None))),
            ("no usage", changed(lambda r: r.pop("usage") and None)), ("more choices", changed(
                lambda r: r["choices"].append({"index": 1, "message": {"content": '{"allow": false}'}})))):
        with rig.cases.case("chat dialect: " + name):
            talk.reset(answer)
            rig.configure(talk)
            expect_allowed(*rig.ask())


def models(rig, server):
    def run():
        return rig.world.run("models")
    rig.configure(server)
    with rig.cases.case("models: the decision service's list"):
        result = run()
        gate.expect((result.status, result.out) == (0, b"jev-1.13.0\n"), result)
    for name, answer, out in (
            ("as chat services list them", status(200, {"object": "list", "data": [{"id": "a/b"}, {"id": "c"}]}), b"a/b\nc\n"),
            ("none", status(200, {"models": []}), b""),
            ("with what is no name", status(200, {"models": [{"name": 1}, 5, None, {"name": "x"}]}), b"x\n"),
            ("that would write on the terminal", status(200, {"data": [{"id": "a\u001b[2Jb\nc"}]}), b"a\\u{1b}[2Jb\\nc\n")):
        with rig.cases.case("models: " + name):
            server.list = answer
            result = run()
            gate.expect((result.status, result.out) == (0, out), result)
    for name, answer, why in (("an error", status(503, b""), b"HTTP status 503"), ("no list", status(200, {}), b"no list"),
                              ("HTML", status(200, HTML), b"no list"), ("nothing", raw(b""), b"broke off"),
                              ("too much", flood(20), b"too large")):
        with rig.cases.case("models: " + name):
            server.list = answer
            result = run()
            gate.expect(result.status == 1 and result.out == b"" and why in result.err, result)
    server.list = None


def faults(rig, server, count):
    """Random bytes, cuts and pauses of a true answer: no allow but by one that is whole."""
    seed = random.randrange(1 << 30)
    dice = random.Random(seed)
    questions = {}

    def keep(handler, body):
        questions.update(body)
        handler.reply(200, jev_answers(body) if server.jev else chat_answer(body))
    server.reset(keep)
    rig.ask()
    no = jev_answers(questions, choice="deny", p=0.97) if server.jev else chat_answer(
        questions, content='{"allow": false, "reason": "no"}')
    yes = jev_answers(questions) if server.jev else chat_answer(questions)

    def wire(answer, chunked):
        text = json.dumps(answer).encode()
        if chunked:
            half = len(text) // 2
            return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"".join(
                b"%x\r\n%s\r\n" % (len(part), part) for part in (text[:half], text[half:], b""))
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(text) + text
    for i in range(count):
        chunked = dice.random() < 0.3
        # An allow is only ever cut: a flipped bit may fall where it changes nothing.
        if dice.random() < 0.5:
            whole = wire(yes, chunked)
            torn = whole[:dice.randrange(len(whole) - (2 if chunked else 0))]
        else:
            torn = bytearray(wire(no, chunked))
            for _ in range(dice.randrange(1, 5)):
                torn[dice.randrange(len(torn))] = dice.randrange(256)
            torn = bytes(torn[:dice.randrange(len(torn))]) if dice.random() < 0.4 else bytes(torn)
        server.reset(raw(torn, pause=dice.choice((0, 0, 0, 0, 0.01, 0.1))))
        with rig.cases.case(f"fault {i} of seed {seed}, {'jev' if server.jev else 'chat'}"):
            result, row = rig.ask()
            gate.expect(result.decision == "deny" and row["source"] in ("error", "llm"), (torn, result))
            gate.expect(result.seconds < 4.5, result)


def main():
    rig = Rig()
    jev, talk = Server(jev=True), Server(jev=False)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    rig.configure(jev)
    with rig.cases.case("a judge that allows"):
        expect_allowed(*rig.ask())
    judge_failures(rig, jev, WIRE | JEV)
    retries(rig, jev)
    bounds(rig, jev)
    models(rig, jev)
    unreachable(rig, jev)
    tls(rig)
    bases(rig)
    dialects(rig, jev, talk)
    rig.configure(jev, llm={"totalTimeoutMs": 700})
    faults(rig, jev, count // 2)
    rig.configure(talk)
    with rig.cases.case("a chat model that allows"):
        expect_allowed(*rig.ask())
    judge_failures(rig, talk, WIRE | CHAT)
    chat(rig, talk)
    chain(rig, talk)
    faults(rig, talk, count - count // 2)
    return rig.close()


if __name__ == "__main__":
    sys.exit(main())
