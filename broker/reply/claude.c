/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claude Code. It reads stdout only when it is one JSON object whose hookEventName is the event's; anything
 * else lets the tool run. Empty stdout with status 0 is "no opinion"; status 2 blocks whatever stdout says.
 */
#include "broker/reply/reply.h"
#include "policy/text/jsonout.h"

static const char *const events[] = { "PreToolUse", "PreSkillShellCommand", "PermissionRequest" };
enum { EVENT_TOOL, EVENT_SKILL, EVENT_PERMISSION, EVENT_OTHER };

static size_t event_of(struct bytes event)
{
	for (size_t i = 0; i < ARRAY_LEN(events); i++)
		if (bytes_is(event, events[i]))
			return i;
	return EVENT_OTHER;
}

static void say(size_t event, const char *decision, const char *reason, struct reply *r)
{
	struct jsonout j = JSONOUT(&r->out);

	jsonout_object(&j);
	jsonout_name(&j, "hookSpecificOutput");
	jsonout_object(&j);
	jsonout_member(&j, "hookEventName", events[event]);
	if (event == EVENT_PERMISSION) {
		jsonout_name(&j, "decision");
		jsonout_object(&j);
		jsonout_member(&j, "behavior", decision);
		if (strcmp(decision, "deny") == 0)
			jsonout_member(&j, "message", reason);
		jsonout_end(&j);
	} else {
		jsonout_member(&j, "permissionDecision", decision);
		jsonout_member(&j, "permissionDecisionReason", reason);
	}
	jsonout_end(&j);
	jsonout_end(&j);
	textbuf_putc(&r->out, '\n');
}

void reply_unknown(const char *reason, struct reply *r)
{
	say(EVENT_TOOL, "deny", reason, r);
	textbuf_printf(&r->err, "auto-classifier: %s\n", reason);
	r->status = 2;
}

/* A prompt that nobody sees would be answered by the harness; a skill's command has none at all. */
static bool nobody_asked(size_t event, const struct reply_context *c)
{
	return c->headless || c->unattended || event == EVENT_SKILL;
}

static enum escalation deny_unasked(
	size_t event, const struct outcome *o, const char *reason, struct reply *r)
{
	CLEANUP(textbuf_done) struct textbuf text = { 0 };

	textbuf_printf(&text,
		"%s\nThis would need a person's approval, and nobody can be asked here. "
		"Stop, and report it to the user.",
		reason);
	if (text.failed) {
		r->out.failed = true;
		return ESCALATION_NONE;
	}
	say(event, "deny", text.p, r);
	return o->gate_raised ? ESCALATION_GATE_KEPT : ESCALATION_NO_PROMPT;
}

enum escalation reply_claude(const struct outcome *o, const struct reply_context *c, struct reply *r)
{
	size_t event = event_of(o->event);
	const char *reason =
		o->reason && o->reason[0] ? o->reason : "auto-classifier found nothing against it";
	bool asks = o->decision == DECISION_ASK || o->decision == DECISION_FORCE_ASK;

	if (o->kind == KIND_NO_OPINION)
		return ESCALATION_NONE;
	if (event == EVENT_OTHER) { /* a deny in the wrong event's shape would be ignored */
		reply_unknown(
			o->reason && o->reason[0] ? o->reason : "the hook's input was not understood", r);
		return ESCALATION_NONE;
	}
	if (o->kind == KIND_MALFORMED || (!asks && o->decision != DECISION_ALLOW))
		say(event, "deny", o->reason && o->reason[0] ? o->reason : "auto-classifier blocked it", r);
	else if (o->decision == DECISION_ALLOW)
		say(event, "allow", reason, r);
	else if (event == EVENT_PERMISSION && o->decision == DECISION_ASK)
		; /* no PreToolUse outcome is remembered: the prompt that is on its way stands */
	else if (nobody_asked(event, c))
		return deny_unasked(event, o, reason, r);
	else if (event != EVENT_PERMISSION)
		say(event, "ask", reason, r);
	return ESCALATION_NONE;
}
