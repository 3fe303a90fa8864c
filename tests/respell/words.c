/* SPDX-License-Identifier: Apache-2.0 */
/* Ways to write one word. */
#include "tests/respell/respell.h"

#include <stdio.h>

uint32_t random_below(struct random *r, uint32_t n)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return n > 0 ? (uint32_t)((r->state >> 16) % n) : 0;
}

void spelling_add(struct spelling *s, const char *p, size_t n)
{
	if (s->full || n > sizeof(s->text) - 1 - s->len) {
		s->full = true;
		return;
	}
	memcpy(s->text + s->len, p, n);
	s->len += n;
	s->text[s->len] = '\0';
}

static void add_text(struct spelling *s, const char *text)
{
	spelling_add(s, text, strlen(text));
}

void spelling_note(struct spelling *s, const char *what)
{
	size_t n = strlen(s->notes);

	if (strstr(s->notes, what) == NULL)
		snprintf(s->notes + n, sizeof(s->notes) - n, " %s", what);
}

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		strchr("_./,:@%+-", c) != NULL;
}

static bool is_high(char c)
{
	return ((unsigned char)c & 0x80u) != 0;
}

static void bare(struct spelling *s, struct random *r, struct bytes v)
{
	for (size_t i = 0; i < v.len; i++) {
		if (v.p[i] == '\n') {
			add_text(s, "'\n'");
			continue;
		}
		if (!is_high(v.p[i]) && (!is_plain(v.p[i]) || random_below(r, 4) == 0))
			add_text(s, "\\");
		spelling_add(s, v.p + i, 1);
	}
}

static void single_quoted(struct spelling *s, struct bytes v)
{
	add_text(s, "'");
	for (size_t i = 0; i < v.len; i++)
		if (v.p[i] == '\'')
			add_text(s, "'\\''");
		else
			spelling_add(s, v.p + i, 1);
	add_text(s, "'");
}

static void double_quoted(struct spelling *s, struct bytes v)
{
	add_text(s, "\"");
	for (size_t i = 0; i < v.len; i++) {
		if (strchr("$`\"\\", v.p[i]) != NULL)
			add_text(s, "\\");
		spelling_add(s, v.p + i, 1);
	}
	add_text(s, "\"");
}

static void ansi_quoted(struct spelling *s, struct random *r, struct bytes v)
{
	char code[8];

	add_text(s, "$'");
	for (size_t i = 0; i < v.len; i++) {
		unsigned int c = (unsigned char)v.p[i];

		if (is_high(v.p[i]) || (is_plain(v.p[i]) && random_below(r, 2) == 0)) {
			spelling_add(s, v.p + i, 1);
			continue;
		}
		snprintf(code, sizeof(code), random_below(r, 2) == 0 ? "\\x%02x" : "\\%03o", c);
		add_text(s, code);
	}
	add_text(s, "'");
}

/* Quoted, these are command names; bare, they are the grammar's. */
static bool is_reserved(struct bytes v)
{
	static const char *const words[] = { "if", "then", "else", "elif", "fi", "do", "done", "case", "esac",
		"while", "until", "for", "select", "function", "time", "coproc", "in" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (bytes_is(v, words[i]))
			return true;
	return false;
}

/* A cut inside a UTF-8 sequence would still be right, but hard to read in a report. */
static size_t chunk(struct random *r, struct bytes v)
{
	size_t n = 1 + random_below(r, (uint32_t)v.len);

	while (n < v.len && is_high(v.p[n]))
		n++;
	return n;
}

void spell_value(struct spelling *s, struct random *r, struct bytes value, bool first)
{
	struct bytes rest = value;

	if (rest.len == 0 || (first && is_reserved(value))) {
		single_quoted(s, value);
		return;
	}
	while (rest.len > 0) {
		struct bytes part = { rest.p, random_below(r, 2) == 0 ? rest.len : chunk(r, rest) };

		switch (random_below(r, 6)) {
		case 0:
			single_quoted(s, part);
			break;
		case 1:
			double_quoted(s, part);
			break;
		case 2:
			ansi_quoted(s, r, part);
			break;
		default:
			bare(s, r, part);
			break;
		}
		rest = (struct bytes){ rest.p + part.len, rest.len - part.len };
		if (random_below(r, 8) == 0)
			add_text(s, random_below(r, 2) == 0 ? "''" : "\"\"");
		if (rest.len > 0 && random_below(r, 10) == 0)
			add_text(s, "\\\n");
	}
}
