/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions kept on disk (hooks, check) or in memory (a batch). Nothing is opened until something must be counted. */
#ifndef STATE_STATE_H
#define STATE_STATE_H

#include "broker/state/session.h"

struct state;

/* Below `base`: an absolute directory, then the path that is made if missing. Both are copied. */
int state_on_disk(const char *base, const char *path, struct state **ret) NONNULL MUST_CHECK;
int state_in_memory(struct state **ret) NONNULL MUST_CHECK;
void state_free(struct state *st);
void state_freep(struct state **st);

enum state_outcome {
	STATE_BUSY = 1, /* the lock was not had in 200 ms */
	STATE_NONE, /* nothing live under this key */
	STATE_FULL, /* a judge has denied as much as it may */
};

/* Count a denial, as one step that no other process can come between. 0, STATE_BUSY, or -errno: it was not kept. */
int state_deny(struct state *st, struct bytes session, const struct denial *d, int64_t window, struct tally *ret)
	NONNULL MUST_CHECK;
/* How often this was denied so far; nothing is written. 0, STATE_NONE or -errno. */
int state_find(struct state *st, struct bytes session, const struct key *counting, int64_t window, struct tally *ret)
	NONNULL MUST_CHECK;

/* What a session has to say of something that is open, before anybody is asked. */
struct outlook {
	bool stands; /* an open, unchanged denial of it does, so that nobody is asked again */
	bool known; /* it was allowed, if by a judge that may have been told something else */
	uint32_t judged; /* denials by a judge within the window */
};

/* d->exact is looked for among what was allowed. Nothing is written. 0 or -errno. */
int state_outlook(struct state *st, struct bytes session, const struct denial *d, int64_t window, struct outlook *ret)
	NONNULL MUST_CHECK;

/*
 * A judge is about to be asked: see session_charge(). *ret_judged: how many it denied before. 0, STATE_FULL (that is
 * `most` or more), STATE_BUSY or -errno: then it is not to be asked.
 */
int state_charge(struct state *st, struct bytes session, int64_t window, uint32_t most, int64_t *ret_charge,
	uint32_t *ret_judged) NONNULL MUST_CHECK;
/* It did not deny. 0, STATE_BUSY or -errno: the charge stays. */
int state_refund(struct state *st, struct bytes session, int64_t charge) NONNULL MUST_CHECK;

/* A judge's allow of this within the window: *ret_reason is what it said, owned. 0, STATE_NONE or -errno. */
int state_allowed(struct state *st, struct bytes session, const struct permit *p, int64_t window, char **ret_reason)
	NONNULL MUST_CHECK;
/* Remember one, clear the denials of exactly this, refund the charge. 0, STATE_BUSY, or -errno: it was not kept. */
int state_allow(struct state *st, struct bytes session, const struct permit *p, const char *reason, int64_t charge)
	NONNULL MUST_CHECK;

#endif
