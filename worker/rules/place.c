/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the target of an effect lies. What the spelling settles is settled by it; the broker is asked where a link
 * could
 * make the answer another one and the answer matters: for every effect that policy rules upon by place, and for reads
 * that print or copy a file, since a link in a project can point at a key. Listing, searching (grep -r follows no
 * links) and looking at repositories are ruled alike in every ordinary place, so nothing is asked for them.
 */
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

enum { PATH_SIZE = QUESTION_PATH_MAX };

/* The place as an ordinary effect sees it, from the broker's facts. */
static enum place ordinary_place(const struct answer *a, struct bytes relative, enum effect_id effect)
{
	const char *what;
	bool scratch = (a->facts & FACT_IN_SCRATCH) != 0;

	if (a->facts & FACT_IN_WORKSPACE) {
		enum place p = (a->facts & FACT_IN_WORKTREE) ? PLACE_WORKTREE : PLACE_WORKSPACE;

		if (path_is_sensitive_in_workspace(relative, &what))
			return PLACE_SENSITIVE;
		if (a->facts & FACT_IN_BUILD)
			p = PLACE_BUILD;
		/* A workspace that lies in scratch is both: what either place permits is permitted. */
		return scratch && effect_rule(effect, p).ruling != RULING_VOUCHED ? PLACE_SCRATCH : p;
	}
	if (scratch)
		return PLACE_SCRATCH;
	if (a->facts & FACT_IN_BUILD)
		return PLACE_BUILD;
	if (a->facts & FACT_IN_HOME)
		return PLACE_HOME;
	return (a->facts & FACT_IN_SYSTEM) ? PLACE_SYSTEM : PLACE_OTHER;
}

/*
 * Effects that only look: the gate may be looked at, so of a file that is both a secret and the gate's the secret
 * counts.
 */
static bool effect_reads(enum effect_id e)
{
	return e == EFFECT_READ || e == EFFECT_COPY || e == EFFECT_USE || e == EFFECT_SEARCH || e == EFFECT_LIST ||
		e == EFFECT_GIT_READ || e == EFFECT_ENTER;
}

/* Effects on the name itself rather than on what a link at its end points to (unlink(2), rename(2)). */
bool effect_on_entry(enum effect_id e)
{
	return e == EFFECT_DELETE || e == EFFECT_DELETE_TREE || e == EFFECT_MOVE;
}

/* Effects after which there is a file or directory of that name. */
bool effect_makes(enum effect_id e)
{
	return e == EFFECT_CREATE || e == EFFECT_WRITE || e == EFFECT_MAKE_DIRECTORY || e == EFFECT_TOUCH;
}

/* Effects that reach what lies below a directory as well. */
bool effect_on_tree(enum effect_id e)
{
	return e == EFFECT_DELETE_TREE || e == EFFECT_MOVE || e == EFFECT_MODE || e == EFFECT_MODE_OPEN ||
		e == EFFECT_OWNER || e == EFFECT_WRITE || e == EFFECT_LINK || e == EFFECT_DELETE;
}

static bool needs_evidence(enum effect_id e)
{
	static const enum place ordinary[] = {
		PLACE_WORKTREE,
		PLACE_WORKSPACE,
		PLACE_ROOT,
		PLACE_BUILD,
		PLACE_HOME,
		PLACE_SYSTEM,
		PLACE_OTHER,
		PLACE_SCRATCH,
	};
	enum ruling first = effect_rule(e, ordinary[0]).ruling;

	/* What is run, or thrown away, is open everywhere, and the reason for it names the place. */
	if (e == EFFECT_READ || e == EFFECT_COPY || e == EFFECT_EXECUTE || e == EFFECT_GIT_DISCARD)
		return true;
	/* A recursive search is ruled by where it starts, which its spelling tells. */
	if (e == EFFECT_SEARCH)
		return false;
	for (size_t i = 1; i < ARRAY_LEN(ordinary); i++)
		if (effect_rule(e, ordinary[i]).ruling != first)
			return true;
	return false;
}

