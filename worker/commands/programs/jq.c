/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jq: its options, and its program read far enough to see what of the environment it prints, and whether it loads other
 * modules or data (jq manual 1.6 to 1.8, "Invoking jq", "$ENV, env", "Modules").
 */
#include "worker/commands/model.h"

enum {
	NESTING_MAX = 32, /* strings in interpolations in strings … */
	HOLE = '\1', /* stands for what is not known before it runs */
};

struct program {
	struct run *run;
	struct bytes s;
	size_t at;
	bool failed;
};

static bool word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static char char_at(const struct program *p, size_t at)
{
	return at < p->s.len ? p->s.p[at] : '\0';
}

static size_t blanks(const struct program *p, size_t at)
{
	while (at < p->s.len && strchr(" \t\r\n", p->s.p[at]) && p->s.p[at])
		at++;
	return at;
}

static struct bytes name_at(const struct program *p, size_t at)
{
	size_t end = at;

	while (end < p->s.len && word_char(p->s.p[end]))
		end++;
	return (struct bytes){ p->s.p + at, end - at };
}

/* "NAME" without escapes, with `after` behind it. */
static struct bytes quoted_at(const struct program *p, size_t at, char after)
{
	struct bytes none = { NULL, 0 }, name;

	if (char_at(p, at) != '"')
		return none;
	name = name_at(p, at + 1);
	at += 1 + name.len;
	if (char_at(p, at) != '"' || (after && char_at(p, blanks(p, at + 1)) != after))
		return none;
	return name;
}

/* What of the environment is taken: .NAME, ."NAME" or ["NAME"], or only names and numbers; an empty text: all of it. */
static struct bytes member(const struct program *p, size_t at)
{
	at = blanks(p, at);
	if (char_at(p, at) == '.' && char_at(p, at + 1) != '[') {
		at++;
		return char_at(p, at) == '"' ? quoted_at(p, at, '\0') : name_at(p, at);
	}
	at += char_at(p, at) == '.';
	if (char_at(p, at) != '[')
		return (struct bytes){ NULL, 0 };
	return quoted_at(p, blanks(p, at + 1), ']');
}

static bool only_counts(const struct program *p, size_t at)
{
	at = blanks(p, at);
	if (char_at(p, at) != '|')
		return false;
	return in_list(name_at(p, blanks(p, at + 1)), "keys keys_unsorted length has");
}

static void environment(struct program *p, size_t behind)
{
	struct bytes name = member(p, behind);

	if (only_counts(p, behind))
		return;
	if (name.len == 0 || variable_is_secret(name))
		run_effect_fixed(p->run, EFFECT_PRINT_ENVIRONMENT, NULL);
	else
		run_effect_text(p->run, EFFECT_PRINT_VARIABLE, name);
}

/* A name that is neither a field's (.env) nor a key's (env: 1). */
static void name_token(struct program *p)
{
	size_t start = p->at;
	struct bytes name = name_at(p, start);
	char before = start > 0 ? p->s.p[start - 1] : '\0';
	size_t behind = start + name.len;

	p->at = behind;
	for (size_t i = start; i > 0 && strchr(" \t\r\n$", p->s.p[i - 1]) && p->s.p[i - 1] && before != '$'; i--)
		before = p->s.p[i - 1] == '$' ? '$' : before;
	if (before == '.' && (start < 2 || p->s.p[start - 2] != '.'))
		return;
	if (before == '$') {
		if (bytes_is(name, "ENV"))
			environment(p, behind);
		return;
	}
	if (char_at(p, blanks(p, behind)) == ':' && char_at(p, blanks(p, behind) + 1) != ':')
		return;
	if (bytes_is(name, "env"))
		environment(p, behind);
	else if (in_list(name, "import include modulemeta"))
		run_open(p->run, "the program of jq loads other code or data");
}

/* jq 1.7 and later read on in the next line behind a backslash, others do not. */
static void comment(struct program *p)
{
	while (p->at < p->s.len && p->s.p[p->at] != '\n' && p->s.p[p->at] != '\r')
		p->at++;
	if (p->s.p[p->at - 1] == '\\' || char_at(p, p->at) == '\r')
		p->failed = true;
}

static void code(struct program *p, unsigned int depth);

static void string(struct program *p, unsigned int depth)
{
	for (p->at++; p->at < p->s.len; p->at++) {
		char c = p->s.p[p->at];

		if (c == '"') {
			p->at++;
			return;
		}
		if (c != '\\')
			continue;
		p->at++;
		if (char_at(p, p->at) == '(') {
			p->at++;
			code(p, depth + 1);
			p->at--;
		}
	}
	p->failed = true;
}

/* Up to the parenthesis that closes an interpolation, or to the end. */
static void code(struct program *p, unsigned int depth)
{
	uint32_t open = 0;

	if (depth > NESTING_MAX)
		p->failed = true;
	while (p->at < p->s.len && !p->failed) {
		char c = p->s.p[p->at];

		if (c == '"') {
			string(p, depth);
		} else if (c == '#') {
			comment(p);
		} else if (c == HOLE) {
			p->failed = true;
		} else if (word_char(c)) {
			name_token(p);
		} else if (c == ')' && open == 0 && depth > 0) {
			p->at++;
			return;
		} else {
			open += c == '(';
			open -= c == ')' && open > 0;
			p->at++;
		}
	}
	p->failed = p->failed || depth > 0;
}

