/* SPDX-License-Identifier: Apache-2.0 */
/* What the git reader is asked and says: message bodies between broker and reader, and the facts a worker is told. */
#ifndef POLICY_GIT_FACTS_H
#define POLICY_GIT_FACTS_H

#include "policy/base.h"
#include "policy/request.h"
#include "policy/wire/codec.h"

enum {
	GIT_GRANTS_MAX = 32, /* directories and files handed to one reader */
	GIT_REMOTES_MAX = 32,
	GIT_URLS_MAX = 8, /* of one remote, and as many to push to */
	GIT_REWRITES_MAX = 64,
	GIT_TEXT_MAX = 4096,
	GIT_PROTECTED_MAX = 64,
};

/* What a path handed to the reader is. Zero is none of them. */
enum git_grant_kind {
	GIT_GRANT_TREE = 1, /* the directory that holds .git, or the bare repository itself */
	GIT_GRANT_DIRECTORY, /* a git directory, or a common one, that lies elsewhere */
	GIT_GRANT_OBJECTS, /* an object directory named by `alternates` */
	GIT_GRANT_SYSTEM, /* /etc/gitconfig */
	GIT_GRANT_XDG, /* $XDG_CONFIG_HOME/git/config */
	GIT_GRANT_USER, /* ~/.gitconfig */
	GIT_GRANT_INCLUDE, /* a file that a configuration includes */
	GIT_GRANT__MAX
};

/* MSG_GIT_OPEN, with the descriptor: the path as it really lies. */
struct git_grant {
	enum git_grant_kind kind;
	struct bytes path;
};

enum git_ask {
	GIT_ASK_FACTS = 1,
	GIT_ASK_FILE, /* the state of one file; path below the root */
	GIT_ASK_BELOW, /* uncommitted work at or below the path; empty: the whole worktree */
	GIT_ASK__MAX
};

/* MSG_GIT_QUESTION. */
struct git_question {
	enum git_ask ask;
	struct bytes root; /* the tree granted */
	bool bare; /* it is a git directory itself */
	bool layers_withheld; /* some file of settings could not be handed over */
	bool user_is_another; /* what is called the user's is of a HOME that is not: as good as the repository's own */
	struct bytes home; /* what ~ stands for in settings; or empty */
	struct bytes path; /* FILE, BELOW: relative to root */
	struct string_list protected; /* names tried where a remote has no default branch */
};

/* Programs that settings of the repository itself (not the user's own) make git run, by the occasion. */
enum git_runs {
	GIT_RUNS_FSMONITOR = 1u << 0,
	GIT_RUNS_DIFF = 1u << 1, /* external diffs, text conversion */
	GIT_RUNS_FILTER = 1u << 2, /* clean and smudge filters */
	GIT_RUNS_PAGER = 1u << 3,
	GIT_RUNS_EDITOR = 1u << 4,
	GIT_RUNS_SIGNING = 1u << 5,
	GIT_RUNS_TRANSPORT = 1u << 6, /* ssh commands, proxies, programs of the other side, remote helpers */
	GIT_RUNS_CREDENTIAL = 1u << 7,
	GIT_RUNS_MERGE = 1u << 8,
	GIT_RUNS_ALIAS = 1u << 9,
	GIT_RUNS_TRAILER = 1u << 10,
	GIT_RUNS_SUBMODULE = 1u << 11,
	GIT_RUNS_ARCHIVE = 1u << 12,
	GIT_RUNS_HELP = 1u << 13, /* browsers and manual viewers */
	GIT_RUNS_INTERACTIVE = 1u << 14,
	GIT_RUNS_TOOL = 1u << 15, /* difftool, mergetool */
	GIT_RUNS_HOOK_INDEX = 1u << 16, /* post-index-change: also commands that only show */
	GIT_RUNS_HOOKS = 1u << 17, /* any other hook, in the repository or its worktree: the project's own code */
	GIT_RUNS_HOOKS_OUTSIDE = 1u << 18, /* hooks that the repository's settings take from elsewhere */
	GIT_RUNS_ELSEWHERE = 1u << 19, /* core.worktree: git works on another directory than this one */
	GIT_RUNS_PARTIAL = 1u << 20, /* objects are fetched when first needed: reading may use the transport */
	GIT_RUNS__ALL = (1u << 21) - 1,
};

