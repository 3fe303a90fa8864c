/* SPDX-License-Identifier: Apache-2.0 */
/* One request's conversation with a worker, within its limits. */
#include "broker/decision/exchange.h"

#include "broker/decision/served.h"
#include "broker/evidence/evidence.h"
#include "policy/sandbox/confine.h"

enum {
	REPLY_MARGIN_MS = 250, /* for state, telemetry and the reply, before the guard speaks for us */
	ROW_PATIENCE_MS = 10000, /* where no harness waits */
	DEATH_MS = 100, /* for the guard to say how a worker ended */
};

uint64_t exchange_deadline(const struct broker *b)
{
	uint64_t now = clock_ms();

	if (b->start.deadline_ms == 0)
		return now + ROW_PATIENCE_MS;
	return b->start.deadline_ms > now + REPLY_MARGIN_MS ? b->start.deadline_ms - REPLY_MARGIN_MS : now;
}

int exchange_fail(struct exchange *x, const char *failure)
{
	x->failure = failure;
	broker_stop_worker(x->b);
	return WORKER_FAILED;
}

/* The guard knows how it ended: which layer of its sandbox it could not enter, say. It is the last to be told. */
static int exchange_died(struct exchange *x)
{
	int status;

	if (broker_wait_child(x->b, x->b->worker_pid, clock_ms() + DEATH_MS, &status) < 0)
		return exchange_fail(x, "died");
	return exchange_fail(x, child_end_text(status));
}

int exchange_send(struct exchange *x, const struct request *q)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	int err;

	evidence_log_init(&x->log);
	evidence_begin(x->b);
	served_reset(&x->b->served);
	x->deadline_ms = exchange_deadline(x->b);
	if (x->b->worker.fd < 0) {
		err = broker_new_worker(x->b);
		if (err == -ECHILD)
			return exchange_fail(x, "could not be started");
		if (err < 0)
			return err;
		if (x->b->worker.fd < 0)
			return exchange_died(x);
	}
	request_encode(&w, q);
	if (w.bad)
		return -ENOMEM;
	err = channel_send(&x->b->worker, MSG_REQUEST, w.p, w.len, -1);
	if (err == -EPIPE || err == -ECONNRESET)
		return exchange_died(x);
	return err;
}

static int answer(struct exchange *x, struct bytes body)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	struct question q;
	struct answer a = { 0 }, shown;
	int err;

	if (question_decode(body, &q) < 0 || x->log.questions >= QUESTIONS_MAX || x->log.bytes >= ANSWER_BYTES_MAX)
		return exchange_fail(x, "asked what no honest one asks");
	err = evidence_answer(x->b, &q, &a);
	if (err > 0)
		return exchange_fail(x, "asked what no honest one asks");
	if (err < 0)
		return err;
	a.kind = q.kind;
	evidence_log_add(&x->log, &q, &a);
	err = served_keep(&x->b->served, &q, &a);
	shown = a;
	/* What only a judge needs is no business of the process that reads the command. */
	if (q.kind != ASK_SCRIPT)
		shown.content = (struct bytes){ 0 };
	if (q.kind == ASK_FILE || q.kind == ASK_RUN)
		shown.size = 0;
	answer_encode(&w, &shown);
	evidence_answer_done(&a);
	if (w.bad || err < 0)
		return -ENOMEM;
	err = channel_send(&x->b->worker, MSG_ANSWER, w.p, w.len, -1);
	if (err == -EPIPE || err == -ECONNRESET)
		return exchange_died(x);
	return err;
}

int exchange_next(struct exchange *x, struct message *ret)
{
	for (;;) {
		struct message m;
		int err = channel_receive_until(&x->b->worker, x->deadline_ms, &m);

		if (err == CHANNEL_END)
			return exchange_died(x);
		if (err == -ETIMEDOUT)
			return exchange_fail(x, "did not answer in time");
		if (err == -EPROTO)
			return exchange_fail(x, "broke the rules of the conversation");
		if (err < 0)
			return err;
		if (m.type != MSG_QUESTION) {
			*ret = m;
			return 0;
		}
		err = answer(x, m.body);
		if (err != 0)
			return err;
	}
}
