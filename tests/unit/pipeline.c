/* SPDX-License-Identifier: Apache-2.0 */
/* Decisions against workers that are honest, dead, silent or lying: scripted processes behind real channels. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

#include "broker/decision/pipeline.h"
#include "broker/evidence/evidence.h"
#include "broker/state/state.h"

/* What a worker does once it has its policy: `nth` counts the workers of a test from 0. */
typedef void (*script)(struct channel *c, int nth);

struct rig {
	struct broker b;
	struct command_spec spec;
	pid_t guard;
};

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

static void rig_up(struct rig *r, script play)
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
	channel_init(&r->b.worker, -1, ROLE_BROKER, ROLE_WORKER);
	r->b.child_fd = -1;
	r->b.start.command = &r->spec;
	r->b.start.deadline_ms = clock_ms() + 5000;
	worker_policy_encode(&r->b.policy, &(struct worker_policy){ 0 });
	assert_int_equal(state_in_memory(&r->b.state), 0);
	assert_int_equal(config_new(&r->b.config), 0);
	assert_int_equal(config_merge_variable(r->b.config, "AUTO_CLASSIFIER_LOG", "", false), 0);
}

static void configure(struct rig *r, const char *json)
{
	char *text = strdup(json);

	assert_int_equal(config_merge_text(r->b.config, LAYER_FILE, "test", text, strlen(text)), 0);
	assert_int_equal(config_finish(r->b.config), 0);
	free(text);
}

static void rig_down(struct rig *r)
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

static const char no_telemetry[] = "{\"telemetry\": {\"enabled\": false}}";

/* --- what workers say --- */

/* The broker closes the channel of a worker that it gives up. */
static void wait_for_end(struct channel *c)
{
	struct message m;

	while (channel_receive(c, &m) == 0)
		continue;
}

static void send_raw(struct channel *c, enum message_type type, const char *body, size_t len)
{
	if (channel_send(c, type, body, len, -1) < 0)
		_exit(1);
}

static void receive_request(struct channel *c, struct request *ret)
{
	struct message m;

	if (channel_receive(c, &m) != 0 || m.type != MSG_REQUEST || request_decode(m.body, ret) < 0)
		_exit(1);
}

static void say(struct channel *c, const struct assessment *a)
{
	struct writer w = { 0 };

	assessment_encode(&w, a);
	if (channel_send(c, MSG_ASSESSMENT, w.p, w.len, -1) < 0)
		_exit(1);
	wr_done(&w);
}

static struct assessment honest(void)
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

static void allows(struct channel *c, int nth)
{
	struct assessment a = honest();
	struct request q;

	(void)nth;
	receive_request(c, &q);
	a.verdict = VERDICT_ALLOW;
	a.source = SOURCE_FAST_ALLOW;
	a.reason.id = REASON_FAST_ALLOW;
	say(c, &a);
}

static void leaves_open(struct channel *c, int nth)
{
	struct assessment a = honest();
	struct request q;

	(void)nth;
	for (;;) {
		receive_request(c, &q);
		say(c, &a);
	}
}

static void refuses(struct channel *c, int nth)
{
	struct assessment a = honest();
	struct request q;

	(void)nth;
	a.verdict = VERDICT_DENY;
	a.source = SOURCE_FAST_DENY;
	for (;;) {
		receive_request(c, &q);
		say(c, &a);
	}
}

static void dies_at_once(struct channel *c, int nth)
{
	(void)c;
	(void)nth;
}

static void dies_over_the_request(struct channel *c, int nth)
{
	struct request q;

	(void)nth;
	receive_request(c, &q);
}

static void stays_silent(struct channel *c, int nth)
{
	struct request q;

	(void)nth;
	receive_request(c, &q);
	wait_for_end(c);
}

static void tears_a_frame(struct channel *c, int nth)
{
	struct request q;

	(void)nth;
	receive_request(c, &q);
	(void)!write(c->fd, "\x01\0\0", 3);
	wait_for_end(c);
}

static void sends_half_an_assessment(struct channel *c, int nth)
{
	struct request q;

	(void)nth;
	receive_request(c, &q);
	send_raw(c, MSG_ASSESSMENT, "\1\2\2\4", 4);
	wait_for_end(c);
}

