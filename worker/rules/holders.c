/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables that the line itself puts a credential into: `X=$TOKEN`, `read X <<< "$TOKEN"`, `for X in $TOKEN`. Who
 * prints one of them prints what it holds. What the texts say that a line runs is added as they are met, so that a name
 * may be taken for one of another shell's: never the other way round.
 */
#include "worker/rules/internal.h"

enum {
	ROUNDS_MAX = 4, /* of names that get their value from each other */
	WORK_LOOKED_AT_MAX = 64 * 1024, /* words */
};

static const char *const declarers[] = { "declare", "typeset", "local", "export", "readonly" };
static const char *const readers[] = { "read", "mapfile", "readarray", "printf" /* -v */ };
/* What hands its words on to a text as $1, $2 …, wherever on a command's line it stands. */
static const char *const shells[] = { "set", "bash", "sh", "dash", "zsh", "ksh", "mksh", "busybox", "eval", "source",
	"." };

static bool is_one_of(struct bytes text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes_is(text, list[i]))
			return true;
	return false;
}

static bool is_positional(struct bytes name)
{
	return name.len > 0 && ((name.p[0] >= '0' && name.p[0] <= '9') || name.p[0] == '@' || name.p[0] == '*');
}

bool holder_of_secret(const struct judge *j, struct bytes name)
{
	const struct holders *h = &j->holders;

	if (variable_is_secret(name) || h->all)
		return true;
	if (is_positional(name))
		return h->positional;
	for (uint32_t i = 0; i < h->n; i++)
		if (bytes_eq(h->names[i], name))
			return true;
	return false;
}

static void add(struct judge *j, struct bytes name)
{
	struct holders *h = &j->holders;

	if (name.len == 0 || strchr("-%\\'\"", name.p[0]) != NULL || holder_of_secret(j, name))
		return;
	h->grown = true;
	if (is_positional(name))
		h->positional = true;
	else if (h->n == HOLDERS_MAX)
		h->all = true;
	else
		h->names[h->n++] = name;
}

static bool parts_mention(const struct judge *j, const struct word_part *p)
{
	for (; p != NULL; p = p->next) {
		if (p->kind == PART_PARAM && p->form != PARAM_LENGTH && p->form != PARAM_ALTERNATIVE &&
			holder_of_secret(j, p->text))
			return true;
		if (parts_mention(j, p->children) || words_mention_secret(j, p->elements))
			return true;
	}
	return false;
}

bool word_mentions_secret(const struct judge *j, const struct word *w)
{
	return w != NULL && !w->is_static && parts_mention(j, w->parts);
}

static bool looks_no_further(struct judge *j)
{
	j->holders.all = j->holders.all || ++j->holders.work >= WORK_LOOKED_AT_MAX;
	return j->holders.all;
}

bool words_mention_secret(const struct judge *j, const struct word *w)
{
	for (; w != NULL; w = w->next)
		if (word_mentions_secret(j, w))
			return true;
	return false;
}

/* ${NAME:=$TOKEN} gives NAME its value. */
static void add_assigned(struct judge *j, const struct word_part *p)
{
	for (; p != NULL; p = p->next) {
		if (p->kind == PART_PARAM && p->form == PARAM_ASSIGN && parts_mention(j, p->children))
			add(j, p->text);
		add_assigned(j, p->children);
	}
}

/* NAME of NAME=value, NAME+=value and NAME[index]. */
static struct bytes declared(struct bytes word)
{
	for (size_t i = 0; i < word.len; i++)
		if (strchr("=+[", word.p[i]) != NULL)
			return (struct bytes){ word.p, i };
	return word;
}

static bool is_fed(const struct judge *j, const struct redirect *r)
{
	for (; r != NULL; r = r->next)
		if (word_mentions_secret(j, r->op == REDIR_HERESTRING ? r->target : r->body))
			return true;
	return false;
}

/* `set -x`, `bash -ex`, `set -o xtrace`. */
static bool traces(const struct word *w)
{
	if (!is_one_of(judge_program(w->value), shells, ARRAY_LEN(shells)))
		return false;
	for (w = w->next; w != NULL && w->is_static && w->value.len > 1 &&
		(w->value.p[0] == '-' || bytes_is(w->value, "xtrace") || bytes_is(w->value, "pipefail")); w = w->next)
		if (bytes_is(w->value, "xtrace") ||
			(w->value.p[1] != '-' && memchr(w->value.p, 'x', w->value.len) != NULL))
			return true;
	return false;
}

bool line_is_traced(const struct judge *j)
{
	return j->holders.traced;
}

/* Names among the words of a builtin that sets variables; `fed`: from a text that holds a credential. */
static void add_set(struct judge *j, const struct word *setter, bool fed)
{
	bool declares = is_one_of(setter->value, declarers, ARRAY_LEN(declarers));

	for (const struct word *w = setter->next; w != NULL; w = w->next)
		if (declares ? word_mentions_secret(j, w) : fed && w->is_static)
			add(j, declared(w->is_static ? w->value : w->prefix));
}

static void add_listed(struct judge *j, const struct node *loop)
{
	struct holders *h = &j->holders;

	for (size_t i = 0; i < ARRAY_LEN(h->loops); i++)
		if (h->loops[i] == loop)
			return;
	h->loops[h->at++ % ARRAY_LEN(h->loops)] = loop;
	for (const struct word *w = loop->words; w != NULL && !looks_no_further(j); w = w->next)
		if (word_mentions_secret(j, w)) {
			add(j, loop->name);
			return;
		}
}

/* A loop's variable, and whether what is read in a compound command comes from a text that holds a credential. */
static bool add_around(struct judge *j, const struct simple_command *c)
{
	bool fed = is_fed(j, c->redirects);

	for (const struct context *at = c->context; at != NULL && !looks_no_further(j); at = at->up) {
		const struct node *n = at->node;

		if (n == NULL)
			continue;
		fed = fed || is_fed(j, n->redirects);
		if (n->name.len > 0)
			add_listed(j, n);
	}
	return fed;
}

static void add_of_command(struct judge *j, const struct simple_command *c)
{
	bool mentions = words_mention_secret(j, c->words);
	bool fed = add_around(j, c) || mentions;

	for (const struct assignment *a = c->assigns; a != NULL; a = a->next)
		if (word_mentions_secret(j, a->value) || words_mention_secret(j, a->elements))
			add(j, a->name);
	for (const struct word *w = c->words; w != NULL; w = w->next) {
		if (!w->is_static) {
			add_assigned(j, w->parts);
			continue;
		}
		if (is_one_of(w->value, declarers, ARRAY_LEN(declarers)) ||
			is_one_of(w->value, readers, ARRAY_LEN(readers)))
			add_set(j, w, fed);
		j->holders.traced = j->holders.traced || traces(w);
		if (mentions && (name_is_own_function(j, w->value) ||
			is_one_of(judge_program(w->value), shells, ARRAY_LEN(shells))))
			add(j, BYTES("1"));
	}
}

void holders_collect(struct judge *j, const struct script *script)
{
	uint32_t round = 0;

	if (script->text.len == 0 || memchr(script->text.p, '$', script->text.len) == NULL)
		return;
	do {
		j->holders.grown = false;
		memset(j->holders.loops, 0, sizeof(j->holders.loops));
		for (const struct simple_command *c = script->commands; c != NULL && !looks_no_further(j); c = c->next)
			add_of_command(j, c);
	} while (j->holders.grown && !j->holders.all && ++round < ROUNDS_MAX);
	j->holders.all = j->holders.all || j->holders.grown;
}
