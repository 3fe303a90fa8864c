/* SPDX-License-Identifier: Apache-2.0 */
/* Settings: every key by type and default; what is wrong with a text, and where. */
#include "tests/unit/config_help.h"
#include "policy/text/textbuf.h"

/* {"group": {"key": value}} for a dotted path */
static void nest(char *out, size_t size, const char *path, const char *value)
{
	const char *dot = strchr(path, '.');

	if (dot)
		snprintf(out, size, "{\"%.*s\": {\"%s\": %s}}", (int)(dot - path), path, dot + 1, value);
	else
		snprintf(out, size, "{\"%s\": %s}", path, value);
}

/* For every key another value than the default, and how it reads back (NULL: as written). */
static const struct {
	enum config_key key;
	const char *value, *read;
} others[] = {
	{ CFG_ENVIRONMENT, "\"trusted\"", NULL },
	{ CFG_SANCTIONED_REMOTES, "[\"Forge.Example.ORG/team/\"]", "[\"forge.example.org/team/\"]" },
	{ CFG_SANCTIONED_REMOTES_FILE, "\"~/remotes.json\"", "\"/home/ada/remotes.json\"" },
	{ CFG_LLM_PROVIDER, "\"offline\"", NULL },
	{ CFG_LLM_BASE_URL, "\"https://llm.example.org/v1\"", NULL },
	{ CFG_LLM_API_KEY, "\"literal\"", "\"[set]\"" },
	{ CFG_LLM_API_KEY_FILE, "\"keys/llm\"", "\"/home/ada/.config/auto-classifier/keys/llm\"" },
	{ CFG_LLM_MODEL, "\"m\"", NULL },
	{ CFG_LLM_FALLBACK_MODEL, "\"m\"", NULL },
	{ CFG_LLM_FALLBACK_MODELS, "[\"m\",\"n\"]", NULL },
	{ CFG_LLM_TRIAGE_MODEL, "\"m\"", NULL },
	{ CFG_LLM_TIMEOUT_MS, "1500", NULL },
	{ CFG_LLM_TOTAL_TIMEOUT_MS, "2e3", "2000" },
	{ CFG_LLM_MAX_TOKENS, "200", NULL },
	{ CFG_LLM_MAX_FILE_CHARS, "4000", NULL },
	{ CFG_LLM_EXTRA_BODY, "{\"a\":{\"b\":null}}", NULL },
	{ CFG_LLM_INSTRUCTIONS_APPEND, "\"two\\nlines\"", NULL },
	{ CFG_LLM_SYSTEM_PROMPT_FILE, "\"/p\"", NULL },
	{ CFG_LLM_PROXY, "\"http://proxy:3128\"", NULL },
	{ CFG_LLM_CA_FILE, "\"/etc/ca.pem\"", NULL },
	{ CFG_LLM_ALLOW_HTTP, "[\"LAN-box\"]", "[\"lan-box\"]" },
	{ CFG_POLICY_DENY_MODE, "\"auto-retry\"", NULL },
	{ CFG_POLICY_CONSECUTIVE_THRESHOLD, "3", NULL },
	{ CFG_POLICY_SLIDING_WINDOW_MS, "60000", NULL },
	{ CFG_POLICY_JUDGE_DENIALS_PER_WINDOW, "4", NULL },
	{ CFG_POLICY_APPROVAL_TTL_MS, "1000", NULL },
	{ CFG_POLICY_INSTRUCT_AGENT_ON_DENIAL, "false", NULL },
	{ CFG_POLICY_TRUST_LANDED_SCRIPTS, "false", NULL },
	{ CFG_POLICY_TRUSTED_REMOTES, "[\"*.example.org\"]", NULL },
	{ CFG_POLICY_HEADLESS, "true", NULL },
	{ CFG_POLICY_ESCALATION_TIMEOUT_MINUTES, "0.5", NULL },
	{ CFG_POLICY_PROTECTED_BRANCHES, "[\"trunk\",\"release/1.x\"]", NULL },
	{ CFG_POLICY_INSTRUCTIONS_APPEND, "\"be kind\"", NULL },
	{ CFG_RULES_FAST_DENY, "[\"^frob\"]", NULL },
	{ CFG_RULES_FAST_ALLOW, "[]", NULL },
	{ CFG_RULES_SCRATCH_WRITE_ROOTS, "[\"~/scratch\",\"/var/tmp/\"]", "[\"/home/ada/scratch\",\"/var/tmp/\"]" },
	{ CFG_FILE_ZONES_ALLOW_READ, "[\"~/notes/**\",\"docs/*\"]", "[\"/home/ada/notes/**\",\"docs/*\"]" },
	{ CFG_FILE_ZONES_ALLOW_WRITE, "[\"/srv/out/**\"]", NULL },
	{ CFG_FILE_ZONES_DENY, "[\"**/private/**\"]", NULL },
	{ CFG_TOOLS_ALLOW, "[\"mcp__docs__*\"]", NULL },
	{ CFG_TOOLS_ASK, "[\"x\"]", NULL },
	{ CFG_TOOLS_DENY, "[\"y\"]", NULL },
	{ CFG_JEV_BASE_URL, "\"http://127.0.0.1:8080\"", NULL },
	{ CFG_JEV_API_KEY, "\"env:JEV_KEY\"", "\"[set]\"" },
	{ CFG_JEV_API_KEY_FILE, "\"~/keys/jev\"", "\"/home/ada/keys/jev\"" },
	{ CFG_JEV_COMMAND, "[\"/usr/bin/ask\",\"\"]", NULL },
	{ CFG_JEV_MODEL, "\"m\"", NULL },
	{ CFG_JEV_INSTRUCTIONS_APPEND, "\"x\"", NULL },
	{ CFG_JEV_RISK_THRESHOLD, "0.5", NULL },
	{ CFG_JEV_MIN_CONFIDENCE, "7", "1" },
	{ CFG_JEV_LOW_RISK_CEILING, "0.25", NULL },
	{ CFG_JEV_LOW_RISK_MIN_ALLOW, "-1", "0" },
	{ CFG_JEV_TIMEOUT_MS, "5000", NULL },
	{ CFG_AGY_AUTO_ACCEPT_IN_TMUX, "true", NULL },
	{ CFG_AGY_ALWAYS_PROCEED_ESCALATIONS, "\"run\"", NULL },
	{ CFG_TELEMETRY_ENABLED, "false", NULL },
	{ CFG_TELEMETRY_PATH, "\"/var/log/gate.jsonl\"", NULL },
	{ CFG_TELEMETRY_MAX_BYTES, "0", NULL },
	{ CFG_TELEMETRY_JOURNAL, "true", NULL },
	{ CFG_LOG_PATH, "\"\"", NULL },
	{ CFG_STATE_DIR, "\"~/state\"", "\"/home/ada/state\"" },
	{ CFG_NETPROC_SOCKET, "\"/run/gate/netproc\"", NULL },
	{ CFG_NETPROC_UID, "\"_gate-net\"", NULL },
	{ CFG_NETPROC_WARM, "4", NULL },
	{ CFG_NETPROC_PER_UID, "100", "48" },
	{ CFG_NETPROC_PER_MINUTE, "60", NULL },
	{ CFG_NETPROC_IDLE_EXIT_MS, "0", NULL },
	{ CFG_ROLES_UID, "\"_gate\"", NULL },
};

