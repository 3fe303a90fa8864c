/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where what a command is given comes out again: variables that hold a credential, in the words of a command that
 * prints them, keeps them (a commit's message, a branch's name, a setting) or publishes them (an issue's text). Not
 * shown is what goes to a place that is judged by itself, to a log-in, or to a program of the project's.
 */
#include "worker/commands/model.h"

/* ${!NAME}: the variable that is printed is named by another one. ${!NAME*} and ${!NAME[@]} give names alone. */
static bool prints_indirectly(struct bytes src, const struct word_part *p)
{
	const char *at = src.p, *end = src.p + src.len;

	if (p->form != PARAM_INDIRECT)
		return false;
	while ((at = memmem(at, (size_t)(end - at), "${!", 3)) != NULL) {
		const char *name = at + 3;

		if ((size_t)(end - name) <= p->text.len || memcmp(name, p->text.p, p->text.len) != 0 ||
			strchr("*@[", name[p->text.len]) == NULL)
			return true;
		at = name;
	}
	return false;
}

bool run_holds_secret(const struct run *run, struct bytes name)
{
	const struct invocation *inv = run->invocation;

	return variable_is_secret(name) ||
		(inv->line && inv->line->holds_secret && inv->line->holds_secret(inv->line_data, name));
}

/* Neither ${#NAME} nor ${NAME:+word} gives anything of the value away. */
static bool gives_value(const struct word_part *p)
{
	return p->form != PARAM_LENGTH && p->form != PARAM_ALTERNATIVE;
}

static bool parts_give_secret(const struct run *run, const struct word_part *parts)
{
	for (const struct word_part *p = parts; p; p = p->next)
		if ((p->kind == PART_PARAM && gives_value(p) && run_holds_secret(run, p->text)) ||
			parts_give_secret(run, p->children))
			return true;
	return false;
}

bool run_gives_secret(const struct run *run, const struct arg *a)
{
	return !a->is_static && a->word && parts_give_secret(run, a->word->parts);
}

static void shown_secrets(struct run *run, const struct word *word, const struct word_part *parts)
{
	for (const struct word_part *p = parts; p; p = p->next) {
		if (p->kind == PART_PARAM && (prints_indirectly(word->src, p) ||
			(gives_value(p) && run_holds_secret(run, p->text)))) {
			run->uncertain = true;
			run_effect_text(run, EFFECT_PRINT_CREDENTIAL, p->text);
			run->uncertain = false;
		}
		for (const struct word *e = p->elements; e; e = e->next)
			shown_secrets(run, e, e->parts);
		shown_secrets(run, word, p->children);
	}
}

/* ${NAME:?word}: the shell itself prints the word, whatever command it is for. */
static void complaints(struct run *run, const struct word *word, const struct word_part *parts)
{
	for (const struct word_part *p = parts; p; p = p->next) {
		if (p->kind == PART_PARAM && p->form == PARAM_COMPLAINT)
			shown_secrets(run, word, p->children);
		else
			complaints(run, word, p->children);
	}
}

/*
 * The words go where the effect says, which has a place of its own; or they are the key to a service, or are handed to
 * code of the project's, which has the same environment anyway.
 */
static bool hands_on(enum effect_id effect)
{
	switch ((int)effect) {
	case EFFECT_SHELL_STATE:
	case EFFECT_EXECUTE:
	case EFFECT_RUN_PROJECT:
	case EFFECT_RUN_INLINE:
	case EFFECT_RUN_STDIN:
	case EFFECT_RUN_PINNED:
	case EFFECT_RUN_FETCHED:
	case EFFECT_FETCH:
	case EFFECT_FETCH_COMPUTED:
	case EFFECT_UPLOAD:
	case EFFECT_PROBE:
	case EFFECT_PUBLISH:
	case EFFECT_REMOTE_SHELL:
	case EFFECT_REMOTE_CHANGE:
	case EFFECT_FORGE_ACCESS:
	case EFFECT_CLOUD_READ:
	case EFFECT_CLOUD_CHANGE:
	case EFFECT_CONTAINER_RUN:
	case EFFECT_DB_READ:
	case EFFECT_DB_WRITE:
	case EFFECT_DB_DESTROY:
		return true;
	default:
		return false;
	}
}

/* What is not understood may do anything with its words: only of what surely prints them is said that it does. */
static bool only_looks(enum effect_id effect)
{
	return effect == EFFECT_PURE || effect == EFFECT_READ || effect == EFFECT_LIST || effect == EFFECT_STATUS ||
		effect == EFFECT_PRINT_VARIABLE;
}

static bool is_shown(const struct run *run)
{
	const struct command_effects *fx = run->out;
	const struct invocation *inv = run->invocation;

	if (inv->line && inv->line->is_traced && inv->line->is_traced(inv->line_data))
		return !fx->nested;
	if (fx->shows_words)
		return true;
	if (fx->stdin_role == STDIN_COUNTED || !fx->effects || in_list(fx->program, ": true false"))
		return false;
	for (const struct command_effect *e = fx->effects; e; e = e->next)
		if (fx->open ? !only_looks(e->effect) : hands_on(e->effect))
			return false;
	return fx->open || !fx->nested;
}

void run_shows(struct run *run)
{
	const struct invocation *inv = run->invocation;

	bool shown = is_shown(run);

	for (uint32_t i = 0; i < run->argc; i++) {
		const struct word *w = run->argv[i].word;

		if (run->argv[i].is_static || !w)
			continue;
		if (shown)
			shown_secrets(run, w, w->parts);
		else if (!run->out->nested) /* they are words of that command's, too */
			complaints(run, w, w->parts);
	}
	if (shown && inv->input == INPUT_TEXT && inv->input_word && !inv->input_word->is_static)
		shown_secrets(run, inv->input_word, inv->input_word->parts);
}
