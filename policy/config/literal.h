/* SPDX-License-Identifier: Apache-2.0 */
/* A literal string of a configuration file, found without a parser that would copy it. */
#ifndef CONFIG_LITERAL_H
#define CONFIG_LITERAL_H

#include "policy/base.h"

/*
 * The value of the member at the dotted path, in place in `text`, whose comments are blanked. False: there is none, it
 * is no string, or it holds an escape (no key does).
 */
bool config_literal(char *text, size_t len, const char *path, struct bytes *ret) NONNULL MUST_CHECK;

#endif
