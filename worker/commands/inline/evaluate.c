/* SPDX-License-Identifier: Apache-2.0 */
/* The value of each kind of expression, and what is put into variables. */
#include "worker/commands/inline/tree.h"

/* Names whose own meaning is harmless, and modules: Python's have no name until they are imported, Node's
 * keep theirs. */
static bool may_be_bound(const struct evaluation *ev, const struct entity *builtin, const struct value *v)
{
	if (builtin->act == ACT_MODULE)
		return ev->language->imports_here || v->kind == VALUE_DATA || v->entity == builtin;
	return builtin->act == ACT_PURE || builtin->act == ACT_SHOW || builtin->act == ACT_TYPE ||
		builtin->act == ACT_SAME ||
		builtin->act == ACT_DATA;
}

void evaluation_bind(struct evaluation *ev, const struct code *name, struct value v)
{
	const struct entity *builtin = name->symbol->builtin;
	struct value *slot, joined;

	/* In another scope the name still means what the language gave it. */
	if (builtin && !may_be_bound(ev, builtin, &v)) {
		evaluation_open(ev, "it gives another meaning to", name->text);
		return;
	}
	if (v.kind == VALUE_ANY)
		evaluation_open(ev, "a value is not known to the gate:", name->text);
	slot = &ev->variables[name->symbol->index];
	joined = value_join(ev, *slot, v);
	if (joined.kind == VALUE_ANY)
		evaluation_open(ev, "a name stands for different kinds of things:", name->text);
	if (!value_same(slot, &joined)) {
		*slot = joined;
		ev->changed = true;
	}
}

/* One of what a list holds. */
static struct value item_of(const struct evaluation *ev, const struct value *v)
{
	struct value item = value_data();

	if (v->kind == VALUE_OBJECT)
		return item;
	if (v->items_class) {
		item.kind = VALUE_OBJECT;
		item.entity = v->items_class;
	}
	item.texts = v->items;
	if (ev->mutates)
		item.texts = (struct texts){ 0 };
	return item;
}

struct value entity_value(const struct evaluation *ev, const struct entity *e)
{
	if (e->act != ACT_DATA)
		return (struct value){ .kind = VALUE_ENTITY, .entity = e };
	if (e->returns[0])
		return (struct value){ .kind = VALUE_OBJECT,
			.entity = entity_find(ev->language, BYTES(""), bytes_str(e->returns)) };
	return value_data();
}

static void assign(struct evaluation *ev, struct code *target, struct value v);

/* a, b = …; {a, b: c} = … in JavaScript, also of a module. */
static void assign_parts(struct evaluation *ev, struct code *target, const struct value *v)
{
	bool module = v->kind == VALUE_ENTITY && v->entity->act == ACT_MODULE && target->kind == CODE_DICT;

	if (!value_is_passive(v) && !module) {
		evaluation_open(ev, "it takes apart what is not known to the gate", target->text);
		return;
	}
	for (struct code *n = target->list; n; n = n->next) {
		bool named = n->kind == CODE_KEYWORD;
		const struct entity *e = NULL;
		struct value part = value_data();

		if (named && name_is_refused(ev->language, n->text))
			evaluation_open(ev, "it reaches for", n->text);
		if (module)
			e = entity_find(ev->language, bytes_str(v->entity->name), n->text);
		if (module && !e) {
			evaluation_open(ev, "it takes what is not known to the gate:", n->text);
			return;
		}
		/* Which part it is, is not told; of nested lists nothing is known. */
		if (n->kind == CODE_NAME && target->kind == CODE_LIST)
			part = item_of(ev, v);
		part.several = true;
		if (e)
			part = entity_value(ev, e);
		assign(ev, n->kind == CODE_SPREAD || named ? n->a : n, part);
	}
}

/* object.name = data: of data only, where objects of the language are data. */
static void assign_attribute(struct evaluation *ev, struct code *target, const struct value *v)
{
	struct value of = evaluate(ev, target->a);

	evaluation_mutates(ev);
	if (of.kind == VALUE_ENTITY && bytes_is(bytes_str(of.entity->name), "process") &&
		bytes_is(target->text, "exitCode"))
		return;
	if (ev->language->attributes || of.kind != VALUE_DATA || !value_is_passive(v) ||
		name_is_refused(ev->language, target->text))
		evaluation_open(ev, "it changes an attribute:", target->text);
}

