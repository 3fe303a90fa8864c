/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames from a hostile peer: the input's first byte picks which end of which channel receives, then come frames, each
 * behind its length. What is taken is read as a body by every reader of the codec.
 */
#include "policy/wire/channel.h"
#include "policy/wire/codec.h"

#include <fcntl.h>
#include <sys/socket.h>

enum { FRAMES_MAX = 64 };

static const struct {
	enum role self, peer;
	uint32_t phase;
} ends[] = {
	{ ROLE_BROKER, ROLE_WORKER, PHASE_WORK },
	{ ROLE_BROKER, ROLE_WORKER, PHASE_SETUP },
	{ ROLE_WORKER, ROLE_BROKER, PHASE_SETUP },
	{ ROLE_GUARD, ROLE_BROKER, PHASE_SETUP },
	{ ROLE_BROKER, ROLE_GUARD, PHASE_SETUP },
	{ ROLE_NETPROC, ROLE_BROKER, PHASE_SETUP },
	{ ROLE_BROKER, ROLE_NETPROC, PHASE_WORK },
	{ ROLE_GUARD, ROLE_BROKER, PHASE_WORK },
};

static void read_body(struct bytes body)
{
	struct reader r = { .p = body.p, .left = body.len };

	while (!r.bad && r.left > 0) {
		struct bytes b;

		switch (rd_u8(&r) % 7) {
		case 0:
			(void)rd_u32(&r);
			break;
		case 1:
			(void)rd_u64(&r);
			break;
		case 2:
			(void)rd_bool(&r);
			break;
		case 3:
			if (rd_count(&r, 100) > 100)
				abort();
			break;
		case 4:
			b = rd_bytes(&r, 1000);
			if (b.len > 1000 || (b.len > 0 && (b.p < body.p || b.p + b.len > body.p + body.len)))
				abort();
			break;
		case 5:
			b = rd_text(&r, 1000);
			if (b.len > 0 && memchr(b.p, '\0', b.len) != NULL)
				abort();
			break;
		default:
			break;
		}
	}
	if (r.bad && (rd_end(&r) || rd_u32(&r) != 0))
		abort();
}

static void check_message(const struct channel *c, const struct message *m)
{
	const struct message_rule *rule = &message_rules[m->type];

	if (rule->from != c->peer || rule->to != c->self || m->body.len < rule->min || m->body.len > rule->max ||
	    rule->wants_fd != (c->got_fd >= 0) || c->capacity > 4 * (m->body.len + FRAME_BODY_MAX))
		abort();
	read_body(m->body);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct channel c;
	struct message m;
	int fds[2], rc = 0;

	if (n == 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, fds) < 0)
		return 0;
	channel_init(&c, fds[0], ends[*p % ARRAY_LEN(ends)].self, ends[*p % ARRAY_LEN(ends)].peer);
	c.phase = ends[*p % ARRAY_LEN(ends)].phase;
	p++, n--;
	for (int i = 0; i < FRAMES_MAX && n >= 2 && rc != -EPROTO; i++) {
		size_t len = (size_t)p[0] | (size_t)p[1] << 8;

		len += len == UINT16_MAX; /* a full frame is one more than two bytes can say */
		p += 2, n -= 2;
		len = len < n ? len : n;
		if (send(fds[1], p, len, MSG_NOSIGNAL) != (ssize_t)len)
			break;
		p += len, n -= len;
		rc = channel_receive(&c, &m);
		if (rc == 0)
			check_message(&c, &m);
	}
	close(fds[1]);
	while (rc >= 0 && rc != CHANNEL_END)
		rc = channel_receive(&c, &m);
	channel_done(&c);
	return 0;
}
