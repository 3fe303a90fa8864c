/* SPDX-License-Identifier: Apache-2.0 */
/* Ways to write the options of programs that many dangerous lines run. Facts: their own --help and
 * getopt_long(3). */
#include "tests/respell/respell.h"

struct long_option {
	const char *name;
	uint32_t least; /* letters that make it unique */
	char letter; /* the same as a short option, or 0 */
};

struct tool {
	const char *name;
	const char *letters; /* short options without a value: may be split, merged and reordered */
	bool permutes; /* options may also follow operands, and "--" ends them */
	struct long_option longs[6];
};

static const struct tool tools[] = {
	{ "rm", "rRfvid", true, { { "recursive", 1, 'r' }, { "force", 1, 'f' }, { "verbose", 4, 'v' } } },
	{ "cp", "rRfvapLPHnu", true,
		{ { "recursive", 3, 'r' }, { "force", 1, 'f' }, { "archive", 2, 'a' } } },
	{ "mv", "fvnu", true, { { "force", 1, 'f' }, { "verbose", 4, 'v' } } },
	{ "ln", "sfvn", true, { { "symbolic", 2, 's' }, { "force", 1, 'f' } } },
	{ "chmod", "Rvcf", false, { { "recursive", 3, 'R' }, { "verbose", 4, 'v' } } },
	{ "chown", "Rvcfh", true, { { "recursive", 3, 'R' }, { "verbose", 4, 'v' } } },
	{ "chgrp", "Rvcfh", true, { { "recursive", 3, 'R' } } },
	{ "tee", "aip", true, { { "append", 1, 'a' } } },
	{ "mkdir", "pv", true, { { "parents", 1, 'p' } } },
	{ "shred", "fuvz", true, { { "force", 1, 'f' }, { "zero", 1, 'z' } } },
	{ "cat", "nbETAsv", true, { { "number", 6, 'n' }, { "show-all", 6, 'A' } } },
	{ "touch", "acm", true, { { "no-create", 4, 'c' } } },
	{ "curl", "sSfLkgv", false,
		{ { "data-binary", 6, 0 }, { "upload-file", 3, 0 }, { "silent", 3, 's' } } },
	{ "wget", "qcN", true, { { "post-file", 6, 0 }, { "post-data", 6, 0 }, { "quiet", 4, 'q' } } },
	{ "grep", "rRinwlLHhcvoqsEF", true, { { "recursive", 3, 'r' }, { "ignore-case", 8, 'i' } } },
	{ "tar", "", false, { { "extract", 3, 0 }, { "directory", 3, 0 } } },
	{ "dd", "", false, { { NULL, 0, 0 } } },
};

static const struct tool *tool_of(struct bytes name)
{
	for (size_t i = 0; i < ARRAY_LEN(tools); i++)
		if (bytes_is(name, tools[i].name))
			return &tools[i];
	return NULL;
}

/* -abc of nothing but letters without values. */
static bool is_cluster(const struct tool *tool, const struct token *t)
{
	if (!t->free || t->text.len < 2 || t->text.p[0] != '-')
		return false;
	for (size_t i = 1; i < t->text.len; i++)
		if (t->text.p[i] == '\0' || strchr(tool->letters, t->text.p[i]) == NULL)
			return false;
	return true;
}

static bool is_operand(const struct token *t)
{
	return t->text.len > 0 && t->text.p[0] != '-' && t->free;
}

/* Every option is one that the table knows: then the others are operands for sure. */
static bool all_known(const struct tool *tool, const struct token *tokens, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (!is_operand(&tokens[i]) && !is_cluster(tool, &tokens[i]))
			return false;
	return true;
}

static void swap(struct token *a, struct token *b)
{
	struct token kept = *a;

	*a = *b;
	*b = kept;
}

static bool split_cluster(struct arena *arena, struct token *tokens, uint32_t *n, uint32_t at)
{
	size_t letters = tokens[at].text.len - 1;
	struct bytes text = tokens[at].text;

	if (letters < 2 || *n + letters - 1 > TOKENS_MAX)
		return true;
	memmove(tokens + at + letters, tokens + at + 1, (*n - at - 1) * sizeof(*tokens));
	for (size_t i = 0; i < letters; i++) {
		char option[2] = { '-', text.p[i + 1] };

		tokens[at + i] = (struct token){ .text = { arena_copy(arena, option, 2), 2 }, .free = true };
		if (tokens[at + i].text.p == NULL)
			return false;
	}
	*n += (uint32_t)letters - 1;
	return true;
}

