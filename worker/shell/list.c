/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and pipelines (bash manual, "Lists", "Pipelines"). */
#include "worker/shell/parser.h"

struct node *new_node(struct parser *p, enum node_kind kind)
{
	struct node *n = parser_new(p, struct node);

	if (n) {
		n->kind = kind;
		n->src.p = p->in.at;
	}
	return n;
}

static void end_node(const struct parser *p, struct node *n)
{
	/* A backtick's or body's text is elsewhere: then the node began and ends there as well. */
	if (n->src.p >= p->in.start && n->src.p <= p->in.at)
		n->src.len = (size_t)(p->in.at - n->src.p);
}

bool push_context(struct parser *p, enum context_kind kind, const struct node *node)
{
	struct context_link *link = parser_new(p, struct context_link);

	if (!link)
		return false;
	link->context = (struct context){ .kind = kind, .node = node, .up = p->context };
	link->older = p->links;
	p->links = link;
	p->context = &link->context;
	return true;
}

void mark_background(struct simple_command *from)
{
	for (struct simple_command *c = from; c; c = c->next)
		c->background = true;
}

/* Where a pipeline began, for when it turns out to have a second member. */
struct pipeline_start {
	struct simple_command **tail;
	struct context_link *links;
	const struct context *context;
};

/* Puts a pipe's context between the first member's commands and what encloses the pipeline. */
static bool enter_pipe(struct parser *p, const struct pipeline_start *start, struct node *pipeline)
{
	struct context_link *last = p->links;
	const struct context *pipe;

	if (!push_context(p, CONTEXT_PIPE, pipeline))
		return false;
	pipe = p->context;
	for (struct context_link *l = last; l != start->links; l = l->older)
		if (l->context.up == start->context)
			l->context.up = pipe;
	for (struct simple_command *c = *start->tail; c; c = c->next)
		if (c->context == start->context)
			c->context = pipe;
	return true;
}

/* zsh writes to the pipe as well where the output of a member of a pipeline is redirected. */
static void met_redirected_member(struct parser *p, const struct node *member, bool in, bool out)
{
	const struct redirect *first = member->simple ? member->simple->redirects : member->redirects;

	for (const struct redirect *r = first; r; r = r->next) {
		bool reads = redirect_reads(r);

		if ((reads && in && r->fd <= 0) || (!reads && out && (r->fd == -1 || r->fd == 1)))
			met(p, CONSTRUCT_REDIRECT_TWICE, r->target->src.p);
	}
}

static void set_piped(struct parser *p, struct node *member, bool in, bool out)
{
	met_redirected_member(p, member, in, out);
	if (!member->simple)
		return;
	member->simple->piped_in |= in;
	member->simple->piped_out |= out;
}

/* `|` or `|&`, not `||`. */
static bool take_pipe(struct parser *p, struct node *left)
{
	skip_blanks(p);
	if (peek(p) != '|' || peek_after(p) == '|')
		return false;
	advance(p);
	if (peek(p) == '&') {
		met(p, CONSTRUCT_PIPE_BOTH, p->in.at);
		p->in.at++;
		left->pipe_stderr = true;
	}
	return true;
}

static struct node *parse_members(struct parser *p)
{
	struct pipeline_start start = { p->tail, p->links, p->context };
	struct node *pipeline = new_node(p, NODE_PIPELINE), *last, *next;
	const char *end;

	if (!pipeline)
		return NULL;
	last = parse_command(p);
	if (!last || !take_pipe(p, last))
		return p->stopped ? NULL : last;
	pipeline->children = last;
	if (!enter_pipe(p, &start, pipeline))
		return NULL;
	do {
		if (!skip_newlines(p))
			return NULL;
		if (peek_reserved(p, &end) == RESERVED_BANG)
			return stop_syntax(p, "a `!` inside a pipeline");
		next = parse_command(p);
		if (!next)
			return NULL;
		set_piped(p, last, false, true);
		set_piped(p, next, true, false);
		last->next = next;
		last = next;
	} while (take_pipe(p, last));
	if (p->stopped)
		return NULL;
	p->context = start.context;
	end_node(p, pipeline);
	return pipeline;
}

/* `time` and its options, whole words behind it. */
static void skip_time_options(struct parser *p)
{
	static const char options[2][3] = { "-p", "--" };

	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		const char *at;

		skip_blanks(p);
		at = p->in.at;
		if (peek(p) == options[i][0] && peek_after(p) == options[i][1]) {
			advance(p);
			advance(p);
			if (at_meta(p))
				continue;
		}
		p->in.at = at;
	}
}

static bool at_list_terminator(struct parser *p)
{
	int c = peek(p);

	return c == END_OF_INPUT || c == '\n' || (c == ';' && peek_after(p) != ';' && peek_after(p) != '&');
}

/* `!` and `time` in front of a pipeline, any number of them. */
static bool parse_prefixes(struct parser *p, bool *ret_negated, bool *ret_timed)
{
	bool any = false;

	for (;; any = true) {
		const char *start;

		skip_blanks(p);
		start = p->in.at;
		if (take_reserved(p, RESERVED_BANG)) {
			met(p, any ? CONSTRUCT_REPEATED_PREFIX : CONSTRUCT_BANG, start);
			p->has_bang_paren |= peek(p) == '(';
			*ret_negated = !*ret_negated;
		} else if (take_reserved(p, RESERVED_TIME)) {
			met(p, CONSTRUCT_TIME, start);
			*ret_timed = true;
			skip_time_options(p);
		} else {
			return any;
		}
	}
}

