/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of one request: grows up to a cap, freed at once, reused by the next row of a batch. */
#ifndef SHELL_ARENA_H
#define SHELL_ARENA_H

#include "policy/base.h"

struct arena_block;

struct arena {
	struct arena_block *first, *current;
	size_t used, cap; /* bytes handed out; the most that may be (0: 64 MiB) */
};

/* Zeroed, aligned for any object. NULL past the cap or out of memory. */
void *arena_alloc(struct arena *a, size_t size) NONNULL;
/* A copy with a NUL behind it (not counted). NULL as above. */
char *arena_copy(struct arena *a, const char *p, size_t len) __attribute__((nonnull(1)));
/* Forget everything, keep the first block for reuse. */
void arena_reset(struct arena *a) NONNULL;
void arena_done(struct arena *a) NONNULL;

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))

#endif
