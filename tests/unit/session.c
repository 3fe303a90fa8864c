/* SPDX-License-Identifier: Apache-2.0 */
/* Counting within a session: the window, the caps, retries, what the file keeps. Keys: what they are made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "broker/state/session.h"

enum { WINDOW = 300000, T0 = 1700000 };

static struct key key_of(const char *s)
{
	return key_of_bytes((struct bytes){ s, strlen(s) });
}

/* What every denial here depends on, unless it says otherwise. */
static struct file_key one_file;

static struct denial denial_of(const char *what, bool open)
{
	one_file = (struct file_key){ key_of("path"), key_of("content") };
	return (struct denial){
		.counting = key_of(what),
		.exact = key_of("exact"),
		.files = &one_file,
		.n_files = 1,
		.command = { what, strlen(what) },
		.reason = "because",
		.source = open ? SOURCE_OFFLINE : SOURCE_FAST_DENY,
		.open = open,
	};
}

static uint32_t deny(struct session *s, const struct denial *d, int64_t now)
{
	CLEANUP(tally_done) struct tally t = { 0 };

	assert_int_equal(session_deny(s, d, now, WINDOW, &t), 0);
	return t.count;
}

static void counts_within_the_window(void **state)
{
	CLEANUP(session_done) struct session s = { 0 };
	struct denial a = denial_of("a", true), b = denial_of("b", true);

	(void)state;
	assert_int_equal(session_init(&s, BYTES("id"), T0), 0);
	assert_int_equal(deny(&s, &a, T0), 1);
	assert_int_equal(deny(&s, &b, T0), 1);
	assert_int_equal(deny(&s, &a, T0 + WINDOW), 2);
	/* Each denial moves the window on. */
	assert_int_equal(deny(&s, &a, T0 + 2 * WINDOW), 3);
	/* One that lapsed starts again at one. */
	assert_int_equal(deny(&s, &a, T0 + 3 * WINDOW + 1), 1);
	assert_null(session_find(&s, &b.counting, T0 + WINDOW + 1, WINDOW));
	assert_non_null(session_find(&s, &b.counting, T0 + WINDOW, WINDOW));
	assert_int_equal(s.total_denials, 5);
}

static void a_clock_set_back_changes_little(void **state)
{
	CLEANUP(session_done) struct session s = { 0 };
	struct denial a = denial_of("a", true);

	(void)state;
	assert_int_equal(session_init(&s, BYTES("id"), T0), 0);
	assert_int_equal(deny(&s, &a, T0), 1);
	assert_int_equal(deny(&s, &a, T0 - 1000), 2);
	/* A stamp from far ahead is not live for ever. */
	assert_int_equal(deny(&s, &a, T0 - 1000 - 10 * (int64_t)WINDOW / 2), 1);
}

static void the_oldest_makes_room(void **state)
{
	CLEANUP(session_done) struct session s = { 0 };
	char name[16];

	(void)state;
	assert_int_equal(session_init(&s, BYTES("id"), T0), 0);
	for (int i = 0; i < SESSION_DENIALS_MAX; i++) {
		(void)snprintf(name, sizeof(name), "%d", i);
		struct denial d = denial_of(name, true);

		assert_int_equal(deny(&s, &d, T0 + i), 1);
	}
	/* Denied again, 0 is the newest; then 1 is the one to go. */
	struct denial zero = denial_of("0", true), more = denial_of("more", true);
	struct key one = key_of("1");

	assert_int_equal(deny(&s, &zero, T0 + 100), 2);
	assert_int_equal(deny(&s, &more, T0 + 101), 1);
	assert_int_equal(s.n_denials, SESSION_DENIALS_MAX);
	assert_non_null(session_find(&s, &zero.counting, T0 + 101, WINDOW));
	assert_null(session_find(&s, &one, T0 + 101, WINDOW));
}

