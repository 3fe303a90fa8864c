/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of netproc's service that says what no broker says: client SOCKET MODE [ARGUMENT]. Prints one line: "reply
 * STATUS BODY", "failed NUMBER TEXT" or "closed".
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "policy/judge/model.h"
#include "policy/wire/channel.h"

enum { PATIENCE_MS = 8000, LONG = 512 * 1024 };

static struct bytes text(const char *s)
{
	return (struct bytes){ s, strlen(s) };
}

static int connect_to_service(const char *path)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (fd < 0 || strlen(path) >= sizeof(at.sun_path))
		return -1;
	memcpy(at.sun_path, path, strlen(path) + 1);
	return connect(fd, (const struct sockaddr *)(const void *)&at, sizeof(at)) < 0 ? -1 : fd;
}

static const struct model_request plain = {
	.timeout_ms = 5000,
	.model = BYTES("m-1"),
	.command = BYTES("frobnicate"),
};

/* Everything by which a request could be sent elsewhere, with another key, in other words. */
static int send_hostile(struct channel *c, const char *argument, enum model_protocol protocol)
{
	static struct bytes hosts[] = { BYTES("elsewhere.example.org") };
	CLEANUP(wr_done) struct writer w = { 0 };
	struct model_request q = plain;

	q.protocol = protocol;
	q.timeout_ms = UINT32_MAX;
	q.max_tokens = 100000;
	q.origin_from_file = q.origin_default = true;
	q.url = q.proxy = text(argument);
	q.model = BYTES("most-expensive");
	q.ca_file = q.system_prompt_file = BYTES("/etc/passwd");
	q.extra_body = BYTES("{\"model\": \"most-expensive\", \"stream\": true}");
	q.prompt.instructions = BYTES("write a poem");
	q.allow_http = (struct string_list){ hosts, ARRAY_LEN(hosts) };
	q.n_keys = 2;
	q.keys[0] = (struct key_source){ .kind = KEY_FILE, .from_file = true, .text = BYTES("/etc/passwd") };
	q.keys[1] = (struct key_source){ .kind = KEY_VARIABLE, .from_file = true, .text = BYTES("PATH") };
	model_request_encode(&w, &q);
	return w.bad ? -ENOMEM : channel_send(c, MSG_MODEL_REQUEST, w.p, w.len, -1);
}

static int send_plain(struct channel *c, enum model_protocol protocol)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	struct model_request q = plain;

	q.protocol = protocol;
	model_request_encode(&w, &q);
	return w.bad ? -ENOMEM : channel_send(c, MSG_MODEL_REQUEST, w.p, w.len, -1);
}

static int send_key(struct channel *c)
{
	CLEANUP(close_fdp) int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int rc = channel_send(c, MSG_MODEL_KEY, NULL, 0, fd);

	return rc < 0 ? rc : send_plain(c, MODEL_JEV);
}

static int send_garbage(struct channel *c)
{
	static char much[LONG];

	memset(much, 0xa5, sizeof(much));
	return channel_send(c, MSG_MODEL_REQUEST, much, sizeof(much), -1);
}

static int send_raw(const struct channel *c)
{
	return send(c->fd, "GET / HTTP/1.0\r\n\r\n", 18, MSG_NOSIGNAL) == 18 ? 0 : -errno;
}

static int speak(struct channel *c, const char *mode, const char *argument)
{
	if (strcmp(mode, "jev") == 0)
		return send_plain(c, MODEL_JEV);
	if (strcmp(mode, "chat") == 0)
		return send_plain(c, MODEL_CHAT);
	if (strcmp(mode, "list") == 0)
		return send_plain(c, MODEL_JEV_LIST);
	if (strcmp(mode, "hostile-jev") == 0)
		return send_hostile(c, argument, MODEL_JEV);
	if (strcmp(mode, "hostile-chat") == 0)
		return send_hostile(c, argument, MODEL_CHAT);
	if (strcmp(mode, "key") == 0)
		return send_key(c);
	if (strcmp(mode, "garbage") == 0)
		return send_garbage(c);
	if (strcmp(mode, "raw") == 0)
		return send_raw(c);
	return strcmp(mode, "silent") == 0 ? 0 : -EINVAL;
}

static void print_failure(struct bytes body)
{
	struct reader r = { .p = body.p, .left = body.len };
	unsigned int number = rd_u8(&r);
	struct bytes why = rd_bytes(&r, 4096);

	printf("failed %u %.*s\n", number, (int)why.len, why.p);
}

static void print_reply(struct bytes body)
{
	struct model_reply reply;

	if (model_reply_decode(body, &reply) < 0)
		puts("malformed");
	else
		printf("reply %u %.*s\n", reply.status, (int)reply.body.len, reply.body.p);
}

int main(int argc, char **argv)
{
	struct channel c;
	struct message m;
	int fd, rc;

	if (argc < 3)
		return 64;
	fd = connect_to_service(argv[1]);
	if (fd < 0) {
		puts("refused");
		return 0;
	}
	channel_init(&c, fd, ROLE_BROKER, ROLE_NETPROC);
	rc = channel_receive_until(&c, clock_ms() + PATIENCE_MS, &m);
	if (rc == 0 && m.type == MSG_MODEL_GREETING) {
		rc = speak(&c, argv[2], argc > 3 ? argv[3] : "");
		if (rc == -EINVAL)
			return 64;
		rc = channel_receive_until(&c, clock_ms() + PATIENCE_MS, &m);
	}
	if (rc == -ETIMEDOUT)
		puts("nothing");
	else if (rc != 0)
		puts("closed");
	else if (m.type == MSG_MODEL_FAILED)
		print_failure(m.body);
	else
		print_reply(m.body);
	channel_done(&c);
	return 0;
}
