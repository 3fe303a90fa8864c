# SPDX-License-Identifier: Apache-2.0
"""
A strict decision service and a strict chat service on this machine: what lies outside the contract is refused with the
body a real one sends, and either can be told to misbehave.
"""

import http.server
import json
import pathlib
import socket
import ssl
import subprocess
import threading
import time

RISKS = ("data_loss", "secrets", "remote_code", "security_control", "offensive", "shared_state", "git_plumbing",
         "system_state", "connections", "exfiltration", "obfuscation", "prompt_injection")


class Refused(Exception):
    """A request outside the contract: HTTP status and body."""

    def __init__(self, status, body):
        super().__init__(status)
        self.status, self.body = status, body


def need(condition, where, message, kind="value_error"):
    if not condition:
        raise Refused(422, {"detail": [{"type": kind, "loc": ["body", *where], "msg": message, "input": None}]})


def is_text(value):
    return isinstance(value, str) and value != ""


def check_question(name, question):
    need(isinstance(question, dict), ["questions", name], "Input should be a valid dictionary")
    allowed = {"type", "instructions", "criteria"}
    need(set(question) <= allowed, ["questions", name], "Extra inputs are not permitted", "extra_forbidden")
    need(question.get("type") in ("noul", "choice", "score"), ["questions", name, "type"], "Input tag is unknown")
    need(is_text(question.get("instructions")), ["questions", name, "instructions"], "Field required", "missing")
    if question["type"] == "choice":
        criteria = question.get("criteria")
        need(isinstance(criteria, dict) and 1 <= len(criteria) <= 255, ["questions", name, "criteria"], "Field required")
        need(all(is_text(text) for text in criteria.values()), ["questions", name, "criteria"], "Input is empty")


def check_jev(handler, body):
    if handler.path != handler.server.prefix + "/v1/systemone":
        raise Refused(404, {"detail": "Not Found"})
    need(isinstance(body, dict), [], "Input should be a valid dictionary")
    need(set(body) == {"model", "state", "questions"}, [], "Extra or missing fields", "extra_forbidden")
    need(is_text(body["model"]), ["model"], "Field required", "missing")
    need(isinstance(body["state"], dict) and "command" in body["state"], ["state"], "Field required", "missing")
    need(isinstance(body["questions"], dict) and body["questions"], ["questions"], "Field required", "missing")
    for name, question in body["questions"].items():
        check_question(name, question)


def check_chat(handler, body):
    def bad(message):
        raise Refused(400, {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}})

    if handler.path != handler.server.prefix + "/chat/completions":
        raise Refused(404, {"error": {"message": "not found", "type": "invalid_request_error"}})
    known = {"model", "messages", "temperature", "max_tokens", "stream"} | handler.server.extra
    if not isinstance(body, dict) or not {"model", "messages"} <= set(body) <= known:
        bad("unknown or missing fields: %s" % sorted(body))
    if [m.get("role") for m in body["messages"]] != ["system", "user"]:
        bad("roles")
    if not all(set(m) == {"role", "content"} and is_text(m["content"]) for m in body["messages"]):
        bad("messages")
    if body.get("stream") is not False:
        bad("stream")
    if not isinstance(body.get("max_tokens", 1), int):
        bad("max_tokens")


def jev_answers(body, choice="allow", p=0.97, confidence=0.94, risk=0.03, **risks):
    answers = {}
    for name, question in body["questions"].items():
        if question["type"] == "choice":
            labels = list(question["criteria"])
            other = [label for label in labels if label != choice]
            probabilities = {choice: p, **{label: round((1 - p) / len(other), 2) for label in other}}
            answers[name] = {"type": "choice", "choice": choice, "confidence": confidence,
                             "probabilities": probabilities}
        else:
            answers[name] = {"type": "noul", "noul": risks.get(name, risk)}
    return {"model": "jev-1.13.0", "answers": answers, "usage": {"input_tokens": 900, "output_tokens": 13}}