static bool turn_cluster(struct random *r, struct arena *arena, struct token *t)
{
	char *copy = arena_copy(arena, t->text.p, t->text.len);

	if (copy == NULL)
		return false;
	for (size_t i = t->text.len - 1; i > 1; i--) {
		size_t j = 1 + random_below(r, (uint32_t)i);
		char kept = copy[i];

		copy[i] = copy[j];
		copy[j] = kept;
	}
	*t = (struct token){ .text = { copy, t->text.len }, .free = true };
	return true;
}

/* -r as --recursive, --recursive as --rec. */
static bool respell_long(struct random *r, struct arena *arena, const struct tool *tool, struct token *t)
{
	for (size_t i = 0; i < ARRAY_LEN(tool->longs) && tool->longs[i].name != NULL; i++) {
		const struct long_option *o = &tool->longs[i];
		size_t len = strlen(o->name), least = o->least, tail = 0;
		char text[64] = "--";

		if (t->text.len == 2 && t->text.p[0] == '-' && t->text.p[1] == o->letter && o->letter != 0)
			tail = 0;
		else if (t->text.len >= len + 2 && memcmp(t->text.p, "--", 2) == 0 &&
			memcmp(t->text.p + 2, o->name, len) == 0 &&
			(t->text.len == len + 2 || (o->letter == 0 && t->text.p[len + 2] == '=')))
			tail = t->text.len - len - 2;
		else
			continue;
		size_t used = least + random_below(r, (uint32_t)(len - least + 1));
		char *room = arena_alloc(arena, used + tail + 3);

		if (room == NULL)
			return false;
		memcpy(room, text, 2);
		memcpy(room + 2, o->name, used);
		memcpy(room + 2 + used, t->text.p + t->text.len - tail, tail);
		*t = (struct token){ .text = { room, used + tail + 2 }, .free = true };
		return true;
	}
	return true;
}

/* Options in front, then "--", then the operands; or one option behind an operand. */
static bool reorder(struct random *r, struct arena *arena, struct token *tokens, uint32_t *n)
{
	struct token front[TOKENS_MAX];
	uint32_t options = 1, operands = 0;

	for (uint32_t i = 1; i < *n; i++)
		if (is_operand(&tokens[i]))
			front[operands++] = tokens[i];
		else
			swap(&tokens[options++], &tokens[i]);
	if (operands == 0 || *n + 1 > TOKENS_MAX)
		return true;
	if (random_below(r, 2) == 0) {
		char *dashes = arena_copy(arena, "--", 2);

		if (dashes == NULL)
			return false;
		tokens[options++] = (struct token){ .text = { dashes, 2 }, .free = true };
		*n += 1;
		memcpy(tokens + options, front, operands * sizeof(*front));
		return true;
	}
	memcpy(tokens + options, front, operands * sizeof(*front));
	if (options > 1) { /* the last of them goes to the end */
		struct token moved = tokens[options - 1];

		memmove(tokens + options - 1, tokens + options, operands * sizeof(*front));
		tokens[*n - 1] = moved;
	}
	return true;
}

/* Operands of dd are names: their order means nothing. */
static void shuffle(struct random *r, struct token *tokens, uint32_t n)
{
	for (uint32_t i = n; i > 1; i--)
		swap(&tokens[i - 1], &tokens[random_below(r, i)]);
}

bool respell_options(
	struct spelling *s, struct random *r, struct arena *arena, struct token *tokens, uint32_t *n)
{
	const struct tool *tool = tokens[0].free ? tool_of(tokens[0].text) : NULL;

	if (tool == NULL)
		return true;
	spelling_note(s, "options");
	if (bytes_is(tokens[0].text, "dd")) {
		shuffle(r, tokens + 1, *n - 1);
		return true;
	}
	for (uint32_t i = 1; i < *n && i < TOKENS_MAX; i++) {
		if (bytes_is(tokens[i].text, "--"))
			return true;
		if (!tokens[i].free || random_below(r, 2) == 0)
			continue;
		if (is_cluster(tool, &tokens[i]) && !turn_cluster(r, arena, &tokens[i]))
			return false;
		if (is_cluster(tool, &tokens[i]) && random_below(r, 2) == 0 &&
			!split_cluster(arena, tokens, n, i))
			return false;
	}
	if (tool->permutes && all_known(tool, tokens, *n) && random_below(r, 2) == 0 &&
		!reorder(r, arena, tokens, n))
		return false;
	for (uint32_t i = 1; i < *n && !bytes_is(tokens[i].text, "--"); i++)
		if (tokens[i].free && random_below(r, 2) == 0 && !respell_long(r, arena, tool, &tokens[i]))
			return false;
	return true;
}