static void a_retry_keeps_the_first_finding(void **state)
{
	CLEANUP(session_done) struct session s = { 0 };
	CLEANUP(tally_done) struct tally first = { 0 }, second = { 0 }, mended = { 0 };
	struct denial d = denial_of("a", true);
	struct file_key changed = one_file;

	(void)state;
	assert_int_equal(session_init(&s, BYTES("id"), T0), 0);
	assert_int_equal(session_deny(&s, &d, T0, WINDOW, &first), 0);
	assert_false(first.retry);
	d.reason = "worded otherwise";
	assert_int_equal(session_deny(&s, &d, T0 + 1, WINDOW, &second), 0);
	assert_true(second.retry);
	assert_int_equal(second.count, 2);
	assert_string_equal(second.reason, "because");
	assert_int_equal(second.source, SOURCE_OFFLINE);
	/* The script it runs was mended: counted on, but looked at afresh. */
	changed.content = key_of("mended");
	d.files = &changed;
	assert_int_equal(session_deny(&s, &d, T0 + 2, WINDOW, &mended), 0);
	assert_false(mended.retry);
	assert_int_equal(mended.count, 3);
	assert_string_equal(mended.reason, "worded otherwise");
}

/* Another word on the line, or one less, is no reason to judge the same thing again; a change of what was there is. */
static void only_what_a_denial_depends_on_counts(void **state)
{
	CLEANUP(session_done) struct session s = { 0 };
	struct denial d = denial_of("a", true);
	const struct file_key files[] = { { key_of("x"), key_of("1") }, { key_of("y"), key_of("1") } };
	const struct file_key more[] = { files[1], { key_of("z"), key_of("1") }, files[0] };
	const struct file_key other[] = { { key_of("z"), key_of("2") } };
	const struct file_key changed[] = { files[0], { key_of("y"), key_of("2") } };

	(void)state;
	assert_int_equal(session_init(&s, BYTES("id"), T0), 0);
	d.files = files;
	d.n_files = 2;
	(void)deny(&s, &d, T0);
	assert_true(session_stands(&s, &d, T0, WINDOW));
	d.n_files = 0;
	assert_true(session_stands(&s, &d, T0, WINDOW));
	d.n_files = 1;
	assert_true(session_stands(&s, &d, T0, WINDOW));
	d.files = other;
	assert_true(session_stands(&s, &d, T0, WINDOW));
	d.files = more;
	d.n_files = 3;
	assert_true(session_stands(&s, &d, T0, WINDOW));
	d.files = changed;
	d.n_files = 2;
	assert_false(session_stands(&s, &d, T0, WINDOW));
}

static void rules_and_failures_are_never_retries(void **state)
{
	CLEANUP(session_done) struct session s = { 0 };
	CLEANUP(tally_done) struct tally t = { 0 }, u = { 0 };
	struct denial rule = denial_of("rule", false), failure = denial_of("failure", true);

	(void)state;
	failure.transient = true;
	assert_int_equal(session_init(&s, BYTES("id"), T0), 0);
	assert_int_equal(deny(&s, &rule, T0), 1);
	assert_int_equal(session_deny(&s, &rule, T0, WINDOW, &t), 0);
	assert_false(t.retry);
	assert_int_equal(t.count, 2);
	assert_int_equal(deny(&s, &failure, T0), 1);
	failure.transient = false;
	assert_int_equal(session_deny(&s, &failure, T0, WINDOW, &u), 0);
	assert_false(u.retry);
	assert_int_equal(u.count, 2);
}

static struct permit permit_of(const char *exact, const char *judge)
{
	return (struct permit){ key_of(exact), key_of(judge) };
}

