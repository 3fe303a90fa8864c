/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything found about a line ends here: the strongest denial, the first thing not understood, and the causes of
 * both.
 */
#include "worker/rules/internal.h"

enum { EFFECTS_TEXT_MAX = 2048, FINDING_EFFECTS_MAX = 64 };

static bool same_cause(const struct cause *c, struct bytes program, struct bytes effect, struct bytes target)
{
	return bytes_eq(c->program, program) && bytes_eq(c->effect, effect) && bytes_eq(c->target, target);
}

/* A line break behind a backslash is nothing to the shell, and stands in words that are shown as they were written. */
static struct bytes without_continuations(struct judge *j, struct bytes b)
{
	char *p;
	size_t n = 0;

	if (b.len == 0 || memmem(b.p, b.len, "\\\n", 2) == NULL)
		return b;
	p = arena_copy(j->arena, b.p, b.len);
	if (p == NULL) {
		judge_fail(j, -ENOMEM);
		return b;
	}
	for (size_t i = 0; i < b.len; i++)
		if (b.p[i] == '\\' && i + 1 < b.len && b.p[i + 1] == '\n')
			i++;
		else
			p[n++] = b.p[i];
	return (struct bytes){ p, n };
}

static void add_cause(struct subject *s, struct cause *list, uint32_t *n, struct bytes effect, struct bytes target)
{
	struct bytes program = s->redirecting ? BYTES("redirection") : s->program;

	/* A rule may meet a command, its wrapper and the whole line, or but one of them, as it is written. */
	if (bytes_is(effect, "rule"))
		program = BYTES("line");
	target = without_continuations(s->j, target);
	if (target.len > ASSESSMENT_TEXT_MAX)
		target.len = ASSESSMENT_TEXT_MAX;
	if (program.len > ASSESSMENT_TEXT_MAX)
		program.len = ASSESSMENT_TEXT_MAX;
	for (uint32_t i = 0; i < *n; i++)
		if (same_cause(&list[i], program, effect, target))
			return;
	if (*n < ASSESSMENT_CAUSES_MAX)
		list[(*n)++] = (struct cause){ program, effect, target };
}

static struct bytes cut(struct bytes b, size_t max)
{
	return (struct bytes){ b.p, b.len < max ? b.len : max };
}

/* Half of a secret looks like none, and would be redacted nowhere. */
static struct bytes cut_between_words(struct bytes b, size_t max)
{
	if (b.len <= max)
		return b;
	b.len = max;
	while (b.len > 0 && b.p[b.len] != ' ' && b.p[b.len] != '\t' && b.p[b.len] != '\n')
		b.len--;
	return b;
}

void deny(struct subject *s, enum stage stage, struct reason_text reason, struct bytes rule, struct bytes effect,
	struct bytes target)
{
	struct judge *j = s->j;

	if (s->finding->verdict != VERDICT_DENY) {
		s->finding->verdict = VERDICT_DENY;
		s->finding->why = reason.n_args > 0 ? reason.args[reason.n_args - 1] : rule;
	}
	s->verdict = VERDICT_DENY;
	add_cause(s, j->a->causes, &j->a->n_causes, effect, target);
	if (stage >= j->denied)
		return;
	j->denied = stage;
	for (uint32_t i = 0; i < reason.n_args; i++)
		reason.args[i] = cut_between_words(reason.args[i], ASSESSMENT_TEXT_MAX);
	j->a->reason = reason;
	j->a->rule = cut(rule, ASSESSMENT_TEXT_MAX);
}

void leave_open(struct subject *s, struct bytes why, struct bytes effect, struct bytes target, bool soft)
{
	if (s->verdict != VERDICT_DENY)
		s->verdict = VERDICT_OPEN;
	if (s->why.len == 0)
		s->why = why;
	s->soft = s->soft && soft;
	add_cause(s, s->j->open_causes, &s->j->n_open_causes, effect, target);
}

void note_effect(struct subject *s, struct bytes effect, enum place place, struct bytes target, enum verdict v)
{
	const char *where = place_name(place);

	note_fact(s, effect, (struct bytes){ where, strlen(where) }, target, v);
}

