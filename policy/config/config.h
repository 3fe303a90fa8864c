/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration: one typed table (policy/config/schema.c) drives defaults, loading, merging, the floor, `config
 * show`, `config check` and the manual. Values are held by key number; pure functions, no file is opened here.
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <json-c/json_types.h>

#include "policy/base.h"

/* KEY(id, "dotted.path", type, default as JSON text, direction, environment variables or NULL, flags, help) */
enum config_key {
#define KEY(id, path, type, def, direction, env, flags, help) CFG_##id,
#include "policy/config/keys.def"
#undef KEY
	CFG__MAX
};

enum config_type { TYPE_BOOL, TYPE_INT, TYPE_NUMBER, TYPE_STRING, TYPE_STRINGS, TYPE_OBJECT, TYPE_ARGV };

/* How a floor, an overlay or the environment in hook mode may move a key. */
enum config_direction {
	FREE, /* a floor does not bind it */
	GROW, /* list: only additions */
	SHRINK, /* list: only what the floor has too */
	ONLY_TRUE,
	ONLY_FALSE,
	ONLY_DOWN,
	ONLY_UP,
	ONLY_FLOOR, /* fixed once the floor sets it */
	ORDERED, /* denyMode: ask-user < both < auto-retry */
};

enum config_flags {
	KEY_SECRET = 1u << 0, /* never shown, never held */
	KEY_ORIGIN = 1u << 1, /* from the environment only where `environment` is "trusted" (in hook mode) */
	KEY_PATH = 1u << 2, /* a path: absolute or below ~ */
	KEY_UNIT = 1u << 3, /* a number between 0 and 1, clamped to it */
	KEY_MAY_CLEAR = 1u << 4, /* an empty variable sets it to "" instead of counting as unset */
};

/* The later the stronger, and then the floor. */
enum config_layer { LAYER_DEFAULT, LAYER_HOST, LAYER_FILE, LAYER_OVERLAY, LAYER_ENVIRONMENT, LAYER_FLOOR, LAYER__MAX };

struct config_spec {
	const char *path;
	enum config_type type;
	const char *def; /* JSON text */
	enum config_direction direction;
	const char *env; /* variable names, space separated, the stronger first; NULL: none */
	uint32_t flags;
	const char *help; /* one line */
};

extern const struct config_spec config_specs[CFG__MAX];

struct config_problem {
	enum config_layer layer;
	uint32_t line, column; /* 0: not a place in a text */
	bool fatal; /* else a warning (an unknown key …) */
	char *text; /* owned; names the key path where there is one */
};

struct config; /* values, their layers, problems */

int config_new(struct config **ret) NONNULL MUST_CHECK;
void config_free(struct config *c);
void config_freep(struct config **c);

/*
 * Merge the text of one file (JSONC) as `layer`; `name` is for messages. Literal API keys in `text` are blanked in place
 * before anything parses it. 0, or -ENOMEM. What is wrong with the text becomes problems; a text with a fatal problem
 * changes no value.
 */
int config_merge_text(struct config *c, enum config_layer layer, const char *name, char *text, size_t len)
	NONNULL MUST_CHECK;
/* One variable. `tighten_only`: hook mode without `environment: "trusted"`. Unknown names are ignored. */
int config_merge_variable(struct config *c, const char *name, const char *value, bool tighten_only) NONNULL MUST_CHECK;
/* After all layers: apply the floor by direction, clamp, validate across keys. */
int config_finish(struct config *c) NONNULL MUST_CHECK;

bool config_bool(const struct config *c, enum config_key k) NONNULL;
int64_t config_int(const struct config *c, enum config_key k) NONNULL;
double config_number(const struct config *c, enum config_key k) NONNULL;
const char *config_string(const struct config *c, enum config_key k) NONNULL; /* "" when unset; owned by c */
size_t config_strings(const struct config *c, enum config_key k, const char *const **ret) NONNULL; /* owned by c */
struct json_object *config_object(const struct config *c, enum config_key k) NONNULL; /* borrowed; NULL when unset */
enum config_layer config_origin(const struct config *c, enum config_key k) NONNULL;
bool config_is_broken(const struct config *c) NONNULL; /* some fatal problem: every decision is a deny that says so */
bool config_overlay_broken(const struct config *c) NONNULL; /* then headless is true and nothing is looser than the defaults */
size_t config_problems(const struct config *c, const struct config_problem **ret) NONNULL;
/* The resolved configuration as `config show` prints it (2-space JSON; keys shown as "[set]" or ""). Owned by caller. */
int config_show(const struct config *c, bool with_origin, char **ret_text) NONNULL MUST_CHECK;
const char *config_layer_name(enum config_layer l);

#endif
