/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options as the program itself reads them: getopt(3), getopt_long(3) and POSIX.1 "Utility Syntax
 * Guidelines", and the one-dash long options of go, java and openssl. A word that may turn into an option
 * closes the command, unless no option of the program could do harm.
 */
#include "worker/commands/model.h"

enum { OPTIONS_MAX = 256 }; /* more than any command line that people write; keeps the time linear */

struct cursor {
	struct run *run;
	uint32_t at; /* the next word */
	struct arg *operands;
	uint32_t n;
};

struct found {
	const struct option_rule *rule; /* NULL: harmless */
	const struct command_model
		*owner; /* whose option it is: a subcommand's, or that of the program it belongs to */
	enum arity arity;
	bool exact, prefix, ambiguous;
};

static bool harmless_program(const struct run *run)
{
	return run->model->syntax & ANY_OPTION;
}

static int width(struct bytes b)
{
	return b.len > 80 ? 80 : (int)b.len;
}

/* The program as people call it, for a message. */
#define PROGRAM(run) width((run)->out->program), (run)->out->program.p

static void unknown_option(struct run *run, struct bytes text)
{
	run->n_options++;
	run_open(run, "option %.*s of %.*s is not known to the gate", width(text), text.p, PROGRAM(run));
}

/* What an option brings about. */
static void apply(struct run *run, const struct found *f, const struct arg *value)
{
	const struct option_rule *rule = f->rule;
	static const struct arg none = { .is_static = true, .text = { "", 0 } };

	run->n_options++;
	if (!rule)
		return;
	run->bits |= rule->set;
	switch (rule->action) {
	case IGNORE:
		break;
	case EFFECT_OF_VALUE:
		if (value)
			run_effect(run, rule->effect, value);
		break;
	case EFFECT_FIXED:
		run_effect_fixed(run, rule->effect, rule->text);
		break;
	case REFUSE:
		run_open(run, "%.*s %s", PROGRAM(run), rule->text);
		break;
	case SHELL_TEXT:
		if (value && value->is_static)
			run_nested_text(run, value->text, DIALECT_POSIX);
		else if (value)
			run_open(run, "%.*s runs a command that is not known before it runs", PROGRAM(run));
		break;
	case DIRECTORY:
		if (!value)
			break;
		if (!value->is_static)
			run_open(run, "the directory that %.*s works in is not known before it runs",
				PROGRAM(run));
		else if (run->base.len && value->text.len && value->text.p[0] != '/')
			run->base = run_join(run, run_join(run, run->base, BYTES("/")), value->text);
		else
			run->base = value->text;
		break;
	case CALL:
		if (f->owner->option)
			f->owner->option(run, rule, value ? value : &none);
		else
			run_open(run, "an option of %.*s is not understood", PROGRAM(run));
		break;
	}
}

/* One name of a blank-separated list, with its arity mark. */
static bool next_long(const char **list, struct bytes *ret_name, enum arity *ret_arity)
{
	const char *p = *list;
	size_t n;

	while (*p == ' ')
		p++;
	n = strcspn(p, " ");
	if (n == 0)
		return false;
	*list = p + n;
	*ret_arity = NOTHING;
	if (n > 2 && p[n - 1] == '=' && p[n - 2] == '?') {
		*ret_arity = OPTIONAL;
		n -= 2;
	} else if (n > 1 && p[n - 1] == '=') {
		*ret_arity = REQUIRED;
		n--;
	}
	*ret_name = (struct bytes){ p, n };
	return true;
}

/* Compares one known name with what was written. */
static void consider(struct found *f, const struct command_model *m, struct bytes known, struct bytes name,
	const struct option_rule *rule, enum arity arity)
{
	if (f->exact || known.len < name.len || memcmp(known.p, name.p, name.len) != 0)
		return;
	if (known.len == name.len) {
		*f = (struct found){
			.rule = rule, .owner = m, .arity = arity, .exact = true, .prefix = true
		};
		return;
	}
	if (f->prefix && (f->rule != rule || f->arity != arity))
		f->ambiguous = true;
	if (!f->prefix || rule) {
		f->rule = rule;
		f->owner = m;
		f->arity = arity;
	}
	f->prefix = true;
}

static void find_long_in(const struct command_model *m, struct bytes name, struct found *f)
{
	struct bytes known;
	enum arity arity;
	const char *list;

	for (const struct option_rule *o = m->options; o && (o->shorts || o->longs); o++) {
		list = o->longs ? o->longs : "";
		while (next_long(&list, &known, &arity))
			consider(f, m, known, name, o, o->arity);
	}
	list = m->longs ? m->longs : "";
	while (next_long(&list, &known, &arity))
		consider(f, m, known, name, NULL, arity);
}

