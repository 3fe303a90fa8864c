/* SPDX-License-Identifier: Apache-2.0 */
/* A broker for tests of the guard: the first argument says how it behaves, well or badly. Never installed. */
#include "broker/broker.h"
#include "policy/wire/codec.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>

struct stub {
	const struct broker_start *start;
	struct channel guard;
};

static int say(struct stub *s, enum message_type type, const char *text)
{
	return channel_send(&s->guard, type, text, strlen(text), -1);
}

static int finish(struct stub *s, uint32_t status)
{
	const char body[4] = { (char)status, (char)(status >> 8), 0, 0 };

	return channel_send(&s->guard, MSG_FINISH, body, sizeof(body), -1);
}

static int settle(struct stub *s)
{
	return channel_send(&s->guard, MSG_SETTLED, NULL, 0, -1);
}

/* Reads stdin to its end. Echoes it, where asked. The bytes read, or -errno. */
static long read_all(struct stub *s, bool echo, int *ret_end)
{
	struct message m;
	long n = 0;
	int rc;

	while ((rc = channel_receive(&s->guard, &m)) == 0) {
		if (m.type == MSG_STDIN_END) {
			*ret_end = m.body.p[0];
			return n;
		}
		if (m.type != MSG_STDIN)
			return -EPROTO;
		n += (long)m.body.len;
		if (echo && channel_send(&s->guard, MSG_OUTPUT, m.body.p, m.body.len, -1) < 0)
			return -EPIPE;
	}
	return rc == CHANNEL_END ? -EPIPE : rc;
}

static int count(struct stub *s)
{
	char line[64];
	int end = -1;
	long n = read_all(s, false, &end);

	snprintf(line, sizeof(line), "%ld bytes, end %d\n", n, end);
	return n < 0 || say(s, MSG_OUTPUT, line) < 0 ? -EPIPE : finish(s, 0);
}

static int echo(struct stub *s)
{
	int end;

	return read_all(s, true, &end) < 0 ? -EPIPE : finish(s, 3);
}

static int early(struct stub *s)
{
	return say(s, MSG_OUTPUT, "early\n") < 0 ? -EPIPE : finish(s, 0);
}

static int killed(struct stub *s)
{
	(void)!say(s, MSG_OUTPUT, "half a rep");
	raise(SIGKILL);
	return 0;
}

static int stopped(struct stub *s)
{
	(void)!say(s, MSG_OUTPUT, "half a rep");
	raise(SIGSTOP);
	return 0;
}

static int leaves(struct stub *s)
{
	return say(s, MSG_OUTPUT, "half a rep") < 0 || say(s, MSG_ERROR_OUTPUT, "the disk is on fire\n") < 0 ? 1 : 0;
}

static int garbage(struct stub *s)
{
	(void)!say(s, MSG_OUTPUT, "half a rep");
	(void)!send(s->guard.fd, "garbage", 7, MSG_NOSIGNAL);
	return pause();
}

static int floods(struct stub *s)
{
	static char block[1024 * 1024];

	while (channel_send(&s->guard, MSG_OUTPUT, block, sizeof(block), -1) == 0)
		;
	return pause();
}

static int bad_status(struct stub *s)
{
	(void)!say(s, MSG_OUTPUT, "reply\n");
	return finish(s, 256);
}

/* A big reply behind one small one: the reader may be slow. */
static int large(struct stub *s)
{
	static char block[256 * 1024];

	memset(block, 'x', sizeof(block));
	for (int i = 0; i < 16; i++)
		if (channel_send(&s->guard, MSG_OUTPUT, block, sizeof(block), -1) < 0)
			return -EPIPE;
	return finish(s, 0);
}

static int ask_for(struct stub *s, uint32_t role, uint32_t uid)
{
	CLEANUP(wr_done) struct writer w = { 0 };

	wr_u32(&w, role);
	wr_u32(&w, uid);
	wr_u32(&w, uid);
	return w.bad ? -ENOMEM : channel_send(&s->guard, MSG_START, w.p, w.len, -1);
}

