/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configured regular expressions, under PCRE2's interpreter: its compiler would need memory that is writable and
 * executable. Compiled when first needed, kept for the worker's life; the shipped denials, which are known to be
 * expressions, are not needed by a line that lacks a text they stand on. Work is counted, not timed, so that the same
 * line gets the same verdict everywhere: every step of a match calls back (PCRE2_AUTO_CALLOUT, pcre2callout(3)), and
 * the characters passed over since the last step are counted too.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "policy/config/default_rules.h"
#include "policy/text/fold.h"
#include "worker/rules/internal.h"

enum {
	MATCH_LIMIT = 200 * 1000,
	DEPTH_LIMIT = 2000,
	HEAP_LIMIT_KIB = 2048,
	LINE_WORK = 2 * 1000 * 1000, /* steps and characters for all patterns over one line: some 15 ms */
	PATTERN_MAX = 4096,
};

struct shipped_rule {
	const char *pattern;
	char needs[DENY_NEEDS_MAX][DENY_NEED_SIZE]; /* up to an empty one, or all */
};

#define RULE_AS_ROW(rule, ...) { .pattern = (rule), .needs = { __VA_ARGS__ } },
static const struct shipped_rule shipped_rules[] = { DEFAULT_DENY_RULES(RULE_AS_ROW, ) };

struct compiled_rule {
	pcre2_code *code; /* NULL: not compiled yet, or broken */
	bool tried;
	const struct shipped_rule *shipped; /* NULL: the user's */
};

struct compiled_rules {
	struct compiled_rule *deny, *allow; /* parallel to the policy's lists */
	pcre2_match_context *context; /* made with the first expression */
	pcre2_match_data *data;
	int64_t work; /* left for this line */
	PCRE2_SIZE last; /* where the last callout was */
};

static int step(pcre2_callout_block *block, void *data)
{
	struct compiled_rules *c = (struct compiled_rules *)data;
	PCRE2_SIZE at = block->current_position;

	c->work -= 1 + (int64_t)(at > c->last ? at - c->last : c->last - at);
	c->last = at;
	return c->work < 0 ? PCRE2_ERROR_CALLOUT : 0;
}

static const struct shipped_rule *shipped_rule(struct bytes pattern)
{
	for (size_t i = 0; i < ARRAY_LEN(shipped_rules); i++)
		if (bytes_is(pattern, shipped_rules[i].pattern))
			return &shipped_rules[i];
	return NULL;
}

static bool is_there(struct bytes text, const char *need)
{
	return need[0] == '^' ? fold_starts(text, need + 1) : fold_has(text, need);
}

/* May the rule match this text at all? */
static bool rule_concerns(const struct compiled_rule *rule, struct bytes text)
{
	const struct shipped_rule *s = rule->shipped;

	for (size_t i = 0; s != NULL && i < DENY_NEEDS_MAX && s->needs[i][0] != '\0'; i++)
		if (!is_there(text, s->needs[i]))
			return false;
	return true;
}

static struct compiled_rules *rules_new(const struct worker_policy *policy)
{
	struct compiled_rules *c = (struct compiled_rules *)calloc(1, sizeof(*c));

	if (c == NULL)
		return NULL;
	c->deny = (struct compiled_rule *)calloc(policy->fast_deny.n + 1, sizeof(*c->deny));
	c->allow = (struct compiled_rule *)calloc(policy->fast_allow.n + 1, sizeof(*c->allow));
	if (c->deny == NULL || c->allow == NULL) {
		free(c->deny);
		free(c->allow);
		free(c);
		return NULL;
	}
	for (uint32_t i = 0; i < policy->fast_deny.n; i++)
		c->deny[i].shipped = shipped_rule(policy->fast_deny.items[i]);
	return c;
}

