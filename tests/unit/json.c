/* SPDX-License-Identifier: Apache-2.0 */
/* JSON read strictly and written exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <json-c/json.h>
#include <math.h>

#include "policy/text/json_strict.h"
#include "policy/text/jsonout.h"

#define Q(literal) literal, sizeof(literal) - 1

static const struct {
	const char *text;
	size_t len;
	int outcome;
} documents[] = {
	{ Q("{}"), JSON_OK },
	{ Q(" [1, -0, 1.5e-3, \"a\", true, false, null, {\"a\": {}}] \n"), JSON_OK },
	{ Q("null"), JSON_OK },
	{ Q("\"\\u0000\\ud83d\\ude00\\/\\b\""), JSON_OK },
	{ Q("0"), JSON_OK },
	{ Q("-12.5E+2"), JSON_OK },
	{ Q("{\"a\":{\"x\":1},\"b\":{\"x\":1}}"), JSON_OK },
	{ Q("\"caf\xc3\xa9\""), JSON_OK },
	{ Q(""), JSON_EMPTY },
	{ Q(" \n\t\r"), JSON_EMPTY },
	{ Q("{\"a\":1,\"a\":2}"), JSON_DUPLICATE },
	{ Q("{\"a\":1,\"\\u0061\":2}"), JSON_DUPLICATE },
	{ Q("[{\"k\":{\"a\":1,\"a\":1}}]"), JSON_DUPLICATE },
	{ Q("{} {}"), JSON_TRAILING },
	{ Q("1 2"), JSON_TRAILING },
	{ Q("{}\0"), JSON_TRAILING },
	{ Q("null,"), JSON_TRAILING },
	{ Q("\"a\xff\""), JSON_ENCODING },
	{ Q("{\"a\xc0\xaf\":1}"), JSON_ENCODING },
	{ Q("\"\xed\xa0\x80\""), JSON_ENCODING },
	{ Q("{"), JSON_MALFORMED },
	{ Q("["), JSON_MALFORMED },
	{ Q("{\"a\"}"), JSON_MALFORMED },
	{ Q("{\"a\":}"), JSON_MALFORMED },
	{ Q("{\"a\":1,}"), JSON_MALFORMED },
	{ Q("[1,]"), JSON_MALFORMED },
	{ Q("[,]"), JSON_MALFORMED },
	{ Q("[1 2]"), JSON_MALFORMED },
	{ Q("[1}"), JSON_MALFORMED },
	{ Q("{a:1}"), JSON_MALFORMED },
	{ Q("{'a':1}"), JSON_MALFORMED },
	{ Q("{1:1}"), JSON_MALFORMED },
	{ Q("// x\n{}"), JSON_MALFORMED },
	{ Q("/* x */{}"), JSON_MALFORMED },
	{ Q("NaN"), JSON_MALFORMED },
	{ Q("-NaN"), JSON_MALFORMED },
	{ Q("Infinity"), JSON_MALFORMED },
	{ Q("-Infinity"), JSON_MALFORMED },
	{ Q("1e999"), JSON_MALFORMED },
	{ Q("-1e999"), JSON_MALFORMED },
	{ Q("01"), JSON_TRAILING },
	{ Q("[01]"), JSON_MALFORMED },
	{ Q("+1"), JSON_MALFORMED },
	{ Q("1."), JSON_MALFORMED },
	{ Q(".5"), JSON_MALFORMED },
	{ Q("1e"), JSON_MALFORMED },
	{ Q("-"), JSON_MALFORMED },
	{ Q("0x10"), JSON_TRAILING },
	{ Q("tru"), JSON_MALFORMED },
	{ Q("True"), JSON_MALFORMED },
	{ Q("\"a"), JSON_MALFORMED },
	{ Q("\"a\nb\""), JSON_MALFORMED },
	{ Q("\"a\tb\""), JSON_MALFORMED },
	{ Q("\"a\0b\""), JSON_MALFORMED },
	{ Q("\"\\x41\""), JSON_MALFORMED },
	{ Q("\"\\u12g4\""), JSON_MALFORMED },
	{ Q("\"\\u12"), JSON_MALFORMED },
	{ Q("\"\\"), JSON_MALFORMED },
	{ Q("{\"a\\u0000b\":1}"), JSON_MALFORMED },
	{ Q("\xef\xbb\xbf{}"), JSON_MALFORMED },
	{ Q("\0"), JSON_MALFORMED },
};

