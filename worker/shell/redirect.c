/* SPDX-License-Identifier: Apache-2.0 */
/* Redirections (bash manual, "Redirections"). */
#include "worker/shell/parser.h"

#include <limits.h>

/* An explicit descriptor in front of the operator: digits or {name}, touching it. */
struct redirect_prefix {
	int fd;
	struct bytes var;
	const char *end;
};

static bool operator_follows(struct parser *p)
{
	int c = peek(p);

	return (c == '<' || c == '>') && peek_after(p) != '(';
}

static bool scan_number(struct parser *p, int *ret_fd)
{
	int fd = 0;

	while (peek(p) != END_OF_INPUT && char_is(*p->in.at, CHAR_DIGIT)) {
		int digit = *p->in.at - '0';

		if (fd > (INT_MAX - digit) / 10)
			return false;
		fd = fd * 10 + digit;
		p->in.at++;
	}
	*ret_fd = fd;
	return operator_follows(p);
}

static bool scan_variable(struct parser *p, struct bytes *ret_var)
{
	const char *at = ++p->in.at;

	while (p->in.at < p->in.end && char_is_name(*p->in.at))
		p->in.at++;
	*ret_var = (struct bytes){ at, (size_t)(p->in.at - at) };
	if (!is_name(*ret_var))
		return false;
	if (p->in.at < p->in.end && *p->in.at == '[') {
		/* An element's subscript is arithmetic: nothing here is worth modelling. */
		const char *close = memchr(p->in.at, ']', (size_t)(p->in.end - p->in.at));

		p->in.at = close ? close + 1 : p->in.end;
		*ret_var = (struct bytes){ at, (size_t)(p->in.at - at) };
	}
	if (peek(p) != '}')
		return false;
	p->in.at++;
	return operator_follows(p);
}

/* Looks without moving. */
static bool scan_prefix(struct parser *p, struct redirect_prefix *ret)
{
	const char *start;
	int c = peek(p);
	bool found;

	*ret = (struct redirect_prefix){ .fd = -1 };
	if (c != '<' && c != '>' && c != '&' && c != '{' && !(c >= '0' && c <= '9'))
		return false;
	start = p->in.at;
	if (c == '&')
		found = peek_after(p) == '>';
	else if (c == '{')
		found = scan_variable(p, &ret->var);
	else if (c == '<' || c == '>')
		found = operator_follows(p);
	else
		found = scan_number(p, &ret->fd);
	ret->end = p->in.at;
	p->in.at = start;
	return found;
}

static bool take(struct parser *p, char c)
{
	if (peek(p) != c)
		return false;
	p->in.at++;
	return true;
}

static enum redirect_op scan_operator(struct parser *p)
{
	if (take(p, '&')) {
		take(p, '>');
		return take(p, '>') ? REDIR_BOTH_APPEND : REDIR_BOTH;
	}
	if (take(p, '>')) {
		if (take(p, '>'))
			return REDIR_APPEND;
		if (take(p, '&'))
			return REDIR_DUP_OUT;
		return take(p, '|') ? REDIR_CLOBBER : REDIR_OUT;
	}
	take(p, '<');
	if (take(p, '<')) {
		if (take(p, '-'))
			return REDIR_HEREDOC_TABS;
		return take(p, '<') ? REDIR_HERESTRING : REDIR_HEREDOC;
	}
	if (take(p, '&'))
		return REDIR_DUP_IN;
	return take(p, '>') ? REDIR_RDWR : REDIR_IN;
}

/* `>&-` and `<&-` are whole behind the dash, whatever follows it. */
static struct word *parse_close(struct parser *p)
{
	struct word *w = parser_new(p, struct word);
	struct part_list parts = { .first = NULL };

	if (!w || !add_part(p, &parts, PART_LITERAL, p->in.at, 1))
		return NULL;
	w->src = (struct bytes){ p->in.at, 1 };
	w->parts = parts.first;
	p->in.at++;
	if (!at_meta(p))
		unmodelled(p, UNMODELLED_OTHER, p->in.at, "text that touches the dash of a closed descriptor");
	return finish_word(p, w, WORD_ARGUMENT) ? w : NULL;
}

/* A number or {name} that touches the next operator belongs to that, and leaves this one without its word. */
static struct word *parse_target(struct parser *p, enum redirect_op op)
{
	struct redirect_prefix prefix;

	skip_blanks(p);
	if (scan_prefix(p, &prefix))
		return stop_syntax(p, "an operator where a word should be");
	if ((op == REDIR_DUP_IN || op == REDIR_DUP_OUT) && peek(p) == '-')
		return parse_close(p);
	if (op == REDIR_HEREDOC || op == REDIR_HEREDOC_TABS || op == REDIR_HERESTRING)
		return parse_word(p, WORD_HERESTRING);
	return parse_word(p, WORD_ARGUMENT);
}

