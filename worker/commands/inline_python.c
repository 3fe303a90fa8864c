/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Python given as text. It is vouched for only where all of it is understood: every import is of a module
 * whose use is known, no name gives a way to run or look up code by text, every attribute is a harmless one,
 * and every file, command and address is a literal. What is left is computing and printing. The language has
 * no other way to reach outside: what a program can do starts at its imports and at the builtin names (Python
 * library reference, "Built-in Functions").
 */
#include "worker/commands/python_names.h"

/* What a path can be, from the argument at token i: a text, a name with known values, expanduser() or join()
 * of texts. */
struct values {
	struct bytes v[VALUES_MAX];
	uint32_t n;
	bool is_pattern;
};

static bool closes(const struct token *t)
{
	return token_is(t, ",") || token_is(t, ")");
}

static bool called_path(struct python *py, uint32_t i, struct values *ret)
{
	struct token *t = py->tokens.t;
	struct bytes path, text = { "", 0 };
	uint32_t k = python_dotted(py, i, &path);
	bool expands = bytes_is(path, "os.path.expanduser"), joins = bytes_is(path, "os.path.join");
	const struct binding *b = python_bound(py, t[i].text, false);

	if (!(expands || joins) || !token_is(&t[k], "(") || !b ||
		!(bytes_is(b->path, "os") || bytes_is(b->path, "os.path")))
		return false;
	for (k++; t[k].kind == TOKEN_STRING && t[k].is_static; k++) {
		text = text.len ? run_join(py->run, run_join(py->run, text, BYTES("/")), t[k].text)
				: t[k].text;
		if (!token_is(&t[k + 1], ","))
			break;
		k++;
	}
	if (!token_is(&t[k + 1], ")") || !closes(&t[k + 2]))
		return false;
	if (expands && bytes_start(text, "~/") && py->run->invocation->home.len)
		text = run_join(py->run, py->run->invocation->home, bytes_from(text, 1));
	ret->v[0] = text;
	ret->n = 1;
	return true;
}

static bool path_argument(struct python *py, uint32_t i, struct values *ret)
{
	struct token *t = py->tokens.t;

	*ret = (struct values){ .n = 0 };
	if (t[i].kind == TOKEN_STRING && t[i].is_static && closes(&t[i + 1])) {
		ret->v[0] = t[i].text;
		ret->n = 1;
		return true;
	}
	if (t[i].kind == TOKEN_NAME && closes(&t[i + 1])) {
		const struct binding *b = python_bound(py, t[i].text, false);

		if (!b || b->unknown || b->n_values == 0)
			return false;
		memcpy(ret->v, b->values, sizeof(ret->v));
		ret->n = b->n_values;
		ret->is_pattern = b->is_pattern;
		return true;
	}
	return t[i].kind == TOKEN_NAME && called_path(py, i, ret);
}

static void effects_on(struct python *py, enum effect_id effect, const struct values *v)
{
	for (uint32_t i = 0; i < v->n; i++) {
		struct arg a = { .text = v->v[i], .is_static = !v->is_pattern };
		struct word *w;

		if (v->is_pattern) {
			w = run_alloc(py->run, sizeof(*w));
			if (!w)
				return;
			*w = (struct word){ .src = a.text, .flags = WORD_GLOB };
			while (w->prefix.len < a.text.len && !strchr("*?[", a.text.p[w->prefix.len]))
				w->prefix.len++;
			w->prefix.p = a.text.p;
			a = (struct arg){ .word = w, .text = w->prefix, .flags = WORD_GLOB };
		}
		run_effect(py->run, effect, &a);
	}
}

/* The mode of open(): the second argument, or mode=. Without one it reads. */
static bool opens_to_write(struct python *py, uint32_t open, bool *ret)
{
	struct token *t = py->tokens.t;
	uint16_t depth = t[open].depth;
	uint32_t argument = 0;

	*ret = false;
	for (uint32_t i = open + 1; i < py->tokens.n && !(t[i].depth == depth && token_is(&t[i], ")")); i++) {
		if (t[i].depth != depth + 1)
			continue;
		if (t[i].kind == TOKEN_NAME && token_is(&t[i + 1], "="))
			continue;
		if (token_is(&t[i], ","))
			argument++;
		else if (token_is(&t[i], "=") && t[i - 1].kind == TOKEN_NAME) {
			if (bytes_is(t[i - 1].text, "file") || bytes_is(t[i - 1].text, "opener"))
				return false;
			argument = bytes_is(t[i - 1].text, "mode") ? 1 : 9;
		} else if (argument == 1 && t[i].kind == TOKEN_STRING) {
			*ret = t[i].text.len &&
				strpbrk(run_copy(py->run, t[i].text.p, t[i].text.len).p, "wax+") != NULL;
		} else if (argument == 1 && !token_is(&t[i], ",")) {
			return false;
		} else if (token_is(&t[i], "*") || token_is(&t[i], "**")) {
			return false;
		}
	}
	return true;
}

