/* SPDX-License-Identifier: Apache-2.0 */
/* Bump allocation in blocks that stay with the arena until it is done. */
#include "worker/shell/arena.h"

enum { BLOCK_SIZE = 64 * 1024, ARENA_ALIGN = 16, ARENA_DEFAULT_CAP = 64 * 1024 * 1024 };

struct arena_block {
	struct arena_block *next;
	size_t size, used;
	_Alignas(ARENA_ALIGN) char data[];
};

static struct arena_block *block_new(size_t size)
{
	struct arena_block *b = malloc(sizeof(*b) + size);

	if (b) {
		b->next = NULL;
		b->size = size;
		b->used = 0;
	}
	return b;
}

/* A block with room for `size`: the next kept one if it is large enough, else a new one in front of it. */
static struct arena_block *arena_grow(struct arena *a, size_t size)
{
	struct arena_block **at = a->current ? &a->current->next : &a->first;
	struct arena_block *b = *at;

	if (!b || b->size < size) {
		b = block_new(size > BLOCK_SIZE ? size : BLOCK_SIZE);
		if (!b)
			return NULL;
		b->next = *at;
		*at = b;
	}
	b->used = 0;
	a->current = b;
	return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *b = a->current;
	size_t cap = a->cap ? a->cap : ARENA_DEFAULT_CAP;
	char *p;

	if (size > cap)
		return NULL;
	size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
	if (size > cap || a->used > cap - size)
		return NULL;
	if (!b || b->size - b->used < size) {
		b = arena_grow(a, size);
		if (!b)
			return NULL;
	}
	p = b->data + b->used;
	b->used += size;
	a->used += size;
	return memset(p, 0, size);
}

char *arena_copy(struct arena *a, const char *p, size_t len)
{
	char *copy;

	if (len == SIZE_MAX)
		return NULL;
	copy = arena_alloc(a, len + 1);
	if (copy && len)
		memcpy(copy, p, len);
	return copy;
}

static void free_from(struct arena_block *b)
{
	while (b) {
		struct arena_block *next = b->next;

		free(b);
		b = next;
	}
}

void arena_reset(struct arena *a)
{
	if (a->first) {
		free_from(a->first->next);
		a->first->next = NULL;
		a->first->used = 0;
	}
	a->current = a->first;
	a->used = 0;
}

void arena_done(struct arena *a)
{
	free_from(a->first);
	a->first = a->current = NULL;
	a->used = 0;
}
