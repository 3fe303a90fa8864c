/* SPDX-License-Identifier: Apache-2.0 */
/* Access tokens that can be told by their looks. */
#ifndef TEXT_TOKEN_SHAPE_H
#define TEXT_TOKEN_SHAPE_H

#include "policy/base.h"

/* The length of the known token that `p` begins with, or 0. */
size_t token_shape(const char *p, size_t len) NONNULL;

#endif
