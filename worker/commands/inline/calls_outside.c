/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that run commands, ask hosts, or bring modules in. */
#include "worker/commands/inline/calls.h"

static bool is_true(const struct arguments *a, const char *name)
{
	uint32_t at = call_keyword(a, name);

	return at != UINT32_MAX && !(a->node[at]->kind == CODE_DATA && bytes_is(a->node[at]->text, "False"));
}

void call_shell(struct evaluation *ev, const struct value *text)
{
	struct nested *n;

	if (text->kind != VALUE_DATA || text->texts.n != 1) {
		evaluation_open(ev, "the command that it runs is not known", BYTES(""));
		return;
	}
	if (!ev->final)
		return;
	n = run_nested_text(ev->run, text->texts.v[0], DIALECT_POSIX);
	if (n && n->invocation.input == INPUT_TEXT)
		n->invocation.input = INPUT_INHERITED;
}

/* Words: `first` if it is a text, then those of `list`. */
static void nested_words(struct evaluation *ev, const struct value *first, struct code *list)
{
	struct arg *args;
	struct nested *nested;
	uint32_t n = 0, most = 1;

	for (struct code *i = list ? list->list : NULL; i; i = i->next)
		most++;
	args = run_alloc(ev->run, most * sizeof(*args));
	if (!args)
		return;
	if (first)
		args[n++] = (struct arg){ .text = first->texts.n == 1 ? first->texts.v[0] : BYTES(""),
			.is_static = first->texts.n == 1 };
	for (struct code *i = list ? list->list : NULL; i; i = i->next) {
		struct value v = evaluate(ev, i);
		bool one = v.kind == VALUE_DATA && v.texts.n == 1 && i->kind != CODE_SPREAD && i->kind != CODE_EACH;

		if (i->kind == CODE_SPREAD || i->kind == CODE_EACH)
			evaluation_open(ev, "the command that it runs is not known", BYTES(""));
		args[n++] = (struct arg){ .text = one ? v.texts.v[0] : v.texts.prefix, .is_static = one };
	}
	if (!n || !ev->final)
		return;
	nested = run_nested_words(ev->run, args, n);
	if (nested && nested->invocation.input == INPUT_TEXT)
		nested->invocation.input = INPUT_INHERITED;
}

/* {encoding: …, stdio: …}: options of Node that change nothing of what is run. */
static bool harmless_options(const struct code *n)
{
	if (n->kind != CODE_DICT)
		return n->kind == CODE_FUNCTION;
	for (const struct code *i = n->list; i; i = i->next)
		if (i->kind != CODE_KEYWORD || !name_in(i->text, "encoding stdio timeout maxBuffer windowsHide"))
			return false;
	return true;
}

bool command_keywords(struct evaluation *ev, const struct arguments *a, uint32_t positions)
{
	bool known = !a->spread && a->by_position <= positions;

	if (!ev->language->imports_here) {
		known = !a->spread && a->by_position >= 1;
		for (uint32_t i = 1; known && i < a->n; i++)
			known = harmless_options(a->node[i]);
		for (uint32_t i = 1; known && i < a->n; i++)
			call_back(ev, &a->v[i]);
	}

	for (uint32_t i = 0; known && i < a->n; i++)
		known = !a->keyword[i].len ||
			name_in(a->keyword[i],
				"args check capture_output text timeout universal_newlines stdout stderr encoding errors "
				"shell");
	if (!known)
		evaluation_open(ev, "the command that it runs is not known", BYTES(""));
	return known;
}

void call_argv(struct evaluation *ev, const struct arguments *a)
{
	uint32_t at = a->by_position ? 0 : call_keyword(a, "args");

	if (!command_keywords(ev, a, 1))
		return;
	if (at < a->n && is_true(a, "shell"))
		call_shell(ev, &a->v[at]);
	else if (at < a->n && a->node[at]->kind == CODE_LIST)
		nested_words(ev, NULL, a->node[at]);
	else if (at < a->n && a->v[at].texts.n == 1)
		nested_words(ev, &a->v[at], NULL);
	else
		evaluation_open(ev, "the command that it runs is not known", BYTES(""));
}

