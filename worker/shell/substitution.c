/* SPDX-License-Identifier: Apache-2.0 */
/* Commands inside words: $( ), backticks, ${ ; }, <( ) and >( ). */
#include "worker/shell/parser.h"

/* What a nested script changes in the parser and gives back. */
struct nested {
	struct script *script;
	struct heredoc_queue heredocs, *outer;
	const struct context *context;
	struct simple_command **first;
	uint32_t commands_before;
	bool conditional;
};

static bool begin_nested(struct parser *p, struct nested *n, enum context_kind kind)
{
	if (!enter(p))
		return false;
	n->script = parser_new(p, struct script);
	if (!n->script)
		return false;
	n->outer = p->heredocs;
	n->heredocs.n = 0;
	n->heredocs.in_braces = false;
	n->heredocs.in_substitution = true;
	n->context = p->context;
	n->first = p->tail;
	n->commands_before = p->script->n_commands;
	n->conditional = p->conditional;
	p->heredocs = &n->heredocs;
	return push_context(p, kind, NULL);
}

static void end_nested(struct parser *p, struct nested *n, struct bytes text)
{
	n->script->text = text;
	n->script->n_commands = p->script->n_commands - n->commands_before;
	n->script->commands = n->script->n_commands ? *n->first : NULL;
	n->script->unmodelled = p->script->unmodelled;
	p->heredocs = n->outer;
	p->context = n->context;
	p->conditional = n->conditional;
	leave(p);
}

/* Here-documents begun in a $( ) that ended on the same line have their bodies behind the line. */
static bool hand_on_heredocs(struct parser *p, struct nested *n)
{
	if (n->heredocs.n)
		met(p, CONSTRUCT_HEREDOC_TAIL, p->in.at);
	for (unsigned int i = 0; i < n->heredocs.n; i++) {
		if (n->outer->n == HEREDOC_MAX)
			return stop_syntax(p, "too many here-documents on one line");
		n->outer->at[n->outer->n++] = n->heredocs.at[i];
	}
	return true;
}

static struct word_part *add_script(struct parser *p, struct part_list *l, enum part_kind kind, const char *start,
	struct script *script)
{
	struct word_part *part = add_part(p, l, kind, start, (size_t)(p->in.at - start));

	if (part)
		part->script = script;
	return part;
}

/* Behind the opening parenthesis; `start` is where the whole expansion begins. */
static bool parse_parenthesised(struct parser *p, struct part_list *l, const char *start, enum part_kind kind)
{
	enum context_kind context = kind == PART_PROCESS ? CONTEXT_PROCSUB : CONTEXT_SUBST;
	const char *text = p->in.at;
	struct nested n;

	if (!begin_nested(p, &n, context))
		return false;
	n.script->root = parse_list(p);
	if (p->stopped)
		return false;
	if (peek(p) != ')')
		return stop_syntax(p, "a substitution that is never closed");
	end_nested(p, &n, (struct bytes){ text, (size_t)(p->in.at - text) });
	p->in.at++;
	return hand_on_heredocs(p, &n) && add_script(p, l, kind, start, n.script);
}

bool parse_command_substitution(struct parser *p, struct part_list *l, const char *start)
{
	return parse_parenthesised(p, l, start, PART_COMMAND);
}

/* At the `<` or `>`. */
bool parse_process_substitution(struct parser *p, struct part_list *l)
{
	const char *start = p->in.at;

	met(p, CONSTRUCT_PROCESS_SUBSTITUTION, start);
	advance(p);
	advance(p);
	return parse_parenthesised(p, l, start, PART_PROCESS);
}

