/* SPDX-License-Identifier: Apache-2.0 */
/* Batches: JSON lines in, a message for each. */
#ifndef WORKER_ROWS_H
#define WORKER_ROWS_H

#include "worker/serve.h"

/* A chunk of a batch: a message a row, then MSG_ROWS_DONE. 0 or -errno. */
int serve_rows(struct worker *w, const struct request *q) NONNULL MUST_CHECK;

#endif
