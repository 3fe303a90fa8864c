/* SPDX-License-Identifier: Apache-2.0 */
/* Requests served over a real channel: which messages come back, in which order, with which rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "policy/assessment.h"
#include "policy/listing.h"
#include "worker/assess.h"
#include "worker/serve.h"

struct pair {
	struct worker worker;
	struct channel broker;
};

static int setup(void **state)
{
	struct pair *p = calloc(1, sizeof(*p));
	int fds[2];

	if (!p || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return -1;
	channel_init(&p->worker.broker, fds[0], ROLE_WORKER, ROLE_BROKER);
	channel_init(&p->broker, fds[1], ROLE_BROKER, ROLE_WORKER);
	p->worker.broker.phase = p->broker.phase = PHASE_WORK;
	p->worker.policy.home = BYTES("/home/ada");
	p->worker.policy.shell = BYTES("/bin/bash");
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct pair *p = *state;

	channel_done(&p->worker.broker);
	channel_done(&p->broker);
	compiled_rules_free(p->worker.rules, &p->worker.policy);
	arena_done(&p->worker.arena);
	free(p);
	return 0;
}

static void serve(struct pair *p, const struct request *q)
{
	assert_int_equal(worker_serve(&p->worker, q), 0);
}

static void receive(struct pair *p, enum message_type type, struct message *ret)
{
	assert_int_equal(channel_receive(&p->broker, ret), 0);
	assert_int_equal(ret->type, type);
}

static void receive_assessment(struct pair *p, struct assessment *ret)
{
	struct message m;

	receive(p, MSG_ASSESSMENT, &m);
	assert_int_equal(assessment_decode(m.body, ret), 0);
}

#define assert_is(bytes, text) assert_true(bytes_is(bytes, text))

static void test_hook(void **state)
{
	const struct request q = { .mode = REQUEST_HOOK, .harness = HARNESS_CLAUDE, .event = BYTES(""),
		.input = BYTES("{\"session_id\":\"s\",\"cwd\":\"/srv\",\"hook_event_name\":\"PreToolUse\","
			       "\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"echo hi\"},\"tool_use_id\":\"t\"}") };
	struct assessment a;

	serve(*state, &q);
	receive_assessment(*state, &a);
	assert_int_equal(a.kind, KIND_SHELL);
	assert_int_equal(a.harness, HARNESS_CLAUDE);
	assert_int_equal(a.verdict, VERDICT_ALLOW);
	assert_is(a.event, "PreToolUse");
	assert_is(a.session, "s");
	assert_is(a.cwd, "/srv");
	assert_is(a.call_id, "t");
	assert_is(a.command, "echo hi");
}

static void test_malformed(void **state)
{
	const struct request q = { .mode = REQUEST_HOOK, .harness = HARNESS_AGY, .event = BYTES("PreToolUse"),
		.input = BYTES("{\"toolCall\":7}") };
	struct assessment a;

	serve(*state, &q);
	receive_assessment(*state, &a);
	assert_int_equal(a.kind, KIND_MALFORMED);
	assert_int_equal(a.verdict, VERDICT_DENY);
	assert_int_equal(a.harness, HARNESS_AGY);
	assert_int_equal(a.reason.id, REASON_MALFORMED);
	assert_is(a.reason.args[0], "agy");
	assert_is(a.event, "PreToolUse");
}

/* Blank lines count, rows come in order under their own numbers, and one bad row does not stop the rest. */
static void test_check_rows(void **state)
{
	const struct request q = { .mode = REQUEST_CHECK_ROWS, .harness = HARNESS_CLI, .session = BYTES("d"),
		.cwd = BYTES("/srv"), .dialect = BYTES(""), .first_row = 11,
		.input = BYTES("{\"id\":\"a\",\"command\":\"echo 1\"}\n \t\r\nrubbish\n"
			       "{\"id\":\"b\",\"command\":\"echo 2\",\"cwd\":\"/tmp\",\"session\":\"e\"}") };
	struct pair *p = *state;
	struct assessment a;
	struct message m;

	serve(p, &q);
	receive_assessment(p, &a);
	assert_is(a.row_id, "a");
	assert_int_equal(a.row, 11);
	assert_int_equal(a.verdict, VERDICT_ALLOW);
	assert_is(a.session, "d");
	assert_is(a.cwd, "/srv");
	receive_assessment(p, &a);
	assert_false(a.row_id_set);
	assert_int_equal(a.row, 13);
	assert_int_equal(a.kind, KIND_MALFORMED);
	assert_is(a.reason.args[0], "line 13");
	receive_assessment(p, &a);
	assert_is(a.row_id, "b");
	assert_int_equal(a.row, 14);
	assert_is(a.session, "e");
	assert_is(a.cwd, "/tmp");
	receive(p, MSG_ROWS_DONE, &m);
	assert_int_equal(m.body.len, 4);
	assert_int_equal(m.body.p[0], 4);
}