static void open_call(struct python *py, uint32_t i)
{
	struct token *t = py->tokens.t;
	struct values v;
	bool writes;

	if (!token_is(&t[i], "(") || !path_argument(py, i + 1, &v) || !opens_to_write(py, i, &writes))
		python_give_up(
			py, "opens a file that is not known before it runs", (struct bytes){ NULL, 0 });
	else
		effects_on(py, writes ? EFFECT_WRITE : EFFECT_READ, &v);
}

/* Every argument behind the first is one of these keywords. */
static bool only_keywords(struct python *py, uint32_t open, const char *allowed)
{
	struct token *t = py->tokens.t;
	uint16_t depth = t[open].depth;

	for (uint32_t i = open + 1; i < py->tokens.n && !(t[i].depth == depth && token_is(&t[i], ")")); i++) {
		if (t[i].depth != depth + 1 || !token_is(&t[i], ","))
			continue;
		if (token_is(&t[i + 1], ")"))
			continue;
		if (t[i + 1].kind != TOKEN_NAME || !token_is(&t[i + 2], "=") ||
			!in_list(t[i + 1].text, allowed))
			return false;
	}
	return true;
}

/* subprocess.run(["a", "b"]) or ("text", shell=True). */
static void command_call(struct python *py, uint32_t i, bool text_only)
{
	struct token *t = py->tokens.t;
	struct arg args[VALUES_MAX];
	uint32_t n = 0, k = i + 2;

	if (!token_is(&t[i], "(") ||
		!only_keywords(py, i,
			"capture_output text check stdout stderr timeout encoding errors universal_newlines "
			"shell")) {
		python_give_up(py, "runs a command in a way that is not known", (struct bytes){ NULL, 0 });
		return;
	}
	if (t[i + 1].kind == TOKEN_STRING && t[i + 1].is_static && closes(&t[i + 2])) {
		run_nested_text(py->run, t[i + 1].text, DIALECT_POSIX);
		return;
	}
	if (text_only || !token_is(&t[i + 1], "[") ||
		!only_keywords(py, i,
			"capture_output text check stdout stderr timeout encoding errors "
			"universal_newlines")) {
		python_give_up(
			py, "runs a command that is not known before it runs", (struct bytes){ NULL, 0 });
		return;
	}
	for (; t[k].kind == TOKEN_STRING && t[k].is_static && n < VALUES_MAX;
		k += token_is(&t[k + 1], ",") ? 2 : 1)
		args[n++] = (struct arg){ .text = t[k].text, .is_static = true };
	if (!token_is(&t[k], "]") || n == 0 || !closes(&t[k + 1]))
		python_give_up(
			py, "runs a command that is not known before it runs", (struct bytes){ NULL, 0 });
	else
		run_nested_words(py->run, args, n);
}

/* os.environ["NAME"], os.environ.get("NAME"), os.getenv("NAME"). */
static void environment(struct python *py, uint32_t i)
{
	struct token *t = py->tokens.t;
	struct values v;

	if (token_is(&t[i], ".") && token_is(&t[i + 1], "get"))
		i += 2;
	if (token_is(&t[i], "[") && t[i + 1].kind == TOKEN_STRING && t[i + 1].is_static &&
		token_is(&t[i + 2], "]"))
		v = (struct values){ .v = { t[i + 1].text }, .n = 1 };
	else if (!token_is(&t[i], "(") || !path_argument(py, i + 1, &v))
		v.n = 0;
	if (v.n == 0 || v.is_pattern)
		run_effect_fixed(py->run, EFFECT_PRINT_ENVIRONMENT, NULL);
	for (uint32_t k = 0; k < v.n; k++)
		run_effect_text(py->run,
			variable_is_secret(v.v[k]) ? EFFECT_PRINT_ENVIRONMENT : EFFECT_PRINT_VARIABLE,
			v.v[k]);
}

