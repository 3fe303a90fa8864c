/* SPDX-License-Identifier: Apache-2.0 */
/* A program of the user's that asks the decision service in our place: request on its input, reply on its output. */
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "broker/model/model.h"
#include "broker/telemetry/log.h"
#include "policy/judge/encode.h"
#include "policy/sandbox/confine.h"
#include "policy/text/oneline.h"
#include "policy/wire/channel.h"

enum {
	PIECE = 64 * 1024,
	ERRORS_MAX = 4096,
	ERRORS_SHOWN_MAX = 300,
	ENDING_MS = 1000, /* for a helper to end, once it has nothing more to say: how it ends is part of the answer */
};

struct talk {
	int fd, errors_fd; /* owned */
	char errors[ERRORS_MAX]; /* the end of what it says on stderr */
	size_t n_errors;
	struct bytes left; /* of the request */
	struct textbuf reply;
	bool ended;
};

static void talk_done(struct talk *t)
{
	close_fdp(&t->fd);
	close_fdp(&t->errors_fd);
	textbuf_done(&t->reply);
}

static bool may_wait(int err)
{
	return err == EAGAIN || err == EINTR;
}

/* A helper that reads none of its request may still answer. */
static void push(struct talk *t)
{
	struct iovec iov = { .iov_base = (void *)(uintptr_t)t->left.p, .iov_len = t->left.len };
	const struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n = sendmsg(t->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (n < 0 && may_wait(errno))
		return;
	t->left = n < 0 ? (struct bytes){ 0 } : (struct bytes){ t->left.p + n, t->left.len - (size_t)n };
	if (t->left.len == 0)
		(void)shutdown(t->fd, SHUT_WR);
}

/* 0, or a positive enum model_failure. */
static int pull(struct talk *t)
{
	struct iovec iov;
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;

	if (!textbuf_reserve(&t->reply, PIECE))
		return MODEL_BROKEN;
	iov = (struct iovec){ .iov_base = t->reply.p + t->reply.len, .iov_len = PIECE };
	n = recvmsg(t->fd, &m, MSG_DONTWAIT);
	if (n < 0 && may_wait(errno))
		return 0;
	/* One that left without reading all of its request resets the connection; how it left says whether it failed. */
	t->ended = n <= 0;
	t->reply.len += n > 0 ? (size_t)n : 0;
	return t->reply.len > MODEL_BODY_MAX ? MODEL_TOO_LARGE : 0;
}

static void drop_errors(struct talk *t)
{
	close_fdp(&t->errors_fd);
	t->errors_fd = -1;
}

/* What is there of its stderr: the first is dropped for the last, where programs say why they end. */
static void pull_errors(struct talk *t)
{
	enum { HALF = ERRORS_MAX / 2 };

	for (int turns = 0; t->errors_fd >= 0 && turns < PIECE / HALF; turns++) {
		ssize_t n;

		if (t->n_errors > HALF) {
			memmove(t->errors, t->errors + t->n_errors - HALF, HALF);
			t->n_errors = HALF;
		}
		n = read(t->errors_fd, t->errors + t->n_errors, HALF);
		if (n < 0 && may_wait(errno))
			return;
		if (n > 0)
			t->n_errors += (size_t)n;
		else
			drop_errors(t);
	}
}

static int converse(struct talk *t, uint64_t deadline_ms)
{
	int failure = 0;

	while (failure == 0 && !t->ended) {
		struct pollfd p[2] = {
			{ .fd = t->fd, .events = (short)(POLLIN | (t->left.len > 0 ? POLLOUT : 0)) },
			{ .fd = t->errors_fd, .events = POLLIN },
		};
		uint64_t now = clock_ms();

		if (now >= deadline_ms || poll(p, ARRAY_LEN(p), (int)(deadline_ms - now)) == 0)
			return MODEL_TIMEOUT;
		if (t->left.len > 0 && (p[0].revents & (POLLOUT | POLLERR | POLLHUP)) != 0)
			push(t);
		if ((p[0].revents & (POLLIN | POLLERR | POLLHUP)) != 0)
			failure = pull(t);
		if (p[1].revents != 0)
			pull_errors(t);
	}
	return failure;
}

/*
 * How it ends. What it still says on stderr is taken meanwhile, or one that says much would wait for us as we for it.
 * 0, -ETIMEDOUT or -errno.
 */
static int await_end(struct broker *b, struct talk *t, uint32_t pid, uint64_t until_ms, int *ret_status)
{
	for (;;) {
		struct pollfd p[2] = {
			{ .fd = b->guard.fd, .events = POLLIN },
			{ .fd = t->errors_fd, .events = POLLIN },
		};
		uint64_t now = clock_ms();
		int err = broker_wait_child(b, pid, now, ret_status);

		if (err != -ETIMEDOUT || now >= until_ms)
			return err;
		if (poll(p, ARRAY_LEN(p), (int)(until_ms - now)) < 0 && errno != EINTR)
			return -errno;
		if (p[1].revents != 0)
			pull_errors(t);
	}
}

/* The last line that says anything; foreign text. */
static struct bytes last_line(const struct talk *t)
{
	size_t end = t->n_errors, start;

	while (end > 0 && strchr(" \t\r\n", t->errors[end - 1]) != NULL && t->errors[end - 1] != '\0')
		end--;
	for (start = end; start > 0 && t->errors[start - 1] != '\n'; start--)
		;
	return (struct bytes){ t->errors + start, end - start };
}

/* Why there is no answer of its, for the person who wrote or set it up. */
static void log_failure(struct broker *b, struct talk *t, const char *how)
{
	CLEANUP(textbuf_done) struct textbuf said = { 0 };

	pull_errors(t);
	text_oneline(&said, last_line(t), ERRORS_SHOWN_MAX);
	if (said.len > 0 && !said.failed)
		log_line(b, "jev.command %s: %s", how, said.p);
	else
		log_line(b, "jev.command %s", how);
}

static int answer_of(struct talk *t, struct model_answer *ret)
{
	size_t len = t->reply.len;
	char *buffer = textbuf_steal(&t->reply);

	if (buffer == NULL)
		return -ENOMEM;
	*ret = (struct model_answer){ .status = 200, .body = { buffer, len }, .buffer = buffer };
	return 0;
}

static uint64_t end_by(uint64_t deadline_ms)
{
	uint64_t until = clock_ms() + ENDING_MS;

	return until < deadline_ms ? until : deadline_ms;
}

int model_helper(struct broker *b, const struct model_setup *s, uint64_t deadline_ms, struct model_answer *ret)
{
	CLEANUP(textbuf_done) struct textbuf body = { 0 };
	CLEANUP(talk_done) struct talk t = { .fd = -1, .errors_fd = -1 };
	struct channel c; /* only for its end: a helper speaks no frames */
	uint32_t pid = 0;
	int fd = -1, failure, status = -1, err;

	encode_jev(&body, &s->q);
	if (body.failed)
		return -ENOMEM;
	err = broker_start_child(b, ROLE_HELPER, &fd, &pid);
	if (err < 0 && err != -ECHILD)
		return err;
	*ret = (struct model_answer){ .failed = true, .failure = MODEL_BROKEN };
	if (err == -ECHILD)
		return 0;
	t.fd = fd;
	t.errors_fd = TAKE_FD(b->child_errors_fd);
	t.left = textbuf_bytes(&body);
	failure = converse(&t, deadline_ms);
	if (failure == 0)
		err = await_end(b, &t, pid, end_by(deadline_ms), &status);
	channel_init(&c, TAKE_FD(t.fd), ROLE_BROKER, ROLE_HELPER);
	broker_stop_child(b, &c, pid);
	if (failure != 0) {
		ret->failure = (enum model_failure)failure;
		log_failure(b, &t, model_failure_text(ret->failure));
		return 0;
	}
	if (err == -ETIMEDOUT) {
		log_failure(b, &t, "does not end");
		return 0;
	}
	if (err == 0 && status != 0) {
		log_failure(b, &t, child_end_text(status));
		return 0;
	}
	if (err == 0 && (t.reply.len == 0 || t.reply.p[0] != '{'))
		log_failure(b, &t, "gives no answer");
	return err < 0 ? err : answer_of(&t, ret);
}
