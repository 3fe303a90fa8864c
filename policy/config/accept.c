/* SPDX-License-Identifier: Apache-2.0 */
/* Is a JSON value what a setting takes? Checked, clamped and normalised, or a problem that names the key. */
#include "policy/config/internal.h"
#include "policy/text/json_strict.h"

static int put(struct json_object *v, struct json_object **ret)
{
	if (!v)
		return -ENOMEM;
	*ret = v;
	return 0;
}

static int wrong_type(struct place *at, enum config_key k, const char *wanted)
{
	return problem_add(at, true, "%s: must be %s", config_specs[k].path, wanted);
}

/* A whole number however it is written: 15000, 1.5e4. */
static bool whole(struct json_object *in, int64_t *ret)
{
	double d;

	if (json_object_is_type(in, json_type_int)) {
		*ret = json_object_get_int64(in);
		return true;
	}
	if (!json_object_is_type(in, json_type_double))
		return false;
	d = json_object_get_double(in);
	if (d < -9e15 || d > 9e15)
		return false;
	*ret = (int64_t)d;
	return (double)*ret == d;
}

static int accept_int(struct place *at, enum config_key k, struct json_object *in, struct json_object **ret)
{
	int64_t v, min, max, kept;
	int r;

	if (!whole(in, &v))
		return wrong_type(at, k, "a whole number");
	schema_range(k, &min, &max);
	kept = v < min ? min : v > max ? max : v;
	if (kept != v) {
		r = problem_add(at, false, "%s: %lld is out of range, %lld is used", config_specs[k].path,
			(long long)v, (long long)kept);
		if (r < 0)
			return r;
	}
	return put(json_object_new_int64(kept), ret);
}

static int accept_number(struct place *at, enum config_key k, struct json_object *in, struct json_object **ret)
{
	int64_t min, max;
	double v, low, high, kept;
	int r;

	if (!json_object_is_type(in, json_type_int) && !json_object_is_type(in, json_type_double))
		return wrong_type(at, k, "a number");
	v = json_object_get_double(in);
	schema_range(k, &min, &max);
	low = config_specs[k].flags & KEY_UNIT ? 0 : (double)min;
	high = config_specs[k].flags & KEY_UNIT ? 1 : (double)max;
	kept = v < low ? low : v > high ? high : v;
	if (kept < v || kept > v) {
		r = problem_add(at, false, "%s: %g is out of range, %g is used", config_specs[k].path, v, kept);
		if (r < 0)
			return r;
	}
	return put(json_object_new_double(kept), ret);
}

/* "env:NAME", or a literal that was blanked before it came here: only that there is one is kept. */
static int accept_secret(const char *text, size_t len, struct json_object **ret)
{
	if (len == 0)
		return put(json_object_new_string(""), ret);
	if (strncmp(text, "env:", 4) == 0)
		return put(json_object_new_string(text), ret);
	return put(json_object_new_string("set"), ret);
}

static int accept_word(struct place *at, enum config_key k, const char *text, struct json_object **ret)
{
	CLEANUP(textbuf_done) struct textbuf all = { 0 };
	const char *const *words;
	size_t n;

	words = schema_words(k, &n);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(words[i], text) != 0)
			continue;
		if (k == CFG_LLM_PROVIDER && strcmp(text, "openai") == 0)
			text = "chat";
		return put(json_object_new_string(text), ret);
	}
	for (size_t i = 0; i < n; i++)
		textbuf_printf(&all, "%s\"%s\"", i == 0 ? "" : i + 1 == n ? " or " : ", ", words[i]);
	if (all.failed)
		return -ENOMEM;
	if (k == CFG_AGY_ALWAYS_PROCEED_ESCALATIONS) { /* an old setting that anything but "run" switches off */
		int r = problem_add(at, false, "%s: must be %s; \"stop\" is used", config_specs[k].path, all.p);

		return r < 0 ? r : put(json_object_new_string("stop"), ret);
	}
	return problem_add(at, true, "%s: must be %s", config_specs[k].path, all.p);
}

static int accept_string(struct place *at, enum config_key k, struct json_object *in, struct json_object **ret)
{
	const char *text = json_object_get_string(in);
	size_t len, n;

	if (!json_object_is_type(in, json_type_string))
		return wrong_type(at, k, "a string");
	len = (size_t)json_object_get_string_len(in);
	if (strlen(text) != len)
		return problem_add(at, true, "%s: has a NUL character", config_specs[k].path);
	if (len > CONFIG_STRING_MAX)
		return problem_add(at, true, "%s: is longer than %d bytes", config_specs[k].path, CONFIG_STRING_MAX);
	if (config_specs[k].flags & KEY_SECRET)
		return accept_secret(text, len, ret);
	if (schema_words(k, &n))
		return accept_word(at, k, text, ret);
	return put(json_object_get(in), ret);
}

/* Letters, digits and _ . - in parts with / between them: branch names that are no pattern and no option. */
static const char *check_branch(char *s)
{
	size_t part = 0;

	for (; *s; s++) {
		bool word = (*s >= 'A' && *s <= 'Z') || (*s >= 'a' && *s <= 'z') || (*s >= '0' && *s <= '9');

		if (*s == '/' && part > 0)
			part = 0;
		else if (word || *s == '_' || *s == '.' || *s == '-')
			part++;
		else
			return "is no branch name";
	}
	return part > 0 ? NULL : "is no branch name";
}

static const char *check_scratch(char *s)
{
	size_t n = strlen(s);

	if (*s != '/' && strncmp(s, "~/", 2) != 0)
		return "is no absolute path";
	if (strstr(s, "/../") || (n >= 3 && strcmp(s + n - 3, "/..") == 0))
		return "has \"..\" in it";
	if (strspn(s + (*s == '~'), "/") == n - (*s == '~'))
		return "would make everything scratch";
	return NULL;
}

