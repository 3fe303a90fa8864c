/* SPDX-License-Identifier: Apache-2.0 */
/* The role table: executable, user, limits and Landlock rights of each process. System calls are in calls.c. */
#include "policy/sandbox/roles.h"

#define MIB(n) ((int64_t)(n) << 20)

#define KEEP_ALL { LIMIT_KEEP, LIMIT_KEEP, LIMIT_KEEP, LIMIT_KEEP }

const struct role_spec roles[ROLE__MAX] = {
	/* Sets nothing its children would inherit but undumpable memory and no core files. */
	[ROLE_GUARD] = { .name = "guard", .limits = KEEP_ALL },
	/* One telemetry file may hold 50 MiB and a row; threads and children it never has. */
	[ROLE_BROKER] = {
		.name = "broker", .confined = true, .keeps_dac_read_search = true, .landlock = LANDLOCK_NO_EXECUTE,
		.limits = { .file_size = MIB(256), .open_files = 64, .processes = 0, .address_space = LIMIT_KEEP },
	},
	/* Its whole world is one socket. Memory: a 16 MiB payload, its decoded form, the syntax tree, with room. */
	[ROLE_WORKER] = {
		.name = "worker", .program = "auto-classifier-worker", .build_directory = "worker",
		.changes_user = true, .confined = true, .landlock = LANDLOCK_NOTHING,
		.limits = { .file_size = 0, .open_files = 8, .processes = 0, .address_space = MIB(1024) },
	},
	/* Files: its packs, with their indexes. Memory: a large index, mapped windows of packs. */
	[ROLE_GIT] = {
		.name = "git reader", .program = "auto-classifier-git", .build_directory = "broker/git",
		.changes_user = true, .confined = true, .landlock = LANDLOCK_READ_BELOW,
		.limits = { .file_size = 0, .open_files = 256, .processes = 0, .address_space = MIB(1024) },
	},
	[ROLE_NETPROC] = {
		.name = "netproc", .program = "auto-classifier-netproc", .build_directory = "netproc",
		.changes_user = true, .secrets = true, .confined = true, .landlock = LANDLOCK_NOTHING,
		.limits = { .file_size = 0, .open_files = 24, .processes = 0, .address_space = LIMIT_KEEP },
	},
	[ROLE_HELPER] = { .name = "helper", .limits = KEEP_ALL },
	[ROLE_TMUX] = { .name = "tmux", .limits = KEEP_ALL },
	[ROLE_CONNECTOR] = { .name = "service connector", .limits = KEEP_ALL },
	[ROLE_SERVICE] = { .name = "netproc service", .limits = KEEP_ALL },
	/* Files: its clients, and a channel to each process that may ask. */
	[ROLE_ACCEPTOR] = {
		.name = "service acceptor", .confined = true, .landlock = LANDLOCK_NOTHING,
		.limits = { .file_size = 0, .open_files = 256, .processes = 0, .address_space = MIB(256) },
	},
};

const char *role_name(enum role r)
{
	return (unsigned int)r < ROLE__MAX ? roles[r].name : "unknown role";
}
