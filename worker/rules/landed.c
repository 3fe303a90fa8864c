/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scripts that have landed: byte for byte what the default branch of a trusted remote holds, and so has gone through
 * that branch's review. Vouched for when run on their own, with nothing but flags and files of the worktree, from the
 * session's own workspace.
 */
#include "policy/git_facts.h"
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

static const char *const interpreters[] = { "bash", "sh", "zsh", "dash", "ksh", "python", "python2", "python3", "node",
	"perl", "ruby" };

enum { OPERANDS_MAX = 4 /* that are looked at; with more of them it does not run on its own */ };

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

/* What a landed script is given. */
struct given {
	bool flags;
	uint32_t n_paths;
	struct bytes paths[OPERANDS_MAX];
};

/* The line is `path/script [operands]` or `interpreter script [operands]` and nothing else. */
static bool runs_alone(const struct subject *s, struct bytes script, struct given *ret)
{
	const struct simple_command *c = s->j->script->commands;
	const struct word *w = c != NULL ? c->words : NULL;

	*ret = (struct given){ .n_paths = 0 };
	if (c == NULL || c->next != NULL || w == NULL || c->redirects != NULL || c->assigns != NULL || c->background ||
		c->piped_in || c->piped_out || c->conditional || s->depth > 0 ||
		(c->context != NULL && c->context->kind != CONTEXT_TOP) || !is_plain(w))
		return false;
	if (memchr(w->value.p, '/', w->value.len) == NULL) {
		if (!is_interpreter(w->value) || w->next == NULL)
			return false;
		w = w->next;
	}
	if (!is_plain(w) || w->value.p[0] == '-' || !bytes_eq(w->value, script))
		return false;
	for (w = w->next; w != NULL; w = w->next) {
		if (is_flag(w)) {
			ret->flags = true;
			continue;
		}
		if (!is_plain(w) || w->value.p[0] == '-' || memchr(w->value.p, '=', w->value.len) != NULL ||
			ret->n_paths == OPERANDS_MAX)
			return false;
		ret->paths[ret->n_paths++] = w->value;
	}
	return true;
}

/* Something of the worktree that is there, and neither a secret nor what decides what runs in it. */
static bool is_of_the_worktree(struct subject *s, struct bytes path, struct answer *ret)
{
	const uint32_t never = FACT_SECRET | FACT_GATE | FACT_STARTUP | FACT_VIA_SYMLINK | FACT_HARD_LINKED;
	struct bytes below;
	const char *what;

	if (!place_ask(s->j, s->dirs.d[0], path, ret) || ret->status != ANSWER_KNOWN ||
		(ret->type != PATH_FILE && ret->type != PATH_DIRECTORY) || (ret->facts & FACT_IN_WORKTREE) == 0 ||
		(ret->facts & never) != 0 || ret->detail.len == 0 || ret->real.len < ret->detail.len)
		return false;
	below = (struct bytes){ ret->real.p + ret->detail.len, ret->real.len - ret->detail.len };
	while (below.len > 0 && below.p[0] == '/')
		below = (struct bytes){ below.p + 1, below.len - 1 };
	return !path_is_sensitive_in_workspace(below, &what);
}

static bool has_landed(struct subject *s, struct bytes path)
{
	const uint32_t needed = GIT_FILE_TRACKED | GIT_FILE_LANDED | GIT_FILE_TRUSTED;
	struct answer where, state;

	if (!is_of_the_worktree(s, path, &where) || where.type != PATH_FILE)
		return false;
	ask_about_repository(s->j, ASK_STATE, s->dirs.d[0], path, &state);
	return state.status == ANSWER_KNOWN && state.type == PATH_DIRECTORY && bytes_eq(state.real, where.detail) &&
		(state.size & needed) == needed;
}

/*
 * What is given must not be what runs. A shell script that was read tells whether it runs its parameters; one in
 * another language does not, and so only gets files that have landed themselves.
 */
