/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of Python (language reference, "Lexical analysis"). The expressions inside f-strings are tokens like
 * all others. */
#include "worker/commands/inline.h"

enum { TOKENS_MAX = 8192, NESTING_MAX = 4 };

struct lexer {
	struct run *run;
	struct bytes s;
	size_t at;
	struct tokens *out;
	uint16_t depth, indent;
	uint32_t nesting; /* of f-strings */
	uint32_t most; /* tokens there is room for */
};

static int peek(const struct lexer *l, size_t ahead)
{
	return l->at + ahead < l->s.len ? (unsigned char)l->s.p[l->at + ahead] : -1;
}

static bool name_start(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool name_char(int c)
{
	return name_start(c) || (c >= '0' && c <= '9');
}

static bool emit(struct lexer *l, enum token_kind kind, struct bytes text, bool is_static)
{
	if (l->out->n + 1 >= l->most)
		return false;
	l->out->t[l->out->n++] = (struct token){
		.kind = kind, .text = text, .is_static = is_static, .depth = l->depth, .indent = l->indent
	};
	return true;
}

static bool lex(struct lexer *l);

/* One {…} of an f-string: its tokens, as if they were an argument. */
static bool replacement(struct lexer *l, struct bytes text)
{
	struct lexer inner = *l;

	if (l->nesting >= NESTING_MAX)
		return false;
	inner.s = text;
	inner.at = 0;
	inner.nesting++;
	inner.depth++;
	if (!emit(l, TOKEN_OPERATOR, BYTES("%"), true) || !emit(l, TOKEN_OPERATOR, BYTES("("), true) ||
		!lex(&inner))
		return false;
	return inner.depth == l->depth + 1 && emit(l, TOKEN_OPERATOR, BYTES(")"), true);
}

static bool replacements(struct lexer *l, struct bytes text)
{
	size_t i = 0;

	while (i < text.len) {
		size_t depth = 1, start;

		if (text.p[i] != '{' && text.p[i] != '}') {
			i++;
			continue;
		}
		if (i + 1 < text.len && text.p[i + 1] == text.p[i]) {
			i += 2;
			continue;
		}
		if (text.p[i] == '}')
			return false;
		start = ++i;
		for (; i < text.len && depth; i++) {
			if (text.p[i] == '{')
				depth++;
			else if (text.p[i] == '}')
				depth--;
		}
		if (depth || !replacement(l, (struct bytes){ text.p + start, i - 1 - start }))
			return false;
	}
	return true;
}

/* A string from its opening quote on; `prefix` are the letters in front. */
static bool string(struct lexer *l, struct bytes prefix)
{
	int quote = peek(l, 0);
	bool triple = peek(l, 1) == quote && peek(l, 2) == quote;
	bool raw = bytes_char(prefix, 'r') || bytes_char(prefix, 'R'), escaped = false;
	bool format = bytes_char(prefix, 'f') || bytes_char(prefix, 'F');
	struct bytes text;
	size_t start;

	l->at += triple ? 3 : 1;
	start = l->at;
	for (;; l->at++) {
		int c = peek(l, 0);

		if (c < 0 || (c == '\n' && !triple))
			return false;
		if (c == '\\') {
			escaped = true;
			l->at++;
		} else if (c == quote && (!triple || (peek(l, 1) == quote && peek(l, 2) == quote))) {
			break;
		}
	}
	text = (struct bytes){ l->s.p + start, l->at - start };
	l->at += triple ? 3 : 1;
	if (!emit(l, TOKEN_STRING, text, !format && (!escaped || raw)))
		return false;
	return !format || replacements(l, text);
}

static bool is_prefix(struct bytes name)
{
	if (name.len > 2)
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (!strchr("rRbBuUfF", name.p[i]))
			return false;
	return true;
}

static bool newline(struct lexer *l)
{
	uint16_t indent = 0;

	l->at++;
	if (l->depth)
		return true;
	while (peek(l, 0) == ' ' || peek(l, 0) == '\t') {
		indent++;
		l->at++;
	}
	l->indent = indent;
	return emit(l, TOKEN_NEWLINE, BYTES("\n"), true);
}

static bool operator(struct lexer *l)
{
	static const char *const three[] = { "**=", "//=", ">>=", "<<=", "..." };
	static const char *const two[] = { "**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->",
		"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ":=", "@=" };
	struct bytes rest = bytes_from(l->s, l->at);
	size_t n = 1;
	int c = peek(l, 0);

	for (size_t i = 0; i < ARRAY_LEN(two); i++)
		if (bytes_start(rest, two[i]))
			n = 2;
	for (size_t i = 0; i < ARRAY_LEN(three); i++)
		if (bytes_start(rest, three[i]))
			n = 3;
	if (c == ')' || c == ']' || c == '}') {
		if (l->depth == 0)
			return false;
		l->depth--;
	}
	if (!emit(l, TOKEN_OPERATOR, (struct bytes){ rest.p, n }, true))
		return false;
	if (c == '(' || c == '[' || c == '{')
		l->depth++;
	l->at += n;
	return true;
}

static bool one(struct lexer *l)
{
	int c = peek(l, 0);
	size_t start = l->at;
	struct bytes text;

	if (name_char(c)) {
		while (name_char(peek(l, 0)) || (c >= '0' && c <= '9' && peek(l, 0) == '.'))
			l->at++;
		text = (struct bytes){ l->s.p + start, l->at - start };
		if (name_start(c) && (peek(l, 0) == '"' || peek(l, 0) == '\'') && is_prefix(text))
			return string(l, text);
		return emit(l, name_start(c) ? TOKEN_NAME : TOKEN_NUMBER, text, true);
	}
	if (c == '"' || c == '\'')
		return string(l, (struct bytes){ NULL, 0 });
	/* Names of other letters are normalised by Python, so that they may mean another name. */
	if (c >= 0x80 || c < 0x20 || !strchr("+-*/%@&|^~<>()[]{},:.;=!", c))
		return false;
	return operator(l);
}

/* A comment may declare another encoding, in which the text is another one. */
static bool comment(struct lexer *l)
{
	size_t start = l->at;

	while (peek(l, 0) >= 0 && peek(l, 0) != '\n') {
		if (peek(l, 0) == '\r' && peek(l, 1) != '\n')
			return false;
		l->at++;
	}
	return !bytes_find((struct bytes){ l->s.p + start, l->at - start }, "coding");
}

static bool lex(struct lexer *l)
{
	while (l->at < l->s.len) {
		int c = peek(l, 0);

		if (c == '\n') {
			if (!newline(l))
				return false;
		} else if (c == '\r' && peek(l, 1) != '\n') {
			return false; /* Python takes it for the end of a line */
		} else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
			l->at++;
		} else if (c == '\\' && peek(l, 1) == '\n') {
			l->at += 2;
		} else if (c == '#' && l->nesting == 0) {
			if (!comment(l))
				return false;
		} else if (!one(l)) {
			return false;
		}
	}
	return true;
}

bool python_tokens(struct run *run, struct bytes text, struct tokens *ret)
{
	struct lexer l = { .run = run, .s = text, .out = ret };
	size_t most = text.len + 2 < TOKENS_MAX ? 2 * text.len + 8 : TOKENS_MAX;

	if (most > TOKENS_MAX)
		most = TOKENS_MAX;
	ret->t = run_alloc(run, most * sizeof(*ret->t));
	ret->n = 0;
	l.most = (uint32_t)most;
	if (!ret->t || !lex(&l) || l.depth)
		return false;
	ret->t[ret->n] = (struct token){ .kind = TOKEN_END };
	return true;
}
