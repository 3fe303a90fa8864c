/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where a word's brace expansion begins, as bash's braces.c does, so that {} and {a} and a{b stay literal. */
#include "worker/shell/parser.h"

/* Work past which a word full of braces is called an expansion without looking further. */
enum { BRACE_STEPS = 8192 };

/* An unquoted character that matters, with its place in the word after quote removal. */
struct brace_char {
	struct word_part *part;
	uint32_t offset; /* in the part */
	uint32_t position;
	char c;
};

struct brace_text {
	struct brace_char *at;
	size_t n;
	uint32_t length;
};

static void visit(struct brace_text *t, struct word_part *part, bool write)
{
	for (size_t i = 0; i < part->text.len; i++) {
		char c = part->text.p[i];

		if (c != '{' && c != '}' && c != ',' && c != '.')
			continue;
		if (write)
			t->at[t->n] = (struct brace_char){ part, (uint32_t)i, t->length + (uint32_t)i, c };
		t->n++;
	}
	t->length += (uint32_t)part->text.len;
}

static void collect(struct brace_text *t, struct word_part *parts, bool write)
{
	t->n = 0;
	t->length = 0;
	for (struct word_part *part = parts; part; part = part->next) {
		if (part->kind == PART_LITERAL)
			visit(t, part, write);
		else
			t->length += 2; /* never adjacent to anything */
	}
}

/* `..` that does not stand right before a closing brace separates as a comma does. */
static bool separates(const struct brace_text *t, size_t i)
{
	const struct brace_char *at = t->at + i;

	if (at->c == ',')
		return true;
	if (at->c != '.' || i + 1 >= t->n || at[1].c != '.' || at[1].position != at->position + 1)
		return false;
	return !(i + 2 < t->n && at[2].c == '}' && at[2].position == at->position + 2);
}

/* Does the brace at `open` have its partner? A closing brace without a separator before it is passed over. */
static bool has_partner(const struct brace_text *t, size_t open, unsigned int *steps)
{
	unsigned int level = 0;
	bool separated = false;

	for (size_t i = open + 1; i < t->n; i++) {
		if (++*steps > BRACE_STEPS)
			return true;
		if (t->at[i].c == '{') {
			level++;
		} else if (t->at[i].c == '}') {
			if (level == 0 && separated)
				return true;
			if (level)
				level--;
		} else if (level == 0 && separates(t, i)) {
			separated = true;
		}
	}
	return false;
}

/* {} at a word's start is literal. */
static bool is_empty_pair(const struct brace_text *t, size_t i)
{
	return t->at[i].position == 0 && i + 1 < t->n && t->at[i + 1].c == '}' && t->at[i + 1].position == 1;
}

static bool split_at(struct parser *p, struct word *w, const struct brace_char *open)
{
	struct word_part *first = open->part, *brace = parser_new(p, struct word_part);
	struct word_part *rest = parser_new(p, struct word_part);
	const char *start = first->text.p + open->offset;

	if (!brace || !rest)
		return false;
	*rest = *first;
	rest->text = (struct bytes){ start, first->text.len - open->offset };
	brace->kind = PART_BRACE;
	brace->text = (struct bytes){ start, (size_t)(w->src.p + w->src.len - start) };
	brace->children = rest;
	first->text.len = open->offset;
	first->next = brace;
	w->flags |= WORD_BRACE;
	return true;
}

bool find_braces(struct parser *p, struct word *w)
{
	struct brace_text t = { .at = NULL };
	unsigned int steps = 0;

	collect(&t, w->parts, false);
	if (t.n < 3)
		return true;
	t.at = parser_alloc(p, t.n * sizeof(*t.at));
	if (!t.at)
		return false;
	collect(&t, w->parts, true);
	for (size_t i = 0; i < t.n; i++) {
		if (t.at[i].c != '{' || is_empty_pair(&t, i) || !has_partner(&t, i, &steps))
			continue;
		met(p, CONSTRUCT_BRACE_EXPANSION, t.at[i].part->text.p + t.at[i].offset);
		return split_at(p, w, &t.at[i]);
	}
	return true;
}
