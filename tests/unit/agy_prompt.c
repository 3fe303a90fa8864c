/* SPDX-License-Identifier: Apache-2.0 */
/* Would a person see agy's prompt? A process table, logs and settings made for the test say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "broker/reply/agy_prompt.h"
#include "tests/unit/scratch.h"

static char root[SCRATCH_SIZE], proc[96], home[96];
static const struct prompt_sources sources = { .proc = proc, .home = home };

#define PUT(dir, name, literal) scratch_put(dir, name, literal, sizeof(literal) - 1)
#define SETTINGS ".gemini/antigravity-cli/settings.json"
#define LOGS ".gemini/antigravity-cli/log/"
#define MARK "x Starting language server process with pid "
#define AUTO "Always-proceed: auto-approving tool confirmation\n"
#define SHOWN "Surfacing tool confirmation\n"

/* The gate is 30, started by a shell 20 of agy 10, of a terminal's shell 5. */
static int setup(void **state)
{
	(void)state;
	scratch_make("/tmp/agy-prompt", root);
	snprintf(proc, sizeof(proc), "%s/proc", root);
	snprintf(home, sizeof(home), "%s/home", root);
	PUT(home, ".profile", "");
	PUT(proc, "self/stat", "40 (auto) classifier) S 30 1 1 0 -1");
	PUT(proc, "30/stat", "30 (auto-classifier) S 20 1 1 0 -1");
	PUT(proc, "30/cmdline", "auto-classifier\0hook\0agy");
	PUT(proc, "20/stat", "20 (sh) S 10 1 1 0 -1");
	PUT(proc, "20/cmdline", "sh\0-c\0auto-classifier hook agy");
	PUT(proc, "10/stat", "10 (agy) S 5 1 1 0 -1");
	PUT(proc, "10/cmdline", "/opt/agy/bin/agy\0-p\0do it");
	PUT(proc, "5/stat", "5 (bash) S 1 1 1 0 -1");
	PUT(proc, "5/cmdline", "-bash");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return scratch_remove(root);
}

static void test_nothing_said(void **state)
{
	(void)state;
	assert_int_equal(agy_prompting(&sources), PROMPT_SHOWN);
}

static void test_settings(void **state)
{
	(void)state;
	PUT(home, SETTINGS, "{\"toolPermission\":\"always-proceed\"}");
	assert_int_equal(agy_prompting(&sources), PROMPT_ANSWERED);
	PUT(home, SETTINGS, "{\"tool\\u0050ermission\":\"always-proceed\"}");
	assert_int_equal(agy_prompting(&sources), PROMPT_ANSWERED);
	PUT(home, SETTINGS, "{\"toolPermission\":\"request-review\"}");
	assert_int_equal(agy_prompting(&sources), PROMPT_SHOWN);
	PUT(home, SETTINGS, "{\"toolPermission\":");
	assert_int_equal(agy_prompting(&sources), PROMPT_UNKNOWN);
}

static void test_flag(void **state)
{
	(void)state;
	PUT(home, SETTINGS, "{\"toolPermission\":\"request-review\"}");
	PUT(proc, "10/cmdline", "agy\0--dangerously-skip-permissions\0-p\0x");
	assert_int_equal(agy_prompting(&sources), PROMPT_ANSWERED);
	PUT(proc, "10/cmdline", "agy\0--dangerously-skip-permissions=true");
	assert_int_equal(agy_prompting(&sources), PROMPT_ANSWERED);
	/* Another program's flag is not agy's. */
	PUT(proc, "10/cmdline", "/usr/bin/other\0--dangerously-skip-permissions");
	assert_int_equal(agy_prompting(&sources), PROMPT_SHOWN);
}

static void test_log(void **state)
{
	(void)state;
	PUT(home, SETTINGS, "{\"toolPermission\":\"always-proceed\"}");
	PUT(home, LOGS "cli-1.log", MARK "10\n" AUTO SHOWN);
	PUT(home, LOGS "cli-2.log", MARK "100\n" SHOWN AUTO);
	assert_int_equal(agy_prompting(&sources), PROMPT_SHOWN);
	PUT(home, LOGS "cli-1.log", MARK "10\n" SHOWN AUTO);
	assert_int_equal(agy_prompting(&sources), PROMPT_ANSWERED);
	/* A log that says nothing leaves it to the settings. */
	PUT(home, LOGS "cli-1.log", MARK "10\n");
	assert_int_equal(agy_prompting(&sources), PROMPT_ANSWERED);
	PUT(home, SETTINGS, "{}");
	assert_int_equal(agy_prompting(&sources), PROMPT_SHOWN);
}

static void test_no_process_table(void **state)
{
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/20/cmdline", proc);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(agy_prompting(&sources), PROMPT_UNKNOWN);
	snprintf(path, sizeof(path), "%s/self/stat", proc);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(agy_prompting(&sources), PROMPT_UNKNOWN);
}

#define EACH(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EACH(test_nothing_said),
		EACH(test_settings),
		EACH(test_flag),
		EACH(test_log),
		EACH(test_no_process_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
