/* SPDX-License-Identifier: Apache-2.0 */
/* Loops and case (bash manual, "Looping Constructs", "Conditional Constructs"). */
#include "worker/shell/parser.h"

/* `do list done`, or the older `{ list }`. */
static struct node *parse_body(struct parser *p, bool braces)
{
	enum reserved close = RESERVED_DONE;
	struct node *body;
	const char *start;

	if (!skip_newlines(p))
		return NULL;
	start = p->in.at;
	if (!take_reserved(p, RESERVED_DO)) {
		if (!braces || !take_reserved(p, RESERVED_OPEN))
			return stop_syntax(p, "a loop without its do");
		met(p, CONSTRUCT_BRACE_BODY, start);
		close = RESERVED_CLOSE;
	}
	p->conditional = true;
	body = parse_required_list(p);
	return body && expect_reserved(p, close, "a loop that is never closed") ? body : NULL;
}

/* The words behind `in`, to the separator. */
static bool parse_for_words(struct parser *p, struct node *n)
{
	struct word **tail = &n->words;

	n->has_in = true;
	for (;;) {
		int c;

		skip_blanks(p);
		c = peek(p);
		if (c == ';' || c == '\n' || c == END_OF_INPUT)
			break;
		*tail = parse_word(p, WORD_ARGUMENT);
		if (!*tail)
			return false;
		tail = &(*tail)->next;
	}
	if (peek(p) == ';')
		p->in.at++;
	return true;
}

/* Outside quotes and substitutions, as bash's make_arith_for_expr counts them. */
static unsigned int count_semicolons(struct bytes s, const struct word_part *inner)
{
	unsigned int n = 0;
	char quote = '\0';

	for (size_t i = 0; i < s.len; i++) {
		while (inner && (inner->kind == PART_PARAM || inner->text.p < s.p + i))
			inner = inner->next;
		if (inner && inner->text.p == s.p + i)
			i += inner->text.len - 1;
		else if (s.p[i] == '\\')
			i++;
		else if (quote)
			quote = s.p[i] == quote ? '\0' : quote;
		else if (s.p[i] == '\'' || s.p[i] == '"' || s.p[i] == '`')
			quote = s.p[i];
		else if (s.p[i] == ';')
			n++;
	}
	return n;
}

/* The three expressions of for (( ; ; )). */
static struct node *parse_arith_for(struct parser *p, struct node *n)
{
	const char *start = p->in.at;
	struct part_list inner = { .first = NULL };

	met(p, CONSTRUCT_ARITH_COMMAND, start);
	n->kind = NODE_ARITH_FOR;
	if (!try_double_parens(p, &inner))
		return stop_syntax(p, "a for (( that is never closed");
	n->words = new_arith_word(p, start, inner.first);
	if (!n->words)
		return NULL;
	if (count_semicolons(n->words->src, inner.first) != 2)
		return stop_syntax(p, "a for (( without its three expressions");
	skip_blanks(p);
	if (peek(p) == ';')
		p->in.at++;
	n->children = parse_body(p, true);
	return n->children ? n : NULL;
}

/* Behind `for` or `select`. */
struct node *parse_for(struct parser *p, enum node_kind kind)
{
	struct node *n = new_node(p, kind);
	struct word *name;

	if (!n || !push_context(p, CONTEXT_LOOP, n))
		return NULL;
	skip_blanks(p);
	if (kind == NODE_FOR && peek(p) == '(' && peek_after(p) == '(')
		return parse_arith_for(p, n);
	name = parse_word(p, WORD_ARGUMENT);
	if (!name)
		return NULL;
	n->name = name->is_static ? name->value : name->src;
	if (!is_name(n->name))
		unmodelled(p, UNMODELLED_SYNTAX, name->src.p, "a loop variable that is no name");
	skip_blanks(p);
	if (peek(p) == ';' && peek_after(p) != ';') {
		p->in.at++;
	} else {
		if (!skip_newlines(p))
			return NULL;
		if (take_reserved(p, RESERVED_IN) && !parse_for_words(p, n))
			return NULL;
	}
	n->children = parse_body(p, true);
	return n->children ? n : NULL;
}

/* Behind `while` or `until`: condition, body. */
struct node *parse_while(struct parser *p, enum node_kind kind)
{
	struct node *n = new_node(p, kind);

	if (!n || !push_context(p, CONTEXT_LOOP, n))
		return NULL;
	n->children = parse_required_list(p);
	if (!n->children)
		return NULL;
	n->children->next = parse_body(p, false);
	return n->children->next ? n : NULL;
}

static bool parse_patterns(struct parser *p, struct case_item *item)
{
	struct word **tail = &item->patterns;

	for (;;) {
		skip_blanks(p);
		*tail = parse_word(p, WORD_PATTERN);
		if (!*tail)
			return false;
		tail = &(*tail)->next;
		skip_blanks(p);
		if (peek(p) == ')') {
			p->in.at++;
			return true;
		}
		if (peek(p) != '|' || peek_after(p) == '|')
			return stop_syntax(p, "a case pattern without its parenthesis");
		p->in.at++;
	}
}

/* `;;`, `;&` or `;;&`; false without stopping when there is none. */
static bool take_case_end(struct parser *p)
{
	const char *start = p->in.at;

	if (peek(p) != ';')
		return false;
	advance(p);
	if (peek(p) == ';')
		advance(p);
	if (peek(p) == '&') {
		met(p, CONSTRUCT_CASE_FALL, start);
		advance(p);
	}
	return true;
}

static struct case_item *parse_case_item(struct parser *p)
{
	struct case_item *item = parser_new(p, struct case_item);

	if (!item)
		return NULL;
	if (peek(p) == '(')
		p->in.at++;
	if (!parse_patterns(p, item))
		return NULL;
	item->body = parse_list(p);
	return p->stopped ? NULL : item;
}

static bool parse_case_items(struct parser *p, struct node *n)
{
	struct case_item **tail = &n->cases;
	bool open = true; /* another item may follow: the last one needs no `;;` */

	for (;;) {
		if (!skip_newlines(p))
			return false;
		if (take_reserved(p, RESERVED_ESAC))
			return true;
		if (!open || peek(p) == END_OF_INPUT)
			return stop_syntax(p, "a case that is never closed");
		*tail = parse_case_item(p);
		if (!*tail)
			return false;
		tail = &(*tail)->next;
		open = take_case_end(p);
	}
}

/* Behind `case`. */
struct node *parse_case(struct parser *p)
{
	struct node *n = new_node(p, NODE_CASE);

	if (!n || !push_context(p, CONTEXT_CASE, n))
		return NULL;
	skip_blanks(p);
	n->words = parse_word(p, WORD_PATTERN);
	if (!n->words || !skip_newlines(p) || !expect_reserved(p, RESERVED_IN, "a case without its in"))
		return NULL;
	p->conditional = true;
	return parse_case_items(p, n) ? n : NULL;
}
