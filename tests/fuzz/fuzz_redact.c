/* SPDX-License-Identifier: Apache-2.0 */
/* Any text: the walk over its secrets ends, moves forward, and hides no line but inside a private key. */
#include "policy/text/oneline.h"
#include "policy/text/redact.h"
#include "policy/text/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_line(struct bytes text)
{
	CLEANUP(textbuf_done) struct textbuf line = { 0 };
	size_t at;

	text_oneline(&line, text, 200);
	if (line.failed || line.len > 200 || !utf8_valid(line.p ? line.p : "", line.len))
		abort();
	switch (utf8_find_odd(line.p ? line.p : "", line.len, &at)) {
	case CHAR_PLAIN:
	case CHAR_QUOTE:
		break;
	case CHAR_CONTROL:
	case CHAR_BIDI:
	case CHAR_FORMAT:
	case CHAR_SEPARATOR:
		abort();
	}
	if (line.len && memchr(line.p, '\n', line.len))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct bytes text = { (const char *)data, size };
	CLEANUP(textbuf_done) struct textbuf out = { 0 };
	struct secret s = { 0 };
	size_t from = 0;

	while (secret_find(text, from, &s) != SECRET_NONE) {
		if (s.start < from || s.end < s.start || s.end > size || s.end <= from)
			abort();
		if (s.kind != SECRET_PEM && memchr(text.p + s.start, '\n', s.end - s.start))
			abort();
		from = s.end;
	}
	redact(&out, text);
	if (out.failed)
		abort();
	check_line(text);
	return 0;
}
