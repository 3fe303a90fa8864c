/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules left open: a denial that stands, an allow that holds, a judge's answer, and its floor. */
#include "broker/decision/judge_open.h"

#include <stdio.h>

#include "broker/decision/model.h"
#include "broker/decision/witness.h"
#include "broker/state/state.h"
#include "broker/telemetry/log.h"

/* A judge that was shown only part of what runs cannot have allowed the rest. */
static int floor_partial(const struct broker *b, struct outcome *o)
{
	char *text = NULL;

	if (asprintf(&text, "what it runs was not shown to the judge whole, so its allow does not hold; it said: %s",
		o->raw_reason) < 0)
		text = NULL;
	o->source = SOURCE_TRUNCATED;
	o->decision = config_bool(b->config, CFG_POLICY_HEADLESS) ? DECISION_DENY : DECISION_ASK;
	o->gate_raised = true;
	if (outcome_set(&o->raw_reason, text) < 0)
		return -ENOMEM;
	return outcome_set(&o->reason, strdup(o->raw_reason));
}

static int too_many(struct outcome *o, uint32_t n)
{
	char *text = NULL;

	if (asprintf(&text, "the judge has denied %u command%s of this session: it is asked no more before the window "
		"has passed or a person has answered", n, n == 1 ? "" : "s") < 0)
		text = NULL;
	return outcome_set(&o->raw_reason, text);
}

/* How often a judge has denied something is not known, so that it may have been too often. */
static int not_known(struct broker *b, int err, struct outcome *o)
{
	log_line(b, "session state could not be read: %s", strerror(-err));
	o->source = SOURCE_ERROR;
	o->transient = true;
	return outcome_set(&o->raw_reason, strdup("what this session was denied before could not be read, and without "
		"that the judge is not asked"));
}

/* What the session says before anybody is asked. 0 or -errno. */
static int standing(struct broker *b, const struct assessment *a, const struct evidence_log *log, struct standing *ret)
{
	const struct denial d = {
		.counting = counting_key(a), .contents = evidence_log_contents(log), .open = true,
	};
	int err = judge_state(b);

	return err < 0 ? err : state_standing(b->state, a->session, &d,
		config_int(b->config, CFG_POLICY_SLIDING_WINDOW_MS), ret);
}

/* What closes stage 7: a part that is not understood, and evidence that a later look could find changed unseen. */
static bool may_be_remembered(const struct assessment *a, const struct evidence_log *log)
{
	const uint32_t closes = ASSESS_TELL | ASSESS_UNMODELLED | ASSESS_INJECTION | ASSESS_PARTIAL;

	return (a->flags & closes) == 0 && !log->guarded && !log->in_part;
}

/* 0: it was allowed, and *o says so. STATE_NONE: it was not, or nobody knows. -ENOMEM. */
static int remembered(struct broker *b, const struct assessment *a, const struct permit *p, struct outcome *o)
{
	CLEANUP(freep) char *said = NULL;
	char *text = NULL;
	int err = state_allowed(b->state, a->session, p, config_int(b->config, CFG_POLICY_SLIDING_WINDOW_MS), &said);

	if (err == -ENOMEM || err == STATE_NONE)
		return err;
	if (err < 0) {
		log_line(b, "session state could not be read: %s", strerror(-err));
		return STATE_NONE;
	}
	if (asprintf(&text, "%s (as the judge said of the same command earlier in this session)", said) < 0)
		text = NULL;
	o->source = SOURCE_CACHE;
	err = outcome_set(&o->raw_reason, text);
	return err < 0 ? err : judge_allow(o);
}

/* A worker that lied about the command it was allowed for lied for this once. 0 or -errno. */
static int remember(struct broker *b, const struct request *q, const struct assessment *a, const struct permit *p,
	const struct outcome *o)
{
	int err = witness_ask(b, q, &p->exact);

	if (err == WITNESS_DIFFERS) {
		log_line(b, "an allow is not remembered: a second look at the request did not find the same");
		return 0;
	}
	if (err < 0)
		return err;
	err = state_allow(b->state, a->session, p, o->raw_reason);
	if (err == STATE_BUSY)
		log_line(b, "session state is locked: an allow is not remembered");
	else if (err < 0)
		log_line(b, "session state could not be kept: %s", strerror(-err));
	return err == -ENOMEM ? err : 0;
}

static int ask(struct broker *b, const struct assessment *a, struct model_setup *setup, struct outcome *o)
{
	int err;

	o->model = calloc(1, sizeof(*o->model));
	err = o->model == NULL ? -ENOMEM : model_ask(b, a, setup, o->model);
	if (err == 0)
		err = outcome_set(&o->raw_reason, strdup(o->model->reason));
	if (err < 0)
		return err;
	o->source = o->model->source;
	o->transient = o->model->transient;
	return 0;
}

/* Nothing that was said before stands against it. `judged`: how often a judge has denied something. 0 or -errno. */
static int allowed_or_asked(struct broker *b, const struct request *q, const struct assessment *a,
	const struct evidence_log *log, uint32_t judged, struct outcome *o)
{
	const int64_t most = config_int(b->config, CFG_POLICY_JUDGE_DENIALS_PER_WINDOW);
	CLEANUP(model_setup_done) struct model_setup setup = { .key_fd = -1 };
	const bool keep = may_be_remembered(a, log);
	struct permit permit = { .exact = exact_key(a, log) };
	int err = model_setup(b, a, o->raw_reason, &setup);

	if (err == 0)
		err = model_key(b, &setup, &permit.judge);
	if (err == 0 && keep)
		err = remembered(b, a, &permit, o);
	else if (err == 0)
		err = STATE_NONE;
	if (err != STATE_NONE)
		return err;
	if (judged >= SESSION_JUDGED_MAX || judged >= most) {
		err = too_many(o, judged);
		return err < 0 ? err : judge_deny(b, a, log, JUDGE_COUNT, o);
	}
	err = ask(b, a, &setup, o);
	if (err < 0)
		return err;
	if (!o->model->allow)
		return judge_deny(b, a, log, JUDGE_COUNT, o);
	if (o->model->partial)
		return floor_partial(b, o);
	err = keep ? remember(b, q, a, &permit, o) : 0;
	return err < 0 ? err : judge_allow(o);
}

int judge_open(struct broker *b, const struct request *q, const struct assessment *a, const struct evidence_log *log,
	struct outcome *o)
{
	struct standing before = { 0 };
	int err = standing(b, a, log, &before);

	if (err == -ENOMEM)
		return err;
	if (err < 0) {
		err = not_known(b, err, o);
		return err < 0 ? err : judge_deny(b, a, log, JUDGE_COUNT, o);
	}
	if (before.stands)
		return judge_deny(b, a, log, JUDGE_COUNT, o);
	return allowed_or_asked(b, q, a, log, before.judged, o);
}
