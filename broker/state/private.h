/* SPDX-License-Identifier: Apache-2.0 */
/* Directories and files that are nobody's but ours: opened step by step, no link followed below the base. */
#ifndef STATE_PRIVATE_H
#define STATE_PRIVATE_H

#include "policy/base.h"

/*
 * Open `path` below `base`, creating what is missing of it with mode 0700. `base` is an absolute directory that may lie
 * behind links and is made if its parent exists; it must be ours or root's, and not for others to write unless sticky.
 * Each component of `path` must be ours and no link; the last is narrowed to 0700. An empty `path` opens the base.
 * 0 or -errno: -ELOOP or -ENOTDIR a link or no directory, -EPERM somebody else's.
 */
int private_dir(const char *base, const char *path, int *ret_fd) NONNULL MUST_CHECK;

/*
 * Open a file in it with O_CREAT where `flags` say so, mode 0600: a regular file of ours with one name. O_NOFOLLOW,
 * O_NONBLOCK and O_CLOEXEC are added. 0 or -errno: -EPERM when it is no such file.
 */
int private_open(int dir, const char *name, int flags, int *ret_fd) NONNULL MUST_CHECK;

/* 0 when everything is written, else -errno. */
int write_all(int fd, const char *p, size_t len) NONNULL MUST_CHECK;

#endif
