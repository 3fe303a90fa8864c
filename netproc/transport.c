/* SPDX-License-Identifier: Apache-2.0 */
/* libcurl, held to one connection, one origin, no redirect, and the caps of a reply. */
#include "netproc/transport.h"

#include <openssl/ssl.h>
#include <stdio.h>
#include <strings.h>
#include <time.h>

#include "netproc/tunnel.h"
#include "policy/text/textbuf.h"
#include "policy/wire/channel.h"

/* libcurl 7.88 does not wait for what it was told is connected: it looks when it is called again, or after a timeout. */
enum { HEADERS_MAX = 64 * 1024, HEADER_VALUE_MAX = MODEL_REQUEST_ID_MAX + 1, FIRST_LOOKS = 3 };

/* OpenSSL's texts for errors are thousands, and for nobody here. */
static const uint64_t without_texts = OPENSSL_INIT_NO_LOAD_SSL_STRINGS | OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS;

struct transport {
	CURLM *multi;
	CURL *easy;
	const struct origin *origin, *proxy; /* borrowed; proxy may be NULL */
	struct textbuf body;
	size_t header_bytes;
	bool too_large;
	bool kept; /* the connection was made ahead, and may have been closed meanwhile */
	int fd; /* handed to curl once */
	uint32_t retry_after_ms;
	char request_id[HEADER_VALUE_MAX];
	struct tunnel *tunnel; /* TLS made ahead; NULL: curl makes it with the request, or there is none */
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

/* The value of this header, without blanks around it, if the line is it. False: it is another, or too long to be one. */
static bool header_value(const char *line, size_t len, const char *name, char ret[static HEADER_VALUE_MAX])
{
	size_t n = strlen(name), at = n + 1, end = len;

	if (len <= at || strncasecmp(line, name, n) != 0 || line[n] != ':')
		return false;
	while (at < len && (line[at] == ' ' || line[at] == '\t'))
		at++;
	while (end > at && strchr("\r\n \t", line[end - 1]) != NULL)
		end--;
	if (end - at >= HEADER_VALUE_MAX)
		return false;
	memcpy(ret, line + at, end - at);
	ret[end - at] = '\0';
	return true;
}

/* A wait in milliseconds: a number of `unit`, or an HTTP date (RFC 9110 section 10.2.3). 0: none, or too long a one. */
static uint32_t wait_of(const char *value, uint32_t unit)
{
	uint64_t ms = 0;

	if (value[0] >= '0' && value[0] <= '9') {
		for (size_t i = 0; value[i] >= '0' && value[i] <= '9' && ms <= MODEL_RETRY_AFTER_MAX_MS; i++)
			ms = ms * 10 + (uint64_t)(value[i] - '0');
		ms *= unit;
	} else if (unit > 1) {
		time_t at = curl_getdate(value, NULL), now = time(NULL);

		ms = at > now ? (uint64_t)(at - now) * unit : 0;
	}
	return ms <= MODEL_RETRY_AFTER_MAX_MS ? (uint32_t)ms : 0;
}

static size_t on_header(char *p, size_t size, size_t n, void *data)
{
	struct transport *t = data;
	char value[HEADER_VALUE_MAX];

	t->header_bytes += size * n;
	if (t->header_bytes > HEADERS_MAX) {
		t->too_large = true;
		return 0;
	}
	if (header_value(p, size * n, "retry-after-ms", value) && wait_of(value, 1) > 0)
		t->retry_after_ms = wait_of(value, 1);
	else if (header_value(p, size * n, "retry-after", value) && t->retry_after_ms == 0)
		t->retry_after_ms = wait_of(value, 1000);
	else if (header_value(p, size * n, "x-typesafe-request-id", value) ||
		(t->request_id[0] == '\0' && header_value(p, size * n, "x-request-id", value)))
		memcpy(t->request_id, value, sizeof(value));
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

#define SET(option, value) ok = ok && curl_easy_setopt(easy, (option), (value)) == CURLE_OK

/* What holds for every handle: nothing but the one connection, verified. */
static bool harden(CURL *easy, const struct origin *proxy)
{
	bool ok = true;

	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_NOPROXY, proxy != NULL ? "" : "*");
	SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	SET(CURLOPT_HTTP09_ALLOWED, 0L);
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
	return ok;
}

static bool attach(struct transport *t, CURL *easy)
{
	bool ok = true;

	SET(CURLOPT_OPENSOCKETFUNCTION, on_open);
	SET(CURLOPT_OPENSOCKETDATA, t);
	SET(CURLOPT_SOCKOPTFUNCTION, on_connected);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, t);
	SET(CURLOPT_HEADERFUNCTION, on_header);
	SET(CURLOPT_HEADERDATA, t);
	return ok;
}

static CURLcode on_tls(CURL *easy, void *ctx, void *trust)
{
	(void)easy;
	return trust_impose(trust, ctx) ? CURLE_OK : CURLE_OUT_OF_MEMORY;
}

