/* SPDX-License-Identifier: Apache-2.0 */
/* Frames over SOCK_SEQPACKET: sent as chains, received into one buffer that grows only with what has arrived. */
#include "policy/wire/channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

_Static_assert(MSG__MAX <= 64, "one bit of `seen` a message type");

void channel_init(struct channel *c, int fd, enum role self, enum role peer)
{
	*c = (struct channel){ .fd = fd, .self = self, .peer = peer, .phase = PHASE_SETUP, .got_fd = -1 };
}

static void drop_fd(struct channel *c)
{
	close_fdp(&c->got_fd);
	c->got_fd = -1;
}

void channel_done(struct channel *c)
{
	drop_fd(c);
	close_fdp(&c->fd);
	free(c->buffer);
	channel_init(c, -1, c->self, c->peer);
}

int channel_check_fd(int fd)
{
	int domain = 0, type = 0;
	socklen_t n = sizeof(domain), m = sizeof(type);

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &n) < 0 ||
	    getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &m) < 0)
		return -errno;
	return domain == AF_UNIX && type == SOCK_SEQPACKET ? 0 : -EBADF;
}

char *channel_take_buffer(struct channel *c)
{
	c->length = c->capacity = 0;
	return TAKE_PTR(c->buffer);
}

uint64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The rule for `type` from one role to the other in this phase, or NULL. */
static const struct message_rule *rule_for(const struct channel *c, uint32_t type, enum role from, enum role to)
{
	const struct message_rule *r = type < MSG__MAX ? &message_rules[type] : NULL;

	if (r == NULL || r->name == NULL || r->from != from || r->to != to || (r->phases & c->phase) == 0)
		return NULL;
	return r;
}

static void attach_fd(struct msghdr *m, void *control, size_t size, int fd)
{
	struct cmsghdr *cm;

	memset(control, 0, size);
	m->msg_control = control;
	m->msg_controllen = size;
	cm = CMSG_FIRSTHDR(m);
	cm->cmsg_level = SOL_SOCKET;
	cm->cmsg_type = SCM_RIGHTS;
	cm->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(cm), &fd, sizeof(fd));
}

/*
 * ECONNRESET says once that the peer left without reading everything. What it had sent before is still there, so its
 * last words are read; the next send then fails with EPIPE.
 */
static bool try_again(int error)
{
	return error == EINTR || error == ECONNRESET;
}

static int send_frame(struct channel *c, const struct frame_header *h, const char *body, int fd, int flags)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
	struct frame_header header = *h;
	struct iovec iov[2] = {
		{ .iov_base = &header, .iov_len = sizeof(header) },
		{ .iov_base = (void *)(uintptr_t)body, .iov_len = h->length },
	};
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = h->length != 0 ? 2 : 1 };
	ssize_t n;

	if (fd >= 0)
		attach_fd(&m, control, sizeof(control), fd);
	do
		n = sendmsg(c->fd, &m, MSG_NOSIGNAL | flags);
	while (n < 0 && try_again(errno));
	if (n < 0)
		return -errno;
	return (size_t)n == sizeof(header) + h->length ? 0 : -EIO;
}

/* Waits until there is room for another frame. 0, -ETIMEDOUT or -errno. */
static int wait_for_room(const struct channel *c, uint64_t deadline_ms)
{
	struct pollfd room = { .fd = c->fd, .events = POLLOUT };
	uint64_t now = deadline_ms != 0 ? clock_ms() : 0;
	int wait = -1;

	if (deadline_ms != 0 && now >= deadline_ms)
		return -ETIMEDOUT;
	if (deadline_ms != 0)
		wait = deadline_ms - now > INT32_MAX ? INT32_MAX : (int)(deadline_ms - now);
	return poll(&room, 1, wait) < 0 && errno != EINTR ? -errno : 0;
}

int channel_send_until(struct channel *c, enum message_type type, const void *body, size_t len, int fd,
	uint64_t deadline_ms)
{
	const struct message_rule *r = rule_for(c, type, c->self, c->peer);
	struct frame_header h = { .type = (uint16_t)type, .serial = c->sent + 1 };
	const char *p = body;
	bool first = true;

	if (r == NULL || r->wants_fd != (fd >= 0))
		return -EPROTO;
	if (len < r->min || len > r->max)
		return -EMSGSIZE;
	do {
		bool more = len > FRAME_BODY_MAX;
		int rc;

		h.length = more ? FRAME_BODY_MAX : (uint32_t)len;
		h.flags = more ? FRAME_MORE : fd >= 0 ? FRAME_HAS_FD : 0;
		rc = send_frame(c, &h, p, more ? -1 : fd, deadline_ms != 0 ? MSG_DONTWAIT : 0);
		if (rc == -EAGAIN && (!first || deadline_ms != 0)) {
			rc = wait_for_room(c, deadline_ms);
			if (rc < 0)
				return rc;
			continue;
		}
		if (rc < 0)
			return rc;
		first = false;
		len -= h.length;
		if (h.length != 0)
			p += h.length;
		if (!more)
			break;
	} while (true);
	c->sent++;
	if (r->opens)
		c->phase = PHASE_WORK;
	return 0;
}

int channel_send(struct channel *c, enum message_type type, const void *body, size_t len, int fd)
{
	return channel_send_until(c, type, body, len, fd, 0);
}

