/* SPDX-License-Identifier: Apache-2.0 */
/* One file's text onto the configuration: all of it, or none when something in it is wrong. */
#include <stdio.h>

#include "policy/config/internal.h"
#include "policy/text/json_strict.h"

enum { KEY_PATH_MAX = 256 };

/* What one text says, until it is known to be fit to be taken. */
struct harvest {
	struct json_object *value[CFG__MAX];
};

static void harvest_done(struct harvest *h)
{
	for (size_t i = 0; i < CFG__MAX; i++)
		json_object_put(h->value[i]);
}

static int report_syntax(struct place *at, const char *text, int outcome, size_t where)
{
	bool placed = outcome == JSON_MALFORMED || outcome == JSON_TRAILING;
	int r;

	if (placed)
		jsonc_position(text, where, &at->line, &at->column);
	r = problem_add(at, true, "%s", outcome == JSON_MALFORMED ? "syntax error" : json_outcome_text(outcome));
	at->line = at->column = 0;
	return r;
}

/* JSONC to a tree. *ret NULL: it was wrong (said), or held nothing. The text is wiped of keys, or wholly when wrong. */
static int parse_text(struct place *at, char *text, size_t len, struct json_object **ret)
{
	size_t where = 0;
	int r;

	*ret = NULL;
	if (!jsonc_blank(text, len, &where)) {
		r = report_syntax(at, text, JSON_MALFORMED, where);
		explicit_bzero(text, len);
		return r;
	}
	r = json_check((struct bytes){ text, len }, &where);
	if (r == JSON_EMPTY)
		return 0;
	if (r == JSON_OK) {
		jsonc_blank_secrets(text, len);
		r = json_strict((struct bytes){ text, len }, ret, &where);
	}
	if (r > 0) {
		r = report_syntax(at, text, r, where);
		explicit_bzero(text, len);
	}
	return r;
}

static int report_unknown(struct place *at, const char *path)
{
	const char *nearest = schema_suggest(path);

	if (strcmp(path, "$schema") == 0)
		return 0;
	if (nearest)
		return problem_add(at, false, "%s: no such setting; did you mean %s?", path, nearest);
	return problem_add(at, false, "%s: no such setting", path);
}

static int harvest_value(struct place *at, enum config_key k, struct json_object *v, struct harvest *h)
{
	struct json_object *accepted = NULL;
	int r;

	r = accept_value(at, k, v, &accepted);
	if (r < 0)
		return r;
	if (at->layer == LAYER_FLOOR && accepted && config_specs[k].direction == FREE) {
		json_object_put(accepted);
		return problem_add(at, false, "%s: cannot be set by the host's policy", config_specs[k].path);
	}
	if (accepted) {
		json_object_put(h->value[k]);
		h->value[k] = accepted;
	}
	return 0;
}

static int harvest_object(struct place *at, struct json_object *o, const char *prefix, struct harvest *h)
{
	char path[KEY_PATH_MAX];
	enum config_key k;
	int r = 0;

	json_object_object_foreach(o, name, member) {
		int n = snprintf(path, sizeof(path), "%s%s%s", prefix, *prefix ? "." : "", name);

		at->path = path;
		if (n < 0 || (size_t)n >= sizeof(path))
			r = problem_add(at, false, "%.40s…: no such setting", name);
		else if (!member) /* null: as if it were not there */
			r = 0;
		else if (schema_find(path, &k))
			r = harvest_value(at, k, member, h);
		else if (!schema_is_group(path))
			r = strcmp(path, "instructionsAppend") == 0 ? 0 : report_unknown(at, path);
		else if (!json_object_is_type(member, json_type_object))
			r = problem_add(at, true, "%s: must be an object", path);
		else
			r = harvest_object(at, member, path, h);
		at->path = NULL;
		if (r < 0)
			return r;
	}
	return 0;
}

/* The old place of policy.instructionsAppend, at the top. The new one is stronger. */
static int harvest_old_names(struct place *at, struct json_object *o, struct harvest *h)
{
	struct json_object *v;

	if (!json_object_object_get_ex(o, "instructionsAppend", &v) || !v || h->value[CFG_POLICY_INSTRUCTIONS_APPEND])
		return 0;
	at->path = "instructionsAppend";
	return harvest_value(at, CFG_POLICY_INSTRUCTIONS_APPEND, v, h);
}

/* Objects are merged member by member, all else is replaced. Both are consumed or kept as json-c counts. */
static int merge_objects(struct json_object *onto, struct json_object *from, int depth)
{
	json_object_object_foreach(from, name, member) {
		struct json_object *old;

		if (depth < JSON_DEPTH_MAX && json_object_object_get_ex(onto, name, &old) &&
		    json_object_is_type(old, json_type_object) && json_object_is_type(member, json_type_object)) {
			int r = merge_objects(old, member, depth + 1);

			if (r < 0)
				return r;
		} else if (json_object_object_add(onto, name, json_object_get(member)) < 0) {
			json_object_put(member);
			return -ENOMEM;
		}
	}
	return 0;
}

