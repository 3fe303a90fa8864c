/* SPDX-License-Identifier: Apache-2.0 */
/* Claude Code's hook input: one object, snake_case, the event named in it. */
#include "worker/payload/fields.h"

/* The events that are decided on; every other one is none of ours and gets no opinion. */
static const struct {
	const char *name;
	enum request_kind kind;
} claude_events[] = {
	{ "PreToolUse", KIND_SHELL },
	{ "PermissionRequest", KIND_PERMISSION },
	{ "PreSkillShellCommand", KIND_SHELL },
};

static enum request_kind event_kind(struct bytes event)
{
	for (size_t i = 0; i < ARRAY_LEN(claude_events); i++)
		if (bytes_is(event, claude_events[i].name))
			return claude_events[i].kind;
	return KIND_NO_OPINION;
}

static void decode_tool(struct json_object *o, enum request_kind kind, struct payload *p)
{
	struct json_object *input;

	if (field_string(o, "tool_name", &p->tool) != FIELD_OK || p->tool.len == 0 ||
		p->tool.len > ASSESSMENT_TEXT_MAX) {
		payload_malformed(p, "tool_name is missing or no name");
		return;
	}
	if (field_object(o, "tool_input", &input) != FIELD_OK) {
		payload_malformed(p, "tool_input is missing or no object");
		return;
	}
	p->foreign_shell = bytes_is(p->tool, "PowerShell");
	if (!bytes_is(p->tool, "Bash") && !p->foreign_shell) {
		p->kind = KIND_NO_OPINION;
		return;
	}
	if (field_string(input, "command", &p->command) != FIELD_OK) {
		payload_malformed(p, "tool_input.command is missing, no text, or holds a NUL byte");
		return;
	}
	p->kind = kind;
}

void claude_decode(struct json_object *o, struct bytes event, struct payload *p)
{
	enum request_kind kind;

	if (field_string(o, "hook_event_name", &p->event) != FIELD_OK || p->event.len > ASSESSMENT_TEXT_MAX) {
		payload_malformed(p, "hook_event_name is missing or no text");
		return;
	}
	if (event.len > 0 && !bytes_eq(event, p->event)) {
		payload_malformed(p, "hook_event_name is not the event the hook was installed for");
		return;
	}
	kind = event_kind(p->event);
	if (kind == KIND_NO_OPINION) {
		p->kind = KIND_NO_OPINION;
		return;
	}
	if (!payload_text(p, o, "session_id", &p->session, "session_id is no text") ||
		!payload_text(p, o, "tool_use_id", &p->call_id, "tool_use_id is no text") ||
		!payload_text(p, o, "cwd", &p->cwd, "cwd is no path"))
		return;
	if (p->session.len == 0 || p->cwd.len == 0 || p->cwd.p[0] != '/') {
		payload_malformed(
			p, p->session.len == 0 ? "session_id is missing" : "cwd is missing or not absolute");
		return;
	}
	decode_tool(o, kind, p);
}
