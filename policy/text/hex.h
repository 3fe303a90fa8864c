/* SPDX-License-Identifier: Apache-2.0 */
/* Hexadecimal digits, as JSON, shells and escapes write them. */
#ifndef TEXT_HEX_H
#define TEXT_HEX_H

/* The value of one, in either case; -1: it is none. Takes characters as `char` has them, and -1 for none. */
static inline int hex_value(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

#endif
