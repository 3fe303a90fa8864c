/* SPDX-License-Identifier: Apache-2.0 */
/* Replies, byte for byte: what a harness is told for each outcome. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "broker/reply/listing.h"
#include "broker/reply/reply.h"
#include "policy/harness.h"
#include "policy/listing.h"
#include "policy/text/json_strict.h"

#define B(s) { s, sizeof(s) - 1 }

struct expected {
	struct outcome o;
	struct reply_context c;
	const char *out;
	int status;
	enum escalation escalation;
};

static void assert_json(const char *p, size_t len)
{
	CLEANUP(json_putp) struct json_object *o = NULL;
	size_t at;

	if (json_strict((struct bytes){ p, len }, &o, &at) != JSON_OK)
		fail_msg("not JSON: %s", p);
}

static void run(const struct expected *table, size_t n,
	enum escalation (*reply)(const struct outcome *, const struct reply_context *, struct reply *))
{
	for (size_t i = 0; i < n; i++) {
		struct reply r = { 0 };
		enum escalation e = reply(&table[i].o, &table[i].c, &r);

		assert_false(r.out.failed);
		assert_string_equal(r.out.p ? r.out.p : "", table[i].out);
		assert_int_equal(r.status, table[i].status);
		assert_int_equal(e, table[i].escalation);
		if (r.out.len > 0)
			assert_json(r.out.p, r.out.len);
		if (r.status == 2)
			assert_true(r.err.len > 0);
		reply_done(&r);
	}
}

#define CLAUDE(event, decision, reason)                                                                        \
	"{\"hookSpecificOutput\":{\"hookEventName\":\"" event "\",\"permissionDecision\":\"" decision          \
	"\",\"permissionDecisionReason\":\"" reason "\"}}\n"
#define PERMISSION(tail) "{\"hookSpecificOutput\":{\"hookEventName\":\"PermissionRequest\",\"decision\":{" tail "}}}\n"
#define UNASKED "\\nThis would need a person's approval, and nobody can be asked here. Stop, and report it to the user."

static void test_claude(void **state)
{
	char because[] = "be\"cause\n2", empty[] = "";
	const struct expected table[] = {
		{ { .kind = KIND_SHELL, .event = B("PreToolUse"), .decision = DECISION_ALLOW, .reason = because }, { 0 },
			CLAUDE("PreToolUse", "allow", "be\\\"cause\\n2"), 0, ESCALATION_NONE },
		{ { .kind = KIND_SHELL, .event = B("PreToolUse"), .decision = DECISION_ALLOW }, { 0 },
			CLAUDE("PreToolUse", "allow", "auto-classifier found nothing against it"), 0, ESCALATION_NONE },
		{ { .kind = KIND_SHELL, .event = B("PreToolUse"), .reason = because }, { 0 },
			CLAUDE("PreToolUse", "deny", "be\\\"cause\\n2"), 0, ESCALATION_NONE },
		{ { .kind = KIND_SHELL, .event = B("PreToolUse"), .reason = empty }, { 0 },
			CLAUDE("PreToolUse", "deny", "auto-classifier blocked it"), 0, ESCALATION_NONE },
		{ { .kind = KIND_SHELL, .event = B("PreToolUse"), .decision = DECISION_FORCE_ASK, .reason = because }, { 0 },
			CLAUDE("PreToolUse", "ask", "be\\\"cause\\n2"), 0, ESCALATION_NONE },
		{ { .kind = KIND_SHELL, .event = B("PreToolUse"), .decision = DECISION_ASK, .reason = because },
			{ .headless = true }, CLAUDE("PreToolUse", "deny", "be\\\"cause\\n2" UNASKED), 0,
			ESCALATION_NO_PROMPT },
		{ { .kind = KIND_SHELL, .event = B("PreToolUse"), .decision = DECISION_FORCE_ASK, .reason = because,
			  .gate_raised = true }, { .unattended = true },
			CLAUDE("PreToolUse", "deny", "be\\\"cause\\n2" UNASKED), 0, ESCALATION_GATE_KEPT },
		{ { .kind = KIND_SHELL, .event = B("PreSkillShellCommand"), .decision = DECISION_FORCE_ASK, .reason = because },
			{ 0 }, CLAUDE("PreSkillShellCommand", "deny", "be\\\"cause\\n2" UNASKED), 0, ESCALATION_NO_PROMPT },
		{ { .kind = KIND_SHELL, .event = B("PreSkillShellCommand"), .decision = DECISION_ALLOW, .reason = because },
			{ 0 }, CLAUDE("PreSkillShellCommand", "allow", "be\\\"cause\\n2"), 0, ESCALATION_NONE },
		{ { .kind = KIND_PERMISSION, .event = B("PermissionRequest"), .decision = DECISION_ALLOW }, { 0 },
			PERMISSION("\"behavior\":\"allow\""), 0, ESCALATION_NONE },
		{ { .kind = KIND_PERMISSION, .event = B("PermissionRequest"), .reason = because }, { 0 },
			PERMISSION("\"behavior\":\"deny\",\"message\":\"be\\\"cause\\n2\""), 0, ESCALATION_NONE },
		{ { .kind = KIND_PERMISSION, .event = B("PermissionRequest"), .decision = DECISION_ASK }, { .headless = true },
			"", 0, ESCALATION_NONE },
		{ { .kind = KIND_PERMISSION, .event = B("PermissionRequest"), .decision = DECISION_FORCE_ASK }, { 0 }, "", 0,
			ESCALATION_NONE },
		{ { .kind = KIND_NO_OPINION, .event = B("Stop"), .decision = DECISION_ALLOW }, { 0 }, "", 0,
			ESCALATION_NONE },
		/* Malformed: an allow beside it would not count; without a known event status 2 blocks. */
		{ { .kind = KIND_MALFORMED, .event = B("PreToolUse"), .decision = DECISION_ALLOW, .reason = because }, { 0 },
			CLAUDE("PreToolUse", "deny", "be\\\"cause\\n2"), 0, ESCALATION_NONE },
		{ { .kind = KIND_MALFORMED, .event = B(""), .reason = because }, { 0 },
			CLAUDE("PreToolUse", "deny", "be\\\"cause\\n2"), 2, ESCALATION_NONE },
		{ { .kind = KIND_SHELL, .event = B("Stop"), .decision = DECISION_ALLOW, .reason = because }, { 0 },
			CLAUDE("PreToolUse", "deny", "be\\\"cause\\n2"), 2, ESCALATION_NONE },
	};

	(void)state;
	run(table, ARRAY_LEN(table), reply_claude);
}

