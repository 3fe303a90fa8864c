/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every option of every model, spelled in each way that getopt(3) and getopt_long(3) take: command lines are made
 * from the tables, and must come out alike where they mean the same, and open where the program would read
 * something that the tables do not list. Programs that read their words by code of their own are left to the cases
 * of effects_readers.def.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/effects_render.h"
#include "tests/unit/effects_subjects.h"

enum { RENDERED = 8192, SHOWN = 100, NEIGHBOURS = 8 };

typedef void check_fn(const struct subject *at);

static size_t wrong; /* failures of the running test */

static void complain(const char *line, const char *wanted, const char *got)
{
	if (++wrong <= SHOWN)
		print_error("%s\n  wanted: %s\n  got:    %s\n", line, wanted, got);
}

/* What a line does, for others to be held against: several in a row are held against the same. */
static const char *model_line(const char *line, const char *render(const char *))
{
	static char last[LINE], rendered[RENDERED];
	static const char *(*by)(const char *);

	if (by != render || strcmp(last, line) != 0) {
		snprintf(last, sizeof(last), "%s", line);
		snprintf(rendered, sizeof(rendered), "%s", render(line));
		by = render;
	}
	return rendered;
}

/* Two lines that mean the same, down to the reason. */
static void same(const char *line, const char *as)
{
	const char *wanted = model_line(as, effects_render_reasons), *got = effects_render_reasons(line);

	if (strcmp(wanted, got) != 0)
		complain(line, wanted, got);
}

/* What stands in $( ) is a command of its own in front of the one that gets its output. */
#define INNER "$(id)"
#define INNER_DOES "status | "

static bool is_open(const char *rendered)
{
	size_t inner = strlen(INNER_DOES);

	return strncmp(rendered + (strncmp(rendered, INNER_DOES, inner) == 0 ? inner : 0), "open", 4) == 0;
}

static void opens(const char *line)
{
	const char *got = effects_render_reasons(line);

	if (!is_open(got))
		complain(line, "open", got);
}

static check_fn check_end, check_dynamic_operands, check_order, check_values;

/* Where a program's words mean more than their place says. */
static const struct {
	const char *path;
	check_fn *check;
} exceptions[] = {
	{ "sed", check_end }, /* the first operand is a program: -w1a is not one */
	{ "bsdtar", check_order }, /* a first word without a dash is a bundle of options */
	{ "cmake", check_end }, /* they are the build tool's */
	{ "tar", check_order },
	{ "git checkout", check_values }, /* what stands behind -- is paths */
	{ "git push", check_dynamic_operands }, /* a"$X" can neither force nor delete: the branch is any other */
};

static bool excepted(check_fn *check, const struct subject *at)
{
	for (size_t i = 0; i < ARRAY_LEN(exceptions); i++)
		if (exceptions[i].check == check && strcmp(exceptions[i].path, at->path) == 0)
			return true;
	return false;
}

static void check_one(const struct subject *at, void *data)
{
	check_fn *const *check = data;

	if (!at->model->reader && !excepted(*check, at))
		(*check)(at);
}

static void walk(check_fn *check)
{
	wrong = 0;
	subjects_visit(check_one, &check);
	if (wrong > SHOWN)
		print_error("… and %zu more\n", wrong - SHOWN);
	assert_int_equal(wrong, 0);
}

static bool reads_options(const struct subject *at)
{
	return !subject_has(at, NO_OPTIONS);
}

/* A letter that is no option. */
static char free_letter(const struct subject *at)
{
	static const char letters[] = "zqjkyxwvutXQJKZY%,@";
	char name[LINE];

	for (const char *p = letters; *p; p++)
		if (!option_find(at->letters, at->n_letters, letter_name(name, *p)) &&
			!(subject_has(at, ONE_DASH) && option_find(at->longs, at->n_longs, letter_name(name, *p))))
			return *p;
	fail_msg("%s has every letter for an option", at->path);
	return '\0';
}