enum git_remote_flags {
	GIT_REMOTE_MIRROR = 1u << 0, /* a push overwrites and deletes whatever differs */
	GIT_REMOTE_REFSPECS = 1u << 1, /* a bare push is spelt out by remote.NAME.push */
	GIT_REMOTE_FORCES = 1u << 2, /* and one of those begins with + or deletes */
	GIT_REMOTE_HELPER = 1u << 3, /* another program speaks to it */
	GIT_REMOTE_MIXED = 1u << 4, /* some fetch writes what is known of its default branch from elsewhere */
	GIT_REMOTE__ALL = (1u << 5) - 1,
};

struct git_remote {
	struct bytes name;
	uint32_t n_urls, n_push_urls;
	struct bytes urls[GIT_URLS_MAX], push_urls[GIT_URLS_MAX]; /* as the settings say, not yet rewritten */
	struct bytes default_branch; /* short name; empty: not known */
	uint32_t flags;
};

struct git_rewrite { /* url.BASE.insteadOf, url.BASE.pushInsteadOf */
	struct bytes base, prefix;
	bool push;
};

struct git_facts {
	struct bytes root; /* of the worktree; of a bare repository its directory */
	struct bytes git_directory;
	struct bytes common_directory; /* that worktrees share: the same, mostly */
	struct bytes branch; /* that HEAD is on; empty: none */
	bool bare;
	bool complete; /* every setting git would read was read and understood: destinations can be told */
	uint32_t runs; /* enum git_runs */
	struct bytes branch_remote, branch_push_remote, branch_merge; /* of the branch HEAD is on */
	struct bytes push_remote, push_mode; /* remote.pushDefault, push.default */
	uint32_t n_remotes, n_rewrites;
	struct git_remote remotes[GIT_REMOTES_MAX];
	struct git_rewrite rewrites[GIT_REWRITES_MAX];
};

enum git_file_facts {
	GIT_FILE_TRACKED = 1u << 0,
	GIT_FILE_IGNORED = 1u << 1,
	GIT_FILE_COMMITTED = 1u << 2, /* HEAD holds exactly these bytes under this name */
	GIT_FILE_LANDED = 1u << 3, /* and so does the remote's default branch: `ref` */
	GIT_FILE_ON_REMOTE = 1u << 4, /* the default branch has some file of that name */
	GIT_FILE_MISSING = 1u << 5,
	GIT_FILE__ALL = (1u << 6) - 1, /* of what a reader says */
	GIT_FILE_TRUSTED = 1u << 6, /* the broker's own: that remote may speak for what has landed */
};

enum git_below_facts {
	GIT_BELOW_CHANGED = 1u << 0, /* tracked files that differ from HEAD */
	GIT_BELOW_UNTRACKED = 1u << 1,
	GIT_BELOW_IGNORED = 1u << 2,
	GIT_BELOW_TRACKED = 1u << 3, /* the index holds something there */
	GIT_BELOW_STASHED = 1u << 4, /* the repository keeps stashed work, wherever it was */
	GIT_BELOW__ALL = (1u << 5) - 1,
};

/* The `detail` of GIT_DISCARD: which work is lost at or below its target, if there is any in the repository (worker/rules/discards.c). */
#define LOSES_CHANGED "changed" /* of tracked files */
#define LOSES_ANY "any" /* untracked and ignored ones as well, where they stand in the way */
#define LOSES_ALL "all" /* changes in the whole worktree */
#define LOSES_ALL_IF_KNOWN "all-if-known" /* the same, on the way to a commit that is named */
#define LOSES_ALL_IN_THE_WAY "all-in-the-way" /* and untracked files where they stand in the way */
#define LOSES_UNTRACKED "untracked"
#define LOSES_UNTRACKED_AND_IGNORED "untracked-and-ignored"
#define LOSES_IGNORED "ignored"
#define LOSES_STASH "stash"
#define LOSES_WORKTREE "worktree" /* of the worktree that the target is */
#define LOSES_NAMED "named" /* changes, if the target is a file or directory and not a branch */

