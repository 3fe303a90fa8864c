/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Follows the line in the order in which it runs and gives words the values of variables that it has itself set on
 * every way to them. What a branch, a loop, a subshell or a member of a pipeline changes is unknown behind it.
 */
#include "worker/shell/bindings.h"

struct walk {
	struct parser *parser;
	struct bindings *known;
	bool collect; /* only make unknown what would change: the first look at a loop's body */
};

static void walk_node(struct walk *w, struct node *n);

static void walk_apart(struct walk *w, struct node *n)
{
	const struct change *mark = w->known->changes;

	walk_node(w, n);
	unbind_since(w->known, mark);
}

static void walk_script(struct walk *w, const struct script *s)
{
	if (s->root && !w->collect)
		walk_apart(w, s->root);
}

static bool names_variables(struct bytes expression)
{
	for (size_t i = 0; i < expression.len; i++)
		if (char_is(expression.p[i], CHAR_NAME_START) || expression.p[i] == '$' || expression.p[i] == '`')
			return true;
	return false;
}

static void walk_words(struct walk *w, struct word *first);

/* Scripts inside, and what expanding the parts does to variables. */
static void walk_parts(struct walk *w, struct word_part *part)
{
	for (; part; part = part->next) {
		if (part->script)
			walk_script(w, part->script);
		if (part->children)
			walk_parts(w, part->children);
		if (part->elements)
			walk_words(w, part->elements);
		if (part->kind == PART_ARITH && names_variables(part->text))
			unbind_all(w->known);
		if (part->kind != PART_PARAM)
			continue;
		if (part->form == PARAM_ASSIGN)
			unbind(w->parser, w->known, part->text);
		else if (part->form == PARAM_INDIRECT || part->form == PARAM_PROMPT || part->form == PARAM_ARITH)
			unbind_all(w->known);
	}
}

static bool may_resolve(const struct word *word)
{
	return word->flags & (WORD_PARAM | WORD_TILDE) && (!word->is_static || word->flags & WORD_TILDE);
}

static void walk_words(struct walk *w, struct word *first)
{
	for (struct word *word = first; word; word = word->next)
		if (word->flags & (WORD_PARAM | WORD_RUNS | WORD_ARITH | WORD_GLOB) || !word->is_static)
			walk_parts(w, word->parts);
	if (w->collect)
		return;
	for (struct word *word = first; word; word = word->next)
		if (may_resolve(word) && !evaluate_word(w->parser, word, w->known))
			return;
}

static void walk_redirects(struct walk *w, struct redirect *first)
{
	for (struct redirect *r = first; r; r = r->next) {
		if (r->op != REDIR_HEREDOC && r->op != REDIR_HEREDOC_TABS)
			walk_words(w, r->target);
		if (r->body)
			walk_words(w, r->body);
		if (r->fd_var.len)
			unbind(w->parser, w->known, r->fd_var);
	}
}

static void walk_assignments(struct walk *w, const struct simple_command *c)
{
	for (struct assignment *a = c->assigns; a; a = a->next) {
		if (a->value)
			walk_words(w, a->value);
		walk_words(w, a->elements);
		if (a->subscript) {
			walk_words(w, a->subscript);
			unbind_all(w->known);
		}
		if (!w->collect && !c->n_words && a->value && a->value->is_static && !a->append && !a->subscript)
			bind(w->parser, w->known, a->name, a->value->value);
		else if (!c->n_words || !bytes_is(a->name, "IFS"))
			unbind(w->parser, w->known, a->name);
	}
}

static void walk_simple(struct walk *w, struct simple_command *c)
{
	walk_words(w, c->words);
	walk_redirects(w, c->redirects);
	walk_assignments(w, c);
	if (c->n_words)
		apply_builtin(w->parser, w->known, c);
}

static void walk_children(struct walk *w, struct node *first, bool apart)
{
	for (struct node *n = first; n; n = n->next) {
		if (apart || n->background)
			walk_apart(w, n);
		else
			walk_node(w, n);
	}
}

/* Behind the first, an item may not have run; each item of an `&&` list ran when the next does. */
static void walk_and_or(struct walk *w, struct node *n)
{
	const struct change *mark;

	walk_node(w, n->children);
	mark = w->known->changes;
	walk_children(w, n->children->next, n->kind == NODE_OR);
	unbind_since(w->known, mark);
}