void note_fact(struct subject *s, struct bytes effect, struct bytes where, struct bytes target, enum verdict v)
{
	struct judge *j = s->j;
	struct finding *f = s->finding;
	size_t need = s->program.len + effect.len + where.len + 4;

	if ((f->n_effects & (f->n_effects - 1)) == 0 && f->n_effects < FINDING_EFFECTS_MAX) {
		uint32_t size = f->n_effects == 0 ? 1 : f->n_effects * 2;
		struct listing_effect *grown = (struct listing_effect *)arena_alloc(j->arena, size * sizeof(*grown));

		if (grown == NULL) {
			judge_fail(j, -ENOMEM);
			return;
		}
		if (f->n_effects > 0)
			memcpy(grown, f->effects, f->n_effects * sizeof(*grown));
		f->effects = grown;
	}
	if (f->n_effects < FINDING_EFFECTS_MAX)
		f->effects[f->n_effects++] = (struct listing_effect){ effect, where, target, v };
	if (j->effects == NULL)
		j->effects = (char *)arena_alloc(j->arena, EFFECTS_TEXT_MAX);
	if (j->effects == NULL) {
		judge_fail(j, -ENOMEM);
		return;
	}
	if (need > EFFECTS_TEXT_MAX - j->effects_len)
		return;
	for (int i = 0; i < 4; i++) {
		const struct bytes part[] = { j->effects_len > 0 ? BYTES("; ") : BYTES(""), s->program, effect, where };

		if (i > 1)
			j->effects[j->effects_len++] = ' ';
		memcpy(j->effects + j->effects_len, part[i].p != NULL ? part[i].p : "", part[i].len);
		j->effects_len += part[i].len;
	}
}

void settle(struct subject *s)
{
	struct judge *j = s->j;

	if (s->verdict != VERDICT_OPEN)
		return;
	if (s->finding->verdict == VERDICT_ALLOW) {
		s->finding->verdict = VERDICT_OPEN;
		s->finding->why = s->why;
	}
	j->n_open++;
	if (j->open)
		return;
	j->open = true;
	j->open_reason = wording_open(s);
	for (uint32_t i = 0; i < j->open_reason.n_args; i++)
		j->open_reason.args[i] = cut_between_words(j->open_reason.args[i], ASSESSMENT_TEXT_MAX);
	j->open_rule = s->effect;
}

static void conclude_denied(struct judge *j)
{
	static const enum source sources[] = {
		[STAGE_SELF] = SOURCE_FAST_DENY, [STAGE_RULE] = SOURCE_FAST_DENY, [STAGE_HARM] = SOURCE_FAST_DENY,
		[STAGE_UPLOAD] = SOURCE_UPLOAD, [STAGE_REVIEWER] = SOURCE_FAST_DENY,
	};

	j->a->verdict = VERDICT_DENY;
	j->a->source = sources[j->denied];
	j->a->flags |= ASSESS_RULE_REFUSAL;
}

void conclude(struct judge *j)
{
	struct assessment *a = j->a;

	a->effects = (struct bytes){ j->effects, j->effects_len };
	if (j->denied != STAGE_NONE) {
		conclude_denied(j);
		return;
	}
	if (j->open) {
		a->verdict = VERDICT_OPEN;
		a->source = SOURCE_OFFLINE;
		a->reason = j->open_reason;
		a->n_causes = j->n_open_causes;
		memcpy(a->causes, j->open_causes, j->n_open_causes * sizeof(a->causes[0]));
		return;
	}
	a->verdict = VERDICT_ALLOW;
	a->source = SOURCE_FAST_ALLOW;
	if (j->landed) {
		a->source = SOURCE_LANDED;
		a->reason = (struct reason_text){ REASON_LANDED, 0, { { NULL, 0 } } };
		a->rule = BYTES("landed");
		return;
	}
	if (j->allowed_by.len > 0) {
		a->reason = (struct reason_text){ REASON_FAST_ALLOW, 1, { cut(j->allowed_by, ASSESSMENT_TEXT_MAX) } };
		a->rule = cut(j->allowed_by, ASSESSMENT_TEXT_MAX);
	} else {
		a->reason = (struct reason_text){ REASON_VOUCHED, 0, { { NULL, 0 } } };
		a->rule = BYTES("effects");
	}
}
