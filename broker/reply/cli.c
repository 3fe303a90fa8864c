/* SPDX-License-Identifier: Apache-2.0 */
/* The reply of `check` and of a row of `check --batch`. */
#include "broker/reply/reply.h"
#include "policy/text/jsonout.h"

void reply_check(const struct outcome *o, struct reply *r)
{
	struct jsonout j = JSONOUT_PRETTY(&r->out);

	jsonout_object(&j);
	jsonout_member(&j, "decision", decision_name(o->decision));
	if (o->reason)
		jsonout_member(&j, "reason", o->reason);
	jsonout_member_int(&j, "consecutiveCount", o->count);
	jsonout_member_bool(&j, "escalated", o->escalated);
	if (o->rule_refusal)
		jsonout_member_bool(&j, "ruleRefusal", true);
	if (o->gate_raised)
		jsonout_member_bool(&j, "gateRaised", true);
	jsonout_member(&j, "source", source_name(o->source));
	if (o->rule)
		jsonout_member(&j, "rule", o->rule);
	jsonout_end(&j);
	textbuf_putc(&r->out, '\n');
	r->status = reply_status(o->decision);
}

/* A row without a usable id is found by its line number. */
static void row_head(const struct outcome *o, struct jsonout *j)
{
	jsonout_object(j);
	jsonout_name(j, "id");
	if (o->row_id_set)
		jsonout_bytes(j, o->row_id);
	else
		jsonout_null(j);
	if (!o->row_id_set || o->kind == KIND_MALFORMED)
		jsonout_member_int(j, "line", o->row);
}

void reply_row(const struct outcome *o, struct textbuf *out)
{
	struct jsonout j = JSONOUT(out);

	row_head(o, &j);
	jsonout_member(&j, "decision", decision_name(o->decision));
	jsonout_member(&j, "source", source_name(o->source));
	jsonout_member(&j, "reason", o->reason ? o->reason : "");
	if (o->rule)
		jsonout_member(&j, "rule", o->rule);
	jsonout_end(&j);
	textbuf_putc(out, '\n');
}

void reply_unparsed(const struct outcome *o, struct textbuf *out)
{
	struct jsonout j = JSONOUT(out);

	row_head(o, &j);
	jsonout_member_bool(&j, "parse", false);
	jsonout_member_bool(&j, "modelled", false);
	if (o->reason)
		jsonout_member(&j, "why", o->reason);
	jsonout_name(&j, "cmds");
	jsonout_array(&j);
	jsonout_end(&j);
	jsonout_end(&j);
	textbuf_putc(out, '\n');
}
