/* SPDX-License-Identifier: Apache-2.0 */
/* A batch: lines go to the worker in chunks and come back as one statement each, in order, whatever dies. */
#include "broker/decision/exchange.h"
#include "broker/decision/judge.h"
#include "broker/model/model.h"
#include "broker/decision/pipeline.h"
#include "broker/decision/reconcile.h"
#include "broker/decision/served.h"
#include "broker/evidence/evidence.h"
#include "broker/state/state.h"
#include "policy/listing.h"

enum {
	CHUNK_MAX = FRAME_BODY_MAX, /* of whole lines; a longer line goes alone */
	LINE_MAX_BYTES = 16 * 1024 * 1024,
};

struct batch {
	struct broker *b;
	const struct request *template;
	const struct rows_sink *sink;
	bool record;
	struct exchange x;
	struct bytes rest; /* of the chunk: lines not yet answered */
	uint32_t row; /* number of the first of them */
	uint64_t since_ms;
};

/* The first line of `text`, without its end; *ret_whole counts that too. */
static struct bytes first_line(struct bytes text, size_t *ret_whole)
{
	const char *end = text.len > 0 ? memchr(text.p, '\n', text.len) : NULL;
	size_t n = end != NULL ? (size_t)(end - text.p) : text.len;

	*ret_whole = end != NULL ? n + 1 : n;
	return (struct bytes){ text.p, n };
}

static void next_line(struct batch *t)
{
	size_t whole;

	(void)first_line(t->rest, &whole);
	t->rest = (struct bytes){ t->rest.p + whole, t->rest.len - whole };
	t->row++;
}

static void skip_blank_lines(struct batch *t)
{
	size_t whole;

	while (t->rest.len > 0 && trim_blanks(first_line(t->rest, &whole)).len == 0)
		next_line(t);
}

static int hand_on(struct batch *t, const struct outcome *o)
{
	size_t whole;
	uint64_t now = clock_ms();

	if (t->record)
		judge_record(t->b, o, first_line(t->rest, &whole), now - t->since_ms);
	t->since_ms = now;
	next_line(t);
	skip_blank_lines(t);
	return t->sink->outcome(t->sink->data, o);
}

/* Ask a fresh worker for the name of the row that the last one did not survive; without one the row stays nameless. */
static int name_row(struct batch *t, struct bytes line, struct assessment *ret)
{
	struct request q = { .mode = REQUEST_NAME_ROW, .harness = t->template->harness, .first_row = t->row, .input = line };
	struct assessment a;
	struct message m;
	int err = exchange_send(&t->x, &q);

	if (err == 0)
		err = exchange_next(&t->x, &m);
	if (err != 0)
		return err;
	/* What was said lies in the worker's channel and goes with it. */
	if (m.type != MSG_ASSESSMENT || assessment_decode(m.body, &a) < 0 || reconcile(&q, &t->x.log, &a) < 0)
		return exchange_fail(&t->x, "said what no honest one says");
	*ret = a;
	return 0;
}

static int dead_row(struct batch *t)
{
	CLEANUP(outcome_done) struct outcome o = { 0 };
	const char *failure = t->x.failure;
	struct assessment a = { 0 };
	size_t whole;
	int err = name_row(t, first_line(t->rest, &whole), &a);

	if (err == 0 || err == WORKER_FAILED)
		err = judge_failure(t->b, t->template, failure, &o);
	if (err < 0)
		return err;
	o.row = t->row;
	o.row_id = a.row_id;
	o.row_id_set = a.row_id_set;
	return hand_on(t, &o);
}

static int row_assessed(struct batch *t, struct bytes body)
{
	CLEANUP(outcome_done) struct outcome o = { 0 };
	struct request alone = *t->template;
	struct assessment a;
	size_t whole;
	int err;

	if (t->template->mode != REQUEST_CHECK_ROWS || assessment_decode(body, &a) < 0 || a.row != t->row ||
		reconcile(t->template, &t->x.log, &a) < 0)
		return exchange_fail(&t->x, "said what no honest one says");
	alone.input = first_line(t->rest, &whole);
	alone.first_row = t->row;
	err = judge(t->b, &alone, &a, &t->x.log, JUDGE_COUNT, &o);
	model_end_early(t->b); /* the next row may be long in coming */
	return err < 0 ? err : hand_on(t, &o);
}

static void note_row(void *data, struct bytes row_id, bool row_id_set, uint32_t row, bool parsed, bool modelled,
	struct bytes why)
{
	(void)row_id;
	(void)row_id_set;
	(void)parsed;
	(void)modelled;
	(void)why;
	*(uint32_t *)data = row;
}

