/* SPDX-License-Identifier: Apache-2.0 */
/* A bucket a user: filled evenly, never above a minute's worth, so that a burst is taken and a flood is not. */
#include "netproc/bounds.h"

enum { MINUTE_MS = 60 * 1000 };

static uint64_t full(const struct bounds *b)
{
	return (uint64_t)b->per_minute * MINUTE_MS;
}

static void fill(const struct bounds *b, struct uid_bounds *u, uint64_t now_ms)
{
	uint64_t passed = now_ms > u->at_ms ? now_ms - u->at_ms : 0;

	u->level = passed >= MINUTE_MS ? full(b) : u->level + passed * b->per_minute;
	if (u->level > full(b))
		u->level = full(b);
	u->at_ms = now_ms;
}

/* How readily an entry is given up: not at all, or the more readily the fuller its bucket is. */
static uint64_t spareness(const struct bounds *b, struct uid_bounds *u, uint64_t now_ms)
{
	if (!u->used)
		return UINT64_MAX;
	if (u->running > 0 || u->waiting > 0)
		return 0;
	fill(b, u, now_ms);
	return u->level + 1;
}

struct uid_bounds *bounds_of(struct bounds *b, uid_t uid, uint64_t now_ms)
{
	struct uid_bounds *spare = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < ARRAY_LEN(b->list); i++)
		if (b->list[i].used && b->list[i].uid == uid)
			return &b->list[i];
	for (size_t i = 0; i < ARRAY_LEN(b->list); i++) {
		uint64_t s = spareness(b, &b->list[i], now_ms);

		if (s > most) {
			most = s;
			spare = &b->list[i];
		}
	}
	if (spare != NULL)
		*spare = (struct uid_bounds){ .used = true, .uid = uid, .level = full(b), .at_ms = now_ms };
	return spare;
}

bool bounds_take(const struct bounds *b, struct uid_bounds *u, uint64_t now_ms)
{
	fill(b, u, now_ms);
	if (u->level < MINUTE_MS)
		return false;
	u->level -= MINUTE_MS;
	return true;
}
