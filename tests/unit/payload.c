/* SPDX-License-Identifier: Apache-2.0 */
/* Payload decoders: what each harness sends, and every way it can be wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "worker/payload/payload.h"

#define CLAUDE_HEAD                                                                                            \
	"\"session_id\":\"s-1\",\"transcript_path\":\"/home/ada/.claude/projects/-srv-shop/s-1.jsonl\","       \
	"\"cwd\":\"/srv/shop\",\"permission_mode\":\"default\",\"effort\":{\"level\":\"low\"},"
#define CLAUDE_BASH(event) "{" CLAUDE_HEAD "\"hook_event_name\":\"" event "\",\"tool_name\":\"Bash\","         \
	"\"tool_input\":{\"command\":\"make -j2 \\u00e9\",\"description\":\"Build\",\"timeout\":9000},"        \
	"\"tool_use_id\":\"toolu_7\"}"
#define AGY_HEAD "\"conversationId\":\"c-9\",\"workspacePaths\":[\"/srv/shop\"],\"transcriptPath\":\"/t\","  \
	"\"modelName\":\"m\",\"stepIdx\":3,"
#define AGY_RUN(args) "{" AGY_HEAD "\"toolCall\":{\"name\":\"run_command\",\"args\":" args "}}"

struct expected {
	const char *input;
	enum harness harness;
	const char *event;
	enum request_kind kind;
	enum harness as;
	const char *ret_event, *session, *cwd, *command, *tool, *call_id;
};

static const struct expected good[] = {
	{ CLAUDE_BASH("PreToolUse"), HARNESS_CLAUDE, "", KIND_SHELL, HARNESS_CLAUDE, "PreToolUse", "s-1", "/srv/shop",
		"make -j2 \xc3\xa9", "Bash", "toolu_7" },
	{ CLAUDE_BASH("PreToolUse"), HARNESS_CLAUDE, "PreToolUse", KIND_SHELL, HARNESS_CLAUDE, "PreToolUse", "s-1",
		"/srv/shop", "make -j2 \xc3\xa9", "Bash", "toolu_7" },
	{ CLAUDE_BASH("PreToolUse"), HARNESS_UNKNOWN, "", KIND_SHELL, HARNESS_CLAUDE, "PreToolUse", "s-1", "/srv/shop",
		"make -j2 \xc3\xa9", "Bash", "toolu_7" },
	{ CLAUDE_BASH("PreSkillShellCommand"), HARNESS_CLAUDE, "", KIND_SHELL, HARNESS_CLAUDE, "PreSkillShellCommand",
		"s-1", "/srv/shop", "make -j2 \xc3\xa9", "Bash", "toolu_7" },
	{ CLAUDE_BASH("PermissionRequest"), HARNESS_CLAUDE, "", KIND_PERMISSION, HARNESS_CLAUDE, "PermissionRequest",
		"s-1", "/srv/shop", "make -j2 \xc3\xa9", "Bash", "toolu_7" },
	/* Events and tools that are nobody's business yet. */
	{ CLAUDE_BASH("PostToolUse"), HARNESS_CLAUDE, "", KIND_NO_OPINION, HARNESS_CLAUDE, "PostToolUse", "", "", "", "",
		"" },
	{ "{\"hook_event_name\":\"SessionEnd\"}", HARNESS_CLAUDE, "", KIND_NO_OPINION, HARNESS_CLAUDE, "SessionEnd", "",
		"", "", "", "" },
	{ "{" CLAUDE_HEAD "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"mcp__mail__send\",\"tool_input\":{}}",
		HARNESS_CLAUDE, "", KIND_NO_OPINION, HARNESS_CLAUDE, "PreToolUse", "s-1", "/srv/shop", "",
		"mcp__mail__send", "" },
	/* agy */
	{ AGY_RUN("{\"CommandLine\":\"ls\",\"Cwd\":\"/srv/shop/lib\",\"WaitMsBeforeAsync\":5}"), HARNESS_AGY, "",
		KIND_SHELL, HARNESS_AGY, "PreToolUse", "c-9", "/srv/shop/lib", "ls", "run_command", "" },
	{ AGY_RUN("{\"CommandLine\":\"ls\",\"Cwd\":\"lib/../web\"}"), HARNESS_AGY, "pretooluse", KIND_SHELL, HARNESS_AGY,
		"PreToolUse", "c-9", "/srv/shop/web", "ls", "run_command", "" },
	{ AGY_RUN("{\"CommandLine\":\"ls\",\"Cwd\":\".\"}"), HARNESS_UNKNOWN, "", KIND_SHELL, HARNESS_AGY, "PreToolUse",
		"c-9", "/srv/shop", "ls", "run_command", "" },
	/* protojson leaves out what is empty */
	{ AGY_RUN("{}"), HARNESS_AGY, "", KIND_SHELL, HARNESS_AGY, "PreToolUse", "c-9", "/srv/shop", "", "run_command",
		"" },
	{ "{\"toolCall\":{\"name\":\"run_command\",\"args\":{\"CommandLine\":\"ls\",\"Cwd\":\"lib\"}}}", HARNESS_AGY, "",
		KIND_SHELL, HARNESS_AGY, "PreToolUse", "agy-session", "", "ls", "run_command", "" },
	{ "{" AGY_HEAD "\"toolCall\":{\"name\":\"view_file\",\"args\":{\"AbsolutePath\":\"/x\"}}}", HARNESS_AGY, "",
		KIND_NO_OPINION, HARNESS_AGY, "PreToolUse", "c-9", "", "", "view_file", "" },
	{ "{" AGY_HEAD "\"invocationNum\":4,\"initialNumSteps\":2}", HARNESS_AGY, "", KIND_PRE_INVOCATION, HARNESS_AGY,
		"PreInvocation", "c-9", "", "", "", "" },
	{ AGY_RUN("{\"CommandLine\":\"ls\"}"), HARNESS_AGY, "PostToolUse", KIND_NO_OPINION, HARNESS_AGY, "PostToolUse",
		"c-9", "", "", "", "" },
	{ "{" AGY_HEAD "\"fullyIdle\":true}", HARNESS_AGY, "Stop", KIND_NO_OPINION, HARNESS_AGY, "Stop", "c-9", "", "",
		"", "" },
};

