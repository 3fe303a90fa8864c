/* SPDX-License-Identifier: Apache-2.0 */
/* The decision service's request body, made from fields and our own texts alone: for netproc, and for a helper. */
#ifndef JUDGE_ENCODE_H
#define JUDGE_ENCODE_H

#include "policy/judge/model.h"
#include "policy/text/jsonout.h"

void encode_jev(struct textbuf *b, const struct model_request *q) NONNULL;

/* For every kind of judge: members of an object that is open, what the gate established about the command and a file. */
void encode_facts(struct jsonout *o, const struct model_request *q) NONNULL;
void encode_file_facts(struct jsonout *o, const struct model_file *f) NONNULL;

#endif
