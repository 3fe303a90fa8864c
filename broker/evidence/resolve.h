/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a path really lies: the kernel's own walk, done component by component so that nothing hangs and no link is
 * missed.
 */
#ifndef EVIDENCE_RESOLVE_H
#define EVIDENCE_RESOLVE_H

#include <sys/stat.h>
#include <sys/types.h>

#include "policy/question.h"

enum { RESOLVE_PATH_MAX = QUESTION_PATH_MAX, RESOLVE_HOPS_MAX = 40 /* as the kernel: path_resolution(7) */ };

struct mounts; /* which mounts are of file systems that may never answer, or answer what they like */

struct resolved {
	enum path_type type;
	bool via_symlink; /* some component was a link */
	bool last_symlink; /* the last one was */
	bool remote; /* the walk ended at a file system that is not looked into */
	bool unreadable; /* or at a directory that we may not search */
	char real[RESOLVE_PATH_MAX]; /* absolute; what could not be walked is joined on as written */
	size_t real_len;
	dev_t dev;
	ino_t ino;
	mode_t mode;
	uid_t uid;
	nlink_t links;
	uint64_t size;
};

/*
 * `path` is absolute and at most RESOLVE_PATH_MAX - 1 bytes. entry: a link at the end is itself the answer, unless a
 * slash follows it. Never fails: what cannot be found out is said in *ret.
 */
/* m may be NULL: then file systems are told by fstatfs(2). */
void resolve_path(const struct mounts *m, const char *path, bool entry, struct resolved *ret)
	__attribute__((nonnull(2, 4)));

/*
 * Reads the mount table (/proc/self/mountinfo, proc(5)). NULL: no memory, or no table: then fstatfs(2) is asked
 * instead.
 */
struct mounts *mounts_read(void);
void mounts_free(struct mounts *m);

#endif
