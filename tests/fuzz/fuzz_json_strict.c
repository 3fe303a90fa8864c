/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON: what is taken can be written, read again and written the same; what is not leaves nothing. */
#include <json-c/json.h>

#include "policy/text/json_strict.h"
#include "policy/text/jsonout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_value(struct textbuf *b, struct json_object *v, bool pretty)
{
	struct jsonout o = pretty ? JSONOUT_PRETTY(b) : JSONOUT(b);

	jsonout_value(&o, v);
}

static void check_again(struct json_object *v, bool pretty)
{
	CLEANUP(textbuf_done) struct textbuf first = { 0 }, second = { 0 };
	CLEANUP(json_putp) struct json_object *again = NULL;
	size_t at;

	put_value(&first, v, pretty);
	if (first.failed) /* deeper than the writer goes */
		return;
	if (json_strict(textbuf_bytes(&first), &again, &at) != JSON_OK)
		abort();
	put_value(&second, again, pretty);
	if (second.failed || !bytes_eq(textbuf_bytes(&first), textbuf_bytes(&second)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct bytes text = { (const char *)data, size };
	CLEANUP(json_putp) struct json_object *v = NULL;
	CLEANUP(textbuf_done) struct textbuf b = { 0 };
	struct json_object *string = NULL;
	struct jsonout o = JSONOUT(&b);
	size_t at = 0;
	int r;

	r = json_strict(text, &v, &at);
	if (r < 0 || at > size)
		abort();
	if (r != JSON_OK && v)
		abort();
	if (r == JSON_OK) {
		check_again(v, false);
		check_again(v, true);
	}
	/* the same bytes as a string's content */
	jsonout_bytes(&o, text);
	if (b.failed || json_strict(textbuf_bytes(&b), &string, &at) != JSON_OK)
		abort();
	json_object_put(string);
	return 0;
}
