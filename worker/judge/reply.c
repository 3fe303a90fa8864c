/* SPDX-License-Identifier: Apache-2.0 */
/* What both kinds of reply have in common: the envelope, and errors in the shapes that services give them. */
#include "worker/judge/reply.h"

#include <json-c/json.h>
#include <stdio.h>

#include "policy/text/json_strict.h"

enum { ERROR_TEXT_MAX = 240 };

/* FastAPI's list: where, joined by dots, and what. The first says enough. */
static void say_list(struct json_object *list, char *text, size_t size)
{
	struct json_object *first = json_object_array_get_idx(list, 0);
	struct bytes what = json_member_string(first, "msg");
	struct json_object *where = json_member(first, "loc", json_type_array);
	size_t n = 0;

	for (size_t i = 0; where != NULL && i < json_object_array_length(where) && n < size / 2; i++) {
		const char *part = json_object_get_string(json_object_array_get_idx(where, i));
		int w = snprintf(text + n, size - n, "%s%s", n > 0 ? "." : "", part != NULL ? part : "");

		n += w > 0 ? (size_t)w : 0;
	}
	if (n < size)
		(void)snprintf(text + n, size - n, "%s%.*s", n > 0 ? ": " : "", (int)what.len,
			what.p != NULL ? what.p : "");
}

/* In the order in which the decision service's own SDK looks (0.6.0): error, message, detail; text, or its message. */
static void say_error(struct json_object *root, char text[ERROR_TEXT_MAX])
{
	static const char *const names[] = { "error", "message", "detail" };

	text[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct bytes said = json_member_string(root, names[i]);
		struct json_object *o;

		if (said.len == 0)
			said = json_member_string(json_member(root, names[i], json_type_object), "message");
		if (said.len > 0) {
			(void)snprintf(text, ERROR_TEXT_MAX, "%.*s", (int)said.len, said.p);
			return;
		}
		o = json_member(root, names[i], json_type_array);
		if (o != NULL && json_object_array_length(o) > 0) {
			say_list(o, text, ERROR_TEXT_MAX);
			return;
		}
	}
}

int reply_why(struct arena *arena, struct json_object *root, struct bytes *wrong)
{
	const size_t before = strlen(judgement_error);
	char text[ERROR_TEXT_MAX], *p;
	size_t n;

	say_error(root, text);
	n = strlen(text);
	if (n == 0)
		return 0;
	p = arena_alloc(arena, before + n);
	if (p == NULL)
		return -ENOMEM;
	memcpy(p, judgement_error, before);
	memcpy(p + before, text, n);
	*wrong = (struct bytes){ p, before + n };
	return 0;
}

int reply_open(struct bytes body, struct json_object **ret, struct bytes *ret_wrong)
{
	struct json_object *root = NULL, *error;
	size_t at;
	int rc = json_strict(body, &root, &at);

	if (rc == -ENOMEM)
		return rc;
	*ret = root;
	*ret_wrong = (struct bytes){ 0 };
	if (rc != JSON_OK || !json_object_is_type(root, json_type_object))
		*ret_wrong = BYTES("it is not a JSON object");
	else if (json_object_object_get_ex(root, "error", &error) && error != NULL)
		*ret_wrong = BYTES("it is an error");
	return 0;
}

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
