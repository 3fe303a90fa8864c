/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration as a person reads it. */
#include "policy/config/internal.h"
#include "policy/text/jsonout.h"

static const char *const layer_names[LAYER__MAX] = {
	[LAYER_DEFAULT] = "default",
	[LAYER_HOST] = "host",
	[LAYER_FILE] = "file",
	[LAYER_OVERLAY] = "overlay",
	[LAYER_ENVIRONMENT] = "environment",
	[LAYER_FLOOR] = "floor",
};

const char *config_layer_name(enum config_layer l)
{
	return (size_t)l < LAYER__MAX ? layer_names[l] : "default";
}

static void put_value(struct jsonout *o, const struct config *c, enum config_key k)
{
	if (config_specs[k].flags & KEY_SECRET)
		jsonout_string(o, *config_string(c, k) ? "[set]" : "");
	else
		jsonout_value(o, c->value[k]);
}

static void put_key(struct jsonout *o, const struct config *c, enum config_key k, const char *name, bool with_origin)
{
	jsonout_name(o, name);
	if (!with_origin) {
		put_value(o, c, k);
		return;
	}
	jsonout_object(o);
	jsonout_name(o, "value");
	put_value(o, c, k);
	jsonout_member(o, "origin", config_layer_name(c->origin[k]));
	jsonout_end(o);
}

int config_show(const struct config *c, bool with_origin, char **ret_text)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };
	struct jsonout o = JSONOUT_PRETTY(&b);
	struct bytes group = { 0 };

	jsonout_object(&o);
	for (size_t i = 0; i < CFG__MAX; i++) {
		const char *path = config_specs[i].path, *dot = strchr(path, '.');
		struct bytes own = { path, dot ? (size_t)(dot - path) : 0 };

		/* the table keeps a group's keys together */
		if (!bytes_eq(own, group)) {
			if (group.len > 0)
				jsonout_end(&o);
			group = own;
			if (group.len > 0) {
				char name[64];

				memcpy(name, group.p, group.len);
				name[group.len] = '\0';
				jsonout_name(&o, name);
				jsonout_object(&o);
			}
		}
		put_key(&o, c, (enum config_key)i, dot ? dot + 1 : path, with_origin);
	}
	if (group.len > 0)
		jsonout_end(&o);
	jsonout_end(&o);
	textbuf_putc(&b, '\n');
	*ret_text = textbuf_steal(&b);
	return *ret_text ? 0 : -ENOMEM;
}
