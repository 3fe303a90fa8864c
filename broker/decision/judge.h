/* SPDX-License-Identifier: Apache-2.0 */
/* From a reconciled assessment to an outcome: the broker's stages, counting, wording. */
#ifndef DECISION_JUDGE_H
#define DECISION_JUDGE_H

#include "broker/broker.h"
#include "broker/decision/keys.h"
#include "broker/decision/outcome.h"
#include "policy/request.h"

enum judge_mode {
	JUDGE_COUNT, /* as a harness would get it: denials are counted */
	JUDGE_DRY, /* as if it were the first time; nothing is read or written */
};

/*
 * 0 or -errno (no memory, the guard is gone). *ret borrows the strings of *a. `q`: what would have this one decision
 * made again.
 */
int judge(struct broker *b, const struct request *q, const struct assessment *a, const struct evidence_log *log,
	enum judge_mode mode, struct outcome *ret) NONNULL MUST_CHECK;
/* There is no assessment: a denial. `failure` follows "the process that reads the command". 0 or -ENOMEM. */
int judge_failure(struct broker *b, const struct request *q, const char *failure, struct outcome *ret)
	NONNULL MUST_CHECK;
/* Where sessions are kept: an absolute directory, and what is made below it. 0, -ENOENT (nowhere) or -ENAMETOOLONG. */
enum { STATE_BASE_MAX = 4096 };
int judge_state_place(struct broker *b, char *ret_base, size_t size, const char **ret_path) NONNULL MUST_CHECK;
/* Telemetry of what was decided, where it is a decision. `payload`: what was received. */
void judge_record(struct broker *b, const struct outcome *o, struct bytes payload, uint64_t latency_ms) NONNULL;

#endif
