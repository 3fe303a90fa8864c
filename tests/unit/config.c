/* SPDX-License-Identifier: Apache-2.0 */
/* Settings: every key by type, default, layer, variable and direction; what is wrong with a text, and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <json-c/json.h>
#include <stdio.h>

#include "policy/config/config.h"
#include "policy/text/json_strict.h"
#include "policy/text/textbuf.h"

static struct config *fresh(void)
{
	struct config *c = NULL;

	assert_int_equal(config_new(&c), 0);
	return c;
}

static void merge(struct config *c, enum config_layer layer, const char *text)
{
	CLEANUP(freep) char *copy = strdup(text);

	assert_int_equal(config_merge_text(c, layer, "test.jsonc", copy, strlen(copy)), 0);
}

static struct config *of_file(const char *text)
{
	struct config *c = fresh();

	merge(c, LAYER_FILE, text);
	assert_int_equal(config_finish(c), 0);
	return c;
}

static bool problem_says(const struct config *c, const char *part, bool fatal)
{
	const struct config_problem *p;
	size_t n = config_problems(c, &p);

	for (size_t i = 0; i < n; i++) {
		if (p[i].fatal == fatal && strstr(p[i].text, part))
			return true;
	}
	return false;
}

/* A key's value as JSON text. */
static const char *value_of(const struct config *c, enum config_key k, char *out, size_t size)
{
	CLEANUP(freep) char *text = NULL;
	CLEANUP(json_putp) struct json_object *all = NULL;
	struct json_object *v;
	const char *path = config_specs[k].path, *dot;
	char group[64];
	size_t at;

	assert_int_equal(config_show(c, false, &text), 0);
	assert_int_equal(json_strict((struct bytes){ text, strlen(text) }, &all, &at), JSON_OK);
	v = all;
	while ((dot = strchr(path, '.'))) {
		memcpy(group, path, (size_t)(dot - path));
		group[dot - path] = '\0';
		assert_true(json_object_object_get_ex(v, group, &v));
		path = dot + 1;
	}
	assert_true(json_object_object_get_ex(v, path, &v));
	snprintf(out, size, "%s", json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	return out;
}

static void assert_value(const struct config *c, enum config_key k, const char *want)
{
	char text[4096];

	if (strcmp(value_of(c, k, text, sizeof(text)), want) != 0)
		fail_msg("%s is %s, not %s", config_specs[k].path, text, want);
}

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
		char text[512], other[600];
		struct config *c;

		nest(text, sizeof(text), config_specs[i].path, wrong_for(config_specs[i].type));
		text[strlen(text) - 1] = '\0';
		snprintf(other, sizeof(other), "%s, \"telemetry\": {\"enabled\": false}}",
			strncmp(config_specs[i].path, "telemetry.", 10) == 0 ? "{\"telemetry\": {\"enabled\": 1}" : text);
		if (strncmp(config_specs[i].path, "telemetry.", 10) == 0)
			snprintf(other, sizeof(other), "%s}", text);
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

static void test_layers(void **state)
{
	struct config *c = fresh();

	(void)state;
	merge(c, LAYER_HOST, "{\"llm\": {\"model\": \"host\", \"triageModel\": \"host\", \"fallbackModels\": [\"host\"],"
			     " \"extraBody\": {\"a\": {\"x\": 1, \"y\": 1}, \"b\": [1]}}}");
	merge(c, LAYER_FILE, "{\"llm\": {\"model\": \"file\", \"triageModel\": \"file\", \"fallbackModels\": [\"f\", \"g\"],"
			     " \"extraBody\": {\"a\": {\"y\": 2}, \"b\": [2]}}}");
	merge(c, LAYER_OVERLAY, "{\"llm\": {\"model\": \"overlay\", \"extraBody\": {\"c\": null}}}");
	assert_int_equal(config_merge_variable(c, "AUTO_CLASSIFIER_MODEL", "variable", false), 0);
	assert_int_equal(config_finish(c), 0);
	assert_value(c, CFG_LLM_MODEL, "\"variable\"");
	assert_value(c, CFG_LLM_TRIAGE_MODEL, "\"file\"");
	assert_value(c, CFG_LLM_FALLBACK_MODELS, "[\"f\",\"g\"]");
	assert_value(c, CFG_LLM_EXTRA_BODY, "{\"a\":{\"x\":1,\"y\":2},\"b\":[2],\"c\":null}");
	assert_int_equal(config_origin(c, CFG_LLM_MODEL), LAYER_ENVIRONMENT);
	assert_int_equal(config_origin(c, CFG_LLM_EXTRA_BODY), LAYER_OVERLAY);
	assert_int_equal(config_finish(c), -EINVAL);
	config_free(c);
}

static const struct {
	const char *name, *value;
	enum config_key key;
	const char *read; /* as a person's; NULL: unchanged */
	const char *hook; /* where only tightening counts; NULL: unchanged */
} variables[] = {
	{ "AUTO_CLASSIFIER_PROVIDER", "chat", CFG_LLM_PROVIDER, "\"chat\"", NULL },
	{ "AUTO_CLASSIFIER_PROVIDER", "nonsense", CFG_LLM_PROVIDER, NULL, NULL },
	{ "AUTO_CLASSIFIER_BASE_URL", "https://a", CFG_LLM_BASE_URL, "\"https://a\"", NULL },
	{ "OPENAI_BASE_URL", "https://b", CFG_LLM_BASE_URL, "\"https://b\"", NULL },
	{ "OPENAI_BASE_URL", "", CFG_LLM_BASE_URL, NULL, NULL },
	{ "AUTO_CLASSIFIER_API_KEY", NULL, CFG_LLM_API_KEY, "\"[set]\"", "\"[set]\"" },
	{ "OPENAI_API_KEY", "x", CFG_LLM_API_KEY, "\"[set]\"", "\"[set]\"" },
	{ "OPENAI_API_KEY", "", CFG_LLM_API_KEY, NULL, NULL },
	{ "TYPESAFE_API_KEY", NULL, CFG_JEV_API_KEY, "\"[set]\"", "\"[set]\"" },
	{ "AUTO_CLASSIFIER_MODEL", "m", CFG_LLM_MODEL, "\"m\"", NULL },
	{ "AUTO_CLASSIFIER_FALLBACK_MODEL", "m", CFG_LLM_FALLBACK_MODEL, "\"m\"", NULL },
	{ "AUTO_CLASSIFIER_FALLBACK_MODELS", " a, ,b ", CFG_LLM_FALLBACK_MODELS, "[\"a\",\"b\"]", NULL },
	{ "AUTO_CLASSIFIER_TRIAGE_MODEL", "m", CFG_LLM_TRIAGE_MODEL, "\"m\"", NULL },
	{ "AUTO_CLASSIFIER_TIMEOUT_MS", "9000", CFG_LLM_TIMEOUT_MS, "9000", "9000" },
	{ "AUTO_CLASSIFIER_TIMEOUT_MS", "90000", CFG_LLM_TIMEOUT_MS, "90000", NULL },
	{ "AUTO_CLASSIFIER_TIMEOUT_MS", "soon", CFG_LLM_TIMEOUT_MS, NULL, NULL },
	{ "AUTO_CLASSIFIER_TOTAL_TIMEOUT_MS", "9000", CFG_LLM_TOTAL_TIMEOUT_MS, "9000", "9000" },
	{ "AUTO_CLASSIFIER_SYSTEM_PROMPT_FILE", "/p", CFG_LLM_SYSTEM_PROMPT_FILE, "\"/p\"", NULL },
	{ "AUTO_CLASSIFIER_DENY_MODE", "auto-retry", CFG_POLICY_DENY_MODE, "\"auto-retry\"", "\"auto-retry\"" },
	{ "AUTO_CLASSIFIER_DENY_MODE", "ask-user", CFG_POLICY_DENY_MODE, "\"ask-user\"", NULL },
	{ "AUTO_CLASSIFIER_DENY_MODE", "never", CFG_POLICY_DENY_MODE, NULL, NULL },
	{ "AUTO_CLASSIFIER_HEADLESS", "1", CFG_POLICY_HEADLESS, "true", "true" },
	{ "AUTO_CLASSIFIER_HEADLESS", "YES", CFG_POLICY_HEADLESS, "true", "true" },
	{ "AUTO_CLASSIFIER_HEADLESS", "no", CFG_POLICY_HEADLESS, NULL, NULL },
	{ "AUTO_CLASSIFIER_TIMEOUT_MINUTES", "2", CFG_POLICY_ESCALATION_TIMEOUT_MINUTES, "2", "2" },
	{ "AUTO_CLASSIFIER_TIMEOUT_MINUTES", "60", CFG_POLICY_ESCALATION_TIMEOUT_MINUTES, "60", NULL },
	{ "AUTO_CLASSIFIER_PROTECTED_BRANCHES", "trunk,main", CFG_POLICY_PROTECTED_BRANCHES, "[\"trunk\",\"main\"]",
		"[\"main\",\"master\",\"trunk\"]" },
	{ "AUTO_CLASSIFIER_PROTECTED_BRANCHES", "", CFG_POLICY_PROTECTED_BRANCHES, NULL, NULL },
	{ "AUTO_CLASSIFIER_INSTRUCTIONS_APPEND", "x", CFG_POLICY_INSTRUCTIONS_APPEND, "\"x\"", NULL },
	{ "TYPESAFE_BASE_URL", "https://c", CFG_JEV_BASE_URL, "\"https://c\"", NULL },
	{ "AUTO_CLASSIFIER_JEV_COMMAND", "[\"/bin/ask\",\"x\"]", CFG_JEV_COMMAND, "[\"/bin/ask\",\"x\"]", NULL },
	{ "AUTO_CLASSIFIER_JEV_COMMAND", "/bin/ask x", CFG_JEV_COMMAND, "[]", NULL },
	{ "AUTO_CLASSIFIER_JEV_MODEL", "m", CFG_JEV_MODEL, "\"m\"", NULL },
	{ "AUTO_CLASSIFIER_LOG", "/l", CFG_LOG_PATH, "\"/l\"", NULL },
	{ "AUTO_CLASSIFIER_LOG", "", CFG_LOG_PATH, "\"\"", NULL },
	{ "AUTO_CLASSIFIER_STATE_DIR", "/s", CFG_STATE_DIR, "\"/s\"", NULL },
	{ "AUTO_CLASSIFIER_NO_SUCH", "x", CFG_LLM_MODEL, NULL, NULL },
};

static void check_variable(size_t i, bool hook)
{
	const char *want = hook ? variables[i].hook : variables[i].read;
	struct config *c = fresh();
	char was[512], now[512];

	value_of(c, variables[i].key, was, sizeof(was));
	assert_int_equal(config_merge_variable(c, variables[i].name, variables[i].value, hook), 0);
	assert_int_equal(config_finish(c), 0);
	assert_false(config_is_broken(c));
	value_of(c, variables[i].key, now, sizeof(now));
	if (strcmp(now, want ? want : was) != 0)
		fail_msg("%s=%s: %s", variables[i].name, variables[i].value, now);
	if (want && strcmp(want, was) != 0)
		assert_int_equal(config_origin(c, variables[i].key), LAYER_ENVIRONMENT);
	config_free(c);
}

static void test_variables(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
		check_variable(i, false);
		check_variable(i, true);
	}
	/* every variable of the table stands in the cases above */
	for (size_t k = 0; k < CFG__MAX; k++) {
		bool seen = !config_specs[k].env;

		for (size_t i = 0; i < ARRAY_LEN(variables) && !seen; i++)
			seen = variables[i].key == k;
		assert_true(seen);
	}
}

