/* SPDX-License-Identifier: Apache-2.0 */
/* Strict reading of a subcommand's options: what is not listed is an error, never ignored. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "policy/base.h"

/* `--name VALUE` or `--name=VALUE` when `value` is set, else a flag. */
struct option_spec {
	const char *name; /* with its dashes */
	const char **value;
	bool *flag;
};

/*
 * Reads argv[first..]. Options and operands may be mixed; `--` ends options. Values and operands point into
 * argv; at most `max` operands are taken. 0, or -EINVAL with *ret_error (static text) and *ret_what (the
 * argument, or NULL).
 */
int options_read(int argc, char **argv, int first, const struct option_spec *specs, size_t n_specs,
	const char **operands, int max, int *ret_n, const char **ret_error, const char **ret_what);

#endif
