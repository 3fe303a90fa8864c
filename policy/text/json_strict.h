/* SPDX-License-Identifier: Apache-2.0 */
/* JSON from someone who may be hostile: one value in the whole buffer, or nothing. */
#ifndef TEXT_JSON_STRICT_H
#define TEXT_JSON_STRICT_H

#include <json-c/json_object.h>

#include "policy/base.h"

enum { JSON_DEPTH_MAX = 64 };

enum json_outcome {
	JSON_OK = 0,
	JSON_EMPTY, /* nothing but blanks */
	JSON_MALFORMED, /* not RFC 8259; also a number that is not finite, NUL in a name, nesting past JSON_DEPTH_MAX */
	JSON_ENCODING, /* not UTF-8 */
	JSON_DUPLICATE, /* a name twice in one object */
	JSON_TRAILING, /* text after the value */
	JSON__OUTCOMES
};

/*
 * Parses exactly `text`. On JSON_OK *ret is the value (owned by the caller; NULL for a JSON null). Else *ret_at is
 * where it went wrong, as well as that is known. -ENOMEM when out of memory.
 */
int json_strict(struct bytes text, struct json_object **ret, size_t *ret_at) __attribute__((nonnull(2, 3))) MUST_CHECK;
/* The grammar alone, nothing built: JSON_OK, or what is wrong and where. Finds no duplicates. */
int json_check(struct bytes text, size_t *ret_at) __attribute__((nonnull(2))) MUST_CHECK;
const char *json_outcome_text(int outcome); /* "is not JSON" …, to follow a subject */

/* A member of the wanted type, or NULL. The string may hold NUL: use its length. */
struct json_object *json_member(struct json_object *o, const char *name, enum json_type type);
struct bytes json_member_string(struct json_object *o, const char *name); /* {NULL, 0} when absent or no string */

void json_putp(struct json_object **o); /* for CLEANUP() */

#endif
