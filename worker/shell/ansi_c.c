/* SPDX-License-Identifier: Apache-2.0 */
/* $'…' (bash manual, "ANSI-C Quoting"; details as lib/sh/strtrans.c reads them). */
#include "policy/text/hex.h"
#include "worker/shell/parser.h"

struct decoder {
	const char *at, *end;
	char *out;
	size_t len;
	bool cut; /* a NUL ends the string, not the word */
	bool uncertain; /* the locale decides */
	bool plain; /* no escape but those every shell shares */
};

static void emit(struct decoder *d, unsigned int c)
{
	if (!(c & 0xff))
		d->cut = true;
	if (!d->cut)
		d->out[d->len++] = (char)(c & 0xff);
}

/* An escape that is none keeps its backslash. */
static void emit_unknown(struct decoder *d, char c)
{
	emit(d, '\\');
	emit(d, (unsigned char)c);
}

/* Reads at most `max` digits; the number read is the answer. */
static unsigned int read_hex(struct decoder *d, unsigned int max, uint32_t *ret_value)
{
	uint32_t v = 0;
	unsigned int n = 0;

	while (n < max && d->at < d->end && hex_value(*d->at) >= 0) {
		v = v * 16 + (uint32_t)hex_value(*d->at++);
		n++;
	}
	*ret_value = v;
	return n;
}

static void decode_hex(struct decoder *d)
{
	uint32_t v;

	if (d->at < d->end && *d->at == '{') {
		d->at++;
		read_hex(d, UINT32_MAX, &v);
		if (d->at < d->end && *d->at == '}')
			d->at++;
		emit(d, v);
	} else if (read_hex(d, 2, &v)) {
		emit(d, v);
	} else {
		emit_unknown(d, 'x');
	}
}

/* \u and \U: past ASCII the bytes depend on the locale that the shell will have. */
static void decode_unicode(struct decoder *d, char c, unsigned int max)
{
	uint32_t v;

	if (!read_hex(d, max, &v))
		emit_unknown(d, c);
	else if (v < 0x80)
		emit(d, v);
	else
		d->uncertain = true;
}

static void decode_octal(struct decoder *d, char first)
{
	unsigned int v = (unsigned int)(first - '0');

	for (int n = 0; n < 2 && d->at < d->end && *d->at >= '0' && *d->at <= '7'; n++)
		v = v * 8 + (unsigned int)(*d->at++ - '0');
	emit(d, v);
}

static void decode_control(struct decoder *d)
{
	unsigned char c;

	d->uncertain = true; /* implementations differ on what may follow */
	if (d->at == d->end) {
		emit_unknown(d, 'c');
		return;
	}
	c = (unsigned char)*d->at++;
	if (c == '\\' && d->at < d->end && *d->at == '\\')
		d->at++;
	if (c >= 'a' && c <= 'z')
		c = (unsigned char)(c - 'a' + 'A');
	emit(d, c == '?' ? 0x7fu : c & 0x1fu);
}

/* The single letters; NUL where there is none. */
static char simple_escape(char c)
{
	switch (c) {
	case 'a': return '\a';
	case 'b': return '\b';
	case 'e': case 'E': return '\033';
	case 'f': return '\f';
	case 'n': return '\n';
	case 'r': return '\r';
	case 't': return '\t';
	case 'v': return '\v';
	case '\\': case '\'': case '"': case '?': return c;
	default: return '\0';
	}
}

static void decode_escape(struct decoder *d)
{
	char c = *d->at++, simple = simple_escape(c);

	if (simple) {
		emit(d, (unsigned char)simple);
		if (c == 'E' || c == '?')
			d->plain = false;
		return;
	}
	d->plain = false;
	switch (c) {
	case 'x':
		decode_hex(d);
		break;
	case 'u':
		decode_unicode(d, c, 4);
		break;
	case 'U':
		decode_unicode(d, c, 8);
		break;
	case 'c':
		decode_control(d);
		break;
	case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7':
		decode_octal(d, c);
		break;
	default:
		emit_unknown(d, c);
	}
}

/* The closing quote of the string whose text starts at `at`: a backslash protects any character. NULL: none. */
static const char *find_close(const char *at, const char *end)
{
	while (at < end && *at != '\'')
		at += *at == '\\' && end - at >= 2 ? 2 : 1;
	return at < end ? at : NULL;
}

/* At the quote behind the dollar. */
bool parse_ansi_c(struct parser *p, struct part_list *l)
{
	const char *text = p->in.at + 1;
	const char *close = find_close(text, p->in.end);
	struct decoder d = { .at = text, .end = close, .plain = true };
	struct word_part *part;

	if (!close)
		return stop_syntax(p, "a $'…' that is never closed");
	/* An escape never yields more bytes than it has: the longest unknown ones stay as they are. */
	d.out = parser_alloc(p, (size_t)(close - text) + 1);
	if (!d.out)
		return false;
	while (d.at < d.end) {
		char c = *d.at++;

		if (c == '\\' && d.at < d.end)
			decode_escape(&d);
		else
			emit(&d, (unsigned char)c);
	}
	met(p, d.plain ? CONSTRUCT_ANSI_C : CONSTRUCT_ANSI_C_ESCAPE, text);
	p->in.at = close + 1;
	part = add_part(p, l, PART_ANSI_C, d.out, d.len);
	if (part && d.uncertain)
		part->form = PARAM_OTHER;
	return part;
}
