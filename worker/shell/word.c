/* SPDX-License-Identifier: Apache-2.0 */
/* Words: literal text, quotes, tildes, globs; expansions are handed on. */
#include "worker/shell/parser.h"

/* A word while it is read. */
struct word_scan {
	struct part_list parts;
	struct word_part *bracket; /* an unquoted [ that a later ] makes a glob */
	unsigned int mode;
	uint32_t flags;
	const char *start;
	bool assigns; /* NAME= or NAME+= stands at its start: tildes expand behind = and : */
	bool tilde_ok; /* a ~ here begins a tilde prefix */
	bool braces; /* an unquoted { */
	unsigned int open_braces; /* unquoted, without their partners so far */
};

struct word_part *add_part(struct parser *p, struct part_list *l, enum part_kind kind, const char *text, size_t len)
{
	struct word_part *part = parser_new(p, struct word_part);

	if (!part)
		return NULL;
	part->kind = kind;
	part->text = (struct bytes){ text, len };
	if (l->last)
		l->last->next = part;
	else
		l->first = part;
	l->last = part;
	return part;
}

/* Unquoted text; joins the literal before it when the two touch. */
static bool add_literal(struct parser *p, struct part_list *l, const char *text, size_t len)
{
	struct word_part *last = l->last;

	if (last && last->kind == PART_LITERAL && last->text.p + last->text.len == text) {
		last->text.len += len;
		return true;
	}
	return add_part(p, l, PART_LITERAL, text, len);
}

bool parse_single_quoted(struct parser *p, struct part_list *l)
{
	const char *text = p->in.at + 1;
	const char *close = memchr(text, '\'', (size_t)(p->in.end - text));

	if (!close)
		return stop_syntax(p, "a single quote that is never closed");
	if (!add_part(p, l, PART_SINGLE, text, (size_t)(close - text)))
		return false;
	if (memchr(text, '\\', (size_t)(close - text)))
		met(p, CONSTRUCT_QUOTED_BACKSLASH, text);
	p->in.at = close + 1;
	return true;
}

/* Inside double quotes a backslash quotes only $ ` " \ and newline (bash manual, "Double Quotes"). */
static bool parse_double_escape(struct parser *p, struct part_list *l, bool heredoc)
{
	const char *at = p->in.at;
	char c = p->in.end - at >= 2 ? at[1] : '\0';

	met(p, CONSTRUCT_QUOTED_BACKSLASH, at);
	if (c == '\n') {
		p->in.at += 2;
		return true;
	}
	if (c == '$' || c == '`' || c == '\\' || (c == '"' && !heredoc)) {
		p->in.at += 2;
		return add_part(p, l, PART_LITERAL, at + 1, 1);
	}
	p->in.at++;
	return add_literal(p, l, at, 1);
}

bool parse_double_text(struct parser *p, struct part_list *l, bool heredoc)
{
	for (;;) {
		const char *start = p->in.at;
		bool ok = true;

		while (p->in.at < p->in.end && char_is(*p->in.at, CHAR_DOUBLE_PLAIN))
			p->in.at++;
		if (p->in.at > start && !add_literal(p, l, start, (size_t)(p->in.at - start)))
			return false;
		if (p->in.at == p->in.end)
			return true;
		switch (*p->in.at) {
		case '\\':
			ok = parse_double_escape(p, l, heredoc);
			break;
		case '$':
			ok = parse_dollar(p, l, heredoc ? QUOTING_HEREDOC : QUOTING_DOUBLE);
			break;
		case '`':
			ok = parse_backticks(p, l, heredoc ? QUOTING_HEREDOC : QUOTING_DOUBLE);
			break;
		default: /* a double quote */
			if (!heredoc)
				return true;
			ok = add_literal(p, l, p->in.at++, 1);
		}
		if (!ok)
			return false;
	}
}

bool parse_double_quoted(struct parser *p, struct part_list *l, enum part_kind kind)
{
	struct part_list children = { .first = NULL };
	struct word_part *part = add_part(p, l, kind, p->in.at, 0);

	if (!part || !enter(p))
		return false;
	p->in.at++;
	if (!parse_double_text(p, &children, false))
		return false;
	if (p->in.at == p->in.end)
		return stop_syntax(p, "a double quote that is never closed");
	p->in.at++;
	leave(p);
	part->children = children.first;
	part->text.len = (size_t)(p->in.at - part->text.p);
	return true;
}