static bool is_null_device(struct bytes path)
{
	static const char *const names[] = {
		"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero", "/dev/full",
		"/dev/random",
		"/dev/urandom", "/dev/fd/0", "/dev/fd/1", "/dev/fd/2", "/proc/self/fd/0", "/proc/self/fd/1",
		"/proc/self/fd/2",
	};

	if (path.len < 8 || path.p[0] != '/')
		return false;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (bytes_is(path, names[i]))
			return true;
	return false;
}

static bool below(struct bytes path, const char *dir)
{
	return path_within(path, (struct bytes){ dir, strlen(dir) });
}

/* A file whose name begins with a dash is made to be taken for an option, by whoever lists it with a pattern. */
static bool name_is_an_option(struct bytes path)
{
	const char *slash = path.len > 0 ? (const char *)memrchr(path.p, '/', path.len) : NULL;
	size_t at = slash != NULL ? (size_t)(slash - path.p) + 1 : 0;

	return at + 1 < path.len && path.p[at] == '-';
}

static bool is_gate(const struct judge *j, struct bytes path)
{
	const struct worker_policy *policy = j->line->policy;
	const char *what;

	for (uint32_t i = 0; i < policy->gate_paths.n; i++)
		if (path_within(path, policy->gate_paths.items[i]))
			return true;
	return path_is_gate(path, policy->home, &what);
}

/*
 * What the name alone settles; PLACE_NONE: nothing. `path` is normalised, or relative where the directory is unknown.
 */
static enum place place_by_name(const struct judge *j, struct bytes path, enum effect_id effect)
{
	const char *what;
	bool reads = effect_reads(effect);

	if (is_null_device(path))
		return PLACE_NULL;
	if (reads && path_is_secret(path))
		return PLACE_SECRET;
	if (is_gate(j, path))
		return PLACE_GATE;
	if (path_is_secret(path))
		return PLACE_SECRET;
	/* A tree is copied with the secrets in it; which of them are there is not known. */
	if (effect == EFFECT_COPY && path_holds_secret(path))
		return PLACE_ABOVE;
	if (path_is_startup(path, j->line->policy->home, &what))
		return reads && below(path, "/etc") ? PLACE_SYSTEM : PLACE_STARTUP;
	/* Made there, a directory is a control group, or a part of a device. */
	if ((effect == EFFECT_MAKE_DIRECTORY || effect == EFFECT_TOUCH) &&
		(below(path, "/sys") || below(path, "/proc")))
		return PLACE_DEVICE;
	if (below(path, "/dev") && path.len > 4 && !below(path, "/dev/shm"))
		return PLACE_DEVICE;
	return PLACE_NONE;
}

static enum place place_spelled(const struct judge *j, struct bytes path)
{
	struct bytes home = j->line->policy->home;

	if (path.len == 0 || path.p[0] != '/')
		return PLACE_WORKSPACE;
	if (path_within(home, path))
		return PLACE_ABOVE;
	if (j->line->cwd.len > 0 && path_within(path, j->line->cwd))
		return PLACE_WORKSPACE;
	if (path_within(path, home))
		return PLACE_HOME;
	for (uint32_t i = 0; i < j->line->policy->scratch_roots.n; i++)
		if (path.len > j->line->policy->scratch_roots.items[i].len &&
			memcmp(path.p, j->line->policy->scratch_roots.items[i].p,
				j->line->policy->scratch_roots.items[i].len) == 0)
			return PLACE_SCRATCH;
	return path_is_system(path) ? PLACE_SYSTEM : PLACE_OTHER;
}