static void allows_are_capped_and_clear_exact_denials(void **state)
{
	CLEANUP(session_done) struct session s = { 0 };
	struct denial a = denial_of("a", true), b = denial_of("b", true);
	const struct permit p = permit_of("exact", "judge"), others[] = {
		permit_of("exact", "another"), permit_of("another", "judge"), permit_of("judge", "exact"),
	};
	char name[16];

	(void)state;
	b.exact = key_of("other");
	assert_int_equal(session_init(&s, BYTES("id"), T0), 0);
	(void)deny(&s, &a, T0);
	(void)deny(&s, &b, T0);
	assert_int_equal(session_allow(&s, &p, "fine", T0), 0);
	assert_null(session_find(&s, &a.counting, T0, WINDOW));
	assert_non_null(session_find(&s, &b.counting, T0, WINDOW));
	assert_non_null(session_allowed(&s, &p, T0 + WINDOW, WINDOW));
	assert_null(session_allowed(&s, &p, T0 + WINDOW + 1, WINDOW));
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		assert_null(session_allowed(&s, &others[i], T0, WINDOW));
	assert_true(session_knows(&s, &p.exact, T0 + WINDOW, WINDOW));
	assert_false(session_knows(&s, &p.exact, T0 + WINDOW + 1, WINDOW));
	assert_false(session_knows(&s, &p.judge, T0, WINDOW));
	for (int i = 0; i < SESSION_ALLOWS_MAX; i++) {
		(void)snprintf(name, sizeof(name), "allow %d", i);
		struct permit one = permit_of(name, "judge");

		assert_int_equal(session_allow(&s, &one, "first", T0), 0);
		assert_int_equal(session_allow(&s, &one, "again", T0), 0);
	}
	assert_int_equal(s.n_allows, SESSION_ALLOWS_MAX);
	assert_null(session_allowed(&s, &p, T0, WINDOW));
}

/* Neither a record that makes room nor one that is replaced takes a judge's denial out of the count. */
static void a_judges_denials_are_counted_for_themselves(void **state)
{
	CLEANUP(session_done) struct session s = { 0 }, back = { 0 }, other = { 0 };
	CLEANUP(textbuf_done) struct textbuf text = { 0 };
	struct denial d = denial_of("a", true);
	struct file_key changed = one_file;
	char name[16];

	(void)state;
	d.source = SOURCE_LLM;
	assert_int_equal(session_init(&s, BYTES("id"), T0), 0);
	for (int i = 0; i < 3; i++) {
		(void)snprintf(name, sizeof(name), "content %d", i);
		changed.content = key_of(name);
		d.files = &changed;
		(void)deny(&s, &d, T0 + i);
	}
	assert_int_equal(session_judged(&s, T0, WINDOW), 3);
	(void)deny(&s, &d, T0 + 3); /* a retry: nobody judged anew */
	assert_int_equal(session_judged(&s, T0, WINDOW), 3);
	for (int i = 0; i < 2 * SESSION_DENIALS_MAX; i++) {
		(void)snprintf(name, sizeof(name), "rule %d", i);
		struct denial rule = denial_of(name, false);

		(void)deny(&s, &rule, T0 + 4);
	}
	assert_int_equal(session_judged(&s, T0 + 4, WINDOW), 3);
	session_format(&s, &text);
	assert_int_equal(session_parse((struct bytes){ text.p, text.len }, &back), 0);
	assert_int_equal(session_judged(&back, T0 + 4, WINDOW), 3);
	assert_int_equal(session_judged(&back, T0 + 1 + WINDOW, WINDOW), 2);
	assert_int_equal(session_init(&other, BYTES("id"), T0), 0);
	(void)deny(&other, &d, T0 + 5);
	session_merge(&s, &other);
	assert_int_equal(session_judged(&s, T0 + 5, WINDOW), 4);
	/* What lapsed is dropped when the next comes. */
	changed.content = key_of("last");
	(void)deny(&s, &d, T0 + 4 + WINDOW);
	assert_int_equal(s.n_judged, 2);
}

