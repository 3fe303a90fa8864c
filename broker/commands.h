/* SPDX-License-Identifier: Apache-2.0 */
/* The subcommands, as a table that guard, broker, help, completions and the manual walk. */
#ifndef BROKER_COMMANDS_H
#define BROKER_COMMANDS_H

#include "policy/base.h"
#include "policy/harness.h"

struct broker;

enum input_mode {
	INPUT_NONE, /* stdin is not read */
	INPUT_WHOLE, /* read to its end before anything is decided (hooks) */
	INPUT_STREAM, /* chunks, as they come (--batch) */
};

struct command_spec {
	const char *name;
	const char *usage; /* arguments, for help */
	const char *help; /* one line */
	const char *detail; /* options and more, lines for `help COMMAND`; NULL: none */
	bool verdict; /* answers with one verdict: if all else fails, the guard prints a deny; else only an
			 error line */
	bool hook; /* a harness waits: replies are held back until complete, and the guard has the last word
		    */
	bool worker; /* a worker is started in parallel with the broker */
	enum input_mode input;
	bool hidden;
	int (*run)(
		struct broker *b); /* returns the exit status, or -errno: the guard then has the last word */
};

extern const struct command_spec command_specs[];
extern const size_t n_command_specs;
extern const char
	command_unknown[]; /* what the guard says on stderr, with status 64, when command_find() finds none */

const struct command_spec *command_by_name(const char *name) NONNULL; /* aliases too; NULL: none */

/* The command line of a hook, whichever command spells it. */
struct hook_options {
	enum harness harness; /* HARNESS_UNKNOWN: recognise by payload */
	const char *event; /* points into argv; NULL: not said */
	uint32_t limit_ms; /* the harness's limit, or --limit-ms where that is shorter */
};

/* 0, or -EINVAL with *ret_error saying what is wrong (static text); *ret is then the bare hook's. */
int hook_options_parse(
	int argc, char **argv, struct hook_options *ret, const char **ret_error) NONNULL MUST_CHECK;

/* By argv: `hook NAME …`, `agy`, `check --batch` (input becomes STREAM) and so on. NULL: not a command.
 * Without arguments: the hook when stdin is no terminal, else help. Fills *ret_input and *ret_harness. A hook
 * whose options are wrong is still the hook, with HARNESS_UNKNOWN: a harness waits, so it must be told deny.
 */
const struct command_spec *command_find(
	int argc, char **argv, bool stdin_is_tty, enum input_mode *ret_input, enum harness *ret_harness);

#endif
