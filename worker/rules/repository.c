/* SPDX-License-Identifier: Apache-2.0 */
/* What the repository a git command works in changes about it: programs its settings run, and where remotes lead. */
#include "policy/git_facts.h"
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

struct working { /* directories git may be started in */
	struct bytes d[DIRECTORIES_MAX];
	uint32_t n;
	bool unknown; /* or anywhere */
};

static void working_directories(struct subject *s, const struct command_effect *e, struct working *ret)
{
	bool absolute = e->base.len > 0 && e->base.p[0] == '/';
	uint32_t n = absolute ? 1 : s->dirs.n;

	*ret = (struct working){ .unknown = s->where != NESTED_HERE || (!absolute && (s->dirs.unknown || n == 0)) };
	for (uint32_t i = 0; i < n; i++) {
		char buffer[QUESTION_PATH_MAX];
		size_t len = path_normalise(absolute ? BYTES("/") : s->dirs.d[i],
			e->base.len > 0 ? e->base : BYTES("."), buffer, sizeof(buffer));
		struct bytes dir = { arena_copy(s->j->arena, buffer, len), len };

		if (dir.p == NULL)
			judge_fail(s->j, -ENOMEM);
		if (dir.p == NULL || len == 0 || len >= QUESTION_PATH_MAX)
			ret->unknown = true;
		else
			ret->d[ret->n++] = dir;
	}
}

struct bytes git_directory_of(struct subject *s, const struct command_effect *e)
{
	struct working w;

	working_directories(s, e, &w);
	return w.unknown || w.n != 1 ? (struct bytes){ NULL, 0 } : w.d[0];
}

void ask_about_repository(struct judge *j, enum question_kind kind, struct bytes directory, struct bytes text,
	struct answer *ret)
{
	struct git_memo *m;
	int r;

	for (m = j->git_memos; m != NULL; m = m->next)
		if (m->kind == kind && bytes_eq(m->directory, directory) && bytes_eq(m->text, text)) {
			*ret = m->answer;
			return;
		}
	*ret = (struct answer){ .status = ANSWER_UNKNOWN };
	if (j->line->oracle == NULL || j->questions >= QUESTIONS_MAX)
		return;
	j->questions++;
	r = ask_git(j->line->oracle, j->arena, kind, kind == ASK_STATE ? j->line->session : BYTES(""), directory, text,
		ret);
	m = r == 0 ? arena_new(j->arena, struct git_memo) : NULL;
	if (m == NULL) {
		judge_fail(j, r < 0 ? r : -ENOMEM);
		return;
	}
	*m = (struct git_memo){ kind, directory, text, *ret, j->git_memos };
	j->git_memos = m;
}

static bool is_git(enum effect_id e)
{
	return e == EFFECT_GIT_READ || e == EFFECT_GIT_LOCAL || e == EFFECT_GIT_DISCARD || e == EFFECT_GIT_FETCH ||
		e == EFFECT_GIT_PUSH || e == EFFECT_GIT_PUSH_LEASE || e == EFFECT_GIT_PUSH_FORCE ||
		e == EFFECT_GIT_PUSH_DELETE;
}

/* "git status": the subcommand, as the table of what runs when knows it. */
static struct bytes subcommand_of(struct bytes program)
{
	const struct bytes git = BYTES("git ");
	size_t n = git.len;

	if (program.len <= n || memcmp(program.p, git.p, n) != 0)
		return (struct bytes){ NULL, 0 };
	while (n < program.len && program.p[n] != ' ')
		n++;
	return (struct bytes){ program.p + git.len, n - git.len };
}