#define AGY(decision, reason) "{\"decision\":\"" decision "\",\"reason\":\"" reason "\"}\n"
#define AGY_SELF                                                                                               \
	"r\\nThis needs a person's approval, but agy is set to approve its prompts by itself, so none would "  \
	"be seen. Stop, and ask the user."
#define AGY_UNKNOWN                                                                                            \
	"r\\nThis needs a person's approval, and it could not be found out whether agy would show a prompt. "  \
	"Stop, and ask the user."

static void test_agy(void **state)
{
	char r[] = "r";
	const struct outcome raised = { .kind = KIND_SHELL, .event = B("PreToolUse"), .decision = DECISION_FORCE_ASK,
		.reason = r, .gate_raised = true };
	const struct outcome judged = { .kind = KIND_SHELL, .event = B("PreToolUse"), .decision = DECISION_FORCE_ASK,
		.reason = r };
	const struct expected table[] = {
		{ { .kind = KIND_SHELL, .event = B("PreToolUse"), .decision = DECISION_ALLOW, .reason = r }, { 0 },
			"{\"decision\":\"allow\"}\n", 0, ESCALATION_NONE },
		{ { .kind = KIND_SHELL, .event = B("PreToolUse"), .reason = r }, { 0 }, AGY("deny", "r"), 0,
			ESCALATION_NONE },
		{ { .kind = KIND_SHELL, .event = B("PreToolUse") }, { 0 }, AGY("deny", "blocked by auto-classifier"), 0,
			ESCALATION_NONE },
		{ { .kind = KIND_MALFORMED, .decision = DECISION_ALLOW, .reason = r }, { 0 }, AGY("deny", "r"), 0,
			ESCALATION_NONE },
		{ { .kind = KIND_SHELL, .decision = DECISION_ASK, .reason = r }, { 0 }, AGY("ask", "r"), 0, ESCALATION_NONE },
		{ raised, { 0 }, AGY("force_ask", "r"), 0, ESCALATION_NONE },
		{ raised, { .headless = true },
			AGY("deny", "r\\nNobody can be asked here. Stop, and report it to the user."), 0,
			ESCALATION_GATE_KEPT },
		{ raised, { .prompting = PROMPT_ANSWERED }, AGY("deny", AGY_SELF), 0, ESCALATION_GATE_KEPT },
		{ raised, { .prompting = PROMPT_ANSWERED, .run_escalations = true }, AGY("deny", AGY_SELF), 0,
			ESCALATION_GATE_KEPT },
		{ judged, { .prompting = PROMPT_ANSWERED }, AGY("deny", AGY_SELF), 0, ESCALATION_NO_PROMPT },
		{ judged, { .prompting = PROMPT_ANSWERED, .run_escalations = true }, AGY("force_ask", "r"), 0,
			ESCALATION_ALWAYS_PROCEED },
		{ judged, { .prompting = PROMPT_UNKNOWN, .run_escalations = true }, AGY("deny", AGY_UNKNOWN), 0,
			ESCALATION_NO_PROMPT },
		{ { .kind = KIND_NO_OPINION, .event = B("PreToolUse"), .decision = DECISION_ALLOW }, { 0 },
			"{\"decision\":\"allow\"}\n", 0, ESCALATION_NONE },
		{ { .kind = KIND_PRE_INVOCATION, .event = B("PreInvocation") }, { 0 }, "{\"injectSteps\":[]}\n", 0,
			ESCALATION_NONE },
		{ { .kind = KIND_NO_OPINION, .event = B("PostToolUse") }, { 0 }, "{}\n", 0, ESCALATION_NONE },
		{ { .kind = KIND_NO_OPINION, .event = B("Stop") }, { 0 }, "{}\n", 0, ESCALATION_NONE },
	};

	(void)state;
	run(table, ARRAY_LEN(table), reply_agy);
}

