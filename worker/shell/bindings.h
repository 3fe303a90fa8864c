/* SPDX-License-Identifier: Apache-2.0 */
/* What the line itself has made of variables, at one place of it. */
#ifndef SHELL_BINDINGS_H
#define SHELL_BINDINGS_H

#include "worker/shell/parser.h"

enum { BINDING_BUCKETS = 128, BINDING_VALUE_MAX = 4096 };

struct binding {
	struct bytes name, value;
	bool known;
	bool fixed; /* an attribute or an earlier readonly decides what a value becomes: never known again */
	bool is_function;
	bool readonly; /* assigning again is refused, and what bash does then is not followed */
	uint32_t epoch; /* the value is as old as this: stale when the table's is newer */
	struct binding *next;
};

/* Changes, newest first, so that those of a branch can be made unknown when the branch ends. */
struct change {
	struct binding *binding;
	const struct change *older;
};

struct bindings {
	struct binding *buckets[BINDING_BUCKETS];
	const struct change *changes;
	uint32_t epoch;
	bool hopeless; /* a trap may change anything at any moment */
	bool split_by_default; /* IFS is as the shell starts with it */
	bool home_known;
};

/* As at the line's start: HOME and the working directory are known when the options say them. */
struct bindings *bindings_new(struct parser *p) NONNULL;
/* As in a function's body, which runs whenever it is called. */
struct bindings *bindings_new_unknown(struct parser *p, const struct bindings *outer) NONNULL;
void bind(struct parser *p, struct bindings *b, struct bytes name, struct bytes value) NONNULL;
void unbind(struct parser *p, struct bindings *b, struct bytes name) NONNULL;
/* An attribute makes something else of what is assigned. */
void fix(struct parser *p, struct bindings *b, struct bytes name) NONNULL;
void bind_readonly(struct parser *p, struct bindings *b, struct bytes name) NONNULL;
void unbind_all(struct bindings *b) NONNULL;
/* Makes unknown what has changed since `mark`, an earlier b->changes. */
void unbind_since(struct bindings *b, const struct change *mark) __attribute__((nonnull(1)));
void bind_function(struct parser *p, struct bindings *b, struct bytes name) NONNULL;
bool is_function(const struct bindings *b, struct bytes name) NONNULL;

/* ---- builtins.c: what a command does to variables */
void apply_builtin(struct parser *p, struct bindings *b, const struct simple_command *c) NONNULL;

#endif
