/* SPDX-License-Identifier: Apache-2.0 */
/* Settings from several sources: layers, variables, the host's floor, a broken overlay. */
#include "tests/unit/config_help.h"

static void test_layers(void **state)
{
	struct config *c = fresh();

	(void)state;
	merge(c, LAYER_HOST,
		"{\"llm\": {\"model\": \"host\", \"triageModel\": \"host\", \"fallbackModels\": [\"host\"],"
		" \"extraBody\": {\"a\": {\"x\": 1, \"y\": 1}, \"b\": [1]}}}");
	merge(c, LAYER_FILE,
		"{\"llm\": {\"model\": \"file\", \"triageModel\": \"file\", \"fallbackModels\": [\"f\", \"g\"],"
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
	merge(c, LAYER_FILE,
		"{\"policy\": {\"instructionsAppend\": \"file\", \"headless\": true, \"denyMode\": \"auto-retry\"},"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layers),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_variable_order),
		cmocka_unit_test(test_variables_and_files),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_bad_floor),
		cmocka_unit_test(test_broken_overlay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
