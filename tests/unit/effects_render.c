/* SPDX-License-Identifier: Apache-2.0 */
/* Renders the effects of a line for comparison. */
#include <stdio.h>

#include "tests/unit/effects_render.h"
#include "worker/commands/commands.h"

enum { TEXT_MAX = 8192, DEPTH_MAX = 6 };

struct render {
	struct arena arena;
	bool reasons;
	effects_seen *seen;
	void *data;
	char text[TEXT_MAX];
	size_t len;
};

static void add(struct render *r, const char *p, size_t n)
{
	if (n > TEXT_MAX - 1 - r->len)
		n = TEXT_MAX - 1 - r->len;
	if (n)
		memcpy(r->text + r->len, p, n);
	r->len += n;
	r->text[r->len] = '\0';
}

static void put(struct render *r, const char *s)
{
	add(r, s, strlen(s));
}

static void invocation(struct render *r, const struct invocation *inv, int depth);

static void script(struct render *r, const struct script *s, int depth)
{
	const struct simple_command *c = s->commands;

	for (uint32_t i = 0; i < s->n_commands && c; i++, c = c->next) {
		struct invocation inv;

		if (i)
			put(r, " | ");
		if (!c->words) {
			put(r, "-");
			continue;
		}
		invocation_of(c, DIALECT_BASH, BYTES("/home/dev"), &inv);
		invocation(r, &inv, depth);
	}
}

static void one_effect(struct render *r, const struct command_effect *e, bool first)
{
	put(r, first ? "" : ", ");
	put(r, effect_name(e->effect));
	if (e->base.len) {
		put(r, " ");
		add(r, e->base.p, e->base.len);
		put(r, ":");
	} else if (e->target.len || !e->is_static) {
		put(r, " ");
	}
	add(r, e->target.p, e->target.len);
	put(r, e->is_static ? "" : "…");
	if (e->within.len) {
		put(r, "/");
		add(r, e->within.p, e->within.len);
	}
	if (e->detail.len) {
		put(r, "@");
		add(r, e->detail.p, e->detail.len);
	}
	put(r, e->certain ? "" : "?");
}

static void invocation(struct render *r, const struct invocation *inv, int depth)
{
	struct command_effects fx;
	bool first = true;

	if (depth > DEPTH_MAX || command_effects(&r->arena, inv, &fx) < 0) {
		put(r, "failed");
		return;
	}
	if (r->seen)
		r->seen(r->data, &fx);
	put(r, fx.open ? "open " : "");
	if (fx.open && r->reasons) {
		put(r, "(");
		add(r, fx.why.p, fx.why.len);
		put(r, ") ");
	}
	for (const struct command_effect *e = fx.effects; e; e = e->next, first = false)
		one_effect(r, e, first);
	for (const struct nested *n = fx.nested; n; n = n->next, first = false) {
		put(r, first ? "{" : ", {");
		if (n->script)
			script(r, n->script, depth + 1);
		else
			invocation(r, &n->invocation, depth + 1);
		put(r, "}");
	}
}

static const char *render(const char *line, bool reasons, effects_seen *seen, void *data)
{
	static struct render r;
	struct shell_options options = { .dialect = DIALECT_BASH, .home = BYTES("/home/dev") };
	struct script *s;

	arena_reset(&r.arena);
	r.reasons = reasons;
	r.seen = seen;
	r.data = data;
	r.len = 0;
	r.text[0] = '\0';
	if (shell_parse(&r.arena, (struct bytes){ line, strlen(line) }, &options, &s) < 0)
		return "unparsed";
	script(&r, s, 0);
	while (r.len && r.text[r.len - 1] == ' ')
		r.text[--r.len] = '\0';
	return r.text;
}

const char *effects_render(const char *line)
{
	return render(line, false, NULL, NULL);
}

const char *effects_render_reasons(const char *line)
{
	return render(line, true, NULL, NULL);
}

void effects_observe(const char *line, effects_seen *seen, void *data)
{
	render(line, false, seen, data);
}
