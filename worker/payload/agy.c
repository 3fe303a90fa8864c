/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agy's hook input: protojson, camelCase, zero values left out, no event name inside. Tool arguments are as
 * the model wrote them, PascalCase.
 */
#include <strings.h>

#include "policy/paths/paths.h"
#include "worker/payload/fields.h"

#define SESSION_DEFAULT BYTES("agy-session")

/* agy reads event names without regard to case. */
static bool event_is(struct bytes event, const char *name)
{
	return event.len == strlen(name) && strncasecmp(event.p, name, event.len) == 0;
}

/* The event, from the hook's command line, else by what the object holds. */
static struct bytes agy_event(struct json_object *o, struct bytes event)
{
	static const char *const known[] = { "PreToolUse", "PostToolUse", "PreInvocation", "PostInvocation",
		"Stop", "SessionStart" };

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (event_is(event, known[i]))
			return (struct bytes){ known[i], strlen(known[i]) };
	if (event.len > 0)
		return event;
	return field_present(o, "toolCall") ? BYTES("PreToolUse") : BYTES("PreInvocation");
}

/* Cwd may be relative, ".", or left out: the first workspace is its base. Unknown stays empty. */
static int agy_cwd(struct arena *arena, struct json_object *o, struct json_object *args, struct payload *p)
{
	struct bytes base = { "", 0 }, cwd = { "", 0 };
	char *buffer;
	size_t n;

	if (field_first_string(o, "workspacePaths", &base) == FIELD_WRONG ||
		field_string(args, "Cwd", &cwd) == FIELD_WRONG ||
		cwd.len + base.len + 2 > ASSESSMENT_TEXT_MAX) {
		payload_malformed(p, "Cwd or workspacePaths is no path");
		return 0;
	}
	buffer = arena_alloc(arena, ASSESSMENT_TEXT_MAX);
	if (!buffer)
		return -ENOMEM;
	n = path_normalise(base, cwd.len > 0 ? cwd : BYTES("."), buffer, ASSESSMENT_TEXT_MAX);
	p->cwd = (struct bytes){ buffer, n };
	p->kind = KIND_SHELL;
	return 0;
}

static int decode_tool(struct arena *arena, struct json_object *o, struct payload *p)
{
	static const char *const names[] = { "CommandLine", "Cwd", NULL };
	struct json_object *call, *args;

	if (field_object(o, "toolCall", &call) != FIELD_OK) {
		payload_malformed(p, "toolCall is missing or no object");
		return 0;
	}
	if (field_string(call, "name", &p->tool) != FIELD_OK || p->tool.len == 0 ||
		p->tool.len > ASSESSMENT_TEXT_MAX) {
		payload_malformed(p, "toolCall.name is missing or no name");
		return 0;
	}
	if (!bytes_is(p->tool, "run_command")) {
		p->kind = KIND_NO_OPINION;
		return 0;
	}
	if (field_object(call, "args", &args) != FIELD_OK) {
		payload_malformed(p, "toolCall.args is missing or no object");
		return 0;
	}
	if (field_case_trap(args, names)) {
		payload_malformed(p, "toolCall.args names an argument in another case");
		return 0;
	}
	if (field_string(args, "CommandLine", &p->command) == FIELD_WRONG) {
		payload_malformed(p, "CommandLine is no text, or holds a NUL byte");
		return 0;
	}
	return agy_cwd(arena, o, args, p);
}

int agy_decode(struct arena *arena, struct json_object *o, struct bytes event, struct payload *p)
{
	p->event = agy_event(o, event);
	if (!payload_text(p, o, "conversationId", &p->session, "conversationId is no text"))
		return 0;
	if (p->session.len == 0)
		p->session = SESSION_DEFAULT;
	if (bytes_is(p->event, "PreToolUse"))
		return decode_tool(arena, o, p);
	if (bytes_is(p->event, "PreInvocation"))
		p->kind = KIND_PRE_INVOCATION;
	else
		p->kind = KIND_NO_OPINION;
	return 0;
}
