/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scripts that have landed: byte for byte what the default branch of a trusted remote holds, and so has gone through
 * that branch's review. Vouched for when run on their own, with nothing but flags, from the session's own workspace.
 */
#include <stdio.h>

#include "policy/destination.h"
#include "policy/git_facts.h"
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

static const char *const interpreters[] = { "bash", "sh", "zsh", "dash", "ksh", "python", "python2", "python3", "node",
	"perl", "ruby" };

/* What no reader of a command line gives a meaning of its own. */
static bool is_plain(const struct word *w)
{
	if (!w->is_static || w->value.len == 0)
		return false;
	for (size_t i = 0; i < w->value.len; i++) {
		char c = w->value.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			    strchr("_-./:=,+@%", c)))
			return false;
	}
	return true;
}

/* A flag: nothing that a script could take for a file or a command to run. */
static bool is_flag(const struct word *w)
{
	return is_plain(w) && bytes_at(w->value, 0) == '-' && memchr(w->value.p, '/', w->value.len) == NULL;
}

static bool is_interpreter(struct bytes name)
{
	for (size_t i = 0; i < ARRAY_LEN(interpreters); i++)
		if (bytes_is(name, interpreters[i]))
			return true;
	return false;
}

/* The line is `path/script [flags]` or `interpreter script [flags]` and nothing else. */
static bool runs_alone(const struct subject *s, struct bytes script)
{
	const struct simple_command *c = s->j->script->commands;
	const struct word *w = c != NULL ? c->words : NULL;

	if (c == NULL || c->next != NULL || w == NULL || c->redirects != NULL || c->assigns != NULL || c->background ||
		c->piped_in || c->piped_out || c->conditional || s->depth > 0 ||
		(c->context != NULL && c->context->kind != CONTEXT_TOP) || !is_plain(w))
		return false;
	if (memchr(w->value.p, '/', w->value.len) == NULL) {
		if (!is_interpreter(w->value) || w->next == NULL)
			return false;
		w = w->next;
	}
	if (!is_plain(w) || bytes_at(w->value, 0) == '-' || !bytes_eq(w->value, script))
		return false;
	for (w = w->next; w != NULL; w = w->next)
		if (!is_flag(w))
			return false;
	return true;
}

/* A repository that anybody can make elsewhere is no review: the remote must be one that the user trusts. */
static bool is_trusted(const struct worker_policy *policy, const struct git_facts *f, struct bytes ref)
{
	for (uint32_t i = 0; i < f->n_remotes; i++) {
		const struct git_remote *m = &f->remotes[i];
		char expected[512], room[GIT_TEXT_MAX];
		struct destination d;
		struct bytes url;
		int n = snprintf(expected, sizeof(expected), "refs/remotes/%.*s/%.*s", (int)m->name.len, m->name.p,
			(int)m->default_branch.len, m->default_branch.p);

		if (n <= 0 || (size_t)n >= sizeof(expected) || !bytes_is(ref, expected) ||
			!git_fetch_resolve(f, m, room, sizeof(room), &url))
			continue;
		destination_parse(url, FORM_REMOTE, &d);
		return d.kind == DESTINATION_HOST && !destination_is_loopback(&d) &&
			(destination_is_sanctioned(&d, &policy->sanctioned_remotes) ||
				destination_is_sanctioned(&d, &policy->trusted_remotes));
	}
	return false;
}

static bool has_landed(struct subject *s, struct bytes script)
{
	CLEANUP(freep) struct git_facts *f = malloc(sizeof(*f));
	const struct bytes dir = s->dirs.d[0];
	struct answer path, repository, state;

	if (f == NULL) {
		judge_fail(s->j, -ENOMEM);
		return false;
	}
	if (!place_ask(s->j, dir, script, &path) || path.status != ANSWER_KNOWN || path.type != PATH_FILE ||
		(path.facts & FACT_IN_WORKTREE) == 0 ||
		(path.facts & (FACT_SECRET | FACT_GATE | FACT_VIA_SYMLINK | FACT_HARD_LINKED)) != 0)
		return false;
	ask_about_repository(s->j, ASK_REPOSITORY, dir, BYTES("."), &repository);
	if (repository.status != ANSWER_KNOWN || repository.type != PATH_DIRECTORY ||
		git_facts_decode(repository.detail, f) < 0 || !f->complete || f->bare ||
		!bytes_eq(f->root, path.detail) || (f->runs & GIT_RUNS_ELSEWHERE) != 0)
		return false;
	ask_about_repository(s->j, ASK_STATE, dir, script, &state);
	return state.status == ANSWER_KNOWN && state.type == PATH_DIRECTORY && bytes_eq(state.real, f->root) &&
		(state.size & GIT_FILE_TRACKED) != 0 && (state.size & GIT_FILE_LANDED) != 0 &&
		is_trusted(s->j->line->policy, f, state.detail);
}

bool judge_landed(struct subject *s, const struct command_effect *e)
{
	struct judge *j = s->j;
	const struct judge before = *j;
	enum verdict found = s->finding->verdict;
	struct bytes why = s->finding->why;

	if (e->effect != EFFECT_EXECUTE || !j->line->policy->trust_landed_scripts || !s->rule_on_effect ||
		s->where != NESTED_HERE || s->dirs.n != 1 || s->dirs.unknown || !e->is_static || e->base.len > 0 ||
		!runs_alone(s, e->target) || !has_landed(s, e->target))
		return false;
	/* A harm in it is one all the same; what is merely not understood there was understood by its reviewers. */
	if (judge_script_file(s, e) && j->denied == STAGE_NONE) {
		j->open = before.open;
		j->open_reason = before.open_reason;
		j->open_rule = before.open_rule;
		j->n_open_causes = before.n_open_causes;
		s->finding->verdict = found;
		s->finding->why = why;
	}
	j->landed = true;
	return true;
}