static int ask(struct judge *j, struct bytes base, struct bytes path, bool entry, struct answer *ret)
{
	struct memo *m;
	int r;

	for (m = j->memos; m != NULL; m = m->next)
		if (m->entry == entry && bytes_eq(m->path, path) && bytes_eq(m->base, base)) {
			*ret = m->answer;
			return 0;
		}
	*ret = (struct answer){ .status = ANSWER_UNKNOWN };
	if (j->line->oracle == NULL || j->questions >= QUESTIONS_MAX)
		return 0;
	j->questions++;
	r = ask_path(j->line->oracle, j->arena, j->line->cwd, base, path, entry, ret);
	m = r == 0 ? arena_new(j->arena, struct memo) : NULL;
	if (m == NULL)
		return r < 0 ? r : -ENOMEM;
	*m = (struct memo){ base, path, entry, *ret, j->memos };
	j->memos = m;
	return 0;
}

bool place_ask(struct judge *j, struct bytes base, struct bytes path, struct answer *ret)
{
	int r = ask(j, base, path, false, ret);

	if (r < 0)
		judge_fail(j, r);
	return r == 0;
}

static struct bytes relative_to(struct bytes path, struct bytes root)
{
	if (root.len == 0 || !path_within(path, root))
		return path;
	while (root.len < path.len && path.p[root.len] == '/')
		root.len++;
	return (struct bytes){ path.p + root.len, path.len - root.len };
}

/* What an ordinary place is, and whether it is more than one. */
static enum place place_of_directory(
	const struct judge *j, const struct answer *a, enum effect_id effect, struct bytes real)
{
	/* It is the root when it also lies in the workspace; else it holds the root. */
	if (a->facts & FACT_WORKSPACE_ROOT)
		return (a->facts & FACT_IN_WORKSPACE) ? PLACE_ROOT : PLACE_ABOVE;
	if (path_within(j->line->policy->home, real))
		return PLACE_ABOVE;
	if ((effect == EFFECT_DELETE || effect == EFFECT_DELETE_TREE) && path_is_package_cache(real))
		return PLACE_BUILD;
	return ordinary_place(a, relative_to(real, a->detail), effect);
}

/* Effects that reach the files below a directory as well, so that those of the gate are hit with it. */
static bool reaches_below(enum effect_id e)
{
	return e == EFFECT_DELETE_TREE || e == EFFECT_MOVE || e == EFFECT_MODE || e == EFFECT_MODE_OPEN ||
		e == EFFECT_OWNER;
}

/*
 * Scratch is written freely, but not what a repository there keeps of its remotes: by that it is told what has landed.
 */
static bool writes_into_git(enum effect_id e, struct bytes path)
{
	static const char directory[] = "/.git";
	const size_t n = sizeof(directory) - 1;
	const char *at = path.p, *end = path.p + path.len;

	if (e != EFFECT_WRITE && e != EFFECT_CREATE && e != EFFECT_LINK && e != EFFECT_MOVE)
		return false;
	while (path.len > 0 && (at = memmem(at, (size_t)(end - at), directory, n)) != NULL) {
		at += n;
		if (at == end ? e != EFFECT_MOVE : *at == '/')
			return true;
	}
	return false;
}

/* From the broker's answer. */
static enum place place_by_facts(
	const struct judge *j, const struct answer *a, enum effect_id effect, struct bytes path)
{
	struct bytes real = a->real.len > 0 ? a->real : path;
	bool reads = effect_reads(effect);
	enum place p;

	if (a->status == ANSWER_REFUSED || (a->facts & FACT_REMOTE_FS)) {
		/* /proc and /sys are read every day; the doors in them that lead elsewhere are not. */
		bool kernel = below(path, "/proc") || below(path, "/sys");

		return reads && kernel && a->status == ANSWER_KNOWN ? PLACE_SYSTEM : PLACE_UNKNOWN;
	}
	if (a->status != ANSWER_KNOWN)
		return PLACE_UNKNOWN;
	if (reads && (a->facts & FACT_SECRET))
		return PLACE_SECRET;
	if (a->facts & FACT_GATE)
		return PLACE_GATE;
	if (a->facts & FACT_SECRET)
		return PLACE_SECRET;
	if (a->facts & FACT_STARTUP)
		return reads && (a->facts & FACT_IN_SYSTEM) ? PLACE_SYSTEM : PLACE_STARTUP;
	if (a->type == PATH_SPECIAL)
		return PLACE_DEVICE;
	p = place_of_directory(j, a, effect, real);
	if (effect == EFFECT_COPY && path_holds_secret(real))
		return PLACE_ABOVE;
	if ((p == PLACE_SCRATCH || p == PLACE_BUILD) && writes_into_git(effect, real))
		return PLACE_SENSITIVE;
	if ((a->facts & FACT_HOLDS_GATE) && reaches_below(effect) && effect_rule(effect, p).ruling != RULING_HARM)
		return PLACE_GATE;
	return p;
}

