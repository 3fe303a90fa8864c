/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl, held to one connection, one origin, no redirect, and the caps of a reply. */
#include "netproc/transport.h"

#include <curl/curl.h>
#include <stdio.h>
#include <strings.h>

#include "policy/text/textbuf.h"
#include "policy/wire/channel.h"

enum { HEADERS_MAX = 64 * 1024 };

struct transport {
	CURLM *multi;
	CURL *easy;
	const struct origin *origin, *proxy; /* borrowed; proxy may be NULL */
	struct textbuf body;
	size_t header_bytes;
	bool too_large;
	int fd; /* handed to curl once */
	uint32_t retry_after_ms;
};

static size_t on_body(char *p, size_t size, size_t n, void *data)
{
	struct transport *t = data;

	if (size * n > MODEL_BODY_MAX - t->body.len) {
		t->too_large = true;
		return 0;
	}
	textbuf_append(&t->body, p, size * n);
	return t->body.failed ? 0 : size * n;
}

/* "name: 12" in `line`, or 0. Not a number, or a date: 0. */
static uint32_t header_number(const char *line, size_t len, const char *name, uint32_t max)
{
	size_t n = strlen(name), at = n + 1;
	uint64_t v = 0;

	if (len <= at || strncasecmp(line, name, n) != 0 || line[n] != ':')
		return 0;
	while (at < len && (line[at] == ' ' || line[at] == '\t'))
		at++;
	for (; at < len && line[at] >= '0' && line[at] <= '9' && v <= max; at++)
		v = v * 10 + (uint64_t)(line[at] - '0');
	return v <= max ? (uint32_t)v : 0;
}

static size_t on_header(char *p, size_t size, size_t n, void *data)
{
	struct transport *t = data;
	uint32_t ms, s;

	t->header_bytes += size * n;
	if (t->header_bytes > HEADERS_MAX) {
		t->too_large = true;
		return 0;
	}
	ms = header_number(p, size * n, "retry-after-ms", MODEL_RETRY_AFTER_MAX_MS);
	s = header_number(p, size * n, "retry-after", MODEL_RETRY_AFTER_MAX_MS / 1000);
	if (ms > 0 || (s > 0 && t->retry_after_ms == 0))
		t->retry_after_ms = ms > 0 ? ms : s * 1000;
	return size * n;
}

static curl_socket_t on_open(void *data, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct transport *t = data;

	(void)address;
	return purpose == CURLSOCKTYPE_IPCXN && t->fd >= 0 ? TAKE_FD(t->fd) : CURL_SOCKET_BAD;
}

static int on_connected(void *data, curl_socket_t fd, curlsocktype purpose)
{
	(void)data, (void)fd, (void)purpose;
	return CURL_SOCKOPT_ALREADY_CONNECTED;
}

#define SET(option, value) ok = ok && curl_easy_setopt(t->easy, (option), (value)) == CURLE_OK

static bool harden(struct transport *t)
{
	bool ok = true;

	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_NOPROXY, t->proxy != NULL ? "" : "*");
	SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(CURLOPT_HTTP09_ALLOWED, 0L);
	SET(CURLOPT_FORBID_REUSE, 1L);
	SET(CURLOPT_FRESH_CONNECT, 1L);
	SET(CURLOPT_TCP_NODELAY, 0L); /* done already, and here it would be another call */
	SET(CURLOPT_TCP_KEEPALIVE, 0L);
	SET(CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, 1L); /* libcurl 7.88 looks at what it connected only after this */
	SET(CURLOPT_DNS_CACHE_TIMEOUT, -1L);
	SET(CURLOPT_SSL_VERIFYPEER, 1L);
	SET(CURLOPT_SSL_VERIFYHOST, 2L);
	SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	SET(CURLOPT_CAPATH, (char *)NULL);
	SET(CURLOPT_SSL_SESSIONID_CACHE, 0L);
	SET(CURLOPT_OPENSOCKETFUNCTION, on_open);
	SET(CURLOPT_OPENSOCKETDATA, t);
	SET(CURLOPT_SOCKOPTFUNCTION, on_connected);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, t);
	SET(CURLOPT_HEADERFUNCTION, on_header);
	SET(CURLOPT_HEADERDATA, t);
	return ok;
}

static bool set_ca(struct transport *t, struct bytes ca)
{
	struct curl_blob blob = { .data = (void *)(uintptr_t)ca.p, .len = ca.len, .flags = CURL_BLOB_NOCOPY };
	bool ok = true;

	SET(CURLOPT_CAINFO_BLOB, &blob);
	return ok;
}