static void check_unknown(const struct subject *at)
{
	char line[LINE];

	if (!reads_options(at))
		return;
	opens(format(line, "%s --unheard-of %s", at->path, at->rest));
	opens(format(line, "%s --unheard-of=1 %s", at->path, at->rest));
	opens(format(line, "%s -%c %s", at->path, free_letter(at), at->rest));
	for (size_t i = 0; i < at->n_letters && !subject_has(at, ONE_DASH); i++)
		if (at->letters[i].arity == NOTHING)
			opens(format(line, "%s -%s%c %s", at->path, at->letters[i].name, free_letter(at),
				at->rest));
	for (size_t i = 0; i < at->n_longs; i++) {
		if (subject_has(at, NO_LONG))
			continue;
		opens(format(line, "%s --%sx-unheard-of %s", at->path, at->longs[i].name, at->rest));
		if (at->longs[i].arity == NOTHING && !subject_has(at, ONE_DASH | NO_ABBREVIATION))
			opens(format(line, "%s --%s=1 %s", at->path, at->longs[i].name, at->rest));
	}
}

/* The options that an abbreviation may stand for; getopt_long(3) takes one, or several that are the same. */
static const struct option *abbreviated(const struct subject *at, const char *name, size_t len, bool *ret_ambiguous)
{
	const struct option *found = NULL;

	*ret_ambiguous = false;
	for (size_t i = 0; i < at->n_longs; i++) {
		const struct option *o = &at->longs[i];

		if (strncmp(o->name, name, len) != 0)
			continue;
		if (o->name[len] == '\0') {
			*ret_ambiguous = false;
			return o;
		}
		if (found && (found->rule != o->rule || found->arity != o->arity))
			*ret_ambiguous = true;
		if (!found)
			found = o;
	}
	return found;
}

static void check_abbreviations(const struct subject *at)
{
	bool exact_only = subject_has(at, PARTIAL | NO_ABBREVIATION | ONE_DASH);
	char line[LINE], as[LINE];

	if (!reads_options(at) || subject_has(at, NO_LONG))
		return;
	for (size_t i = 0; i < at->n_longs; i++) {
		const char *name = at->longs[i].name;

		for (size_t len = 1, step = exact_only ? strlen(name) / 3 + 1 : 1; len < strlen(name);
			len += step) {
			bool ambiguous;
			const struct option *o = abbreviated(at, name, len, &ambiguous);
			const char *value = o->arity == REQUIRED ? "=v1" : "";

			/* Every program is taken to have these two. */
			if ((len == 4 && strncmp(name, "help", 4) == 0) ||
				(len == 7 && strncmp(name, "version", 7) == 0))
				continue;
			format(line, "%s --%.*s%s %s", at->path, (int)len, name, value, at->rest);
			if (o->name[len] == '\0')
				continue; /* an option of its own */
			if (subject_has(at, ONE_DASH) && len == 1 &&
				option_find(at->letters, at->n_letters, (char[]){ name[0], '\0' }))
				continue;
			if (exact_only || ambiguous)
				opens(line);
			else
				same(line, format(as, "%s --%s%s %s", at->path, o->name, value, at->rest));
		}
	}
}

static void check_clusters(const struct subject *at)
{
	char line[LINE], as[LINE];

	if (!reads_options(at) || subject_has(at, ONE_DASH))
		return;
	for (size_t a = 0; a < at->n_letters; a++) {
		const char *first = at->letters[a].name;

		if (at->letters[a].arity != NOTHING)
			continue;
		for (size_t k = 0; k < at->n_letters && k < NEIGHBOURS; k++) {
			const struct option *o = &at->letters[(a + k) % at->n_letters];
			const char *second = o->name, *value = o->arity == NOTHING ? "" : "v1";

			same(format(line, "%s -%s%s%s %s", at->path, first, second, value, at->rest),
				format(as, "%s -%s -%s%s %s", at->path, first, second, value, at->rest));
		}
	}
}

/* The long name of what a letter stands for. */
static const struct option *long_of(const struct subject *at, const struct option *letter)
{
	for (size_t i = 0; i < at->n_longs && letter->rule; i++)
		if (at->longs[i].rule == letter->rule)
			return &at->longs[i];
	return NULL;
}