static void test_check(void **state)
{
	char reason[] = "two\nlines", rule[] = "^rm";
	const struct outcome plain = { .kind = KIND_SHELL, .decision = DECISION_ALLOW, .source = SOURCE_EMPTY };
	const struct outcome full = { .kind = KIND_SHELL, .decision = DECISION_FORCE_ASK, .source = SOURCE_FAST_DENY,
		.reason = reason, .rule = rule, .count = 2, .escalated = true, .rule_refusal = true,
		.gate_raised = true };
	struct reply r = { 0 };

	(void)state;
	reply_check(&plain, &r);
	assert_string_equal(r.out.p,
		"{\n  \"decision\": \"allow\",\n  \"consecutiveCount\": 0,\n"
		"  \"escalated\": false,\n  \"source\": \"empty\"\n}\n");
	assert_int_equal(r.status, 0);
	textbuf_reset(&r.out);
	reply_check(&full, &r);
	assert_string_equal(r.out.p,
		"{\n  \"decision\": \"force_ask\",\n  \"reason\": \"two\\nlines\",\n  \"consecutiveCount\": 2,\n"
		"  \"escalated\": true,\n  \"ruleRefusal\": true,\n  \"gateRaised\": true,\n"
		"  \"source\": \"fast-deny\",\n  \"rule\": \"^rm\"\n}\n");
	assert_int_equal(r.status, 1);
	reply_done(&r);
	assert_int_equal(reply_status(DECISION_ASK), 1);
	assert_int_equal(reply_status(DECISION_DENY), 2);
	assert_int_equal(reply_status((enum decision)99), 2);
}

static void test_rows(void **state)
{
	char reason[] = "why", rule[] = "r";
	const struct outcome good = { .kind = KIND_SHELL, .decision = DECISION_ALLOW, .source = SOURCE_FAST_ALLOW,
		.reason = reason, .rule = rule, .row_id = B("a\"1"), .row_id_set = true, .row = 3 };
	const struct outcome nameless = { .kind = KIND_MALFORMED, .source = SOURCE_ERROR, .reason = reason, .row = 4 };
	struct textbuf b = { 0 };

	(void)state;
	reply_row(&good, &b);
	assert_string_equal(b.p,
		"{\"id\":\"a\\\"1\",\"decision\":\"allow\",\"source\":\"fast-allow\",\"reason\":\"why\","
		"\"rule\":\"r\"}\n");
	textbuf_reset(&b);
	reply_row(&nameless, &b);
	assert_string_equal(b.p,
		"{\"id\":null,\"line\":4,\"decision\":\"deny\",\"source\":\"error\",\"reason\":\"why\"}\n");
	textbuf_reset(&b);
	reply_unparsed(&good, &b);
	assert_string_equal(
		b.p, "{\"id\":\"a\\\"1\",\"parse\":false,\"modelled\":false,\"why\":\"why\",\"cmds\":[]}\n");
	textbuf_done(&b);
}

/* `A=1 ls -l $x >out 2>&1` with one effect, in a pipeline. */
static void write_listing(struct writer *w)
{
	const struct listing_redirect out = { .fd = -1, .op = B(">"), .target = B("out"), .target_static = true };
	const struct listing_redirect dup = { .fd = 2, .op = B(">&"), .target = B("1"), .target_static = false };
	const struct listing_effect e = { .effect = B("list"), .place = B("worktree"), .target = B("\033[2J."),
		.verdict = VERDICT_ALLOW };

	listing_begin(w, BYTES("x"), true, 1, true, true, BYTES(""));
	listing_command(w, BYTES("top"), VERDICT_ALLOW, BYTES("not shown"), BYTES("true"));
	listing_word(w, true, BYTES("true"));
	listing_command(w, BYTES("subst/pipe"), VERDICT_OPEN, BYTES("it is odd"), BYTES("A=1 ls -l $x\n>out"));
	listing_word(w, true, BYTES("ls"));
	listing_word(w, true, BYTES("-l"));
	listing_word(w, false, BYTES(""));
	listing_assignment(w, BYTES("A=1"));
	listing_redirect(w, &out);
	listing_redirect(w, &dup);
	listing_effect(w, &e);
	listing_end(w);
}

