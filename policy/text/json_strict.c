/* SPDX-License-Identifier: Apache-2.0 */
/* Strict JSON: the grammar is checked here to the letter, json-c then only builds the tree of what passed. */
#include "policy/text/json_strict.h"

#include <json-c/json.h>
#include <math.h>

#include "policy/text/hex.h"
#include "policy/text/utf8.h"

/* One walk over the text, without recursion: a bit a level says whether it is an array. */
struct scan {
	const char *p;
	size_t len, at;
	size_t members; /* names seen: as many must be in the tree, or one stood twice */
	uint64_t arrays;
	uint32_t depth;
};

_Static_assert(JSON_DEPTH_MAX <= 64, "one bit a level");

static int peek(const struct scan *s)
{
	return s->at < s->len ? (unsigned char)s->p[s->at] : -1;
}

static bool eat(struct scan *s, char c)
{
	if (peek(s) != c)
		return false;
	s->at++;
	return true;
}

static void skip_blanks(struct scan *s)
{
	while (s->at < s->len && memchr(" \t\n\r", s->p[s->at], 4))
		s->at++;
}

static bool scan_escape(struct scan *s, bool name)
{
	uint32_t v = 0;
	int c = peek(s);

	if (c < 0 || !strchr("\"\\/bfnrtu", c) || c == 0)
		return false;
	s->at++;
	if (c != 'u')
		return true;
	for (int i = 0; i < 4; i++) {
		int h = hex_value(peek(s));

		if (h < 0)
			return false;
		v = v << 4 | (uint32_t)h;
		s->at++;
	}
	/* json-c keeps names as C strings: "a" and "a\u0000b" would become one */
	return !(name && v == 0);
}

static bool scan_string(struct scan *s, bool name)
{
	if (!eat(s, '"'))
		return false;
	while (s->at < s->len) {
		unsigned char c = (unsigned char)s->p[s->at];

		if (c < 0x20)
			return false;
		s->at++;
		if (c == '"')
			return true;
		if (c == '\\' && !scan_escape(s, name))
			return false;
	}
	return false;
}

static bool scan_digits(struct scan *s)
{
	size_t start = s->at;

	while (peek(s) >= '0' && peek(s) <= '9')
		s->at++;
	return s->at > start;
}

static bool scan_number(struct scan *s)
{
	size_t start = s->at;
	char text[64];

	eat(s, '-');
	if (!eat(s, '0') && !scan_digits(s))
		return false;
	if (eat(s, '.') && !scan_digits(s))
		return false;
	if (eat(s, 'e') || eat(s, 'E')) {
		if (!eat(s, '+'))
			eat(s, '-');
		if (!scan_digits(s))
			return false;
	}
	/* no honest number is longer, and a long one is how a short buffer elsewhere is filled */
	if (s->at - start >= sizeof(text))
		return false;
	memcpy(text, s->p + start, s->at - start);
	text[s->at - start] = '\0';
	return isfinite(strtod(text, NULL));
}

static bool scan_literal(struct scan *s, const char *word)
{
	size_t n = strlen(word);

	if (s->len - s->at < n || memcmp(s->p + s->at, word, n) != 0)
		return false;
	s->at += n;
	return true;
}

static bool scan_scalar(struct scan *s)
{
	switch (peek(s)) {
	case '"':
		return scan_string(s, false);
	case 't':
		return scan_literal(s, "true");
	case 'f':
		return scan_literal(s, "false");
	case 'n':
		return scan_literal(s, "null");
	default:
		return scan_number(s);
	}
}

static bool scan_name(struct scan *s)
{
	skip_blanks(s);
	if (!scan_string(s, true))
		return false;
	skip_blanks(s);
	s->members++;
	return eat(s, ':');
}

static bool in_array(const struct scan *s)
{
	return s->arrays >> (s->depth - 1) & 1;
}

/* After `{` or `[`: false when the text is wrong, else *ret_empty says whether the level closed at once. */
static bool scan_open(struct scan *s, bool array, bool *ret_empty)
{
	s->at++;
	if (s->depth == JSON_DEPTH_MAX)
		return false;
	s->arrays = (s->arrays & ~(1ULL << s->depth)) | (uint64_t)array << s->depth;
	s->depth++;
	skip_blanks(s);
	*ret_empty = peek(s) == (array ? ']' : '}');
	return *ret_empty || array || scan_name(s);
}