/* A backslash outside quotes: the next character stands for itself. */
static bool parse_escape(struct parser *p, struct word_scan *w)
{
	const char *at = p->in.at;

	if (p->in.end - at < 2) {
		met(p, CONSTRUCT_TRAILING_BACKSLASH, at);
		p->in.at++;
		return add_part(p, &w->parts, PART_LITERAL, at, 1);
	}
	p->in.at += 2;
	if (at[1] == '\n')
		return true;
	w->flags |= WORD_QUOTED;
	w->tilde_ok = false;
	met(p, CONSTRUCT_ESCAPE, at);
	return add_part(p, &w->parts, PART_SINGLE, at + 1, 1);
}

/*
 * A tilde prefix runs to the first slash (in an assignment also to the first colon); a quoted character in it makes it
 * literal (bash manual, "Tilde Expansion"). Only `~` itself is ever static.
 */
static bool parse_tilde(struct parser *p, struct word_scan *w)
{
	const char *start = p->in.at++;
	size_t named = 0; /* characters of a user's name */

	if (!w->tilde_ok) {
		if (w->parts.last && w->parts.last->kind != PART_LITERAL)
			met(p, CONSTRUCT_TILDE_NAME, start);
		return add_literal(p, &w->parts, start, 1);
	}
	w->tilde_ok = false;
	while (!at_meta(p) && *p->in.at != '/' && !(*p->in.at == ':' && w->assigns)) {
		char c = *p->in.at;

		if (c == '\\' && p->in.end - p->in.at > 1 && p->in.at[1] == '\n') {
			p->in.at += 2;
			continue;
		}
		if (c == '\\' || c == '\'' || c == '"') {
			met(p, CONSTRUCT_TILDE_NAME, start);
			p->in.at = start + 1;
			return add_literal(p, &w->parts, start, 1);
		}
		if (c == '$' || c == '`')
			break;
		p->in.at++;
		named++;
	}
	w->flags |= WORD_TILDE;
	if (named > 0)
		met(p, CONSTRUCT_TILDE_NAME, start);
	if (w->assigns && !(w->mode & WORD_VALUE) && start > w->start)
		met(p, CONSTRUCT_TILDE_ARGUMENT, start);
	return add_part(p, &w->parts, PART_TILDE, start, named > 0 ? (size_t)(p->in.at - start) : 1);
}

/* Is what stands before the `=` at the cursor a name, perhaps with a subscript or a +? */
static bool assigns_before(const struct word_scan *w, const char *at)
{
	struct bytes before = { w->start, (size_t)(at - w->start) };

	if (w->parts.first != w->parts.last || !before.len)
		return false;
	if (before.p[before.len - 1] == '+')
		before.len--;
	return is_name(before);
}

/* At the parenthesis behind NAME=. */
static bool parse_array_argument(struct parser *p, struct word_scan *w)
{
	const char *start = p->in.at++;
	struct word *elements;

	met(p, CONSTRUCT_ARRAY, start);
	if (!parse_array(p, &elements) || !add_part(p, &w->parts, PART_ARRAY, start, (size_t)(p->in.at - start)))
		return false;
	w->parts.last->elements = elements;
	for (const struct word *e = elements; e; e = e->next)
		w->flags |= e->flags & WORD_RUNS;
	return true;
}

static bool parse_equals(struct parser *p, struct word_scan *w)
{
	const char *at = p->in.at;

	if (w->parts.last && w->parts.last->kind != PART_LITERAL)
		met(p, CONSTRUCT_EQUALS_WORD, at);
	if (at == w->start && !(w->mode & WORD_NEVER_ASSIGNS) && p->in.end - at > 1 && !char_is(at[1], CHAR_META))
		met(p, CONSTRUCT_EQUALS_WORD, at);
	p->in.at++;
	w->tilde_ok = false;
	if (!add_literal(p, &w->parts, at, 1))
		return false;
	if (w->assigns || (w->mode & WORD_NEVER_ASSIGNS) || !assigns_before(w, at))
		return true;
	w->assigns = w->tilde_ok = true;
	if (w->mode & WORD_DECLARATION && peek(p) == '(')
		return parse_array_argument(p, w);
	return true;
}

