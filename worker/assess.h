/* SPDX-License-Identifier: Apache-2.0 */
/* One line to an assessment, with what the worker holds: policy, rules, the broker to ask. */
#ifndef WORKER_ASSESS_H
#define WORKER_ASSESS_H

#include "policy/assessment.h"
#include "worker/rules/judge.h"
#include "worker/serve.h"

struct judged_line {
	struct bytes command, cwd;
	struct bytes session; /* empty where nothing is kept of it: in a batch, and when only asked to explain */
	enum harness harness;
	enum dialect dialect;
};

/* `name`: what was asked for, or empty: the harness's own. */
enum dialect assess_dialect(
	const struct worker_policy *policy, enum harness harness, struct bytes name) NONNULL;
/* judge_line() with the worker's policy, rules and questions; fills what it decided, and harness, cwd and
 * command. */
int assess_line(struct worker *w, const struct judged_line *l, struct assessment *a,
	struct script **ret_script, struct finding **ret_findings) NONNULL MUST_CHECK;
int assess_send(struct worker *w, enum message_type type, const struct writer *body) NONNULL MUST_CHECK;
/* A denial of what was not understood; `where` and `why`, the arguments of the reason, are borrowed. */
void assess_malformed(struct assessment *a, enum reason reason, const char *where, const char *why) NONNULL;

#endif
