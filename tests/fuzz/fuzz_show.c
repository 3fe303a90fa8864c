/* SPDX-License-Identifier: Apache-2.0 */
/* Listings as a taken-over worker might send them, shown: whole and harmless, or not at all. */
#include <stdio.h>

#include "broker/reply/listing.h"
#include "policy/text/json_strict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok, const char *what, const struct textbuf *b)
{
	if (ok)
		return;
	fprintf(stderr, "broken: %s: %s\n", what, b->p ? b->p : "");
	abort();
}

static bool is_json(const struct textbuf *b)
{
	CLEANUP(json_putp) struct json_object *o = NULL;
	size_t at;

	return json_strict(textbuf_bytes(b), &o, &at) == JSON_OK && json_object_is_type(o, json_type_object);
}

/* Nothing but line feeds and printable text reaches a terminal. */
static bool is_harmless(const struct textbuf *b)
{
	for (size_t i = 0; i < b->len; i++)
		if ((unsigned char)b->p[i] < 0x20 && b->p[i] != '\n')
			return false;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char reason[] = "a reason";
	const struct outcome o = { .kind = KIND_SHELL, .source = SOURCE_OFFLINE, .reason = reason };
	const struct bytes body = { (const char *)data, size };
	CLEANUP(textbuf_done) struct textbuf b = { 0 };
	bool parsed;

	for (int pretty = 0; pretty < 2; pretty++) {
		int r = listing_parse_json(body, pretty, &b, &parsed);

		require(r == 0 ? is_json(&b) : b.len == 0, "parse", &b);
		if (r == 0 && !pretty)
			require(memchr(b.p, '\n', b.len) == b.p + b.len - 1, "one line", &b);
		textbuf_reset(&b);
	}
	if (listing_explain_json(body, &o, &b) == 0)
		require(is_json(&b), "explain --json", &b);
	textbuf_reset(&b);
	if (listing_explain_text(body, &o, false, &b) == 0)
		require(is_harmless(&b), "explain", &b);
	return 0;
}