def chat_answer(body, content='{"allow": true, "reason": "harmless"}', **more):
    return {"id": "c-1", "object": "chat.completion", "model": body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": 700, "completion_tokens": 12, "total_tokens": 712}, **more}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are written apart, and the second would wait for the first one's ACK

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except OSError:
            pass  # the gate hung up, as it may

    def reply(self, status, body, headers=()):
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def do_GET(self):
        server = self.server
        server.requests.append((self.path, dict(self.headers), None))
        if server.list is not None:
            server.list(self, None)
        elif self.path == server.prefix + "/v1/models":
            self.reply(200, {"models": [{"name": "jev-1.13.0", "description": "decisions", "release_date": "2026-09-17"}]})
        else:
            self.reply(404, {"detail": "Not Found"})

    def do_POST(self):
        server = self.server
        raw = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        with server.lock:
            server.requests.append((self.path, dict(self.headers), body))
            answer = server.script.pop(0) if server.script else server.answer
        try:
            self.check(body)
            answer(self, body)
        except Refused as refused:
            self.reply(refused.status, refused.body)

    def check(self, body):
        server = self.server
        if server.key is not None and self.headers.get("Authorization") != "Bearer " + server.key:
            raise Refused(401, {"detail": {"error_type": "authentication_error", "message": "Invalid API key"}})
        if server.key is None and self.headers.get("Authorization") is not None:
            raise Refused(403, {"detail": {"error_type": "authentication_error", "message": "no key was expected"}})
        if self.headers.get("Content-Type") != "application/json":
            raise Refused(415, {"detail": "Unsupported Media Type"})
        (check_jev if server.jev else check_chat)(self, body)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, jev=True, key=None, tls=None, prefix=""):
        super().__init__(("127.0.0.1", 0), Handler)
        self.jev, self.key, self.prefix, self.extra = jev, key, prefix, set()
        self.requests, self.script, self.lock = [], [], threading.Lock()
        self.list = None
        self.answer = allow_jev if jev else allow_chat
        self.scheme = "http"
        if tls:
            self.scheme = "https"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            self.context = context
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self):
        connection, address = super().get_request()
        if self.scheme == "https":
            connection = self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return connection, address

    def handle_error(self, request, client_address):
        pass

    @property
    def url(self):
        return f"{self.scheme}://localhost:{self.server_address[1]}{self.prefix}"

    def reset(self, answer=None, *script):
        with self.lock:
            self.requests.clear()
            self.script[:] = script
            self.answer = answer or (allow_jev if self.jev else allow_chat)


def allow_jev(handler, body):
    handler.reply(200, jev_answers(body))


def allow_chat(handler, body):
    handler.reply(200, chat_answer(body))


def answering(**how):
    """A well-formed answer of the service with these numbers or this text."""
    def answer(handler, body):
        handler.reply(200, jev_answers(body, **how) if handler.server.jev else chat_answer(body, **how))
    return answer


def changed(change):
    """A well-formed answer that `change(answer)` has been at."""
    def answer(handler, body):
        reply = jev_answers(body) if handler.server.jev else chat_answer(body)
        handler.reply(200, change(reply) or reply)
    return answer


def status(number, body=b"", headers=()):
    def answer(handler, _):
        handler.reply(number, body, headers)
    return answer


def raw(data, pause=0.0):
    """These bytes instead of an HTTP response, and the end of the connection."""
    def answer(handler, _):
        time.sleep(pause)
        handler.wfile.write(data)
        handler.wfile.flush()
        handler.close_connection = True
        handler.connection.shutdown(socket.SHUT_RDWR)
    return answer


def drip(seconds):
    """A true answer, one byte now and then."""
    def answer(handler, body):
        text = json.dumps(jev_answers(body) if handler.server.jev else chat_answer(body)).encode()
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(text)
        until = time.monotonic() + seconds
        for byte in head + text:
            if time.monotonic() > until:
                break
            handler.wfile.write(bytes([byte]))
            handler.wfile.flush()
            time.sleep(0.05)
        handler.close_connection = True
    return answer


def flood(megabytes):
    def answer(handler, _):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        for _ in range(megabytes):
            handler.wfile.write(b" " * (1 << 20))
        handler.close_connection = True
    return answer


def silent(seconds):
    def answer(handler, _):
        time.sleep(seconds)
        handler.close_connection = True
    return answer


class Authority:
    """A certificate authority for one run, and certificates of it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.ca = self._path("ca.pem")
        self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                      "-subj", "/CN=gate test authority", "-keyout", self._path("ca.key"), "-out", self.ca,
                      "-addext", "basicConstraints=critical,CA:TRUE")

    def _path(self, name):
        return str(self.folder / name)

    @staticmethod
    def _openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def issue(self, name, days="2"):
        """(certificate, key) for a host name."""
        key, request, certificate = (self._path(f"{name}{days}.{kind}") for kind in ("key", "csr", "pem"))
        extension = self.folder / f"{name}.ext"
        extension.write_text(f"subjectAltName=DNS:{name}\n", encoding="ascii")
        self._openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
                      "-keyout", key, "-out", request)
        self._openssl("x509", "-req", "-in", request, "-CA", self.ca, "-CAkey", self._path("ca.key"),
                      "-CAcreateserial", "-days", days, "-extfile", str(extension), "-out", certificate)
        return certificate, key
