/* SPDX-License-Identifier: Apache-2.0 */
/* Constructs that dialects read differently. Outside bash they are not modelled. */
#ifndef SHELL_DIALECT_H
#define SHELL_DIALECT_H

#include "worker/shell/shell.h"

/* A set of dialects. */
enum { IN_POSIX = 1u << DIALECT_POSIX, IN_ZSH = 1u << DIALECT_ZSH, IN_OTHER = 1u << DIALECT_OTHER };

enum construct {
#define CONSTRUCT(name, differs, example, why) CONSTRUCT_##name,
#include "worker/shell/constructs.def"
#undef CONSTRUCT
	CONSTRUCT__MAX
};

struct construct_row {
	const char *name;
	unsigned int differs; /* set of dialects that read it differently from bash, or may */
	const char *example; /* a line that prints one thing in bash and another elsewhere */
	const char *why;
};

extern const struct construct_row constructs[CONSTRUCT__MAX];

struct parser;

/* A construct was met at a place: flags the line when its dialect reads it differently. */
void met(struct parser *p, enum construct construct, const char *at) NONNULL;
/* A word as it was written, in a dialect that is not bash: the constructs that only the whole word shows. */
void met_word(struct parser *p, const struct word *w, unsigned int mode) NONNULL;
void met_command_word(struct parser *p, const struct word *w) NONNULL;

#endif
