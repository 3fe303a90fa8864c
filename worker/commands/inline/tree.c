/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes and names of a text that is being read. */
#include "worker/commands/inline/tree.h"

bool name_in(struct bytes word, const char *list)
{
	const char *p = list, *end = list + strlen(list);

	while (word.len && (p = memmem(p, (size_t)(end - p), word.p, word.len)) != NULL) {
		if ((p == list || p[-1] == ' ') && (p[word.len] == ' ' || p[word.len] == '\0'))
			return true;
		p++;
	}
	return false;
}

bool tree_failed(const struct tree *t)
{
	return t->wrong != NULL || t->run->failed;
}

struct code *tree_wrong(struct tree *t, const char *why)
{
	if (!t->wrong)
		t->wrong = why;
	return NULL;
}

struct code *tree_code(struct tree *t, enum code_kind kind)
{
	struct code *n = tree_failed(t) ? NULL : run_alloc(t->run, sizeof(*n));

	if (n)
		n->kind = kind;
	return n;
}

/* FNV-1a. */
static uint32_t hash(struct bytes b)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < b.len; i++)
		h = (h ^ (unsigned char)b.p[i]) * 16777619u;
	return h;
}

struct symbol *tree_symbol(struct tree *t, struct bytes name)
{
	struct symbol **bucket = &t->symbols[hash(name) % TREE_SYMBOLS];
	struct symbol *s = *bucket;

	while (s && !bytes_eq(s->name, name))
		s = s->next;
	if (s)
		return s;
	s = run_alloc(t->run, sizeof(*s));
	if (!s)
		return NULL;
	*s = (struct symbol){ name, t->n_symbols++, entity_find(t->language, BYTES(""), name), *bucket };
	*bucket = s;
	return s;
}

struct code *tree_name(struct tree *t, struct bytes name)
{
	struct code *n = tree_code(t, CODE_NAME);

	if (n) {
		n->text = name;
		n->symbol = tree_symbol(t, name);
	}
	return n && n->symbol ? n : NULL;
}

/* Lists are built from their front; `b` of the parent is not used by any kind that has a list, but for its
 * end. */
void tree_append(struct code *parent, struct code *child)
{
	if (!parent || !child)
		return;
	if (parent->c)
		parent->c->next = child;
	else
		parent->list = child;
	parent->c = child;
}