static void test_listing_json(void **state)
{
	struct writer w = { 0 };
	struct textbuf b = { 0 };
	bool parsed = false;

	(void)state;
	write_listing(&w);
	assert_int_equal(listing_parse_json((struct bytes){ w.p, w.len }, false, &b, &parsed), 0);
	assert_true(parsed);
	assert_string_equal(b.p, "{\"id\":\"x\",\"parse\":true,\"modelled\":true,\"cmds\":["
				 "{\"argv\":[\"true\"],\"context\":\"top\"},"
				 "{\"argv\":[\"ls\",\"-l\",null],\"context\":\"subst/pipe\",\"assigns\":[\"A=1\"],"
				 "\"redirs\":[{\"op\":\">\",\"target\":\"out\"},{\"fd\":2,\"op\":\">&\",\"target\":null}]}]}\n");
	/* A torn body shows nothing at all. */
	textbuf_reset(&b);
	textbuf_puts(&b, "kept");
	for (size_t n = 0; n < w.len; n++) {
		assert_true(listing_parse_json((struct bytes){ w.p, n }, false, &b, &parsed) < 0);
		assert_int_equal(b.len, 4);
	}
	/* So does one whose parts are out of order: it would name a member twice. */
	wr_reset(&w);
	listing_begin(&w, BYTES(""), false, 0, true, true, BYTES(""));
	listing_command(&w, BYTES("top"), VERDICT_ALLOW, BYTES(""), BYTES("ls"));
	listing_assignment(&w, BYTES("A=1"));
	listing_word(&w, true, BYTES("ls"));
	listing_end(&w);
	assert_int_equal(listing_parse_json((struct bytes){ w.p, w.len }, false, &b, &parsed), -EPROTO);
	assert_int_equal(b.len, 4);
	wr_done(&w);
	textbuf_done(&b);
}

static void test_explain(void **state)
{
	char reason[] = "found\nodd";
	const struct outcome o = { .kind = KIND_SHELL, .decision = DECISION_DENY, .source = SOURCE_OFFLINE,
		.reason = reason };
	struct writer w = { 0 };
	struct textbuf b = { 0 };

	(void)state;
	write_listing(&w);
	assert_int_equal(listing_explain_text((struct bytes){ w.p, w.len }, &o, false, &b), 0);
	assert_string_equal(b.p, "deny  offline: found\nodd\n"
				 "\n  fine     true\n"
				 "      unsure   A=1 ls -l $x\\n>out  in a pipeline\n"
				 "               it is odd\n"
				 "               · list \\u{1b}[2J. (worktree)\n");
	textbuf_reset(&b);
	assert_int_equal(listing_explain_text((struct bytes){ w.p, w.len }, &o, true, &b), 0);
	assert_non_null(strstr(b.p, "\033[31mdeny\033[0m"));
	assert_non_null(strstr(b.p, "\033[33munsure \033[0m"));
	textbuf_reset(&b);
	assert_int_equal(listing_explain_json((struct bytes){ w.p, w.len }, &o, &b), 0);
	assert_json(b.p, b.len);
	assert_non_null(strstr(b.p, "\"effect\":\"list\""));
	textbuf_reset(&b);
	assert_int_equal(listing_explain_json((struct bytes){ "", 0 }, &o, &b), 0);
	assert_json(b.p, b.len);
	wr_done(&w);
	textbuf_done(&b);
}

/* What the guard prints when nobody else can: one JSON object, a reason, and a status that blocks. */
static void test_last_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < HARNESS__MAX; i++) {
		const struct harness_spec *s = &harness_specs[i];

		assert_json(s->last_word.out, strlen(s->last_word.out));
		assert_non_null(strstr(s->last_word.out, "deny"));
		assert_int_equal(s->last_word.out[strlen(s->last_word.out) - 1], '\n');
		assert_true(strlen(s->last_word.err) > 1);
		assert_true(s->last_word.status == 2 || i == HARNESS_AGY);
		assert_true(s->limit_ms >= 20000 && s->limit_ms <= 60000);
		if (i > 0)
			assert_int_equal(harness_from_name(s->name, strlen(s->name)), i);
	}
	assert_int_equal(harness_from_name("", 0), HARNESS_UNKNOWN);
	assert_int_equal(harness_from_wire(HARNESS__MAX), HARNESS_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_claude),
		cmocka_unit_test(test_agy),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_listing_json),
		cmocka_unit_test(test_explain),
		cmocka_unit_test(test_last_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
