/* SPDX-License-Identifier: Apache-2.0 */
/* Which files a judge is to see of a line that stays open, and that none is asked for where there is no judge or need. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "policy/text/textbuf.h"
#include "worker/rules/judge.h"

#define ROOT "/home/ada/app"

static struct textbuf asked; /* "run BASE PATH; file BASE PATH; …" */

static int ask(void *data, struct arena *arena, const struct question *q, struct answer *ret)
{
	(void)data;
	(void)arena;
	*ret = (struct answer){ .kind = q->kind, .status = ANSWER_KNOWN, .type = PATH_MISSING };
	if (q->kind != ASK_FILE && q->kind != ASK_RUN)
		return 0;
	assert_true(bytes_is(q->extra, ROOT));
	textbuf_printf(&asked, "%s%s %.*s %.*s", asked.len > 0 ? "; " : "", q->kind == ASK_RUN ? "run" : "file",
		(int)q->base.len, q->base.p, (int)q->text.len, q->text.p);
	return 0;
}

static void judge_it(const char *command, bool model)
{
	struct worker_policy policy = { .home = BYTES("/home/ada"), .model_available = model };
	const struct oracle oracle = { .ask = ask };
	struct compiled_rules *rules = NULL;
	const struct line line = { .command = { command, strlen(command) }, .cwd = BYTES(ROOT), .dialect = DIALECT_BASH,
		.shell = SHELL_FRESH, .policy = &policy, .rules = &rules, .oracle = &oracle };
	struct arena arena = { 0 };
	struct assessment a = { 0 };
	struct script *script;
	struct finding *findings;

	textbuf_reset(&asked);
	assert_int_equal(judge_line(&arena, &line, &a, &script, &findings), 0);
	arena_done(&arena);
	compiled_rules_free(rules, &policy);
}

static const struct {
	const char *command, *wanted;
} rows[] = {
	{ "frobnicate", "" },
	{ "ls notes.txt", "" },
	{ "cat notes.txt | head", "" },
	{ "frobnicate notes.txt", "file " ROOT " notes.txt" },
	{ "frobnicate -f plan", "file " ROOT " plan" },
	{ "frobnicate --FILE plan", "file " ROOT " plan" },
	{ "frobnicate --config=a/plan", "file " ROOT " a/plan" },
	{ "frobnicate --input= plan", "" },
	{ "frobnicate --data @plan.json", "file " ROOT " plan.json" },
	{ "frobnicate -f -x plan", "" },
	{ "frobnicate https://example.com/a.json", "" },
	{ "frobnicate $X.json", "" },
	{ "frobnicate .json", "" },
	{ "frobnicate a.json A.JSON a.json", "file " ROOT " a.json; file " ROOT " A.JSON" },
	{ "frobnicate < plan", "file " ROOT " plan" },
	{ "cd sub && frobnicate a.md", "file " ROOT "/sub a.md" },
	{ "cd sub; frobnicate a.md", "" }, /* in one of two directories, and nobody knows which */
	{ "frobnicate a.md; ls b.md", "file " ROOT " a.md; file " ROOT " b.md" },
	{ "(frobnicate a.md)", "file " ROOT " a.md" },
	{ "if true; then frobnicate a.md; fi", "file " ROOT " a.md" },
	{ "sudo frobnicate a.md", "file " ROOT " a.md" },
	{ "python3 task.py", "run " ROOT " task.py" },
	{ "python3 task.py in.csv", "run " ROOT " task.py; file " ROOT " in.csv" },
	{ "python3 < task.py", "run " ROOT " task.py" },
	{ "cat task.py | python3", "run " ROOT " task.py" },
	{ "cat a.md; python3 < task.py", "run " ROOT " task.py; file " ROOT " a.md" },
	{ "./tool --now", "run " ROOT " ./tool" },
	{ "node task.js", "run " ROOT " task.js" },
	{ "ssh host ./tool.sh", "" },
	{ "frobnicate 1.md 2.md 3.md 4.md 5.md 6.md 7.md 8.md 9.md 10.md 11.md 12.md 13.md",
		"file " ROOT " 1.md; file " ROOT " 2.md; file " ROOT " 3.md; file " ROOT " 4.md; file " ROOT
		" 5.md; file " ROOT " 6.md; file " ROOT " 7.md; file " ROOT " 8.md; file " ROOT " 9.md; file " ROOT
		" 10.md; file " ROOT " 11.md; file " ROOT " 12.md" },
};

static void files_for_a_judge(void **state)
{
	unsigned int wrong = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		judge_it(rows[i].command, true);
		if (strcmp(asked.p != NULL ? asked.p : "", rows[i].wanted) == 0)
			continue;
		print_error("%s\n  wanted: %s\n  asked:  %s\n", rows[i].command, rows[i].wanted, asked.p);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

static void none_without_a_judge(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		judge_it(rows[i].command, false);
		assert_int_equal(asked.len, 0);
	}
	textbuf_done(&asked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_for_a_judge),
		cmocka_unit_test(none_without_a_judge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
