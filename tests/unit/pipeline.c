/* SPDX-License-Identifier: Apache-2.0 */
/* One decision against workers that are honest, dead, silent or lying. */
#include "tests/unit/worker_rig.h"

#include <signal.h>

#include "broker/state/state.h"

static void allows(struct channel *c, int nth)
{
	struct assessment a = honest();

	(void)nth;
	a.verdict = VERDICT_ALLOW;
	a.source = SOURCE_FAST_ALLOW;
	a.reason.id = REASON_FAST_ALLOW;
	answer(c, &a);
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
	(void)nth;
	answer_raw(c, MSG_ASSESSMENT, "\1\2\2\4", 4);
}

static void answers_what_was_not_asked(struct channel *c, int nth)
{
	(void)nth;
	answer_raw(c, MSG_ROWS_DONE, "\1\0\0\0", 4);
}

static void speaks_for_another_harness(struct channel *c, int nth)
{
	struct assessment a = honest();

	(void)nth;
	a.harness = HARNESS_AGY;
	a.verdict = VERDICT_ALLOW;
	a.source = SOURCE_FAST_ALLOW;
	answer(c, &a);
}

static void claims_a_judge_allowed(struct channel *c, int nth)
{
	struct assessment a = honest();

	(void)nth;
	a.verdict = VERDICT_ALLOW;
	a.source = SOURCE_LLM;
	answer(c, &a);
}

static void calls_it_empty(struct channel *c, int nth)
{
	struct assessment a = honest();

	(void)nth;
	a.verdict = VERDICT_ALLOW;
	a.source = SOURCE_EMPTY;
	answer(c, &a);
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
	(void)nth;
	answer_raw(c, MSG_QUESTION, "\xff\0\0\0\0\0\0\0\0\0\0\0\0", 13);
}

static void allows_with_a_tell(struct channel *c, int nth)
{
	struct assessment a = honest();

	(void)nth;
	a.verdict = VERDICT_ALLOW;
	a.source = SOURCE_FAST_ALLOW;
	a.flags = ASSESS_TELL;
	answer(c, &a);
}

static void has_no_opinion(struct channel *c, int nth)
{
	struct assessment a = honest();

	(void)nth;
	a.kind = KIND_NO_OPINION;
	a.verdict = VERDICT_DENY;
	answer(c, &a);
}

static void cannot_read_it(struct channel *c, int nth)
{
	struct assessment a = honest();

	(void)nth;
	a.kind = KIND_MALFORMED;
	a.verdict = VERDICT_ALLOW;
	a.source = SOURCE_FAST_ALLOW;
	answer(c, &a);
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
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}