static bool operands_are_data(struct subject *s, const struct given *g, enum script_reading reading, bool runs_unknown)
{
	struct answer where;

	if (!g->flags && g->n_paths == 0)
		return true;
	if (reading == SCRIPT_UNREAD || (reading == SCRIPT_READ && runs_unknown))
		return false;
	for (uint32_t i = 0; i < g->n_paths; i++)
		if (!(reading == SCRIPT_READ ? is_of_the_worktree(s, g->paths[i], &where) : has_landed(s, g->paths[i])))
			return false;
	return true;
}

static bool may_have_landed(const struct subject *s, const struct command_effect *e, struct given *ret)
{
	return e->effect == EFFECT_EXECUTE && s->j->line->policy->trust_landed_scripts && s->rule_on_effect &&
		s->where == NESTED_HERE && s->dirs.n == 1 && !s->dirs.unknown && e->is_static && e->base.len == 0 &&
		runs_alone(s, e->target, ret);
}

/* Told to whoever looks closer: where what is run comes from. */
static void note_provenance(struct subject *s, const struct command_effect *e)
{
	struct bytes path = script_named(s, e);
	struct answer state;
	const char *word = "unknown";

	if (path.len == 0 || s->where != NESTED_HERE || s->dirs.n != 1 || s->dirs.unknown)
		return;
	ask_about_repository(s->j, ASK_STATE, s->dirs.d[0], path, &state);
	if (state.status == ANSWER_KNOWN && state.type == PATH_MISSING)
		word = "outside";
	else if (state.status == ANSWER_KNOWN)
		word = git_provenance_name(git_file_provenance((uint32_t)state.size));
	note_fact(s, BYTES("script"), (struct bytes){ word, strlen(word) }, path, VERDICT_OPEN);
}

/*
 * A script runs another one, which its own review says nothing about: that one has to have landed too, as long as it
 * could not be vouched for by what it holds. What root installed is nobody's to change.
 */
static void note_inner(struct subject *s, const struct command_effect *e)
{
	struct bytes path = script_named(s, e);
	bool system = path.len > 0 && path.p[0] == '/' && path_is_system(path);

	if (s->scripts == 0 || system)
		return;
	if (path.len == 0 || s->where != NESTED_HERE || s->dirs.n != 1 || s->dirs.unknown || !has_landed(s, path))
		s->j->runs_unlanded = true;
}

bool judge_run_script(struct subject *s, const struct command_effect *e)
{
	struct judge *j = s->j;
	const struct judge before = *j;
	enum verdict found = s->finding->verdict, own = s->verdict;
	struct bytes why = s->finding->why;
	enum script_reading reading;
	struct given given;
	bool runs_unknown, runs_unlanded;

	j->runs_unknown = j->runs_unlanded = false;
	reading = judge_script_file(s, e);
	runs_unknown = j->runs_unknown;
	j->runs_unknown = before.runs_unknown || runs_unknown;
	runs_unlanded = j->runs_unlanded;
	j->runs_unlanded = before.runs_unlanded || runs_unlanded;
	if (reading == SCRIPT_READ && j->n_open == before.n_open && s->verdict == own)
		return true;
	note_inner(s, e);
	if (j->denied == STAGE_NONE && reading != SCRIPT_IN_PART && !runs_unlanded && may_have_landed(s, e, &given) &&
		operands_are_data(s, &given, reading, runs_unknown) && has_landed(s, e->target)) {
		/* A harm in it is one all the same; what is merely not understood there was by its reviewers. */
		j->open = before.open;
		j->open_reason = before.open_reason;
		j->open_rule = before.open_rule;
		j->n_open = before.n_open;
		j->n_open_causes = before.n_open_causes;
		s->finding->verdict = found;
		s->finding->why = why;
		j->landed = true;
		return true;
	}
	note_provenance(s, e);
	return reading == SCRIPT_READ;
}
