/* SPDX-License-Identifier: Apache-2.0 */
/* The table of subcommands, and which command line picks which. What they run is not linked here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "broker/cli/cli.h"
#include "broker/cli/options.h"

#define NOT_RUN(name)                                                                                          \
	int name(struct broker *b)                                                                             \
	{                                                                                                      \
		(void)b;                                                                                       \
		abort();                                                                                       \
	}
NOT_RUN(cli_hook)
NOT_RUN(cli_check)
NOT_RUN(cli_parse)
NOT_RUN(cli_explain)
NOT_RUN(cli_config)
NOT_RUN(cli_models)
NOT_RUN(cli_doctor)
NOT_RUN(cli_version)
NOT_RUN(cli_help)

int broker_err(struct broker *b, const char *p, size_t len)
{
	(void)b;
	(void)p;
	(void)len;
	abort();
}

const char *broker_getenv(const struct broker *b, const char *name)
{
	(void)b;
	(void)name;
	abort();
}

enum { ARGS_MAX = 8 };

static const struct {
	const char *args[ARGS_MAX]; /* after the program's name */
	bool tty;
	const char *name; /* NULL: no such command */
	enum input_mode input;
	enum harness harness;
	uint32_t limit_ms; /* hooks */
	const char *event;
} lines[] = {
	{ { NULL }, true, "help", INPUT_NONE, HARNESS_CLI, 0, NULL },
	{ { NULL }, false, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "hook" }, true, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "hook", "claude" }, false, "hook", INPUT_WHOLE, HARNESS_CLAUDE, 30000, NULL },
	{ { "hook", "claude", "--event", "PreToolUse" }, false, "hook", INPUT_WHOLE, HARNESS_CLAUDE, 30000, "PreToolUse" },
	{ { "hook", "--event=Stop", "agy", "--limit-ms=1500" }, false, "hook", INPUT_WHOLE, HARNESS_AGY, 1500, "Stop" },
	{ { "hook", "agy", "--limit-ms", "99999" }, false, "hook", INPUT_WHOLE, HARNESS_AGY, 20000, NULL },
	{ { "agy" }, false, "agy", INPUT_WHOLE, HARNESS_AGY, 20000, NULL },
	{ { "agy-pre-invocation" }, false, "agy-pre-invocation", INPUT_WHOLE, HARNESS_AGY, 20000, "PreInvocation" },
	/* A hook that is called wrongly is still a hook: a harness waits. */
	{ { "hook", "codex" }, false, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "hook", "cli" }, false, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "hook", "Claude" }, false, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "hook", "" }, false, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "hook", "claude", "agy" }, false, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "hook", "claude", "--allow" }, false, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "hook", "claude", "--event" }, false, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "hook", "claude", "--limit-ms", "0" }, false, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "hook", "claude", "--limit-ms", "5s" }, false, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "hook", "claude", "--limit-ms", "-5" }, false, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "hook", "claude", "--limit-ms", "9999999999" }, false, "hook", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "agy", "claude" }, false, "agy", INPUT_WHOLE, HARNESS_UNKNOWN, 20000, NULL },
	{ { "check", "ls" }, true, "check", INPUT_NONE, HARNESS_CLI, 0, NULL },
	{ { "check", "--batch" }, true, "check", INPUT_STREAM, HARNESS_CLI, 0, NULL },
	{ { "check", "--batch", "--record" }, true, "check", INPUT_STREAM, HARNESS_CLI, 0, NULL },
	{ { "check", "--", "--batch" }, true, "check", INPUT_NONE, HARNESS_CLI, 0, NULL },
	{ { "check", "--batch", "ls" }, true, "check", INPUT_NONE, HARNESS_CLI, 0, NULL },
	{ { "parse", "--batch" }, true, "parse", INPUT_STREAM, HARNESS_CLI, 0, NULL },
	{ { "explain", "ls" }, true, "explain", INPUT_NONE, HARNESS_CLI, 0, NULL },
	{ { "--version" }, true, "version", INPUT_NONE, HARNESS_CLI, 0, NULL },
	{ { "-h" }, false, "help", INPUT_NONE, HARNESS_CLI, 0, NULL },
	{ { "chekc" }, true, NULL, INPUT_NONE, HARNESS_CLI, 0, NULL },
	{ { "" }, true, NULL, INPUT_NONE, HARNESS_CLI, 0, NULL },
};

