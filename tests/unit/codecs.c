/* SPDX-License-Identifier: Apache-2.0 */
/* Message bodies: what goes in comes out; anything torn, stretched or out of range does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "policy/assessment.h"
#include "policy/listing.h"
#include "policy/question.h"
#include "policy/request.h"

static void assert_bytes(struct bytes got, const char *want)
{
	assert_true(bytes_is(got, want));
}

static struct assessment sample_assessment(void)
{
	return (struct assessment){
		.kind = KIND_SHELL,
		.harness = HARNESS_CLAUDE,
		.event = BYTES("PreToolUse"),
		.tool = BYTES("Bash"),
		.call_id = BYTES("call-1"),
		.session = BYTES("s"),
		.cwd = BYTES("/srv"),
		.command = BYTES("rm -rf /\0x"),
		.row_id = BYTES("7"),
		.row = 9,
		.row_id_set = true,
		.verdict = VERDICT_OPEN,
		.source = SOURCE_FAST_DENY,
		.reason = { .id = REASON_FAST_DENY, .n_args = 2, .args = { BYTES("one"), BYTES("") } },
		.rule = BYTES("r"),
		.injection_pattern = BYTES("i"),
		.flags = ASSESS_TELL | ASSESS_PARTIAL,
		.effects = BYTES("rm delete /"),
		.n_causes = 2,
		.causes = { { BYTES("rm"), BYTES("delete"), BYTES("/") }, { BYTES("a"), BYTES("b"), BYTES("c") } },
	};
}

static void assessment_round_trip(void **state)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	struct assessment in = sample_assessment(), out;

	(void)state;
	assessment_encode(&w, &in);
	assert_false(w.bad);
	assert_int_equal(assessment_decode((struct bytes){ w.p, w.len }, &out), 0);
	assert_int_equal(out.kind, KIND_SHELL);
	assert_int_equal(out.harness, HARNESS_CLAUDE);
	assert_int_equal(out.verdict, VERDICT_OPEN);
	assert_int_equal(out.source, SOURCE_FAST_DENY);
	assert_bytes(out.event, "PreToolUse");
	assert_true(bytes_eq(out.command, in.command));
	assert_true(out.row_id_set);
	assert_int_equal(out.row, 9);
	assert_int_equal(out.flags, ASSESS_TELL | ASSESS_PARTIAL);
	assert_int_equal(out.reason.id, REASON_FAST_DENY);
	assert_int_equal(out.reason.n_args, 2);
	assert_bytes(out.reason.args[0], "one");
	assert_int_equal(out.n_causes, 2);
	assert_bytes(out.causes[1].target, "c");
	assert_bytes(out.effects, "rm delete /");
}

/* Every prefix, and the whole with one byte more, is refused. */
static void assert_only_whole(struct bytes body, int (*decode)(struct bytes body))
{
	char *longer = malloc(body.len + 1);

	assert_non_null(longer);
	memcpy(longer, body.p, body.len);
	longer[body.len] = 0;
	for (size_t n = 0; n < body.len; n++) {
		/* A copy of that size, so that a sanitizer sees a read past it. */
		char *torn = malloc(n + 1);

		memcpy(torn, body.p, n);
		assert_int_equal(decode((struct bytes){ torn, n }), -EPROTO);
		free(torn);
	}
	assert_int_equal(decode(body), 0);
	assert_int_equal(decode((struct bytes){ longer, body.len + 1 }), -EPROTO);
	free(longer);
}

static int try_assessment(struct bytes body)
{
	struct assessment a;

	return assessment_decode(body, &a);
}

static int try_question(struct bytes body)
{
	struct question q;

	return question_decode(body, &q);
}

static int try_answer(struct bytes body)
{
	struct answer a;

	return answer_decode(body, &a);
}

static int try_request(struct bytes body)
{
	struct request q;

	return request_decode(body, &q);
}

static int try_policy(struct bytes body)
{
	CLEANUP(worker_policy_done) struct worker_policy p = { 0 };

	return worker_policy_decode(body, &p);
}

static int try_listing(struct bytes body)
{
	static const struct listing_visitor nothing;

	return listing_walk(body, &nothing, NULL);
}