/* One worker was started; asks for another, and for a role that has no program; tells the four things it hears. */
static int missing(struct stub *s)
{
	struct message m;
	char line[96];

	if (ask_for(s, ROLE_WORKER, 0) < 0 || ask_for(s, ROLE_TMUX, 0) < 0)
		return -EPIPE;
	for (int heard = 0; heard < 4; heard++) {
		struct reader r;
		uint32_t role, value, status;

		if (channel_receive(&s->guard, &m) != 0)
			return -EPIPE;
		r = (struct reader){ .p = m.body.p, .left = m.body.len };
		role = rd_u32(&r);
		value = rd_u32(&r);
		status = m.type == MSG_CHILD_GONE ? rd_u32(&r) : 0;
		snprintf(line, sizeof(line), "%s %s %s%u\n", message_rules[m.type].name, role_name((enum role)role),
			m.type == MSG_CHILD_FAILED ? strerror((int)value) : "", status >> 8);
		if (say(s, MSG_OUTPUT, line) < 0)
			return -EPIPE;
	}
	return finish(s, 0);
}

/* Starts a worker as nobody, tells its pid, and keeps it until stdin ends. */
static int as_user(struct stub *s)
{
	CLEANUP(close_fdp) int channel = -1;
	struct message m;
	struct reader r;
	char line[32];
	int end;

	if (ask_for(s, ROLE_WORKER, 65534) < 0 || channel_receive(&s->guard, &m) != 0 || m.type != MSG_CHILD)
		return -EPIPE;
	channel = TAKE_FD(s->guard.got_fd);
	r = (struct reader){ .p = m.body.p, .left = m.body.len };
	(void)rd_u32(&r);
	snprintf(line, sizeof(line), "%u\n", rd_u32(&r));
	if (say(s, MSG_OUTPUT, line) < 0)
		return -EPIPE;
	return read_all(s, false, &end) < 0 ? -EPIPE : finish(s, 0);
}

static int name_helper(struct stub *s)
{
	CLEANUP(wr_done) struct writer w = { 0 };

	wr_str(&w, "/");
	wr_u32(&w, 1);
	wr_str(&w, "/bin/true");
	return w.bad ? -ENOMEM : channel_send(&s->guard, MSG_HELPER, w.p, w.len, -1);
}

/* As a broker that was taken over would, which our end of the channel must not keep from it. */
static int names_late(struct stub *s, int (*name)(struct stub *s), uint32_t role)
{
	s->guard.phase = PHASE_SETUP;
	if (name(s) < 0)
		return -EPIPE;
	s->guard.phase = PHASE_WORK;
	(void)!ask_for(s, role, 0);
	return pause();
}

static int late_helper(struct stub *s)
{
	return names_late(s, name_helper, ROLE_HELPER);
}

static int name_service(struct stub *s)
{
	return say(s, MSG_SERVICE_PLACE, "/run/elsewhere");
}

static int late_service(struct stub *s)
{
	return names_late(s, name_service, ROLE_CONNECTOR);
}

/* Nothing is started for one who may still say what. */
static int starts_early(struct stub *s)
{
	s->guard.phase = PHASE_WORK;
	(void)!ask_for(s, ROLE_WORKER, 0);
	return pause();
}

/* In time, both are taken. */
static int names_in_time(struct stub *s)
{
	if (name_helper(s) < 0 || name_service(s) < 0 || settle(s) < 0 || ask_for(s, ROLE_HELPER, 0) < 0)
		return -EPIPE;
	for (;;) {
		struct message m;

		if (channel_receive(&s->guard, &m) != 0 || m.type == MSG_CHILD_FAILED)
			return -EPIPE;
		if (m.type == MSG_CHILD_GONE)
			return m.body.p[8] != 0 || m.body.p[9] != 0 ? -EIO : finish(s, 0);
	}
}

static int no_such_role(struct stub *s)
{
	(void)!ask_for(s, ROLE__MAX, 0);
	return pause();
}

/* Asks and asks, and never listens. */
static int asks_only(struct stub *s)
{
	int rc = 0;

	while (rc == 0)
		rc = ask_for(s, ROLE_WORKER, 0);
	return rc;
}

static int shows_environment(struct stub *s)
{
	for (char **p = s->start->environment; *p != NULL; p++)
		if (say(s, MSG_OUTPUT, "value ") < 0 || say(s, MSG_OUTPUT, *p) < 0 || say(s, MSG_OUTPUT, "\n") < 0)
			return -EPIPE;
	for (char **p = s->start->other_names; *p != NULL; p++)
		if (say(s, MSG_OUTPUT, "name ") < 0 || say(s, MSG_OUTPUT, *p) < 0 || say(s, MSG_OUTPUT, "\n") < 0)
			return -EPIPE;
	if (environ[0] != NULL)
		return -EIO;
	return finish(s, 0);
}