static void test_outcomes(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(documents); i++) {
		/* an exact copy on the heap, so that a read past the end is seen */
		CLEANUP(freep) char *copy = malloc(documents[i].len ? documents[i].len : 1);
		struct json_object *v = NULL;
		size_t at = 0;
		int r;

		memcpy(copy, documents[i].text, documents[i].len);
		r = json_strict((struct bytes){ copy, documents[i].len }, &v, &at);
		if (r != documents[i].outcome)
			fail_msg("%s: %d, not %d", documents[i].text, r, documents[i].outcome);
		assert_true(at <= documents[i].len);
		json_object_put(v);
	}
}

static void test_depth(void **state)
{
	char text[2 * JSON_DEPTH_MAX + 4];

	(void)state;
	for (size_t depth = JSON_DEPTH_MAX - 1; depth <= JSON_DEPTH_MAX + 1; depth++) {
		CLEANUP(json_putp) struct json_object *v = NULL;
		size_t at;

		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		assert_int_equal(json_strict((struct bytes){ text, 2 * depth }, &v, &at),
			depth <= JSON_DEPTH_MAX ? JSON_OK : JSON_MALFORMED);
	}
}

static void test_values(void **state)
{
	static const char text[] = "{\"s\":\"a\\u0000b\",\"n\":-3,\"o\":{\"x\":true},\"z\":null}";
	CLEANUP(json_putp) struct json_object *v = NULL;
	struct bytes s;
	size_t at;

	(void)state;
	assert_int_equal(json_strict(BYTES(text), &v, &at), JSON_OK);
	s = json_member_string(v, "s");
	assert_int_equal(s.len, 3);
	assert_memory_equal(s.p, "a\0b", 3);
	assert_null(json_member_string(v, "n").p);
	assert_int_equal(json_object_get_int(json_member(v, "n", json_type_int)), -3);
	assert_null(json_member(v, "n", json_type_string));
	assert_null(json_member(v, "absent", json_type_int));
	assert_null(json_member(json_member(v, "n", json_type_int), "x", json_type_int));
	assert_non_null(json_member(json_member(v, "o", json_type_object), "x", json_type_boolean));
	assert_null(json_member(NULL, "x", json_type_int));
}

static void test_place(void **state)
{
	struct json_object *v;
	size_t at;

	(void)state;
	assert_int_equal(json_check(BYTES("{\"a\": tru}"), &at), JSON_MALFORMED);
	assert_int_equal(at, 6);
	assert_int_equal(json_strict(BYTES("[1, 2] x"), &v, &at), JSON_TRAILING);
	assert_int_equal(at, 7);
	for (int r = -2; r <= JSON__OUTCOMES; r++)
		assert_non_null(json_outcome_text(r));
}

