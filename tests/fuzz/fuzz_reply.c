/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a judge's answer, of both kinds: what is read is in range and survives the way to the broker; what the
 * broker is handed may be any bytes, too.
 */
#include "worker/judge/reply.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same(const struct judgement *a, const struct judgement *b)
{
	return a->state == b->state && a->allow == b->allow && a->has_risks == b->has_risks &&
		a->p_allow == b->p_allow && a->confidence == b->confidence &&
		memcmp(a->risks, b->risks, sizeof(a->risks)) == 0 && a->input_tokens == b->input_tokens &&
		a->output_tokens == b->output_tokens && bytes_eq(a->model, b->model) && bytes_eq(a->text, b->text);
}

static void read_one(struct bytes body, bool jev)
{
	CLEANUP(arena_done) struct arena arena = { 0 };
	CLEANUP(wr_done) struct writer w = { 0 };
	struct judgement j = { 0 }, again;

	if ((jev ? jev_reply_read(&arena, body, &j) : chat_reply_read(&arena, body, &j)) != 0)
		abort();
	/* Only an answer that was read may allow, and a decision model's only with all its numbers. */
	if (j.state != JUDGEMENT_READ && j.allow)
		abort();
	if (j.state == JUDGEMENT_READ && j.has_risks != jev)
		abort();
	judgement_encode(&w, &j);
	if (w.bad || judgement_decode((struct bytes){ w.p, w.len }, &again) != 0 || !same(&j, &again))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct bytes body = { (const char *)data, size };
	struct judgement j;

	read_one(body, true);
	read_one(body, false);
	if (judgement_decode(body, &j) == 0 && (j.state >= JUDGEMENT__MAX || j.p_allow > MILLION))
		abort();
	return 0;
}
