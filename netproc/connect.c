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
	if ((url.len > 0 && memchr(url.p, '\0', url.len) != NULL) ||
		curl_url_set(u, CURLUPART_URL, text, 0) != CURLUE_OK)
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

void connecting_done(struct connecting *c)
{
	close_fdp(&c->fd);
	if (c->found != NULL)
		freeaddrinfo(c->found);
	*c = (struct connecting)CONNECTING;
}

/* One address. 0: it may become a connection. */
static int try_address(struct connecting *c)
{
	const struct addrinfo *a = c->at;
	const int on = 1;

	/* A name that stands for this machine leads nowhere else, whatever the resolver says. */
	if (c->here && !is_loopback_address(a->ai_addr))
		return MODEL_UNREACHABLE;
	c->fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol);
	if (c->fd < 0)
		return MODEL_UNREACHABLE;
	(void)setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (connect(c->fd, a->ai_addr, a->ai_addrlen) == 0 || errno == EINPROGRESS)
		return 0;
	close_fdp(&c->fd);
	c->fd = -1;
	return MODEL_UNREACHABLE;
}

/* From c->at on. */
static int try_addresses(struct connecting *c)
{
	while (c->at != NULL && try_address(c) != 0)
		c->at = c->at->ai_next;
	return c->at != NULL ? 0 : MODEL_UNREACHABLE;
}

int connect_begin(const struct origin *o, struct connecting *ret)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };

	if (getaddrinfo(o->host, o->port, &hints, &ret->found) != 0)
		return MODEL_UNREACHABLE;
	ret->at = ret->found;
	ret->here = origin_is_loopback(o);
	return try_addresses(ret);
}

static int wait_until(int fd, uint64_t deadline_ms)
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

int connect_finish(struct connecting *c, uint64_t deadline_ms, struct connection *ret)
{
	int failure = wait_until(c->fd, deadline_ms);

	while (failure == MODEL_UNREACHABLE) {
		close_fdp(&c->fd);
		c->fd = -1;
		c->at = c->at->ai_next;
		if (try_addresses(c) != 0)
			return MODEL_UNREACHABLE;
		failure = wait_until(c->fd, deadline_ms);
	}
	if (failure != 0)
		return failure;
	if (getnameinfo(c->at->ai_addr, c->at->ai_addrlen, ret->address, sizeof(ret->address), NULL, 0,
		NI_NUMERICHOST) != 0)
		return MODEL_BROKEN;
	ret->fd = TAKE_FD(c->fd);
	return 0;
}
