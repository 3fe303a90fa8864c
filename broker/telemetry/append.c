/* SPDX-License-Identifier: Apache-2.0 */
/* Appending to a file of ours that is moved aside before it grows too large. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "broker/state/private.h"
#include "broker/telemetry/telemetry.h"

static int split(const struct broker *b, const char *path, char *dir, size_t size, const char **ret_name)
{
	const char *slash = strrchr(path, '/'), *home = "";
	int n;

	if (path[0] == '~' && path[1] == '/') {
		if (b->home == NULL)
			return -ENOENT;
		home = b->home;
		path++;
	}
	if ((*home == '\0' && path[0] != '/') || slash == NULL || slash[1] == '\0')
		return -EINVAL;
	n = snprintf(dir, size, "%s%.*s", home, (int)(slash - path), path);
	if (n < 0 || (size_t)n >= size)
		return -ENAMETOOLONG;
	*ret_name = slash + 1;
	return 0;
}

int open_parent(const struct broker *b, const char *path, int *ret_dir, const char **ret_name)
{
	char dir[PATH_MAX];
	int err = split(b, path, dir, sizeof(dir), ret_name);
	char *last;

	if (err < 0)
		return err;
	/* Made if missing, and its parent: a home may have no .config yet. A directory reached by a link is as good. */
	err = private_dir(dir[0] != '\0' ? dir : "/", "", ret_dir);
	last = strrchr(dir, '/');
	if (err == -ENOENT && last != NULL && last != dir) {
		*last = '\0';
		err = private_dir(dir, last + 1, ret_dir);
	}
	return err;
}

/*
 * Move the full file aside, unless another process just did: without the lock and the second look, two of us would
 * rotate one after the other, and the second would put an almost empty file over the full one.
 */
static int rotate(int dir, const char *name, int full)
{
	char aside[NAME_MAX + 1];
	struct stat st, now;
	int n = snprintf(aside, sizeof(aside), "%s.1", name);

	if (n < 0 || (size_t)n >= sizeof(aside))
		return -ENAMETOOLONG;
	if (flock(full, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? 0 : -errno;
	if (fstat(full, &st) < 0 || fstatat(dir, name, &now, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (st.st_ino == now.st_ino && st.st_dev == now.st_dev && renameat(dir, name, dir, aside) < 0)
		return -errno;
	return 0;
}

int append_rotating(int dir, const char *name, const struct textbuf *text, uint64_t max)
{
	CLEANUP(close_fdp) int fd = -1, full = -1;
	struct stat st;
	int err = private_open(dir, name, O_WRONLY | O_APPEND | O_CREAT, &fd);

	if (err < 0)
		return err;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (max > 0 && st.st_size > 0 && (uint64_t)st.st_size + text->len > max) {
		full = TAKE_FD(fd);
		err = rotate(dir, name, full);
		if (err == 0)
			err = private_open(dir, name, O_WRONLY | O_APPEND | O_CREAT, &fd);
		if (err < 0)
			return err;
	}
	return write_all(fd, text->p, text->len);
}
