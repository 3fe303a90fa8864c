/* SPDX-License-Identifier: Apache-2.0 */
/* Whom to ask, in which order, how often and until when; what the answers come to. */
#include "broker/model/model.h"

#include <stdio.h>
#include <time.h>

#include "broker/decision/served.h"
#include "broker/telemetry/log.h"
#include "policy/text/oneline.h"
#include "policy/text/redact.h"

enum { REPLY_MARGIN_MS = 600, READ_MS = 400, REASON_SHOWN_MAX = 300, CHAIN_MAX = 8 };

/* What became of one model of the chain. */
enum step { STEP_DECIDED = 1, STEP_UNPARSEABLE, STEP_FAILED };

struct inquiry {
	struct broker *b;
	struct model_setup *setup; /* borrowed */
	struct model_verdict v;
	uint64_t deadline_ms;
	char *unparsed; /* owned: a denial that stands when nobody else answers */
};

void model_verdict_done(struct model_verdict *v)
{
	free(v->reason);
	free(v->model);
	free(v->request_id);
	*v = (struct model_verdict){ 0 };
}

static void inquiry_done(struct inquiry *q)
{
	model_verdict_done(&q->v);
	free(q->unparsed);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t model_deadline(const struct broker *b)
{
	uint64_t now = clock_ms(), guard = b->start.deadline_ms;
	int64_t total = config_int(b->config, CFG_LLM_TOTAL_TIMEOUT_MS);
	uint64_t until = now + (total > 0 ? (uint64_t)total : 0);

	if (guard != 0)
		until = least(until, guard > now + REPLY_MARGIN_MS ? guard - REPLY_MARGIN_MS : now);
	return until;
}

uint32_t model_patience(const struct broker *b, enum model_protocol protocol, uint64_t deadline_ms)
{
	int64_t said = config_int(b->config, protocol == MODEL_JEV ? CFG_JEV_TIMEOUT_MS : CFG_LLM_TIMEOUT_MS);
	uint64_t now = clock_ms(), until = least(deadline_ms, now + (said > 0 ? (uint64_t)said : 0));

	return until <= now ? 0 : (uint32_t)least(until - now, UINT32_MAX);
}

static void sleep_ms(uint64_t ms)
{
	const struct timespec t = { .tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000 };

	nanosleep(&t, NULL);
}

/* As the service's own SDK waits: its hint, else doubling, less up to a quarter. */
static uint64_t pause_ms(uint32_t hint, uint32_t attempt)
{
	uint64_t ms = (uint64_t)MODEL_BACKOFF_MS << attempt;

	if (hint > 0)
		return hint;
	ms = least(ms, MODEL_BACKOFF_MAX_MS);
	return ms - clock_ms() % (ms / 4);
}

static bool may_retry(const struct model_answer *a)
{
	return a->failed ? model_failure_retryable(a->failure) : model_status_retryable(a->status);
}

bool model_has_helper(const struct broker *b, enum model_protocol protocol)
{
	const char *const *argv;

	return protocol == MODEL_JEV && config_strings(b->config, CFG_JEV_COMMAND, &argv) > 0;
}

/* One model, with the retries of a decision service; a chat service has its fallbacks instead. */
static int ask_until(struct inquiry *q, struct model_answer *ret)
{
	bool jev = q->setup->q.protocol == MODEL_JEV, helper = model_has_helper(q->b, q->setup->q.protocol);
	uint32_t attempts = jev && !helper ? MODEL_ATTEMPTS : 1;

	for (uint32_t i = 0;; i++) {
		uint64_t now = clock_ms(), pause, until;
		int err;

		if (now >= q->deadline_ms) {
			*ret = (struct model_answer){ .failed = true, .failure = MODEL_TIMEOUT };
			return 0;
		}
		q->setup->q.timeout_ms = model_patience(q->b, q->setup->q.protocol, q->deadline_ms);
		until = now + q->setup->q.timeout_ms;
		q->v.usage.calls++;
		err = helper ? model_helper(q->b, q->setup, until, ret) : model_attempt(q->b, q->setup, until, ret);
		if (err < 0 || !may_retry(ret) || i + 1 >= attempts)
			return err;
		pause = pause_ms(ret->failed ? 0 : ret->retry_after_ms, i);
		if (clock_ms() + pause >= q->deadline_ms)
			return 0;
		model_answer_done(ret);
		sleep_ms(pause);
	}
}

static int set_reason(struct inquiry *q, struct textbuf *why)
{
	char *text = textbuf_steal(why);

	if (text == NULL)
		return -ENOMEM;
	free(q->v.reason);
	q->v.reason = text;
	return 0;
}

/* A server's own words. */
static void put_foreign(struct textbuf *b, struct bytes text, size_t max)
{
	CLEANUP(textbuf_done) struct textbuf clean = { 0 };

	redact(&clean, text);
	b->failed = b->failed || clean.failed;
	text_oneline(b, textbuf_bytes(&clean), max);
}

/* For the person who asks the server's operators about a call. */
static int keep_request_id(struct inquiry *q, struct bytes id)
{
	CLEANUP(textbuf_done) struct textbuf text = { 0 };

	free(TAKE_PTR(q->v.request_id));
	if (id.len == 0)
		return 0;
	text_oneline(&text, id, MODEL_REQUEST_ID_MAX);
	q->v.request_id = textbuf_steal(&text);
	return q->v.request_id != NULL ? 0 : -ENOMEM;
}

static int failed(struct inquiry *q, const struct model_answer *a, struct bytes wrong)
{
	CLEANUP(textbuf_done) struct textbuf why = { 0 };
	int err;

	textbuf_puts(&why, "the judge failed: ");
	if (a->failed)
		textbuf_puts(&why, model_failure_text(a->failure));
	else if (a->status != 200)
		textbuf_printf(&why, "it answered with HTTP status %u%s", a->status, wrong.len > 0 ? ", " : "");
	else
		textbuf_puts(&why, "its answer cannot be used, ");
	put_foreign(&why, wrong, REASON_SHOWN_MAX);
	err = set_reason(q, &why);
	if (err == 0)
		log_line(q->b, "model %.*s: %s%s%s", (int)q->setup->q.model.len, q->setup->q.model.p, q->v.reason,
			q->v.request_id != NULL ? "; request " : "", q->v.request_id != NULL ? q->v.request_id : "");
	return err < 0 ? err : STEP_FAILED;
}

static int keep_unparsed(struct inquiry *q, struct bytes text)
{
	CLEANUP(textbuf_done) struct textbuf why = { 0 };

	if (q->unparsed != NULL)
		return STEP_UNPARSEABLE;
	textbuf_puts(&why, "the judge's answer is no verdict: ");
	text_oneline(&why, text, 100);
	q->unparsed = textbuf_steal(&why);
	return q->unparsed != NULL ? STEP_UNPARSEABLE : -ENOMEM;
}

static int decided(struct inquiry *q, const struct judgement *j)
{
	CLEANUP(textbuf_done) struct textbuf why = { 0 };
	struct bytes model = j->model.len > 0 ? j->model : q->setup->q.model;

	if (j->has_risks) {
		q->v.allow = judgement_allows(q->b->config, j, &why);
		q->v.has_answers = true;
		q->v.chose_allow = j->allow;
		q->v.p_allow = j->p_allow;
		q->v.confidence = j->confidence;
		memcpy(q->v.risks, j->risks, sizeof(q->v.risks));
	} else {
		q->v.allow = j->allow;
		if (j->text.len > 0)
			text_oneline(&why, j->text, REASON_SHOWN_MAX);
		else
			textbuf_puts(&why, j->allow ? "the judge found no harm" : "the judge gave no reason");
	}
	free(q->v.model);
	q->v.model = strndup(model.p, model.len);
	if (q->v.model == NULL)
		return -ENOMEM;
	return set_reason(q, &why) < 0 ? -ENOMEM : STEP_DECIDED;
}

static bool is_error(struct bytes text)
{
	const size_t n = strlen(judgement_error);

	return text.len > n && memcmp(text.p, judgement_error, n) == 0;
}

static int read_answer(struct inquiry *q, const struct model_answer *a)
{
	CLEANUP(freep) char *buffer = NULL;
	struct judgement j;
	uint64_t until = clock_ms() + READ_MS;
	int err = model_read(q->b, q->setup->q.protocol, a->body, until, &j, &buffer);

	if (err == -EPROTO)
		return failed(q, a, BYTES("the process that reads it failed"));
	if (err < 0)
		return err;
	/* Of an error only what it says is wanted; an answer under another status is none. */
	if (a->status != 200)
		return failed(q, a, j.state == JUDGEMENT_UNUSABLE && is_error(j.text) ? j.text : (struct bytes){ 0 });
	if (j.state == JUDGEMENT_UNUSABLE)
		return failed(q, a, j.text.len > 0 ? j.text : BYTES("it is odd"));
	q->v.usage.asked = true;
	q->v.usage.input_tokens += j.input_tokens;
	q->v.usage.output_tokens += j.output_tokens;
	return j.state == JUDGEMENT_UNPARSEABLE ? keep_unparsed(q, j.text) : decided(q, &j);
}

/* Ask this model. enum step or -errno. */
static int ask_model(struct inquiry *q, const char *model)
{
	CLEANUP(model_answer_done) struct model_answer a = { 0 };
	int err;

	q->setup->q.model = (struct bytes){ model, strlen(model) };
	err = ask_until(q, &a);
	if (err == 0)
		err = keep_request_id(q, a.request_id);
	if (err < 0)
		return err;
	if (a.failed || (a.status != 200 && a.body.len == 0))
		return failed(q, &a, (struct bytes){ 0 });
	return read_answer(q, &a);
}

struct link {
	const char *model;
	enum source source;
};

static void add_link(struct link chain[CHAIN_MAX], size_t *n, const char *model, enum source source)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(chain[i].model, model) == 0 && chain[i].source != SOURCE_TRIAGE)
			return;
	if (*model != '\0' && *n < CHAIN_MAX)
		chain[(*n)++] = (struct link){ model, source };
}

