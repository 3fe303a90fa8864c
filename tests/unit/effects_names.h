/* SPDX-License-Identifier: Apache-2.0 */
/* All names of models as one table, for tests that walk them. */
#ifndef UNIT_EFFECTS_NAMES_H
#define UNIT_EFFECTS_NAMES_H

#include "worker/commands/names.h"

enum { NAMES_MAX = 4096 };

static inline const struct named_model *model_names(size_t *ret_n)
{
	static struct named_model all[NAMES_MAX];
	size_t n = 0;

	while (n < NAMES_MAX && model_named(n, &all[n]))
		n++;
	*ret_n = n;
	return all;
}

#endif
