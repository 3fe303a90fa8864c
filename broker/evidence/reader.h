/* SPDX-License-Identifier: Apache-2.0 */
/* The git reader as the rest of the broker sees it: a question about one repository, an answer or a refusal. */
#ifndef EVIDENCE_READER_H
#define EVIDENCE_READER_H

#include "broker/evidence/internal.h"
#include "policy/git_facts.h"

struct git_reader; /* the process at hand, the repository it was started for, the time it has taken */

/*
 * Asks about the repository whose .git lies in `root` (or which is `root`, with `bare`), where it really lies. Starts
 * the reader when there is none for it, again with what it lacks. 0: *ret is an answer (also GIT_REFUSED), valid until
 * the next question. -errno: no memory, or the guard is gone.
 */
int reader_ask(struct broker *b, struct evidence *e, const char *root, bool bare, enum git_ask ask, struct bytes path,
	struct git_answer *ret) NONNULL MUST_CHECK;
/* A decision begins: its questions have the whole time again. */
void reader_begin(struct git_reader *r);
/* Its channel is closed: a reader that waits on it ends. */
void reader_free(struct git_reader *r);

/* grants.c: what is handed over, and what is not. */
struct grant {
	enum git_grant_kind kind;
	char *path; /* owned */
};

struct grants {
	struct grant list[GIT_GRANTS_MAX];
	uint32_t n;
	bool withheld; /* some file of settings is there and not handed over */
};

void grants_done(struct grants *g) NONNULL;
/* The repository and the files of settings that git reads for this user. False: not even the first can be granted. */
bool grants_begin(struct broker *b, struct evidence *e, const char *root, struct grants *g) NONNULL;
/* What a reader says it needs. False: it may not have it, or has it already. */
bool grants_add(struct evidence *e, enum git_grant_kind kind, struct bytes path, struct grants *g) NONNULL;
/* A descriptor of it (O_PATH), after another look; -1: not any more. */
int grant_open(struct evidence *e, const struct grant *g) NONNULL;

#endif