/* What comes of an expansion between the brackets is expanded once more, and so is what a backslash kept from it. */
static bool expands_twice(struct bytes index)
{
	return memchr(index.p, '$', index.len) != NULL || memchr(index.p, '`', index.len) != NULL;
}

static bool parse_bracket(struct parser *p, struct word_scan *w)
{
	const char *at = p->in.at++;
	struct part_list inner = { .first = NULL };

	if (*at == ']') {
		if (w->bracket) {
			w->bracket->kind = PART_GLOB;
			w->bracket = NULL;
			w->flags |= WORD_GLOB;
		}
		return add_literal(p, &w->parts, at, 1);
	}
	if ((w->mode & WORD_ELEMENT) && at == w->start) {
		/* [subscript]=value: the subscript may hold blanks and operators. */
		if (!parse_matched(p, &inner, '[', ']', MATCHED_ARITH))
			return false;
		if (expands_twice((struct bytes){ at, (size_t)(p->in.at - at) }))
			unmodelled(p, UNMODELLED_OTHER, at, "an element's index, which is expanded twice");
		w->flags |= WORD_GLOB;
		if (!add_part(p, &w->parts, PART_GLOB, at, (size_t)(p->in.at - at)))
			return false;
		w->parts.last->children = inner.first;
		return true;
	}
	if (!add_part(p, &w->parts, PART_LITERAL, at, 1))
		return false;
	if (!w->bracket)
		w->bracket = w->parts.last;
	return true;
}

/* ?( *( +( @( !( behind a word's start or in it. A command word with () behind it is a function's name. */
static bool parse_extglob(struct parser *p, struct word_scan *w, const char *at)
{
	struct part_list inner = { .first = NULL };
	struct word_part *part;

	met(p, CONSTRUCT_EXTGLOB, at);
	p->in.at++;
	if ((w->mode & WORD_COMMAND) && peek(p) == ')') {
		unmodelled(p, UNMODELLED_OTHER, at, "a function's name, or a pattern, by a shell option");
		p->in.at = at + 1;
		return add_literal(p, &w->parts, at, 1);
	}
	if (!enter(p) || !parse_matched(p, &inner, '(', ')', MATCHED_PATTERN))
		return false;
	leave(p);
	w->flags |= WORD_GLOB;
	part = add_part(p, &w->parts, PART_EXTGLOB, at, (size_t)(p->in.at - at));
	if (part)
		part->children = inner.first;
	return part;
}

static bool parse_glob_or_literal(struct parser *p, struct word_scan *w)
{
	const char *at = p->in.at++;

	if (peek(p) == '(' && !(w->mode & WORD_REGEX))
		return parse_extglob(p, w, at);
	if (*at != '*' && *at != '?')
		return add_literal(p, &w->parts, at, 1);
	w->flags |= WORD_GLOB;
	return add_part(p, &w->parts, PART_GLOB, at, 1);
}

/* What single quotes hold between the parentheses of a regular expression is expanded. */
static bool quotes_expand(struct bytes group)
{
	return memchr(group.p, '\'', group.len) != NULL &&
		(memchr(group.p, '$', group.len) != NULL || memchr(group.p, '`', group.len) != NULL);
}

static bool parse_regex_group(struct parser *p, struct word_scan *w)
{
	const char *at = p->in.at++;
	struct part_list inner = { .first = NULL };
	struct word_part *part;

	if (*at == '|')
		return add_literal(p, &w->parts, at, 1);
	if (!enter(p) || !parse_matched(p, &inner, '(', ')', MATCHED_PATTERN))
		return false;
	leave(p);
	if (quotes_expand((struct bytes){ at, (size_t)(p->in.at - at) }))
		unmodelled(p, UNMODELLED_OTHER, at, "quotes that do not quote in a regular expression");
	w->flags |= WORD_GLOB;
	part = add_part(p, &w->parts, PART_GLOB, at, (size_t)(p->in.at - at));
	if (part)
		part->children = inner.first;
	return part;
}

static bool parse_quoted(struct parser *p, struct word_scan *w)
{
	w->flags |= WORD_QUOTED;
	return *p->in.at == '\'' ? parse_single_quoted(p, &w->parts) : parse_double_quoted(p, &w->parts, PART_DOUBLE);
}

