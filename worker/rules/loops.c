/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `for NAME in WORDS`: the body is judged once for each value the list gives, with the value put where $NAME stands.
 * Only lists that are known to the letter, or are file name patterns, and only names that nothing else on the line
 * sets.
 */
#include "worker/rules/internal.h"

enum { LOOPS_MAX = 3, VALUES_MAX = 32 };

struct loop {
	struct bytes name;
	const struct word *values;
};

struct loops {
	struct loop l[LOOPS_MAX];
	uint32_t n;
};

static bool is_value(const struct word *w)
{
	const uint32_t other = WORD_BRACE | WORD_SPLITS | WORD_RUNS | WORD_PARAM | WORD_ARITH;

	return w->is_static || ((w->flags & other) == 0 && (w->flags & WORD_GLOB) != 0);
}

/* printf sets a variable with -v alone, its first word (bash(1), printf). */
static bool only_prints(const struct word *w)
{
	return bytes_is(w->value, "printf") && w->next != NULL && w->next->is_static && w->next->value.len > 0 &&
		w->next->value.p[0] != '-';
}

/* Something but the loop may give the variable a value: then the list says nothing. */
static bool is_set_elsewhere(const struct judge *j, struct bytes name)
{
	static const char *const setters[] = { "read", "mapfile", "readarray", "printf", "getopts", "let", "declare",
		"typeset", "local", "export", "readonly", "unset", "eval", "source", "." };

	for (const struct simple_command *c = j->current->commands; c != NULL; c = c->next) {
		for (const struct assignment *a = c->assigns; a != NULL; a = a->next)
			if (bytes_eq(a->name, name))
				return true;
		if (c->words == NULL || !c->words->is_static)
			continue;
		for (size_t i = 0; i < ARRAY_LEN(setters); i++)
			if (bytes_is(c->words->value, setters[i]) && !only_prints(c->words))
				for (const struct word *w = c->words->next; w != NULL; w = w->next)
					if (!w->is_static || bytes_eq(w->value, name) || setters[i][0] == '.' ||
						bytes_is(c->words->value, "eval"))
						return true;
	}
	return false;
}

static void loops_around(struct judge *j, const struct simple_command *c, struct loops *ret)
{
	ret->n = 0;
	for (const struct context *x = c->context; x != NULL && ret->n < LOOPS_MAX; x = x->up) {
		uint32_t n = 0;
		bool known = true;
		const struct word *values;

		if (x->kind == CONTEXT_FUNCTION)
			return;
		if (x->kind != CONTEXT_LOOP || x->node == NULL || x->node->kind != NODE_FOR || !x->node->has_in)
			continue;
		values = braces_in(j, x->node->words, &n);
		n = 0;
		for (const struct word *w = values; w != NULL && known; w = w->next, n++)
			known = n < VALUES_MAX && is_value(w);
		j->loop_work += n + j->current->n_commands;
		for (uint32_t i = 0; i < ret->n && known; i++)
			known = !bytes_eq(ret->l[i].name, x->node->name);
		if (known && n > 0 && !is_set_elsewhere(j, x->node->name))
			ret->l[ret->n++] = (struct loop){ x->node->name, values };
	}
}

/* The value of a plain $NAME under the values chosen, or NULL. */
static const struct word *chosen(const struct loops *loops, const struct word *const *values, const struct word_part *p)
{
	for (uint32_t i = 0; i < loops->n && p->kind == PART_PARAM && p->form == PARAM_PLAIN; i++)
		if (bytes_eq(p->text, loops->l[i].name))
			return values[i];
	return NULL;
}

static bool mentions(const struct loops *loops, const struct word_part *p)
{
	for (; p != NULL; p = p->next) {
		for (uint32_t i = 0; i < loops->n; i++)
			if (p->kind == PART_PARAM && bytes_eq(p->text, loops->l[i].name))
				return true;
		if (mentions(loops, p->children))
			return true;
	}
	return false;
}

