/* SPDX-License-Identifier: Apache-2.0 */
/* The one connection: made before the key is read, and before a byte of the network is. */
#ifndef NETPROC_CONNECT_H
#define NETPROC_CONNECT_H

#include <sys/socket.h>

#include "policy/judge/model.h"

struct origin {
	bool https;
	char *host; /* without brackets; owned */
	char *port; /* owned */
	char *path; /* "" or begins with a slash, without trailing ones; owned */
};

struct connection {
	int fd; /* owned */
	char address[64]; /* numeric, as curl takes it */
};

/*
 * What may be asked: https anywhere, http on loopback and the hosts of llm.allowHttp; no user name, query or fragment.
 * 0, or a positive enum model_failure.
 */
int origin_parse(struct bytes url, const struct string_list *allow_http, struct origin *ret) NONNULL MUST_CHECK;
void origin_done(struct origin *o) NONNULL;
/* A name that stands for this machine. */
bool origin_is_loopback(const struct origin *o) NONNULL;
/* An http proxy's address. 0, or a positive enum model_failure. */
int proxy_parse(struct bytes url, struct origin *ret) NONNULL MUST_CHECK;

/* A connection in the making: what comes before it is of use can be done while the other side answers. */
struct connecting {
	struct addrinfo *found; /* of the resolver; owned */
	const struct addrinfo *at; /* the address that is being tried */
	bool here; /* only addresses of this machine will do */
	int fd; /* owned, or -1 */
};

#define CONNECTING { .fd = -1 }

/* Resolve, and begin with the first address. 0, or a positive enum model_failure. */
int connect_begin(const struct origin *o, struct connecting *ret) NONNULL MUST_CHECK;
/* Until deadline_ms, trying the other addresses as far as need be. 0, or a positive enum model_failure. */
int connect_finish(struct connecting *c, uint64_t deadline_ms, struct connection *ret) NONNULL MUST_CHECK;
void connecting_done(struct connecting *c) NONNULL;

#endif
