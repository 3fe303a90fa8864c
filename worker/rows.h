/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of serving a request that single requests and batches share. */
#ifndef WORKER_ROWS_H
#define WORKER_ROWS_H

#include "policy/assessment.h"
#include "worker/rules/judge.h"
#include "worker/serve.h"

struct judged_line {
	struct bytes command, cwd;
	enum harness harness;
	enum dialect dialect;
};

/* `name`: what was asked for, or empty: the harness's own. */
enum dialect serve_dialect(
	const struct worker_policy *policy, enum harness harness, struct bytes name) NONNULL;
/* judge_line() with the worker's policy, rules and questions; fills what it decided, and harness, cwd and
 * command. */
int serve_judge(struct worker *w, const struct judged_line *l, struct assessment *a,
	struct script **ret_script, struct finding **ret_findings) NONNULL MUST_CHECK;
int serve_send(struct worker *w, enum message_type type, const struct writer *body) NONNULL MUST_CHECK;
/* A denial of what was not understood; `where` and `why` are the arguments of the reason, static text. */
void assess_malformed(struct assessment *a, enum reason reason, const char *where, const char *why) NONNULL;

/* A chunk of a batch: a message a row, then MSG_ROWS_DONE. 0 or -errno. */
int serve_rows(struct worker *w, const struct request *q) NONNULL MUST_CHECK;

#endif
