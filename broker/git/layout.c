/* SPDX-License-Identifier: Apache-2.0 */
/* Where the parts of a repository lie (gitrepository-layout(5)): .git files, common directories, alternates. */
#include <stdio.h>
#include <sys/stat.h>

#include "broker/git/repository.h"

enum { POINTER_MAX = 8192, ALTERNATES_MAX = 64 * 1024, ALTERNATES_DEPTH = 5, OBJECT_DIRECTORIES = 16 };

static size_t trimmed(const struct text *t)
{
	size_t n = t->len;

	while (n > 0 && (t->p[n - 1] == '\n' || t->p[n - 1] == '\r'))
		n--;
	return n;
}

/* A directory named in a file: `name`, from `base`, where it really lies. */
static int real_directory(const char *base, const char *name, size_t len, enum git_grant_kind kind, char ret[PATH_MAX],
	struct want *w)
{
	char path[PATH_MAX];
	int rc;

	if (len == 0 || memchr(name, '\0', len) != NULL || !join_path(path, base, name, len) ||
		realpath(path, ret) == NULL)
		return want_refused(w, "the repository points to a directory that is not there");
	rc = probe_directory(ret, kind, w);
	return rc == READ_MISSING ? want_refused(w, "the repository points to what is no directory") : rc;
}

/*
 * .git is a directory, or a file "gitdir: PATH". The worktree is the user's: the broker has seen to it, and we may be
 * running as another, who owns nothing.
 */
static int find_git(const char *root, char ret[PATH_MAX], struct want *w)
{
	CLEANUP(text_done) struct text t = { 0 };
	struct stat st, tree;
	char path[PATH_MAX];
	int rc;

	if (!join_path(path, root, ".git", 4) || stat(path, &st) < 0 || stat(root, &tree) < 0)
		return want_refused(w, errno == EACCES ? "the repository cannot be read" : "there is no repository");
	/* git does not touch it either (git-config(1) "safe.directory"). */
	if (st.st_uid != tree.st_uid)
		return want_refused(w, "the repository is not this user's own");
	if (S_ISDIR(st.st_mode))
		return real_directory(root, ".git", 4, GIT_GRANT_DIRECTORY, ret, w);
	rc = read_file(path, POINTER_MAX, GIT_GRANT_INCLUDE, w, &t);
	if (rc != 0)
		return rc;
	if (t.len < 8 || memcmp(t.p, "gitdir: ", 8) != 0)
		return want_refused(w, ".git is not what git writes");
	return real_directory(root, t.p + 8, trimmed(&t) - 8, GIT_GRANT_DIRECTORY, ret, w);
}

static int find_common(const char *git, char ret[PATH_MAX], struct want *w)
{
	CLEANUP(text_done) struct text t = { 0 };
	char path[PATH_MAX];
	int rc;

	if (!join_path(path, git, "commondir", 9))
		return want_refused(w, "a path is too long");
	rc = read_file(path, POINTER_MAX, GIT_GRANT_INCLUDE, w, &t);
	if (rc == READ_MISSING) {
		snprintf(ret, PATH_MAX, "%s", git);
		return 0;
	}
	return rc != 0 ? rc : real_directory(git, t.p, trimmed(&t), GIT_GRANT_DIRECTORY, ret, w);
}

static bool is_hex(const char *p, size_t n)
{
	return strspn(p, "0123456789abcdef") >= n;
}

