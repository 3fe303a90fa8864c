/* SPDX-License-Identifier: Apache-2.0 */
/* `parse` and `explain`: what the gate sees in a line, and what it makes of it. Nothing is counted or
 * recorded. */
#include "broker/cli/judge.h"
#include "broker/decision/pipeline.h"
#include "broker/reply/listing.h"

/* Status when the line is not one that the shell would take. */
enum { EXIT_NOT_PARSED = 1 };

static int complain(struct broker *b, const struct outcome *o)
{
	CLEANUP(textbuf_done) struct textbuf text = { 0 };
	int r;

	textbuf_printf(&text, "auto-classifier: %s\n", o->reason ? o->reason : "the line could not be read");
	if (text.failed)
		return -ENOMEM;
	r = broker_err(b, text.p, text.len);
	return r < 0 ? r : EXIT_BROKEN;
}

int cli_parse(struct broker *b)
{
	CLEANUP(outcome_done) struct outcome outcome = { 0 };
	CLEANUP(textbuf_done) struct textbuf text = { 0 };
	CLEANUP(freep) char *listing = NULL;
	struct judge_request request;
	struct judge_options o;
	const char *error, *what;
	bool parsed = false;
	size_t length;
	int r;

	if (judge_options_parse(b->start.argc, b->start.argv, &o, &error, &what) < 0)
		return cli_usage_error(b, error, what);
	if (o.help)
		return cli_command_help(b);
	if (o.json || o.record || o.session || o.cwd)
		return cli_usage_error(b, "parse takes only --dialect and --batch", NULL);
	if (o.batch)
		return cli_batch(b, &o, REQUEST_PARSE_ROWS);
	if (!judge_request_fill(b, &o, REQUEST_PARSE, &request))
		return cli_usage_error(b, "not a directory's path", o.cwd);
	r = decide_listing(b, &request.q, &listing, &length, &outcome);
	if (r == 0 && !listing)
		return complain(b, &outcome);
	if (r == 0)
		r = listing_parse_json((struct bytes){ listing, length }, true, &text, &parsed);
	if (r == 0)
		r = judge_print(b, &text);
	if (r < 0)
		return r;
	return parsed ? 0 : EXIT_NOT_PARSED;
}

int cli_explain(struct broker *b)
{
	CLEANUP(outcome_done) struct outcome outcome = { 0 };
	CLEANUP(textbuf_done) struct textbuf text = { 0 };
	CLEANUP(freep) char *listing = NULL;
	struct judge_request request;
	struct judge_options o;
	const char *error, *what;
	struct bytes body;
	size_t length = 0;
	int r;

	if (judge_options_parse(b->start.argc, b->start.argv, &o, &error, &what) < 0)
		return cli_usage_error(b, error, what);
	if (o.help)
		return cli_command_help(b);
	if (o.batch || o.record || o.session)
		return cli_usage_error(b, "explain takes one command, and counts nothing", NULL);
	if (!judge_request_fill(b, &o, REQUEST_EXPLAIN, &request))
		return cli_usage_error(b, "not a directory's path", o.cwd);
	r = decide_listing(b, &request.q, &listing, &length, &outcome);
	if (r < 0)
		return r;
	body = (struct bytes){ listing, listing ? length : 0 };
	r = o.json ? listing_explain_json(body, &outcome, &text) :
		     listing_explain_text(body, &outcome, cli_wants_colour(b), &text);
	if (r == 0)
		r = judge_print(b, &text);
	return r;
}
