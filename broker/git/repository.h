/* SPDX-License-Identifier: Apache-2.0 */
/* One repository, as the git reader sees it: where its parts lie, what its settings say, what its files are. */
#ifndef GIT_REPOSITORY_H
#define GIT_REPOSITORY_H

#include <limits.h>

#include "policy/git_facts.h"

/* Outcomes beside 0 and -errno. What they mean for the answer stands in struct want. */
enum git_read_outcome {
	READ_REFUSED = 1, /* want.text: why */
	READ_NEEDS, /* want.kind, want.text: the path to be started again with */
	READ_MISSING, /* read_file(): there is no such file */
};

struct want {
	enum git_grant_kind kind;
	char text[GIT_TEXT_MAX + 1];
};

int want_refused(struct want *w, const char *why) NONNULL;

struct granted {
	uint32_t n;
	struct {
		enum git_grant_kind kind;
		char path[PATH_MAX];
	} list[GIT_GRANTS_MAX];
};

struct layout {
	char root[PATH_MAX]; /* the worktree, or the bare repository */
	char git[PATH_MAX]; /* the git directory of this worktree */
	char common[PATH_MAX]; /* the one it shares with others: the same, mostly */
	char branch[256]; /* that HEAD is on, or "" */
	bool bare;
};

/* files.c */
struct text { /* owned: text_done() */
	char *p;
	size_t len;
};
void text_done(struct text *t) NONNULL;
/* A regular file of at most `max` bytes. What may not be read is wanted as `kind`. */
int read_file(const char *path, size_t max, enum git_grant_kind kind, struct want *w,
	struct text *ret) NONNULL MUST_CHECK;
/* May this directory be listed? What may not is wanted as `kind`. READ_MISSING: it is none. */
int probe_directory(const char *path, enum git_grant_kind kind, struct want *w) NONNULL MUST_CHECK;
/* "base/name", or name alone where that is absolute. False: too long. */
bool join_path(char ret[PATH_MAX], const char *base, const char *name, size_t len) NONNULL;
bool is_within(const char *path, const char *directory) NONNULL;

/* layout.c */
int layout_find(const struct git_question *q, struct layout *ret, struct want *w) NONNULL MUST_CHECK;
/* Object directories that this one borrows from, in turn: all of them must be granted. */
int layout_alternates(const struct layout *l, struct want *w) NONNULL MUST_CHECK;

/* settings.c */
struct setting {
	struct bytes name, value; /* owned by the list */
	bool has_value;
	bool own; /* the repository's, not the user's or the system's */
	bool conditional; /* of a file that git may or may not include */
};

struct settings {
	struct setting *list;
	uint32_t n, size;
	bool unknown; /* an include that could not be followed */
};

int settings_read(const struct git_question *q, const struct granted *g, const struct layout *l, struct settings *ret,
	struct want *w) NONNULL MUST_CHECK;
void settings_done(struct settings *s) NONNULL;
/* The last value, unconditional ones alone; NULL: none. */
const struct setting *settings_last(const struct settings *s, const char *name) NONNULL;
bool setting_is_true(const struct setting *s);

/* runs.c: programs that the repository makes git run. */
uint32_t runs_of(const struct layout *l, const struct settings *s) NONNULL;

/* gitlinks.c: programs of the repositories inside this one that its index lists. */
uint32_t gitlink_runs(const struct layout *l, bool sha256) NONNULL;

/* facts.c: *ret points into *l, *s and `names`, whose text is the caller's to free. */
int facts_of(const struct git_question *q, const struct layout *l, const struct settings *s, struct text *names,
	struct git_facts *ret, struct want *w) NONNULL MUST_CHECK;
/* The short name of a remote's default branch, in `ret`; "" where none is known. */
int default_branch(const struct git_question *q, const struct layout *l, struct bytes remote, char *ret, size_t size,
	struct want *w) NONNULL MUST_CHECK;

/* state.c: through libgit2. */
int state_of(const struct git_question *q, const struct layout *l, const struct git_facts *f, struct git_answer *ret,
	struct want *w) NONNULL MUST_CHECK;

/* answer.c: the answer to one question as a message body; 0 or -errno. */
int answer_question(const struct granted *g, struct bytes question, struct writer *ret) NONNULL MUST_CHECK;

#endif
