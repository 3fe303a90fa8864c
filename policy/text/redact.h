/* SPDX-License-Identifier: Apache-2.0 */
/* Finding secrets in text that is about to be written down or sent away. */
#ifndef TEXT_REDACT_H
#define TEXT_REDACT_H

#include "policy/text/textbuf.h"

enum secret_kind {
	SECRET_NONE = 0,
	SECRET_AUTHORIZATION, /* Authorization: SCHEME value; Bearer value */
	SECRET_PEM, /* the lines between PRIVATE KEY markers */
	SECRET_ASSIGNMENT, /* …KEY|TOKEN|SECRET|PASSWORD = : value, in shell, JSON, YAML and ini spelling */
	SECRET_USERPASS, /* -u user:pass */
	SECRET_URL, /* scheme://user:pass@host */
	SECRET_SHAPE, /* a token known by its looks */
};

struct secret {
	size_t start, end; /* the secret bytes alone, not the name before them */
	enum secret_kind kind;
};

/* The first secret that ends after `from`, or SECRET_NONE. Linear over a whole walk: continue at ret->end. */
enum secret_kind secret_find(struct bytes text, size_t from, struct secret *ret) __attribute__((nonnull(3)));
/* Append `text` with each secret replaced by [redacted]. Redact first, cut afterwards. */
void redact(struct textbuf *b, struct bytes text) __attribute__((nonnull(1)));

#endif
