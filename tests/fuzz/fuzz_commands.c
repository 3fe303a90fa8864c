/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines through the models: no crash, bounded nesting, and nothing without an effect or a reason. */
#include <stdio.h>

#include "worker/commands/commands.h"

enum { DEPTH_MAX = 5, COMMANDS_MAX = 2000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct walk {
	struct arena arena;
	uint32_t judged;
};

static void invocation(struct walk *w, const struct invocation *inv, int depth);

static void script(struct walk *w, const struct script *s, int depth)
{
	const struct simple_command *c = s->commands;

	for (uint32_t i = 0; i < s->n_commands && c; i++, c = c->next) {
		struct invocation inv;

		if (!c->words)
			continue;
		invocation_of(c, DIALECT_BASH, BYTES("/home/dev"), &inv);
		invocation(w, &inv, depth);
	}
}

static void check(const struct command_effects *fx)
{
	if (!fx->open && !fx->effects && !fx->nested)
		abort(); /* nothing said of it, and yet it would be vouched for */
	if (fx->open && fx->why.len == 0)
		abort();
	for (const struct command_effect *e = fx->effects; e; e = e->next)
		if (e->effect <= EFFECT_UNKNOWN || e->effect >= EFFECT__MAX || (e->target.len && !e->target.p))
			abort();
}

static void invocation(struct walk *w, const struct invocation *inv, int depth)
{
	struct command_effects fx;

	if (depth > DEPTH_MAX || w->judged++ > COMMANDS_MAX)
		return;
	if (command_effects(&w->arena, inv, &fx) < 0)
		return;
	check(&fx);
	for (const struct nested *n = fx.nested; n; n = n->next)
		if (n->script)
			script(w, n->script, depth + 1);
		else
			invocation(w, &n->invocation, depth + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct shell_options options = { .dialect = DIALECT_BASH, .home = BYTES("/home/dev") };
	struct walk w = { .arena = { .cap = 64 * 1024 * 1024 } };
	struct script *s;

	if (size <= 16 * 1024 && shell_parse(&w.arena, (struct bytes){ (const char *)data, size }, &options, &s) == 0)
		script(&w, s, 0);
	arena_done(&w.arena);
	return 0;
}
