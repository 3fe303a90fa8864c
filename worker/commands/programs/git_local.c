/* SPDX-License-Identifier: Apache-2.0 */
/* git subcommands that stay in the local repository and whose operands decide what they do. */
#include "policy/paths/paths.h"
#include "worker/commands/programs/git.h"

static void local(struct run *run)
{
	run_effect_fixed(run, EFFECT_GIT_LOCAL, ".");
}

static void reads(struct run *run)
{
	run_effect_fixed(run, EFFECT_GIT_READ, ".");
}

/* What is not told in `loses` is lost whatever the worktree holds. */
static void discards(struct run *run, const char *loses)
{
	struct command_effect *e;

	run_effect_fixed(run, EFFECT_GIT_DISCARD, ".");
	e = run_last_effect(run);
	if (e && !(run->bits & GIT_UNTOLD))
		e->detail = bytes_str(loses);
}

/* Operands that git reads as patterns, or by a magic of its own, mean more than one file (gitglossary(7) "pathspec"). */
static void discards_paths(struct run *run, uint32_t from, const char *loses)
{
	for (uint32_t i = from; i < run->n_operands; i++) {
		struct bytes text = run->operands[i].text;
		struct command_effect *e;

		run_effect(run, EFFECT_GIT_DISCARD, &run->operands[i]);
		e = run_last_effect(run);
		if (e && !(run->bits & GIT_UNTOLD) && !bytes_start(text, ":") && !bytes_char(text, '*') &&
			!bytes_char(text, '?') && !bytes_char(text, '[') && !bytes_char(text, '\\'))
			e->detail = bytes_str(loses);
	}
}

static bool word_is(const struct run *run, uint32_t i, const char *list)
{
	return i < run->n_operands && run->operands[i].is_static && in_list(run->operands[i].text, list);
}

/* The path in REV:PATH, or the operand itself. */
static struct bytes path_of(struct bytes text)
{
	const char *colon = text.len ? memchr(text.p, ':', text.len) : NULL;

	return colon ? bytes_from(text, (size_t)(colon + 1 - text.p)) : text;
}

/* show, diff, log -p, blame print what is committed: a secret-looking path among it is printed too. */
void git_shows(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];
		struct arg path = *a;

		path.text = path_of(a->text);
		if ((run->bits & GIT_NO_INDEX) && (!a->is_static || only_of(a->text, 0, "./")))
			run_open(run, "git diff --no-index prints every file of a tree");
		if (run->bits & GIT_NO_INDEX)
			run_effect(run, EFFECT_READ, a);
		else if (path.text.len && path_is_secret(path.text))
			run_effect(run, EFFECT_READ, &path);
	}
}

static bool is_pathspec_pattern(struct bytes text)
{
	return bytes_char(text, '*') || bytes_char(text, '?') || bytes_char(text, '[');
}

/* A pattern of names that only stands for files of one kind. */
static bool is_suffix_pattern(struct bytes text)
{
	const char *slash = text.len ? memrchr(text.p, '/', text.len) : NULL;
	struct bytes name = slash ? bytes_from(text, (size_t)(slash + 1 - text.p)) : text;

	return bytes_start(name, "*.") && !bytes_char(bytes_from(name, 1), '*') && !bytes_char(name, '?') &&
		!bytes_char(name, '[') && !bytes_char((struct bytes){ text.p, text.len - name.len }, '*');
}

/* Outside the index, or with what .gitignore names, it is grep -r: it comes upon what is kept out of repositories. */
static void greps_everything(struct run *run, uint32_t first)
{
	if (!(run->bits & GIT_QUIET) && ((run->bits & GIT_FISHES) || (first && run->n_operands &&
		search_fishes(&run->operands[0]))))
		run_open(run, "git grep over a whole tree with this pattern may print secrets");
	for (uint32_t i = first; i < run->n_operands; i++) {
		struct bytes text = run->operands[i].text;

		if ((is_pathspec_pattern(text) || bytes_start(text, ":")) && !is_suffix_pattern(text))
			run_open(run, "git grep searches files of names that may be those of secrets");
	}
}

void git_grep_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (search_fishes(value))
		run->bits |= GIT_FISHES;
}