static int shows_descriptors(struct stub *s)
{
	char line[PATH_MAX + 32], path[32], target[PATH_MAX];

	for (int fd = 0; fd < 1024; fd++) {
		ssize_t n;

		if (fcntl(fd, F_GETFD) < 0)
			continue;
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		n = readlink(path, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		snprintf(line, sizeof(line), "%d %s\n", fd, target);
		if (say(s, MSG_OUTPUT, line) < 0)
			return -EPIPE;
	}
	return finish(s, 0);
}

static const struct {
	struct command_spec spec;
	enum input_mode input;
	int (*behave)(struct stub *s);
	bool unsettled; /* says itself when what may be started is fixed */
} behaviours[] = {
	{ { .name = "count", .verdict = true, .hook = true }, INPUT_WHOLE, count },
	{ { .name = "echo" }, INPUT_STREAM, echo },
	{ { .name = "echo-verdicts", .verdict = true }, INPUT_STREAM, echo },
	{ { .name = "early", .verdict = true, .hook = true }, INPUT_WHOLE, early },
	{ { .name = "killed", .verdict = true, .hook = true }, INPUT_WHOLE, killed },
	{ { .name = "killed-rows", .verdict = true }, INPUT_STREAM, killed },
	{ { .name = "killed-text" }, INPUT_NONE, killed },
	{ { .name = "stopped", .verdict = true, .hook = true }, INPUT_WHOLE, stopped },
	{ { .name = "leaves", .verdict = true, .hook = true }, INPUT_WHOLE, leaves },
	{ { .name = "garbage", .verdict = true, .hook = true }, INPUT_WHOLE, garbage },
	{ { .name = "floods", .verdict = true, .hook = true }, INPUT_NONE, floods },
	{ { .name = "bad-status", .verdict = true, .hook = true }, INPUT_NONE, bad_status },
	{ { .name = "large", .verdict = true, .hook = true }, INPUT_NONE, large },
	{ { .name = "missing", .verdict = true, .hook = true, .worker = true }, INPUT_NONE, missing },
	{ { .name = "no-such-role", .verdict = true, .hook = true }, INPUT_NONE, no_such_role },
	{ { .name = "late-helper", .verdict = true, .hook = true }, INPUT_NONE, late_helper },
	{ { .name = "late-service", .verdict = true, .hook = true }, INPUT_NONE, late_service },
	{ { .name = "starts-early", .verdict = true, .hook = true }, INPUT_NONE, starts_early, .unsettled = true },
	{ { .name = "names-in-time" }, INPUT_NONE, names_in_time, .unsettled = true },
	{ { .name = "asks-only", .verdict = true, .hook = true }, INPUT_NONE, asks_only },
	{ { .name = "as-user" }, INPUT_STREAM, as_user },
	{ { .name = "environment" }, INPUT_NONE, shows_environment },
	{ { .name = "descriptors", .worker = true }, INPUT_NONE, shows_descriptors },
};

const char command_unknown[] = "stub: unknown behaviour\n";

const struct command_spec *command_find(int argc, char **argv, bool stdin_is_tty, enum input_mode *ret_input,
	enum harness *ret_harness)
{
	(void)stdin_is_tty;
	*ret_harness = argc > 2 && strcmp(argv[2], "agy") == 0 ? HARNESS_AGY : HARNESS_CLAUDE;
	for (size_t i = 0; argc > 1 && i < ARRAY_LEN(behaviours); i++)
		if (strcmp(argv[1], behaviours[i].spec.name) == 0) {
			*ret_input = behaviours[i].input;
			return &behaviours[i].spec;
		}
	return NULL;
}

int hook_options_parse(int argc, char **argv, struct hook_options *ret, const char **ret_error)
{
	(void)ret_error;
	*ret = (struct hook_options){ .limit_ms = argc > 3 ? (uint32_t)atoi(argv[3]) : 20000 };
	return 0;
}

int broker_main(const struct broker_start *start)
{
	struct stub s = { .start = start };

	channel_init(&s.guard, start->guard_fd, ROLE_BROKER, ROLE_GUARD);
	for (size_t i = 0; i < ARRAY_LEN(behaviours); i++)
		if (start->command == &behaviours[i].spec)
			return (!behaviours[i].unsettled && settle(&s) < 0) || behaviours[i].behave(&s) < 0;
	return 1;
}
