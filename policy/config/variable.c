/* SPDX-License-Identifier: Apache-2.0 */
/* Settings from the environment: text made a value, and how far it counts. */
#include <stdio.h>

#include "policy/config/internal.h"
#include "policy/text/json_strict.h"

static struct json_object *text_as_bool(const char *text)
{
	static const char *const yes[] = { "1", "true", "yes" };

	for (size_t i = 0; i < ARRAY_LEN(yes); i++) {
		if (strcasecmp(text, yes[i]) == 0)
			return json_object_new_boolean(1);
	}
	return json_object_new_boolean(0);
}

/* "a, b,c": blanks around items and empty items do not count. */
static struct json_object *text_as_list(const char *text)
{
	struct json_object *list = json_object_new_array(), *item;

	while (list && *text) {
		size_t len = strcspn(text, ","), end = len, start = strspn(text, " \t");

		while (end > start && (text[end - 1] == ' ' || text[end - 1] == '\t'))
			end--;
		if (end > start) {
			item = json_object_new_string_len(text + start, (int)(end - start));
			if (!item || json_object_array_add(list, item) < 0) {
				json_object_put(item);
				json_object_put(list);
				return NULL;
			}
		}
		text += len + (text[len] == ',');
	}
	return list;
}

static int text_as_json(const char *text, struct json_object **ret)
{
	size_t where;

	return json_strict((struct bytes){ text, strlen(text) }, ret, &where);
}

static int parse(enum config_key k, const char *text, struct json_object **ret)
{
	switch (config_specs[k].type) {
	case TYPE_BOOL:
		*ret = text_as_bool(text);
		break;
	case TYPE_STRING:
		*ret = json_object_new_string(text);
		break;
	case TYPE_STRINGS:
		*ret = text_as_list(text);
		break;
	case TYPE_INT:
	case TYPE_NUMBER:
	case TYPE_OBJECT:
	case TYPE_ARGV:
		return text_as_json(text, ret);
	}
	return *ret ? 0 : -ENOMEM;
}

int accept_text(struct place *at, enum config_key k, const char *text, struct json_object **ret)
{
	CLEANUP(json_putp) struct json_object *raw = NULL;
	int r;

	*ret = NULL;
	if (strlen(text) > CONFIG_STRING_MAX)
		return problem_add(at, false, "%s: is longer than %d bytes and does not count", config_specs[k].path,
			CONFIG_STRING_MAX);
	r = parse(k, text, &raw);
	if (r < 0)
		return r;
	if (r > 0)
		return problem_add(at, true, "%s: %s", config_specs[k].path, json_outcome_text(r));
	return accept_value(at, k, raw, ret);
}

/* Only what a direction can turn into "stricter" may come from an environment that is not trusted. */
static bool may_tighten(enum config_key k)
{
	const struct config_spec *spec = &config_specs[k];

	return !(spec->flags & KEY_ORIGIN) && spec->direction != FREE && spec->direction != ONLY_FLOOR;
}

static bool file_spoke(const struct config *c, enum config_key k)
{
	return c->origin[k] != LAYER_DEFAULT && c->origin[k] != LAYER_ENVIRONMENT;
}

static int take(struct config *c, enum config_key k, struct json_object *v, bool tighten_only)
{
	struct json_object *kept = v;

	if (tighten_only) {
		kept = tighten(k, c->value[k], v);
		json_object_put(v);
		if (!kept)
			return -ENOMEM;
		if (json_object_equal(kept, c->value[k])) {
			json_object_put(kept);
			return 0;
		}
	}
	json_object_put(c->value[k]);
	c->value[k] = kept;
	c->origin[k] = LAYER_ENVIRONMENT;
	return 0;
}

static int merge_secret(struct config *c, enum config_key k)
{
	struct json_object *v = json_object_new_string("set");

	if (!v)
		return -ENOMEM;
	return take(c, k, v, false);
}

/* A variable cannot break the configuration: what is wrong with it is said, and it does not count. */
static int merge_text(struct place *at, enum config_key k, const char *text, bool tighten_only)
{
	struct config *c = at->c;
	struct json_object *v = NULL;
	bool was_broken = c->broken;
	size_t first = c->n_problems;
	int r;

	r = accept_text(at, k, text, &v);
	if (r < 0)
		return r;
	c->broken = was_broken;
	for (size_t i = first; i < c->n_problems; i++)
		c->problems[i].fatal = false;
	if (!v && k == CFG_JEV_COMMAND && !tighten_only) { /* a helper was asked for; which, nobody knows: none */
		v = json_object_new_array();
		if (!v)
			return -ENOMEM;
	}
	return v ? take(c, k, v, tighten_only) : 0;
}

int config_merge_variable(struct config *c, const char *name, const char *value, bool tighten_only)
{
	struct place at = { .c = c, .layer = LAYER_ENVIRONMENT, .source = name };
	enum config_key k;
	uint8_t rank;
	int r;

	if (!schema_find_variable(name, &k, &rank))
		return 0;
	if (c->variable_rank[k] != 0 && c->variable_rank[k] < rank)
		return 0;
	if (config_specs[k].flags & KEY_SECRET)
		r = value && !*value ? 0 : merge_secret(c, k);
	else if (!value || (!*value && !(config_specs[k].flags & KEY_MAY_CLEAR)))
		return 0;
	else if (tighten_only && !may_tighten(k))
		return problem_add(&at, false,
			"%s: does not count in a hook unless a file sets environment to \"trusted\"", config_specs[k].path);
	else if ((config_specs[k].flags & KEY_ENV_WEAK) && file_spoke(c, k))
		return 0;
	else
		r = merge_text(&at, k, value, tighten_only);
	if (r == 0)
		c->variable_rank[k] = rank;
	return r;
}