static void test_variable_order(void **state)
{
	(void)state;
	for (int order = 0; order < 2; order++) {
		struct config *c = fresh();

		for (int i = 0; i < 2; i++) {
			bool ours = (i == 0) == (order == 0);

			assert_int_equal(config_merge_variable(c, ours ? "AUTO_CLASSIFIER_BASE_URL" : "OPENAI_BASE_URL",
						 ours ? "https://ours" : "https://theirs", false), 0);
		}
		assert_value(c, CFG_LLM_BASE_URL, "\"https://ours\"");
		config_free(c);
	}
}

static void test_variables_and_files(void **state)
{
	struct config *c = fresh();

	(void)state;
	merge(c, LAYER_FILE, "{\"policy\": {\"instructionsAppend\": \"file\", \"headless\": true, \"denyMode\": \"auto-retry\"},"
			     " \"jev\": {\"command\": [\"/bin/ask\"]}, \"llm\": {\"timeoutMs\": 500, \"fallbackModels\": [\"m\"]}}");
	assert_int_equal(config_merge_variable(c, "AUTO_CLASSIFIER_INSTRUCTIONS_APPEND", "variable", false), 0);
	assert_int_equal(config_merge_variable(c, "AUTO_CLASSIFIER_JEV_COMMAND", "garbage", false), 0);
	assert_int_equal(config_merge_variable(c, "AUTO_CLASSIFIER_HEADLESS", "false", true), 0);
	assert_int_equal(config_merge_variable(c, "AUTO_CLASSIFIER_DENY_MODE", "both", true), 0);
	assert_int_equal(config_merge_variable(c, "AUTO_CLASSIFIER_TIMEOUT_MS", "600", true), 0);
	assert_int_equal(config_merge_variable(c, "AUTO_CLASSIFIER_FALLBACK_MODELS", "", false), 0);
	assert_int_equal(config_finish(c), 0);
	assert_value(c, CFG_POLICY_INSTRUCTIONS_APPEND, "\"file\"");
	assert_value(c, CFG_JEV_COMMAND, "[]");
	assert_value(c, CFG_POLICY_HEADLESS, "true");
	assert_value(c, CFG_POLICY_DENY_MODE, "\"auto-retry\"");
	assert_value(c, CFG_LLM_TIMEOUT_MS, "500");
	assert_value(c, CFG_LLM_FALLBACK_MODELS, "[]");
	config_free(c);
}