static void answers_what_was_not_asked(struct channel *c, int nth)
{
	struct request q;

	(void)nth;
	receive_request(c, &q);
	send_raw(c, MSG_ROWS_DONE, "\1\0\0\0", 4);
	wait_for_end(c);
}

static void speaks_for_another_harness(struct channel *c, int nth)
{
	struct assessment a = honest();
	struct request q;

	(void)nth;
	receive_request(c, &q);
	a.harness = HARNESS_AGY;
	a.verdict = VERDICT_ALLOW;
	a.source = SOURCE_FAST_ALLOW;
	say(c, &a);
	wait_for_end(c);
}

static void claims_a_judge_allowed(struct channel *c, int nth)
{
	struct assessment a = honest();
	struct request q;

	(void)nth;
	receive_request(c, &q);
	a.verdict = VERDICT_ALLOW;
	a.source = SOURCE_LLM;
	say(c, &a);
	wait_for_end(c);
}

static void calls_it_empty(struct channel *c, int nth)
{
	struct assessment a = honest();
	struct request q;

	(void)nth;
	receive_request(c, &q);
	a.verdict = VERDICT_ALLOW;
	a.source = SOURCE_EMPTY;
	say(c, &a);
	wait_for_end(c);
}

static void asks_without_end(struct channel *c, int nth)
{
	const struct question question = { ASK_PATH, BYTES("/"), BYTES("etc"), BYTES("") };
	struct writer w = { 0 };
	struct request q;
	struct message m;

	(void)nth;
	receive_request(c, &q);
	question_encode(&w, &question);
	while (channel_send(c, MSG_QUESTION, w.p, w.len, -1) == 0 && channel_receive(c, &m) == 0)
		continue;
}

static void asks_nonsense(struct channel *c, int nth)
{
	struct request q;

	(void)nth;
	receive_request(c, &q);
	send_raw(c, MSG_QUESTION, "\xff\0\0\0\0\0\0\0\0\0\0\0\0", 13);
	wait_for_end(c);
}

static void allows_with_a_tell(struct channel *c, int nth)
{
	struct assessment a = honest();
	struct request q;

	(void)nth;
	receive_request(c, &q);
	a.verdict = VERDICT_ALLOW;
	a.source = SOURCE_FAST_ALLOW;
	a.flags = ASSESS_TELL;
	say(c, &a);
}

static void has_no_opinion(struct channel *c, int nth)
{
	struct assessment a = honest();
	struct request q;

	(void)nth;
	receive_request(c, &q);
	a.kind = KIND_NO_OPINION;
	a.verdict = VERDICT_DENY;
	say(c, &a);
}

static void cannot_read_it(struct channel *c, int nth)
{
	struct assessment a = honest();
	struct request q;

	(void)nth;
	receive_request(c, &q);
	a.kind = KIND_MALFORMED;
	a.verdict = VERDICT_ALLOW;
	a.source = SOURCE_FAST_ALLOW;
	say(c, &a);
}

/* A permission prompt for what "s" may have been told no about. */
static void permission_then_command(struct channel *c, int nth)
{
	struct assessment a = honest();
	struct request q;

	(void)nth;
	for (;;) {
		receive_request(c, &q);
		a.kind = bytes_is(q.event, "PermissionRequest") ? KIND_PERMISSION : KIND_SHELL;
		say(c, &a);
	}
}

/* --- one request --- */

static const struct request hook = { .mode = REQUEST_HOOK, .harness = HARNESS_CLAUDE, .event = BYTES("PreToolUse"),
	.input = BYTES("{}") };

static void decide_with(script play, const char *config, struct outcome *ret)
{
	struct rig r;

	rig_up(&r, play);
	configure(&r, config);
	assert_int_equal(decide(&r.b, &hook, ret), 0);
	/* What is borrowed goes with the channel. */
	ret->command = ret->session = (struct bytes){ 0 };
	rig_down(&r);
}

static void an_allow_is_passed_on(void **state)
{
	CLEANUP(outcome_done) struct outcome o = { 0 };

	(void)state;
	decide_with(allows, no_telemetry, &o);
	assert_int_equal(o.decision, DECISION_ALLOW);
	assert_int_equal(o.source, SOURCE_FAST_ALLOW);
	assert_string_equal(o.reason, "matched rm of x");
	assert_int_equal(o.count, 0);
	assert_false(o.escalated || o.gate_raised || o.rule_refusal || o.transient);
}

