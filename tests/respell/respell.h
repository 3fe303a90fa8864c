/* SPDX-License-Identifier: Apache-2.0 */
/* Other spellings of a line: what a shell would run stays the same. */
#ifndef RESPELL_RESPELL_H
#define RESPELL_RESPELL_H

#include "worker/shell/shell.h"

enum { RESPELL_MAX = 16 * 1024, TOKENS_MAX = 64, NOTES_MAX = 160 };

struct random {
	uint64_t state; /* never 0 */
};

uint32_t random_below(struct random *r, uint32_t n) NONNULL;

/* Text that grows up to a bound; past it `full` is set and nothing is added. */
struct spelling {
	char text[RESPELL_MAX];
	size_t len;
	bool full;
	bool same_causes; /* nothing was done that may add a cause */
	char notes[NOTES_MAX]; /* what was done, for people */
};

void spelling_add(struct spelling *s, const char *p, size_t n) NONNULL;
void spelling_note(struct spelling *s, const char *what) NONNULL;

/* One word of a simple command. */
struct token {
	struct bytes text; /* the value when `free`, else the source */
	struct bytes source; /* as written; empty once the value was changed */
	bool free; /* may be written in any way that has this value */
};

/* Another way to write a value: quotes, backslashes, $'…', continuations, empty quotes. `first`: a command
 * word. */
void spell_value(struct spelling *s, struct random *r, struct bytes value, bool first) NONNULL;

/*
 * Rearranges the words of one command as its program allows: order, clusters, abbreviations, long for short,
 * "--". New texts are put into the arena. False: no room.
 */
bool respell_options(
	struct spelling *s, struct random *r, struct arena *arena, struct token *tokens, uint32_t *n) NONNULL;

/* One other spelling of the line; false: this line has none that is sure to mean the same, or it would be too
 * long. */
bool respell(struct random *r, struct arena *arena, struct bytes line, struct spelling *ret) NONNULL;

#endif
