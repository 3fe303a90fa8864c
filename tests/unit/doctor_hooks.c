/* SPDX-License-Identifier: Apache-2.0 */
/* What `doctor` makes of the harnesses' settings: every way a hook can look installed and not be. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "broker/cli/doctor.h"
#include "tests/unit/scratch.h"

static char home[SCRATCH_SIZE];

static int setup(void **state)
{
	(void)state;
	scratch_make("/tmp/doctor", home);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return scratch_remove(home);
}

static void put(const char *name, const char *text)
{
	scratch_put(home, name, text, strlen(text));
}

static char search[SCRATCH_SIZE + 32];

/* The command, in the second directory of PATH. */
static void put_program(void)
{
	char path[SCRATCH_SIZE + 32];

	put("bin/auto-classifier", "#!/bin/false\n");
	snprintf(path, sizeof(path), "%s/bin/auto-classifier", home);
	assert_int_equal(chmod(path, 0755), 0);
	snprintf(search, sizeof(search), "/nowhere:%s/bin", home);
}

#define CLAUDE ".claude/settings.json"
#define AGY ".gemini/config/hooks.json"
#define GROUP(matcher, command, more)                                                                          \
	"[{" matcher "\"hooks\":[{\"type\":\"command\",\"command\":\"" command "\"" more "}]}]"
#define CLAUDE_ALL(group)                                                                                      \
	"{\"hooks\":{\"PreToolUse\":" group ",\"PermissionRequest\":" group ",\"PreSkillShellCommand\":" group "}}"
#define PRE(group) "{\"hooks\":{\"PreToolUse\":" group "}}"
#define US "auto-classifier hook claude"

static const struct {
	const char *file, *text, *says; /* text NULL: only the directory is there */
	bool failed;
} cases[] = {
	{ ".profile", "", "note  Claude Code: not used here", false },
	{ ".profile", "", "note  agy: not used here", false },
	{ ".claude/other", "", "warn  Claude Code: no PreToolUse hook", false },
	{ ".gemini/antigravity-cli/x", "", "warn  agy: no PreToolUse hook", false },
	{ CLAUDE, CLAUDE_ALL(GROUP("", US, ",\"timeout\":30")), "ok    Claude Code: PreSkillShellCommand is judged", false },
	{ CLAUDE, CLAUDE_ALL(GROUP("\"matcher\":\"*\",", "'/bin/sh' x", "")), "no PreToolUse hook", false },
	{ CLAUDE, PRE(GROUP("\"matcher\":\"Edit|Bash\",", US, "")), "ok    Claude Code: PreToolUse is judged", false },
	{ CLAUDE, PRE(GROUP("\"matcher\":\"Bash\",", US, "")), "PermissionRequest and PreSkillShellCommand are not judged",
		false },
	{ CLAUDE, PRE(GROUP("\"matcher\":\"Edit|Write\",", US, "")), "FAIL  Claude Code: the PreToolUse hook", true },
	{ CLAUDE, PRE(GROUP("\"matcher\":\"BashOutput\",", US, "")), "does not cover the shell tool", true },
	{ CLAUDE, PRE(GROUP("", "/nowhere/auto-classifier hook claude", "")), "is not there: every command runs unjudged",
		true },
	{ CLAUDE, PRE(GROUP("", "\\\"/nowhere/auto-classifier\\\" hook claude", "")), "is not there", true },
	{ CLAUDE, PRE(GROUP("", US, ",\"timeout\":5")), "is cut off after 5 s", true },
	{ CLAUDE, PRE(GROUP("", US " --limit-ms 5000", ",\"timeout\":5")), "PreToolUse is judged", false },
	{ CLAUDE, PRE(GROUP("", "my-auto-classifier hook", "")), "no PreToolUse hook", false },
	{ CLAUDE, "{\"disableAllHooks\":true}", "FAIL  Claude Code: ", true },
	{ CLAUDE, "{", "warn  Claude Code: ", false },
	{ CLAUDE, "[]", "cannot be read as JSON", false },
	{ CLAUDE, "{\"hooks\":{\"PreToolUse\":[7,{\"hooks\":[null,{\"command\":7}]}]}}", "no PreToolUse hook", false },
	{ AGY, "{\"g\":{\"PreToolUse\":" GROUP("\"matcher\":\"*\",", "auto-classifier agy", ",\"timeout\":20") "}}",
		"ok    agy: PreToolUse is judged", false },
	{ AGY, "{\"g\":{\"enabled\":false,\"PreToolUse\":" GROUP("", "auto-classifier agy", "") "}}", "agy: not used", false },
	{ AGY, "{\"g\":{\"PreToolUse\":" GROUP("\"matcher\":\"run_command\",", "auto-classifier agy", ",\"timeout\":9") "}}",
		"is cut off after 9 s", true },
	{ AGY, "{\"g\":{\"PreToolUse\":" GROUP("\"matcher\":\"view_file\",", "auto-classifier agy", "") "}}",
		"does not cover the shell tool", true },
	{ AGY, "{\"g\":", "FAIL  agy: ", true },
};

static void test_cases(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct report r = { .failed = false };

		assert_int_equal(setup(state), 0);
		put(cases[i].file, cases[i].text);
		put_program();
		doctor_hooks(&r, home, NULL, search);
		assert_false(r.text.failed);
		if (!strstr(r.text.p, cases[i].says))
			fail_msg("%s: not \"%s\" but:\n%s", cases[i].text, cases[i].says, r.text.p);
		assert_int_equal(r.failed, cases[i].failed);
		textbuf_done(&r.text);
		assert_int_equal(teardown(state), 0);
	}
}

/* A hook that the harness's shell does not find lets everything run. */
static void test_not_found(void **state)
{
	static const char *const searches[] = { NULL, "", "/nowhere", "/nowhere:", "nowhere:/nowhere/bin" };

	for (size_t i = 0; i < ARRAY_LEN(searches); i++) {
		struct report r = { .failed = false };

		assert_int_equal(setup(state), 0);
		put(CLAUDE, CLAUDE_ALL(GROUP("", "auto-classifier hook claude", "")));
		put(AGY, "{\"g\":{\"PreToolUse\":" GROUP("", "auto-classifier agy", "") "}}");
		doctor_hooks(&r, home, NULL, searches[i]);
		assert_true(r.failed);
		assert_non_null(strstr(r.text.p, "calls auto-classifier, which is not there"));
		assert_null(strstr(r.text.p, "is judged"));
		textbuf_done(&r.text);
		assert_int_equal(teardown(state), 0);
	}
}

/* Nothing of a settings file reaches the terminal raw. */
static void test_escaped(void **state)
{
	struct report r = { .failed = false };

	(void)state;
	report_finding(&r, MARK_WARN, "%s", "a\033[2Jb\nc");
	assert_string_equal(r.text.p, "  warn  a\\u{1b}[2Jb\\nc\n");
	textbuf_done(&r.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_not_found),
		cmocka_unit_test(test_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
