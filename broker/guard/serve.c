/* SPDX-License-Identifier: Apache-2.0 */
/* Moves bytes and descriptors; looks into neither. Every wait is in the one poll(), bounded by the deadline. */
#include "broker/guard/serve.h"
#include "policy/wire/codec.h"

#include <limits.h>
#include <poll.h>

enum { P_BROKER, P_STDIN, P_OUT, P_ERR, P_CHILD, P__MAX = P_CHILD + CHILDREN_MAX };

static bool streaming(const struct guard *g)
{
	return g->input == INPUT_STREAM;
}

static int post(struct guard *g, enum message_type type, const uint32_t *fields, size_t n, int fd)
{
	struct letter *l = &g->outbox[g->n_outbox];

	if (g->n_outbox == OUTBOX_MAX) {
		close_fdp(&fd);
		return -EPROTO; /* asks without reading the answers */
	}
	*l = (struct letter){ .type = type, .fd = fd };
	for (size_t i = 0; i < n; i++)
		for (size_t b = 0; b < sizeof(uint32_t); b++)
			l->body[l->len++] = (char)(fields[i] >> (8 * b));
	g->n_outbox++;
	return 0;
}

/* 0: all is sent; CHANNEL_AGAIN: the channel is full. */
static int send_outbox(struct guard *g)
{
	while (g->n_outbox > 0) {
		struct letter *l = &g->outbox[0];
		int rc = channel_send(&g->broker, l->type, l->body, l->len, l->fd);

		if (rc == -EAGAIN)
			return CHANNEL_AGAIN;
		if (rc < 0)
			return rc;
		close_fdp(&l->fd);
		g->n_outbox--;
		memmove(l, l + 1, g->n_outbox * sizeof(*l));
	}
	return 0;
}

static void drop_outbox(struct guard *g)
{
	for (size_t i = 0; i < g->n_outbox; i++)
		close_fdp(&g->outbox[i].fd);
	g->n_outbox = 0;
}

static int send_stdin(struct guard *g)
{
	int rc;

	if (g->n_chunk == 0)
		return 0;
	rc = channel_send(&g->broker, MSG_STDIN, g->chunk, g->n_chunk, -1);
	if (rc == -EAGAIN)
		return CHANNEL_AGAIN;
	if (rc == 0)
		g->n_chunk = 0;
	return rc;
}

static bool too_long(const struct guard *g)
{
	return g->input == INPUT_WHOLE && g->n_stdin > STDIN_MAX;
}

static int send_stdin_end(struct guard *g)
{
	const char body = (char)(too_long(g) ? STDIN_TOO_LONG : g->stdin_end);
	int rc;

	if (!g->stdin_wanted || (g->stdin_open && !too_long(g)))
		return 0;
	rc = channel_send(&g->broker, MSG_STDIN_END, &body, sizeof(body), -1);
	if (rc == -EAGAIN)
		return CHANNEL_AGAIN;
	g->stdin_wanted = false;
	return rc;
}

/* What waits to be sent, in order. CHANNEL_AGAIN: some of it still does. */
static int send_all(struct guard *g)
{
	int rc = send_outbox(g);

	if (rc == 0)
		rc = send_stdin(g);
	if (rc == 0)
		rc = send_stdin_end(g);
	if (rc != -EPIPE)
		return rc;
	/* The broker has left. It may have said all it had to say first, so only its end of the channel decides. */
	drop_outbox(g);
	g->n_chunk = 0;
	g->stdin_wanted = false;
	return 0;
}

static int read_stdin(struct guard *g)
{
	ssize_t n = read(STDIN_FILENO, g->chunk, FRAME_BODY_MAX);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n <= 0) {
		g->stdin_open = false;
		g->stdin_end = n < 0 ? STDIN_READ_ERROR : STDIN_EOF;
		return 0;
	}
	g->n_stdin += (uint64_t)n;
	if (g->stdin_wanted && !too_long(g))
		g->n_chunk = (size_t)n;
	return 0;
}

