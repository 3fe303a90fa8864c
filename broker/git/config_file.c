/* SPDX-License-Identifier: Apache-2.0 */
/* The parser of git's configuration files. */
#include "broker/git/config_file.h"

#include <ctype.h>

enum { NAME_MAX_BYTES = 1024, VALUE_MAX_BYTES = 16 * 1024 };

struct parse {
	struct bytes text;
	size_t at;
	char name[NAME_MAX_BYTES];
	size_t section_len, name_len; /* what precedes the key, with its dot; with the key */
	char value[VALUE_MAX_BYTES];
	size_t value_len;
};

enum { END = -1 };

/* A carriage return before a line feed is no character. */
static int next(struct parse *p)
{
	unsigned char c;

	if (p->at >= p->text.len)
		return END;
	c = (unsigned char)p->text.p[p->at++];
	if (c == '\r' && p->at < p->text.len && p->text.p[p->at] == '\n')
		c = (unsigned char)p->text.p[p->at++];
	return c;
}

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool add_name(struct parse *p, int c)
{
	if (p->name_len == sizeof(p->name))
		return false;
	p->name[p->name_len++] = (char)c;
	return true;
}

/* [section "subsection"]: everything but a line feed, with \ before what is meant literally. */
static int parse_subsection(struct parse *p)
{
	int c;

	do {
		c = next(p);
		if (c == '\n')
			return -EINVAL;
	} while (is_blank(c));
	if (c != '"' || !add_name(p, '.'))
		return -EINVAL;
	for (;;) {
		c = next(p);
		if (c == '"')
			break;
		if (c == '\\')
			c = next(p);
		if (c == END || c == '\n' || c == '\0' || !add_name(p, c))
			return -EINVAL;
	}
	return next(p) == ']' ? 0 : -EINVAL;
}

static int parse_section(struct parse *p)
{
	int rc;

	p->name_len = 0;
	for (;;) {
		int c = next(p);

		if (c == ']')
			break;
		if (is_blank(c)) {
			rc = parse_subsection(p);
			if (rc < 0)
				return rc;
			break;
		}
		if (c == END || (!isalnum(c) && c != '-' && c != '.') || !add_name(p, tolower(c)))
			return -EINVAL;
	}
	if (!add_name(p, '.'))
		return -EINVAL;
	p->section_len = p->name_len;
	return 0;
}

static int escape(int c)
{
	switch (c) {
	case 't':
		return '\t';
	case 'b':
		return '\b';
	case 'n':
		return '\n';
	case '\\':
	case '"':
		return c;
	default:
		return END;
	}
}

static bool add_value(struct parse *p, int c)
{
	if (p->value_len == sizeof(p->value))
		return false;
	p->value[p->value_len++] = (char)c;
	return true;
}

/* Blanks between words count one each as a space, those at either end do not. */
static int parse_value(struct parse *p)
{
	bool quoted = false, comment = false;
	size_t blanks = 0;

	p->value_len = 0;
	for (;;) {
		int c = next(p);

		if (c == '\n' || c == END)
			return quoted ? -EINVAL : 0;
		if (comment)
			continue;
		if (c == '\0')
			return -EINVAL;
		if (is_blank(c) && !quoted) {
			blanks += p->value_len > 0;
			continue;
		}
		if (!quoted && (c == ';' || c == '#')) {
			comment = true;
			continue;
		}
		for (; blanks > 0; blanks--)
			if (!add_value(p, ' '))
				return -EINVAL;
		if (c == '"') {
			quoted = !quoted;
			continue;
		}
		if (c == '\\') {
			c = next(p);
			if (c == '\n' || c == END) /* the end of a file ends its line, too */
				continue;
			c = escape(c);
		}
		if (c == END || !add_value(p, c))
			return -EINVAL;
	}
}

/* `c`: the key's first letter. 0, or -EINVAL; *ret_value: does an equals sign follow? */
static int parse_key(struct parse *p, int c, bool *ret_value)
{
	p->name_len = p->section_len;
	while (c != END && (isalnum(c) || c == '-')) {
		if (!add_name(p, tolower(c)))
			return -EINVAL;
		c = next(p);
	}
	while (c == ' ' || c == '\t')
		c = next(p);
	*ret_value = c == '=';
	p->value_len = 0;
	if (c == '=')
		return parse_value(p);
	return c == '\n' || c == END ? 0 : -EINVAL;
}

static void skip_line(struct parse *p)
{
	int c;

	do
		c = next(p);
	while (c != '\n' && c != END);
}

int config_file_parse(struct bytes text, int (*each)(void *data, struct bytes name, struct bytes value, bool has_value),
	void *data)
{
	struct parse p = { .text = text };
	int rc = 0;

	if (text.len >= 3 && memcmp(text.p, "\xef\xbb\xbf", 3) == 0)
		p.at = 3;
	while (rc == 0) {
		int c = next(&p);
		bool has_value;

		if (c == END)
			return 0;
		if (is_blank(c))
			continue;
		if (c == '#' || c == ';') {
			skip_line(&p);
		} else if (c == '[') {
			rc = parse_section(&p);
		} else if (isalpha(c)) { /* also before any section: a name that means nothing */
			rc = parse_key(&p, c, &has_value);
			if (rc == 0)
				rc = each(data, (struct bytes){ p.name, p.name_len },
					(struct bytes){ p.value, p.value_len }, has_value);
		} else {
			rc = -EINVAL;
		}
	}
	return rc;
}
