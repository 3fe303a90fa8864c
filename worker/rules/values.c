/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words with values put in: the variables of loops and of the line's own assignments, and what substitutions print. A
 * word becomes the text it certainly is, or a pattern of the texts it may be; or stays as dynamic as it was.
 */
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

enum { WORD_SIZE_MAX = 64 * 1024 };

struct spelling { /* of a word under construction */
	struct subject *s;
	const struct values *values;
	const struct word *const *choice;
	char *p;
	size_t len, size;
	size_t pattern; /* where the first file name pattern begins; SIZE_MAX: there is none */
	uint32_t flags; /* of the values in it */
	bool known;
	bool token; /* so far a harmless token, and text as harmless */
	size_t empty; /* how much of its beginning may be missing, if a substitution fails */
	bool made; /* or if no name could be made */
};

bool value_is_named(const struct values *values, struct bytes name)
{
	for (uint32_t i = 0; i < values->n; i++)
		if (bytes_eq(name, values->v[i].name))
			return true;
	return false;
}

static struct bytes home_of(const struct subject *s)
{
	return s->j->line->policy->home;
}

/* What a part stands for by itself: a value, the output of a substitution, the last job. NULL: not known. */
static const struct word *value_of(struct subject *s, const struct values *values, const struct word *const *choice,
	const struct word_part *p, bool *ret_may_be_empty)
{
	static const struct word job = { .src = { "$!", 2 }, .flags = WORD_PARAM | WORD_PROCESS };

	*ret_may_be_empty = false;
	if (p->kind == PART_COMMAND && !values->loops_only) {
		*ret_may_be_empty = true;
		return carried_by_script(s, p->script, values->depth + 1);
	}
	if (p->kind != PART_PARAM || p->form != PARAM_PLAIN || p->many)
		return NULL;
	if (bytes_is(p->text, "!"))
		return &job;
	for (uint32_t i = 0; i < values->n; i++)
		if (bytes_eq(p->text, values->v[i].name) && (values->v[i].of_loop || !values->loops_only)) {
			*ret_may_be_empty = values->v[i].may_be_empty;
			return choice != NULL && choice[i] != NULL ? choice[i] : values->v[i].words;
		}
	return NULL;
}

/* Is it the only one, or chosen to stand for one round of a loop? */
static bool is_single(const struct values *values, const struct word *const *choice, const struct word_part *p,
	const struct word *v)
{
	for (uint32_t i = 0; choice != NULL && i < values->n && p->kind == PART_PARAM; i++)
		if (bytes_eq(p->text, values->v[i].name) && choice[i] != NULL)
			return true;
	return v->next == NULL;
}

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

static void spell_value(struct spelling *s, const struct word *v, bool quoted, bool may_be_empty)
{
	if (may_be_empty && s->len == 0 && !v->is_static) {
		s->empty = v->src.len;
		/* What makes one name, and hardly ever fails. */
		s->made = (v->flags & WORD_TOKEN) != 0;
	}
	if (v->is_static) {
		s->known = s->known && (quoted || is_inert(v->value));
		spell(s, v->value, false);
		return;
	}
	s->flags |= v->flags & (WORD_FOUND | WORD_PIECES);
	s->token = s->token && (v->flags & WORD_TOKEN) != 0;
	if ((v->flags & WORD_PROCESS) != 0) {
		/* `-$!` is its group; anything else would make another number of it. */
		s->known = s->known && (s->len == 0 || (s->len == 1 && s->p[0] == '-'));
		s->flags |= WORD_PROCESS;
		return;
	}
	if (!quoted && (v->flags & WORD_TOKEN) == 0)
		s->flags |= WORD_PIECES;
	/* A pattern's own text: the certain beginning, then what is written from its first special character on. */
	spell(s, v->prefix, false);
	if ((v->flags & WORD_FOUND) != 0) {
		spell(s, (struct bytes){ v->src.p + v->prefix.len, v->src.len - v->prefix.len }, true);
		return;
	}
	for (size_t i = 0; i <= v->src.len; i++)
		if (i == v->src.len || strchr("*?[", v->src.p[i]) != NULL) {
			spell(s, (struct bytes){ v->src.p + i, v->src.len - i }, true);
			return;
		}
}

static void spell_text(struct spelling *s, struct bytes text, bool pattern)
{
	if ((s->flags & WORD_PROCESS) != 0 && text.len > 0)
		s->known = false;
	s->token = s->token && !pattern && is_inert(text) && memchr(text.p, '/', text.len) == NULL;
	spell(s, text, pattern);
}

