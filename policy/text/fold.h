/* SPDX-License-Identifier: Apache-2.0 */
/* Texts compared without regard to the case of ASCII letters: host names, file names of manifests, components of paths. */
#ifndef TEXT_FOLD_H
#define TEXT_FOLD_H

#include "policy/base.h"

/* Not tolower(3): a locale must not decide what equals what. */
static inline char fold_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* `lowered` has no capitals. */
static inline bool fold_starts(struct bytes text, const char *lowered)
{
	size_t n = strlen(lowered);

	if (text.len < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (fold_lower(text.p[i]) != lowered[i])
			return false;
	return true;
}

static inline bool fold_is(struct bytes text, const char *lowered)
{
	return text.len == strlen(lowered) && fold_starts(text, lowered);
}

static inline bool fold_ends(struct bytes text, const char *lowered)
{
	size_t n = strlen(lowered);

	return text.len >= n && fold_is((struct bytes){ text.p + text.len - n, n }, lowered);
}

/* Does `lowered` stand somewhere in the text? One that begins with no letter is looked for the faster. */
static inline bool fold_has(struct bytes text, const char *lowered)
{
	size_t n = strlen(lowered);
	bool letter = *lowered >= 'a' && *lowered <= 'z';

	for (size_t i = 0; i + n <= text.len; i++) {
		if (!letter && n > 0) {
			const char *at = (const char *)memchr(text.p + i, *lowered, text.len - i);

			i = at != NULL ? (size_t)(at - text.p) : text.len;
		}
		if (i + n <= text.len && fold_starts((struct bytes){ text.p + i, n }, lowered))
			return true;
	}
	return false;
}

#endif
