/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that are as large or as deep as they may be, and one more: a limit is named, nothing breaks. */
#include "tests/unit/shell_render.h"

static const struct shell_options bash = { .dialect = DIALECT_BASH, .home = { "/home/u", 7 } };

/* `head`, then `unit` up to the full length, then `tail`. */
static struct script *fill(struct arena *arena, const char *head, const char *unit, const char *tail, size_t length)
{
	size_t used = strlen(head), n = strlen(unit), end = strlen(tail);
	char *text = arena_alloc(arena, length);
	struct script *s;

	assert_non_null(text);
	memcpy(text, head, used);
	while (n && used + n + end <= length) {
		memcpy(text + used, unit, n);
		used += n;
	}
	memcpy(text + used, tail, end);
	assert_int_equal(shell_parse(arena, (struct bytes){ text, used + end }, &bash, &s), 0);
	return s;
}

/* Whatever fills the line, the answer comes and holds together. */
static void test_full_lines(void **state)
{
	static const char *const units[] = {
		"$(", "`", "${", "${x:-", "\"$(", "\"", "'", "{", "{a,", "{,", "[", "<<E ", "<<E\n", "(", "((", "$((", "$((1+",
		"[[ ( ", "@(", "a=(", "a[", "<(", "if ", "while ", "for x in ", "case x in (", "f() { ", "{ ", "! ", "time ",
		"coproc ", "a|", "a&&", "a||b&&", "a;", "a&", "a\n", "#", "\\", "\\\n", "~:", "a=~:", "$'\\", "$x", "x=1;$x\n",
		">", "> a ", "{a}>b ", "\"${x:-'", "$[", "((((a)", "${a[${b[", "cat<<E\nx\nE\n", "cat<<-E\n\tx\n\tE\n", "`a`",
		"$(a)", "[[ a ]]\n", "if a;then b;fi\n", "A=$B\nB=$A\n", "A=$A$A$A;", "<<A <<B\n", "\"$(<<E\n", "\xc3\xa9",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		CLEANUP(arena_done) struct arena arena = { 0 };
		const struct script *s = fill(&arena, "", units[i], "", SHELL_MAX_LENGTH);
		const struct simple_command *c = s->commands;

		for (uint32_t n = 0; n < s->n_commands; n++, c = c->next)
			assert_non_null(c);
		assert_null(c);
	}
}

static void test_large_but_allowed(void **state)
{
	static const struct {
		const char *head, *unit, *tail;
		uint32_t commands;
	} cases[] = {
		{ "echo ", "a", "", 1 },
		{ "echo ", "a ", "", 1 },
		{ "echo '", "a\n", "'", 1 },
		{ "cat <<E\n", "a\n", "E\n", 1 },
		{ "a", "\nabc", "", 16384 },
		{ "a # ", "$(", "", 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		CLEANUP(arena_done) struct arena arena = { 0 };
		const struct script *s = fill(&arena, cases[i].head, cases[i].unit, cases[i].tail, SHELL_MAX_LENGTH);

		assert_int_equal(s->limit, LIMIT_NONE);
		assert_int_equal(s->unmodelled, 0);
		assert_int_equal(s->n_commands, cases[i].commands);
	}
}

static void test_named_limits(void **state)
{
	static const struct {
		const char *unit;
		enum parse_limit limit;
	} cases[] = {
		{ "$(", LIMIT_DEPTH }, { "(", LIMIT_DEPTH }, { "{ ", LIMIT_DEPTH }, { "if ", LIMIT_DEPTH },
		{ "${x:-", LIMIT_DEPTH }, { "a||b&&", LIMIT_DEPTH }, { "f() { ", LIMIT_DEPTH },
		{ "a;", LIMIT_COMMANDS }, { "a|", LIMIT_COMMANDS }, { "$(a)", LIMIT_COMMANDS },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		CLEANUP(arena_done) struct arena arena = { 0 };

		assert_int_equal(fill(&arena, "", cases[i].unit, "", SHELL_MAX_LENGTH)->limit, cases[i].limit);
	}
}

static void test_too_long(void **state)
{
	CLEANUP(arena_done) struct arena arena = { 0 };
	const struct script *s = fill(&arena, "", "a", "", SHELL_MAX_LENGTH + 1);

	(void)state;
	assert_int_equal(s->limit, LIMIT_LENGTH);
	assert_true(s->unmodelled);
	assert_null(s->commands);
}

/* Depth counts all kinds together, and what has been left no longer counts. */
static void test_depth(void **state)
{
	CLEANUP(arena_done) struct arena arena = { 0 };
	char text[1024];
	size_t n = 0;
	struct script *s;

	(void)state;
	for (int i = 0; i < SHELL_MAX_DEPTH / 2 - 2; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "($(");
	text[n++] = 'a';
	for (int i = 0; i < SHELL_MAX_DEPTH / 2 - 2; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "))");
	assert_int_equal(shell_parse(&arena, (struct bytes){ text, n }, &bash, &s), 0);
	assert_int_equal(s->limit, LIMIT_NONE);
	assert_int_equal(s->unmodelled, 0);
	s = fill(&arena, "", "(a);", "", 4096);
	assert_int_equal(s->limit, LIMIT_NONE);
}

/* Running out of memory is an error, at every single allocation. */
static void test_no_memory(void **state)
{
	static const char text[] = "A=x; for i in {a,b}; do echo \"$A $(b <<E\nc $A\nE\n) ${x:-`d`}\" >f & done"
		" | [[ a == @(b) ]]; ((1))";
	const struct bytes line = BYTES(text);
	struct script *s;
	size_t cap = 1;
	int r;

	(void)state;
	do {
		CLEANUP(arena_done) struct arena arena = { .cap = cap };

		r = shell_parse(&arena, line, &bash, &s);
		assert_true(r == 0 || r == -ENOMEM);
		cap += 16;
	} while (r == -ENOMEM && cap < 1024 * 1024);
	assert_int_equal(r, 0);
}

/* The same arena serves row after row. */
static void test_reuse(void **state)
{
	CLEANUP(arena_done) struct arena arena = { 0 };

	(void)state;
	for (int i = 0; i < 50; i++) {
		struct script *s;

		arena_reset(&arena);
		assert_int_equal(shell_parse(&arena, BYTES("a $b | c; d"), &bash, &s), 0);
		assert_int_equal(s->n_commands, 3);
		fill(&arena, "echo ", "a ", "", SHELL_MAX_LENGTH);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full_lines), cmocka_unit_test(test_large_but_allowed),
		cmocka_unit_test(test_named_limits), cmocka_unit_test(test_too_long), cmocka_unit_test(test_depth),
		cmocka_unit_test(test_no_memory), cmocka_unit_test(test_reuse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
