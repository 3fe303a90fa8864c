/* SPDX-License-Identifier: Apache-2.0 */
/* A table in the order of coming; places and turns are shared out among users, not among clients. */
#include "netproc/clients.h"

static uint64_t late_at(const struct client *c)
{
	return c->since_ms + (c->spoke ? TURN_MS : FIRST_BYTE_MS);
}

/* Out of the table, and still open. */
static int take_out(struct clients *c, uint32_t i)
{
	int fd = c->list[i].fd;

	c->list[i].bounds->waiting--;
	c->n--;
	memmove(&c->list[i], &c->list[i + 1], (c->n - i) * sizeof(c->list[0]));
	return fd;
}

void clients_drop(struct clients *c, uint32_t i)
{
	close(take_out(c, i));
}

/* Whose place a client of `u` gets in a full table. c->n: nobody's. */
static uint32_t find_place(const struct clients *c, const struct uid_bounds *u, uint64_t now_ms)
{
	uint32_t most = u->waiting + 1, found = c->n;

	for (uint32_t i = 0; i < c->n; i++)
		if (!c->list[i].spoke && now_ms - c->list[i].since_ms >= QUIET_MS)
			return i;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->list[i].bounds->waiting > most || (found < c->n && c->list[i].bounds->waiting == most)) {
			most = c->list[i].bounds->waiting;
			found = i;
		}
	return found;
}

int clients_add(struct clients *c, int fd, uid_t uid, uint64_t now_ms)
{
	struct uid_bounds *u = bounds_of(&c->bounds, uid, now_ms);
	int refused = -1;
	uint32_t place;

	if (u == NULL || u->waiting >= CLIENTS_PER_UID)
		return fd;
	place = c->n == CLIENTS_MAX ? find_place(c, u, now_ms) : 0;
	if (place == CLIENTS_MAX)
		return fd;
	if (c->n == CLIENTS_MAX)
		refused = take_out(c, place);
	u->waiting++;
	c->list[c->n++] = (struct client){ .fd = fd, .bounds = u, .since_ms = now_ms };
	return refused;
}

int clients_spoke(struct clients *c, uint32_t i, uint64_t now_ms)
{
	if (!bounds_take(&c->bounds, c->list[i].bounds, now_ms))
		return take_out(c, i);
	c->list[i].spoke = true;
	return -1;
}

void clients_drop_late(struct clients *c, uint64_t now_ms)
{
	for (uint32_t i = c->n; i > 0; i--)
		if (now_ms >= late_at(&c->list[i - 1]))
			clients_drop(c, i - 1);
}

uint64_t clients_late_at(const struct clients *c, uint64_t until_ms)
{
	for (uint32_t i = 0; i < c->n; i++)
		until_ms = late_at(&c->list[i]) < until_ms ? late_at(&c->list[i]) : until_ms;
	return until_ms;
}

uint32_t clients_next(const struct clients *c)
{
	uint32_t found = c->n, fewest = c->bounds.per_uid;

	for (uint32_t i = 0; i < c->n; i++)
		if (c->list[i].spoke && c->list[i].bounds->running < fewest) {
			fewest = c->list[i].bounds->running;
			found = i;
		}
	return found;
}

uint32_t clients_due(const struct clients *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n; i++) {
		const struct client *one = &c->list[i];
		uint32_t before = 0;

		for (uint32_t j = 0; j < i; j++)
			before += c->list[j].spoke && c->list[j].bounds == one->bounds;
		n += one->spoke && one->bounds->running + before < c->bounds.per_uid;
	}
	return n;
}