/* One step; *ret_end says that the word ends here. */
static bool parse_piece(struct parser *p, struct word_scan *w, bool *ret_end)
{
	const char *at = p->in.at;

	switch (*at) {
	case '\\':
		return parse_escape(p, w);
	case '\'':
	case '"':
		return parse_quoted(p, w);
	case '$':
		return parse_dollar(p, &w->parts, QUOTING_NONE);
	case '`':
		return parse_backticks(p, &w->parts, QUOTING_NONE);
	case '~':
		return parse_tilde(p, w);
	case '=':
		return parse_equals(p, w);
	case ':':
		p->in.at++;
		w->tilde_ok = w->assigns;
		return add_literal(p, &w->parts, at, 1);
	case '[':
	case ']':
		return parse_bracket(p, w);
	case '{':
		w->braces = true;
		w->open_braces++;
		p->in.at++;
		return add_literal(p, &w->parts, at, 1);
	case '}':
		if (w->open_braces)
			w->open_braces--;
		else
			met(p, CONSTRUCT_BRACE_WORD, at);
		p->in.at++;
		return add_literal(p, &w->parts, at, 1);
	case '*': case '?': case '+': case '@': case '!':
		return parse_glob_or_literal(p, w);
	case '<': case '>':
		if (peek_after(p) == '(')
			return parse_process_substitution(p, &w->parts);
		break;
	case '(': case '|':
		if (w->mode & WORD_REGEX)
			return parse_regex_group(p, w);
		break;
	default:
		if (!char_is(*at, CHAR_CONTROL))
			break;
		/* bash takes it for a letter; whoever wrote it meant something else. */
		unmodelled(p, UNMODELLED_CONTROL, at, "a control character outside quotes");
		p->in.at++;
		return add_literal(p, &w->parts, at, 1);
	}
	*ret_end = true;
	return true;
}

static bool scan_word(struct parser *p, struct word_scan *w)
{
	bool end = false;

	while (!end) {
		const char *start = p->in.at;
		bool colon_or_equals;

		while (p->in.at < p->in.end && char_is(*p->in.at, CHAR_PLAIN))
			p->in.at++;
		if (p->in.at > start) {
			w->tilde_ok = false;
			if (!add_literal(p, &w->parts, start, (size_t)(p->in.at - start)))
				return false;
		}
		if (p->in.at == p->in.end)
			return true;
		colon_or_equals = *p->in.at == ':' || *p->in.at == '=' || *p->in.at == '\\';
		if (!parse_piece(p, w, &end))
			return false;
		if (!colon_or_equals)
			w->tilde_ok = false;
	}
	return true;
}

struct word *parse_word(struct parser *p, unsigned int mode)
{
	struct word_scan w = { .mode = mode, .tilde_ok = !(mode & WORD_REGEX), .assigns = mode & WORD_VALUE };
	struct word *word = parser_new(p, struct word);

	if (!word)
		return NULL;
	if (++p->n_words > SHELL_MAX_WORDS)
		return stop_limit(p, LIMIT_WORDS);
	peek(p); /* a continuation in front is not part of the word */
	w.start = p->in.at;
	if (!scan_word(p, &w))
		return NULL;
	word->src = (struct bytes){ w.start, (size_t)(p->in.at - w.start) };
	/* nor is one behind it: an escaped backslash would have ended the word at the line break */
	while (word->src.len >= 2 && memcmp(word->src.p + word->src.len - 2, "\\\n", 2) == 0)
		word->src.len -= 2;
	if (!word->src.len && !(mode & WORD_VALUE))
		return stop_syntax(p, "an operator where a word should be");
	word->parts = w.parts.first;
	word->flags = w.flags;
	if (w.assigns)
		word->flags |= WORD_ASSIGNS;
	if (w.braces && !(mode & WORD_NEVER_ASSIGNS) && !find_braces(p, word))
		return NULL;
	if (p->options->dialect != DIALECT_BASH)
		met_word(p, word, mode);
	if (!finish_word(p, word, mode))
		return NULL;
	if (!p->evaluated_text && word->flags & WORD_QUOTED && word->is_static && runs_when_evaluated(word->value))
		p->evaluated_text = word->src.p;
	return word;
}
