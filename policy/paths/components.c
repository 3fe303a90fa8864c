/* SPDX-License-Identifier: Apache-2.0 */
/* Splitting a path by text, and matching component patterns in time linear in the path. */
#include "policy/paths/components.h"

#include "policy/text/fold.h"

static void push(struct components *cs, struct bytes name)
{
	if (name.len == 0 || bytes_is(name, "."))
		return;
	if (bytes_is(name, "..")) {
		if (cs->n > 0 && !bytes_is(cs->c[cs->n - 1], "..")) {
			cs->n--;
			return;
		}
		if (cs->absolute)
			return;
	}
	if (cs->n == PATH_COMPONENTS_MAX) {
		cs->too_long = true;
		return;
	}
	cs->c[cs->n++] = name;
}

void path_split(struct bytes path, struct components *ret)
{
	size_t start = 0;

	ret->n = 0;
	ret->absolute = path.len > 0 && path.p[0] == '/';
	ret->too_long = false;
	for (size_t i = 0; path.len > 0 && i <= path.len; i++) {
		if (i < path.len && path.p[i] != '/')
			continue;
		push(ret, (struct bytes){ path.p + start, i - start });
		start = i + 1;
	}
}

bool path_name_eq(struct bytes name, const char *want)
{
	size_t i;

	for (i = 0; i < name.len; i++)
		if (want[i] == '\0' || fold_lower(name.p[i]) != want[i])
			return false;
	return want[i] == '\0';
}

bool component_matches(struct bytes pattern, struct bytes name, unsigned int how)
{
	size_t star = SIZE_MAX, mark = 0, i = 0, at = 0;

	while (at < name.len) {
		char c = i < pattern.len ? pattern.p[i] : '\0', is = name.p[at];

		if (how & COMPONENT_FOLD) {
			c = fold_lower(c);
			is = fold_lower(is);
		}
		if (i < pattern.len && c == '*') {
			star = ++i;
			mark = at;
		} else if (i < pattern.len && c == '[' && (how & COMPONENT_BRACKETS)) {
			const char *end = memchr(pattern.p + i, ']', pattern.len - i);

			i = end != NULL ? (size_t)(end - pattern.p) + 1 : pattern.len;
			at++;
		} else if (i < pattern.len && (c == is || (c == '?' && (how & COMPONENT_ANY)))) {
			i++;
			at++;
		} else if (star != SIZE_MAX) {
			i = star;
			at = ++mark;
		} else {
			return false;
		}
	}
	while (i < pattern.len && pattern.p[i] == '*')
		i++;
	return i == pattern.len;
}

bool path_name_matches(struct bytes name, const char *pattern)
{
	return component_matches((struct bytes){ pattern, strlen(pattern) }, name, COMPONENT_FOLD);
}

bool path_glob_reaches(struct bytes pattern, const char *name)
{
	if (name[0] == '.' && (pattern.len == 0 || (pattern.p[0] != '.' && pattern.p[0] != '[')))
		return false;
	return component_matches(pattern, (struct bytes){ name, strlen(name) },
		COMPONENT_FOLD | COMPONENT_ANY | COMPONENT_BRACKETS);
}

enum walk { WALK_NO, WALK_WHOLE, WALK_BELOW, WALK_ABOVE };

/* How the components from `at` on relate to the pattern: the same, something below it, or a proper ancestor. */
static enum walk walk_from(const struct components *path, uint32_t at, const char *pattern)
{
	while (true) {
		const char *slash = strchr(pattern, '/');
		size_t len = slash != NULL ? (size_t)(slash - pattern) : strlen(pattern);

		if (len == 2 && pattern[0] == '*' && pattern[1] == '*')
			return at == path->n ? WALK_WHOLE : WALK_BELOW;
		if (at == path->n)
			return WALK_ABOVE;
		if (!component_matches((struct bytes){ pattern, len }, path->c[at], COMPONENT_FOLD))
			return WALK_NO;
		at++;
		if (slash == NULL)
			return at == path->n ? WALK_WHOLE : WALK_NO;
		pattern = slash + 1;
	}
}