static bool engine_start(struct compiled_rules *c)
{
	if (c->context == NULL)
		c->context = pcre2_match_context_create(NULL);
	if (c->data == NULL)
		c->data = pcre2_match_data_create(1, NULL);
	if (c->context == NULL || c->data == NULL)
		return false;
	pcre2_set_match_limit(c->context, MATCH_LIMIT);
	pcre2_set_depth_limit(c->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(c->context, HEAP_LIMIT_KIB);
	pcre2_set_callout(c->context, step, c);
	return true;
}

void compiled_rules_free(struct compiled_rules *c, const struct worker_policy *policy)
{
	if (c == NULL)
		return;
	for (uint32_t i = 0; i < policy->fast_deny.n; i++)
		pcre2_code_free(c->deny[i].code);
	for (uint32_t i = 0; i < policy->fast_allow.n; i++)
		pcre2_code_free(c->allow[i].code);
	free(c->deny);
	free(c->allow);
	pcre2_match_context_free(c->context);
	pcre2_match_data_free(c->data);
	free(c);
}

static struct compiled_rules *rules_of(struct judge *j)
{
	if (*j->line->rules == NULL)
		*j->line->rules = rules_new(j->line->policy);
	if (*j->line->rules == NULL)
		judge_fail(j, -ENOMEM);
	return *j->line->rules;
}

static pcre2_code *rule_code(struct judge *j, struct compiled_rules *c, struct compiled_rule *rule,
	struct bytes pattern)
{
	int error;
	PCRE2_SIZE at;

	if (rule->tried)
		return rule->code;
	if (!engine_start(c)) {
		judge_fail(j, -ENOMEM);
		return NULL;
	}
	rule->tried = true;
	/* "(*…" could lift our own limits or switch to another newline or character convention. */
	if (pattern.len == 0 || pattern.len > PATTERN_MAX || (pattern.len > 1 && memcmp(pattern.p, "(*", 2) == 0))
		return NULL;
	rule->code = pcre2_compile((PCRE2_SPTR)pattern.p, pattern.len,
		PCRE2_CASELESS | PCRE2_AUTO_CALLOUT | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP |
			PCRE2_NEVER_BACKSLASH_C,
		&error, &at, NULL);
	return rule->code;
}

static int rule_match(struct compiled_rules *c, const pcre2_code *code, struct bytes text, uint32_t options)
{
	c->last = 0;
	return pcre2_match(code, (PCRE2_SPTR)(text.p != NULL ? text.p : ""), text.len, 0, options, c->data, c->context);
}

enum rule_match rules_deny(struct judge *j, struct bytes text, struct bytes *ret_rule)
{
	const struct string_list *list = &j->line->policy->fast_deny;
	struct compiled_rules *c = rules_of(j);

	for (uint32_t i = 0; c != NULL && i < list->n; i++) {
		const pcre2_code *code;
		int r = PCRE2_ERROR_NOMATCH;

		if (!rule_concerns(&c->deny[i], text))
			continue;
		code = rule_code(j, c, &c->deny[i], list->items[i]);
		if (code != NULL)
			r = rule_match(c, code, text, 0);
		else if (c->deny[i].shipped != NULL)
			r = PCRE2_ERROR_NOMEMORY; /* a broken one of the user's has denied the line: rules_begin() */
		if (r == PCRE2_ERROR_NOMATCH)
			continue;
		*ret_rule = list->items[i];
		return r >= 0 ? RULE_MATCHED : RULE_LIMIT;
	}
	return RULE_NONE;
}

enum rule_match rules_allow(struct judge *j, struct bytes joined, struct bytes *ret_rule)
{
	const struct string_list *list = &j->line->policy->fast_allow;
	struct compiled_rules *c = rules_of(j);
	enum rule_match best = RULE_NONE;

	for (uint32_t i = 0; c != NULL && best != RULE_WHOLE && i < list->n; i++) {
		const pcre2_code *code = rule_code(j, c, &c->allow[i], list->items[i]);
		PCRE2_SIZE end;

		if (code == NULL || rule_match(c, code, joined, PCRE2_ANCHORED) < 0)
			continue;
		end = pcre2_get_ovector_pointer(c->data)[1];
		/*
		 * An empty match would vouch for everything; one that ends inside a token for what the rule never
		 * named.
		 */
		if (end == 0 || (end < joined.len && joined.p[end] != ' ' && joined.p[end - 1] != ' '))
			continue;
		if (best != RULE_NONE && end < joined.len)
			continue;
		best = end == joined.len ? RULE_WHOLE : RULE_MATCHED;
		*ret_rule = list->items[i];
	}
	return best;
}

struct bytes rules_begin(struct judge *j)
{
	const struct string_list *list = &j->line->policy->fast_deny;
	struct compiled_rules *c = rules_of(j);

	if (c == NULL)
		return (struct bytes){ NULL, 0 };
	c->work = LINE_WORK;
	for (uint32_t i = 0; i < list->n; i++)
		if (c->deny[i].shipped == NULL && rule_code(j, c, &c->deny[i], list->items[i]) == NULL)
			return list->items[i].len > 0 ? list->items[i] : BYTES("an empty pattern");
	return (struct bytes){ NULL, 0 };
}
