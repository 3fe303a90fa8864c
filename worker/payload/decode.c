/* SPDX-License-Identifier: Apache-2.0 */
/* From stdin's bytes to a payload: parse strictly, pick the decoder, copy what it found. */
#include "policy/text/json_strict.h"
#include "worker/payload/fields.h"
#include "worker/payload/payload.h"

/* What the parser found wrong, as it follows "the input". */
static const char *outcome_why(int outcome)
{
	return outcome == JSON_EMPTY ? "it is empty" : json_outcome_text(outcome);
}

/* 0 with *ret (an object, to be put), an enum json_outcome, or -ENOMEM. */
static int parse_object(struct bytes text, struct json_object **ret)
{
	CLEANUP(json_putp) struct json_object *o = NULL;
	size_t at;
	int r = json_strict(text, &o, &at);

	if (r != JSON_OK)
		return r;
	if (!json_object_is_type(o, json_type_object))
		return JSON_MALFORMED;
	*ret = TAKE_PTR(o);
	return 0;
}

static bool own(struct arena *arena, struct bytes *b)
{
	char *copy = arena_copy(arena, b->len > 0 ? b->p : "", b->len);

	if (copy)
		b->p = copy;
	return copy != NULL;
}

/* The object goes; what was borrowed from it becomes the arena's. */
static int own_all(struct arena *arena, struct payload *p)
{
	if (!own(arena, &p->event) || !own(arena, &p->tool) || !own(arena, &p->call_id) ||
		!own(arena, &p->session) || !own(arena, &p->cwd) || !own(arena, &p->command))
		return -ENOMEM;
	return 0;
}

int payload_decode(struct arena *arena, enum harness harness, struct bytes event, struct bytes input,
	struct payload *ret)
{
	CLEANUP(json_putp) struct json_object *o = NULL;
	struct payload p = { .harness = harness, .event = event };
	int r = parse_object(input, &o);

	if (r < 0)
		return r;
	if (r != 0) {
		payload_malformed(&p, outcome_why(r));
	} else {
		if (harness == HARNESS_UNKNOWN) {
			const char *why = NULL;

			p.harness = payload_recognise(o, &why);
			if (p.harness == HARNESS_UNKNOWN)
				payload_malformed(&p, why);
		}
		if (p.harness == HARNESS_AGY)
			r = agy_decode(arena, o, event, &p);
		else if (p.harness == HARNESS_CLAUDE)
			claude_decode(o, event, &p);
		if (r < 0)
			return r;
	}
	r = own_all(arena, &p);
	if (r < 0)
		return r;
	*ret = p;
	return 0;
}

static const char *row_fields(struct json_object *o, struct row *row)
{
	enum field id = field_string(o, "id", &row->id);

	row->id_set = id == FIELD_OK && row->id.len <= ASSESSMENT_TEXT_MAX;
	if (!row->id_set)
		return "id is missing or no text";
	if (field_string(o, "command", &row->command) != FIELD_OK)
		return "command is missing, no text, or holds a NUL byte";
	if (field_string(o, "cwd", &row->cwd) == FIELD_WRONG || row->cwd.len > ASSESSMENT_TEXT_MAX ||
		(row->cwd.len > 0 && row->cwd.p[0] != '/'))
		return "cwd is no absolute path";
	if (field_string(o, "session", &row->session) == FIELD_WRONG ||
		row->session.len > ASSESSMENT_TEXT_MAX)
		return "session is no text";
	return NULL;
}

int row_decode(struct arena *arena, struct bytes line, struct row *ret)
{
	CLEANUP(json_putp) struct json_object *o = NULL;
	struct row row = { 0 };
	int r = parse_object(line, &o);

	if (r < 0)
		return r;
	row.why = r == 0 ? row_fields(o, &row) : outcome_why(r);
	if (!row.id_set)
		row.id = (struct bytes){ "", 0 };
	if (!own(arena, &row.id) || !own(arena, &row.command) || !own(arena, &row.cwd) ||
		!own(arena, &row.session))
		return -ENOMEM;
	*ret = row;
	return 0;
}