static int line_argv(size_t i, const char **argv)
{
	int argc = 1;

	argv[0] = "auto-classifier";
	for (size_t k = 0; k < ARGS_MAX && lines[i].args[k]; k++)
		argv[argc++] = lines[i].args[k];
	return argc;
}

static void test_find(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		const char *argv[ARGS_MAX + 1];
		int argc = line_argv(i, argv);
		enum input_mode input = INPUT_NONE;
		enum harness harness = HARNESS_CLI;
		const struct command_spec *spec = command_find(argc, (char **)argv, lines[i].tty, &input, &harness);
		struct hook_options o;
		const char *error = NULL;

		assert_int_equal(spec != NULL, lines[i].name != NULL);
		if (!spec)
			continue;
		assert_string_equal(spec->name, lines[i].name);
		assert_int_equal(input, lines[i].input);
		assert_int_equal(harness, lines[i].harness);
		if (!spec->hook)
			continue;
		if (hook_options_parse(argc, (char **)argv, &o, &error) < 0)
			assert_non_null(error);
		assert_int_equal(o.harness, lines[i].harness);
		assert_int_equal(o.limit_ms, lines[i].limit_ms);
		assert_int_equal(o.event != NULL, lines[i].event != NULL);
		if (o.event)
			assert_string_equal(o.event, lines[i].event);
	}
}

/* A program may be started without even its name. */
static void test_no_argv(void **state)
{
	char *argv[] = { NULL };
	enum input_mode input;
	enum harness harness;

	(void)state;
	assert_string_equal(command_find(0, argv, false, &input, &harness)->name, "hook");
	assert_int_equal(harness, HARNESS_UNKNOWN);
}

static void test_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_command_specs; i++) {
		const struct command_spec *s = &command_specs[i];

		assert_ptr_equal(command_by_name(s->name), s);
		assert_true(s->help[0] != '\0' && s->usage != NULL && s->run != NULL);
		/* Whoever waits for a hook gets a verdict, and it needs all of stdin for one. */
		assert_true(!s->hook || (s->verdict && s->worker && s->input == INPUT_WHOLE));
	}
}

static void test_judge_options(void **state)
{
	static const struct {
		const char *args[ARGS_MAX];
		bool good;
	} cases[] = {
		{ { "ls" }, true },
		{ { "ls", "--session", "s", "--cwd=/srv", "--dialect", "zsh" }, true },
		{ { "--", "-n" }, true },
		{ { "-" }, true },
		{ { "--help" }, true },
		{ { "--batch" }, true },
		{ { NULL }, false },
		{ { "ls", "-l" }, false },
		{ { "ls", "lib" }, false },
		{ { "ls", "--dialect", "csh" }, false },
		{ { "ls", "--record" }, false },
		{ { "ls", "--session", "a", "--session", "b" }, false },
		{ { "ls", "--session" }, false },
		{ { "--batch=1" }, false },
		{ { "--batch", "--batch" }, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *argv[ARGS_MAX + 2] = { "auto-classifier", "check" };
		struct judge_options o;
		const char *error = NULL, *what;
		int argc = 2;

		for (size_t k = 0; k < ARGS_MAX && cases[i].args[k]; k++)
			argv[argc++] = cases[i].args[k];
		assert_int_equal(judge_options_parse(argc, (char **)argv, &o, &error, &what) == 0, cases[i].good);
		assert_int_equal(error == NULL, cases[i].good);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_no_argv),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_judge_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
