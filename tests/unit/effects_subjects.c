/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the tables of models: names, subcommands, and the options of each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/effects_subjects.h"

const char *format(char *buffer, const char *form, ...)
{
	va_list ap;
	int n;

	va_start(ap, form);
	n = vsnprintf(buffer, LINE, form, ap);
	va_end(ap);
	assert_in_range(n, 1, LINE - 1);
	return buffer;
}

/* The first of a name is the one that is found. */
static bool add_option(struct option *options, size_t *n, size_t max, const char *p, size_t len, enum arity arity,
	const struct option_rule *rule)
{
	struct option *o = &options[*n];

	assert_true(*n < max && len > 0 && len < sizeof(o->name));
	memcpy(o->name, p, len);
	o->name[len] = '\0';
	for (size_t i = 0; i < *n; i++)
		if (strcmp(options[i].name, o->name) == 0)
			return false;
	o->arity = arity;
	o->rule = rule;
	++*n;
	return true;
}

static void again(struct subject *at, const char *dashes, const char *name, size_t len)
{
	size_t used = strlen(at->twice);

	snprintf(at->twice + used, sizeof(at->twice) - used, " %s%.*s", dashes, (int)len, name);
}

static void add_longs(struct subject *at, const char *list, const struct option_rule *rule)
{
	for (const char *p = list; p && *p; p += *p == ' ') {
		size_t len = strcspn(p, " ");
		bool optional = len > 2 && p[len - 2] == '?', value = len > 1 && p[len - 1] == '=';

		if (!add_option(at->longs, &at->n_longs, LONGS, p, len - (size_t)(optional + value),
			    rule ? rule->arity : optional ? OPTIONAL : value ? REQUIRED : NOTHING, rule))
			again(at, "--", p, len);
		p += len;
	}
}

/* As it is written behind a dash: no shell reads it otherwise. */
const char *letter_name(char *buffer, char letter)
{
	bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
		(letter >= '0' && letter <= '9');

	return format(buffer, plain ? "%c" : "\\%c", letter);
}

static void add_letters(struct subject *at, const char *letters, const struct option_rule *rule)
{
	char name[LINE];

	for (const char *p = letters; p && *p; p++) {
		enum arity arity = p[1] != ':' ? NOTHING : p[2] != ':' ? REQUIRED : OPTIONAL;

		letter_name(name, *p);
		if ((rule || *p != ':') &&
			!add_option(at->letters, &at->n_letters, LETTERS, name, strlen(name),
				rule ? rule->arity : arity, rule))
			again(at, "-", p, 1);
	}
}

static void add_model(struct subject *at, const struct command_model *m)
{
	for (const struct option_rule *o = m->options; o && (o->shorts || o->longs); o++) {
		add_longs(at, o->longs, o);
		add_letters(at, o->shorts, o);
	}
	add_longs(at, m->longs, NULL);
	add_letters(at, m->shorts, NULL);
}

/* A subcommand's own option of that name goes first. */
static void add_inherited(struct subject *at, const struct command_model *m)
{
	char twice[sizeof(at->twice)];

	memcpy(twice, at->twice, sizeof(twice));
	add_model(at, m);
	memcpy(at->twice, twice, sizeof(twice));
}

bool subject_has(const struct subject *at, uint32_t syntax)
{
	return at->model->syntax & syntax;
}

const struct option *option_find(const struct option *options, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(options[i].name, name) == 0)
			return &options[i];
	return NULL;
}

/* The options and operands of one model. */
static void fill(struct subject *at)
{
	const struct command_model *first = at->model->subcommands;

	at->n_longs = at->n_letters = 0;
	at->twice[0] = '\0';
	add_model(at, at->model);
	for (size_t i = at->depth; i-- > 0;)
		if (at->chain[i]->syntax & INHERITED)
			add_inherited(at, at->chain[i]);
	snprintf(at->rest, sizeof(at->rest), "%.*s", first ? (int)strcspn(first->name, "|") : 30,
		first ? first->name : "word other");
}

static void visit_model(subject_visit *visit, struct subject *at, void *data);

static void visit_list(subject_visit *visit, struct subject *at, const struct command_model *list, void *data)
{
	const struct command_model *outer = at->model;
	size_t length = strlen(at->path);

	assert_true(at->depth < DEPTH || !list);
	for (const struct command_model *s = list; s && s->name; s++) {
		snprintf(at->path + length, sizeof(at->path) - length, " %.*s", (int)strcspn(s->name, "|"), s->name);
		at->chain[at->depth++] = outer;
		at->model = s;
		visit_model(visit, at, data);
		at->model = outer;
		at->depth--;
		at->path[length] = '\0';
	}
}

static void visit_model(subject_visit *visit, struct subject *at, void *data)
{
	const struct command_model *reader = at->model;

	fill(at);
	visit(at, data);
	if (reader->reader && reader->more) {
		at->model = reader->more;
		visit_model(visit, at, data);
		at->model = reader;
	} else if (!reader->reader) {
		visit_list(visit, at, at->model->subcommands, data);
		visit_list(visit, at, at->model->more, data);
	}
}

void subjects_visit(subject_visit *visit, void *data)
{
	size_t n;
	const struct named_model *names = model_names(&n);
	static struct subject here;

	for (size_t i = 0; i < n; i++) {
		const struct command_model *m = names[i].model;
		struct bytes own = { m->name, strlen(m->name) };
		const char *name = model_by_name(own) == m ? m->name : names[i].name;
		bool seen = false;

		for (size_t k = 0; k < i && !seen; k++)
			seen = names[k].model == m;
		if (seen)
			continue;
		here = (struct subject){ .model = m };
		/* The keyword of that name is the shell's. */
		snprintf(here.path, sizeof(here.path), "%s%s", strcmp(name, "time") == 0 ? "\\" : "", name);
		visit_model(visit, &here, data);
	}
}

/* `word` is one of the names that bars separate. */
static bool is_called(const char *names, const char *word, size_t len, bool folded)
{
	for (const char *p = names; *p; p += *p == '|') {
		size_t n = strcspn(p, "|");

		if (n == len && (folded ? strncasecmp(p, word, n) : memcmp(p, word, n)) == 0)
			return true;
		p += n;
	}
	return false;
}

const struct command_model *subcommand_of(const struct command_model *m, const char *word, size_t len)
{
	const struct command_model *const lists[] = { m->subcommands, m->reader ? NULL : m->more };

	for (size_t l = 0; l < ARRAY_LEN(lists); l++)
		for (const struct command_model *s = lists[l]; s && s->name; s++)
			if (is_called(s->name, word, len, m->syntax & FOLDED))
				return s;
	return NULL;
}
