/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of a test's own on the real file system: made, filled, and gone with all that is in it. */
#ifndef UNIT_SCRATCH_H
#define UNIT_SCRATCH_H

#include "policy/base.h"

enum { SCRATCH_SIZE = 64 };

/* Makes one whose name begins with `prefix`, a path; its real path, no link in it, is put into ret. Fails the test. */
void scratch_make(const char *prefix, char ret[static SCRATCH_SIZE]) NONNULL;
/* A file below `top`, and the directories above it. Fails the test. */
void scratch_put(const char *top, const char *name, const void *text, size_t len) NONNULL;
/* 0 or -1, as cmocka's teardown functions return. */
int scratch_remove(const char *top) NONNULL;

#endif
