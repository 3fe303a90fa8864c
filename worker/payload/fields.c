/* SPDX-License-Identifier: Apache-2.0 */
/* Reading members of a hostile JSON object by name and type. */
#include "worker/payload/fields.h"

#include <json-c/json_object_iterator.h>
#include <strings.h>

static enum field string_of(struct json_object *v, struct bytes *ret)
{
	struct bytes s;

	if (!json_object_is_type(v, json_type_string))
		return FIELD_WRONG;
	s = (struct bytes){ json_object_get_string(v), (size_t)json_object_get_string_len(v) };
	if (memchr(s.p, '\0', s.len))
		return FIELD_WRONG;
	*ret = s;
	return FIELD_OK;
}

enum field field_string(struct json_object *o, const char *name, struct bytes *ret)
{
	struct json_object *v;

	if (!json_object_object_get_ex(o, name, &v) || !v)
		return FIELD_ABSENT;
	return string_of(v, ret);
}

enum field field_object(struct json_object *o, const char *name, struct json_object **ret)
{
	struct json_object *v;

	if (!json_object_object_get_ex(o, name, &v) || !v)
		return FIELD_ABSENT;
	if (!json_object_is_type(v, json_type_object))
		return FIELD_WRONG;
	*ret = v;
	return FIELD_OK;
}

enum field field_first_string(struct json_object *o, const char *name, struct bytes *ret)
{
	struct json_object *v;

	if (!json_object_object_get_ex(o, name, &v) || !v)
		return FIELD_ABSENT;
	if (!json_object_is_type(v, json_type_array))
		return FIELD_WRONG;
	if (json_object_array_length(v) == 0)
		return FIELD_ABSENT;
	return string_of(json_object_array_get_idx(v, 0), ret);
}

bool field_present(struct json_object *o, const char *name)
{
	return json_object_object_get_ex(o, name, NULL);
}

bool field_case_trap(struct json_object *o, const char *const *names)
{
	struct json_object_iterator at = json_object_iter_begin(o), end = json_object_iter_end(o);

	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		const char *name = json_object_iter_peek_name(&at);

		for (size_t i = 0; names[i]; i++)
			if (strcasecmp(name, names[i]) == 0 && strcmp(name, names[i]) != 0)
				return true;
	}
	return false;
}

void payload_malformed(struct payload *p, const char *why)
{
	p->kind = KIND_MALFORMED;
	p->why = why;
}

bool payload_text(
	struct payload *p, struct json_object *o, const char *name, struct bytes *ret, const char *why)
{
	struct bytes s = { "", 0 };

	if (field_string(o, name, &s) == FIELD_WRONG || s.len > ASSESSMENT_TEXT_MAX) {
		payload_malformed(p, why);
		return false;
	}
	*ret = s;
	return true;
}