/* As git's validate_headref(): what is none of these is no repository to git, which then looks further up. */
static int read_head(struct layout *l, struct want *w)
{
	static const char heads[] = "refs/heads/";
	CLEANUP(text_done) struct text t = { 0 };
	char path[PATH_MAX], *name;
	int rc;

	if (!join_path(path, l->git, "HEAD", 4))
		return want_refused(w, "a path is too long");
	rc = read_file(path, POINTER_MAX, GIT_GRANT_INCLUDE, w, &t);
	if (rc == READ_MISSING)
		return want_refused(w, "HEAD is missing");
	if (rc != 0)
		return rc;
	if (strlen(t.p) != t.len)
		return want_refused(w, "HEAD is not what git writes");
	t.p[trimmed(&t)] = '\0';
	if (strncmp(t.p, "ref:", 4) != 0)
		return is_hex(t.p, 40) ? 0 : want_refused(w, "HEAD is not what git writes");
	name = t.p + 4 + strspn(t.p + 4, " \t");
	if (strncmp(name, "refs/", 5) != 0)
		return want_refused(w, "HEAD is not what git writes");
	if (strncmp(name, heads, sizeof(heads) - 1) != 0)
		return 0;
	name += sizeof(heads) - 1;
	if (strlen(name) >= sizeof(l->branch) || strcmp(name, ".invalid") == 0)
		return want_refused(w, "refs are kept in a form that is not read");
	memcpy(l->branch, name, strlen(name) + 1);
	return 0;
}

static bool has_directory(const char *base, const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	return join_path(path, base, name, strlen(name)) && stat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
		access(path, X_OK) == 0;
}

int layout_find(const struct git_question *q, struct layout *ret, struct want *w)
{
	int rc;

	memset(ret, 0, sizeof(*ret));
	if (q->root.len >= sizeof(ret->root))
		return want_refused(w, "a path is too long");
	memcpy(ret->root, q->root.p, q->root.len);
	ret->bare = q->bare;
	if (q->bare) {
		memcpy(ret->git, ret->root, sizeof(ret->git));
		rc = 0;
	} else {
		rc = find_git(ret->root, ret->git, w);
	}
	if (rc == 0)
		rc = find_common(ret->git, ret->common, w);
	if (rc == 0)
		rc = read_head(ret, w);
	if (rc == 0 && (!has_directory(ret->common, "objects") || !has_directory(ret->common, "refs")))
		rc = want_refused(w, "there is no repository");
	return rc;
}

struct objects {
	uint32_t n;
	char list[OBJECT_DIRECTORIES][PATH_MAX];
};

static int add_alternates(struct objects *o, const char *directory, unsigned int depth, struct want *w);

static int add_objects(struct objects *o, const char *base, const char *line, size_t len, unsigned int depth,
	struct want *w)
{
	char real[PATH_MAX];
	int rc = real_directory(base, line, len, GIT_GRANT_OBJECTS, real, w);

	if (rc != 0)
		return rc;
	for (uint32_t i = 0; i < o->n; i++)
		if (strcmp(o->list[i], real) == 0)
			return 0;
	if (o->n == OBJECT_DIRECTORIES || depth == ALTERNATES_DEPTH)
		return want_refused(w, "the repository borrows from too many others");
	memcpy(o->list[o->n++], real, sizeof(real));
	return add_alternates(o, real, depth + 1, w);
}

/* One directory a line, # before comments; a quoted one is not read. */
static int add_alternates(struct objects *o, const char *directory, unsigned int depth, struct want *w)
{
	static const char name[] = "info/alternates";
	CLEANUP(text_done) struct text t = { 0 };
	char path[PATH_MAX];
	int rc;

	if (!join_path(path, directory, name, sizeof(name) - 1))
		return want_refused(w, "a path is too long");
	rc = read_file(path, ALTERNATES_MAX, GIT_GRANT_INCLUDE, w, &t);
	if (rc != 0)
		return rc == READ_MISSING ? 0 : rc;
	for (size_t at = 0; at < t.len && rc == 0;) {
		const char *line = t.p + at, *end = memchr(line, '\n', t.len - at);
		size_t n = end != NULL ? (size_t)(end - line) : t.len - at;

		at += n + 1;
		if (n == 0 || line[0] == '#')
			continue;
		rc = line[0] == '"' ? want_refused(w, "an alternate is written in quotes") :
				      add_objects(o, directory, line, n, depth, w);
	}
	return rc;
}

int layout_alternates(const struct layout *l, struct want *w)
{
	CLEANUP(freep) struct objects *o = calloc(1, sizeof(*o));
	char path[PATH_MAX];

	if (o == NULL)
		return -ENOMEM;
	if (!join_path(path, l->common, "objects", 7))
		return want_refused(w, "a path is too long");
	return add_alternates(o, path, 0, w);
}
