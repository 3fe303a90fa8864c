/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Brace expansion of words that are written out: `{a,b}` and `{1..9}` become the words they stand for, so that each is
 * judged as what it is. A word with anything else in it (quotes, expansions, unbalanced or literal braces) stays as
 * dynamic as it was: bash(1), Brace Expansion.
 */
#include "worker/rules/internal.h"

enum { RESULTS_MAX = 64, LENGTH_MAX = 1024, DIGITS_MAX = 6, DEPTH_MAX = 8 };

struct results {
	struct bytes *list;
	uint32_t n;
};

struct expansion {
	struct judge *j;
	bool failed; /* no memory, too much, or not of the kind that is understood */
};

static struct results expand(struct expansion *x, struct bytes text, unsigned int depth);

/* Only characters that no later expansion of the shell touches, file name patterns apart. */
static bool is_plain(struct bytes text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c <= 0x20 || c == 0x7f || strchr("$`\\\"'~()!<>|&;#^", (int)c) != NULL)
			return false;
	}
	return true;
}

static void add(struct expansion *x, struct results *r, struct bytes text)
{
	if (r->list == NULL)
		r->list = (struct bytes *)arena_alloc(x->j->arena, RESULTS_MAX * sizeof(*r->list));
	if (r->list == NULL || r->n == RESULTS_MAX) {
		x->failed = true;
		return;
	}
	r->list[r->n++] = text;
}

static struct bytes join(struct expansion *x, struct bytes a, struct bytes b, struct bytes c)
{
	size_t n = a.len + b.len + c.len;
	char *p = n <= LENGTH_MAX ? (char *)arena_alloc(x->j->arena, n + 1) : NULL;

	if (p == NULL) {
		x->failed = true;
		return (struct bytes){ NULL, 0 };
	}
	if (a.len > 0)
		memcpy(p, a.p, a.len);
	if (b.len > 0)
		memcpy(p + a.len, b.p, b.len);
	if (c.len > 0)
		memcpy(p + a.len + b.len, c.p, c.len);
	return (struct bytes){ p, n };
}

/* A decimal number without the leading zeros that would make all of the sequence as wide. */
static bool read_number(struct bytes text, long *ret)
{
	bool negative = text.len > 0 && text.p[0] == '-';
	long value = 0;

	if (negative)
		text = (struct bytes){ text.p + 1, text.len - 1 };
	if (text.len == 0 || text.len > DIGITS_MAX || (text.p[0] == '0' && (text.len > 1 || negative)))
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (text.p[i] < '0' || text.p[i] > '9')
			return false;
		value = value * 10 + (text.p[i] - '0');
	}
	*ret = negative ? -value : value;
	return true;
}

static bool is_small_letter(struct bytes b)
{
	return b.len == 1 && b.p[0] >= 'a' && b.p[0] <= 'z';
}

/* FROM..TO of whole numbers or small letters. */
static void add_sequence(struct expansion *x, struct results *r, struct bytes text)
{
	const char *dots = text.len > 0 ? (const char *)memmem(text.p, text.len, "..", 2) : NULL;
	struct bytes from, to;
	long a = 0, b = 0, step;

	if (dots == NULL) {
		x->failed = true;
		return;
	}
	from = (struct bytes){ text.p, (size_t)(dots - text.p) };
	to = (struct bytes){ dots + 2, text.len - from.len - 2 };
	if (is_small_letter(from) && is_small_letter(to)) {
		a = from.p[0];
		b = to.p[0];
		step = a <= b ? 1 : -1;
		for (long i = a; !x->failed; i += step) {
			const char c = (char)i;

			add(x, r, join(x, (struct bytes){ &c, 1 }, (struct bytes){ NULL, 0 },
				(struct bytes){ NULL, 0 }));
			if (i == b)
				return;
		}
	} else if (read_number(from, &a) && read_number(to, &b)) {
		step = a <= b ? 1 : -1;
		for (long i = a; !x->failed; i += step) {
			add(x, r, judge_text(x->j, "%ld", i));
			if (i == b)
				return;
		}
	}
	x->failed = true;
}

/* The alternatives between a pair of braces. */
static struct results alternatives(struct expansion *x, struct bytes text, unsigned int depth)
{
	struct results r = { .n = 0 };
	unsigned int level = 0;
	bool separated = false;
	size_t start = 0;

	for (size_t i = 0; i <= text.len && !x->failed; i++) {
		char c = i < text.len ? text.p[i] : ',';

		if (c == '{')
			level++;
		else if (c == '}')
			level--;
		if (c != ',' || level > 0 || (i == text.len && !separated))
			continue;
		separated = true;
		struct results part = expand(x, (struct bytes){ text.p + start, i - start }, depth + 1);

		for (uint32_t k = 0; k < part.n && !x->failed; k++)
			add(x, &r, part.list[k]);
		start = i + 1;
	}
	if (!separated)
		add_sequence(x, &r, text);
	return r;
}

