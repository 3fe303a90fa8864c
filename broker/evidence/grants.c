/* SPDX-License-Identifier: Apache-2.0 */
/* What a git reader may read: the user's own repositories and settings, nothing that looks like a secret. */
#include <fcntl.h>
#include <stdio.h>

#include "broker/evidence/mounts.h"
#include "broker/evidence/reader.h"
#include "policy/paths/paths.h"

static bool is_directory_kind(enum git_grant_kind kind)
{
	return kind == GIT_GRANT_TREE || kind == GIT_GRANT_DIRECTORY || kind == GIT_GRANT_OBJECTS;
}

/*
 * Repositories are the user's (git refuses others: git-config(1) "safe.directory"); settings may be the system's. What
 * anybody else owns is not read.
 */
static bool is_trusted(enum git_grant_kind kind, uid_t uid)
{
	return uid == geteuid() || (uid == 0 && !is_directory_kind(kind));
}

void grants_done(struct grants *g)
{
	for (uint32_t i = 0; i < g->n; i++)
		free(g->list[i].path);
	*g = (struct grants){ 0 };
}

int grant_open(struct evidence *e, const struct grant *g)
{
	CLEANUP(close_fdp) int fd = -1;
	struct resolved r;
	struct statx x;

	resolve_path(e->mounts, g->path, false, &r);
	if (r.remote || r.unreadable || r.type != (is_directory_kind(g->kind) ? PATH_DIRECTORY : PATH_FILE))
		return -1;
	fd = open(r.real, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	/* What was looked at may have been replaced meanwhile: the descriptor's own facts count. */
	if (fd < 0 || statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS | STATX_MNT_ID, &x) < 0)
		return -1;
	if (!is_trusted(g->kind, x.stx_uid) || S_ISDIR(x.stx_mode) != is_directory_kind(g->kind) ||
		S_ISREG(x.stx_mode) != !is_directory_kind(g->kind))
		return -1;
	if (mount_is_remote(e->mounts, (x.stx_mask & STATX_MNT_ID) != 0, x.stx_mnt_id, fd))
		return -1;
	return TAKE_FD(fd);
}

static bool holds(const char *directory, const char *name)
{
	char path[RESOLVE_PATH_MAX];

	return snprintf(path, sizeof(path), "%s/%s", directory, name) < (int)sizeof(path) && access(path, F_OK) == 0;
}

/* A reader that a repository has taken over may name anything: only what has the shape of its kind is handed over. */
static bool has_shape(struct evidence *e, enum git_grant_kind kind, const char *path)
{
	struct resolved r;
	struct bytes real;

	resolve_path(e->mounts, path, false, &r);
	real = (struct bytes){ r.real, r.real_len };
	if (r.remote || path_is_secret(real) || name_is_gate(e, real))
		return false;
	if (r.type == PATH_FILE && (inode_is_secret(e, &r) || inode_is_gate(e, &r)))
		return false;
	if (kind == GIT_GRANT_DIRECTORY)
		return holds(r.real, "HEAD");
	if (kind == GIT_GRANT_OBJECTS)
		return holds(r.real, "pack") || holds(r.real, "info");
	return true;
}

/* The path is kept as it was named: git finds includes beside a link, not beside what it leads to. */
static bool append(struct evidence *e, enum git_grant_kind kind, const char *path, struct grants *g)
{
	struct grant one = { kind, NULL };
	int fd;

	if (g->n == GIT_GRANTS_MAX)
		return false;
	one.path = strdup(path);
	if (one.path == NULL)
		return false;
	fd = grant_open(e, &one);
	if (fd < 0) {
		free(one.path);
		return false;
	}
	close(fd);
	g->list[g->n++] = one;
	return true;
}

/* A file that is not there is one that git does not read either. */
static void add_settings(
	struct evidence *e, enum git_grant_kind kind, struct grants *g, const char *base, const char *rest)
{
	char path[RESOLVE_PATH_MAX];
	struct resolved r;

	if (base == NULL || base[0] != '/')
		return;
	if (snprintf(path, sizeof(path), "%s%s", base, rest) >= (int)sizeof(path)) {
		g->withheld = true;
		return;
	}
	resolve_path(e->mounts, path, false, &r);
	if (r.type != PATH_MISSING && r.type != PATH_LINK_BROKEN && !append(e, kind, path, g))
		g->withheld = true;
}

static const char *const other_settings[] = { "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig",
	"/home/linuxbrew/.linuxbrew/etc/gitconfig" };

bool grants_begin(struct broker *b, struct evidence *e, const char *root, struct grants *g)
{
	const char *home = broker_getenv(b, "HOME"), *xdg = broker_getenv(b, "XDG_CONFIG_HOME");

	*g = (struct grants){ 0 };
	if (!append(e, GIT_GRANT_TREE, root, g))
		return false;
	/* Here the harness's own variables count: git will read what they say, whoever set them. */
	if (home == NULL || home[0] == '\0')
		home = b->home;
	add_settings(e, GIT_GRANT_SYSTEM, g, "/etc/gitconfig", "");
	/* The system's settings of a git that was not installed by packages, which may be the one that is run. */
	for (size_t i = 0; i < ARRAY_LEN(other_settings); i++)
		g->withheld = g->withheld || access(other_settings[i], F_OK) == 0;
	if (xdg != NULL && xdg[0] != '\0')
		add_settings(e, GIT_GRANT_XDG, g, xdg, "/git/config");
	else
		add_settings(e, GIT_GRANT_XDG, g, home, "/.config/git/config");
	add_settings(e, GIT_GRANT_USER, g, home, "/.gitconfig");
	return true;
}

bool grants_add(struct evidence *e, enum git_grant_kind kind, struct bytes path, struct grants *g)
{
	char text[RESOLVE_PATH_MAX];

	if (path.len == 0 || path.len >= sizeof(text) || path.p[0] != '/')
		return false;
	memcpy(text, path.p, path.len);
	text[path.len] = '\0';
	for (uint32_t i = 0; i < g->n; i++)
		if (strcmp(g->list[i].path, text) == 0)
			return false;
	switch (kind) {
	case GIT_GRANT_DIRECTORY:
	case GIT_GRANT_OBJECTS:
	case GIT_GRANT_INCLUDE:
		return has_shape(e, kind, text) && append(e, kind, text, g);
	case GIT_GRANT_TREE:
	case GIT_GRANT_SYSTEM:
	case GIT_GRANT_XDG:
	case GIT_GRANT_USER:
	case GIT_GRANT__MAX:
	default:
		return false;
	}
}
