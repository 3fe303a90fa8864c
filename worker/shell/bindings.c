/* SPDX-License-Identifier: Apache-2.0 */
/* The table of variables whose values a line has set. */
#include "worker/shell/bindings.h"

/* Variables that the shell itself gives values to or ties to others (bash manual, "Bash Variables"; zshparam(1)). */
static const char *const special_names[] = {
	"_", "IFS", "OLDPWD", "UID", "EUID", "GID", "EGID", "PPID", "RANDOM", "SRANDOM", "SECONDS", "LINENO",
	"EPOCHSECONDS", "EPOCHREALTIME", "HISTCMD", "DIRSTACK", "FUNCNAME", "GROUPS", "OPTIND", "OPTARG", "OPTERR",
	"PIPESTATUS", "REPLY", "SHELLOPTS", "SHLVL", "MAPFILE", "COPROC", "HISTCHARS", "TTYIDLE", "USERNAME", "ERRNO",
	"ARGC", "argv", "path", "cdpath", "fpath", "manpath", "mailpath", "fignore", "psvar", "prompt", "watch", "status",
	"pipestatus", "options", "parameters", "commands", "functions", "aliases", "histchars", "keymap", "signals",
};

static bool is_special(struct bytes name)
{
	if (name.len > 5 && (memcmp(name.p, "BASH_", 5) == 0 || memcmp(name.p, "COMP_", 5) == 0))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(special_names); i++)
		if (bytes_is(name, special_names[i]))
			return true;
	return false;
}

static size_t bucket_of(struct bytes name)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < name.len; i++)
		h = (h ^ (unsigned char)name.p[i]) * 16777619u;
	return h % BINDING_BUCKETS;
}

static struct binding *find(const struct bindings *b, struct bytes name)
{
	for (struct binding *at = b->buckets[bucket_of(name)]; at; at = at->next)
		if (bytes_eq(at->name, name))
			return at;
	return NULL;
}

static struct binding *find_or_add(struct parser *p, struct bindings *b, struct bytes name)
{
	struct binding *at = find(b, name);
	size_t bucket = bucket_of(name);

	if (at)
		return at;
	at = parser_new(p, struct binding);
	if (!at)
		return NULL;
	at->name = name;
	at->fixed = is_special(name);
	at->next = b->buckets[bucket];
	b->buckets[bucket] = at;
	return at;
}

static void note_special(struct bindings *b, struct bytes name)
{
	if (bytes_is(name, "IFS"))
		b->split_by_default = false;
	else if (bytes_is(name, "HOME"))
		b->home_known = false;
}

static struct binding *change(struct parser *p, struct bindings *b, struct bytes name)
{
	struct binding *at = find_or_add(p, b, name);
	struct change *c = at ? parser_new(p, struct change) : NULL;

	if (!c)
		return NULL;
	c->binding = at;
	c->older = b->changes;
	b->changes = c;
	note_special(b, name);
	at->known = false;
	at->fixed |= at->readonly;
	return at;
}

struct bindings *bindings_new(struct parser *p)
{
	struct bindings *b = parser_new(p, struct bindings);

	if (!b)
		return NULL;
	b->split_by_default = true;
	if (p->options->home.len)
		bind(p, b, BYTES("HOME"), p->options->home);
	if (p->options->cwd.len)
		bind(p, b, BYTES("PWD"), p->options->cwd);
	b->home_known = true;
	return b;
}

struct bindings *bindings_new_unknown(struct parser *p, const struct bindings *outer)
{
	struct bindings *b = parser_new(p, struct bindings);

	if (b) {
		b->home_known = outer->home_known;
		b->hopeless = outer->hopeless;
	}
	return b;
}

void bind(struct parser *p, struct bindings *b, struct bytes name, struct bytes value)
{
	struct binding *at = change(p, b, name);

	if (!at || at->fixed || value.len > BINDING_VALUE_MAX)
		return;
	at->value = value;
	at->known = true;
	at->epoch = b->epoch;
}

void unbind(struct parser *p, struct bindings *b, struct bytes name)
{
	change(p, b, name);
}

void fix(struct parser *p, struct bindings *b, struct bytes name)
{
	struct binding *at = change(p, b, name);

	if (at)
		at->fixed = true;
}

void bind_readonly(struct parser *p, struct bindings *b, struct bytes name)
{
	struct binding *at = find_or_add(p, b, name);

	if (at)
		at->readonly = true;
}

void unbind_all(struct bindings *b)
{
	b->epoch++;
	b->split_by_default = false;
}

void unbind_since(struct bindings *b, const struct change *mark)
{
	for (; b->changes != mark; b->changes = b->changes->older)
		b->changes->binding->known = false;
}

void bind_function(struct parser *p, struct bindings *b, struct bytes name)
{
	struct binding *at = find_or_add(p, b, name);

	if (at)
		at->is_function = true;
}

bool is_function(const struct bindings *b, struct bytes name)
{
	const struct binding *at = find(b, name);

	return at && at->is_function;
}

const struct bytes *binding_value(const struct bindings *b, struct bytes name)
{
	const struct binding *at = find(b, name);

	return at && at->known && at->epoch == b->epoch && !b->hopeless ? &at->value : NULL;
}

bool bindings_split_by_default(const struct bindings *b)
{
	return b->split_by_default;
}

bool bindings_home_known(const struct bindings *b)
{
	return b->home_known;
}
