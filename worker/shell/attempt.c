/* SPDX-License-Identifier: Apache-2.0 */
/* Trying one reading of a text and taking it back for the other. */
#include "worker/shell/parser.h"

/*
 * Attempts inside attempts that fail multiply the work where their texts are new each time (backticks, bodies of
 * here-documents). Past this much of it the line counts as too deep.
 */
enum { WASTE_MAX = 4 * 1024 * 1024 };

void begin_attempt(const struct parser *p, struct attempt *a)
{
	*a = (struct attempt){
		.in = p->in, .script = *p->script, .tail = p->tail, .links = p->links, .context = p->context,
		.heredocs = p->heredocs, .depth = p->depth, .n_words = p->n_words, .used = p->arena->used,
		.conditional = p->conditional,
	};
}

bool undo_attempt(struct parser *p, const struct attempt *a)
{
	p->in = a->in;
	*p->script = a->script;
	p->tail = a->tail;
	if (p->tail)
		*p->tail = NULL;
	p->links = a->links;
	p->context = a->context;
	p->heredocs = a->heredocs;
	p->depth = a->depth;
	p->n_words = a->n_words;
	p->conditional = a->conditional;
	p->stopped = false;
	p->wasted += p->arena->used - a->used;
	return p->wasted <= WASTE_MAX || stop_limit(p, LIMIT_DEPTH);
}
