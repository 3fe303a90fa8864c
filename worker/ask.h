/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions a worker puts to the broker, as ordinary calls. Rule code does not know that there is a process behind
 * them: tests give it a table of answers instead.
 */
#ifndef WORKER_ASK_H
#define WORKER_ASK_H

#include "policy/question.h"
#include "policy/wire/channel.h"
#include "worker/shell/arena.h"

struct oracle {
	/*
	 * Fills *ret; its strings live in the arena. 0, or -errno: the channel is gone (the request cannot be decided).
	 */
	int (*ask)(void *data, struct arena *arena, const struct question *q, struct answer *ret);
	void *data;
};

/*
 * 0 or -errno, as above. What is too long to be asked is ANSWER_UNKNOWN. The caller keeps to QUESTIONS_MAX a decision:
 * the broker ends a worker that does not.
 * `base`: absolute, or empty where `path` is. `session`: the directory the session works in, or empty.
 * `entry`: what the name itself is, its last component not followed: what deleting or renaming it would hit.
 */
int ask_path(const struct oracle *o, struct arena *arena, struct bytes session, struct bytes base, struct bytes path,
	bool entry, struct answer *ret) NONNULL MUST_CHECK;
/* What a file name pattern (`*`, `?`, `[…]`) matches at this moment, all in one answer. `kind`: ASK_GLOB or one of its kin. */
int ask_glob(const struct oracle *o, struct arena *arena, struct bytes session, struct bytes base, struct bytes pattern,
	enum question_kind kind, struct answer *ret) NONNULL MUST_CHECK;
/* Does the value of a variable of the environment change nothing that matters? Then the answer's size is 1. */
int ask_variable(const struct oracle *o, struct arena *arena, struct bytes session, struct bytes name,
	struct answer *ret) NONNULL MUST_CHECK;
/*
 * Would a signal to this reach the harness, what it runs in, or the gate? Then the answer's size is 1. `whom`: a
 * number, one after -, or part of a name; `arguments`: it may also be found in a process's arguments.
 */
int ask_process(const struct oracle *o, struct arena *arena, struct bytes whom, bool arguments,
	struct answer *ret) NONNULL MUST_CHECK;
/* What a file or directory is, and where links at or below it lead. */
int ask_links(const struct oracle *o, struct arena *arena, struct bytes session, struct bytes base, struct bytes path,
	struct answer *ret) NONNULL MUST_CHECK;
/* The program that PATH makes of a name: facts of the directory it is found in. PATH_MISSING: there is none. */
int ask_program(const struct oracle *o, struct arena *arena, struct bytes session, struct bytes name,
	struct answer *ret) NONNULL MUST_CHECK;
/* A script's content, as far as it is shown (ASK_SCRIPT). */
int ask_script(const struct oracle *o, struct arena *arena, struct bytes session, struct bytes base, struct bytes path,
	struct answer *ret) NONNULL MUST_CHECK;
/*
 * The repository that git would find from a directory (ASK_REPOSITORY), where a push from it goes (ASK_PUSH), what is
 * known of a file (ASK_STATE) or lost below a path (ASK_WORK) there. `session`: its name, for STATE; else empty.
 */
int ask_git(const struct oracle *o, struct arena *arena, enum question_kind kind, struct bytes session,
	struct bytes directory, struct bytes text, struct answer *ret) NONNULL MUST_CHECK;

/* The real one. */
struct oracle oracle_channel(struct channel *broker) NONNULL;

#endif