/* One row a direction and side: the floor, the file under it, what holds. */
static const struct {
	const char *floor, *file;
	enum config_key key;
	const char *holds;
	bool by_floor;
} floors[] = {
	{ "{\"rules\":{\"fastDeny\":[\"^a\"]}}", "{\"rules\":{\"fastDeny\":[\"^b\"]}}", CFG_RULES_FAST_DENY, "[\"^b\",\"^a\"]", true },
	{ "{\"rules\":{\"fastDeny\":[\"^b\"]}}", "{\"rules\":{\"fastDeny\":[\"^b\"]}}", CFG_RULES_FAST_DENY, "[\"^b\"]", false },
	{ "{\"rules\":{\"fastAllow\":[\"^a\",\"^c\"]}}", "{\"rules\":{\"fastAllow\":[\"^b\",\"^c\"]}}", CFG_RULES_FAST_ALLOW,
		"[\"^c\"]", true },
	{ "{\"rules\":{\"fastAllow\":[]}}", "{}", CFG_RULES_FAST_ALLOW, "[]", true },
	{ "{\"rules\":{\"scratchWriteRoots\":[\"/tmp\",\"~/x\"]}}",
		"{\"rules\":{\"scratchWriteRoots\":[\"/tmp/mine/\",\"/\",\"/var/tmp\",\"/home/ada/x/y\",\"/tmpx\"]}}",
		CFG_RULES_SCRATCH_WRITE_ROOTS, "[\"/tmp/mine/\",\"/home/ada/x/y\"]", true },
	{ "{\"sanctionedRemotes\":[\"*.example.org\",\"github.com/octo\",\"10.0.0.0/8\"]}",
		"{\"sanctionedRemotes\":[\"a.example.org\",\"example.org\",\"github.com\",\"github.com/octo/x\",\"github.com/octopus\","
		"\"10.1.2.3\",\"10.2.0.0/16\",\"11.0.0.0/8\",\"*.b.example.org/\",\"evil.com\"]}",
		CFG_SANCTIONED_REMOTES,
		"[\"a.example.org\",\"github.com/octo/x\",\"10.1.2.3\",\"10.2.0.0/16\",\"*.b.example.org\",\"github.com/octo\"]", true },
	{ "{\"sanctionedRemotes\":[\"a.org\"]}", "{}", CFG_SANCTIONED_REMOTES, "[]", false },
	{ "{\"policy\":{\"trustedRemotes\":[]}}", "{\"policy\":{\"trustedRemotes\":[\"a.org\"]}}", CFG_POLICY_TRUSTED_REMOTES, "[]", true },
	{ "{\"policy\":{\"headless\":true}}", "{\"policy\":{\"headless\":false}}", CFG_POLICY_HEADLESS, "true", true },
	{ "{\"policy\":{\"headless\":false}}", "{\"policy\":{\"headless\":true}}", CFG_POLICY_HEADLESS, "true", false },
	{ "{\"telemetry\":{\"enabled\":true}}", "{\"telemetry\":{\"enabled\":false}}", CFG_TELEMETRY_ENABLED, "true", true },
	{ "{\"policy\":{\"trustLandedScripts\":false}}", "{}", CFG_POLICY_TRUST_LANDED_SCRIPTS, "false", true },
	{ "{\"policy\":{\"trustLandedScripts\":true}}", "{\"policy\":{\"trustLandedScripts\":false}}",
		CFG_POLICY_TRUST_LANDED_SCRIPTS, "false", false },
	{ "{\"policy\":{\"consecutiveThreshold\":1}}", "{\"policy\":{\"consecutiveThreshold\":5}}",
		CFG_POLICY_CONSECUTIVE_THRESHOLD, "1", true },
	{ "{\"policy\":{\"consecutiveThreshold\":9}}", "{\"policy\":{\"consecutiveThreshold\":5}}",
		CFG_POLICY_CONSECUTIVE_THRESHOLD, "5", false },
	{ "{\"jev\":{\"riskThreshold\":0.4}}", "{\"jev\":{\"riskThreshold\":0.9}}", CFG_JEV_RISK_THRESHOLD, "0.4", true },
	{ "{\"jev\":{\"minConfidence\":0.8}}", "{\"jev\":{\"minConfidence\":0.1}}", CFG_JEV_MIN_CONFIDENCE, "0.8", true },
	{ "{\"jev\":{\"minConfidence\":0.8}}", "{\"jev\":{\"minConfidence\":0.9}}", CFG_JEV_MIN_CONFIDENCE, "0.9", false },
	{ "{\"llm\":{\"provider\":\"offline\"}}", "{\"llm\":{\"provider\":\"chat\"}}", CFG_LLM_PROVIDER, "\"offline\"", true },
	{ "{\"llm\":{\"baseUrl\":\"https://a\"}}", "{\"llm\":{\"baseUrl\":\"https://b\"}}", CFG_LLM_BASE_URL, "\"https://a\"", true },
	{ "{\"llm\":{\"extraBody\":{}}}", "{\"llm\":{\"extraBody\":{\"a\":1}}}", CFG_LLM_EXTRA_BODY, "{}", true },
	{ "{\"jev\":{\"command\":[]}}", "{\"jev\":{\"command\":[\"/x\"]}}", CFG_JEV_COMMAND, "[]", true },
	{ "{\"telemetry\":{\"path\":\"/a\"}}", "{\"telemetry\":{\"path\":\"/b\"}}", CFG_TELEMETRY_PATH, "\"/a\"", true },
	{ "{\"policy\":{\"denyMode\":\"both\"}}", "{\"policy\":{\"denyMode\":\"ask-user\"}}", CFG_POLICY_DENY_MODE, "\"both\"", true },
	{ "{\"policy\":{\"denyMode\":\"both\"}}", "{\"policy\":{\"denyMode\":\"auto-retry\"}}", CFG_POLICY_DENY_MODE, "\"auto-retry\"", false },
	{ "{\"agy\":{\"alwaysProceedEscalations\":\"stop\"}}", "{\"agy\":{\"alwaysProceedEscalations\":\"run\"}}",
		CFG_AGY_ALWAYS_PROCEED_ESCALATIONS, "\"stop\"", true },
	{ "{\"fileZones\":{\"deny\":[\"/a\"]}}", "{\"fileZones\":{\"deny\":[\"/b\"]}}", CFG_FILE_ZONES_DENY, "[\"/b\",\"/a\"]", true },
	{ "{\"tools\":{\"allow\":[\"a\"]}}", "{\"tools\":{\"allow\":[\"a\",\"b\"]}}", CFG_TOOLS_ALLOW, "[\"a\"]", true },
	{ "{\"policy\":{\"instructAgentOnDenial\":true}}", "{\"policy\":{\"instructAgentOnDenial\":false}}",
		CFG_POLICY_INSTRUCT_AGENT_ON_DENIAL, "false", false },
	{ "{}", "{\"policy\":{\"headless\":true}}", CFG_POLICY_HEADLESS, "true", false },
};

