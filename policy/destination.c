/* SPDX-License-Identifier: Apache-2.0 */
/* Reading destinations (RFC 3986 authority, scp and git forms) and matching them against sanctionedRemotes. */
#include "policy/destination.h"

#include <arpa/inet.h>

#include "policy/paths/paths.h"

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool is_host_char(char c)
{
	c = lower(c);
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

static bool set_host(struct destination *d, struct bytes host)
{
	if (host.len > 2 && host.p[0] == '[' && host.p[host.len - 1] == ']') {
		host = (struct bytes){ host.p + 1, host.len - 2 };
		for (size_t i = 0; i < host.len; i++)
			if (strchr("0123456789abcdefABCDEF:.", host.p[i]) == NULL)
				return false;
	} else {
		for (size_t i = 0; i < host.len; i++)
			if (!is_host_char(host.p[i]))
				return false;
	}
	while (host.len > 1 && host.p[host.len - 1] == '.')
		host.len--;
	if (host.len == 0 || host.len >= sizeof(d->host))
		return false;
	for (size_t i = 0; i < host.len; i++)
		d->host[i] = lower(host.p[i]);
	d->host[host.len] = '\0';
	return true;
}

/* Percent signs could spell a slash or a dot that the server would decode: such a path is known to nobody here. */
static bool set_path(struct destination *d, struct bytes path)
{
	size_t n;

	d->path[0] = '\0';
	for (size_t i = 0; i < path.len; i++)
		if (path.p[i] == '?' || path.p[i] == '#')
			path.len = i;
	if (path.len == 0)
		return true;
	for (size_t i = 0; i < path.len; i++)
		if (path.p[i] == '%' || path.p[i] == '\\' || (unsigned char)path.p[i] < 0x21 || path.p[i] == 0x7f)
			return false;
	n = path_normalise(BYTES("/"), path, d->path, sizeof(d->path) - 1);
	if (n == 0)
		return false;
	d->path[n] = '\0';
	for (size_t i = 0; i < n; i++)
		d->path[i] = lower(d->path[i]);
	return true;
}

/* authority [path]: what follows "scheme://", or a bare host. */
static bool read_authority(struct destination *d, struct bytes rest)
{
	struct bytes authority = rest;
	size_t end = 0, at = 0;

	while (end < rest.len && strchr("/?#", rest.p[end]) == NULL)
		end++;
	authority.len = end;
	for (size_t i = 0; i < end; i++)
		if (authority.p[i] == '@')
			at = i + 1;
	authority = (struct bytes){ authority.p + at, authority.len - at };
	if (authority.len > 0 && authority.p[0] == '[') {
		const char *close = (const char *)memchr(authority.p, ']', authority.len);

		if (close == NULL)
			return false;
		authority.len = (size_t)(close - authority.p) + 1;
	} else {
		const char *colon = (const char *)memchr(authority.p, ':', authority.len);

		if (colon != NULL)
			authority.len = (size_t)(colon - authority.p);
	}
	return set_host(d, authority) && set_path(d, (struct bytes){ rest.p + end, rest.len - end });
}

static bool has_prefix(struct bytes text, const char *prefix)
{
	size_t n = strlen(prefix);

	if (text.len < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (lower(text.p[i]) != prefix[i])
			return false;
	return true;
}

static const char *find(struct bytes text, const char *what)
{
	return text.len == 0 ? NULL : (const char *)memmem(text.p, text.len, what, strlen(what));
}

static bool is_local_path(struct bytes text)
{
	return has_prefix(text, "/") || has_prefix(text, "./") || has_prefix(text, "../") || has_prefix(text, "~") ||
		bytes_is(text, ".") || bytes_is(text, "..");
}

static bool is_scheme(struct bytes s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!is_host_char(s.p[i]) && s.p[i] != '+')
			return false;
	return s.len > 0;
}

static enum destination_kind read_url(struct destination *d, struct bytes text, const char *sep)
{
	struct bytes scheme = { text.p, (size_t)(sep - text.p) };
	struct bytes rest = { sep + 3, text.len - scheme.len - 3 };

	if (has_prefix(text, "file://") || has_prefix(text, "git+file://"))
		return DESTINATION_LOCAL;
	return is_scheme(scheme) && read_authority(d, rest) ? DESTINATION_HOST : DESTINATION_UNKNOWN;
}

/* [user@]host:path. A host of one letter is a drive to some programs. */
static enum destination_kind read_scp(struct destination *d, struct bytes text)
{
	const char *colon = text.len > 0 ? (const char *)memchr(text.p, ':', text.len) : NULL;
	const char *slash = text.len > 0 ? (const char *)memchr(text.p, '/', text.len) : NULL;
	struct bytes host, path;
	const char *at;

	if (colon == NULL || (slash != NULL && slash < colon))
		return DESTINATION_UNKNOWN;
	host = (struct bytes){ text.p, (size_t)(colon - text.p) };
	path = (struct bytes){ colon + 1, text.len - host.len - 1 };
	if (path.len > 0 && path.p[0] == ':') /* host::module of rsync; git's helper::address */
		path = (struct bytes){ path.p + 1, path.len - 1 };
	at = (const char *)memrchr(host.p, '@', host.len);
	if (at != NULL)
		host = (struct bytes){ at + 1, host.len - (size_t)(at + 1 - host.p) };
	if (host.len < 2 || !set_host(d, host) || !set_path(d, path))
		return DESTINATION_UNKNOWN;
	return DESTINATION_HOST;
}

static bool looks_like_host(struct bytes text)
{
	size_t n = 0;

	while (n < text.len && is_host_char(text.p[n]))
		n++;
	if (n < text.len && strchr(":/?#", text.p[n]) == NULL)
		return has_prefix(text, "[");
	return find((struct bytes){ text.p, n }, ".") != NULL || (n == 9 && has_prefix(text, "localhost")) ||
		has_prefix(text, "[");
}

static enum destination_kind read_forge(struct destination *d, struct bytes text)
{
	unsigned int slashes = 0;
	struct bytes path = text;

	if (find(text, "://") != NULL)
		return read_url(d, text, find(text, "://"));
	for (size_t i = 0; i < text.len; i++)
		slashes += text.p[i] == '/';
	if (slashes == 2)
		return read_authority(d, text) ? DESTINATION_HOST : DESTINATION_UNKNOWN;
	if (slashes != 1 || !set_path(d, path) || !set_host(d, BYTES("github.com")))
		return DESTINATION_UNKNOWN;
	return DESTINATION_HOST;
}

/* GitHub's API names a repository in its path: the list is written for people, who name it as the site does. */
static void unfold_forge_api(struct destination *d)
{
	static const char prefix[] = "/repos/";

	if (strcmp(d->host, "api.github.com") != 0 && strcmp(d->host, "uploads.github.com") != 0)
		return;
	if (strncmp(d->path, prefix, sizeof(prefix) - 1) != 0)
		return;
	memmove(d->path, d->path + sizeof(prefix) - 2, strlen(d->path) - sizeof(prefix) + 3);
	memcpy(d->host, "github.com", sizeof("github.com"));
}

void destination_parse(struct bytes text, enum destination_form form, struct destination *ret)
{
	const char *sep = find(text, "://");

	*ret = (struct destination){ .kind = DESTINATION_UNKNOWN };
	if (text.len == 0 || text.p[0] == '-' || memchr(text.p, '\0', text.len) != NULL)
		return;
	if (form == FORM_FORGE)
		ret->kind = read_forge(ret, text);
	else if (sep != NULL)
		ret->kind = read_url(ret, text, sep);
	else if (is_local_path(text))
		ret->kind = DESTINATION_LOCAL;
	else if (form == FORM_REMOTE)
		ret->kind = read_scp(ret, text);
	else if (looks_like_host(text))
		ret->kind = read_authority(ret, text) ? DESTINATION_HOST : DESTINATION_UNKNOWN;
	if (ret->kind == DESTINATION_HOST)
		unfold_forge_api(ret);
}

bool destination_is_loopback(const struct destination *d)
{
	static const char *const names[] = { "localhost", "::1", "0.0.0.0", "ip6-localhost" };
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

static bool eq_fold(const char *s, struct bytes b)
{
	if (strlen(s) != b.len)
		return false;
	for (size_t i = 0; i < b.len; i++)
		if (lower(b.p[i]) != s[i])
			return false;
	return true;
}

static bool path_has_prefix(const char *path, struct bytes prefix)
{
	size_t n;

	while (prefix.len > 0 && prefix.p[prefix.len - 1] == '/')
		prefix.len--;
	n = prefix.len;
	if (strlen(path) < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (lower(prefix.p[i]) != path[i])
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
			eq_fold(d->host + h - (host.len - 1), (struct bytes){ host.p + 1, host.len - 1 });
	if (!eq_fold(d->host, host))
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