/* Options that a subcommand inherits are read as its program reads them. */
static bool drops_sign(const struct subject *at)
{
	bool drops = subject_has(at, EQUALS);

	for (size_t i = 0; i < at->depth; i++)
		drops = drops || ((at->chain[i]->syntax & INHERITED) && (at->chain[i]->syntax & EQUALS));
	return drops;
}

static void check_letter_value(const struct subject *at, const struct option *o, const char *value)
{
	const struct option *name = long_of(at, o);
	char line[LINE], as[LINE];

	format(line, "%s -%s%s %s", at->path, o->name, value, at->rest);
	if (o->arity == REQUIRED)
		same(line, format(as, "%s -%s %s %s", at->path, o->name, value, at->rest));
	format(line, "%s -%s=%s %s", at->path, o->name, value, at->rest);
	if (o->arity == REQUIRED && drops_sign(at))
		same(line, format(as, "%s -%s %s %s", at->path, o->name, value, at->rest));
	else if (o->rule && o->rule->action != IGNORE && !subject_has(at, ANY_OPTION) && !drops_sign(at))
		opens(line);
	format(line, "%s -%s%s %s", at->path, o->name, value, at->rest);
	if (name && !subject_has(at, NO_LONG))
		same(line, format(as, "%s --%s=%s %s", at->path, name->name, value, at->rest));
	if (o->arity == OPTIONAL && !at->model->subcommands)
		same(format(line, "%s -%s %s %s", at->path, o->name, value, at->rest),
			format(as, "%s -%s -- %s %s", at->path, o->name, value, at->rest));
}

static void check_long_value(const struct subject *at, const struct option *o, const char *value)
{
	const char *dashes = subject_has(at, ONE_DASH) ? "-" : "--";
	char line[LINE], as[LINE];

	format(line, "%s %s%s=%s %s", at->path, dashes, o->name, value, at->rest);
	if (o->arity == REQUIRED)
		same(line, format(as, "%s %s%s %s %s", at->path, dashes, o->name, value, at->rest));
	if (subject_has(at, ONE_DASH))
		same(line, format(as, "%s --%s=%s %s", at->path, o->name, value, at->rest));
	if (o->arity == OPTIONAL && !at->model->subcommands)
		same(format(line, "%s %s%s %s %s", at->path, dashes, o->name, value, at->rest),
			format(as, "%s %s%s -- %s %s", at->path, dashes, o->name, value, at->rest));
}

static void check_values(const struct subject *at)
{
	static const char *const values[] = { "v1", "''" };

	if (!reads_options(at))
		return;
	for (size_t v = 0; v < ARRAY_LEN(values); v++) {
		bool empty = values[v][0] == '\'';

		/* -o '' has no attached form. */
		for (size_t i = 0; i < at->n_letters && !subject_has(at, ONE_DASH) && !empty; i++)
			if (at->letters[i].arity != NOTHING)
				check_letter_value(at, &at->letters[i], values[v]);
		for (size_t i = 0; i < at->n_longs && !subject_has(at, NO_LONG); i++)
			if (at->longs[i].arity != NOTHING)
				check_long_value(at, &at->longs[i], values[v]);
	}
}

/* Where a word is the certain target of something, its dynamic twin is not. All variables, and an address that
 * carries what is not known, are the widest that such a word can mean. */
static void uncertain(const char *line, const char *is_static, const char *word)
{
	const char *certain = model_line(is_static, effects_render), *got = effects_render_reasons(line);

	if (strstr(certain, word) && !is_open(got) && !strstr(got, "…") && !strchr(got, '?') &&
		!strstr(got, "print-environment") && !strstr(got, "fetch-computed"))
		complain(line, "open, or with a target that is not known", got);
	if (strstr(got, word))
		complain(line, "not the word that is gone", got);
}

