/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies, frames and the message table: what a channel takes, and every kind of frame it must refuse. */
#include "policy/wire/channel.h"
#include "policy/wire/codec.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <cmocka.h>

/* The broker's end under test; `raw` is what a worker has in its hands. */
struct pair {
	struct channel broker;
	int raw;
};

static struct pair pair_new(uint32_t phase)
{
	struct pair p;
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	channel_init(&p.broker, fds[0], ROLE_BROKER, ROLE_WORKER);
	p.broker.phase = phase;
	p.raw = fds[1];
	return p;
}

static void pair_done(struct pair *p)
{
	channel_done(&p->broker);
	close(p->raw);
}

static void send_raw(int fd, const void *header, size_t n_header, const void *body, size_t n_body, const int *fds,
	size_t n)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))] = { 0 };
	struct iovec iov[2] = { { (void *)(uintptr_t)header, n_header }, { (void *)(uintptr_t)body, n_body } };
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = 2 };

	if (n != 0) {
		struct cmsghdr *c;

		m.msg_control = control;
		m.msg_controllen = CMSG_SPACE(n * sizeof(int));
		c = CMSG_FIRSTHDR(&m);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(c), fds, n * sizeof(int));
	}
	assert_int_equal(sendmsg(fd, &m, 0), n_header + n_body);
}

static void codec_round_trip(void **state)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	struct reader r;

	(void)state;
	wr_u8(&w, 0xfe);
	wr_u32(&w, 0x89abcdef);
	wr_u64(&w, UINT64_C(0x0123456789abcdef));
	wr_str(&w, "words");
	wr_str(&w, NULL);
	wr_bytes(&w, BYTES("a\0b"));
	wr_u8(&w, 1);
	assert_false(w.bad);
	r = (struct reader){ .p = w.p, .left = w.len };
	assert_int_equal(rd_u8(&r), 0xfe);
	assert_int_equal(rd_u32(&r), 0x89abcdef);
	assert_true(rd_u64(&r) == UINT64_C(0x0123456789abcdef));
	assert_true(bytes_is(rd_text(&r, 5), "words"));
	assert_int_equal(rd_bytes(&r, 0).len, 0);
	assert_true(bytes_eq(rd_bytes(&r, 3), BYTES("a\0b")));
	assert_false(rd_end(&r));
	assert_true(rd_bool(&r));
	assert_true(rd_end(&r));
}

static void writer_stops_at_its_bound(void **state)
{
	CLEANUP(wr_done) struct writer w = { .max = 10 };

	(void)state;
	wr_u64(&w, 1);
	wr_u32(&w, 2);
	assert_true(w.bad);
	assert_int_equal(w.len, 8);
	wr_u8(&w, 3); /* would fit, but what was lost cannot be left out */
	assert_true(w.bad);
	assert_int_equal(w.len, 8);
	wr_reset(&w);
	wr_u8(&w, 3);
	assert_false(w.bad);
	assert_int_equal(w.len, 1);
}

static void reader_errors_stick(void **state)
{
	const char body[] = { 3, 0, 0, 0, 'a', 0, 'b', 2, 7, 0 };
	struct reader r = { .p = body, .left = sizeof(body) };

	(void)state;
	assert_int_equal(rd_text(&r, 8).len, 0); /* a NUL inside */
	assert_true(r.bad);
	r = (struct reader){ .p = body, .left = sizeof(body) };
	assert_int_equal(rd_bytes(&r, 2).len, 0); /* longer than allowed */
	assert_true(r.bad);
	assert_int_equal(rd_u8(&r), 0);
	assert_false(rd_end(&r));
	r = (struct reader){ .p = body, .left = 5 };
	assert_int_equal(rd_bytes(&r, 8).len, 0); /* longer than what is there */
	assert_false(rd_end(&r));
	r = (struct reader){ .p = body + 7, .left = 1 };
	assert_false(rd_bool(&r)); /* neither 0 nor 1 */
	assert_false(rd_end(&r));
	r = (struct reader){ .p = body, .left = sizeof(body) };
	assert_int_equal(rd_count(&r, 2), 0);
	assert_true(r.bad);
	r = (struct reader){ .p = body, .left = 7 };
	assert_true(bytes_eq(rd_bytes(&r, 3), BYTES("a\0b")));
	assert_true(rd_end(&r));
	assert_int_equal(rd_u8(&r), 0);
	assert_false(rd_end(&r));
}