enum git_outcome {
	GIT_REFUSED = 0, /* `text`: why, for people */
	GIT_NEEDS, /* `kind` and `text`: a path to be started again with */
	GIT_FACTS,
	GIT_FILE, /* `state`, and `text`: the ref it was compared with, or empty */
	GIT_BELOW, /* `state` */
	GIT_OUTCOME__MAX
};

/* MSG_GIT_ANSWER; FACTS carries `facts`, encoded. */
struct git_answer {
	enum git_outcome outcome;
	enum git_grant_kind kind;
	uint32_t state;
	struct bytes text;
	struct bytes facts;
};

void git_grant_encode(struct writer *w, const struct git_grant *g) NONNULL;
int git_grant_decode(struct bytes body, struct git_grant *ret) NONNULL MUST_CHECK;
void git_question_encode(struct writer *w, const struct git_question *q) NONNULL;
/* The list of names is put into `names`, of GIT_PROTECTED_MAX members. */
int git_question_decode(struct bytes body, struct bytes *names, struct git_question *ret) NONNULL MUST_CHECK;
void git_answer_encode(struct writer *w, const struct git_answer *a) NONNULL;
int git_answer_decode(struct bytes body, struct git_answer *ret) NONNULL MUST_CHECK;
void git_facts_encode(struct writer *w, const struct git_facts *f) NONNULL;
/* Points into the body. -EPROTO on anything out of bounds. */
int git_facts_decode(struct bytes body, struct git_facts *ret) NONNULL MUST_CHECK;

/* Where a push goes: the answer to ASK_PUSH, in `detail`. */
struct git_push {
	bool verified; /* these are all the places, and there is no other */
	bool forced; /* the settings alone make the push overwrite or delete */
	uint32_t n_urls;
	struct bytes urls[GIT_URLS_MAX]; /* rewritten */
	struct bytes head; /* the branch HEAD is on; empty: none */
	struct bytes branch; /* a bare push updates this branch there; empty: not known */
	struct bytes default_branch; /* of that remote; empty: not known */
	uint32_t runs; /* enum git_runs: programs that a push of this repository may run */
};

void git_push_encode(struct writer *w, const struct git_push *p) NONNULL;
int git_push_decode(struct bytes body, struct git_push *ret) NONNULL MUST_CHECK;

/*
 * What `git push [REMOTE]` means here (git-push(1), git-config(1) "url.<base>.insteadOf", "branch.<name>.pushRemote").
 * `remote`: a name, a URL, a path, or empty. `text` holds the rewritten URLs and must outlive *ret; the URLs that do
 * not fit make the answer unverified.
 */
void git_push_resolve(const struct git_facts *f, struct bytes remote, char *text, size_t size, struct git_push *ret)
	NONNULL;

/* Where `git fetch` takes the remote's branches from, rewritten into `text` where settings say so. False: not known. */
bool git_fetch_resolve(
	const struct git_facts *f, const struct git_remote *m, char *text, size_t size, struct bytes *ret) NONNULL;

/* Where a file comes from. */
enum git_provenance {
	GIT_PROVENANCE_MISSING, /* there is none */
	GIT_PROVENANCE_IGNORED, /* untracked, and git is told not to see it */
	GIT_PROVENANCE_UNTRACKED,
	GIT_PROVENANCE_LANDED, /* what the default branch of a trusted remote holds */
	GIT_PROVENANCE_FOREIGN, /* of one that is not trusted */
	GIT_PROVENANCE_UNPUSHED, /* committed here alone */
	GIT_PROVENANCE_MODIFIED,
	GIT_PROVENANCE__MAX
};

/* From a file's state (enum git_file_facts). */
enum git_provenance git_file_provenance(uint32_t state);
/* In one word: "landed", "modified" … */
const char *git_provenance_name(enum git_provenance p);

/* Which of these one subcommand ("status") may run; of one that is not in the table: all. */
uint32_t git_runs_during(uint32_t runs, struct bytes subcommand);
/* What one setting of a repository (git's canonical name, "core.fsmonitor") may run; 0: nothing. */
uint32_t git_runs_by(struct bytes name, struct bytes value, bool has_value);

#endif
