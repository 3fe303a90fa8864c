/* SPDX-License-Identifier: Apache-2.0 */
/* The models that an endpoint lists: `models[].name` of the decision service, `data[].id` of chat services. */
#include "worker/judge/reply.h"

#include <json-c/json.h>

#include "policy/text/json_strict.h"

static struct bytes name_at(struct json_object *list, size_t i, const char *member)
{
	struct json_object *item = json_object_array_get_idx(list, i);
	struct bytes name = { 0 };

	if (item != NULL && json_object_is_type(item, json_type_object))
		name = json_member_string(item, member);
	if (name.len > MODEL_NAME_MAX)
		name.len = MODEL_NAME_MAX;
	return name;
}

int names_reply_read(struct bytes body, struct writer *w)
{
	CLEANUP(json_putp) struct json_object *root = NULL;
	struct json_object *list = NULL;
	const char *member = "name";
	size_t at, n;
	int rc = json_strict(body, &root, &at);

	if (rc < 0)
		return rc;
	if (rc == JSON_OK && json_object_is_type(root, json_type_object)) {
		list = json_member(root, "models", json_type_array);
		if (list == NULL) {
			list = json_member(root, "data", json_type_array);
			member = "id";
		}
	}
	wr_u8(w, list != NULL);
	n = list != NULL ? json_object_array_length(list) : 0;
	if (n > MODEL_NAMES_MAX)
		n = MODEL_NAMES_MAX;
	wr_u32(w, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		wr_bytes(w, name_at(list, i, member));
	return 0;
}