/* Only the guard hands over descriptors, but for the few things that only a descriptor can say. */
static bool may_carry_fd(const struct message_rule *r, unsigned int type)
{
	return r->from == ROLE_GUARD || type == MSG_GIT_OPEN || type == MSG_MODEL_KEY || type == MSG_CONNECTED ||
		type == MSG_POOL_CHILD || type == MSG_POOL_CLIENT;
}

/* A service greets, or refuses, before it has read; a connector has nothing else to say. */
static bool may_speak_unasked(unsigned int type)
{
	return type == MSG_MODEL_GREETING || type == MSG_MODEL_FAILED || type == MSG_CONNECTED ||
		type == MSG_NOT_CONNECTED;
}

static void table_is_whole(void **state)
{
	(void)state;
	for (unsigned int t = MSG_NONE + 1; t < MSG__MAX; t++) {
		const struct message_rule *r = &message_rules[t];

		assert_non_null(r->name);
		assert_true(r->from != r->to);
		/* Two stars: every message has the broker at one end, or, inside a service, the acceptor. */
		assert_true(r->from == ROLE_BROKER || r->to == ROLE_BROKER || r->from == ROLE_ACCEPTOR ||
			r->to == ROLE_ACCEPTOR);
		assert_false((r->from == ROLE_BROKER && r->to == ROLE_ACCEPTOR) ||
			(r->from == ROLE_ACCEPTOR && r->to == ROLE_BROKER));
		assert_true(r->min <= r->max && r->max <= MESSAGE_MAX);
		assert_true(!r->wants_fd || may_carry_fd(r, t));
		if (r->to == ROLE_BROKER && r->from != ROLE_GUARD && !may_speak_unasked(t))
			assert_int_equal(r->phases & PHASE_SETUP, 0);
	}
}

/* What a broker may have started is fixed before anything is. */
static void guard_is_told_first(void **state)
{
	(void)state;
	for (unsigned int t = MSG_NONE + 1; t < MSG__MAX; t++) {
		const struct message_rule *r = &message_rules[t];

		if (r->to == ROLE_GUARD && (t == MSG_HELPER || t == MSG_SERVICE_PLACE || t == MSG_SETTLED))
			assert_int_equal(r->phases, PHASE_SETUP);
		assert_int_equal(r->to == ROLE_GUARD && r->opens, t == MSG_SETTLED);
		assert_false(r->from == ROLE_GUARD && r->opens);
	}
	assert_int_equal(message_rules[MSG_START].phases, PHASE_WORK);
}

