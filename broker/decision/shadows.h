/* SPDX-License-Identifier: Apache-2.0 */
/* Names that PATH may turn into other programs than the system's. */
#ifndef DECISION_SHADOWS_H
#define DECISION_SHADOWS_H

#include "policy/base.h"

enum { SHADOWS_MAX = 512 /* names, of all directories together */ };
enum shadows_outcome { SHADOWS_UNKNOWN = 1 };

/*
 * Calls `found` with each name in the directories of `path` (as PATH is written) that are none of the system's.
 * 0: that was all of them. SHADOWS_UNKNOWN: there are too many, or a directory is relative, unreadable or on another
 * file system than the root's, which is not asked since it may never answer. -errno: what `found` returned.
 */
int shadows_list(const char *path, int (*found)(void *data, const char *name), void *data)
	__attribute__((nonnull(2))) MUST_CHECK;

#endif
