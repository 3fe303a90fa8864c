/* SPDX-License-Identifier: Apache-2.0 */
/* Entering the sandbox: limits, capabilities, Landlock, the system call filter. */
#ifndef SANDBOX_CONFINE_H
#define SANDBOX_CONFINE_H

#include "policy/sandbox/landlock.h"
#include "policy/sandbox/roles.h"

/*
 * Gives up, for good, what the role table does not leave this role. Call once, before the first foreign byte and while
 * there is one thread. 0; or -errno with *ret_layer naming the layer that could not be entered: the process must end.
 * A layer that the kernel does not have is passed over, except the filter, which is required.
 */
int confine(enum role role, const char **ret_layer) NONNULL MUST_CHECK;
/* The same for a role that may read, and that only below these. Here a kernel without Landlock is a failure. */
int confine_reading(enum role role, const struct readable *below, const char **ret_layer) NONNULL MUST_CHECK;

/*
 * A role without a voice tells by its exit status which layer it could not enter. child_end_text() turns what
 * waitpid(2) said of any role into words ("was stopped by its system call filter"); it never returns NULL.
 */
enum { EXIT_LAYER = 100, EXIT_NO_USER = 125, EXIT_NO_PROGRAM = 127 };
int confine_exit_status(const char *layer) NONNULL;
const char *child_end_text(int wait_status);

/* The Landlock ABI of this kernel; 0: it has none. -errno: it cannot be told. */
int landlock_abi(void);

#endif