static void check_dynamic_value(const struct subject *at, const char *option, char joint, bool required)
{
	char line[LINE], as[LINE];
	bool careless = subject_has(at, ANY_OPTION);

	format(as, "%s %s%cv1word %s", at->path, option, joint, at->rest);
	uncertain(format(line, "%s %s%c\"$X\" %s", at->path, option, joint, at->rest), as, "v1word");
	uncertain(format(line, "%s %s%c\"" INNER "\" %s", at->path, option, joint, at->rest), as, "v1word");
	if (joint == ' ' && required && !careless)
		opens(format(line, "%s %s $X %s", at->path, option, at->rest));
}

static void check_dynamic_values(const struct subject *at)
{
	const char *dashes = subject_has(at, ONE_DASH) ? "-" : "--";
	char text[LINE], line[LINE];

	if (!reads_options(at))
		return;
	for (size_t i = 0; i < at->n_letters && !subject_has(at, ONE_DASH); i++) {
		const struct option *o = &at->letters[i];

		format(text, "-%s", o->name);
		if (o->arity == REQUIRED)
			check_dynamic_value(at, text, ' ', true);
		/* An empty one makes the next word the value, or the rest of a cluster dynamic. */
		if (!subject_has(at, ANY_OPTION) && o->arity != OPTIONAL)
			opens(format(line, "%s -%s\"$X\" %s", at->path, o->name, at->rest));
	}
	for (size_t i = 0; i < at->n_longs && !subject_has(at, NO_LONG); i++) {
		const struct option *o = &at->longs[i];

		format(text, "%s%s", dashes, o->name);
		if (o->arity == REQUIRED)
			check_dynamic_value(at, text, ' ', true);
		if (o->arity != NOTHING)
			check_dynamic_value(at, text, '=', false);
		if (!subject_has(at, ANY_OPTION))
			opens(format(line, "%s %s%s\"$X\" %s", at->path, dashes, o->name, at->rest));
	}
}

/* A word that may become an option. */
static void check_dynamic_words(const struct subject *at)
{
	static const char *const words[] = { "$X", "\"$X\"", "-$X", "\"-$X\"", "--$X", "\"--$X\"", INNER, "*",
		"-*", "{-a,-b}", "\"$@\"", "${X:-y}" };
	char line[LINE];

	if (!reads_options(at) || subject_has(at, ANY_OPTION))
		return;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		opens(format(line, "%s %s %s", at->path, words[i], at->rest));
}

static void check_dynamic_operands(const struct subject *at)
{
	static const char *const words[] = { "wone", "wtwo", "wthree" };
	static const char *const dynamic[] = { "\"$X\"", "\"" INNER "\"", "a\"$X\"", "*" };
	const char *dashes = subject_has(at, NO_OPTIONS) ? "" : "--";

	if (at->model->subcommands)
		return;
	for (size_t n = 1; n <= ARRAY_LEN(words); n++)
		for (size_t k = 0; k < n; k++)
			for (size_t d = 0; d < ARRAY_LEN(dynamic); d++) {
				char line[LINE], as[LINE];
				const char *w[] = { "", "", "" };

				for (size_t i = 0; i < n; i++)
					w[i] = words[i];
				format(as, "%s %s %s %s %s", at->path, dashes, w[0], w[1], w[2]);
				w[k] = dynamic[d];
				format(line, "%s %s %s %s %s", at->path, dashes, w[0], w[1], w[2]);
				uncertain(line, as, words[k]);
			}
}

/* "--" ends the options: what follows is an operand, whatever it begins with. */
static void check_end(const struct subject *at)
{
	static char plain[RENDERED];
	char line[LINE], wanted[RENDERED], *to = wanted;
	const char *got;

	if (!reads_options(at) || at->model->subcommands)
		return;
	snprintf(plain, sizeof(plain), "%s", effects_render(format(line, "%s -- w1a w2b", at->path)));
	for (const char *p = plain; *p && to < wanted + sizeof(wanted) - 2; p++) {
		if (strncmp(p, "w1a", 3) == 0 || strncmp(p, "w2b", 3) == 0)
			*to++ = '-';
		*to++ = *p;
	}
	*to = '\0';
	got = effects_render(format(line, "%s -- -w1a -w2b", at->path));
	if (strcmp(got, wanted) != 0)
		complain(line, wanted, got);
}

