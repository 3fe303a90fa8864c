/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a configuration, kept for the person who will mend it. */
#include <stdarg.h>
#include <stdio.h>

#include "policy/config/internal.h"
#include "policy/text/oneline.h"

enum { PROBLEM_TEXT_MAX = 400, PROBLEM_WARNINGS_MAX = CONFIG_PROBLEMS_MAX - 8 };

static char *one_line(const char *s)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };

	text_oneline(&b, (struct bytes){ s, strlen(s) }, PROBLEM_TEXT_MAX);
	return textbuf_steal(&b);
}

int problem_add(struct place *at, bool fatal, const char *fmt, ...)
{
	struct config *c = at->c;
	struct config_problem p = { .layer = at->layer, .line = at->line, .column = at->column, .fatal = fatal };
	size_t where;
	char *text;
	va_list ap;
	int n;

	if (!p.line && at->text && at->path && jsonc_find(at->text, at->len, at->path, &where))
		jsonc_position(at->text, where, &p.line, &p.column);
	if (fatal) {
		at->fatal = true;
		if (at->layer == LAYER_OVERLAY)
			c->overlay_broken = true;
		else
			c->broken = true;
	}
	/* more than anybody would read; room is kept for what is fatal, since every denial quotes it */
	if (c->n_problems >= (fatal ? CONFIG_PROBLEMS_MAX : PROBLEM_WARNINGS_MAX))
		return 0;
	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return -ENOMEM;
	p.text = one_line(text);
	p.source = one_line(at->source);
	free(text);
	if (!p.text || !p.source) {
		free(p.text);
		free(p.source);
		return -ENOMEM;
	}
	c->problems[c->n_problems++] = p;
	return 0;
}

void config_problem_print(const struct config_problem *p, struct textbuf *b)
{
	textbuf_puts(b, p->source);
	if (p->line)
		textbuf_printf(b, ":%u:%u", p->line, p->column);
	textbuf_printf(b, ": %s", p->text);
}