static size_t make_chain(const struct config *c, bool jev, struct link chain[CHAIN_MAX])
{
	const char *first = config_string(c, jev ? CFG_JEV_MODEL : CFG_LLM_MODEL);
	const char *triage = config_string(c, CFG_LLM_TRIAGE_MODEL);
	const char *const *more;
	size_t n = 0, n_more;

	if (!jev && strcmp(triage, first) != 0)
		add_link(chain, &n, triage, SOURCE_TRIAGE);
	add_link(chain, &n, first, SOURCE_LLM);
	if (jev)
		return n;
	add_link(chain, &n, config_string(c, CFG_LLM_FALLBACK_MODEL), SOURCE_FALLBACK);
	n_more = config_strings(c, CFG_LLM_FALLBACK_MODELS, &more);
	for (size_t i = 0; i < n_more; i++)
		add_link(chain, &n, more[i], SOURCE_FALLBACK);
	return n;
}

static int run_chain(struct inquiry *q)
{
	struct link chain[CHAIN_MAX];
	size_t n = make_chain(q->b->config, q->setup->q.protocol == MODEL_JEV, chain);

	for (size_t i = 0; i < n; i++) {
		int step = ask_model(q, chain[i].model);

		if (step < 0)
			return step;
		/* A triage model's word counts only where it allows. */
		if (step == STEP_DECIDED && (chain[i].source != SOURCE_TRIAGE || q->v.allow)) {
			q->v.source = chain[i].source;
			return 0;
		}
		/* Nor does a triage model's rambling: the model proper has not spoken yet. */
		if (step == STEP_UNPARSEABLE && chain[i].source == SOURCE_TRIAGE)
			free(TAKE_PTR(q->unparsed));
		free(TAKE_PTR(q->v.model));
	}
	q->v.allow = false;
	q->v.source = q->unparsed != NULL ? SOURCE_LLM : SOURCE_ERROR;
	q->v.transient = q->unparsed == NULL;
	if (q->unparsed != NULL) {
		free(q->v.reason);
		q->v.reason = TAKE_PTR(q->unparsed);
	}
	return q->v.reason != NULL ? 0 : -EINVAL;
}

/* Of what the command runs, was anything shown in part or not at all? */
static bool is_partial(const struct inquiry *q, const struct assessment *a)
{
	if ((a->flags & ASSESS_PARTIAL) != 0 || q->setup->in_part)
		return true;
	for (uint32_t i = 0; i < a->n_causes; i++)
		if (bytes_is(a->causes[i].effect, "execute") && a->causes[i].target.len > 0 &&
			!served_whole(q->b->served, a->causes[i].target))
			return true;
	return false;
}

int model_ask(struct broker *b, const struct assessment *a, struct model_setup *s, struct model_verdict *ret)
{
	CLEANUP(inquiry_done) struct inquiry q = {
		.b = b, .setup = s, .deadline_ms = s->deadline_ms != 0 ? s->deadline_ms : model_deadline(b),
	};
	int err = run_chain(&q);

	if (err < 0)
		return err;
	if (q.v.model == NULL)
		q.v.model = strdup(config_string(b->config,
			s->q.protocol == MODEL_JEV ? CFG_JEV_MODEL : CFG_LLM_MODEL));
	q.v.partial = is_partial(&q, a);
	*ret = q.v;
	q.v = (struct model_verdict){ 0 };
	return 0;
}
