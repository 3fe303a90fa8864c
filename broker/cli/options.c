/* SPDX-License-Identifier: Apache-2.0 */
/* Strict reading of a subcommand's options. */
#include "broker/cli/options.h"

static const struct option_spec *option_find(
	const struct option_spec *specs, size_t n, const char *arg, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (bytes_is((struct bytes){ arg, len }, specs[i].name))
			return &specs[i];
	return NULL;
}

/* One option at argv[i]; returns how many arguments it took, or 0 with *ret_error set. */
static int option_take(
	int argc, char **argv, int i, const struct option_spec *specs, size_t n, const char **ret_error)
{
	const char *eq = strchr(argv[i], '=');
	size_t len = eq ? (size_t)(eq - argv[i]) : strlen(argv[i]);
	const struct option_spec *o = option_find(specs, n, argv[i], len);

	if (!o) {
		*ret_error = "unknown option";
		return 0;
	}
	if (!o->value) {
		if (eq || *o->flag) {
			*ret_error = eq ? "option takes no value" : "option given twice";
			return 0;
		}
		*o->flag = true;
		return 1;
	}
	if (*o->value) {
		*ret_error = "option given twice";
		return 0;
	}
	if (!eq && i + 1 >= argc) {
		*ret_error = "option needs a value";
		return 0;
	}
	*o->value = eq ? eq + 1 : argv[i + 1];
	return eq ? 1 : 2;
}

int options_read(int argc, char **argv, int first, const struct option_spec *specs, size_t n_specs,
	const char **operands, int max, int *ret_n, const char **ret_error, const char **ret_what)
{
	bool ended = false;
	int n = 0;

	for (int i = first; i < argc;) {
		if (!ended && strcmp(argv[i], "--") == 0) {
			ended = true;
			i++;
		} else if (!ended && argv[i][0] == '-' && argv[i][1]) {
			int took = option_take(argc, argv, i, specs, n_specs, ret_error);

			if (took == 0) {
				*ret_what = argv[i];
				return -EINVAL;
			}
			i += took;
		} else if (n < max) {
			operands[n++] = argv[i++];
		} else {
			*ret_error = "one argument too many";
			*ret_what = argv[i];
			return -EINVAL;
		}
	}
	*ret_n = n;
	return 0;
}
