/* SPDX-License-Identifier: Apache-2.0 */
/* What a worker says about one request. The broker treats every field as a claim: text is capped and escaped, the
 * verdict can only make the outcome stricter than policy's floor. */
#ifndef POLICY_ASSESSMENT_H
#define POLICY_ASSESSMENT_H

#include "policy/harness.h"
#include "policy/reasons.h"
#include "policy/verdict.h"
#include "policy/wire/codec.h"

enum {
	ASSESSMENT_CAUSES_MAX = 64,
	ASSESSMENT_TEXT_MAX = 4096, /* rule, session, call id, cwd, tool, event … */
	ASSESSMENT_COMMAND_MAX = 64 * 1024,
	REASON_ARGS_MAX = 4,
};

enum request_kind {
	KIND_MALFORMED = 0, /* not what the harness sends: denied */
	KIND_SHELL, /* a command was judged */
	KIND_NO_OPINION, /* an event or tool this gate does not judge */
	KIND_PRE_INVOCATION, /* agy: before a model call */
	KIND_PERMISSION, /* claude: a permission prompt is about to be shown for `command` */
	KIND_TOOL, /* a file or search tool */
	KIND__MAX
};

/* One cause of a denial: the counting key is a hash over these, so pure respellings must yield the same. */
struct cause {
	struct bytes program, effect, target;
};

struct reason_text {
	enum reason id;
	uint32_t n_args;
	struct bytes args[REASON_ARGS_MAX];
};

enum assessment_flags {
	ASSESS_TELL = 1u << 0, /* closes fast allow, landed and cache */
	ASSESS_UNMODELLED = 1u << 1,
	ASSESS_INJECTION = 1u << 2, /* telemetry: injection_attempt */
	ASSESS_RULE_REFUSAL = 1u << 3,
	ASSESS_PARTIAL = 1u << 4, /* evidence seen in part */
	ASSESS__ALL = (1u << 5) - 1,
};

struct assessment {
	enum request_kind kind;
	enum harness harness;
	struct bytes event, tool, call_id, session, cwd, command, row_id;
	uint32_t row; /* line number in a batch, else 0 */
	bool row_id_set;
	enum verdict verdict;
	enum source source;
	struct reason_text reason;
	struct bytes rule; /* the rule or effect that decided, for `rule` in JSON */
	struct bytes injection_pattern;
	uint32_t flags; /* enum assessment_flags */
	struct bytes effects; /* one line for telemetry and a judge: "program effect place; …" */
	uint32_t n_causes;
	struct cause causes[ASSESSMENT_CAUSES_MAX];
};

void assessment_encode(struct writer *w, const struct assessment *a) NONNULL;
/* Points into the body. -EPROTO on anything out of bounds; enums are mapped to their strict member, never trusted. */
int assessment_decode(struct bytes body, struct assessment *ret) NONNULL MUST_CHECK;

#endif
