/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses, and the connection to one. */
#include "netproc/connect.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <strings.h>

#include "policy/wire/channel.h"

void origin_done(struct origin *o)
{
	free(o->host);
	free(o->port);
	free(o->path);
	*o = (struct origin){ 0 };
}

static char *part(CURLU *u, CURLUPart what, unsigned int flags)
{
	char *got = NULL, *copy;

	if (curl_url_get(u, what, &got, flags) != CURLUE_OK)
		return NULL;
	copy = strdup(got);
	curl_free(got);
	return copy;
}

static bool has(CURLU *u, CURLUPart what)
{
	CLEANUP(freep) char *got = part(u, what, 0);

	return got != NULL;
}

static void url_cleanup(CURLU **u)
{
	curl_url_cleanup(*u);
}

static int parse(struct bytes url, struct origin *ret)
{
	CLEANUP(url_cleanup) CURLU *u = curl_url();
	CLEANUP(freep) char *text = strndup(url.p != NULL ? url.p : "", url.len), *scheme = NULL;
	CLEANUP(origin_done) struct origin o = { 0 };
	size_t n;

	if (u == NULL || text == NULL)
		return MODEL_BROKEN;
	if (memchr(url.p, '\0', url.len) != NULL || curl_url_set(u, CURLUPART_URL, text, 0) != CURLUE_OK)
		return MODEL_BAD_ADDRESS;
	if (has(u, CURLUPART_USER) || has(u, CURLUPART_PASSWORD) || has(u, CURLUPART_QUERY) ||
		has(u, CURLUPART_FRAGMENT) || has(u, CURLUPART_ZONEID))
		return MODEL_BAD_ADDRESS;
	scheme = part(u, CURLUPART_SCHEME, 0);
	o.host = part(u, CURLUPART_HOST, 0);
	o.port = part(u, CURLUPART_PORT, CURLU_DEFAULT_PORT);
	o.path = part(u, CURLUPART_PATH, 0);
	if (scheme == NULL || o.host == NULL || o.port == NULL || o.path == NULL)
		return MODEL_BAD_ADDRESS;
	o.https = strcasecmp(scheme, "https") == 0;
	if (!o.https && strcasecmp(scheme, "http") != 0)
		return MODEL_BAD_ADDRESS;
	n = strlen(o.host);
	if (o.host[0] == '[' && n > 2) {
		memmove(o.host, o.host + 1, n - 2);
		o.host[n - 2] = '\0';
	}
	for (n = strlen(o.path); n > 0 && o.path[n - 1] == '/'; n--)
		o.path[n - 1] = '\0';
	*ret = o;
	o = (struct origin){ 0 };
	return 0;
}

bool origin_is_loopback(const struct origin *o)
{
	struct in_addr four;
	struct in6_addr six;

	if (inet_pton(AF_INET, o->host, &four) == 1)
		return ntohl(four.s_addr) >> 24 == 127;
	if (inet_pton(AF_INET6, o->host, &six) == 1)
		return IN6_IS_ADDR_LOOPBACK(&six);
	return strcasecmp(o->host, "localhost") == 0;
}

int origin_parse(struct bytes url, const struct string_list *allow_http, struct origin *ret)
{
	CLEANUP(origin_done) struct origin o = { 0 };
	int failure = parse(url, &o);
	bool plain;

	if (failure != 0)
		return failure;
	plain = origin_is_loopback(&o);
	for (uint32_t i = 0; i < allow_http->n; i++)
		plain = plain || (allow_http->items[i].len == strlen(o.host) &&
			strncasecmp(allow_http->items[i].p, o.host, allow_http->items[i].len) == 0);
	if (!o.https && !plain)
		return MODEL_BAD_ADDRESS;
	*ret = o;
	o = (struct origin){ 0 };
	return 0;
}

int proxy_parse(struct bytes url, struct origin *ret)
{
	CLEANUP(origin_done) struct origin o = { 0 };
	int failure = parse(url, &o);

	if (failure != 0)
		return failure;
	if (o.https || o.path[0] != '\0')
		return MODEL_BAD_ADDRESS;
	*ret = o;
	o = (struct origin){ 0 };
	return 0;
}

static bool is_loopback_address(const struct sockaddr *a)
{
	if (a->sa_family == AF_INET)
		return ntohl(((const struct sockaddr_in *)(const void *)a)->sin_addr.s_addr) >> 24 == 127;
	return a->sa_family == AF_INET6 &&
		IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)a)->sin6_addr);
}

static int finish_connect(int fd, uint64_t deadline_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	uint64_t now = clock_ms();
	socklen_t n = sizeof(int);
	int err = 0, rc = now < deadline_ms ? poll(&p, 1, (int)(deadline_ms - now)) : 0;

	if (rc == 0)
		return MODEL_TIMEOUT;
	if (rc < 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &n) < 0 || err != 0)
		return MODEL_UNREACHABLE;
	return 0;
}

static int try_address(const struct addrinfo *a, uint64_t deadline_ms, struct connection *ret)
{
	CLEANUP(close_fdp) int fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol);
	const int on = 1;
	int failure = 0;

	if (fd < 0)
		return MODEL_UNREACHABLE;
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (connect(fd, a->ai_addr, a->ai_addrlen) < 0)
		failure = errno == EINPROGRESS ? finish_connect(fd, deadline_ms) : MODEL_UNREACHABLE;
	if (failure != 0)
		return failure;
	if (getnameinfo(a->ai_addr, a->ai_addrlen, ret->address, sizeof(ret->address), NULL, 0, NI_NUMERICHOST) != 0)
		return MODEL_BROKEN;
	ret->fd = TAKE_FD(fd);
	return 0;
}

static void free_addresses(struct addrinfo **a)
{
	if (*a != NULL)
		freeaddrinfo(*a);
}

int connect_to(const struct origin *o, uint64_t deadline_ms, struct connection *ret)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	CLEANUP(free_addresses) struct addrinfo *found = NULL;
	int failure = MODEL_UNREACHABLE;

	if (getaddrinfo(o->host, o->port, &hints, &found) != 0)
		return MODEL_UNREACHABLE;
	for (const struct addrinfo *a = found; a != NULL; a = a->ai_next) {
		/* A name that stands for this machine leads nowhere else, whatever the resolver says. */
		if (origin_is_loopback(o) && !is_loopback_address(a->ai_addr))
			continue;
		failure = try_address(a, deadline_ms, ret);
		if (failure != MODEL_UNREACHABLE)
			break;
	}
	return failure;
}
