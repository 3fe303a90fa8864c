/* SPDX-License-Identifier: Apache-2.0 */
/* Holding a worker's claims against what was asked and against each other. */
#ifndef DECISION_RECONCILE_H
#define DECISION_RECONCILE_H

#include "broker/decision/keys.h"
#include "policy/assessment.h"
#include "policy/request.h"

/*
 * Makes *a consistent, only ever stricter: an allow that carries a reason against it, or that comes after asking for
 * what nobody is shown, becomes open; a source that does not belong to the verdict is replaced. 0, or -EPROTO: no
 * honest worker says this in answer to that.
 */
int reconcile(const struct request *q, const struct evidence_log *log, struct assessment *a) NONNULL MUST_CHECK;

#endif
