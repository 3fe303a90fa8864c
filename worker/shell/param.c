/* SPDX-License-Identifier: Apache-2.0 */
/* ${ … } in all its forms (bash manual, "Shell Parameter Expansion"). */
#include "worker/shell/parser.h"

struct braced {
	const char *start; /* the dollar */
	enum quoting quoting;
	struct bytes name;
	enum param_form form;
	bool many;
	bool arithmetic; /* an offset and a length follow: no quotes quote */
	bool pattern; /* the operator takes a pattern: single quotes quote even inside double quotes */
	struct part_list children;
};

/* The name: digits, an identifier or one special character. False when there is none. */
static bool scan_name(struct parser *p, struct braced *b)
{
	const char *at;
	int c = peek(p);

	at = p->in.at;
	if (c == END_OF_INPUT)
		return false;
	if (char_is((char)c, CHAR_NAME_START)) {
		while (p->in.at < p->in.end && char_is_name(*p->in.at))
			p->in.at++;
	} else if (char_is((char)c, CHAR_DIGIT)) {
		while (p->in.at < p->in.end && char_is(*p->in.at, CHAR_DIGIT))
			p->in.at++;
	} else if (char_is((char)c, CHAR_SPECIAL_PARAM)) {
		p->in.at++;
	} else {
		return false;
	}
	b->name = (struct bytes){ at, (size_t)(p->in.at - at) };
	b->many = *at == '@';
	return true;
}

/* `#` and `!` in front are operators when a parameter follows, else parameters themselves. */
static void scan_prefix(struct parser *p, struct braced *b)
{
	int c = peek(p), next = peek_after(p);
	bool name_follows = next != END_OF_INPUT && (char_is((char)next, CHAR_NAME_START | CHAR_DIGIT) ||
		((c == '#' || c == '!') && (next == '@' || next == '*')));

	if (c == '#' && !name_follows && next != END_OF_INPUT && char_is((char)next, CHAR_SPECIAL_PARAM)) {
		/* ${#?} is a length, ${#?x} an operator on $#. */
		const char *here = p->in.at;

		advance(p);
		name_follows = peek_after(p) == '}';
		p->in.at = here;
	}
	if (c == '#' && name_follows) {
		b->form = PARAM_LENGTH;
		advance(p);
	} else if (c == '!' && (name_follows || (next != END_OF_INPUT && next != '}' && next != ':' && next != '-' &&
		next != '=' && next != '+' && next != '?' && next != '%' && next != '/' && next != '#'))) {
		b->form = PARAM_INDIRECT;
		met(p, CONSTRUCT_PARAM_BASH, b->start);
		advance(p);
	}
}

static bool scan_subscript(struct parser *p, struct braced *b)
{
	if (peek(p) != '[')
		return true;
	if (b->form == PARAM_PLAIN)
		b->form = PARAM_ARITH;
	met(p, CONSTRUCT_PARAM_BASH, p->in.at);
	advance(p);
	if (peek(p) == '@' && peek_after(p) == ']')
		b->many = true;
	return parse_matched(p, &b->children, '[', ']', MATCHED_ARITH);
}

static void set_form(struct braced *b, enum param_form form)
{
	if (b->form == PARAM_PLAIN)
		b->form = form;
}

/* The operator, for what it says about the value and about quotes. */
static void scan_operator(struct parser *p, struct braced *b)
{
	int c = peek(p), next = c == ':' ? peek_after(p) : c;

	switch (next) {
	case '-': case '?': case '+':
		set_form(b, next == '+' ? PARAM_ALTERNATIVE : next == '?' ? PARAM_COMPLAINT : PARAM_DEFAULT);
		return;
	case '=':
		set_form(b, PARAM_ASSIGN);
		return;
	case '#': case '%':
		b->pattern = c != ':';
		if (c == ':')
			met(p, CONSTRUCT_PARAM_BASH, p->in.at);
		break;
	case '/': case '^': case ',':
		b->pattern = c != ':';
		met(p, CONSTRUCT_PARAM_BASH, p->in.at);
		break;
	case '@':
		met(p, CONSTRUCT_PARAM_BASH, p->in.at);
		if (c == '@' && peek_after(p) == 'P')
			b->form = PARAM_PROMPT;
		break;
	default:
		met(p, CONSTRUCT_PARAM_BASH, p->in.at);
		b->arithmetic = true;
		set_form(b, PARAM_ARITH);
		return;
	}
	set_form(b, PARAM_OTHER);
}

