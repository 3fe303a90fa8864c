/* SPDX-License-Identifier: Apache-2.0 */
/* A growing text whose errors stick. */
#include "policy/text/textbuf.h"

#include <stdarg.h>
#include <stdio.h>

/* Nothing the gate writes comes near this; a loop that runs away does. */
enum { TEXTBUF_FIRST = 256, TEXTBUF_MAX = 256 * 1024 * 1024 };

bool textbuf_reserve(struct textbuf *b, size_t more)
{
	size_t need, size = b->size ? b->size : TEXTBUF_FIRST;
	char *p;

	if (b->failed)
		return false;
	if (more >= TEXTBUF_MAX || b->len + more >= TEXTBUF_MAX) {
		b->failed = true;
		return false;
	}
	need = b->len + more + 1;
	if (need <= b->size)
		return true;
	while (size < need)
		size *= 2;
	p = realloc(b->p, size);
	if (!p) {
		b->failed = true;
		return false;
	}
	b->p = p;
	b->size = size;
	b->p[b->len] = '\0';
	return true;
}

void textbuf_append(struct textbuf *b, const char *p, size_t len)
{
	if (!textbuf_reserve(b, len))
		return;
	if (len)
		memcpy(b->p + b->len, p, len);
	b->len += len;
	b->p[b->len] = '\0';
}

void textbuf_puts(struct textbuf *b, const char *s)
{
	textbuf_append(b, s, strlen(s));
}

void textbuf_putc(struct textbuf *b, char c)
{
	if (!textbuf_reserve(b, 1))
		return;
	b->p[b->len++] = c;
	b->p[b->len] = '\0';
}

void textbuf_printf(struct textbuf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0) {
		b->failed = true;
		return;
	}
	if (!textbuf_reserve(b, (size_t)n))
		return;
	va_start(ap, fmt);
	vsnprintf(b->p + b->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
}

void textbuf_reset(struct textbuf *b)
{
	b->len = 0;
	b->failed = false;
	if (b->p)
		b->p[0] = '\0';
}

void textbuf_done(struct textbuf *b)
{
	free(b->p);
	*b = (struct textbuf){ 0 };
}

char *textbuf_steal(struct textbuf *b)
{
	char *p = NULL;

	if (textbuf_reserve(b, 0))
		p = TAKE_PTR(b->p);
	textbuf_done(b);
	return p;
}