/* `path` in directory `dir` (empty: unknown). Sets place, effect and shown. */
static void place_at(struct subject *s, struct bytes dir, struct bytes path, enum effect_id effect, struct placed *ret)
{
	struct judge *j = s->j;
	char buffer[PATH_SIZE];
	size_t n = path_normalise(dir, path, buffer, sizeof(buffer));
	struct bytes normal;
	struct answer a;
	int r;

	ret->effect = effect;
	ret->shown = path;
	ret->certain = true;
	if (n == 0) { /* a relative path, and nobody knows where */
		ret->place = place_by_name(j, path, effect);
		if (ret->place == PLACE_NONE) {
			bool looks = effect_reads(effect) && effect_rule(effect, PLACE_OTHER).ruling == RULING_VOUCHED;

			ret->place = looks && !needs_evidence(effect) ? PLACE_OTHER : PLACE_UNKNOWN;
		}
		return;
	}
	if (effect_makes(effect) && name_is_an_option(path)) {
		ret->place = PLACE_UNKNOWN;
		return;
	}
	normal = (struct bytes){ arena_copy(j->arena, buffer, n), n };
	if (normal.p == NULL) {
		judge_fail(j, -ENOMEM);
		return;
	}
	ret->shown = normal;
	ret->place = place_by_name(j, normal, effect);
	if (ret->place != PLACE_NONE && !zones_need_evidence(j))
		return;
	if (ret->place != PLACE_NONE && ret->place != PLACE_SECRET) {
		ret->place = place_in_zone(j, normal, normal, effect, ret->place);
		return;
	}
	if (!needs_evidence(effect) && !zones_need_evidence(j)) {
		ret->place = place_spelled(j, normal);
		return;
	}
	r = ask(j, dir, path, effect_on_entry(effect), &a);
	if (r < 0) {
		judge_fail(j, r);
		return;
	}
	ret->place = place_by_facts(j, &a, effect, normal);
	if (a.status == ANSWER_KNOWN && a.real.len > 0)
		ret->shown = a.real;
	/* A name that looks secret stays one where nothing more could be found out. */
	if (ret->place == PLACE_UNKNOWN && place_by_name(j, normal, effect) == PLACE_SECRET)
		ret->place = PLACE_SECRET;
	ret->place = place_in_zone(j, normal, ret->shown, effect, ret->place);
	/* What is not there yet loses nothing by being written. */
	if (effect == EFFECT_WRITE && a.status == ANSWER_KNOWN && a.type == PATH_MISSING)
		ret->effect = EFFECT_CREATE;
	/* A directory that is deleted from, and not as a whole: what goes is something in it. */
	if (effect == EFFECT_DELETE && a.status == ANSWER_KNOWN && a.type == PATH_DIRECTORY && ret->place == PLACE_ROOT)
		ret->place = ordinary_place(&a, (struct bytes){ NULL, 0 }, effect);
	if (effect == EFFECT_WRITE && a.status == ANSWER_KNOWN && a.type == PATH_DIRECTORY &&
		(ret->place == PLACE_ROOT || ret->place == PLACE_ABOVE)) {
		/* A file put into a directory is no change of the directory: `within` says where it goes. */
		ret->place = ordinary_place(&a, (struct bytes){ NULL, 0 }, effect);
		ret->effect = EFFECT_CREATE;
	}
}

