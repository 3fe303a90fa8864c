/* SPDX-License-Identifier: Apache-2.0 */
/* What only the broker decides: counting, wording, whom a decision is left to. */
#include "broker/decision/judge.h"

#include <stdio.h>

#include "broker/decision/judge_open.h"
#include "broker/decision/wording.h"
#include "broker/state/state.h"
#include "broker/telemetry/log.h"
#include "broker/telemetry/stamp.h"
#include "broker/telemetry/telemetry.h"
#include "policy/text/oneline.h"

static void borrow(const struct assessment *a, struct outcome *o)
{
	o->kind = a->kind;
	o->harness = a->harness;
	o->source = a->source;
	o->event = a->event;
	o->session = a->session;
	o->call_id = a->call_id;
	o->command = a->command;
	o->cwd = a->cwd;
	o->tool = a->tool;
	o->row_id = a->row_id;
	o->row_id_set = a->row_id_set;
	o->row = a->row;
	o->injection_pattern = a->injection_pattern;
	o->effects = a->effects;
	o->flags = a->flags;
}

/* A denial that is no finding about the command: said as it is, counted nowhere. */
static int plain_denial(struct outcome *o, char *text)
{
	int err = outcome_set(&o->raw_reason, text);

	if (err < 0)
		return err;
	o->decision = DECISION_DENY;
	o->source = SOURCE_ERROR;
	o->gate_raised = true;
	o->transient = true;
	return outcome_set(&o->reason, strdup(o->raw_reason));
}

static void first_problem(const struct config *c, struct textbuf *b)
{
	const struct config_problem *problems;
	size_t n = config_problems(c, &problems);

	for (size_t i = 0; i < n; i++) {
		if (problems[i].fatal) {
			config_problem_print(&problems[i], b);
			return;
		}
	}
	textbuf_puts(b, "it could not be read");
}

static char *broken_config_text(const struct config *c)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };
	CLEANUP(textbuf_done) struct textbuf problem = { 0 };

	first_problem(c, &problem);
	textbuf_puts(&b, "the gate's configuration is broken, so nothing is allowed: ");
	text_oneline(&b, textbuf_bytes(&problem), 500);
	textbuf_puts(&b, "; `auto-classifier config check` shows all of it");
	return textbuf_steal(&b);
}

