/* SPDX-License-Identifier: Apache-2.0 */
/* Stages 0 to 4 over one parsed line. */
#ifndef RULES_JUDGE_H
#define RULES_JUDGE_H

#include "policy/assessment.h"
#include "policy/listing.h"
#include "policy/request.h"
#include "worker/ask.h"
#include "worker/shell/shell.h"

struct compiled_rules; /* the configured regular expressions, ready to match (worker/rules/regex.c) */

struct line {
	struct bytes command; /* as received; judged after trimming blanks */
	struct bytes cwd; /* absolute, or empty: unknown */
	struct bytes session; /* its name, where what it began with is kept; else empty */
	enum dialect dialect;
	enum shell_kind shell; /* does the harness keep one shell between lines? */
	const struct worker_policy *policy;
	struct compiled_rules **rules;
	const struct oracle *oracle;
};

/* What was found about each simple command, for `explain`: parallel to script->commands. */
struct finding {
	bool judged;
	enum verdict verdict;
	struct bytes why;
	struct listing_effect *effects;
	uint32_t n_effects;
};

/*
 * Fills verdict, source, reason, rule, flags, causes, effects and injection_pattern of *assessment; strings live in the
 * arena. *ret_script and *ret_findings (n_commands of them) are set also when the line was denied. 0, or -errno: it
 * cannot be decided.
 */
int judge_line(struct arena *arena, const struct line *line, struct assessment *assessment, struct script **ret_script,
	struct finding **ret_findings) NONNULL MUST_CHECK;

/* Frees what *line.rules came to hold; `policy` is the one it was compiled from. NULL is fine. */
void compiled_rules_free(struct compiled_rules *c, const struct worker_policy *policy);

#endif