/* A call with effects on its first argument, and on its second. */
static void effect_call(struct python *py, uint32_t i, const struct python_use *use)
{
	struct token *t = py->tokens.t;
	struct values v;
	uint32_t k = i + 2;

	if (use->effect == EFFECT_LIST && token_is(&t[i], "(") && token_is(&t[i + 1], ")")) {
		run_effect_fixed(py->run, EFFECT_LIST, ".");
		return;
	}
	if (!token_is(&t[i], "(") || !path_argument(py, i + 1, &v)) {
		if (use->effect == EFFECT_LIST)
			run_effect(py->run, EFFECT_LIST, &(struct arg){ .text = { "", 0 } });
		else
			python_give_up(
				py, "uses, on what is not known before it runs,", bytes_str(use->path));
		return;
	}
	/* What else goes along with a request may be anything. */
	effects_on(py,
		use->effect == EFFECT_FETCH && use->second == EFFECT_UNKNOWN &&
				!only_keywords(py, i, "timeout verify stream")
			? EFFECT_FETCH_COMPUTED
			: use->effect,
		&v);
	if (use->second == EFFECT_UNKNOWN)
		return;
	while (k < py->tokens.n && !(token_is(&t[k], ",") && t[k].depth == t[i].depth + 1))
		k++;
	if (k >= py->tokens.n || !path_argument(py, k + 1, &v))
		python_give_up(py, "uses, on what is not known before it runs,", bytes_str(use->path));
	else
		effects_on(py, use->second, &v);
}

static void use_of(struct python *py, const struct python_use *use, uint32_t i)
{
	switch (use->kind) {
	case USE_HARMLESS:
		break;
	case USE_EFFECT:
		effect_call(py, i, use);
		break;
	case USE_OPEN:
		open_call(py, i);
		break;
	case USE_SHELL:
		command_call(py, i, true);
		break;
	case USE_COMMAND:
		command_call(py, i, false);
		break;
	case USE_ENVIRONMENT:
		environment(py, i);
		break;
	}
}

/* A name that an import bound, with what is taken from it. */
static void imported(struct python *py, uint32_t i, struct bytes path)
{
	struct token *t = py->tokens.t;
	const struct python_use *use = python_use(path);
	uint32_t k = i + 1;

	while (!use && python_module(path) && token_is(&t[k], ".") && t[k + 1].kind == TOKEN_NAME) {
		path = run_join(py->run, run_join(py->run, path, BYTES(".")), t[k + 1].text);
		t[k + 1].used = true;
		k += 2;
		use = python_use(path);
	}
	if (!use) {
		python_give_up(py, "uses", path);
		return;
	}
	use_of(py, use, k);
}

static void name(struct python *py, uint32_t i)
{
	struct token *t = py->tokens.t;
	const struct binding *b;

	if (i && token_is(&t[i - 1], ".")) {
		if (!python_attribute(t[i].text))
			python_give_up(py, "uses the attribute", t[i].text);
		return;
	}
	if (token_is(&t[i + 1], "=") && t[i].depth > 0 && i &&
		(token_is(&t[i - 1], "(") || token_is(&t[i - 1], ",")))
		return;
	b = python_bound(py, t[i].text, false);
	if (b && b->path.len)
		imported(py, i, b->path);
	else if (bytes_is(t[i].text, "open"))
		open_call(py, i + 1);
	else if (python_forbidden(t[i].text))
		python_give_up(py, "uses", t[i].text);
}

/* What stands in a block, or behind an if on the same line, may not be reached. `start`: where its statement
 * begins. */
static bool is_conditional(const struct python *py, uint32_t start, uint32_t i)
{
	const struct token *t = py->tokens.t;

	return t[i].indent > 0 ||
		(t[start].kind == TOKEN_NAME &&
			in_list(t[start].text, "if for while def class lambda elif else try except"));
}

static void read_program(struct python *py)
{
	uint32_t start = 0;

	python_bindings(py);
	for (uint32_t i = 0; i < py->tokens.n; i++) {
		const struct token *t = &py->tokens.t[i];

		py->run->uncertain = is_conditional(py, start, i);
		if (t->kind == TOKEN_NAME && !t->used)
			name(py, i);
		if (python_ends_statement(t))
			start = i + 1;
	}
	py->run->uncertain = false;
}

void inline_python(struct run *run, const struct arg *text)
{
	struct python *py = run_alloc(run, sizeof(*py));
	struct command_effect **first = run->out->effects_end;

	if (!py)
		return;
	py->run = run;
	if (!text->is_static) {
		run_open(run, "the text that python runs is not known before it runs");
		run_effect_fixed(run, EFFECT_RUN_INLINE, NULL);
		return;
	}
	if (python_tokens(run, text->text, &py->tokens))
		read_program(py);
	else
		python_give_up(py, "could not be read", (struct bytes){ NULL, 0 });
	if (!py->failed)
		return;
	/* Of a program that is not understood nothing is certain. */
	for (struct command_effect *e = *first; e; e = e->next)
		e->certain = false;
	run_effect_fixed(run, EFFECT_RUN_INLINE, NULL);
}
