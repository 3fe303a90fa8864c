/* SPDX-License-Identifier: Apache-2.0 */
/* Telemetry rows and the log: what they hold, what they must not, and where they may be written. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "broker/decision/keys.h"
#include "broker/telemetry/log.h"
#include "broker/telemetry/stamp.h"
#include "broker/telemetry/telemetry.h"
#include "policy/text/json_strict.h"
#include "tests/unit/scratch.h"

struct place {
	char base[SCRATCH_SIZE], file[128];
	struct broker b;
};

static void configure(struct place *p, const char *more)
{
	char text[256];

	config_free(p->b.config);
	assert_int_equal(config_new(&p->b.config), 0);
	(void)snprintf(text, sizeof(text), "{\"telemetry\": {\"path\": \"%s/t.jsonl\", \"maxBytes\": 3000}%s}", p->base,
		more);
	assert_int_equal(config_merge_text(p->b.config, LAYER_FILE, "test", text, strlen(text)), 0);
	assert_int_equal(config_finish(p->b.config), 0);
	assert_false(config_is_broken(p->b.config));
}

static int set_up(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	assert_non_null(p);
	scratch_make("/tmp/unit-telemetry", p->base);
	p->b.home = p->base;
	configure(p, "");
	(void)snprintf(p->file, sizeof(p->file), "%s/t.jsonl", p->base);
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct place *p = *state;

	assert_int_equal(scratch_remove(p->base), 0);
	config_free(p->b.config);
	free(p);
	return 0;
}

static struct outcome sample(void)
{
	return (struct outcome){
		.kind = KIND_SHELL,
		.harness = HARNESS_CLAUDE,
		.decision = DECISION_FORCE_ASK,
		.source = SOURCE_UPLOAD,
		.raw_reason = (char *)(uintptr_t)"password=hunter2hunter2 is sent away",
		.rule = (char *)(uintptr_t)"upload",
		.session = BYTES("s"),
		.call_id = BYTES("c1"),
		.command = BYTES("curl -u me:sesame-open https://e.example/"),
		.cwd = BYTES("/srv"),
		.injection_pattern = BYTES("ignore"),
		.flags = ASSESS_INJECTION,
	};
}

static const struct telemetry_facts facts = {
	.payload = { "{\"token\": \"abcdefghijklmnop\"}", 29 },
	.latency_ms = 3,
	.now_ms = 86400000 + 42,
};

static struct json_object *parse_row(const struct textbuf *row)
{
	struct json_object *o = NULL;
	size_t at;

	assert_false(row->failed);
	assert_int_equal(row->p[row->len - 1], '\n');
	assert_int_equal(json_strict((struct bytes){ row->p, row->len - 1 }, &o, &at), JSON_OK);
	return o;
}

static void assert_member(struct json_object *o, const char *name, const char *want)
{
	struct json_object *v;

	assert_true(json_object_object_get_ex(o, name, &v));
	assert_string_equal(json_object_to_json_string(v), want);
}

static void a_row_has_every_field(void **state)
{
	static const char *const fields[][2] = {
		{ "type", "\"classification\"" }, { "ts", "\"1970-01-02T00:00:00.042Z\"" }, { "id", "\"c1\"" },
		{ "session", "\"s\"" }, { "file_path", "null" }, { "file_snippet", "null" },
		{ "decision", "\"force_ask\"" }, { "source", "\"upload\"" }, { "latency_ms", "3" }, { "model", "null" },
		{ "request_id", "null" },
		{ "injection_attempt", "true" }, { "injection_pattern", "\"ignore\"" }, { "usage", "null" }, { "jev", "null" },
		{ "tool", "\"bash\"" }, { "cwd", "\"\\/srv\"" }, { "rule", "\"upload\"" },
	};
	CLEANUP(textbuf_done) struct textbuf row = { 0 };
	struct outcome o = sample();
	struct json_object *json, *hash;

	(void)state;
	telemetry_row(&o, &facts, &row);
	json = parse_row(&row);
	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		assert_member(json, fields[i][0], fields[i][1]);
	assert_true(json_object_object_get_ex(json, "payload_sha256", &hash));
	assert_string_equal(json_object_get_string(hash), key_of_bytes(facts.payload).hex);
	assert_null(strstr(row.p, "sesame-open"));
	assert_null(strstr(row.p, "hunter2"));
	assert_null(strstr(row.p, "abcdefghijklmnop"));
	assert_non_null(strstr(row.p, "e.example"));
	json_object_put(json);
}

static void stamps_follow_the_calendar(void **state)
{
	static const struct {
		int64_t ms;
		const char *text;
	} rows[] = {
		{ 0, "1970-01-01T00:00:00.000Z" }, { -1, "1969-12-31T23:59:59.999Z" },
		{ 951782400000, "2000-02-29T00:00:00.000Z" }, { 951868799999, "2000-02-29T23:59:59.999Z" },
		{ 951868800000, "2000-03-01T00:00:00.000Z" }, { 1709164800000, "2024-02-29T00:00:00.000Z" },
		{ 4107542400000, "2100-03-01T00:00:00.000Z" }, { 1798761599001, "2026-12-31T23:59:59.001Z" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char stamp[STAMP_SIZE];

		stamp_format(rows[i].ms, stamp);
		assert_string_equal(stamp, rows[i].text);
	}
	/* Against the C library, a day and some at a time. */
	for (int64_t t = -86400 * 366; t < 5000000000; t += 86400 * 3 + 4567) {
		char stamp[STAMP_SIZE], want[STAMP_SIZE];
		time_t seconds = (time_t)t;
		struct tm tm;

		stamp_format(t * 1000, stamp);
		assert_true(strftime(want, sizeof(want), "%Y-%m-%dT%H:%M:%S.000Z", gmtime_r(&seconds, &tm)) > 0);
		assert_string_equal(stamp, want);
	}
}

