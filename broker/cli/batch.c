/* SPDX-License-Identifier: Apache-2.0 */
/* --batch: JSON lines in, JSON lines out, in order, each as soon as it is ready. */
#include "broker/cli/judge.h"
#include "broker/decision/pipeline.h"
#include "broker/reply/listing.h"
#include "broker/reply/reply.h"

/* Lines are passed on together while more are ready: a message each would cost more than the decision. */
enum { PASS_ON = 32 * 1024 };

struct batch {
	struct broker *broker;
	struct textbuf text;
};

static int batch_flush(void *data)
{
	struct batch *t = data;

	return judge_print(t->broker, &t->text);
}

static int batch_added(struct batch *t)
{
	return t->text.len >= PASS_ON || t->text.failed ? batch_flush(t) : 0;
}

static int check_outcome(void *data, const struct outcome *o)
{
	struct batch *t = data;

	reply_row(o, &t->text);
	return batch_added(t);
}

/* A row of `parse` has an outcome only when its worker died. */
static int parse_outcome(void *data, const struct outcome *o)
{
	struct batch *t = data;

	reply_unparsed(o, &t->text);
	return batch_added(t);
}

static int parse_listing(void *data, struct bytes body)
{
	struct batch *t = data;
	bool parsed;
	int r = listing_parse_json(body, false, &t->text, &parsed);

	return r < 0 ? r : batch_added(t);
}

int cli_batch(struct broker *b, const struct judge_options *o, enum request_mode mode)
{
	struct batch t = { .broker = b };
	const struct rows_sink sink = {
		.outcome = mode == REQUEST_CHECK_ROWS ? check_outcome : parse_outcome,
		.listing = parse_listing,
		.flush = batch_flush,
		.data = &t,
	};
	struct judge_request request;
	int r;

	if (!judge_request_fill(b, o, mode, &request))
		return cli_usage_error(b, "not a directory's path", o->cwd);
	r = decide_rows(b, &request.q, o->record, &sink);
	if (r == 0)
		r = batch_flush(&t);
	textbuf_done(&t.text);
	return r < 0 ? r : 0;
}
