/* SPDX-License-Identifier: Apache-2.0 */
/* Would a person see agy's prompt? Two switches of agy answer it by themselves. */
#ifndef REPLY_AGY_PROMPT_H
#define REPLY_AGY_PROMPT_H

#include "broker/reply/reply.h"

struct prompt_sources {
	const char *proc; /* "/proc": where `self` is a descendant of agy */
	const char *home; /* the user's */
};

/*
 * --dangerously-skip-permissions on the agy process above us; else what its live log says it did with the
 * last prompt; else toolPermission in its settings. Looks at no more than 8 ancestors and 200 logs.
 */
enum prompting agy_prompting(const struct prompt_sources *s) NONNULL;

#endif
