/* SPDX-License-Identifier: Apache-2.0 */
/* The shell parser's door. */
#ifndef SHELL_SHELL_H
#define SHELL_SHELL_H

#include "worker/shell/arena.h"
#include "worker/shell/ast.h"

enum dialect { DIALECT_BASH, DIALECT_POSIX, DIALECT_ZSH, DIALECT_OTHER, DIALECT__MAX };

/* Sizes past which a line is denied unjudged, with the limit named. */
enum {
	SHELL_MAX_LENGTH = 64 * 1024, /* bytes of command text */
	SHELL_MAX_DEPTH = 64, /* nesting of constructs, all kinds counted together */
	SHELL_MAX_COMMANDS = 16 * 1024, /* simple commands in one line */
	SHELL_MAX_WORDS = 64 * 1024,
};

struct shell_options {
	enum dialect dialect;
	struct bytes home; /* what ~ and $HOME stand for; empty: unknown, they stay dynamic */
	struct bytes cwd; /* what $PWD stands for; empty: unknown */
};

/*
 * Parse `text` as the given dialect would read it. Always yields a script: what could not be modelled is flagged
 * in it, never dropped, and the commands recognised before that place are listed. Linear in the text's length.
 * Returns 0, or -ENOMEM (also when the arena's cap is reached: script.limit is not available then).
 */
int shell_parse(struct arena *arena, struct bytes text, const struct shell_options *options,
	struct script **ret_script) NONNULL MUST_CHECK;

const char *dialect_name(enum dialect d);
bool dialect_from_name(struct bytes name, enum dialect *ret_dialect);

#endif