static void decode(const struct expected *e, struct arena *arena, struct payload *ret)
{
	assert_int_equal(payload_decode(arena, e->harness, (struct bytes){ e->event, strlen(e->event) },
		(struct bytes){ e->input, strlen(e->input) }, ret), 0);
}

static void assert_bytes(struct bytes have, const char *want, const char *input)
{
	if (!bytes_is(have, want))
		fail_msg("\"%.*s\" is not \"%s\" in %s", (int)have.len, have.p ? have.p : "", want, input);
}

static void test_good(void **state)
{
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		const struct expected *e = &good[i];
		struct payload p;

		decode(e, &arena, &p);
		if (p.kind != e->kind)
			fail_msg("kind %d, not %d (%s) of %s", p.kind, e->kind, p.why ? p.why : "", e->input);
		assert_int_equal(p.harness, e->as);
		assert_bytes(p.event, e->ret_event, e->input);
		assert_bytes(p.session, e->session, e->input);
		assert_bytes(p.cwd, e->cwd, e->input);
		assert_bytes(p.command, e->command, e->input);
		assert_bytes(p.tool, e->tool, e->input);
		assert_bytes(p.call_id, e->call_id, e->input);
		arena_reset(&arena);
	}
	arena_done(&arena);
}

#define CLAUDE_WITH(tail) "{" CLAUDE_HEAD "\"hook_event_name\":\"PreToolUse\"," tail "}"