static size_t partner_of(struct bytes text, size_t open)
{
	unsigned int level = 0;

	for (size_t i = open; i < text.len; i++) {
		if (text.p[i] == '{')
			level++;
		else if (text.p[i] == '}' && --level == 0)
			return i;
	}
	return text.len;
}

static struct results expand(struct expansion *x, struct bytes text, unsigned int depth)
{
	const char *brace = text.len > 0 ? (const char *)memchr(text.p, '{', text.len) : NULL;
	struct results r = { .n = 0 }, inner, rest;
	size_t open, close;

	if (brace == NULL) {
		if (text.len > 0 && memchr(text.p, '}', text.len) != NULL)
			x->failed = true;
		add(x, &r, text);
		return r;
	}
	open = (size_t)(brace - text.p);
	close = partner_of(text, open);
	if (close == text.len || depth > DEPTH_MAX || memchr(text.p, '}', open) != NULL) {
		x->failed = true;
		return r;
	}
	inner = alternatives(x, (struct bytes){ text.p + open + 1, close - open - 1 }, depth);
	rest = expand(x, (struct bytes){ text.p + close + 1, text.len - close - 1 }, depth);
	for (uint32_t i = 0; i < inner.n && !x->failed; i++)
		for (uint32_t k = 0; k < rest.n && !x->failed; k++)
			add(x, &r, join(x, (struct bytes){ text.p, open }, inner.list[i], rest.list[k]));
	return r;
}

static struct word *word_of(struct judge *j, struct bytes text)
{
	struct word *w = arena_new(j->arena, struct word);
	size_t n = 0;

	if (w == NULL) {
		judge_fail(j, -ENOMEM);
		return NULL;
	}
	while (n < text.len && strchr("*?[", text.p[n]) == NULL)
		n++;
	w->src = text;
	w->is_static = n == text.len;
	if (w->is_static)
		w->value = text;
	else
		w->prefix = (struct bytes){ text.p, n };
	w->flags = w->is_static ? 0 : WORD_GLOB;
	return w;
}

/* ~/ at the very beginning is put in for each word afterwards, which comes to the same. */
static struct bytes with_home(struct judge *j, struct bytes text)
{
	struct bytes home = j->line->policy->home;

	if (text.len < 2 || text.p[0] != '~' || text.p[1] != '/' || home.len == 0)
		return text;
	return judge_text(j, "%.*s%.*s", (int)home.len, home.p, (int)text.len - 1, text.p + 1);
}

struct word *braces_of(struct judge *j, const struct word *w)
{
	const uint32_t other = WORD_QUOTED | WORD_SPLITS | WORD_RUNS | WORD_PARAM | WORD_ARITH | WORD_ASSIGNS |
		WORD_VERBATIM | WORD_DOUBTFUL;
	struct expansion x = { .j = j };
	struct word *first = NULL, **end = &first;
	struct bytes text = with_home(j, w->src);
	struct results r;

	if ((w->flags & WORD_BRACE) == 0 || (w->flags & other) != 0 || text.len > LENGTH_MAX || !is_plain(text) ||
		(j->line->dialect != DIALECT_BASH && j->line->dialect != DIALECT_ZSH))
		return NULL;
	j->loop_work += 64;
	r = expand(&x, text, 0);
	for (uint32_t i = 0; i < r.n && !x.failed; i++) {
		/* What becomes empty without quotes is no word at all. */
		if (r.list[i].len == 0)
			continue;
		*end = word_of(j, r.list[i]);
		if (*end == NULL)
			return NULL;
		end = &(*end)->next;
	}
	return x.failed ? NULL : first;
}

/* The list with its braces expanded; as it is where there are none. */
const struct word *braces_in(struct judge *j, const struct word *words, uint32_t *ret_n)
{
	struct word *first = NULL, **end = &first;
	bool any = false;
	uint32_t n = 0;

	for (const struct word *w = words; w != NULL && !any; w = w->next)
		any = (w->flags & WORD_BRACE) != 0;
	if (!any || j->loop_work >= LOOP_WORK_MAX)
		return words;
	for (const struct word *w = words; w != NULL; w = w->next) {
		struct word *expanded = braces_of(j, w);

		if (expanded == NULL) {
			expanded = arena_new(j->arena, struct word);
			if (expanded == NULL) {
				judge_fail(j, -ENOMEM);
				return words;
			}
			*expanded = *w;
			expanded->next = NULL;
		}
		for (*end = expanded; *end != NULL; end = &(*end)->next)
			n++;
	}
	*ret_n = n;
	return first;
}