void git_greps(struct run *run)
{
	uint32_t first = run->bits & GIT_PATTERN ? 0 : 1;

	if (run->bits & (GIT_NO_INDEX | GIT_IGNORED_TOO))
		greps_everything(run, first);
	for (uint32_t i = first; i < run->n_operands; i++)
		if (run->bits & GIT_NO_INDEX)
			run_effect(run, EFFECT_SEARCH, &run->operands[i]);
	if ((run->bits & GIT_NO_INDEX) && run->n_operands <= first)
		run_effect_fixed(run, EFFECT_SEARCH, ".");
	for (uint32_t i = first; i < run->n_operands; i++)
		if (path_is_secret(path_of(run->operands[i].text)))
			run_effect(run, EFFECT_READ, &run->operands[i]);
}

/* -f takes what .gitignore keeps out: of a directory, or of names that are not known, secrets and all. */
static bool forces_many(const struct run *run)
{
	if (!(run->bits & GIT_FORCE))
		return false;
	for (uint32_t i = 0; i < run->n_operands; i++) {
		struct bytes text = run->operands[i].text;

		if (!run->operands[i].is_static || is_pathspec_pattern(text) || bytes_start(text, ":") ||
			bytes_is(text, ".") || bytes_is(text, "..") || bytes_end(text, "/") || bytes_end(text, "/."))
			return true;
	}
	return run->n_operands == 0 || (run->bits & GIT_ALL);
}

/* What is added will be published with the branch. */
void git_adds(struct run *run)
{
	if (forces_many(run))
		run_open(run, "%.*s takes files that git ignores, and what is secret among them",
			(int)run->out->program.len, run->out->program.p);
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (path_is_secret(run->operands[i].text))
			run_effect(run, EFFECT_COPY, &run->operands[i]);
}

/* A branch name seldom ends like a file does; a single file named without "--" is restored from the index. */
static bool looks_like_file(struct bytes t)
{
	const char *dot = t.len ? memrchr(t.p, '.', t.len) : NULL;
	size_t n = dot ? (size_t)(t.p + t.len - dot - 1) : 0;

	if (!dot || n == 0 || n > 5 || memchr(dot, '/', n + 1))
		return false;
	for (size_t i = 1; i <= n; i++)
		if (!((dot[i] >= 'a' && dot[i] <= 'z') || (dot[i] >= 'A' && dot[i] <= 'Z')))
			return false;
	return true;
}

/* The first of the operands behind "--"; UINT32_MAX: there is none. */
static uint32_t separated_from(const struct run *run)
{
	for (uint32_t i = 0; i + 1 < run->argc; i++)
		if (arg_is(&run->argv[i], "--") && run->argc - i - 1 <= run->n_operands)
			return run->n_operands - (run->argc - i - 1);
	return UINT32_MAX;
}

/* checkout BRANCH keeps local changes or refuses; checkout [TREE] -- PATH and -f overwrite them. */
void git_checkout(struct run *run)
{
	uint32_t paths = separated_from(run);
	const struct arg *first = run->n_operands ? &run->operands[0] : NULL;

	if (paths != UINT32_MAX)
		discards_paths(run, paths, paths > 0 ? LOSES_ANY : LOSES_CHANGED);
	else if (run->bits & GIT_FORCE)
		discards(run, LOSES_ALL_IN_THE_WAY);
	else if (run->bits & GIT_CREATE)
		local(run);
	else if (run->n_operands >= 2)
		discards_paths(run, 0, LOSES_ANY);
	else if (first && (!first->is_static || bytes_start(first->text, ".") || bytes_start(first->text, "/") ||
		bytes_end(first->text, "/") || looks_like_file(first->text)))
		discards_paths(run, 0, LOSES_CHANGED);
	else {
		/* Makefile, src: git takes a name for a path where no branch is called so. */
		if (first && !arg_is(first, "-"))
			discards_paths(run, 0, LOSES_NAMED);
		local(run);
	}
}

void git_switch(struct run *run)
{
	if (run->bits & GIT_FORCE)
		discards(run, LOSES_ALL_IN_THE_WAY);
	else
		local(run);
}

/* Only --staged without --worktree leaves the files alone. */
void git_restore(struct run *run)
{
	if ((run->bits & GIT_CREATE) && !(run->bits & GIT_FORCE))
		local(run);
	else if (run->n_operands == 0)
		discards(run, "");
	else
		discards_paths(run, 0, run->bits & GIT_SOURCE ? LOSES_ANY : LOSES_CHANGED);
}

