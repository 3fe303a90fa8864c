/* SPDX-License-Identifier: Apache-2.0 */
/* Names of decisions, verdicts and sources; whatever is out of range reads as the strictest. */
#include "policy/verdict.h"

#include "policy/base.h"

static const char *const decision_names[DECISION__MAX] = {
	[DECISION_DENY] = "deny",
	[DECISION_ASK] = "ask",
	[DECISION_FORCE_ASK] = "force_ask",
	[DECISION_ALLOW] = "allow",
};

static const char *const source_names[SOURCE__MAX] = {
	[SOURCE_ERROR] = "error",
	[SOURCE_EMPTY] = "empty",
	[SOURCE_FAST_DENY] = "fast-deny",
	[SOURCE_UPLOAD] = "upload",
	[SOURCE_FAST_ALLOW] = "fast-allow",
	[SOURCE_RETRY] = "retry",
	[SOURCE_LANDED] = "landed",
	[SOURCE_CACHE] = "cache",
	[SOURCE_LLM] = "llm",
	[SOURCE_TRIAGE] = "triage",
	[SOURCE_FALLBACK] = "fallback",
	[SOURCE_OFFLINE] = "offline",
	[SOURCE_TRUNCATED] = "truncated",
};

static const char *const verdict_names[VERDICT__MAX] = {
	[VERDICT_DENY] = "deny",
	[VERDICT_OPEN] = "open",
	[VERDICT_ALLOW] = "allow",
};

const char *decision_name(enum decision d)
{
	return decision_names[(unsigned int)d < DECISION__MAX ? d : DECISION_DENY];
}

const char *source_name(enum source s)
{
	return source_names[(unsigned int)s < SOURCE__MAX ? s : SOURCE_ERROR];
}

const char *verdict_name(enum verdict v)
{
	return verdict_names[(unsigned int)v < VERDICT__MAX ? v : VERDICT_DENY];
}

bool source_is_judge(enum source s)
{
	return s == SOURCE_LLM || s == SOURCE_TRIAGE || s == SOURCE_FALLBACK;
}

enum verdict verdict_from_wire(uint32_t v)
{
	return v < VERDICT__MAX ? (enum verdict)v : VERDICT_DENY;
}

enum source source_from_wire(uint32_t v)
{
	return v < SOURCE__MAX ? (enum source)v : SOURCE_ERROR;
}
