/* SPDX-License-Identifier: Apache-2.0 */
/* What follows a dollar. */
#include "worker/shell/parser.h"

/* zsh reads a subscript or a modifier right behind an unbraced name, and gives $#x and $+x a meaning. */
static void met_bare_param(struct parser *p, const struct word_part *part)
{
	const char *at = p->in.at;
	int next = peek(p);

	if (next == '[' || next == ':')
		met(p, CONSTRUCT_PARAM_SUFFIX, part->text.p);
	if ((part->text.p[0] == '#' || part->text.p[0] == '?' || part->text.p[0] == '*' || part->text.p[0] == '@' ||
		part->text.p[0] == '-' || part->text.p[0] == '!') && next != END_OF_INPUT &&
		(char_is((char)next, CHAR_NAME_START | CHAR_DIGIT | CHAR_SPECIAL_PARAM)))
		met(p, CONSTRUCT_PARAM_SUFFIX, at);
}

static bool add_param(struct parser *p, struct part_list *l, const char *name, size_t len)
{
	struct word_part *part = add_part(p, l, PART_PARAM, name, len);

	if (!part)
		return false;
	p->has_params = true;
	part->many = *name == '@';
	met_bare_param(p, part);
	return true;
}

static bool parse_name(struct parser *p, struct part_list *l)
{
	const char *name = p->in.at;
	char *copy;
	size_t len = 0;

	while (p->in.at < p->in.end && char_is_name(*p->in.at))
		p->in.at++;
	len = (size_t)(p->in.at - name);
	if (peek(p) == END_OF_INPUT || !char_is_name(*p->in.at) || p->in.at == name + len)
		return add_param(p, l, name, len);
	/* The name goes on behind a line continuation. */
	copy = arena_copy(p->arena, name, len + (size_t)(p->in.end - p->in.at));
	if (!copy)
		return stop_memory(p);
	while (peek(p) != END_OF_INPUT && char_is_name(*p->in.at))
		copy[len++] = *p->in.at++;
	return add_param(p, l, copy, len);
}

static bool parse_dollar_paren(struct parser *p, struct part_list *l, const char *start)
{
	if (peek_after(p) == '(') {
		struct part_list inner = { .first = NULL };
		struct word_part *part;

		if (try_double_parens(p, &inner)) {
			part = add_part(p, l, PART_ARITH, start, (size_t)(p->in.at - start));
			if (part)
				part->children = inner.first;
			return part;
		}
		if (p->stopped)
			return false;
		met(p, CONSTRUCT_NESTED_PARENS, start);
		peek(p);
	}
	p->in.at++;
	return parse_command_substitution(p, l, start);
}

/* At the `$`. One that begins no expansion is text. */
bool parse_dollar(struct parser *p, struct part_list *l, enum quoting quoting)
{
	const char *start = p->in.at++;
	int c = peek(p);

	if (c == END_OF_INPUT)
		return add_part(p, l, PART_LITERAL, start, 1);
	if (char_is((char)c, CHAR_NAME_START))
		return parse_name(p, l);
	if (char_is((char)c, CHAR_DIGIT | CHAR_SPECIAL_PARAM)) {
		int next = c == '$' && p->braces > 0 ? peek_after(p) : END_OF_INPUT;

		/* Looking for the closing brace bash takes the second dollar for the beginning of an expansion. */
		if (next == '{' || next == '(' || next == '[' || next == '\'' || next == '"')
			unmodelled(p, UNMODELLED_OTHER, start, "$$ before a bracket or quote inside ${…}");
		p->in.at++;
		return add_param(p, l, p->in.at - 1, 1);
	}
	switch (c) {
	case '(':
		return parse_dollar_paren(p, l, start);
	case '{':
		p->in.at++;
		return parse_braced_param(p, l, start, quoting);
	case '[':
		p->in.at++;
		return parse_dollar_bracket(p, l, start);
	case '\'':
		if (quoting == QUOTING_NONE)
			return parse_ansi_c(p, l);
		break;
	case '"':
		if (quoting == QUOTING_NONE) {
			met(p, CONSTRUCT_LOCALE_STRING, start);
			return parse_double_quoted(p, l, PART_LOCALE);
		}
		break;
	default:
		break;
	}
	if (p->quoted_braces > 0 && (c == '"' || c == '\'' || c == '\\'))
		unmodelled(p, UNMODELLED_OTHER, start, "a dollar before a quote that goes, in a quoted ${…}");
	met(p, CONSTRUCT_LONE_DOLLAR, start);
	return add_part(p, l, PART_LITERAL, start, 1);
}
