# SPDX-License-Identifier: Apache-2.0
"""
A stand-in for a chat model on loopback, so that a real agent can be driven with no network: it answers the agent's
turns with the tool calls of a script, one after the other, and keeps every request for the test to read.
Speaks the Messages protocol (POST /v1/messages, streamed or not).
"""

import http.server
import json
import threading


class Model:
    """`steps` are (tool, arguments): the n-th is given on the turn that carries n tool results; then it says "done"."""

    def __init__(self, steps):
        self.steps = steps
        self.requests = []
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                try:
                    request = json.loads(body) if body else {}
                except ValueError:
                    return self._json(400, {"type": "error", "error": {"type": "invalid_request_error"}})
                path = self.path.split("?")[0]
                if path.endswith("/count_tokens"):
                    return self._json(200, {"input_tokens": 1})
                if not path.endswith("/messages"):
                    return self._json(404, {})
                model.requests.append(request)
                message, arguments = model.turn(request)
                return self._stream(message, arguments) if request.get("stream") else self._json(200, message)

            def do_GET(self):
                self._json(404, {})

            do_HEAD = do_GET

            def _send(self, status, kind, body):
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            def _json(self, status, value):
                self._send(status, "application/json", json.dumps(value).encode())

            def _stream(self, message, arguments):
                events = list(stream_events(message, arguments))
                body = "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events)
                self._send(200, "text/event-stream", body.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def turn(self, request):
        done = len(tool_results(request))
        step = self.steps[done] if request.get("tools") and done < len(self.steps) else None
        message = {"id": f"msg_{len(self.requests)}", "type": "message", "role": "assistant",
                   "model": request.get("model", "m"), "stop_sequence": None,
                   "usage": {"input_tokens": 1, "output_tokens": 1}}
        if step is None:
            return message | {"stop_reason": "end_turn", "content": [{"type": "text", "text": "done"}]}, None
        tool, arguments = step
        block = {"type": "tool_use", "id": f"toolu_{done:02d}", "name": tool, "input": arguments}
        return message | {"stop_reason": "tool_use", "content": [block]}, arguments

    def results(self):
        """What the agent told the model about each call, in order: (is_error, text)."""
        best = max((tool_results(request) for request in self.requests), key=len, default=[])
        return [(bool(block.get("is_error")), content_text(block.get("content"))) for block in best]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def tool_results(request):
    blocks = []
    for message in request.get("messages", []):
        if isinstance(message.get("content"), list):
            blocks += [b for b in message["content"] if isinstance(b, dict) and b.get("type") == "tool_result"]
    return blocks


def content_text(content):
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or [])


def stream_events(message, arguments):
    """The message as the sequence of server-sent events that a streaming client puts together again."""
    block = message["content"][0]
    empty = block | ({"input": {}} if arguments is not None else {"text": ""})
    if arguments is not None:
        delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
    else:
        delta = {"type": "text_delta", "text": block["text"]}
    yield {"type": "message_start", "message": message | {"content": [], "stop_reason": None}}
    yield {"type": "content_block_start", "index": 0, "content_block": empty}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
           "usage": {"output_tokens": 1}}
    yield {"type": "message_stop"}
