/* SPDX-License-Identifier: Apache-2.0 */
/* What one user may ask of the service: so many at a time, so many in a minute. Pure; the time is given. */
#ifndef NETPROC_BOUNDS_H
#define NETPROC_BOUNDS_H

#include <sys/types.h>

#include "policy/base.h"

enum { BOUNDS_UIDS_MAX = 256 };

struct uid_bounds {
	bool used;
	uid_t uid;
	uint32_t running, waiting; /* kept by the caller */
	uint64_t level; /* of the bucket, in requests times the milliseconds of a minute */
	uint64_t at_ms; /* when it was last filled up */
};

struct bounds {
	uint32_t per_uid, per_minute;
	struct uid_bounds list[BOUNDS_UIDS_MAX];
};

/*
 * The user's entry, made where there is none: in the place of one that says no more than a new one would, else of the
 * one that has used least among those whom nothing is being done for. Who has many users cannot keep another's out, and
 * gains by none of them more than a new user has. NULL: something is being done for all of them.
 */
struct uid_bounds *bounds_of(struct bounds *b, uid_t uid, uint64_t now_ms) NONNULL;

/* One request off the user's rate. False: it is used up. */
bool bounds_take(const struct bounds *b, struct uid_bounds *u, uint64_t now_ms) NONNULL;

#endif
