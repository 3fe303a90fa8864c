/* SPDX-License-Identifier: Apache-2.0 */
/* Here-documents: their delimiters, and their bodies once the line has ended (bash manual, "Here Documents"). */
#include "worker/shell/parser.h"

/* The part of the delimiter as bash compares it: quotes removed, nothing expanded. */
static bool delimiter_part(const struct word_part *part, struct bytes src, struct bytes *ret_text)
{
	switch (part->kind) {
	case PART_LITERAL: case PART_SINGLE: case PART_TILDE: case PART_GLOB: case PART_EXTGLOB:
		*ret_text = part->text;
		return true;
	case PART_ANSI_C:
		*ret_text = part->text;
		return part->form == PARAM_PLAIN;
	case PART_PARAM:
		if (part->text.p <= src.p || part->text.p > src.p + src.len || part->text.p[-1] != '$')
			return false;
		*ret_text = (struct bytes){ part->text.p - 1, part->text.len + 1 };
		return true;
	case PART_DOUBLE: case PART_LOCALE: case PART_COMMAND: case PART_ARITH: case PART_PROCESS: case PART_BRACE:
	case PART_ARRAY:
		return false;
	}
	return false;
}

static bool append_delimiter(const struct word_part *part, struct bytes src, char *out, size_t *len)
{
	for (; part; part = part->next) {
		struct bytes text = { NULL, 0 };

		if (part->kind == PART_DOUBLE) {
			if (!append_delimiter(part->children, src, out, len))
				return false;
			continue;
		}
		if (!delimiter_part(part, src, &text))
			return false;
		if (text.len)
			memcpy(out + *len, text.p, text.len);
		*len += text.len;
	}
	return true;
}

bool heredoc_pending(struct parser *p, struct redirect *r)
{
	struct pending_heredoc *h;
	char *text;
	size_t len = 0;

	if (p->heredocs->n == HEREDOC_MAX)
		return stop_syntax(p, "too many here-documents on one line");
	text = parser_alloc(p, r->target->src.len + 1);
	if (!text)
		return false;
	if (!append_delimiter(r->target->parts, r->target->src, text, &len)) {
		unmodelled(p, UNMODELLED_OTHER, r->target->src.p, "an expansion in a here-document's delimiter");
		memcpy(text, r->target->src.p, r->target->src.len);
		len = r->target->src.len;
	}
	if (memchr(text, '\n', len) != NULL)
		unmodelled(p, UNMODELLED_OTHER, r->target->src.p, "a here-document's delimiter of several lines");
	h = &p->heredocs->at[p->heredocs->n++];
	*h = (struct pending_heredoc){
		.redirect = r, .delimiter = { text, len }, .quoted = r->target->flags & WORD_QUOTED,
		.context = p->context,
	};
	r->target->is_static = true;
	r->target->value = h->delimiter;
	r->target->prefix = BYTES("");
	r->target->flags &= WORD_QUOTED;
	return true;
}

/* A line of a body: with an unquoted delimiter a backslash before the newline joins it to the next. */
struct body_line {
	const char *start, *end, *next; /* the text; behind its newline */
	bool joined;
};

static struct body_line read_line(const char *at, const char *end, bool joins)
{
	struct body_line l = { .start = at };

	for (;;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at)), *b;

		if (!newline) {
			l.end = l.next = end;
			return l;
		}
		for (b = newline; b > at && b[-1] == '\\'; b--)
			;
		if (!joins || (newline - b) % 2 == 0) {
			l.end = newline;
			l.next = newline + 1;
			return l;
		}
		l.joined = true;
		at = newline + 1;
	}
}

/* Length of the line without its continuations, as far as it agrees with the delimiter. */
static bool joined_line_is(const char *at, const char *end, struct bytes delimiter)
{
	size_t i = 0;

	while (at < end) {
		if (end - at >= 2 && at[0] == '\\' && at[1] == '\n') {
			at += 2;
			continue;
		}
		if (i == delimiter.len || delimiter.p[i] != *at)
			return false;
		i++;
		at++;
	}
	return i == delimiter.len;
}

/* Does the body end at this line? Sets where the text goes on. */
static bool ends_body(struct parser *p, const struct pending_heredoc *h, const struct body_line *l,
	const char **ret_resume)
{
	const char *text = l->start;
	size_t len;

	if (h->redirect->op == REDIR_HEREDOC_TABS)
		while (text < l->end && *text == '\t')
			text++;
	len = (size_t)(l->end - text);
	*ret_resume = l->next;
	if (l->joined)
		return joined_line_is(text, l->end, h->delimiter);
	if (len < h->delimiter.len || (len && memcmp(text, h->delimiter.p, h->delimiter.len) != 0))
		return false;
	if (len == h->delimiter.len)
		return true;
	if (!p->heredocs->in_substitution || !memchr(text + h->delimiter.len, ')', len - h->delimiter.len))
		return false;
	met(p, CONSTRUCT_HEREDOC_TAIL, text);
	*ret_resume = text + h->delimiter.len;
	return true;
}

