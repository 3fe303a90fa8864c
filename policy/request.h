/* SPDX-License-Identifier: Apache-2.0 */
/* What a worker is given: the policy it needs, and one request (or a chunk of a batch). */
#ifndef POLICY_REQUEST_H
#define POLICY_REQUEST_H

#include "policy/base.h"
#include "policy/harness.h"
#include "policy/wire/codec.h"

enum { POLICY_LIST_MAX = 4096, POLICY_STRING_MAX = 16 * 1024 };

struct string_list {
	struct bytes *items;
	uint32_t n;
};

/* The part of the configuration a worker may see. No secret, no URL of a judge, no path of state or logs. */
struct worker_policy {
	struct string_list fast_deny, fast_allow; /* regular expressions */
	struct string_list scratch_roots; /* absolute, with a trailing slash, as written and as they really lie */
	struct string_list sanctioned_remotes, trusted_remotes, protected_branches;
	struct string_list zone_read, zone_write, zone_deny; /* fileZones */
	struct string_list tools_allow, tools_ask, tools_deny;
	struct bytes home; /* the user's, from passwd */
	bool home_is_another; /* the harness's HOME is another, so that ~ stands for that */
	struct bytes shell; /* the user's login shell: dialect of harnesses that run it */
	struct string_list gate_paths; /* the gate's own files beyond the fixed rules: config read, install root … */
	struct string_list environment_names; /* names set in the harness's environment */
	struct string_list shadowing; /* names in directories of PATH that are none of the system's: ask about them */
	bool path_is_mixed; /* such a directory could not be listed: ask about every name */
	bool trust_landed_scripts;
	bool model_available; /* a judge is configured: what addresses a reviewer is open rather than denied */
};

/* Where a bare cd leads in the harness's shell; empty: wherever a project's settings let HOME point. */
static inline struct bytes policy_shell_home(const struct worker_policy *p)
{
	return p->home_is_another ? (struct bytes){ NULL, 0 } : p->home;
}

enum request_mode {
	REQUEST_HOOK, /* input: what the harness wrote to stdin */
	REQUEST_CHECK, /* input: the command text; fields below say the rest */
	REQUEST_PARSE, /* as CHECK, answered by a listing */
	REQUEST_EXPLAIN, /* as CHECK, answered by a listing, then an assessment */
	REQUEST_CHECK_ROWS, /* input: whole lines of a batch */
	REQUEST_PARSE_ROWS,
	REQUEST_NAME_ROW, /* input: one line that killed a worker: only its id is wanted */
	REQUEST_JEV_REPLY, /* input: what a decision service answered; the answer is a MSG_JUDGEMENT */
	REQUEST_CHAT_REPLY, /* likewise, a chat service */
	REQUEST_NAMES_REPLY, /* input: an endpoint's list of models; the answer is a MSG_MODEL_NAMES */
	REQUEST__MAX
};

struct request {
	enum request_mode mode;
	enum harness harness; /* HARNESS_UNKNOWN: recognise by payload */
	struct bytes event; /* from the hook's command line, or empty */
	struct bytes session, cwd; /* CHECK, PARSE, EXPLAIN; default cwd of rows that name none */
	struct bytes dialect; /* name, or empty: by harness */
	uint32_t first_row; /* line number of the first row, from 1 */
	struct bytes input;
};

/* At most POLICY_LIST_MAX items of POLICY_STRING_MAX bytes, no NUL in them. Decoded items point into the body; the list
 * is the caller's to free. */
void string_list_encode(struct writer *w, const struct string_list *list) NONNULL;
int string_list_decode(struct reader *r, struct string_list *ret) NONNULL MUST_CHECK;

/* Encode appends to w. Decode points into the body and its lists are allocated: worker_policy_done() frees them. */
void worker_policy_encode(struct writer *w, const struct worker_policy *p) NONNULL;
int worker_policy_decode(struct bytes body, struct worker_policy *ret) NONNULL MUST_CHECK;
void worker_policy_done(struct worker_policy *p) NONNULL;
void request_encode(struct writer *w, const struct request *q) NONNULL;
int request_decode(struct bytes body, struct request *ret) NONNULL MUST_CHECK;

#endif