static bool find_short_in(const struct command_model *m, char c, struct found *f)
{
	const char *p;

	for (const struct option_rule *o = m->options; o && (o->shorts || o->longs); o++)
		if (o->shorts && strchr(o->shorts, c)) {
			*f = (struct found){ .rule = o, .owner = m, .arity = o->arity, .exact = true };
			return true;
		}
	p = m->shorts && c != ':' ? strchr(m->shorts, c) : NULL;
	if (!p)
		return false;
	*f = (struct found){ .owner = m,
		.arity = p[1] != ':'  ? NOTHING
			: p[2] == ':' ? OPTIONAL
				      : REQUIRED,
		.exact = true };
	return true;
}

/* In the model, and in those it is a subcommand of where their options may follow too. */
static struct found find_long(const struct run *run, struct bytes name)
{
	struct found f = { 0 };

	find_long_in(run->model, name, &f);
	for (const struct run *r = run->outer; r && !f.exact; r = r->outer)
		if (r->model->syntax & INHERITED)
			find_long_in(r->model, name, &f);
	return f;
}

static bool find_short(const struct run *run, char c, struct found *f)
{
	if (c == '\0' || c == '-')
		return false;
	if (find_short_in(run->model, c, f))
		return true;
	for (const struct run *r = run->outer; r; r = r->outer)
		if ((r->model->syntax & INHERITED) && find_short_in(r->model, c, f))
			return true;
	return false;
}

/* The word behind an option that needs a value. NULL: there is none, and the program will say so. */
static const struct arg *take_value(struct cursor *c)
{
	struct run *run = c->run;
	const struct arg *a;

	if (c->at >= run->argc)
		return NULL;
	a = &run->argv[c->at++];
	if ((a->flags & (WORD_SPLITS | WORD_BRACE | WORD_GLOB)) && !(a->flags & WORD_SINGLE) && !a->is_static &&
		!harmless_program(run))
		run_open(run, "%.*s gets a word that may become several: %.*s", PROGRAM(run),
			a->word ? width(a->word->src) : 0, a->word ? a->word->src.p : "");
	return a;
}

static void long_option(struct cursor *c, const struct arg *a, size_t dashes)
{
	struct run *run = c->run;
	const char *eq = memchr(a->text.p, '=', a->text.len);
	struct bytes name = bytes_from(a->text, dashes);
	struct arg value = *a;
	struct found f;

	if (eq) {
		name.len = (size_t)(eq - name.p);
		value.text = bytes_from(a->text, (size_t)(eq + 1 - a->text.p));
	} else if (!a->is_static) {
		if (!harmless_program(run))
			run_open(run, "an option of %.*s is not known before it runs", PROGRAM(run));
		return;
	}
	f = find_long(run, name);
	if (!f.exact && (bytes_is(name, "help") || bytes_is(name, "version"))) {
		run->n_options++;
		return;
	}
	if (!f.prefix || (f.ambiguous && !f.exact)) {
		unknown_option(run, a->text);
		return;
	}
	/* An abbreviation of a list that is not whole may mean an option that is not in it. */
	if (!f.exact && (run->model->syntax & (PARTIAL | NO_ABBREVIATION | ONE_DASH)))
		unknown_option(run, a->text);
	if (eq && f.arity == NOTHING && !(run->model->syntax & (ONE_DASH | NO_ABBREVIATION))) {
		unknown_option(run, a->text);
		return;
	}
	if (eq)
		apply(run, &f, &value);
	else if (f.arity == REQUIRED)
		apply(run, &f, take_value(c));
	else
		apply(run, &f, NULL);
}

/* -o=value: who reads it without the sign says so; of an option that matters both readings would have to be right. */
static void drop_sign(struct run *run, const struct found *f, struct arg *value)
{
	if (!bytes_start(value->text, "=") || (value->text.len == 1 && value->is_static))
		return;
	if ((run->model->syntax | f->owner->syntax) & EQUALS)
		value->text = bytes_from(value->text, 1);
	else if (f->rule && f->rule->action != IGNORE && !harmless_program(run))
		run_open(run, "what %.*s reads behind an option is not known to the gate: %.*s", PROGRAM(run),
			width(value->text), value->text.p);
}

static void short_options(struct cursor *c, const struct arg *a)
{
	struct run *run = c->run;

	for (size_t i = 1; i < a->text.len; i++) {
		struct arg value = *a;
		struct found f;

		if ((run->model->syntax & NUMBER) && a->text.p[i] >= '0' && a->text.p[i] <= '9')
			continue;
		if (!find_short(run, a->text.p[i], &f)) {
			unknown_option(run, a->text);
			return;
		}
		if (f.arity == NOTHING) {
			apply(run, &f, NULL);
			continue;
		}
		value.text = bytes_from(a->text, i + 1);
		drop_sign(run, &f, &value);
		if (value.text.len || !a->is_static) {
			if (!value.text.len && f.arity == REQUIRED && !harmless_program(run))
				run_open(
					run, "an option of %.*s is not known before it runs", PROGRAM(run));
			apply(run, &f, &value);
		} else {
			apply(run, &f, f.arity == REQUIRED ? take_value(c) : NULL);
		}
		return;
	}
	if (!a->is_static && !harmless_program(run))
		run_open(run, "an option of %.*s is not known before it runs", PROGRAM(run));
}

