/* SPDX-License-Identifier: Apache-2.0 */
/* What broker, netproc and worker say to each other about a judge: whole or refused; where to, and with which key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/judge/judgement.h"
#include "policy/judge/keys.h"
#include "policy/judge/model.h"

static struct bytes one_host[] = { BYTES("lan.example") }, two_remotes[] = { BYTES("a.example"), BYTES("b.example/x") };

/* Every field is something else than nothing, and than any other. */
static struct model_request sample(void)
{
	return (struct model_request){
		.protocol = MODEL_CHAT, .origin_from_file = true, .origin_default = false, .timeout_ms = 1500,
		.max_tokens = 120, .url = BYTES("https://judge.example/v1"), .model = BYTES("m"), .session = BYTES("s"),
		.ca_file = BYTES("/ca"), .proxy = BYTES("http://p"), .extra_body = BYTES("{}"),
		.system_prompt_file = BYTES("/prompt"), .command = BYTES("ls\0-l"), .cwd = BYTES("/w"),
		.effects = BYTES("ls list"), .finding = BYTES("odd"), .repository = BYTES("/r"), .branch = BYTES("b"),
		.repository_known = true, .files_left_out = true, .allow_http = { one_host, 1 },
		.prompt = { .sanctioned_remotes = { two_remotes, 2 }, .instructions = BYTES("be strict") },
		.n_keys = 2, .n_files = 1, .n_remotes = 1,
		.keys = { { KEY_VARIABLE, false, BYTES("NAME") }, { KEY_FILE, true, BYTES("/key") } },
		.files = { { .path = BYTES("/w/x"), .provenance = BYTES("landed"), .content = BYTES("c\0d"),
			.note = BYTES("n"), .runs = true } },
		.remotes = { { BYTES("origin"), BYTES("https://a.example/x"), true } },
	};
}

/* The body as it stands in memory of its own size, so that a read past it is noticed. */
static int decode_copy(struct bytes body, int (*decode)(struct bytes body))
{
	char *p = malloc(body.len + (body.len == 0));
	int rc;

	assert_non_null(p);
	memcpy(p, body.p, body.len);
	rc = decode((struct bytes){ p, body.len });
	free(p);
	return rc;
}

static void assert_only_whole(struct writer *w, int (*decode)(struct bytes body))
{
	assert_false(w->bad);
	assert_int_equal(decode_copy((struct bytes){ w->p, w->len }, decode), 0);
	for (size_t n = 0; n < w->len; n++)
		assert_int_equal(decode_copy((struct bytes){ w->p, n }, decode), -EPROTO);
	wr_u8(w, 0);
	assert_int_equal(decode_copy((struct bytes){ w->p, w->len }, decode), -EPROTO);
}

static int try_request(struct bytes body)
{
	CLEANUP(model_request_done) struct model_request q = { 0 };

	return model_request_decode(body, &q);
}

static int try_reply(struct bytes body)
{
	struct model_reply r;

	return model_reply_decode(body, &r);
}

static int try_judgement(struct bytes body)
{
	struct judgement j;

	return judgement_decode(body, &j);
}

static bool same_encoding(const struct model_request *a, const struct model_request *b)
{
	CLEANUP(wr_done) struct writer one = { 0 }, other = { 0 };

	model_request_encode(&one, a);
	model_request_encode(&other, b);
	assert_false(one.bad || other.bad);
	return bytes_eq((struct bytes){ one.p, one.len }, (struct bytes){ other.p, other.len });
}

static void a_request_is_whole(void **state)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	CLEANUP(model_request_done) struct model_request again = { 0 };
	const struct model_request q = sample();

	(void)state;
	model_request_encode(&w, &q);
	assert_int_equal(model_request_decode((struct bytes){ w.p, w.len }, &again), 0);
	assert_true(same_encoding(&q, &again));
	assert_true(bytes_eq(again.command, q.command) && bytes_eq(again.files[0].content, q.files[0].content));
	assert_true(bytes_eq(again.prompt.sanctioned_remotes.items[1], two_remotes[1]));
	assert_only_whole(&w, try_request);
}

