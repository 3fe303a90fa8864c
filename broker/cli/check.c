/* SPDX-License-Identifier: Apache-2.0 */
/* `check`: what would the gate say? Counts and is recorded as a hook's call is. */
#include "broker/cli/judge.h"
#include "broker/decision/pipeline.h"
#include "broker/reply/reply.h"
#include "policy/paths/paths.h"

static struct bytes text_bytes(const char *s)
{
	return s ? (struct bytes){ s, strlen(s) } : (struct bytes){ "", 0 };
}

bool judge_request_fill(const struct broker *b, const struct judge_options *o, enum request_mode mode,
	struct judge_request *ret)
{
	ret->q = (struct request){
		.mode = mode,
		.harness = HARNESS_CLI,
		.session = text_bytes(o->session ? o->session : CHECK_SESSION),
		.cwd = text_bytes(b->cwd),
		.dialect = text_bytes(o->dialect),
		.first_row = 1,
		.input = text_bytes(o->command),
	};
	if (o->cwd) {
		size_t n = path_normalise(text_bytes(b->cwd), text_bytes(o->cwd), ret->cwd, sizeof(ret->cwd));

		ret->q.cwd = (struct bytes){ ret->cwd, n };
		return n > 0;
	}
	return true;
}

int judge_print(struct broker *b, struct textbuf *text)
{
	int r = text->failed ? -ENOMEM : 0;

	if (r == 0 && text->len > 0)
		r = broker_out(b, text->p, text->len);
	textbuf_reset(text);
	return r;
}

int cli_check(struct broker *b)
{
	CLEANUP(reply_done) struct reply reply = { 0 };
	CLEANUP(outcome_done) struct outcome outcome = { 0 };
	struct judge_request request;
	struct judge_options o;
	const char *error, *what;
	int r;

	if (judge_options_parse(b->start.argc, b->start.argv, &o, &error, &what) < 0)
		return cli_usage_error(b, error, what);
	if (o.help)
		return cli_command_help(b);
	if (o.json)
		return cli_usage_error(b, "unknown option", "--json");
	if (o.batch)
		return cli_batch(b, &o, REQUEST_CHECK_ROWS);
	if (!judge_request_fill(b, &o, REQUEST_CHECK, &request))
		return cli_usage_error(b, "not a directory's path", o.cwd);
	r = decide(b, &request.q, &outcome);
	if (r < 0)
		return r;
	reply_check(&outcome, &reply);
	r = judge_print(b, &reply.out);
	return r < 0 ? r : reply.status;
}