static void encode_policy(struct writer *w)
{
	struct bytes deny[] = { BYTES("^rm"), BYTES("^dd") }, roots[] = { BYTES("/tmp/") };
	const struct worker_policy p = {
		.fast_deny = { deny, 2 },
		.scratch_roots = { roots, 1 },
		.home = BYTES("/home/u"),
		.shell = BYTES("/bin/bash"),
		.home_is_another = true,
		.trust_landed_scripts = true,
	};

	worker_policy_encode(w, &p);
}

static void encode_listing(struct writer *w)
{
	const struct listing_redirect r = { .fd = -1, .op = BYTES(">"), .target = BYTES("f"), .target_static = true };
	const struct listing_effect e = { BYTES("write"), BYTES("workspace"), BYTES("f"), VERDICT_ALLOW };

	listing_begin(w, BYTES("id"), true, 3, true, false, BYTES("why"));
	listing_command(w, BYTES("top"), VERDICT_OPEN, BYTES("unknown"), BYTES("x $y >f"));
	listing_word(w, true, BYTES("x"));
	listing_word(w, false, BYTES(""));
	listing_assignment(w, BYTES("A=1"));
	listing_redirect(w, &r);
	listing_effect(w, &e);
	listing_end(w);
}

static void only_whole_bodies(void **state)
{
	const struct assessment assessment = sample_assessment();
	const struct question question = { ASK_PATH, BYTES("/srv"), BYTES("f"), BYTES("entry") };
	const struct answer answer = { .kind = ASK_FILE, .status = ANSWER_KNOWN, .type = PATH_FILE, .facts = FACT_GATE,
		.real = BYTES("/srv/f"), .content = BYTES("text\0text"), .size = 9, .detail = BYTES("d") };
	const struct request request = { .mode = REQUEST_CHECK, .harness = HARNESS_CLI, .session = BYTES("s"),
		.cwd = BYTES("/"), .first_row = 1, .input = BYTES("ls") };
	CLEANUP(wr_done) struct writer w = { 0 };

	(void)state;
	assessment_encode(&w, &assessment);
	assert_only_whole((struct bytes){ w.p, w.len }, try_assessment);
	wr_reset(&w);
	question_encode(&w, &question);
	assert_only_whole((struct bytes){ w.p, w.len }, try_question);
	wr_reset(&w);
	answer_encode(&w, &answer);
	assert_only_whole((struct bytes){ w.p, w.len }, try_answer);
	wr_reset(&w);
	request_encode(&w, &request);
	assert_only_whole((struct bytes){ w.p, w.len }, try_request);
	wr_reset(&w);
	encode_policy(&w);
	assert_only_whole((struct bytes){ w.p, w.len }, try_policy);
	wr_reset(&w);
	encode_listing(&w);
	assert_only_whole((struct bytes){ w.p, w.len }, try_listing);
}

/* Enumerations stand in the first bytes of an assessment: kind, harness, verdict, source, then a flag. */
static void unknown_members_are_strict(void **state)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	struct assessment in = sample_assessment(), out;

	(void)state;
	in.verdict = VERDICT_ALLOW;
	in.source = SOURCE_FAST_ALLOW;
	assessment_encode(&w, &in);
	for (int v = 0; v < 256; v++) {
		w.p[0] = w.p[1] = w.p[2] = w.p[3] = (char)v;
		assert_int_equal(assessment_decode((struct bytes){ w.p, w.len }, &out), 0);
		assert_int_equal(out.kind, v < KIND__MAX ? v : KIND_MALFORMED);
		assert_int_equal(out.harness, v < HARNESS__MAX ? v : HARNESS_UNKNOWN);
		assert_int_equal(out.verdict, v < VERDICT__MAX ? v : VERDICT_DENY);
		assert_int_equal(out.source, v < SOURCE__MAX ? v : SOURCE_ERROR);
	}
	w.p[4] = 2;
	assert_int_equal(try_assessment((struct bytes){ w.p, w.len }), -EPROTO);
}

