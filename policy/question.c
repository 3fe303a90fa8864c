/* SPDX-License-Identifier: Apache-2.0 */
/* Questions and answers as message bodies. */
#include "policy/question.h"

bool question_is_of_content(enum question_kind kind)
{
	return kind == ASK_SCRIPT || kind == ASK_FILE || kind == ASK_RUN;
}

void question_encode(struct writer *w, const struct question *q)
{
	wr_u8(w, (uint8_t)q->kind);
	wr_bytes(w, q->base);
	wr_bytes(w, q->text);
	wr_bytes(w, q->extra);
}

int question_decode(struct bytes body, struct question *ret)
{
	struct reader r = { .p = body.p, .left = body.len };
	uint8_t kind = rd_u8(&r);
	struct question q = { 0 };

	q.base = rd_text(&r, QUESTION_PATH_MAX);
	q.text = rd_text(&r, QUESTION_PATH_MAX);
	q.extra = rd_text(&r, QUESTION_PATH_MAX);
	/* There is no strict kind of question to fall back on: an unknown one comes from no honest worker. */
	if (!rd_end(&r) || kind == 0 || kind >= ASK__MAX)
		return -EPROTO;
	q.kind = (enum question_kind)kind;
	*ret = q;
	return 0;
}

void answer_encode(struct writer *w, const struct answer *a)
{
	wr_u8(w, (uint8_t)a->kind);
	wr_u8(w, (uint8_t)a->status);
	wr_u8(w, (uint8_t)a->type);
	wr_u32(w, a->facts);
	wr_u64(w, a->size);
	wr_bytes(w, a->real);
	wr_bytes(w, a->content);
	wr_bytes(w, a->detail);
}

int answer_decode(struct bytes body, struct answer *ret)
{
	struct reader r = { .p = body.p, .left = body.len };
	uint8_t kind = rd_u8(&r), status = rd_u8(&r), type = rd_u8(&r);
	struct answer a = {
		.status = status <= ANSWER_UNKNOWN ? (enum answer_status)status : ANSWER_REFUSED,
		.type = type <= PATH_SPECIAL ? (enum path_type)type : PATH_UNKNOWN,
	};

	a.facts = rd_u32(&r);
	a.size = rd_u64(&r);
	a.real = rd_text(&r, QUESTION_PATH_MAX);
	a.content = rd_bytes(&r, ANSWER_BYTES_MAX);
	a.detail = rd_bytes(&r, ANSWER_BYTES_MAX);
	if (!rd_end(&r) || kind == 0 || kind >= ASK__MAX || (a.facts & ~(uint32_t)FACT__ALL) != 0)
		return -EPROTO;
	a.kind = (enum question_kind)kind;
	*ret = a;
	return 0;
}
