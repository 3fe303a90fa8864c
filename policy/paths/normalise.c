/* SPDX-License-Identifier: Apache-2.0 */
/* Joining and normalising by text alone; what the kernel makes of the result is the broker's to find out. */
#include "policy/paths/components.h"
#include "policy/paths/paths.h"

static bool append(char *buffer, size_t size, size_t *at, struct bytes name)
{
	if (name.len >= size - *at)
		return false;
	buffer[(*at)++] = '/';
	memcpy(buffer + *at, name.p, name.len);
	*at += name.len;
	return true;
}

size_t path_normalise(struct bytes base, struct bytes path, char *buffer, size_t size)
{
	struct components dir, tail;
	uint32_t keep;
	size_t at = 0;

	path_split(path, &tail);
	path_split(base, &dir);
	if (tail.too_long || dir.too_long || size < 2 || memchr(path.p != NULL ? path.p : "", '\0', path.len) != NULL)
		return 0;
	if (!tail.absolute && !dir.absolute)
		return 0;
	keep = tail.absolute ? 0 : dir.n;
	if (!tail.absolute)
		for (uint32_t i = 0; i < tail.n && bytes_is(tail.c[i], ".."); i++)
			keep -= keep > 0 ? 1 : 0;
	for (uint32_t i = 0; i < keep; i++)
		if (!append(buffer, size, &at, dir.c[i]))
			return 0;
	for (uint32_t i = 0; i < tail.n; i++)
		if (!bytes_is(tail.c[i], "..") && !append(buffer, size, &at, tail.c[i]))
			return 0;
	if (at == 0)
		buffer[at++] = '/';
	return at;
}

bool path_within(struct bytes path, struct bytes dir)
{
	if (dir.len == 1 && dir.p[0] == '/')
		return path.len > 0 && path.p[0] == '/';
	if (path.len < dir.len || dir.len == 0 || memcmp(path.p, dir.p, dir.len) != 0)
		return false;
	return path.len == dir.len || path.p[dir.len] == '/';
}

struct bytes path_last(struct bytes path)
{
	const char *slash = path.len > 0 ? (const char *)memrchr(path.p, '/', path.len) : NULL;

	return slash == NULL ? path : (struct bytes){ slash + 1, path.len - (size_t)(slash + 1 - path.p) };
}
