/* SPDX-License-Identifier: Apache-2.0 */
/* Growing texts, UTF-8, and foreign text made one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/text/oneline.h"
#include "policy/text/utf8.h"

static void test_textbuf(void **state)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };
	CLEANUP(freep) char *text = NULL;

	(void)state;
	for (int i = 0; i < 1000; i++)
		textbuf_printf(&b, "%d,", i);
	textbuf_putc(&b, '!');
	textbuf_append(&b, NULL, 0);
	assert_false(b.failed);
	assert_int_equal(b.len, 3890 + 1);
	assert_memory_equal(b.p, "0,1,2,", 6);
	assert_int_equal(b.p[b.len], '\0');
	text = textbuf_steal(&b);
	assert_non_null(text);
	assert_null(b.p);
	assert_int_equal(text[3890], '!');
	assert_false(textbuf_reserve(&b, SIZE_MAX));
	textbuf_puts(&b, "lost");
	assert_true(b.failed);
	assert_int_equal(b.len, 0);
	assert_null(textbuf_steal(&b));
	textbuf_puts(&b, "fresh");
	assert_string_equal(b.p, "fresh");
}

static void test_empty_steal(void **state)
{
	struct textbuf b = { 0 };
	CLEANUP(freep) char *text = textbuf_steal(&b);

	(void)state;
	assert_string_equal(text, "");
}

static const struct {
	const char *bytes;
	size_t len; /* of the first character; 0: malformed */
	uint32_t c;
} characters[] = {
	{ "a", 1, 'a' },
	{ "\x7f", 1, 0x7f },
	{ "\xc2\x80", 2, 0x80 },
	{ "\xdf\xbf", 2, 0x7ff },
	{ "\xe0\xa0\x80", 3, 0x800 },
	{ "\xef\xbf\xbf", 3, 0xffff },
	{ "\xf0\x90\x80\x80", 4, 0x10000 },
	{ "\xf4\x8f\xbf\xbf", 4, 0x10ffff },
	{ "\x80", 0, 0 }, /* a continuation alone */
	{ "\xc0\xaf", 0, 0 }, /* overlong slash */
	{ "\xc1\xbf", 0, 0 },
	{ "\xe0\x9f\xbf", 0, 0 },
	{ "\xf0\x8f\xbf\xbf", 0, 0 },
	{ "\xed\xa0\x80", 0, 0 }, /* surrogate */
	{ "\xed\xbf\xbf", 0, 0 },
	{ "\xf4\x90\x80\x80", 0, 0 }, /* past the last plane */
	{ "\xf5\x80\x80\x80", 0, 0 },
	{ "\xff", 0, 0 },
	{ "\xe2\x82", 0, 0 }, /* cut */
	{ "\xe2\x28\xa1", 0, 0 },
};

static void test_decode(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(characters); i++) {
		size_t n = strlen(characters[i].bytes);
		uint32_t c = 0;
		char out[4];

		assert_int_equal(utf8_decode(characters[i].bytes, n, &c), characters[i].len);
		assert_int_equal(utf8_valid(characters[i].bytes, n), characters[i].len != 0);
		if (characters[i].len == 0)
			continue;
		assert_int_equal(c, characters[i].c);
		assert_int_equal(utf8_encode(c, out), characters[i].len);
		assert_memory_equal(out, characters[i].bytes, characters[i].len);
	}
	assert_true(utf8_valid("", 0));
	assert_true(utf8_valid("a\0b", 3));
}

static void test_encode_nonsense(void **state)
{
	char out[4];

	(void)state;
	assert_int_equal(utf8_encode(0xd800, out), 3);
	assert_memory_equal(out, "\xef\xbf\xbd", 3);
	assert_int_equal(utf8_encode(0x110000, out), 3);
	assert_memory_equal(out, "\xef\xbf\xbd", 3);
}

static void test_cut(void **state)
{
	static const char text[] = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
	static const size_t cuts[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10 };

	(void)state;
	for (size_t cap = 0; cap < ARRAY_LEN(cuts); cap++)
		assert_int_equal(utf8_cut(text, sizeof(text) - 1, cap), cuts[cap]);
	assert_int_equal(utf8_cut(text, sizeof(text) - 1, 1000), sizeof(text) - 1);
	/* garbage is cut where asked, not swallowed */
	assert_int_equal(utf8_cut("\x80\x80\x80\x80\x80\x80", 6, 5), 5);
}

