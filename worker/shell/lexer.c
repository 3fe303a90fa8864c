/* SPDX-License-Identifier: Apache-2.0 */
/* The cursor: characters without line continuations, blanks, comments, newlines and reserved words. */
#include "worker/shell/parser.h"

static const char *skip_continuations(const struct parser *p, const char *at)
{
	while (p->in.end - at >= 2 && at[0] == '\\' && at[1] == '\n')
		at += 2;
	return at;
}

int peek(struct parser *p)
{
	if (p->in.at == p->in.end)
		return END_OF_INPUT;
	if (*p->in.at == '\\') {
		p->in.at = skip_continuations(p, p->in.at);
		if (p->in.at == p->in.end)
			return END_OF_INPUT;
	}
	return (unsigned char)*p->in.at;
}

int peek_after(struct parser *p)
{
	const char *at;

	if (peek(p) == END_OF_INPUT)
		return END_OF_INPUT;
	at = skip_continuations(p, p->in.at + 1);
	return at == p->in.end ? END_OF_INPUT : (unsigned char)*at;
}

void advance(struct parser *p)
{
	if (peek(p) != END_OF_INPUT)
		p->in.at++;
}

bool at_meta(struct parser *p)
{
	int c = peek(p);

	return c == END_OF_INPUT || char_is((char)c, CHAR_META);
}

void skip_blanks(struct parser *p)
{
	int c;

	while ((c = peek(p)) == ' ' || c == '\t')
		p->in.at++;
	if (c != '#')
		return;
	met(p, CONSTRUCT_COMMENT, p->in.at);
	p->in.at = memchr(p->in.at, '\n', (size_t)(p->in.end - p->in.at));
	if (!p->in.at)
		p->in.at = p->in.end;
}

bool skip_newlines(struct parser *p)
{
	for (;;) {
		skip_blanks(p);
		if (peek(p) != '\n')
			return true;
		p->in.at++;
		if (p->heredocs->n && !heredocs_read(p))
			return false;
	}
}

/* Reserved words of bash (manual, "Reserved Words"), by their lengths. */
static const struct {
	char text[9];
	uint8_t len, which;
} reserved_words[] = {
	{ "if", 2, RESERVED_IF }, { "then", 4, RESERVED_THEN }, { "elif", 4, RESERVED_ELIF },
	{ "else", 4, RESERVED_ELSE }, { "fi", 2, RESERVED_FI }, { "for", 3, RESERVED_FOR },
	{ "while", 5, RESERVED_WHILE }, { "until", 5, RESERVED_UNTIL }, { "select", 6, RESERVED_SELECT },
	{ "do", 2, RESERVED_DO }, { "done", 4, RESERVED_DONE }, { "case", 4, RESERVED_CASE },
	{ "esac", 4, RESERVED_ESAC }, { "in", 2, RESERVED_IN }, { "function", 8, RESERVED_FUNCTION },
	{ "coproc", 6, RESERVED_COPROC }, { "time", 4, RESERVED_TIME }, { "!", 1, RESERVED_BANG },
	{ "{", 1, RESERVED_OPEN }, { "}", 1, RESERVED_CLOSE }, { "[[", 2, RESERVED_COND },
	{ "]]", 2, RESERVED_COND_END },
};

/* What a reserved word can begin with: most command words are told apart by their first letter. */
static bool may_be_reserved(int c)
{
	switch (c) {
	case 'i': case 't': case 'e': case 'f': case 'w': case 'u': case 's': case 'd': case 'c':
	case '!': case '{': case '}': case '[': case ']':
		return true;
	default:
		return false;
	}
}

enum reserved peek_reserved(struct parser *p, const char **ret_end)
{
	const char *at;
	char text[9];
	size_t len = 0;
	int c = peek(p);

	if (c == END_OF_INPUT || !may_be_reserved(c))
		return RESERVED_NONE;
	for (at = p->in.at; at < p->in.end && !char_is(*at, CHAR_META); at = skip_continuations(p, at + 1)) {
		if (len == sizeof(text))
			return RESERVED_NONE;
		text[len++] = *at;
	}
	for (size_t i = 0; i < ARRAY_LEN(reserved_words); i++) {
		if (reserved_words[i].len == len && memcmp(reserved_words[i].text, text, len) == 0) {
			*ret_end = at;
			return reserved_words[i].which;
		}
	}
	return RESERVED_NONE;
}

bool take_reserved(struct parser *p, enum reserved which)
{
	const char *end;

	if (peek_reserved(p, &end) != which)
		return false;
	p->in.at = end;
	return true;
}

bool expect_reserved(struct parser *p, enum reserved which, const char *why)
{
	if (take_reserved(p, which))
		return true;
	stop_syntax(p, why);
	return false;
}
