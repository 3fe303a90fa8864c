/* SPDX-License-Identifier: Apache-2.0 */
/* Request bodies, made here from fields and our own texts: nobody hands one in. */
#ifndef NETPROC_ENCODE_H
#define NETPROC_ENCODE_H

#include "policy/judge/encode.h"

/*
 * `host`: whose way of switching reasoning off is taken. `system`: text in place of our own prompt, or empty. `nonce`:
 * what the parts of the prompt are marked with. 0 or -errno.
 */
int encode_chat(struct textbuf *b, const struct model_request *q, const char *host, struct bytes system,
	const char *nonce) NONNULL MUST_CHECK;

#endif
