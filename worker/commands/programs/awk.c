/* SPDX-License-Identifier: Apache-2.0 */
/*
 * awk: options and the program text, read far enough to see system(), pipes, getline, redirections and
 * ENVIRON (POSIX awk "Lexical Conventions", gawk manual). What could be read in two ways makes the command
 * open.
 */
#include "worker/commands/model.h"

enum token { T_END, T_NAME, T_NUMBER, T_STRING, T_REGEX, T_CLOSE, T_OPEN, T_OTHER, T_NEWLINE };

struct awk {
	struct run *run;
	struct bytes s;
	size_t at;
	enum token kind, last; /* the token just read, and the one before */
	struct bytes text; /* of it; a string's content, still escaped */
	struct bytes last_string; /* of the token before, when it was a string */
	uint32_t depth; /* of parentheses */
	bool in_print;
	uint32_t print_depth;
};

static int peek(const struct awk *a)
{
	return a->at < a->s.len ? (unsigned char)a->s.p[a->at] : -1;
}

static bool name_char(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Up to an unescaped `end`; false when there is none. */
static bool until(struct awk *a, int end)
{
	size_t start = a->at;

	while (a->at < a->s.len) {
		int c = (unsigned char)a->s.p[a->at++];

		if (c == '\\' && a->at < a->s.len)
			a->at++;
		else if (c == '\n')
			return false;
		else if (c == end) {
			a->text = (struct bytes){ a->s.p + start, a->at - 1 - start };
			return true;
		}
	}
	return false;
}

/*
 * Up to where the slash behind it stands, the text may have opened a bracket expression: then gawk and mawk read on to
 * its end, and others do not. A ] in front, [:alpha:] and a backslash are taken for what keeps it open.
 */
static bool ends_in_brackets(struct bytes regex)
{
	bool open = false;

	for (size_t i = 0; i < regex.len; i++) {
		char c = regex.p[i];

		if (c == '\\') {
			i++;
		} else if (!open && c == '[') {
			open = true;
			i += i + 1 < regex.len && regex.p[i + 1] == '^';
			i += i + 1 < regex.len && regex.p[i + 1] == ']';
		} else if (open && c == '[' && i + 1 < regex.len && strchr(":.=", regex.p[i + 1])) {
			const char *end = memchr(regex.p + i, ']', regex.len - i);

			i = end ? (size_t)(end - regex.p) : regex.len;
		} else if (open && c == ']') {
			open = false;
		}
	}
	return open;
}

/* A slash begins a regular expression unless a value stands before it. Behind a closing parenthesis it may be
 * either, and so may it be inside brackets. */
static bool slash(struct awk *a)
{
	bool value = a->last == T_NAME || a->last == T_NUMBER || a->last == T_STRING || a->last == T_CLOSE;

	if (value) {
		a->kind = T_OTHER;
		a->text = BYTES("/");
		if (a->last == T_CLOSE && memchr(a->s.p + a->at, '/', a->s.len - a->at))
			return false;
		return true;
	}
	a->kind = T_REGEX;
	if (!until(a, '/'))
		return false;
	return !ends_in_brackets(a->text);
}

/* Keywords behind which a value does not stand. */
static bool is_keyword(struct bytes t)
{
	return in_list(t,
		"print printf return in if else while for do exit next delete case default switch BEGIN END "
		"function func getline");
}

/* The next token; false when the text cannot be read. */
static bool next(struct awk *a)
{
	int c;

	a->last = a->kind;
	a->last_string = a->kind == T_STRING ? a->text : (struct bytes){ NULL, 0 };
	while (peek(a) == ' ' || peek(a) == '\t' || peek(a) == '\r' ||
		(peek(a) == '\\' && a->at + 1 < a->s.len && a->s.p[a->at + 1] == '\n'))
		a->at += peek(a) == '\\' ? 2 : 1;
	c = peek(a);
	if (c == '#')
		while (peek(a) >= 0 && peek(a) != '\n')
			a->at++;
	c = peek(a);
	if (c < 0) {
		a->kind = T_END;
		return true;
	}
	a->text = (struct bytes){ a->s.p + a->at, 1 };
	a->at++;
	if (name_char(c)) {
		while (name_char(peek(a)) || (c >= '0' && c <= '9' && peek(a) == '.')) {
			a->at++;
			a->text.len++;
		}
		a->kind = c >= '0' && c <= '9' ? T_NUMBER : is_keyword(a->text) ? T_OTHER : T_NAME;
		return true;
	}
	switch (c) {
	case '"':
		a->kind = T_STRING;
		return until(a, '"');
	case '/':
		return slash(a);
	case '\n':
	case ';':
	case '{':
	case '}':
		a->kind = T_NEWLINE;
		return true;
	case ')':
	case ']':
		a->kind = T_CLOSE;
		return true;
	case '(':
	case '[':
		a->kind = T_OPEN;
		return true;
	default:
		a->kind = T_OTHER;
		return true;
	}
}

/* A string without escapes stands for itself. */
static bool plain(struct bytes string)
{
	return string.p && !bytes_char(string, '\\');
}

/* One string that stands for itself, and next after it one of the characters of "ends", or the text's end if it may. */
static bool string_before(struct awk *a, const char *ends, bool at_end, struct bytes *ret)
{
	if (!next(a) || a->kind != T_STRING || !plain(a->text))
		return false;
	*ret = a->text;
	while (peek(a) == ' ' || peek(a) == '\t')
		a->at++;
	return peek(a) < 0 ? at_end : peek(a) > 0 && strchr(ends, peek(a));
}

/* What follows > >> or | of a print, or < of a getline: one string, and then the end of the statement. */
static bool lone_string(struct awk *a, struct bytes *ret)
{
	return string_before(a, ";\n}#)", true, ret);
}

static bool output(struct awk *a, bool pipe)
{
	struct bytes target;

	if (peek(a) == '>')
		a->at++;
	if (pipe && peek(a) == '&') {
		run_open(a->run, "the program of awk opens a two-way pipe");
		return true;
	}
	if (!lone_string(a, &target)) {
		run_open(a->run, "the program of awk %s that is not known before it runs",
			pipe ? "runs a command" : "writes to a file");
		return true;
	}
	if (pipe)
		run_nested_text(a->run, target, DIALECT_POSIX);
	else if (!bytes_is(target, "/dev/stderr") && !bytes_is(target, "/dev/stdout"))
		run_effect_text(a->run, EFFECT_WRITE, target);
	return true;
}

/* command | getline, print … | command. */
static void pipe_token(struct awk *a)
{
	struct bytes text = a->last_string;

	if (peek(a) == '|') { /* || */
		a->at++;
		return;
	}
	if (a->in_print && a->depth == a->print_depth) {
		output(a, true);
		return;
	}
	if (plain(text))
		run_nested_text(a->run, text, DIALECT_POSIX);
	else
		run_open(a->run, "the program of awk runs a command that is not known before it runs");
}

/* The string between an opening character and the one that closes it. */
static bool call_with_string(struct awk *a, int open, const char *close, struct bytes *ret)
{
	while (peek(a) == ' ')
		a->at++;
	if (peek(a) != open)
		return false;
	a->at++;
	return string_before(a, close, false, ret);
}

static void name_token(struct awk *a)
{
	struct bytes value;

	if (bytes_is(a->text, "system")) {
		if (call_with_string(a, '(', ")", &value))
			run_nested_text(a->run, value, DIALECT_POSIX);
		else
			run_open(
				a->run, "the program of awk runs a command that is not known before it runs");
	} else if (bytes_is(a->text, "ENVIRON")) {
		if (call_with_string(a, '[', "]", &value) && !variable_is_secret(value))
			run_effect_text(a->run, EFFECT_PRINT_VARIABLE, value);
		else
			run_effect_fixed(a->run, EFFECT_PRINT_ENVIRONMENT, NULL);
	} else if (in_list(a->text, "ARGV ARGC SYMTAB FUNCTAB")) {
		run_open(a->run, "the program of awk uses %.*s", (int)a->text.len, a->text.p);
	}
}

/* getline [var] [< file]: plain getline reads the input that is named anyway. */
static void getline_token(struct awk *a)
{
	struct bytes file;
	size_t save;

	while (peek(a) == ' ')
		a->at++;
	while (name_char(peek(a)))
		a->at++;
	while (peek(a) == ' ')
		a->at++;
	save = a->at;
	if (peek(a) != '<') {
		if (peek(a) == '[' || peek(a) == '$')
			run_open(a->run, "the program of awk reads into a place that is not known");
		return;
	}
	a->at = save + 1;
	if (lone_string(a, &file))
		run_effect_text(a->run, EFFECT_READ, file);
	else
		run_open(a->run, "the program of awk reads a file that is not known before it runs");
}

void run_reads_awk(struct run *run, struct bytes text)
{
	struct awk a = { .run = run, .s = text };

	for (;;) {
		if (!next(&a)) {
			run_open(run, "the program of awk could not be read");
			return;
		}
		if (a.kind == T_END)
			return;
		if (a.kind == T_NEWLINE) {
			a.in_print = false;
			continue;
		}
		if (a.kind == T_OPEN)
			a.depth++;
		else if (a.kind == T_CLOSE && a.depth)
			a.depth--;
		if (a.kind == T_NAME) {
			name_token(&a);
		} else if (a.kind == T_OTHER && (bytes_is(a.text, "print") || bytes_is(a.text, "printf"))) {
			a.in_print = true;
			a.print_depth = a.depth;
		} else if (a.kind == T_OTHER && bytes_is(a.text, "getline")) {
			getline_token(&a);
		} else if (a.kind == T_OTHER && bytes_is(a.text, "|")) {
			pipe_token(&a);
		} else if (a.kind == T_OTHER && bytes_is(a.text, ">") && a.in_print &&
			a.depth == a.print_depth) {
			output(&a, false);
		} else if (a.kind == T_OTHER && bytes_is(a.text, "@")) {
			run_open(run, "the program of awk includes another or calls by name");
		}
	}
}

enum { PROGRAM_GIVEN = 1, INCLUDES = 2 /* -i inplace writes what it reads (gawk(1)) */ };

static void program_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (value->is_static)
		run_reads_awk(run, value->text);
	else
		run_open(run, "the program of awk is not known before it runs");
}

