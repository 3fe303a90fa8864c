/* SPDX-License-Identifier: Apache-2.0 */
/* A parsed line as one line of text, so that tests of the parser are tables of two columns. */
#ifndef SHELL_RENDER_H
#define SHELL_RENDER_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>

#include "worker/shell/shell.h"

struct shell_case {
	const char *text, *expected;
};

/*
 * Commands are joined by " ; " as "context:word,word …". A static word is itself, a dynamic one is what it begins with
 * and a `*`; assignments stand in front as written, redirections behind as <op><target>. A line that is not modelled
 * ends in " !", one that is no syntax in " !syntax".
 */
static inline void render_word(FILE *out, const struct word *w)
{
	if (w->is_static)
		fwrite(w->value.p, 1, w->value.len, out);
	else
		fprintf(out, "%.*s*", (int)w->prefix.len, w->prefix.p ? w->prefix.p : "");
}

static inline void render_context(FILE *out, const struct context *c)
{
	static const char *const names[CONTEXT__MAX] = {
		"top", "pipe", "subshell", "group", "if", "loop", "case", "function", "subst", "procsub", "coproc",
	};

	if (c->up && c->up->kind != CONTEXT_TOP) {
		render_context(out, c->up);
		fputc('/', out);
	}
	fputs(names[c->kind], out);
}

static inline void render_redirect(FILE *out, const struct redirect *r)
{
	static const char *const names[REDIR__MAX] = {
		"<", ">", ">>", ">|", "<>", "<&", ">&", "&>", "&>>", "<<", "<<-", "<<<",
	};

	fputs(" <", out);
	if (r->fd >= 0)
		fprintf(out, "%d", r->fd);
	fprintf(out, "%.*s%s", (int)r->fd_var.len, r->fd_var.p ? r->fd_var.p : "", names[r->op]);
	fputc('>', out);
	render_word(out, r->target);
	if (r->body) {
		fputc('=', out);
		render_word(out, r->body);
	}
}

static inline void render_command(FILE *out, const struct simple_command *c)
{
	const char *separator = ":";

	render_context(out, c->context);
	for (const struct assignment *a = c->assigns; a; a = a->next)
		fprintf(out, "%s%.*s", a == c->assigns ? " " : ",", (int)a->src.len, a->src.p);
	for (const struct word *w = c->words; w; w = w->next) {
		fputs(separator, out);
		render_word(out, w);
		separator = ",";
	}
	for (const struct redirect *r = c->redirects; r; r = r->next)
		render_redirect(out, r);
}

static inline char *render_script(const struct script *s)
{
	const struct simple_command *c = s->commands;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	for (uint32_t i = 0; i < s->n_commands; i++, c = c->next) {
		if (i)
			fputs(" ; ", out);
		render_command(out, c);
	}
	if (s->unmodelled & UNMODELLED_SYNTAX)
		fputs(" !syntax", out);
	else if (s->unmodelled)
		fputs(" !", out);
	fclose(out);
	return text;
}

static inline char *render(const char *text, const struct shell_options *options)
{
	CLEANUP(arena_done) struct arena arena = { 0 };
	struct script *script;

	assert_int_equal(shell_parse(&arena, (struct bytes){ text, strlen(text) }, options, &script), 0);
	return render_script(script);
}

static inline void check_cases(const struct shell_case *cases, size_t n, const struct shell_options *options)
{
	for (size_t i = 0; i < n; i++) {
		CLEANUP(freep) char *got = render(cases[i].text, options);

		if (strcmp(got, cases[i].expected) != 0)
			fail_msg("%s\n  gives    %s\n  expected %s", cases[i].text, got, cases[i].expected);
	}
}

#endif