/* Strictness of a ruling, for choosing between two places one target may lie in. */
static int strictness(const struct placed *p)
{
	switch (effect_rule(p->effect, p->place).ruling) {
	case RULING_VOUCHED:
		return 0;
	case RULING_OPEN:
		return 1;
	case RULING_HARM:
	default:
		return 2;
	}
}

/* Over all directories the command may be in. A harm is certain when it is one wherever the command runs, or when it
 * hits the gate in one of them. */
void place_path(struct subject *s, struct bytes base, struct bytes path, enum effect_id effect,
	struct placed *ret)
{
	bool absolute = (path.len > 0 && path.p[0] == '/') || (base.len > 0 && base.p[0] == '/');
	uint32_t n = absolute ? 1 : s->dirs.n;
	int least = 2;

	place_at(s, absolute ? base : (struct bytes){ NULL, 0 }, path, effect, ret);
	if (absolute)
		return;
	if (n > 0 && !s->dirs.unknown)
		ret->place = PLACE_NONE;
	else
		least = strictness(ret);
	for (uint32_t i = 0; i < n; i++) {
		struct placed here;
		char buffer[PATH_SIZE];
		size_t len = path_normalise(s->dirs.d[i], base, buffer, sizeof(buffer));
		struct bytes dir = { arena_copy(s->j->arena, buffer, len), len };

		if (dir.p == NULL) {
			judge_fail(s->j, -ENOMEM);
			return;
		}
		place_at(s, dir, path, effect, &here);
		least = strictness(&here) < least ? strictness(&here) : least;
		if ((i == 0 && !s->dirs.unknown) || strictness(&here) > strictness(ret))
			*ret = here;
	}
	if (strictness(ret) == 2 && least < 2 && ret->place != PLACE_GATE)
		ret->certain = false;
}

static void place_dynamic(struct subject *s, const struct command_effect *e, struct placed *ret)
{
	struct bytes pattern = pattern_of(s->j, e);
	size_t slash = e->target.len;

	/* A name that is taken apart is the names of other files. */
	if (pattern.len > 0 && (e->word_flags & WORD_PIECES) != 0 &&
		effect_rule(e->effect, PLACE_UNKNOWN).ruling != RULING_VOUCHED && !pattern_holds_together(s, e->word))
		pattern.len = 0;
	if (pattern.len > 0) {
		place_pattern(s, e, pattern, ret);
		if (e->within.len > 0) {
			struct placed below;
			struct bytes inner = judge_text(s->j, "%.*s/%.*s", (int)pattern.len, pattern.p,
				(int)e->within.len, e->within.p);

			place_pattern(s, e, inner, &below);
			if (strictness(&below) > strictness(ret))
				*ret = below;
		}
		return;
	}
	if (target_is_runner_file(s, e)) {
		*ret = (struct placed){ .place = PLACE_SCRATCH, .effect = e->effect, .shown = e->word->src };
		return;
	}
	*ret = (struct placed){ .place = PLACE_UNKNOWN, .effect = e->effect,
		.shown = e->word != NULL ? e->word->src : e->target, .certain = false };
	/* What it certainly begins with can still be told as the gate's or a secret. */
	while (slash > 0 && e->target.p[slash - 1] != '/')
		slash--;
	if (slash > 1) {
		enum place p = place_by_name(s->j, (struct bytes){ e->target.p, slash - 1 }, e->effect);

		if (p == PLACE_GATE || p == PLACE_SECRET)
			ret->place = p;
	}
}

/* <(…): what runs there is judged where it stands, and what it prints is no file. */
static bool reads_a_process(const struct command_effect *e)
{
	return (e->effect == EFFECT_READ || e->effect == EFFECT_COPY || e->effect == EFFECT_LIST) && !e->is_static &&
		e->word != NULL && e->target.len == 0 && e->word->parts != NULL &&
		e->word->parts->kind == PART_PROCESS && e->word->parts->next == NULL;
}

