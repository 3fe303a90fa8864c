/* SPDX-License-Identifier: Apache-2.0 */
/* Every message there is. The table is the state machine: what it does not permit ends the sender. */
#ifndef WIRE_MESSAGES_H
#define WIRE_MESSAGES_H

#include "policy/base.h"
#include "policy/sandbox/roles.h"

enum message_type {
	MSG_NONE,
	/* guard → broker */
	MSG_STDIN, /* bytes the harness wrote, as they come */
	MSG_STDIN_END, /* u8 enum stdin_end */
	MSG_CHILD, /* + descriptor: the channel of the child asked for. u32 role, u32 pid */
	MSG_CHILD_FAILED, /* u32 role, u32 errno */
	MSG_CHILD_GONE, /* u32 role, u32 pid, u32 wait status as of waitpid(2). May come at any time */
	/* broker → guard */
	MSG_START, /* u32 role, u32 uid, u32 gid: start one from the fixed set, as that user (0: as the caller) */
	MSG_STOP, /* u32 pid: kill that child */
	MSG_OUTPUT, /* bytes for stdout */
	MSG_ERROR_OUTPUT, /* bytes for stderr */
	MSG_FINISH, /* u32 exit status: the reply is complete */
	/* broker → worker */
	MSG_POLICY, /* struct worker_policy */
	MSG_REQUEST, /* struct request */
	MSG_ANSWER, /* struct answer, to the one question asked */
	/* worker → broker */
	MSG_QUESTION, /* struct question */
	MSG_ASSESSMENT, /* struct assessment */
	MSG_LISTING, /* struct listing: simple commands, for parse and explain */
	MSG_ROWS_DONE, /* u32 rows of the batch chunk dealt with: the next may come */
	/* broker ↔ netproc */
	MSG_MODEL_REQUEST, /* struct model_request */
	MSG_MODEL_REPLY, /* struct model_reply */
	MSG_MODEL_FAILED, /* u8 enum model_failure, string: what a person is told */
	/* broker ↔ git reader */
	MSG_GIT_OPEN,
	MSG_GIT_QUESTION,
	MSG_GIT_ANSWER,
	/* the model step's others: broker → netproc, broker → guard, worker → broker */
	MSG_MODEL_KEY, /* + descriptor: the configuration file that holds a key. Nothing in it */
	MSG_HELPER, /* broker → guard: home, u32 n, n strings: the one program that ROLE_HELPER may be */
	MSG_MODEL_NAMES, /* bool: is it a list; u32 n, n strings */
	MSG_JUDGEMENT, /* struct judgement: what a judge's reply says */
	/* around a helper and a service: broker → guard, guard → broker, connector → broker */
	MSG_SERVICE_PLACE, /* path: the one socket that ROLE_CONNECTOR connects to */
	MSG_CHILD_ERRORS, /* + descriptor: stderr of the helper of which the next MSG_CHILD tells. Nothing in it */
	MSG_CONNECTED, /* + descriptor: the connection. Nothing in it */
	MSG_NOT_CONNECTED, /* u32 errno */
	/* inside the service: acceptor → service, service → acceptor, netproc → acceptor, acceptor → netproc */
	MSG_POOL_WANTED, /* one more process that asks, please */
	MSG_POOL_CHILD, /* + descriptor: its channel. Nothing in it */
	MSG_POOL_NONE, /* there will be none */
	MSG_POOL_READY, /* bool: is it connected? */
	MSG_POOL_CLIENT, /* + descriptor: a client, whose one request this process answers */
	MSG_SETTLED, /* broker → guard: what may be started is fixed; nothing hostile has been read yet */
	MSG_MODEL_PLACE, /* broker → netproc: struct model_request, of which only model_place(): it may connect */
	MSG_MODEL_GREETING, /* netproc's service → broker: MODEL_RUN_BYTES, before anything is asked */
	MSG__MAX
};

enum stdin_end { STDIN_EOF, STDIN_TOO_LONG, STDIN_READ_ERROR };

/* A channel starts in PHASE_SETUP. The message marked `opens` moves both its ends to PHASE_WORK as it passes. */
enum phase { PHASE_SETUP = 1u << 0, PHASE_WORK = 1u << 1 };

struct message_rule {
	const char *name;
	enum role from, to;
	uint32_t phases; /* enum phase set in which it may pass; 0: nobody may send it yet */
	uint32_t min, max; /* body bytes, of the whole chain */
	bool once; /* at most one a channel */
	bool wants_fd;
	bool opens;
};

extern const struct message_rule message_rules[MSG__MAX];

#endif
