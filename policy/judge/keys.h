/* SPDX-License-Identifier: Apache-2.0 */
/* Which key may go to which host: nobody who can set a variable can have a key sent to themselves. */
#ifndef JUDGE_KEYS_H
#define JUDGE_KEYS_H

#include "policy/judge/model.h"

/* The one host that a variable's value goes to though no configuration file says so, or NULL. */
const char *key_home(struct bytes variable);

/* May the key from this source go to the host that is asked? `host` without brackets and port. */
bool key_may_go(const struct model_request *q, const struct key_source *s, struct bytes host) NONNULL;

#endif
