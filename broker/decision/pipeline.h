/* SPDX-License-Identifier: Apache-2.0 */
/* One decision: ask a worker, serve its questions, hold its answer against policy, count, record. */
#ifndef DECISION_PIPELINE_H
#define DECISION_PIPELINE_H

#include "broker/broker.h"
#include "broker/decision/outcome.h"
#include "policy/request.h"

/* Of checks that name none: it has no beginning and no end, so that nothing is kept of how it began. */
#define CHECK_SESSION "cli-check-session"

/*
 * Decide one request of mode HOOK or CHECK: state and telemetry are written. A dead, lying or silent worker, a broken
 * configuration, a state file that cannot be written: all of these are outcomes (denials), not errors. *ret's borrowed
 * strings are valid until the next use of the worker; outcome_done() frees the rest. -errno only when nothing can be
 * said (no memory, the guard is gone).
 */
int decide(struct broker *b, const struct request *q, struct outcome *ret) NONNULL MUST_CHECK;

/*
 * The same for PARSE and EXPLAIN, which write nothing: *ret_listing is the body for listing_walk() (owned by the
 * caller; NULL when the worker gave none). PARSE has no assessment: *ret is then a denial only if the worker failed.
 */
int decide_listing(struct broker *b, const struct request *q, char **ret_listing, size_t *ret_length,
	struct outcome *ret) NONNULL MUST_CHECK;

/* What a batch hands on, in the order of its rows. A negative return ends the batch. */
struct rows_sink {
	int (*outcome)(void *data, const struct outcome *o); /* check; also a parse row whose worker died */
	int (*listing)(void *data, struct bytes body); /* parse */
	int (*flush)(void *data); /* nothing more is ready at once: pass on what is held */
	void *data;
};

/*
 * Read stdin to its end and decide each line. `q` gives mode (CHECK_ROWS or PARSE_ROWS), session, cwd and dialect for
 * rows that name none. State is kept in memory; `record` writes telemetry rows.
 */
int decide_rows(struct broker *b, const struct request *q, bool record, const struct rows_sink *sink)
	NONNULL MUST_CHECK;

#endif
