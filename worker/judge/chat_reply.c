/* SPDX-License-Identifier: Apache-2.0 */
/* A chat model's answer: its envelope is the service's and strict; its text is a model's, and read with patience. */
#include "worker/judge/reply.h"

#include <json-c/json.h>

#include "policy/text/json_strict.h"

/* Fences and talk around it are common: the object is what stands between the outer braces. */
static struct bytes outer_object(struct bytes text)
{
	const char *from = text.len > 0 ? memchr(text.p, '{', text.len) : NULL;
	const char *to = text.len > 0 ? memrchr(text.p, '}', text.len) : NULL;

	if (from == NULL || to == NULL || to < from)
		return (struct bytes){ 0 };
	return (struct bytes){ from, (size_t)(to - from) + 1 };
}

static int unparseable(struct arena *arena, struct bytes content, struct judgement *j)
{
	size_t len = content.len < 100 ? content.len : 100;
	char *copy = arena_copy(arena, content.p, len);

	if (copy == NULL)
		return -ENOMEM;
	j->state = JUDGEMENT_UNPARSEABLE;
	j->text = (struct bytes){ copy, len };
	return 0;
}

static int read_content(struct arena *arena, struct bytes content, struct judgement *j)
{
	CLEANUP(json_putp) struct json_object *o = NULL;
	struct json_object *allow;
	size_t at;
	int rc = json_strict(outer_object(content), &o, &at);

	if (rc == -ENOMEM)
		return rc;
	if (rc != JSON_OK || !json_object_is_type(o, json_type_object))
		return unparseable(arena, content, j);
	allow = json_member(o, "allow", json_type_boolean);
	if (allow == NULL)
		return unparseable(arena, content, j);
	j->state = JUDGEMENT_READ;
	j->allow = json_object_get_boolean(allow);
	return reply_text(arena, o, "reason", &j->text);
}

/* The first choice's text; what is wrong with it, or nothing. */
static struct bytes find_content(struct json_object *root, struct bytes *ret)
{
	struct json_object *choices = json_member(root, "choices", json_type_array);
	struct json_object *first = choices != NULL ? json_object_array_get_idx(choices, 0) : NULL;

	if (first == NULL || !json_object_is_type(first, json_type_object))
		return BYTES("it holds no choices");
	if (json_object_object_get_ex(first, "error", NULL))
		return BYTES("it is an error");
	*ret = json_member_string(json_member(first, "message", json_type_object), "content");
	/* The usual sign of a model that spent its tokens on thinking. */
	return ret->len == 0 ? BYTES("it is empty") : (struct bytes){ 0 };
}

int chat_reply_read(struct arena *arena, struct bytes body, struct judgement *ret)
{
	CLEANUP(json_putp) struct json_object *root = NULL;
	struct judgement j = { 0 };
	struct bytes content = { 0 }, wrong;
	int rc = reply_open(body, &root, &wrong);

	if (rc < 0)
		return rc;
	if (wrong.len == 0)
		wrong = find_content(root, &content);
	if (wrong.len > 0) {
		rc = reply_why(arena, root, &wrong);
		*ret = (struct judgement){ .state = JUDGEMENT_UNUSABLE, .text = wrong };
		return rc;
	}
	j.input_tokens = reply_count(root, "prompt_tokens");
	j.output_tokens = reply_count(root, "completion_tokens");
	rc = reply_text(arena, root, "model", &j.model);
	if (rc == 0)
		rc = read_content(arena, content, &j);
	*ret = j;
	return rc;
}