struct spelling { /* of a word under construction */
	char *p;
	size_t len, size;
	size_t pattern; /* where the first file name pattern begins; SIZE_MAX: there is none */
	struct bytes home; /* what ~ stands for */
	bool known;
};

static void spell(struct spelling *s, struct bytes text, bool pattern)
{
	if (text.len > s->size - s->len) {
		s->known = false;
		return;
	}
	if (pattern && s->pattern == SIZE_MAX)
		s->pattern = s->len;
	if (text.len > 0)
		memcpy(s->p + s->len, text.p, text.len);
	s->len += text.len;
}

/* Unquoted, a value is split at blanks and read as a pattern once more: only one that neither can touch is taken. */
static bool is_inert(struct bytes v)
{
	for (size_t i = 0; i < v.len; i++)
		if (strchr(" \t\n*?[", v.p[i]) != NULL)
			return false;
	return v.len > 0;
}

static void spell_value(struct spelling *s, const struct word *v, bool quoted)
{
	size_t dynamic = 0;

	if (v->is_static) {
		s->known = s->known && (quoted || is_inert(v->value));
		spell(s, v->value, false);
		return;
	}
	/* A pattern's own text: the certain beginning, then what is written from its first special character on. */
	spell(s, v->prefix, false);
	while (dynamic < v->src.len && strchr("*?[", v->src.p[dynamic]) == NULL)
		dynamic++;
	spell(s, (struct bytes){ v->src.p + dynamic, v->src.len - dynamic }, true);
}

static void spell_parts(struct spelling *s, const struct loops *loops, const struct word *const *values,
	const struct word_part *p, bool quoted)
{
	for (; p != NULL && s->known; p = p->next) {
		const struct word *v = chosen(loops, values, p);

		if (v != NULL)
			spell_value(s, v, quoted);
		else if (p->kind == PART_LITERAL || p->kind == PART_SINGLE || p->kind == PART_ANSI_C)
			spell(s, p->text, false);
		else if (p->kind == PART_DOUBLE)
			spell_parts(s, loops, values, p->children, true);
		else if (p->kind == PART_GLOB)
			spell(s, p->text, true);
		else if (p->kind == PART_TILDE && bytes_is(p->text, "~") && s->home.len > 0)
			spell(s, s->home, false);
		else
			s->known = false;
	}
}

static size_t room_for(const struct loops *loops, const struct word *const *values, const struct word *w)
{
	size_t n = w->src.len * 2 + 16;

	for (uint32_t i = 0; i < loops->n; i++)
		n += (values[i]->value.len + values[i]->prefix.len + values[i]->src.len) * (1 + w->src.len / 2);
	return n < 64 * 1024 ? n : 64 * 1024;
}

/* The word with the values put in; as it is, where it does not mention them or more than they make it dynamic. */
static struct word *put_in(struct judge *j, const struct loops *loops, const struct word *const *values,
	const struct word *w)
{
	struct word *copy = arena_new(j->arena, struct word);
	struct spelling s = { .pattern = SIZE_MAX, .known = true, .home = j->line->policy->home };

	if (copy == NULL) {
		judge_fail(j, -ENOMEM);
		return NULL;
	}
	*copy = *w;
	copy->next = NULL;
	if (w->is_static || !mentions(loops, w->parts))
		return copy;
	s.size = room_for(loops, values, w) + s.home.len;
	s.p = (char *)arena_alloc(j->arena, s.size);
	if (s.p == NULL) {
		judge_fail(j, -ENOMEM);
		return NULL;
	}
	spell_parts(&s, loops, values, w->parts, false);
	if (!s.known)
		return copy;
	copy->src = (struct bytes){ s.p, s.len };
	copy->is_static = s.pattern == SIZE_MAX;
	copy->value = copy->is_static ? copy->src : (struct bytes){ NULL, 0 };
	copy->prefix = copy->is_static ? (struct bytes){ NULL, 0 } : (struct bytes){ s.p, s.pattern };
	copy->flags = copy->is_static ? WORD_QUOTED : WORD_GLOB;
	return copy;
}