static void send_and_receive(void **state)
{
	static char big[FRAME_BODY_MAX * 2 + 17];
	struct channel guard, broker;
	struct message m;
	int fds[2], pipe_fds[2];
	char byte;

	(void)state;
	memset(big, 'x', sizeof(big));
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	assert_int_equal(channel_check_fd(fds[0]), 0);
	channel_init(&guard, fds[0], ROLE_GUARD, ROLE_BROKER);
	channel_init(&broker, fds[1], ROLE_BROKER, ROLE_GUARD);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(channel_send(&broker, MSG_OUTPUT, big, sizeof(big), -1), 0);
		assert_int_equal(channel_receive(&guard, &m), 0);
		assert_int_equal(m.type, MSG_OUTPUT);
		assert_true(bytes_eq(m.body, (struct bytes){ big, sizeof(big) }));
		assert_int_equal(channel_send(&broker, MSG_OUTPUT, NULL, 0, -1), 0);
		assert_int_equal(channel_receive(&guard, &m), 0);
		assert_int_equal(m.body.len, 0);
	}
	assert_int_equal(pipe2(pipe_fds, O_CLOEXEC), 0);
	assert_int_equal(channel_send(&guard, MSG_CHILD, "12345678", 8, pipe_fds[1]), 0);
	close(pipe_fds[1]);
	assert_int_equal(channel_receive(&broker, &m), 0);
	assert_true(broker.got_fd >= 0);
	assert_int_equal(fcntl(broker.got_fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(write(broker.got_fd, "!", 1), 1);
	assert_int_equal(read(pipe_fds[0], &byte, 1), 1);
	/* Not taken, so the next receive closes it. */
	assert_int_equal(channel_send(&guard, MSG_CHILD_FAILED, "12345678", 8, -1), 0);
	assert_int_equal(channel_receive(&broker, &m), 0);
	assert_int_equal(broker.got_fd, -1);
	assert_int_equal(read(pipe_fds[0], &byte, 1), 0);
	close(pipe_fds[0]);
	/* What a peer said before it left is heard, though it left without listening. */
	assert_int_equal(channel_send(&guard, MSG_STDIN, "unread", 6, -1), 0);
	assert_int_equal(channel_send(&broker, MSG_FINISH, "\0\0\0\0", 4, -1), 0);
	channel_done(&broker);
	assert_int_equal(channel_send(&guard, MSG_STDIN, "more", 4, -1), -EPIPE);
	assert_int_equal(channel_receive(&guard, &m), 0);
	assert_int_equal(m.type, MSG_FINISH);
	assert_int_equal(channel_receive(&guard, &m), CHANNEL_END);
	channel_done(&guard);
}

/* A peer that stands still holds nobody up, whether it has taken nothing or the half of a chain. */
static void sends_until_a_time(void **state)
{
	static char big[FRAME_BODY_MAX * 40];
	struct channel broker, guard;
	struct message m;
	uint64_t before;
	int fds[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	channel_init(&broker, fds[0], ROLE_BROKER, ROLE_GUARD);
	channel_init(&guard, fds[1], ROLE_GUARD, ROLE_BROKER);
	assert_int_equal(channel_send_until(&broker, MSG_OUTPUT, "a", 1, -1, clock_ms() + 10000), 0);
	assert_int_equal(channel_receive(&guard, &m), 0);
	assert_true(bytes_eq(m.body, BYTES("a")));
	before = clock_ms();
	assert_int_equal(channel_send_until(&broker, MSG_OUTPUT, big, sizeof(big), -1, before + 30), -ETIMEDOUT);
	assert_in_range(clock_ms() - before, 30, 10000);
	/* The socket is full by now: not one frame of the next goes. */
	assert_int_equal(channel_send_until(&broker, MSG_OUTPUT, "b", 1, -1, clock_ms() + 5), -ETIMEDOUT);
	assert_int_equal(channel_send_until(&broker, MSG_OUTPUT, "b", 1, -1, 1), -ETIMEDOUT);
	channel_done(&guard);
	assert_int_equal(channel_send_until(&broker, MSG_OUTPUT, "b", 1, -1, clock_ms() + 10000), -EPIPE);
	channel_done(&broker);
}

static void send_is_checked_too(void **state)
{
	struct pair p = pair_new(PHASE_SETUP);

	(void)state;
	assert_int_equal(channel_send(&p.broker, MSG_ASSESSMENT, "x", 1, -1), -EPROTO); /* the worker's to send */
	assert_int_equal(channel_send(&p.broker, MSG_REQUEST, "x", 1, -1), -EPROTO); /* not before the policy */
	assert_int_equal(channel_send(&p.broker, MSG_POLICY, "x", 0, -1), -EMSGSIZE);
	assert_int_equal(channel_send(&p.broker, MSG_POLICY, "x", 1, 0), -EPROTO); /* carries no descriptor */
	assert_int_equal(channel_send(&p.broker, MSG_POLICY, "x", 1, -1), 0);
	assert_int_equal(p.broker.phase, PHASE_WORK);
	assert_int_equal(channel_send(&p.broker, MSG_POLICY, "x", 1, -1), -EPROTO);
	assert_int_equal(channel_send(&p.broker, MSG_REQUEST, "x", 1, -1), 0);
	pair_done(&p);
}

static void waits_until_a_time(void **state)
{
	struct pair p = pair_new(PHASE_WORK);
	const struct frame_header h = { .type = MSG_ROWS_DONE, .serial = 1, .length = 4 };
	struct message m;

	(void)state;
	assert_int_equal(channel_receive_until(&p.broker, clock_ms() + 20, &m), -ETIMEDOUT);
	send_raw(p.raw, &h, sizeof(h), "\1\0\0\0", 4, NULL, 0);
	assert_int_equal(channel_receive_until(&p.broker, clock_ms() + 10000, &m), 0);
	assert_int_equal(m.type, MSG_ROWS_DONE);
	pair_done(&p);
}

/* One frame, or two, and what must come of it. */
struct malformed {
	const char *what;
	struct frame_header h;
	uint32_t phase;
	size_t n_header, n_body, n_fds;
};

static const struct malformed malformed[] = {
	{ "nothing", { 0 }, PHASE_WORK, 1, 0, 0 },
	{ "half a header", { .type = MSG_ROWS_DONE, .serial = 1, .length = 4 }, PHASE_WORK, 8, 0, 0 },
	{ "no type", { .serial = 1, .length = 4 }, PHASE_WORK, 16, 4, 0 },
	{ "unknown type", { .type = MSG__MAX, .serial = 1, .length = 4 }, PHASE_WORK, 16, 4, 0 },
	{ "far type", { .type = 0xffff, .serial = 1, .length = 4 }, PHASE_WORK, 16, 4, 0 },
	{ "another's type", { .type = MSG_FINISH, .serial = 1, .length = 4 }, PHASE_WORK, 16, 4, 0 },
	{ "own type back", { .type = MSG_REQUEST, .serial = 1, .length = 4 }, PHASE_WORK, 16, 4, 0 },
	{ "no phase", { .type = MSG_GIT_ANSWER, .serial = 1, .length = 4 }, PHASE_WORK, 16, 4, 0 },
	{ "too early", { .type = MSG_ROWS_DONE, .serial = 1, .length = 4 }, PHASE_SETUP, 16, 4, 0 },
	{ "too short", { .type = MSG_ROWS_DONE, .serial = 1, .length = 3 }, PHASE_WORK, 16, 3, 0 },
	{ "too long", { .type = MSG_ROWS_DONE, .serial = 1, .length = 5 }, PHASE_WORK, 16, 5, 0 },
	{ "body cut", { .type = MSG_ROWS_DONE, .serial = 1, .length = 4 }, PHASE_WORK, 16, 3, 0 },
	{ "body stretched", { .type = MSG_ROWS_DONE, .serial = 1, .length = 4 }, PHASE_WORK, 16, 5, 0 },
	{ "length lies", { .type = MSG_ROWS_DONE, .serial = 1, .length = 0xffffffff }, PHASE_WORK, 16, 4, 0 },
	{ "serial 0", { .type = MSG_ROWS_DONE, .length = 4 }, PHASE_WORK, 16, 4, 0 },
	{ "serial ahead", { .type = MSG_ROWS_DONE, .serial = 2, .length = 4 }, PHASE_WORK, 16, 4, 0 },
	{ "unknown flag", { .type = MSG_ROWS_DONE, .serial = 1, .length = 4, .flags = 4 }, PHASE_WORK, 16, 4, 0 },
	{ "not zero", { .type = MSG_ROWS_DONE, .serial = 1, .length = 4, .zero = 1 }, PHASE_WORK, 16, 4, 0 },
	{ "short chain", { .type = MSG_ASSESSMENT, .serial = 1, .length = 4, .flags = FRAME_MORE }, PHASE_WORK, 16, 4, 0 },
	{ "unasked descriptor", { .type = MSG_ROWS_DONE, .serial = 1, .length = 4 }, PHASE_WORK, 16, 4, 1 },
	{ "flagged descriptor", { .type = MSG_ROWS_DONE, .serial = 1, .length = 4, .flags = FRAME_HAS_FD }, PHASE_WORK, 16,
		4, 1 },
	{ "claimed descriptor", { .type = MSG_ROWS_DONE, .serial = 1, .length = 4, .flags = FRAME_HAS_FD }, PHASE_WORK, 16,
		4, 0 },
	{ "two descriptors", { .type = MSG_ROWS_DONE, .serial = 1, .length = 4 }, PHASE_WORK, 16, 4, 2 },
	{ "many descriptors", { .type = MSG_ROWS_DONE, .serial = 1, .length = 4 }, PHASE_WORK, 16, 4, 4 },
};

static int open_fds(void)
{
	int n = 0;

	for (int fd = 0; fd < 64; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void refuses_malformed_frames(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(malformed); i++) {
		const struct malformed *f = &malformed[i];
		struct pair p = pair_new(f->phase);
		const int fds[4] = { p.raw, p.raw, p.raw, p.raw };
		int before = open_fds();
		struct message m;

		send_raw(p.raw, &f->h, f->n_header, "body...", f->n_body, fds, f->n_fds);
		if (channel_receive(&p.broker, &m) != -EPROTO)
			fail_msg("%s was taken", f->what);
		assert_int_equal(open_fds(), before);
		pair_done(&p);
	}
}

static void refuses_broken_chains(void **state)
{
	static char full[FRAME_BODY_MAX];
	const struct frame_header more = { .type = MSG_QUESTION, .serial = 1, .length = FRAME_BODY_MAX, .flags = FRAME_MORE };
	const struct frame_header first = { .type = MSG_ASSESSMENT, .serial = 1, .length = FRAME_BODY_MAX,
		.flags = FRAME_MORE };
	const struct frame_header other = { .type = MSG_LISTING, .serial = 1, .length = 4 };
	const struct frame_header late = { .type = MSG_ASSESSMENT, .serial = 2, .length = 4 };
	struct message m;
	struct pair p = pair_new(PHASE_WORK);

	(void)state;
	/* Past the most its type may hold. */
	send_raw(p.raw, &more, sizeof(more), full, sizeof(full), NULL, 0);
	assert_int_equal(channel_receive(&p.broker, &m), -EPROTO);
	pair_done(&p);
	/* Another type, or another serial, in the middle. */
	for (int i = 0; i < 2; i++) {
		p = pair_new(PHASE_WORK);
		send_raw(p.raw, &first, sizeof(first), full, sizeof(full), NULL, 0);
		send_raw(p.raw, i == 0 ? &other : &late, sizeof(other), "tail", 4, NULL, 0);
		assert_int_equal(channel_receive(&p.broker, &m), -EPROTO);
		pair_done(&p);
	}
	/* Its sender gone in the middle. */
	p = pair_new(PHASE_WORK);
	send_raw(p.raw, &first, sizeof(first), full, sizeof(full), NULL, 0);
	close(p.raw);
	assert_int_equal(channel_receive(&p.broker, &m), -EPROTO);
	p.raw = -1;
	channel_done(&p.broker);
}

static void once_is_once(void **state)
{
	struct frame_header h = { .type = MSG_STDIN_END, .serial = 1, .length = 1 };
	struct message m;
	struct channel c;
	int fds[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	channel_init(&c, fds[0], ROLE_BROKER, ROLE_GUARD);
	send_raw(fds[1], &h, sizeof(h), "", 1, NULL, 0);
	h.serial = 2;
	send_raw(fds[1], &h, sizeof(h), "", 1, NULL, 0);
	assert_int_equal(channel_receive(&c, &m), 0);
	assert_int_equal(channel_receive(&c, &m), -EPROTO);
	channel_done(&c);
	close(fds[1]);
}

static void grows_with_what_came(void **state)
{
	static char full[FRAME_BODY_MAX];
	struct frame_header h = { .type = MSG_LISTING, .serial = 1, .length = FRAME_BODY_MAX, .flags = FRAME_MORE };
	struct pair p = pair_new(PHASE_WORK);
	struct message m;

	(void)state;
	assert_int_equal(fcntl(p.broker.fd, F_SETFL, O_NONBLOCK), 0);
	send_raw(p.raw, &h, sizeof(h), full, sizeof(full), NULL, 0);
	assert_int_equal(channel_receive(&p.broker, &m), CHANNEL_AGAIN);
	assert_int_equal(p.broker.length, FRAME_BODY_MAX);
	assert_true(p.broker.capacity <= 4 * FRAME_BODY_MAX);
	h.flags = 0;
	h.length = 1;
	send_raw(p.raw, &h, sizeof(h), "z", 1, NULL, 0);
	assert_int_equal(channel_receive(&p.broker, &m), 0);
	assert_int_equal(m.body.len, FRAME_BODY_MAX + 1);
	assert_int_equal(m.body.p[FRAME_BODY_MAX], 'z');
	pair_done(&p);
}

static void knows_its_descriptor(void **state)
{
	int fds[2];

	(void)state;
	assert_true(channel_check_fd(-1) < 0);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_true(channel_check_fd(fds[0]) < 0);
	close(fds[0]);
	close(fds[1]);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	assert_true(channel_check_fd(fds[0]) < 0);
	close(fds[0]);
	close(fds[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codec_round_trip),
		cmocka_unit_test(writer_stops_at_its_bound),
		cmocka_unit_test(reader_errors_stick),
		cmocka_unit_test(table_is_whole),
		cmocka_unit_test(guard_is_told_first),
		cmocka_unit_test(send_and_receive),
		cmocka_unit_test(sends_until_a_time),
		cmocka_unit_test(send_is_checked_too),
		cmocka_unit_test(waits_until_a_time),
		cmocka_unit_test(refuses_malformed_frames),
		cmocka_unit_test(refuses_broken_chains),
		cmocka_unit_test(once_is_once),
		cmocka_unit_test(grows_with_what_came),
		cmocka_unit_test(knows_its_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
