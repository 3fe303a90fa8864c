/* SPDX-License-Identifier: Apache-2.0 */
/* Text up to the character that closes it, of which only the expansions matter: arithmetic, subscripts, patterns. */
#include "worker/shell/parser.h"

/*
 * bash's reader pairs single quotes here, but what is between them is expanded as inside double quotes: '$(x)' runs x.
 * Quotes that hold no expansion are text; others are listed with what they run, and flagged, since where such an
 * expansion ends is read differently the second time.
 */
bool parse_false_quotes(struct parser *p, struct part_list *l)
{
	const char *text = p->in.at + 1;
	const char *close = memchr(text, '\'', (size_t)(p->in.end - text));
	struct input outer = p->in;
	struct part_list inner = { .first = NULL };

	if (!close)
		return stop_syntax(p, "a single quote that is never closed");
	p->in.at = close + 1;
	if (!memchr(text, '$', (size_t)(close - text)) && !memchr(text, '`', (size_t)(close - text)))
		return true;
	unmodelled(p, UNMODELLED_OTHER, text, "an expansion between single quotes that do not quote");
	p->in = (struct input){ .start = text, .at = text, .end = close };
	if (!enter(p) || !parse_double_text(p, &inner, true))
		return false;
	leave(p);
	outer.at = close + 1;
	p->in = outer;
	if (!inner.first)
		return true;
	if (l->last)
		l->last->next = inner.first;
	else
		l->first = inner.first;
	l->last = inner.last;
	return true;
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
		if (rules == MATCHED_ARITH && p->in.end - p->in.at >= 2 && p->in.at[1] == '\'') {
			p->in.at++;
			return parse_ansi_c(p, l);
		}
		if (at_brace_substitution(p))
			unmodelled(p, UNMODELLED_OTHER, p->in.at, "a ${ …; } inside arithmetic or a pattern");
		return parse_dollar(p, l, quoting);
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