static int merge_value(struct config *c, enum config_key k, struct json_object *v)
{
	struct json_object *copy = NULL;

	if (config_specs[k].type != TYPE_OBJECT) {
		json_object_put(c->value[k]);
		c->value[k] = json_object_get(v);
		return 0;
	}
	if (json_object_deep_copy(c->value[k], &copy, NULL) < 0)
		return -ENOMEM;
	json_object_put(c->value[k]);
	c->value[k] = copy;
	return merge_objects(copy, v, 0);
}

static int take_harvest(struct config *c, enum config_layer layer, const struct harvest *h)
{
	int r;

	for (size_t i = 0; i < CFG__MAX; i++) {
		enum config_key k = (enum config_key)i;

		if (!h->value[i])
			continue;
		if (layer == LAYER_FLOOR) {
			json_object_put(c->floor[k]);
			c->floor[k] = json_object_get(h->value[k]);
			continue;
		}
		r = merge_value(c, k, h->value[k]);
		if (r < 0)
			return r;
		c->origin[k] = layer;
	}
	return 0;
}

int config_merge_text(struct config *c, enum config_layer layer, const char *name, char *text, size_t len)
{
	CLEANUP(harvest_done) struct harvest h = { 0 };
	CLEANUP(json_putp) struct json_object *tree = NULL;
	struct place at = { .c = c, .layer = layer, .source = name };
	int r;

	r = parse_text(&at, text, len, &tree);
	if (r < 0 || at.fatal)
		return r;
	if (!tree) {
		/* an empty file says nothing, and nothing is no floor */
		if (layer == LAYER_FLOOR || len == 0)
			r = problem_add(&at, layer == LAYER_FLOOR, "the file is empty");
		return r;
	}
	if (!json_object_is_type(tree, json_type_object))
		return problem_add(&at, true, "must be an object");
	at.text = text;
	at.len = len;
	r = harvest_object(&at, tree, "", &h);
	if (r == 0)
		r = harvest_old_names(&at, tree, &h);
	if (r < 0 || at.fatal)
		return r;
	return take_harvest(c, layer, &h);
}

static struct json_object *remotes_list(struct json_object *tree)
{
	static const char *const names[] = { "sanctionedRemotes", "remotes", "entries" };
	struct json_object *list = NULL;

	if (json_object_is_type(tree, json_type_array))
		return tree;
	for (size_t i = 0; i < ARRAY_LEN(names) && !list; i++)
		list = json_member(tree, names[i], json_type_array);
	return list;
}

static int add_remotes(struct config *c, struct json_object *list)
{
	CLEANUP(json_putp) struct json_object *all = NULL;

	if (json_object_deep_copy(c->value[CFG_SANCTIONED_REMOTES], &all, NULL) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *item = json_object_array_get_idx(list, i);

		if (json_object_array_length(all) == CONFIG_LIST_MAX)
			break;
		if (json_object_array_add(all, json_object_get(item)) < 0) {
			json_object_put(item);
			return -ENOMEM;
		}
	}
	json_object_put(c->value[CFG_SANCTIONED_REMOTES]);
	c->value[CFG_SANCTIONED_REMOTES] = TAKE_PTR(all);
	if (c->origin[CFG_SANCTIONED_REMOTES] < LAYER_FILE)
		c->origin[CFG_SANCTIONED_REMOTES] = LAYER_FILE;
	return 0;
}

int config_merge_remotes(struct config *c, const char *name, char *text, size_t len)
{
	CLEANUP(json_putp) struct json_object *tree = NULL, *accepted = NULL;
	struct place at = { .c = c, .layer = LAYER_FILE, .source = name };
	struct json_object *list;
	bool was_broken = c->broken;
	size_t first = c->n_problems;
	int r;

	r = parse_text(&at, text, len, &tree);
	if (r < 0)
		return r;
	list = remotes_list(tree);
	if (!at.fatal && !list)
		r = problem_add(&at, false, "holds no list of remotes");
	else if (!at.fatal)
		r = accept_value(&at, CFG_SANCTIONED_REMOTES, list, &accepted);
	/* what is wrong here adds nothing, which is only stricter */
	c->broken = was_broken;
	for (size_t i = first; i < c->n_problems; i++)
		c->problems[i].fatal = false;
	if (r < 0 || !accepted || at.fatal)
		return r;
	return add_remotes(c, accepted);
}
