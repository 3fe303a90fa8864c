/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `explain` for a person: the decision, then every command with what it does. All text comes from the command
 * line that is explained, so every piece is shown as one line with its controls escaped.
 */
#include "broker/reply/listing.h"
#include "broker/reply/reply.h"
#include "policy/listing.h"
#include "policy/text/oneline.h"

enum { SRC_CAP = 160, TEXT_CAP = 400, INDENT_MAX = 12 };

enum paint { PAINT_PLAIN, PAINT_GOOD, PAINT_BAD, PAINT_OPEN, PAINT_DIM, PAINT_STRONG, PAINT__MAX };

struct page {
	struct textbuf *out;
	bool colour;
	size_t depth;
	size_t n_commands;
};

static void paint(struct page *p, enum paint how, const char *text)
{
	static const char *const codes[PAINT__MAX] = { "", "\033[32m", "\033[31m", "\033[33m", "\033[2m",
		"\033[1m" };

	if (p->colour && how != PAINT_PLAIN)
		textbuf_printf(p->out, "%s%s\033[0m", codes[how], text);
	else
		textbuf_puts(p->out, text);
}

static enum paint verdict_paint(enum verdict v)
{
	switch (v) {
	case VERDICT_ALLOW:
		return PAINT_GOOD;
	case VERDICT_OPEN:
		return PAINT_OPEN;
	case VERDICT_DENY:
	case VERDICT__MAX:
		break;
	}
	return PAINT_BAD;
}

/* What a verdict on a part means: only the whole line is allowed or denied. */
static const char *verdict_word(enum verdict v)
{
	switch (v) {
	case VERDICT_ALLOW:
		return "fine   ";
	case VERDICT_OPEN:
		return "unsure ";
	case VERDICT_DENY:
	case VERDICT__MAX:
		break;
	}
	return "harmful";
}

static void indent(struct page *p, size_t more)
{
	size_t n = 2 * (1 + (p->depth > INDENT_MAX ? INDENT_MAX : p->depth)) + more;

	for (size_t i = 0; i < n; i++)
		textbuf_putc(p->out, ' ');
}

/* The innermost construct a command sits in, as people call it; NULL at the top. */
static const char *context_words(struct bytes context, size_t *ret_depth)
{
	static const struct {
		const char *name, *words;
	} table[] = {
		{ "pipe", "in a pipeline" },
		{ "subst", "in a command substitution" },
		{ "procsub", "in a process substitution" },
		{ "subshell", "in a subshell" },
		{ "function", "in a function" },
		{ "group", "in a group" },
		{ "if", "in an if" },
		{ "for", "in a loop" },
		{ "while", "in a loop" },
		{ "until", "in a loop" },
		{ "select", "in a loop" },
		{ "loop", "in a loop" },
		{ "case", "in a case" },
		{ "coproc", "in a coprocess" },
	};
	const char *slash = context.len > 0 ? memrchr(context.p, '/', context.len) : NULL;
	struct bytes last = context;

	*ret_depth = 0;
	if (context.len == 0 || bytes_is(context, "top"))
		return NULL;
	for (size_t i = 0; i < context.len; i++)
		*ret_depth += context.p[i] == '/';
	*ret_depth += 1;
	if (slash)
		last = (struct bytes){ slash + 1, context.len - (size_t)(slash + 1 - context.p) };
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (bytes_is(last, table[i].name))
			return table[i].words;
	return "nested";
}

static void on_line(void *data, struct bytes row_id, bool row_id_set, uint32_t row, bool parsed,
	bool modelled, struct bytes why)
{
	struct page *p = data;

	(void)row_id;
	(void)row_id_set;
	(void)row;
	if (parsed && modelled)
		return;
	paint(p, PAINT_OPEN, parsed ? "not fully understood: " : "not understood: ");
	text_oneline(p->out, why, TEXT_CAP);
	textbuf_puts(p->out, "\n");
}

static void on_command(
	void *data, struct bytes context, enum verdict verdict, struct bytes why, struct bytes src)
{
	struct page *p = data;
	const char *where = context_words(context, &p->depth);

	if (p->n_commands++ == 0)
		textbuf_puts(p->out, "\n");
	indent(p, 0);
	paint(p, verdict_paint(verdict), verdict_word(verdict));
	textbuf_puts(p->out, "  ");
	text_oneline(p->out, src, SRC_CAP);
	if (where) {
		textbuf_puts(p->out, "  ");
		paint(p, PAINT_DIM, where);
	}
	textbuf_puts(p->out, "\n");
	if (why.len > 0 && verdict != VERDICT_ALLOW) {
		indent(p, 9);
		text_oneline(p->out, why, TEXT_CAP);
		textbuf_puts(p->out, "\n");
	}
}

static void on_effect(void *data, const struct listing_effect *e)
{
	struct page *p = data;

	if (bytes_is(e->effect, "pure") && e->verdict == VERDICT_ALLOW)
		return; /* nothing to tell */
	indent(p, 9);
	paint(p, e->verdict == VERDICT_ALLOW ? PAINT_DIM : verdict_paint(e->verdict), "· ");
	text_oneline(p->out, e->effect, TEXT_CAP);
	if (e->target.len > 0) {
		textbuf_puts(p->out, " ");
		text_oneline(p->out, e->target, SRC_CAP);
	}
	if (e->place.len > 0 && !bytes_is(e->place, "none")) {
		textbuf_puts(p->out, " (");
		text_oneline(p->out, e->place, TEXT_CAP);
		textbuf_puts(p->out, ")");
	}
	textbuf_puts(p->out, "\n");
}

static const struct listing_visitor visitor = { .line = on_line, .command = on_command, .effect = on_effect };

static enum paint decision_paint(enum decision d)
{
	switch (d) {
	case DECISION_ALLOW:
		return PAINT_GOOD;
	case DECISION_ASK:
	case DECISION_FORCE_ASK:
		return PAINT_OPEN;
	case DECISION_DENY:
	case DECISION__MAX:
		break;
	}
	return PAINT_BAD;
}

int listing_explain_text(struct bytes listing, const struct outcome *o, bool colour, struct textbuf *out)
{
	struct page p = { .out = out, .colour = colour };
	const char *reason = outcome_finding(o);
	size_t start = out->len;
	int r = 0;

	paint(&p, decision_paint(o->decision), decision_name(o->decision));
	textbuf_printf(out, "  %s", source_name(o->source));
	if (reason) {
		textbuf_puts(out, ": ");
		text_lines(out, (struct bytes){ reason, strlen(reason) }, 4096);
	}
	textbuf_puts(out, "\n");
	if (listing.len > 0)
		r = listing_walk(listing, &visitor, &p);
	if (r < 0) {
		out->len = start;
		return r;
	}
	if (listing.len > 0 && p.n_commands == 0)
		textbuf_puts(out, "\nno command in it\n");
	return out->failed ? -ENOMEM : 0;
}
