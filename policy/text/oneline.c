/* SPDX-License-Identifier: Apache-2.0 */
/* Foreign text, made safe to stand in one line. */
#include "policy/text/oneline.h"

#include <stdio.h>

#include "policy/text/utf8.h"

static const char ellipsis[] = "\xe2\x80\xa6";

/* How one character is shown: writes at most 12 bytes, returns how many; *ret_taken is what it stood for. */
static size_t show(const char *p, size_t len, bool keep_breaks, char out[static 12], size_t *ret_taken)
{
	uint32_t c = 0;
	size_t n = utf8_decode(p, len, &c);
	enum char_class class;

	*ret_taken = n ? n : 1;
	if (n == 0)
		return (size_t)snprintf(out, 12, "\\x%02x", (unsigned char)*p);
	if (c == '\n' && keep_breaks) {
		out[0] = '\n';
		return 1;
	}
	if (c == '\n' || c == '\r' || c == '\t') {
		out[0] = '\\';
		out[1] = c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
		return 2;
	}
	class = utf8_class(c);
	if (class != CHAR_PLAIN && class != CHAR_QUOTE)
		return (size_t)snprintf(out, 12, "\\u{%x}", c);
	memcpy(out, p, n);
	return n;
}

static void append_shown(struct textbuf *b, struct bytes in, size_t cap, bool keep_breaks)
{
	size_t start = b->len, fits = b->len, i = 0, taken, n;
	size_t reserve = cap >= sizeof(ellipsis) - 1 ? sizeof(ellipsis) - 1 : 0;
	char out[12];

	while (i < in.len && !b->failed) {
		n = show(in.p + i, in.len - i, keep_breaks, out, &taken);
		if (b->len - start + n > cap) {
			b->len = fits;
			textbuf_append(b, ellipsis, reserve);
			return;
		}
		textbuf_append(b, out, n);
		if (b->len - start + reserve <= cap)
			fits = b->len;
		i += taken;
	}
}

void text_oneline(struct textbuf *b, struct bytes in, size_t cap)
{
	append_shown(b, in, cap, false);
}

void text_lines(struct textbuf *b, struct bytes in, size_t cap)
{
	append_shown(b, in, cap, true);
}