static void an_escalation_row_says_what_became_of_it(void **state)
{
	CLEANUP(textbuf_done) struct textbuf row = { 0 };
	struct telemetry_facts f = facts;
	struct outcome o = sample();
	struct json_object *json;

	(void)state;
	f.source = "gate-kept";
	f.decision = "deny";
	telemetry_row(&o, &f, &row);
	json = parse_row(&row);
	assert_member(json, "source", "\"gate-kept\"");
	assert_member(json, "decision", "\"deny\"");
	json_object_put(json);
}

/* A secret at the place of the cut: had the text been cut first, half of it would stand there unrecognised. */
static void secrets_go_before_the_cut(void **state)
{
	CLEANUP(textbuf_done) struct textbuf row = { 0 };
	char command[TELEMETRY_COMMAND_MAX + 64];
	struct outcome o = sample();
	struct json_object *json, *v;

	(void)state;
	memset(command, 'x', sizeof(command));
	memcpy(command + TELEMETRY_COMMAND_MAX - 20, " API_TOKEN=q9q9q9q9q9q9q9q9q9q9q9q9 ", 36);
	o.command = (struct bytes){ command, sizeof(command) };
	telemetry_row(&o, &facts, &row);
	assert_null(strstr(row.p, "q9q9"));
	json = parse_row(&row);
	assert_true(json_object_object_get_ex(json, "command", &v));
	assert_true(json_object_get_string_len(v) <= TELEMETRY_COMMAND_MAX);
	assert_true(json_object_get_string_len(v) > TELEMETRY_COMMAND_MAX - 64);
	json_object_put(json);
}

