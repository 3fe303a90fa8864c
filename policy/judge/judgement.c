/* SPDX-License-Identifier: Apache-2.0 */
/* The judgement as a message body. */
#include "policy/judge/judgement.h"

const char judgement_error[] = "it is an error: ";

void judgement_encode(struct writer *w, const struct judgement *j)
{
	wr_u8(w, (uint8_t)j->state);
	wr_u8(w, j->allow);
	wr_u8(w, j->has_risks);
	wr_u32(w, j->p_allow);
	wr_u32(w, j->confidence);
	for (size_t i = 0; i < RISKS; i++)
		wr_u32(w, j->risks[i]);
	wr_u64(w, j->input_tokens);
	wr_u64(w, j->output_tokens);
	wr_bytes(w, j->model);
	wr_bytes(w, j->text);
}

int judgement_decode(struct bytes body, struct judgement *ret)
{
	struct reader r = { .p = body.p, .left = body.len };
	struct judgement j = { 0 };
	uint8_t state = rd_u8(&r);
	bool in_range;

	j.allow = rd_bool(&r);
	j.has_risks = rd_bool(&r);
	j.p_allow = rd_u32(&r);
	j.confidence = rd_u32(&r);
	in_range = j.p_allow <= MILLION && j.confidence <= MILLION;
	for (size_t i = 0; i < RISKS; i++) {
		j.risks[i] = rd_u32(&r);
		in_range = in_range && j.risks[i] <= MILLION;
	}
	j.input_tokens = rd_u64(&r);
	j.output_tokens = rd_u64(&r);
	j.model = rd_bytes(&r, JUDGEMENT_TEXT_MAX);
	j.text = rd_bytes(&r, JUDGEMENT_TEXT_MAX);
	if (!rd_end(&r) || !in_range || state >= JUDGEMENT__MAX)
		return -EPROTO;
	j.state = (enum judgement_state)state;
	*ret = j;
	return 0;
}