int channel_admit(struct channel *c, const struct frame_header *h, size_t have, bool got_fd)
{
	const struct message_rule *r = rule_for(c, h->type, c->peer, c->self);
	bool more = (h->flags & FRAME_MORE) != 0, has_fd = (h->flags & FRAME_HAS_FD) != 0;
	size_t before = c->chain != 0 ? c->length : 0;

	if (r == NULL || h->zero != 0 || (h->flags & ~(FRAME_MORE | FRAME_HAS_FD)) != 0 || h->length != have ||
	    have > FRAME_BODY_MAX || h->serial != c->received + 1)
		return -EPROTO;
	if ((c->chain != 0 && c->chain != h->type) || have > r->max - before)
		return -EPROTO;
	if (has_fd != got_fd || got_fd != (r->wants_fd && !more))
		return -EPROTO;
	/* Only the last frame may be short: else a peer could stretch one message over millions of them. */
	if (more ? have != FRAME_BODY_MAX : before + have < r->min)
		return -EPROTO;
	if (r->once && (c->seen & (UINT64_C(1) << h->type)) != 0)
		return -EPROTO;
	c->chain = more ? h->type : 0;
	if (more)
		return 0;
	c->received++;
	c->seen |= UINT64_C(1) << h->type;
	if (r->opens)
		c->phase = PHASE_WORK;
	return 0;
}

/* Takes the one descriptor of a frame into c->got_fd. Anything else that came along is closed, and an error. */
static int take_fd(struct channel *c, struct msghdr *m)
{
	int rc = (m->msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 ? -EPROTO : 0;

	for (struct cmsghdr *cm = CMSG_FIRSTHDR(m); cm != NULL; cm = CMSG_NXTHDR(m, cm)) {
		size_t n;

		if (cm->cmsg_level != SOL_SOCKET || cm->cmsg_type != SCM_RIGHTS || cm->cmsg_len < CMSG_LEN(0)) {
			rc = -EPROTO;
			continue;
		}
		n = (cm->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < n; i++) {
			if (c->got_fd >= 0) {
				drop_fd(c);
				rc = -EPROTO;
			}
			memcpy(&c->got_fd, CMSG_DATA(cm) + i * sizeof(int), sizeof(int));
		}
	}
	return rc;
}

/* Room behind what has arrived for one more frame: memory follows the bytes that came, never an announcement. */
static int make_room(struct channel *c)
{
	size_t need = c->length + FRAME_BODY_MAX, cap = c->capacity * 2;
	char *p;

	if (need <= c->capacity)
		return 0;
	p = realloc(c->buffer, cap > need ? cap : need);
	if (p == NULL)
		return -ENOMEM;
	c->buffer = p;
	c->capacity = cap > need ? cap : need;
	return 0;
}

/* One frame. 0: it ended a message. CHANNEL_AGAIN: it did not, or nothing was there; *ret_moved tells which. */
static int receive_frame(struct channel *c, int flags, struct message *ret, bool *ret_moved)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
	struct frame_header h = { 0 };
	struct iovec iov[2] = { { .iov_base = &h, .iov_len = sizeof(h) }, { .iov_len = FRAME_BODY_MAX } };
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = 2, .msg_control = control, .msg_controllen = sizeof(control) };
	ssize_t n;
	int rc;

	if (c->chain == 0)
		c->length = 0;
	rc = make_room(c);
	if (rc < 0)
		return rc;
	iov[1].iov_base = c->buffer + c->length;
	*ret_moved = false;
	do
		n = recvmsg(c->fd, &m, MSG_CMSG_CLOEXEC | flags);
	while (n < 0 && try_again(errno));
	if (n < 0)
		return errno == EAGAIN ? CHANNEL_AGAIN : -errno;
	rc = take_fd(c, &m);
	if (n == 0 && rc == 0 && c->got_fd < 0)
		return c->chain == 0 ? CHANNEL_END : -EPROTO;
	if (rc == 0)
		rc = (size_t)n < sizeof(h) ? -EPROTO : channel_admit(c, &h, (size_t)n - sizeof(h), c->got_fd >= 0);
	if (rc < 0) {
		drop_fd(c);
		return rc;
	}
	c->length += (size_t)n - sizeof(h);
	*ret_moved = true;
	if (c->chain != 0)
		return CHANNEL_AGAIN;
	*ret = (struct message){ .type = h.type, .body = { c->buffer, c->length } };
	return 0;
}

static int receive(struct channel *c, int flags, struct message *ret)
{
	bool moved = false;
	int rc;

	if (c->chain == 0)
		drop_fd(c);
	do
		rc = receive_frame(c, flags, ret, &moved);
	while (rc == CHANNEL_AGAIN && moved);
	return rc;
}

int channel_receive(struct channel *c, struct message *ret)
{
	return receive(c, 0, ret);
}

int channel_receive_until(struct channel *c, uint64_t deadline_ms, struct message *ret)
{
	if (deadline_ms == 0)
		return receive(c, 0, ret);
	for (;;) {
		struct pollfd ready = { .fd = c->fd, .events = POLLIN };
		uint64_t now;
		int rc = receive(c, MSG_DONTWAIT, ret);

		if (rc != CHANNEL_AGAIN)
			return rc;
		now = clock_ms();
		if (now >= deadline_ms)
			return -ETIMEDOUT;
		if (deadline_ms - now > INT32_MAX)
			return -EINVAL;
		if (poll(&ready, 1, (int)(deadline_ms - now)) < 0 && errno != EINTR)
			return -errno;
	}
}
