/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells: reasons to believe nothing that was understood. Syntax that is not modelled, characters that make text look
 * other than it is, words for a reviewer.
 */
#include "policy/text/utf8.h"
#include "worker/rules/internal.h"

static void leave_line_open(struct judge *j, struct reason_text reason, struct bytes effect, struct bytes target)
{
	j->a->flags |= ASSESS_TELL;
	target.len = target.len < ASSESSMENT_TEXT_MAX ? target.len : ASSESSMENT_TEXT_MAX;
	if (j->n_open_causes < ASSESSMENT_CAUSES_MAX)
		j->open_causes[j->n_open_causes++] = (struct cause){ BYTES("line"), effect, target };
	if (j->open)
		return;
	j->open = true;
	j->open_reason = reason;
	j->open_rule = effect;
}

static const char *why_unmodelled(const struct script *script)
{
	return script->unmodelled_why != NULL ? script->unmodelled_why : "syntax that is not modelled";
}

/* An emoji's presentation selector and joiner change how it looks, and nothing else. */
static bool is_emoji_part(struct bytes text, size_t at, uint32_t c, size_t n)
{
	uint32_t next = 0;

	if (at == 0 || (unsigned char)text.p[at - 1] < 0x80)
		return false;
	if (c == 0xfe0f)
		return true;
	return c == 0x200d && at + n < text.len &&
		utf8_decode(text.p + at + n, text.len - at - n, &next) != 0 && next >= 0x2190;
}

/* A curly quote inside a quoted string is typography; outside it looks like the string's end, and is none. */
static bool quote_is_bare(const struct script *script)
{
	for (const struct simple_command *c = script->commands; c != NULL; c = c->next)
		for (const struct word *w = c->words; w != NULL; w = w->next)
			for (const struct word_part *p = w->parts; p != NULL; p = p->next) {
				size_t at;

				if (p->kind == PART_LITERAL && utf8_find_odd(p->text.p, p->text.len, &at) == CHAR_QUOTE)
					return true;
			}
	return false;
}

static const char *odd_text(struct bytes text, const struct script *script)
{
	bool quotes = false;

	while (text.len > 0) {
		size_t at, n;
		uint32_t c = 0;
		enum char_class class = utf8_find_odd(text.p, text.len, &at);

		if (class == CHAR_PLAIN)
			break;
		n = utf8_decode(text.p + at, text.len - at, &c);
		if (class == CHAR_QUOTE)
			quotes = true;
		else if (!(class == CHAR_FORMAT && is_emoji_part(text, at, c, n)))
			return class == CHAR_BIDI       ? "characters that reorder text" :
				class == CHAR_CONTROL   ? "control characters" :
				class == CHAR_SEPARATOR ? "invisible line breaks" :
							  "invisible characters";
		/* One character of context stays in front, for the next look at an emoji's parts. */
		text = (struct bytes){ text.p + at + n, text.len - at - n };
		if (n == 0)
			return "malformed characters";
	}
	return quotes && quote_is_bare(script) ? "look-alike quotes" : NULL;
}

static bool is_ascii(struct bytes text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c >= 0x7f || (c < 0x20 && c != '\t' && c != '\n' && c != '\r'))
			return false;
	}
	return true;
}

const char *text_is_odd(struct bytes text, const struct script *script)
{
	return is_ascii(text) ? NULL : odd_text(text, script);
}

/* Where a word may begin, so that a tilde there stands for a home (bash(1), Tilde Expansion); HEAD~1 has none. */
static bool begins_word(struct bytes text, const char *at)
{
	return at == text.p || strchr(" \t\r\n=:,'\"(){};|&<>`", at[-1]) != NULL;
}

const char *home_in_doubt(const struct worker_policy *policy, struct bytes text)
{
	const char *at = text.p, *end = text.p + text.len;

	for (; policy->home_is_another && at != NULL && (at = memchr(at, '~', (size_t)(end - at))) != NULL; at++)
		if (begins_word(text, at))
			return "~ where HOME is not the user's home";
	at = text.p;
	for (; policy->home_is_another && at != NULL && (at = memmem(at, (size_t)(end - at), "HOME", 4)) != NULL; at++)
		if (begins_word(text, at) || at[-1] == '$')
			return "HOME where it is not the user's home";
	return NULL;
}

void judge_tells(struct judge *j)
{
	const char *why;

	if (j->script->unmodelled != 0) {
		why = why_unmodelled(j->script);
		j->a->flags |= ASSESS_UNMODELLED;
		leave_line_open(j, (struct reason_text){ REASON_UNMODELLED, 1, { { why, strlen(why) } } },
			BYTES("unmodelled"), j->text);
	}
	why = home_in_doubt(j->line->policy, j->text);
	if (why != NULL)
		leave_line_open(j, (struct reason_text){ REASON_UNMODELLED, 1, { { why, strlen(why) } } },
			BYTES("home"), j->text);
	why = text_is_odd(j->text, j->script);
	if (why != NULL)
		leave_line_open(j, (struct reason_text){ REASON_ODD_TEXT, 1, { { why, strlen(why) } } },
			BYTES("odd-text"), (struct bytes){ why, strlen(why) });
	why = reviewer_pattern(j->text);
	if (why == NULL)
		return;
	j->a->flags |= ASSESS_INJECTION;
	j->a->injection_pattern = (struct bytes){ why, strlen(why) };
	leave_line_open(j, (struct reason_text){ REASON_REVIEWER, 1, { { why, strlen(why) } } }, BYTES("reviewer"),
		(struct bytes){ why, strlen(why) });
	/* With a judge configured the judge decides; where nobody else reads the text, it is refused. */
	if (j->line->policy->model_available)
		return;
	if (j->denied <= STAGE_REVIEWER)
		return;
	j->denied = STAGE_REVIEWER;
	j->a->reason = j->open_reason.id == REASON_REVIEWER ? j->open_reason :
		(struct reason_text){ REASON_REVIEWER, 1, { { why, strlen(why) } } };
	j->a->rule = BYTES("reviewer");
	if (j->a->n_causes < ASSESSMENT_CAUSES_MAX)
		j->a->causes[j->a->n_causes++] = (struct cause){ BYTES("line"), BYTES("reviewer"),
			{ why, strlen(why) } };
}
