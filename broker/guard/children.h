/* SPDX-License-Identifier: Apache-2.0 */
/* The processes the guard starts: the broker by a fork, the others from the role table's executables. */
#ifndef GUARD_CHILDREN_H
#define GUARD_CHILDREN_H

#include "policy/sandbox/roles.h"

#include <limits.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

/* At most this many at a time; a broker that asks for more is refused. */
enum { CHILDREN_MAX = 8 };

struct child {
	enum role role;
	pid_t pid; /* ours until reaped, so a signal can reach nobody else; 0: free slot */
	int pidfd; /* readable when it has ended; owned */
};

enum { HELPER_ARGS_MAX = 64 };

/* A program of the user's, said once, before anything hostile is read; its input and output are its channel. */
struct helper {
	char *argv[HELPER_ARGS_MAX + 1]; /* argv[0] is NULL: there is none */
	char *home; /* "HOME=…" */
	char *store; /* what both point into; owned */
};

/* Of a started process: what its parent keeps. */
struct started {
	pid_t pid;
	int channel; /* the other end of its channel; the caller's to close */
	int errors; /* a helper's: what it says on stderr, likewise; else -1 */
};

/* What a child works with between its start and exec. Its own slot's, so nobody else's until it has ended. */
struct launch {
	const struct children *children;
	enum role role;
	uid_t uid;
	gid_t gid;
	int channel;
	int errors; /* a helper's stderr, or -1 */
	char path[PATH_MAX];
	_Alignas(64) char stack[16 * 1024];
};

struct children {
	struct child list[CHILDREN_MAX];
	struct launch launches[CHILDREN_MAX]; /* of the slot of the same index */
	int null_fd; /* /dev/null, owned */
	int secrets_fd; /* borrowed; -1: not taken yet, and what needs it finds none */
	struct helper helper;
	struct sockaddr_un service; /* what a connector connects to; sun_path "": nothing */
	pid_t guard;
	pid_t broker; /* 0: not started */
	char root[PATH_MAX]; /* directory of the guard's own executable; "": not known */
};

/* Finds the guard's own directory and opens /dev/null. 0 or -errno. */
int children_init(struct children *c) NONNULL MUST_CHECK;
void children_done(struct children *c) NONNULL;

/* The body of MSG_HELPER. 0, -EPROTO or -ENOMEM. */
int children_set_helper(struct children *c, const char *body, size_t len) NONNULL MUST_CHECK;

/* The body of MSG_SERVICE_PLACE. 0 or -EPROTO. */
int children_set_service(struct children *c, const char *body, size_t len) NONNULL MUST_CHECK;

/* The path of a role's executable: beside us in the build tree, or under libexec. 0 or -errno. */
int children_path(const struct children *c, enum role role, char ret[PATH_MAX]) NONNULL MUST_CHECK;

/*
 * Starts a role's executable with a fixed argv and environment, its channel at ROLE_FD_CHANNEL; never waits for it,
 * so a missing executable shows as a child that is gone. A connector is a fork. uid 0: as the caller. 0, or -errno:
 * nothing was started.
 */
int children_start(struct children *c, enum role role, uid_t uid, gid_t gid, struct started *ret) NONNULL MUST_CHECK;

/*
 * Forks the broker, whose only descriptors are then its channel, the worker's (-1: none) and /dev/null. Returns 0 in
 * the guard with *ret_channel the guard's end; in the broker it calls run(data, guard channel, worker channel) and
 * leaves with what that returns.
 */
int children_fork_broker(struct children *c, int worker_channel, int (*run)(void *data, int guard_fd, int worker_fd),
	void *data, int *ret_channel) __attribute__((nonnull(1, 3, 5))) MUST_CHECK;

/* Has this one ended? Then true, with what waitpid(2) says, and its slot is free again. */
bool children_reap(struct child *child, int *ret_status) NONNULL;

/* Kills one of ours; not ours: nothing happens. Waits for nobody. */
void children_kill(struct children *c, pid_t pid) NONNULL;
void children_kill_all(struct children *c) NONNULL;

#endif
