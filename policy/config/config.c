/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration as an object: made, finished, asked. */
#include "policy/config/config.h"

#include "policy/config/internal.h"
#include "policy/text/json_strict.h"

int config_new(struct config **ret)
{
	CLEANUP(config_freep) struct config *c = calloc(1, sizeof(*c));

	if (!c)
		return -ENOMEM;
	for (size_t i = 0; i < CFG__MAX; i++) {
		c->value[i] = default_value((enum config_key)i);
		if (!c->value[i])
			return -ENOMEM;
	}
	*ret = TAKE_PTR(c);
	return 0;
}

void config_free(struct config *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < CFG__MAX; i++) {
		json_object_put(c->value[i]);
		json_object_put(c->floor[i]);
		free(c->strings[i]);
	}
	for (size_t i = 0; i < c->n_problems; i++) {
		free(c->problems[i].source);
		free(c->problems[i].text);
	}
	free(c->home);
	free(c->directory);
	free(c);
}

void config_freep(struct config **c)
{
	config_free(*c);
}

int config_set_places(struct config *c, const char *home, const char *directory)
{
	CLEANUP(freep) char *h = home ? strdup(home) : NULL;
	CLEANUP(freep) char *d = directory ? strdup(directory) : NULL;

	if ((home && !h) || (directory && !d))
		return -ENOMEM;
	free(c->home);
	free(c->directory);
	c->home = TAKE_PTR(h);
	c->directory = TAKE_PTR(d);
	return 0;
}

int config_file_failed(struct config *c, enum config_layer layer, const char *name, const char *why, bool fatal)
{
	struct place at = { .c = c, .layer = layer, .source = name };

	return problem_add(&at, fatal || layer == LAYER_OVERLAY, "%s", why);
}

static struct json_object *in_force(const struct config *c, enum config_key k)
{
	return c->floor[k] ? c->floor[k] : c->value[k];
}

bool config_trusts_environment(const struct config *c)
{
	return strcmp(json_object_get_string(in_force(c, CFG_ENVIRONMENT)), "trusted") == 0 && !c->overlay_broken;
}

int config_remotes_file(const struct config *c, char **ret)
{
	const char *path = json_object_get_string(in_force(c, CFG_SANCTIONED_REMOTES_FILE));

	*ret = NULL;
	return *path ? path_expand(path, c->home, c->directory, ret) : 0;
}

/* Move a key as `bound` says. */
static int bind_key(struct config *c, enum config_key k, struct json_object *bound, enum config_layer by)
{
	struct json_object *v = tighten(k, c->value[k], bound);

	if (!v)
		return -ENOMEM;
	if (!json_object_equal(v, c->value[k]))
		c->origin[k] = by;
	json_object_put(c->value[k]);
	c->value[k] = v;
	return 0;
}

/* While what the overlay wants is unknown: nobody is asked, and nothing is looser than as shipped. */
static int bind_to_defaults(struct config *c)
{
	struct json_object *v;
	int r;

	for (size_t i = 0; i < CFG__MAX; i++) {
		if (config_specs[i].direction == ONLY_FLOOR)
			continue;
		v = default_value((enum config_key)i);
		if (!v)
			return -ENOMEM;
		r = bind_key(c, (enum config_key)i, v, LAYER_DEFAULT);
		json_object_put(v);
		if (r < 0)
			return r;
	}
	v = json_object_new_boolean(1);
	if (!v)
		return -ENOMEM;
	r = bind_key(c, CFG_POLICY_HEADLESS, v, LAYER_OVERLAY);
	json_object_put(v);
	return r;
}

static int bind_to_floor(struct config *c)
{
	int r;

	for (size_t i = 0; i < CFG__MAX; i++) {
		if (!c->floor[i])
			continue;
		r = bind_key(c, (enum config_key)i, c->floor[i], LAYER_FLOOR);
		if (r < 0)
			return r;
	}
	return 0;
}

/* A relative place in a list is a glob of names, not a path below some directory. */
static int expand_value(const struct config *c, struct json_object *in, bool relative, struct json_object **ret)
{
	CLEANUP(freep) char *path = NULL;
	int r;

	r = path_expand(json_object_get_string(in), c->home, relative ? c->directory : NULL, &path);
	if (r < 0)
		return r;
	*ret = json_object_new_string(path);
	return *ret ? 0 : -ENOMEM;
}

