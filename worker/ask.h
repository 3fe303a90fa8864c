/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions a worker puts to the broker, as ordinary calls. Rule code does not know that there is a process behind
 * them: tests give it a table of answers instead.
 */
#ifndef WORKER_ASK_H
#define WORKER_ASK_H

#include "policy/question.h"
#include "worker/shell/arena.h"

struct oracle {
	/* Fills *ret; its strings live in the arena. 0, or -errno: the channel is gone (the request cannot be decided). */
	int (*ask)(void *data, struct arena *arena, const struct question *q, struct answer *ret);
	void *data;
};

/* Each counts against QUESTIONS_MAX; past it the answer is ANSWER_UNKNOWN. */
int ask_path(const struct oracle *o, struct arena *arena, struct bytes base, struct bytes path, struct answer *ret)
	NONNULL MUST_CHECK;
int ask_program(const struct oracle *o, struct arena *arena, struct bytes name, struct answer *ret) NONNULL MUST_CHECK;

#endif
