/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that differs between processes, in one table that tests walk. */
#ifndef SANDBOX_ROLES_H
#define SANDBOX_ROLES_H

#include "policy/base.h"

enum role {
	ROLE_GUARD,
	ROLE_BROKER,
	ROLE_WORKER,
	ROLE_GIT,
	ROLE_NETPROC,
	ROLE_HELPER,
	ROLE_TMUX,
	ROLE_CONNECTOR, /* a fork of the guard that connects to netproc's service, hands that over and ends */
	ROLE_SERVICE, /* netproc as a service: starts the two below, and hears only from the first */
	ROLE_ACCEPTOR, /* takes its clients, counts them, gives each to a process that asks; reads nothing of theirs */
	ROLE__MAX
};

/* Descriptors every started role finds, whatever the parent had open. 0, 1 and 2 are /dev/null. */
enum { ROLE_FD_CHANNEL = 3, ROLE_FD_EXTRA = 4, ROLE_FD_FIRST_FREE = 5 };

/* What Landlock leaves a role, where the kernel has it. */
enum landlock_rights {
	LANDLOCK_NONE, /* not used: the role confines itself otherwise, or not at all */
	LANDLOCK_NOTHING, /* no file, no network */
	LANDLOCK_NO_EXECUTE, /* files, but none may be executed; no network */
	LANDLOCK_READ_BELOW, /* what was handed over may be read; no other file, no network */
};

enum { LIMIT_KEEP = -1 }; /* leave the resource limit as it was found */

struct role_limits {
	int64_t file_size, open_files, processes, address_space; /* bytes, count, count, bytes; or LIMIT_KEEP */
};

struct role_spec {
	const char *name;
	const char *program; /* its executable's file name; NULL: a fork of the guard, or not there yet */
	const char *build_directory; /* where the build puts it, from the build's root */
	bool changes_user; /* when the caller is root: to roles.uid, netproc to netproc.uid */
	bool secrets; /* ROLE_FD_EXTRA is the memory file with the whole environment */
	bool confined; /* has a system call filter */
	bool keeps_dac_read_search; /* as root: may read every file, and nothing else of root's power */
	enum landlock_rights landlock;
	struct role_limits limits;
};

extern const struct role_spec roles[ROLE__MAX];

const char *role_name(enum role r);

#endif
