/* SPDX-License-Identifier: Apache-2.0 */
/* The system calls each confined role may make, with the reason for each. Data for the exporter, tests and people. */
#ifndef SANDBOX_CALLS_H
#define SANDBOX_CALLS_H

#include "policy/sandbox/roles.h"

enum call_kind {
	CALL_ALLOW,
	CALL_NO_EXEC, /* allowed where the third argument, a protection, lacks PROT_EXEC */
	CALL_READ_ONLY, /* allowed where the third argument, the flags of an open, neither writes nor creates */
	CALL_SOFT, /* refused with ENOSYS: the caller has another way */
	CALL_PENDING, /* refused with EINPROGRESS: the caller waits for what has happened already */
};

struct call_rule {
	const char *name; /* as in the kernel's table; one that this machine lacks is passed over */
	enum call_kind kind;
	const char *why;
};

struct call_list {
	const struct call_rule *rules;
	size_t n;
};

struct role_calls {
	struct call_list own; /* what our code asks for */
	struct call_list libc; /* what the C library does on its own */
};

extern const struct role_calls role_calls[ROLE__MAX];

#endif
