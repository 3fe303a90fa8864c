/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that a workflow runner names by variables (docs.github.com, "Workflow commands": GITHUB_OUTPUT and others).
 * What stands in the environment with the runner's own value is not among the names that the broker reports; so a name
 * that neither the environment nor the line sets is the runner's file, or none at all: then the shell refuses the
 * redirection, and a program gets an empty name.
 */
#include "worker/rules/internal.h"

static const char *const names[] = { "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_PATH",
	"GITHUB_STATE" };

bool variable_is_runner_file(struct bytes name)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (bytes_is(name, names[i]))
			return true;
	return false;
}

/* The one variable a word consists of, quoted or not; NULL: it is something else. */
static const struct word_part *only_variable(const struct word_part *p)
{
	while (p != NULL && p->next == NULL && p->kind == PART_DOUBLE)
		p = p->children;
	if (p == NULL || p->next != NULL || p->kind != PART_PARAM || p->form != PARAM_PLAIN || p->many)
		return NULL;
	return p;
}

bool target_is_runner_file(struct subject *s, const struct command_effect *e)
{
	const struct string_list *set = &s->j->line->policy->environment_names;
	const struct word_part *p;

	if (e->word == NULL || e->target.len > 0 || e->within.len > 0 || s->where != NESTED_HERE ||
		(e->effect != EFFECT_WRITE && e->effect != EFFECT_CREATE && e->effect != EFFECT_TOUCH))
		return false;
	p = only_variable(e->word->parts);
	if (p == NULL || !variable_is_runner_file(p->text) || line_sets(s->j, p->text))
		return false;
	for (uint32_t i = 0; i < set->n; i++)
		if (bytes_eq(set->items[i], p->text))
			return false;
	return true;
}