/* A charge is the denial itself where one follows, and nothing where none does. */
static void a_charge_is_counted_once_or_not_at_all(void **state)
{
	CLEANUP(session_done) struct session s = { 0 };
	struct denial d = denial_of("a", true);
	const struct permit p = permit_of("exact", "judge");

	(void)state;
	assert_int_equal(session_init(&s, BYTES("id"), T0), 0);
	d.source = SOURCE_LLM;
	d.charge = session_charge(&s, T0, WINDOW);
	assert_int_equal(session_judged(&s, T0, WINDOW), 1);
	(void)deny(&s, &d, T0 + 50);
	assert_int_equal(session_judged(&s, T0, WINDOW), 1);
	/* The judge failed. */
	d = denial_of("b", true);
	d.source = SOURCE_ERROR;
	d.transient = true;
	d.charge = session_charge(&s, T0 + 60, WINDOW);
	assert_int_equal(session_judged(&s, T0, WINDOW), 2);
	(void)deny(&s, &d, T0 + 70);
	assert_int_equal(session_judged(&s, T0, WINDOW), 1);
	/* Two at the same moment: one of them is taken back. */
	d.charge = session_charge(&s, T0 + 80, WINDOW);
	assert_int_equal(session_charge(&s, T0 + 80, WINDOW), d.charge);
	session_refund(&s, d.charge);
	assert_int_equal(session_judged(&s, T0, WINDOW), 2);
	session_refund(&s, T0 + 12345);
	assert_int_equal(session_judged(&s, T0, WINDOW), 2);
	assert_int_equal(session_allow(&s, &p, "fine", T0 + 90), 0);
	assert_int_equal(session_judged(&s, T0, WINDOW), 2);
}

static void more_than_fit_are_as_many_as_fit(void **state)
{
	CLEANUP(session_done) struct session s = { 0 };
	struct denial d = denial_of("a", true);
	struct file_key changed = one_file;
	char name[16];

	(void)state;
	d.source = SOURCE_TRIAGE;
	assert_int_equal(session_init(&s, BYTES("id"), T0), 0);
	for (int i = 0; i < SESSION_JUDGED_MAX + 5; i++) {
		(void)snprintf(name, sizeof(name), "%d", i);
		changed.content = key_of(name);
		d.files = &changed;
		(void)deny(&s, &d, T0 + i);
	}
	assert_int_equal(session_judged(&s, T0, WINDOW), SESSION_JUDGED_MAX);
}

static void the_file_keeps_everything(void **state)
{
	CLEANUP(session_done) struct session s = { 0 }, back = { 0 };
	CLEANUP(textbuf_done) struct textbuf text = { 0 }, again = { 0 };
	struct denial a = denial_of("say \"hi\"\n\xff TOKEN=abcdefghijkl", true), b = denial_of("b", false);
	const struct permit permit = permit_of("k", "j");

	(void)state;
	b.transient = true;
	assert_int_equal(session_init(&s, BYTES("conversation \"1\""), T0), 0);
	(void)deny(&s, &a, T0);
	(void)deny(&s, &b, T0 + 5);
	assert_int_equal(session_allow(&s, &permit, "x", T0), 0);
	session_format(&s, &text);
	assert_false(text.failed);
	/* What others read by name. */
	static const char *const names[] = { "\"conversationId\": \"conversation \\\"1\\\"\"", "\"totalDenials\": 2",
		"\"recentDenials\": [", "\"normalizedCommand\": \"", "\"timestamp\": 1700005", "\"transient\": true",
		"\"recentAllows\": [", "\"key\": \"", "\"judge\": \"", "\"recentJudged\": [", "\"files\": [", "\"createdAt\": 1700000", "\"updatedAt\": " };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_non_null(strstr(text.p, names[i]));
	assert_null(strstr(text.p, "abcdefghijkl"));
	assert_int_equal(session_parse((struct bytes){ text.p, text.len }, &back), 0);
	assert_int_equal(back.n_denials, 2);
	assert_int_equal(back.denials[1].count, 1);
	assert_true(back.denials[1].transient);
	assert_int_equal(back.denials[0].source, SOURCE_OFFLINE);
	assert_memory_equal(back.denials[0].counting.hex, a.counting.hex, KEY_HEX);
	session_format(&back, &again);
	assert_string_equal(text.p, again.p);
}

static void what_is_no_session_is_corrupt(void **state)
{
	static const char *const corrupt[] = { "", "{", "[]", "null", "1", "{}", "{\"recentDenials\":[]}",
		"{\"recentDenials\":{},\"recentAllows\":[]}", "{\"recentDenials\":[],\"recentAllows\":[]} x",
		"{\"recentDenials\":[],\"recentDenials\":[],\"recentAllows\":[]}", "\xff" };
	CLEANUP(session_done) struct session s = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(corrupt); i++)
		assert_int_equal(session_parse((struct bytes){ corrupt[i], strlen(corrupt[i]) }, &s), SESSION_CORRUPT);
}

