/* SPDX-License-Identifier: Apache-2.0 */
/* The table of settings and what else is fixed about them: ranges, words, names. */
#include "policy/config/default_rules.h"
#include "policy/config/internal.h"
#include "policy/text/fold.h"

const struct config_spec config_specs[CFG__MAX] = {
#define KEY(id, path, type, def, direction, env, flags, help) \
	[CFG_##id] = { path, type, def, direction, env, flags, help },
#include "policy/config/keys.def"
#undef KEY
};

static const char *const words_environment[] = { "tighten", "trusted" };
static const char *const words_provider[] = { "jev", "chat", "offline", "openai" };
static const char *const words_deny_mode[] = { "ask-user", "both", "auto-retry" };
static const char *const words_proceed[] = { "run", "stop" };

static const struct {
	enum config_key key;
	const char *const *words;
	size_t n;
} word_lists[] = {
	{ CFG_ENVIRONMENT, words_environment, ARRAY_LEN(words_environment) },
	{ CFG_LLM_PROVIDER, words_provider, ARRAY_LEN(words_provider) },
	{ CFG_POLICY_DENY_MODE, words_deny_mode, ARRAY_LEN(words_deny_mode) },
	{ CFG_AGY_ALWAYS_PROCEED_ESCALATIONS, words_proceed, ARRAY_LEN(words_proceed) },
};

enum { DAY_MS = 24 * 60 * 60 * 1000, TEN_MINUTES_MS = 10 * 60 * 1000 };

static const struct {
	enum config_key key;
	int64_t min, max;
} ranges[] = {
	{ CFG_LLM_TIMEOUT_MS, 100, TEN_MINUTES_MS },
	{ CFG_LLM_TOTAL_TIMEOUT_MS, 100, TEN_MINUTES_MS },
	{ CFG_JEV_TIMEOUT_MS, 100, TEN_MINUTES_MS },
	{ CFG_LLM_MAX_TOKENS, 1, 1000000 },
	{ CFG_LLM_MAX_FILE_CHARS, 0, 64 * 1024 },
	{ CFG_POLICY_CONSECUTIVE_THRESHOLD, 1, 1000 },
	{ CFG_POLICY_SLIDING_WINDOW_MS, 0, DAY_MS },
	{ CFG_POLICY_JUDGE_DENIALS_PER_WINDOW, 0, 10000 },
	{ CFG_POLICY_APPROVAL_TTL_MS, 0, DAY_MS },
	{ CFG_POLICY_ESCALATION_TIMEOUT_MINUTES, 0, 24 * 60 },
	{ CFG_TELEMETRY_MAX_BYTES, 0, INT64_MAX },
	{ CFG_NETPROC_WARM, 0, 16 },
	{ CFG_NETPROC_PER_UID, 1, 48 },
	{ CFG_NETPROC_PER_MINUTE, 1, 100000 },
	{ CFG_NETPROC_IDLE_EXIT_MS, 0, DAY_MS },
};

bool schema_find(const char *path, enum config_key *ret)
{
	for (size_t i = 0; i < CFG__MAX; i++) {
		if (strcmp(config_specs[i].path, path) == 0) {
			*ret = (enum config_key)i;
			return true;
		}
	}
	return false;
}

bool schema_is_group(const char *path)
{
	size_t n = strlen(path);

	for (size_t i = 0; i < CFG__MAX; i++) {
		if (strncmp(config_specs[i].path, path, n) == 0 && config_specs[i].path[n] == '.')
			return true;
	}
	return false;
}

/* Most of an environment is not ours, and every hook call asks for all of it. */
static bool may_be_ours(const char *name)
{
	static const char *const prefixes[] = { "AUTO_CLASSIFIER_", "OPENAI_", "TYPESAFE_" };

	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++) {
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	return false;
}

bool schema_find_variable(const char *name, enum config_key *ret, uint8_t *ret_rank)
{
	size_t n = strlen(name);

	if (!may_be_ours(name))
		return false;
	for (size_t i = 0; i < CFG__MAX; i++) {
		const char *p = config_specs[i].env;
		uint8_t rank = 1;

		while (p && *p) {
			size_t len = strcspn(p, " ");

			if (len == n && memcmp(p, name, n) == 0) {
				*ret = (enum config_key)i;
				*ret_rank = rank;
				return true;
			}
			p += len + (p[len] == ' ');
			rank++;
		}
	}
	return false;
}

void schema_range(enum config_key k, int64_t *ret_min, int64_t *ret_max)
{
	*ret_min = INT64_MIN;
	*ret_max = INT64_MAX;
	for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
		if (ranges[i].key == k) {
			*ret_min = ranges[i].min;
			*ret_max = ranges[i].max;
		}
	}
}

const char *const *schema_words(enum config_key k, size_t *ret_n)
{
	for (size_t i = 0; i < ARRAY_LEN(word_lists); i++) {
		if (word_lists[i].key == k) {
			*ret_n = word_lists[i].n;
			return word_lists[i].words;
		}
	}
	*ret_n = 0;
	return NULL;
}

enum { SUGGEST_MAX = 64 };

/* Edit distance with neighbours swapped counting once; case does not matter. */
static unsigned int distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	unsigned int row[3][SUGGEST_MAX + 1];

	if (n > SUGGEST_MAX || m > SUGGEST_MAX)
		return SUGGEST_MAX;
	for (unsigned int j = 0; j <= m; j++)
		row[0][j] = j;
	for (unsigned int i = 1; i <= n; i++) {
		unsigned int *now = row[i % 3], *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];

		now[0] = i;
		for (unsigned int j = 1; j <= m; j++) {
			bool same = fold_lower(a[i - 1]) == fold_lower(b[j - 1]);
			bool swapped = i > 1 && j > 1 && fold_lower(a[i - 1]) == fold_lower(b[j - 2]) &&
				fold_lower(a[i - 2]) == fold_lower(b[j - 1]);
			unsigned int best = last[j - 1] + !same;

			if (last[j] + 1 < best)
				best = last[j] + 1;
			if (now[j - 1] + 1 < best)
				best = now[j - 1] + 1;
			if (swapped && before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			now[j] = best;
		}
	}
	return row[n % 3][m];
}

const char *schema_suggest(const char *path)
{
	const char *best = NULL, *last = strrchr(path, '.');
	unsigned int least = SUGGEST_MAX;

	last = last ? last + 1 : path;
	for (size_t i = 0; i < CFG__MAX; i++) {
		const char *known = config_specs[i].path, *known_last = strrchr(known, '.');
		unsigned int d = distance(path, known);

		known_last = known_last ? known_last + 1 : known;
		if (strcasecmp(last, known_last) == 0 && d > 1)
			d = 1; /* right name, wrong group */
		if (d < least) {
			least = d;
			best = known;
		}
	}
	return least <= 2 + strlen(last) / 6 ? best : NULL;
}
