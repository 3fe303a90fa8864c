/* SPDX-License-Identifier: Apache-2.0 */
/* Assignments before a command, and arrays. */
#include "worker/shell/parser.h"

/* Moves over a name at the cursor; a name broken by a line continuation is copied whole. */
static bool scan_name(struct parser *p, struct bytes *ret_name)
{
	const char *start;
	char *copy;
	size_t len;

	if (peek(p) == END_OF_INPUT || !char_is(*p->in.at, CHAR_NAME_START))
		return false;
	start = p->in.at;
	while (p->in.at < p->in.end && char_is_name(*p->in.at))
		p->in.at++;
	*ret_name = (struct bytes){ start, (size_t)(p->in.at - start) };
	if (p->in.at == p->in.end || *p->in.at != '\\' || peek(p) == END_OF_INPUT || !char_is_name(*p->in.at))
		return true;
	for (len = ret_name->len; peek(p) != END_OF_INPUT && char_is_name(*p->in.at); p->in.at++)
		len++;
	copy = parser_alloc(p, len + 1);
	if (!copy)
		return false;
	len = 0;
	for (const char *at = start; at < p->in.at; at++)
		if (char_is_name(*at))
			copy[len++] = *at;
	*ret_name = (struct bytes){ copy, len };
	return true;
}

static bool scan_sign(struct parser *p, bool *ret_append)
{
	bool append = peek(p) == '+';

	if (append)
		p->in.at++;
	if (peek(p) != '=')
		return false;
	p->in.at++;
	*ret_append = append;
	return true;
}

/* Behind `name[`: to behind `]`. */
static struct word *parse_subscript(struct parser *p)
{
	struct word *w = parser_new(p, struct word);
	const char *start = p->in.at;
	struct part_list inner = { .first = NULL }, parts = { .first = NULL };

	if (!w || !parse_matched(p, &inner, '[', ']', MATCHED_ARITH))
		return NULL;
	w->src = (struct bytes){ start, (size_t)(p->in.at - 1 - start) };
	if (!add_part(p, &parts, PART_GLOB, start, w->src.len))
		return NULL;
	parts.first->children = inner.first;
	w->parts = parts.first;
	return finish_word(p, w, WORD_ARGUMENT) ? w : NULL;
}

/* Would the text be read the same where no subscript is looked for? */
static bool is_one_word(struct bytes s)
{
	for (size_t i = 0; i < s.len; i++)
		if (char_is(s.p[i], CHAR_META) || s.p[i] == '\\' || s.p[i] == '\'' || s.p[i] == '"')
			return false;
	return true;
}

bool parse_array(struct parser *p, struct word **ret_elements)
{
	struct word *first = NULL, **tail = &first;

	if (!enter(p))
		return false;
	for (;;) {
		if (!skip_newlines(p))
			return false;
		if (peek(p) == ')')
			break;
		*tail = parse_word(p, WORD_ELEMENT);
		if (!*tail)
			return false;
		tail = &(*tail)->next;
	}
	p->in.at++;
	leave(p);
	*ret_elements = first;
	return true;
}

static bool parse_value(struct parser *p, struct assignment *a)
{
	if (peek(p) != '(') {
		a->value = parse_word(p, WORD_VALUE);
		return a->value;
	}
	met(p, CONSTRUCT_ARRAY, p->in.at);
	p->in.at++;
	a->is_array = true;
	return parse_array(p, &a->elements);
}

struct assignment *parse_assignment(struct parser *p)
{
	struct assignment *a;
	struct word *subscript = NULL;
	struct attempt attempt;
	const char *start;
	struct bytes name;
	bool append;

	peek(p);
	start = p->in.at;
	if (!scan_name(p, &name)) {
		p->in.at = start;
		return NULL;
	}
	if (peek(p) == '[') {
		const char *here = p->in.at;

		p->in.at = start;
		begin_attempt(p, &attempt);
		p->in.at = here;
		met(p, CONSTRUCT_ARRAY, start);
		p->in.at++;
		subscript = parse_subscript(p);
		if (!subscript)
			return NULL;
		if (!scan_sign(p, &append)) {
			/* No assignment but a command word; in bash it may then hold blanks and operators. */
			if (!is_one_word(subscript->src))
				return stop_syntax(p, "an array's element where a command should begin");
			undo_attempt(p, &attempt);
			return NULL;
		}
	} else if (!scan_sign(p, &append)) {
		p->in.at = start;
		return NULL;
	}
	a = parser_new(p, struct assignment);
	if (!a)
		return NULL;
	met(p, CONSTRUCT_ASSIGNMENT, start);
	p->has_assignments = true;
	a->name = name;
	a->subscript = subscript;
	a->append = append;
	if (append)
		met(p, CONSTRUCT_ARRAY, start);
	if (!parse_value(p, a))
		return NULL;
	a->src = (struct bytes){ start, (size_t)(p->in.at - start) };
	return a;
}
