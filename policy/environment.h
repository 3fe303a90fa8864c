/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of the harness's environment that change what commands do, and which commands. */
#ifndef POLICY_ENVIRONMENT_H
#define POLICY_ENVIRONMENT_H

#include "policy/base.h"

/*
 * Is `name` one that decides what some program runs or where it works? Then *ret_row is its row for
 * environment_affects(). Names alone are known, so a harmless value is not told from another.
 */
bool environment_is_powerful(struct bytes name, uint32_t *ret_row);
/* Does that variable bear upon a program of this name (without directories)? `variable` is what the row was found by. */
bool environment_affects(uint32_t row, struct bytes variable, struct bytes program);
/* A directory of PATH where the system keeps its programs: whoever may write there owns the machine. */
bool environment_is_program_directory(struct bytes directory);

#endif
