/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Respells every line that is not allowed: none may come to be allowed, and what it is counted by stays the
 * same. Lines: the tables that the unit tests walk, the lines of the models' cases, and the files named as
 * arguments (bench/cases). RESPELL_N: how many spellings (20,000); RESPELL_SEED: of the random numbers (1).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "tests/respell/respell.h"
#include "tests/unit/rules_world.h"

enum { BASES_MAX = 4096, REPORTED_MAX = 40 };

struct base {
	const char *line;
	uint32_t n_causes;
	struct cause causes[ASSESSMENT_CAUSES_MAX];
	struct arena arena;
};

static struct base bases[BASES_MAX];
static size_t n_bases;
static const char *const *case_files;
static int n_case_files;

static const char *const model_lines[] = {
#define CASE(line, effects) line,
#include "tests/unit/effects_git.def"
#include "tests/unit/effects_node.def"
#include "tests/unit/effects_options.def"
#include "tests/unit/effects_programs.def"
#include "tests/unit/effects_python.def"
#include "tests/unit/effects_transfer.def"
#include "tests/unit/effects_wrappers.def"
#undef CASE
};

static struct bytes kept(struct arena *arena, struct bytes b)
{
	return (struct bytes){ b.len > 0 ? arena_copy(arena, b.p, b.len) : NULL, b.len };
}

static void add_base(const char *line, struct judged *j)
{
	struct base *b = &bases[n_bases];

	world_judge(j, line, DIALECT_BASH, SHELL_FRESH);
	if (j->a.verdict == VERDICT_ALLOW)
		return;
	assert_true(n_bases < BASES_MAX);
	b->line = arena_copy(&b->arena, line, strlen(line));
	assert_non_null(b->line);
	b->n_causes = j->a.n_causes;
	for (uint32_t i = 0; i < b->n_causes; i++)
		b->causes[i] = (struct cause){ kept(&b->arena, j->a.causes[i].program),
			kept(&b->arena, j->a.causes[i].effect), kept(&b->arena, j->a.causes[i].target) };
	n_bases++;
}

/* What WALK of the unit tests comes to here. */
unsigned int world_collect(const struct row *rows, size_t n, enum shell_kind shell)
{
	struct judged j = { 0 };

	for (size_t i = 0; i < n && shell == SHELL_FRESH; i++)
		add_base(rows[i].command, &j);
	judged_done(&j);
	return 0;
}

static void read_cases(const char *path, struct judged *j)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;

	assert_non_null(f);
	while (getline(&text, &room, f) > 0) {
		struct json_object *row = json_tokener_parse(text), *command, *expect, *cwd;

		assert_non_null(row);
		assert_true(json_object_object_get_ex(row, "command", &command));
		assert_true(json_object_object_get_ex(row, "expect", &expect));
		if (strcmp(json_object_get_string(expect), "allow") != 0 &&
			!json_object_object_get_ex(row, "cwd", &cwd))
			add_base(json_object_get_string(command), j);
		json_object_put(row);
	}
	free(text);
	fclose(f);
}

static bool is_cause(const struct base *b, const struct cause *c)
{
	for (uint32_t i = 0; i < b->n_causes; i++)
		if (bytes_eq(b->causes[i].program, c->program) && bytes_eq(b->causes[i].effect, c->effect) &&
			bytes_eq(b->causes[i].target, c->target))
			return true;
	return false;
}

static bool same_causes(const struct base *b, const struct assessment *a)
{
	if (a->n_causes != b->n_causes)
		return false;
	for (uint32_t i = 0; i < a->n_causes; i++)
		if (!is_cause(b, &a->causes[i]))
			return false;
	return true;
}

static void print_causes(const char *title, const struct cause *causes, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		print_error("    %s %.*s | %.*s | %.*s\n", title, (int)causes[i].program.len,
			causes[i].program.p, (int)causes[i].effect.len, causes[i].effect.p,
			(int)causes[i].target.len, causes[i].target.p);
}

static void report(const struct base *b, const struct spelling *s, const struct assessment *a)
{
	print_error("%s: %s\n  as (%s): %s\n", a->verdict == VERDICT_ALLOW ? "ALLOWED" : "other causes",
		b->line, s->notes, s->text);
	if (a->verdict == VERDICT_ALLOW)
		return;
	print_causes("was", b->causes, b->n_causes);
	print_causes("now", a->causes, a->n_causes);
}

static void collect_all(void)
{
	struct judged j = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(model_lines); i++)
		add_base(model_lines[i], &j);
	for (int i = 0; i < n_case_files; i++)
		read_cases(case_files[i], &j);
	/* Some tables are walked in a world that was changed for them. */
	for (size_t i = 0; i < n_bases; i++) {
		world_judge(&j, bases[i].line, DIALECT_BASH, SHELL_FRESH);
		if (same_causes(&bases[i], &j.a))
			continue;
		arena_done(&bases[i].arena);
		bases[i--] = bases[--n_bases];
	}
	judged_done(&j);
}

static unsigned long number(const char *variable, unsigned long otherwise)
{
	const char *text = getenv(variable);

	return text != NULL && *text != '\0' ? strtoul(text, NULL, 10) : otherwise;
}

static void no_spelling_is_allowed(void **state)
{
	static struct spelling spelling;
	unsigned long n = number("RESPELL_N", 20000), judged = 0, allowed = 0, other = 0;
	struct random random = { 0x9e3779b97f4a7c15u ^ number("RESPELL_SEED", 1) };
	struct judged j = { 0 };
	struct arena arena = { 0 };

	(void)state;
	collect_all();
	assert_true(n_bases > 0);
	for (unsigned long i = 0; i < n; i++) {
		const struct base *b = &bases[i % n_bases];
		const struct bytes line = { b->line, strlen(b->line) };

		arena_reset(&arena);
		if (!respell(&random, &arena, line, &spelling))
			continue;
		world_judge(&j, spelling.text, DIALECT_BASH, SHELL_FRESH);
		judged++;
		bool is_allowed = j.a.verdict == VERDICT_ALLOW;
		bool is_other = !is_allowed && spelling.same_causes && !same_causes(b, &j.a);

		if ((is_allowed || is_other) && (is_allowed ? allowed : other) < REPORTED_MAX)
			report(b, &spelling, &j.a);
		allowed += is_allowed;
		other += is_other;
	}
	judged_done(&j);
	arena_done(&arena);
	print_message("%zu lines, %lu spellings judged: %lu allowed, %lu with other causes\n", n_bases,
		judged, allowed, other);
	for (size_t i = 0; i < n_bases; i++)
		arena_done(&bases[i].arena);
	assert_int_equal(allowed, 0);
	assert_int_equal(other, 0);
	assert_true(judged > n / 2);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(no_spelling_is_allowed) };
	int wrong = rules_self_main() + rules_self_paths_main() + rules_flows_main() + rules_places_main() +
		rules_repository_main() + rules_destinations_main() + rules_surroundings_main() + judge_main();

	case_files = (const char *const *)argv + 1;
	n_case_files = argc - 1;
	return wrong + cmocka_run_group_tests(tests, NULL, NULL);
}
