/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walking the syntax tree in the order the shell would: each command is judged with the directories it may find itself
 * in. A directory set that is empty and not unknown means that this point is never reached.
 */
#include "worker/rules/internal.h"

static struct flow walk_node(struct judge *j, const struct node *n, const struct subject *in);

static bool is_reached(const struct directories *d)
{
	return d->n > 0 || d->unknown;
}

struct directories directories_either(const struct directories *a, const struct directories *b)
{
	struct directories r = *a;

	r.unknown = a->unknown || b->unknown;
	for (uint32_t i = 0; i < b->n; i++) {
		bool known = false;

		for (uint32_t k = 0; k < r.n && !known; k++)
			known = bytes_eq(r.d[k], b->d[i]);
		if (known)
			continue;
		if (r.n == DIRECTORIES_MAX) {
			r.unknown = true;
			break;
		}
		r.d[r.n++] = b->d[i];
	}
	return r;
}

static bool same(const struct directories *a, const struct directories *b)
{
	if (a->n != b->n || a->unknown != b->unknown)
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (!bytes_eq(a->d[i], b->d[i]))
			return false;
	return true;
}

/* The same, in a branch that may not be taken. */
static struct subject perhaps(const struct subject *s)
{
	struct subject r = *s;

	r.sure = false;
	return r;
}

/* What is reached by no path that we see is judged as if it could be reached from anywhere. */
static struct subject placed_in(const struct subject *s, const struct directories *d)
{
	struct subject r = *s;

	r.dirs = *d;
	if (!is_reached(d))
		r.dirs = (struct directories){ .unknown = true };
	return r;
}

static void walk_words(struct judge *j, const struct word *w, const struct subject *in);

/* In a shell of its own: the functions it defines are gone with it. */
static struct flow walk_apart(struct judge *j, const struct node *n, const struct subject *in)
{
	uint32_t defined = j->facts.n_defined;
	struct flow f = walk_node(j, n, in);

	j->facts.n_defined = defined;
	return f;
}

static void walk_parts(struct judge *j, const struct word_part *p, const struct subject *in)
{
	for (; p != NULL; p = p->next) {
		if (p->script != NULL && p->script->root != NULL)
			walk_apart(j, p->script->root, in);
		if (p->children != NULL)
			walk_parts(j, p->children, in);
		walk_words(j, p->elements, in);
	}
}

static void walk_word(struct judge *j, const struct word *w, const struct subject *in)
{
	if (w != NULL && !w->is_static)
		walk_parts(j, w->parts, in);
}

static void walk_words(struct judge *j, const struct word *w, const struct subject *in)
{
	for (; w != NULL; w = w->next)
		walk_word(j, w, in);
}

static void walk_redirects(struct judge *j, const struct redirect *r, const struct subject *in)
{
	for (; r != NULL; r = r->next) {
		walk_word(j, r->target, in);
		walk_word(j, r->body, in);
	}
}

static struct flow walk_simple(struct judge *j, const struct simple_command *c, const struct subject *in)
{
	struct flow f;

	struct subject kept = *in;

	/* What a command prints into a variable is not printed yet. */
	kept.captured = true;
	for (const struct assignment *a = c->assigns; a != NULL; a = a->next) {
		walk_word(j, a->subscript, in);
		kept.captor = c->words == NULL && c->assigns->next == NULL ? c : NULL;
		walk_word(j, a->value, &kept);
		walk_words(j, a->elements, in);
	}
	walk_words(j, c->words, in);
	walk_redirects(j, c->redirects, in);
	judge_simple(j, c, in, &f);
	return f;
}

static struct flow stays(const struct subject *in)
{
	return (struct flow){ in->dirs, in->dirs };
}

static struct flow walk_and_or(struct judge *j, const struct node *n, const struct subject *in)
{
	struct flow f = stays(in);
	bool first = true;

	for (const struct node *c = n->children; c != NULL; c = c->next) {
		struct subject s = placed_in(in, first ? &in->dirs : n->kind == NODE_AND ? &f.done : &f.failed);
		struct flow g;

		s.sure = in->sure && first;
		g = walk_node(j, c, &s);

		if (first)
			f = g;
		else if (n->kind == NODE_AND)
			f = (struct flow){ g.done, directories_either(&f.failed, &g.failed) };
		else
			f = (struct flow){ directories_either(&f.done, &g.done), g.failed };
		first = false;
	}
	return f;
}

static struct flow walk_sequence(struct judge *j, const struct node *children, const struct subject *in)
{
	struct flow f = stays(in);
	struct directories here = in->dirs;

	for (const struct node *c = children; c != NULL; c = c->next) {
		struct subject s = placed_in(in, &here);
		struct flow g = c->background ? walk_apart(j, c, &s) : walk_node(j, c, &s);

		if (c->background) {
			f = (struct flow){ here, here };
			continue;
		}
		f = g;
		here = directories_either(&g.done, &g.failed);
	}
	return f;
}

static struct flow walk_pipeline(struct judge *j, const struct node *n, const struct subject *in)
{
	struct flow last = stays(in);
	const struct node *before = NULL;
	bool several = n->children != NULL && n->children->next != NULL;

