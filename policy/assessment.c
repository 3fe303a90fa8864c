/* SPDX-License-Identifier: Apache-2.0 */
/* The assessment as a message body. */
#include "policy/assessment.h"

/* The strings, in the order they are sent. No version of the layout is carried: both ends come from one build. */
enum { TEXT_FIELDS = 10 };

struct text_field {
	size_t offset;
	uint32_t max;
};

#define FIELD(name, limit) { offsetof(struct assessment, name), (limit) }

static const struct text_field text_fields[TEXT_FIELDS] = {
	FIELD(event, ASSESSMENT_TEXT_MAX),
	FIELD(tool, ASSESSMENT_TEXT_MAX),
	FIELD(call_id, ASSESSMENT_TEXT_MAX),
	FIELD(session, ASSESSMENT_TEXT_MAX),
	FIELD(cwd, ASSESSMENT_TEXT_MAX),
	FIELD(command, ASSESSMENT_COMMAND_MAX),
	FIELD(row_id, ASSESSMENT_TEXT_MAX),
	FIELD(rule, ASSESSMENT_TEXT_MAX),
	FIELD(injection_pattern, ASSESSMENT_TEXT_MAX),
	FIELD(effects, ASSESSMENT_TEXT_MAX),
};

#undef FIELD

void assessment_encode(struct writer *w, const struct assessment *a)
{
	wr_u8(w, (uint8_t)a->kind);
	wr_u8(w, (uint8_t)a->harness);
	wr_u8(w, (uint8_t)a->verdict);
	wr_u8(w, (uint8_t)a->source);
	wr_u8(w, a->row_id_set);
	wr_u32(w, a->row);
	wr_u32(w, a->flags);
	for (size_t i = 0; i < TEXT_FIELDS; i++) {
		const struct bytes *b = (const void *)((const char *)a + text_fields[i].offset);

		wr_bytes(w, *b);
	}
	wr_u32(w, (uint32_t)a->reason.id);
	wr_u32(w, a->reason.n_args);
	for (uint32_t i = 0; i < a->reason.n_args && i < REASON_ARGS_MAX; i++)
		wr_bytes(w, a->reason.args[i]);
	wr_u32(w, a->n_causes);
	for (uint32_t i = 0; i < a->n_causes && i < ASSESSMENT_CAUSES_MAX; i++) {
		wr_bytes(w, a->causes[i].program);
		wr_bytes(w, a->causes[i].effect);
		wr_bytes(w, a->causes[i].target);
	}
}

static enum request_kind kind_from_wire(uint8_t v)
{
	return v < KIND__MAX ? (enum request_kind)v : KIND_MALFORMED;
}

static void decode_lists(struct reader *r, struct assessment *a)
{
	a->reason.id = reason_from_wire(rd_u32(r));
	a->reason.n_args = rd_count(r, REASON_ARGS_MAX);
	for (uint32_t i = 0; i < a->reason.n_args && !r->bad; i++)
		a->reason.args[i] = rd_bytes(r, ASSESSMENT_TEXT_MAX);
	a->n_causes = rd_count(r, ASSESSMENT_CAUSES_MAX);
	for (uint32_t i = 0; i < a->n_causes && !r->bad; i++) {
		a->causes[i].program = rd_bytes(r, ASSESSMENT_TEXT_MAX);
		a->causes[i].effect = rd_bytes(r, ASSESSMENT_TEXT_MAX);
		a->causes[i].target = rd_bytes(r, ASSESSMENT_TEXT_MAX);
	}
}

int assessment_decode(struct bytes body, struct assessment *ret)
{
	struct reader r = { .p = body.p, .left = body.len };
	struct assessment a = { 0 };

	a.kind = kind_from_wire(rd_u8(&r));
	a.harness = harness_from_wire(rd_u8(&r));
	a.verdict = verdict_from_wire(rd_u8(&r));
	a.source = source_from_wire(rd_u8(&r));
	a.row_id_set = rd_bool(&r);
	a.row = rd_u32(&r);
	a.flags = rd_u32(&r);
	for (size_t i = 0; i < TEXT_FIELDS; i++) {
		struct bytes *b = (void *)((char *)&a + text_fields[i].offset);

		*b = rd_bytes(&r, text_fields[i].max);
	}
	decode_lists(&r, &a);
	if (!rd_end(&r) || (a.flags & ~(uint32_t)ASSESS__ALL) != 0)
		return -EPROTO;
	*ret = a;
	return 0;
}
