/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every model, and every effect that its tables can yield, is produced by a written case: what is not tried by hand is
 * not known to be right. A program that reads its words by code of its own is not walked by effects_walk.c; for each
 * such reader there are cases of an unknown, abbreviated and clustered option, of a value attached and separate, and of
 * a dynamic word, or a line that says why there can be none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/effects_cases.h"
#include "tests/unit/effects_render.h"
#include "tests/unit/effects_subjects.h"

enum { SUBJECTS_MAX = 2048 };

/* What the cases have produced of one model. */
struct produced {
	const struct command_model *model;
	bool effects[EFFECT__MAX];
};

struct tally {
	struct produced models[SUBJECTS_MAX];
	size_t n, missing;
};

static struct produced *of_model(struct tally *t, const struct command_model *model)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->models[i].model == model)
			return &t->models[i];
	return NULL;
}

static void collect(const struct subject *at, void *data)
{
	struct tally *t = data;

	if (of_model(t, at->model))
		return;
	assert_true(t->n < SUBJECTS_MAX);
	t->models[t->n++].model = at->model;
}

static void mark(struct tally *t, const struct command_model *m, const struct command_effects *fx)
{
	struct produced *p = of_model(t, m);

	assert_non_null(p);
	p->effects[EFFECT_UNKNOWN] = true; /* it was tried */
	for (const struct command_effect *e = fx->effects; e; e = e->next)
		p->effects[e->effect] = true;
}

/* fx->program is the model's name, and the words that led to a subcommand. */
static void seen(void *data, const struct command_effects *fx)
{
	const char *p = fx->program.p, *end = p + fx->program.len;
	const struct command_model *m = NULL;
	size_t n;
	const struct named_model *names = model_names(&n);

	for (size_t i = 0; i < n && !m; i++) {
		size_t len = strlen(names[i].model->name);

		if (fx->program.len >= len && memcmp(p, names[i].model->name, len) == 0 &&
			(p + len == end || p[len] == ' ')) {
			m = names[i].model;
			p += len;
		}
	}
	while (m) {
		const char *blank;

		mark(data, m, fx);
		if (m->reader && m->more) {
			m = m->more;
			continue;
		}
		if (p >= end)
			return;
		p++;
		blank = memchr(p, ' ', (size_t)(end - p));
		n = (size_t)((blank ? blank : end) - p);
		m = subcommand_of(m, p, n);
		p += n;
	}
}

static void wants(struct tally *t, const struct subject *at, enum effect_id effect, const char *what)
{
	struct produced *p = of_model(t, at->model);

	if (p->effects[effect])
		return;
	p->effects[effect] = true; /* said once */
	t->missing++;
	print_error("%s: no case for \"%s\"%s\n", at->path, effect ? effect_name(effect) : "it", what);
}

static void check_model(const struct subject *at, void *data)
{
	wants(data, at, EFFECT_UNKNOWN, "");
	for (const struct option_rule *o = at->model->options; o && (o->shorts || o->longs); o++)
		if (o->action == EFFECT_OF_VALUE || o->action == EFFECT_FIXED)
			wants(data, at, o->effect, " of an option");
	for (const struct operand_rule *r = at->model->rules; r && r->position != END; r++)
		wants(data, at, r->effect, " of the operands");
	if (at->model->wrapping && at->model->wrapping->effect)
		wants(data, at, at->model->wrapping->effect, " of the wrapper");
}

static void every_effect_has_a_case(void **state)
{
	static struct tally tally;
	size_t n;
	const struct effects_cases *tables = effects_tables(&n);

	(void)state;
	subjects_visit(collect, &tally);
	for (size_t t = 0; t < n; t++)
		for (size_t i = 0; i < tables[t].n; i++)
			effects_observe(tables[t].cases[i].line, seen, &tally);
	subjects_visit(check_model, &tally);
	assert_true(tally.n > 1000);
	assert_int_equal(tally.missing, 0);
}

/* What must be tried of a reader. */
enum spelling { UNKNOWN, ABBREVIATED, CLUSTERED, ATTACHED, SEPARATE, DYNAMIC, SPELLINGS };

static const char *const spellings[] = { "an unknown option", "an abbreviation", "a cluster", "an attached value",
	"a separate value", "a dynamic word" };

#define READS(program, what, line, effects) { program, what, line, effects, NULL, false },
#define LACKS(program, what, why) { program, what, NULL, NULL, why, false },
#define OPENS(program) { program, SPELLINGS, NULL, NULL, NULL, true },
static const struct reader_row {
	const char *program;
	enum spelling what;
	const char *line, *effects;
	const char *lacks; /* why there is no line */
	bool opens;
} rows[] = {
#include "tests/unit/effects_readers.def"
};

/* A reader, by any of its programs, and what the rows say of it. */
struct reader {
	void (*read)(struct run *run);
	char path[128];
	bool tried[SPELLINGS];
	const char *attached, *separate; /* the effects of these */
};

struct readers {
	struct reader all[128];
	size_t n, rows_used;
};

static bool is_open(const char *effects)
{
	return strncmp(effects, "open", 4) == 0;
}

static void try_open(const char *program)
{
	static const char *const words[] = { "word", "--zork word", "-z word", "\"$X\"" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		char line[LINE];

		if (!is_open(effects_render(format(line, "%s %s", program, words[i]))))
			fail_msg("%s is not open", line);
	}
}

static void take_rows(struct reader *r, const struct subject *at, struct readers *all)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct reader_row *row = &rows[i];

		if (strcmp(row->program, at->path) != 0)
			continue;
		all->rows_used++;
		if (row->opens) {
			try_open(row->program);
			memset(r->tried, true, sizeof(r->tried));
			continue;
		}
		r->tried[row->what] = true;
		if (row->lacks && strlen(row->lacks) < 8)
			fail_msg("%s: why there is no line is not said", at->path);
		if (row->line && row->what == ATTACHED)
			r->attached = row->effects;
		if (row->line && row->what == SEPARATE)
			r->separate = row->effects;
		if (row->line && row->what == DYNAMIC && !is_open(row->effects) && !strstr(row->effects, "…") &&
			!strchr(row->effects, '?'))
			fail_msg("%s: certain, though a word is not known", row->line);
	}
}

static void collect_reader(const struct subject *at, void *data)
{
	struct readers *all = data;
	struct reader *r = all->all;

	if (!at->model->reader || at->model->more)
		return;
	while (r < all->all + all->n && r->read != at->model->reader)
		r++;
	if (r == all->all + all->n) {
		assert_true(++all->n <= ARRAY_LEN(all->all));
		r->read = at->model->reader;
		snprintf(r->path, sizeof(r->path), "%s", at->path);
	}
	take_rows(r, at, all);
}

/* The lines themselves are checked with all the others. */
static void every_reader_is_tried(void **state)
{
	static struct readers all;
	size_t missing = 0;

	(void)state;
	subjects_visit(collect_reader, &all);
	for (size_t i = 0; i < all.n; i++) {
		const struct reader *r = &all.all[i];

		for (int s = 0; s < SPELLINGS; s++)
			if (!r->tried[s]) {
				print_error("%s reads its own words: no case of %s\n", r->path, spellings[s]);
				missing++;
			}
		if (r->attached && r->separate && strcmp(r->attached, r->separate) != 0)
			fail_msg("%s: a value attached is \"%s\", separate \"%s\"", r->path, r->attached,
				r->separate);
	}
	assert_int_equal(missing, 0);
	assert_int_equal(all.rows_used, ARRAY_LEN(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_effect_has_a_case),
		cmocka_unit_test(every_reader_is_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
