/* SPDX-License-Identifier: Apache-2.0 */
/* The models and their subcommands, one by one, with the options that each takes. */
#ifndef UNIT_EFFECTS_SUBJECTS_H
#define UNIT_EFFECTS_SUBJECTS_H

#include "tests/unit/effects_names.h"

enum { DEPTH = 4, LONGS = 512, LETTERS = 128, LINE = 512 };

struct option {
	char name[64]; /* a long option's; or a letter, behind a backslash where a shell would read it otherwise */
	enum arity arity;
	const struct option_rule *rule; /* NULL: harmless */
};

struct subject {
	char path[128]; /* how it is called */
	const struct command_model *chain[DEPTH]; /* from the program down, without the model */
	size_t depth;
	const struct command_model *model;
	struct option longs[LONGS], letters[LETTERS]; /* its own, and those of the chain that may follow it */
	size_t n_longs, n_letters;
	char twice[256]; /* options that its own tables list again */
	char rest[64]; /* words behind the options, so that the command is whole */
};

/* Every model once, by its own name and the first alias of a subcommand; one whose reader hands the words on is followed by the
 * model that gets them. */
typedef void subject_visit(const struct subject *subject, void *data);
void subjects_visit(subject_visit *visit, void *data);

/* The subcommand of that name or alias; NULL: none. */
const struct command_model *subcommand_of(const struct command_model *m, const char *word, size_t len);
bool subject_has(const struct subject *subject, uint32_t syntax);
const struct option *option_find(const struct option *options, size_t n, const char *name);
/* A letter as `name` of an option; buffer has LINE bytes. */
const char *letter_name(char *buffer, char letter);
/* A line of less than LINE bytes; returns buffer. */
const char *format(char *buffer, const char *form, ...) PRINTF_LIKE(2, 3);

#endif
