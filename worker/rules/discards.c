/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is thrown away of a worktree: work that no commit holds. The repository is asked; its answer is of this moment,
 * so that it says nothing behind a part of the line that changes files, nor in a loop that comes round again.
 */
#include "policy/git_facts.h"
#include "worker/rules/internal.h"

static const struct {
	const char *detail;
	uint32_t work; /* enum git_below_facts */
	bool whole; /* of the worktree, wherever in it git is started */
	bool moves; /* brings files in, though nothing is lost */
} losses[] = {
	{ LOSES_CHANGED, GIT_BELOW_CHANGED, .moves = false },
	{ LOSES_ANY, GIT_BELOW_CHANGED | GIT_BELOW_UNTRACKED | GIT_BELOW_IGNORED, .moves = true },
	{ LOSES_ALL, GIT_BELOW_CHANGED, .whole = true },
	{ LOSES_ALL_IN_THE_WAY, GIT_BELOW_CHANGED | GIT_BELOW_UNTRACKED, .whole = true, .moves = true },
	{ LOSES_UNTRACKED, GIT_BELOW_UNTRACKED, .moves = false },
	{ LOSES_UNTRACKED_AND_IGNORED, GIT_BELOW_UNTRACKED | GIT_BELOW_IGNORED, .moves = false },
	{ LOSES_IGNORED, GIT_BELOW_IGNORED, .moves = false },
	{ LOSES_STASH, GIT_BELOW_STASHED, .whole = true },
};

static bool only_looks(enum effect_id e)
{
	static const enum effect_id looks[] = { EFFECT_READ, EFFECT_USE, EFFECT_LIST, EFFECT_SEARCH, EFFECT_ENTER,
		EFFECT_PURE, EFFECT_SHELL_STATE, EFFECT_STATUS, EFFECT_PRINT_VARIABLE, EFFECT_GIT_READ,
		EFFECT_GIT_DISCARD, EFFECT_GIT_FETCH, EFFECT_GIT_PUSH, EFFECT_FETCH, EFFECT_PROBE,
		EFFECT_FORGE_READ, EFFECT_CLOUD_READ, EFFECT_CONTAINER_READ, EFFECT_DB_READ };

	for (size_t i = 0; i < ARRAY_LEN(looks); i++)
		if (e == looks[i])
			return true;
	return false;
}

/* These change only what the repository keeps of branches and remotes. */
static bool leaves_files_alone(struct bytes program)
{
	return bytes_is(program, "git fetch") || bytes_is(program, "git remote") || bytes_is(program, "git tag") ||
		bytes_is(program, "git branch");
}

/* `git stash`, `git stash -u`, `git stash push …` put all changes away, where no file is named. */
static bool puts_work_away(const struct subject *s)
{
	const struct word *w = s->invocation != NULL ? s->invocation->words : NULL;

	if (!bytes_is(s->program, "git stash") || w == NULL || w->next == NULL || !w->next->is_static ||
		!bytes_is(w->next->value, "stash"))
		return false;
	w = w->next->next;
	if (w != NULL && w->is_static && (bytes_is(w->value, "push") || bytes_is(w->value, "save")))
		w = w->next;
	return w == NULL || (w->next == NULL && w->is_static &&
		(bytes_is(w->value, "-u") || bytes_is(w->value, "--include-untracked") || bytes_is(w->value, "-q")));
}

void discards_note(struct subject *s, enum effect_id effect)
{
	if (effect == EFFECT_GIT_LOCAL && s->depth == 0 && puts_work_away(s))
		s->j->work_put_away = true;
	else if (!only_looks(effect) && (effect != EFFECT_GIT_LOCAL || bytes_is(s->program, "git stash")))
		s->j->work_put_away = false;
	if (!only_looks(effect) && !(effect == EFFECT_GIT_LOCAL && leaves_files_alone(s->program)))
		s->j->worktree_changes = true;
}

/* A loop, or a function, may come back to this command when others have been run. */
static bool comes_round(const struct script *script)
{
	uint32_t i = 0;

	for (const struct simple_command *c = script->commands; c != NULL && i < script->n_commands; c = c->next, i++)
		for (const struct context *at = c->context; at != NULL; at = at->up)
			if (at->kind == CONTEXT_LOOP || at->kind == CONTEXT_FUNCTION)
				return true;
	return false;
}

static bool known_root(struct subject *s, struct bytes directory, struct bytes *ret)
{
	CLEANUP(freep) struct git_facts *facts = malloc(sizeof(*facts));
	struct answer a;
	bool known;

	if (facts == NULL) {
		judge_fail(s->j, -ENOMEM);
		return false;
	}
	ask_about_repository(s->j, ASK_REPOSITORY, directory, BYTES("."), &a);
	/* Settings that were not all read may take submodules along, or another worktree. */
	known = a.status == ANSWER_KNOWN && a.type == PATH_DIRECTORY && git_facts_decode(a.detail, facts) == 0 &&
		facts->complete && !facts->bare && (facts->runs & GIT_RUNS_ELSEWHERE) == 0;
	*ret = a.real;
	return known;
}

static bool is_untouched(struct subject *s, const struct command_effect *e, size_t loss)
{
	struct bytes directory = git_directory_of(s, e), root;
	struct answer a;

	if (directory.len == 0 || !known_root(s, directory, &root))
		return false;
	ask_about_repository(s->j, ASK_WORK, directory, losses[loss].whole ? root : e->target, &a);
	return a.status == ANSWER_KNOWN && a.type == PATH_DIRECTORY && bytes_eq(a.real, root) &&
		(a.size & losses[loss].work) == 0;
}