/* Nearly all paths are absolute or empty. */
static bool may_expand(struct json_object *v)
{
	if (json_object_is_type(v, json_type_string))
		return *json_object_get_string(v) != '\0' && *json_object_get_string(v) != '/';
	for (size_t i = 0; i < json_object_array_length(v); i++) {
		if (*json_object_get_string(json_object_array_get_idx(v, i)) == '~')
			return true;
	}
	return false;
}

static int expand_list(const struct config *c, struct json_object *in, struct json_object **ret)
{
	CLEANUP(json_putp) struct json_object *list = json_object_new_array();
	struct json_object *item;
	int r;

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < json_object_array_length(in); i++) {
		r = expand_value(c, json_object_array_get_idx(in, i), false, &item);
		if (r < 0)
			return r;
		if (json_object_array_add(list, item) < 0) {
			json_object_put(item);
			return -ENOMEM;
		}
	}
	*ret = TAKE_PTR(list);
	return 0;
}

/* "~/x" and its long form are one: bounds are compared only after this. */
static int expand_paths(struct config *c, struct json_object **values)
{
	struct json_object *v;
	int r;

	for (size_t i = 0; i < CFG__MAX; i++) {
		if (!(config_specs[i].flags & KEY_PATH) || !values[i] || !may_expand(values[i]))
			continue;
		if (config_specs[i].type == TYPE_STRINGS)
			r = expand_list(c, values[i], &v);
		else
			r = expand_value(c, values[i], true, &v);
		if (r < 0)
			return r;
		json_object_put(values[i]);
		values[i] = v;
	}
	return 0;
}

static int keep_strings(struct config *c)
{
	for (size_t i = 0; i < CFG__MAX; i++) {
		size_t n;

		if (config_specs[i].type != TYPE_STRINGS && config_specs[i].type != TYPE_ARGV)
			continue;
		n = json_object_array_length(c->value[i]);
		c->strings[i] = calloc(n + 1, sizeof(*c->strings[i]));
		if (!c->strings[i])
			return -ENOMEM;
		for (size_t j = 0; j < n; j++)
			c->strings[i][j] = json_object_get_string(json_object_array_get_idx(c->value[i], j));
		c->n_strings[i] = n;
	}
	return 0;
}

int config_finish(struct config *c)
{
	int r;

	if (c->finished)
		return -EINVAL;
	r = expand_paths(c, c->value);
	if (r == 0)
		r = expand_paths(c, c->floor);
	if (r == 0 && c->overlay_broken)
		r = bind_to_defaults(c);
	if (r == 0)
		r = bind_to_floor(c);
	if (r == 0)
		r = config_check_urls(c);
	if (r == 0)
		r = keep_strings(c);
	c->finished = r == 0;
	return r;
}

bool config_bool(const struct config *c, enum config_key k)
{
	return json_object_get_boolean(c->value[k]);
}

int64_t config_int(const struct config *c, enum config_key k)
{
	return json_object_get_int64(c->value[k]);
}

double config_number(const struct config *c, enum config_key k)
{
	return json_object_get_double(c->value[k]);
}

const char *config_string(const struct config *c, enum config_key k)
{
	return json_object_is_type(c->value[k], json_type_string) ? json_object_get_string(c->value[k]) : "";
}

size_t config_strings(const struct config *c, enum config_key k, const char *const **ret)
{
	*ret = c->strings[k];
	return c->n_strings[k];
}

struct json_object *config_object(const struct config *c, enum config_key k)
{
	struct json_object *v = c->value[k];

	if (!json_object_is_type(v, json_type_object) || json_object_object_length(v) == 0)
		return NULL;
	return v;
}

enum config_layer config_origin(const struct config *c, enum config_key k)
{
	return c->origin[k];
}

bool config_is_broken(const struct config *c)
{
	return c->broken;
}

bool config_overlay_broken(const struct config *c)
{
	return c->overlay_broken;
}

size_t config_problems(const struct config *c, const struct config_problem **ret)
{
	*ret = c->problems;
	return c->n_problems;
}