static bool parse_rest_piece(struct parser *p, struct braced *b)
{
	bool inside = b->quoting != QUOTING_NONE;

	switch (*p->in.at) {
	case '\\':
		p->in.at += p->in.end - p->in.at >= 2 ? 2 : 1;
		return true;
	case '\'':
		if (inside)
			met(p, b->pattern ? CONSTRUCT_PATTERN_QUOTES : CONSTRUCT_PARAM_QUOTES, p->in.at);
		return b->arithmetic || (inside && !b->pattern) ? parse_false_quotes(p, &b->children) :
			parse_single_quoted(p, &b->children);
	case '"':
		if (inside)
			met(p, CONSTRUCT_PARAM_QUOTES, p->in.at);
		return parse_double_quoted(p, &b->children, PART_DOUBLE);
	case '$':
		if (inside && p->in.end - p->in.at >= 2 && p->in.at[1] == '\'')
			met(p, CONSTRUCT_PARAM_QUOTES, p->in.at);
		/* What is assigned may be expanded again where the expansion itself stands in no quotes. */
		return inside || b->arithmetic || b->form == PARAM_ASSIGN ?
			parse_false_dollar(p, &b->children, b->quoting) :
			parse_dollar(p, &b->children, b->quoting);
	case '`':
		return parse_backticks(p, &b->children, b->quoting);
	case '(':
		/* zsh takes what is in them for glob qualifiers, and expands an index in there whatever its quotes are. */
		if (!inside)
			met(p, CONSTRUCT_PARAM_PARENS, p->in.at);
		p->in.at++;
		return true;
	case '<': case '>':
		if (!inside && peek_after(p) == '(') {
			/* bash's reader does not see it here, its expansion does: they may differ in where it ends. */
			unmodelled(p, UNMODELLED_OTHER, p->in.at, "a process substitution inside ${…}");
			return parse_process_substitution(p, &b->children);
		}
		/* fallthrough */
	default:
		p->in.at++;
		return true;
	}
}

/* Up to the first closing brace outside quotes; a plain opening brace does not nest. */
static bool parse_to_close(struct parser *p, struct braced *b)
{
	while (peek(p) != '}') {
		if (p->in.at == p->in.end)
			return stop_syntax(p, "a ${…} that is never closed");
		if (!parse_rest_piece(p, b))
			return false;
	}
	p->in.at++;
	return true;
}

static bool parse_rest(struct parser *p, struct braced *b)
{
	bool done;

	p->braces++;
	p->quoted_braces += b->quoting != QUOTING_NONE;
	done = parse_to_close(p, b);
	p->quoted_braces -= b->quoting != QUOTING_NONE;
	p->braces--;
	return done;
}

bool parse_braced_param(struct parser *p, struct part_list *l, const char *start, enum quoting quoting)
{
	struct braced b = { .start = start, .quoting = quoting, .name = BYTES("") };
	struct word_part *part;
	int c = peek(p);

	if (c == ' ' || c == '\t' || c == '\n' || c == '|') {
		p->in.at += c == '|';
		return parse_brace_substitution(p, l, start);
	}
	if (!enter(p))
		return false;
	scan_prefix(p, &b);
	if (!scan_name(p, &b)) {
		b.form = PARAM_OTHER;
		unmodelled(p, UNMODELLED_SYNTAX, start, "a ${…} without a parameter's name");
	} else if (!scan_subscript(p, &b)) {
		return false;
	} else if (peek(p) != '}') {
		scan_operator(p, &b);
	}
	if (!parse_rest(p, &b))
		return false;
	leave(p);
	part = add_part(p, l, PART_PARAM, b.name.p, b.name.len);
	if (!part)
		return false;
	p->has_params = true;
	part->children = b.children.first;
	part->form = b.form;
	part->many = b.many || b.form == PARAM_INDIRECT;
	if (b.form == PARAM_PROMPT)
		unmodelled(p, UNMODELLED_OTHER, start, "${…@P} runs what the value holds");
	return true;
}
