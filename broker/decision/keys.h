/* SPDX-License-Identifier: Apache-2.0 */
/* The keys that decisions are counted and remembered under: hashes only the broker makes. */
#ifndef DECISION_KEYS_H
#define DECISION_KEYS_H

#include <sha2.h>

#include "policy/assessment.h"
#include "policy/question.h"

enum { KEY_HEX = 64 };

struct key {
	char hex[KEY_HEX + 1];
};

/* A file that content was asked for of: which one, and what was found. */
struct file_key {
	struct key path, content;
};

/* What the broker itself served for one decision. A later content of the same file gives another key. */
struct evidence_log {
	SHA2_CTX all;
	uint32_t questions, n_files;
	struct file_key files[QUESTIONS_MAX]; /* what a stored denial depends on */
	size_t bytes; /* of answers served */
	bool in_part; /* content of a file that it does not hold whole: another could be the same to it */
	bool guarded; /* content was asked for of what is a secret, the gate's own, or no file */
};

void evidence_log_init(struct evidence_log *log) NONNULL;
void evidence_log_add(struct evidence_log *log, const struct question *q, const struct answer *a) NONNULL;

/* Over the sorted set of causes; over the trimmed command when the worker named none. */
struct key counting_key(const struct assessment *a) NONNULL;
/* Over the trimmed command, where it runs, what the worker made of it, and all evidence served. */
struct key exact_key(const struct assessment *a, const struct evidence_log *log) NONNULL;
struct key key_of_bytes(struct bytes b) NONNULL;

struct bytes trim_blanks(struct bytes b);

#endif
