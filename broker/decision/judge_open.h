/* SPDX-License-Identifier: Apache-2.0 */
/* Stages 5, 7, 8 and 9: what the rules left open, where there is a judge; and what it shares with the rest. */
#ifndef DECISION_JUDGE_OPEN_H
#define DECISION_JUDGE_OPEN_H

#include "broker/decision/judge.h"

/* Is there a judge for what was left open? */
bool judge_is_there(const struct broker *b, const struct assessment *a) NONNULL;
/*
 * Before evidence is looked for that takes its time: where a judge will be asked, unless the session's state changes,
 * netproc starts meanwhile. 0 or -errno (no memory, the guard is gone).
 */
int judge_expect(struct broker *b, const struct assessment *a, const struct evidence_log *log) NONNULL MUST_CHECK;
/* 0 or -errno. */
int judge_open(struct broker *b, const struct request *q, const struct assessment *a, const struct evidence_log *log,
	struct outcome *o) NONNULL MUST_CHECK;

/* judge.c: the ends of a decision, from o->raw_reason, source and model. 0 or -ENOMEM. */
int judge_deny(struct broker *b, const struct assessment *a, const struct evidence_log *log, enum judge_mode mode,
	struct outcome *o) NONNULL MUST_CHECK;
int judge_allow(struct outcome *o) NONNULL MUST_CHECK;
/* Makes b->state, which opens nothing yet. 0 or -errno. */
int judge_state(struct broker *b) NONNULL MUST_CHECK;

#endif
