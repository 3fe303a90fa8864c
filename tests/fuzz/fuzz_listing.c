/* SPDX-License-Identifier: Apache-2.0 */
/* Listings as a taken-over worker may send them: walked within bounds, parts only inside commands, one end. */
#include "policy/listing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct walk {
	size_t lines, commands, ends, bytes;
};

static void see(struct walk *w, struct bytes b)
{
	for (size_t i = 0; i < b.len; i++)
		w->bytes += b.p[i] != 0;
}

static void on_line(void *data, struct bytes id, bool set, uint32_t row, bool parsed, bool modelled, struct bytes why)
{
	struct walk *w = data;

	w->lines++;
	w->bytes += row + (set && parsed && modelled ? 1u : 0u);
	see(w, id);
	see(w, why);
}

static void on_command(void *data, struct bytes context, enum verdict verdict, struct bytes why, struct bytes src)
{
	struct walk *w = data;

	w->commands++;
	if (verdict >= VERDICT__MAX || w->lines == 0)
		abort();
	see(w, context);
	see(w, why);
	see(w, src);
}

static void on_word(void *data, bool is_static, struct bytes value)
{
	struct walk *w = data;

	if (w->commands == 0)
		abort();
	w->bytes += is_static;
	see(w, value);
}

static void on_assignment(void *data, struct bytes text)
{
	on_word(data, true, text);
}

static void on_redirect(void *data, const struct listing_redirect *r)
{
	if (r->fd < -1)
		abort();
	on_word(data, r->target_static, r->target);
	see(data, r->op);
}

static void on_effect(void *data, const struct listing_effect *e)
{
	if (e->verdict >= VERDICT__MAX)
		abort();
	on_word(data, true, e->target);
	see(data, e->effect);
	see(data, e->place);
}

static void on_end(void *data)
{
	((struct walk *)data)->ends++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct listing_visitor v = { on_line, on_command, on_word, on_assignment, on_redirect, on_effect,
		on_end };
	struct walk w = { 0 };
	int err = listing_walk((struct bytes){ (const char *)data, size }, &v, &w);

	if ((err == 0) != (w.ends == 1) || w.ends > 1)
		abort();
	return 0;
}