static void unknown_questions_and_bits_are_refused(void **state)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	struct answer a = { .kind = ASK_PATH, .facts = FACT__ALL + 1u }, out;
	struct assessment flagged = sample_assessment();
	struct request q = { .mode = REQUEST__MAX };

	(void)state;
	for (unsigned int kind = 0; kind < 256; kind++) {
		const struct question question = { .kind = (enum question_kind)kind };

		wr_reset(&w);
		question_encode(&w, &question);
		assert_int_equal(try_question((struct bytes){ w.p, w.len }), kind > 0 && kind < ASK__MAX ? 0 : -EPROTO);
	}
	wr_reset(&w);
	answer_encode(&w, &a);
	assert_int_equal(try_answer((struct bytes){ w.p, w.len }), -EPROTO);
	a.facts = 0;
	a.status = (enum answer_status)77;
	a.type = (enum path_type)77;
	wr_reset(&w);
	answer_encode(&w, &a);
	assert_int_equal(answer_decode((struct bytes){ w.p, w.len }, &out), 0);
	assert_int_equal(out.status, ANSWER_REFUSED);
	assert_int_equal(out.type, PATH_UNKNOWN);
	flagged.flags = ASSESS__ALL + 1u;
	wr_reset(&w);
	assessment_encode(&w, &flagged);
	assert_int_equal(try_assessment((struct bytes){ w.p, w.len }), -EPROTO);
	wr_reset(&w);
	request_encode(&w, &q);
	assert_int_equal(try_request((struct bytes){ w.p, w.len }), -EPROTO);
}

static void paths_hold_no_nul(void **state)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	const struct question q = { ASK_PATH, BYTES("/srv"), BYTES("a\0b"), BYTES("") };

	(void)state;
	question_encode(&w, &q);
	assert_int_equal(try_question((struct bytes){ w.p, w.len }), -EPROTO);
}

static void lists_are_bounded(void **state)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	static struct bytes many[POLICY_LIST_MAX + 1];
	struct worker_policy p = { .tools_deny = { many, POLICY_LIST_MAX } };

	(void)state;
	worker_policy_encode(&w, &p);
	assert_int_equal(try_policy((struct bytes){ w.p, w.len }), 0);
	wr_reset(&w);
	p.tools_deny.n = POLICY_LIST_MAX + 1;
	worker_policy_encode(&w, &p);
	assert_true(w.bad);
	/* A count that is announced and not there. */
	wr_reset(&w);
	wr_u32(&w, POLICY_LIST_MAX);
	assert_int_equal(try_policy((struct bytes){ w.p, w.len }), -EPROTO);
}

struct seen {
	char text[256];
};

static void note(void *data, const char *what, struct bytes b)
{
	struct seen *s = data;
	size_t n = strlen(s->text);

	(void)snprintf(s->text + n, sizeof(s->text) - n, "%s:%.*s ", what, (int)b.len, b.p);
}

static void on_line(void *data, struct bytes id, bool set, uint32_t row, bool parsed, bool modelled, struct bytes why)
{
	assert_true(set && row == 3 && parsed && !modelled);
	note(data, "line", id);
	note(data, "why", why);
}

static void on_command(void *data, struct bytes context, enum verdict v, struct bytes why, struct bytes src)
{
	assert_int_equal(v, VERDICT_OPEN);
	note(data, "context", context);
	note(data, "because", why);
	note(data, "src", src);
}

static void on_word(void *data, bool is_static, struct bytes value)
{
	note(data, is_static ? "word" : "dynamic", value);
}

static void on_assignment(void *data, struct bytes text)
{
	note(data, "assignment", text);
}

static void on_redirect(void *data, const struct listing_redirect *r)
{
	assert_int_equal(r->fd, -1);
	note(data, "op", r->op);
	note(data, r->target_static ? "target" : "dynamic", r->target);
}

static void on_effect(void *data, const struct listing_effect *e)
{
	assert_int_equal(e->verdict, VERDICT_ALLOW);
	note(data, "effect", e->effect);
	note(data, "place", e->place);
}

static void on_end(void *data)
{
	note(data, "end", BYTES(""));
}

static void listing_is_walked_in_order(void **state)
{
	static const struct listing_visitor v = { on_line, on_command, on_word, on_assignment, on_redirect, on_effect,
		on_end };
	CLEANUP(wr_done) struct writer w = { 0 };
	struct seen seen = { "" };

	(void)state;
	encode_listing(&w);
	assert_int_equal(listing_walk((struct bytes){ w.p, w.len }, &v, &seen), 0);
	assert_string_equal(seen.text, "line:id why:why context:top because:unknown src:x $y >f word:x dynamic: "
		"assignment:A=1 op:> target:f effect:write place:workspace end: ");
}

