/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules left open: a denial that stands, an allow that holds, a judge's answer, and its floor. */
#include "broker/decision/judge_open.h"

#include <stdio.h>

#include "broker/model/model.h"
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

/* How often a judge has denied something is not known, or could not be counted on: it may have been too often. */
static int not_known(struct broker *b, int err, struct outcome *o)
{
	log_line(b, "session state could not be %s: %s", err == STATE_BUSY ? "locked" : "read and kept",
		err == STATE_BUSY ? "it is in use" : strerror(-err));
	o->source = SOURCE_ERROR;
	o->transient = true;
	return outcome_set(&o->raw_reason, strdup("what this session was denied before could not be read and kept, and "
		"without that the judge is not asked"));
}

static int outlook(struct broker *b, const struct assessment *a, const struct evidence_log *log,
	const struct key *exact, struct outlook *ret)
{
	const struct denial d = {
		.counting = counting_key(a), .exact = *exact, .files = log->files, .n_files = log->n_files,
		.open = true,
	};
	int err = judge_state(b);

	return err < 0 ? err : state_outlook(b->state, a->session, &d,
		config_int(b->config, CFG_POLICY_SLIDING_WINDOW_MS), ret);
}

/* So many denials of a judge, and it is asked no more. */
static uint32_t most_denials(const struct broker *b)
{
	int64_t most = config_int(b->config, CFG_POLICY_JUDGE_DENIALS_PER_WINDOW);

	return most > UINT32_MAX ? UINT32_MAX : most > 0 ? (uint32_t)most : 0;
}

/* The denial of a judge that is about to be asked. 0, or a state_outcome or -errno: it is not to be asked. */
static int charge(struct broker *b, const struct assessment *a, uint32_t *ret_judged, struct outcome *o)
{
	return state_charge(b->state, a->session, config_int(b->config, CFG_POLICY_SLIDING_WINDOW_MS), most_denials(b),
		&o->charge, ret_judged);
}

/* It did not deny. A charge that stays is one denial too many, and lapses. */
static void refund(struct broker *b, const struct assessment *a, const struct outcome *o)
{
	int err = state_refund(b->state, a->session, o->charge);

	if (err != 0)
		log_line(b, "session state could not be kept: %s", err > 0 ? "it is in use" : strerror(-err));
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

	if (err < 0)
		return err;
	if (err == WITNESS_DIFFERS) {
		log_line(b, "an allow is not remembered: a second look at the request did not find the same");
		refund(b, a, o);
		return 0;
	}
	err = state_allow(b->state, a->session, p, o->raw_reason, o->charge);
	if (err != 0)
		log_line(b, "an allow is not remembered: %s", err > 0 ? "session state is in use" : strerror(-err));
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

/* A judge's answer. 0 or -errno. */
static int answered(struct broker *b, const struct request *q, const struct assessment *a,
	const struct evidence_log *log, const struct permit *keep, struct outcome *o)
{
	int err;

	if (!o->model->allow)
		return judge_deny(b, a, log, JUDGE_COUNT, o);
	if (o->model->partial || keep == NULL) {
		refund(b, a, o);
		return o->model->partial ? floor_partial(b, o) : judge_allow(o);
	}
	err = remember(b, q, a, keep, o);
	return err < 0 ? err : judge_allow(o);
}

/* No denial stands against it. 0 or -errno. */
static int allowed_or_asked(struct broker *b, const struct request *q, const struct assessment *a,
	const struct evidence_log *log, const struct key *exact, struct outcome *o)
{
	CLEANUP(model_setup_done) struct model_setup setup = { .key_fd = -1 };
	bool keep = may_be_remembered(a, log);
	struct permit permit = { .exact = *exact };
	uint32_t judged = 0;
	int err = model_setup(b, a, o->raw_reason, &setup);

	if (err == 0 && keep)
		err = model_meet(b, &setup);
	keep = keep && setup.of_service == setup.has_run;
	if (err == 0)
		err = model_key(b, &setup, &permit.judge);
	if (err == 0)
		err = keep ? remembered(b, a, &permit, o) : STATE_NONE;
	if (err != STATE_NONE)
		return err;
	err = charge(b, a, &judged, o);
	if (err == -ENOMEM)
		return err;
	if (err != 0) {
		err = err == STATE_FULL ? too_many(o, judged) : not_known(b, err, o);
		return err < 0 ? err : judge_deny(b, a, log, JUDGE_COUNT, o);
	}
	err = ask(b, a, &setup, o);
	return err < 0 ? err : answered(b, q, a, log, keep ? &permit : NULL, o);
}

bool judge_is_there(const struct broker *b, const struct assessment *a)
{
	return a->verdict == VERDICT_OPEN && a->kind == KIND_SHELL && !config_is_broken(b->config) &&
		config_has_judge(b->config);
}

int judge_expect(struct broker *b, const struct assessment *a, const struct evidence_log *log)
{
	struct outlook look;
	struct key exact;
	int err;

	if (!judge_is_there(b, a))
		return 0;
	exact = exact_key(a, log);
	err = outlook(b, a, log, &exact, &look);
	if (err < 0 || look.stands || look.judged >= most_denials(b) || (look.known && may_be_remembered(a, log)))
		return 0; /* what is wrong with the state judge_open() finds and says */
	return model_go_ahead(b);
}

int judge_open(struct broker *b, const struct request *q, const struct assessment *a, const struct evidence_log *log,
	struct outcome *o)
{
	const struct key exact = exact_key(a, log);
	struct outlook look = { 0 };
	int err = outlook(b, a, log, &exact, &look);

	if (err == -ENOMEM)
		return err;
	if (err < 0) {
		err = not_known(b, err, o);
		return err < 0 ? err : judge_deny(b, a, log, JUDGE_COUNT, o);
	}
	return look.stands ? judge_deny(b, a, log, JUDGE_COUNT, o) : allowed_or_asked(b, q, a, log, &exact, o);
}
