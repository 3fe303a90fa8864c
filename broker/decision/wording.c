/* SPDX-License-Identifier: Apache-2.0 */
/* The wording of denials. `attempt(s) remaining` and the escalation's header are what readers of replies match on. */
#include "broker/decision/wording.h"

#include <stdio.h>

#include "broker/decision/keys.h"
#include "policy/text/oneline.h"

enum { COMMAND_SHOWN_MAX = 2000, FINDING_SHOWN_MAX = 1000 };

struct denial_style denial_style_of(const struct config *c)
{
	const char *mode = config_string(c, CFG_POLICY_DENY_MODE);
	int64_t threshold = config_int(c, CFG_POLICY_CONSECUTIVE_THRESHOLD);

	return (struct denial_style){
		.mode = strcmp(mode, "ask-user") == 0 ? DENY_ASK_USER :
			strcmp(mode, "auto-retry") == 0 ? DENY_AUTO_RETRY : DENY_BOTH,
		.threshold = threshold < 1 ? 1 : threshold > UINT32_MAX ? UINT32_MAX : (uint32_t)threshold,
		.headless = config_bool(c, CFG_POLICY_HEADLESS),
		.instruct = config_bool(c, CFG_POLICY_INSTRUCT_AGENT_ON_DENIAL),
	};
}

static struct bytes bytes_of(const char *s)
{
	return (struct bytes){ s, s != NULL ? strlen(s) : 0 };
}

/* A judge that failed has said nothing about the command, and the agent must not be told that it did. */
static void put_finding(struct textbuf *b, const struct outcome *o, const char *verb)
{
	if (o->transient)
		textbuf_puts(b, "The safety classifier could not judge this, so it was held back: ");
	else
		textbuf_printf(b, "%s by the safety classifier: ", verb);
	text_oneline(b, bytes_of(o->raw_reason), FINDING_SHOWN_MAX);
	textbuf_puts(b, ".");
}

static void word_short(struct textbuf *b, const struct outcome *o)
{
	put_finding(b, o, "Blocked");
	textbuf_puts(b, " Look for a safer way to do this.");
}

static void word_instruction(struct textbuf *b, const struct denial_style *style, uint32_t count,
	const struct outcome *o)
{
	uint32_t remaining = count < style->threshold ? style->threshold - count : 1;

	put_finding(b, o, "Blocked");
	textbuf_puts(b, " If it is safe and strictly necessary, explain to the user why this concern does not apply "
		"here, then run the same command again: ");
	if (remaining > 1)
		textbuf_printf(b, "%u attempt(s) remaining before the user is asked.", remaining);
	else if (style->headless)
		textbuf_puts(b, "1 attempt(s) remaining, which will be blocked too, since nobody is here to "
			"approve it.");
	else
		textbuf_puts(b, "1 attempt(s) remaining, which will be held for the user's approval, and stays blocked "
			"if nobody is there to give it.");
	textbuf_puts(b, " Otherwise find a safer alternative.");
}

static void word_headless(struct textbuf *b, uint32_t count, const struct outcome *o)
{
	char verb[48];

	(void)snprintf(verb, sizeof(verb), "Blocked %u time%s", count, count == 1 ? "" : "s");
	put_finding(b, o, verb);
	textbuf_puts(b, " Nobody is here to approve it: stop, and report this to the user.");
}

static void word_escalation(struct textbuf *b, uint32_t count, const struct outcome *o)
{
	textbuf_printf(b, "⚠️ SAFETY ESCALATION: blocked %u time%s, now it is your decision\nCommand: ", count,
		count == 1 ? "" : "s");
	text_oneline(b, trim_blanks(o->command), COMMAND_SHOWN_MAX);
	textbuf_puts(b, "\nClassifier Finding: ");
	if (o->transient)
		textbuf_puts(b, "none, the classifier failed: ");
	text_oneline(b, bytes_of(o->raw_reason), FINDING_SHOWN_MAX);
	textbuf_puts(b, "\nCheck the agent's explanation against the command itself before you approve.");
}

static void word_review(struct textbuf *b, const struct outcome *o)
{
	put_finding(b, o, "Flagged for your review");
}

int word_denial(const struct denial_style *style, uint32_t count, struct outcome *o)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };
	bool reached = count >= style->threshold;
	char *reason;

	o->count = count;
	o->escalated = reached || style->mode == DENY_ASK_USER;
	o->decision = DECISION_DENY;
	/* A rule's refusal is never put to a person where there is none; a judge's is, and the reply then refuses it. */
	if (style->headless && ((reached && style->mode == DENY_BOTH) ||
		(o->rule_refusal && style->mode == DENY_ASK_USER))) {
		word_headless(&b, count, o);
	} else if (style->mode == DENY_ASK_USER) {
		o->decision = DECISION_FORCE_ASK;
		word_review(&b, o);
	} else if (style->mode == DENY_AUTO_RETRY) {
		word_short(&b, o);
	} else if (reached) {
		o->decision = DECISION_FORCE_ASK;
		word_escalation(&b, count, o);
	} else if (style->instruct) {
		word_instruction(&b, style, count, o);
	} else {
		word_short(&b, o);
	}
	reason = textbuf_steal(&b);
	if (reason == NULL)
		return -ENOMEM;
	free(o->reason);
	o->reason = reason;
	return 0;
}