static void test_table(void **state)
{
	(void)state;
	assert_int_equal(ARRAY_LEN(others), CFG__MAX);
	for (size_t i = 0; i < CFG__MAX; i++) {
		const struct config_spec *s = &config_specs[i];

		assert_int_equal(others[i].key, i);
		assert_true(strlen(s->help) > 0 && s->help[strlen(s->help) - 1] != '.');
		for (size_t j = 0; j < i; j++) {
			assert_string_not_equal(s->path, config_specs[j].path);
			if (s->env && config_specs[j].env)
				assert_null(strstr(config_specs[j].env, s->env));
		}
		if (s->flags & KEY_UNIT)
			assert_int_equal(s->type, TYPE_NUMBER);
	}
}

/* Defaults are read by a reader of our own, and must be what JSON says they are. */
static void test_defaults(void **state)
{
	struct config *c = fresh();

	(void)state;
	for (size_t i = 0; i < CFG__MAX; i++) {
		CLEANUP(json_putp) struct json_object *v = NULL;
		const char *def = config_specs[i].def;
		size_t at;

		if (config_specs[i].flags & KEY_SECRET)
			continue;
		assert_int_equal(json_strict((struct bytes){ def, strlen(def) }, &v, &at), JSON_OK);
		assert_value(c, (enum config_key)i,
			json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	}
	config_free(c);
}

static void test_every_key(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		enum config_key k = others[i].key;
		struct config *plain = of_file("{}"), *c = fresh();
		char text[4096], was[4096], now[4096];

		value_of(plain, k, was, sizeof(was));
		assert_int_equal(config_origin(plain, k), LAYER_DEFAULT);
		nest(text, sizeof(text), config_specs[k].path, others[i].value);
		assert_int_equal(config_set_places(c, "/home/ada", "/home/ada/.config/auto-classifier"), 0);
		merge(c, LAYER_FILE, text);
		assert_int_equal(config_finish(c), 0);
		assert_false(config_is_broken(c));
		value_of(c, k, now, sizeof(now));
		assert_string_not_equal(was, now);
		assert_string_equal(now, others[i].read ? others[i].read : others[i].value);
		assert_int_equal(config_origin(c, k), LAYER_FILE);
		config_free(plain);
		config_free(c);
	}
}

