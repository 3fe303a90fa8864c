/* SPDX-License-Identifier: Apache-2.0 */
/* The telemetry row of a decision. Secrets are taken out before anything is cut: half a secret is recognised by nobody. */
#include "broker/telemetry/telemetry.h"

#include "broker/decision/keys.h"
#include "broker/model/model.h"
#include "broker/telemetry/log.h"
#include "broker/telemetry/stamp.h"
#include "policy/text/jsonout.h"
#include "policy/text/redact.h"
#include "policy/text/utf8.h"

/* More of a payload is not searched for secrets; of one that long only the hash is kept. */
enum { PAYLOAD_SEARCHED_MAX = 64 * 1024 };

static void member_redacted(struct jsonout *o, const char *name, struct bytes text, size_t cap)
{
	CLEANUP(textbuf_done) struct textbuf clean = { 0 };

	jsonout_name(o, name);
	redact(&clean, text);
	if (clean.failed) {
		jsonout_null(o);
		return;
	}
	jsonout_bytes(o, (struct bytes){ clean.p, utf8_cut(clean.p, clean.len, cap) });
}

static void member_or_null(struct jsonout *o, const char *name, struct bytes text, size_t cap)
{
	if (text.len > 0) {
		member_redacted(o, name, text, cap);
	} else {
		jsonout_name(o, name);
		jsonout_null(o);
	}
}

static void member_time(struct jsonout *o, int64_t now_ms)
{
	char stamp[STAMP_SIZE];

	stamp_format(now_ms, stamp);
	jsonout_member(o, "ts", stamp);
}

/* A shell tool is called differently by every harness; readers of telemetry want one name. */
static void member_tool(struct jsonout *o, const struct outcome *out)
{
	if (out->kind == KIND_SHELL)
		jsonout_member(o, "tool", "bash");
	else
		member_or_null(o, "tool", out->tool, TELEMETRY_REASON_MAX);
}

static void member_payload(struct jsonout *o, struct bytes payload)
{
	jsonout_member(o, "payload_sha256", key_of_bytes(payload).hex);
	if (payload.len > PAYLOAD_SEARCHED_MAX)
		payload.len = 0;
	member_or_null(o, "payload", payload, TELEMETRY_PAYLOAD_MAX);
}

static void member_usage(struct jsonout *o, const struct model_usage *u)
{
	jsonout_object(o);
	jsonout_member_int(o, "input_tokens", (int64_t)u->input_tokens);
	jsonout_member_int(o, "output_tokens", (int64_t)u->output_tokens);
	jsonout_member_int(o, "calls", u->calls);
	jsonout_end(o);
}

static void member_probability(struct jsonout *o, const char *name, uint32_t millionths)
{
	jsonout_name(o, name);
	jsonout_number(o, millionths / (double)MILLION);
}

/* As the service answers them, so that a reader of its answers reads these. */
static void member_answers(struct jsonout *o, const struct model_verdict *v)
{
	jsonout_object(o);
	jsonout_member(o, "model", v->model);
	jsonout_name(o, "answers");
	jsonout_object(o);
	jsonout_name(o, verdict_question);
	jsonout_object(o);
	jsonout_member(o, "type", "choice");
	jsonout_member(o, "choice", verdict_labels[v->chose_allow ? 0 : 1]);
	jsonout_name(o, "probabilities");
	jsonout_object(o);
	member_probability(o, verdict_labels[0], v->p_allow);
	member_probability(o, verdict_labels[1], MILLION - v->p_allow);
	jsonout_end(o);
	member_probability(o, "confidence", v->confidence);
	jsonout_end(o);
	for (size_t i = 0; i < RISKS; i++) {
		jsonout_name(o, risk_questions[i].name);
		jsonout_object(o);
		jsonout_member(o, "type", "noul");
		member_probability(o, "noul", v->risks[i]);
		jsonout_end(o);
	}
	jsonout_end(o);
	jsonout_end(o);
}

static void member_model(struct jsonout *o, const struct model_verdict *v)
{
	jsonout_member(o, "model", v != NULL ? v->model : NULL);
	jsonout_member(o, "request_id", v != NULL ? v->request_id : NULL);
	jsonout_name(o, "usage");
	if (v != NULL && v->usage.asked)
		member_usage(o, &v->usage);
	else
		jsonout_null(o);
	jsonout_name(o, "jev");
	if (v != NULL && v->has_answers)
		member_answers(o, v);
	else
		jsonout_null(o);
}

void telemetry_row(const struct outcome *out, const struct telemetry_facts *f, struct textbuf *ret)
{
	struct jsonout o = JSONOUT(ret);
	const char *reason = out->raw_reason != NULL ? out->raw_reason : "";

	jsonout_object(&o);
	jsonout_member(&o, "type", "classification");
	member_time(&o, f->now_ms);
	jsonout_member_bytes(&o, "id", out->call_id);
	jsonout_member_bytes(&o, "session", out->session);
	jsonout_member(&o, "harness", harness_specs[out->harness].name);
	member_redacted(&o, "command", out->command, TELEMETRY_COMMAND_MAX);
	member_or_null(&o, "file_path", (struct bytes){ 0 }, 0);
	member_or_null(&o, "file_snippet", (struct bytes){ 0 }, 0);
	jsonout_member(&o, "decision", f->decision != NULL ? f->decision : decision_name(out->decision));
	jsonout_member(&o, "source", f->source != NULL ? f->source : source_name(out->source));
	member_redacted(&o, "reason", (struct bytes){ reason, strlen(reason) }, TELEMETRY_REASON_MAX);
	jsonout_member(&o, "rule", out->rule);
	member_or_null(&o, "effects", out->effects, TELEMETRY_EFFECTS_MAX);
	jsonout_member_int(&o, "latency_ms", (int64_t)f->latency_ms);
	member_model(&o, out->model);
	jsonout_member_bool(&o, "injection_attempt", (out->flags & ASSESS_INJECTION) != 0);
	member_or_null(&o, "injection_pattern", out->injection_pattern, TELEMETRY_REASON_MAX);
	member_or_null(&o, "cwd", out->cwd, TELEMETRY_COMMAND_MAX);
	member_tool(&o, out);
	member_payload(&o, f->payload);
	jsonout_end(&o);
	textbuf_putc(ret, '\n');
}

static int record(struct broker *b, const struct outcome *o, const struct telemetry_facts *f)
{
	CLEANUP(textbuf_done) struct textbuf row = { 0 };
	CLEANUP(close_fdp) int dir = -1;
	const char *path = config_string(b->config, CFG_TELEMETRY_PATH), *name;
	int64_t max = config_int(b->config, CFG_TELEMETRY_MAX_BYTES);
	int err;

	telemetry_row(o, f, &row);
	if (row.failed)
		return -ENOMEM;
	err = open_parent(b, *path != '\0' ? path : "~/.config/auto-classifier/telemetry.jsonl", &dir, &name);
	return err < 0 ? err : append_rotating(dir, name, &row, max > 0 ? (uint64_t)max : 0);
}

void telemetry_record(struct broker *b, const struct outcome *o, const struct telemetry_facts *f)
{
	int err;

	if (!config_bool(b->config, CFG_TELEMETRY_ENABLED))
		return;
	err = record(b, o, f);
	if (err < 0)
		log_line(b, "no telemetry row was written: %s", strerror(-err));
}