static const struct {
	uint32_t c;
	enum char_class class;
} classes[] = {
	{ 'a', CHAR_PLAIN }, { '\n', CHAR_PLAIN }, { '\t', CHAR_PLAIN }, { '\r', CHAR_PLAIN }, { 0, CHAR_CONTROL },
	{ 0x1b, CHAR_CONTROL }, { 0x7f, CHAR_CONTROL }, { 0x85, CHAR_CONTROL }, { 0x9f, CHAR_CONTROL },
	{ 0xa0, CHAR_PLAIN }, { 0xad, CHAR_FORMAT }, { 0xe9, CHAR_PLAIN }, { 0x61c, CHAR_BIDI }, { 0x200b, CHAR_FORMAT },
	{ 0x200d, CHAR_FORMAT }, { 0x200e, CHAR_BIDI }, { 0x2019, CHAR_QUOTE }, { 0x201d, CHAR_QUOTE },
	{ 0x2028, CHAR_SEPARATOR }, { 0x2029, CHAR_SEPARATOR }, { 0x202e, CHAR_BIDI }, { 0x2060, CHAR_FORMAT },
	{ 0x2066, CHAR_BIDI }, { 0x2069, CHAR_BIDI }, { 0x2192, CHAR_PLAIN }, { 0x3042, CHAR_PLAIN }, { 0xfe0f, CHAR_PLAIN },
	{ 0xfeff, CHAR_FORMAT }, { 0xff02, CHAR_QUOTE }, { 0xff07, CHAR_QUOTE }, { 0x1f600, CHAR_PLAIN },
	{ 0xe0041, CHAR_FORMAT }, { 0xe0100, CHAR_FORMAT }, { 0x10ffff, CHAR_PLAIN },
};

static void test_classes(void **state)
{
	size_t at;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (utf8_class(classes[i].c) != classes[i].class)
			fail_msg("U+%04X", classes[i].c);
	assert_int_equal(utf8_find_odd("na\xc3\xafve", 6, &at), CHAR_PLAIN);
	assert_int_equal(at, 6);
	assert_int_equal(utf8_find_odd("ab\xe2\x80\xae" "cd", 7, &at), CHAR_BIDI);
	assert_int_equal(at, 2);
	assert_int_equal(utf8_find_odd("ab\xff", 3, &at), CHAR_CONTROL);
	assert_int_equal(at, 2);
}

static void check_oneline(const char *in, size_t len, size_t cap, const char *want)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };

	textbuf_puts(&b, ">");
	text_oneline(&b, (struct bytes){ in, len }, cap);
	assert_string_equal(b.p + 1, want);
	assert_true(b.len - 1 <= cap);
}

static void test_oneline(void **state)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };

	(void)state;
	check_oneline("plain caf\xc3\xa9", 11, 99, "plain caf\xc3\xa9");
	check_oneline("a\nb\tc\r\n", 7, 99, "a\\nb\\tc\\r\\n");
	check_oneline("\x1b[31m\0x", 7, 99, "\\u{1b}[31m\\u{0}x");
	check_oneline("\xe2\x80\xae" "evil\xe2\x80\x8b", 10, 99, "\\u{202e}evil\\u{200b}");
	check_oneline("\xff\xc3", 2, 99, "\\xff\\xc3");
	check_oneline("\xe2\x80\x9cquoted\xe2\x80\x9d", 12, 99, "\xe2\x80\x9cquoted\xe2\x80\x9d");
	check_oneline("", 0, 99, "");
	check_oneline("abcdefgh", 8, 8, "abcdefgh");
	check_oneline("abcdefghi", 9, 8, "abcde\xe2\x80\xa6");
	check_oneline("abcd\xe2\x80\xae", 7, 8, "abcd\xe2\x80\xa6"); /* an escape is never cut in two */
	check_oneline("abc", 3, 2, "ab");
	check_oneline("abc", 3, 0, "");
	text_lines(&b, (struct bytes){ "a\nb\x1b", 4 }, 99);
	assert_string_equal(b.p, "a\nb\\u{1b}");
}

/* At every cap: within it, whole characters only, and a prefix of what a larger cap gives. */
static void test_oneline_caps(void **state)
{
	static const char in[] = "x\xc3\xa9\n\xe2\x80\xae\xf0\x9f\x98\x80\x01\xffyz\xe2\x82\xac";
	CLEANUP(textbuf_done) struct textbuf whole = { 0 };

	(void)state;
	text_oneline(&whole, (struct bytes){ in, sizeof(in) - 1 }, 1000);
	for (size_t cap = 0; cap <= whole.len; cap++) {
		CLEANUP(textbuf_done) struct textbuf b = { 0 };
		size_t kept;

		text_oneline(&b, (struct bytes){ in, sizeof(in) - 1 }, cap);
		assert_true(b.len <= cap);
		assert_true(utf8_valid(b.p, b.len));
		if (cap == whole.len)
			assert_int_equal(b.len, whole.len);
		else if (cap >= 3)
			assert_memory_equal(b.p + b.len - 3, "\xe2\x80\xa6", 3);
		kept = cap == whole.len ? b.len : cap >= 3 ? b.len - 3 : b.len;
		assert_memory_equal(b.p ? b.p : "", whole.p, kept);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_textbuf),
		cmocka_unit_test(test_empty_steal),
		cmocka_unit_test(test_decode),
		cmocka_unit_test(test_encode_nonsense),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_oneline),
		cmocka_unit_test(test_oneline_caps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