static const char *occasion_text(uint32_t runs)
{
	static const struct {
		uint32_t runs;
		const char *text;
	} texts[] = {
		{ GIT_RUNS_FSMONITOR, "core.fsmonitor" },
		{ GIT_RUNS_DIFF, "a diff or textconv command" },
		{ GIT_RUNS_FILTER, "a clean or smudge filter" },
		{ GIT_RUNS_PAGER, "a pager" },
		{ GIT_RUNS_EDITOR, "an editor" },
		{ GIT_RUNS_SIGNING, "a signing program" },
		{ GIT_RUNS_TRANSPORT, "a transport command" },
		{ GIT_RUNS_CREDENTIAL, "a credential helper" },
		{ GIT_RUNS_MERGE, "a merge driver" },
		{ GIT_RUNS_TRAILER, "a trailer command" },
		{ GIT_RUNS_SUBMODULE, "a submodule update command" },
		{ GIT_RUNS_ARCHIVE, "an archive filter" },
		{ GIT_RUNS_HELP, "a help viewer" },
		{ GIT_RUNS_INTERACTIVE, "a diff filter" },
		{ GIT_RUNS_TOOL, "a diff or merge tool" },
		{ GIT_RUNS_ALIAS, "an alias" },
		{ GIT_RUNS_HOOKS_OUTSIDE, "hooks from outside the repository" },
		{ GIT_RUNS_HOOK_INDEX, "the hook post-index-change" },
		{ GIT_RUNS_ELSEWHERE, "core.worktree, which takes it to another directory" },
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if ((runs & texts[i].runs) != 0)
			return texts[i].text;
	return "a program";
}

/* In a directory of no repository git does nothing; hooks of its own are the project's code, as its tests are. */
static void check_settings(struct subject *s, const struct answer *a, struct bytes directory, struct bytes subcommand)
{
	CLEANUP(freep) struct git_facts *facts = malloc(sizeof(*facts));
	uint32_t runs;

	if (facts == NULL) {
		judge_fail(s->j, -ENOMEM);
		return;
	}
	if (a->status == ANSWER_KNOWN && a->type == PATH_MISSING)
		return;
	if (a->status != ANSWER_KNOWN || git_facts_decode(a->detail, facts) < 0) {
		const struct bytes why = a->status == ANSWER_REFUSED && a->detail.len > 0 ? a->detail :
			BYTES("the gate cannot read it");

		leave_open(s,
			judge_text(s->j, "what the repository makes git run is not known: %.*s", (int)why.len, why.p),
			BYTES("git-settings"), directory, false);
		return;
	}
	runs = git_runs_during(facts->runs, subcommand) & ~(uint32_t)GIT_RUNS_HOOKS;
	if (runs != 0)
		leave_open(s, judge_text(s->j, "the repository's own settings bring in %s", occasion_text(runs)),
			BYTES("git-settings"), directory, false);
}

void judge_repository(struct subject *s, const struct command_effect *e)
{
	struct bytes subcommand = subcommand_of(s->program);
	struct working w;

	/* What runs nothing, whatever the settings, asks for none. Elsewhere than here is open for other reasons. */
	if (!is_git(e->effect) || subcommand.len == 0 || s->where != NESTED_HERE ||
		git_runs_during(GIT_RUNS__ALL, subcommand) == 0)
		return;
	working_directories(s, e, &w);
	if (w.unknown)
		leave_open(s, BYTES("the repository git works in is not known"), BYTES("git-settings"), e->target,
			false);
	for (uint32_t i = 0; i < w.n; i++) {
		struct answer a;

		if (flow_unpacks_repository(s->j, w.d[i]))
			leave_open(s, BYTES("the line may unpack a repository there, whose settings are not known"),
				BYTES("git-settings"), w.d[i], false);
		ask_about_repository(s->j, ASK_REPOSITORY, w.d[i], BYTES("."), &a);
		check_settings(s, &a, w.d[i], subcommand);
	}
}

/* Of two places a push may go to, the one that policy is stricter with. */
static enum place stricter(enum place a, enum place b)
{
	static const enum place order[] = { PLACE_OUTSIDE, PLACE_SECRET, PLACE_UNKNOWN, PLACE_SANCTIONED,
		PLACE_LOOPBACK };

	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	return PLACE_UNKNOWN;
}

struct destination_found {
	enum place place;
	bool any, certain;
	struct bytes shown; /* the first address that is as strict as the place */
	bool forced, is_protected, branch_known;
};

static void add_place(struct destination_found *f, enum place place, struct bytes shown)
{
	enum place was = f->place;

	f->place = f->any ? stricter(was, place) : place;
	if (!f->any || f->place != was)
		f->shown = shown;
	f->any = true;
}

/* A refspec may name branches by a pattern, with one asterisk for any text (git-push(1) "<refspec>"). */
static bool names_branch(struct bytes pattern, struct bytes branch)
{
	const char *star = pattern.len > 0 ? (const char *)memchr(pattern.p, '*', pattern.len) : NULL;
	size_t front = star != NULL ? (size_t)(star - pattern.p) : 0, back = pattern.len - front - 1;

	if (star == NULL || branch.len == 0)
		return branch.len > 0 && bytes_eq(pattern, branch);
	return branch.len >= front + back && memcmp(branch.p, pattern.p, front) == 0 &&
		memcmp(branch.p + branch.len - back, star + 1, back) == 0;
}

static bool is_protected(const struct worker_policy *policy, const struct git_push *p, struct bytes branch)
{
	if (names_branch(branch, p->default_branch))
		return true;
	for (uint32_t i = 0; i < policy->protected_branches.n; i++)
		if (names_branch(branch, policy->protected_branches.items[i]))
			return true;
	return false;
}

/* `detail` is empty for a push without refspecs, and for one of HEAD. */
static void add_branch(struct subject *s, const struct command_effect *e, const struct git_push *p,
	struct destination_found *f)
{
	const struct worker_policy *policy = s->j->line->policy;

	if (e->detail.len > 0)
		f->is_protected = f->is_protected || is_protected(policy, p, e->detail);
	else if (p->branch.len == 0)
		f->branch_known = false;
	else
		f->is_protected =
			f->is_protected || is_protected(policy, p, p->branch) || is_protected(policy, p, p->head);
}

static void add_destination(struct subject *s, const struct command_effect *e, struct bytes directory,
	struct destination_found *f)
{
	const struct worker_policy *policy = s->j->line->policy;
	enum place spelled = place_host(policy, TARGET_REMOTE, e->target);
	struct git_push p = { 0 };
	struct answer a;

	ask_about_repository(s->j, ASK_PUSH, directory, e->target, &a);
	if (a.status == ANSWER_KNOWN && a.type != PATH_MISSING && git_push_decode(a.detail, &p) == 0) {
		for (uint32_t i = 0; i < p.n_urls; i++)
			add_place(f, place_host(policy, TARGET_REMOTE, p.urls[i]), p.urls[i]);
		if (!p.verified) {
			f->certain = false;
			if (f->place != PLACE_OUTSIDE)
				add_place(f, PLACE_UNKNOWN, e->target);
		}
		f->forced = f->forced || p.forced;
		add_branch(s, e, &p, f);
		return;
	}
	/* Without a repository git pushes nothing; what cannot be read may turn an address into another. */
	add_place(f, a.status == ANSWER_KNOWN || spelled == PLACE_OUTSIDE ? spelled : PLACE_UNKNOWN, e->target);
	add_branch(s, e, &p, f);
}

static bool rewrites_history(enum effect_id e)
{
	return e == EFFECT_GIT_PUSH_FORCE || e == EFFECT_GIT_PUSH_LEASE || e == EFFECT_GIT_PUSH_DELETE;
}

/* A name of a remote, and nothing that git would take for an address or a path. */
static bool is_remote_name(struct bytes name)
{
	for (size_t i = 0; i < name.len; i++)
		if (strchr(":/\\@~", name.p[i]) != NULL)
			return false;
	return name.len == 0 || (name.p[0] != '-' && name.p[0] != '.');
}

static bool has_remote(const struct git_facts *f, struct bytes name)
{
	for (uint32_t i = 0; i < f->n_remotes; i++)
		if (bytes_eq(f->remotes[i].name, name))
			return true;
	return false;
}

/*
 * In each of the directories there is no repository, or one whose settings were read and give the name no meaning: at
 * most it is a directory there.
 */
static bool names_no_remote(struct subject *s, const struct working *w, struct bytes remote)
{
	CLEANUP(freep) struct git_facts *facts = malloc(sizeof(*facts));

	if (facts == NULL) {
		judge_fail(s->j, -ENOMEM);
		return false;
	}
	for (uint32_t i = 0; i < w->n; i++) {
		struct answer a;

		ask_about_repository(s->j, ASK_REPOSITORY, w->d[i], BYTES("."), &a);
		if (a.status != ANSWER_KNOWN || (a.type != PATH_MISSING && (remote.len == 0 ||
			git_facts_decode(a.detail, facts) < 0 || !facts->complete || has_remote(facts, remote))))
			return false;
	}
	return w->n > 0 && !w->unknown;
}

/* A fetch brings data in: it may come from anywhere, once it is known that the name means a remote. */
static void place_fetch(struct subject *s, const struct command_effect *e, struct placed *p)
{
	struct destination_found f = { .certain = true, .branch_known = true };
	struct working w;

	p->place = place_host(s->j->line->policy, TARGET_REMOTE, e->target);
	working_directories(s, e, &w);
	if (p->place == PLACE_UNKNOWN && is_remote_name(e->target) && names_no_remote(s, &w, e->target)) {
		p->place = PLACE_NONE;
		return;
	}
	for (uint32_t i = 0; i < w.n && p->place == PLACE_UNKNOWN; i++)
		add_destination(s, e, w.d[i], &f);
	if (f.any && !w.unknown) {
		p->place = f.place;
		p->shown = f.shown;
	}
}

void place_remote(struct subject *s, const struct command_effect *e, struct placed *p)
{
	struct destination_found f = { .certain = true, .branch_known = true };
	struct working w;

	if (!e->is_static) {
		p->place = PLACE_UNKNOWN;
		return;
	}
	if (e->effect == EFFECT_GIT_FETCH) {
		place_fetch(s, e, p);
		return;
	}
	working_directories(s, e, &w);
	for (uint32_t i = 0; i < w.n; i++)
		add_destination(s, e, w.d[i], &f);
	if (w.unknown || !f.any) {
		enum place spelled = place_host(s->j->line->policy, TARGET_REMOTE, e->target);

		add_place(&f, spelled == PLACE_OUTSIDE ? spelled : PLACE_UNKNOWN, e->target);
		f.branch_known = e->detail.len > 0;
	}
	p->place = f.place;
	p->certain = p->certain && f.certain;
	if (f.shown.len > 0)
		p->shown = f.shown;
	if (f.forced && p->effect == EFFECT_GIT_PUSH)
		p->effect = EFFECT_GIT_PUSH_FORCE;
	if (rewrites_history(p->effect) && f.is_protected)
		p->effect = EFFECT_GIT_PUSH_PROTECTED;
	else if (p->effect == EFFECT_GIT_PUSH_LEASE && !f.branch_known)
		p->effect = EFFECT_GIT_PUSH_FORCE;
}
