/* SPDX-License-Identifier: Apache-2.0 */
/* JavaScript's tokens (ECMA-262 12). */
#include "worker/commands/inline/node.h"

static bool name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static void fail(struct javascript *p, const char *why)
{
	tree_wrong(p->tree, why);
	p->token = JS_END;
	p->text = (struct bytes){ p->end, 0 };
}

static struct bytes rest(const struct javascript *p)
{
	return (struct bytes){ p->at, (size_t)(p->end - p->at) };
}

static bool skip_blanks(struct javascript *p)
{
	while (p->at < p->end) {
		const char *close;

		if (*p->at == ' ' || *p->at == '\t') {
			p->at++;
		} else if (*p->at == '\n') {
			p->newline = true;
			p->at++;
		} else if (bytes_start(rest(p), "//")) {
			while (p->at < p->end && *p->at != '\n')
				p->at++;
		} else if (bytes_start(rest(p), "/*")) {
			close = memmem(p->at + 2, (size_t)(p->end - p->at - 2), "*/", 2);
			if (!close) {
				fail(p, "a comment in it does not end");
				return false;
			}
			p->newline = p->newline || memchr(p->at, '\n', (size_t)(close - p->at));
			p->at = close + 2;
		} else {
			return true;
		}
	}
	return true;
}

static void string_token(struct javascript *p)
{
	const char *q = p->at + 1;

	while (q < p->end && *q != *p->at && *q != '\n')
		q += *q == '\\' && p->end - q > 1 ? 2 : 1;
	if (q >= p->end || *q == '\n') {
		fail(p, "a string in it does not end");
		return;
	}
	p->token = JS_STRING;
	p->text = (struct bytes){ p->at + 1, (size_t)(q - p->at - 1) };
	p->at = q + 1;
}

static void number_token(struct javascript *p)
{
	const char *q = p->at;
	bool decimal = !(q[0] == '0' && p->end - q > 1 && name_start(q[1]));

	while (q < p->end && (digit(*q) || name_start(*q) || (decimal && *q == '.') ||
				     (decimal && (*q == '+' || *q == '-') && (q[-1] == 'e' || q[-1] == 'E'))))
		q++;
	p->token = JS_NUMBER;
	p->text = (struct bytes){ p->at, (size_t)(q - p->at) };
	for (size_t i = 0; i < p->text.len; i++)
		if (name_start(p->text.p[i]) && !strchr("abcdefABCDEFxXoOn_", p->text.p[i])) {
			fail(p, "a number in it is not understood");
			return;
		}
	/* 1..name would be an attribute of it. */
	for (size_t i = 0; i + 1 < p->text.len; i++)
		if (p->text.p[i] == '.' && !digit(p->text.p[i + 1])) {
			fail(p, "a number in it is not understood");
			return;
		}
	p->at = q;
}

static void operator_token(struct javascript *p)
{
	static const char *const operators[] = { ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=",
		"||=", "?\?=", "=>", "==", "!=", "<=", ">=", "&&", "||", "?\?", "?.", "++", "--", "+=", "-=",
		"*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**", "{", "}", "(", ")", "[", "]", ";", ",",
		"<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "?", ":", "=", ".", "`" };

	if (bytes_start(rest(p), "<!--") || (p->newline && bytes_start(rest(p), "-->"))) {
		fail(p, "a comment of a kind that is not read");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
		if (*operators[i] != *p->at || !bytes_start(rest(p), operators[i]))
			continue;
		/* a?.5:b is a condition. */
		if (bytes_is(bytes_str(operators[i]), "?.") && p->end - p->at > 2 && digit(p->at[2]))
			continue;
		p->token = JS_OP;
		p->text = (struct bytes){ p->at, strlen(operators[i]) };
		p->at += p->text.len;
		return;
	}
	fail(p, "a character in it is not understood");
}

void javascript_next(struct javascript *p)
{
	const char *q;

	p->newline = false;
	if (tree_failed(p->tree)) {
		p->token = JS_END;
		return;
	}
	if (!skip_blanks(p))
		return;
	if (p->at >= p->end) {
		p->token = JS_END;
		p->text = (struct bytes){ p->end, 0 };
	} else if (name_start(*p->at)) {
		for (q = p->at; q < p->end && (name_start(*q) || digit(*q));)
			q++;
		p->token = JS_NAME;
		p->text = (struct bytes){ p->at, (size_t)(q - p->at) };
		p->at = q;
	} else if (digit(*p->at) || (*p->at == '.' && p->end - p->at > 1 && digit(p->at[1]))) {
		number_token(p);
	} else if (*p->at == '"' || *p->at == '\'') {
		string_token(p);
	} else {
		operator_token(p);
	}
}

bool javascript_is(const struct javascript *p, const char *op)
{
	return (p->token == JS_OP || p->token == JS_NAME) && bytes_is(p->text, op);
}

bool javascript_accept(struct javascript *p, const char *op)
{
	if (!javascript_is(p, op))
		return false;
	javascript_next(p);
	return true;
}

bool javascript_expect(struct javascript *p, const char *op)
{
	if (javascript_accept(p, op))
		return true;
	tree_wrong(p->tree, "its syntax is not understood");
	return false;
}

struct code *javascript_regex(struct javascript *p)
{
	const char *q = p->text.p + 1;
	bool class = false;

	for (; q < p->end && *q != '\n'; q++) {
		if (*q == '\\' && p->end - q > 1)
			q++;
		else if (*q == '[')
			class = true;
		else if (*q == ']')
			class = false;
		else if (*q == '/' && !class)
			break;
	}
	if (q >= p->end || *q != '/')
		return tree_wrong(p->tree, "a regular expression in it does not end");
	for (q++; q < p->end && name_start(*q);)
		q++;
	p->at = q;
	javascript_next(p);
	return tree_code(p->tree, CODE_DATA);
}

/* Escapes other than the plain ones make the text unknown (ECMA-262 12.9.4). */
struct code *javascript_text(struct javascript *p, struct bytes body)
{
	static const char from[] = "nrtbfv", to[] = "\n\r\t\b\f\v";
	struct code *n = tree_code(p->tree, CODE_TEXT);
	char *text = n ? run_alloc(p->tree->run, body.len + 1) : NULL;
	size_t len = 0;

	if (!text)
		return NULL;
	for (size_t i = 0; i < body.len; i++) {
		const char *known;

		if (body.p[i] != '\\' || i + 1 == body.len) {
			text[len++] = body.p[i];
			continue;
		}
		i++;
		known = strchr(from, body.p[i]);
		if (strchr("01234567xu", body.p[i])) {
			n->kind = CODE_DATA;
			return n;
		}
		if (body.p[i] != '\n')
			text[len++] = known ? to[known - from] : body.p[i];
	}
	n->text = (struct bytes){ text, len };
	return n;
}