/* Without force git refuses where something would be lost. */
void git_removes(struct run *run)
{
	if ((run->bits & GIT_FORCE) && !(run->bits & GIT_CREATE))
		discards_paths(run, 0, LOSES_CHANGED);
	for (uint32_t i = 0; i < run->n_operands && !(run->bits & GIT_CREATE); i++)
		run_effect(run, EFFECT_DELETE, &run->operands[i]);
	local(run);
}

/* With force it overwrites what stands in the way. */
void git_moves(struct run *run)
{
	if ((run->bits & GIT_FORCE) && run->n_operands > 1)
		discards_paths(run, run->n_operands - 1, LOSES_ANY);
}

/* HEAD, and what leads back to it: HEAD^0, @{0}, HEAD^{commit} (gitrevisions(7)). */
static bool is_head(struct bytes rev)
{
	static const char *const same[] = { "^0", "~0", "@{0}", "^{}", "^{commit}" };

	for (size_t i = 0; i < ARRAY_LEN(same); i++)
		while (bytes_end(rev, same[i]))
			rev.len -= strlen(same[i]);
	return rev.len == 0 || in_list(rev, "HEAD @");
}

/*
 * reset --hard to a commit that is named moves on purpose, and loses only what is known to be there; without one it
 * does nothing but throw local changes away.
 */
void git_reset(struct run *run)
{
	bool named = run->n_operands == 1 && run->operands[0].is_static && !is_head(run->operands[0].text);

	if (run->bits & GIT_FORCE)
		discards(run, named ? LOSES_ALL_IF_KNOWN : LOSES_ALL);
	if (named || !(run->bits & GIT_FORCE))
		local(run);
}

/* Without a name it lists. */
void git_branch(struct run *run)
{
	if (run->n_operands == 0)
		reads(run);
	else
		local(run);
}

void git_stash(struct run *run)
{
	if (run->bits & GIT_IGNORED_TOO)
		run_open(run, "git stash -a keeps files that git ignores, and what is secret among them, as a commit");
	if (word_is(run, 0, "list show"))
		reads(run);
	else if (word_is(run, 0, "drop clear"))
		discards(run, LOSES_STASH);
	else if (run->n_operands == 0 || word_is(run, 0, "push save pop apply branch create store"))
		local(run);
	else
		run_open(run, "this subcommand of git stash is not known to the gate");
	/* Files named after push go back to what is committed, or away. */
	for (uint32_t i = 1; i < run->n_operands && word_is(run, 0, "push"); i++)
		run_effect(run, EFFECT_WRITE, &run->operands[i]);
}

void git_clean(struct run *run)
{
	const char *loses = run->bits & GIT_IGNORED_ONLY ? LOSES_IGNORED :
		run->bits & GIT_IGNORED_TOO ? LOSES_UNTRACKED_AND_IGNORED : LOSES_UNTRACKED;

	if (run->bits & GIT_CREATE)
		reads(run);
	else if (run->n_operands == 0)
		discards(run, loses);
	else
		discards_paths(run, 0, loses);
}

void git_bisect(struct run *run)
{
	local(run);
	if (run->argc == 0 || !run->argv[0].is_static) {
		run_open(run, "the subcommand of git bisect is not known before it runs");
		return;
	}
	if (arg_is(&run->argv[0], "run"))
		run_nested_words(run, run->argv + 1, run->argc - 1);
	else if (!in_list(run->argv[0].text,
			 "start good bad old new skip reset log next terms visualize view help"))
		run_open(run, "this subcommand of git bisect is not known to the gate");
	else if (in_list(run->argv[0].text, "visualize view"))
		run_open(run, "git bisect visualize starts another program");
}

void git_submodule(struct run *run)
{
	struct bytes text;

	if (run->n_operands == 0 || word_is(run, 0, "status summary")) {
		reads(run);
	} else if (word_is(run, 0, "init update sync")) {
		local(run);
		run_effect_fixed(run, EFFECT_GIT_FETCH, "");
	} else if (word_is(run, 0, "add") && run->n_operands > 1) {
		run_effect(run, EFFECT_GIT_FETCH, &run->operands[1]);
		if (run->operands[1].is_static && bytes_find(run->operands[1].text, "::"))
			run_open(run, "git takes a transport that runs a program");
		local(run);
	} else if (word_is(run, 0, "foreach") &&
		run_join_args(run, run->operands + 1, run->n_operands - 1, &text)) {
		struct nested *n = run_nested_text(run, text, DIALECT_POSIX);

		if (n)
			n->where = NESTED_ELSEWHERE;
		local(run);
	} else {
		run_open(run, "this subcommand of git submodule is not known to the gate");
	}
}

