/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a session began with: the repository it worked in and where that had its remotes at the session's first
 * decision. A script may have landed on such a remote though nobody listed it; one that was changed, or came with a
 * clone made since, is none. It is kept beside the session's other state, and is as safe as that from a process of the
 * same user.
 */
#ifndef EVIDENCE_ORIGIN_H
#define EVIDENCE_ORIGIN_H

#include "broker/broker.h"
#include "policy/git_facts.h"

/*
 * A decision of this session is about to be given: if it is the first one, put down what the repository around `cwd`
 * is. Costs one system call after that. A session that cannot be put down has no remotes of its own.
 */
void origin_begin(struct broker *b, struct bytes session, struct bytes cwd) NONNULL;

/* Had the repository this remote, with this address, when the session began? Begins it if nobody has. */
bool origin_holds(struct broker *b, struct bytes session, struct bytes cwd, const struct git_facts *f,
	const struct git_remote *m) NONNULL;

#endif
