/* SPDX-License-Identifier: Apache-2.0 */
/* Compound commands: groups, conditions, functions, coprocesses (bash manual, "Compound Commands"). */
#include "worker/shell/parser.h"

static bool parse_then(struct parser *p, struct node ***tail)
{
	**tail = parse_required_list(p);
	if (!**tail || !expect_reserved(p, RESERVED_THEN, "an if without its then"))
		return false;
	p->conditional = true;
	*tail = &(**tail)->next;
	**tail = parse_required_list(p);
	if (!**tail)
		return false;
	*tail = &(**tail)->next;
	return true;
}

/* Behind `if`: condition, branch, condition, branch …, else branch. */
static struct node *parse_if(struct parser *p)
{
	struct node *n = new_node(p, NODE_IF), **tail;

	if (!n || !push_context(p, CONTEXT_IF, n))
		return NULL;
	tail = &n->children;
	do {
		if (!parse_then(p, &tail))
			return NULL;
	} while (take_reserved(p, RESERVED_ELIF));
	if (take_reserved(p, RESERVED_ELSE)) {
		*tail = parse_required_list(p);
		if (!*tail)
			return NULL;
	}
	return expect_reserved(p, RESERVED_FI, "an if without its fi") ? n : NULL;
}

/* Behind `{`. */
static struct node *parse_group(struct parser *p)
{
	struct node *n = new_node(p, NODE_GROUP);

	if (!n || !push_context(p, CONTEXT_GROUP, n))
		return NULL;
	n->children = parse_required_list(p);
	if (!n->children || !expect_reserved(p, RESERVED_CLOSE, "a { that is never closed"))
		return NULL;
	return n;
}

/* At `(`. */
static struct node *parse_subshell(struct parser *p)
{
	struct node *n = new_node(p, NODE_SUBSHELL);

	if (!n || !push_context(p, CONTEXT_SUBSHELL, n))
		return NULL;
	advance(p);
	n->children = parse_required_list(p);
	if (!n->children)
		return NULL;
	if (peek(p) != ')')
		return stop_syntax(p, "a ( that is never closed");
	p->in.at++;
	return n;
}

static struct node *parse_parens(struct parser *p)
{
	const char *start = p->in.at;
	struct part_list inner = { .first = NULL };
	struct node *n;

	if (peek_after(p) != '(')
		return parse_subshell(p);
	if (!try_double_parens(p, &inner)) {
		met(p, CONSTRUCT_NESTED_PARENS, start);
		if (p->stopped)
			return NULL;
		p->reread++;
		n = parse_subshell(p);
		p->reread--;
		return n;
	}
	met(p, CONSTRUCT_ARITH_COMMAND, start);
	n = new_node(p, NODE_ARITH);
	if (n)
		n->words = new_arith_word(p, start, inner.first);
	return n && n->words ? n : NULL;
}

bool at_compound(struct parser *p)
{
	const char *end;

	if (peek(p) == '(')
		return true;
	switch (peek_reserved(p, &end)) {
	case RESERVED_IF: case RESERVED_FOR: case RESERVED_WHILE: case RESERVED_UNTIL: case RESERVED_SELECT:
	case RESERVED_CASE: case RESERVED_OPEN: case RESERVED_COND:
		return true;
	case RESERVED_NONE: case RESERVED_THEN: case RESERVED_ELIF: case RESERVED_ELSE: case RESERVED_FI:
	case RESERVED_DO: case RESERVED_DONE: case RESERVED_ESAC: case RESERVED_IN: case RESERVED_FUNCTION:
	case RESERVED_COPROC: case RESERVED_TIME: case RESERVED_BANG: case RESERVED_CLOSE: case RESERVED_COND_END:
		return false;
	}
	return false;
}

/* At the command that a function's name is for; any compound one. */
struct node *parse_function_body(struct parser *p, struct node *function)
{
	const struct context *context = p->context;
	bool conditional = p->conditional;

	met(p, CONSTRUCT_FUNCTION, function->src.p);
	if (!enter(p) || !skip_newlines(p))
		return NULL;
	if (!at_compound(p))
		return stop_syntax(p, "a function without a body");
	if (!push_context(p, CONTEXT_FUNCTION, function))
		return NULL;
	p->conditional = true;
	function->children = parse_command(p);
	if (!function->children)
		return NULL;
	p->context = context;
	p->conditional = conditional;
	function->src.len = (size_t)(p->in.at - function->src.p);
	leave(p);
	return function;
}

/* Behind `function`: a name, perhaps (), a body. */
static struct node *parse_function_keyword(struct parser *p, const char *start)
{
	struct node *n = new_node(p, NODE_FUNCTION);
	struct word *name;