/* Tracking references are how landed work is told from local work: only fetch and push may write them. */
static bool names_remote_ref(struct bytes t)
{
	return bytes_find(t, "refs/remotes") || bytes_start(t, "remotes/");
}

void git_symbolic_ref(struct run *run)
{
	if (run->n_operands < 2) {
		reads(run);
		return;
	}
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (names_remote_ref(run->operands[i].text))
			run_open(run, "git symbolic-ref changes what is known of a remote");
	local(run);
}

void git_reflog(struct run *run)
{
	if (word_is(run, 0, "expire delete"))
		discards(run, "");
	else
		reads(run);
}

void git_strategy(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static || !in_list(value->text, "ort recursive resolve octopus ours subtree"))
		run_open(run, "a merge strategy of another name runs a program");
}

void git_lfs(struct run *run)
{
	if (word_is(run, 0, "ls-files status env version logs locks")) {
		reads(run);
	} else if (word_is(run, 0, "pull fetch checkout track untrack install prune")) {
		local(run);
	} else {
		if (word_is(run, 0, "push") && run->n_operands > 1)
			run_effect(run, EFFECT_GIT_PUSH, &run->operands[1]);
		run_open(run, "this subcommand of git lfs is not known to the gate");
	}
}

/* A bundle is a file of objects: made from the repository, or looked at. What is taken out of one comes from anywhere. */
void git_bundle(struct run *run)
{
	const struct arg *file = run->n_operands > 1 ? &run->operands[1] : NULL;

	if (word_is(run, 0, "create") && file) {
		if (!arg_is(file, "-"))
			run_effect(run, EFFECT_WRITE, file);
		reads(run);
	} else if (word_is(run, 0, "verify list-heads") && file) {
		run_effect(run, EFFECT_USE, file);
		reads(run);
	} else {
		run_open(run, "git bundle brings in what a file holds");
	}
}

/* ../NAME: beside the repository, where worktrees are made every day. */
static bool is_sibling(struct bytes path)
{
	return bytes_start(path, "../") && path.len > 3 && path.p[3] != '.' &&
		!bytes_char(bytes_from(path, 3), '/');
}

static void worktree_add(struct run *run)
{
	local(run);
	if (run->n_operands == 0)
		return;
	if (!is_sibling(run->operands[0].text))
		run_effect(run, EFFECT_CREATE, &run->operands[0]);
}

/* Without force git refuses where something would be lost. */
static void worktree_remove(struct run *run)
{
	if (run->bits & GIT_FORCE)
		discards_paths(run, 0, LOSES_WORKTREE);
	local(run);
}

static void worktree_move(struct run *run)
{
	local(run);
	if (run->n_operands > 1)
		run_effect(run, EFFECT_CREATE, &run->operands[1]);
}

const struct command_model git_worktree[] = {
	{ .name = "list",
		.syntax = PARTIAL,
		.shorts = "vz",
		.longs = "porcelain verbose",
		.rules = RULES{ { ALWAYS, EFFECT_GIT_READ }, { END } } },
	{ .name = "add",
		.syntax = PARTIAL,
		.shorts = "fdqb:B:",
		.special = worktree_add,
		.longs = "force detach checkout no-checkout guess-remote no-guess-remote track no-track lock "
			 "reason= quiet orphan" },
	{ .name = "remove",
		.syntax = PARTIAL,
		.options = OPTIONS{ { "f", "force", NOTHING, IGNORE, .set = GIT_FORCE }, { 0 } },
		.special = worktree_remove },
	{ .name = "prune|lock|unlock|repair",
		.syntax = PARTIAL,
		.shorts = "nv",
		.longs = "dry-run verbose expire= reason=",
		.rules = RULES{ { ALWAYS, EFFECT_GIT_LOCAL }, { END } } },
	{ .name = "move", .syntax = PARTIAL, .shorts = "f", .longs = "force", .special = worktree_move },
	{ 0 },
};
