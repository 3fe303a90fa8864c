/* SPDX-License-Identifier: Apache-2.0 */
/* Simple commands (bash manual, "Simple Commands"), and functions that begin like one. */
#include "worker/shell/parser.h"

/* Builtins whose arguments may be assignments, arrays too (bash's ASSIGNMENT_BUILTIN, and eval and let). */
static const char *const declarations[] = {
	"declare", "typeset", "local", "export", "readonly", "alias", "eval", "let",
};

static bool is_declaration(const struct word *w)
{
	if (!w->is_static || w->flags & WORD_QUOTED)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(declarations); i++)
		if (bytes_is(w->value, declarations[i]))
			return true;
	return false;
}

bool append_command(struct parser *p, struct simple_command *c)
{
	if (p->script->n_commands == SHELL_MAX_COMMANDS) {
		stop_limit(p, LIMIT_COMMANDS);
		return false;
	}
	c->context = p->context;
	c->conditional = p->conditional;
	p->script->n_commands++;
	*p->tail = c;
	p->tail = &c->next;
	return true;
}

/* A command while it is read. */
struct simple_scan {
	struct simple_command *command;
	struct assignment **assigns;
	struct word **words;
	struct redirect **redirects;
	const char *end; /* of the last token */
	unsigned int mode;
};

/* `name ( )`: at the closing parenthesis' end when true. */
static bool take_function_parens(struct parser *p)
{
	advance(p);
	skip_blanks(p);
	if (peek(p) != ')')
		return stop_syntax(p, "an opening parenthesis inside a command");
	p->in.at++;
	return true;
}

static struct node *parse_function(struct parser *p, const struct simple_scan *s)
{
	struct node *function;

	if (!take_function_parens(p))
		return NULL;
	function = new_node(p, NODE_FUNCTION);
	if (!function)
		return NULL;
	function->src.p = s->command->src.p;
	function->name = s->command->words->is_static ? s->command->words->value : s->command->words->src;
	if (!is_name(s->command->words->src))
		met(p, CONSTRUCT_FUNCTION_NAME, s->command->src.p);
	return parse_function_body(p, function);
}

static bool add_word(struct parser *p, struct simple_scan *s)
{
	struct simple_command *c = s->command;

	*s->words = parse_word(p, s->mode | (c->n_words ? 0 : WORD_COMMAND));
	if (!*s->words)
		return false;
	s->end = p->in.at;
	if (!c->n_words++) {
		s->mode = is_declaration(*s->words) ? WORD_DECLARATION : WORD_ARGUMENT;
		if (p->options->dialect != DIALECT_BASH)
			met_command_word(p, *s->words);
	}
	s->words = &(*s->words)->next;
	return true;
}

/* The next assignment, redirection or word; *ret_end at the command's end. */
static bool parse_item(struct parser *p, struct simple_scan *s, bool *ret_end)
{
	struct simple_command *c = s->command;
	struct redirect **redirects = s->redirects;

	if (!parse_redirects(p, &s->redirects, &s->end))
		return false;
	/* Behind a redirection bash's reader forgets that a declaration may take arrays. */
	if (redirects != s->redirects && c->n_words)
		s->mode = WORD_ARGUMENT;
	if (at_meta(p)) {
		int ch = peek(p);

		if (!((ch == '<' || ch == '>') && peek_after(p) == '(')) {
			*ret_end = true;
			return true;
		}
	} else if (!c->n_words) {
		*s->assigns = parse_assignment(p);
		if (p->stopped)
			return false;
		if (*s->assigns) {
			s->assigns = &(*s->assigns)->next;
			s->end = p->in.at;
			return true;
		}
	}
	return add_word(p, s);
}

struct node *parse_simple(struct parser *p)
{
	struct simple_command *c = parser_new(p, struct simple_command);
	struct node *n = new_node(p, NODE_SIMPLE);
	struct simple_scan s = { .command = c };
	bool end = false;

	if (!c || !n)
		return NULL;
	s.assigns = &c->assigns;
	s.words = &c->words;
	s.redirects = &c->redirects;
	c->src.p = p->in.at;
	while (!end)
		if (!parse_item(p, &s, &end))
			return NULL;
	if (!c->n_words && !c->assigns && !c->redirects)
		return stop_syntax(p, "an operator where a command should begin");
	if (peek(p) == '(') {
		if (c->n_words == 1 && !c->assigns && !c->redirects)
			return parse_function(p, &s);
		return stop_syntax(p, "an opening parenthesis inside a command");
	}
	if (!c->n_words && !c->assigns)
		met(p, CONSTRUCT_EMPTY_REDIRECT, c->src.p);
	c->src.len = (size_t)(s.end - c->src.p);
	n->src = c->src;
	n->simple = c;
	c->node = n;
	return append_command(p, c) ? n : NULL;
}
