/* SPDX-License-Identifier: Apache-2.0 */
/* Strict UTF-8 and the classes of characters that change what a person sees. */
#include "policy/text/utf8.h"

struct char_range {
	uint32_t first, last;
	enum char_class class;
};

/*
 * Sorted. Format characters are Unicode 15's general category Cf and the fillers and selectors that show nothing;
 * U+FE00 to U+FE0F are left out, since every second emoji ends in one.
 */
static const struct char_range odd_ranges[] = {
	{ 0x00, 0x08, CHAR_CONTROL },
	{ 0x0b, 0x0c, CHAR_CONTROL },
	{ 0x0e, 0x1f, CHAR_CONTROL },
	{ 0x7f, 0x9f, CHAR_CONTROL },
	{ 0xad, 0xad, CHAR_FORMAT },
	{ 0x34f, 0x34f, CHAR_FORMAT },
	{ 0x600, 0x605, CHAR_FORMAT },
	{ 0x61c, 0x61c, CHAR_BIDI },
	{ 0x6dd, 0x6dd, CHAR_FORMAT },
	{ 0x70f, 0x70f, CHAR_FORMAT },
	{ 0x890, 0x891, CHAR_FORMAT },
	{ 0x8e2, 0x8e2, CHAR_FORMAT },
	{ 0x115f, 0x1160, CHAR_FORMAT },
	{ 0x17b4, 0x17b5, CHAR_FORMAT },
	{ 0x180b, 0x180f, CHAR_FORMAT },
	{ 0x200b, 0x200d, CHAR_FORMAT },
	{ 0x200e, 0x200f, CHAR_BIDI },
	{ 0x2018, 0x201f, CHAR_QUOTE },
	{ 0x2028, 0x2029, CHAR_SEPARATOR },
	{ 0x202a, 0x202e, CHAR_BIDI },
	{ 0x2060, 0x2065, CHAR_FORMAT },
	{ 0x2066, 0x2069, CHAR_BIDI },
	{ 0x206a, 0x206f, CHAR_FORMAT },
	{ 0x3164, 0x3164, CHAR_FORMAT },
	{ 0xfeff, 0xfeff, CHAR_FORMAT },
	{ 0xff02, 0xff02, CHAR_QUOTE },
	{ 0xff07, 0xff07, CHAR_QUOTE },
	{ 0xff40, 0xff40, CHAR_QUOTE },
	{ 0xffa0, 0xffa0, CHAR_FORMAT },
	{ 0xfff0, 0xfffb, CHAR_FORMAT },
	{ 0x110bd, 0x110bd, CHAR_FORMAT },
	{ 0x110cd, 0x110cd, CHAR_FORMAT },
	{ 0x13430, 0x1343f, CHAR_FORMAT },
	{ 0x1bca0, 0x1bca3, CHAR_FORMAT },
	{ 0x1d173, 0x1d17a, CHAR_FORMAT },
	{ 0xe0000, 0xe0fff, CHAR_FORMAT },
};

static size_t sequence_length(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef)
		return 3;
	if (first >= 0xf0 && first <= 0xf4)
		return 4;
	return 0;
}

size_t utf8_decode(const char *p, size_t len, uint32_t *ret)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)p;
	size_t n;
	uint32_t c;

	if (len == 0)
		return 0;
	n = sequence_length(s[0]);
	if (n == 0 || n > len)
		return 0;
	c = n == 1 ? s[0] : s[0] & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < smallest[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*ret = c;
	return n;
}

size_t utf8_encode(uint32_t c, char out[static 4])
{
	if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		c = 0xfffd;
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xe0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3f));
		out[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3f));
	out[2] = (char)(0x80 | (c >> 6 & 0x3f));
	out[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

bool utf8_valid(const char *p, size_t len)
{
	size_t i = 0, n;
	uint32_t c;

	while (i < len) {
		if ((unsigned char)p[i] < 0x80) {
			i++;
			continue;
		}
		n = utf8_decode(p + i, len - i, &c);
		if (n == 0)
			return false;
		i += n;
	}
	return true;
}

size_t utf8_cut(const char *p, size_t len, size_t cap)
{
	size_t at = cap;

	if (len <= cap)
		return len;
	while (at > 0 && cap - at < 3 && ((unsigned char)p[at] & 0xc0) == 0x80)
		at--;
	/* more than three continuation bytes is no character: cut where asked */
	return ((unsigned char)p[at] & 0xc0) == 0x80 ? cap : at;
}

enum char_class utf8_class(uint32_t c)
{
	size_t low = 0, high = ARRAY_LEN(odd_ranges);

	if (c >= 0x20 && c < 0x7f)
		return CHAR_PLAIN;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (c > odd_ranges[mid].last)
			low = mid + 1;
		else if (c < odd_ranges[mid].first)
			high = mid;
		else
			return odd_ranges[mid].class;
	}
	return CHAR_PLAIN;
}

enum char_class utf8_find_odd(const char *p, size_t len, size_t *ret_at)
{
	size_t i = 0, n;
	uint32_t c;
	enum char_class class;

	while (i < len) {
		n = utf8_decode(p + i, len - i, &c);
		class = n ? utf8_class(c) : CHAR_CONTROL;
		if (class != CHAR_PLAIN) {
			*ret_at = i;
			return class;
		}
		i += n;
	}
	*ret_at = len;
	return CHAR_PLAIN;
}