/* Tells the broker of children that have ended. */
static int reap(struct guard *g)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++) {
		struct child *child = &g->children.list[i];
		uint32_t fields[3] = { child->role, (uint32_t)child->pid, 0 };
		int status, rc;

		if (g->n_outbox == OUTBOX_MAX || !children_reap(child, &status))
			continue;
		fields[2] = (uint32_t)status;
		rc = post(g, MSG_CHILD_GONE, fields, ARRAY_LEN(fields), -1);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int start_child(struct guard *g, struct reader *r)
{
	uint32_t fields[2] = { rd_u32(r), 0 }, uid = rd_u32(r), gid = rd_u32(r);
	struct started started = { .channel = -1, .errors = -1 };
	int rc;

	if (!rd_end(r) || fields[0] >= ROLE__MAX || (uid != 0 && geteuid() != 0))
		return -EPROTO;
	rc = reap(g);
	if (rc < 0)
		return rc;
	rc = children_start(&g->children, (enum role)fields[0], uid, gid, &started);
	fields[1] = rc < 0 ? (uint32_t)-rc : (uint32_t)started.pid;
	if (rc < 0)
		return post(g, MSG_CHILD_FAILED, fields, ARRAY_LEN(fields), -1);
	rc = started.errors >= 0 ? post(g, MSG_CHILD_ERRORS, NULL, 0, started.errors) : 0;
	if (rc < 0) {
		close_fdp(&started.channel);
		return rc;
	}
	return post(g, MSG_CHILD, fields, ARRAY_LEN(fields), started.channel);
}

static int on_message(struct guard *g, const struct message *m)
{
	struct reader r = { .p = m->body.p, .left = m->body.len };

	switch ((uint32_t)m->type) {
	case MSG_OUTPUT:
		return output_put(&g->out, m->body);
	case MSG_ERROR_OUTPUT:
		return output_put(&g->err, m->body);
	case MSG_START:
		return start_child(g, &r);
	case MSG_HELPER:
		return children_set_helper(&g->children, m->body.p, m->body.len);
	case MSG_SERVICE_PLACE:
		return children_set_service(&g->children, m->body.p, m->body.len);
	case MSG_SETTLED:
		return 0; /* the table has moved on, and takes the two above no more */
	case MSG_STOP:
		children_kill(&g->children, (pid_t)rd_u32(&r));
		return rd_end(&r) ? 0 : -EPROTO;
	case MSG_FINISH:
		g->status = rd_u32(&r);
		g->finished = true;
		return rd_end(&r) && g->status <= 255 ? 0 : -EPROTO;
	default:
		return -EPROTO;
	}
}

static int receive(struct guard *g)
{
	struct message m;
	int rc = channel_receive(&g->broker, &m);

	if (rc == CHANNEL_AGAIN)
		return 0;
	if (rc == CHANNEL_END)
		return -EPIPE;
	return rc < 0 ? rc : on_message(g, &m);
}

/* While streaming, what is held is written before more is taken; otherwise nothing is written before the end. */
static int flush(struct guard *g)
{
	int rc;

	if (!streaming(g))
		return 0;
	rc = output_flush(&g->out);
	if (rc == 0)
		rc = output_flush(&g->err);
	return rc;
}

static int wait_time(const struct guard *g)
{
	uint64_t now;

	if (g->deadline_ms == 0)
		return -1;
	now = clock_ms();
	if (now >= g->deadline_ms)
		return 0;
	return g->deadline_ms - now > INT_MAX ? INT_MAX : (int)(g->deadline_ms - now);
}

static void set_polls(struct guard *g, bool full, bool pending, struct pollfd polls[P__MAX])
{
	bool reading = g->stdin_open && g->n_chunk == 0 && !full;

	for (size_t i = 0; i < P__MAX; i++)
		polls[i] = (struct pollfd){ .fd = -1 };
	if (!pending || full)
		polls[P_BROKER] = (struct pollfd){ .fd = g->broker.fd,
			.events = (short)((pending ? 0 : POLLIN) | (full ? POLLOUT : 0)) };
	if (reading)
		polls[P_STDIN] = (struct pollfd){ .fd = STDIN_FILENO, .events = POLLIN };
	if (pending) {
		polls[P_OUT] = (struct pollfd){ .fd = g->out.written < g->out.len ? g->out.fd : -1, .events = POLLOUT };
		polls[P_ERR] = (struct pollfd){ .fd = g->err.written < g->err.len ? g->err.fd : -1, .events = POLLOUT };
	}
	for (size_t i = 0; i < CHILDREN_MAX && g->n_outbox < OUTBOX_MAX; i++)
		polls[P_CHILD + i] = (struct pollfd){ .fd = g->children.list[i].pidfd, .events = POLLIN };
}

/* One turn: send what can be sent, wait, take what has come. */
static int turn(struct guard *g)
{
	struct pollfd polls[P__MAX];
	int pending = flush(g), full, rc;

	if (pending < 0)
		return pending;
	full = send_all(g);
	if (full < 0)
		return full;
	set_polls(g, full != 0, pending != 0, polls);
	rc = poll(polls, P__MAX, wait_time(g));
	if (rc < 0)
		return errno == EINTR ? 0 : -errno;
	if (rc == 0)
		return -ETIMEDOUT;
	rc = polls[P_BROKER].revents != 0 && !pending ? receive(g) : 0;
	if (rc == 0 && polls[P_STDIN].revents != 0)
		rc = read_stdin(g);
	for (size_t i = 0; rc == 0 && i < CHILDREN_MAX; i++)
		if (polls[P_CHILD + i].revents != 0) {
			rc = reap(g);
			break;
		}
	return rc;
}

int guard_serve(struct guard *g)
{
	int rc = 0;

	g->stdin_open = g->stdin_wanted = g->input != INPUT_NONE;
	if (g->stdin_open) {
		g->chunk = malloc(FRAME_BODY_MAX);
		if (g->chunk == NULL)
			return -ENOMEM;
	}
	while (rc >= 0 && !g->finished)
		rc = turn(g);
	return rc < 0 ? rc : 0;
}

void guard_drain_stdin(struct guard *g)
{
	while (g->input == INPUT_WHOLE && g->stdin_open) {
		struct pollfd ready = { .fd = STDIN_FILENO, .events = POLLIN };
		char dropped[4096];
		ssize_t n;

		if (poll(&ready, 1, DRAIN_PAUSE_MS) <= 0 || wait_time(g) == 0)
			return;
		n = read(STDIN_FILENO, dropped, sizeof(dropped));
		if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
			return;
	}
}