static const char *wrong_for(enum config_type t)
{
	switch (t) {
	case TYPE_BOOL:
		return "\"yes\"";
	case TYPE_INT:
		return "1.5";
	case TYPE_NUMBER:
		return "\"0.5\"";
	case TYPE_STRING:
		return "[1]";
	case TYPE_STRINGS:
		return "[1]";
	case TYPE_OBJECT:
		return "[]";
	case TYPE_ARGV:
		return "\"program\"";
	}
	return "";
}

/* Each key with a value of the wrong type: broken, the key is named, and nothing else of the text is taken either. */
static void test_wrong_types(void **state)
{
	(void)state;
	for (size_t i = 0; i < CFG__MAX; i++) {
		static const char rest[] = ", \"telemetry\": {\"enabled\": false}";
		char text[512], other[600];
		struct config *c;

		nest(text, sizeof(text), config_specs[i].path, wrong_for(config_specs[i].type));
		text[strlen(text) - 1] = '\0';
		snprintf(other, sizeof(other), "%s%s}", text,
			strncmp(config_specs[i].path, "telemetry.", 10) == 0 ? "" : rest);
		c = of_file(other);
		assert_true(config_is_broken(c));
		assert_true(problem_says(c, config_specs[i].path, true));
		assert_value(c, CFG_TELEMETRY_ENABLED, "true");
		config_free(c);
	}
}

static const struct {
	const char *text;
	const char *says;
	uint32_t line, column; /* 0: nowhere */
	bool fatal;
} wrongs[] = {
	{ "{\n  \"llm\": {\n    \"model\" \"m\"\n}}", "syntax error", 3, 13, true },
	{ "{} trailing", "more text", 1, 4, true },
	{ "{\"a\": 1 /* never", "syntax error", 1, 9, true },
	{ "[]", "must be an object", 0, 0, true },
	{ "{\"policy\": 1}", "policy: must be an object", 1, 2, true },
	{ "{\"policy\": {\"headless\": false, \"headless\": true}}", "twice", 0, 0, true },
	{ "{\"policy\": {},\n \"policy\": {}}", "twice", 0, 0, true },
	{ "{\"llm\": {\"model\": \"\xff\"}}", "UTF-8", 0, 0, true },
	{ "{\"llm\": {\"model\": \"a\\u0000b\"}}", "NUL", 1, 10, true },
	{ "{\"jev\": {\"riskThreshold\": NaN}}", "syntax error", 1, 27, true },
	{ "{\"jev\": {\"riskThreshold\": 1e400}}", "syntax error", 1, 32, true },
	{ "{\"policy\": {\"denyMode\": \"ask\"}}", "\"ask-user\", \"both\" or \"auto-retry\"", 1, 13, true },
	{ "{\"llm\": {\"provider\": \"jevv\"}}", "llm.provider: must be", 1, 10, true },
	{ "{\"environment\": true}", "environment: must be a string", 1, 2, true },
	{ "{\n // x\n \"sanctionedRemote\": []}", "did you mean sanctionedRemotes?", 3, 2, false },
	{ "{\"headless\": true}", "did you mean policy.headless?", 1, 2, false },
	{ "{\"policy\": {\"headles\": true}}", "did you mean policy.headless?", 1, 13, false },
	{ "{\"llm\": {\"zzzzzzzz\": 1}}", "llm.zzzzzzzz: no such setting", 1, 10, false },
	{ "{\"agy\": {\"alwaysProceedEscalations\": \"perhaps\"}}", "\"stop\" is used", 1, 10, false },
	{ "{\"policy\": {\"protectedBranches\": \"main\"}}", "must be a list", 1, 13, false },
	{ "{\"policy\": {\"protectedBranches\": [\"ok\", \"-x\", \"a b\", \"\", \"/a\", \"a//b\"]}}", "[2]: \"a b\"", 1, 13, false },
	{ "{\"llm\": {\"timeoutMs\": -5}}", "out of range", 1, 10, false },
	{ "{\"jev\": {\"riskThreshold\": 1.5}}", "out of range", 1, 10, false },
	{ "{\"rules\": {\"scratchWriteRoots\": [\"/\"]}}", "everything", 1, 12, false },
	{ "{\"rules\": {\"scratchWriteRoots\": [\"tmp\"]}}", "absolute", 1, 12, false },
	{ "{\"rules\": {\"scratchWriteRoots\": [\"/tmp/../etc\"]}}", "..", 1, 12, false },
	{ "{\"sanctionedRemotes\": [\"https://x.org\"]}", "is no host", 1, 2, false },
	{ "{\"llm\": {\"baseUrl\": \"ftp://x\"}}", "llm.baseUrl", 0, 0, false },
	{ "{\"llm\": {\"baseUrl\": \"http://lan-box:8080/v1\"}}", "llm.allowHttp", 0, 0, false },
	{ "{\"jev\": {\"baseUrl\": \"https://u:p@x\"}}", "password", 0, 0, false },
};

