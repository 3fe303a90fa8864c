/* SPDX-License-Identifier: Apache-2.0 */
/* Between a process's start and its work. */
#include "policy/sandbox/start.h"
#include "policy/sandbox/filters.h"
#include "policy/sandbox/roles.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* Sources are first moved above the fixed range, since one of them may lie on another's place. */
int start_arrange_fds(int null_fd, int channel, int extra)
{
	int high_channel = fcntl(channel, F_DUPFD_CLOEXEC, ROLE_FD_FIRST_FREE);
	int high_null = fcntl(null_fd, F_DUPFD_CLOEXEC, ROLE_FD_FIRST_FREE);
	int high_extra = extra < 0 ? -1 : fcntl(extra, F_DUPFD_CLOEXEC, ROLE_FD_FIRST_FREE);
	unsigned int first = extra < 0 ? ROLE_FD_EXTRA : ROLE_FD_FIRST_FREE;

	if (high_channel < 0 || high_null < 0 || (extra >= 0 && high_extra < 0))
		return -errno;
	for (int fd = 0; fd < STDERR_FILENO + !FILTERS_TRAP; fd++)
		if (dup2(high_null, fd) < 0)
			return -errno;
	if (dup2(high_channel, ROLE_FD_CHANNEL) < 0 || (extra >= 0 && dup2(high_extra, ROLE_FD_EXTRA) < 0))
		return -errno;
	return syscall(SYS_close_range, first, ~0U, 0) < 0 ? -errno : 0;
}

/* The second look closes the gap in which the parent had already gone. */
int start_live_under(pid_t parent)
{
	sigset_t none;

	sigemptyset(&none);
	if (sigprocmask(SIG_SETMASK, &none, NULL) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return -errno;
	return getppid() == parent ? 0 : -ESRCH;
}

int start_become(uid_t uid, gid_t gid)
{
	uid_t real, effective, saved;

	if (uid == 0)
		return 0;
	if (setgroups(0, NULL) < 0 || setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0 ||
	    getresuid(&real, &effective, &saved) < 0)
		return -errno;
	return real == uid && effective == uid && saved == uid ? 0 : -EPERM;
}