/* Of libcurl's own stores none is opened. */
static bool set_trust(CURL *easy, struct trust *trust)
{
	bool ok = true;

	SET(CURLOPT_CAINFO, (char *)NULL);
	SET(CURLOPT_CAPATH, (char *)NULL);
	SET(CURLOPT_SSL_CTX_FUNCTION, on_tls);
	SET(CURLOPT_SSL_CTX_DATA, trust);
	return ok;
}

static int new_tunnel(struct transport *t, struct trust *trust)
{
	int err = tunnel_new(&t->tunnel);
	CURL *easy;
	bool ok;

	if (err < 0)
		return err;
	easy = tunnel_handle(t->tunnel);
	ok = harden(easy, t->proxy) && attach(t, easy) && set_trust(easy, trust);
	return ok ? 0 : -ENOMEM;
}

/*
 * OpenSSL finds its algorithms when they are first wanted, which takes longer than all else it does at its start. Where
 * the other side is far away that is done before it has answered. It costs nothing else: not to have it is no failure.
 */
static void warm_up(const struct origin *o)
{
	if (o->https && !origin_is_loopback(o))
		SSL_CTX_free(SSL_CTX_new(TLS_client_method()));
}

int transport_new(const struct origin *o, const struct origin *proxy, struct trust *trust, bool ahead,
	struct transport **ret)
{
	CLEANUP(transport_done) struct transport *t = calloc(1, sizeof(*t));
	CURL *easy;
	bool ok;

