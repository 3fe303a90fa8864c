/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A TLS connection made ahead of the request. libcurl makes and verifies it (CURLOPT_CONNECT_ONLY) but sends no request
 * of its own over such a connection, so a transfer that believes to speak plain HTTP gets one end of a socket pair, and
 * what passes through the other goes by curl_easy_send(3) and curl_easy_recv(3).
 */
#ifndef NETPROC_TUNNEL_H
#define NETPROC_TUNNEL_H

#include <curl/curl.h>

#include "policy/base.h"

struct tunnel;

enum { TUNNEL_ENDS = 2 };

/* Before the filter: makes the handles and the pair. 0 or -errno. */
int tunnel_new(struct tunnel **ret) NONNULL MUST_CHECK;
void tunnel_done(struct tunnel **t) NONNULL;

/* What the connection is made with; borrowed. Its transfer is over when the connection stands. */
CURL *tunnel_handle(const struct tunnel *t) NONNULL;
CURLM *tunnel_multi(const struct tunnel *t) NONNULL;
/* The end for the transfer; the caller's to close. Once. */
int tunnel_near_end(struct tunnel *t) NONNULL;

/* The connection's socket, or -1. */
int tunnel_fd(const struct tunnel *t) NONNULL;
/* Nothing but TLS's own messages has come, and no end. */
bool tunnel_stands(struct tunnel *t) NONNULL;

/* Moves what can be moved, in either direction. False: nothing could. */
bool tunnel_move(struct tunnel *t) NONNULL;
/* What to wait for then. The number of entries written. */
unsigned int tunnel_ends(const struct tunnel *t, struct curl_waitfd ends[TUNNEL_ENDS]) NONNULL;
/* It ended otherwise than by TLS's own word of an end. */
bool tunnel_is_torn(const struct tunnel *t) NONNULL;

#endif