static void a_request_is_bounded(void **state)
{
	static char much[MODEL_TEXT_MAX + 1];
	const struct {
		size_t offset;
		uint32_t value;
	} counts[] = {
		{ offsetof(struct model_request, protocol), MODEL__MAX },
		{ offsetof(struct model_request, keys[0].kind), KEY__MAX },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		CLEANUP(wr_done) struct writer w = { 0 };
		struct model_request q = sample();

		memcpy((char *)&q + counts[i].offset, &counts[i].value, sizeof(counts[i].value));
		model_request_encode(&w, &q);
		assert_int_equal(decode_copy((struct bytes){ w.p, w.len }, try_request), -EPROTO);
	}
	for (size_t len = MODEL_TEXT_MAX; len <= MODEL_TEXT_MAX + 1; len++) {
		CLEANUP(wr_done) struct writer w = { 0 };
		struct model_request q = sample();

		q.files[0].content = (struct bytes){ much, len };
		model_request_encode(&w, &q);
		assert_int_equal(decode_copy((struct bytes){ w.p, w.len }, try_request),
			len <= MODEL_TEXT_MAX ? 0 : -EPROTO);
	}
}

/* Where to, and with which key, is all that it moves: nothing of what is judged, and all of that. */
static void a_place_is_all_of_where_and_nothing_else(void **state)
{
	struct model_request from = sample(), to = { .protocol = MODEL_JEV, .model = BYTES("other"), .timeout_ms = 7 };
	struct model_request expected = to;

	(void)state;
	model_place(&to, &from);
	expected.origin_from_file = true;
	expected.url = from.url;
	expected.ca_file = from.ca_file;
	expected.proxy = from.proxy;
	expected.system_prompt_file = from.system_prompt_file;
	expected.allow_http = from.allow_http;
	expected.n_keys = 2;
	memcpy(expected.keys, from.keys, sizeof(expected.keys));
	assert_true(same_encoding(&to, &expected));
	/* And back: nothing of a place is left where there is none. */
	from = (struct model_request){ 0 };
	to.allow_http.items = NULL;
	model_place(&to, &from);
	expected = (struct model_request){ .protocol = MODEL_JEV, .model = BYTES("other"), .timeout_ms = 7 };
	assert_true(same_encoding(&to, &expected));
}

static void a_reply_is_whole_and_bounded(void **state)
{
	static char much[MODEL_BODY_MAX + 1];
	const struct {
		size_t id, body;
		int rc;
	} cases[] = {
		{ 0, 0, 0 }, { MODEL_REQUEST_ID_MAX, 5, 0 }, { MODEL_REQUEST_ID_MAX + 1, 5, -EPROTO },
		{ 3, MODEL_BODY_MAX, 0 }, { 3, MODEL_BODY_MAX + 1, -EPROTO },
	};
	CLEANUP(wr_done) struct writer w = { 0 };
	struct model_reply again;

	(void)state;
	model_reply_encode(&w, &(struct model_reply){ 529, 1200, BYTES("req-1"), BYTES("b\0c") });
	assert_int_equal(model_reply_decode((struct bytes){ w.p, w.len }, &again), 0);
	assert_int_equal(again.status, 529);
	assert_int_equal(again.retry_after_ms, 1200);
	assert_true(bytes_is(again.request_id, "req-1") && bytes_eq(again.body, BYTES("b\0c")));
	assert_only_whole(&w, try_reply);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		wr_reset(&w);
		model_reply_encode(&w, &(struct model_reply){ 200, 0, { much, cases[i].id }, { much, cases[i].body } });
		assert_int_equal(decode_copy((struct bytes){ w.p, w.len }, try_reply), cases[i].rc);
	}
}

static void a_judgement_is_whole_and_in_range(void **state)
{
	struct judgement j = { .state = JUDGEMENT_READ, .has_risks = true, .p_allow = MILLION, .confidence = MILLION,
		.model = BYTES("m"), .text = BYTES("t") };
	CLEANUP(wr_done) struct writer w = { 0 };
	uint32_t *const numbers[] = { &j.p_allow, &j.confidence, &j.risks[0], &j.risks[RISKS - 1] };

	(void)state;
	judgement_encode(&w, &j);
	assert_only_whole(&w, try_judgement);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		uint32_t was = *numbers[i];

		*numbers[i] = MILLION + 1;
		wr_reset(&w);
		judgement_encode(&w, &j);
		assert_int_equal(decode_copy((struct bytes){ w.p, w.len }, try_judgement), -EPROTO);
		*numbers[i] = was;
	}
	j.state = JUDGEMENT__MAX;
	wr_reset(&w);
	judgement_encode(&w, &j);
	assert_int_equal(decode_copy((struct bytes){ w.p, w.len }, try_judgement), -EPROTO);
}

