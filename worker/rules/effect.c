/* SPDX-License-Identifier: Apache-2.0 */
/* One effect of a command through policy's table: vouched for, left open or a harm, and in which words that is said. */
#include "worker/rules/internal.h"

static struct bytes text(const char *s)
{
	return (struct bytes){ s, strlen(s) };
}

/* Harms that are sending something somewhere: their stage is the one of uploads. */
static bool sends(enum harm harm)
{
	return harm == HARM_EXFILTRATION;
}

static void deny_harm(struct subject *s, const struct command_effect *e, const struct placed *p, enum harm harm)
{
	struct bytes name = text(effect_name(p->effect));
	struct bytes shown = p->shown.len > 0 ? p->shown : e->detail;
	struct bytes does = wording_deed(s, p->effect, shown), program = wording_program(s);

	if (harm == HARM_SELF) {
		deny(s, STAGE_SELF,
			(struct reason_text){ REASON_SELF_PROTECTION, 1,
				{ judge_text(s->j, "%.*s %.*s, %s", (int)program.len, program.p,
					(int)does.len, does.p, place_phrase(PLACE_GATE)) } },
			BYTES("self-protection"), name, shown);
		return;
	}
	if (sends(harm)) {
		deny(s, STAGE_UPLOAD, (struct reason_text){ REASON_UPLOAD, 2, { program, does } }, BYTES("upload"),
			name, shown);
		return;
	}
	deny(s, STAGE_HARM, (struct reason_text){ REASON_HARM, 3,
		{ program, does, text(harm_phrase(harm)) } }, name, name, shown);
}

static void open_effect(struct subject *s, const struct command_effect *e, const struct placed *p)
{
	struct bytes shown = p->shown.len > 0 ? p->shown :
		!e->is_static && e->word != NULL ? e->word->src : e->detail;
	struct bytes where = p->place == PLACE_UNKNOWN && e->is_static && shown.len > 0 ?
		BYTES("which the gate cannot place") : text(place_phrase(p->place));
	struct bytes does = wording_deed(s, p->effect, shown);

	s->effect_open = true;
	if (s->effect.len == 0)
		s->effect = text(effect_name(p->effect));
	leave_open(s,
		judge_text(s->j, "it %.*s%s%.*s", (int)does.len, does.p, where.len > 0 ? ", " : "", (int)where.len,
			where.p),
		text(effect_name(p->effect)), shown, s->rule_on_effect);
}

/* A variable that neither the line nor the environment gives a value: then there is nothing to signal. */
static bool is_unset(const struct subject *s, const struct word *w)
{
	const struct string_list *names = &s->j->line->policy->environment_names;
	const struct word_part *p = w->parts;

	if (p != NULL && p->next == NULL && p->kind == PART_DOUBLE)
		p = p->children;
	if (p == NULL || p->next != NULL || p->kind != PART_PARAM || p->form != PARAM_PLAIN || !s->own_variables ||
		p->text.len == 0 || p->text.p[0] < 'A' || bytes_is(p->text, "PPID") || bytes_is(p->text, "BASHPID") ||
		variable_is_shells(p->text) || line_sets(s->j, p->text))
		return false;
	for (uint32_t i = 0; i < names->n; i++)
		if (bytes_eq(names->items[i], p->text))
			return false;
	return true;
}

/* Processes that were chosen by port or name, or started here; else it may be anybody's, the harness's too. */
static bool signals_the_unknown(const struct subject *s, const struct command_effect *e)
{
	return e->effect == EFFECT_SIGNAL && !e->is_static && (e->word_flags & WORD_PROCESS) == 0 &&
		(e->word == NULL || !is_unset(s, e->word));
}

static bool runs_code(enum effect_id e)
{
	return e == EFFECT_EXECUTE || e == EFFECT_RUN_STDIN;
}

static void rule_on(struct subject *s, const struct command_effect *e, const struct placed *p)
{
	struct effect_rule rule = effect_rule(p->effect, p->place);
	struct bytes name = text(effect_name(p->effect));

	discards_remember(s, e, p->effect, p->place, p->shown);
	if (rule.ruling == RULING_VOUCHED && signals_the_unknown(s, e))
		rule.ruling = RULING_OPEN;
	switch (rule.ruling) {
	case RULING_VOUCHED:
		/* What goes to /dev/null changes nothing for the rest of the line. */
		if (p->place != PLACE_NULL) {
			discards_note(s, p->effect);
			flow_note(s, p->effect, p->place, p->shown);
			flow_note_names(s, e, p->effect);
		}
		note_effect(s, name, p->place, p->shown, VERDICT_ALLOW);
		return;
	case RULING_HARM:
		/* A secret read into a variable may go to the service it is for: what is done with it decides. */
		if (s->captured && p->effect == EFFECT_READ && rule.harm == HARM_CREDENTIAL) {
			if (!secret_stays_with_us(s))
				break;
			note_effect(s, name, p->place, p->shown, VERDICT_ALLOW);
			return;
		}
		/* What may hit the gate is not waited for: of this harm a doubt is enough. */
		if ((e->certain && p->certain) || rule.harm == HARM_SELF) {
			note_effect(s, name, p->place, p->shown, VERDICT_DENY);
			deny_harm(s, e, p, rule.harm);
			return;
		}
		break;
	case RULING_OPEN:
	default:
		if (p->place == PLACE_DENIED && e->certain && p->certain) {
			note_effect(s, name, p->place, p->shown, VERDICT_DENY);
			deny(s, STAGE_RULE, (struct reason_text){ REASON_FAST_DENY, 1, { BYTES("fileZones.deny") } },
				BYTES("fileZones.deny"), name, p->shown);
			return;
		}
		if (runs_code(p->effect) && judge_origin(s, e, p->shown))
			return;
		if ((p->effect == EFFECT_GIT_DISCARD && discards_nothing(s, e)) ||
			(runs_code(p->effect) && judge_activation(s, e, p->place)) ||
			((runs_code(p->effect) || p->effect == EFFECT_APPLY) && judge_run_script(s, e))) {
			discards_note(s, p->effect);
			note_effect(s, name, p->place, p->shown, VERDICT_ALLOW);
			return;
		}
		break;
	}
	note_effect(s, name, p->place, p->shown, VERDICT_OPEN);
	open_effect(s, e, p);
}

void judge_effect(struct subject *s, const struct command_effect *e, const struct invocation *inv)
{
	if (s->j->effects_seen++ >= WORK_MAX) {
		leave_open(s, BYTES("there is more of it than the gate looks at"), BYTES("limit"), s->program, false);
		return;
	}
	s->rule_on_effect = inv != NULL;
	if (protect_effect(s, e))
		return;
	if (e->effect == EFFECT_ENTER)
		directories_enter(s, e);
	if (!e->is_static && (e->effect == EFFECT_EXECUTE || e->effect == EFFECT_IMPORT))
		s->j->runs_unknown = true;
	if (e->effect == EFFECT_RUN_STDIN || e->effect == EFFECT_RUN_INLINE)
		s->j->runs_unknown = true;
	judge_repository(s, e);
	place_effect(s, e, rule_on);
}