static void spell_parts(struct spelling *s, const struct word_part *p, bool quoted)
{
	for (; p != NULL && s->known; p = p->next) {
		bool may_be_empty;
		const struct word *v = value_of(s->s, s->values, s->choice, p, &may_be_empty);

		if (v != NULL && is_single(s->values, s->choice, p, v))
			spell_value(s, v, quoted, may_be_empty);
		else if (v != NULL)
			s->known = false;
		else if (p->kind == PART_LITERAL || p->kind == PART_SINGLE || p->kind == PART_ANSI_C)
			spell_text(s, p->text, false);
		else if (p->kind == PART_DOUBLE)
			spell_parts(s, p->children, true);
		else if (p->kind == PART_GLOB)
			spell_text(s, p->text, true);
		else if (p->kind == PART_TILDE && bytes_is(p->text, "~") && home_of(s->s).len > 0)
			spell_text(s, home_of(s->s), false);
		else
			s->known = false;
	}
}

/*
 * Without the value in front, the rest would be a path from the root on: `"$T"/ *` (without the blank) is everything.
 * What is left must be a name there that nobody needs.
 */
static bool rest_is_harmless(const struct subject *s, struct bytes word, size_t empty, bool made)
{
	struct bytes rest = { word.p + empty, word.len - empty };
	size_t n = 1;

	if (empty == 0 || rest.len == 0 || rest.p[0] != '/' || (made && rest.len == 1))
		return true;
	while (n < rest.len && rest.p[n] != '/' && strchr("*?[", rest.p[n]) == NULL)
		n++;
	rest.len = n;
	return n > 1 && (n == word.len - empty || word.p[empty + n] == '/') && !path_is_system(rest) &&
		!path_within(home_of(s), rest) && !path_within(rest, BYTES("/home"));
}

static size_t room_for(const struct values *values, const struct word *w)
{
	size_t n = w->src.len * 2 + QUESTION_PATH_MAX, longest = 0;

	for (uint32_t i = 0; i < values->n; i++)
		for (const struct word *v = values->v[i].words; v != NULL; v = v->next)
			if (v->value.len + v->prefix.len + v->src.len > longest)
				longest = v->value.len + v->prefix.len + v->src.len;
	n += longest * (1 + w->src.len / 2);
	return n < WORD_SIZE_MAX ? n : WORD_SIZE_MAX;
}

static void finish(const struct spelling *s, struct word *copy)
{
	copy->parts = NULL;
	copy->src = (struct bytes){ s->p, s->len };
	if ((s->flags & WORD_PROCESS) != 0) {
		copy->is_static = false;
		copy->prefix = copy->src;
		copy->flags = WORD_PARAM | WORD_PROCESS;
		return;
	}
	copy->is_static = s->pattern == SIZE_MAX;
	copy->value = copy->is_static ? copy->src : (struct bytes){ NULL, 0 };
	copy->prefix = copy->is_static ? (struct bytes){ NULL, 0 } : (struct bytes){ s->p, s->pattern };
	copy->flags = copy->is_static ? WORD_QUOTED : WORD_GLOB | s->flags | (s->token ? WORD_TOKEN : 0);
	if (!copy->is_static && (s->flags & (WORD_FOUND | WORD_PIECES)) == WORD_FOUND)
		copy->flags |= WORD_SINGLE;
}

/* The part that the word consists of, quoted or not; NULL: there are several. */
static const struct word_part *only_part(const struct word *w, bool *ret_quoted)
{
	const struct word_part *p = w->parts;

	*ret_quoted = false;
	if (p != NULL && p->next == NULL && p->kind == PART_DOUBLE) {
		*ret_quoted = true;
		p = p->children;
	}
	return p != NULL && p->next == NULL ? p : NULL;
}

/* All that a word stands for when it is nothing but a value. */
static struct word *copies_of(struct judge *j, const struct word *v, bool quoted, bool one)
{
	struct word *first = NULL, **end = &first;

	for (; v != NULL; v = one ? NULL : v->next) {
		*end = arena_new(j->arena, struct word);
		if (*end == NULL) {
			judge_fail(j, -ENOMEM);
			return NULL;
		}
		**end = *v;
		(*end)->next = NULL;
		if (!quoted && !v->is_static && (v->flags & (WORD_TOKEN | WORD_PROCESS)) == 0)
			(*end)->flags |= WORD_PIECES;
		else if ((v->flags & WORD_TOKEN) != 0 || (quoted && one))
			(*end)->flags |= WORD_SINGLE;
		end = &(*end)->next;
	}
	return first;
}

static bool mentions_value(const struct values *values, const struct word_part *p)
{
	for (; p != NULL; p = p->next)
		if (p->kind == PART_COMMAND ||
			(p->kind == PART_PARAM && (bytes_is(p->text, "!") || value_is_named(values, p->text))) ||
			mentions_value(values, p->children))
			return true;
	return false;
}

