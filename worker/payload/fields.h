/* SPDX-License-Identifier: Apache-2.0 */
/* Reading members of a hostile JSON object by name and type. */
#ifndef PAYLOAD_FIELDS_H
#define PAYLOAD_FIELDS_H

#include <json-c/json_object.h>

#include "policy/base.h"
#include "worker/payload/payload.h"

enum field { FIELD_OK = 0, FIELD_ABSENT, FIELD_WRONG };

/* A string without NUL bytes, borrowed from the object. A null member is absent. Not FIELD_OK: *ret is
 * untouched. */
enum field field_string(struct json_object *o, const char *name, struct bytes *ret) NONNULL MUST_CHECK;
/* As above, an object. */
enum field field_object(struct json_object *o, const char *name, struct json_object **ret) NONNULL MUST_CHECK;
/* The first element of an array of strings. FIELD_ABSENT also when the array is empty. */
enum field field_first_string(struct json_object *o, const char *name, struct bytes *ret) NONNULL MUST_CHECK;
bool field_present(struct json_object *o, const char *name) NONNULL;
/* Is there a member that differs from one of `names` (NULL-terminated) by case alone? A harness that folds
 * case, as Go's encoding/json does, would take its value where we take another. */
bool field_case_trap(struct json_object *o, const char *const *names) NONNULL;

/* Marks the payload malformed for a reason. */
void payload_malformed(struct payload *p, const char *why) NONNULL;
/* An optional string field capped at ASSESSMENT_TEXT_MAX: false (and malformed) when it is something else. */
bool payload_text(struct payload *p, struct json_object *o, const char *name, struct bytes *ret,
	const char *why) NONNULL;

/* The decoders: fill *p with strings borrowed from the object. `event` as in payload_decode(). */
int agy_decode(
	struct arena *arena, struct json_object *o, struct bytes event, struct payload *p) NONNULL MUST_CHECK;
void claude_decode(struct json_object *o, struct bytes event, struct payload *p) NONNULL;
/* Which harness sends such an object? HARNESS_UNKNOWN, with *ret_why, when none that we answer does. */
enum harness payload_recognise(struct json_object *o, const char **ret_why) NONNULL;

#endif