static bool is_descriptor(const struct word *w)
{
	size_t i = 0;

	if (!w->is_static)
		return false;
	while (i < w->value.len && char_is(w->value.p[i], CHAR_DIGIT))
		i++;
	return (i && i == w->value.len) || bytes_is(w->value, "-");
}

bool redirect_reads(const struct redirect *r)
{
	static const bool reads[REDIR__MAX] = {
		[REDIR_IN] = true, [REDIR_DUP_IN] = true, [REDIR_RDWR] = true, [REDIR_HEREDOC] = true,
		[REDIR_HEREDOC_TABS] = true, [REDIR_HERESTRING] = true,
	};

	return reads[r->op];
}

/* Which descriptor it changes; -1 when the shell picks one. */
static int changed_descriptor(const struct redirect *r)
{
	if (r->fd >= 0 || r->fd_var.len)
		return r->fd;
	return redirect_reads(r) ? 0 : 1;
}

/* zsh gives a descriptor that is redirected twice both files. */
static void met_redirected_twice(struct parser *p, const struct redirect *first)
{
	uint64_t seen = 0;

	for (const struct redirect *r = first; r; r = r->next) {
		int fd = changed_descriptor(r);
		uint64_t bit = fd >= 0 && fd < 64 ? UINT64_C(1) << fd : 0;

		if (seen & bit)
			met(p, CONSTRUCT_REDIRECT_TWICE, r->target->src.p);
		seen |= bit;
		if (r->op == REDIR_BOTH || r->op == REDIR_BOTH_APPEND)
			seen |= UINT64_C(1) << 2;
	}
}

/* <1-9> is a pattern in zsh. */
static bool is_numeric_pattern(struct parser *p, const struct redirect *r)
{
	if (r->op != REDIR_IN || peek(p) != '>' || !memchr(r->target->src.p, '-', r->target->src.len))
		return false;
	for (size_t i = 0; i < r->target->src.len; i++)
		if (r->target->src.p[i] != '-' && !char_is(r->target->src.p[i], CHAR_DIGIT))
			return false;
	return true;
}

static void met_redirect(struct parser *p, const struct redirect *r, const char *at)
{
	met(p, CONSTRUCT_REDIRECT, at);
	if (r->fd > 9)
		met(p, CONSTRUCT_LONG_DESCRIPTOR, at);
	if (r->fd_var.len)
		met(p, CONSTRUCT_VARIABLE_DESCRIPTOR, at);
	if (r->op == REDIR_BOTH || r->op == REDIR_BOTH_APPEND)
		met(p, CONSTRUCT_REDIRECT_BOTH, at);
	if (r->op == REDIR_HERESTRING)
		met(p, CONSTRUCT_HERESTRING, at);
	if (r->target->src.p[0] == '!' || r->target->src.p[0] == '|')
		met(p, CONSTRUCT_REDIRECT_BANG, at);
	if (is_numeric_pattern(p, r))
		met(p, CONSTRUCT_NUMERIC_PATTERN, at);
	if ((r->op == REDIR_DUP_OUT || r->op == REDIR_DUP_IN) && !is_descriptor(r->target))
		met(p, CONSTRUCT_REDIRECT_DUP_FILE, at);
}

static struct redirect *parse_redirect(struct parser *p, const struct redirect_prefix *prefix)
{
	const char *at = p->in.at;
	struct redirect *r = parser_new(p, struct redirect);

	if (!r)
		return NULL;
	r->fd = prefix->fd;
	r->fd_var = prefix->var;
	if (prefix->var.len && !is_name(prefix->var))
		unmodelled(p, UNMODELLED_OTHER, at, "an array's element as a descriptor's variable");
	p->in.at = prefix->end;
	r->op = scan_operator(p);
	r->target = parse_target(p, r->op);
	if (!r->target)
		return NULL;
	met_redirect(p, r, at);
	if ((r->op == REDIR_HEREDOC || r->op == REDIR_HEREDOC_TABS) && !heredoc_pending(p, r))
		return NULL;
	return r;
}

bool parse_redirects(struct parser *p, struct redirect ***tail, const char **end)
{
	struct redirect **first = *tail;
	struct redirect_prefix prefix;

	for (;;) {
		skip_blanks(p);
		if (!scan_prefix(p, &prefix)) {
			if (p->options->dialect != DIALECT_BASH && *first)
				met_redirected_twice(p, *first);
			return true;
		}
		**tail = parse_redirect(p, &prefix);
		if (!**tail)
			return false;
		*end = p->in.at;
		*tail = &(**tail)->next;
	}
}