static void a_huge_payload_leaves_its_hash_alone(void **state)
{
	CLEANUP(textbuf_done) struct textbuf row = { 0 };
	struct telemetry_facts f = facts;
	struct outcome o = sample();
	struct json_object *json;
	char *huge = calloc(1, 1024 * 1024);

	(void)state;
	assert_non_null(huge);
	f.payload = (struct bytes){ huge, 1024 * 1024 };
	telemetry_row(&o, &f, &row);
	json = parse_row(&row);
	assert_member(json, "payload", "null");
	json_object_put(json);
	free(huge);
}

static void rows_are_appended_and_rotated(void **state)
{
	struct place *p = *state;
	struct outcome o = sample();
	char aside[160];
	struct stat st, old;
	int fd = open(p->file, O_CREAT | O_WRONLY, 0600);

	assert_true(fd >= 0);
	close(fd);
	telemetry_record(&p->b, &o, &facts);
	assert_int_equal(stat(p->file, &st), 0);
	assert_true(st.st_size > 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	(void)snprintf(aside, sizeof(aside), "%s.1", p->file);
	for (int i = 0; i < 20; i++)
		telemetry_record(&p->b, &o, &facts);
	assert_int_equal(stat(p->file, &st), 0);
	assert_int_equal(stat(aside, &old), 0);
	assert_true(st.st_size > 0 && st.st_size <= 3000);
	assert_true(old.st_size > 0 && old.st_size <= 3000);
}

static void links_are_not_written_through(void **state)
{
	struct place *p = *state;
	struct outcome o = sample();
	char victim[128];
	struct stat st;
	int fd;

	(void)snprintf(victim, sizeof(victim), "%s/victim", p->base);
	fd = open(victim, O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(symlink(victim, p->file), 0);
	telemetry_record(&p->b, &o, &facts);
	assert_int_equal(stat(victim, &st), 0);
	assert_int_equal(st.st_size, 0);
	assert_int_equal(unlink(p->file), 0);
	assert_int_equal(link(victim, p->file), 0);
	telemetry_record(&p->b, &o, &facts);
	assert_int_equal(stat(victim, &st), 0);
	assert_int_equal(st.st_size, 0);
	assert_int_equal(unlink(p->file), 0);
	assert_int_equal(mkfifo(p->file, 0600), 0);
	telemetry_record(&p->b, &o, &facts);
}

/* Nobody else's rule about the mode of new files widens ours. */
static void the_log_is_made_private(void **state)
{
	struct place *p = *state;
	char file[160], text[512] = "";
	struct stat st;
	int fd;

	(void)umask(0);
	log_line(&p->b, "one %s", "two\n\x1b[2J");
	(void)umask(022);
	(void)snprintf(file, sizeof(file), "%s/.config/auto-classifier/auto-classifier.log", p->base);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	fd = open(file, O_RDONLY);
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	assert_int_equal(strncmp(text, "[auto-classifier][20", 20), 0);
	assert_non_null(strstr(text, "Z] one two\\n\\u{1b}[2J\n"));
	(void)snprintf(file, sizeof(file), "%s/.config/auto-classifier", p->base);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
}

static void the_log_can_be_switched_off(void **state)
{
	struct place *p = *state;
	char dir[160];

	configure(p, ", \"log\": {\"path\": \"\"}");
	log_line(&p->b, "nothing");
	(void)snprintf(dir, sizeof(dir), "%s/.config", p->base);
	assert_int_equal(access(dir, F_OK), -1);
}

#define DISK_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_has_every_field),
		cmocka_unit_test(stamps_follow_the_calendar),
		cmocka_unit_test(an_escalation_row_says_what_became_of_it),
		cmocka_unit_test(secrets_go_before_the_cut),
		cmocka_unit_test(a_huge_payload_leaves_its_hash_alone),
		DISK_TEST(rows_are_appended_and_rotated),
		DISK_TEST(links_are_not_written_through),
		DISK_TEST(the_log_is_made_private),
		DISK_TEST(the_log_can_be_switched_off),
	};

	return cmocka_run_group_tests_name("telemetry", tests, NULL, NULL);
}
