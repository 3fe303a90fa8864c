/* SPDX-License-Identifier: Apache-2.0 */
/* The list of names, for tests that walk every model. */
#ifndef COMMANDS_NAMES_H
#define COMMANDS_NAMES_H

#include "worker/commands/model.h"

enum { MODEL_NAME_SIZE = 24 };

struct named_model {
	const char *name;
	const struct command_model *model;
};

/* The i-th of them, sorted by bytes, no name twice. False: there are not so many. */
bool model_named(size_t i, struct named_model *ret) NONNULL;

#endif
