/* SPDX-License-Identifier: Apache-2.0 */
/* Reading destinations: RFC 3986 authorities, buckets, and the forms of scp, git and forges. */
#include "policy/destination.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "policy/paths/paths.h"
#include "policy/text/fold.h"

static bool is_host_char(char c)
{
	c = fold_lower(c);
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

/* [address], in the one way of writing it; an IPv4 address that IPv6 maps is that address (RFC 4291 2.5.5.2, RFC 5952). */
static bool set_address(struct destination *d, struct bytes text)
{
	char buffer[INET6_ADDRSTRLEN];
	struct in6_addr address;

	if (text.len >= sizeof(buffer))
		return false;
	memcpy(buffer, text.p, text.len);
	buffer[text.len] = '\0';
	if (inet_pton(AF_INET6, buffer, &address) != 1)
		return false;
	if (IN6_IS_ADDR_V4MAPPED(&address))
		return inet_ntop(AF_INET, address.s6_addr + 12, d->host, sizeof(d->host)) != NULL;
	return inet_ntop(AF_INET6, &address, d->host, sizeof(d->host)) != NULL;
}

static bool set_host(struct destination *d, struct bytes host)
{
	if (host.len > 2 && host.p[0] == '[' && host.p[host.len - 1] == ']')
		return set_address(d, (struct bytes){ host.p + 1, host.len - 2 });
	for (size_t i = 0; i < host.len; i++)
		if (!is_host_char(host.p[i]))
			return false;
	while (host.len > 1 && host.p[host.len - 1] == '.')
		host.len--;
	if (host.len == 0 || host.len >= sizeof(d->host))
		return false;
	for (size_t i = 0; i < host.len; i++)
		d->host[i] = fold_lower(host.p[i]);
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
		d->path[i] = fold_lower(d->path[i]);
	return true;
}

/* [userinfo@]host[:port], up to where the path, query or fragment begins. */
static bool read_host(struct destination *d, struct bytes authority)
{
	const char *at = authority.len > 0 ? (const char *)memrchr(authority.p, '@', authority.len) : NULL;
	const char *end = NULL;

	/* Some programs take a backslash for a slash, so that the host stands before it for them (WHATWG URL). */
	if (authority.len == 0 || memchr(authority.p, '\\', authority.len) != NULL)
		return false;
	if (at != NULL)
		authority = (struct bytes){ at + 1, authority.len - (size_t)(at + 1 - authority.p) };
	if (authority.len > 0 && authority.p[0] == '[') {
		end = (const char *)memchr(authority.p, ']', authority.len);
		if (end == NULL)
			return false;
		end++;
	} else if (authority.len > 0) {
		end = (const char *)memchr(authority.p, ':', authority.len);
		if (end == NULL)
			end = authority.p + authority.len;
	}
	if (end == NULL)
		return false;
	/* What is no port is a path as scp writes it: then this is another form, and another path. */
	for (const char *c = end; c < authority.p + authority.len; c++)
		if (c == end ? *c != ':' : *c < '0' || *c > '9')
			return false;
	return set_host(d, (struct bytes){ authority.p, (size_t)(end - authority.p) });
}

/* authority [path]: what follows "scheme://", or a bare host. */
static bool read_authority(struct destination *d, struct bytes rest)
{
	size_t end = 0;

	while (end < rest.len && strchr("/?#", rest.p[end]) == NULL)
		end++;
	/* host#@other, host?@other: which of the two it is has been read both ways. */
	if (end < rest.len && rest.p[end] != '/' && memchr(rest.p + end, '@', rest.len - end) != NULL)
		return false;
	return read_host(d, (struct bytes){ rest.p, end }) &&
		set_path(d, (struct bytes){ rest.p + end, rest.len - end });
}

static const char *find(struct bytes text, const char *what)
{
	return text.len == 0 ? NULL : (const char *)memmem(text.p, text.len, what, strlen(what));
}

static bool is_local_path(struct bytes text)
{
	return fold_starts(text, "/") || fold_starts(text, "./") || fold_starts(text, "../") ||
		fold_starts(text, "~") || bytes_is(text, ".") || bytes_is(text, "..");
}

static bool is_scheme(struct bytes s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!is_host_char(s.p[i]) && s.p[i] != '+')
			return false;
	return s.len > 0;
}

/*
 * Buckets live in name spaces of their own, where anybody may make one that is called like a trusted host: they are
 * placed below the host that keeps them, so that a list names them by it, "storage.googleapis.com/bucket".
 */
static const struct {
	const char *scheme, *host;
} keepers[] = {
	{ "s3://", "s3.amazonaws.com" }, { "s3a://", "s3.amazonaws.com" }, { "gs://", "storage.googleapis.com" },
	{ "b2://", "api.backblazeb2.com" }, { "oss://", "oss.aliyuncs.com" }, { "cos://", "cos.myqcloud.com" },
};

static const char *keeper_of(struct bytes text)
{
	for (size_t i = 0; i < ARRAY_LEN(keepers); i++)
		if (fold_starts(text, keepers[i].scheme))
			return keepers[i].host;
	return NULL;
}

static enum destination_kind read_url(struct destination *d, struct bytes text, const char *sep)
{
	struct bytes scheme = { text.p, (size_t)(sep - text.p) };
	struct bytes rest = { sep + 3, text.len - scheme.len - 3 };
	const char *keeper = keeper_of(text);

	if (fold_starts(text, "file://") || fold_starts(text, "git+file://"))
		return DESTINATION_LOCAL;
	if (keeper != NULL)
		return rest.len > 0 && set_path(d, rest) && set_host(d, (struct bytes){ keeper, strlen(keeper) }) ?
			DESTINATION_HOST : DESTINATION_UNKNOWN;
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

/* name.tld, localhost or [address], with or without a user before it and a port or path behind. */
static bool looks_like_host(struct bytes text)
{
	size_t n = 0;

	while (n < text.len && strchr("/?#", text.p[n]) == NULL) {
		if (text.p[n++] != '@')
			continue;
		text = (struct bytes){ text.p + n, text.len - n };
		n = 0;
	}
	n = 0;
	while (n < text.len && is_host_char(text.p[n]))
		n++;
	if (n < text.len && strchr(":/?#", text.p[n]) == NULL)
		return fold_starts(text, "[");
	return find((struct bytes){ text.p, n }, ".") != NULL || (n == 9 && fold_starts(text, "localhost")) ||
		fold_starts(text, "[");
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

