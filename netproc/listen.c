/* SPDX-License-Identifier: Apache-2.0 */
/* The service's socket: inherited from systemd, or its own. */
#include "netproc/service.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

enum { LISTEN_FD = 3 /* SD_LISTEN_FDS_START */, BACKLOG = 128 };

/* As sd_listen_fds(3) has it: our pid, and one descriptor. */
static bool is_activated(void)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
	char own[16];

	snprintf(own, sizeof(own), "%ld", (long)getpid());
	return pid != NULL && fds != NULL && strcmp(pid, own) == 0 && strcmp(fds, "1") == 0;
}

static bool option_is(int fd, int option, int value)
{
	socklen_t n = sizeof(int);
	int got = 0;

	return getsockopt(fd, SOL_SOCKET, option, &got, &n) == 0 && got == value;
}

/*
 * Listening anew puts our own user in the place of systemd's: SO_PEERCRED shows clients who called listen(2) last
 * (unix(7)).
 */
static int take(int fd, const char **ret_why)
{
	if (!option_is(fd, SO_DOMAIN, AF_UNIX) || !option_is(fd, SO_TYPE, SOCK_SEQPACKET) ||
	    !option_is(fd, SO_ACCEPTCONN, 1)) {
		*ret_why = "the inherited descriptor is no listening SOCK_SEQPACKET socket of AF_UNIX";
		return -EINVAL;
	}
	if (listen(fd, BACKLOG) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) < 0) {
		*ret_why = strerror(errno);
		return -errno;
	}
	return fd;
}

/*
 * A socket that nobody listens at was left behind. A file of any other kind refuses a connection likewise, and is
 * somebody's, as is what a link leads to.
 */
static bool is_left_over(const struct sockaddr_un *at)
{
	CLEANUP(close_fdp) int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct stat st;

	return fd >= 0 && lstat(at->sun_path, &st) == 0 && S_ISSOCK(st.st_mode) &&
		connect(fd, (const struct sockaddr *)(const void *)at, sizeof(*at)) < 0 && errno == ECONNREFUSED;
}

/* Who may connect is said by the umask, as of any file. */
static int bind_at(const char *path, const char **ret_why)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	const struct sockaddr *address = (const struct sockaddr *)(const void *)&at;
	CLEANUP(close_fdp) int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int rc;

	if (*path == '\0' || strlen(path) >= sizeof(at.sun_path)) {
		*ret_why = "the socket's path is too long";
		return -EINVAL;
	}
	memcpy(at.sun_path, path, strlen(path));
	rc = fd < 0 ? fd : bind(fd, address, sizeof(at));
	if (rc < 0 && errno == EADDRINUSE && is_left_over(&at) && unlink(path) == 0)
		rc = bind(fd, address, sizeof(at));
	if (rc < 0 || listen(fd, BACKLOG) < 0) {
		*ret_why = strerror(errno);
		return -errno;
	}
	return TAKE_FD(fd);
}

int service_listen(const char *path, const char **ret_why)
{
	if (path != NULL)
		return bind_at(path, ret_why);
	if (is_activated())
		return take(LISTEN_FD, ret_why);
	*ret_why = "no socket: neither --socket nor systemd (LISTEN_FDS, LISTEN_PID) gives one";
	return -ENOTCONN;
}
