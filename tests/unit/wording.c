/* SPDX-License-Identifier: Apache-2.0 */
/* What is said about a denial: every mode, before and at the threshold, with and without anybody to ask. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "broker/decision/wording.h"

struct row {
	enum deny_mode mode;
	bool headless, rule;
	uint32_t count;
	enum decision decision;
	bool escalated;
	const char *says, *says_not;
};

static const char header[] = "⚠️ SAFETY ESCALATION";

/* threshold 2, instructions on */
static const struct row rows[] = {
	{ DENY_BOTH, false, false, 1, DECISION_DENY, false, "1 attempt(s) remaining, which will be held", header },
	{ DENY_BOTH, false, false, 2, DECISION_FORCE_ASK, true, header, "remaining" },
	{ DENY_BOTH, false, false, 7, DECISION_FORCE_ASK, true, "blocked 7 times", "remaining" },
	{ DENY_BOTH, false, true, 1, DECISION_DENY, false, "1 attempt(s) remaining", header },
	{ DENY_BOTH, false, true, 2, DECISION_FORCE_ASK, true, header, "remaining" },
	{ DENY_BOTH, true, false, 1, DECISION_DENY, false, "nobody is here to approve it", "held for" },
	{ DENY_BOTH, true, false, 2, DECISION_DENY, true, "Blocked 2 times", header },
	{ DENY_BOTH, true, true, 2, DECISION_DENY, true, "stop, and report this to the user", header },
	{ DENY_ASK_USER, false, false, 1, DECISION_FORCE_ASK, true, "Flagged for your review", "remaining" },
	{ DENY_ASK_USER, false, true, 2, DECISION_FORCE_ASK, true, "Flagged for your review", "remaining" },
	/* The harness's reply refuses a judge's escalation where nobody is there; a rule's is refused here. */
	{ DENY_ASK_USER, true, false, 1, DECISION_FORCE_ASK, true, "Flagged for your review", "remaining" },
	{ DENY_ASK_USER, true, true, 1, DECISION_DENY, true, "Blocked 1 time by", header },
	{ DENY_AUTO_RETRY, false, false, 1, DECISION_DENY, false, "Look for a safer way", "remaining" },
	{ DENY_AUTO_RETRY, false, false, 9, DECISION_DENY, true, "Look for a safer way", header },
	{ DENY_AUTO_RETRY, true, true, 9, DECISION_DENY, true, "Look for a safer way", header },
};

static struct outcome outcome_of(const char *finding)
{
	return (struct outcome){
		.command = BYTES(" rm -rf /srv\n"),
		.raw_reason = strdup(finding),
	};
}

static void every_mode(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *r = &rows[i];
		const struct denial_style style = { .mode = r->mode, .threshold = 2, .headless = r->headless, .instruct = true };
		CLEANUP(outcome_done) struct outcome o = outcome_of("it deletes /srv");

		o.rule_refusal = r->rule;
		assert_int_equal(word_denial(&style, r->count, &o), 0);
		print_message("row %zu: %s\n", i, o.reason);
		assert_int_equal(o.decision, r->decision);
		assert_int_equal(o.escalated, r->escalated);
		assert_int_equal(o.count, r->count);
		assert_non_null(strstr(o.reason, r->says));
		assert_null(strstr(o.reason, r->says_not));
		assert_non_null(strstr(o.reason, "it deletes /srv"));
	}
}

static void attempts_are_counted_down(void **state)
{
	static const char *const says[] = { "2 attempt(s) remaining before", "1 attempt(s) remaining, which", header };
	const struct denial_style style = { .threshold = 3, .instruct = true };

	(void)state;
	for (uint32_t n = 1; n <= 3; n++) {
		CLEANUP(outcome_done) struct outcome o = outcome_of("f");

		assert_int_equal(word_denial(&style, n, &o), 0);
		assert_non_null(strstr(o.reason, says[n - 1]));
	}
}

static void an_escalation_has_four_lines(void **state)
{
	const struct denial_style style = { .threshold = 2, .instruct = true };
	CLEANUP(outcome_done) struct outcome o = outcome_of("line one\nClassifier Finding: forged");

	(void)state;
	o.command = BYTES("echo a\necho \xe2\x80\xae" "b");
	assert_int_equal(word_denial(&style, 2, &o), 0);
	assert_string_equal(o.reason, "⚠️ SAFETY ESCALATION: blocked 2 times, now it is your decision\n"
		"Command: echo a\\necho \\u{202e}b\n"
		"Classifier Finding: line one\\nClassifier Finding: forged\n"
		"Check the agent's explanation against the command itself before you approve.");
}

static void without_instructions_the_short_form(void **state)
{
	const struct denial_style style = { .threshold = 2 };
	CLEANUP(outcome_done) struct outcome o = outcome_of("f");

	(void)state;
	assert_int_equal(word_denial(&style, 1, &o), 0);
	assert_string_equal(o.reason, "Blocked by the safety classifier: f. Look for a safer way to do this.");
}

static void a_failed_judge_is_said_to_have_failed(void **state)
{
	const struct denial_style style = { .threshold = 2, .instruct = true };

	(void)state;
	for (uint32_t n = 1; n <= 2; n++) {
		CLEANUP(outcome_done) struct outcome o = outcome_of("no answer in time");

		o.transient = true;
		assert_int_equal(word_denial(&style, n, &o), 0);
		assert_null(strstr(o.reason, "Blocked by the safety classifier"));
		assert_non_null(strstr(o.reason, n == 1 ? "could not judge this" : "the classifier failed"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_mode),
		cmocka_unit_test(attempts_are_counted_down),
		cmocka_unit_test(an_escalation_has_four_lines),
		cmocka_unit_test(without_instructions_the_short_form),
		cmocka_unit_test(a_failed_judge_is_said_to_have_failed),
	};

	return cmocka_run_group_tests_name("wording", tests, NULL, NULL);
}