static void strange_records_are_left_out(void **state)
{
	static const char text[] = "{\"recentDenials\":[1,{},"
		"{\"command\":\"ls\",\"normalizedCommand\":\"ls\",\"count\":3},null],\"recentAllows\":[[],{\"key\":\"exact:ls#0\"}],\"totalDenials\":-5,\"updatedAt\":7,\"recentJudged\":[\"x\",null,3]}";
	CLEANUP(session_done) struct session s = { 0 };

	(void)state;
	assert_int_equal(session_parse(BYTES(text), &s), 0);
	assert_int_equal(s.n_denials, 0);
	assert_int_equal(s.n_allows, 0);
	assert_int_equal(s.total_denials, 0);
	assert_int_equal(session_judged(&s, 7, WINDOW), 3);
}

static struct key counting(struct bytes command, uint32_t n, const struct cause *causes)
{
	struct assessment a = { .command = command, .n_causes = n };

	if (n > 0)
		memcpy(a.causes, causes, n * sizeof(*causes));
	return counting_key(&a);
}

static void causes_are_a_set(void **state)
{
	const struct cause rm = { BYTES("rm"), BYTES("delete"), BYTES("/srv") };
	const struct cause dd = { BYTES("dd"), BYTES("write"), BYTES("/dev/sda") };
	const struct cause shifted = { BYTES("rmd"), BYTES("elete"), BYTES("/srv") };
	struct key one = counting(BYTES("rm -rf /srv"), 1, &rm);
	struct key twice = counting(BYTES("sudo  rm -rf /srv; rm -rf /srv"), 2, (struct cause[]){ rm, rm });
	struct key ab = counting(BYTES("x"), 2, (struct cause[]){ rm, dd });
	struct key ba = counting(BYTES("y"), 3, (struct cause[]){ dd, rm, dd });
	struct key run_together = counting(BYTES("x"), 1, &shifted);

	(void)state;
	assert_string_equal(one.hex, twice.hex);
	assert_string_equal(ab.hex, ba.hex);
	assert_string_not_equal(one.hex, ab.hex);
	assert_string_not_equal(one.hex, run_together.hex);
	assert_int_equal(strlen(one.hex), KEY_HEX);
}

static void without_causes_the_command_counts(void **state)
{
	struct key a = counting(BYTES(" ls \n"), 0, NULL), b = counting(BYTES("ls"), 0, NULL);
	struct key c = counting(BYTES("ls -l"), 0, NULL), none = counting((struct bytes){ 0 }, 0, NULL);

	(void)state;
	assert_string_equal(a.hex, b.hex);
	assert_string_not_equal(a.hex, c.hex);
	assert_string_not_equal(a.hex, none.hex);
}

static void evidence_makes_the_exact_key(void **state)
{
	const struct question path = { ASK_PATH, BYTES("/"), BYTES("f"), BYTES("") };
	const struct question script = { ASK_SCRIPT, BYTES("/"), BYTES("f"), BYTES("") };
	struct answer a = { .kind = ASK_PATH, .status = ANSWER_KNOWN, .real = BYTES("/f"), .content = BYTES("one") };
	const struct assessment ls = { .command = BYTES("ls") }, blanks = { .command = BYTES(" ls\n") };
	struct evidence_log none, asked, content, mended;

	(void)state;
	evidence_log_init(&none);
	evidence_log_init(&asked);
	evidence_log_init(&content);
	evidence_log_init(&mended);
	evidence_log_add(&asked, &path, &a);
	evidence_log_add(&content, &script, &a);
	a.content = BYTES("two");
	evidence_log_add(&mended, &script, &a);
	assert_string_equal(exact_key(&ls, &none).hex, exact_key(&blanks, &none).hex);
	assert_string_not_equal(exact_key(&ls, &none).hex, exact_key(&ls, &asked).hex);
	assert_string_not_equal(exact_key(&ls, &content).hex, exact_key(&ls, &mended).hex);
	/* What a path is may change with every build; a denial depends only on what would run. */
	assert_int_equal(none.n_files + asked.n_files, 0);
	assert_int_equal(content.n_files, 1);
	assert_string_equal(content.files[0].path.hex, mended.files[0].path.hex);
	assert_string_not_equal(content.files[0].content.hex, mended.files[0].content.hex);
	assert_int_equal(content.questions, 1);
	assert_int_equal(content.bytes, 5);
}

