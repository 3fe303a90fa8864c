/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding secrets in text. One pass over tokens ([A-Za-z0-9_.-]+): a token is a secret by its looks, or its name makes
 * what follows one. No rule looks back, and each looks ahead over a run that no later one reads again.
 */
#include "policy/text/redact.h"

#include <strings.h>

#include "policy/text/token_shape.h"

enum {
	PASSWORD_MIN = 3, /* bytes a value needs after the name of a password */
	VALUE_MIN = 8, /* after the name of a key or token, which are common words */
	BEARER_MIN = 8,
	USERINFO_MIN = 20, /* https://TOKEN@host */
	SCHEME_MAX = 24,
	BLANKS_MAX = 16,
};

struct cursor {
	const char *p;
	size_t len;
};

static int at(const struct cursor *t, size_t i)
{
	return i < t->len ? (unsigned char)t->p[i] : -1;
}

static bool is_alnum(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool is_token(int c)
{
	return is_alnum(c) || c == '_' || c == '.' || c == '-';
}

static bool is_blank(int c)
{
	return c == ' ' || c == '\t';
}

static bool is_line_end(int c)
{
	return c < 0 || c == '\n' || c == '\r';
}

static bool is_quote(int c)
{
	return c == '"' || c == '\'' || c == '`';
}

/* What ends a bare word in a shell. A `$` is judged by what follows it. */
static bool ends_word(int c)
{
	return c < 0 || c <= ' ' || is_quote(c) || strchr(";|&<>()", c) != NULL;
}

static size_t skip_blanks(const struct cursor *t, size_t i)
{
	size_t end = i + BLANKS_MAX;

	while (i < end && is_blank(at(t, i)))
		i++;
	return i;
}

/* How a value is written: bare, between quotes, or between quotes that stand escaped in a JSON string. */
struct quoting {
	int quote; /* 0: bare */
	bool escaped;
};

static size_t skip_quote(const struct cursor *t, size_t i, struct quoting *ret)
{
	size_t escaped = at(t, i) == '\\' ? 1 : 0;
	int c = at(t, i + escaped);

	*ret = (struct quoting){ 0 };
	if (c != '"' && c != '\'')
		return i;
	*ret = (struct quoting){ .quote = c, .escaped = escaped };
	return i + escaped + 1;
}

/* A command that a shell would run where it stands: never taken for part of a secret. */
static bool runs_code(const struct cursor *t, size_t i)
{
	return at(t, i) == '`' || (at(t, i) == '$' && (at(t, i + 1) == '(' || at(t, i + 1) == '{'));
}

/* Backslashes from `i` on. In a string within a JSON string one before a quote ends it, and three make the quote part of
 * it; each pair of the inner string is four here. */
static size_t backslashes(const struct cursor *t, size_t i)
{
	size_t n = 0;

	while (at(t, i + n) == '\\')
		n++;
	return n;
}

/* The end of a value that begins at `i`. */
static size_t value_end(const struct cursor *t, size_t i, struct quoting q)
{
	for (; i < t->len; i++) {
		int c = at(t, i);

		if (q.quote == 0 ? ends_word(c) : is_line_end(c) || c == q.quote)
			break;
		if (q.quote != '\'' && runs_code(t, i))
			break;
		if (c != '\\' || (q.quote == '\'' && !q.escaped))
			continue;
		if (q.escaped) {
			size_t n = backslashes(t, i);

			if (at(t, i + n) == q.quote && n % 4 != 3)
				return i + n - n % 2;
			i += n;
		} else {
			i++;
		}
		if (is_line_end(at(t, i)))
			break;
	}
	return i < t->len ? i : t->len;
}

/* References and what was redacted before are no secrets. Looked at before the value's end is, to stay linear. */
static bool is_reference(const struct cursor *t, size_t i, struct quoting q)
{
	static const char *const starts[] = { "[redacted]", "env:", "{{", "%", "process.env", "os.environ", "<" };
	size_t end = i + 1;

	if (at(t, i) == '$' && q.quote != '\'') {
		while (is_alnum(at(t, end)) || at(t, end) == '_')
			end++;
		return q.quote == 0 || ends_word(at(t, end)) || at(t, end) == '\\' || runs_code(t, i);
	}
	for (size_t k = 0; k < ARRAY_LEN(starts); k++) {
		size_t n = strlen(starts[k]);

		if (t->len - i >= n && memcmp(t->p + i, starts[k], n) == 0)
			return true;
	}
	return runs_code(t, i) && q.quote != '\'';
}

static bool found(struct secret *ret, enum secret_kind kind, size_t start, size_t end)
{
	*ret = (struct secret){ .start = start, .end = end, .kind = kind };
	return true;
}

/* Shapes may follow any byte but a letter or digit: "key.ghp_…", "x-sk-…". */
static bool match_shapes(const struct cursor *t, size_t start, size_t end, struct secret *ret)
{
	for (size_t i = start; i < end; i++) {
		size_t n = i == start || !is_alnum(at(t, i - 1)) ? token_shape(t->p + i, t->len - i) : 0;

		if (n > 0)
			return found(ret, SECRET_SHAPE, i, i + n);
	}
	return false;
}

static bool ends_in(const struct cursor *t, size_t start, size_t end, const char *word)
{
	size_t n = strlen(word);

	return end - start >= n && strncasecmp(t->p + end - n, word, n) == 0;
}

/* -----BEGIN … PRIVATE KEY-----: all to the matching line, or to the end of a text that was cut before it. */
static bool match_pem(const struct cursor *t, size_t start, size_t end, struct secret *ret)
{
	size_t i = end, line;
	const char *close;

	if (!ends_in(t, start, end, "-----BEGIN"))
		return false;
	while (at(t, i) == ' ' || (at(t, i) >= 'A' && at(t, i) <= 'Z') || (at(t, i) >= '0' && at(t, i) <= '9'))
		i++;
	line = i;
	while (at(t, i) == '-')
		i++;
	if (i - line < 5 || !(ends_in(t, end, line, "PRIVATE KEY") || ends_in(t, end, line, "PRIVATE KEY BLOCK")))
		return false;
	close = memmem(t->p + i, t->len - i, "-----END", 8);
	return found(ret, SECRET_PEM, i, close ? (size_t)(close - t->p) : t->len);
}

/* Credentials end where the header does; parameters go on after a comma, and within their own quotes. */
static size_t credentials_end(const struct cursor *t, size_t start)
{
	bool nested = false;
	size_t i;

	for (i = start; i < t->len; i++) {
		int c = at(t, i);

		if (c == '"' && i > start && at(t, i - 1) == '=')
			nested = true;
		else if (c == '"' && nested)
			nested = false;
		else if (is_blank(c) && i > start && (at(t, i - 1) == ',' || nested))
			continue;
		else if (ends_word(c) || c == '\\' || runs_code(t, i))
			break;
	}
	return i;
}

/* What follows "Authorization:" — a scheme and its credentials, or a bare token. */
static bool match_authorization(const struct cursor *t, size_t end, struct secret *ret)
{
	struct quoting q;
	size_t i = skip_blanks(t, skip_quote(t, end, &q)), scheme, value;

	if (at(t, i) != ':' && at(t, i) != '=')
		return false;
	i = skip_quote(t, skip_blanks(t, i + 1), &q);
	for (scheme = i; is_alnum(at(t, scheme)) || at(t, scheme) == '-'; scheme++)
		;
	value = skip_blanks(t, scheme);
	if (value > scheme && scheme - i <= SCHEME_MAX)
		i = value;
	if (is_reference(t, i, q))
		return false;
	value = credentials_end(t, i);
	return value > i && found(ret, SECRET_AUTHORIZATION, i, value);
}

static bool match_bearer(const struct cursor *t, size_t end, struct secret *ret)
{
	struct quoting bare = { 0 };
	size_t i = skip_blanks(t, end), value;

	if (i == end || is_reference(t, i, bare))
		return false;
	value = value_end(t, i, bare);
	return value - i >= BEARER_MIN && found(ret, SECRET_AUTHORIZATION, i, value);
}

/* The least length a value must have after this name, or 0 when the name means nothing. */
static size_t secret_name(const struct cursor *t, size_t start, size_t end)
{
	static const struct {
		const char *word;
		size_t min;
	} words[] = {
		{ "password", PASSWORD_MIN }, { "passwd", PASSWORD_MIN }, { "passphrase", PASSWORD_MIN },
		{ "_pwd", PASSWORD_MIN }, { "_pass", PASSWORD_MIN }, { "secret", PASSWORD_MIN + 1 },
		{ "_auth", VALUE_MIN }, { "token", VALUE_MIN }, { "credential", VALUE_MIN }, { "credentials", VALUE_MIN },
		{ "apikey", PASSWORD_MIN + 1 }, { "accesskey", VALUE_MIN }, { "secretkey", PASSWORD_MIN + 1 },
		{ "privatekey", VALUE_MIN }, { "authkey", VALUE_MIN }, { "accountkey", VALUE_MIN },
	};

	while (end > start && (at(t, end - 1) == '_' || (at(t, end - 1) >= '0' && at(t, end - 1) <= '9')))
		end--;
	if (ends_in(t, start, end, "nopasswd")) /* a tag of sudoers(5): what follows is what may be run */
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (ends_in(t, start, end, words[i].word))
			return words[i].min;
	}
	/* "key" only as a word of its own: api_key, apiKey, --key, KEY, MYKEY; not monkey */
	if (ends_in(t, start, end, "key")) {
		size_t k = end - 3;
		bool upper = at(t, k) == 'K';

		if (k == start || !is_alnum(at(t, k - 1)) || upper)
			return VALUE_MIN;
	}
	return 0;
}