/* -name of one-dash programs, where a single letter may be a short option of the model too. */
static void one_dash(struct cursor *c, const struct arg *a)
{
	size_t dashes = bytes_start(a->text, "--") ? 2 : 1;
	struct found f;

	if (a->is_static && a->text.len == 2 && find_short(c->run, a->text.p[1], &f)) {
		short_options(c, a);
		return;
	}
	long_option(c, a, dashes);
}

/* Nothing but parameters that the line does not set: their values are the environment's, which holds no
 * options for this line. */
static bool from_environment(const struct run *run, const struct word_part *parts)
{
	const struct invocation *inv = run->invocation;

	if (!inv->line || !inv->line->is_set || !parts)
		return false;
	for (const struct word_part *p = parts; p; p = p->next) {
		bool fine = p->kind == PART_DOUBLE ? !p->children || from_environment(run, p->children)
			: p->kind == PART_PARAM
			? p->form == PARAM_PLAIN && !p->many && p->text.len && p->text.p[0] > '9' &&
				p->text.p[0] != '@' && !inv->line->is_set(inv->line_data, p->text)
			: p->kind == PART_LITERAL || p->kind == PART_SINGLE || p->kind == PART_GLOB;

		if (!fine)
			return false;
	}
	return true;
}

/* A pattern, and nothing else that is not known: what it fits now can be looked at. */
static bool is_pattern(const struct arg *a)
{
	const uint32_t other = WORD_SPLITS | WORD_BRACE | WORD_RUNS | WORD_PARAM | WORD_ARITH;

	return (a->flags & WORD_GLOB) && !(a->flags & other);
}

bool arg_may_be_option(const struct run *run, const struct arg *a)
{
	const struct invocation *inv = run->invocation;

	if (a->is_static || (a->text.len > 0 && !(a->flags & (WORD_SPLITS | WORD_BRACE | WORD_PIECES))))
		return false;
	if (!a->word || (a->flags & (WORD_PROCESS | WORD_TOKEN)))
		return !a->word;
	if (is_pattern(a))
		return !inv->line || !inv->line->has_dashed || inv->line->has_dashed(inv->line_data, a->word);
	return (a->flags & WORD_GLOB) || !from_environment(run, a->word->parts);
}

static void operand(struct cursor *c, const struct arg *a, bool ended)
{
	struct run *run = c->run;

	if (!ended && !harmless_program(run) && !(run->model->syntax & NO_OPTIONS) && arg_may_be_option(run, a))
		run_open(run, "what %.*s stands for is not known before it runs: it may be an option of %.*s",
			a->word ? width(a->word->src) : 0, a->word ? a->word->src.p : "", PROGRAM(run));
	c->operands[c->n++] = *a;
}

void run_options(struct run *run)
{
	/* What stands behind a subcommand's name is the subcommand's to read. */
	uint32_t syntax = run->model->syntax | (run->model->subcommands ? POSIX_ORDER : 0);
	struct cursor c = { .run = run };
	bool ended = syntax & NO_OPTIONS;

	c.operands = run_alloc(run, (run->argc + 1) * sizeof(*c.operands));
	if (!c.operands)
		return;
	while (c.at < run->argc) {
		const struct arg *a = &run->argv[c.at++];
		bool dash = a->text.len > 0 && a->text.p[0] == '-' && (a->text.len > 1 || !a->is_static);

		if (run->n_options > OPTIONS_MAX && !ended) {
			run_open(run, "%.*s gets more options than the gate looks at", PROGRAM(run));
			ended = true;
		}

		if (ended) {
			operand(&c, a, true);
		} else if (arg_is(a, "--")) {
			ended = true;
		} else if (dash && (syntax & ONE_DASH)) {
			one_dash(&c, a);
		} else if (dash && bytes_start(a->text, "--") && !(syntax & NO_LONG)) {
			long_option(&c, a, 2);
		} else if (dash) {
			short_options(&c, a);
		} else if ((syntax & PLUS) && a->text.len > 1 && a->text.p[0] == '+') {
			run->n_options++;
		} else {
			operand(&c, a, false);
			ended = syntax & POSIX_ORDER;
		}
	}
	run->operands = c.operands;
	run->n_operands = c.n;
}
