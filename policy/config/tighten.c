/* SPDX-License-Identifier: Apache-2.0 */
/* Directions: moving a value as a floor demands, never back. */
#include "policy/config/internal.h"

static bool has_string(struct json_object *list, const char *text)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		if (strcmp(json_object_get_string(json_object_array_get_idx(list, i)), text) == 0)
			return true;
	}
	return false;
}

static int append(struct json_object *list, struct json_object *item)
{
	if (has_string(list, json_object_get_string(item)))
		return 0;
	if (json_object_array_add(list, json_object_get(item)) == 0)
		return 0;
	json_object_put(item);
	return -ENOMEM;
}

static struct json_object *both(struct json_object *value, struct json_object *bound)
{
	struct json_object *list = json_object_new_array(), *from[] = { value, bound };

	for (size_t l = 0; list && l < ARRAY_LEN(from); l++) {
		for (size_t i = 0; i < json_object_array_length(from[l]); i++) {
			if (append(list, json_object_array_get_idx(from[l], i)) == 0)
				continue;
			json_object_put(list);
			return NULL;
		}
	}
	return list;
}

static bool path_below(const char *wide, const char *narrow)
{
	size_t n = strlen(wide);

	while (n > 0 && wide[n - 1] == '/')
		n--;
	return strncmp(wide, narrow, n) == 0 && (narrow[n] == '/' || narrow[n] == '\0');
}

/* Does `wide` permit everything that `narrow` permits? Beyond equality only where entries have a known meaning. */
static bool covers(enum config_key k, const char *wide, const char *narrow)
{
	if (strcmp(wide, narrow) == 0)
		return true;
	if (k == CFG_SANCTIONED_REMOTES || k == CFG_POLICY_TRUSTED_REMOTES)
		return remote_entry_covers(wide, narrow);
	if (k == CFG_RULES_SCRATCH_WRITE_ROOTS)
		return path_below(wide, narrow);
	return false;
}

static bool covered(enum config_key k, struct json_object *by, const char *text)
{
	for (size_t i = 0; i < json_object_array_length(by); i++) {
		if (covers(k, json_object_get_string(json_object_array_get_idx(by, i)), text))
			return true;
	}
	return false;
}

/* What both permit: an entry of either that the other covers. */
static struct json_object *common(enum config_key k, struct json_object *value, struct json_object *bound)
{
	struct json_object *list = json_object_new_array(), *from[] = { value, bound }, *by[] = { bound, value };

	for (size_t l = 0; list && l < ARRAY_LEN(from); l++) {
		for (size_t i = 0; i < json_object_array_length(from[l]); i++) {
			struct json_object *item = json_object_array_get_idx(from[l], i);

			if (!covered(k, by[l], json_object_get_string(item)) || append(list, item) == 0)
				continue;
			json_object_put(list);
			return NULL;
		}
	}
	return list;
}

static size_t word_rank(enum config_key k, struct json_object *v)
{
	const char *const *words;
	size_t n;

	words = schema_words(k, &n);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(words[i], json_object_get_string(v)) == 0)
			return i;
	}
	return n;
}

static struct json_object *stricter(bool take_bound, struct json_object *value, struct json_object *bound)
{
	return json_object_get(take_bound ? bound : value);
}

struct json_object *tighten(enum config_key k, struct json_object *value, struct json_object *bound)
{
	switch (config_specs[k].direction) {
	case FREE:
		return json_object_get(value);
	case GROW:
		return both(value, bound);
	case SHRINK:
		return common(k, value, bound);
	case ONLY_TRUE:
		return stricter(json_object_get_boolean(bound), value, bound);
	case ONLY_FALSE:
		return stricter(!json_object_get_boolean(bound), value, bound);
	case ONLY_DOWN:
		return stricter(json_object_get_double(bound) < json_object_get_double(value), value, bound);
	case ONLY_UP:
		return stricter(json_object_get_double(bound) > json_object_get_double(value), value, bound);
	case ONLY_FLOOR:
		return json_object_get(bound);
	case ORDERED:
		return stricter(word_rank(k, bound) > word_rank(k, value), value, bound);
	}
	return json_object_get(bound);
}
