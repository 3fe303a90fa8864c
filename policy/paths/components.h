/* SPDX-License-Identifier: Apache-2.0 */
/* A path as the list of its components, and patterns over such lists: the common ground of the path tables. */
#ifndef PATHS_COMPONENTS_H
#define PATHS_COMPONENTS_H

#include "policy/base.h"

enum { PATH_COMPONENTS_MAX = 64 };

/* `.`, `..` and empty components are resolved by text; a relative path may begin with `..` components. */
struct components {
	struct bytes c[PATH_COMPONENTS_MAX];
	uint32_t n;
	bool absolute;
	bool too_long; /* more components than fit: a table must answer with its strict side */
};

void path_split(struct bytes path, struct components *ret) NONNULL;

/* ASCII case folded: the tables hold on file systems that ignore case as well. */
bool path_name_eq(struct bytes name, const char *lower);
/* As above with `*` in the pattern standing for any run of characters. */
bool path_name_matches(struct bytes name, const char *lower_pattern);

enum component_match {
	COMPONENT_FOLD = 1u << 0, /* ASCII letters of either case are the same */
	COMPONENT_ANY = 1u << 1, /* `?` stands for one character */
	COMPONENT_BRACKETS = 1u << 2, /* `[…]` does, whichever it lists */
};

/* One component against a pattern in which `*` stands for any run of characters; `how`: enum component_match. */
bool component_matches(struct bytes pattern, struct bytes name, unsigned int how);

/*
 * Could the file name pattern (`*`, `?`, `[…]`, the last taken for any character) become the name? A leading dot
 * must be written.
 */
bool path_glob_reaches(struct bytes pattern, const char *lower_name);

/*
 * A path pattern: components joined by '/', each matched by path_name_matches(). Leading '/': only from the root;
 * leading "~/": only below `home` (nowhere when home is empty); else the run of components may begin anywhere. Trailing
 * "/ **" (without the blank): the directory and all below it; without it the pattern must reach the path's end.
 */
bool path_matches(const struct components *path, const struct components *home, const char *pattern);
/* The path is a proper ancestor of what a pattern describes. */
bool path_leads_to(const struct components *path, const struct components *home, const char *pattern);

/* The texts lie in it, so that no table has to be relocated when a process starts. */
struct path_rule {
	char pattern[48];
	char what[40]; /* for a person: "Claude Code's settings" */
};

/* The first rule of the table that matches, or NULL. */
const struct path_rule *path_find(const struct components *path, struct bytes home, const struct path_rule *rules,
	size_t n_rules);

#endif
