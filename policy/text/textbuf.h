/* SPDX-License-Identifier: Apache-2.0 */
/* A growing text. Errors stick: append freely, look at `failed` once, at the end. */
#ifndef TEXT_TEXTBUF_H
#define TEXT_TEXTBUF_H

#include "policy/base.h"

struct textbuf {
	char *p; /* owned; NUL-terminated once anything was appended or textbuf_text() was called */
	size_t len, size;
	bool failed; /* out of memory: what was appended since is lost */
};

/* Room for `more` bytes and a NUL; false once failed. */
bool textbuf_reserve(struct textbuf *b, size_t more) NONNULL;
void textbuf_append(struct textbuf *b, const char *p, size_t len) __attribute__((nonnull(1)));
void textbuf_puts(struct textbuf *b, const char *s) NONNULL;
void textbuf_putc(struct textbuf *b, char c) NONNULL;
void textbuf_printf(struct textbuf *b, const char *fmt, ...) PRINTF_LIKE(2, 3) __attribute__((nonnull(1, 2)));
/* Empty it, keep the memory. Clears `failed`. */
void textbuf_reset(struct textbuf *b) NONNULL;
/* For CLEANUP(): frees the text. */
void textbuf_done(struct textbuf *b) NONNULL;
/* The text, owned by the caller from now on, or NULL when it failed; the buffer is empty again. */
char *textbuf_steal(struct textbuf *b) NONNULL MUST_CHECK;

static inline struct bytes textbuf_bytes(const struct textbuf *b)
{
	return (struct bytes){ b->p, b->len };
}

#endif
