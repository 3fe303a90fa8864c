/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workspace: the root of the worktree the session works in, else its directory, unless that is /, the home
 * directory, one of the system's, or above one of them. A worktree is told by its .git entry alone; nothing in it is
 * read.
 */
#include <fcntl.h>

#include "broker/evidence/internal.h"
#include "policy/paths/paths.h"

static struct bytes bytes_of(const char *p, size_t len)
{
	return (struct bytes){ p, len };
}

/* A directory that nobody works in as a project: it holds too much. */
static bool is_too_wide(const struct evidence *e, struct bytes dir)
{
	if (path_is_system(dir))
		return true;
	return e->real_home_len > 0 && path_within(bytes_of(e->real_home, e->real_home_len), dir);
}

/* `.git` is a directory in a repository of its own, a file in a linked worktree or submodule. */
static bool has_git_entry(const struct evidence *e, const char *dir, size_t len)
{
	char path[RESOLVE_PATH_MAX];
	struct resolved r;

	if (len + sizeof("/.git") > sizeof(path))
		return false;
	memcpy(path, dir, len);
	memcpy(path + len, "/.git", sizeof("/.git"));
	resolve_path(e->mounts, path, false, &r);
	return !r.remote && (r.type == PATH_DIRECTORY || r.type == PATH_FILE);
}

static void find_root(const struct evidence *e, struct workspace *w, const struct resolved *r)
{
	size_t len = r->real_len;

	for (size_t at = len; at > 1; ) {
		if (is_too_wide(e, bytes_of(r->real, at)))
			break;
		if (has_git_entry(e, r->real, at)) {
			len = at;
			w->worktree = true;
			break;
		}
		while (at > 1 && r->real[at - 1] != '/')
			at--;
		at = at > 1 ? at - 1 : 1;
	}
	if (!w->worktree && is_too_wide(e, bytes_of(r->real, len)))
		return;
	memcpy(w->root, r->real, len);
	w->root[len] = '\0';
	w->root_len = len;
}

const struct workspace *workspace_of(struct evidence *e, struct bytes session)
{
	struct workspace *w = &e->workspace;
	struct resolved r;

	if (session.len >= sizeof(w->session))
		session.len = 0;
	if (bytes_is(session, w->session) && session.len > 0)
		return w;
	*w = (struct workspace){ .root_len = 0 };
	if (session.len == 0)
		return w;
	memcpy(w->session, session.p, session.len);
	w->session[session.len] = '\0';
	resolve_path(e->mounts, w->session, false, &r);
	/* A directory that is not there (yet) can be a workspace; one that cannot be looked at cannot. */
	if (r.remote || r.unreadable || (r.type != PATH_DIRECTORY && r.type != PATH_MISSING))
		return w;
	find_root(e, w, &r);
	return w;
}
