/* SPDX-License-Identifier: Apache-2.0 */
/* netproc: the one process that may hold the key of a judge. Connects, confines itself, asks once, and ends. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "netproc/encode.h"
#include "netproc/transport.h"
#include "policy/sandbox/confine.h"
#include "policy/wire/channel.h"

enum { FILE_READ_MAX = 4 * 1024 * 1024, PROMPT_FILE_MAX = 64 * 1024, NONCE_BYTES = 8 };

static const char alone[] = "auto-classifier-netproc is started by auto-classifier and does nothing by itself.\n";
static const char system_ca[] = "/etc/ssl/certs/ca-certificates.crt";

struct job {
	struct channel broker;
	struct model_request q;
	char *body; /* what q points into; owned, as all here */
	int config_fd;
	struct origin origin, proxy;
	struct textbuf ca, system;
	struct connection connection;
	struct key_files keys;
	struct transport *transport;
	uint64_t deadline_ms;
};

/* A regular file, whole. 0 or -errno. */
static int read_file(const char *path, size_t max, struct textbuf *ret)
{
	CLEANUP(close_fdp) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || (size_t)st.st_size > max)
		return -EINVAL;
	if (!textbuf_reserve(ret, (size_t)st.st_size + 1))
		return -ENOMEM;
	while (ret->len <= (size_t)st.st_size) {
		ssize_t n = read(fd, ret->p + ret->len, (size_t)st.st_size + 1 - ret->len);

		if (n < 0)
			return -errno;
		if (n == 0)
			return 0;
		ret->len += (size_t)n;
	}
	return -EAGAIN; /* it is being written */
}

static int read_named(struct bytes path, const char *usual, size_t max, struct textbuf *ret)
{
	CLEANUP(freep) char *name = path.len > 0 ? strndup(path.p, path.len) : strdup(usual);

	return name == NULL ? -ENOMEM : read_file(name, max, ret);
}

/* Everything that takes files, a resolver or a connect. 0, or a positive enum model_failure. */
static int prepare(struct job *j)
{
	const struct model_request *q = &j->q;
	bool proxied = q->proxy.len > 0;
	int failure = origin_parse(q->url, &q->allow_http, &j->origin);

	if (failure == 0 && proxied)
		failure = proxy_parse(q->proxy, &j->proxy);
	if (failure != 0)
		return failure;
	if (j->origin.https && read_named(q->ca_file, system_ca, FILE_READ_MAX, &j->ca) < 0)
		return MODEL_TLS;
	if (q->protocol == MODEL_CHAT && q->system_prompt_file.len > 0 &&
		read_named(q->system_prompt_file, "", PROMPT_FILE_MAX, &j->system) < 0)
		textbuf_reset(&j->system); /* our own stands */
	if (key_prepare(q, &j->keys) < 0 ||
		transport_new(&j->origin, proxied ? &j->proxy : NULL, textbuf_bytes(&j->ca), &j->transport) < 0)
		return MODEL_BROKEN;
	return connect_to(proxied ? &j->proxy : &j->origin, j->deadline_ms, &j->connection);
}

static int make_body(const struct job *j, struct textbuf *ret)
{
	unsigned char random[NONCE_BYTES];
	char nonce[2 * NONCE_BYTES + 1];

	switch (j->q.protocol) {
	case MODEL_JEV:
		encode_jev(ret, &j->q);
		return ret->failed ? -ENOMEM : 0;
	case MODEL_CHAT:
		if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
			return -EIO;
		for (size_t i = 0; i < sizeof(random); i++)
			snprintf(nonce + 2 * i, 3, "%02x", random[i]);
		return encode_chat(ret, &j->q, j->origin.host, textbuf_bytes(&j->system), nonce);
	case MODEL_LIST:
	case MODEL__MAX:
		break;
	}
	return 0;
}

/* Bases are given with and without the version: services document both. */
static const char *path_of(const struct job *j)
{
	size_t n = strlen(j->origin.path);
	bool versioned = n >= 3 && strcmp(j->origin.path + n - 3, "/v1") == 0;

	switch (j->q.protocol) {
	case MODEL_JEV:
		return versioned ? "/systemone" : "/v1/systemone";
	case MODEL_LIST:
		return versioned ? "/models" : "/v1/models";
	case MODEL_CHAT:
	case MODEL__MAX:
		break;
	}
	return "/chat/completions";
}

