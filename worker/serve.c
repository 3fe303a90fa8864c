/* SPDX-License-Identifier: Apache-2.0 */
/* One request, from its bytes to what the broker is told. */
#include "worker/serve.h"

#include "worker/assess.h"
#include "worker/judge/reply.h"
#include "worker/listing.h"
#include "worker/payload/payload.h"
#include "worker/rows.h"

static int send_assessment(struct worker *w, const struct assessment *a)
{
	CLEANUP(wr_done) struct writer body = { 0 };

	assessment_encode(&body, a);
	return assess_send(w, MSG_ASSESSMENT, &body);
}

static int serve_hook(struct worker *w, const struct request *q)
{
	struct assessment a = { 0 };
	struct script *script;
	struct finding *findings;
	struct payload p;
	int r = payload_decode(&w->arena, q->harness, q->event, q->input, &p);

	if (r < 0)
		return r;
	if (p.kind == KIND_SHELL || p.kind == KIND_PERMISSION) {
		const struct judged_line l = {
			.command = p.command,
			.cwd = p.cwd,
			.session = p.session,
			.harness = p.harness,
			.dialect = p.foreign_shell ? DIALECT_OTHER :
						     assess_dialect(&w->policy, p.harness, q->dialect),
		};

		r = assess_line(w, &l, &a, &script, &findings);
		if (r < 0)
			return r;
	} else if (p.kind == KIND_MALFORMED) {
		const char *name = harness_specs[p.harness].name;

		assess_malformed(&a, REASON_MALFORMED, *name ? name : "a known harness", p.why);
	}
	a.kind = p.kind;
	a.harness = p.harness;
	a.event = p.event;
	a.tool = p.tool;
	a.call_id = p.call_id;
	a.session = p.session;
	a.cwd = p.cwd;
	return send_assessment(w, &a);
}

static int serve_command(struct worker *w, const struct request *q)
{
	const struct judged_line l = {
		.command = q->input,
		.cwd = q->cwd,
		.session = q->mode == REQUEST_CHECK ? q->session : BYTES(""),
		.harness = HARNESS_CLI,
		.dialect = assess_dialect(&w->policy, HARNESS_CLI, q->dialect),
	};
	struct assessment a = { 0 };
	struct script *script = NULL;
	struct finding *findings = NULL;
	int r;

	r = assess_line(w, &l, &a, &script, &findings);
	if (r < 0)
		return r;
	a.kind = KIND_SHELL;
	a.session = q->session;
	if (q->mode == REQUEST_EXPLAIN && script) {
		CLEANUP(wr_done) struct writer body = { 0 };

		r = listing_from_script(&body, script, findings, BYTES(""), false, 0);
		if (r == 0)
			r = assess_send(w, MSG_LISTING, &body);
		if (r < 0)
			return r;
	}
	return send_assessment(w, &a);
}

static int serve_parse(struct worker *w, const struct request *q)
{
	CLEANUP(wr_done) struct writer body = { 0 };
	const struct shell_options options = {
		.dialect = assess_dialect(&w->policy, HARNESS_CLI, q->dialect),
		.home = w->policy.home,
	};
	struct script *script;
	int r = shell_parse(&w->arena, q->input, &options, &script);

	if (r == 0)
		r = listing_from_script(&body, script, NULL, BYTES(""), false, 0);
	return r < 0 ? r : assess_send(w, MSG_LISTING, &body);
}

/* The line that killed the last worker: only its id is read, so that the row can be answered under it. */
static int serve_name(struct worker *w, const struct request *q)
{
	struct assessment a = { .harness = HARNESS_CLI, .row = q->first_row };
	struct row row;
	int r = row_decode(&w->arena, q->input, &row);

	if (r < 0)
		return r;
	assess_malformed(&a, REASON_BAD_ROW, "the row", "the gate failed while judging it");
	a.row_id = row.id;
	a.row_id_set = row.id_set;
	return send_assessment(w, &a);
}

static int serve_reply(struct worker *w, const struct request *q)
{
	CLEANUP(wr_done) struct writer body = { 0 };
	struct judgement j = { 0 };
	int r;

	if (q->mode == REQUEST_NAMES_REPLY) {
		r = names_reply_read(q->input, &body);
		return r < 0 ? r : assess_send(w, MSG_MODEL_NAMES, &body);
	}
	r = q->mode == REQUEST_JEV_REPLY ? jev_reply_read(&w->arena, q->input, &j) :
					       chat_reply_read(&w->arena, q->input, &j);
	if (r < 0)
		return r;
	judgement_encode(&body, &j);
	return assess_send(w, MSG_JUDGEMENT, &body);
}

int worker_serve(struct worker *w, const struct request *request)
{
	arena_reset(&w->arena);
	switch (request->mode) {
	case REQUEST_HOOK:
		return serve_hook(w, request);
	case REQUEST_CHECK:
	case REQUEST_EXPLAIN:
		return serve_command(w, request);
	case REQUEST_PARSE:
		return serve_parse(w, request);
	case REQUEST_CHECK_ROWS:
	case REQUEST_PARSE_ROWS:
		return serve_rows(w, request);
	case REQUEST_NAME_ROW:
		return serve_name(w, request);
	case REQUEST_JEV_REPLY:
	case REQUEST_CHAT_REPLY:
	case REQUEST_NAMES_REPLY:
		return serve_reply(w, request);
	case REQUEST__MAX:
		break;
	}
	return -EPROTO;
}