/* An option behind an operand is one, unless the first operand ends them. */
static void check_order(const struct subject *at)
{
	char line[LINE], as[LINE];

	if (!reads_options(at) || at->model->subcommands)
		return;
	format(line, "%s word --unheard-of other", at->path);
	if (subject_has(at, POSIX_ORDER))
		same(line, format(as, "%s -- word --unheard-of other", at->path));
	else
		opens(line);
	for (size_t i = 0; i < at->n_letters && !subject_has(at, ONE_DASH); i++) {
		format(line, "%s word -%s%s other", at->path, at->letters[i].name,
			at->letters[i].arity == NOTHING ? "" : "v1");
		format(as, subject_has(at, POSIX_ORDER) ? "%s -- word -%s%s other" : "%s -%s%s word other", at->path,
			at->letters[i].name, at->letters[i].arity == NOTHING ? "" : "v1");
		same(line, as);
	}
}

/* -20 and +20, where they are counts. */
static void check_counts(const struct subject *at)
{
	char line[LINE], as[LINE];

	if (!reads_options(at) || at->model->subcommands)
		return;
	format(as, "%s -- %s", at->path, at->rest);
	if (subject_has(at, NUMBER) && !option_find(at->letters, at->n_letters, "2"))
		same(format(line, "%s -20 %s", at->path, at->rest), as);
	else if (!subject_has(at, NUMBER | ONE_DASH) && !option_find(at->letters, at->n_letters, "2"))
		opens(format(line, "%s -20 %s", at->path, at->rest));
	if (subject_has(at, PLUS))
		same(format(line, "%s +20 %s", at->path, at->rest), as);
}

/* An option twice in one model: the second would never be found. */
static void check_twice(const struct subject *at)
{
	if (at->twice[0])
		complain(at->path, "each option once", at->twice);
}

/* The subcommand that a program finds by each of its names is the one that says so. */
static void check_aliases(const struct subject *at)
{
	const struct command_model *const lists[] = { at->model->subcommands, at->model->more };

	for (size_t l = 0; l < ARRAY_LEN(lists); l++)
		for (const struct command_model *s = lists[l]; s && s->name; s++)
			for (const char *p = s->name; *p; p += *p == '|') {
				int n = (int)strcspn(p, "|");
				char line[LINE];

				if (subcommand_of(at->model, p, (size_t)n) != s)
					complain(format(line, "%s %.*s", at->path, n, p), "each subcommand once",
						s->name);
				p += n;
			}
}

#define TEST(name, check)                                                                                      \
	static void name(void **state)                                                                         \
	{                                                                                                      \
		(void)state;                                                                                   \
		walk(check);                                                                                   \
	}
TEST(unknown_options_are_open, check_unknown)
TEST(abbreviations_are_what_they_begin, check_abbreviations)
TEST(clusters_are_their_letters, check_clusters)
TEST(values_are_attached_or_separate, check_values)
TEST(dynamic_values_are_uncertain, check_dynamic_values)
TEST(words_that_may_be_options_are_open, check_dynamic_words)
TEST(dynamic_operands_are_uncertain, check_dynamic_operands)
TEST(two_dashes_end_options, check_end)
TEST(options_stand_before_operands_or_between, check_order)
TEST(numbers_are_counts_or_unknown, check_counts)
TEST(no_option_is_listed_twice, check_twice)
TEST(no_subcommand_is_listed_twice, check_aliases)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_options_are_open),
		cmocka_unit_test(abbreviations_are_what_they_begin),
		cmocka_unit_test(clusters_are_their_letters),
		cmocka_unit_test(values_are_attached_or_separate),
		cmocka_unit_test(dynamic_values_are_uncertain),
		cmocka_unit_test(words_that_may_be_options_are_open),
		cmocka_unit_test(dynamic_operands_are_uncertain),
		cmocka_unit_test(two_dashes_end_options),
		cmocka_unit_test(options_stand_before_operands_or_between),
		cmocka_unit_test(numbers_are_counts_or_unknown),
		cmocka_unit_test(no_option_is_listed_twice),
		cmocka_unit_test(no_subcommand_is_listed_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