struct seen {
	char text[256];
	size_t n;
};

static void see(struct seen *s, const char *kind, struct bytes b)
{
	s->n += (size_t)snprintf(
		s->text + s->n, sizeof(s->text) - s->n, "%s=%.*s ", kind, (int)b.len, b.len ? b.p : "");
}

static void see_line(void *data, struct bytes row_id, bool set, uint32_t row, bool parsed, bool modelled,
	struct bytes why)
{
	(void)why;
	see(data, "id", row_id);
	see(data, set ? "set" : "unset", BYTES(""));
	see(data, row == 2 ? "second" : "other", BYTES(""));
	see(data, parsed && modelled ? "good" : "bad", BYTES(""));
}

static void see_word(void *data, bool is_static, struct bytes value)
{
	see(data, is_static ? "word" : "dynamic", value);
}

static const struct listing_visitor visitor = { .line = see_line, .word = see_word };

static void test_parse_rows(void **state)
{
	const struct request q = { .mode = REQUEST_PARSE_ROWS, .harness = HARNESS_CLI, .first_row = 1,
		.session = BYTES(""), .cwd = BYTES("/"), .dialect = BYTES(""),
		.input = BYTES("{\"id\":\"a\",\"command\":\"ls 'x y' $z\"}\n{\"id\":\"b\"}\n") };
	struct seen first = { .n = 0 }, second = { .n = 0 };
	struct pair *p = *state;
	struct message m;

	serve(p, &q);
	receive(p, MSG_LISTING, &m);
	assert_int_equal(listing_walk(m.body, &visitor, &first), 0);
	assert_string_equal(first.text, "id=a set= other= good= word=ls word=x y dynamic=$z ");
	receive(p, MSG_LISTING, &m);
	assert_int_equal(listing_walk(m.body, &visitor, &second), 0);
	assert_string_equal(second.text, "id=b set= second= bad= ");
	receive(p, MSG_ROWS_DONE, &m);
	assert_int_equal(m.body.p[0], 2);
}

static void test_explain_and_name(void **state)
{
	const struct request explain = { .mode = REQUEST_EXPLAIN, .harness = HARNESS_CLI, .session = BYTES("s"),
		.cwd = BYTES("/"), .dialect = BYTES(""), .input = BYTES("echo hi") };
	const struct request name = { .mode = REQUEST_NAME_ROW, .harness = HARNESS_CLI, .first_row = 7,
		.session = BYTES(""), .cwd = BYTES("/"), .dialect = BYTES(""),
		.input = BYTES("{\"id\":\"killer\",\"command\":\"x\"}") };
	struct pair *p = *state;
	struct assessment a;
	struct message m;

	serve(p, &explain);
	receive(p, MSG_LISTING, &m);
	receive_assessment(p, &a);
	assert_int_equal(a.kind, KIND_SHELL);
	serve(p, &name);
	receive_assessment(p, &a);
	assert_int_equal(a.kind, KIND_MALFORMED);
	assert_int_equal(a.row, 7);
	assert_true(a.row_id_set);
	assert_is(a.row_id, "killer");
}

static void test_dialects(void **state)
{
	static const struct {
		const char *shell;
		enum harness harness;
		const char *name;
		enum dialect dialect;
	} cases[] = {
		{ "/bin/bash", HARNESS_CLAUDE, "", DIALECT_BASH },
		{ "/usr/bin/zsh", HARNESS_CLAUDE, "", DIALECT_ZSH },
		{ "/usr/bin/fish", HARNESS_CLAUDE, "", DIALECT_ZSH },
		{ "/usr/bin/fish", HARNESS_AGY, "", DIALECT_OTHER },
		{ "/bin/sh", HARNESS_AGY, "", DIALECT_POSIX },
		{ "", HARNESS_AGY, "", DIALECT_POSIX },
		{ "bash", HARNESS_AGY, "", DIALECT_BASH },
		{ "/usr/bin/fish", HARNESS_CLI, "", DIALECT_BASH },
		{ "/bin/bash", HARNESS_CLI, "zsh", DIALECT_ZSH },
		{ "/bin/bash", HARNESS_CLAUDE, "no such", DIALECT_OTHER },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct worker_policy policy = { .shell = { cases[i].shell, strlen(cases[i].shell) } };
		struct bytes name = { cases[i].name, strlen(cases[i].name) };

		assert_int_equal(assess_dialect(&policy, cases[i].harness, name), cases[i].dialect);
	}
}

#define EACH(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(test_hook),
		EACH(test_malformed),
		EACH(test_check_rows),
		EACH(test_parse_rows),
		EACH(test_explain_and_name),
		cmocka_unit_test(test_dialects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
