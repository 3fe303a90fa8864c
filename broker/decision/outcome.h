/* SPDX-License-Identifier: Apache-2.0 */
/* What was decided about one request, before it is worded for a harness. */
#ifndef DECISION_OUTCOME_H
#define DECISION_OUTCOME_H

#include "policy/assessment.h"
#include "policy/verdict.h"

struct model_verdict;

struct outcome {
	enum request_kind kind;
	enum harness harness;
	enum decision decision;
	enum source source;
	char *reason; /* text for the agent or operator; owned, may be NULL (no reason) */
	char *raw_reason; /* the finding alone, without instructions; owned, may be NULL */
	char *rule; /* owned, may be NULL */
	uint32_t count; /* denials of this in the window, this one included; 0 for allows */
	bool escalated;
	bool rule_refusal;
	bool gate_raised; /* no model stands behind this: refused where nobody can be asked */
	bool transient; /* the judge failed, the command may be fine */
	struct bytes event, session, call_id, command, cwd, tool, row_id; /* borrowed from the assessment */
	struct bytes injection_pattern, effects; /* likewise, for telemetry */
	uint32_t flags; /* enum assessment_flags */
	struct model_verdict *model; /* what a judge said, where one was asked; owned */
	bool row_id_set;
	uint32_t row;
	int64_t charge; /* of the session's, for the judge that was asked; 0: none */
};

void outcome_done(struct outcome *o) NONNULL;
/* Puts an owned text in the place of another. 0, or -ENOMEM where it is NULL. */
int outcome_set(char **where, char *text) __attribute__((nonnull(1))) MUST_CHECK;

#endif
