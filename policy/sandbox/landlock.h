/* SPDX-License-Identifier: Apache-2.0 */
/* Landlock: what a role may still do with files and ports, at the ABI that the kernel has. */
#ifndef SANDBOX_LANDLOCK_H
#define SANDBOX_LANDLOCK_H

#include "policy/sandbox/roles.h"

/* Needs NO_NEW_PRIVS. 0: entered, or the kernel has no Landlock. -errno: it has, and could not be entered. */
int landlock_enter(enum landlock_rights rights) MUST_CHECK;

#endif
