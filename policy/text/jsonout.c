/* SPDX-License-Identifier: Apache-2.0 */
/* Writing JSON text. */
#include "policy/text/jsonout.h"

#include <json-c/json.h>
#include <math.h>
#include <stdio.h>

#include "policy/text/utf8.h"

static void new_line(struct jsonout *o)
{
	textbuf_putc(o->b, '\n');
	for (uint8_t i = 0; i < o->depth; i++)
		textbuf_append(o->b, "  ", 2);
}

/* What stands before a value or a name. */
static void before(struct jsonout *o, bool name)
{
	if (o->after_name) {
		o->after_name = false;
		return;
	}
	if (o->depth == 0)
		return;
	if (!name && !o->array[o->depth - 1])
		o->b->failed = true; /* a value without a name: never write what nobody can read */
	if (o->filled[o->depth - 1])
		textbuf_putc(o->b, ',');
	o->filled[o->depth - 1] = true;
	if (o->pretty)
		new_line(o);
}

static void open_level(struct jsonout *o, char bracket)
{
	before(o, false);
	if (o->depth == JSONOUT_DEPTH_MAX) {
		o->b->failed = true;
		return;
	}
	textbuf_putc(o->b, bracket);
	o->filled[o->depth] = false;
	o->array[o->depth++] = bracket == '[';
}

void jsonout_object(struct jsonout *o)
{
	open_level(o, '{');
}

void jsonout_array(struct jsonout *o)
{
	open_level(o, '[');
}

void jsonout_end(struct jsonout *o)
{
	if (o->depth == 0 || o->after_name) {
		o->b->failed = true;
		return;
	}
	o->depth--;
	if (o->pretty && o->filled[o->depth])
		new_line(o);
	textbuf_putc(o->b, o->array[o->depth] ? ']' : '}');
}

static bool is_verbatim(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static void escape_ascii(struct textbuf *b, unsigned char c)
{
	static const char *const known[] = {
		['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n", ['\f'] = "\\f", ['\r'] = "\\r", ['"'] = "\\\"",
		['\\'] = "\\\\",
	};

	if (c < ARRAY_LEN(known) && known[c])
		textbuf_append(b, known[c], 2);
	else
		textbuf_printf(b, "\\u%04x", c);
}

static void put_string(struct textbuf *b, const char *p, size_t len)
{
	size_t i = 0, run, n;
	uint32_t c;
	enum char_class class;

	textbuf_putc(b, '"');
	while (i < len && !b->failed) {
		for (run = i; run < len && is_verbatim((unsigned char)p[run]); run++)
			;
		textbuf_append(b, p + i, run - i);
		i = run;
		if (i == len)
			break;
		n = utf8_decode(p + i, len - i, &c);
		class = n ? utf8_class(c) : CHAR_PLAIN;
		if (n == 0)
			textbuf_append(b, "\xef\xbf\xbd", 3);
		else if (n == 1)
			escape_ascii(b, (unsigned char)c);
		else if (class == CHAR_CONTROL || class == CHAR_SEPARATOR)
			textbuf_printf(b, "\\u%04x", c);
		else
			textbuf_append(b, p + i, n);
		i += n ? n : 1;
	}
	textbuf_putc(b, '"');
}

void jsonout_name(struct jsonout *o, const char *name)
{
	if (o->depth == 0 || o->array[o->depth - 1] || o->after_name) {
		o->b->failed = true;
		return;
	}
	before(o, true);
	put_string(o->b, name, strlen(name));
	textbuf_append(o->b, ": ", o->pretty ? 2 : 1);
	o->after_name = true;
}

void jsonout_bytes(struct jsonout *o, struct bytes v)
{
	before(o, false);
	put_string(o->b, v.p, v.len);
}

void jsonout_string(struct jsonout *o, const char *v)
{
	if (v)
		jsonout_bytes(o, (struct bytes){ v, strlen(v) });
	else
		jsonout_null(o);
}

void jsonout_int(struct jsonout *o, int64_t v)
{
	before(o, false);
	textbuf_printf(o->b, "%lld", (long long)v);
}

/* The shortest text that reads back as the same number; the program keeps the C locale. */
void jsonout_number(struct jsonout *o, double v)
{
	char text[32];

	if (!isfinite(v)) {
		jsonout_null(o);
		return;
	}
	if (v > -1e15 && v < 1e15 && (double)(int64_t)v == v) {
		jsonout_int(o, (int64_t)v);
		return;
	}
	before(o, false);
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (strtod(text, NULL) == v) /* exact by intent */
			break;
	}
	textbuf_puts(o->b, text);
}

void jsonout_bool(struct jsonout *o, bool v)
{
	before(o, false);
	textbuf_puts(o->b, v ? "true" : "false");
}

void jsonout_null(struct jsonout *o)
{
	before(o, false);
	textbuf_puts(o->b, "null");
}

static void put_object(struct jsonout *o, struct json_object *v)
{
	jsonout_object(o);
	json_object_object_foreach(v, name, member) {
		jsonout_name(o, name);
		jsonout_value(o, member);
		if (o->b->failed)
			return;
	}
	jsonout_end(o);
}

static void put_array(struct jsonout *o, struct json_object *v)
{
	jsonout_array(o);
	for (size_t i = 0; i < json_object_array_length(v) && !o->b->failed; i++)
		jsonout_value(o, json_object_array_get_idx(v, i));
	jsonout_end(o);
}

/* json-c reads whole numbers up to 2^64, and gives the largest signed one for what is past it. */
static void put_int(struct jsonout *o, struct json_object *v)
{
	int64_t n = json_object_get_int64(v);

	if (n < INT64_MAX) {
		jsonout_int(o, n);
		return;
	}
	before(o, false);
	textbuf_printf(o->b, "%llu", (unsigned long long)json_object_get_uint64(v));
}

void jsonout_value(struct jsonout *o, struct json_object *v)
{
	if (o->b->failed)
		return;
	switch (json_object_get_type(v)) {
	case json_type_object:
		put_object(o, v);
		break;
	case json_type_array:
		put_array(o, v);
		break;
	case json_type_string:
		jsonout_bytes(o, (struct bytes){ json_object_get_string(v), (size_t)json_object_get_string_len(v) });
		break;
	case json_type_int:
		put_int(o, v);
		break;
	case json_type_double:
		jsonout_number(o, json_object_get_double(v));
		break;
	case json_type_boolean:
		jsonout_bool(o, json_object_get_boolean(v));
		break;
	case json_type_null:
		jsonout_null(o);
		break;
	}
}
