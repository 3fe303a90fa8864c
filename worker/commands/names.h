/* SPDX-License-Identifier: Apache-2.0 */
/* The list of names, for tests that walk every model. */
#ifndef COMMANDS_NAMES_H
#define COMMANDS_NAMES_H

#include "worker/commands/model.h"

struct named_model {
	const char *name;
	const struct command_model *model;
};

/* Sorted by bytes, no name twice. */
const struct named_model *model_names(size_t *ret_n) NONNULL;

#endif
