/* SPDX-License-Identifier: Apache-2.0 */
/* A chunk of a batch: JSON lines in, one message for each. */
#include "worker/rows.h"

#include <stdio.h>

#include "worker/assess.h"
#include "worker/listing.h"
#include "worker/payload/payload.h"

/* Blank lines count as lines but are no rows. */
static bool is_blank(struct bytes line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.p[i] != ' ' && line.p[i] != '\t' && line.p[i] != '\r')
			return false;
	return true;
}

static int check_row(struct worker *w, const struct request *q, const struct row *row, uint32_t number,
	struct writer *body)
{
	const struct judged_line l = {
		.command = row->command,
		.cwd = row->cwd.len > 0 ? row->cwd : q->cwd,
		.harness = HARNESS_CLI,
		.dialect = assess_dialect(&w->policy, HARNESS_CLI, q->dialect),
	};
	struct assessment a = { .harness = HARNESS_CLI };
	struct script *script;
	struct finding *findings;
	char place[32];
	int r;

	if (row->why) {
		snprintf(place, sizeof(place), "line %u", number);
		assess_malformed(&a, REASON_BAD_ROW, place, row->why);
	} else {
		r = assess_line(w, &l, &a, &script, &findings);
		if (r < 0)
			return r;
		a.kind = KIND_SHELL;
		a.session = row->session.len > 0 ? row->session : q->session;
	}
	a.row = number;
	a.row_id = row->id;
	a.row_id_set = row->id_set;
	assessment_encode(body, &a);
	return assess_send(w, MSG_ASSESSMENT, body);
}

static int parse_row(struct worker *w, const struct request *q, const struct row *row, uint32_t number,
	struct writer *body)
{
	const struct shell_options options = {
		.dialect = assess_dialect(&w->policy, HARNESS_CLI, q->dialect),
		.home = w->policy.home,
	};
	struct script *script;
	int r;

	if (row->why) {
		listing_begin(body, row->id, row->id_set, number, false, false,
			(struct bytes){ row->why, strlen(row->why) });
		listing_end(body);
	} else {
		r = shell_parse(&w->arena, row->command, &options, &script);
		if (r == 0)
			r = listing_from_script(body, script, NULL, row->id, row->id_set, number);
		if (r < 0)
			return r;
	}
	return assess_send(w, MSG_LISTING, body);
}

static int serve_row(
	struct worker *w, const struct request *q, struct bytes line, uint32_t number, struct writer *body)
{
	struct row row;
	int r;

	arena_reset(&w->arena);
	r = row_decode(&w->arena, line, &row);
	if (r < 0)
		return r;
	wr_reset(body);
	return q->mode == REQUEST_CHECK_ROWS ? check_row(w, q, &row, number, body) :
					       parse_row(w, q, &row, number, body);
}

int serve_rows(struct worker *w, const struct request *q)
{
	CLEANUP(wr_done) struct writer body = { 0 };
	const char *p = q->input.p, *end = p + q->input.len;
	uint32_t lines = 0;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		struct bytes line = { p, (size_t)((nl ? nl : end) - p) };

		if (!is_blank(line)) {
			int r = serve_row(w, q, line, q->first_row + lines, &body);

			if (r < 0)
				return r;
		}
		lines++;
		p = nl ? nl + 1 : end;
	}
	wr_reset(&body);
	wr_u32(&body, lines);
	return assess_send(w, MSG_ROWS_DONE, &body);
}
