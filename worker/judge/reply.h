/* SPDX-License-Identifier: Apache-2.0 */
/* Reading what a judge answered: untrusted bytes to a judgement. */
#ifndef JUDGE_REPLY_H
#define JUDGE_REPLY_H

#include "policy/judge/judgement.h"
#include "policy/judge/model.h"
#include "worker/shell/arena.h"

struct json_object;

/* Strings of *ret lie in the arena or are static. 0 or -ENOMEM: whatever a reply holds is an outcome. */
int jev_reply_read(struct arena *arena, struct bytes body, struct judgement *ret) NONNULL MUST_CHECK;
int chat_reply_read(struct arena *arena, struct bytes body, struct judgement *ret) NONNULL MUST_CHECK;

/* The body of MSG_MODEL_NAMES: whether it is a list, and the names. 0 or -ENOMEM. */
int names_reply_read(struct bytes body, struct writer *w) NONNULL MUST_CHECK;

/* Shared: the whole reply, the caller's to put. *ret_wrong: why it can be no answer, or nothing. 0 or -ENOMEM. */
int reply_open(struct bytes body, struct json_object **ret, struct bytes *ret_wrong) NONNULL MUST_CHECK;
/* Where an answer that is wrong holds a service's own words on it, *wrong becomes those. 0 or -ENOMEM. */
int reply_why(struct arena *arena, struct json_object *root, struct bytes *wrong) __attribute__((nonnull(1, 3)))
	MUST_CHECK;
/* `usage.NAME` as a count, 0 where there is none; a member's text, copied. */
uint64_t reply_count(struct json_object *root, const char *name);
int reply_text(struct arena *arena, struct json_object *o, const char *name, struct bytes *ret) NONNULL MUST_CHECK;

#endif
