/* SPDX-License-Identifier: Apache-2.0 */
/* Building the answer of one invocation: effects, nested commands, and why it is open. */
#include <stdarg.h>
#include <stdio.h>

#include "policy/text/fold.h"
#include "worker/commands/model.h"

void *run_alloc(struct run *run, size_t size)
{
	void *p = run->failed ? NULL : arena_alloc(run->arena, size);

	if (!p)
		run->failed = true;
	return p;
}

struct bytes run_copy(struct run *run, const char *p, size_t len)
{
	char *copy = run_alloc(run, len + 1);

	if (!copy)
		return (struct bytes){ "", 0 };
	if (len)
		memcpy(copy, p, len);
	copy[len] = '\0';
	return (struct bytes){ copy, len };
}

struct bytes run_join(struct run *run, struct bytes a, struct bytes b)
{
	char *copy = run_alloc(run, a.len + b.len + 1);

	if (!copy)
		return (struct bytes){ "", 0 };
	if (a.len)
		memcpy(copy, a.p, a.len);
	if (b.len)
		memcpy(copy + a.len, b.p, b.len);
	copy[a.len + b.len] = '\0';
	return (struct bytes){ copy, a.len + b.len };
}

bool run_join_args(struct run *run, const struct arg *args, uint32_t n, struct bytes *ret)
{
	size_t len = 0;
	char *p;

	for (uint32_t i = 0; i < n; i++) {
		if (!args[i].is_static)
			return false;
		len += args[i].text.len + 1;
	}
	p = run_alloc(run, len + 1);
	if (!p)
		return false;
	ret->p = p;
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			*p++ = ' ';
		if (args[i].text.len)
			memcpy(p, args[i].text.p, args[i].text.len);
		p += args[i].text.len;
	}
	*p = '\0';
	ret->len = (size_t)(p - ret->p);
	return true;
}

