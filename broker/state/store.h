/* SPDX-License-Identifier: Apache-2.0 */
/* The files of sessions: lock, load, atomic replace, setting aside what is corrupt, sweeping what is old. */
#ifndef STATE_STORE_H
#define STATE_STORE_H

#include "broker/state/session.h"

enum { STORE_LOCK_MS = 200, STORE_TTL_MS = 2 * 60 * 60 * 1000, STORE_SWEEP_MS = 10 * 60 * 1000, STORE_SWEEP_MAX = 4096 };

enum store_outcome { STORE_BUSY = 1, STORE_MISSING };

/* The lock of all sessions of one directory; held as long as the descriptor is open. 0, STORE_BUSY or -errno. */
int store_lock(int dir, int *ret_fd) NONNULL MUST_CHECK;
/* 0, STORE_MISSING or -errno. A corrupt file reads as missing and, with `locked`, is set aside. */
int store_load(int dir, struct bytes session, bool locked, struct session *ret) __attribute__((nonnull(4))) MUST_CHECK;
int store_save(int dir, struct bytes session, const struct session *s) __attribute__((nonnull(3))) MUST_CHECK;
/* Remove files untouched for STORE_TTL_MS; does so at most once every STORE_SWEEP_MS. With the lock held. */
void store_sweep(int dir, int64_t now);

#endif
