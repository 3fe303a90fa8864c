/* SPDX-License-Identifier: Apache-2.0 */
/* Program text of other languages given on the command line: read as far as it is fully understood, else
 * open. */
#ifndef COMMANDS_INLINE_H
#define COMMANDS_INLINE_H

#include "worker/commands/model.h"

/* Adds the effects of the text; a text that is dynamic, or not understood as a whole, is RUN_INLINE too. */
void inline_python(struct run *run, const struct arg *text);
void inline_node(struct run *run, const struct arg *text);

#endif
