/* SPDX-License-Identifier: Apache-2.0 */
/* Settings with a form of their own: keys, remotes, judges' addresses; how all is shown. */
#include "tests/unit/config_help.h"
#include "policy/text/textbuf.h"

/* A literal key is gone from the buffer however its name is spelt; a variable's name stays. */
static void test_secrets(void **state)
{
	static const struct {
		const char *text;
		bool set, broken;
	} cases[] = {
		{ "{\"llm\": {\"apiKey\": \"PLANTED\"}}", true, false },
		{ "{\"llm\": {\"api\\u004bey\": \"PLANTED\"}}", true, false },
		{ "{\"llm\": {\"\\u0061\\u0070iKey\" /* x */ : // y\n \"PLANTED\\\"PLANTED\"}}", true, false },
		{ "{\"llm\": {\"apiKey\": [\"PLANTED\", {\"x\": \"PLANTED\"}]}}", false, true },
		{ "{\"jev\": {\"apiKey\": \"PLANTED\"}, \"llm\": {\"apiKey\": \"\"}}", false, false },
		{ "{\"apiKey\": \"PLANTED\"}", false, false },
		{ "{\"llm\": {\"APIKEY\": \"PLANTED\"}}", false, false },
		{ "{\"llm\": {\"apiKey\": \"PLANTED\"}} x", false, true },
		{ "{\"llm\": {\"apiKey\": \"PLANTED\"}, }, ]", false, true },
		{ "{\"llm\": {\"apiKey\": \"PLANTED\"", false, true },
		{ "{\"llm\": {\"apiKey\": \"PLANTED\"}} /*", false, true },
		{ "{\"llm\": {\"apiKey\": \"PLANTED\", \"apiKey\": \"PLANTED\"}}", false, true },
		{ "{\"llm\": {\"apiKey\": \"env:PLANTED-not-a-name\"}}", true, false },
		{ "{\"llm\": {\"apiKey\": \"\\u0065nv:PLANTED\"}}", true, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		CLEANUP(freep) char *text = strdup(cases[i].text), *shown = NULL;
		size_t n = strlen(text);
		struct config *c = fresh();
		const struct config_problem *p;

		assert_int_equal(config_merge_text(c, LAYER_FILE, "f", text, n), 0);
		assert_int_equal(config_finish(c), 0);
		if (memmem(text, n, "PLANTED", 7))
			fail_msg("left in the text: %s", cases[i].text);
		assert_int_equal(config_is_broken(c), cases[i].broken);
		assert_int_equal(*config_string(c, CFG_LLM_API_KEY) != '\0', cases[i].set);
		assert_int_equal(config_show(c, true, &shown), 0);
		assert_null(strstr(shown, "PLANTED"));
		for (size_t j = config_problems(c, &p); j > 0; j--)
			assert_null(strstr(p[j - 1].text, "PLANTED"));
		config_free(c);
	}
}

static void test_secret_variable_name(void **state)
{
	struct config *c = of_file("{\"llm\": {\"apiKey\": \"env:MY_KEY\"}}");

	(void)state;
	assert_string_equal(config_string(c, CFG_LLM_API_KEY), "env:MY_KEY");
	config_free(c);
}

static void test_remotes_file(void **state)
{
	static const struct {
		const char *text, *list;
	} cases[] = {
		{ "[\"b.org\", {\"pattern\": \"*.c.org\"}]", "[\"a.org\",\"b.org\",\"*.c.org\"]" },
		{ "{\"sanctionedRemotes\": [\"b.org\"]}", "[\"a.org\",\"b.org\"]" },
		{ "{\"remotes\": [{\"pattern\": \"b.org\", \"why\": \"x\"}], }", "[\"a.org\",\"b.org\"]" },
		{ "{\"entries\": [\"b.org\"]} // x", "[\"a.org\",\"b.org\"]" },
		{ "[\"b.org\", 7]", "[\"a.org\"]" },
		{ "{\"other\": []}", "[\"a.org\"]" },
		{ "[\"b.org\"", "[\"a.org\"]" },
		{ "\"b.org\"", "[\"a.org\"]" },
		{ "", "[\"a.org\"]" },
		{ "[\"https://b.org\", \"c.org\"]", "[\"a.org\",\"c.org\"]" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		CLEANUP(freep) char *text = strdup(cases[i].text);
		struct config *c = fresh();
		const struct config_problem *p;

		merge(c, LAYER_FILE, "{\"sanctionedRemotes\": [\"a.org\"]}");
		assert_int_equal(config_merge_remotes(c, "r", text, strlen(text)), 0);
		assert_int_equal(config_finish(c), 0);
		assert_false(config_is_broken(c));
		assert_value(c, CFG_SANCTIONED_REMOTES, cases[i].list);
		assert_int_equal(config_problems(c, &p) > 0, i >= 4);
		config_free(c);
	}
}

static void test_remote_forms(void **state)
{
	static const char *const good[] = {
		"host", "git.example.org", "*.ts.net", "github.com/octo", "h/a/b/c", "10.0.0.0/8", "192.168.1.1/32",
		"127.0.0.1", "h/a..b/c",
	};
	static const char *const bad[] = {
		"", "*", "*.", "https://h", "h:22", "u@h", "h/a?b", "h#x", "h x", "*.h/path", "h/../x", "h/a/..",
		"/path", "a*b", "[::1]", "h\\x",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good) + ARRAY_LEN(bad); i++) {
		bool fine = i < ARRAY_LEN(good);
		const char *entry = fine ? good[i] : bad[i - ARRAY_LEN(good)];
		CLEANUP(json_putp) struct json_object *string = json_object_new_string(entry);
		char text[200];
		struct config *c;
		const char *const *list;

		snprintf(text, sizeof(text), "{\"sanctionedRemotes\": [%s]}", json_object_to_json_string(string));
		c = of_file(text);
		if (config_strings(c, CFG_SANCTIONED_REMOTES, &list) != fine)
			fail_msg("%s", entry);
		assert_false(config_is_broken(c));
		config_free(c);
	}
}

static void test_judge(void **state)
{
	static const struct {
		const char *text;
		bool judge;
	} cases[] = {
		{ "{}", false },
		{ "{\"jev\": {\"apiKey\": \"k\"}}", true },
		{ "{\"jev\": {\"apiKey\": \"k\"}, \"llm\": {\"provider\": \"offline\"}}", false },
		{ "{\"llm\": {\"apiKey\": \"k\"}}", false },
		{ "{\"llm\": {\"apiKey\": \"k\", \"provider\": \"chat\"}}", true },
		{ "{\"llm\": {\"apiKeyFile\": \"~/k\", \"provider\": \"chat\"}}", true },
		{ "{\"jev\": {\"command\": [\"/bin/ask\"]}}", true },
		{ "{\"jev\": {\"baseUrl\": \"http://localhost:8080\"}}", true },
		{ "{\"jev\": {\"baseUrl\": \"http://localhost.evil.org\", \"apiKey\": \"k\"}}", false },
		{ "{\"jev\": {\"baseUrl\": \"http://127.0.0.1.evil.org\", \"apiKey\": \"k\"}}", false },
		{ "{\"jev\": {\"baseUrl\": \"http://[::1]:80\"}}", true },
		{ "{\"jev\": {\"baseUrl\": \"http://box\", \"apiKey\": \"k\"}, \"llm\": {\"allowHttp\": [\"box\"]}}", true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct config *c = of_file(cases[i].text);

		if (config_has_judge(c) != cases[i].judge)
			fail_msg("%s", cases[i].text);
		config_free(c);
	}
}

static void test_show_origin(void **state)
{
	CLEANUP(freep) char *text = NULL;
	CLEANUP(json_putp) struct json_object *all = NULL;
	struct config *c = of_file("{\"policy\": {\"headless\": true}}");
	struct json_object *headless;
	size_t at;

	(void)state;
	assert_int_equal(config_show(c, true, &text), 0);
	assert_int_equal(json_strict((struct bytes){ text, strlen(text) }, &all, &at), JSON_OK);
	headless = json_member(json_member(all, "policy", json_type_object), "headless", json_type_object);
	assert_true(json_object_get_boolean(json_member(headless, "value", json_type_boolean)));
	assert_string_equal(json_member_string(headless, "origin").p, "file");
	config_free(c);
}

/* So many problems that not all are kept: still broken, and the fatal one is among those kept. */
static void test_many_problems(void **state)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };
	struct config *c;
	const struct config_problem *p;

	(void)state;
	textbuf_puts(&b, "{");
	for (int i = 0; i < 500; i++)
		textbuf_printf(&b, "\"unknown%d\": 1,", i);
	textbuf_puts(&b, "\"policy\": {\"headless\": 1}}");
	c = of_file(b.p);
	assert_true(config_is_broken(c));
	assert_true(config_problems(c, &p) < 100);
	assert_true(problem_says(c, "policy.headless", true));
	config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_secrets),
		cmocka_unit_test(test_secret_variable_name),
		cmocka_unit_test(test_remotes_file),
		cmocka_unit_test(test_remote_forms),
		cmocka_unit_test(test_judge),
		cmocka_unit_test(test_show_origin),
		cmocka_unit_test(test_many_problems),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
