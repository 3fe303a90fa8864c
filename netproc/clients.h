/* SPDX-License-Identifier: Apache-2.0 */
/* The service's clients that wait for their turn: who may wait, who is next, who has waited too long. */
#ifndef NETPROC_CLIENTS_H
#define NETPROC_CLIENTS_H

#include "netproc/bounds.h"

enum {
	CLIENTS_MAX = 128,
	CLIENTS_PER_UID = 64,
	FIRST_BYTE_MS = 2000, /* patience with a client that says nothing */
	QUIET_MS = 1000, /* from then on its place is anybody's who needs one */
	TURN_MS = 30000, /* longest wait of a client for its turn: every caller has given up before */
};

struct client {
	int fd; /* owned */
	struct uid_bounds *bounds;
	uint64_t since_ms;
	bool spoke;
};

struct clients {
	struct bounds bounds;
	struct client list[CLIENTS_MAX]; /* in the order in which they came */
	uint32_t n;
};

/*
 * Takes this user's descriptor. Returns the one that is to be refused, owned: a full table gives up a client that says
 * nothing, else the last of the user who has the most there, so that nobody's many keep another's first out; or the new
 * one itself, where that user has had enough. -1: nobody.
 */
int clients_add(struct clients *c, int fd, uid_t uid, uint64_t now_ms) NONNULL MUST_CHECK;
/*
 * It has begun to say what it wants, which is what its user's rate counts: who connects, hears that this is still the
 * service it knows, and leaves, has asked nothing. Returns its descriptor where the rate is used up, as clients_add().
 */
int clients_spoke(struct clients *c, uint32_t i, uint64_t now_ms) NONNULL MUST_CHECK;
/* Of no more interest: closed. */
void clients_drop(struct clients *c, uint32_t i) NONNULL;
void clients_drop_late(struct clients *c, uint64_t now_ms) NONNULL;

/* Who is answered next: of the users with the fewest being answered the one who came first. c->n: nobody now. */
uint32_t clients_next(const struct clients *c) NONNULL;
/* How many of those that wait could be answered at once, were there processes enough. */
uint32_t clients_due(const struct clients *c) NONNULL;
/* When the next one will have waited too long, or `until_ms` where none will before. */
uint64_t clients_late_at(const struct clients *c, uint64_t until_ms) NONNULL;

#endif