static void assign(struct evaluation *ev, struct code *target, struct value v)
{
	if (!evaluation_step(ev))
		return;
	switch (target->kind) {
	case CODE_NAME:
		evaluation_bind(ev, target, v);
		return;
	case CODE_LIST:
	case CODE_DICT:
		assign_parts(ev, target, &v);
		return;
	case CODE_INDEX: {
		struct value of = evaluate(ev, target->a), at = evaluate(ev, target->b);

		evaluation_mutates(ev);
		if (!value_is_passive(&of) || !value_is_passive(&at) || !value_is_passive(&v))
			evaluation_open(ev, "it changes what is not a list of its own", target->text);
		return;
	}
	case CODE_ATTRIBUTE:
		assign_attribute(ev, target, &v);
		return;
	case CODE_ASSIGN: /* with a default, in a pattern */
		assign(ev, target->a, value_join(ev, v, evaluate(ev, target->b)));
		return;
	case CODE_SPREAD:
		assign(ev, target->a, value_data());
		return;
	case CODE_TEXT:
	case CODE_NUMBER:
	case CODE_DATA:
	case CODE_CALL:
	case CODE_KEYWORD:
	case CODE_JOIN:
	case CODE_DIVIDE:
	case CODE_EITHER:
	case CODE_FUNCTION:
	case CODE_EACH:
	case CODE_BLOCK:
	case CODE_RETURN:
	case CODE_IMPORT:
	case CODE_FROM:
		evaluation_open(ev, "it changes what is not a name", target->text);
	}
}

/* The body, once for all calls: parameters are the join of all arguments. */
static void evaluate_body(struct evaluation *ev, struct code *f)
{
	uint32_t outer = ev->current;

	for (struct code *p = f->list; p; p = p->next)
		if (p->b)
			assign(ev, p, evaluate(ev, p->b));
	for (struct code *n = f->b ? f->b->list : NULL; n; n = n->next)
		evaluate(ev, n);
	if (!f->called)
		return;
	ev->current = f->index;
	evaluate_statement(ev, f->a);
	ev->current = outer;
}

void evaluate_parameters(struct evaluation *ev, struct code *function, const struct value *v,
	const struct bytes *keywords, uint32_t n, bool others)
{
	struct code *p = function->list;

	for (uint32_t i = 0; i < n; i++) {
		struct code *by_name = function->list;

		if (!keywords[i].len) {
			if (p)
				assign(ev, p, v[i]);
			p = p ? p->next : NULL;
			continue;
		}
		while (by_name && !(by_name->kind == CODE_NAME && bytes_eq(by_name->text, keywords[i])))
			by_name = by_name->next;
		if (by_name)
			assign(ev, by_name, v[i]);
	}
	for (p = function->list; p; p = p->next)
		if (others || (p->symbol && ev->variables[p->symbol->index].kind == VALUE_NEVER))
			assign(ev, p, value_data());
	if (!function->called) {
		function->called = true;
		ev->changed = true;
	}
}

void evaluate_callback(struct evaluation *ev, struct code *function)
{
	evaluate_parameters(ev, function, NULL, NULL, 0, true);
}

static struct value list_value(struct evaluation *ev, struct code *n)
{
	struct value v = value_data(), all = { 0 };

	for (struct code *i = n->list; i; i = i->next) {
		bool nested = i->kind == CODE_SPREAD || i->kind == CODE_KEYWORD;
		struct value item = evaluate(ev, nested ? i->a : i);

		if (!value_is_passive(&item))
			return value_any(ev, "a list holds what is not known to the gate", i->text);
		if (i->kind == CODE_SPREAD || i->kind == CODE_EACH)
			item = item_of(ev, &item);
		all = value_join(ev, all, item);
	}
	if (all.kind == VALUE_OBJECT)
		v.items_class = all.entity;
	else if (all.kind == VALUE_ANY)
		return value_any(ev, "a list holds what is not known to the gate", n->text);
	v.items = all.texts;
	return v;
}

static struct value join_value(struct evaluation *ev, struct code *n)
{
	struct value v = value_data();
	bool first = true, several = false;

