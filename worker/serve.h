/* SPDX-License-Identifier: Apache-2.0 */
/* One request, from its bytes to what the broker is told. */
#ifndef WORKER_SERVE_H
#define WORKER_SERVE_H

#include "policy/request.h"
#include "policy/wire/channel.h"
#include "worker/shell/arena.h"

struct worker {
	struct channel broker;
	struct worker_policy policy;
	char *policy_body; /* what `policy` points into; owned */
	struct arena arena; /* reset for every row */
	struct compiled_rules *rules; /* regexes, compiled when first needed; NULL until then */
};

/*
 * Answers one MSG_REQUEST, which lies in memory of the caller's and not in the channel's buffer, with its listing and
 * assessment messages. 0, or -errno: the worker ends and the broker denies.
 */
int worker_serve(struct worker *w, const struct request *request) NONNULL MUST_CHECK;

#endif