/* The separator between a name and its value; 0 when there is none. Options take a blank. */
static size_t skip_separator(const struct cursor *t, size_t start, size_t end)
{
	struct quoting q;
	size_t i = skip_quote(t, end, &q), sign = skip_blanks(t, i);
	int c = at(t, sign);

	if (c == ':' && at(t, sign + 1) == '/' && at(t, sign + 2) == '/')
		return 0;
	if (c == ':')
		return skip_blanks(t, sign + (at(t, sign + 1) == '=' ? 2 : 1));
	if (c == '=') {
		if (at(t, sign + 1) == '=' || at(t, sign + 1) == '~')
			return 0;
		if (at(t, sign + 1) == '>')
			return skip_blanks(t, sign + 2);
		/* in a shell `NAME= command` sets nothing and runs the command */
		return sign > i || q.quote ? skip_blanks(t, sign + 1) : sign + 1;
	}
	return at(t, start) == '-' && sign > i ? sign : 0;
}

static bool match_assignment(const struct cursor *t, size_t start, size_t end, struct secret *ret)
{
	size_t min = secret_name(t, start, end), i, value;
	struct quoting q;

	if (min == 0)
		return false;
	i = skip_separator(t, start, end);
	if (i == 0)
		return false;
	i = skip_quote(t, i, &q);
	/* an option's next word may be another option */
	if (is_reference(t, i, q) || (at(t, start) == '-' && q.quote == 0 && at(t, i) == '-'))
		return false;
	value = value_end(t, i, q);
	/* a bare word before a parenthesis is a call: code */
	if (value - i < min || (q.quote == 0 && at(t, value) == '('))
		return false;
	return found(ret, SECRET_ASSIGNMENT, i, value);
}

