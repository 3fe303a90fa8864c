/* SPDX-License-Identifier: Apache-2.0 */
/* The files of sessions: lock, load, atomic replace, setting aside what is corrupt, sweeping what is old. */
#ifndef STATE_STORE_H
#define STATE_STORE_H

#include "broker/state/session.h"

enum {
	STORE_LOCK_MS = 200,
	STORE_TTL_MS = 2 * 60 * 60 * 1000,
	STORE_ORIGIN_DAYS = 30, /* what a session began with must outlast the session */
	STORE_SWEEP_MS = 10 * 60 * 1000,
	STORE_SWEEP_MAX = 4096,
	STORE_MISSED_MAX = 1024,
};

enum store_outcome { STORE_BUSY = 1, STORE_MISSING };

/* The lock of all sessions of one directory; held as long as the descriptor is open. 0, STORE_BUSY or -errno. */
int store_lock(int dir, int *ret_fd) NONNULL MUST_CHECK;
/*
 * 0, STORE_MISSING or -errno. A file that is corrupt, or none of ours, reads as missing and, with `locked`, is set
 * aside; one that could not be read this time is an error, and stays.
 */
int store_load(int dir, struct bytes session, bool locked, struct session *ret) __attribute__((nonnull(4))) MUST_CHECK;
int store_save(int dir, struct bytes session, const struct session *s) __attribute__((nonnull(3))) MUST_CHECK;
/*
 * Put a denial down that could not be counted because the lock was not had: whoever has it next adds it. No lock is
 * needed: each is a file of its own, which appears whole. 0 or -errno.
 */
int store_miss(int dir, struct bytes session, const struct session *s) __attribute__((nonnull(3))) MUST_CHECK;
/* Add what was missed to *s and remove it. With the lock held; at most STORE_MISSED_MAX at a time. */
void store_take_missed(int dir, struct bytes session, struct session *s) __attribute__((nonnull(3)));
/* Remove files untouched for STORE_TTL_MS; does so at most once every STORE_SWEEP_MS. With the lock held. */
void store_sweep(int dir, int64_t now);

/* For the two halves of the store. */
enum { STORE_NAME_SIZE = 96 };
/* Of the file that keeps what a session began with (broker/evidence/origin.h). */
#define STORE_ORIGIN_SUFFIX ".origin"
/* <first 32 hex of sha256(session id)><suffix> */
void store_name(struct bytes session, const char *suffix, char name[STORE_NAME_SIZE]);
/* As store_load() of the file `name`; SESSION_CORRUPT, and what store_may_pass() says of an error, are the caller's. */
int store_read(int dir, const char *name, struct session *ret) __attribute__((nonnull(2, 3))) MUST_CHECK;
/* Is it a failure of the machine's, which says nothing about the file? */
bool store_may_pass(int err);
/* Write a whole file beside `name`, then put it in its place. */
int store_replace(int dir, const char *name, const struct session *s) __attribute__((nonnull(2, 3))) MUST_CHECK;

#endif
