/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the configuration that a worker is told. */
#ifndef DECISION_WORKER_POLICY_H
#define DECISION_WORKER_POLICY_H

#include "broker/broker.h"

/* Fills b->policy. 0 or -errno (-E2BIG: more of something than a policy holds). */
int worker_policy_prepare(struct broker *b) NONNULL MUST_CHECK;

#endif
