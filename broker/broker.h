/* SPDX-License-Identifier: Apache-2.0 */
/* The broker: alone opens configuration, state, evidence and logs; decides. A fork of the guard without exec. */
#ifndef BROKER_BROKER_H
#define BROKER_BROKER_H

#include "broker/commands.h"
#include "policy/base.h"
#include "policy/config/config.h"
#include "policy/text/textbuf.h"
#include "policy/wire/channel.h"
#include "policy/wire/codec.h"

struct config_files;
struct state;

/* What the guard hands over at the fork. */
struct broker_start {
	int guard_fd; /* channel to the guard */
	int worker_fd; /* channel to the worker started in parallel, or -1 */
	uint32_t worker_pid;
	int argc; /* the command line, after options the guard itself took */
	char **argv;
	const struct command_spec *command;
	char **environment; /* NAME=value, accept-listed, no secret */
	char **other_names; /* names of the rest, as evidence; NULL-terminated */
	bool stdout_tty; /* a person looks on: colour is welcome */
	const char *missing_program; /* for doctor: path of a program of ours that cannot be run, or NULL */
	int landlock_abi; /* for doctor; negative: the kernel has none. Not asked for a hook */
	enum harness harness; /* from the hook's command line, or HARNESS_UNKNOWN */
	uint64_t deadline_ms; /* when the guard will speak for us (CLOCK_MONOTONIC) */
};

enum { GONE_MAX = 8 };

struct broker {
	struct broker_start start;
	struct channel guard, worker; /* worker.fd is -1 while there is none */
	uint32_t worker_pid;
	struct config *config;
	struct config_files *files; /* where it came from */
	struct writer policy; /* the worker's part of it, encoded once */
	struct bytes input; /* stdin, whole (hooks) or what is not yet consumed (batch); points into the buffer */
	struct textbuf input_buffer;
	bool input_ended;
	enum stdin_end input_end; /* how, once ended */
	char *home; /* the user's: passwd's for a hook, else $HOME; owned; NULL: none known */
	char *cwd; /* owned; NULL: not known */
	char *runtime_dir; /* owned; see broker_runtime_dir() */
	struct state *state; /* owned; made when first needed */
	struct evidence *evidence; /* owned; likewise */
	struct served *served; /* what was shown of files for the decision under way; owned; NULL: nothing */
	struct early_child *netproc, *reader; /* started before they are needed (model.h); owned; or NULL */
	uint64_t started_ms; /* CLOCK_MONOTONIC */
	enum role child_role; /* what was last asked for */
	int child_fd; /* a started child's channel that nobody has taken yet, or -1 */
	int child_errors_fd; /* what a started helper says on stderr, likewise */
	uint32_t child_pid;
	struct gone_child {
		uint32_t pid, status; /* what waitpid(2) said */
	} gone[GONE_MAX]; /* the children that ended last; the next takes the place at n_gone % GONE_MAX */
	uint32_t n_gone;
	int child_errno; /* why a child could not be started, or 0 */
};

/* Runs the command to its end and sends MSG_FINISH. Returns the exit status (the process then leaves with _exit). */
int broker_main(const struct broker_start *start) NONNULL;

/* Send to the guard's stdout / stderr. 0 or -errno (the guard is gone: nothing is left to do). */
int broker_out(struct broker *b, const char *p, size_t len) NONNULL MUST_CHECK;
int broker_err(struct broker *b, const char *p, size_t len) NONNULL MUST_CHECK;
/* Wait for the next chunk of stdin (or its end): appended to input. For hooks call until input_ended. */
int broker_read_input(struct broker *b) NONNULL MUST_CHECK;
/* Drop the first `n` bytes of input. */
void broker_consume_input(struct broker *b, size_t n) NONNULL;
/* Replace the worker (it died, or its one request is done): ask the guard for a fresh one, send it the policy. 0 also
 * when that one died at once (worker.fd is -1); -ECHILD: it could not be started; -errno otherwise. */
int broker_new_worker(struct broker *b) NONNULL MUST_CHECK;
/*
 * Ask the guard for a process of this role. 0: *ret_fd is the other end of its channel, the caller's to close. -ECHILD:
 * it could not be started; -errno otherwise. What it said before its end, if it ended at once, is read from the
 * channel.
 */
int broker_start_child(struct broker *b, enum role role, int *ret_fd, uint32_t *ret_pid) NONNULL MUST_CHECK;
/*
 * The user that a setting names: a name of /etc/passwd or a number, with its group. 0 (both 0 where the setting is
 * empty); -ENOENT: there is none such.
 */
int broker_user(const struct broker *b, enum config_key key, uid_t *ret_uid, gid_t *ret_gid) NONNULL MUST_CHECK;
/* Wait for a child's end, at most until the time (CLOCK_MONOTONIC). 0: *ret_status is as of waitpid(2). -ETIMEDOUT. */
int broker_wait_child(struct broker *b, uint32_t pid, uint64_t deadline_ms, int *ret_status) NONNULL MUST_CHECK;
/* Close its channel and have the guard kill it. Nothing happens where the channel is closed already. */
void broker_stop_child(struct broker *b, struct channel *c, uint32_t pid) NONNULL;
/* Kill the worker at hand, if there is one. */
void broker_stop_worker(struct broker *b) NONNULL;
/* A variable of the environment the guard passed on, or NULL. */
const char *broker_getenv(const struct broker *b, const char *name) NONNULL;
/* Of a hook: is HOME another directory than the user's home? A project's settings can have it so. */
bool broker_home_is_another(const struct broker *b) NONNULL;
/* Is there such a variable, whoever may know its value? */
bool broker_variable_is_set(const struct broker *b, struct bytes name) NONNULL;
/* The user's runtime directory where there is one (sessions are kept below it), or NULL. */
const char *broker_runtime_dir(struct broker *b) NONNULL;

#endif
