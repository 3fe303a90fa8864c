/* SPDX-License-Identifier: Apache-2.0 */
/* Opening our own directories and files so that a planted link, FIFO or foreign directory is refused. */
#include "broker/state/private.h"

#include <fcntl.h>
#include <sys/stat.h>

enum { COMPONENT_MAX = 255 };

static int open_base(const char *base, int *ret_fd)
{
	CLEANUP(close_fdp) int fd = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && errno == ENOENT && mkdirat(AT_FDCWD, base, 0700) == 0)
		fd = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	/* Where others may write, only the sticky bit keeps them from putting something else in place of ours. */
	if ((st.st_uid != geteuid() && st.st_uid != 0) ||
		((st.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (st.st_mode & S_ISVTX) == 0))
		return -EPERM;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

static int open_component(int parent, const char *name, int *ret_fd)
{
	CLEANUP(close_fdp) int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && errno == ENOENT) {
		if (mkdirat(parent, name, 0700) < 0 && errno != EEXIST)
			return -errno;
		fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	}
	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return -EPERM;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

/* The last directory is for our files alone; one that was made wider (an old umask) is mended, not refused. */
static int narrow(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if ((st.st_mode & 077) != 0 && fchmod(fd, 0700) < 0)
		return -errno;
	return 0;
}

int private_dir(const char *base, const char *path, int *ret_fd)
{
	CLEANUP(close_fdp) int fd = -1;
	char name[COMPONENT_MAX + 1];
	bool below = *path != '\0';
	int err = open_base(base, &fd);

	while (err == 0 && *path != '\0') {
		size_t n = strcspn(path, "/");
		int next = -1;

		if (n == 0) {
			path++;
			continue;
		}
		if (n > COMPONENT_MAX)
			return -ENAMETOOLONG;
		memcpy(name, path, n);
		name[n] = '\0';
		path += n;
		err = open_component(fd, name, &next);
		if (err == 0) {
			close(fd);
			fd = next;
		}
	}
	if (err == 0 && below)
		err = narrow(fd);
	if (err == 0)
		*ret_fd = TAKE_FD(fd);
	return err;
}

int private_open(int dir, const char *name, int flags, int *ret_fd)
{
	CLEANUP(close_fdp) int fd = openat(dir, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0600);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_nlink > 1)
		return -EPERM;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int write_all(int fd, const char *p, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}
