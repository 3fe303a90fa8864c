/* SPDX-License-Identifier: Apache-2.0 */
/* The guard's one loop: bytes from stdin to the broker, the broker's requests, its reply to stdout. */
#ifndef GUARD_SERVE_H
#define GUARD_SERVE_H

#include "broker/commands.h"
#include "broker/guard/children.h"
#include "broker/guard/output.h"
#include "policy/wire/channel.h"

enum { STDIN_MAX = 16 * 1024 * 1024, OUTBOX_MAX = 2 * CHILDREN_MAX, DRAIN_PAUSE_MS = 200 };

struct letter { /* a small message that waits for room in the channel */
	enum message_type type;
	char body[12];
	size_t len;
	int fd; /* owned, or -1 */
};

struct guard {
	enum input_mode input;
	uint64_t deadline_ms; /* 0: none */
	struct channel broker;
	struct children children;
	struct output out, err;
	struct letter outbox[OUTBOX_MAX];
	size_t n_outbox;
	char *chunk; /* FRAME_BODY_MAX bytes of stdin under way; owned */
	size_t n_chunk;
	uint64_t n_stdin; /* bytes read so far */
	bool stdin_open; /* more may come */
	bool stdin_wanted; /* the broker is still to be told of its end */
	enum stdin_end stdin_end; /* how it ended, once it has */
	bool finished;
	uint32_t status; /* what the broker said with MSG_FINISH */
};

/* Serves until the broker's reply is complete. 0, or -errno: the guard must speak for it (-ETIMEDOUT: too late). */
int guard_serve(struct guard *g) NONNULL MUST_CHECK;

/*
 * Reads and drops what a harness is still writing, until it ends or pauses: a harness whose write fails may take that
 * for a broken hook.
 */
void guard_drain_stdin(struct guard *g) NONNULL;

#endif