static void test_floor(void **state)
{
	bool covered[ORDERED + 1] = { false };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(floors); i++) {
		struct config *c = fresh();

		assert_int_equal(config_set_places(c, "/home/ada", "/home/ada/.config/auto-classifier"), 0);
		merge(c, LAYER_FILE, floors[i].file);
		merge(c, LAYER_FLOOR, floors[i].floor);
		assert_int_equal(config_finish(c), 0);
		assert_false(config_is_broken(c));
		assert_value(c, floors[i].key, floors[i].holds);
		assert_int_equal(config_origin(c, floors[i].key) == LAYER_FLOOR, floors[i].by_floor);
		covered[config_specs[floors[i].key].direction] = true;
		config_free(c);
	}
	for (size_t i = 0; i < ARRAY_LEN(covered); i++)
		assert_true(covered[i]);
}

static void test_bad_floor(void **state)
{
	static const char *const texts[] = { "", " ", "{", "[]", "{\"policy\":{\"headless\":1}}", "null", "{} x" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct config *c = fresh();

		merge(c, LAYER_FLOOR, texts[i]);
		assert_int_equal(config_finish(c), 0);
		assert_true(config_is_broken(c));
		config_free(c);
	}
}

static void test_broken_overlay(void **state)
{
	static const char *const texts[] = { "{", "{\"policy\":{\"headless\":\"no\"}}", "[]" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct config *c = fresh();

		merge(c, LAYER_FILE, "{\"sanctionedRemotes\":[\"a.org\"],\"policy\":{\"consecutiveThreshold\":5,"
				     "\"denyMode\":\"ask-user\",\"protectedBranches\":[]},\"jev\":{\"minConfidence\":0.1},"
				     "\"rules\":{\"fastDeny\":[\"^x\"],\"fastAllow\":[\"^y\"]},\"environment\":\"trusted\","
				     "\"llm\":{\"provider\":\"chat\",\"timeoutMs\":200}}");
		merge(c, LAYER_OVERLAY, texts[i]);
		assert_true(config_overlay_broken(c));
		assert_false(config_trusts_environment(c));
		assert_int_equal(config_finish(c), 0);
		assert_false(config_is_broken(c));
		assert_value(c, CFG_POLICY_HEADLESS, "true");
		assert_value(c, CFG_SANCTIONED_REMOTES, "[]");
		assert_value(c, CFG_POLICY_CONSECUTIVE_THRESHOLD, "2");
		assert_value(c, CFG_POLICY_DENY_MODE, "\"both\"");
		assert_value(c, CFG_POLICY_PROTECTED_BRANCHES, "[\"main\",\"master\"]");
		assert_value(c, CFG_JEV_MIN_CONFIDENCE, "0.6");
		assert_value(c, CFG_RULES_FAST_ALLOW, "[]");
		assert_value(c, CFG_LLM_TIMEOUT_MS, "200");
		assert_value(c, CFG_LLM_PROVIDER, "\"chat\"");
		config_free(c);
	}
}

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
	static const char *const good[] = { "host", "git.example.org", "*.ts.net", "github.com/octo", "h/a/b/c", "10.0.0.0/8",
		"192.168.1.1/32", "127.0.0.1", "h/a..b/c" };
	static const char *const bad[] = { "", "*", "*.", "https://h", "h:22", "u@h", "h/a?b", "h#x", "h x", "*.h/path", "h/../x",
		"h/a/..", "/path", "a*b", "[::1]", "h\\x" };

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
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_every_key),
		cmocka_unit_test(test_wrong_types),
		cmocka_unit_test(test_wrong_texts),
		cmocka_unit_test(test_harmless_texts),
		cmocka_unit_test(test_comments_in_strings),
		cmocka_unit_test(test_old_forms),
		cmocka_unit_test(test_layers),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_variable_order),
		cmocka_unit_test(test_variables_and_files),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_bad_floor),
		cmocka_unit_test(test_broken_overlay),
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