static const struct expected bad[] = {
	{ "", HARNESS_CLAUDE, "" },
	{ " \n", HARNESS_AGY, "" },
	{ "", HARNESS_UNKNOWN, "" },
	{ "null", HARNESS_CLAUDE, "" },
	{ "[]", HARNESS_CLAUDE, "" },
	{ "\"ls\"", HARNESS_AGY, "" },
	{ "{", HARNESS_AGY, "" },
	{ "{}", HARNESS_CLAUDE, "" },
	{ "{}", HARNESS_UNKNOWN, "" },
	{ "{\"hook_event_name\":7}", HARNESS_CLAUDE, "" },
	{ "{\"hook_event_name\":\"PreToolUse\"}", HARNESS_CLAUDE, "" },
	{ CLAUDE_BASH("PreToolUse") " x", HARNESS_CLAUDE, "" },
	{ CLAUDE_BASH("PreToolUse") CLAUDE_BASH("PreToolUse"), HARNESS_CLAUDE, "" },
	{ CLAUDE_BASH("PostToolUse"), HARNESS_CLAUDE, "PreToolUse" },
	{ CLAUDE_WITH("\"tool_name\":\"Bash\""), HARNESS_CLAUDE, "" },
	{ CLAUDE_WITH("\"tool_name\":\"\",\"tool_input\":{}"), HARNESS_CLAUDE, "" },
	{ CLAUDE_WITH("\"tool_name\":[\"Bash\"],\"tool_input\":{}"), HARNESS_CLAUDE, "" },
	{ CLAUDE_WITH("\"tool_name\":\"Bash\",\"tool_input\":\"ls\""), HARNESS_CLAUDE, "" },
	{ CLAUDE_WITH("\"tool_name\":\"Bash\",\"tool_input\":{}"), HARNESS_CLAUDE, "" },
	{ CLAUDE_WITH("\"tool_name\":\"Bash\",\"tool_input\":{\"command\":[\"ls\"]}"), HARNESS_CLAUDE, "" },
	{ CLAUDE_WITH("\"tool_name\":\"Bash\",\"tool_input\":{\"command\":null}"), HARNESS_CLAUDE, "" },
	{ CLAUDE_WITH("\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\\u0000; rm x\"}"), HARNESS_CLAUDE, "" },
	{ CLAUDE_WITH("\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\",\"command\":\"rm x\"}"), HARNESS_CLAUDE,
		"" },
	{ CLAUDE_WITH("\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"\xff\"}"), HARNESS_CLAUDE, "" },
	{ CLAUDE_WITH("\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"},\"tool_use_id\":5"), HARNESS_CLAUDE,
		"" },
	{ CLAUDE_WITH("\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"},\"x\":1e999"), HARNESS_CLAUDE, "" },
	{ "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"lib\",\"tool_name\":\"Bash\","
	  "\"tool_input\":{\"command\":\"ls\"}}", HARNESS_CLAUDE, "" },
	{ "{\"hook_event_name\":\"PreToolUse\",\"cwd\":\"/\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}",
		HARNESS_CLAUDE, "" },
	/* agy */
	{ "{" AGY_HEAD "\"toolCall\":7}", HARNESS_AGY, "" },
	{ "{" AGY_HEAD "\"x\":7}", HARNESS_AGY, "PreToolUse" },
	{ "{" AGY_HEAD "\"toolCall\":{\"name\":\"run_command\"}}", HARNESS_AGY, "" },
	{ "{" AGY_HEAD "\"toolCall\":{\"args\":{}}}", HARNESS_AGY, "" },
	{ "{\"conversationId\":1,\"toolCall\":{\"name\":\"run_command\",\"args\":{}}}", HARNESS_AGY, "" },
	{ AGY_RUN("[]"), HARNESS_AGY, "" },
	{ AGY_RUN("{\"CommandLine\":7}"), HARNESS_AGY, "" },
	{ AGY_RUN("{\"CommandLine\":\"a\\u0000b\"}"), HARNESS_AGY, "" },
	{ AGY_RUN("{\"CommandLine\":\"ls\",\"commandLine\":\"rm -rf lib\"}"), HARNESS_AGY, "" },
	{ AGY_RUN("{\"COMMANDLINE\":\"rm -rf lib\"}"), HARNESS_AGY, "" },
	{ AGY_RUN("{\"CommandLine\":\"ls\",\"Cwd\":{}}"), HARNESS_AGY, "" },
	{ AGY_RUN("{\"CommandLine\":\"ls\",\"CommandLine\":\"ls\"}"), HARNESS_AGY, "" },
	{ "{\"workspacePaths\":\"/srv\",\"toolCall\":{\"name\":\"run_command\",\"args\":{}}}", HARNESS_AGY, "" },
	/* payloads of others, and of two at once, reaching a hook without a name */
	{ "{" CLAUDE_HEAD "\"turn_id\":\"t\",\"model\":\"m\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
	  "\"tool_input\":{\"command\":\"ls\"}}", HARNESS_UNKNOWN, "" },
	{ "{" CLAUDE_HEAD "\"timestamp\":\"2026-01-01T00:00:00Z\",\"hook_event_name\":\"BeforeTool\"}", HARNESS_UNKNOWN,
		"" },
	{ "{\"conversation_id\":\"c\",\"generation_id\":\"g\",\"hook_event_name\":\"beforeShellExecution\","
	  "\"session_id\":\"s\",\"command\":\"ls\",\"cwd\":\"\"}", HARNESS_UNKNOWN, "" },
	{ "{" CLAUDE_HEAD "\"hook_event_name\":\"preToolUse\"}", HARNESS_UNKNOWN, "" },
	{ "{" CLAUDE_HEAD "\"hook_event_name\":\"PreToolUse\",\"toolCall\":{\"name\":\"x\"}}", HARNESS_UNKNOWN, "" },
};