static void what_may_be_tried_again(void **state)
{
	static const struct {
		uint32_t status;
		bool again;
	} statuses[] = { { 200, false }, { 400, false }, { 401, false }, { 404, false }, { 408, true }, { 422, false },
		{ 429, true }, { 499, false }, { 500, true }, { 529, true }, { 599, true }, { 600, false } };
	static const enum model_failure passing[] = { MODEL_UNREACHABLE, MODEL_TIMEOUT, MODEL_NOT_HTTP, MODEL_BUSY,
		MODEL_STALE, MODEL_NO_SERVICE };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
		assert_int_equal(model_status_retryable(statuses[i].status), statuses[i].again);
	for (unsigned int f = 0; f < MODEL_FAILURE__MAX; f++) {
		bool expected = false;

		for (size_t i = 0; i < ARRAY_LEN(passing); i++)
			expected = expected || passing[i] == f;
		assert_int_equal(model_failure_retryable((enum model_failure)f), expected);
		assert_true(strlen(model_failure_text((enum model_failure)f)) > 0);
	}
	assert_false(model_failure_retryable(MODEL_FAILURE__MAX));
	assert_string_equal(model_failure_text(MODEL_FAILURE__MAX), model_failure_text(MODEL_BROKEN));
}

/* Whoever can set a variable can choose an address; no key of a user's goes there. */
static void a_key_goes_where_a_file_sends_it_or_home(void **state)
{
	static const struct {
		bool origin_from_file, origin_default;
		struct key_source key;
		const char *host;
		bool may;
	} cases[] = {
		{ true, false, { KEY_VARIABLE, false, BYTES("ANY") }, "judge.example", true },
		{ true, false, { KEY_FILE, true, BYTES("/k") }, "judge.example", true },
		{ false, true, { KEY_FILE, true, BYTES("/k") }, "api.typesafe.ai", true },
		{ false, true, { KEY_VARIABLE, true, BYTES("MINE") }, "api.typesafe.ai", true },
		{ false, true, { KEY_VARIABLE, false, BYTES("MINE") }, "api.typesafe.ai", false },
		{ false, true, { KEY_VARIABLE, false, BYTES("TYPESAFE_API_KEY") }, "api.typesafe.ai", true },
		{ false, false, { KEY_VARIABLE, false, BYTES("TYPESAFE_API_KEY") }, "api.typesafe.ai", true },
		{ false, false, { KEY_VARIABLE, false, BYTES("TYPESAFE_API_KEY") }, "API.TypeSafe.AI", true },
		{ false, false, { KEY_VARIABLE, false, BYTES("TYPESAFE_API_KEY") }, "api.typesafe.ai.evil.example", false },
		{ false, false, { KEY_VARIABLE, false, BYTES("TYPESAFE_API_KEY") }, "evil.example", false },
		{ false, false, { KEY_VARIABLE, false, BYTES("OPENAI_API_KEY") }, "api.openai.com", true },
		{ false, false, { KEY_VARIABLE, false, BYTES("OPENAI_API_KEY") }, "api.typesafe.ai", false },
		{ false, false, { KEY_VARIABLE, false, BYTES("OPENAI_API_KEY2") }, "api.openai.com", false },
		{ false, false, { KEY_FILE, true, BYTES("/k") }, "judge.example", false },
		{ false, false, { KEY_FILE, true, BYTES("OPENAI_API_KEY") }, "api.openai.com", false },
		{ false, false, { KEY_LITERAL, true, BYTES("llm.apiKey") }, "api.openai.com", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct model_request q = {
			.origin_from_file = cases[i].origin_from_file, .origin_default = cases[i].origin_default,
		};
		const struct bytes host = { cases[i].host, strlen(cases[i].host) };

		if (key_may_go(&q, &cases[i].key, host) != cases[i].may)
			fail_msg("case %zu, to %s", i, cases[i].host);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_is_whole),
		cmocka_unit_test(a_request_is_bounded),
		cmocka_unit_test(a_place_is_all_of_where_and_nothing_else),
		cmocka_unit_test(a_reply_is_whole_and_bounded),
		cmocka_unit_test(a_judgement_is_whole_and_in_range),
		cmocka_unit_test(what_may_be_tried_again),
		cmocka_unit_test(a_key_goes_where_a_file_sends_it_or_home),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
