/* SPDX-License-Identifier: Apache-2.0 */
/* [[ … ]] (bash manual, "Conditional Constructs"). The words are kept in order; their grouping only has to be right. */
#include "worker/shell/parser.h"

struct cond {
	struct word **tail;
	unsigned int open; /* parentheses */
};

static const char *const unary[] = {
	"-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-p", "-r", "-s", "-t", "-u", "-w", "-x", "-G", "-L", "-N",
	"-O", "-S", "-o", "-v", "-R", "-z", "-n",
};

static const char *const binary[] = {
	"=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef",
};

static bool is_one_of(const struct word *w, const char *const *list, size_t n)
{
	if (w->flags & WORD_QUOTED)
		return false;
	for (size_t i = 0; i < n; i++)
		if (bytes_is(w->src, list[i]))
			return true;
	return false;
}

static struct word *add_word(struct parser *p, struct cond *c, unsigned int mode)
{
	struct word *w = parse_word(p, mode);

	if (w) {
		*c->tail = w;
		c->tail = &w->next;
	}
	return w;
}

static bool at_end(struct parser *p)
{
	const char *end;

	return peek_reserved(p, &end) == RESERVED_COND_END;
}

/* What ends an operand that stands alone. */
static bool at_connective(struct parser *p)
{
	int c = peek(p);

	return c == END_OF_INPUT || c == ')' || (c == '&' && peek_after(p) == '&') ||
		(c == '|' && peek_after(p) == '|') || at_end(p);
}

static bool parse_right_side(struct parser *p, struct cond *c, unsigned int mode)
{
	skip_blanks(p);
	if (at_end(p) || peek(p) == '\n')
		return stop_syntax(p, "an operator of [[ ]] without its operand");
	return add_word(p, c, mode);
}

static bool parse_binary(struct parser *p, struct cond *c)
{
	struct word *op;

	skip_blanks(p);
	if (at_connective(p))
		return true;
	if (peek(p) == '<' || peek(p) == '>') {
		p->in.at++;
		return parse_right_side(p, c, WORD_PATTERN);
	}
	op = add_word(p, c, WORD_PATTERN);
	if (!op)
		return false;
	p->evaluates |= op->src.p[0] == '-';
	if (!is_one_of(op, binary, ARRAY_LEN(binary)))
		return stop_syntax(p, "no operator of [[ ]]");
	return parse_right_side(p, c, bytes_is(op->src, "=~") ? WORD_REGEX : WORD_PATTERN);
}

/* One primary, behind any number of `!` and `(`. */
static bool parse_primary(struct parser *p, struct cond *c)
{
	const char *end;
	struct word *first;

	for (;;) {
		if (!skip_newlines(p))
			return false;
		if (peek(p) == '(') {
			p->in.at++;
			c->open++;
		} else if (peek_reserved(p, &end) == RESERVED_BANG) {
			p->in.at = end;
		} else {
			break;
		}
	}
	if (at_end(p))
		return stop_syntax(p, "a [[ ]] without an operand");
	first = add_word(p, c, WORD_PATTERN);
	if (!first)
		return false;
	p->evaluates |= bytes_is(first->src, "-v");
	if (is_one_of(first, unary, ARRAY_LEN(unary)))
		return parse_right_side(p, c, WORD_PATTERN);
	return parse_binary(p, c);
}

static bool close_parens(struct parser *p, struct cond *c)
{
	for (;;) {
		if (!skip_newlines(p))
			return false;
		if (peek(p) != ')')
			return true;
		if (!c->open)
			return stop_syntax(p, "a closing parenthesis without its partner");
		c->open--;
		p->in.at++;
	}
}

struct node *parse_cond(struct parser *p)
{
	struct node *n = new_node(p, NODE_COND);
	struct cond c;

	if (!n)
		return NULL;
	c = (struct cond){ .tail = &n->words };
	for (;;) {
		int ch;

		if (!parse_primary(p, &c) || !close_parens(p, &c))
			return NULL;
		ch = peek(p);
		if ((ch != '&' && ch != '|') || peek_after(p) != ch)
			break;
		advance(p);
		advance(p);
	}
	if (c.open || !take_reserved(p, RESERVED_COND_END))
		return stop_syntax(p, "a [[ that is never closed");
	return n;
}