	for (struct code *i = n->list; i; i = i->next) {
		struct value part = evaluate(ev, i);

		if (!value_is_passive(&part))
			return value_any(ev, "a text is made of what is not known to the gate", i->text);
		several = several || part.several;
		if (first)
			v.texts = part.texts;
		else
			v.texts = texts_concat(ev, v.texts, "", part.texts);
		first = false;
	}
	v.several = several;
	return v;
}

static struct value divide(struct evaluation *ev, struct code *n)
{
	struct value a = evaluate(ev, n->a), b = evaluate(ev, n->b), v = value_data();

	if (!value_is_passive(&a) || !value_is_passive(&b))
		return value_any(ev, "it divides what is not known to the gate", n->text);
	if (a.kind != VALUE_OBJECT && b.kind != VALUE_OBJECT)
		return v;
	v = a.kind == VALUE_OBJECT ? a : b;
	v.several = a.several || b.several;
	v.texts = texts_path(ev, a.texts, b.texts);
	return v;
}

static struct value each_value(struct evaluation *ev, struct code *n)
{
	struct value of = evaluate(ev, n->b), v = value_data(), last = value_data();

	if (of.kind == VALUE_ENTITY && of.entity->act == ACT_INPUT)
		ev->reads_input = true;
	else if (!value_is_passive(&of))
		return value_any(ev, "it goes through what is not known to the gate", n->b->text);
	assign(ev, n->a, item_of(ev, &of));
	if (n->c->kind == CODE_BLOCK) {
		evaluate_statement(ev, n->c);
		return v;
	}
	for (struct code *i = n->c->list; i; i = i->next)
		last = evaluate(ev, i);
	if (last.kind == VALUE_OBJECT)
		v.items_class = last.entity;
	else if (!value_is_passive(&last))
		return value_any(ev, "a list holds what is not known to the gate", n->text);
	v.items = last.texts;
	return v;
}

bool name_is_refused(const struct language *l, struct bytes name)
{
	return (l->refused && name_in(name, l->refused)) || bytes_start(name, "__");
}

static struct value name_value(struct evaluation *ev, struct code *n)
{
	struct value v = ev->variables[n->symbol->index];
	const struct entity *e;

	if (v.kind != VALUE_NEVER)
		return v;
	e = n->symbol->builtin;
	if (e && !(e->act == ACT_MODULE && ev->language->imports_here))
		return entity_value(ev, e);
	/* In an early round its assignment may not have been seen. */
	if (ev->pass > 1)
		return value_any(ev, "a name in it is not known to the gate:", n->text);
	return v;
}

/* Modules name their own kinds of errors; of one that is not listed it may be any function. */
const struct entity *entity_error(const struct language *l, const struct entity *module, struct bytes name)
{
	if (!bytes_is(bytes_str(module->name), "?") && l->imports_here &&
		(bytes_end(name, "Error") || bytes_end(name, "Exception")))
		return entity_find(l, BYTES(""), BYTES("Exception"));
	return NULL;
}

static struct value attribute_value(struct evaluation *ev, struct code *n)
{
	struct value of = evaluate(ev, n->a);
	const struct entity *e = NULL;

	if (ev->language->imports_here && of.kind != VALUE_ANY &&
		name_in(n->text, "__version__ __name__ __doc__ __file__"))
		return value_data();
	if (of.kind == VALUE_OBJECT || of.kind == VALUE_ENTITY)
		e = entity_find(ev->language, bytes_str(of.entity->name), n->text);
	if (!e && of.kind == VALUE_ENTITY && of.entity->act == ACT_MODULE)
		e = entity_error(ev->language, of.entity, n->text);
	if (e)
		return entity_value(ev, e);
	if (of.kind == VALUE_ENTITY && of.entity->act == ACT_ENVIRONMENT && !ev->language->imports_here) {
		struct value name = value_text(ev, n->text);

		evaluation_variable(ev, &name);
		return value_data();
	}
	if (value_is_passive(&of) && !name_is_refused(ev->language, n->text) &&
		(!ev->language->attributes || name_in(n->text, ev->language->attributes)))
		return of.kind == VALUE_NEVER ? of : value_data();
	if (of.kind == VALUE_NEVER)
		return of;
	return value_any(ev, "an attribute in it is not known to the gate:", n->text);
}

