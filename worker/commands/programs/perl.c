/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One-liners of perl over lines of files: print, next, last, chomp, s/// and tr///, with a condition behind them or in
 * front, made of matches, line numbers and constants. What a pattern or a text interpolates is limited to matches,
 * fields and the line; nothing else is understood (perlrun(1), perlop(1), perlre(1)).
 */
#include "worker/commands/programs/perl.h"

struct reader {
	const char *p, *end;
	bool failed;
};

static bool fail(struct reader *r)
{
	r->failed = true;
	return false;
}

static char peek(const struct reader *r)
{
	return r->p < r->end ? *r->p : '\0';
}

static void blanks(struct reader *r)
{
	while (r->p < r->end && strchr(" \t\n", *r->p))
		r->p++;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The word that stands here, if it is this one and ends here. */
static bool take(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	blanks(r);
	if ((size_t)(r->end - r->p) < n || memcmp(r->p, word, n) != 0)
		return false;
	if (is_word(word[n - 1]) && r->p + n < r->end && is_word(r->p[n]))
		return false;
	r->p += n;
	return true;
}

/* Behind a variable: an index or an arrow would be evaluated. */
static bool ends_variable(const char *p, const char *end)
{
	return p == end || (*p != '[' && *p != '{' && !(*p == '-' && p + 1 < end && p[1] == '>') &&
		!(*p == ':' && p + 1 < end && p[1] == ':'));
}

/* $1, $&, $_, $., ${1}, $F[0], $ARGV: the length, or 0. */
static size_t variable(const char *p, const char *end)
{
	const char *at = p + 1;

	if (at >= end)
		return 0;
	if (*at == 'F' && at + 1 < end && at[1] == '[') {
		at += 2;
		at += at < end && *at == '-' ? 1 : 0;
		while (at < end && *at >= '0' && *at <= '9')
			at++;
		return at < end && *at == ']' && at[-1] != '[' && ends_variable(at + 1, end) ? (size_t)(at + 1 - p) : 0;
	}
	if (*at == '{') {
		while (++at < end && *at >= '0' && *at <= '9')
			continue;
		return at < end && *at == '}' && at > p + 2 && ends_variable(at + 1, end) ? (size_t)(at + 1 - p) : 0;
	}
	if (*at >= '1' && *at <= '9')
		while (at < end && *at >= '0' && *at <= '9')
			at++;
	else if (*at == '&' || *at == '.' || (*at == '_' && !(at + 1 < end && is_word(at[1]))))
		at++;
	else if (end - at >= 4 && memcmp(at, "ARGV", 4) == 0 && !(at + 4 < end && is_word(at[4])))
		at += 4;
	else
		return 0;
	return ends_variable(at, end) ? (size_t)(at - p) : 0;
}

/* One character, with the backslash in front of it. */
static void step_over(struct reader *r)
{
	r->p += *r->p == '\\' && r->end - r->p > 1 ? 2 : 1;
}

/* A text between delimiters: no array, no block, no variable but those above. Steps over the closing one. */
static bool body(struct reader *r, char close, bool pattern)
{
	while (r->p < r->end && *r->p != close) {
		size_t n;

		if (*r->p == '\\') {
			step_over(r);
			continue;
		}
		if (*r->p == '@' || (*r->p == '`' && !pattern))
			return fail(r);
		/* (?{…}) and (??{…}) are code, and so are the newer verbs; (?(…) may hold it. */
		if (pattern && *r->p == '(' && r->p + 1 < r->end && (r->p[1] == '*' ||
			(r->p[1] == '?' && (r->p + 2 >= r->end || strchr(":=!<imsxn^>|-", r->p[2]) == NULL))))
			return fail(r);
		if (*r->p != '$') {
			r->p++;
			continue;
		}
		/* At the end of a pattern, or of a part of one, it is an anchor. */
		if (pattern && (r->p + 1 >= r->end || r->p[1] == close || r->p[1] == ')' || r->p[1] == '|')) {
			r->p++;
			continue;
		}
		n = pattern ? 0 : variable(r->p, r->end);
		if (n == 0)
			return fail(r);
		r->p += n;
	}
	if (r->p >= r->end)
		return fail(r);
	r->p++;
	return true;
}

/* The delimiters this reader knows; ' would not interpolate, brackets nest. */
static char delimiter(struct reader *r)
{
	char c = peek(r);

	if (c == '\0' || strchr("/|#!,:;%~", c) == NULL) {
		fail(r);
		return '\0';
	}
	r->p++;
	return c;
}

static void flags(struct reader *r, const char *allowed)
{
	while (r->p < r->end && is_word(*r->p)) {
		if (strchr(allowed, *r->p) == NULL) {
			fail(r);
			return;
		}
		r->p++;
	}
}

static bool starts_operator(const struct reader *r, const char *name)
{
	size_t n = strlen(name);

	return (size_t)(r->end - r->p) > n && memcmp(r->p, name, n) == 0 && strchr("/|#!,:;%~", r->p[n]) != NULL;
}

/* /…/ and m|…| */
static bool match(struct reader *r)
{
	char close;

	blanks(r);
	if (peek(r) != '/' && !starts_operator(r, "m"))
		return false;
	r->p += peek(r) == 'm' ? 1 : 0;
	close = delimiter(r);
	if (!r->failed && body(r, close, true))
		flags(r, "gimsxo");
	return !r->failed;
}

/* s/…/…/, tr/…/…/ and y/…/…/; with e the replacement is code. */
static bool changes(struct reader *r)
{
	bool tr = starts_operator(r, "tr") || starts_operator(r, "y");
	char close;

	if (!tr && !starts_operator(r, "s"))
		return false;
	r->p += starts_operator(r, "tr") ? 2 : 1;
	close = delimiter(r);
	if (tr) {
		for (int part = 0; part < 2 && !r->failed; part++) {
			while (r->p < r->end && *r->p != close)
				step_over(r);
			if (r->p >= r->end)
				return fail(r);
			r->p++;
		}
		flags(r, "cds");
		return !r->failed;
	}
	if (!r->failed && body(r, close, true) && body(r, close, false))
		flags(r, "gimsxo");
	return !r->failed;
}

static bool number(struct reader *r)
{
	const char *from;

	blanks(r);
	from = r->p;
	while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
		r->p++;
	return r->p > from && !is_word(peek(r));
}

/* A value: a text, a variable, a number, eof. */
static bool value(struct reader *r)
{
	size_t n;

	blanks(r);
	if (peek(r) == '"') {
		r->p++;
		return body(r, '"', false);
	}
	if (peek(r) == '\'') {
		r->p++;
		while (r->p < r->end && *r->p != '\'')
			step_over(r);
		if (r->p >= r->end)
			return fail(r);
		r->p++;
		return true;
	}
	if (peek(r) == '$') {
		n = variable(r->p, r->end);
		if (n == 0)
			return fail(r);
		r->p += n;
		return true;
	}
	return take(r, "eof") || number(r);
}

/* VALUE or a match, compared or not. */
static bool comparison(struct reader *r)
{
	static const char *const operators[] = { "==", "!=", ">=", "<=", "...", "..", "eq", "ne", ">", "<" };

	if (take(r, "!") || take(r, "not"))
		return comparison(r);
	if (match(r))
		return true;
	if (r->failed || !value(r))
		return fail(r);
	if (take(r, "=~") || take(r, "!~"))
		return match(r) ? true : fail(r);
	for (size_t i = 0; i < ARRAY_LEN(operators); i++)
		if (take(r, operators[i]))
			return match(r) || (!r->failed && value(r)) ? true : fail(r);
	return true;
}

static bool condition(struct reader *r)
{
	bool parenthesis = take(r, "(");

	do {
		if (!comparison(r))
			return false;
	} while (take(r, "&&") || take(r, "||") || take(r, "and") || take(r, "or"));
	return !parenthesis || take(r, ")") || fail(r);
}

static bool list(struct reader *r)
{
	blanks(r);
	if (peek(r) == '\0' || peek(r) == ';' || peek(r) == '}')
		return true;
	for (const struct reader *c = r; !c->failed;) {
		struct reader ahead = *r;

		if (take(&ahead, "if") || take(&ahead, "unless"))
			return true;
		if (!value(r))
			return fail(r);
		if (!take(r, ",") && !take(r, "."))
			return true;
	}
	return false;
}

static bool action(struct reader *r)
{
	blanks(r);
	if (changes(r))
		return true;
	if (r->failed)
		return false;
	if (take(r, "print") || take(r, "say"))
		return list(r);
	return take(r, "next") || take(r, "last") || take(r, "chomp") || fail(r);
}

static bool statement(struct reader *r)
{
	if (!action(r))
		return false;
	if (take(r, "if") || take(r, "unless"))
		return condition(r);
	return true;
}

bool perl_text_is_understood(struct bytes text)
{
	struct reader r = { .p = text.p, .end = text.p + text.len };

	while (!r.failed) {
		while (take(&r, ";"))
			continue;
		blanks(&r);
		if (r.p >= r.end)
			return true;
		if (!statement(&r))
			return false;
		blanks(&r);
		if (r.p < r.end && *r.p != ';')
			return false;
	}
	return false;
}

/* What <> opens as it is written: `cmd|`, `|cmd`, `>file` and blanks around it mean more (perlopentut(1)). */
static bool is_plain_name(const struct arg *a)
{
	struct bytes name = a->is_static || !a->word ? a->text : a->word->src;
	char last;

	if (a->text.len == 0 || strchr("|<>+&- \t", a->text.p[0]))
		return false;
	last = name.len ? name.p[name.len - 1] : '|';
	return a->is_static ? strchr("| \t\n", last) == NULL : is_word(last);
}

/* The switches in one word; *ret_code: its e is the last letter. */
static bool known_switches(struct bytes word, bool *ret_code, bool *ret_loop)
{
	for (size_t i = 1; i < word.len; i++) {
		char c = word.p[i];

		if (c == 'n' || c == 'p')
			*ret_loop = true;
		if (c == 'i') /* the rest is the backup's suffix */
			return !bytes_char(bytes_from(word, i + 1), '/') && !bytes_char(bytes_from(word, i + 1), '*');
		if (c == 'F') /* a pattern to split at; a plain character */
			return word.len == i + 2 && strchr(",:;|\t=", word.p[i + 1]) != NULL;
		if (c == 'e' || c == 'E') {
			*ret_code = true;
			return i + 1 == word.len;
		}
		if (!strchr("npalw0123456789", c))
			return false;
	}
	return true;
}

bool perl_is_understood(const struct run *run)
{
	bool loop = false, code = false;
	uint32_t at = 0;

	for (; at < run->argc && bytes_start(run->argv[at].text, "-") && run->argv[at].is_static; at++) {
		bool here = false;

		if (run->argv[at].text.len < 2 || !known_switches(run->argv[at].text, &here, &loop))
			return false;
		if (!here)
			continue;
		if (code || ++at >= run->argc || !run->argv[at].is_static ||
			!perl_text_is_understood(run->argv[at].text))
			return false;
		code = true;
	}
	if (!code)
		return false;
	for (; at < run->argc; at++)
		if (!is_plain_name(&run->argv[at]))
			return false;
	return true;
}