/* The first condition runs in any case. */
static void walk_if(struct walk *w, struct node *n)
{
	walk_node(w, n->children);
	walk_children(w, n->children->next, true);
}

/* A condition and a body that may run again: what they change is unknown from the start. */
static void walk_loop(struct walk *w, struct node *n)
{
	const struct change *mark;
	bool collect = w->collect;

	walk_words(w, n->words);
	mark = w->known->changes;
	if (n->kind == NODE_ARITH_FOR)
		unbind_all(w->known);
	else if (n->name.len)
		unbind(w->parser, w->known, n->name);
	w->collect = true;
	walk_children(w, n->children, false);
	w->collect = collect;
	if (!collect)
		walk_children(w, n->children, false);
	unbind_since(w->known, mark);
}

static void walk_case(struct walk *w, struct node *n)
{
	walk_words(w, n->words);
	for (struct case_item *item = n->cases; item; item = item->next) {
		walk_words(w, item->patterns);
		if (item->body)
			walk_apart(w, item->body);
	}
}

/* Is HOME named otherwise than to be expanded? It may be given another value before the function is called. */
static bool mentions_home(struct bytes text)
{
	const char *at = text.p, *end = text.p + text.len;

	while ((at = memmem(at, (size_t)(end - at), "HOME", 4)) != NULL) {
		if (at == text.p || (at[-1] != '$' && at[-1] != '{'))
			return true;
		at += 4;
	}
	return false;
}

static void walk_function(struct walk *w, struct node *n)
{
	struct bindings *outer = w->known;

	bind_function(w->parser, outer, n->name);
	if (w->collect)
		return;
	w->known = bindings_new_unknown(w->parser, outer);
	if (w->known && mentions_home(w->parser->script->text))
		w->known->home_known = false;
	if (w->known)
		walk_children(w, n->children, false);
	w->known = outer;
}

/* Comparing numbers evaluates them, -v a subscript. */
static void walk_cond(struct walk *w, struct node *n)
{
	static const char *const evaluating[] = { "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v" };

	walk_words(w, n->words);
	for (const struct word *word = n->words; word; word = word->next)
		for (size_t i = 0; i < ARRAY_LEN(evaluating); i++)
			if (bytes_is(word->src, evaluating[i]))
				unbind_all(w->known);
}

static void walk_node(struct walk *w, struct node *n)
{
	if (w->parser->stopped && w->parser->out_of_memory)
		return;
	switch (n->kind) {
	case NODE_SIMPLE:
		walk_simple(w, n->simple);
		break;
	case NODE_PIPELINE:
		walk_children(w, n->children, n->children && n->children->next);
		break;
	case NODE_AND: case NODE_OR:
		walk_and_or(w, n);
		break;
	case NODE_SEQUENCE: case NODE_GROUP:
		walk_children(w, n->children, false);
		break;
	case NODE_SUBSHELL: case NODE_COPROC:
		walk_children(w, n->children, true);
		if (n->kind == NODE_COPROC)
			unbind(w->parser, w->known, n->name);
		break;
	case NODE_IF:
		walk_if(w, n);
		break;
	case NODE_FOR: case NODE_ARITH_FOR: case NODE_SELECT: case NODE_WHILE: case NODE_UNTIL:
		walk_loop(w, n);
		break;
	case NODE_CASE:
		walk_case(w, n);
		break;
	case NODE_FUNCTION:
		walk_function(w, n);
		break;
	case NODE_COND:
		walk_cond(w, n);
		break;
	case NODE_ARITH:
		walk_words(w, n->words);
		unbind_all(w->known);
		break;
	case NODE_NONE:
		break;
	}
	walk_redirects(w, n->redirects);
}

/*
 * Only a tree that is whole is followed, and only the line's own text: where parsing stopped nothing is vouched for
 * anyway.
 */
void resolve_variables(struct parser *p)
{
	struct walk w = { .parser = p };

	if (p->stopped || !p->script->root || !(p->has_params || p->has_assignments))
		return;
	w.known = bindings_new(p);
	if (w.known)
		walk_node(&w, p->script->root);
}
