/* SPDX-License-Identifier: Apache-2.0 */
/* A parsed line as a message body, for `parse` and `explain`. */
#ifndef WORKER_LISTING_H
#define WORKER_LISTING_H

#include "policy/wire/codec.h"
#include "worker/rules/judge.h"
#include "worker/shell/shell.h"

/*
 * Writes one whole listing (policy/listing.h). `findings` is parallel to the script's commands, or NULL. 0, or -errno:
 * the body could not be written whole.
 */
int listing_from_script(struct writer *body, const struct script *script, const struct finding *findings,
	struct bytes row_id, bool row_id_set, uint32_t row) __attribute__((nonnull(1, 2))) MUST_CHECK;

#endif
