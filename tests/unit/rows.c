/* SPDX-License-Identifier: Apache-2.0 */
/* A batch against workers that die or lie at one of its rows: only that row is denied, and the order is kept. */
#include "tests/unit/worker_rig.h"

#include <signal.h>
#include <stdio.h>

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
	assert_string_equal(seen.text, "1:ok:allow:fast-allow 2:skip:deny:error 3:ok:allow:fast-allow "
		"4:skip:deny:error ");
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
		cmocka_unit_test(rows_come_back_in_order),
		cmocka_unit_test(a_dead_worker_is_one_row),
		cmocka_unit_test(a_row_nobody_survives_stays_nameless),
		cmocka_unit_test(a_row_left_out_is_denied),
		cmocka_unit_test(nothing_in_nothing_out),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