/* Where below the home directory the path begins, or UINT32_MAX when it is not below it. */
static uint32_t below_home(const struct components *path, const struct components *home)
{
	if (home == NULL || !home->absolute || !path->absolute || home->n == 0 || path->n < home->n)
		return UINT32_MAX;
	for (uint32_t i = 0; i < home->n; i++)
		if (!bytes_eq(path->c[i], home->c[i]))
			return UINT32_MAX;
	return home->n;
}

bool path_matches(const struct components *path, const struct components *home, const char *pattern)
{
	enum walk w;

	if (pattern[0] == '/') {
		w = path->absolute ? walk_from(path, 0, pattern + 1) : WALK_NO;
		return w == WALK_WHOLE || w == WALK_BELOW;
	}
	if (pattern[0] == '~') {
		uint32_t at = below_home(path, home);

		w = at == UINT32_MAX ? WALK_NO : walk_from(path, at, pattern + 2);
		return w == WALK_WHOLE || w == WALK_BELOW;
	}
	for (uint32_t at = 0; at < path->n; at++) {
		w = walk_from(path, at, pattern);
		if (w == WALK_WHOLE || w == WALK_BELOW)
			return true;
	}
	return false;
}

bool path_leads_to(const struct components *path, const struct components *home, const char *pattern)
{
	if (pattern[0] == '/')
		return path->absolute && walk_from(path, 0, pattern + 1) == WALK_ABOVE;
	if (pattern[0] == '~') {
		uint32_t at = below_home(path, home);

		return at != UINT32_MAX && walk_from(path, at, pattern + 2) == WALK_ABOVE;
	}
	/* Every directory lies above a pattern that may begin anywhere: only one that has matched something counts. */
	for (uint32_t at = 0; at < path->n; at++)
		if (walk_from(path, at, pattern) == WALK_ABOVE)
			return true;
	return false;
}

/* The first characters of a path's components, as a set: nearly every rule begins with none of them. */
struct initials {
	uint64_t set[4];
};

static void add_initial(struct initials *s, char c)
{
	s->set[(unsigned char)c >> 6] |= (uint64_t)1 << ((unsigned char)c & 63);
}

static bool has_initial(const struct initials *s, char c)
{
	return (s->set[(unsigned char)c >> 6] >> ((unsigned char)c & 63) & 1) != 0;
}

static bool matches_at(const struct components *path, uint32_t at, const char *pattern)
{
	enum walk w = walk_from(path, at, pattern);

	return w == WALK_WHOLE || w == WALK_BELOW;
}

static bool rule_matches(const struct components *path, uint32_t in_home, const char *pattern)
{
	if (pattern[0] == '/')
		return path->absolute && matches_at(path, 0, pattern + 1);
	if (pattern[0] == '~')
		return in_home < path->n && matches_at(path, in_home, pattern + 2);
	for (uint32_t at = 0; at < path->n; at++)
		if ((fold_lower(path->c[at].p[0]) == pattern[0] || pattern[0] == '*') && matches_at(path, at, pattern))
			return true;
	return false;
}

const struct path_rule *path_find(const struct components *path, struct bytes home, const struct path_rule *rules,
	size_t n_rules)
{
	struct initials initials = { { 0 } };
	struct components home_split;
	uint32_t in_home;

	if (path->n == 0)
		return NULL;
	path_split(home, &home_split);
	in_home = below_home(path, &home_split);
	add_initial(&initials, '*');
	for (uint32_t i = 0; i < path->n; i++)
		add_initial(&initials, fold_lower(path->c[i].p[0]));
	for (size_t i = 0; i < n_rules; i++) {
		const char *pattern = rules[i].pattern;
		char first = pattern[0] == '/' ? pattern[1] : pattern[0] == '~' ? pattern[2] : pattern[0];

		if (has_initial(&initials, first) && rule_matches(path, in_home, pattern))
			return &rules[i];
	}
	return NULL;
}
