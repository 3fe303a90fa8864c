/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of broker/evidence share. */
#ifndef EVIDENCE_INTERNAL_H
#define EVIDENCE_INTERNAL_H

#include "broker/evidence/evidence.h"
#include "broker/evidence/resolve.h"
#include "policy/git_facts.h"
#include "policy/request.h"

enum { INODES_MAX = 512 };

struct inode {
	dev_t dev;
	ino_t ino;
};

/* Files that a second name must not hide. */
struct inodes {
	struct inode list[INODES_MAX];
	size_t n;
	bool full; /* then any file of several names may be one of them */
};

struct workspace {
	char session[RESOLVE_PATH_MAX]; /* the directory it was found from */
	char root[RESOLVE_PATH_MAX]; /* really; "" when there is none */
	size_t root_len;
	bool worktree; /* of a git repository */
};

struct evidence {
	struct mounts *mounts;
	struct worker_policy policy; /* decoded from what the worker is given */
	const char *home; /* as written; borrowed of the broker */
	char real_home[RESOLVE_PATH_MAX];
	size_t real_home_len;
	struct workspace workspace; /* of the last session directory asked for */
	struct inodes gate, secret;
	bool inodes_read;
	struct git_reader *reader; /* owned; NULL: never needed */
	uint32_t entries_listed; /* of directories, for the patterns of this decision */
};

struct evidence *evidence_of(struct broker *b) NONNULL;

/* repository.c */
int answer_repository(struct broker *b, struct evidence *e, const struct question *q,
	struct answer *ret) NONNULL MUST_CHECK;
int answer_push(struct broker *b, struct evidence *e, const struct question *q, struct answer *ret) NONNULL MUST_CHECK;
/* Facts that stay whatever the reader is asked next: repository_forget(). */
struct known_repository {
	struct bytes body; /* owned: what the facts point into */
	struct git_facts facts;
};
/* Of the worktree around a directory. 0, -ENOENT (there is none), -ENODATA (none that can be read) or another -errno. */
int repository_know(struct broker *b, struct evidence *e, struct bytes directory, struct known_repository *ret)
	NONNULL MUST_CHECK;
void repository_forget(struct known_repository *k) NONNULL;
/* Takes passwords out of the URLs in a->detail (struct git_facts, struct git_push). 0, -EPROTO: it holds none, -ENOMEM. */
int hide_facts_credentials(struct answer *a) NONNULL MUST_CHECK;
int hide_push_credentials(struct answer *a) NONNULL MUST_CHECK;
int answer_state(struct broker *b, struct evidence *e, const struct question *q, struct answer *ret) NONNULL MUST_CHECK;

/*
 * landed.c: may the remote that `ref` belongs to speak for what has landed in the worktree around q->base? q->extra:
 * the session.
 */
bool remote_is_trusted(struct broker *b, struct evidence *e, const struct question *q, const char *root,
	struct bytes ref) NONNULL;

/* workspace.c */
const struct workspace *workspace_of(struct evidence *e, struct bytes session) NONNULL;

/* protected.c */
bool inode_is_gate(struct evidence *e, const struct resolved *r) NONNULL;
bool inode_is_secret(struct evidence *e, const struct resolved *r) NONNULL;
bool name_is_gate(const struct evidence *e, struct bytes path) NONNULL;
/* Some file of the gate's lies below this directory and is there. */
bool directory_holds_gate(struct evidence *e, struct bytes path) NONNULL;

/* path.c, glob.c, program.c */
int answer_path(struct evidence *e, const struct question *q, struct answer *ret) NONNULL MUST_CHECK;
/* As above; *ret_where is set when the answer is ANSWER_KNOWN. */
int answer_path_resolved(struct evidence *e, const struct question *q, struct answer *ret,
	struct resolved *ret_where) NONNULL MUST_CHECK;
int answer_glob(struct evidence *e, const struct question *q, struct answer *ret) NONNULL MUST_CHECK;
enum program_outcome { PROGRAM_DOUBTFUL = 1 };

/*
 * Where the system's directories and a glance at the others settle it; else PROGRAM_DOUBTFUL, and *ret_rest is what is
 * left of PATH from the entry on that needs more than a glance: the name is in none before it.
 */
int answer_system_program(struct broker *b, const struct question *q, const char **ret_rest,
	struct answer *ret) NONNULL MUST_CHECK;
int answer_program(struct evidence *e, const struct question *q, const char *rest,
	struct answer *ret) __attribute__((nonnull(1, 2, 4))) MUST_CHECK;
/* links.c */
int answer_links(struct evidence *e, const struct question *q, struct answer *ret) NONNULL MUST_CHECK;
/* process.c: never an error, but ANSWER_UNKNOWN where the processes above cannot be seen. */
int answer_process(const struct question *q, struct answer *ret) NONNULL MUST_CHECK;
/* variable.c */
int answer_variable(struct broker *b, struct evidence *e, const struct question *q,
	struct answer *ret) NONNULL MUST_CHECK;
/* Does the value that the harness's environment gives a variable change nothing that matters? */
bool variable_is_harmless(struct broker *b, struct evidence *e, const struct workspace *w, const char *name) NONNULL;
/* script.c */
bool in_denied_zone(const struct evidence *e, struct bytes real) NONNULL;
int answer_script(struct broker *b, struct evidence *e, const struct question *q,
	struct answer *ret) NONNULL MUST_CHECK;
/* Facts that follow from where something lies, by its name and by its real place. */
uint32_t location_facts(
	struct evidence *e, const struct workspace *w, struct bytes name, const struct resolved *r) NONNULL;
int answer_text(struct bytes *field, const char *p, size_t len) NONNULL MUST_CHECK;

#endif