	for (const struct node *c = n->children; c != NULL; c = c->next) {
		struct subject s = *in;

		if (several) {
			s.feeder = before != NULL && before->kind == NODE_SIMPLE ? before->simple : NULL;
			s.members = n->children;
			s.member = c;
		}
		before = c;
		last = several ? walk_apart(j, c, &s) : walk_node(j, c, &s);
	}
	if (several) {
		/* zsh runs the last member in the shell itself; bash and dash run all in shells of their own. */
		struct directories d = directories_either(&in->dirs, &last.done);

		return j->line->dialect == DIALECT_ZSH ? (struct flow){ d, d } : stays(in);
	}
	return n->negated ? (struct flow){ last.failed, last.done } : last;
}

/* Children: condition, body, condition, body …, and a last one alone is the else. */
static struct flow walk_if(struct judge *j, const struct node *n, const struct subject *in)
{
	struct directories here = in->dirs, out = { .n = 0 };
	struct subject branch = perhaps(in);

	in = &branch;
	for (const struct node *c = n->children; c != NULL; c = c->next) {
		struct subject s = placed_in(in, &here);
		struct flow f = walk_node(j, c, &s);
		struct flow body;

		if (c->next == NULL) { /* else */
			out = directories_either(&out, &f.done);
			out = directories_either(&out, &f.failed);
			return (struct flow){ out, out };
		}
		s = placed_in(in, &f.done);
		c = c->next;
		body = walk_node(j, c, &s);
		out = directories_either(&out, &body.done);
		out = directories_either(&out, &body.failed);
		here = f.failed;
	}
	out = directories_either(&out, &here);
	return (struct flow){ out, out };
}

/* What the loop reads is read by the commands in its body too, which may be members of other pipelines. */
static void remember_feed(struct judge *j, const struct node *loop, const struct subject *in)
{
	struct loop_feed *feed = in->member == loop ? arena_new(j->arena, struct loop_feed) : NULL;

	if (feed == NULL)
		return;
	*feed = (struct loop_feed){ loop, in->members, j->loop_feeds };
	j->loop_feeds = feed;
}

/*
 * What is run again finds what it has brought in the first time: patterns in it may fit other names then. A body that
 * brings nothing, or that began when something had come already, is walked once.
 */
static struct flow walk_repeated(struct judge *j, const struct node *children, const struct subject *in)
{
	bool brought = flow_brings_names(j);
	struct flow f = walk_sequence(j, children, in);

	return !brought && flow_brings_names(j) ? walk_sequence(j, children, in) : f;
}

static struct flow walk_loop(struct judge *j, const struct node *n, const struct subject *around)
{
	const struct subject body = perhaps(around), *in = &body;
	struct flow f;
	struct directories after, unknown = { .unknown = true };
	struct subject s;

	remember_feed(j, n, in);
	f = walk_repeated(j, n->children, in);
	after = directories_either(&f.done, &f.failed);
	after = directories_either(&in->dirs, &after);
	if (same(&after, &in->dirs))
		return stays(in);
	/* It changes directory: the second round starts somewhere else, the third again. */
	s = placed_in(in, &unknown);
	walk_sequence(j, n->children, &s);
	return (struct flow){ unknown, unknown };
}

static struct flow walk_case(struct judge *j, const struct node *n, const struct subject *in)
{
	struct directories out = in->dirs;
	const struct subject branch = perhaps(in);

	in = &branch;
	for (const struct case_item *i = n->cases; i != NULL; i = i->next) {
		struct flow f;

		walk_words(j, i->patterns, in);
		if (i->body == NULL)
			continue;
		f = walk_node(j, i->body, in);
		out = directories_either(&out, &f.done);
		out = directories_either(&out, &f.failed);
	}
	return (struct flow){ out, out };
}

static struct flow walk_function(struct judge *j, const struct node *n, const struct subject *in)
{
	const struct directories unknown = { .unknown = true };
	struct subject s = placed_in(in, j->facts.changes_directory ? &unknown : &in->dirs);

	s.sure = false;
	judge_function(j, n, in);
	walk_repeated(j, n->children, &s);
	/* Only now: what calls itself is never vouched for. */
	if (in->sure)
		line_defines(j, n->name);
	return stays(in);
}

static struct flow walk_node(struct judge *j, const struct node *n, const struct subject *in)
{
	uint32_t defined;

	if (n == NULL || j->error != 0)
		return stays(in);
	walk_redirects(j, n->redirects, in);
	judge_compound_redirects(j, n, in);
	walk_words(j, n->words, in);
	switch (n->kind) {
	case NODE_SIMPLE:
		return n->simple != NULL ? walk_simple(j, n->simple, in) : stays(in);
	case NODE_PIPELINE:
		return walk_pipeline(j, n, in);
	case NODE_AND:
	case NODE_OR:
		return walk_and_or(j, n, in);
	case NODE_SEQUENCE:
	case NODE_GROUP:
		return walk_sequence(j, n->children, in);
	case NODE_IF:
		return walk_if(j, n, in);
	case NODE_FOR:
	case NODE_ARITH_FOR:
	case NODE_SELECT:
	case NODE_WHILE:
	case NODE_UNTIL:
		return walk_loop(j, n, in);
	case NODE_CASE:
		return walk_case(j, n, in);
	case NODE_FUNCTION:
		return walk_function(j, n, in);
	case NODE_SUBSHELL:
	case NODE_COPROC:
		defined = j->facts.n_defined;
		walk_sequence(j, n->children, in);
		j->facts.n_defined = defined;
		return stays(in);
	case NODE_COND:
	case NODE_ARITH:
	case NODE_NONE:
	default:
		walk_sequence(j, n->children, in);
		return stays(in);
	}
}

struct flow walk_script(struct judge *j, const struct script *script, const struct subject *inherited)
{
	return walk_node(j, script->root, inherited);
}
