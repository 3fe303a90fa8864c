/* SPDX-License-Identifier: Apache-2.0 */
/* `hook`: a harness waits. Whatever happens, it gets a reply in its own shape. */
#include "broker/cli/cli.h"
#include "broker/decision/pipeline.h"
#include "broker/reply/agy_prompt.h"
#include "broker/reply/reply.h"

static const char *hook_environment(const struct broker *b, const char *name)
{
	size_t n = strlen(name);

	for (char **e = b->start.environment; e && *e; e++)
		if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

/* Reply by the harness of the hook's command line; a payload's claim counts only where that names none. */
static enum escalation reply_for(const struct broker *b, const struct outcome *o, struct reply *r)
{
	const char *attended = hook_environment(b, "CLAUDE_CODE_SESSION_ATTENDED");
	struct reply_context c = {
		.headless = config_bool(b->config, CFG_POLICY_HEADLESS),
		.unattended = attended && strcmp(attended, "0") == 0,
		.run_escalations =
			strcmp(config_string(b->config, CFG_AGY_ALWAYS_PROCEED_ESCALATIONS), "run") == 0,
	};

	if (o->harness == HARNESS_CLAUDE)
		return reply_claude(o, &c, r);
	if (o->harness != HARNESS_AGY) {
		reply_unknown(o->reason ? o->reason : "the hook's input was not understood", r);
		return ESCALATION_NONE;
	}
	if (o->decision == DECISION_ASK || o->decision == DECISION_FORCE_ASK) {
		const struct prompt_sources sources = { .proc = "/proc", .home = b->home };

		c.prompting = c.headless ? PROMPT_UNKNOWN : agy_prompting(&sources);
	}
	return reply_agy(o, &c, r);
}

static int finish(struct broker *b, struct reply *r)
{
	int e = r->out.failed || r->err.failed ? -ENOMEM : 0;

	if (e == 0 && r->err.len > 0)
		e = broker_err(b, r->err.p, r->err.len);
	if (e == 0 && r->out.len > 0)
		e = broker_out(b, r->out.p, r->out.len);
	return e < 0 ? e : r->status;
}

int cli_hook(struct broker *b)
{
	CLEANUP(reply_done) struct reply reply = { 0 };
	CLEANUP(outcome_done) struct outcome outcome = { 0 };
	struct hook_options options;
	struct request q = { .mode = REQUEST_HOOK };
	const char *error;
	int r = 0;

	if (hook_options_parse(b->start.argc, b->start.argv, &options, &error) < 0) {
		reply_unknown(error, &reply);
		return finish(b, &reply);
	}
	while (r == 0 && !b->input_ended)
		r = broker_read_input(b);
	if (r < 0)
		return r;
	q.harness = options.harness;
	q.event = options.event ? (struct bytes){ options.event, strlen(options.event) } : BYTES("");
	q.input = b->input;
	r = decide(b, &q, &outcome);
	if (r < 0)
		return r;
	reply_for(b, &outcome, &reply);
	return finish(b, &reply);
}
