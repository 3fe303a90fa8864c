/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing to descriptors that others share. They cannot be made nonblocking (the flag would be everybody's), so a
 * socket is written with MSG_DONTWAIT and anything else in pieces that a pipe reported as writable takes whole
 * (pipe(7), PIPE_BUF).
 */
#include "broker/guard/output.h"
#include "policy/wire/channel.h"

#include <limits.h>
#include <poll.h>
#include <sys/socket.h>

int output_put(struct output *o, struct bytes b)
{
	if (o->written == o->len)
		o->len = o->written = 0;
	if (b.len > MESSAGE_MAX - o->len)
		return -EFBIG;
	if (b.len > o->cap - o->len) {
		size_t cap = o->cap * 2 > o->len + b.len ? o->cap * 2 : o->len + b.len;
		char *p = realloc(o->p, cap);

		if (p == NULL)
			return -ENOMEM;
		o->p = p;
		o->cap = cap;
	}
	if (b.len != 0)
		memcpy(o->p + o->len, b.p, b.len);
	o->len += b.len;
	return 0;
}

static ssize_t write_some(struct output *o)
{
	struct pollfd ready = { .fd = o->fd, .events = POLLOUT };
	size_t left = o->len - o->written;
	ssize_t n;

	if (!o->not_socket) {
		n = send(o->fd, o->p + o->written, left, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n >= 0 || errno != ENOTSOCK)
			return n;
		o->not_socket = true;
	}
	if (poll(&ready, 1, 0) == 0) {
		errno = EAGAIN;
		return -1;
	}
	return write(o->fd, o->p + o->written, left < PIPE_BUF ? left : PIPE_BUF);
}

int output_flush(struct output *o)
{
	while (o->written < o->len) {
		ssize_t n = write_some(o);

		if (n < 0 && errno == EAGAIN)
			return OUTPUT_PENDING;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			o->written += (size_t)n;
	}
	return 0;
}

int output_finish(struct output *o, uint64_t deadline_ms)
{
	for (;;) {
		struct pollfd ready = { .fd = o->fd, .events = POLLOUT };
		int rc = output_flush(o), wait = -1;

		if (rc != OUTPUT_PENDING)
			return rc;
		if (deadline_ms != 0) {
			uint64_t now = clock_ms();

			if (now >= deadline_ms)
				return -ETIMEDOUT;
			wait = deadline_ms - now > INT_MAX ? INT_MAX : (int)(deadline_ms - now);
		}
		if (poll(&ready, 1, wait) < 0 && errno != EINTR)
			return -errno;
	}
}

void output_done(struct output *o)
{
	free(o->p);
	*o = (struct output){ .fd = o->fd };
}
