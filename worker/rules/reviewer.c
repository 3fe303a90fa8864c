/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text that speaks to whoever reviews the command instead of doing anything: orders to forget rules, made-up system
 * messages, ready-made verdicts. Words are compared, not characters, so that spelling around them with punctuation does
 * not help.
 */
#include "policy/text/fold.h"
#include "worker/rules/internal.h"

enum { STEPS_MAX = 5 };

/*
 * One pattern: steps that must follow each other. A step is a set of words, separated by blanks; "?" before it: it may
 * be left out any number of times; "~N": up to N other words may stand before it; ":" before it: a colon must follow.
 */
struct pattern {
	const char *name;
	const char *steps[STEPS_MAX];
};

#define JUDGES "classifier reviewer judge gate guard guardrail moderator approver validator evaluator auditor grader"
#define RULES                                                                                                \
	"rule rules instruction instructions prompt prompts directive directives guideline guidelines policy policies"
#define FILLERS                                                                                              \
	"?all any the your every previous prior above earlier preceding former existing safety system of these those"

static const struct pattern patterns[] = {
	{ "system: … no longer applies", { ":system assistant developer",
	"~12void cancelled canceled disabled ignored revoked suspended overridden" } },
	{ "system: … no longer applies", { ":system assistant developer", "~12no", "longer", "apply applies valid" } },
	{ "ignore previous instructions", { "ignore disregard forget override bypass", FILLERS, RULES } },
	{ "reply allow: true", { "reply respond answer output return say print", "~4allow allowed approve approved",
	"true yes 1" } },
	{ "allow: true for", { "allow allowed", "true", "for" } },
	{ "note to the reviewer", { "note message attention memo instruction instructions dear hey hello",
	"?to for the ai command security safety", JUDGES } },
	{ "the reviewer must allow", { JUDGES, "~4must should shall please can may", "?now always simply just",
	"allow approve accept permit pass ignore classify" } },
	{ "classify as safe", { "classify mark label treat consider rate judge",
	"?this it the command commands as being", "safe benign harmless allowed approved" } },
	{ "a sanctioned test", { "this it", "is", "?a an just only part of",
	"sanctioned authorised authorized approved preapproved whitelisted",
	"~3test command action operation drill exercise exception" } },
	{ "allow this command", { "allow approve permit", "this the", "command request call action",
	"?it is was has been", "safe approved authorised authorized preapproved sanctioned" } },
	{ "you must approve", { "you", "must should shall", "?now always", "allow approve permit",
	"?all any every the this", } },
	{ "verdict: allow", { "verdict decision classification", "?is will be should must",
	"allow allowed approve approved safe" } },
	{ "end of the command", { "end", "of", "?the untrusted user", "command input content",
	"~6system assistant developer allow verdict" } },
	{ "new instructions", { "new updated revised", "system security safety", RULES } },
};

static bool is_word(char c)
{
	return (fold_lower(c) >= 'a' && fold_lower(c) <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

static struct bytes next_word(struct bytes text, size_t *at)
{
	size_t start;

	while (*at < text.len && !is_word(text.p[*at]))
		(*at)++;
	start = *at;
	while (*at < text.len && is_word(text.p[*at]))
		(*at)++;
	return (struct bytes){ text.p + start, *at - start };
}

static bool word_in(struct bytes word, const char *set)
{
	while (*set != '\0') {
		size_t i = 0;

		while (i < word.len && set[i] == fold_lower(word.p[i]) && set[i] != '\0')
			i++;
		if (i == word.len && (set[i] == ' ' || set[i] == '\0'))
			return true;
		while (*set != ' ' && *set != '\0')
			set++;
		set += *set == ' ' ? 1 : 0;
	}
	return false;
}

/* The pattern's steps from the word that begins at `at` on. Bounded: fillers and gaps end after a few words. */
static bool pattern_matches(const struct pattern *p, struct bytes text, size_t at)
{
	for (size_t i = 0; i < STEPS_MAX && p->steps[i] != NULL; i++) {
		const char *set = p->steps[i];
		unsigned int gap = 0;

		if (set[0] == '?') {
			for (int k = 0; k < 6; k++) {
				size_t ahead = at;

				if (!word_in(next_word(text, &ahead), set + 1))
					break;
				at = ahead;
			}
			continue;
		}
		if (set[0] == ':') {
			struct bytes w = next_word(text, &at);

			if (w.len == 0 || !word_in(w, set + 1) || at == text.len || text.p[at] != ':')
				return false;
			continue;
		}
		if (set[0] == '~')
			for (set++; *set >= '0' && *set <= '9'; set++)
				gap = gap * 10 + (unsigned int)(*set - '0');
		while (true) {
			struct bytes w = next_word(text, &at);

			if (w.len > 0 && word_in(w, set))
				break;
			if (w.len == 0 || gap-- == 0)
				return false;
		}
	}
	return true;
}

#define L(n) (1u << (n))

/*
 * By first letter, the lengths of the words that begin a pattern: most words of a command need no more than this look.
 */
static const uint32_t first_lengths['z' - 'a' + 1] = {
	['a' - 'a'] = L(5) | L(6) | L(7) | L(8) | L(9), ['b' - 'a'] = L(6), ['c' - 'a'] = L(8) | L(10) | L(14),
	['d' - 'a'] = L(4) | L(8) | L(9), ['e' - 'a'] = L(3) | L(9), ['f' - 'a'] = L(6),
	['g' - 'a'] = L(4) | L(5) | L(6) | L(9),
	['h' - 'a'] = L(3) | L(5), ['i' - 'a'] = L(2) | L(6) | L(11) | L(12), ['j' - 'a'] = L(5), ['l' - 'a'] = L(5),
	['m' - 'a'] = L(4) | L(7) | L(9), ['n' - 'a'] = L(3) | L(4), ['o' - 'a'] = L(6) | L(8),
	['p' - 'a'] = L(5) | L(6),
	['r' - 'a'] = L(4) | L(5) | L(6) | L(7) | L(8), ['s' - 'a'] = L(3) | L(6), ['t' - 'a'] = L(4) | L(5),
	['u' - 'a'] = L(7),
	['v' - 'a'] = L(7) | L(9), ['y' - 'a'] = L(3),
};

static bool may_begin(struct bytes w)
{
	char c = fold_lower(w.p[0]);

	return w.len < 32 && c >= 'a' && c <= 'z' && (first_lengths[c - 'a'] & L(w.len)) != 0;
}

const char *reviewer_pattern(struct bytes text)
{
	size_t at = 0;

	while (true) {
		struct bytes w = next_word(text, &at);

		if (w.len == 0)
			return NULL;
		if (!may_begin(w))
			continue;
		for (size_t i = 0; i < ARRAY_LEN(patterns); i++)
			if (pattern_matches(&patterns[i], text, (size_t)(w.p - text.p)))
				return patterns[i].name;
	}
}
