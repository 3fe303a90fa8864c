/* SPDX-License-Identifier: Apache-2.0 */
/* `hook`: a harness waits. Whatever happens, it gets a reply in its own shape. */
#include "broker/cli/cli.h"
#include "broker/decision/pipeline.h"
#include "broker/reply/agy_prompt.h"
#include "broker/reply/reply.h"
#include "broker/telemetry/stamp.h"
#include "broker/telemetry/telemetry.h"

/* Reply by the harness of the hook's command line; a payload's claim counts only where that names none. */
static enum escalation reply_for(const struct broker *b, const struct outcome *o, struct reply *r)
{
	const char *attended = broker_getenv(b, "CLAUDE_CODE_SESSION_ATTENDED");
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

		c.prompting = c.headless || !b->home ? PROMPT_UNKNOWN : agy_prompting(&sources);
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

/* The first row told what was decided; a second tells that no prompt was shown for it. */
static void record_escalation(struct broker *b, const struct outcome *o, enum escalation e)
{
	static const char *const sources[] = {
		[ESCALATION_GATE_KEPT] = "gate-kept",
		[ESCALATION_NO_PROMPT] = "no-prompt",
		[ESCALATION_ALWAYS_PROCEED] = "always-proceed",
	};
	struct telemetry_facts facts = {
		.payload = b->input,
		.latency_ms = clock_ms() - b->started_ms,
		.decision = e == ESCALATION_ALWAYS_PROCEED ? "allow" : "deny",
	};

	if (e == ESCALATION_NONE)
		return;
	facts.now_ms = stamp_now();
	facts.source = sources[e];
	telemetry_record(b, o, &facts);
}

/* Input that did not arrive whole is not decoded at all. */
static int refuse_input(struct broker *b, const struct hook_options *options, struct reply *reply)
{
	struct outcome o = {
		.kind = KIND_MALFORMED,
		.harness = options->harness,
		.event =
			options->event ? (struct bytes){ options->event, strlen(options->event) } : BYTES(""),
		.reason = strdup(b->input_end == STDIN_TOO_LONG ?
				"the hook's input is longer than 16 MiB, so it was not judged" :
				"the hook's input could not be read to its end, so it was not judged"),
	};

	reply_for(b, &o, reply);
	outcome_done(&o);
	return finish(b, reply);
}

/* A harness reads stdout through a pipe; who sees it on a terminal is a person. */
static bool wants_help(const struct broker *b)
{
	return b->start.stdout_tty && b->start.argc == 3 &&
		(strcmp(b->start.argv[2], "--help") == 0 || strcmp(b->start.argv[2], "-h") == 0);
}

/* Whoever installed the hook must mend it; until then no call passes unjudged. */
static int refuse_options(struct broker *b, const char *error, struct reply *reply)
{
	CLEANUP(textbuf_done) struct textbuf text = { 0 };

	textbuf_printf(&text,
		"the hook's command line is wrong (%s), so nothing was judged; correct it in the settings", error);
	if (text.failed)
		return -ENOMEM;
	reply_unknown(text.p, reply);
	return finish(b, reply);
}

int cli_hook(struct broker *b)
{
	CLEANUP(reply_done) struct reply reply = { 0 };
	CLEANUP(outcome_done) struct outcome outcome = { 0 };
	struct hook_options options;
	struct request q = { .mode = REQUEST_HOOK };
	const char *error;
	int r = 0;

	if (wants_help(b))
		return cli_command_help(b);
	if (hook_options_parse(b->start.argc, b->start.argv, &options, &error) < 0)
		return refuse_options(b, error, &reply);
	while (r == 0 && !b->input_ended)
		r = broker_read_input(b);
	if (r < 0)
		return r;
	if (b->input_end != STDIN_EOF)
		return refuse_input(b, &options, &reply);
	q.harness = options.harness;
	q.event = options.event ? (struct bytes){ options.event, strlen(options.event) } : BYTES("");
	q.input = b->input;
	r = decide(b, &q, &outcome);
	if (r < 0)
		return r;
	record_escalation(b, &outcome, reply_for(b, &outcome, &reply));
	return finish(b, &reply);
}
