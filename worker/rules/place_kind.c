/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one place is: by its spelling, and by the broker's facts about it. Asked for is what an effect is ruled upon by,
 * and what prints or copies a file, since a link in a project can point at a key. Listing, searching (grep -r follows
 * no links) and looking at repositories are ruled alike in every ordinary place, so nothing is asked for them.
 */
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

/* The place as an ordinary effect sees it, from the broker's facts. */
enum place place_ordinary(const struct answer *a, struct bytes relative, enum effect_id effect)
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
bool effect_reads(enum effect_id e)
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

bool place_needs_evidence(enum effect_id e)
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
	if (e == EFFECT_READ || e == EFFECT_COPY || e == EFFECT_EXECUTE || e == EFFECT_APPLY || e == EFFECT_GIT_DISCARD)
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

/* Much in it is run later, but what goes with the whole of it is the system. */
static bool removes_etc(enum effect_id e, struct bytes path)
{
	return (e == EFFECT_DELETE_TREE || e == EFFECT_MOVE) && bytes_is(path, "/etc");
}

/* A file whose name begins with a dash is made to be taken for an option, by whoever lists it with a pattern. */
bool path_is_an_option(struct bytes path)
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
enum place place_by_name(const struct judge *j, struct bytes path, enum effect_id effect)
{
	const char *what;
	bool reads = effect_reads(effect);

	if (is_null_device(path))
		return PLACE_NULL;
	if (reads && path_is_secret(path))
		return PLACE_SECRET;
	if (is_gate(j, path))
		return PLACE_GATE;
	if ((effect == EFFECT_WRITE || effect == EFFECT_CREATE) && path_grants_access(path, j->line->policy->home))
		return PLACE_ACCESS;
	if (path_is_secret(path))
		return PLACE_SECRET;
	/* A tree is copied with the secrets in it; which of them are there is not known. */
	if (effect == EFFECT_COPY && path_holds_secret(path))
		return PLACE_ABOVE;
	if (path_is_startup(path, j->line->policy->home, &what))
		return (reads && below(path, "/etc")) || removes_etc(effect, path) ? PLACE_SYSTEM : PLACE_STARTUP;
	/* Made there, a directory is a control group, or a part of a device. */
	if ((effect == EFFECT_MAKE_DIRECTORY || effect == EFFECT_TOUCH) &&
		(below(path, "/sys") || below(path, "/proc")))
		return PLACE_DEVICE;
	if (below(path, "/dev") && path.len > 4 && !below(path, "/dev/shm"))
		return PLACE_DEVICE;
	return PLACE_NONE;
}

enum place place_spelled(const struct judge *j, struct bytes path)
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
	return place_ordinary(a, relative_to(real, a->detail), effect);
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

static bool is_scratch_root(const struct judge *j, struct bytes path)
{
	const struct string_list *roots = &j->line->policy->scratch_roots;

	for (uint32_t i = 0; i < roots->n; i++)
		if (roots->items[i].len == path.len + 1 && memcmp(roots->items[i].p, path.p, path.len) == 0)
			return true;
	return false;
}

/* From the broker's answer. */
enum place place_by_facts(
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
	if ((effect == EFFECT_WRITE || effect == EFFECT_CREATE) && path_grants_access(real, j->line->policy->home))
		return PLACE_ACCESS;
	if (a->facts & FACT_SECRET)
		return PLACE_SECRET;
	if (a->facts & FACT_STARTUP)
		return (reads && (a->facts & FACT_IN_SYSTEM)) || removes_etc(effect, real) ? PLACE_SYSTEM :
			PLACE_STARTUP;
	if (a->type == PATH_SPECIAL)
		return PLACE_DEVICE;
	p = place_of_directory(j, a, effect, real);
	/* Scratch itself, of what is put into it. */
	if ((effect == EFFECT_WRITE || effect == EFFECT_CREATE) && a->type == PATH_DIRECTORY &&
		is_scratch_root(j, real))
		return PLACE_SCRATCH;
	if (effect == EFFECT_COPY && path_holds_secret(real))
		return PLACE_ABOVE;
	if ((p == PLACE_SCRATCH || p == PLACE_BUILD) && writes_into_git(effect, real))
		return PLACE_SENSITIVE;
	if ((a->facts & FACT_HOLDS_GATE) && reaches_below(effect) && effect_rule(effect, p).ruling != RULING_HARM)
		return PLACE_GATE;
	return p;
}
