/* SPDX-License-Identifier: Apache-2.0 */
/* Reading small files and directories within what was granted, and asking for what was not. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "broker/git/repository.h"

int want_refused(struct want *w, const char *why)
{
	w->kind = (enum git_grant_kind)0;
	snprintf(w->text, sizeof(w->text), "%s", why);
	return READ_REFUSED;
}

void text_done(struct text *t)
{
	free(t->p);
	*t = (struct text){ NULL, 0 };
}

/* The real place is what the broker will look at, and what the grant must name. */
static int want_path(struct want *w, enum git_grant_kind kind, const char *path)
{
	char real[PATH_MAX];

	if (realpath(path, real) == NULL)
		return want_refused(w, "a file of the repository may not be read");
	w->kind = kind;
	snprintf(w->text, sizeof(w->text), "%s", real);
	return READ_NEEDS;
}

static int open_failed(const char *path, int error, enum git_grant_kind kind, struct want *w)
{
	if (error == EACCES)
		return want_path(w, kind, path);
	if (error == ENOENT || error == ENOTDIR)
		return READ_MISSING;
	return want_refused(w, "a file of the repository cannot be opened");
}

static int read_whole(int fd, size_t size, struct text *ret)
{
	char *p = malloc(size + 1);
	size_t len = 0;

	if (p == NULL)
		return -ENOMEM;
	while (len <= size) {
		ssize_t n = read(fd, p + len, size + 1 - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			if (n == 0)
				break;
			free(p);
			return -EIO;
		}
		len += (size_t)n;
	}
	if (len > size) { /* it grew meanwhile */
		free(p);
		return -EIO;
	}
	p[len] = '\0';
	*ret = (struct text){ p, len };
	return 0;
}

int read_file(const char *path, size_t max, enum git_grant_kind kind, struct want *w, struct text *ret)
{
	CLEANUP(close_fdp) int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	int rc;

	if (fd < 0)
		return open_failed(path, errno, kind, w);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size < 0 || (uint64_t)st.st_size > max)
		return want_refused(w, "a file of the repository is not what git writes");
	rc = read_whole(fd, (size_t)st.st_size, ret);
	return rc == -EIO ? want_refused(w, "a file of the repository cannot be read") : rc;
}

int probe_directory(const char *path, enum git_grant_kind kind, struct want *w)
{
	CLEANUP(close_fdp) int fd = open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);

	return fd >= 0 ? 0 : open_failed(path, errno, kind, w);
}

bool join_path(char ret[PATH_MAX], const char *base, const char *name, size_t len)
{
	int n;

	if (len > 0 && name[0] == '/')
		n = snprintf(ret, PATH_MAX, "%.*s", (int)len, name);
	else
		n = snprintf(ret, PATH_MAX, "%s/%.*s", strcmp(base, "/") == 0 ? "" : base, (int)len, name);
	return len < PATH_MAX && n > 0 && n < PATH_MAX;
}

bool is_within(const char *path, const char *directory)
{
	size_t n = strlen(directory);

	return strncmp(path, directory, n) == 0 && (path[n] == '\0' || path[n] == '/' || (n > 0 && path[n - 1] == '/'));
}
