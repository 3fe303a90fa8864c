/* SPDX-License-Identifier: Apache-2.0 */
/* Landlock: what a role may still do with files and ports, at the ABI that the kernel has. */
#ifndef SANDBOX_LANDLOCK_H
#define SANDBOX_LANDLOCK_H

#include "policy/sandbox/roles.h"

/* Directories, of which everything below may be read, and single files. */
struct readable {
	const int *fds; /* opened with O_PATH or otherwise; borrowed */
	uint32_t n;
};

/*
 * Needs NO_NEW_PRIVS. 0: entered, or the kernel has no Landlock; for LANDLOCK_READ_BELOW, which stands and falls with
 * it, that is -ENOSYS. -errno: it has, and could not be entered.
 */
int landlock_enter(enum landlock_rights rights, const struct readable *below) NONNULL MUST_CHECK;

#endif