/* After a value: closes what ends here. True with *ret_more when another value follows. */
static bool scan_after(struct scan *s, bool *ret_more)
{
	for (;;) {
		*ret_more = false;
		if (s->depth == 0)
			return true;
		skip_blanks(s);
		if (eat(s, ',')) {
			*ret_more = true;
			return in_array(s) || scan_name(s);
		}
		if (!eat(s, in_array(s) ? ']' : '}'))
			return false;
		s->depth--;
	}
}

static bool scan_document(struct scan *s)
{
	bool more = true, empty;

	while (more) {
		skip_blanks(s);
		if (peek(s) == '{' || peek(s) == '[') {
			if (!scan_open(s, peek(s) == '[', &empty))
				return false;
			if (!empty)
				continue;
		} else if (!scan_scalar(s)) {
			return false;
		}
		if (!scan_after(s, &more))
			return false;
	}
	return true;
}

static size_t count_members(struct json_object *v)
{
	size_t n = 0;

	if (json_object_is_type(v, json_type_object)) {
		n = (size_t)json_object_object_length(v);
		json_object_object_foreach(v, name, member) {
			(void)name;
			n += count_members(member);
		}
	} else if (json_object_is_type(v, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(v); i++)
			n += count_members(json_object_array_get_idx(v, i));
	}
	return n;
}

static int build(struct bytes text, struct json_object **ret, size_t *ret_at)
{
	struct json_tokener *tok = json_tokener_new_ex(JSON_DEPTH_MAX + 1);
	struct json_object *v;
	enum json_tokener_error error;

	if (!tok)
		return -ENOMEM;
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	v = json_tokener_parse_ex(tok, text.p, (int)text.len);
	error = json_tokener_get_error(tok);
	if (error == json_tokener_continue) { /* a bare number ends only where the text does */
		v = json_tokener_parse_ex(tok, "", 1);
		error = json_tokener_get_error(tok);
	}
	*ret_at = json_tokener_get_parse_end(tok);
	json_tokener_free(tok);
	if (error != json_tokener_success)
		return JSON_MALFORMED;
	*ret = v;
	return JSON_OK;
}

/* On JSON_OK s->at is the end of the value, trailing blanks apart. */
static int check(struct scan *s, size_t *ret_at)
{
	size_t end;

	*ret_at = 0;
	skip_blanks(s);
	if (s->at == s->len)
		return JSON_EMPTY;
	if (s->len > INT32_MAX - 1)
		return JSON_MALFORMED;
	if (!utf8_valid(s->p, s->len))
		return JSON_ENCODING;
	if (!scan_document(s)) {
		*ret_at = s->at;
		return JSON_MALFORMED;
	}
	end = s->at;
	skip_blanks(s);
	if (s->at != s->len) {
		*ret_at = s->at;
		return JSON_TRAILING;
	}
	s->at = end;
	return JSON_OK;
}

int json_check(struct bytes text, size_t *ret_at)
{
	struct scan s = { .p = text.p, .len = text.len };

	return check(&s, ret_at);
}

int json_strict(struct bytes text, struct json_object **ret, size_t *ret_at)
{
	struct scan s = { .p = text.p, .len = text.len };
	struct json_object *v = NULL;
	int r;

	r = check(&s, ret_at);
	if (r != JSON_OK)
		return r;
	text.len = s.at;
	r = build(text, &v, ret_at);
	if (r != JSON_OK)
		return r;
	if (count_members(v) != s.members) {
		json_object_put(v);
		return JSON_DUPLICATE;
	}
	*ret = v;
	return JSON_OK;
}

const char *json_outcome_text(int outcome)
{
	static const char *const texts[JSON__OUTCOMES] = {
		[JSON_OK] = "is JSON",
		[JSON_EMPTY] = "is empty",
		[JSON_MALFORMED] = "is not JSON",
		[JSON_ENCODING] = "is not UTF-8",
		[JSON_DUPLICATE] = "has the same name twice in one object",
		[JSON_TRAILING] = "has more text after its end",
	};

	return outcome >= 0 && outcome < JSON__OUTCOMES ? texts[outcome] : "could not be read";
}

struct json_object *json_member(struct json_object *o, const char *name, enum json_type type)
{
	struct json_object *v;

	if (!json_object_is_type(o, json_type_object) || !json_object_object_get_ex(o, name, &v) ||
	    !json_object_is_type(v, type))
		return NULL;
	return v;
}

struct bytes json_member_string(struct json_object *o, const char *name)
{
	struct json_object *v = json_member(o, name, json_type_string);

	if (!v)
		return (struct bytes){ 0 };
	return (struct bytes){ json_object_get_string(v), (size_t)json_object_get_string_len(v) };
}

void json_putp(struct json_object **o)
{
	json_object_put(*o);
}