int transport_new(const struct origin *o, const struct origin *proxy, struct bytes ca, struct transport **ret)
{
	CLEANUP(transport_done) struct transport *t = calloc(1, sizeof(*t));

	if (t == NULL || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return -ENOMEM;
	t->fd = -1;
	t->origin = o;
	t->proxy = proxy;
	t->multi = curl_multi_init();
	t->easy = curl_easy_init();
	if (t->multi == NULL || t->easy == NULL || !harden(t) || (o->https && !set_ca(t, ca)))
		return -ENOMEM;
	*ret = TAKE_PTR(t);
	return 0;
}

void transport_done(struct transport **t)
{
	if (*t == NULL)
		return;
	if ((*t)->easy != NULL)
		curl_easy_cleanup((*t)->easy);
	if ((*t)->multi != NULL)
		curl_multi_cleanup((*t)->multi);
	close_fdp(&(*t)->fd);
	textbuf_done(&(*t)->body);
	free(*t);
}

/* The address is known: curl asks no resolver. */
static bool set_address(struct transport *t, const struct connection *c, struct curl_slist **resolve)
{
	const struct origin *to = t->proxy != NULL ? t->proxy : t->origin;
	char entry[512];
	int n = snprintf(entry, sizeof(entry), "%s:%s:%s", to->host, to->port, c->address);
	bool ok = true;

	if (n < 0 || (size_t)n >= sizeof(entry))
		return false;
	if (strcmp(to->host, c->address) == 0)
		return true; /* it is an address */
	*resolve = curl_slist_append(NULL, entry);
	if (*resolve == NULL)
		return false;
	SET(CURLOPT_RESOLVE, *resolve);
	return ok;
}

static bool set_url(struct transport *t, const char *path)
{
	const struct origin *o = t->origin;
	bool six = strchr(o->host, ':') != NULL, ok = true;
	CLEANUP(textbuf_done) struct textbuf url = { 0 }, proxy = { 0 };

	textbuf_printf(&url, "%s://%s%s%s:%s%s%s", o->https ? "https" : "http", six ? "[" : "", o->host, six ? "]" : "",
		o->port, o->path, path);
	if (url.failed)
		return false;
	SET(CURLOPT_URL, url.p);
	if (t->proxy == NULL) {
		SET(CURLOPT_PROXY, "");
		return ok;
	}
	textbuf_printf(&proxy, "http://%s:%s", t->proxy->host, t->proxy->port);
	if (proxy.failed)
		return false;
	SET(CURLOPT_PROXY, proxy.p);
	return ok;
}

static bool add_header(struct curl_slist **list, const char *text)
{
	struct curl_slist *longer = curl_slist_append(*list, text);

	if (longer == NULL)
		return false;
	*list = longer;
	return true;
}

/* A session is foreign text: what could end a header ends the header's text instead. */
static bool add_session(struct curl_slist **list, struct bytes session)
{
	CLEANUP(textbuf_done) struct textbuf line = { 0 };

	if (session.len == 0)
		return true;
	textbuf_puts(&line, "X-Session-Id: ");
	for (size_t i = 0; i < session.len && i < 200; i++)
		if (session.p[i] > ' ' && session.p[i] < 0x7f)
			textbuf_putc(&line, session.p[i]);
	textbuf_puts(&line, ":auto-classifier");
	return !line.failed && add_header(list, line.p);
}

static bool set_headers(struct transport *t, const struct exchange_request *q, struct curl_slist **list)
{
	bool ok = add_header(list, "Accept: application/json") && add_header(list, "User-Agent: auto-classifier") &&
		add_session(list, q->session);

	if (ok && q->body.len > 0) {
		ok = add_header(list, "Content-Type: application/json") && add_header(list, "Expect:");
		SET(CURLOPT_POSTFIELDSIZE, (long)q->body.len);
		SET(CURLOPT_POSTFIELDS, q->body.p);
	}
	SET(CURLOPT_HTTPHEADER, *list);
	if (q->key->len > 0) {
		SET(CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
		SET(CURLOPT_XOAUTH2_BEARER, q->key->p);
	}
	return ok;
}

static int failure_of(const struct transport *t, CURLcode code)
{
	if (t->too_large)
		return MODEL_TOO_LARGE;
	switch ((int)code) {
	case CURLE_OPERATION_TIMEDOUT:
		return MODEL_TIMEOUT;
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
		return MODEL_TLS;
	case CURLE_COULDNT_CONNECT:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
		return MODEL_UNREACHABLE;
	case CURLE_OUT_OF_MEMORY:
		return MODEL_BROKEN;
	default:
		return MODEL_NOT_HTTP;
	}
}

static int run(struct transport *t)
{
	int running = 1, left;
	CURLMsg *m;

	if (curl_multi_add_handle(t->multi, t->easy) != CURLM_OK)
		return MODEL_BROKEN;
	while (running > 0)
		if (curl_multi_perform(t->multi, &running) != CURLM_OK ||
			(running > 0 && curl_multi_poll(t->multi, NULL, 0, 1000, NULL) != CURLM_OK))
			return MODEL_BROKEN;
	m = curl_multi_info_read(t->multi, &left);
	if (m == NULL || m->msg != CURLMSG_DONE)
		return MODEL_BROKEN;
	return m->data.result == CURLE_OK ? 0 : failure_of(t, m->data.result);
}

int transport_exchange(struct transport *t, struct connection *c, const struct exchange_request *q,
	struct model_reply *ret)
{
	struct curl_slist *resolve = NULL, *headers = NULL;
	uint64_t now = clock_ms();
	long status = 0;
	bool ok = now < q->deadline_ms;
	int failure;

	if (!ok)
		return MODEL_TIMEOUT;
	t->fd = TAKE_FD(c->fd);
	SET(CURLOPT_TIMEOUT_MS, (long)(q->deadline_ms - now));
	ok = ok && set_address(t, c, &resolve) && set_url(t, q->path) && set_headers(t, q, &headers);
	failure = ok ? run(t) : MODEL_BROKEN;
	curl_multi_remove_handle(t->multi, t->easy);
	curl_slist_free_all(headers);
	curl_slist_free_all(resolve);
	if (failure != 0)
		return failure;
	if (curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK || status <= 0)
		return MODEL_NOT_HTTP;
	*ret = (struct model_reply){
		.status = (uint32_t)status, .retry_after_ms = t->retry_after_ms, .body = textbuf_bytes(&t->body),
	};
	return 0;
}
