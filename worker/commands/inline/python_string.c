/* SPDX-License-Identifier: Apache-2.0 */
/* Python's strings: escapes, and the expressions in formatted ones (Python reference 2.4). */
#include "worker/commands/inline/python.h"

struct string {
	struct bytes body;
	bool raw, formatted, bytes;
	char quote;
};

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* One escape at s[0] == '\\'; the bytes it gives go to *out. Returns its length, 0: not understood. */
static size_t escape(struct bytes s, char **out)
{
	static const char from[] = "\\'\"abfnrtv", to[] = "\\'\"\a\b\f\n\r\t\v";
	const char *known;

	if (s.len < 2)
		return 0;
	if (s.p[1] == '\n')
		return 2;
	known = strchr(from, s.p[1]);
	if (known) {
		*(*out)++ = to[known - from];
		return 2;
	}
	if (s.p[1] == 'x' && s.len >= 4 && hex(s.p[2]) >= 0 && hex(s.p[2]) < 8 && hex(s.p[3]) >= 0) {
		*(*out)++ = (char)(hex(s.p[2]) * 16 + hex(s.p[3]));
		return 4;
	}
	/* Octal, \u, \U, \N: not read, so that no two readings can differ. */
	if (strchr("01234567xuUN", s.p[1]))
		return 0;
	*(*out)++ = '\\';
	*(*out)++ = s.p[1];
	return 2;
}

/* The text of `s`; doubled braces count once in a formatted one. NULL value: data. */
static struct code *literal(struct python *p, const struct string *s, struct bytes part)
{
	struct code *n = tree_code(p->tree, CODE_TEXT);
	char *text = n ? run_alloc(p->tree->run, 2 * part.len + 1) : NULL, *out = text;

	if (!text)
		return NULL;
	for (size_t i = 0; i < part.len;) {
		if (part.p[i] == '\\' && !s->raw) {
			size_t used = escape(bytes_from(part, i), &out);

			if (!used) {
				n->kind = CODE_DATA;
				return n;
			}
			i += used;
			continue;
		}
		if (s->formatted && (part.p[i] == '{' || part.p[i] == '}'))
			i++;
		*out++ = part.p[i++];
	}
	n->text = (struct bytes){ text, (size_t)(out - text) };
	return n;
}

/* Where the replacement field at f[0] == '{' ends: its closing brace, or 0. Quotes of the string itself
 * within a field mean different things to different versions. */
static size_t field_end(const struct string *s, struct bytes f, size_t *ret_expression)
{
	uint32_t depth = 0;
	char inner = '\0';

	*ret_expression = 0;
	for (size_t i = 1; i < f.len; i++) {
		char c = f.p[i];

		if (c == s->quote || c == '\\' || c == '#' || c == '\n')
			return 0;
		if (*ret_expression) {
			/* The format: a field within it is not read. */
			if (c == '{')
				return 0;
			if (c == '}')
				return i;
			continue;
		}
		if (inner) {
			inner = c == inner ? '\0' : inner;
			continue;
		}
		if (c == '\'' || c == '"') {
			inner = c;
			continue;
		}
		if (strchr("([{", c))
			depth++;
		else if (depth && strchr(")]}", c))
			depth--;
		else if (c == '}') {
			*ret_expression = i;
			return i;
		} else if (!depth && (c == ':' || (c == '!' && f.len > i + 1 && f.p[i + 1] != '='))) {
			*ret_expression = i;
		}
	}
	return 0;
}

static struct code *field(struct python *p, struct bytes expression)
{
	struct python inner = { .tree = p->tree,
		.at = expression.p,
		.end = expression.p + expression.len,
		.brackets = 1,
		.token = PY_END };
	struct code *n;

	/* {name=} shows the expression's text as well. */
	if (expression.len > 1 && inner.end[-1] == '=' && !strchr("=!<>", inner.end[-2]))
		inner.end--;
	if (++p->tree->depth > TREE_DEPTH_MAX)
		return tree_wrong(p->tree, "it is nested too deeply");
	python_next(&inner);
	n = python_expressions(&inner);
	p->tree->depth--;
	if (inner.token != PY_NEWLINE && inner.token != PY_END)
		return tree_wrong(p->tree, "a formatted string in it is not understood");
	return n;
}

static void formatted(struct python *p, const struct string *s, struct code *join)
{
	size_t from = 0, i = 0;

	while (i < s->body.len && !tree_failed(p->tree)) {
		struct bytes rest = bytes_from(s->body, i);
		size_t end, expression;

		if (rest.len > 1 && (rest.p[0] == '{' || rest.p[0] == '}') && rest.p[1] == rest.p[0]) {
			i += 2;
			continue;
		}
		if (rest.p[0] == '}') {
			tree_wrong(p->tree, "a formatted string in it is not understood");
			return;
		}
		if (rest.p[0] != '{') {
			i++;
			continue;
		}
		tree_append(join, literal(p, s, (struct bytes){ s->body.p + from, i - from }));
		end = field_end(s, rest, &expression);
		if (!end) {
			tree_wrong(p->tree, "a formatted string in it is not understood");
			return;
		}
		if (expression != end || memchr(rest.p, '=', end)) {
			/* A format may change the text. */
			struct code *data = tree_code(p->tree, CODE_DATA);

			tree_append(data, field(p, (struct bytes){ rest.p + 1, expression - 1 }));
			tree_append(join, data);
		} else {
			tree_append(join, field(p, (struct bytes){ rest.p + 1, expression - 1 }));
		}
		i += end + 1;
		from = i;
	}
	tree_append(join, literal(p, s, bytes_from(s->body, from)));
}

struct code *python_string(struct python *p, struct bytes token)
{
	struct string s = { 0 };
	struct code *n;
	size_t at = 0, quotes;

	while (token.p[at] != '\'' && token.p[at] != '"') {
		s.raw = s.raw || token.p[at] == 'r' || token.p[at] == 'R';
		s.bytes = s.bytes || token.p[at] == 'b' || token.p[at] == 'B';
		s.formatted = s.formatted || token.p[at] == 'f' || token.p[at] == 'F';
		at++;
	}
	s.quote = token.p[at];
	quotes = token.len - at >= 6 && token.p[at + 1] == s.quote && token.p[at + 2] == s.quote ? 3 : 1;
	s.body = (struct bytes){ token.p + at + quotes, token.len - at - 2 * quotes };
	if (s.bytes)
		return tree_code(p->tree, CODE_DATA);
	if (!s.formatted)
		return literal(p, &s, s.body);
	n = tree_code(p->tree, CODE_JOIN);
	if (n)
		formatted(p, &s, n);
	return tree_failed(p->tree) ? NULL : n;
}
