/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a client says to netproc's service, as the process that holds the key reads it: decoded, encoded again to the
 * same bytes, and made into the bodies of both services. Those are well-formed JSON, or there is none, whatever the
 * fields hold.
 */
#include <stdint.h>
#include <stdlib.h>

#include "netproc/encode.h"
#include "policy/text/json_strict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void is_json(const struct textbuf *b)
{
	size_t at;

	require(json_check(textbuf_bytes(b), &at) == JSON_OK);
}

static void same_again(const struct model_request *q, struct bytes body)
{
	CLEANUP(wr_done) struct writer w = { 0 };

	model_request_encode(&w, q);
	require(!w.bad && bytes_eq((struct bytes){ w.p, w.len }, body));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(model_request_done) struct model_request q = { 0 };
	CLEANUP(textbuf_done) struct textbuf jev = { 0 }, chat = { 0 };
	const struct bytes body = { (const char *)data, size };

	if (model_request_decode(body, &q) < 0)
		return 0;
	same_again(&q, body);
	encode_jev(&jev, &q);
	if (!jev.failed)
		is_json(&jev);
	/* A service takes extraBody from its own file: what a client says there goes nowhere. */
	q.extra_body = (struct bytes){ 0 };
	if (encode_chat(&chat, &q, "judge.example.org", (struct bytes){ 0 }, "0123456789abcdef") == 0)
		is_json(&chat);
	return 0;
}
