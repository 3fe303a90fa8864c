/* SPDX-License-Identifier: Apache-2.0 */
/* What an agent or a person is told about a denial, by mode, count and whether anybody can be asked. */
#ifndef DECISION_WORDING_H
#define DECISION_WORDING_H

#include "broker/decision/outcome.h"
#include "policy/config/config.h"

enum deny_mode { DENY_BOTH = 0, DENY_ASK_USER, DENY_AUTO_RETRY };

struct denial_style {
	enum deny_mode mode;
	uint32_t threshold; /* the denial of the same thing that asks a person */
	bool headless; /* nobody can be asked */
	bool instruct; /* tell the agent how to go on */
};

struct denial_style denial_style_of(const struct config *c) NONNULL;

/*
 * Turn the finding in o->raw_reason, denied `count` times now, into decision, reason, count and escalated.
 * o->rule_refusal and o->transient change the words. 0 or -ENOMEM.
 */
int word_denial(const struct denial_style *style, uint32_t count, struct outcome *o) NONNULL MUST_CHECK;

#endif