void run_reads_jq(struct run *run, struct bytes text)
{
	struct program p = { .run = run, .s = text };

	code(&p, 0);
	if (p.failed)
		run_open(run, "the program of jq is not known before it runs, or could not be read");
}

/* What the environment alone sets is a name, a number or a path: never a part of a program. */
static bool is_hole(const struct run *run, const struct word_part *part)
{
	const struct invocation *inv = run->invocation;

	return part->kind != PART_PARAM || part->form != PARAM_PLAIN || !inv->line ||
		inv->line->is_set(inv->line_data, part->text);
}

/* The text with a mark where the line puts something in, and a plain value where the environment does. */
static size_t with_holes(const struct run *run, const struct word_part *part, char *out, size_t size)
{
	size_t n = 0;

	for (; part && n < size; part = part->next) {
		if (part->kind == PART_LITERAL || part->kind == PART_SINGLE || part->kind == PART_ANSI_C) {
			if (part->text.len > size - n)
				return size;
			memcpy(out + n, part->text.p, part->text.len);
			n += part->text.len;
		} else if (part->kind == PART_DOUBLE) {
			n += with_holes(run, part->children, out + n, size - n);
		} else {
			out[n++] = is_hole(run, part) ? HOLE : '0';
		}
	}
	return n;
}

static void dynamic_program(struct run *run, const struct word *word)
{
	size_t size = word->src.len + 1;
	char *text = run_alloc(run, size);
	size_t n = text ? with_holes(run, word->parts, text, size) : 0;

	if (n == 0 || n == size)
		run_open(run, "the program of jq is not known before it runs");
	else
		run_reads_jq(run, (struct bytes){ text, n });
}

struct reading {
	bool from_file, program, values, null_input, files, ended;
	uint32_t at;
};

static void operand(struct run *run, struct reading *r, const struct arg *a)
{
	if (r->program) {
		if (r->values)
			return;
		r->files = true;
		run_effect(run, EFFECT_READ, a);
		return;
	}
	r->program = true;
	if (r->from_file)
		run_effect(run, EFFECT_EXECUTE, a);
	else if (a->is_static)
		run_reads_jq(run, a->text);
	else if (a->word)
		dynamic_program(run, a->word);
}

/*
 * Before jq 1.8 the program's file is the first operand, wherever -f stands; since then it is the word behind -f. Only
 * where both are the same one is it known.
 */
static void from_file(struct run *run, struct reading *r)
{
	const struct arg *next = r->at < run->argc ? &run->argv[r->at] : NULL;

	if (r->program || r->from_file || !next || !next->is_static || bytes_start(next->text, "-"))
		run_open(run, "the program of jq may come from one file or another");
	r->from_file = true;
}

static void option(struct run *run, struct reading *r, const struct arg *a)
{
	static const char shorts[] = "cCMnreRsSajhV";

	if (arg_is(a, "--")) {
		r->ended = true;
	} else if (arg_is(a, "--arg") || arg_is(a, "--argjson")) {
		r->at += 2;
	} else if (arg_is(a, "--slurpfile") || arg_is(a, "--rawfile") || arg_is(a, "--argfile")) {
		if (r->at + 1 < run->argc)
			run_effect(run, EFFECT_READ, &run->argv[r->at + 1]);
		r->at += 2;
	} else if (arg_is(a, "--from-file") || (a->is_static && bytes_char(a->text, 'f') && a->text.p[1] != '-' &&
		only_of(a->text, 1, "fcCMnreRsSajh"))) {
		r->null_input = r->null_input || bytes_char(a->text, 'n');
		from_file(run, r);
	} else if (arg_is(a, "-L") || arg_is(a, "--library-path") || arg_is(a, "--indent")) {
		r->at++;
	} else if (arg_is(a, "--args") || arg_is(a, "--jsonargs")) {
		r->values = true;
	} else if (arg_is(a, "--null-input")) {
		r->null_input = true;
	} else if (a->is_static && a->text.len > 1 && a->text.p[1] != '-' && only_of(a->text, 1, shorts)) {
		r->null_input = r->null_input || bytes_char(a->text, 'n');
	} else if (!a->is_static || !in_list(a->text, "--compact-output --color-output --monochrome-output "
		"--raw-output --join-output --exit-status --raw-input --slurp --sort-keys --ascii-output --tab "
		"--unbuffered --stream --stream-errors --seq --raw-output0 --help --version")) {
		run_open(run, "option %.*s of jq is not known to the gate",
			(int)(a->text.len < 80 ? a->text.len : 80), a->text.p);
	}
}

/* --arg and its like take two words; --args makes the rest values instead of files. */
static void jq_reader(struct run *run)
{
	struct reading r = { 0 };

	run->out->stdin_role = STDIN_READ;
	while (r.at < run->argc) {
		const struct arg *a = &run->argv[r.at++];

		if (r.ended || a->text.len < 2 || a->text.p[0] != '-')
			operand(run, &r, a);
		else
			option(run, &r, a);
	}
	if (!run->out->effects && (r.files || r.null_input || !r.program))
		run_effect_fixed(run, EFFECT_PURE, NULL);
}

MODEL(jq) = { .name = "jq", .reader = jq_reader, .syntax = ANY_OPTION };
