/* SPDX-License-Identifier: Apache-2.0 */
/* Talking to the worker at hand: a request out, its questions answered, its statements in. */
#ifndef DECISION_EXCHANGE_H
#define DECISION_EXCHANGE_H

#include "broker/broker.h"
#include "broker/decision/keys.h"
#include "policy/request.h"

enum exchange_outcome { WORKER_FAILED = 1 };

struct exchange {
	struct broker *b;
	struct evidence_log log; /* of the request, or the row, under way */
	uint64_t deadline_ms; /* CLOCK_MONOTONIC; a worker that is silent past it has failed */
	const char *failure; /* static text, set with WORKER_FAILED, to follow "the process that reads the command" */
};

/* How long a worker may take for the request of `b`, or for one row: always less than the guard gives us. */
uint64_t exchange_deadline(const struct broker *b) NONNULL;

/* Send a request, to a fresh worker if none is at hand. 0, WORKER_FAILED or -errno (no memory, the guard is gone). */
int exchange_send(struct exchange *x, const struct request *q) NONNULL MUST_CHECK;
/*
 * The worker's next statement (assessment, listing, rows done); questions before it are answered. Valid until the next
 * call. 0, WORKER_FAILED (the worker has been stopped) or -errno.
 */
int exchange_next(struct exchange *x, struct message *ret) NONNULL MUST_CHECK;
/* Stop a worker that said what no honest one says. Returns WORKER_FAILED. */
int exchange_fail(struct exchange *x, const char *failure) NONNULL;

#endif