static void test_wrong_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrongs); i++) {
		struct config *c = of_file(wrongs[i].text);
		const struct config_problem *p;
		size_t n = config_problems(c, &p), found = n;

		for (size_t j = 0; j < n; j++) {
			if (strstr(p[j].text, wrongs[i].says))
				found = j;
		}
		if (found == n)
			fail_msg("%s: %s", wrongs[i].text, n ? p[0].text : "no problem");
		assert_int_equal(p[found].fatal, wrongs[i].fatal);
		if (p[found].line != wrongs[i].line || p[found].column != wrongs[i].column)
			fail_msg("%s: %u:%u", wrongs[i].text, p[found].line, p[found].column);
		assert_int_equal(config_is_broken(c), wrongs[i].fatal);
		assert_true(wrongs[i].line == 0 || strcmp(p[found].source, "test.jsonc") == 0);
		config_free(c);
	}
}

static void test_harmless_texts(void **state)
{
	static const char *const texts[] = {
		"", " \n", "{}", "// only a comment\n", "\xef\xbb\xbf{}", "{\"$schema\": \"https://x/y.json\"}",
		"{\"llm\": {\"triageModel\": null}, \"policy\": null}",
		"{ /* a */ \"llm\" : { // b \"}\n \"model\" : \"x//y /* z */\", }, }",
		"{\"rules\": {\"fastAllow\": [\"a\", \"b\" /* c */ , ], },\r\n}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct config *c = fresh();
		const struct config_problem *p;

		merge(c, LAYER_FILE, texts[i]);
		assert_int_equal(config_finish(c), 0);
		assert_false(config_is_broken(c));
		if (i > 0 && config_problems(c, &p) != 0)
			fail_msg("%s: %s", texts[i], p[0].text);
		config_free(c);
	}
}

static void test_comments_in_strings(void **state)
{
	struct config *c = of_file("{\"llm\": {\"model\": \"x//y /* z */ \\\" ,}\",},}");

	(void)state;
	assert_string_equal(config_string(c, CFG_LLM_MODEL), "x//y /* z */ \" ,}");
	config_free(c);
}

static void test_old_forms(void **state)
{
	struct config *c = of_file("{\"instructionsAppend\": \"top\"}");

	(void)state;
	assert_value(c, CFG_POLICY_INSTRUCTIONS_APPEND, "\"top\"");
	config_free(c);
	c = of_file("{\"instructionsAppend\": \"top\", \"policy\": {\"instructionsAppend\": \"inner\"}}");
	assert_value(c, CFG_POLICY_INSTRUCTIONS_APPEND, "\"inner\"");
	config_free(c);
	c = of_file("{\"llm\": {\"provider\": \"openai\"}}");
	assert_value(c, CFG_LLM_PROVIDER, "\"chat\"");
	config_free(c);
	/* all wrong: as shipped; an empty list is a choice */
	c = of_file("{\"policy\": {\"protectedBranches\": [\"a b\"]}}");
	assert_value(c, CFG_POLICY_PROTECTED_BRANCHES, "[\"main\",\"master\"]");
	config_free(c);
	c = of_file("{\"policy\": {\"protectedBranches\": []}}");
	assert_value(c, CFG_POLICY_PROTECTED_BRANCHES, "[]");
	config_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_every_key),
		cmocka_unit_test(test_wrong_types),
		cmocka_unit_test(test_wrong_texts),
		cmocka_unit_test(test_harmless_texts),
		cmocka_unit_test(test_comments_in_strings),
		cmocka_unit_test(test_old_forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
