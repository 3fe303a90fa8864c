/* SPDX-License-Identifier: Apache-2.0 */
/* Text up to the character that closes it, of which only the expansions matter: arithmetic, subscripts, patterns. */
#include "worker/shell/parser.h"

static bool may_expand(struct bytes text)
{
	return text.len > 0 && (memchr(text.p, '$', text.len) != NULL || memchr(text.p, '`', text.len) != NULL);
}

static void append_parts(struct part_list *l, const struct part_list *more)
{
	if (more->first == NULL)
		return;
	if (l->last)
		l->last->next = more->first;
	else
		l->first = more->first;
	l->last = more->last;
}

/*
 * What would run of a text that is expanded once more, as far as it can be told: an expansion may begin in it and end
 * in another. That it cannot be read says nothing about what stands around it.
 */
static bool parse_expanded_again(struct parser *p, struct bytes text, struct part_list *ret)
{
	struct input outer = p->in;
	struct attempt attempt;

	begin_attempt(p, &attempt);
	p->in = (struct input){ .start = text.p, .at = text.p, .end = text.p + text.len };
	if (enter(p) && parse_double_text(p, ret, true)) {
		leave(p);
		p->in = outer;
		return true;
	}
	*ret = (struct part_list){ .first = NULL };
	return !p->out_of_memory && p->script->limit == LIMIT_NONE && undo_attempt(p, &attempt);
}

/*
 * bash's reader pairs single quotes here, but what is between them is expanded as inside double quotes: '$(x)' runs x.
 * Quotes that hold no expansion are text; others are listed with what they run, and flagged, since where such an
 * expansion ends is read differently the second time.
 */
bool parse_false_quotes(struct parser *p, struct part_list *l)
{
	const char *text = p->in.at + 1;
	const char *close = memchr(text, '\'', (size_t)(p->in.end - text));
	struct part_list inner = { .first = NULL };
	struct bytes between;

	if (!close)
		return stop_syntax(p, "a single quote that is never closed");
	p->in.at = close + 1;
	between = (struct bytes){ text, (size_t)(close - text) };
	if (!may_expand(between))
		return true;
	unmodelled(p, UNMODELLED_OTHER, text, "an expansion between single quotes that do not quote");
	if (!parse_expanded_again(p, between, &inner))
		return false;
	append_parts(l, &inner);
	return true;
}

static bool parse_false_ansi_c(struct parser *p, struct part_list *l)
{
	const char *start = p->in.at;

	if (!parse_ansi_c(p, l))
		return false;
	if (may_expand((struct bytes){ start, (size_t)(p->in.at - start) }) || may_expand(l->last->text))
		unmodelled(p, UNMODELLED_OTHER, start, "an expansion in a $'…' that does not quote");
	return true;
}

bool parse_false_dollar(struct parser *p, struct part_list *l, enum quoting quoting)
{
	int next = p->in.end - p->in.at >= 2 ? p->in.at[1] : END_OF_INPUT;

	if (next == '\'') {
		p->in.at++;
		return parse_false_ansi_c(p, l);
	}
	/* The quotes may go, and what follows them stand behind the dollar. */
	if (next == '"')
		unmodelled(p, UNMODELLED_OTHER, p->in.at, "a dollar before double quotes that do not quote");
	return parse_dollar(p, l, quoting);
}

/* Before bash 5.3 a ${ …; } here ends at the first closing brace, and the parentheses in it count. */
static bool at_brace_substitution(const struct parser *p)
{
	const char *at = p->in.at;

	return p->in.end - at >= 3 && at[1] == '{' && (char_is(at[2], CHAR_BLANK) || at[2] == '\n' || at[2] == '|');
}

static bool parse_matched_piece(struct parser *p, struct part_list *l, enum matched_rules rules)
{
	enum quoting quoting = rules == MATCHED_ARITH ? QUOTING_DOUBLE : QUOTING_NONE;

	switch (*p->in.at) {
	case '\\':
		p->in.at += p->in.end - p->in.at >= 2 ? 2 : 1;
		return true;
	case '\'':
		return rules == MATCHED_ARITH ? parse_false_quotes(p, l) : parse_single_quoted(p, l);
	case '"':
		return parse_double_quoted(p, l, PART_DOUBLE);
	case '$':
		if (at_brace_substitution(p))
			unmodelled(p, UNMODELLED_OTHER, p->in.at, "a ${ …; } inside arithmetic or a pattern");
		return rules == MATCHED_ARITH ? parse_false_dollar(p, l, quoting) : parse_dollar(p, l, quoting);
	case '`':
		return parse_backticks(p, l, quoting);
	case '<': case '>':
		if (rules == MATCHED_PATTERN && peek_after(p) == '(')
			return parse_process_substitution(p, l);
		/* fallthrough */
	default:
		p->in.at++;
		return true;
	}
}

bool parse_matched(struct parser *p, struct part_list *l, char open, char close, enum matched_rules rules)
{
	unsigned int level = 1;

	p->evaluates |= rules == MATCHED_ARITH;
	for (;;) {
		int c = peek(p);

		if (c == END_OF_INPUT)
			return stop_syntax(p, "an opening bracket or parenthesis without its partner");
		if (c == close) {
			p->in.at++;
			if (--level == 0)
				return true;
		} else if (c == open) {
			level++;
			p->in.at++;
		} else if (!parse_matched_piece(p, l, rules)) {
			return false;
		}
	}
}
