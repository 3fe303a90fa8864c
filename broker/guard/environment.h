/* SPDX-License-Identifier: Apache-2.0 */
/* The environment the guard was given: parted into what the broker may see, names, and a sealed file of everything. */
#ifndef GUARD_ENVIRONMENT_H
#define GUARD_ENVIRONMENT_H

#include "policy/base.h"

struct environment {
	char **allowed; /* NAME=value, NULL-terminated */
	char **other_names; /* names of the rest, NULL-terminated */
	int secrets_fd; /* sealed memory file: every NAME=value with its NUL, in order; never mapped */
	void *store; /* what the lists point into; owned */
};

/* May the broker see the value of this variable? The name ends at '=' or NUL. */
bool environment_is_allowed(const char *name) NONNULL;

/*
 * Takes `block` (as environ): writes all of it into the memory file, copies what is allowed, overwrites every string
 * with zeros and empties the block. 0, or -errno: then nothing may be started, the block is wiped all the same.
 */
int environment_take(char **block, struct environment *ret) NONNULL MUST_CHECK;
void environment_done(struct environment *e) NONNULL;

#endif