static bool is_assignment(struct bytes t)
{
	size_t i = 0;

	while (i < t.len && name_char((unsigned char)t.p[i]))
		i++;
	return i > 0 && i < t.len && t.p[i] == '=';
}

static void awk_command(struct run *run)
{
	uint32_t at = 0;
	bool file = false;

	if (!(run->bits & PROGRAM_GIVEN)) {
		if (run->n_operands == 0)
			return;
		program_option(run, NULL, &run->operands[at++]);
	}
	for (; at < run->n_operands; at++) {
		if (run->operands[at].is_static && is_assignment(run->operands[at].text))
			continue;
		file = true;
		run_effect(run, EFFECT_READ, &run->operands[at]);
		if (run->bits & INCLUDES)
			run_effect(run, EFFECT_WRITE, &run->operands[at]);
	}
	if (!file)
		run->out->stdin_role = STDIN_READ;
}

/* POSIX order: the program ends the options. */
MODEL(awk) = {
	.name = "awk",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "F:v:bcCgnNOPrsStM",
	.special = awk_command,
	.option = program_option,
	.longs = "field-separator= assign= characters-as-bytes traditional copyright gen-pot no-optimize "
		 "optimize posix re-interval sandbox lint?= non-decimal-data use-lc-numeric bignum csv",
	.options = OPTIONS{ { "f", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_EXECUTE, PROGRAM_GIVEN },
		{ "e", "source", REQUIRED, CALL, .set = PROGRAM_GIVEN },
		{ "i", "include", REQUIRED, REFUSE, .set = INCLUDES, .text = "-i loads other code" },
		{ "l", "load", REQUIRED, REFUSE, .text = "-l loads other code" },
		{ "E", "exec", REQUIRED, EFFECT_OF_VALUE, EFFECT_EXECUTE, PROGRAM_GIVEN },
		{ "dpDo", "dump-variables profile debug pretty-print", OPTIONAL, REFUSE,
			.text = "writes a file" },
		{ "W", NULL, REQUIRED, REFUSE, .text = "-W is not known to the gate" }, { 0 } },
};
