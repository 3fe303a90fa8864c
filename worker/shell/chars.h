/* SPDX-License-Identifier: Apache-2.0 */
/* What single bytes mean to the shell's reader. Bytes from 0x80 are letters: no multibyte character is special. */
#ifndef SHELL_CHARS_H
#define SHELL_CHARS_H

#include "policy/base.h"

enum char_class {
	CHAR_PLAIN = 1u << 0, /* stands for itself anywhere in an unquoted word */
	CHAR_BLANK = 1u << 1, /* space, tab */
	CHAR_META = 1u << 2, /* ends an unquoted word (bash manual, "metacharacter") */
	CHAR_NAME_START = 1u << 3,
	CHAR_DIGIT = 1u << 4,
	CHAR_SPECIAL_PARAM = 1u << 5, /* @ * # ? - $ ! */
	CHAR_DOUBLE_PLAIN = 1u << 6, /* stands for itself inside "…" and in here-documents */
	CHAR_CONTROL = 1u << 7, /* C0 without tab and newline; DEL */
};

extern const uint8_t char_classes[256];

static inline bool char_is(char c, unsigned int classes)
{
	return char_classes[(unsigned char)c] & classes;
}

static inline bool char_is_name(char c)
{
	return char_is(c, CHAR_NAME_START | CHAR_DIGIT);
}

/* A whole, valid variable name. */
static inline bool is_name(struct bytes s)
{
	if (s.len == 0 || !char_is(s.p[0], CHAR_NAME_START))
		return false;
	for (size_t i = 1; i < s.len; i++)
		if (!char_is_name(s.p[i]))
			return false;
	return true;
}

#endif