/* (program, [words], {options}) of Node: options that name a shell or a place are not read. */
void call_program(struct evaluation *ev, const struct arguments *a)
{
	uint32_t first = a->by_position > 1 && a->node[1]->kind == CODE_LIST ? 2 : 1;
	bool options = false;

	for (uint32_t i = first; i < a->n; i++)
		options = options || !harmless_options(a->node[i]) ||
			(a->v[i].kind != VALUE_DATA && !call_back(ev, &a->v[i]));
	if (options || a->spread || !a->by_position || a->v[0].texts.n != 1)
		evaluation_open(ev, "the command that it runs is not known", BYTES(""));
	else
		nested_words(ev, &a->v[0], first == 2 ? a->node[1] : NULL);
}

static bool is_web(const struct value *url)
{
	return url->texts.n == 1 &&
		(bytes_start(url->texts.v[0], "https://") || bytes_start(url->texts.v[0], "http://"));
}

/* data: something of this machine goes along. */
void call_request(struct evaluation *ev, const struct value *url, bool data, bool computed)
{
	struct texts *t = (struct texts *)(uintptr_t)&url->texts;

	if (!t->n && (bytes_start(t->prefix, "https://") || bytes_start(t->prefix, "http://"))) {
		evaluation_effect(ev, data ? EFFECT_UPLOAD : EFFECT_FETCH_COMPUTED, url);
		return;
	}
	if (!is_web(url)) {
		evaluation_open(ev, "the address that it asks is not known", BYTES(""));
		return;
	}
	evaluation_effect(ev, data ? EFFECT_UPLOAD : computed ? EFFECT_FETCH_COMPUTED : EFFECT_FETCH, url);
}

void call_fetch(struct evaluation *ev, const struct entity *e, const struct arguments *a)
{
	bool data = a->by_position > 1, computed = false;

	if (a->spread || !a->by_position) {
		evaluation_open(ev, "the address that it asks is not known", BYTES(""));
		return;
	}
	for (uint32_t i = 1; i < a->n; i++) {
		if (name_in(a->keyword[i], "data json files content"))
			data = true;
		else if (a->keyword[i].len && !name_in(a->keyword[i], CALL_KEYWORDS))
			evaluation_open(ev, "it calls with arguments that are not understood", bytes_str(e->name));
		else if (name_in(a->keyword[i], "params headers"))
			computed = true;
		if (!value_is_passive(&a->v[i]))
			evaluation_open(ev, "it sends what is not known", BYTES(""));
	}
	call_request(ev, &a->v[0], data, computed);
}

/* call_fetch(url, {method, headers, body}) of Node. */
void call_fetch_request(struct evaluation *ev, const struct arguments *a)
{
	bool data = false, computed = false;

	if (a->spread || !a->by_position || a->by_position > 2 ||
		(a->by_position == 2 && a->node[1]->kind != CODE_DICT)) {
		evaluation_open(ev, "the address that it asks is not known", BYTES(""));
		return;
	}
	for (struct code *n = a->by_position == 2 ? a->node[1]->list : NULL; n; n = n->next) {
		if (n->kind != CODE_KEYWORD || name_in(n->text, "body"))
			data = true;
		else if (name_in(n->text, "method"))
			data = data || n->a->kind != CODE_TEXT || !name_in(n->a->text, "GET get HEAD head");
		else
			computed = true;
	}
	call_request(ev, &a->v[0], data, computed);
}

/* call_require("fs"), call_require("./data.json"), call_require("a-package"). */
struct value call_require(struct evaluation *ev, const struct arguments *a)
{
	static const struct entity package = { .name = "?", .act = ACT_MODULE };
	const struct entity *e;
	struct bytes name;

	if (a->n != 1 || a->spread || a->v[0].kind != VALUE_DATA || a->v[0].texts.n != 1)
		return value_any(ev, "what it requires is not known", BYTES(""));
	name = a->v[0].texts.v[0];
	if (bytes_start(name, "node:"))
		name = bytes_from(name, 5);
	evaluation_imports(ev, name);
	e = module_find(ev->language, name);
	if (e)
		return (struct value){ .kind = VALUE_ENTITY, .entity = e };
	if (bytes_start(name, ".") || bytes_start(name, "/")) {
		if (!bytes_end(name, ".json"))
			return value_any(ev, "it runs the file", name);
		evaluation_effect(ev, EFFECT_READ, &a->v[0]);
		return value_data();
	}
	if (!name_in(name, ev->language->modules))
		ev->project = true;
	return (struct value){ .kind = VALUE_ENTITY, .entity = &package };
}
