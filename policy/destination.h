/* SPDX-License-Identifier: Apache-2.0 */
/* Where data would go: destinations as programs write them, and whether the configuration sanctions one. */
#ifndef POLICY_DESTINATION_H
#define POLICY_DESTINATION_H

#include "policy/base.h"
#include "policy/request.h"

enum { DESTINATION_HOST_MAX = 256, DESTINATION_PATH_MAX = 1024 };

enum destination_kind {
	DESTINATION_UNKNOWN = 0, /* not to be told from the text */
	DESTINATION_LOCAL, /* a path of this machine, or file:// */
	DESTINATION_HOST,
};

enum destination_form {
	FORM_URL, /* what curl and its like take: a URL, or a bare host */
	FORM_REMOTE, /* what git, scp and rsync take: a URL, [user@]host:path, or a path */
	FORM_FORGE, /* [HOST/]OWNER/REPO, github.com where no host is written */
};

struct destination {
	enum destination_kind kind;
	char host[DESTINATION_HOST_MAX]; /* lower case, no port, no brackets */
	char path[DESTINATION_PATH_MAX]; /* lower case, normalised, with its leading slash; "" when none was written */
};

/* Never fails: what cannot be read one certain way is DESTINATION_UNKNOWN. */
void destination_parse(struct bytes text, enum destination_form form, struct destination *ret) NONNULL;

bool destination_is_loopback(const struct destination *d) NONNULL;
/* By the list's forms, ports left aside: host, *.suffix, host/path/prefix, a.b.c.d/n. An entry of no known form sanctions nothing. */
bool destination_is_sanctioned(const struct destination *d, const struct string_list *entries) NONNULL;

#endif
