/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parser on any text, in every dialect (the first byte chooses, the rest is the line): what it says must hang
 * together, and be said again the same.
 */
#include "worker/shell/shell.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PAST_A_LIMIT UINT32_MAX

static const struct shell_options options_of[DIALECT__MAX] = {
	[DIALECT_BASH] = { .dialect = DIALECT_BASH, .home = { "/home/u", 7 } },
	[DIALECT_POSIX] = { .dialect = DIALECT_POSIX, .home = { "/home/u", 7 } },
	[DIALECT_ZSH] = { .dialect = DIALECT_ZSH },
	[DIALECT_OTHER] = { .dialect = DIALECT_OTHER },
};

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* Reads every byte of a text, so that a wrong span is a crash under a sanitizer. */
static uint64_t digest(uint64_t h, struct bytes b)
{
	for (size_t i = 0; i < b.len; i++)
		h = (h ^ (unsigned char)b.p[i]) * 1099511628211u;
	return h * 31 + b.len;
}

static uint64_t digest_word(uint64_t h, const struct word *w)
{
	check(w->src.p != NULL);
	check(w->is_static ? !w->prefix.len : !w->value.len);
	check(!w->is_static || !(w->flags & (WORD_BRACE | WORD_RUNS)));
	h = digest(h, w->src);
	h = digest(h, w->value);
	return digest(h, w->prefix) + w->is_static + w->flags;
}

static uint64_t digest_redirects(uint64_t h, const struct redirect *r)
{
	for (; r; r = r->next) {
		check(r->op < REDIR__MAX && r->fd >= -1 && r->target);
		h = digest_word(h, r->target);
		if (r->body)
			h = digest_word(h, r->body);
	}
	return h;
}

static uint64_t digest_command(uint64_t h, const struct simple_command *c)
{
	uint32_t n = 0;

	check(c->context != NULL);
	h = digest(h, c->src);
	for (const struct word *w = c->words; w; w = w->next, n++)
		h = digest_word(h, w);
	check(n == c->n_words);
	for (const struct assignment *a = c->assigns; a; a = a->next) {
		check(a->is_array || a->value);
		h = digest(h, a->src);
		h = digest(h, a->name);
		if (a->value)
			h = digest_word(h, a->value);
		for (const struct word *e = a->elements; e; e = e->next)
			h = digest_word(h, e);
	}
	check(c->n_words || c->assigns || c->redirects);
	return digest_redirects(h, c->redirects) + c->conditional + c->background;
}

static uint64_t digest_script(const struct script *s)
{
	const struct simple_command *c = s->commands;
	uint64_t h = s->unmodelled + s->limit;

	for (uint32_t i = 0; i < s->n_commands; i++, c = c->next) {
		check(c != NULL);
		h = digest_command(h, c);
	}
	check(c == NULL);
	check(!s->unmodelled == !s->unmodelled_why);
	h = digest(h, s->unmodelled_at);
	check(s->limit == LIMIT_NONE || s->unmodelled);
	return h;
}

static uint64_t parse(struct arena *arena, struct bytes text, const struct shell_options *options, uint32_t *flags)
{
	struct script *script;
	int r;

	arena_reset(arena);
	r = shell_parse(arena, text, options, &script);
	if (r < 0) {
		check(r == -ENOMEM);
		return 0;
	}
	*flags = script->limit == LIMIT_NONE ? script->unmodelled : PAST_A_LIMIT;
	return digest_script(script);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena arena;
	const struct shell_options *options;
	struct bytes text;
	uint32_t flags = 0, in_bash = 0;
	uint64_t first;

	if (size == 0)
		return 0;
	options = &options_of[data[0] % DIALECT__MAX];
	text = (struct bytes){ (const char *)data + 1, size - 1 };
	first = parse(&arena, text, options, &flags);
	check(first == parse(&arena, text, options, &flags));
	/* Another dialect adds doubts, it takes none away: it may stop at its own before it meets bash's. */
	parse(&arena, text, &options_of[DIALECT_BASH], &in_bash);
	check(in_bash == 0 || flags != 0 || in_bash == PAST_A_LIMIT);
	return 0;
}