static const char *check_host(char *s)
{
	if (!*s || strpbrk(s, " \t\r\n/@?#"))
		return "is no host name";
	for (; *s; s++) {
		if (*s >= 'A' && *s <= 'Z')
			*s = (char)(*s | 0x20);
	}
	return NULL;
}

static const char *check_filled(char *s)
{
	return *s ? NULL : "is empty";
}

/* Lists whose items must have a form; a bad one is dropped with a warning, which never makes the gate looser but for
 * protectedBranches and denials, where `config check` shows it. */
static const struct {
	enum config_key key;
	const char *(*check)(char *item); /* may change it in place; NULL: fine */
} item_checks[] = {
	{ CFG_SANCTIONED_REMOTES, remote_entry_check },
	{ CFG_POLICY_TRUSTED_REMOTES, remote_entry_check },
	{ CFG_POLICY_PROTECTED_BRANCHES, check_branch },
	{ CFG_RULES_SCRATCH_WRITE_ROOTS, check_scratch },
	{ CFG_LLM_ALLOW_HTTP, check_host },
};

static const char *check_item(enum config_key k, char *item)
{
	for (size_t i = 0; i < ARRAY_LEN(item_checks); i++) {
		if (item_checks[i].key == k)
			return item_checks[i].check(item);
	}
	return check_filled(item);
}

/* An item's text, or NULL: sanctioned remotes may also be {"pattern": …}. */
static const char *item_text(enum config_key k, struct json_object *item, size_t *ret_len)
{
	struct json_object *pattern = NULL;

	if (k == CFG_SANCTIONED_REMOTES)
		pattern = json_member(item, "pattern", json_type_string);
	if (pattern)
		item = pattern;
	if (!json_object_is_type(item, json_type_string))
		return NULL;
	*ret_len = (size_t)json_object_get_string_len(item);
	return json_object_get_string(item);
}

static int append_item(struct place *at, enum config_key k, size_t number, struct json_object *in,
	struct json_object *list)
{
	CLEANUP(freep) char *copy = NULL;
	struct json_object *string;
	const char *text, *why;
	size_t len;

	text = item_text(k, in, &len);
	if (!text || strlen(text) != len || len > CONFIG_STRING_MAX)
		return problem_add(at, true, "%s[%zu]: must be a string", config_specs[k].path, number);
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	why = check_item(k, copy);
	if (why)
		return problem_add(at, false, "%s[%zu]: \"%s\" %s and is left out", config_specs[k].path, number, text,
			why);
	string = json_object_new_string(copy);
	if (!string)
		return -ENOMEM;
	if (json_object_array_add(list, string) < 0) {
		json_object_put(string);
		return -ENOMEM;
	}
	return 0;
}

static int accept_strings(struct place *at, enum config_key k, struct json_object *in, struct json_object **ret)
{
	CLEANUP(json_putp) struct json_object *list = NULL;
	size_t n;
	int r;

	if (!json_object_is_type(in, json_type_array)) {
		if (k == CFG_POLICY_PROTECTED_BRANCHES)
			return problem_add(at, false, "%s: must be a list of names; it is left as it was",
				config_specs[k].path);
		return wrong_type(at, k, "a list of strings");
	}
	n = json_object_array_length(in);
	if (n > CONFIG_LIST_MAX)
		return problem_add(at, true, "%s: has more than %d items", config_specs[k].path, CONFIG_LIST_MAX);
	list = json_object_new_array();
	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		r = append_item(at, k, i, json_object_array_get_idx(in, i), list);
		if (r < 0)
			return r;
	}
	if (k == CFG_POLICY_PROTECTED_BRANCHES && n > 0 && json_object_array_length(list) == 0)
		return 0; /* all were wrong: what stood before holds */
	*ret = TAKE_PTR(list);
	return 0;
}

static int accept_argv(struct place *at, enum config_key k, struct json_object *in, struct json_object **ret)
{
	size_t n;

	if (!json_object_is_type(in, json_type_array))
		return wrong_type(at, k, "a list: the program, then its arguments");
	n = json_object_array_length(in);
	for (size_t i = 0; i < n; i++) {
		struct json_object *item = json_object_array_get_idx(in, i);
		bool string = json_object_is_type(item, json_type_string);
		size_t len = string ? (size_t)json_object_get_string_len(item) : 0;

		if (!string || strlen(json_object_get_string(item)) != len || len > CONFIG_STRING_MAX ||
		    n > CONFIG_LIST_MAX)
			return problem_add(at, true, "%s[%zu]: must be a string", config_specs[k].path, i);
		if (i == 0 && len == 0)
			return problem_add(at, true, "%s[0]: names no program", config_specs[k].path);
	}
	return put(json_object_get(in), ret);
}

int accept_value(struct place *at, enum config_key k, struct json_object *in, struct json_object **ret)
{
	*ret = NULL;
	switch (config_specs[k].type) {
	case TYPE_BOOL:
		if (!json_object_is_type(in, json_type_boolean))
			return wrong_type(at, k, "true or false");
		return put(json_object_get(in), ret);
	case TYPE_INT:
		return accept_int(at, k, in, ret);
	case TYPE_NUMBER:
		return accept_number(at, k, in, ret);
	case TYPE_STRING:
		return accept_string(at, k, in, ret);
	case TYPE_STRINGS:
		return accept_strings(at, k, in, ret);
	case TYPE_OBJECT:
		if (!json_object_is_type(in, json_type_object))
			return wrong_type(at, k, "an object");
		return put(json_object_get(in), ret);
	case TYPE_ARGV:
		return accept_argv(at, k, in, ret);
	}
	return 0;
}
