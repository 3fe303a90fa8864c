/* SPDX-License-Identifier: Apache-2.0 */
/* A listing as a message body: a head, then tagged parts up to the end mark. */
#include "policy/listing.h"

#include "policy/wire/frame.h"

enum part { PART_END, PART_COMMAND, PART_WORD, PART_ASSIGNMENT, PART_REDIRECT, PART_EFFECT };

void listing_begin(struct writer *w, struct bytes row_id, bool row_id_set, uint32_t row, bool parsed, bool modelled,
	struct bytes why)
{
	wr_bytes(w, row_id);
	wr_u8(w, row_id_set);
	wr_u32(w, row);
	wr_u8(w, parsed);
	wr_u8(w, modelled);
	wr_bytes(w, why);
}

void listing_command(struct writer *w, struct bytes context, enum verdict verdict, struct bytes why, struct bytes src)
{
	wr_u8(w, PART_COMMAND);
	wr_bytes(w, context);
	wr_u8(w, (uint8_t)verdict);
	wr_bytes(w, why);
	wr_bytes(w, src);
}

void listing_word(struct writer *w, bool is_static, struct bytes value)
{
	wr_u8(w, PART_WORD);
	wr_u8(w, is_static);
	wr_bytes(w, value);
}

void listing_assignment(struct writer *w, struct bytes text)
{
	wr_u8(w, PART_ASSIGNMENT);
	wr_bytes(w, text);
}

void listing_redirect(struct writer *w, const struct listing_redirect *r)
{
	wr_u8(w, PART_REDIRECT);
	wr_u32(w, (uint32_t)r->fd);
	wr_bytes(w, r->op);
	wr_u8(w, r->target_static);
	wr_bytes(w, r->target);
}

void listing_effect(struct writer *w, const struct listing_effect *e)
{
	wr_u8(w, PART_EFFECT);
	wr_bytes(w, e->effect);
	wr_bytes(w, e->place);
	wr_bytes(w, e->target);
	wr_u8(w, (uint8_t)e->verdict);
}

void listing_end(struct writer *w)
{
	wr_u8(w, PART_END);
}

static void walk_line(struct reader *r, const struct listing_visitor *v, void *data)
{
	struct bytes row_id = rd_bytes(r, MESSAGE_MAX);
	bool row_id_set = rd_bool(r);
	uint32_t row = rd_u32(r);
	bool parsed = rd_bool(r), modelled = rd_bool(r);
	struct bytes why = rd_bytes(r, MESSAGE_MAX);

	if (!r->bad && v->line != NULL)
		v->line(data, row_id, row_id_set, row, parsed, modelled, why);
}

static void walk_command(struct reader *r, const struct listing_visitor *v, void *data)
{
	struct bytes context = rd_bytes(r, MESSAGE_MAX);
	enum verdict verdict = verdict_from_wire(rd_u8(r));
	struct bytes why = rd_bytes(r, MESSAGE_MAX), src = rd_bytes(r, MESSAGE_MAX);

	if (!r->bad && v->command != NULL)
		v->command(data, context, verdict, why, src);
}

static void walk_word(struct reader *r, const struct listing_visitor *v, void *data)
{
	bool is_static = rd_bool(r);
	struct bytes value = rd_bytes(r, MESSAGE_MAX);

	if (!r->bad && v->word != NULL)
		v->word(data, is_static, value);
}

static void walk_redirect(struct reader *r, const struct listing_visitor *v, void *data)
{
	struct listing_redirect redirect = { .fd = (int32_t)rd_u32(r) };

	redirect.op = rd_bytes(r, MESSAGE_MAX);
	redirect.target_static = rd_bool(r);
	redirect.target = rd_bytes(r, MESSAGE_MAX);
	if (redirect.fd < -1)
		r->bad = true;
	if (!r->bad && v->redirect != NULL)
		v->redirect(data, &redirect);
}

static void walk_effect(struct reader *r, const struct listing_visitor *v, void *data)
{
	struct listing_effect e = { .effect = rd_bytes(r, MESSAGE_MAX) };

	e.place = rd_bytes(r, MESSAGE_MAX);
	e.target = rd_bytes(r, MESSAGE_MAX);
	e.verdict = verdict_from_wire(rd_u8(r));
	if (!r->bad && v->effect != NULL)
		v->effect(data, &e);
}

static void walk_assignment(struct reader *r, const struct listing_visitor *v, void *data)
{
	struct bytes text = rd_bytes(r, MESSAGE_MAX);

	if (!r->bad && v->assignment != NULL)
		v->assignment(data, text);
}

int listing_walk(struct bytes body, const struct listing_visitor *v, void *data)
{
	struct reader r = { .p = body.p, .left = body.len };
	bool in_command = false;

	walk_line(&r, v, data);
	while (!r.bad) {
		uint8_t part = rd_u8(&r);

		if (r.bad || part == PART_END)
			break;
		/* Words and the rest belong to a command; one before the first is nobody's. */
		if (part != PART_COMMAND && !in_command)
			return -EPROTO;
		in_command = true;
		switch (part) {
		case PART_COMMAND:
			walk_command(&r, v, data);
			break;
		case PART_WORD:
			walk_word(&r, v, data);
			break;
		case PART_ASSIGNMENT:
			walk_assignment(&r, v, data);
			break;
		case PART_REDIRECT:
			walk_redirect(&r, v, data);
			break;
		case PART_EFFECT:
			walk_effect(&r, v, data);
			break;
		default:
			return -EPROTO;
		}
	}
	if (!rd_end(&r))
		return -EPROTO;
	if (v->end != NULL)
		v->end(data);
	return 0;
}
