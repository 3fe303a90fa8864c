/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs in Python and JavaScript through their readers. The first byte picks the language; the rest is the text.
 * Besides not crashing: what is not understood says why, and what names a way to code by a detour is never vouched for.
 */
#include <stdint.h>
#include <stdlib.h>

#include "worker/commands/commands.h"
#include "worker/shell/arena.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static bool has_effect(const struct command_effects *e, enum effect_id effect)
{
	for (const struct command_effect *i = e->effects; i; i = i->next)
		if (i->effect == effect)
			return true;
	return false;
}

/* Attributes that lead from data to code. In strings, comments and names of modules they may stand. */
static bool reaches_for_code(struct bytes text)
{
	static const char *const words[] = { ".__subclasses__", ".__globals__", ".__code__", ".constructor" };

	for (size_t i = 0; i < text.len; i++)
		if (strchr("'\"`/#", text.p[i]))
			return false;
	if (memmem(text.p, text.len, "import", 6))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (memmem(text.p, text.len, words[i], strlen(words[i])))
			return true;
	return false;
}

static bool has_function(struct bytes text)
{
	return memmem(text.p, text.len, "def", 3) || memmem(text.p, text.len, "lambda", 6) ||
		memmem(text.p, text.len, "=>", 2) || memmem(text.p, text.len, "function", 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	struct word words[3] = { 0 };
	struct invocation inv = { .words = words, .n_words = 3, .dialect = DIALECT_BASH, .home = BYTES("/home/dev") };
	struct command_effects effects;
	bool python;

	if (size < 1 || size > 64 * 1024)
		return 0;
	python = data[0] % 2 == 0;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		words[i] = (struct word){ .is_static = true, .next = i + 1 < ARRAY_LEN(words) ? &words[i + 1] : NULL };
	words[0].value = python ? BYTES("python3") : BYTES("node");
	words[1].value = python ? BYTES("-c") : BYTES("-e");
	words[2].value = (struct bytes){ (const char *)data + 1, size - 1 };
	if (command_effects(&arena, &inv, &effects) == 0) {
		require(!effects.open || effects.why.len > 0);
		require(!has_effect(&effects, EFFECT_RUN_INLINE) || effects.open);
		/* A function that is never called is not looked into. */
		require(effects.open || !reaches_for_code(words[2].value) || has_function(words[2].value));
	}
	arena_done(&arena);
	return 0;
}
