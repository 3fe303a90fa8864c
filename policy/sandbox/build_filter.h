/* SPDX-License-Identifier: Apache-2.0 */
/* A role's lists as a filter program: at build time for the programs, at test time to hold those against. */
#ifndef SANDBOX_BUILD_FILTER_H
#define SANDBOX_BUILD_FILTER_H

#include "policy/sandbox/roles.h"

#include <linux/filter.h>

/* `trap`: SIGSYS in place of every refusal but the soft ones. *ret is the caller's to free. 0 or -errno. */
int filter_build(enum role role, bool trap, struct sock_filter **ret, size_t *ret_n) NONNULL MUST_CHECK;

/* The highest call number the library knows for this machine. */
uint32_t filter_known_max(void);

#endif
