/* SPDX-License-Identifier: Apache-2.0 */
/* A literal string of a configuration file, found in place. */
#include "policy/config/literal.h"

#include "policy/config/internal.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool config_literal(char *text, size_t len, const char *path, struct bytes *ret)
{
	size_t at = 0, end, bad;

	if (!jsonc_blank(text, len, &bad) || !jsonc_find(text, len, path, &at))
		return false;
	/* The name has the length of the path's last part; what follows it is a colon and the value. */
	at += 1;
	while (at < len && text[at] != '"')
		at++;
	for (at++; at < len && (is_space(text[at]) || text[at] == ':'); at++)
		;
	if (at >= len || text[at] != '"')
		return false;
	for (end = ++at; end < len && text[end] != '"'; end++)
		if (text[end] == '\\')
			return false;
	if (end >= len)
		return false;
	*ret = (struct bytes){ text + at, end - at };
	return true;
}
