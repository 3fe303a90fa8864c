/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agy. One JSON object on one line, status 0: it takes any other status for a broken hook and runs the tool.
 * Its prompts can be switched off behind the gate's back, so an escalation is passed on only where a person
 * will see it.
 */
#include "broker/reply/reply.h"
#include "policy/text/jsonout.h"

static void say(const char *decision, const char *reason, struct reply *r)
{
	struct jsonout j = JSONOUT(&r->out);

	jsonout_object(&j);
	jsonout_member(&j, "decision", decision);
	if (reason)
		jsonout_member(&j, "reason", reason);
	jsonout_end(&j);
	textbuf_putc(&r->out, '\n');
}

static void deny(const char *reason, const char *more, struct reply *r)
{
	CLEANUP(textbuf_done) struct textbuf text = { 0 };

	textbuf_printf(&text, "%s%s%s", reason, *more ? "\n" : "", more);
	if (text.failed)
		r->out.failed = true;
	else
		say("deny", text.p, r);
}

/* Every event has its own message; PreToolUse without an opinion leaves the matter to agy's own prompt. */
static void no_opinion(const struct outcome *o, struct reply *r)
{
	if (bytes_is(o->event, "PreToolUse"))
		say("allow", NULL, r);
	else if (bytes_is(o->event, "PreInvocation") || bytes_is(o->event, "PostInvocation") ||
		bytes_is(o->event, "SessionStart"))
		textbuf_puts(&r->out, "{\"injectSteps\":[]}\n");
	else
		textbuf_puts(&r->out, "{}\n");
}

static enum escalation escalate(
	const struct outcome *o, const struct reply_context *c, const char *reason, struct reply *r)
{
	const char *why = "Nobody can be asked here. Stop, and report it to the user.";

	if (!c->headless) {
		if (c->prompting == PROMPT_SHOWN) {
			say(decision_name(o->decision), reason, r);
			return ESCALATION_NONE;
		}
		if (c->prompting == PROMPT_ANSWERED && c->run_escalations && !o->gate_raised) {
			say(decision_name(o->decision), reason, r);
			return ESCALATION_ALWAYS_PROCEED;
		}
		why = c->prompting == PROMPT_ANSWERED ?
			"This needs a person's approval, but agy is set to approve its prompts by itself, so none would be "
			"seen. Stop, and ask the user." :
			"This needs a person's approval, and it could not be found out whether agy would show a prompt. "
			"Stop, and ask the user.";
	}
	deny(reason, why, r);
	return o->gate_raised ? ESCALATION_GATE_KEPT : ESCALATION_NO_PROMPT;
}

enum escalation reply_agy(const struct outcome *o, const struct reply_context *c, struct reply *r)
{
	const char *reason = o->reason && o->reason[0] ? o->reason : "blocked by auto-classifier";

	if (o->kind == KIND_NO_OPINION || o->kind == KIND_PRE_INVOCATION)
		no_opinion(o, r);
	else if (o->kind == KIND_MALFORMED)
		deny(reason, "", r);
	else if (o->decision == DECISION_ALLOW) /* no reason: on agy's own prompt one marks an escalation */
		say("allow", NULL, r);
	else if (o->decision == DECISION_ASK || o->decision == DECISION_FORCE_ASK)
		return escalate(o, c, reason, r);
	else
		deny(reason, "", r);
	return ESCALATION_NONE;
}
