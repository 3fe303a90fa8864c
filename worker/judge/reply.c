/* SPDX-License-Identifier: Apache-2.0 */
/* What both kinds of reply have in common. */
#include "worker/judge/reply.h"

#include <json-c/json.h>

#include "policy/text/json_strict.h"

uint64_t reply_count(struct json_object *root, const char *name)
{
	struct json_object *n = json_member(json_member(root, "usage", json_type_object), name, json_type_int);
	int64_t v = n != NULL ? json_object_get_int64(n) : 0;

	return v > 0 ? (uint64_t)v : 0;
}

int reply_text(struct arena *arena, struct json_object *o, const char *name, struct bytes *ret)
{
	struct bytes s = json_member_string(o, name);
	size_t len = s.len < JUDGEMENT_TEXT_MAX ? s.len : JUDGEMENT_TEXT_MAX;
	char *copy;

	*ret = (struct bytes){ 0 };
	if (len == 0)
		return 0;
	copy = arena_copy(arena, s.p, len);
	if (copy == NULL)
		return -ENOMEM;
	*ret = (struct bytes){ copy, len };
	return 0;
}
