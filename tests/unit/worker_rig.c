/* SPDX-License-Identifier: Apache-2.0 */
/* The scripted worker's process, and the guard that starts it. */
#include "tests/unit/worker_rig.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "broker/evidence/evidence.h"
#include "broker/state/state.h"

static void script_worker(int fd, script play, int nth)
{
	struct channel c;
	struct message m;

	channel_init(&c, fd, ROLE_WORKER, ROLE_BROKER);
	if (channel_receive(&c, &m) == 0 && m.type == MSG_POLICY)
		play(&c, nth);
	_exit(0);
}

/* Starts a scripted worker for every MSG_START. */
static void script_guard(int fd, script play)
{
	struct channel c;
	struct message m;
	int nth = 0;

	(void)signal(SIGCHLD, SIG_IGN);
	channel_init(&c, fd, ROLE_GUARD, ROLE_BROKER);
	c.phase = PHASE_WORK;
	while (channel_receive(&c, &m) == 0) {
		struct writer w = { 0 };
		int pair[2];

		if (m.type != MSG_START)
			continue;
		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
			_exit(1);
		if (fork() == 0) {
			close(pair[0]);
			close(fd);
			script_worker(pair[1], play, nth);
		}
		close(pair[1]);
		nth++;
		wr_u32(&w, ROLE_WORKER);
		wr_u32(&w, 1);
		if (channel_send(&c, MSG_CHILD, w.p, w.len, pair[0]) < 0)
			_exit(1);
		close(pair[0]);
		wr_done(&w);
	}
	_exit(0);
}

void rig_up(struct rig *r, script play)
{
	int pair[2];

	memset(r, 0, sizeof(*r));
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
	r->guard = fork();
	if (r->guard == 0) {
		close(pair[0]);
		script_guard(pair[1], play);
	}
	close(pair[1]);
	channel_init(&r->b.guard, pair[0], ROLE_BROKER, ROLE_GUARD);
	r->b.guard.phase = PHASE_WORK; /* as after its start */
	channel_init(&r->b.worker, -1, ROLE_BROKER, ROLE_WORKER);
	r->b.child_fd = -1;
	r->b.start.command = &r->spec;
	r->b.start.deadline_ms = clock_ms() + 5000;
	worker_policy_encode(&r->b.policy, &(struct worker_policy){ 0 });
	assert_int_equal(state_in_memory(&r->b.state), 0);
	assert_int_equal(config_new(&r->b.config), 0);
	assert_int_equal(config_merge_variable(r->b.config, "AUTO_CLASSIFIER_LOG", "", false), 0);
}

void configure(struct rig *r, const char *json)
{
	char *text = strdup(json);

	assert_int_equal(config_merge_text(r->b.config, LAYER_FILE, "test", text, strlen(text)), 0);
	assert_int_equal(config_finish(r->b.config), 0);
	free(text);
}

void rig_down(struct rig *r)
{
	channel_done(&r->b.worker);
	channel_done(&r->b.guard);
	(void)waitpid(r->guard, NULL, 0);
	state_free(r->b.state);
	config_free(r->b.config);
	evidence_free(r->b.evidence);
	wr_done(&r->b.policy);
	textbuf_done(&r->b.input_buffer);
}

const char no_telemetry[] = "{\"telemetry\": {\"enabled\": false}}";

void wait_for_end(struct channel *c)
{
	struct message m;

	while (channel_receive(c, &m) == 0)
		continue;
}

void send_raw(struct channel *c, enum message_type type, const char *body, size_t len)
{
	if (channel_send(c, type, body, len, -1) < 0)
		_exit(1);
}

void receive_request(struct channel *c, struct request *ret)
{
	struct message m;

	if (channel_receive(c, &m) != 0 || m.type != MSG_REQUEST || request_decode(m.body, ret) < 0)
		_exit(1);
}

void say(struct channel *c, const struct assessment *a)
{
	struct writer w = { 0 };

	assessment_encode(&w, a);
	if (channel_send(c, MSG_ASSESSMENT, w.p, w.len, -1) < 0)
		_exit(1);
	wr_done(&w);
}

void answer(struct channel *c, const struct assessment *a)
{
	struct request q;

	receive_request(c, &q);
	say(c, a);
	wait_for_end(c);
}

void answer_raw(struct channel *c, enum message_type type, const char *body, size_t len)
{
	struct request q;

	receive_request(c, &q);
	send_raw(c, type, body, len);
	wait_for_end(c);
}

struct assessment honest(void)
{
	return (struct assessment){
		.kind = KIND_SHELL,
		.harness = HARNESS_CLAUDE,
		.session = BYTES("s"),
		.command = BYTES("rm x"),
		.verdict = VERDICT_OPEN,
		.source = SOURCE_OFFLINE,
		.reason = { .id = REASON_NOT_UNDERSTOOD, .n_args = 1, .args = { BYTES("rm of x") } },
		.n_causes = 1,
		.causes = { { BYTES("rm"), BYTES("delete"), BYTES("x") } },
	};
}
