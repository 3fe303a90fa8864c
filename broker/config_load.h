/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the configuration's files, reading them without being held up or fooled, and merging them in order. */
#ifndef BROKER_CONFIG_LOAD_H
#define BROKER_CONFIG_LOAD_H

#include "policy/config/config.h"

struct config_sources {
	char *const *environment; /* NAME=value, NULL-terminated */
	char *const *other_names; /* names that are set and whose values the broker was not given; may be NULL */
	const char *home; /* absolute, or NULL: no user files */
	const char *config_path; /* from the command line: instead of the user's file; NULL: the usual places */
	bool hook; /* the environment only tightens, unless a file trusts it */
	bool no_overlay;
	const char *etc; /* directory of the host's files; NULL: /etc/auto-classifier (tests name another) */
	uid_t etc_owner; /* 0 */
};

/* Where each part came from: for `config path`, for protecting the gate's files, for telemetry beside it. */
struct config_files {
	char *directory; /* the user's, whether it exists or not; owned, as all here */
	char *host, *file, *overlay, *floor; /* where it was looked for */
	bool host_read, file_read, overlay_read, floor_read, remotes_read;
	char *remotes; /* sanctionedRemotesFile, or NULL */
};

/*
 * Never fails because of what a file holds or what it is: that is in config_problems() and config_is_broken(). 0, or
 * -ENOMEM. *ret_files may be NULL. No file can hold the call up: FIFOs, devices and directories are refused, size is
 * capped. (A network file system can: the guard's deadline is there for it.)
 */
int config_load(const struct config_sources *s, struct config **ret, struct config_files **ret_files)
	__attribute__((nonnull(1, 2))) MUST_CHECK;
void config_files_free(struct config_files *f);
void config_files_freep(struct config_files **f);

#endif