static bool is_user_option(const struct cursor *t, size_t start, size_t end)
{
	static const char *const names[] = { "--user", "--proxy-user" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (end - start == strlen(names[i]) && memcmp(t->p + start, names[i], end - start) == 0)
			return true;
	}
	/* -u, or a cluster that ends in it */
	if (end - start < 2 || at(t, start) != '-' || (at(t, end - 1) != 'u' && at(t, end - 1) != 'U'))
		return false;
	for (size_t i = start + 1; i < end; i++) {
		if (!is_alnum(at(t, i)))
			return false;
	}
	return true;
}

/* user:password as one word at `i`. */
static bool match_pair(const struct cursor *t, size_t i, struct secret *ret)
{
	struct quoting q;
	size_t colon, end;
	bool digits = true;

	i = skip_quote(t, i, &q);
	for (colon = i; is_token(at(t, colon)) || at(t, colon) == '%' || at(t, colon) == '+'; colon++)
		;
	/* host:/path is none, nor is $USER:$PASSWORD */
	if (colon == i || at(t, colon) != ':' || at(t, colon + 1) == '/' || is_reference(t, colon + 1, q))
		return false;
	end = value_end(t, colon + 1, q);
	for (size_t k = i; k < end; k++)
		digits = digits && ((at(t, k) >= '0' && at(t, k) <= '9') || k == colon);
	if (digits) /* uid:gid */
		return false;
	return end > colon + 1 && found(ret, SECRET_USERPASS, colon + 1, end);
}