/* The first reason stands: it is the one nearest to the start of the command. */
void run_open(struct run *run, const char *format, ...)
{
	char text[300];
	va_list ap;
	int n;

	if (run->out->open)
		return;
	run->out->open = true;
	va_start(ap, format);
	n = vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	if (n < 0)
		n = 0;
	run->out->why = run_copy(run, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

static struct command_effect *add_effect(struct run *run, enum effect_id effect)
{
	struct command_effect *e = run_alloc(run, sizeof(*e));

	if (!e)
		return NULL;
	e->effect = effect;
	e->certain = !run->uncertain;
	/* A remote's name means what the repository there says it does. */
	if (effect_target(effect) == TARGET_PATH || effect_target(effect) == TARGET_REMOTE)
		e->base = run->base;
	*run->out->effects_end = e;
	run->out->effects_end = &e->next;
	return e;
}

void run_effect(struct run *run, enum effect_id effect, const struct arg *target)
{
	struct command_effect *e;

	if ((effect == EFFECT_EXECUTE || effect == EFFECT_APPLY) && run_reads_given(run, target->word))
		return;
	e = add_effect(run, effect);
	if (!e)
		return;
	e->target = target->text;
	e->is_static = target->is_static;
	e->word_flags = target->flags;
	e->word = target->word;
}

void run_effect_text(struct run *run, enum effect_id effect, struct bytes target)
{
	struct command_effect *e = add_effect(run, effect);

	if (!e)
		return;
	e->target = target;
	e->is_static = true;
}

void run_effect_fixed(struct run *run, enum effect_id effect, const char *target)
{
	run_effect_text(run, effect, bytes_str(target ? target : ""));
}

/* The list ends at the `next` of its last member. */
struct command_effect *run_last_effect(struct run *run)
{
	if (!run->out->effects)
		return NULL;
	return (struct command_effect *)(void *)((char *)run->out->effects_end -
		offsetof(struct command_effect, next));
}

void run_copy_through_links(struct run *run, const struct arg *target)
{
	struct command_effect *e;

	run_effect(run, EFFECT_COPY, target);
	e = run_last_effect(run);
	if (e)
		e->follows = true;
}

static struct nested *add_nested(struct run *run)
{
	struct nested *n = run_alloc(run, sizeof(*n));

	if (!n)
		return NULL;
	*run->out->nested_end = n;
	run->out->nested_end = &n->next;
	return n;
}

/* A linked copy of the arguments' words. An argument that is only part of its word (an option's attached
 * value) becomes a word of its own. */
static const struct word *copy_words(struct run *run, const struct arg *args, uint32_t n)
{
	struct word *first = NULL, **end = &first;

	for (uint32_t i = 0; i < n; i++) {
		struct word *w = run_alloc(run, sizeof(*w));

		if (!w)
			return NULL;
		w->src = args[i].word ? args[i].word->src : args[i].text;
		w->parts = args[i].word ? args[i].word->parts : NULL;
		w->is_static = args[i].is_static;
		w->flags = args[i].flags;
		if (args[i].is_static)
			w->value = args[i].text;
		w->prefix = args[i].text;
		*end = w;
		end = &w->next;
	}
	return first;
}

struct nested *run_nested_words(struct run *run, const struct arg *args, uint32_t n)
{
	struct nested *nested;

	if (n == 0)
		return NULL;
	nested = add_nested(run);
	if (!nested)
		return NULL;
	nested->invocation = *run->invocation;
	nested->invocation.words = copy_words(run, args, n);
	nested->invocation.n_words = n;
	nested->invocation.assigns = NULL;
	nested->invocation.appended = false;
	nested->invocation.standalone = true;
	nested->base = run->base;
	return nested;
}

struct nested *run_nested_text(struct run *run, struct bytes text, enum dialect dialect)
{
	struct shell_options options = { .dialect = dialect, .home = run->invocation->home };
	struct script *script;
	struct nested *nested;
	int r;

	r = shell_parse(run->arena, text, &options, &script);
	if (r < 0) {
		run->failed = true;
		return NULL;
	}
	nested = add_nested(run);
	if (!nested)
		return NULL;
	nested->script = script;
	nested->invocation = *run->invocation;
	nested->invocation.words = NULL;
	nested->invocation.n_words = 0;
	nested->invocation.standalone = true; /* of another shell; eval and trap say otherwise */
	nested->invocation.dialect = dialect;
	nested->base = run->base;
	if (script->unmodelled || script->limit != LIMIT_NONE)
		run_open(run, "the text given to a shell could not be read: %s",
			script->unmodelled_why ? script->unmodelled_why : "it exceeds a limit");
	return nested;
}

void run_program_from_stdin(struct run *run, bool is_shell, enum dialect dialect)
{
	const struct invocation *inv = run->invocation;

	run->out->stdin_role = STDIN_PROGRAM;
	if (inv->input == INPUT_NONE)
		return;
	if (is_shell && inv->input == INPUT_TEXT && inv->input_word && inv->input_word->is_static) {
		run_nested_text(run, inv->input_word->value, dialect);
		return;
	}
	run_effect_fixed(run, EFFECT_RUN_STDIN, NULL);
}

bool bytes_find(struct bytes b, const char *s)
{
	return memmem(b.p ? b.p : "", b.len, s, strlen(s)) != NULL;
}

bool bytes_find_fold(struct bytes b, const char *s)
{
	return fold_has(b, s);
}

bool only_of(struct bytes text, size_t from, const char *set)
{
	for (size_t i = from; i < text.len; i++)
		if (text.p[i] == '\0' || !strchr(set, text.p[i]))
			return false;
	return true;
}

bool in_list(struct bytes word, const char *list)
{
	if (!list || word.len == 0)
		return false;
	while (*list) {
		size_t n = strcspn(list, " ");

		if (n == word.len && memcmp(list, word.p, n) == 0)
			return true;
		list += n;
		while (*list == ' ')
			list++;
	}
	return false;
}

void run_imports(struct run *run, struct bytes module)
{
	const char *dot = module.len ? memchr(module.p, '.', module.len) : NULL;
	struct word *w;

	if (dot)
		module.len = (size_t)(dot - module.p);
	for (const struct word *old = run->out->imports; old; old = old->next)
		if (bytes_eq(old->value, module))
			return;
	w = run_alloc(run, sizeof(*w));
	if (!w || module.len == 0)
		return;
	*w = (struct word){ .src = module, .is_static = true, .value = module };
	w->next = (struct word *)(uintptr_t)run->out->imports;
	run->out->imports = w;
	run->out->n_imports++;
}

bool variable_is_secret(struct bytes name)
{
	static const char *const parts[] = { "token", "secret", "passw", "passphrase", "credential", "apikey",
		"api_key", "private_key", "privatekey", "access_key", "auth_key", "encryption_key",
		"signing_key", "client_key", "_pwd", "pgpass", "authorization", "bearer", "cookie",
		"session_key", "database_url", "_dsn", "jwt", "webhook", "redis_url", "mongo_ur", "mongodb_ur",
		"amqp_url", "postgres_url", "mysql_url", "connection_string" };
	static const char *const names[] = { "DSN", "CREDS", "AUTH", "dsn", "creds" };

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (bytes_find_fold(name, parts[i]))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (bytes_is(name, names[i]))
			return true;
	if (name.len > 4 && bytes_find_fold(bytes_from(name, name.len - 4), "pass"))
		return true;
	return bytes_end(name, "_KEY") || bytes_end(name, "_key") || bytes_end(name, "_PAT") || bytes_end(name, "_pat");
}