static struct value index_value(struct evaluation *ev, struct code *n)
{
	struct value of = evaluate(ev, n->a), at = evaluate(ev, n->b);

	if (!value_is_passive(&at))
		return value_any(ev, "it indexes by what is not known to the gate", n->text);
	if (of.kind == VALUE_ENTITY && of.entity->act == ACT_ENVIRONMENT) {
		evaluation_variable(ev, &at);
		return value_data();
	}
	for (uint32_t i = 0; i < at.texts.n; i++)
		if (name_is_refused(ev->language, at.texts.v[i]))
			return value_any(ev, "it reaches for", at.texts.v[i]);
	if (!value_is_passive(&of))
		return value_any(ev, "it indexes what is not known to the gate", n->text);
	return item_of(ev, &of);
}

static struct value function_value(struct evaluation *ev, struct code *n)
{
	evaluate_body(ev, n);
	return (struct value){ .kind = VALUE_OWN, .function = n };
}

static struct value assign_value(struct evaluation *ev, struct code *n)
{
	struct value v;

	/* A function may call itself: its name is known inside its body. */
	if (n->b->kind == CODE_FUNCTION)
		assign(ev, n->a, (struct value){ .kind = VALUE_OWN, .function = n->b });
	v = evaluate(ev, n->b);
	/* `list += other` changes the list wherever it is held. */
	if (n->text.len && n->b->list->next->kind != CODE_NUMBER && v.texts.n == 0)
		evaluation_mutates(ev);
	assign(ev, n->a, v);
	return v;
}

static struct value data_value(struct evaluation *ev, struct code *n)
{
	for (struct code *i = n->list; i; i = i->next) {
		struct value v = evaluate(ev, i);

		/* Comparing or testing modules and functions does nothing to them; a format shows what they hold. */
		if (v.kind == VALUE_ANY)
			return v;
		if (v.kind == VALUE_ENTITY && v.entity->act == ACT_ENVIRONMENT && !name_in(n->text, "in is == !="))
			return value_any(ev, "it uses all variables of the environment", BYTES(""));
	}
	return value_data();
}

static struct value either_value(struct evaluation *ev, struct code *n)
{
	struct value v = { 0 };

	if (n->b)
		evaluate(ev, n->b);
	for (struct code *i = n->list; i; i = i->next)
		v = value_join(ev, v, evaluate(ev, i));
	return v;
}

static struct value evaluate_kind(struct evaluation *ev, struct code *n)
{
	switch (n->kind) {
	case CODE_TEXT:
		return value_text(ev, n->text);
	case CODE_NUMBER:
		return value_data();
	case CODE_DATA:
		return data_value(ev, n);
	case CODE_NAME:
		return name_value(ev, n);
	case CODE_ATTRIBUTE:
		return attribute_value(ev, n);
	case CODE_INDEX:
		return index_value(ev, n);
	case CODE_CALL:
		return evaluate_call(ev, n);
	case CODE_JOIN:
		return join_value(ev, n);
	case CODE_DIVIDE:
		return divide(ev, n);
	case CODE_LIST:
	case CODE_DICT:
		return list_value(ev, n);
	case CODE_EITHER:
		return either_value(ev, n);
	case CODE_FUNCTION:
		return function_value(ev, n);
	case CODE_ASSIGN:
		return assign_value(ev, n);
	case CODE_EACH:
		return each_value(ev, n);
	case CODE_KEYWORD:
	case CODE_SPREAD:
		return evaluate(ev, n->a);
	case CODE_BLOCK:
	case CODE_RETURN:
	case CODE_IMPORT:
	case CODE_FROM:
		break;
	}
	evaluate_statement(ev, n);
	return value_data();
}

struct value evaluate(struct evaluation *ev, struct code *n)
{
	struct value v;

	if (!n || ev->run->failed)
		return value_data();
	if (!evaluation_step(ev))
		return value_data();
	if (ev->depth >= EVALUATION_DEPTH_MAX)
		return value_any(ev, "it is nested too deeply", BYTES(""));
	ev->depth++;
	v = evaluate_kind(ev, n);
	ev->depth--;
	return v;
}
