/* SPDX-License-Identifier: Apache-2.0 */
/* The stages that are the broker's, and what is written about a decision. */
#include "broker/decision/pipeline.h"

#include "broker/decision/judge.h"
#include "broker/decision/exchange.h"
#include "broker/decision/judge_open.h"
#include "broker/model/model.h"
#include "broker/decision/reconcile.h"
#include "broker/evidence/origin.h"
#include "policy/listing.h"

/* The worker's assessment of the one request, or a denial that says what became of the worker. */
static int receive_assessment(struct exchange *x, const struct request *q, struct assessment *ret)
{
	struct message m;
	int err = exchange_next(x, &m);

	if (err != 0)
		return err;
	if (m.type != MSG_ASSESSMENT || assessment_decode(m.body, ret) < 0 || reconcile(q, &x->log, ret) < 0)
		return exchange_fail(x, "said what no honest one says");
	return 0;
}

/* The body is copied: the next message takes its place. */
static int receive_listing(struct exchange *x, char **ret, size_t *ret_length)
{
	static const struct listing_visitor nothing;
	struct message m;
	char *copy;
	int err = exchange_next(x, &m);

	if (err != 0)
		return err;
	if (m.type != MSG_LISTING || listing_walk(m.body, &nothing, NULL) < 0)
		return exchange_fail(x, "said what no honest one says");
	copy = malloc(m.body.len);
	if (copy == NULL)
		return -ENOMEM;
	memcpy(copy, m.body.p, m.body.len);
	*ret = copy;
	*ret_length = m.body.len;
	return 0;
}

int decide(struct broker *b, const struct request *q, struct outcome *ret)
{
	CLEANUP(outcome_done) struct outcome o = { 0 };
	struct exchange x = { .b = b };
	struct assessment a;
	int err = exchange_send(&x, q);

	if (err == 0)
		err = receive_assessment(&x, q, &a);
	if (err == 0)
		err = judge_expect(b, &a, &x.log);
	/* Before anything is allowed: what is allowed may change where the remotes lead. */
	if (err == 0)
		origin_begin(b, a.session, a.cwd);
	if (err == WORKER_FAILED)
		err = judge_failure(b, q, x.failure, &o);
	else if (err == 0)
		err = judge(b, q, &a, &x.log, JUDGE_COUNT, &o);
	model_end_early(b);
	if (err < 0)
		return err;
	judge_record(b, &o, q->input, clock_ms() - b->started_ms);
	*ret = o;
	o = (struct outcome){ 0 };
	return 0;
}

int decide_listing(struct broker *b, const struct request *q, char **ret_listing, size_t *ret_length,
	struct outcome *ret)
{
	CLEANUP(outcome_done) struct outcome o = { 0 };
	CLEANUP(freep) char *listing = NULL;
	struct exchange x = { .b = b };
	struct assessment a;
	size_t length = 0;
	int err = exchange_send(&x, q);

	if (err == 0)
		err = receive_listing(&x, &listing, &length);
	if (err == 0 && q->mode == REQUEST_EXPLAIN)
		err = receive_assessment(&x, q, &a);
	if (err == WORKER_FAILED)
		err = judge_failure(b, q, x.failure, &o);
	else if (err == 0 && q->mode == REQUEST_EXPLAIN)
		err = judge(b, q, &a, &x.log, JUDGE_DRY, &o);
	if (err < 0)
		return err;
	*ret_listing = TAKE_PTR(listing);
	*ret_length = length;
	*ret = o;
	o = (struct outcome){ 0 };
	return 0;
}
