/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of sanctionedRemotes: host, *.suffix, host/path/prefix, IPv4 network. */
#include <arpa/inet.h>

#include "policy/config/internal.h"

struct entry {
	struct bytes host; /* without "*" for a wildcard, with the dot */
	struct bytes path; /* "/a/b", or empty */
	bool wildcard, network;
	uint32_t address, mask;
};

static bool host_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

/* "10.0.0.0/8": false when it is something else. */
static bool parse_network(const char *s, struct entry *e)
{
	const char *slash = strchr(s, '/');
	char host[INET_ADDRSTRLEN];
	struct in_addr a;
	unsigned int bits = 0;
	size_t n = slash ? (size_t)(slash - s) : 0;

	if (n == 0 || n >= sizeof(host))
		return false;
	memcpy(host, s, n);
	host[n] = '\0';
	if (inet_pton(AF_INET, host, &a) != 1)
		return false;
	n = strspn(slash + 1, "0123456789");
	if (n == 0 || n > 2 || slash[1 + n] != '\0')
		return false;
	for (size_t i = 1; i <= n; i++)
		bits = bits * 10 + (unsigned int)(slash[i] - '0');
	if (bits > 32)
		return false;
	e->network = true;
	e->mask = bits == 0 ? 0 : ~0u << (32 - bits);
	e->address = ntohl(a.s_addr) & e->mask;
	return true;
}

static void parse_entry(const char *s, struct entry *e)
{
	const char *slash;

	*e = (struct entry){ 0 };
	if (parse_network(s, e))
		return;
	e->wildcard = *s == '*';
	s += e->wildcard;
	slash = strchr(s, '/');
	e->host = (struct bytes){ s, slash ? (size_t)(slash - s) : strlen(s) };
	e->path = (struct bytes){ slash ? slash : s + e->host.len, slash ? strlen(slash) : 0 };
	while (e->path.len > 0 && e->path.p[e->path.len - 1] == '/')
		e->path.len--;
}

static void normalise(char *s)
{
	size_t start = strspn(s, " \t\r\n"), end = strlen(s);

	while (end > start && memchr(" \t\r\n", s[end - 1], 4))
		end--;
	memmove(s, s + start, end - start);
	s[end - start] = '\0';
	for (; *s; s++) {
		if (*s >= 'A' && *s <= 'Z')
			*s = (char)(*s | 0x20);
	}
}

static bool path_climbs(struct bytes path)
{
	for (size_t i = 0; i + 2 < path.len; i++) {
		if (memcmp(path.p + i, "/..", 3) == 0 && (i + 3 == path.len || path.p[i + 3] == '/'))
			return true;
	}
	return false;
}

const char *remote_entry_check(char *entry)
{
	struct entry e;

	normalise(entry);
	if (strpbrk(entry, " \t\r\n?#@") || strstr(entry, "://"))
		return "is no host, *.suffix, host/path or IPv4 network";
	for (char *p = entry; *p; p++) {
		if ((unsigned char)*p < 0x21 || (unsigned char)*p == 0x7f)
			return "is no host, *.suffix, host/path or IPv4 network";
	}
	parse_entry(entry, &e);
	if (e.network)
		return NULL;
	if (e.wildcard && (e.host.len < 2 || e.host.p[0] != '.' || e.path.len > 0))
		return "is no *.suffix";
	if (e.host.len == 0)
		return "names no host";
	for (size_t i = 0; i < e.host.len; i++) {
		if (e.host.p[i] == ':')
			return "names a port; entries hold for every port";
		if (!host_char(e.host.p[i]))
			return "is no host name";
	}
	if (path_climbs(e.path))
		return "has \"..\" in it";
	if (e.path.len == 0 && e.host.p[e.host.len] == '/')
		((char *)e.host.p)[e.host.len] = '\0'; /* "host/" is the host */
	return NULL;
}

static bool address_of(struct bytes host, uint32_t *ret)
{
	char text[INET_ADDRSTRLEN];
	struct in_addr a;

	if (host.len == 0 || host.len >= sizeof(text))
		return false;
	memcpy(text, host.p, host.len);
	text[host.len] = '\0';
	if (inet_pton(AF_INET, text, &a) != 1)
		return false;
	*ret = ntohl(a.s_addr);
	return true;
}

static bool network_covers(const struct entry *wide, const struct entry *narrow)
{
	uint32_t address;

	if (narrow->network)
		return (narrow->mask & wide->mask) == wide->mask && (narrow->address & wide->mask) == wide->address;
	return !narrow->wildcard && address_of(narrow->host, &address) && (address & wide->mask) == wide->address;
}

bool remote_entry_covers(const char *wide_text, const char *narrow_text)
{
	struct entry wide, narrow;

	parse_entry(wide_text, &wide);
	parse_entry(narrow_text, &narrow);
	if (wide.network)
		return network_covers(&wide, &narrow);
	if (narrow.network)
		return false;
	if (wide.wildcard)
		return narrow.host.len >= wide.host.len + !narrow.wildcard &&
			memcmp(narrow.host.p + narrow.host.len - wide.host.len, wide.host.p, wide.host.len) == 0;
	if (narrow.wildcard || !bytes_eq(wide.host, narrow.host) || narrow.path.len < wide.path.len)
		return false;
	return memcmp(narrow.path.p, wide.path.p, wide.path.len) == 0 &&
		(narrow.path.len == wide.path.len || narrow.path.p[wide.path.len] == '/');
}
