/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table's defaults as values. Every hook call needs them all, and json-c makes a locale for each text it parses; so
 * the few forms that defaults have are read here. A test reads each with json-c as well.
 */
#include "policy/config/internal.h"

/* A JSON string without \u escapes; *p is at its opening quote and moves behind the closing one. */
static struct json_object *read_string(const char **p)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };
	const char *at = *p + 1, *run;

	while (*at != '"') {
		for (run = at; *at != '"' && *at != '\\'; at++)
			;
		textbuf_append(&b, run, (size_t)(at - run));
		if (*at == '\\') {
			textbuf_putc(&b, at[1]);
			at += 2;
		}
	}
	*p = at + 1;
	return b.failed ? NULL : json_object_new_string_len(b.p ? b.p : "", (int)b.len);
}

static struct json_object *read_list(const char *p)
{
	struct json_object *list = json_object_new_array_ext(1), *item; /* most are empty: room for one, not for 32 */

	p++;
	while (list && *p != ']') {
		if (*p != '"') { /* a comma or a blank */
			p++;
			continue;
		}
		item = read_string(&p);
		if (!item || json_object_array_add(list, item) < 0) {
			json_object_put(item);
			json_object_put(list);
			return NULL;
		}
	}
	return list;
}

struct json_object *default_value(enum config_key k)
{
	const char *def = config_specs[k].def;

	switch (config_specs[k].type) {
	case TYPE_BOOL:
		return json_object_new_boolean(*def == 't');
	case TYPE_INT:
		return json_object_new_int64(strtoll(def, NULL, 10));
	case TYPE_NUMBER:
		return json_object_new_double(strtod(def, NULL));
	case TYPE_STRING:
		return read_string(&def);
	case TYPE_STRINGS:
	case TYPE_ARGV:
		return read_list(def);
	case TYPE_OBJECT:
		return json_object_new_object(); /* the only default an object has */
	}
	return NULL;
}
