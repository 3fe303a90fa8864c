/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the configuration share: making one from texts, asking it. */
#ifndef UNIT_CONFIG_HELP_H
#define UNIT_CONFIG_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <json-c/json.h>
#include <stdio.h>

#include "policy/config/config.h"
#include "policy/text/json_strict.h"

static inline struct config *fresh(void)
{
	struct config *c = NULL;

	assert_int_equal(config_new(&c), 0);
	return c;
}

static inline void merge(struct config *c, enum config_layer layer, const char *text)
{
	CLEANUP(freep) char *copy = strdup(text);

	assert_int_equal(config_merge_text(c, layer, "test.jsonc", copy, strlen(copy)), 0);
}

static inline struct config *of_file(const char *text)
{
	struct config *c = fresh();

	merge(c, LAYER_FILE, text);
	assert_int_equal(config_finish(c), 0);
	return c;
}

static inline bool problem_says(const struct config *c, const char *part, bool fatal)
{
	const struct config_problem *p;
	size_t n = config_problems(c, &p);

	for (size_t i = 0; i < n; i++) {
		if (p[i].fatal == fatal && strstr(p[i].text, part))
			return true;
	}
	return false;
}

/* A key's value as JSON text. */
static inline const char *value_of(const struct config *c, enum config_key k, char *out, size_t size)
{
	CLEANUP(freep) char *text = NULL;
	CLEANUP(json_putp) struct json_object *all = NULL;
	struct json_object *v;
	const char *path = config_specs[k].path, *dot;
	char group[64];
	size_t at;

	assert_int_equal(config_show(c, false, &text), 0);
	assert_int_equal(json_strict((struct bytes){ text, strlen(text) }, &all, &at), JSON_OK);
	v = all;
	while ((dot = strchr(path, '.'))) {
		memcpy(group, path, (size_t)(dot - path));
		group[dot - path] = '\0';
		assert_true(json_object_object_get_ex(v, group, &v));
		path = dot + 1;
	}
	assert_true(json_object_object_get_ex(v, path, &v));
	snprintf(out, size, "%s",
		json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	return out;
}

static inline void assert_value(const struct config *c, enum config_key k, const char *want)
{
	char text[4096];

	if (strcmp(value_of(c, k, text, sizeof(text)), want) != 0)
		fail_msg("%s is %s, not %s", config_specs[k].path, text, want);
}

#endif