/* What a worker said of a command is part of the key, each field for itself. */
static void claims_make_the_exact_key(void **state)
{
	const struct assessment plain = { .command = BYTES("ls"), .session = BYTES("s"), .cwd = BYTES("/w") };
	struct assessment other[10];
	struct evidence_log none;
	struct key keys[ARRAY_LEN(other) + 1];

	(void)state;
	evidence_log_init(&none);
	for (size_t i = 0; i < ARRAY_LEN(other); i++)
		other[i] = plain;
	other[0].command = BYTES("ls -l");
	other[1].session = BYTES("t");
	other[2].cwd = BYTES("/x");
	other[3].effects = BYTES("ls list worktree");
	other[4].reason = (struct reason_text){ REASON_OPEN, 1, { BYTES("ls") } };
	other[5].reason = (struct reason_text){ REASON_OPEN, 2, { BYTES("l"), BYTES("s") } };
	other[6].flags = ASSESS_TELL;
	other[7].verdict = VERDICT_OPEN;
	other[8].n_causes = 1;
	other[8].causes[0] = (struct cause){ BYTES("ls"), BYTES("read"), BYTES("/") };
	other[9].harness = HARNESS_CLAUDE;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		keys[i] = exact_key(i < ARRAY_LEN(other) ? &other[i] : &plain, &none);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(keys[i].hex, keys[k].hex);
	}
}

/* A hash that leaves bytes of a file out vouches for other files too. */
static void evidence_in_part_is_known_to_be(void **state)
{
	const struct question script = { ASK_SCRIPT, BYTES("/"), BYTES("f"), BYTES("") };
	const struct answer whole = { .kind = ASK_SCRIPT, .status = ANSWER_KNOWN, .type = PATH_FILE, .real = BYTES("/f"),
		.content = BYTES("one"), .size = 3 };
	struct answer a[6];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(a); i++)
		a[i] = whole;
	a[1].type = PATH_MISSING;
	a[1].content = BYTES("");
	a[2].size = 4;
	a[3].facts = FACT_IN_PART;
	a[4].status = ANSWER_REFUSED;
	a[5].type = PATH_SPECIAL;
	for (size_t i = 0; i < ARRAY_LEN(a); i++) {
		struct evidence_log log;

		evidence_log_init(&log);
		evidence_log_add(&log, &script, &a[i]);
		assert_int_equal(log.in_part, i >= 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_within_the_window),
		cmocka_unit_test(a_clock_set_back_changes_little),
		cmocka_unit_test(the_oldest_makes_room),
		cmocka_unit_test(a_retry_keeps_the_first_finding),
		cmocka_unit_test(only_what_a_denial_depends_on_counts),
		cmocka_unit_test(rules_and_failures_are_never_retries),
		cmocka_unit_test(allows_are_capped_and_clear_exact_denials),
		cmocka_unit_test(a_judges_denials_are_counted_for_themselves),
		cmocka_unit_test(a_charge_is_counted_once_or_not_at_all),
		cmocka_unit_test(more_than_fit_are_as_many_as_fit),
		cmocka_unit_test(the_file_keeps_everything),
		cmocka_unit_test(what_is_no_session_is_corrupt),
		cmocka_unit_test(strange_records_are_left_out),
		cmocka_unit_test(causes_are_a_set),
		cmocka_unit_test(without_causes_the_command_counts),
		cmocka_unit_test(evidence_makes_the_exact_key),
		cmocka_unit_test(claims_make_the_exact_key),
		cmocka_unit_test(evidence_in_part_is_known_to_be),
	};

	return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
