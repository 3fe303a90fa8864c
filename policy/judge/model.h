/* SPDX-License-Identifier: Apache-2.0 */
/* What netproc is given to ask a judge with, and what it says in return. */
#ifndef JUDGE_MODEL_H
#define JUDGE_MODEL_H

#include "policy/judge/prompt.h"
#include "policy/wire/codec.h"

enum {
	MODEL_FILES_MAX = 8,
	MODEL_REMOTES_MAX = 10,
	MODEL_KEYS_MAX = 6,
	MODEL_TEXT_MAX = 64 * 1024, /* of one field */
	MODEL_NAMES_MAX = 1000, /* of the models an endpoint lists */
	MODEL_NAME_MAX = 200,
	MODEL_BODY_MAX = 512 * 1024, /* of a reply */
	MODEL_REQUEST_ID_MAX = 127,
	MODEL_RUN_BYTES = 16, /* by which one run of a service is told from another */
};

enum model_protocol {
	MODEL_JEV,
	MODEL_CHAT,
	MODEL_JEV_LIST, /* what models either kind of service offers */
	MODEL_CHAT_LIST,
	MODEL__MAX
};

enum key_kind {
	KEY_VARIABLE, /* text: a name in the environment's memory file */
	KEY_LITERAL, /* text: dotted path in the configuration file whose descriptor comes with MSG_MODEL_KEY */
	KEY_FILE, /* text: path of a file that netproc alone opens */
	KEY__MAX
};

/* Where a key may come from. The first that holds one and may go to this origin is taken. */
struct key_source {
	enum key_kind kind;
	bool from_file; /* a configuration file names it, so it goes where that file sends requests */
	struct bytes text;
};

struct model_file {
	struct bytes path, provenance, content;
	struct bytes note; /* that it is shown in part, or not at all, and why; or empty */
	bool runs; /* the command runs it, rather than only naming it */
};

struct model_remote {
	struct bytes name, url; /* where a push to it goes, without passwords */
	bool sanctioned;
};

struct model_request {
	enum model_protocol protocol;
	bool origin_from_file; /* a configuration file, not the environment, chose the address */
	bool origin_default; /* nobody chose it */
	uint32_t timeout_ms, max_tokens;
	struct bytes url, model, session, ca_file, proxy, extra_body, system_prompt_file;
	struct bytes command, cwd, effects, finding; /* redacted */
	struct bytes repository, branch; /* the root around cwd, and what HEAD is on; empty: none, or not known */
	bool repository_known; /* without it nothing is said of one, rather than that there is none */
	bool files_left_out; /* more are named than are shown */
	struct string_list allow_http;
	struct prompt_facts prompt;
	uint32_t n_keys, n_files, n_remotes;
	struct key_source keys[MODEL_KEYS_MAX];
	struct model_file files[MODEL_FILES_MAX];
	struct model_remote remotes[MODEL_REMOTES_MAX];
};

void model_request_encode(struct writer *w, const struct model_request *q) NONNULL;
/* Points into the body; model_request_done() frees the lists. */
int model_request_decode(struct bytes body, struct model_request *ret) NONNULL MUST_CHECK;
void model_request_done(struct model_request *q) NONNULL;

/*
 * What it takes to connect, and who may be told the key: into `to` from `from`, of whose lists it borrows; lists of
 * to's own are let go of. A netproc hears it before the rest.
 */
void model_place(struct model_request *to, const struct model_request *from) NONNULL;

enum model_failure {
	MODEL_NOT_CONFIGURED,
	MODEL_BAD_ADDRESS,
	MODEL_NO_KEY,
	MODEL_UNREACHABLE, /* no such host, refused, reset */
	MODEL_TLS,
	MODEL_TIMEOUT,
	MODEL_TOO_LARGE,
	MODEL_NOT_HTTP,
	MODEL_BROKEN, /* netproc itself */
	MODEL_BUSY, /* a service's bounds */
	MODEL_STALE, /* the connection a service had kept was closed: another may be asked at once */
	MODEL_NO_SERVICE, /* nothing answers at its socket, or not the user who should */
	MODEL_OTHER_JUDGE, /* the service is there for the other protocol */
	MODEL_FAILURE__MAX
};

/* May the same be asked again? */
bool model_failure_retryable(enum model_failure f);
/* Likewise for an HTTP status that is not 200. */
bool model_status_retryable(uint32_t status);
const char *model_failure_text(enum model_failure f);

struct model_reply {
	uint32_t status; /* HTTP's */
	uint32_t retry_after_ms; /* 0: the server did not say */
	struct bytes request_id; /* by which its operators find the call; foreign text, or empty */
	struct bytes body;
};

void model_reply_encode(struct writer *w, const struct model_reply *r) NONNULL;
int model_reply_decode(struct bytes body, struct model_reply *ret) NONNULL MUST_CHECK;

/* Retries of one question, as TypeSafe's own SDK 0.6.0 makes them. */
enum {
	MODEL_ATTEMPTS = 3,
	MODEL_BACKOFF_MS = 500, /* doubled each time */
	MODEL_BACKOFF_MAX_MS = 5000,
	MODEL_RETRY_AFTER_MAX_MS = 60000, /* a longer hint is not believed */
};

#endif
