/* SPDX-License-Identifier: Apache-2.0 */
/* The programs that a repository of itself makes git run: by its settings, its hooks, its submodules' settings. */
#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

#include "broker/git/config_file.h"
#include "broker/git/repository.h"

enum { SUBMODULE_DEPTH = 8, SUBMODULES_MAX = 256, CONFIG_BYTES_MAX = 1024 * 1024 };

/* githooks(5). Those of a server's side never run here. */
static const char *const hooks[] = {
	"applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch", "post-checkout", "post-commit",
	"post-merge", "post-rewrite", "pre-applypatch", "pre-auto-gc", "pre-commit", "pre-merge-commit", "pre-push",
	"pre-rebase", "prepare-commit-msg", "push-to-checkout", "reference-transaction", "sendemail-validate",
};

/* Nothing is there: as against something that we may not see, and git may. */
static bool is_absence(int error)
{
	return error == ENOENT || error == ENOTDIR;
}

static bool is_hook(const char *directory, const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	if (!join_path(path, directory, name, strlen(name)))
		return false;
	if (stat(path, &st) < 0)
		return !is_absence(errno);
	return S_ISREG(st.st_mode) && (st.st_mode & 0111) != 0;
}

/* A directory that the user's own settings name, by an absolute path, holds the user's own hooks. */
static uint32_t hook_runs(const struct layout *l, const struct settings *s)
{
	const struct setting *chosen = settings_last(s, "core.hookspath");
	char directory[PATH_MAX], real[PATH_MAX];
	uint32_t runs = 0;
	bool set = chosen != NULL && chosen->value.len > 0;

	if (set && !chosen->own && (chosen->value.p[0] == '/' || chosen->value.p[0] == '~'))
		return 0;
	if (set && chosen->value.p[0] == '~')
		return GIT_RUNS_HOOKS_OUTSIDE;
	if (!(set ? join_path(directory, l->root, chosen->value.p, chosen->value.len) :
		    join_path(directory, l->common, "hooks", 5)))
		return GIT_RUNS_HOOKS_OUTSIDE;
	if (realpath(directory, real) == NULL)
		return is_absence(errno) ? 0 : GIT_RUNS_HOOKS | GIT_RUNS_HOOK_INDEX;
	if (!is_within(real, l->root) && !is_within(real, l->git) && !is_within(real, l->common))
		return GIT_RUNS_HOOKS_OUTSIDE | GIT_RUNS_HOOK_INDEX;
	if (is_hook(real, "post-index-change"))
		runs |= GIT_RUNS_HOOK_INDEX;
	for (size_t i = 0; i < ARRAY_LEN(hooks); i++)
		if (is_hook(real, hooks[i]))
			runs |= GIT_RUNS_HOOKS;
	return runs;
}

/* What a repository inside this one runs when git looks into it on the way. Its includes are not followed. */
static int on_submodule_setting(void *data, struct bytes name, struct bytes value, bool has_value)
{
	uint32_t *runs = data;

	*runs |= git_runs_by(name, value, has_value);
	if (name.len > 7 && memcmp(name.p, "include", 7) == 0)
		*runs |= GIT_RUNS_FSMONITOR | GIT_RUNS_FILTER;
	return 0;
}

static uint32_t submodule_config(const char *path)
{
	CLEANUP(text_done) struct text t = { 0 };
	struct want ignored;
	uint32_t runs = 0;
	int rc = read_file(path, CONFIG_BYTES_MAX, GIT_GRANT_INCLUDE, &ignored, &t);

	if (rc == READ_MISSING)
		return 0;
	if (rc != 0 || config_file_parse((struct bytes){ t.p, t.len }, on_submodule_setting, &runs) != 0)
		return GIT_RUNS_FSMONITOR | GIT_RUNS_FILTER;
	return runs;
}

static uint32_t submodule_runs(const char *directory, unsigned int depth, unsigned int *seen)
{
	struct dirent *entry;
	uint32_t runs = 0;
	DIR *d = opendir(directory);

	if (d == NULL)
		return is_absence(errno) ? 0 : GIT_RUNS_FSMONITOR | GIT_RUNS_FILTER;
	while ((entry = readdir(d)) != NULL) {
		char path[PATH_MAX];

		if (++*seen > SUBMODULES_MAX || depth == SUBMODULE_DEPTH) {
			runs |= GIT_RUNS_FSMONITOR | GIT_RUNS_FILTER;
			break;
		}
		if (entry->d_name[0] == '.' || (entry->d_type != DT_DIR && strcmp(entry->d_name, "config") != 0) ||
			!join_path(path, directory, entry->d_name, strlen(entry->d_name)))
			continue;
		if (entry->d_type != DT_DIR)
			runs |= submodule_config(path);
		else if (strcmp(entry->d_name, "objects") != 0 && strcmp(entry->d_name, "refs") != 0 &&
			strcmp(entry->d_name, "logs") != 0 && strcmp(entry->d_name, "hooks") != 0)
			runs |= submodule_runs(path, depth + 1, seen);
	}
	closedir(d);
	return runs;
}

/* core.worktree may name the directory itself, as it does in submodules. */
static bool works_elsewhere(const struct layout *l, const struct settings *s)
{
	const struct setting *w = settings_last(s, "core.worktree");
	char path[PATH_MAX], real[PATH_MAX];

	if (w == NULL)
		return false;
	return !join_path(path, l->git, w->value.p, w->value.len) || realpath(path, real) == NULL ||
		strcmp(real, l->root) != 0;
}

static bool has_suffix(struct bytes name, const char *prefix, const char *suffix)
{
	size_t n = strlen(prefix), m = strlen(suffix);

	return name.len > n + m && memcmp(name.p, prefix, n) == 0 && memcmp(name.p + name.len - m, suffix, m) == 0;
}

static bool is_sha256(const struct settings *s)
{
	const struct setting *format = settings_last(s, "extensions.objectformat");

	return format != NULL && bytes_is(format->value, "sha256");
}

uint32_t runs_of(const struct layout *l, const struct settings *s)
{
	unsigned int seen = 0;
	char modules[PATH_MAX];
	uint32_t runs = hook_runs(l, s);

	for (uint32_t i = 0; i < s->n; i++) {
		const struct setting *x = &s->list[i];

		if (x->own)
			runs |= git_runs_by(x->name, x->value, x->has_value);
		if (bytes_is(x->name, "extensions.partialclone") ||
			(has_suffix(x->name, "remote.", ".promisor") && setting_is_true(x)))
			runs |= GIT_RUNS_PARTIAL;
	}
	if (works_elsewhere(l, s))
		runs |= GIT_RUNS_ELSEWHERE;
	if (!l->bare)
		runs |= gitlink_runs(l, is_sha256(s));
	if (join_path(modules, l->common, "modules", 7))
		runs |= submodule_runs(modules, 0, &seen) & (GIT_RUNS_FSMONITOR | GIT_RUNS_FILTER | GIT_RUNS_DIFF);
	return runs;
}