static void parts_belong_to_a_command(void **state)
{
	CLEANUP(wr_done) struct writer w = { 0 };

	(void)state;
	listing_begin(&w, BYTES(""), false, 0, true, true, BYTES(""));
	listing_word(&w, true, BYTES("stray"));
	listing_end(&w);
	assert_int_equal(try_listing((struct bytes){ w.p, w.len }), -EPROTO);
	wr_reset(&w);
	listing_begin(&w, BYTES(""), false, 0, true, true, BYTES(""));
	wr_u8(&w, 99);
	assert_int_equal(try_listing((struct bytes){ w.p, w.len }), -EPROTO);
}

static void names_are_fixed(void **state)
{
	static const char *const sources[SOURCE__MAX] = { "error", "empty", "fast-deny", "upload", "fast-allow",
		"retry", "landed", "cache", "llm", "triage", "fallback", "offline", "truncated" };
	static const char *const decisions[DECISION__MAX] = { "deny", "ask", "force_ask", "allow" };

	(void)state;
	for (unsigned int s = 0; s < SOURCE__MAX; s++)
		assert_string_equal(source_name((enum source)s), sources[s]);
	for (unsigned int d = 0; d < DECISION__MAX; d++)
		assert_string_equal(decision_name((enum decision)d), decisions[d]);
	assert_string_equal(decision_name((enum decision)1000), "deny");
	assert_string_equal(source_name((enum source)1000), "error");
	assert_string_equal(verdict_name((enum verdict)1000), "deny");
}

static void reasons_are_rendered_harmless(void **state)
{
	const struct bytes args[] = { BYTES("a\n\x1b[31mb"), BYTES("unused") };
	char *text = reason_render(REASON_FAST_DENY, args, 1);

	(void)state;
	assert_non_null(text);
	assert_string_equal(text, "critical safety rule matched (a\\n\\u{1b}[31mb)");
	free(text);
	/* An argument that was not given leaves a gap, not a stale pointer. */
	text = reason_render(REASON_FAST_DENY, args, 0);
	assert_string_equal(text, "critical safety rule matched ()");
	free(text);
	for (uint32_t r = 0; r < REASON__MAX; r++) {
		const char *template = reason_template(reason_from_wire(r));

		assert_non_null(template);
		assert_true(*template != '\0' && template[strlen(template) - 1] != '.');
	}
	assert_int_equal(reason_from_wire(REASON__MAX), REASON_INTERNAL);
}

/* At whichever byte of a secret a long argument is cut, nothing of the secret is said. */
static void reasons_hold_no_secret(void **state)
{
	static const char *const secrets[] = { "ghp_" "abcdefghijklmnopqrstuvwxyz0123456789",
		"API_KEY=" "abcdefghi12345678", "-u me:" "abcdefghi", "https://me:" "abcdefghi" "@host" };
	char long_text[500];

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(secrets); k++) {
		for (int before = 230; before < 320; before++) {
			struct bytes arg = { long_text, 0 };
			char *text;

			arg.len = (size_t)snprintf(
				long_text, sizeof(long_text), "%0*d %s and more", before, 0, secrets[k]);
			text = reason_render(REASON_FAST_DENY, &arg, 1);
			assert_non_null(text);
			assert_null(strstr(text, "abcdef"));
			free(text);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(assessment_round_trip),
		cmocka_unit_test(only_whole_bodies),
		cmocka_unit_test(unknown_members_are_strict),
		cmocka_unit_test(unknown_questions_and_bits_are_refused),
		cmocka_unit_test(paths_hold_no_nul),
		cmocka_unit_test(lists_are_bounded),
		cmocka_unit_test(listing_is_walked_in_order),
		cmocka_unit_test(parts_belong_to_a_command),
		cmocka_unit_test(names_are_fixed),
		cmocka_unit_test(reasons_are_rendered_harmless),
		cmocka_unit_test(reasons_hold_no_secret),
	};

	return cmocka_run_group_tests_name("codecs", tests, NULL, NULL);
}
