/* SPDX-License-Identifier: Apache-2.0 */
/* Tighten only: a worker's answer makes a decision stricter, never looser. */
#include "broker/decision/reconcile.h"

#define KIND(k) (1u << (k))

/* What may answer what. */
static const uint32_t kinds_of_mode[REQUEST__MAX] = {
	[REQUEST_HOOK] = KIND(KIND_MALFORMED) | KIND(KIND_SHELL) | KIND(KIND_NO_OPINION) | KIND(KIND_PRE_INVOCATION) |
		KIND(KIND_PERMISSION) | KIND(KIND_TOOL),
	[REQUEST_CHECK] = KIND(KIND_SHELL) | KIND(KIND_MALFORMED),
	[REQUEST_EXPLAIN] = KIND(KIND_SHELL) | KIND(KIND_MALFORMED),
	[REQUEST_CHECK_ROWS] = KIND(KIND_SHELL) | KIND(KIND_MALFORMED),
	[REQUEST_NAME_ROW] = KIND(KIND_MALFORMED),
};

#define SOURCE(s) (1u << (s))

static const uint32_t sources_of_verdict[VERDICT__MAX] = {
	[VERDICT_DENY] = SOURCE(SOURCE_FAST_DENY) | SOURCE(SOURCE_UPLOAD) | SOURCE(SOURCE_ERROR),
	[VERDICT_OPEN] = 0, /* the stage that decides it is the broker's */
	[VERDICT_ALLOW] = SOURCE(SOURCE_EMPTY) | SOURCE(SOURCE_FAST_ALLOW) | SOURCE(SOURCE_LANDED),
};

static const uint32_t closes_allow = ASSESS_TELL | ASSESS_UNMODELLED | ASSESS_INJECTION | ASSESS_RULE_REFUSAL |
	ASSESS_PARTIAL;

static int reconcile_verdict(const struct evidence_log *log, struct assessment *a)
{
	if (a->verdict == VERDICT_ALLOW) {
		if ((sources_of_verdict[VERDICT_ALLOW] & SOURCE(a->source)) == 0)
			return -EPROTO;
		if (a->source == SOURCE_EMPTY && trim_blanks(a->command).len > 0)
			return -EPROTO;
		if ((a->flags & closes_allow) != 0 || log->guarded)
			a->verdict = VERDICT_OPEN;
	}
	if (a->verdict == VERDICT_OPEN)
		a->source = SOURCE_OFFLINE;
	if (a->verdict == VERDICT_DENY && (sources_of_verdict[VERDICT_DENY] & SOURCE(a->source)) == 0)
		a->source = SOURCE_ERROR;
	return 0;
}

int reconcile(const struct request *q, const struct evidence_log *log, struct assessment *a)
{
	if ((kinds_of_mode[q->mode] & KIND(a->kind)) == 0)
		return -EPROTO;
	/* A hook that named its harness gets no payload of another's; who is unknown may be recognised. */
	if (q->harness != HARNESS_UNKNOWN && a->harness != q->harness)
		return -EPROTO;
	if (a->kind == KIND_MALFORMED) {
		a->verdict = VERDICT_DENY;
		a->source = SOURCE_ERROR;
	}
	return reconcile_verdict(log, a);
}
