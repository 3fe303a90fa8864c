/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a name means on this machine: variables the harness was started with that change what a program does, and
 * directories of PATH in which somebody may have put another program of that name.
 */
#include "policy/environment.h"
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

/* Run by bash itself, wherever PATH leads (bash(1), SHELL BUILTIN COMMANDS). */
static const char *const builtins[] = {
	":", ".", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete",
	"continue", "declare", "dirs", "disown", "echo", "enable", "eval", "exec", "exit", "export", "false", "fc", "fg",
	"getopts", "hash", "help", "history", "jobs", "kill", "let", "local", "logout", "mapfile", "popd", "printf", "pushd",
	"pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt", "source", "suspend", "test", "times",
	"trap", "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait", "chdir", "rehash", "setopt",
	"unsetopt", "autoload", "emulate", "whence", "where", "which",
};

static bool is_builtin(struct bytes name)
{
	for (size_t i = 0; i < ARRAY_LEN(builtins); i++)
		if (bytes_is(name, builtins[i]))
			return true;
	return false;
}

/* The powerful ones among the names that are set, looked for once a line. */
static void collect(struct judge *j)
{
	const struct string_list *names = &j->line->policy->environment_names;

	j->surroundings_known = true;
	for (uint32_t i = 0; i < names->n; i++) {
		uint32_t row;

		if (!environment_is_powerful(names->items[i], &row))
			continue;
		if (j->n_surroundings == SURROUNDINGS_MAX) {
			j->surroundings_lost = true;
			return;
		}
		j->surroundings[j->n_surroundings].row = row;
		j->surroundings[j->n_surroundings++].name = names->items[i];
	}
}

/* What the value is only the broker sees. */
static bool value_is_harmless(struct judge *j, uint32_t i)
{
	struct answer a = { .status = ANSWER_UNKNOWN };
	int r;

	if (j->surroundings[i].asked || j->line->oracle == NULL || j->questions >= QUESTIONS_MAX)
		return j->surroundings[i].harmless;
	j->surroundings[i].asked = true;
	j->questions++;
	r = ask_variable(j->line->oracle, j->arena, j->line->cwd, j->surroundings[i].name, &a);
	if (r < 0)
		judge_fail(j, r);
	j->surroundings[i].harmless = r == 0 && a.status == ANSWER_KNOWN && a.size == 1;
	return j->surroundings[i].harmless;
}

static void judge_surroundings(struct subject *s, struct bytes name)
{
	struct judge *j = s->j;
	struct bytes program = path_last(name);

	if (!j->surroundings_known)
		collect(j);
	if (j->surroundings_lost)
		leave_open(s, BYTES("the environment sets more variables that change programs than are looked at"),
			BYTES("environment"), program, false);
	for (uint32_t i = 0; i < j->n_surroundings; i++) {
		struct bytes v = j->surroundings[i].name;

		if (environment_affects(j->surroundings[i].row, v, program) && !value_is_harmless(j, i))
			leave_open(s, judge_text(j, "%.*s is set in the environment, and changes what it does",
				(int)v.len, v.p), BYTES("environment"), v, false);
	}
}

/* Effects of tools that run what the project says: from the project's own directory they are no more than that. */
static bool is_project_tool(const struct command_effects *fx)
{
	if (fx->nested != NULL || fx->effects == NULL)
		return false;
	for (const struct command_effect *e = fx->effects; e != NULL; e = e->next)
		if (e->effect != EFFECT_RUN_PROJECT && e->effect != EFFECT_RUN_PINNED && e->effect != EFFECT_PURE &&
			e->effect != EFFECT_INSTALL_PROJECT && e->effect != EFFECT_INSTALL_REGISTRY &&
			e->effect != EFFECT_STATUS)
			return false;
	return true;
}

static bool find_program(struct judge *j, struct bytes name, struct answer *ret)
{
	struct program_memo *m;
	int r;

	for (m = j->program_memos; m != NULL; m = m->next)
		if (bytes_eq(m->name, name)) {
			*ret = m->answer;
			return true;
		}
	*ret = (struct answer){ .status = ANSWER_UNKNOWN };
	if (j->line->oracle == NULL || j->questions >= QUESTIONS_MAX)
		return true;
	j->questions++;
	r = ask_program(j->line->oracle, j->arena, j->line->cwd, name, ret);
	m = r == 0 ? arena_new(j->arena, struct program_memo) : NULL;
	if (m == NULL) {
		judge_fail(j, r < 0 ? r : -ENOMEM);
		return false;
	}
	*m = (struct program_memo){ name, *ret, j->program_memos };
	j->program_memos = m;
	return true;
}

/* Could PATH make another program of it than the system's? */
static bool may_be_shadowed(const struct worker_policy *p, struct bytes name)
{
	for (uint32_t i = 0; i < p->shadowing.n; i++)
		if (bytes_eq(p->shadowing.items[i], name))
			return true;
	return p->path_is_mixed;
}

/* The environment that the line has activated brings a program of this name along. */
static bool lies_in_venv(struct judge *j, struct bytes name)
{
	struct answer a;

	return !place_ask(j, j->venv, judge_text(j, "bin/%.*s", (int)name.len, name.p), &a) ||
		a.status != ANSWER_KNOWN || a.type != PATH_MISSING;
}

void judge_what_it_means(struct subject *s, const struct invocation *inv, const struct command_effects *fx)
{
	const uint32_t anybody = FACT_IN_WORKSPACE | FACT_IN_SCRATCH | FACT_IN_BUILD;
	struct bytes name = inv->words != NULL && inv->words->is_static ? inv->words->value : (struct bytes){ NULL, 0 };
	struct answer a;

	/* What is open already needs no further reason. */
	if (name.len == 0 || s->verdict != VERDICT_ALLOW || s->where != NESTED_HERE)
		return;
	judge_surroundings(s, name);
	if (s->j->venv.len > 0 && s->verdict == VERDICT_ALLOW && memchr(name.p, '/', name.len) == NULL &&
		(inv->standalone || !is_builtin(name)) && !is_project_tool(fx) && lies_in_venv(s->j, name)) {
		leave_open(s, judge_text(s->j, "its name is one that %.*s/bin has a program of",
			(int)s->j->venv.len, s->j->venv.p), BYTES("program"), name, false);
		return;
	}
	if (!may_be_shadowed(s->j->line->policy, name) || s->verdict != VERDICT_ALLOW ||
		memchr(name.p, '/', name.len) != NULL || (!inv->standalone && is_builtin(name)) ||
		name_is_own_function(s->j, name) || !find_program(s->j, name, &a))
		return;
	if (a.status == ANSWER_KNOWN && (a.type == PATH_MISSING || (a.facts & anybody) == 0 || is_project_tool(fx)))
		return;
	leave_open(s, a.status == ANSWER_KNOWN ?
		judge_text(s->j, "PATH makes it %.*s, where anybody may have put it", (int)a.real.len, a.real.p) :
		BYTES("it is not known which program PATH makes of it"), BYTES("program"), name, false);
}
