/* SPDX-License-Identifier: Apache-2.0 */
/* What goes to stdout or stderr: held, and written without ever blocking the guard. */
#ifndef GUARD_OUTPUT_H
#define GUARD_OUTPUT_H

#include "policy/base.h"

enum { OUTPUT_PENDING = 1 };

struct output {
	int fd; /* borrowed */
	char *p; /* owned */
	size_t len, cap, written;
	bool not_socket;
};

/* Adds bytes. 0, -ENOMEM, or -EFBIG when more than a whole message would be held. */
int output_put(struct output *o, struct bytes b) NONNULL MUST_CHECK;

/* Writes what the reader takes now. 0: nothing is left. OUTPUT_PENDING: poll for POLLOUT. -errno: it cannot be written. */
int output_flush(struct output *o) NONNULL MUST_CHECK;

/* Writes all of it, waiting for the reader until the deadline (CLOCK_MONOTONIC ms, 0: for ever). 0 or -errno. */
int output_finish(struct output *o, uint64_t deadline_ms) NONNULL MUST_CHECK;

void output_done(struct output *o) NONNULL;

#endif
