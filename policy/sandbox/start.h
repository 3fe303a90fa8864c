/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a new process does with itself before it works: descriptors at fixed numbers, the end together with its parent,
 * another user. System calls alone, so that it may be done in borrowed memory.
 */
#ifndef SANDBOX_START_H
#define SANDBOX_START_H

#include "policy/base.h"

#include <sys/types.h>

/*
 * Puts a channel at ROLE_FD_CHANNEL, `extra` (-1: none) at ROLE_FD_EXTRA, /dev/null at 0, 1 and 2, and closes every
 * other descriptor. 0 or -errno.
 */
int start_arrange_fds(int null_fd, int channel, int extra) MUST_CHECK;

/* Ends with its parent, even while stopped, and blocks no signal. 0 or -errno (-ESRCH: the parent has gone already). */
int start_live_under(pid_t parent) MUST_CHECK;

/* Becomes that user for good, with no group but `gid`. uid 0: stays what it is. 0 or -errno. */
int start_become(uid_t uid, gid_t gid) MUST_CHECK;

#endif
