/* SPDX-License-Identifier: Apache-2.0 */
/* Writing JSON text: commas, escapes and layout; the caller gives names and values in order. */
#ifndef TEXT_JSONOUT_H
#define TEXT_JSONOUT_H

#include "policy/text/textbuf.h"

struct json_object;

enum { JSONOUT_DEPTH_MAX = 32 };

struct jsonout {
	struct textbuf *b; /* borrowed; its `failed` is the only error */
	bool pretty; /* 2 spaces a level, one member a line */
	bool filled[JSONOUT_DEPTH_MAX]; /* by level: something stands before */
	bool array[JSONOUT_DEPTH_MAX];
	uint8_t depth;
	bool after_name;
};

#define JSONOUT(buffer) ((struct jsonout){ .b = (buffer) })
#define JSONOUT_PRETTY(buffer) ((struct jsonout){ .b = (buffer), .pretty = true })

void jsonout_object(struct jsonout *o) NONNULL; /* { */
void jsonout_array(struct jsonout *o) NONNULL; /* [ */
void jsonout_end(struct jsonout *o) NONNULL; /* } or ] */
void jsonout_name(struct jsonout *o, const char *name) NONNULL;
/* Any bytes: controls are escaped, malformed UTF-8 becomes U+FFFD, DEL, C1, U+2028 and U+2029 are \u escapes. */
void jsonout_bytes(struct jsonout *o, struct bytes v) __attribute__((nonnull(1)));
void jsonout_string(struct jsonout *o, const char *v) __attribute__((nonnull(1))); /* NULL: null */
void jsonout_int(struct jsonout *o, int64_t v) NONNULL;
void jsonout_number(struct jsonout *o, double v) NONNULL; /* not finite: null */
void jsonout_bool(struct jsonout *o, bool v) NONNULL;
void jsonout_null(struct jsonout *o) NONNULL;
void jsonout_value(struct jsonout *o, struct json_object *v) __attribute__((nonnull(1))); /* any json-c tree */

/* name and value in one */
static inline void jsonout_member(struct jsonout *o, const char *name, const char *v)
{
	jsonout_name(o, name);
	jsonout_string(o, v);
}

static inline void jsonout_member_bytes(struct jsonout *o, const char *name, struct bytes v)
{
	jsonout_name(o, name);
	jsonout_bytes(o, v);
}

static inline void jsonout_member_int(struct jsonout *o, const char *name, int64_t v)
{
	jsonout_name(o, name);
	jsonout_int(o, v);
}

static inline void jsonout_member_bool(struct jsonout *o, const char *name, bool v)
{
	jsonout_name(o, name);
	jsonout_bool(o, v);
}

#endif