int judge_state_place(struct broker *b, char *ret_base, size_t size, const char **ret_path)
{
	const char *base = config_string(b->config, CFG_STATE_DIR), *below = "";
	int n;

	*ret_path = "auto-classifier/sessions";
	if (*base != '\0') {
		*ret_path = "sessions";
	} else if ((base = broker_runtime_dir(b)) == NULL) {
		base = b->home;
		below = "/.cache";
	}
	if (base == NULL)
		return -ENOENT;
	n = snprintf(ret_base, size, "%s%s", base, below);
	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

int judge_state(struct broker *b)
{
	char base[STATE_BASE_MAX];
	const char *path;
	int err;

	if (b->state != NULL)
		return 0;
	err = judge_state_place(b, base, sizeof(base), &path);
	return err < 0 ? err : state_on_disk(base, path, &b->state);
}

static int count(struct broker *b, const struct outcome *o, const struct denial *d, struct tally *ret)
{
	int64_t window = config_int(b->config, CFG_POLICY_SLIDING_WINDOW_MS);
	int err = judge_state(b);

	return err < 0 ? err : state_deny(b->state, o->session, d, window, ret);
}

/* Count this denial and let the finding that stands replace ours where it is a retry. 0 or -ENOMEM. */
static int count_denial(struct broker *b, const struct assessment *a, const struct evidence_log *log,
	const struct denial_style *style, struct outcome *o, uint32_t *ret_count)
{
	CLEANUP(tally_done) struct tally tally = { 0 };
	const struct denial d = {
		.counting = counting_key(a),
		.exact = exact_key(a, log),
		.files = log->files,
		.n_files = log->n_files,
		.command = a->command,
		.reason = o->raw_reason,
		.source = o->source,
		.transient = o->transient,
		.open = a->verdict == VERDICT_OPEN,
		.charge = o->charge,
	};
	int err = count(b, o, &d, &tally);

	/* A count that cannot be kept is taken as reached: never less than the truth, and a person may still decide. */
	*ret_count = err == 0 ? tally.count : style->threshold;
	if (err == STATE_BUSY)
		log_line(b, "session state is locked: a denial was not counted");
	else if (err < 0)
		log_line(b, "session state could not be kept: %s", strerror(-err));
	if (err == 0 && tally.retry) {
		o->source = SOURCE_RETRY;
		/* What a judge said stands, and is still a judge's word. */
		if (source_is_judge(tally.source))
			o->gate_raised = false;
		if (tally.reason != NULL)
			return outcome_set(&o->raw_reason, TAKE_PTR(tally.reason));
	}
	return 0;
}

int judge_deny(struct broker *b, const struct assessment *a, const struct evidence_log *log, enum judge_mode mode,
	struct outcome *o)
{
	struct denial_style style = denial_style_of(b->config);
	uint32_t n = 1;
	int err = 0;

	o->transient = o->transient || (a->verdict == VERDICT_DENY && a->source == SOURCE_ERROR);
	o->rule_refusal = a->verdict == VERDICT_DENY && !o->transient;
	/* Neither a rule nor the lack of a judge is a judgement that a person's standing approval was meant for. */
	o->gate_raised = o->model == NULL || o->transient;
	if (mode == JUDGE_COUNT)
		err = count_denial(b, a, log, &style, o, &n);
	return err < 0 ? err : word_denial(&style, n, o);
}

/* A prompt is about to be shown for what was judged before: what was said then is said again, and nothing counts. */
static int permission(struct broker *b, const struct assessment *a, struct outcome *o)
{
	CLEANUP(tally_done) struct tally tally = { 0 };
	struct denial_style style = denial_style_of(b->config);
	struct key counting = counting_key(a);
	int err;

	o->rule_refusal = a->verdict == VERDICT_DENY && a->source != SOURCE_ERROR;
	o->gate_raised = true;
	err = judge_state(b);
	if (err == 0)
		err = state_find(b->state, a->session, &counting, config_int(b->config, CFG_POLICY_SLIDING_WINDOW_MS),
			&tally);
	if (err == STATE_NONE) {
		o->decision = DECISION_ASK;
		return outcome_set(&o->reason, strdup(""));
	}
	if (err < 0)
		log_line(b, "session state could not be read: %s", strerror(-err));
	return word_denial(&style, err == 0 ? tally.count : style.threshold, o);
}

int judge_allow(struct outcome *o)
{
	o->decision = DECISION_ALLOW;
	return outcome_set(&o->reason, strdup(o->raw_reason));
}

static int judge_command(struct broker *b, const struct request *q, const struct assessment *a,
	const struct evidence_log *log, enum judge_mode mode, struct outcome *o)
{
	if (config_is_broken(b->config))
		return plain_denial(o, broken_config_text(b->config));
	if (a->verdict == VERDICT_ALLOW)
		return judge_allow(o);
	if (a->kind == KIND_PERMISSION)
		return permission(b, a, o);
	if (judge_is_there(b, a) && mode == JUDGE_COUNT)
		return judge_open(b, q, a, log, o);
	return judge_deny(b, a, log, mode, o);
}

/* What the rules left open, and why nobody looked closer. */
static char *unjudged_text(const char *finding, bool judge)
{
	char *text = NULL;

	return asprintf(&text, judge ? "%s; a model is asked to judge it" : "%s; no model is configured to judge it",
		finding) < 0 ? NULL : text;
}

int judge(struct broker *b, const struct request *q, const struct assessment *a, const struct evidence_log *log,
	enum judge_mode mode, struct outcome *ret)
{
	CLEANUP(outcome_done) struct outcome o = { 0 };
	char *finding = reason_render(a->reason.id, a->reason.args, a->reason.n_args);
	int err = outcome_set(&o.raw_reason, finding);

	borrow(a, &o);
	if (err == 0 && a->rule.len > 0)
		err = outcome_set(&o.rule, strndup(a->rule.p, a->rule.len));
	if (err == 0 && a->verdict == VERDICT_OPEN && !(judge_is_there(b, a) && mode == JUDGE_COUNT))
		err = outcome_set(&o.raw_reason, unjudged_text(o.raw_reason, judge_is_there(b, a)));
	if (err < 0)
		return err;
	switch (a->kind) {
	case KIND_NO_OPINION:
	case KIND_PRE_INVOCATION:
		o.decision = DECISION_ALLOW;
		break;
	case KIND_SHELL:
	case KIND_TOOL:
	case KIND_PERMISSION:
		err = judge_command(b, q, a, log, mode, &o);
		break;
	case KIND_MALFORMED:
	case KIND__MAX:
		err = plain_denial(&o, strdup(o.raw_reason));
		break;
	}
	if (err < 0)
		return err;
	*ret = o;
	o = (struct outcome){ 0 };
	return 0;
}

int judge_failure(struct broker *b, const struct request *q, const char *failure, struct outcome *ret)
{
	struct outcome o = { .kind = KIND_SHELL, .harness = q->harness, .event = q->event, .session = q->session,
		.cwd = q->cwd };
	char *text = NULL;
	int err;

	if (q->mode == REQUEST_CHECK || q->mode == REQUEST_EXPLAIN)
		o.command = q->input;
	log_line(b, "the process that reads the command %s", failure);
	if (asprintf(&text, "the gate could not judge this: the process that reads the command %s", failure) < 0)
		text = NULL;
	err = plain_denial(&o, text);
	if (err < 0)
		outcome_done(&o);
	else
		*ret = o;
	return err;
}

void judge_record(struct broker *b, const struct outcome *o, struct bytes payload, uint64_t latency_ms)
{
	struct telemetry_facts f = { .payload = payload, .latency_ms = latency_ms };

	if ((o->kind != KIND_SHELL && o->kind != KIND_TOOL && o->kind != KIND_MALFORMED) || o->source == SOURCE_EMPTY)
		return;
	f.now_ms = stamp_now();
	telemetry_record(b, o, &f);
}