static void test_bad(void **state)
{
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct payload p;

		decode(&bad[i], &arena, &p);
		if (p.kind != KIND_MALFORMED || !p.why || !*p.why)
			fail_msg("not refused with a reason: %s", bad[i].input);
		arena_reset(&arena);
	}
	arena_done(&arena);
}

/* Depth and a NUL byte in the text itself cannot stand in the table. */
static void test_bad_bytes(void **state)
{
	static const char with_nul[] = CLAUDE_WITH("\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"l\0s\"}");
	struct arena arena = { 0 };
	struct payload p;
	char deep[4096];

	(void)state;
	assert_int_equal(payload_decode(&arena, HARNESS_CLAUDE, BYTES(""), BYTES(with_nul), &p), 0);
	assert_int_equal(p.kind, KIND_MALFORMED);
	memset(deep, '[', sizeof(deep));
	assert_int_equal(payload_decode(&arena, HARNESS_AGY, BYTES(""), (struct bytes){ deep, sizeof(deep) }, &p), 0);
	assert_int_equal(p.kind, KIND_MALFORMED);
	arena_done(&arena);
}

static void test_every_truncation(void **state)
{
	static const char whole[] = CLAUDE_BASH("PreToolUse");
	struct arena arena = { 0 };

	(void)state;
	for (size_t n = 0; n < sizeof(whole) - 1; n++) {
		struct payload p;

		assert_int_equal(payload_decode(&arena, HARNESS_CLAUDE, BYTES(""), (struct bytes){ whole, n }, &p), 0);
		assert_int_equal(p.kind, KIND_MALFORMED);
		arena_reset(&arena);
	}
	arena_done(&arena);
}

static void test_foreign_shell(void **state)
{
	struct arena arena = { 0 };
	struct expected e = { CLAUDE_WITH("\"tool_name\":\"PowerShell\",\"tool_input\":{\"command\":\"ls\"}"),
		HARNESS_CLAUDE, "" };
	struct payload p;

	(void)state;
	decode(&e, &arena, &p);
	assert_int_equal(p.kind, KIND_SHELL);
	assert_true(p.foreign_shell);
	arena_done(&arena);
}

static void test_rows(void **state)
{
	static const struct {
		const char *line, *id, *command, *cwd, *session;
		bool id_set, good;
	} rows[] = {
		{ "{\"id\":\"a\",\"command\":\"ls\"}", "a", "ls", "", "", true, true },
		{ "{\"id\":\"a\",\"command\":\"ls\",\"cwd\":\"/srv\",\"session\":\"s\",\"kind\":[1]}\r", "a", "ls", "/srv", "s",
			true, true },
		{ "{\"id\":\"\",\"command\":\"\"}", "", "", "", "", true, true },
		{ "{\"id\":\"a\"}", "a", "", "", "", true, false },
		{ "{\"id\":\"a\",\"command\":null}", "a", "", "", "", true, false },
		{ "{\"id\":\"a\",\"command\":\"x\\u0000\"}", "a", "", "", "", true, false },
		{ "{\"id\":\"a\",\"command\":\"ls\",\"cwd\":\"srv\"}", "a", "ls", "srv", "", true, false },
		{ "{\"id\":\"a\",\"command\":\"ls\",\"session\":3}", "a", "ls", "", "", true, false },
		{ "{\"id\":7,\"command\":\"ls\"}", "", "", "", "", false, false },
		{ "{\"command\":\"ls\"}", "", "", "", "", false, false },
		{ "ls", "", "", "", "", false, false },
		{ "{\"id\":\"a\",\"id\":\"b\",\"command\":\"ls\"}", "", "", "", "", false, false },
	};
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct row row;

		assert_int_equal(row_decode(&arena, (struct bytes){ rows[i].line, strlen(rows[i].line) }, &row), 0);
		assert_int_equal(row.id_set, rows[i].id_set);
		assert_int_equal(row.why == NULL, rows[i].good);
		assert_bytes(row.id, rows[i].id, rows[i].line);
		assert_bytes(row.command, rows[i].command, rows[i].line);
		assert_bytes(row.cwd, rows[i].cwd, rows[i].line);
		assert_bytes(row.session, rows[i].session, rows[i].line);
	}
	arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_bad_bytes),
		cmocka_unit_test(test_every_truncation),
		cmocka_unit_test(test_foreign_shell),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
