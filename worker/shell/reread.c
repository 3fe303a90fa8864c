/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines that change how the shell reads what follows them, and texts that the shell reads a second time: there the tree
 * may not be what runs. bash reads a whole line before it runs it, so only later lines are affected.
 */
#include "worker/shell/parser.h"

static bool is_listed(struct bytes word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes_is(word, list[i]))
			return true;
	return false;
}

/* Is there a line with something on it behind the command? In a text of its own (backticks) nobody looks. */
static bool lines_follow(const struct parser *p, const struct simple_command *c)
{
	const char *at = c->src.p + c->src.len, *end = p->in.end;

	if (c->src.p < p->in.start || c->src.p > end)
		return true;
	at = memchr(at, '\n', (size_t)(end - at));
	while (at && at < end && (*at == '\n' || *at == ' ' || *at == '\t'))
		at++;
	return at && at < end;
}

/* alias NAME=…: expanded in zsh and dash, in bash when expand_aliases is on. */
static bool defines_alias(const struct simple_command *c)
{
	for (const struct word *w = c->words->next; w; w = w->next)
		if (!w->is_static || (w->value.len && memchr(w->value.p, '=', w->value.len)))
			return true;
	return false;
}

/* Options of set and shopt that leave the reading of later lines alone are the many; these are the others. */
static bool is_reading_option(struct bytes option)
{
	static const char *const options[] = {
		"expand_aliases", "extquote", "interactive_comments", "posix", "keyword", "braceexpand", "history", "histexpand",
		"noexec",
	};

	return is_listed(option, options, ARRAY_LEN(options)) || (option.len > 6 && memcmp(option.p, "compat", 6) == 0);
}

/* -k -B -H -n among set's clusters. */
static bool is_reading_cluster(struct bytes option)
{
	static const char letters[] = "kBHn";

	if (option.len < 2 || (option.p[0] != '-' && option.p[0] != '+') || option.p[1] == '-')
		return false;
	for (size_t i = 1; i < option.len; i++)
		if (memchr(letters, option.p[i], sizeof(letters) - 1))
			return true;
	return false;
}

/* Behind `--` stand positional parameters. */
static bool sets_reading(const struct simple_command *c, bool clusters)
{
	for (const struct word *w = c->words->next; w && !(w->is_static && bytes_is(w->value, "--")); w = w->next)
		if (!w->is_static || is_reading_option(w->value) || (clusters && is_reading_cluster(w->value)))
			return true;
	return false;
}

static bool switches_extglob(const struct simple_command *c)
{
	for (const struct word *w = c->words->next; w; w = w->next)
		if (!w->is_static || bytes_is(w->value, "extglob"))
			return true;
	return false;
}

static bool changes_reading(const struct parser *p, const struct simple_command *c)
{
	static const char *const zsh[] = { "setopt", "unsetopt", "emulate", "disable" };
	struct bytes name = c->words->value;

	if (bytes_is(name, "alias"))
		return defines_alias(c);
	if (bytes_is(name, "set"))
		return sets_reading(c, true);
	if (bytes_is(name, "shopt"))
		return sets_reading(c, false) || (p->has_bang_paren && switches_extglob(c));
	return p->options->dialect == DIALECT_ZSH && is_listed(name, zsh, ARRAY_LEN(zsh));
}

static void check_command(struct parser *p, const struct simple_command *c)
{
	for (const struct assignment *a = c->assigns; a; a = a->next)
		if (bytes_is(a->name, "POSIXLY_CORRECT") || bytes_is(a->name, "BASH_COMPAT"))
			unmodelled(p, UNMODELLED_ALIAS, a->src.p, "a variable that changes how the shell reads");
	if (c->n_words && c->words->is_static && changes_reading(p, c) && lines_follow(p, c))
		unmodelled(p, UNMODELLED_ALIAS, c->src.p, "a command that changes how later lines are read");
}

/* Builtins that evaluate arguments, or the subscripts in them. */
static bool evaluates(const struct simple_command *c)
{
	static const char *const names[] = {
		"let", "test", "[", "unset", "read", "mapfile", "readarray", "getopts", "wait",
	};
	const struct word *name = c->words, *option = name ? name->next : NULL;

	if (!name || !name->is_static)
		return name != NULL;
	if (bytes_is(name->value, "printf"))
		return option && option->is_static && option->value.len > 1 && memcmp(option->value.p, "-v", 2) == 0;
	return is_listed(name->value, names, ARRAY_LEN(names));
}

bool runs_when_evaluated(struct bytes text)
{
	const char *bracket = text.len ? memchr(text.p, '[', text.len) : NULL;
	size_t left = bracket ? (size_t)(text.p + text.len - bracket) : 0;

	return bracket && (memmem(bracket, left, "$(", 2) || memchr(bracket, '`', left));
}

void check_rereading(struct parser *p)
{
	const struct simple_command *c = p->script->commands;

	for (uint32_t i = 0; i < p->script->n_commands; i++, c = c->next) {
		check_command(p, c);
		p->evaluates |= p->evaluated_text && evaluates(c);
	}
	if (p->evaluates && p->evaluated_text)
		unmodelled(p, UNMODELLED_OTHER, p->evaluated_text, "a text that runs when arithmetic evaluates it");
}
