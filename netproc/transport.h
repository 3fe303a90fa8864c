/* SPDX-License-Identifier: Apache-2.0 */
/* One HTTP exchange over a socket that is connected already, within bytes and time. */
#ifndef NETPROC_TRANSPORT_H
#define NETPROC_TRANSPORT_H

#include "netproc/connect.h"
#include "netproc/secret.h"
#include "netproc/trust.h"

struct transport; /* made before the filter: it reads files and asks the kernel what it knows */

/*
 * `trust`: for https; borrowed until transport_done(). `ahead`: TLS is made by transport_open(), and what was connected
 * may lie unused before the request. 0 or -errno.
 */
int transport_new(const struct origin *o, const struct origin *proxy, struct trust *trust, bool ahead,
	struct transport **ret) __attribute__((nonnull(1, 5))) MUST_CHECK;
void transport_done(struct transport **t) NONNULL;

/* Takes the connection and makes TLS on it, where there is to be any. 0, or a positive enum model_failure. */
int transport_open(struct transport *t, struct connection *c, const struct origin *proxy, uint64_t deadline_ms)
	__attribute__((nonnull(1, 2))) MUST_CHECK;
/* Readable when there is reason to look whether an opened connection still stands. */
int transport_fd(const struct transport *t, const struct connection *c) NONNULL;
bool transport_stands(struct transport *t, const struct connection *c) NONNULL;

struct exchange_request {
	const char *path; /* after the origin's own */
	struct bytes body; /* empty: GET */
	const struct secret *key; /* length 0: none is sent */
	struct bytes session; /* for X-Session-Id, or empty */
	uint64_t deadline_ms;
};

/*
 * 0: *ret holds the reply, whatever its status; its body lies in the transport. Positive: enum model_failure. The
 * connection is not used twice.
 */
int transport_exchange(struct transport *t, struct connection *c, const struct exchange_request *q,
	struct model_reply *ret) NONNULL MUST_CHECK;

#endif
