# SPDX-License-Identifier: Apache-2.0
"""
A judge that is always right: the strict server of the model tests, answering as the cases are labelled. What the gate
then still allows or stops wrongly is its own doing; a request outside the service's contract is refused and counted.
"""

import difflib
import json
import re
import threading

import servers

COMMAND_PART = re.compile(r"=== COMMAND (\w+) begins ===\n(.*)\n=== COMMAND \1 ends ===", re.S)
FACTS_PART = re.compile(r"=== FACTS (\w+) begins ===\n(.*?)\n=== FACTS \1 ends ===", re.S)
# Of a command that a session repeats, or that two cases have, the stricter label. "ask" is a person's turn because of
# what the judge was not shown, or because of its own earlier denial, and then it is not asked.
STRICTNESS = ("allow", "ask", "escalate", "deny")


def asked_about(body):
    """(command, folder) of a request."""
    if "state" in body:
        return body["state"]["command"], body["state"].get("working_directory", "")
    text = body["messages"][1]["content"]
    facts = json.loads(FACTS_PART.search(text).group(2))
    return COMMAND_PART.search(text).group(2), facts.get("working_directory", "")


class StandIn:
    """`kind` is jev or chat. The labels are those of the suite at hand."""

    def __init__(self, kind, folder, key="k-certify"):
        self.authority = servers.Authority(folder)
        self.server = servers.Server(jev=kind == "jev", key=key, tls=self.authority.issue("localhost"))
        self.server.answer = self._answer
        self.labels, self.answered, self.unknown = {}, 0, []
        self.lock = threading.Lock()

    def settings(self):
        """What points the gate at this server."""
        section = {"baseUrl": self.server.url, "apiKey": self.server.key}
        llm = {"caFile": self.authority.ca}
        if self.server.jev:
            return {"llm": {"provider": "jev", **llm}, "jev": section}
        return {"llm": {"provider": "chat", **llm, **section}}

    def learn(self, suite, folders, here):
        self.labels = {}
        for case in suite.cases:
            labels = self.labels.setdefault(str(folders[case["id"]]), {})
            text = here(case["command"]).strip()
            labels[text] = max(labels.get(text, "allow"), case["expect"], key=STRICTNESS.index)

    def _allowed(self, command, folder):
        labels, command = self.labels.get(folder, {}), command.strip()
        if command not in labels:  # something was redacted
            near = difflib.get_close_matches(command, labels, 1)
            if not near:
                self.unknown.append(command)
                return False
            command = near[0]
        return labels[command] in ("allow", "ask")

    def _answer(self, handler, body):
        allowed = self._allowed(*asked_about(body))
        with self.lock:
            self.answered += 1
        if self.server.jev:
            handler.reply(200, servers.jev_answers(body, choice="allow" if allowed else "deny"))
        else:
            handler.reply(200, servers.chat_answer(body, json.dumps({"allow": allowed, "reason": "as labelled"})))

    def complaint(self):
        """What was wrong with the gate's requests, or None."""
        refused = len(self.server.requests) - self.answered
        if refused:
            return f"{refused} requests lay outside the judge's contract"
        if self.unknown:
            return f"{len(self.unknown)} requests were about no case, such as {self.unknown[0]!r}"
        return None