static void test_compact(void **state)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };
	struct jsonout o = JSONOUT(&b);

	(void)state;
	jsonout_object(&o);
	jsonout_member(&o, "a", "x\"\\\n\x01\x7f");
	jsonout_member_bytes(&o, "b", BYTES("\0\xc3\xa9\xff\xe2\x80\xa8\xc2\x85"));
	jsonout_name(&o, "c");
	jsonout_array(&o);
	jsonout_int(&o, INT64_MIN);
	jsonout_number(&o, 0.1);
	jsonout_number(&o, 60);
	jsonout_number(&o, 1e-7);
	jsonout_number(&o, 1e300);
	jsonout_number(&o, (double)INFINITY);
	jsonout_bool(&o, true);
	jsonout_null(&o);
	jsonout_array(&o);
	jsonout_end(&o);
	jsonout_end(&o);
	jsonout_member(&o, "d", NULL);
	jsonout_member_int(&o, "e", 7);
	jsonout_member_bool(&o, "f", false);
	jsonout_end(&o);
	assert_false(b.failed);
	assert_string_equal(b.p,
		"{\"a\":\"x\\\"\\\\\\n\\u0001\\u007f\",\"b\":\"\\u0000\xc3\xa9\xef\xbf\xbd\\u2028\\u0085\","
		"\"c\":[-9223372036854775808,0.1,60,1e-07,1e+300,null,true,null,[]],\"d\":null,\"e\":7,\"f\":false}");
}

static void test_pretty(void **state)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };
	struct jsonout o = JSONOUT_PRETTY(&b);

	(void)state;
	jsonout_object(&o);
	jsonout_name(&o, "empty");
	jsonout_object(&o);
	jsonout_end(&o);
	jsonout_name(&o, "list");
	jsonout_array(&o);
	jsonout_int(&o, 1);
	jsonout_string(&o, "b");
	jsonout_end(&o);
	jsonout_end(&o);
	assert_string_equal(b.p, "{\n  \"empty\": {},\n  \"list\": [\n    1,\n    \"b\"\n  ]\n}");
}

/* A caller's mistake is an error, never text that nobody can read. */
static void test_misuse(void **state)
{
	(void)state;
	for (int kind = 0; kind < 5; kind++) {
		CLEANUP(textbuf_done) struct textbuf b = { 0 };
		struct jsonout o = JSONOUT(&b);

		jsonout_object(&o);
		if (kind == 0)
			jsonout_int(&o, 1); /* no name */
		if (kind == 1) {
			jsonout_name(&o, "a");
			jsonout_end(&o); /* no value */
		}
		if (kind == 2) {
			jsonout_name(&o, "a");
			jsonout_name(&o, "b");
		}
		if (kind == 3) {
			jsonout_end(&o);
			jsonout_end(&o);
		}
		for (int i = 0; kind == 4 && i <= JSONOUT_DEPTH_MAX; i++) {
			jsonout_name(&o, "a");
			jsonout_object(&o);
		}
		assert_true(b.failed);
	}
}

static void test_round_trip(void **state)
{
	static const char text[] = "{\"a\":[1,2.5,\"x\\ty\",{\"b\":null}],\"c\":true,\"d\":1e-7}";
	CLEANUP(json_putp) struct json_object *v = NULL, *again = NULL;
	CLEANUP(textbuf_done) struct textbuf b = { 0 };
	struct jsonout o = JSONOUT_PRETTY(&b);
	size_t at;

	(void)state;
	assert_int_equal(json_strict(BYTES(text), &v, &at), JSON_OK);
	jsonout_value(&o, v);
	assert_false(b.failed);
	assert_int_equal(json_strict(textbuf_bytes(&b), &again, &at), JSON_OK);
	assert_true(json_object_equal(v, again));
}

/* Any bytes at all come out as one well-formed string. */
static void test_any_bytes(void **state)
{
	(void)state;
	for (unsigned int a = 0; a < 256; a++) {
		for (unsigned int c = 0; c < 256; c += 5) {
			CLEANUP(textbuf_done) struct textbuf b = { 0 };
			CLEANUP(json_putp) struct json_object *v = NULL;
			struct jsonout o = JSONOUT(&b);
			char in[] = { (char)a, (char)c, 'x', (char)a };
			size_t at;

			jsonout_bytes(&o, (struct bytes){ in, sizeof(in) });
			assert_int_equal(json_strict(textbuf_bytes(&b), &v, &at), JSON_OK);
			assert_true(json_object_is_type(v, json_type_string));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_outcomes),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_compact),
		cmocka_unit_test(test_pretty),
		cmocka_unit_test(test_misuse),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
