/* SPDX-License-Identifier: Apache-2.0 */
/* Wording a decision for whoever asked: one file a harness. Pure functions; nothing is looked up here. */
#ifndef REPLY_REPLY_H
#define REPLY_REPLY_H

#include "broker/decision/outcome.h"
#include "policy/text/textbuf.h"

struct reply {
	struct textbuf out, err; /* owned; failed: the guard must have the last word */
	int status;
};

void reply_done(struct reply *r) NONNULL;

/* Does the harness show a prompt that a person will see? */
enum prompting {
	PROMPT_SHOWN = 0,
	PROMPT_ANSWERED, /* the harness approves by itself: the person switched prompts off */
	PROMPT_UNKNOWN, /* it could not be found out: as if answered, but never the person's choice */
};

struct reply_context {
	bool headless; /* configured: nobody is there */
	bool unattended; /* the harness says so itself */
	enum prompting prompting; /* agy */
	bool run_escalations; /* agy.alwaysProceedEscalations is "run" */
};

/* What became of an escalation that no prompt was shown for: a second telemetry row. */
enum escalation {
	ESCALATION_NONE = 0,
	ESCALATION_GATE_KEPT,
	ESCALATION_NO_PROMPT,
	ESCALATION_ALWAYS_PROCEED
};

/* Appends the reply. The hook's harness decides the shape, never the payload's claim. */
enum escalation reply_agy(const struct outcome *o, const struct reply_context *c, struct reply *r) NONNULL;
enum escalation reply_claude(const struct outcome *o, const struct reply_context *c, struct reply *r) NONNULL;
/* For a hook whose harness is not known: Claude's deny, a reason on stderr, status 2. */
void reply_unknown(const char *reason, struct reply *r) NONNULL;
/* `check`: two-space JSON and its exit status. */
void reply_check(const struct outcome *o, struct reply *r) NONNULL;
/* `check --batch`: one line. */
void reply_row(const struct outcome *o, struct textbuf *out) NONNULL;
/* `parse --batch`: the line of a row that killed its worker. */
void reply_unparsed(const struct outcome *o, struct textbuf *out) NONNULL;

/* What was found, without instructions to an agent: for people who look on. NULL: nothing to say. */
const char *outcome_finding(const struct outcome *o) NONNULL;

/* As the exit status of check: 0 allow, 1 ask and force_ask, 2 deny. */
int reply_status(enum decision d);

#endif