/* `time` with nothing behind it prints times: listed as the command of that name. NULL for a lone `!`. */
static struct node *bare_time(struct parser *p, bool timed)
{
	static const char name[] = "time";
	struct input outer = p->in;
	struct node *n;

	if (!timed) {
		met(p, CONSTRUCT_REPEATED_PREFIX, p->in.at);
		return NULL;
	}
	p->in = (struct input){ .start = name, .at = name, .end = name + sizeof(name) - 1 };
	n = parse_simple(p);
	p->in = outer;
	return n;
}

static struct node *parse_pipeline(struct parser *p)
{
	bool negated = false, timed = false;
	struct node *n, *member;
	const char *start = p->in.at;

	if (!parse_prefixes(p, &negated, &timed))
		return parse_members(p);
	member = at_list_terminator(p) ? bare_time(p, timed) : parse_members(p);
	if (p->stopped)
		return NULL;
	if (member && member->kind == NODE_PIPELINE && !member->negated && !member->timed) {
		n = member;
	} else {
		n = new_node(p, NODE_PIPELINE);
		if (!n)
			return NULL;
		n->children = member;
	}
	n->src.p = start;
	n->negated = negated;
	n->timed = timed;
	end_node(p, n);
	return n;
}

static enum node_kind take_and_or(struct parser *p)
{
	int c;

	skip_blanks(p);
	c = peek(p);
	if ((c != '&' && c != '|') || peek_after(p) != c)
		return NODE_NONE;
	advance(p);
	advance(p);
	return c == '&' ? NODE_AND : NODE_OR;
}

/* The same operator in a row is one node; each change of operator nests, and counts as nesting. */
static struct node *join(struct parser *p, enum node_kind kind, struct node *left, unsigned int *changes)
{
	struct node *n;

	met(p, CONSTRUCT_AND_OR, p->in.at);
	if (left->kind == kind && *changes)
		return left;
	if (++*changes > SHELL_MAX_DEPTH)
		return stop_limit(p, LIMIT_DEPTH);
	n = new_node(p, kind);
	if (n) {
		n->src.p = left->src.p;
		n->children = left;
	}
	return n;
}

static struct node *parse_and_or(struct parser *p)
{
	struct node *n = parse_pipeline(p), *last = NULL;
	bool conditional = p->conditional;
	unsigned int changes = 0;
	enum node_kind kind;

	while (n && (kind = take_and_or(p)) != NODE_NONE) {
		struct node *joined = join(p, kind, n, &changes);

		if (!joined || !skip_newlines(p))
			return NULL;
		if (joined != n)
			last = n;
		p->conditional = true;
		last->next = parse_pipeline(p);
		last = last->next;
		if (!last)
			return NULL;
		end_node(p, joined);
		n = joined;
	}
	p->conditional = conditional;
	return p->stopped ? NULL : n;
}

static bool ends_part(enum reserved r)
{
	return r == RESERVED_THEN || r == RESERVED_DO || r == RESERVED_DONE || r == RESERVED_FI || r == RESERVED_ELIF ||
		r == RESERVED_ELSE || r == RESERVED_ESAC || r == RESERVED_CLOSE;
}

static bool at_terminator(struct parser *p)
{
	const char *end;
	int c = peek(p);

	if (c == END_OF_INPUT || c == ')' || (c == '}' && p->heredocs->in_braces))
		return true;
	if (c == ';')
		return peek_after(p) == ';' || peek_after(p) == '&';
	return ends_part(peek_reserved(p, &end));
}

static bool is_compound(const struct node *n)
{
	const struct node *last = n;

	while (last->kind == NODE_AND || last->kind == NODE_OR || last->kind == NODE_PIPELINE) {
		if (!last->children)
			return false;
		for (last = last->children; last->next; last = last->next)
			;
	}
	return last->kind != NODE_SIMPLE;
}

/* What separates list items; *ret_more is false at the list's end. */
static bool take_separator(struct parser *p, struct node *item, struct simple_command *from, bool *ret_more)
{
	int c;

	skip_blanks(p);
	c = peek(p);
	*ret_more = true;
	if (c == ';' && !at_terminator(p)) {
		p->in.at++;
	} else if (c == '&') {
		met(p, CONSTRUCT_BACKGROUND, p->in.at);
		p->in.at++;
		if (peek(p) == '!' || peek(p) == '|')
			met(p, CONSTRUCT_AMPERSAND_SUFFIX, p->in.at);
		item->background = true;
		if (from)
			mark_background(from);
	} else if (c != '\n') {
		*ret_more = false;
		if (c != END_OF_INPUT && c != ')' && c != ';' && !(is_compound(item) && at_terminator(p)))
			return stop_syntax(p, "a word or operator where the command should end");
	}
	return true;
}

struct node *parse_list(struct parser *p)
{
	struct node *list = NULL, *last = NULL;
	bool more = true;

	if (!skip_newlines(p))
		return NULL;
	while (more && !at_terminator(p)) {
		struct simple_command **tail = p->tail;
		struct node *item = parse_and_or(p);

		if (!item || !take_separator(p, item, *tail, &more) || !skip_newlines(p))
			return NULL;
		if (last && last == list) {
			list = new_node(p, NODE_SEQUENCE);
			if (!list)
				return NULL;
			list->src.p = last->src.p;
			list->children = last;
		}
		if (last)
			last->next = item;
		else
			list = item;
		last = item;
	}
	if (list && list != last)
		end_node(p, list);
	return p->stopped ? NULL : list;
}

struct node *parse_required_list(struct parser *p)
{
	struct node *n = parse_list(p);

	if (!n && !p->stopped)
		stop_syntax(p, "a part of a compound command that is empty");
	return n;
}