/* Another worktree is removed. What is not there now holds at most what the line itself puts there. */
static bool removes_nothing(struct subject *s, const struct command_effect *e, bool still)
{
	bool absolute = e->target.len > 0 && e->target.p[0] == '/';
	struct bytes directory = absolute ? (struct bytes){ NULL, 0 } : git_directory_of(s, e);
	struct answer a;

	if (!absolute && directory.len == 0)
		return false;
	ask_about_repository(s->j, ASK_WORK, directory, e->target, &a);
	if (a.status != ANSWER_KNOWN || (a.size & (GIT_BELOW_CHANGED | GIT_BELOW_UNTRACKED)) != 0)
		return false;
	return a.type == PATH_MISSING || (a.size & ~(uint64_t)GIT_BELOW_STASHED) == 0 || still;
}

/* What git may take for a branch or for a path holds no work, or is not there. */
static bool names_no_work(struct subject *s, const struct command_effect *e, bool still)
{
	struct bytes directory = git_directory_of(s, e);
	struct answer a;

	if (directory.len == 0)
		return false;
	ask_about_repository(s->j, ASK_WORK, directory, e->target, &a);
	if (a.status != ANSWER_KNOWN)
		return false;
	return (a.size & (still ? GIT_BELOW_CHANGED : ~(uint64_t)GIT_BELOW_STASHED)) == 0;
}

/* The worktree is known to hold what no commit does. */
static bool has_work(struct subject *s, const struct command_effect *e)
{
	struct bytes directory = git_directory_of(s, e), root;
	struct answer a;

	if (s->j->work_put_away || directory.len == 0 || !known_root(s, directory, &root))
		return false;
	ask_about_repository(s->j, ASK_WORK, directory, root, &a);
	return a.status == ANSWER_KNOWN && a.type == PATH_DIRECTORY && (a.size & GIT_BELOW_CHANGED) != 0;
}

bool discards_nothing(struct subject *s, const struct command_effect *e)
{
	bool still = !s->j->worktree_changes && !comes_round(s->j->script) && !comes_round(s->j->current);

	if (!e->is_static || !s->rule_on_effect || s->where != NESTED_HERE)
		return false;
	if (bytes_is(e->detail, LOSES_WORKTREE))
		return removes_nothing(s, e, still);
	if (bytes_is(e->detail, LOSES_NAMED))
		return names_no_work(s, e, still);
	if (bytes_is(e->detail, LOSES_ALL_IF_KNOWN))
		return !has_work(s, e);
	if (!still)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(losses); i++) {
		if (!bytes_is(e->detail, losses[i].detail) || !is_untouched(s, e, i))
			continue;
		/* Files of another commit take the place of those that were looked at. */
		s->j->worktree_changes = losses[i].moves;
		s->j->rewrites = s->j->rewrites || losses[i].moves;
		return true;
	}
	return false;
}

void discards_remember(struct subject *s, const struct command_effect *e, enum effect_id effect, enum place place,
	struct bytes path)
{
	struct judge *j = s->j;

	if ((effect != EFFECT_DELETE && effect != EFFECT_DELETE_TREE && effect != EFFECT_GIT_DISCARD) ||
		!e->is_static ||
		(place != PLACE_WORKTREE && place != PLACE_ROOT && place != PLACE_BUILD && place != PLACE_SENSITIVE) ||
		path.len == 0 || path.p[0] != '/' || j->n_thrown_away == THROWN_AWAY_MAX)
		return;
	j->thrown_away[j->n_thrown_away].finding = s->finding;
	j->thrown_away[j->n_thrown_away].program = s->program;
	j->thrown_away[j->n_thrown_away++].path = path;
}

/* "changed+ignored"; empty: git knows nothing there. */
static struct bytes work_text(struct judge *j, uint64_t work)
{
	const char *changed = (work & GIT_BELOW_CHANGED) != 0 ? "+changed" : "";
	const char *untracked = (work & GIT_BELOW_UNTRACKED) != 0 ? "+untracked" : "";
	const char *ignored = (work & GIT_BELOW_IGNORED) != 0 ? "+ignored" : "";
	struct bytes text = judge_text(j, "%s%s%s", changed, untracked, ignored);

	if (text.len > 0)
		return (struct bytes){ text.p + 1, text.len - 1 };
	return (work & GIT_BELOW_TRACKED) != 0 ? BYTES("committed") : text;
}

void discards_tell(struct judge *j)
{
	if (!j->line->policy->model_available)
		return;
	for (uint32_t i = 0; i < j->n_thrown_away; i++) {
		struct subject s = { .j = j, .finding = j->thrown_away[i].finding, .program = j->thrown_away[i].program };
		struct bytes work;
		struct answer a;

		ask_about_repository(j, ASK_WORK, (struct bytes){ NULL, 0 }, j->thrown_away[i].path, &a);
		if (a.status != ANSWER_KNOWN || a.type != PATH_DIRECTORY)
			continue;
		work = work_text(j, a.size);
		if (work.len > 0)
			note_fact(&s, BYTES("work"), work, j->thrown_away[i].path, VERDICT_OPEN);
	}
}
