/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of the values of a text: joins only ever lose knowledge. */
#include "worker/commands/inline/tree.h"

struct value value_data(void)
{
	return (struct value){ .kind = VALUE_DATA };
}

struct value value_text(struct evaluation *ev, struct bytes text)
{
	struct bytes *one = run_alloc(ev->run, sizeof(*one));
	struct value v = value_data();

	if (one) {
		*one = text;
		v.texts = (struct texts){ one, 1, { "", 0 } };
	}
	return v;
}

struct value value_any(struct evaluation *ev, const char *why, struct bytes what)
{
	evaluation_open(ev, why, what);
	return (struct value){ .kind = VALUE_ANY };
}

static struct bytes common(struct bytes a, struct bytes b)
{
	size_t n = 0;

	while (n < a.len && n < b.len && a.p[n] == b.p[n])
		n++;
	return (struct bytes){ a.p, n };
}

static struct bytes prefix_of(const struct texts *t)
{
	struct bytes p = t->n ? t->v[0] : t->prefix;

	for (uint32_t i = 1; i < t->n; i++)
		p = common(p, t->v[i]);
	return p;
}

static bool has(const struct bytes *v, uint32_t n, struct bytes b)
{
	for (uint32_t i = 0; i < n; i++)
		if (bytes_eq(v[i], b))
			return true;
	return false;
}

struct texts texts_join(struct evaluation *ev, struct texts a, struct texts b)
{
	struct bytes *v;
	uint32_t n = a.n;

	if (!a.n || !b.n)
		return (struct texts){ .prefix = common(prefix_of(&a), prefix_of(&b)) };
	v = run_alloc(ev->run, (a.n + b.n) * sizeof(*v));
	if (!v)
		return (struct texts){ 0 };
	memcpy(v, a.v, a.n * sizeof(*v));
	for (uint32_t i = 0; i < b.n; i++)
		if (!has(v, n, b.v[i]))
			v[n++] = b.v[i];
	/* Texts that still grow late are made by a loop without end in sight. */
	if (n > TEXTS_MAX || (n > a.n && ev->pass > 3))
		return (struct texts){ .prefix = common(prefix_of(&a), prefix_of(&b)) };
	return (struct texts){ v, n, { "", 0 } };
}

struct texts texts_concat(struct evaluation *ev, struct texts a, const char *between, struct texts b)
{
	struct bytes middle = bytes_str(between), *v;
	uint32_t n = 0;

	if (!a.n)
		return (struct texts){ .prefix = a.prefix };
	if (!b.n) {
		if (a.n > 1)
			return (struct texts){ .prefix = prefix_of(&a) };
		return (struct texts){ .prefix = run_join(ev->run, run_join(ev->run, a.v[0], middle), b.prefix) };
	}
	if (a.n * b.n > TEXTS_MAX)
		return (struct texts){ .prefix = prefix_of(&a) };
	v = run_alloc(ev->run, a.n * b.n * sizeof(*v));
	if (!v)
		return (struct texts){ 0 };
	for (uint32_t i = 0; i < a.n; i++)
		for (uint32_t k = 0; k < b.n; k++) {
			if (a.v[i].len + b.v[k].len > 4096)
				return (struct texts){ .prefix = prefix_of(&a) };
			v[n] = run_join(ev->run, run_join(ev->run, a.v[i], middle), b.v[k]);
			n++;
		}
	return (struct texts){ v, n, { "", 0 } };
}

struct texts texts_path(struct evaluation *ev, struct texts a, struct texts b)
{
	for (uint32_t i = 0; i < b.n; i++)
		if (bytes_start(b.v[i], "/"))
			return b.n == 1 ? b : (struct texts){ 0 };
	/* Nothing is known of the second: it may be absolute. */
	if (!b.n && (!b.prefix.len || b.prefix.p[0] == '/'))
		return (struct texts){ .prefix = b.prefix };
	return texts_concat(ev, a, "/", b);
}

static bool texts_same(const struct texts *a, const struct texts *b)
{
	if (a->n != b->n || (!a->n && !bytes_eq(a->prefix, b->prefix)))
		return false;
	for (uint32_t i = 0; i < a->n; i++)
		if (!bytes_eq(a->v[i], b->v[i]))
			return false;
	return true;
}

bool value_same(const struct value *a, const struct value *b)
{
	return a->kind == b->kind && a->entity == b->entity && a->function == b->function &&
		a->items_class == b->items_class && a->several == b->several &&
		texts_same(&a->texts, &b->texts) && texts_same(&a->items, &b->items);
}

struct value value_join(struct evaluation *ev, struct value a, struct value b)
{
	struct value v = a;

	if (a.kind == VALUE_NEVER)
		return b;
	if (b.kind == VALUE_NEVER || value_same(&a, &b))
		return a;
	/* None, or a text, where a path is elsewhere: whatever may be done with either is done to the path. */
	if ((a.kind == VALUE_DATA && b.kind == VALUE_OBJECT) || (a.kind == VALUE_OBJECT && b.kind == VALUE_DATA)) {
		v.kind = VALUE_OBJECT;
		v.entity = a.kind == VALUE_OBJECT ? a.entity : b.entity;
	} else if (a.kind != b.kind || a.entity != b.entity || a.function != b.function || a.kind == VALUE_ANY) {
		return (struct value){ .kind = VALUE_ANY };
	}
	v.texts = texts_join(ev, a.texts, b.texts);
	v.items = texts_join(ev, a.items, b.items);
	v.items_class = a.items_class == b.items_class ? a.items_class : NULL;
	v.several = true;
	return v;
}

bool value_is_passive(const struct value *v)
{
	return v->kind == VALUE_DATA || v->kind == VALUE_OBJECT || v->kind == VALUE_NEVER;
}
