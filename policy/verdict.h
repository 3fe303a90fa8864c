/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a decision: what was decided, by which stage. */
#ifndef POLICY_VERDICT_H
#define POLICY_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

/* What the gate answers. FORCE_ASK is a person's turn after a repeated denial; ASK comes from the floor of stage 9 only. */
enum decision { DECISION_DENY = 0, DECISION_ASK, DECISION_FORCE_ASK, DECISION_ALLOW, DECISION__MAX };

/* What a worker says of a request. The zero value is the strict one. OPEN: needs a judge. */
enum verdict { VERDICT_DENY = 0, VERDICT_OPEN, VERDICT_ALLOW, VERDICT__MAX };

/* The stage that decided: telemetry's `source`. The names are fixed, readers match on them. */
enum source {
	SOURCE_ERROR = 0, /* the gate or the judge failed */
	SOURCE_EMPTY,
	SOURCE_FAST_DENY,
	SOURCE_UPLOAD,
	SOURCE_FAST_ALLOW,
	SOURCE_RETRY,
	SOURCE_LANDED,
	SOURCE_CACHE,
	SOURCE_LLM,
	SOURCE_TRIAGE,
	SOURCE_FALLBACK,
	SOURCE_OFFLINE,
	SOURCE_TRUNCATED,
	SOURCE__MAX
};

/* Names as they stand in JSON and telemetry. A value out of range gives the strict member's name. */
const char *decision_name(enum decision d);
const char *source_name(enum source s);
const char *verdict_name(enum verdict v);

/* A model judged it. */
bool source_is_judge(enum source s);

/* From the wire: anything unknown becomes the strict member. */
enum verdict verdict_from_wire(uint32_t v);
enum source source_from_wire(uint32_t v);

#endif
