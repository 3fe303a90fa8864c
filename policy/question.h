/* SPDX-License-Identifier: Apache-2.0 */
/* Typed questions from worker to broker, and their answers: observation, not authority. */
#ifndef POLICY_QUESTION_H
#define POLICY_QUESTION_H

#include "policy/base.h"
#include "policy/wire/codec.h"

enum { QUESTIONS_MAX = 32, ANSWER_BYTES_MAX = 256 * 1024, QUESTION_PATH_MAX = 4096,
	SCRIPT_BYTES_MAX = 64 * 1024 };

enum question_kind {
	ASK_PATH = 1, /* what is this, where does it really lie? text = path, absolute or below base */
	ASK_PROGRAM, /* where does this name resolve in the harness's PATH? */
	ASK_SCRIPT, /* content and provenance of a script about to run */
	ASK_FILE, /* a file named on the line, for a judge to see: the answer holds no content and no size */
	ASK_REPOSITORY, /* that git would find from `base`. type MISSING: none. detail = struct git_facts */
	ASK_PUSH, /* where a push from `base` to this remote or URL (or to none) goes. detail = struct git_push */
	ASK_ENTRY, /* as PATH, but a link at the end is not followed: what deleting or renaming would hit */
	ASK_GLOB, /* text = a pattern: facts of any file it matches now, links not followed; size = how many */
	ASK_STATE, /* text = a file: tracked, committed, landed? size = enum git_file_facts, detail = the ref, real =
		      the root; WORK: likewise */
	ASK_WORK, /* text = a file or directory: uncommitted work there? size = enum git_below_facts */
	ASK_RUN, /* likewise, one that the line runs and the worker does not read */
	ASK_GLOB_TRACKED, /* as GLOB, but `**` does not enter .git */
	ASK_GLOB_VISIBLE, /* as GLOB, but neither files nor directories below are hidden ones */
	ASK_VARIABLE, /* text = a variable of the environment that changes programs; size = 1: its value changes none */
	ASK_LINKS, /* text = a file or directory: what it is, and where links at or below it lead (size: how many) */
	ASK_PROCESS, /* text = a process's number, a group's after -, or part of a name; size = 1: harness's or ours */
	ASK_PROCESS_LINE, /* likewise of a name with its arguments */
	ASK__MAX
};

struct question {
	enum question_kind kind;
	struct bytes base; /* absolute directory the path is relative to */
	struct bytes text;
	/*
	 * PATH, ENTRY, GLOB, LINKS, SCRIPT, FILE, RUN, VARIABLE, PROGRAM: the directory the session works in, which
	 * tells the workspace; STATE: the session's name, which tells what it began with; or empty.
	 */
	struct bytes extra;
};

enum path_type { PATH_UNKNOWN = 0, PATH_MISSING, PATH_FILE, PATH_DIRECTORY, PATH_LINK_BROKEN, PATH_SPECIAL };

enum path_facts {
	FACT_SYMLINK = 1u << 0, /* the last component is a link */
	FACT_VIA_SYMLINK = 1u << 1, /* some component was */
	FACT_HARD_LINKED = 1u << 2, /* more than one name */
	FACT_SECRET = 1u << 3, /* secret-looking by name or by where it really lies */
	FACT_GATE = 1u << 4, /* the gate's own, likewise, or sharing an inode with it */
	FACT_STARTUP = 1u << 5, /* a place whose content runs later (policy/paths/startup.c) */
	FACT_IN_WORKSPACE = 1u << 6,
	FACT_IN_SCRATCH = 1u << 7,
	FACT_IN_BUILD = 1u << 8, /* build or cache output */
	FACT_IN_HOME = 1u << 9,
	FACT_IN_SYSTEM = 1u << 10,
	FACT_IN_WORKTREE = 1u << 11,
	FACT_WORKSPACE_ROOT = 1u << 12, /* is, or holds, the workspace's root */
	FACT_EXECUTABLE = 1u << 13,
	FACT_REMOTE_FS = 1u << 14, /* FUSE, proc, sysfs, cgroup …: nothing more was looked at */
	FACT_HOLDS_GATE = 1u << 15, /* a directory with one of the gate's files below it */
	FACT_IN_PART = 1u << 16, /* SCRIPT, FILE, RUN: content is withheld, or something in it is blotted out */
	FACT__ALL = (1u << 17) - 1,
};

enum answer_status { ANSWER_REFUSED = 0, ANSWER_KNOWN, ANSWER_UNKNOWN };

struct answer {
	enum question_kind kind;
	enum answer_status status;
	enum path_type type;
	uint32_t facts; /* enum path_facts */
	struct bytes real; /* where it really lies, absolute */
	struct bytes content; /* SCRIPT; of FILE and RUN the broker keeps it */
	uint64_t size; /* of the whole file */
	struct bytes detail; /* kind-specific text: provenance, destination …; PATH: the workspace's root, if known */
};

void question_encode(struct writer *w, const struct question *q) NONNULL;
int question_decode(struct bytes body, struct question *ret) NONNULL MUST_CHECK;
void answer_encode(struct writer *w, const struct answer *a) NONNULL;
int answer_decode(struct bytes body, struct answer *ret) NONNULL MUST_CHECK;

/* Is a file's content what is asked for? */
bool question_is_of_content(enum question_kind kind);

#endif
