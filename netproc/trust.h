/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose certificates are trusted. A system's bundle holds some 140 of them, and OpenSSL 3 takes 20 ms to read them all:
 * here each is read when a server's chain asks for its subject, which happens to one or two.
 */
#ifndef NETPROC_TRUST_H
#define NETPROC_TRUST_H

#include "policy/base.h"

struct trust;
struct ssl_ctx_st; /* SSL_CTX */

/*
 * `pem`: certificates as PEM (RFC 7468), copied; what else stands there, or is no whole certificate, is passed over.
 * None at all is no error here: then no server is trusted. 0 or -ENOMEM.
 */
int trust_new(struct bytes pem, struct trust **ret) NONNULL MUST_CHECK;
void trust_done(struct trust **t) NONNULL;

/* From now on servers of `ctx` are verified against these and nothing else. `t` must outlive ctx. False: no memory. */
bool trust_impose(struct trust *t, struct ssl_ctx_st *ctx) NONNULL MUST_CHECK;

/* How many there are, and how many of them were read so far. For tests. */
size_t trust_count(const struct trust *t, size_t *ret_read) NONNULL;

#endif
