/* SPDX-License-Identifier: Apache-2.0 */
/* What was looked at of files, kept for a judge: the bytes a worker was shown, never read a second time. */
#ifndef DECISION_SERVED_H
#define DECISION_SERVED_H

#include "policy/judge/model.h"
#include "policy/question.h"

struct served {
	uint32_t n;
	bool left_out; /* more than MODEL_FILES_MAX */
	bool left_out_runs; /* and one of those is run */
	struct served_file {
		char *named, *path; /* as the line names it, made absolute; where it really lies. Owned, as all here */
		char *content; /* "" where none is shown */
		size_t len;
		uint64_t size; /* of the whole file, as far as it was counted */
		bool runs;
		bool whole; /* every byte of it is shown, but for secrets in it */
		const char *note; /* what a judge should know of it, or NULL; static */
	} files[MODEL_FILES_MAX];
};

/* A decision, or a row, begins. *s may be NULL; so may it stay until something is kept. */
void served_reset(struct served **s) NONNULL;
/* Keep what an answer shows of a file, or that it shows nothing of one that is run. 0 or -ENOMEM. */
int served_keep(struct served **s, const struct question *q, const struct answer *a) NONNULL MUST_CHECK;
/* Was the script at this path shown, all of it? */
bool served_whole(const struct served *s, struct bytes path);

#endif