	if (t == NULL || OPENSSL_init_ssl(without_texts, NULL) != 1 ||
		curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return -ENOMEM;
	t->fd = -1;
	t->origin = o;
	t->kept = ahead;
	t->multi = curl_multi_init();
	t->easy = easy = curl_easy_init();
	if (ahead && o->https) {
		int err;

		t->proxy = proxy;
		err = new_tunnel(t, trust);
		if (err < 0)
			return err;
	}
	t->proxy = t->tunnel == NULL ? proxy : NULL; /* the request itself goes into the tunnel */
	warm_up(o);
	ok = t->multi != NULL && easy != NULL && harden(easy, t->proxy) && attach(t, easy);
	SET(CURLOPT_FORBID_REUSE, 1L);
	if (!ok || (o->https && t->tunnel == NULL && !set_trust(easy, trust)))
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
	tunnel_done(&(*t)->tunnel);
	close_fdp(&(*t)->fd);
	textbuf_done(&(*t)->body);
	free(*t);
}

/* The address is known: curl asks no resolver. */
static bool set_address(CURL *easy, const struct origin *to, const char *address, struct curl_slist **resolve)
{
	char entry[512];
	int n = snprintf(entry, sizeof(entry), "%s:%s:%s", to->host, to->port, address);
	bool ok = true;

	if (n < 0 || (size_t)n >= sizeof(entry))
		return false;
	if (strcmp(to->host, address) == 0)
		return true; /* it is an address */
	*resolve = curl_slist_append(NULL, entry);
	if (*resolve == NULL)
		return false;
	SET(CURLOPT_RESOLVE, *resolve);
	return ok;
}

static void put_host(struct textbuf *b, const struct origin *o)
{
	bool six = strchr(o->host, ':') != NULL;

	textbuf_printf(b, "%s%s%s", six ? "[" : "", o->host, six ? "]" : "");
}

static bool set_url(CURL *easy, const struct origin *o, bool https, const char *path)
{
	CLEANUP(textbuf_done) struct textbuf url = { 0 };
	bool ok = true;

	textbuf_puts(&url, https ? "https://" : "http://");
	put_host(&url, o);
	textbuf_printf(&url, ":%s%s%s", o->port, o->path, path);
	if (url.failed)
		return false;
	SET(CURLOPT_URL, url.p);
	return ok;
}

static bool set_proxy(CURL *easy, const struct origin *o)
{
	CLEANUP(textbuf_done) struct textbuf proxy = { 0 };
	bool ok = true;

	if (o != NULL)
		textbuf_printf(&proxy, "http://%s:%s", o->host, o->port);
	if (proxy.failed)
		return false;
	SET(CURLOPT_PROXY, o != NULL ? proxy.p : "");
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

/* In a tunnel curl knows of no https, and would name its port as one that is out of the ordinary. */
static bool add_host(const struct transport *t, struct curl_slist **list)
{
	CLEANUP(textbuf_done) struct textbuf line = { 0 };

	if (t->tunnel == NULL)
		return true;
	textbuf_puts(&line, "Host: ");
	put_host(&line, t->origin);
	if (strcmp(t->origin->port, "443") != 0)
		textbuf_printf(&line, ":%s", t->origin->port);
	return !line.failed && add_header(list, line.p);
}

static bool set_headers(const struct transport *t, const struct exchange_request *q, struct curl_slist **list)
{
	CURL *easy = t->easy;
	bool ok = add_header(list, "Accept: application/json") && add_header(list, "User-Agent: auto-classifier") &&
		add_session(list, q->session) && add_host(t, list);

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
	if (t->kept && t->header_bytes == 0 &&
	    (code == CURLE_GOT_NOTHING || code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR))
		return MODEL_STALE;
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

/* Until curl is done with what was added. 0, or a positive enum model_failure. */
static int run(struct transport *t, CURLM *multi, CURL *easy, struct tunnel *through)
{
	struct curl_waitfd ends[TUNNEL_ENDS];
	int running = 1, left, looks = 0;
	CURLMsg *m;

	if (curl_multi_add_handle(multi, easy) != CURLM_OK)
		return MODEL_BROKEN;
	while (running > 0) {
		unsigned int n = 0;

		if (curl_multi_perform(multi, &running) != CURLM_OK)
			return MODEL_BROKEN;
		if ((through != NULL && tunnel_move(through)) || looks++ < FIRST_LOOKS)
			continue;
		if (through != NULL)
			n = tunnel_ends(through, ends);
		if (running > 0 && curl_multi_poll(multi, ends, n, 1000, NULL) != CURLM_OK)
			return MODEL_BROKEN;
	}
	m = curl_multi_info_read(multi, &left);
	if (m == NULL || m->msg != CURLMSG_DONE)
		return MODEL_BROKEN;
	if (m->data.result != CURLE_OK)
		return failure_of(t, m->data.result);
	/* A reply that ends with the connection is whole only where the connection was ended by who made it. */
	return through != NULL && tunnel_is_torn(through) ? MODEL_NOT_HTTP : 0;
}

int transport_open(struct transport *t, struct connection *c, const struct origin *proxy, uint64_t deadline_ms)
{
	const struct origin *to = proxy != NULL ? proxy : t->origin;
	struct curl_slist *resolve = NULL;
	uint64_t now = clock_ms();
	CURL *easy;
	bool ok;
	int failure;

	if (t->tunnel == NULL)
		return 0;
	if (now >= deadline_ms)
		return MODEL_TIMEOUT;
	easy = tunnel_handle(t->tunnel);
	t->fd = TAKE_FD(c->fd);
	ok = set_address(easy, to, c->address, &resolve) && set_url(easy, t->origin, true, "") &&
		set_proxy(easy, proxy);
	SET(CURLOPT_CONNECT_ONLY, 1L);
	SET(CURLOPT_TIMEOUT_MS, (long)(deadline_ms - now));
	t->kept = false; /* nothing was kept yet: a connection that breaks now is no stale one */
	failure = ok ? run(t, tunnel_multi(t->tunnel), easy, NULL) : MODEL_BROKEN;
	t->kept = true;
	curl_slist_free_all(resolve);
	t->fd = tunnel_near_end(t->tunnel);
	return failure;
}

int transport_fd(const struct transport *t, const struct connection *c)
{
	return t->tunnel != NULL ? tunnel_fd(t->tunnel) : c->fd;
}

bool transport_stands(struct transport *t, const struct connection *c)
{
	char byte;

	if (t->tunnel != NULL)
		return tunnel_stands(t->tunnel);
	return recv(c->fd, &byte, sizeof(byte), MSG_PEEK | MSG_DONTWAIT) < 0 && (errno == EAGAIN || errno == EINTR);
}

int transport_exchange(struct transport *t, struct connection *c, const struct exchange_request *q,
	struct model_reply *ret)
{
	const struct origin *to = t->proxy != NULL ? t->proxy : t->origin;
	struct curl_slist *resolve = NULL, *headers = NULL;
	uint64_t now = clock_ms();
	CURL *easy = t->easy;
	long status = 0;
	bool ok = now < q->deadline_ms;
	int failure;

	if (!ok)
		return MODEL_TIMEOUT;
	if (t->tunnel == NULL)
		t->fd = TAKE_FD(c->fd);
	SET(CURLOPT_TIMEOUT_MS, (long)(q->deadline_ms - now));
	ok = ok && set_address(easy, to, c->address, &resolve) &&
		set_url(easy, t->origin, t->origin->https && t->tunnel == NULL, q->path) && set_proxy(easy, t->proxy) &&
		set_headers(t, q, &headers);
	failure = ok ? run(t, t->multi, easy, t->tunnel) : MODEL_BROKEN;
	curl_multi_remove_handle(t->multi, easy);
	curl_slist_free_all(headers);
	curl_slist_free_all(resolve);
	if (failure != 0)
		return failure;
	if (curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK || status <= 0)
		return MODEL_NOT_HTTP;
	*ret = (struct model_reply){
		.status = (uint32_t)status, .retry_after_ms = t->retry_after_ms,
		.request_id = { t->request_id, strlen(t->request_id) }, .body = textbuf_bytes(&t->body),
	};
	return 0;
}