static int row_listed(struct batch *t, struct bytes body)
{
	static const struct listing_visitor only_row = { .line = note_row };
	uint32_t row = 0;

	if (t->template->mode != REQUEST_PARSE_ROWS || listing_walk(body, &only_row, &row) < 0 || row != t->row)
		return exchange_fail(&t->x, "said what no honest one says");
	next_line(t);
	skip_blank_lines(t);
	return t->sink->listing(t->sink->data, body);
}

/* One statement of the worker. 0, WORKER_FAILED, or -errno; *ret_done when the chunk is through. */
static int statement(struct batch *t, bool *ret_done)
{
	struct message m;
	int err;

	t->x.deadline_ms = exchange_deadline(t->b);
	evidence_log_init(&t->x.log);
	evidence_begin(t->b);
	served_reset(&t->b->served);
	err = exchange_next(&t->x, &m);
	if (err != 0)
		return err;
	if (m.type == MSG_ROWS_DONE) {
		*ret_done = true;
		return t->rest.len > 0 ? exchange_fail(&t->x, "left rows out") : 0;
	}
	/* More statements than rows: whose would they be? */
	if (t->rest.len == 0)
		return exchange_fail(&t->x, "said what no honest one says");
	return m.type == MSG_ASSESSMENT ? row_assessed(t, m.body) : row_listed(t, m.body);
}

/* The lines are copied: while a new worker is waited for, more of stdin may come and move the buffer they stand in. */
static int chunk(struct batch *t, struct bytes lines)
{
	CLEANUP(freep) char *copy = malloc(lines.len);
	int err = 0;

	if (copy == NULL)
		return -ENOMEM;
	memcpy(copy, lines.p, lines.len);
	t->rest = (struct bytes){ copy, lines.len };
	skip_blank_lines(t);
	while (t->rest.len > 0 && err >= 0) {
		struct request q = *t->template;
		bool done = false;

		q.input = t->rest;
		q.first_row = t->row;
		err = exchange_send(&t->x, &q);
		while (err == 0 && !done)
			err = statement(t, &done);
		/* Whatever it died of or said wrong, it was at this row; the next ones get another worker. */
		if (err == WORKER_FAILED)
			err = t->rest.len > 0 ? dead_row(t) : 0;
	}
	return err < 0 ? err : 0;
}

static int too_long(struct batch *t)
{
	CLEANUP(outcome_done) struct outcome o = { 0 };
	int err = judge_failure(t->b, t->template, "was not given this row: it is longer than 16 MiB", &o);

	if (err < 0)
		return err;
	o.row = t->row;
	t->rest = (struct bytes){ 0 };
	err = t->sink->outcome(t->sink->data, &o);
	t->row++;
	return err;
}

/* What can be dealt with now: whole lines, and at the end whatever is left. 0: more must be read first. */
static size_t ready_bytes(const struct broker *b)
{
	size_t n = b->input.len < CHUNK_MAX ? b->input.len : CHUNK_MAX;
	const char *end = n > 0 ? memrchr(b->input.p, '\n', n) : NULL;

	if (end == NULL && b->input.len > n)
		end = memchr(b->input.p + n, '\n', b->input.len - n);
	if (end != NULL)
		return (size_t)(end - b->input.p) + 1;
	return b->input_ended ? b->input.len : 0;
}

/* Throw a line away that is too long to be kept, up to where the next one starts. */
static int skip_long_line(struct batch *t)
{
	struct broker *b = t->b;
	bool found = false;
	int err = too_long(t);

	while (err == 0 && !found && b->input.len > 0) {
		const char *end = memchr(b->input.p, '\n', b->input.len);

		found = end != NULL;
		broker_consume_input(b, found ? (size_t)(end - b->input.p) + 1 : b->input.len);
		if (!found && !b->input_ended)
			err = broker_read_input(b);
	}
	return err;
}

int decide_rows(struct broker *b, const struct request *q, bool record, const struct rows_sink *sink)
{
	struct batch t = { .b = b, .template = q, .sink = sink, .record = record, .x = { .b = b }, .row = 1,
		.since_ms = clock_ms() };
	int err = b->state == NULL ? state_in_memory(&b->state) : 0;

	while (err == 0) {
		size_t n = ready_bytes(b);

		if (n > LINE_MAX_BYTES || (n == 0 && b->input.len > LINE_MAX_BYTES)) {
			err = skip_long_line(&t);
		} else if (n > 0) {
			err = chunk(&t, (struct bytes){ b->input.p, n });
			broker_consume_input(b, n);
		} else if (b->input_ended) {
			break;
		} else {
			err = sink->flush(sink->data);
			if (err == 0)
				err = broker_read_input(b);
		}
	}
	if (err == 0 && b->input_end != STDIN_EOF)
		err = -EIO;
	return err < 0 ? err : sink->flush(sink->data);
}