static bool match_user(const struct cursor *t, size_t start, size_t end, struct secret *ret)
{
	size_t i;

	if (at(t, start) != '-')
		return false;
	if (is_user_option(t, start, end)) {
		i = at(t, end) == '=' ? end + 1 : skip_blanks(t, end);
		return i > end && match_pair(t, i, ret);
	}
	/* -uuser:password; the token ended at the colon */
	return end - start > 2 && at(t, start + 1) == 'u' && at(t, end) == ':' && match_pair(t, start + 2, ret);
}

/* ://user:password@ or ://token@, from the colon. */
static bool match_url(const struct cursor *t, size_t colon, struct secret *ret)
{
	size_t i = colon + 3, first = 0, last = 0, end;

	for (end = i; end < t->len && !ends_word(at(t, end)) && !strchr("/?#\\", at(t, end)); end++) {
		if (at(t, end) == ':' && first == 0)
			first = end;
		if (at(t, end) == '@')
			last = end;
	}
	if (last == 0)
		return false;
	if (first == 0 || first > last) /* a port, or nothing */
		return last - i >= USERINFO_MIN && found(ret, SECRET_URL, i, last);
	if (last == first + 1 || is_reference(t, first + 1, (struct quoting){ 0 }))
		return false;
	return found(ret, SECRET_URL, first + 1, last);
}

static bool match_token(const struct cursor *t, size_t start, size_t end, struct secret *ret)
{
	if (match_shapes(t, start, end, ret) || match_pem(t, start, end, ret))
		return true;
	if (ends_in(t, start, end, "authorization") && match_authorization(t, end, ret))
		return true;
	if (end - start == 6 && ends_in(t, start, end, "bearer") && match_bearer(t, end, ret))
		return true;
	return match_assignment(t, start, end, ret) || match_user(t, start, end, ret);
}

enum secret_kind secret_find(struct bytes text, size_t from, struct secret *ret)
{
	const struct cursor t = { text.p, text.len };
	size_t i = from, end;

	while (i < t.len) {
		if (at(&t, i) == ':' && at(&t, i + 1) == '/' && at(&t, i + 2) == '/' && match_url(&t, i, ret))
			return ret->kind;
		if (!is_token(at(&t, i))) {
			i++;
			continue;
		}
		for (end = i; is_token(at(&t, end)); end++)
			;
		if (match_token(&t, i, end, ret))
			return ret->kind;
		i = end;
	}
	*ret = (struct secret){ .start = t.len, .end = t.len };
	return SECRET_NONE;
}

void redact(struct textbuf *b, struct bytes text)
{
	struct secret s;
	size_t i = 0;

	while (secret_find(text, i, &s) != SECRET_NONE) {
		textbuf_append(b, text.p + i, s.start - i);
		textbuf_puts(b, "[redacted]");
		i = s.end;
	}
	if (i < text.len)
		textbuf_append(b, text.p + i, text.len - i);
}
