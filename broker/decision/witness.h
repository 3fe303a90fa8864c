/* SPDX-License-Identifier: Apache-2.0 */
/* A second, fresh worker over the same bytes: what a first one said is kept only if the second says it too. */
#ifndef DECISION_WITNESS_H
#define DECISION_WITNESS_H

#include "broker/broker.h"
#include "broker/decision/keys.h"
#include "policy/request.h"

enum witness { WITNESS_AGREES = 0, WITNESS_DIFFERS = 1 /* it says otherwise, died, or was too slow */ };

/*
 * Has the request (one decision's: a row is asked about alone) judged again and compares the exact key. The worker at
 * hand and what it said stay as they are; what was served for it is forgotten. enum witness or -errno (no memory, the
 * guard is gone).
 */
int witness_ask(struct broker *b, const struct request *q, const struct key *exact) NONNULL MUST_CHECK;

#endif
