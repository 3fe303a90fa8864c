/* SPDX-License-Identifier: Apache-2.0 */
/* What the broker showed a worker of files, kept for a judge: the same bytes, never read a second time. */
#ifndef DECISION_SERVED_H
#define DECISION_SERVED_H

#include "policy/judge/model.h"
#include "policy/question.h"

struct served {
	uint32_t n;
	bool left_out; /* more than MODEL_FILES_MAX */
	struct served_file {
		char *path, *content; /* owned */
		size_t len;
		uint64_t size; /* of the whole file */
		bool runs;
	} files[MODEL_FILES_MAX];
};

/* A decision, or a row, begins. *s may be NULL; so may it stay until something is kept. */
void served_reset(struct served **s) NONNULL;
/* Keep a copy if the answer shows a file's content. 0 or -ENOMEM. */
int served_keep(struct served **s, const struct question *q, const struct answer *a) NONNULL MUST_CHECK;
/* Was the content of the script at this path shown, all of it? */
bool served_whole(const struct served *s, struct bytes path);

#endif
