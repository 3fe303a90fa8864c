/* SPDX-License-Identifier: Apache-2.0 */
/* What each subcommand runs. All return the exit status, or -errno: the guard then has the last word. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "broker/broker.h"

/* sysexits.h's EX_USAGE, EX_SOFTWARE: part of the command line's contract. */
enum { EXIT_ALLOW = 0, EXIT_ASK = 1, EXIT_DENY = 2, EXIT_USAGE = 64, EXIT_BROKEN = 70 };

int cli_hook(struct broker *b) NONNULL;
int cli_check(struct broker *b) NONNULL;
int cli_parse(struct broker *b) NONNULL;
int cli_explain(struct broker *b) NONNULL;
int cli_config(struct broker *b) NONNULL;
int cli_models(struct broker *b) NONNULL;
int cli_doctor(struct broker *b) NONNULL;
int cli_version(struct broker *b) NONNULL;
int cli_help(struct broker *b) NONNULL;

/* The options of check, parse and explain, which have them in common. */
struct judge_options {
	const char *command; /* NULL with --batch */
	const char *session, *cwd, *dialect;
	bool batch, record, json, help;
};

/* 0, or -EINVAL with *ret_error (static text) and *ret_what (the argument it is about, or NULL). */
int judge_options_parse(int argc, char **argv, struct judge_options *ret, const char **ret_error,
	const char **ret_what) NONNULL MUST_CHECK;

/* "auto-classifier CMD: error: what" and the usage line on stderr; EXIT_USAGE, or -errno. */
int cli_usage_error(struct broker *b, const char *error, const char *what) __attribute__((nonnull(1, 2)));
/* A person looks on, and has not asked for plain text. */
bool cli_wants_colour(const struct broker *b) NONNULL;
/* The usage and help of the command being run, on stdout. */
int cli_command_help(struct broker *b) NONNULL;

#endif
