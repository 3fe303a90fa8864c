/* SPDX-License-Identifier: Apache-2.0 */
/* The system call filters, one a role, written by the build from the lists in calls.c. */
#ifndef SANDBOX_FILTERS_H
#define SANDBOX_FILTERS_H

#include "policy/sandbox/roles.h"

#include <linux/filter.h>

struct filter_program {
	const struct sock_filter *code;
	uint16_t n; /* 0: this role has none */
};

extern const struct filter_program role_filters[ROLE__MAX];

/* A build for tests alone: a refused call is reported by filter_report_traps()'s handler and ends with status 126. */
#ifdef SECCOMP_TRAP
enum { FILTERS_TRAP = 1 };
#else
enum { FILTERS_TRAP = 0 };
#endif
enum { TRAPPED_STATUS = 126 };

int filter_report_traps(void) MUST_CHECK;

#endif