	met(p, CONSTRUCT_FUNCTION_KEYWORD, start);
	skip_blanks(p);
	name = parse_word(p, WORD_COMMAND);
	if (!n || !name)
		return NULL;
	n->src.p = start;
	n->name = name->is_static ? name->value : name->src;
	skip_blanks(p);
	if (peek(p) == '(') {
		const char *here = p->in.at;

		advance(p);
		skip_blanks(p);
		if (peek(p) == ')')
			p->in.at++;
		else
			p->in.at = here; /* a subshell is the body */
	}
	return parse_function_body(p, n);
}

/* Is the cursor at `NAME compound`? Then behind the name. */
static bool take_coproc_name(struct parser *p, struct bytes *ret_name)
{
	const char *start = p->in.at;

	while (!at_meta(p) && char_is_name(*p->in.at))
		p->in.at++;
	*ret_name = (struct bytes){ start, (size_t)(p->in.at - start) };
	if (is_name(*ret_name) && at_meta(p)) {
		skip_blanks(p);
		if (at_compound(p))
			return true;
	}
	p->in.at = start;
	return false;
}

/* Behind `coproc`: a simple command, or a compound one with or without a name. */
static struct node *parse_coproc(struct parser *p, const char *start)
{
	struct node *n = new_node(p, NODE_COPROC);
	struct simple_command **tail = p->tail;

	met(p, CONSTRUCT_COPROC, start);
	if (!n || !push_context(p, CONTEXT_COPROC, n))
		return NULL;
	skip_blanks(p);
	if (!at_compound(p))
		take_coproc_name(p, &n->name);
	if (!n->name.p)
		n->name = BYTES("COPROC");
	if (!at_compound(p))
		unmodelled(p, UNMODELLED_OTHER, start, "a coprocess whose first word may be its name");
	n->children = at_compound(p) ? parse_command(p) : parse_simple(p);
	if (!n->children)
		return NULL;
	if (*tail)
		mark_background(*tail);
	return n;
}

static struct node *parse_by_reserved(struct parser *p, enum reserved which, const char *start)
{
	switch (which) {
	case RESERVED_IF:
		return parse_if(p);
	case RESERVED_FOR:
		return parse_for(p, NODE_FOR);
	case RESERVED_SELECT:
		met(p, CONSTRUCT_SELECT, start);
		return parse_for(p, NODE_SELECT);
	case RESERVED_WHILE:
		return parse_while(p, NODE_WHILE);
	case RESERVED_UNTIL:
		return parse_while(p, NODE_UNTIL);
	case RESERVED_CASE:
		return parse_case(p);
	case RESERVED_OPEN:
		return parse_group(p);
	case RESERVED_COND:
		met(p, CONSTRUCT_COND, start);
		return parse_cond(p);
	case RESERVED_FUNCTION:
		return parse_function_keyword(p, start);
	case RESERVED_COPROC:
		return parse_coproc(p, start);
	case RESERVED_NONE: case RESERVED_THEN: case RESERVED_ELIF: case RESERVED_ELSE: case RESERVED_FI:
	case RESERVED_DO: case RESERVED_DONE: case RESERVED_ESAC: case RESERVED_IN: case RESERVED_TIME:
	case RESERVED_BANG: case RESERVED_CLOSE: case RESERVED_COND_END:
		break;
	}
	p->in.at = start;
	return stop_syntax(p, "a reserved word where a command should begin");
}

/* Redirections behind a compound command are listed as a command of their own that has no words. */
static bool parse_compound_redirects(struct parser *p, struct node *n)
{
	struct redirect **tail = &n->redirects;
	struct simple_command *c;
	const char *start, *end;

	skip_blanks(p);
	start = end = p->in.at;
	if (!parse_redirects(p, &tail, &end))
		return false;
	if (!n->redirects)
		return true;
	c = parser_new(p, struct simple_command);
	if (!c)
		return false;
	c->src = (struct bytes){ start, (size_t)(end - start) };
	c->redirects = n->redirects;
	c->node = n;
	return append_command(p, c);
}

/* `time` is one only in front of a pipeline. */
static bool is_command_word(enum reserved r)
{
	return r == RESERVED_NONE || r == RESERVED_TIME;
}

struct node *parse_command(struct parser *p)
{
	const struct context *context = p->context;
	bool conditional = p->conditional;
	const char *start, *end;
	enum reserved which;
	struct node *n;

	skip_blanks(p);
	start = p->in.at;
	which = peek_reserved(p, &end);
	if (peek(p) != '(' && is_command_word(which))
		return parse_simple(p);
	met(p, CONSTRUCT_COMPOUND, start);
	if (!enter(p))
		return NULL;
	if (which != RESERVED_NONE)
		p->in.at = end;
	n = which == RESERVED_NONE ? parse_parens(p) : parse_by_reserved(p, which, start);
	if (!n)
		return NULL;
	leave(p);
	p->context = context;
	p->conditional = conditional;
	n->src = (struct bytes){ start, (size_t)(p->in.at - start) };
	if (n->kind != NODE_FUNCTION && n->kind != NODE_COPROC && !parse_compound_redirects(p, n))
		return NULL;
	return n;
}
