/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A credential that is read into a variable, to be used where it belongs: `T=$(cat token); curl -H "… $T" URL`. It is
 * no harm when every use of the variable on the line is to ask whether there is one, or to tell a service of this
 * machine, or a sanctioned one, who is asking.
 */
#include "worker/rules/internal.h"

static bool mentions(const struct word_part *p, struct bytes name)
{
	for (; p != NULL; p = p->next)
		if ((p->kind == PART_PARAM && bytes_eq(p->text, name)) || mentions(p->children, name))
			return true;
	return false;
}

/* `test -n "$T"`, `[ -z "$T" ]`. */
static bool only_asks(const struct simple_command *c)
{
	return bytes_is(c->words->value, "test") || bytes_is(c->words->value, "[");
}

static bool is_one_of(struct bytes text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes_is(text, list[i]))
			return true;
	return false;
}

/* The value of -H or -u, and of no other option: neither printed, nor part of an address. */
static bool stands_in_a_header(const struct simple_command *c, struct bytes name)
{
	static const char *const headers[] = { "-H", "--header", "-u", "--user", "--oauth2-bearer" };
	const struct word *before = c->words;

	for (const struct word *w = c->words->next; w != NULL; before = w, w = w->next) {
		if (!w->is_static && mentions(w->parts, name) &&
			(!before->is_static || !is_one_of(before->value, headers, ARRAY_LEN(headers))))
			return false;
	}
	return true;
}

/* Everything it asks or sends goes to this machine, or to a sanctioned place. */
static bool stays_with_us(struct subject *s, const struct simple_command *c)
{
	struct judge *j = s->j;
	struct command_effects fx;
	struct invocation inv;
	bool asks = false;

	invocation_of(c, j->line->dialect, j->line->policy->home, &inv);
	carried_view(s, &inv);
	if (command_effects(j->arena, &inv, &fx) < 0) {
		judge_fail(j, -ENOMEM);
		return false;
	}
	for (const struct command_effect *e = fx.effects; e != NULL; e = e->next) {
		enum place place;

		if (effect_target(e->effect) != TARGET_URL)
			continue;
		place = e->is_static ? place_host(j->line->policy, TARGET_URL, e->target) : PLACE_UNKNOWN;
		if (place != PLACE_LOOPBACK && place != PLACE_SANCTIONED)
			return false;
		asks = true;
	}
	return asks && !fx.open && !fx.shows_words && fx.nested == NULL;
}

static bool use_is_fine(struct subject *s, const struct simple_command *c, struct bytes name)
{
	bool used = false;

	for (const struct redirect *r = c->redirects; r != NULL; r = r->next)
		if ((r->target != NULL && mentions(r->target->parts, name)) ||
			(r->body != NULL && mentions(r->body->parts, name)))
			return false;
	for (const struct assignment *a = c->assigns; a != NULL; a = a->next)
		if (a->value != NULL && mentions(a->value->parts, name))
			return false;
	for (const struct word *w = c->words; w != NULL; w = w->next)
		used = used || (!w->is_static && mentions(w->parts, name));
	if (!used)
		return true;
	if (!c->words->is_static || name_is_redefined(s->j, c->words->value))
		return false;
	return only_asks(c) || (bytes_is(judge_program(c->words->value), "curl") && stands_in_a_header(c, name) &&
		stays_with_us(s, c));
}

/* How often the text asks for the value. */
static uint32_t uses_in(struct bytes text, struct bytes name)
{
	uint32_t n = 0;

	for (size_t i = 1; i + name.len <= text.len; i++)
		n += memcmp(text.p + i, name.p, name.len) == 0 &&
			(text.p[i - 1] == '$' || (i > 1 && text.p[i - 1] == '{' && text.p[i - 2] == '$'));
	return n;
}

static uint32_t uses_by(const struct word_part *p, struct bytes name)
{
	uint32_t n = 0;

	for (; p != NULL; p = p->next)
		n += (p->kind == PART_PARAM && bytes_eq(p->text, name)) + uses_by(p->children, name);
	return n;
}

/* It is read, cut to size and nothing else: written nowhere, and sent nowhere, on its way into the variable. */
static bool only_reads(const struct script *script)
{
	static const char *const names[] = { "cat", "head", "tail", "grep", "egrep", "cut", "tr", "jq" };
	const struct simple_command *c = script != NULL ? script->commands : NULL;
	uint32_t n = script != NULL ? script->n_commands : 0;

	if (n == 0 || script->unmodelled != 0)
		return false;
	for (uint32_t i = 0; i < n && c != NULL; i++, c = c->next) {
		const struct word *program = c->words;

		/* sudo without options of its own: what it runs decides. */
		if (program != NULL && program->is_static && bytes_is(program->value, "sudo"))
			program = program->next;
		if (program == NULL || !program->is_static || c->assigns != NULL ||
			!is_one_of(judge_program(program->value), names, ARRAY_LEN(names)))
			return false;
		for (const struct word *w = c->words; w != NULL; w = w->next)
			if (!w->is_static)
				return false;
		for (const struct redirect *r = c->redirects; r != NULL; r = r->next)
			if (r->op != REDIR_OUT || r->fd != 2 || r->target == NULL || !r->target->is_static ||
				!bytes_is(r->target->value, "/dev/null"))
				return false;
	}
	return true;
}

static const struct script *script_of(const struct word *w)
{
	const struct word_part *p = w != NULL ? w->parts : NULL;

	if (p != NULL && p->next == NULL && p->kind == PART_DOUBLE)
		p = p->children;
	return p != NULL && p->next == NULL && p->kind == PART_COMMAND ? p->script : NULL;
}

bool secret_stays_with_us(struct subject *s)
{
	struct judge *j = s->j;
	const struct assignment *a = s->captor != NULL ? s->captor->assigns : NULL;
	uint32_t seen = 0;

	/* In a shell that lives on, later lines may print it. */
	if (a == NULL || line_is_traced(j) || j->line->shell != SHELL_FRESH ||
		line_mentions(j->current->text, a->name) != 1 ||
		!only_reads(script_of(a->value)))
		return false;
	j->lookup_work += j->current->n_commands + (uint32_t)j->current->text.len;
	for (const struct simple_command *c = j->current->commands; c != NULL; c = c->next) {
		if (!use_is_fine(s, c, a->name))
			return false;
		for (const struct word *w = c->words; w != NULL; w = w->next)
			seen += uses_by(w->parts, a->name);
	}
	/* Uses that stand in no command's words ([[ ]], arithmetic, lists of loops) were not looked at. */
	return seen > 0 && seen == uses_in(j->current->text, a->name) && j->script == j->current;
}