/* A server that repeats the key would have us hand it to processes that must not know it. */
static void hide_key(char *p, size_t len, const struct secret *key)
{
	char *at;

	while (key->len > 0 && (at = memmem(p, len, key->p, key->len)) != NULL) {
		memset(at, '*', key->len);
		len -= (size_t)(at + key->len - p);
		p = at + key->len;
	}
}

/* After confinement: the key, then the request. 0, or a positive enum model_failure. */
static int ask(struct job *j, struct model_reply *ret)
{
	CLEANUP(textbuf_done) struct textbuf body = { 0 };
	struct exchange_request x = { .path = path_of(j), .key = &j->keys.key, .deadline_ms = j->deadline_ms };
	int rc = key_read(&j->q, j->origin.host, &j->keys);

	/* A server on this machine may do without. */
	if (rc < 0)
		return MODEL_BROKEN;
	if (rc == KEY_MALFORMED || (rc != KEY_FOUND && !origin_is_loopback(&j->origin)))
		return MODEL_NO_KEY;
	if (make_body(j, &body) < 0)
		return MODEL_BROKEN;
	x.body = textbuf_bytes(&body);
	x.session = j->q.protocol == MODEL_CHAT ? j->q.session : (struct bytes){ 0 };
	rc = transport_exchange(j->transport, &j->connection, &x, ret);
	if (rc == 0 && ret->body.len > 0)
		hide_key((char *)(uintptr_t)ret->body.p, ret->body.len, x.key);
	return rc;
}

static int say_failure(struct channel *broker, int failure)
{
	CLEANUP(wr_done) struct writer w = { 0 };

	wr_u8(&w, (uint8_t)failure);
	wr_str(&w, model_failure_text((enum model_failure)failure));
	return w.bad ? -ENOMEM : channel_send(broker, MSG_MODEL_FAILED, w.p, w.len, -1);
}

static int say_reply(struct channel *broker, const struct model_reply *r)
{
	CLEANUP(wr_done) struct writer w = { 0 };

	model_reply_encode(&w, r);
	return w.bad ? -ENOMEM : channel_send(broker, MSG_MODEL_REPLY, w.p, w.len, -1);
}

/* 0: there is a request. Positive: the broker wants nothing. */
static int take_request(struct job *j)
{
	struct message m;
	int rc = channel_receive(&j->broker, &m);

	if (rc == 0 && m.type == MSG_MODEL_KEY) {
		j->config_fd = TAKE_FD(j->broker.got_fd);
		rc = channel_receive(&j->broker, &m);
	}
	if (rc != 0)
		return rc;
	if (m.type != MSG_MODEL_REQUEST)
		return -EPROTO;
	j->body = channel_take_buffer(&j->broker);
	return model_request_decode(m.body, &j->q);
}

static int serve(struct job *j)
{
	const char *layer = "";
	struct model_reply reply;
	int rc = take_request(j), failure;

	if (rc != 0)
		return rc;
	j->deadline_ms = clock_ms() + j->q.timeout_ms;
	j->keys.environment = ROLE_FD_EXTRA;
	j->keys.config = j->config_fd;
	failure = prepare(j);
	rc = confine(ROLE_NETPROC, &layer);
	if (rc < 0)
		_exit(confine_exit_status(layer));
	if (failure == 0)
		failure = ask(j, &reply);
	return failure != 0 ? say_failure(&j->broker, failure) : say_reply(&j->broker, &reply);
}

int main(void)
{
	static struct job j = { .config_fd = -1, .connection.fd = -1 };

	if (channel_check_fd(ROLE_FD_CHANNEL) < 0) {
		(void)!write(STDERR_FILENO, alone, sizeof(alone) - 1);
		return 64;
	}
	/* Before anything is read: the memory file lies open here, and nobody may look. */
	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		return EXIT_FAILURE;
	channel_init(&j.broker, ROLE_FD_CHANNEL, ROLE_NETPROC, ROLE_BROKER);
	_exit(serve(&j) < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}