/* ${ list; } and ${| list; } (bash 5.3). Earlier ones refuse it when it runs: then nothing in it does. */
bool parse_brace_substitution(struct parser *p, struct part_list *l, const char *start)
{
	const char *text = p->in.at;
	struct nested n;

	met(p, CONSTRUCT_BRACE_SUBSTITUTION, start);
	if (!begin_nested(p, &n, CONTEXT_SUBST))
		return false;
	n.heredocs.in_substitution = false;
	n.heredocs.in_braces = true;
	n.script->root = parse_list(p);
	if (p->stopped)
		return false;
	if (peek(p) != '}')
		return stop_syntax(p, "a ${ …; } that is never closed");
	end_nested(p, &n, (struct bytes){ text, (size_t)(p->in.at - text) });
	p->in.at++;
	return hand_on_heredocs(p, &n) && add_script(p, l, PART_COMMAND, start, n.script);
}

/*
 * The text between backticks as the inner shell gets it: a backslash goes where it stands before $ ` or \, inside
 * double quotes also before a double quote (POSIX 2.6.3; bash's string_extract_double_quoted).
 */
static struct bytes unescape(struct parser *p, const char *at, const char *end, enum quoting quoting, bool *removed)
{
	char *out = parser_alloc(p, (size_t)(end - at) + 1);
	size_t len = 0;

	if (!out)
		return (struct bytes){ NULL, 0 };
	while (at < end) {
		if (*at == '\\' && end - at >= 2) {
			char c = at[1];

			if (c != '$' && c != '`' && c != '\\' && !(c == '"' && quoting == QUOTING_DOUBLE))
				out[len++] = *at;
			else
				*removed |= c != '"';
			at++;
		}
		out[len++] = *at++;
	}
	return (struct bytes){ out, len };
}

static bool parse_inner_text(struct parser *p, struct nested *n, struct bytes text, bool unescaped)
{
	struct input outer = p->in;

	p->in = (struct input){ .start = text.p, .at = text.p, .end = text.p + text.len };
	p->in.unescaped = unescaped || outer.unescaped;
	n->script->root = parse_list(p);
	if (p->stopped || !expect_end(p))
		return false;
	p->in = outer;
	return true;
}

/*
 * In a quoted text bash joins lines as it reads, between single quotes of a command in it too; and where a backslash
 * went from before a double quote, single quotes behind it may stand in quotes the second time.
 */
static void check_backslashes(struct parser *p, struct bytes text, enum quoting quoting)
{
	bool quotes = memchr(text.p, '\'', text.len) != NULL;

	if ((quotes || quoting != QUOTING_NONE) && memmem(text.p, text.len, "\\\n", 2) != NULL)
		unmodelled(p, UNMODELLED_OTHER, text.p, "a joined line between backticks");
	if (quotes && quoting != QUOTING_NONE && memmem(text.p, text.len, "\\\"", 2) != NULL)
		unmodelled(p, UNMODELLED_OTHER, text.p, "quotes between backticks in quotes");
}

/* At the opening backtick. */
bool parse_backticks(struct parser *p, struct part_list *l, enum quoting quoting)
{
	const char *start = p->in.at, *at = start + 1;
	struct bytes text;
	struct nested n;
	bool removed = false;

	while (at < p->in.end && *at != '`')
		at += *at == '\\' && p->in.end - at >= 2 ? 2 : 1;
	if (at == p->in.end)
		return stop_syntax(p, "a backtick that is never closed");
	check_backslashes(p, (struct bytes){ start, (size_t)(at - start) }, quoting);
	if (p->quoted_braces > 0 && memchr(start, '\\', (size_t)(at - start)) != NULL)
		unmodelled(p, UNMODELLED_OTHER, start, "a backslash between backticks in a quoted ${…}");
	text = unescape(p, start + 1, at, quoting, &removed);
	if (removed || text.len != (size_t)(at - start - 1))
		met(p, CONSTRUCT_BACKTICK_ESCAPE, start);
	if (!text.p || !begin_nested(p, &n, CONTEXT_SUBST))
		return false;
	n.heredocs.in_substitution = false;
	if (!parse_inner_text(p, &n, text, removed))
		return false;
	end_nested(p, &n, text);
	p->in.at = at + 1;
	return add_script(p, l, PART_COMMAND, start, n.script);
}
