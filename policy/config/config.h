/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration: one typed table (policy/config/schema.c) drives defaults, loading, merging, the floor, `config
 * show`, `config check` and the manual. Values are held by key number; pure functions, no file is opened here.
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <json-c/json_types.h>

#include "policy/base.h"
#include "policy/text/textbuf.h"

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
	KEY_ENV_WEAK = 1u << 5, /* a variable counts only where no file says anything */
};

/* The later the stronger, and then the floor. */
enum config_layer {
	LAYER_DEFAULT,
	LAYER_HOST,
	LAYER_FILE,
	LAYER_OVERLAY,
	LAYER_ENVIRONMENT,
	LAYER_FLOOR,
	LAYER__MAX
};

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
	char *source; /* owned: the file or the variable */
	char *text; /* owned; names the key path where there is one; one line */
};

struct config; /* values, their layers, problems */

int config_new(struct config **ret) NONNULL MUST_CHECK;
void config_free(struct config *c);
void config_freep(struct config **c);

/*
 * Merge the text of one file (JSONC) as `layer`; `name` is for messages. Literal API keys in `text` are blanked in
 * place before anything parses it. 0, or -ENOMEM. What is wrong with the text becomes problems; a text with a fatal
 * problem changes no value.
 */
int config_merge_text(struct config *c, enum config_layer layer, const char *name, char *text, size_t len)
	NONNULL MUST_CHECK;
/* The text of sanctionedRemotesFile: an array, or an object with `sanctionedRemotes`, `remotes` or `entries`; items
 * are strings or {"pattern": …}. What is wrong adds nothing and becomes a warning. */
int config_merge_remotes(struct config *c, const char *name, char *text, size_t len) NONNULL MUST_CHECK;
/* One variable. `tighten_only`: hook mode without `environment: "trusted"`. Unknown names are ignored. The value of a
 * secret is not looked at and may be NULL. */
int config_merge_variable(struct config *c, const char *name, const char *value, bool tighten_only)
	__attribute__((nonnull(1, 2))) MUST_CHECK;
/* A file that cannot be read at all: fatal (a main file, the floor), or a warning (an overlay counts as broken then). */
int config_file_failed(struct config *c, enum config_layer layer, const char *name, const char *why, bool fatal)
	NONNULL MUST_CHECK;
/* Where "~/" and relative paths begin. Without it they stay as written. */
int config_set_places(struct config *c, const char *home, const char *directory)
	__attribute__((nonnull(1))) MUST_CHECK;
/* After all layers: apply the floor by direction, clamp, make paths absolute, validate across keys. Once. */
int config_finish(struct config *c) NONNULL MUST_CHECK;

/* Before config_finish(): do files let the environment count like a file? */
bool config_trusts_environment(const struct config *c) NONNULL;
/* Before config_finish(): sanctionedRemotesFile as an absolute path, owned; NULL when there is none. */
int config_remotes_file(const struct config *c, char **ret) NONNULL MUST_CHECK;

bool config_bool(const struct config *c, enum config_key k) NONNULL;
int64_t config_int(const struct config *c, enum config_key k) NONNULL;
double config_number(const struct config *c, enum config_key k) NONNULL;
const char *config_string(const struct config *c, enum config_key k) NONNULL; /* "" when unset; owned by c */
size_t config_strings(const struct config *c, enum config_key k, const char *const **ret) NONNULL; /* owned by c */
struct json_object *config_object(const struct config *c, enum config_key k) NONNULL; /* borrowed; NULL when unset */
enum config_layer config_origin(const struct config *c, enum config_key k) NONNULL;
bool config_is_broken(const struct config *c) NONNULL; /* some fatal problem: every decision is a deny that says so */
/* Then headless is true and nothing is looser than the defaults. */
bool config_overlay_broken(const struct config *c) NONNULL;
size_t config_problems(const struct config *c, const struct config_problem **ret) NONNULL;
/* "FILE:LINE:COLUMN: what is wrong", or "VARIABLE: what is wrong". */
void config_problem_print(const struct config_problem *p, struct textbuf *b) NONNULL;
/* The resolved configuration as `config show` prints it (2-space JSON; keys shown as "[set]" or ""). Owned by caller. */
int config_show(const struct config *c, bool with_origin, char **ret_text) NONNULL MUST_CHECK;
/* Whom a judge's address names. `host` points into the text. */
struct judge_address {
	bool https, userinfo;
	bool here; /* this machine */
	struct bytes host; /* without brackets and port */
};

/* False: it is no http or https address. */
bool judge_address_parse(const char *url, struct judge_address *ret) NONNULL MUST_CHECK;

/* Is there anybody to ask about what stays open: a provider that is not "offline", with a key, a helper, or a server on
 * this machine? */
bool config_has_judge(const struct config *c) NONNULL;
const char *config_layer_name(enum config_layer l);

#endif
