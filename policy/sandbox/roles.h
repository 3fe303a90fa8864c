/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that differs between processes, in one table that tests walk. */
#ifndef SANDBOX_ROLES_H
#define SANDBOX_ROLES_H

#include "policy/base.h"

enum role { ROLE_GUARD, ROLE_BROKER, ROLE_WORKER, ROLE_GIT, ROLE_NETPROC, ROLE_HELPER, ROLE_TMUX, ROLE__MAX };

/* Descriptors every started role finds, whatever the parent had open. 0, 1 and 2 are /dev/null. */
enum { ROLE_FD_CHANNEL = 3, ROLE_FD_EXTRA = 4, ROLE_FD_FIRST_FREE = 5 };

const char *role_name(enum role r);

#endif