static bool copy_words(struct judge *j, const struct loops *loops, const struct word *const *values,
	const struct word *from, struct word **to)
{
	for (; from != NULL; from = from->next) {
		*to = put_in(j, loops, values, from);
		if (*to == NULL)
			return false;
		to = &(*to)->next;
	}
	return true;
}

static bool copy_command(struct judge *j, const struct loops *loops, const struct word *const *values,
	const struct simple_command *c, struct simple_command *ret)
{
	struct redirect **to = &ret->redirects;
	struct assignment **assign = &ret->assigns;

	*ret = *c;
	if (!copy_words(j, loops, values, c->words, &ret->words))
		return false;
	for (const struct redirect *r = c->redirects; r != NULL; r = r->next, to = &(*to)->next) {
		*to = arena_new(j->arena, struct redirect);
		if (*to == NULL)
			return false;
		**to = *r;
		if (r->target != NULL && !copy_words(j, loops, values, r->target, &(*to)->target))
			return false;
	}
	for (const struct assignment *a = c->assigns; a != NULL; a = a->next, assign = &(*assign)->next) {
		*assign = arena_new(j->arena, struct assignment);
		if (*assign == NULL)
			return false;
		**assign = *a;
		if (a->value != NULL && !copy_words(j, loops, values, a->value, &(*assign)->value))
			return false;
	}
	return true;
}

static bool command_mentions(const struct loops *loops, const struct simple_command *c)
{
	for (const struct word *w = c->words; w != NULL; w = w->next)
		if (!w->is_static && mentions(loops, w->parts))
			return true;
	for (const struct redirect *r = c->redirects; r != NULL; r = r->next)
		if (r->target != NULL && !r->target->is_static && mentions(loops, r->target->parts))
			return true;
	for (const struct assignment *a = c->assigns; a != NULL; a = a->next)
		if (a->value != NULL && !a->value->is_static && mentions(loops, a->value->parts))
			return true;
	return false;
}

static uint32_t combinations(const struct loops *loops)
{
	uint32_t all = 1;

	for (uint32_t i = 0; i < loops->n; i++) {
		uint32_t n = 0;

		for (const struct word *w = loops->l[i].values; w != NULL; w = w->next)
			n++;
		all *= n;
	}
	return all;
}

bool judge_each_value(
	struct judge *j, const struct simple_command *c, const struct subject *inherited, struct flow *ret)
{
	const struct word *values[LOOPS_MAX];
	struct loops loops;
	bool first = true;

	if (j->loop_work >= LOOP_WORK_MAX)
		return false;
	loops_around(j, c, &loops);
	if (loops.n == 0 || !command_mentions(&loops, c))
		return false;
	/* The outermost loops are let go first: what they give stays unknown. */
	while (loops.n > 1 && combinations(&loops) > VALUES_MAX)
		loops.n--;
	for (uint32_t i = 0; i < loops.n; i++)
		values[i] = loops.l[i].values;
	while (j->error == 0) {
		struct simple_command copy;
		struct flow f;
		uint32_t i = 0;

		if (!copy_command(j, &loops, values, c, &copy)) {
			judge_fail(j, -ENOMEM);
			return true;
		}
		j->loop_work += 64;
		judge_as(j, c, &copy, inherited, &f);
		*ret = first ? f :
			       (struct flow){ directories_either(&ret->done, &f.done),
				       directories_either(&ret->failed, &f.failed) };
		first = false;
		while (i < loops.n && (values[i] = values[i]->next) == NULL) {
			values[i] = loops.l[i].values;
			i++;
		}
		if (i == loops.n)
			break;
	}
	return true;
}
