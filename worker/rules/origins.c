/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the text comes from that a shell or another interpreter is given to run: from the network, or out of an
 * encoding that hides it. By the members of the pipeline in front of it, by the substitution that the text is, and by
 * the files that the line itself has fetched.
 */
#include "worker/rules/internal.h"

enum { MEMBERS_MAX = 32, DEPTH_MAX = 4 };

struct origin {
	struct bytes url; /* of what is fetched, from a place that is not sanctioned; empty: nothing */
	bool decoded;
};

static bool runs_texts(struct bytes program)
{
	static const char *const names[] = { "sh", "bash", "dash", "ash", "zsh", "ksh", "fish", "eval", "source",
		"python", "node", "perl", "ruby", "php", "deno", "bun" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (bytes_is(program, names[i]))
			return true;
	return false;
}

/* base64 -d, base32 -d, xxd -r, openssl with -d: what they print is nothing that stands on the line. */
static bool decodes(const struct invocation *inv, struct bytes program)
{
	bool wanted = bytes_is(program, "base64") || bytes_is(program, "base32") || bytes_is(program, "openssl") ||
		bytes_is(program, "openssl enc") || bytes_is(program, "openssl base64");
	const struct word *w = inv->words;

	for (uint32_t i = 1; i < inv->n_words && w->next != NULL; i++) {
		w = w->next;
		if (!w->is_static)
			continue;
		if (bytes_is(program, "xxd") && bytes_at(w->value, 0) == '-' &&
			memchr(w->value.p, 'r', w->value.len) != NULL)
			return true;
		if (wanted && (bytes_is(w->value, "-d") || bytes_is(w->value, "-D") || bytes_is(w->value, "--decode") ||
			bytes_is(w->value, "-di")))
			return true;
	}
	return bytes_is(program, "uudecode");
}

static void look_at_script(struct subject *s, const struct script *script, unsigned int depth, struct origin *ret);

static void look_at_invocation(struct subject *s, const struct invocation *asked, unsigned int depth,
	struct origin *ret)
{
	struct judge *j = s->j;
	struct invocation inv = *asked;
	struct command_effects fx;

	if (inv.words == NULL || !inv.words->is_static || depth > DEPTH_MAX || j->carried_work++ >= CARRIED_WORK_MAX)
		return;
	carried_view(s, &inv);
	if (command_effects(j->arena, &inv, &fx) < 0) {
		judge_fail(j, -ENOMEM);
		return;
	}
	ret->decoded = ret->decoded || decodes(&inv, fx.program);
	for (const struct nested *n = fx.nested; n != NULL; n = n->next)
		if (n->script != NULL)
			look_at_script(s, n->script, depth + 1, ret);
		else
			look_at_invocation(s, &n->invocation, depth + 1, ret);
	for (const struct command_effect *e = fx.effects; e != NULL && ret->url.len == 0; e = e->next)
		if (e->effect == EFFECT_FETCH && e->certain && e->is_static &&
			place_host(j->line->policy, TARGET_URL, e->target) == PLACE_OUTSIDE)
			ret->url = e->target;
}

static void look_at_command(struct subject *s, const struct simple_command *c, unsigned int depth, struct origin *ret)
{
	struct invocation inv;

	invocation_of(c, s->j->line->dialect, s->j->line->policy->home, &inv);
	look_at_invocation(s, &inv, depth, ret);
}

/* The commands of a substitution, and of what they are made of in turn. */
static void look_at_script(struct subject *s, const struct script *script, unsigned int depth, struct origin *ret)
{
	const struct simple_command *c = script != NULL ? script->commands : NULL;

	for (uint32_t i = 0; c != NULL && i < script->n_commands && i < MEMBERS_MAX; c = c->next, i++)
		look_at_command(s, c, depth, ret);
}

static void look_at_parts(struct subject *s, const struct word_part *p, struct origin *ret)
{
	for (; p != NULL; p = p->next) {
		if (p->kind == PART_COMMAND || p->kind == PART_PROCESS)
			look_at_script(s, p->script, 0, ret);
		look_at_parts(s, p->children, ret);
	}
}

static void look_at_members(struct subject *s, struct origin *ret)
{
	uint32_t n = 0;

	for (const struct node *m = s->members; m != NULL && m != s->member && n++ < MEMBERS_MAX; m = m->next)
		if (m->kind == NODE_SIMPLE && m->simple != NULL)
			look_at_command(s, m->simple, 0, ret);
}

static bool deny_origin(struct subject *s, const struct origin *o)
{
	enum effect_id effect = o->url.len > 0 ? EFFECT_RUN_FETCHED : EFFECT_RUN_DECODED;
	enum place place = o->url.len > 0 ? PLACE_OUTSIDE : PLACE_NONE;
	const char *phrase = harm_phrase(effect_rule(effect, place).harm);
	struct bytes name = { effect_name(effect), strlen(effect_name(effect)) };
	struct bytes does = o->url.len > 0 ?
		judge_text(s->j, "runs what is fetched from %.*s", (int)o->url.len, o->url.p) :
		wording_deed(s, effect, BYTES(""));

	if (o->url.len == 0 && !o->decoded)
		return false;
	note_effect(s, name, place, o->url, VERDICT_DENY);
	deny(s, STAGE_HARM, (struct reason_text){ REASON_HARM, 3,
		{ wording_program(s), does, { phrase, strlen(phrase) } } }, name, name, o->url);
	return true;
}

bool judge_origin(struct subject *s, const struct command_effect *e, struct bytes file)
{
	struct origin o = { .decoded = false };

	if (!runs_texts(s->program) && e->effect != EFFECT_EXECUTE)
		return false;
	if (e->effect == EFFECT_RUN_STDIN && s->invocation != NULL && s->invocation->input == INPUT_PIPE)
		look_at_members(s, &o);
	if (e->effect == EFFECT_EXECUTE && !e->is_static && e->word != NULL)
		look_at_parts(s, e->word->parts, &o);
	if (e->effect == EFFECT_EXECUTE && e->is_static && flow_has_fetched(s->j, file))
		o.url = s->j->fetched_from;
	return deny_origin(s, &o);
}

void judge_text_origin(struct subject *s, const struct invocation *inv)
{
	struct origin o = { .decoded = false };
	const struct word *w = inv->words;

	if (w == NULL || (w->is_static && !runs_texts(s->program)))
		return;
	for (uint32_t i = 0; w != NULL && i < inv->n_words; i++, w = w->next)
		if (!w->is_static)
			look_at_parts(s, w->parts, &o);
	(void)deny_origin(s, &o);
}
