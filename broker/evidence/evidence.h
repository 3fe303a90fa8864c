/* SPDX-License-Identifier: Apache-2.0 */
/* Answering a worker's questions: what is looked at, what is refused. */
#ifndef EVIDENCE_EVIDENCE_H
#define EVIDENCE_EVIDENCE_H

#include "broker/broker.h"
#include "policy/question.h"

enum evidence_outcome { EVIDENCE_DISHONEST = 1 /* no honest worker asks this */ };

/* Fills *ret; its strings are owned by the caller through evidence_answer_done(). 0, EVIDENCE_DISHONEST or -errno. */
int evidence_answer(struct broker *b, const struct question *q, struct answer *ret) NONNULL MUST_CHECK;
void evidence_answer_done(struct answer *a) NONNULL;

/* A decision, or a row, begins: what is bounded per decision is whole again. */
void evidence_begin(struct broker *b) NONNULL;

struct evidence; /* what was found out once and holds for the broker's life: mounts, the gate's files */
void evidence_free(struct evidence *e);

#endif
