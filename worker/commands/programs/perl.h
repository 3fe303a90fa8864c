/* SPDX-License-Identifier: Apache-2.0 */
/* What is understood of perl's language. */
#ifndef COMMANDS_PERL_H
#define COMMANDS_PERL_H

#include "worker/commands/model.h"

/* The whole text prints and changes lines, and does nothing else. */
bool perl_text_is_understood(struct bytes text);
/* The words behind perl: known switches, one such text, and names that open nothing but files. */
bool perl_is_understood(const struct run *run);

#endif
