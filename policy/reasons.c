/* SPDX-License-Identifier: Apache-2.0 */
/* Reasons in words: templates of reasons.def with foreign arguments made harmless. */
#include "policy/reasons.h"

#include "policy/text/oneline.h"
#include "policy/text/redact.h"

enum { ARGUMENT_SHOWN_MAX = 300 };

static const char *const templates[REASON__MAX] = {
	[REASON_INTERNAL] = "the gate could not decide",
#define REASON(id, text) [REASON_##id] = (text),
#include "policy/reasons.def"
#undef REASON
};

enum reason reason_from_wire(uint32_t v)
{
	return v < REASON__MAX ? (enum reason)v : REASON_INTERNAL;
}

const char *reason_template(enum reason r)
{
	return templates[(unsigned int)r < REASON__MAX ? r : REASON_INTERNAL];
}

/* Is this "{N}"? Then N, else -1. */
static int placeholder(const char *t)
{
	return t[0] == '{' && t[1] >= '0' && t[1] <= '9' && t[2] == '}' ? t[1] - '0' : -1;
}

/* Secrets first: one that is cut in the middle is not known for what it is. */
static void put_argument(struct textbuf *b, struct bytes arg)
{
	CLEANUP(textbuf_done) struct textbuf clean = { 0 };

	redact(&clean, arg);
	b->failed = b->failed || clean.failed;
	text_oneline(b, textbuf_bytes(&clean), ARGUMENT_SHOWN_MAX);
}

char *reason_render(enum reason r, const struct bytes *args, uint32_t n_args)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };

	for (const char *t = reason_template(r); *t != '\0';) {
		int n = placeholder(t);
		size_t plain = strcspn(t + 1, "{") + 1;

		if (n < 0) {
			textbuf_append(&b, t, plain);
			t += plain;
			continue;
		}
		if ((uint32_t)n < n_args)
			put_argument(&b, args[n]);
		t += 3;
	}
	return textbuf_steal(&b);
}