/* The word, or the words that it is, with the values put in; as it is, where they are not all that makes it dynamic. */
static struct word *put_in(struct subject *s, const struct values *values, const struct word *const *choice,
	const struct word *w)
{
	struct judge *j = s->j;
	struct word *copy = arena_new(j->arena, struct word);
	struct spelling at = { .s = s, .values = values, .choice = choice, .pattern = SIZE_MAX, .known = true,
		.token = true };
	const struct word_part *only;
	const struct word *v;
	bool quoted, may_be_empty;

	if (copy == NULL) {
		judge_fail(j, -ENOMEM);
		return NULL;
	}
	*copy = *w;
	copy->next = NULL;
	if (w->is_static || (w->flags & WORD_DOUBTFUL) != 0 || !mentions_value(values, w->parts))
		return copy;
	only = only_part(w, &quoted);
	v = only != NULL ? value_of(s, values, choice, only, &may_be_empty) : NULL;
	/* A text that is known to the letter is spelled below, as quoting decides whether it stays one word. */
	if (v != NULL && (!v->is_static || (v->next != NULL && !quoted && !is_single(values, choice, only, v))))
		return copies_of(j, v, quoted, is_single(values, choice, only, v));
	at.size = room_for(values, w) + home_of(s).len;
	at.p = (char *)arena_alloc(j->arena, at.size);
	if (at.p == NULL) {
		judge_fail(j, -ENOMEM);
		return NULL;
	}
	spell_parts(&at, w->parts, (w->flags & WORD_VERBATIM) != 0);
	if (at.known && at.len > 0 && rest_is_harmless(s, (struct bytes){ at.p, at.len }, at.empty, at.made))
		finish(&at, copy);
	return copy;
}

static bool copy_words(struct subject *s, const struct values *values, const struct word *const *choice,
	const struct word *from, struct word **to, uint32_t *ret_n)
{
	*ret_n = 0;
	for (; from != NULL; from = from->next) {
		*to = put_in(s, values, choice, from);
		if (*to == NULL)
			return false;
		for (; *to != NULL; to = &(*to)->next)
			(*ret_n)++;
	}
	return true;
}

/* A command word that is not written out is what a loop makes of it, and nothing that is computed. */
static bool copy_command_words(struct subject *s, const struct values *values, const struct word *const *choice,
	const struct simple_command *c, struct simple_command *ret)
{
	struct values loops = *values;
	struct word first = *c->words;
	uint32_t n;

	loops.loops_only = true;
	first.next = NULL;
	if (!copy_words(s, &loops, choice, &first, &ret->words, &n))
		return false;
	if (n != 1) {
		ret->words = arena_new(s->j->arena, struct word);
		if (ret->words == NULL)
			return false;
		*ret->words = first;
	}
	if (!copy_words(s, values, choice, c->words->next, &ret->words->next, &n))
		return false;
	ret->n_words = n + 1;
	return true;
}

bool values_copy(struct subject *s, const struct values *values, const struct word *const *choice,
	const struct simple_command *c, struct simple_command *ret)
{
	struct redirect **to = &ret->redirects;
	struct assignment **assign = &ret->assigns;
	uint32_t n;

	*ret = *c;
	if (c->words != NULL && !copy_command_words(s, values, choice, c, ret))
		return false;
	for (const struct redirect *r = c->redirects; r != NULL; r = r->next, to = &(*to)->next) {
		*to = arena_new(s->j->arena, struct redirect);
		if (*to == NULL)
			return false;
		**to = *r;
		if (r->target != NULL && !copy_words(s, values, choice, r->target, &(*to)->target, &n))
			return false;
		if (r->target != NULL && n != 1)
			(*to)->target = r->target;
	}
	for (const struct assignment *a = c->assigns; a != NULL; a = a->next, assign = &(*assign)->next) {
		*assign = arena_new(s->j->arena, struct assignment);
		if (*assign == NULL)
			return false;
		**assign = *a;
		if (a->value != NULL && !copy_words(s, values, choice, a->value, &(*assign)->value, &n))
			return false;
		if (a->value != NULL && n != 1)
			(*assign)->value = a->value;
	}
	return true;
}

void values_put_in(struct subject *s, const struct simple_command *c, unsigned int depth, struct simple_command *ret)
{
	struct simple_command copy;
	struct values values;

	values_known(s, c, depth, &values);
	if (values_copy(s, &values, NULL, c, &copy))
		*ret = copy;
	else
		judge_fail(s->j, -ENOMEM);
}
