/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of policy/config share among themselves. */
#ifndef CONFIG_INTERNAL_H
#define CONFIG_INTERNAL_H

#include <json-c/json.h>

#include "policy/config/config.h"
#include "policy/text/textbuf.h"

enum { CONFIG_PROBLEMS_MAX = 64, CONFIG_LIST_MAX = 1024, CONFIG_STRING_MAX = 16 * 1024 };

struct config {
	struct json_object *value[CFG__MAX]; /* of the key's type; never NULL once config_new() is done */
	struct json_object *floor[CFG__MAX]; /* NULL: the floor says nothing */
	enum config_layer origin[CFG__MAX];
	uint8_t variable_rank[CFG__MAX]; /* of the variable it was taken from; 0: none */
	const char **strings[CFG__MAX]; /* lists, once finished; items borrowed from value */
	size_t n_strings[CFG__MAX];
	char *home, *directory;
	struct config_problem problems[CONFIG_PROBLEMS_MAX];
	size_t n_problems;
	bool broken, overlay_broken, finished;
};

/* Where a value comes from, for messages. */
struct place {
	struct config *c;
	enum config_layer layer;
	const char *source; /* file or variable */
	const char *text; /* well-formed JSON in which `path` is looked up; NULL: none */
	size_t len;
	const char *path;
	uint32_t line, column; /* 0: found by path */
	bool fatal; /* set when a fatal problem was noted through this place */
};

/* schema.c */
bool schema_find(const char *path, enum config_key *ret); /* false: there is none */
bool schema_is_group(const char *path); /* some key lies below it */
const char *schema_suggest(const char *path); /* the nearest key path, or NULL */
/* The variable's key and rank (1: strongest), or false. */
bool schema_find_variable(const char *name, enum config_key *ret, uint8_t *ret_rank);
void schema_range(enum config_key k, int64_t *ret_min, int64_t *ret_max);
/* Allowed words of a string key, from loose to strict where the key is ORDERED; NULL when any text will do. */
const char *const *schema_words(enum config_key k, size_t *ret_n);

/* defaults.c: a new reference, or NULL: no memory. */
struct json_object *default_value(enum config_key k);

/* jsonc.c */
/* Comments and trailing commas become blanks of the same length. False: *ret_at is an unfinished comment. */
bool jsonc_blank(char *text, size_t len, size_t *ret_at);
/* Values of members named apiKey are overwritten; "env:NAME" stays. The text is well-formed JSON. */
void jsonc_blank_secrets(char *text, size_t len);
/* Where the member that a dotted path names begins (its name's quote). The text is well-formed. */
bool jsonc_find(const char *text, size_t len, const char *path, size_t *ret_at);
void jsonc_position(const char *text, size_t at, uint32_t *ret_line, uint32_t *ret_column);

/* problem.c: 0 or -ENOMEM. */
int problem_add(struct place *at, bool fatal, const char *fmt, ...) PRINTF_LIKE(3, 4) MUST_CHECK;

/* accept.c: `in` as a value of key k, checked and normalised. *ret NULL: it says nothing (a problem tells why). */
int accept_value(struct place *at, enum config_key k, struct json_object *in, struct json_object **ret) MUST_CHECK;
/* The same from a variable's text. */
int accept_text(struct place *at, enum config_key k, const char *text, struct json_object **ret) MUST_CHECK;

/* tighten.c: `value`, moved as `bound` demands by the key's direction. A new reference, or NULL: no memory. */
struct json_object *tighten(enum config_key k, struct json_object *value, struct json_object *bound);

/* remotes.c */
/* Why a text is no entry of sanctionedRemotes (NULL: it is one). It is lower-cased in place. */
const char *remote_entry_check(char *entry);
bool remote_entry_covers(const char *wide, const char *narrow);

/* urls.c: what is wrong with the judges' addresses, as warnings. 0 or -ENOMEM. */
int config_check_urls(struct config *c) MUST_CHECK;

/* paths.c: "~" and "~/…" below home, relative paths below `base` (NULL: left as they are). */
int path_expand(const char *path, const char *home, const char *base, char **ret) MUST_CHECK;

#endif
