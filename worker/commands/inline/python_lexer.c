/* SPDX-License-Identifier: Apache-2.0 */
/* Python's tokens, with its indentation (Python reference 2.1 to 2.6). */
#include "worker/commands/inline/python.h"

static bool name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static void fail(struct python *p, const char *why)
{
	tree_wrong(p->tree, why);
	p->token = PY_END;
	p->text = (struct bytes){ p->end, 0 };
}

static void skip_comment(struct python *p)
{
	while (p->at < p->end && *p->at != '\n')
		p->at++;
}

/* Blanks and joined lines between tokens. */
static void skip_blanks(struct python *p)
{
	while (p->at < p->end) {
		if (*p->at == ' ' || *p->at == '\t')
			p->at++;
		else if (*p->at == '\\' && p->end - p->at > 1 && p->at[1] == '\n')
			p->at += 2;
		else if (*p->at == '#')
			skip_comment(p);
		else if (*p->at == '\n' && p->brackets)
			p->at++;
		else
			return;
	}
}

/* Indentation of the next line that holds something; blank and comment lines have none. */
static bool indentation(struct python *p, uint32_t *ret)
{
	for (;;) {
		const char *start = p->at;

		while (p->at < p->end && (*p->at == ' ' || *p->at == '\t')) {
			if (p->indent_with && *p->at != p->indent_with) {
				fail(p, "blanks and tabs indent it together");
				return false;
			}
			p->at++;
		}
		if (p->at < p->end && *p->at == '#')
			skip_comment(p);
		if (p->at < p->end && *p->at == '\n') {
			p->at++;
			continue;
		}
		*ret = (uint32_t)(p->at - start);
		if (*ret)
			p->indent_with = *start;
		return true;
	}
}

/* True: a token of indentation was made. */
static bool line_start(struct python *p)
{
	uint32_t columns;

	p->line_start = false;
	if (!indentation(p, &columns))
		return true;
	p->text = (struct bytes){ p->at, 0 };
	if (p->at >= p->end)
		columns = 0;
	if (columns > p->indents[p->n_indents]) {
		if (p->n_indents + 1 >= PYTHON_INDENTS) {
			fail(p, "it is nested too deeply");
			return true;
		}
		p->indents[++p->n_indents] = columns;
		p->token = PY_INDENT;
		return true;
	}
	while (columns < p->indents[p->n_indents]) {
		p->n_indents--;
		p->dedents++;
	}
	if (columns != p->indents[p->n_indents]) {
		fail(p, "its indentation is not consistent");
		return true;
	}
	return false;
}

/* Prefix, quotes and content; the token's text is all of it. */
static bool string_token(struct python *p, const char *quote_at)
{
	const char *q = quote_at;
	char quote = *q;
	bool triple = p->end - q >= 3 && q[1] == quote && q[2] == quote;
	size_t n = triple ? 3 : 1;

	q += n;
	while (q < p->end) {
		if (*q == '\\' && p->end - q > 1) {
			q += 2;
			continue;
		}
		if (*q == '\n' && !triple)
			break;
		if (*q == quote && (!triple || (p->end - q >= 3 && q[1] == quote && q[2] == quote))) {
			p->token = PY_STRING;
			p->text = (struct bytes){ p->at, (size_t)(q + n - p->at) };
			p->at = q + n;
			return true;
		}
		q++;
	}
	fail(p, "a string in it does not end");
	return false;
}

static void name_token(struct python *p)
{
	const char *q = p->at;

	while (q < p->end && (name_start(*q) || digit(*q)))
		q++;
	if (q < p->end && (*q == '\'' || *q == '"') && q - p->at <= 2) {
		for (const char *c = p->at; c < q; c++)
			if (!strchr("rRbBfFuU", *c)) {
				fail(p, "a string in it has a prefix that is not known");
				return;
			}
		string_token(p, q);
		return;
	}
	p->token = PY_NAME;
	p->text = (struct bytes){ p->at, (size_t)(q - p->at) };
	p->at = q;
}

static const char *digits(struct python *p, const char *q)
{
	while (q < p->end && (name_start(*q) || digit(*q)))
		q++;
	return q;
}

/* Hexadecimal and the like have no point. What touches the number's end must not be a name or another point. */
static void number_token(struct python *p)
{
	const char *q = digits(p, p->at);

	if (q < p->end && *q == '.' && !(p->at[0] == '0' && q - p->at > 1))
		q = digits(p, q + 1);
	if (q < p->end && (*q == '+' || *q == '-') && (q[-1] == 'e' || q[-1] == 'E') && p->at[0] != '0')
		q = digits(p, q + 1);
	for (const char *c = p->at; c < q; c++)
		if (name_start(*c) && !strchr("abcdefABCDEFxXoOjJ_", *c)) {
			fail(p, "a number in it is not understood");
			return;
		}
	if (q < p->end && *q == '.') {
		fail(p, "a number in it is not understood");
		return;
	}
	p->token = PY_NUMBER;
	p->text = (struct bytes){ p->at, (size_t)(q - p->at) };
	p->at = q;
}

static void operator_token(struct python *p)
{
	static const char *const operators[] = { "**=", "//=", ">>=", "<<=", "...", "!=", "**", "//", ">>",
		"<<", "<=", ">=", "==", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", ":=",
		"+", "-", "*", "/", "%", "&", "|", "^", "~", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":",
		".", ";", "=", "@" };
	struct bytes rest = { p->at, (size_t)(p->end - p->at) };

	for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
		if (*operators[i] != *p->at || !bytes_start(rest, operators[i]))
			continue;
		p->token = PY_OP;
		p->text = (struct bytes){ p->at, strlen(operators[i]) };
		p->at += p->text.len;
		if (strchr("([{", *operators[i]))
			p->brackets++;
		else if (strchr(")]}", *operators[i]) && p->brackets)
			p->brackets--;
		return;
	}
	/* Letters beyond ASCII are folded by Python: two spellings, one name. */
	fail(p, "a character in it is not understood");
}

void python_next(struct python *p)
{
	if (tree_failed(p->tree)) {
		p->token = PY_END;
		return;
	}
	if (p->line_start && !p->dedents && line_start(p))
		return;
	if (p->dedents) {
		p->dedents--;
		p->token = PY_DEDENT;
		return;
	}
	skip_blanks(p);
	if (p->at >= p->end) {
		/* The end of the text ends its last line, and then its blocks. */
		if (p->token != PY_NEWLINE && p->token != PY_DEDENT && p->token != PY_END) {
			p->token = PY_NEWLINE;
			p->text = (struct bytes){ p->end, 0 };
			p->line_start = true;
		} else {
			p->token = PY_END;
		}
		return;
	}
	if (*p->at == '\n') {
		p->at++;
		p->token = PY_NEWLINE;
		p->line_start = true;
	} else if (*p->at == '"' || *p->at == '\'') {
		string_token(p, p->at);
	} else if (name_start(*p->at)) {
		name_token(p);
	} else if (digit(*p->at) || (*p->at == '.' && p->end - p->at > 1 && digit(p->at[1]))) {
		number_token(p);
	} else {
		operator_token(p);
	}
}

bool python_is(const struct python *p, const char *op)
{
	return (p->token == PY_OP || p->token == PY_NAME) && bytes_is(p->text, op);
}

bool python_accept(struct python *p, const char *op)
{
	if (!python_is(p, op))
		return false;
	python_next(p);
	return true;
}

bool python_expect(struct python *p, const char *op)
{
	if (python_accept(p, op))
		return true;
	tree_wrong(p->tree, "its syntax is not understood");
	return false;
}
