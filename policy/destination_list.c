/* SPDX-License-Identifier: Apache-2.0 */
/* Matching destinations against the entries of sanctionedRemotes, and telling this machine from others. */
#include <arpa/inet.h>

#include "policy/destination.h"
#include "policy/text/fold.h"

static const char *find(struct bytes text, const char *what)
{
	return text.len == 0 ? NULL : (const char *)memmem(text.p, text.len, what, strlen(what));
}

bool destination_is_loopback(const struct destination *d)
{
	static const char *const names[] = { "localhost", "::1", "::", "0.0.0.0", "ip6-localhost" };
	struct in_addr address;

	if (d->kind == DESTINATION_LOCAL)
		return true;
	if (d->kind != DESTINATION_HOST)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(d->host, names[i]) == 0)
			return true;
	return inet_pton(AF_INET, d->host, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

static bool in_network(const char *host, struct bytes entry)
{
	char text[INET_ADDRSTRLEN];
	const char *slash = find(entry, "/");
	struct in_addr network, address;
	unsigned int bits = 0;
	uint32_t mask;
	size_t n = (size_t)(slash - entry.p);

	if (n >= sizeof(text) || entry.len - n < 2 || entry.len - n > 3)
		return false;
	memcpy(text, entry.p, n);
	text[n] = '\0';
	for (size_t i = n + 1; i < entry.len; i++) {
		if (entry.p[i] < '0' || entry.p[i] > '9')
			return false;
		bits = bits * 10 + (unsigned int)(entry.p[i] - '0');
	}
	if (bits > 32 || inet_pton(AF_INET, text, &network) != 1 || inet_pton(AF_INET, host, &address) != 1)
		return false;
	mask = bits == 0 ? 0 : ~(uint32_t)0 << (32 - bits);
	return (ntohl(network.s_addr) & mask) == (ntohl(address.s_addr) & mask);
}

static bool path_has_prefix(const char *path, struct bytes prefix)
{
	size_t n;

	while (prefix.len > 0 && prefix.p[prefix.len - 1] == '/')
		prefix.len--;
	if (fold_ends(prefix, ".git"))
		prefix.len -= strlen(".git");
	n = prefix.len;
	if (strlen(path) < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (fold_lower(prefix.p[i]) != path[i])
			return false;
	/* origin's ".git" is not part of what people write. */
	return path[n] == '\0' || path[n] == '/' || strcmp(path + n, ".git") == 0;
}

static bool entry_matches(const struct destination *d, struct bytes entry)
{
	const char *slash = find(entry, "/");
	size_t n = slash != NULL ? (size_t)(slash - entry.p) : entry.len, h = strlen(d->host);
	struct bytes host = { entry.p, n }, path = { slash, slash != NULL ? entry.len - n : 0 };

	if (find(entry, "://") != NULL || find(entry, "..") != NULL || find(entry, "@") != NULL)
		return false;
	if (slash != NULL && in_network(d->host, entry))
		return true;
	if (host.len > 2 && host.p[0] == '*' && host.p[1] == '.')
		return slash == NULL && h > host.len - 1 &&
			fold_is((struct bytes){ host.p + 1, host.len - 1 }, d->host + h - (host.len - 1));
	if (!fold_is(host, d->host))
		return false;
	return path.len <= 1 || (d->path[0] != '\0' && path_has_prefix(d->path, path));
}

bool destination_is_sanctioned(const struct destination *d, const struct string_list *entries)
{
	if (d->kind != DESTINATION_HOST || strcmp(d->host, "gist.github.com") == 0)
		return false;
	for (uint32_t i = 0; i < entries->n; i++)
		if (entries->items[i].len > 0 && entry_matches(d, entries->items[i]))
			return true;
	return false;
}
