/* SPDX-License-Identifier: Apache-2.0 */
/* The second worker: whatever it says but the very same is a difference, and the first one's place is as it was. */
#include "broker/decision/witness.h"
#include "tests/unit/worker_rig.h"

static void says_the_same(struct channel *c, int nth)
{
	struct assessment a = honest();

	(void)nth;
	answer(c, &a);
}

static void says_another_command(struct channel *c, int nth)
{
	struct assessment a = honest();

	(void)nth;
	a.command = BYTES("rm y");
	answer(c, &a);
}

static void says_another_effect(struct channel *c, int nth)
{
	struct assessment a = honest();

	(void)nth;
	a.effects = BYTES("rm read scratch");
	answer(c, &a);
}

static void asks_something_first(struct channel *c, int nth)
{
	const struct question ask = { ASK_PATH, BYTES("/"), BYTES("tmp"), BYTES("") };
	struct assessment a = honest();
	struct writer w = { 0 };
	struct request q;
	struct message m;

	(void)nth;
	receive_request(c, &q);
	question_encode(&w, &ask);
	if (channel_send(c, MSG_QUESTION, w.p, w.len, -1) < 0 || channel_receive(c, &m) != 0)
		_exit(1);
	wr_done(&w);
	say(c, &a);
	wait_for_end(c);
}

static void speaks_for_another_harness(struct channel *c, int nth)
{
	struct assessment a = honest();

	(void)nth;
	a.harness = HARNESS_AGY;
	answer(c, &a);
}

static void dies(struct channel *c, int nth)
{
	(void)c;
	(void)nth;
}

static void is_silent(struct channel *c, int nth)
{
	(void)nth;
	wait_for_end(c);
}

static void talks_nonsense(struct channel *c, int nth)
{
	(void)nth;
	send_raw(c, MSG_ASSESSMENT, "\1\2\3", 3);
	wait_for_end(c);
}

static void witness_cases(void **state)
{
	static const struct {
		script play;
		int wanted;
	} cases[] = {
		{ says_the_same, WITNESS_AGREES }, { says_another_command, WITNESS_DIFFERS },
		{ says_another_effect, WITNESS_DIFFERS }, { asks_something_first, WITNESS_DIFFERS },
		{ speaks_for_another_harness, WITNESS_DIFFERS }, { dies, WITNESS_DIFFERS },
		{ is_silent, WITNESS_DIFFERS }, { talks_nonsense, WITNESS_DIFFERS },
	};
	const struct request q = { .mode = REQUEST_HOOK, .harness = HARNESS_CLAUDE, .input = BYTES("{}") };
	const struct assessment a = honest();
	struct evidence_log log;
	struct key key;

	(void)state;
	evidence_log_init(&log);
	key = exact_key(&a, &log);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct rig r;
		int first;

		rig_up(&r, cases[i].play);
		configure(&r, no_telemetry);
		first = dup(STDERR_FILENO);
		channel_init(&r.b.worker, first, ROLE_BROKER, ROLE_WORKER);
		r.b.worker_pid = 77;
		assert_int_equal(witness_ask(&r.b, &q, &key), cases[i].wanted);
		assert_int_equal(r.b.worker.fd, first);
		assert_int_equal(r.b.worker_pid, 77);
		rig_down(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(witness_cases) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
