/* SPDX-License-Identifier: Apache-2.0 */
/* Stage 8: asking the configured judge about what the rules left open. */
#ifndef DECISION_MODEL_H
#define DECISION_MODEL_H

#include "broker/broker.h"
#include "broker/decision/keys.h"
#include "policy/assessment.h"
#include "policy/judge/judgement.h"
#include "policy/judge/model.h"

struct model_usage {
	bool asked;
	uint64_t input_tokens, output_tokens;
	uint32_t calls;
};

struct model_verdict {
	bool allow;
	bool transient; /* the judge failed */
	bool partial; /* it was not shown all of what runs */
	enum source source; /* LLM, TRIAGE, FALLBACK or ERROR */
	char *reason; /* owned, as all here */
	char *model; /* as the server names it, or as it is configured */
	char *request_id; /* of the last call that was answered; NULL: the server names none */
	bool has_answers; /* a decision model's, in millionths: */
	bool chose_allow; /* before its numbers were held to the bounds */
	uint32_t p_allow, confidence, risks[RISKS];
	struct model_usage usage;
};

void model_verdict_done(struct model_verdict *v) NONNULL;

/* From configuration to what netproc is told; strings are borrowed from both. */
struct model_setup {
	struct model_request q; /* no command, no model yet */
	/* What q's fields point into. */
	struct textbuf command, cwd, effects, finding, repository, branch, extra;
	struct textbuf files[MODEL_FILES_MAX], paths[MODEL_FILES_MAX], notes[MODEL_FILES_MAX];
	struct textbuf provenance[MODEL_FILES_MAX];
	struct textbuf remotes[MODEL_REMOTES_MAX], urls[MODEL_REMOTES_MAX];
	bool in_part; /* of what runs, not everything is shown */
	bool of_service; /* netproc's service will be asked: what decides its answers is its own, and not known here */
	bool has_run; /* but which run of it: */
	char run[MODEL_RUN_BYTES];
	uint64_t deadline_ms; /* of all attempts together, meeting included; 0: they have not begun */
	int key_fd; /* the configuration file with a literal key, or -1; owned */
};

/* What of it is known before there is a command: where to ask, and with which key. 0 or -errno. */
int model_setup_place(struct broker *b, struct model_setup *ret) NONNULL MUST_CHECK;
int model_setup(struct broker *b, const struct assessment *a, const char *finding, struct model_setup *ret)
	NONNULL MUST_CHECK;
void model_setup_done(struct model_setup *s) NONNULL;
/* What the broker itself finds out for a judge: the repository around the command, where its files come from. */
int model_facts(struct broker *b, const struct assessment *a, struct model_setup *s) NONNULL MUST_CHECK;
/*
 * Where netproc's service will be asked: connects, and takes down which run of it that is. The next attempt is on this
 * connection. A service that cannot be met is found out by the attempt. 0 or -errno (no memory, the guard is gone).
 */
int model_meet(struct broker *b, struct model_setup *s) NONNULL MUST_CHECK;
/*
 * Of everything that decides what a judge answers: the request, the settings, the words of our own, and which run of
 * the service is asked. 0 or -errno.
 */
int model_key(const struct broker *b, const struct model_setup *s, struct key *ret) NONNULL MUST_CHECK;

/* 0 or -errno (no memory, the guard is gone). Whatever a judge does or says is a verdict. */
int model_ask(struct broker *b, const struct assessment *a, struct model_setup *s, struct model_verdict *ret)
	NONNULL MUST_CHECK;

struct model_answer {
	enum model_failure failure;
	bool failed; /* then nothing else is set */
	uint32_t status, retry_after_ms;
	struct bytes request_id, body; /* in `buffer` */
	char *buffer; /* owned */
};

/* One attempt, by the netproc that went ahead, a fresh one, or one of the service. 0 or -errno. */
int model_attempt(struct broker *b, const struct model_setup *s, uint64_t deadline_ms, struct model_answer *ret)
	NONNULL MUST_CHECK;
/*
 * It is all but certain that a judge will be asked: a netproc starts and connects while what is to be asked is looked
 * for and written down. The next attempt is its. One that could not be started is not missed. 0 or -errno (no memory,
 * the guard is gone).
 */
int model_go_ahead(struct broker *b) NONNULL MUST_CHECK;
/* Ends what was started early and not needed. */
void model_end_early(struct broker *b) NONNULL;
/* Is jev.command asked in place of a service? */
bool model_has_helper(const struct broker *b, enum model_protocol protocol) NONNULL;
/* How long one model may take from now on, as configured and as the guard's own deadline allows: milliseconds. */
uint32_t model_patience(const struct broker *b, enum model_protocol protocol, uint64_t deadline_ms) NONNULL;
/* All attempts together: as configured, and before the guard speaks for us. */
uint64_t model_deadline(const struct broker *b) NONNULL;
/*
 * A connection to the service at netproc.socket, whose user is the one it must be: netproc.uid, or root, who could be
 * anybody; and what it says by which one run of it is told from another. 0, a positive enum model_failure (logged) or
 * -errno.
 */
int model_service_open(struct broker *b, uint64_t deadline_ms, struct channel *ret,
	char ret_run[static MODEL_RUN_BYTES]) NONNULL MUST_CHECK;
/* The same by jev.command. */
int model_helper(struct broker *b, const struct model_setup *s, uint64_t deadline_ms, struct model_answer *ret)
	NONNULL MUST_CHECK;
void model_answer_done(struct model_answer *a) NONNULL;
/* A fresh worker reads the reply. 0, -EPROTO (it said what it may not, or died) or -errno. *ret_buffer: owned. */
int model_read(struct broker *b, enum model_protocol protocol, struct bytes body, uint64_t deadline_ms,
	struct judgement *ret, char **ret_buffer) NONNULL MUST_CHECK;

/* The same of a list of models: *ret is the body of MSG_MODEL_NAMES. */
int model_read_names(struct broker *b, struct bytes body, uint64_t deadline_ms, struct bytes *ret, char **ret_buffer)
	NONNULL MUST_CHECK;

/* The rules a decision model's numbers are held to: what was decided, and why, in words. */
bool judgement_allows(const struct config *c, const struct judgement *j, struct textbuf *why) NONNULL;

#endif
