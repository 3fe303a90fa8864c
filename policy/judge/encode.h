/* SPDX-License-Identifier: Apache-2.0 */
/* The decision service's request body, made from fields and our own texts alone: for netproc, and for a helper. */
#ifndef JUDGE_ENCODE_H
#define JUDGE_ENCODE_H

#include "policy/judge/model.h"

void encode_jev(struct textbuf *b, const struct model_request *q) NONNULL;

#endif
