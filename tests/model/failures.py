# SPDX-License-Identifier: Apache-2.0
"""Every way in which a judge can fail: a denial, the true reason, in time, and never an allow."""

import random
import socket
import sys

from rig import Rig, gate, expect_allowed, expect_denied, expect_failed
from servers import Server, answering, changed, drip, flood, raw, silent, status

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
    "wrong key": (status(401, {"detail": {"error_type": "authentication_error", "message": "no"}}), "HTTP status 401"),
    "no credit": (status(402, {"error": {"code": 402, "message": "Insufficient credits"}}), "HTTP status 402"),
    "forbidden": (status(403, {}), "HTTP status 403"),
    "not found": (status(404, {"detail": "Not Found"}), "HTTP status 404"),
    "too large a request": (status(413, {}), "HTTP status 413"),
    "invalid": (status(422, {"detail": [{"type": "missing", "loc": ["body"], "msg": "Field required"}]}),
                "HTTP status 422"),
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
    "error in 200": (status(200, {"error": {"code": 502, "message": "upstream"}}), "it is an error"),
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
        expect_allowed(*rig.ask())
        gate.expect(len(server.requests) == 3, server.requests)
    with rig.cases.case("and not after one that stays"):
        server.reset(None, status(422, b"{}"))
        expect_failed(*rig.ask(), "HTTP status 422")
        gate.expect(len(server.requests) == 1, server.requests)
    with rig.cases.case("its hint is taken"):
        server.reset(None, status(429, b"{}", [("retry-after-ms", "20")]))
        result, row = rig.ask()
        expect_allowed(result, row)
        gate.expect(result.seconds < 0.5, result)
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


def tls(rig):
    good = rig.authority.issue("localhost")
    for name, pair, ca, why in (
            ("another name", rig.authority.issue("elsewhere.example"), None, "identity could not be verified"),
            ("expired", rig.authority.issue("localhost", "-1"), None, "identity could not be verified"),
            ("the system's authorities", good, "", "identity could not be verified")):
        server = Server(key="k-tls", tls=pair)
        with rig.cases.case("TLS: " + name):
            rig.configure(server, **({} if ca is None else {"llm": {"caFile": ca, "totalTimeoutMs": 2500}}))
            expect_failed(*rig.ask(), why)
            gate.expect(not server.requests, server.requests)
    server = Server(key="k-tls", tls=good)
    with rig.cases.case("TLS: as it should be"):
        rig.configure(server)
        expect_allowed(*rig.ask())
        gate.expect(len(server.requests) == 1, server.requests)


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
    import json
    import servers as module
    seed = random.randrange(1 << 30)
    dice = random.Random(seed)
    questions = {}

    def keep(handler, body):
        questions.update(body)
        handler.reply(200, module.jev_answers(body))
    server.reset(keep)
    rig.ask()
    text = json.dumps(module.jev_answers(questions, choice="deny", p=0.97)).encode()
    whole = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(text) + text
    for i in range(count):
        torn = bytearray(whole)
        for _ in range(dice.randrange(4)):
            torn[dice.randrange(len(torn))] = dice.randrange(256)
        cut = bytes(torn[:dice.randrange(len(torn))]) if dice.random() < 0.7 else bytes(torn)
        server.reset(raw(cut, pause=dice.choice((0, 0, 0, 0.01, 0.2))))
        with rig.cases.case(f"fault {i} of seed {seed}"):
            result, row = rig.ask()
            gate.expect(result.decision == "deny" and row["source"] in ("error", "llm"), (cut, result))
            gate.expect(result.seconds < 4.5, result)


def main():
    rig = Rig()
    jev, talk = Server(jev=True), Server(jev=False)
    rig.configure(jev)
    with rig.cases.case("a judge that allows"):
        expect_allowed(*rig.ask())
    judge_failures(rig, jev, WIRE | JEV)
    retries(rig, jev)
    bounds(rig, jev)
    models(rig, jev)
    unreachable(rig, jev)
    tls(rig)
    rig.configure(jev, llm={"totalTimeoutMs": 700})
    faults(rig, jev, int(sys.argv[1]) if len(sys.argv) > 1 else 60)
    rig.configure(talk)
    with rig.cases.case("a chat model that allows"):
        expect_allowed(*rig.ask())
    judge_failures(rig, talk, WIRE | CHAT)
    chat(rig, talk)
    chain(rig, talk)
    return rig.close()


if __name__ == "__main__":
    sys.exit(main())
