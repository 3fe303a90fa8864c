/* SPDX-License-Identifier: Apache-2.0 */
/* One question to a judge: what it takes files for, what it takes the key for, and the exchange. */
#include "netproc/asking.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "netproc/encode.h"
#include "netproc/read.h"
#include "policy/text/hex.h"

enum { FILE_READ_MAX = 4 * 1024 * 1024, NONCE_BYTES = 8 };

static const char system_ca[] = "/etc/ssl/certs/ca-certificates.crt";

/* A regular file, whole. 0 or -errno. */
static int read_file(const char *path, size_t max, struct textbuf *ret)
{
	CLEANUP(close_fdp) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || (size_t)st.st_size > max)
		return -EINVAL;
	return read_whole(fd, (size_t)st.st_size, ret);
}

static int read_named(struct bytes path, const char *usual, size_t max, struct textbuf *ret)
{
	CLEANUP(freep) char *name = path.len > 0 ? strndup(path.p, path.len) : strdup(usual);

	return name == NULL ? -ENOMEM : read_file(name, max, ret);
}

static int read_trust(struct asking *a)
{
	CLEANUP(textbuf_done) struct textbuf pem = { 0 };

	if (read_named(a->q.ca_file, system_ca, FILE_READ_MAX, &pem) < 0)
		return MODEL_TLS;
	return trust_new(textbuf_bytes(&pem), &a->trust) < 0 ? MODEL_BROKEN : 0;
}

/* What wants no connection yet: done while one is in the making. 0, or a positive enum model_failure. */
static int prepare_rest(struct asking *a)
{
	const struct model_request *q = &a->q;
	const struct origin *proxy = q->proxy.len > 0 ? &a->proxy : NULL;
	int failure = a->origin.https ? read_trust(a) : 0;

	if (failure != 0)
		return failure;
	if (q->protocol == MODEL_CHAT && q->system_prompt_file.len > 0 &&
		read_named(q->system_prompt_file, "", PROMPT_FILE_MAX, &a->system) < 0)
		textbuf_reset(&a->system); /* our own stands */
	if (key_prepare(q, &a->keys) < 0 || transport_new(&a->origin, proxy, a->trust, a->ahead, &a->transport) < 0)
		return MODEL_BROKEN;
	return 0;
}

/* Everything that takes files, a resolver or a connect. 0, or a positive enum model_failure. */
int asking_prepare(struct asking *a)
{
	CLEANUP(connecting_done) struct connecting c = CONNECTING;
	const bool proxied = a->q.proxy.len > 0;
	int failure = origin_parse(a->q.url, &a->q.allow_http, &a->origin);

	if (failure == 0 && proxied)
		failure = proxy_parse(a->q.proxy, &a->proxy);
	if (failure == 0)
		failure = connect_begin(proxied ? &a->proxy : &a->origin, &c);
	if (failure == 0)
		failure = prepare_rest(a);
	return failure == 0 ? connect_finish(&c, a->deadline_ms, &a->connection) : failure;
}

static int make_body(const struct asking *a, struct textbuf *ret)
{
	unsigned char random[NONCE_BYTES];
	char nonce[2 * NONCE_BYTES + 1];

	switch (a->q.protocol) {
	case MODEL_JEV:
		encode_jev(ret, &a->q);
		return ret->failed ? -ENOMEM : 0;
	case MODEL_CHAT:
		if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
			return -EIO;
		for (size_t i = 0; i < sizeof(random); i++)
			snprintf(nonce + 2 * i, 3, "%02x", random[i]);
		return encode_chat(ret, &a->q, a->origin.host, textbuf_bytes(&a->system), nonce);
	case MODEL_JEV_LIST:
	case MODEL_CHAT_LIST:
	case MODEL__MAX:
		break;
	}
	return 0;
}

/* A decision service's base is given with and without the version: services document both. A chat service's is all that
 * stands before its paths. */
static const char *path_of(const struct asking *a)
{
	size_t n = strlen(a->origin.path);
	bool versioned = n >= 3 && strcmp(a->origin.path + n - 3, "/v1") == 0;

	switch (a->q.protocol) {
	case MODEL_JEV:
		return versioned ? "/systemone" : "/v1/systemone";
	case MODEL_JEV_LIST:
		return versioned ? "/models" : "/v1/models";
	case MODEL_CHAT_LIST:
		return "/models";
	case MODEL_CHAT:
	case MODEL__MAX:
		break;
	}
	return "/chat/completions";
}

/* One character as it stands in JSON text, plain or escaped (RFC 8259 section 7): how many bytes, 0 if it is another. */
static size_t spells(const char *p, size_t len, char c)
{
	int v = 0;

	if (len > 0 && p[0] == c)
		return 1;
	if (len >= 2 && p[0] == '\\' && p[1] == c && (c == '/' || c == '"' || c == '\\'))
		return 2;
	if (len < 6 || p[0] != '\\' || p[1] != 'u')
		return 0;
	for (size_t i = 2; i < 6 && v >= 0; i++)
		v = hex_value(p[i]) < 0 ? -1 : v * 16 + hex_value(p[i]);
	return v == (unsigned char)c ? 6 : 0;
}

/* A server that repeats the key, however it spells it, would have us hand it to processes that must not know it. */
static void hide_key(char *p, size_t len, const struct secret *key)
{
	for (size_t at = 0; key->len > 0 && at < len; at++) {
		size_t n = 0, k = 0, step;

		for (; k < key->len && (step = spells(p + at + n, len - at - n, key->p[k])) > 0; k++)
			n += step;
		if (k == key->len)
			memset(p + at, '*', n);
	}
}

int asking_open(struct asking *a)
{
	return transport_open(a->transport, &a->connection, a->q.proxy.len > 0 ? &a->proxy : NULL, a->deadline_ms);
}

int asking_take_key(struct asking *a)
{
	int rc = key_read(&a->q, a->origin.host, &a->keys);

	key_sources_close(&a->keys);
	if (rc < 0)
		return MODEL_BROKEN;
	/* A server on this machine may do without. */
	return rc == KEY_MALFORMED || (rc != KEY_FOUND && !origin_is_loopback(&a->origin)) ? MODEL_NO_KEY : 0;
}

int asking_ask(struct asking *a, struct model_reply *ret)
{
	CLEANUP(textbuf_done) struct textbuf body = { 0 };
	struct exchange_request x = { .path = path_of(a), .key = &a->keys.key, .deadline_ms = a->deadline_ms };
	int rc = make_body(a, &body);

	if (rc < 0)
		return MODEL_BROKEN;
	x.body = textbuf_bytes(&body);
	x.session = a->q.protocol == MODEL_CHAT ? a->q.session : (struct bytes){ 0 };
	rc = transport_exchange(a->transport, &a->connection, &x, ret);
	if (rc == 0) {
		hide_key((char *)(uintptr_t)ret->body.p, ret->body.len, x.key);
		hide_key((char *)(uintptr_t)ret->request_id.p, ret->request_id.len, x.key);
	}
	return rc;
}

int asking_say(struct channel *to, int failure, const struct model_reply *reply, uint64_t until_ms)
{
	CLEANUP(wr_done) struct writer w = { 0 };

	if (failure == 0) {
		model_reply_encode(&w, reply);
	} else {
		wr_u8(&w, (uint8_t)failure);
		wr_str(&w, model_failure_text((enum model_failure)failure));
	}
	if (w.bad)
		return -ENOMEM;
	return channel_send_until(to, failure == 0 ? MSG_MODEL_REPLY : MSG_MODEL_FAILED, w.p, w.len, -1, until_ms);
}
