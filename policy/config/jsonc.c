/* SPDX-License-Identifier: Apache-2.0 */
/* JSON with comments and trailing commas, made JSON in place: every byte keeps its line and column. */
#include "policy/config/internal.h"

/* From the opening quote to behind the closing one, or to the end. */
static size_t skip_string(const char *text, size_t len, size_t at)
{
	for (at++; at < len; at++) {
		if (text[at] == '\\')
			at++;
		else if (text[at] == '"')
			return at + 1;
	}
	return len;
}

static void blank(char *text, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (text[i] != '\n' && text[i] != '\r')
			text[i] = ' ';
	}
}

/* The end of the comment that begins at `at`; `at` itself when none does; SIZE_MAX when it never ends. */
static size_t comment_end(const char *text, size_t len, size_t at)
{
	const char *p;

	if (len - at < 2 || text[at] != '/')
		return at;
	if (text[at + 1] == '/') {
		p = memchr(text + at, '\n', len - at);
		return p ? (size_t)(p - text) : len;
	}
	if (text[at + 1] != '*')
		return at;
	p = memmem(text + at + 2, len - at - 2, "*/", 2);
	return p ? (size_t)(p - text) + 2 : SIZE_MAX;
}

bool jsonc_blank(char *text, size_t len, size_t *ret_at)
{
	size_t i = 0, comma = SIZE_MAX;
	char last = '['; /* the last byte that means something: a comma needs a value before it */

	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		blank(text, 0, 3);
	while (i < len) {
		size_t end = comment_end(text, len, i);

		if (end == SIZE_MAX) {
			*ret_at = i;
			return false;
		}
		if (end > i) {
			blank(text, i, end);
			i = end;
			continue;
		}
		if (memchr(" \t\r\n", text[i], 4)) {
			i++;
			continue;
		}
		if ((text[i] == '}' || text[i] == ']') && comma != SIZE_MAX)
			text[comma] = ' ';
		comma = text[i] == ',' && !memchr("[{,:", last, 4) ? i : SIZE_MAX;
		last = text[i];
		i = text[i] == '"' ? skip_string(text, len, i) : i + 1;
	}
	return true;
}

/* The character that a name's next byte or escape stands for; *at moves behind it. Beyond ASCII: 0xff. */
static unsigned char name_char(const char *p, size_t len, size_t *at)
{
	unsigned int v = 0;

	if (p[*at] != '\\' || len - *at < 2)
		return (unsigned char)p[(*at)++];
	if (p[*at + 1] != 'u' || len - *at < 6) {
		*at += 2;
		return 0xff; /* the short escapes stand for no letter */
	}
	for (size_t i = 2; i < 6; i++) {
		char c = p[*at + i];

		v = v << 4 | (unsigned int)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	*at += 6;
	return v < 0x80 ? (unsigned char)v : 0xff;
}

static bool names_secret(const char *name, size_t len)
{
	static const char wanted[] = "apikey";
	size_t at = 0, n = 0;

	while (at < len && n < sizeof(wanted) - 1) {
		if ((name_char(name, len, &at) | 0x20) != (unsigned char)wanted[n++])
			return false;
	}
	return at == len && n == sizeof(wanted) - 1;
}

static bool names_variable(const char *p, size_t len)
{
	if (len < 5 || memcmp(p, "env:", 4) != 0)
		return false;
	for (size_t i = 4; i < len; i++) {
		bool letter = (p[i] >= 'A' && p[i] <= 'Z') || (p[i] >= 'a' && p[i] <= 'z') || p[i] == '_';

		if (!letter && (i == 4 || p[i] < '0' || p[i] > '9'))
			return false;
	}
	return true;
}

/* Overwrites what a value holds, keeping it well-formed; returns its end. Containers are gone through whole. */
static size_t blank_value(char *text, size_t len, size_t at)
{
	size_t depth = 0, end;

	for (; at < len; at++) {
		char c = text[at];

		if (c == '"') {
			end = skip_string(text, len, at);
			if (!names_variable(text + at + 1, end - at - 2))
				memset(text + at + 1, '*', end - at - 2);
			at = end - 1;
		} else if (c >= '0' && c <= '9') {
			text[at] = '1';
		} else if (c == '{' || c == '[') {
			depth++;
		} else if (c == '}' || c == ']') {
			if (depth == 0)
				return at;
			depth--;
		} else if (c == ',' && depth == 0) {
			return at;
		}
	}
	return len;
}

void jsonc_blank_secrets(char *text, size_t len)
{
	size_t i = 0;

	while (i < len) {
		size_t start = i, end, colon;

		if (text[i] != '"') {
			i++;
			continue;
		}
		end = skip_string(text, len, i);
		for (colon = end; colon < len && memchr(" \t\r\n", text[colon], 4); colon++)
			;
		i = end;
		if (colon < len && text[colon] == ':' && names_secret(text + start + 1, end - start - 2))
			i = blank_value(text, len, colon + 1);
	}
}

static size_t skip_space(const char *text, size_t len, size_t at)
{
	while (at < len && memchr(" \t\r\n", text[at], 4))
		at++;
	return at;
}

/* The end of the value at `at`: its comma or bracket, or the text's end. */
static size_t skip_value(const char *text, size_t len, size_t at)
{
	size_t depth = 0;

	for (; at < len; at++) {
		if (text[at] == '"') {
			at = skip_string(text, len, at) - 1;
		} else if (text[at] == '{' || text[at] == '[') {
			depth++;
		} else if (text[at] == '}' || text[at] == ']') {
			if (depth == 0)
				return at;
			depth--;
		} else if (text[at] == ',' && depth == 0) {
			return at;
		}
	}
	return len;
}

bool jsonc_find(const char *text, size_t len, const char *path, size_t *ret_at)
{
	size_t at = skip_space(text, len, 0), n = strcspn(path, ".");

	if (at == len || text[at] != '{')
		return false;
	at = skip_space(text, len, at + 1);
	while (at < len && text[at] == '"') {
		size_t end = skip_string(text, len, at), colon = skip_space(text, len, end);
		size_t value = skip_space(text, len, colon + 1);
		bool same = end - at == n + 2 && memcmp(text + at + 1, path, n) == 0;

		if (same && path[n] == '\0') {
			*ret_at = at;
			return true;
		}
		if (same && value < len && text[value] == '{') {
			path += n + 1;
			n = strcspn(path, ".");
			at = skip_space(text, len, value + 1);
			continue;
		}
		at = skip_value(text, len, value);
		at = skip_space(text, len, at < len && text[at] == ',' ? at + 1 : len);
	}
	return false;
}

void jsonc_position(const char *text, size_t at, uint32_t *ret_line, uint32_t *ret_column)
{
	*ret_line = 1;
	*ret_column = 1;
	for (size_t i = 0; i < at; i++) {
		if (text[i] == '\n') {
			++*ret_line;
			*ret_column = 1;
		} else if (((unsigned char)text[i] & 0xc0) != 0x80) {
			++*ret_column;
		}
	}
}
