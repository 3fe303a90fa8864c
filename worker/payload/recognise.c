/* SPDX-License-Identifier: Apache-2.0 */
/* Whose payload is this? For a hook installed without the harness's name. */
#include "worker/payload/fields.h"

static bool is_string(struct json_object *o, const char *name)
{
	struct bytes s;

	return field_string(o, name, &s) == FIELD_OK;
}

enum harness payload_recognise(struct json_object *o, const char **ret_why)
{
	bool agy = field_present(o, "toolCall") || field_present(o, "conversationId") ||
		field_present(o, "workspacePaths");
	bool named = is_string(o, "hook_event_name");
	struct bytes event = { "", 0 };

	if (agy && !named)
		return HARNESS_AGY;
	*ret_why = "it has the marks of two harnesses";
	if (agy)
		return HARNESS_UNKNOWN;
	*ret_why = "it has the marks of no harness known here";
	if (!named || !is_string(o, "session_id"))
		return HARNESS_UNKNOWN;
	/* Others borrow Claude's field names, but carry something that it does not send. */
	*ret_why =
		"it comes from a harness that this version cannot answer; install the hook with the harness's name";
	if (field_present(o, "turn_id") || field_present(o, "timestamp") || field_present(o, "generation_id"))
		return HARNESS_UNKNOWN;
	if (field_string(o, "hook_event_name", &event) != FIELD_OK || event.len == 0 || event.p[0] < 'A' ||
		event.p[0] > 'Z')
		return HARNESS_UNKNOWN;
	return HARNESS_CLAUDE;
}