static void a_worker_that_fails_is_a_denial(void **state)
{
	static const struct {
		script play;
		const char *says;
	} rows[] = {
		{ dies_at_once, "died" },
		{ dies_over_the_request, "died" },
		{ tears_a_frame, "broke the rules" },
		{ sends_half_an_assessment, "no honest one" },
		{ answers_what_was_not_asked, "no honest one" },
		{ speaks_for_another_harness, "no honest one" },
		{ claims_a_judge_allowed, "no honest one" },
		{ calls_it_empty, "no honest one" },
		{ asks_without_end, "no honest one" },
		{ asks_nonsense, "no honest one" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		CLEANUP(outcome_done) struct outcome o = { 0 };

		print_message("row %zu\n", i);
		decide_with(rows[i].play, no_telemetry, &o);
		assert_int_equal(o.decision, DECISION_DENY);
		assert_int_equal(o.source, SOURCE_ERROR);
		assert_int_equal(o.kind, KIND_SHELL);
		assert_true(o.gate_raised && o.transient);
		assert_non_null(strstr(o.reason, rows[i].says));
		assert_true(bytes_is(o.event, "PreToolUse"));
	}
}

static void silence_is_a_denial_in_time(void **state)
{
	CLEANUP(outcome_done) struct outcome o = { 0 };
	uint64_t before = clock_ms();
	struct rig r;

	(void)state;
	rig_up(&r, stays_silent);
	configure(&r, no_telemetry);
	r.b.start.deadline_ms = before + 600;
	assert_int_equal(decide(&r.b, &hook, &o), 0);
	assert_true(clock_ms() < r.b.start.deadline_ms);
	assert_int_equal(o.decision, DECISION_DENY);
	assert_non_null(strstr(o.reason, "in time"));
	rig_down(&r);
}

static void an_allow_that_tells_on_itself_is_open(void **state)
{
	CLEANUP(outcome_done) struct outcome o = { 0 };

	(void)state;
	decide_with(allows_with_a_tell, no_telemetry, &o);
	assert_int_equal(o.decision, DECISION_DENY);
	assert_int_equal(o.source, SOURCE_OFFLINE);
	assert_int_equal(o.count, 1);
	assert_true(o.gate_raised);
	assert_false(o.rule_refusal);
}

static void the_second_denial_asks(void **state)
{
	CLEANUP(outcome_done) struct outcome first = { 0 }, second = { 0 };
	struct rig r;

	(void)state;
	rig_up(&r, leaves_open);
	configure(&r, no_telemetry);
	assert_int_equal(decide(&r.b, &hook, &first), 0);
	assert_int_equal(first.decision, DECISION_DENY);
	assert_int_equal(first.source, SOURCE_OFFLINE);
	assert_non_null(strstr(first.raw_reason, "rm of x"));
	assert_non_null(strstr(first.raw_reason, "no model is configured"));
	assert_int_equal(decide(&r.b, &hook, &second), 0);
	assert_int_equal(second.decision, DECISION_FORCE_ASK);
	assert_int_equal(second.source, SOURCE_RETRY);
	assert_int_equal(second.count, 2);
	assert_string_equal(second.raw_reason, first.raw_reason);
	rig_down(&r);
}

static void a_rule_stays_a_rule(void **state)
{
	CLEANUP(outcome_done) struct outcome first = { 0 }, second = { 0 };
	struct rig r;

	(void)state;
	rig_up(&r, refuses);
	configure(&r, "{\"telemetry\": {\"enabled\": false}, \"policy\": {\"headless\": true}}");
	assert_int_equal(decide(&r.b, &hook, &first), 0);
	assert_int_equal(decide(&r.b, &hook, &second), 0);
	assert_int_equal(second.source, SOURCE_FAST_DENY);
	assert_int_equal(second.decision, DECISION_DENY);
	assert_int_equal(second.count, 2);
	assert_true(second.rule_refusal && second.gate_raised && second.escalated);
	rig_down(&r);
}

static void a_count_that_cannot_be_kept_is_reached(void **state)
{
	CLEANUP(outcome_done) struct outcome o = { 0 };
	struct rig r;

	(void)state;
	rig_up(&r, leaves_open);
	configure(&r, no_telemetry);
	state_free(TAKE_PTR(r.b.state));
	assert_int_equal(state_on_disk("/dev/null/base", "x", &r.b.state), 0);
	assert_int_equal(decide(&r.b, &hook, &o), 0);
	assert_int_equal(o.decision, DECISION_FORCE_ASK);
	assert_int_equal(o.count, 2);
	rig_down(&r);
}

static void a_broken_configuration_denies_everything(void **state)
{
	CLEANUP(outcome_done) struct outcome o = { 0 };

	(void)state;
	decide_with(allows, "{\"policy\": {\"headless\": \"maybe\"}}", &o);
	assert_int_equal(o.decision, DECISION_DENY);
	assert_int_equal(o.source, SOURCE_ERROR);
	assert_non_null(strstr(o.reason, "configuration is broken"));
	assert_non_null(strstr(o.reason, "policy.headless"));
}

static void other_events_are_not_judged(void **state)
{
	CLEANUP(outcome_done) struct outcome o = { 0 }, bad = { 0 };

	(void)state;
	decide_with(has_no_opinion, no_telemetry, &o);
	assert_int_equal(o.kind, KIND_NO_OPINION);
	assert_int_equal(o.decision, DECISION_ALLOW);
	assert_null(o.reason);
	decide_with(cannot_read_it, no_telemetry, &bad);
	assert_int_equal(bad.kind, KIND_MALFORMED);
	assert_int_equal(bad.decision, DECISION_DENY);
}

static void a_permission_prompt_repeats_what_was_said(void **state)
{
	CLEANUP(outcome_done) struct outcome before = { 0 }, denied = { 0 }, again = { 0 }, asked = { 0 };
	struct request prompt = hook;
	struct rig r;

	(void)state;
	prompt.event = BYTES("PermissionRequest");
	rig_up(&r, permission_then_command);
	configure(&r, no_telemetry);
	assert_int_equal(decide(&r.b, &prompt, &before), 0);
	assert_int_equal(before.decision, DECISION_ASK);
	assert_int_equal(decide(&r.b, &hook, &denied), 0);
	for (int i = 0; i < 3; i++) {
		outcome_done(&again);
		assert_int_equal(decide(&r.b, &prompt, &again), 0);
		assert_int_equal(again.decision, DECISION_DENY);
		assert_int_equal(again.count, 1);
	}
	assert_string_equal(again.reason, denied.reason);
	outcome_done(&denied);
	assert_int_equal(decide(&r.b, &hook, &denied), 0);
	assert_int_equal(decide(&r.b, &prompt, &asked), 0);
	assert_int_equal(asked.decision, DECISION_FORCE_ASK);
	rig_down(&r);
}

/* --- batches --- */

struct seen {
	char text[4096];
	int flushes;
};

static int on_outcome(void *data, const struct outcome *o)
{
	struct seen *s = data;
	size_t n = strlen(s->text);

	(void)snprintf(s->text + n, sizeof(s->text) - n, "%u:%.*s:%s:%s ", o->row, (int)o->row_id.len,
		o->row_id_set ? o->row_id.p : "", decision_name(o->decision), source_name(o->source));
	return 0;
}

static int on_listing(void *data, struct bytes body)
{
	struct seen *s = data;

	assert_true(body.len > 0);
	(void)strncat(s->text, "listing ", sizeof(s->text) - strlen(s->text) - 1);
	return 0;
}

static int on_flush(void *data)
{
	((struct seen *)data)->flushes++;
	return 0;
}

/* Rows are single words; the word says what happens at it. */
static void serves_rows(struct channel *c, int nth)
{
	(void)nth;
	for (;;) {
		struct request q;
		struct writer w = { 0 };
		struct bytes rest;
		uint32_t lines = 0;

		receive_request(c, &q);
		rest.p = strndup(q.input.p, q.input.len);
		rest.len = q.input.len;
		for (uint32_t row = q.first_row; rest.len > 0; row++, lines++) {
			const char *end = memchr(rest.p, '\n', rest.len);
			struct bytes line = { rest.p, end != NULL ? (size_t)(end - rest.p) : rest.len };
			struct assessment a = honest();

			rest = end != NULL ? (struct bytes){ end + 1, rest.len - line.len - 1 } : (struct bytes){ 0 };
			if (line.len == 0)
				continue;
			if (q.mode == REQUEST_CHECK_ROWS && bytes_is(line, "die"))
				_exit(0);
			if (bytes_is(line, "dieagain"))
				_exit(0);
			if (q.mode == REQUEST_CHECK_ROWS && bytes_is(line, "skip"))
				continue;
			a.harness = HARNESS_CLI;
			a.row = row;
			a.row_id = line;
			a.row_id_set = true;
			if (bytes_is(line, "ok")) {
				a.verdict = VERDICT_ALLOW;
				a.source = SOURCE_FAST_ALLOW;
			}
			if (q.mode == REQUEST_NAME_ROW)
				a.kind = KIND_MALFORMED;
			say(c, &a);
		}
		wr_u32(&w, lines);
		if (q.mode != REQUEST_NAME_ROW && channel_send(c, MSG_ROWS_DONE, w.p, w.len, -1) < 0)
			_exit(1);
		wr_done(&w);
	}
}

static void run_rows(const char *input, struct seen *seen)
{
	const struct request q = { .mode = REQUEST_CHECK_ROWS, .harness = HARNESS_CLI };
	const struct rows_sink sink = { on_outcome, on_listing, on_flush, seen };
	struct rig r;

	rig_up(&r, serves_rows);
	configure(&r, no_telemetry);
	r.b.start.deadline_ms = 0;
	textbuf_puts(&r.b.input_buffer, input);
	r.b.input = textbuf_bytes(&r.b.input_buffer);
	r.b.input_ended = true;
	assert_int_equal(decide_rows(&r.b, &q, false, &sink), 0);
	rig_down(&r);
}

static void rows_come_back_in_order(void **state)
{
	struct seen seen = { "", 0 };

	(void)state;
	run_rows("ok\n\nno\n  \nok", &seen);
	assert_string_equal(seen.text, "1:ok:allow:fast-allow 3:no:deny:offline 5:ok:allow:fast-allow ");
	assert_true(seen.flushes > 0);
}

static void a_dead_worker_is_one_row(void **state)
{
	struct seen seen = { "", 0 };

	(void)state;
	run_rows("ok\ndie\nok\ndie\ndie\nok\n", &seen);
	assert_string_equal(seen.text, "1:ok:allow:fast-allow 2:die:deny:error 3:ok:allow:fast-allow "
		"4:die:deny:error 5:die:deny:error 6:ok:allow:fast-allow ");
}

static void a_row_nobody_survives_stays_nameless(void **state)
{
	struct seen seen = { "", 0 };

	(void)state;
	run_rows("dieagain\nok\n", &seen);
	assert_string_equal(seen.text, "1::deny:error 2:ok:allow:fast-allow ");
}

static void a_row_left_out_is_denied(void **state)
{
	struct seen seen = { "", 0 };

	(void)state;
	run_rows("ok\nskip\nok\nskip\n", &seen);
	assert_string_equal(seen.text, "1:ok:allow:fast-allow 2:skip:deny:error 3:ok:allow:fast-allow 4:skip:deny:error ");
}

static void nothing_in_nothing_out(void **state)
{
	struct seen seen = { "", 0 };

	(void)state;
	run_rows("", &seen);
	run_rows("\n\n \n", &seen);
	assert_string_equal(seen.text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_allow_is_passed_on),
		cmocka_unit_test(a_worker_that_fails_is_a_denial),
		cmocka_unit_test(silence_is_a_denial_in_time),
		cmocka_unit_test(an_allow_that_tells_on_itself_is_open),
		cmocka_unit_test(the_second_denial_asks),
		cmocka_unit_test(a_rule_stays_a_rule),
		cmocka_unit_test(a_count_that_cannot_be_kept_is_reached),
		cmocka_unit_test(a_broken_configuration_denies_everything),
		cmocka_unit_test(other_events_are_not_judged),
		cmocka_unit_test(a_permission_prompt_repeats_what_was_said),
		cmocka_unit_test(rows_come_back_in_order),
		cmocka_unit_test(a_dead_worker_is_one_row),
		cmocka_unit_test(a_row_nobody_survives_stays_nameless),
		cmocka_unit_test(a_row_left_out_is_denied),
		cmocka_unit_test(nothing_in_nothing_out),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}
