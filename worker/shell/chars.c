/* SPDX-License-Identifier: Apache-2.0 */
/* The table of byte classes. */
#include "worker/shell/chars.h"

#define PLAIN (CHAR_PLAIN | CHAR_DOUBLE_PLAIN)
#define LETTER (PLAIN | CHAR_NAME_START)
#define DIGIT (PLAIN | CHAR_DIGIT)
#define BLANK (CHAR_BLANK | CHAR_META | CHAR_DOUBLE_PLAIN)
#define META (CHAR_META | CHAR_DOUBLE_PLAIN)
#define ACTIVE CHAR_DOUBLE_PLAIN /* looked at in unquoted words only: globs, braces, tildes, assignments */

const uint8_t char_classes[256] = {
	[0x00 ... 0x08] = ACTIVE | CHAR_CONTROL,
	['\t'] = BLANK,
	['\n'] = META,
	[0x0b ... 0x1f] = ACTIVE | CHAR_CONTROL,
	[0x7f] = ACTIVE | CHAR_CONTROL,
	[0x80 ... 0xff] = PLAIN,
	[' '] = BLANK,
	['|'] = META,
	['&'] = META,
	[';'] = META,
	['('] = META,
	[')'] = META,
	['<'] = META,
	['>'] = META,
	['a' ... 'z'] = LETTER,
	['A' ... 'Z'] = LETTER,
	['_'] = LETTER,
	['0' ... '9'] = DIGIT,
	['-'] = PLAIN | CHAR_SPECIAL_PARAM,
	['#'] = PLAIN | CHAR_SPECIAL_PARAM,
	['.'] = PLAIN,
	['/'] = PLAIN,
	['%'] = PLAIN,
	[','] = PLAIN,
	['^'] = PLAIN,
	['@'] = ACTIVE | CHAR_SPECIAL_PARAM,
	['*'] = ACTIVE | CHAR_SPECIAL_PARAM,
	['?'] = ACTIVE | CHAR_SPECIAL_PARAM,
	['!'] = ACTIVE | CHAR_SPECIAL_PARAM,
	['$'] = CHAR_SPECIAL_PARAM,
	['+'] = ACTIVE,
	['='] = ACTIVE,
	[':'] = ACTIVE,
	['~'] = ACTIVE,
	['['] = ACTIVE,
	[']'] = ACTIVE,
	['{'] = ACTIVE,
	['}'] = ACTIVE,
	['\''] = CHAR_DOUBLE_PLAIN,
	['"'] = 0,
	['`'] = 0,
	['\\'] = 0,
};
