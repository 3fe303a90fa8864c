/* SPDX-License-Identifier: Apache-2.0 */
/* Zones of the configuration: globs over whole paths, where `*` stays within a component and `**` does not. */
#include "policy/paths/components.h"
#include "policy/paths/paths.h"

enum { STEPS_MAX = 4096 }; /* of one comparison; what takes more matches, as a zone would rather be too wide */

/* From component `p` of the pattern and `at` of the path on. What lies below a match matches as well. */
static bool matches_from(const struct components *pattern, uint32_t p, const struct components *path, uint32_t at,
	unsigned int *steps)
{
	if (++*steps > STEPS_MAX || p == pattern->n)
		return true;
	if (bytes_is(pattern->c[p], "**")) {
		for (uint32_t i = at; i <= path->n; i++)
			if (matches_from(pattern, p + 1, path, i, steps))
				return p + 1 < pattern->n || at < path->n;
		return false;
	}
	return at < path->n && component_matches(pattern->c[p], path->c[at], COMPONENT_ANY) &&
		matches_from(pattern, p + 1, path, at + 1, steps);
}

bool path_in_zone(struct bytes path, struct bytes glob, struct bytes home)
{
	struct components split, pattern, home_split;
	unsigned int steps = 0;
	uint32_t in_home = 0;

	path_split(path, &split);
	path_split(glob, &pattern);
	if (split.too_long || pattern.too_long)
		return true;
	if (pattern.n > 0 && bytes_is(pattern.c[0], "~")) {
		path_split(home, &home_split);
		if (home_split.n == 0 || !path_within(path, home))
			return false;
		in_home = home_split.n;
		return matches_from(&pattern, 1, &split, in_home, &steps);
	}
	if (pattern.absolute)
		return split.absolute && matches_from(&pattern, 0, &split, 0, &steps);
	for (uint32_t at = 0; at < split.n && pattern.n > 0; at++)
		if (matches_from(&pattern, 0, &split, at, &steps))
			return true;
	return false;
}

bool zone_begins_below(struct bytes glob, struct bytes dir, struct bytes home)
{
	struct components pattern, split, home_split;
	uint32_t at = 0, p = 0;

	path_split(glob, &pattern);
	path_split(dir, &split);
	if (pattern.n > 0 && bytes_is(pattern.c[0], "~")) {
		path_split(home, &home_split);
		for (; at < split.n && at < home_split.n; at++)
			if (!bytes_eq(split.c[at], home_split.c[at]))
				return false;
		p = 1;
	} else if (!pattern.absolute) {
		return false;
	}
	for (; at < split.n; at++, p++) {
		if (p == pattern.n || bytes_is(pattern.c[p], "**"))
			return true;
		if (!component_matches(pattern.c[p], split.c[at], COMPONENT_ANY))
			return false;
	}
	return true;
}
