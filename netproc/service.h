/* SPDX-License-Identifier: Apache-2.0 */
/*
 * netproc as a service, for hosts where the key belongs to another user than the agents: one process starts the others
 * and hears from none of the clients, one takes and counts clients and reads nothing of theirs, and each request is
 * answered by a process of its own, connected before and confined as any netproc is.
 */
#ifndef NETPROC_SERVICE_H
#define NETPROC_SERVICE_H

#include "policy/config/config.h"
#include "policy/judge/model.h"

enum {
	SERVICE_MODELS_MAX = 16,
	SERVICE_GREETINGS = 1, /* messages that a client has been sent before it is handed to a process that asks */
};

/* What the service's own file says: of a client's request nothing of it is taken. */
struct service_plan {
	struct config *config; /* owned; what the texts below point into */
	struct model_request base; /* where, with which key, instructions, prompt and patience */
	struct bytes models[SERVICE_MODELS_MAX]; /* those a client may name; the first where it names another */
	uint32_t n_models;
	struct textbuf system; /* what replaces our own prompt, or empty; owned */
	/*
	 * Which run of the service this is. All that decides a judge's answers is read once, before it: what a client
	 * holds of one run's answers says nothing of another's.
	 */
	char run[MODEL_RUN_BYTES];
	int config_fd; /* the file, where a key stands in it; else -1; owned */
	char *credential; /* path; owned */
	uint32_t warm, per_uid, per_minute;
	uint64_t idle_exit_ms; /* 0: never */
};

/*
 * Reads and checks the file: root's or ours, not for others to write, nor to read where a key is in it or in the key
 * file. `credentials`: $CREDENTIALS_DIRECTORY, or NULL. 0, or -errno with *ret_why (owned) set where it can be.
 */
int service_plan_load(const char *path, const char *credentials, struct service_plan *ret, char **ret_why)
	__attribute__((nonnull(1, 3, 4))) MUST_CHECK;

/* The socket: systemd's (sd_listen_fds(3)), or one that is bound at `path`. A descriptor, or -errno with *ret_why. */
int service_listen(const char *path, const char **ret_why) __attribute__((nonnull(2))) MUST_CHECK;

/* The whole service. Returns the exit status. */
int service_main(int argc, char **argv) NONNULL;

/* The processes below it: channel at ROLE_FD_CHANNEL; at ROLE_FD_EXTRA the socket, or the file with the key. */
int acceptor_main(const struct service_plan *plan, bool may_idle_out) NONNULL;
int pooled_main(const struct service_plan *plan) NONNULL;

#endif