/* <<- takes the tabs off the front of each line of the body. */
static struct bytes strip_tabs(struct parser *p, const struct pending_heredoc *h, struct bytes body)
{
	const char *at = body.p, *end = body.p + body.len;
	char *out = parser_alloc(p, body.len + 1);
	size_t len = 0;

	while (out && at < end) {
		struct body_line l = read_line(at, end, !h->quoted);

		while (at < l.end && *at == '\t')
			at++;
		memcpy(out + len, at, (size_t)(l.next - at));
		len += (size_t)(l.next - at);
		at = l.next;
	}
	return (struct bytes){ out, len };
}

/*
 * bash takes a backslash and the newline behind it out of a body before it looks at anything in it; others where they
 * come upon them, which is not between single quotes of a substitution.
 */
static struct bytes join_lines(struct parser *p, const struct pending_heredoc *h, struct bytes body)
{
	char *out = parser_alloc(p, body.len + 1);
	size_t len = 0;

	if (p->options->dialect != DIALECT_BASH && (memmem(body.p, body.len, "$(", 2) || memchr(body.p, '`', body.len)))
		unmodelled(p, UNMODELLED_OTHER, h->redirect->target->src.p,
			"a joined line in a here-document that runs something");
	for (size_t i = 0; out && i < body.len; i++) {
		if (body.p[i] == '\\' && i + 1 < body.len) {
			if (body.p[++i] == '\n')
				continue;
			out[len++] = '\\';
		}
		out[len++] = body.p[i];
	}
	return (struct bytes){ out, len };
}

/* bash ends the last line of a body that is never closed; others leave it as it is. */
static struct bytes end_last_line(struct parser *p, struct bytes body)
{
	char *copy = parser_alloc(p, body.len + 1);

	if (!copy)
		return body;
	memcpy(copy, body.p, body.len);
	copy[body.len] = '\n';
	return (struct bytes){ copy, body.len + 1 };
}

static bool read_body(struct parser *p, const struct pending_heredoc *h, struct bytes *ret_body)
{
	struct bytes body = { p->in.at, 0 };
	bool joined = false;

	while (p->in.at < p->in.end) {
		struct body_line l = read_line(p->in.at, p->in.end, !h->quoted);
		const char *resume;

		if (ends_body(p, h, &l, &resume)) {
			p->in.at = resume;
			break;
		}
		joined |= l.joined;
		body.len = (size_t)(l.next - body.p);
		p->in.at = l.next;
		if (l.next == l.end && p->options->dialect == DIALECT_BASH)
			body = end_last_line(p, body);
	}
	if (h->redirect->op == REDIR_HEREDOC_TABS)
		body = strip_tabs(p, h, body);
	if (joined)
		body = join_lines(p, h, body);
	*ret_body = body;
	return !p->stopped;
}

static bool body_word(struct parser *p, const struct pending_heredoc *h, struct bytes text)
{
	struct word *w = parser_new(p, struct word);
	struct part_list parts = { .first = NULL };
	struct input outer = p->in;
	const struct context *context = p->context;

	if (!w)
		return false;
	w->src = text;
	h->redirect->body = w;
	if (h->quoted) {
		if (!add_part(p, &parts, PART_SINGLE, text.p, text.len))
			return false;
	} else {
		p->in = (struct input){ .start = text.p, .at = text.p, .end = text.p + text.len };
		p->context = h->context;
		if (!enter(p) || !parse_double_text(p, &parts, true))
			return false;
		leave(p);
		p->context = context;
		p->in = outer;
	}
	w->parts = parts.first;
	return finish_word(p, w, WORD_HERESTRING);
}

bool heredocs_read(struct parser *p)
{
	struct heredoc_queue *q = p->heredocs;
	struct heredoc_queue inner = { .n = 0 };
	unsigned int n = q->n;

	/* The second time its reader takes the body from behind the parentheses, and what stands here is run. */
	if (n > 0 && p->reread > 0)
		unmodelled(p, UNMODELLED_OTHER, q->at[0].redirect->target->src.p,
			"a here-document's body between (( that open no arithmetic");
	q->n = 0;
	for (unsigned int i = 0; i < n; i++) {
		struct bytes text;

		if (!read_body(p, &q->at[i], &text))
			return false;
		p->heredocs = &inner;
		if (!body_word(p, &q->at[i], text))
			return false;
		p->heredocs = q;
		inner.n = 0;
	}
	return true;
}
