/* SPDX-License-Identifier: Apache-2.0 */
/* What calling a listed function does. A keyword that is not listed is not understood. */
#include "worker/commands/inline/calls.h"

static int compare(struct bytes prefix, struct bytes name, const char *entity)
{
	char whole[128];
	size_t n = prefix.len ? prefix.len + 1 : 0;
	struct bytes e = bytes_str(entity);
	int r;

	if (n + name.len >= sizeof(whole))
		return 1;
	if (n) {
		memcpy(whole, prefix.p, prefix.len);
		whole[n - 1] = '.';
	}
	if (name.len)
		memcpy(whole + n, name.p, name.len);
	n += name.len;
	r = memcmp(whole, e.p, n < e.len ? n : e.len);
	return r ? r : (n > e.len) - (n < e.len);
}

const struct entity *entity_find(const struct language *l, struct bytes prefix, struct bytes name)
{
	size_t low = 0, high = l->n_entities;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int r = compare(prefix, name, l->entities[middle].name);

		if (r == 0)
			return &l->entities[middle];
		if (r < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* Node's modules have names in small letters; a package may have the name of one of its globals. */
const struct entity *module_find(const struct language *l, struct bytes name)
{
	const struct entity *e;

	for (size_t i = 0; i < name.len && !l->imports_here; i++)
		if (name.p[i] == '.' || (name.p[i] >= 'A' && name.p[i] <= 'Z'))
			return NULL;
	if (!l->imports_here && bytes_is(name, "performance"))
		return NULL;
	e = entity_find(l, BYTES(""), name);
	return e && e->act == ACT_MODULE ? e : NULL;
}

void evaluation_variable(struct evaluation *ev, const struct value *name)
{
	bool secret = name->texts.n == 0;

	for (uint32_t i = 0; i < name->texts.n; i++)
		secret = secret || variable_is_secret(name->texts.v[i]);
	if (secret)
		evaluation_open(ev, "it reads a variable that may hold a credential", BYTES(""));
	else
		evaluation_effect(ev, EFFECT_PRINT_VARIABLE, name);
}

static void collect(struct evaluation *ev, struct code *call, struct arguments *args)
{
	for (struct code *n = call->list; n; n = n->next) {
		struct value v = evaluate(ev, n);

		if (args->n == ARGUMENTS_MAX) {
			args->spread = true;
			if (!value_is_passive(&v))
				evaluation_open(ev, "it passes too much to a function", n->text);
			continue;
		}
		if (n->kind == CODE_SPREAD)
			args->spread = true;
		if (n->kind == CODE_KEYWORD)
			args->keyword[args->n] = n->text;
		else
			args->by_position++;
		args->node[args->n] = n->kind == CODE_KEYWORD ? n->a : n;
		args->v[args->n++] = v;
	}
}

uint32_t call_keyword(const struct arguments *a, const char *name)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (a->keyword[i].len && bytes_is(a->keyword[i], name))
			return i;
	return UINT32_MAX;
}

/* A function among the arguments will be called with data. */
bool call_back(struct evaluation *ev, const struct value *v)
{
	if (v->kind == VALUE_OWN) {
		evaluate_callback(ev, v->function);
		return true;
	}
	if (v->kind != VALUE_ENTITY)
		return false;
	if (v->entity->act == ACT_INPUT) {
		ev->reads_input = true;
		return true;
	}
	return v->entity->act == ACT_PURE || v->entity->act == ACT_SAME || v->entity->act == ACT_SHOW ||
		v->entity->act == ACT_OUTPUT;
}

static bool all_known(struct evaluation *ev, const struct arguments *a, bool shows)
{
	for (uint32_t i = 0; i < a->n; i++) {
		const struct value *v = &a->v[i];

		if (value_is_passive(v) || call_back(ev, v))
			continue;
		if (shows && v->kind == VALUE_ENTITY && v->entity->act != ACT_ENVIRONMENT)
			continue;
		evaluation_open(ev, "it passes on what is not known to the gate", a->node[i]->text);
		return false;
	}
	return true;
}

/* For functions with effects: every argument is data, every keyword listed, none in a spread. */
static bool plain(struct evaluation *ev, const struct entity *e, const struct arguments *a, uint32_t least)
{
	if (a->spread || a->by_position < least) {
		evaluation_open(ev, "it calls with arguments that are not understood", bytes_str(e->name));
		return false;
	}
	for (uint32_t i = 0; i < a->n; i++) {
		bool output = a->v[i].kind == VALUE_ENTITY && a->v[i].entity->act == ACT_OUTPUT;

		/* Node's functions without Sync call back. */
		if (a->v[i].kind == VALUE_OWN && !ev->language->imports_here && call_back(ev, &a->v[i]))
			continue;
		if ((value_is_passive(&a->v[i]) || output) &&
			(!a->keyword[i].len || name_in(a->keyword[i], CALL_KEYWORDS)))
			continue;
		evaluation_open(ev, "it calls with arguments that are not understood", bytes_str(e->name));
		return false;
	}
	return true;
}

static struct value result(struct evaluation *ev, const struct entity *e, const struct arguments *a)
{
	struct value v = value_data();

	if (e->returns[0] == '=') {
		if (a->n && value_is_passive(&a->v[0])) {
			v.items = a->v[0].items;
			v.items_class = a->v[0].items_class;
		}
		return v;
	}
	if (e->returns[0]) {
		v.kind = VALUE_OBJECT;
		v.entity = entity_find(ev->language, BYTES(""), bytes_str(e->returns));
	}
	if (e->of[0])
		v.items_class = entity_find(ev->language, BYTES(""), bytes_str(e->of));
	return v;
}

static struct value expand_home(struct evaluation *ev, struct value v)
{
	struct bytes home = ev->run->invocation->home;

	for (uint32_t i = 0; i < v.texts.n; i++)
		if (bytes_start(v.texts.v[i], "~") && (v.texts.n > 1 || !home.len))
			return value_data();
	if (!v.texts.n && (!v.texts.prefix.len || v.texts.prefix.p[0] == '~'))
		return value_data();
	if (!v.texts.n || !bytes_start(v.texts.v[0], "~"))
		return v;
	if (v.texts.v[0].len > 1 && v.texts.v[0].p[1] != '/')
		return value_data();
	v.texts = value_text(ev, run_join(ev->run, home, bytes_from(v.texts.v[0], 1))).texts;
	return v;
}

static void open_file(struct evaluation *ev, const struct entity *e, const struct value *path,
	const struct arguments *a, uint32_t mode_at)
{
	uint32_t at = call_keyword(a, "mode");
	bool writes = false, reads = false, creates = false;
	struct value mode;

	if (!plain(ev, e, a, mode_at))
		return;
	if (at == UINT32_MAX && a->by_position > mode_at)
		at = mode_at;
	mode = at == UINT32_MAX ? value_text(ev, BYTES("r")) : a->v[at];
	if (mode.kind != VALUE_DATA || !mode.texts.n)
		evaluation_open(ev, "how it opens a file is not known", BYTES(""));
	for (uint32_t i = 0; i < mode.texts.n; i++) {
		creates = creates || bytes_char(mode.texts.v[i], 'x');
		if (bytes_char(mode.texts.v[i], 'w') || bytes_char(mode.texts.v[i], 'a') ||
			bytes_char(mode.texts.v[i], '+'))
			writes = true;
		else if (!bytes_char(mode.texts.v[i], 'x'))
			reads = true;
	}
	if (bytes_is(bytes_str(e->returns), ":zip") && (writes || creates))
		evaluation_open(ev, "it writes an archive", BYTES(""));
	if (reads)
		evaluation_effect(ev, EFFECT_READ, path);
	if (creates)
		evaluation_effect(ev, EFFECT_CREATE, path);
	if (writes)
		evaluation_effect(ev, EFFECT_WRITE, path);
}

static void from_to(struct evaluation *ev, enum effect_id effect, const struct value *from, const struct value *to)
{
	struct command_effect *last;
	struct bytes name;
	const char *slash;

	evaluation_effect(ev, effect, from);
	evaluation_effect(ev, EFFECT_WRITE, to);
	last = ev->final ? run_last_effect(ev->run) : NULL;
	if (!last || from->texts.n != 1 || !from->texts.v[0].len)
		return;
	name = from->texts.v[0];
	slash = memrchr(name.p, '/', name.len);
	last->within = slash ? bytes_from(name, (size_t)(slash + 1 - name.p)) : name;
}

static struct value joined_path(struct evaluation *ev, const struct entity *e, const struct arguments *a)
{
	struct value v = e->act == ACT_PATH ? result(ev, e, a) : value_data();

	if (a->spread) {
		all_known(ev, a, false);
		return v;
	}
	if (!a->n)
		v.texts = value_text(ev, BYTES(".")).texts;
	for (uint32_t i = 0; i < a->n; i++) {
		if (!value_is_passive(&a->v[i]))
			return value_any(ev, "a path is made of what is not known", a->node[i]->text);
		if (!i)
			v.texts = a->v[i].texts;
		else if (ev->language->imports_here)
			v.texts = texts_path(ev, v.texts, a->v[i].texts);
		else
			v.texts = texts_concat(ev, v.texts, "/", a->v[i].texts);
		v.several = v.several || a->v[i].several;
	}
	return v;
}

/* Options of Node's readFile: a flag among them could open the file for writing. */
static bool reads_only(struct evaluation *ev, const struct arguments *a)
{
	const struct code *options = a->by_position > 1 ? a->node[1] : NULL;
	bool known = !options || options->kind == CODE_TEXT || options->kind == CODE_FUNCTION;

	if (options && options->kind == CODE_DICT)
		known = !options->list || (options->list->kind == CODE_KEYWORD && !options->list->next &&
						 bytes_is(options->list->text, "encoding"));
	if (!known)
		evaluation_open(ev, "how it reads a file is not known", BYTES(""));
	return known;
}

/* Functions whose first argument, or whose object, is the file. */
static struct value on_files(struct evaluation *ev, const struct entity *e, const struct value *self,
	const struct arguments *a)
{
	switch ((int)e->act) {
	case ACT_OPEN:
		if (a->by_position && a->node[0]->kind == CODE_NUMBER && bytes_is(a->node[0]->text, "0"))
			ev->reads_input = true;
		else if (a->by_position)
			open_file(ev, e, &a->v[0], a, 1);
		else
			evaluation_open(ev, "which file it opens is not known", BYTES(""));
		break;
	case ACT_SELF_OPEN:
		open_file(ev, e, self, a, 0);
		break;
	case ACT_ON:
		if (a->by_position && a->node[0]->kind == CODE_NUMBER && bytes_is(a->node[0]->text, "0"))
			ev->reads_input = true;
		else if (plain(ev, e, a, 1) && (e->effect != EFFECT_READ || reads_only(ev, a)))
			evaluation_effect(ev, (enum effect_id)e->effect, &a->v[0]);
		break;
	case ACT_FROM_TO:
		if (plain(ev, e, a, 2))
			from_to(ev, (enum effect_id)e->effect, &a->v[0], &a->v[1]);
		break;
	case ACT_SELF:
		if (plain(ev, e, a, 0))
			evaluation_effect(ev, (enum effect_id)e->effect, self);
		break;
	default:
		if (plain(ev, e, a, 1))
			from_to(ev, EFFECT_MOVE, self, &a->v[0]);
	}
	return result(ev, e, a);
}

static struct value apply_pure(struct evaluation *ev, const struct entity *e, const struct arguments *a)
{
	/* What these call must be a function that is known: data may be one that makes code of text. */
	if (!ev->language->imports_here && a->n > 1 && value_is_passive(&a->v[1]) &&
		name_in(bytes_str(e->name), "JSON.parse Array.from"))
		return value_any(ev, "it calls back what is not known to the gate:", bytes_str(e->name));
	return all_known(ev, a, e->act == ACT_SHOW) ? result(ev, e, a) : value_data();
}

/* What is given comes back, as a text or as the object that it is asked of. */
static struct value apply_same(struct evaluation *ev, const struct entity *e, const struct value *self,
	const struct arguments *a)
{
	struct value v;

	/* str(bytes, encoding) is another text. */
	if (!all_known(ev, a, true) || (self->kind != VALUE_OBJECT && a->n != 1))
		return value_data();
	v = self->kind == VALUE_OBJECT ? *self : a->n && value_is_passive(&a->v[0]) ? a->v[0] : value_data();
	if (self->kind != VALUE_OBJECT)
		v = (struct value){ .kind = VALUE_DATA, .texts = v.texts, .several = v.several };
	return e->act == ACT_HOME ? expand_home(ev, v) : v;
}

static void apply_transfer(struct evaluation *ev, const struct entity *e, const struct arguments *a)
{
	if (e->act == ACT_UPLOAD && a->by_position)
		call_request(ev, &a->v[0], true, false);
	else
		call_fetch(ev, e, a);
}

static struct value apply(struct evaluation *ev, const struct entity *e, const struct value *self,
	const struct arguments *a)
{
	const struct value nothing = { 0 }, data = value_data();

	switch ((enum act)e->act) {
	case ACT_PURE:
	case ACT_SHOW:
		return apply_pure(ev, e, a);
	case ACT_TYPE:
		all_known(ev, a, true);
		return (struct value){ .kind = VALUE_ENTITY, .entity = &entity_foreign };
	case ACT_SAME:
	case ACT_HOME:
		return apply_same(ev, e, self, a);
	case ACT_JOIN:
	case ACT_PATH:
		return joined_path(ev, e, a);
	case ACT_OPEN:
	case ACT_ON:
	case ACT_FROM_TO:
	case ACT_SELF:
	case ACT_SELF_OPEN:
	case ACT_SELF_TO:
		return on_files(ev, e, self, a);
	case ACT_VARIABLE:
		evaluation_variable(ev, a->n ? &a->v[0] : &data);
		return data;
	case ACT_SHELL:
		if (command_keywords(ev, a, 1))
			call_shell(ev, a->n ? &a->v[0] : &nothing);
		return data;
	case ACT_ARGV:
		call_argv(ev, a);
		return data;
	case ACT_PROGRAM:
		call_program(ev, a);
		return data;
	case ACT_FETCH:
	case ACT_UPLOAD:
		apply_transfer(ev, e, a);
		return data;
	case ACT_REQUEST:
		call_fetch_request(ev, a);
		return data;
	case ACT_REQUIRE:
		return call_require(ev, a);
	case ACT_SEARCH_ADD:
		if (plain(ev, e, a, 1))
			evaluation_effect(ev, EFFECT_IMPORT, &a->v[a->by_position - 1]);
		return data;
	case ACT_REFUSED:
	case ACT_MODULE:
	case ACT_DATA:
	case ACT_ENVIRONMENT:
	case ACT_INPUT:
	case ACT_OUTPUT:
	case ACT_SEARCH_PATH:
		break;
	}
	return value_any(ev, "it calls what is not known to the gate:", bytes_str(e->name));
}

static struct value call_own(struct evaluation *ev, struct code *f, const struct arguments *a)
{
	struct value v;

	if (!all_known(ev, a, false))
		return value_data();
	evaluate_parameters(ev, f, a->v, a->keyword, a->n, a->spread);
	v = ev->results[f->index];
	return v.kind == VALUE_NEVER && ev->pass > 1 ? value_data() : v;
}

/* A method of data: one that is harmless on whatever has it. */
static struct value method(struct evaluation *ev, struct code *attribute, const struct value *of,
	const struct arguments *a)
{
	struct bytes name = attribute->text;

	if (name_in(name, ev->language->changes))
		evaluation_mutates(ev);
	else if (!name_in(name, ev->language->methods))
		return value_any(ev, "a method in it is not known to the gate:", name);
	/* A path has these, too, with one argument. */
	if (ev->language->imports_here &&
		((bytes_is(name, "replace") && a->n < 2) || (bytes_is(name, "copy") && a->n)))
		return value_any(ev, "a method in it is not understood:", name);
	if (ev->language->callbacks && name_in(name, ev->language->callbacks) &&
		(a->spread || (a->n && value_is_passive(&a->v[0]))))
		return value_any(ev, "it calls back what is not known to the gate:", name);
	if (bytes_is(name, "format") && ev->language->imports_here) {
		bool harmless = of->texts.n > 0;

		/* A format may look into its arguments. */
		for (uint32_t i = 0; i < of->texts.n; i++)
			harmless = harmless && !bytes_find(of->texts.v[i], "__");
		if (!harmless)
			evaluation_open(ev, "a format in it is not known", BYTES(""));
	}
	all_known(ev, a, false);
	return value_data();
}

struct value evaluate_call(struct evaluation *ev, struct code *n)
{
	struct arguments args = { 0 };
	struct value of = { 0 }, f;

	collect(ev, n, &args);
	if (n->a->kind == CODE_ATTRIBUTE) {
		of = evaluate(ev, n->a->a);
		if (of.kind == VALUE_OBJECT) {
			const struct entity *e = entity_find(ev->language, bytes_str(of.entity->name), n->a->text);

			if (e)
				return apply(ev, e, &of, &args);
		}
		if (of.kind == VALUE_DATA || of.kind == VALUE_OBJECT)
			return method(ev, n->a, &of, &args);
	}
	f = evaluate(ev, n->a);
	if (f.kind == VALUE_ENTITY)
		return apply(ev, f.entity, &of, &args);
	if (f.kind == VALUE_OWN)
		return call_own(ev, f.function, &args);
	if (f.kind == VALUE_NEVER && ev->pass <= 1)
		return f;
	return value_any(ev, "it calls what is not known to the gate:", n->a->text);
}
