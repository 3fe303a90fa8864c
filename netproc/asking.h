/* SPDX-License-Identifier: Apache-2.0 */
/* One question to a judge, from its fields to the reply: the steps that a process goes through once, in this order. */
#ifndef NETPROC_ASKING_H
#define NETPROC_ASKING_H

#include "netproc/transport.h"
#include "policy/wire/channel.h"

enum { PROMPT_FILE_MAX = 64 * 1024 };

struct asking {
	struct model_request q; /* where to, and the keys, before asking_prepare(); the rest before asking_ask() */
	struct origin origin, proxy;
	struct textbuf system; /* what replaces our own prompt, where there is more than nothing */
	struct trust *trust;
	struct connection connection;
	struct key_files keys;
	struct transport *transport;
	bool ahead; /* of the request: see transport_new() */
	uint64_t deadline_ms;
};

#define ASKING { .keys = { .environment = -1, .config = -1 }, .connection.fd = -1 }

/* What takes files, a resolver or a connect: before confinement. 0, or a positive enum model_failure. */
int asking_prepare(struct asking *a) NONNULL MUST_CHECK;
/* After confinement, with `ahead`: TLS. 0, or a positive enum model_failure. */
int asking_open(struct asking *a) NONNULL MUST_CHECK;
/* After confinement: the key of a->q. 0, or a positive enum model_failure. */
int asking_take_key(struct asking *a) NONNULL MUST_CHECK;
/* The request, once. 0 with the reply, which lies in `a`; or a positive enum model_failure. */
int asking_ask(struct asking *a, struct model_reply *ret) NONNULL MUST_CHECK;

/* The reply, or `failure` where it is not 0, to whoever asked, who may take until then (0: for ever). 0 or -errno. */
int asking_say(struct channel *to, int failure, const struct model_reply *reply, uint64_t until_ms)
	__attribute__((nonnull(1))) MUST_CHECK;

#endif
