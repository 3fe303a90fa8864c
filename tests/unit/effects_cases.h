/* SPDX-License-Identifier: Apache-2.0 */
/* The written cases of what command lines do, for the tests that check them and for the one that counts them. */
#ifndef UNIT_EFFECTS_CASES_H
#define UNIT_EFFECTS_CASES_H

#include <stddef.h>

struct effects_case {
	const char *line, *effects; /* as effects_render() writes them */
};

struct effects_cases {
	const char *about; /* of what the cases are, for a failure's message */
	const struct effects_case *cases;
	size_t n;
};

/* Every table of cases; *ret_n of them. */
const struct effects_cases *effects_tables(size_t *ret_n);

#endif