/* What a copy takes along that follows the links in a tree. */
static void look_at_links(struct subject *s, struct placed *p)
{
	struct judge *j = s->j;
	struct answer a = { .status = ANSWER_UNKNOWN };

	if (effect_rule(p->effect, p->place).ruling != RULING_VOUCHED || p->shown.len == 0 || p->shown.p[0] != '/')
		return;
	if (j->line->oracle != NULL && j->questions < QUESTIONS_MAX) {
		int r = ask_links(j->line->oracle, j->arena, j->line->cwd, (struct bytes){ NULL, 0 }, p->shown, &a);

		j->questions++;
		if (r < 0)
			judge_fail(j, r);
	}
	if (a.status == ANSWER_KNOWN && (a.facts & FACT_SECRET) == 0)
		return;
	p->certain = false;
	p->place = a.status == ANSWER_KNOWN ? PLACE_SECRET : PLACE_UNKNOWN;
}

/*
 * A harness's directory as a whole: what is unpacked into it, mounted over it or put in its place brings settings and
 * hooks along. With `within` it is known which file of it is meant, unless the directory is not there yet.
 */
static bool names_settings(const struct judge *j, const struct command_effect *e, const struct placed *p)
{
	if (e->effect != EFFECT_WRITE && e->effect != EFFECT_CREATE && e->effect != EFFECT_LINK &&
		e->effect != EFFECT_MOVE)
		return false;
	return p->place != PLACE_NULL && path_is_gate_directory(p->shown, j->line->policy->home);
}

static bool replaces_settings(const struct judge *j, const struct command_effect *e, const struct placed *p)
{
	bool whole = e->within.len == 0 || (e->effect == EFFECT_WRITE && p->effect == EFFECT_CREATE);

	return whole && names_settings(j, e, p);
}

void place_effect(struct subject *s, const struct command_effect *e,
	void (*each)(struct subject *s, const struct command_effect *e, const struct placed *p))
{
	struct placed p = { .place = PLACE_NONE, .effect = e->effect, .shown = e->target, .certain = e->is_static };
	enum target_kind kind = effect_target(e->effect);

	switch (kind) {
	case TARGET_PATH:
		break;
	case TARGET_REMOTE:
		place_remote(s, e, &p);
		each(s, e, &p);
		return;
	case TARGET_URL:
	case TARGET_FORGE:
		if (e->is_static && kind == TARGET_FORGE)
			p.place = place_forge(s, e->target);
		else if (e->is_static)
			p.place = e->by_path ? place_copy_host(s->j->line->policy, e->target) :
				place_host(s->j->line->policy, kind, e->target);
		else
			p.place = PLACE_UNKNOWN;
		each(s, e, &p);
		return;
	case TARGET_NONE:
	case TARGET_NAME:
	case TARGET__MAX:
	default:
		p.certain = true;
		each(s, e, &p);
		return;
	}
	if (reads_a_process(e))
		return;
	if (s->where == NESTED_CONTAINER || s->where == NESTED_HOST || s->where == NESTED_ROOT) {
		p.place = s->where == NESTED_CONTAINER ? PLACE_CONTAINER : PLACE_UNKNOWN;
		p.certain = false;
		each(s, e, &p);
		return;
	}
	if (!e->is_static) {
		place_dynamic(s, e, &p);
		each(s, e, &p);
		return;
	}
	place_path(s, e->base, e->target.len > 0 ? e->target : BYTES("."), e->effect, &p);
	p.certain = p.certain && e->is_static;
	if (e->follows)
		look_at_links(s, &p);
	if (replaces_settings(s->j, e, &p))
		p.place = PLACE_GATE;
	each(s, e, &p);
	if (e->within.len > 0 && p.place != PLACE_NULL) {
		struct bytes inner = judge_text(s->j, "%.*s/%.*s", (int)e->target.len, e->target.p, (int)e->within.len,
			e->within.p);

		place_path(s, e->base, inner, e->effect, &p);
		/* Whether the target is a directory is not known: this is only where it may go. */
		p.certain = p.place == PLACE_GATE;
		if (names_settings(s->j, e, &p))
			p.place = PLACE_GATE;
		each(s, e, &p);
	}
}
