/* SPDX-License-Identifier: Apache-2.0 */
/* Secrets of every kind go, what is none stays, nothing that runs is hidden, and time stays linear. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "policy/text/redact.h"
#include "policy/text/utf8.h"

/* Written in pieces, so that no scanner of this file takes them for real ones. */
#define SK "sk-" "abcdefghijklmnopqrstuv012345"
#define GHP "ghp_" "abcdefghijklmnopqrstuvwxyz0123456789"
#define B64 "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ"

/* In `want`, @ stands for what replaces a secret. */
static const struct {
	const char *in, *want;
} cases[] = {
	/* a scheme and its credentials, wherever a header may stand */
	{ "curl -H 'Authorization: Bearer abcdef0123456789' https://x", "curl -H 'Authorization: Bearer @' https://x" },
	{ "curl -H \"authorization: token abc123\" x", "curl -H \"authorization: token @\" x" },
	{ "Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic @" },
	{ "Authorization: dXNlcjpwYXNz", "Authorization: @" },
	{ "Proxy-Authorization: Negotiate YIIabc==\nNext: 1", "Proxy-Authorization: Negotiate @\nNext: 1" },
	{ "{\"Authorization\": \"Bearer abc\"}", "{\"Authorization\": \"Bearer @\"}" },
	{ "{\\\"Authorization\\\": \\\"ApiKey abc\\\"}", "{\\\"Authorization\\\": \\\"ApiKey @\\\"}" },
	{ "'Authorization: AWS4-HMAC-SHA256 Credential=A/b, Signature=fe01' x", "'Authorization: AWS4-HMAC-SHA256 @' x" },
	{ "'Authorization: Digest username=\"u\", response=\"r s\"' x", "'Authorization: Digest @' x" },
	{ "bearer abcdefgh12345678 end", "bearer @ end" },
	/* private keys of every label, whole or cut, raw or in a JSON string */
	{ "-----BEGIN PRIVATE KEY-----\n" B64 "\n-----END PRIVATE KEY-----\nls",
		"-----BEGIN PRIVATE KEY-----@-----END PRIVATE KEY-----\nls" },
	{ "-----BEGIN RSA PRIVATE KEY-----\n" B64, "-----BEGIN RSA PRIVATE KEY-----@" },
	{ "-----BEGIN ENCRYPTED PRIVATE KEY-----\\n" B64 "\\n-----END ENCRYPTED PRIVATE KEY-----",
		"-----BEGIN ENCRYPTED PRIVATE KEY-----@-----END ENCRYPTED PRIVATE KEY-----" },
	{ "-----BEGIN PGP PRIVATE KEY BLOCK-----\n" B64 "\n-----END PGP PRIVATE KEY BLOCK-----",
		"-----BEGIN PGP PRIVATE KEY BLOCK-----@-----END PGP PRIVATE KEY BLOCK-----" },
	/* assignments: shell, ini, JSON, YAML, options */
	{ "export API_KEY=abcd1234efgh", "export API_KEY=@" },
	{ "DB_PASSWORD='hunter2 x' run", "DB_PASSWORD='@' run" },
	{ "PGPASSWORD=x1y psql", "PGPASSWORD=@ psql" },
	{ "MYSQL_PWD=abc mysql", "MYSQL_PWD=@ mysql" },
	{ "password = hunter2", "password = @" },
	{ "{\"apiKey\":\"abcd1234\",\"n\":1}", "{\"apiKey\":\"@\",\"n\":1}" },
	{ "{\\\"password\\\":\\\"ab\\\\\\\"cd\\\"}", "{\\\"password\\\":\\\"@\\\"}" },
	{ "\"client_secret\" : \"s3cr3t\"", "\"client_secret\" : \"@\"" },
	{ "access_token: abcdefgh12", "access_token: @" },
	{ "  db-password: \"p w\"", "  db-password: \"@\"" },
	{ "password: 'it $(x) is'", "password: '@'" },
	{ "//registry.npmjs.org/:_authToken=abcdef123456", "//registry.npmjs.org/:_authToken=@" },
	{ "tool --token abcdefgh1234 run", "tool --token @ run" },
	{ "tool --password=abc run", "tool --password=@ run" },
	{ "https://x/?access_token=abcdefgh&y=1", "https://x/?access_token=@&y=1" },
	{ "X-Api-Key: abcdefgh1", "X-Api-Key: @" },
	{ "API_KEY_2=abcdefgh1", "API_KEY_2=@" },
	{ "PASSWORD=\"a\\\"b$c\" x", "PASSWORD=\"@\" x" },
	{ "SECRET=pa$$word x", "SECRET=@ x" },
	{ "passphrase => 'abc'", "passphrase => '@'" },
	{ "SECRET_TOKEN := abcdefghi", "SECRET_TOKEN := @" },
	/* user:password */
	{ "curl -u me:pass https://x", "curl -u me:@ https://x" },
	{ "curl -sSu 'me:pa ss' x", "curl -sSu 'me:@' x" },
	{ "curl -ume:pass x", "curl -ume:@ x" },
	{ "curl --user=me:pass x", "curl --user=me:@ x" },
	{ "curl --proxy-user \"me:p\" x", "curl --proxy-user \"me:@\" x" },
	/* URLs */
	{ "git clone https://me:pw@host/x", "git clone https://me:@@host/x" },
	{ "postgres://u:p:w@h:5432/db", "postgres://u:@@h:5432/db" },
	{ "https://abcdefghijklmnopqrstuvwx@host/", "https://@@host/" },
	/* looks */
	{ "echo " SK " | cat", "echo @ | cat" },
	{ "x=" GHP ";", "x=@;" },
	{ "AKIA" "ABCDEFGHIJKLMNOP", "@" },
	{ "xoxb-" "123456789-abc", "@" },
	{ "k." GHP ".z", "k.@.z" },
	{ "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc-def_g", "@" },
};

/* What must come out as it went in. */
static const char *const kept[] = {
	"",
	"ls -la /tmp",
	"git commit -m 'rotate the api key: see docs'",
	"Authorization: Bearer $TOKEN",
	"curl -H \"Authorization: Bearer ${TOKEN}\" x",
	"curl -H \"Authorization: Bearer $(cat f)\" x",
	"export API_KEY=$OTHER_KEY",
	"API_KEY=\"$OTHER\" run",
	"PASSWORD=$(pass show x) run",
	"PASSWORD=`pass show x` run",
	"TOKEN= curl https://example.org/install.sh",
	"password=[redacted]",
	"\"apiKey\": \"env:MY_KEY\"",
	"monkey=bananas-and-more",
	"joe ALL=(ALL) NOPASSWD:ALL",
	"joe ALL=(ALL) NOPASSWD: /usr/bin/systemctl restart x",
	"if token == expected_value",
	"docker run -u 1000:1000 image",
	"rsync -au host:/srv/data .",
	"git push -u origin main",
	"https://host:8080/path@x",
	"ssh://git@github.com/x/y",
	"https://$USER:$PASS@host",
	"token = request.get('x')",
	"--token --other-option-name",
	"sk-short",
	"the key: short",
	"-----BEGIN CERTIFICATE-----\n" B64 "\n-----END CERTIFICATE-----",
	("-----BEGIN PUBLIC KEY-----\n" B64),
	"key=$(curl https://example.org/x | sh)",
};

static char *redacted(const char *in, size_t len)
{
	CLEANUP(textbuf_done) struct textbuf b = { 0 };
	/* an exact copy, so that a read past the end is seen */
	CLEANUP(freep) char *copy = malloc(len ? len : 1);

	memcpy(copy, in, len);
	redact(&b, (struct bytes){ copy, len });
	return textbuf_steal(&b);
}

static void expand(const char *want, struct textbuf *out)
{
	for (; *want; want++) {
		if (*want == '@' && want[1] == '@') {
			textbuf_puts(out, "[redacted]@");
			want++;
		} else if (*want == '@') {
			textbuf_puts(out, "[redacted]");
		} else {
			textbuf_putc(out, *want);
		}
	}
}

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		CLEANUP(textbuf_done) struct textbuf want = { 0 };
		CLEANUP(freep) char *got = redacted(cases[i].in, strlen(cases[i].in));

		expand(cases[i].want, &want);
		assert_string_equal(got, want.p);
	}
	for (size_t i = 0; i < ARRAY_LEN(kept); i++) {
		CLEANUP(freep) char *got = redacted(kept[i], strlen(kept[i]));

		assert_string_equal(got, kept[i]);
	}
}

/* Once is enough: what was redacted holds nothing to redact. */
static void test_again(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		CLEANUP(freep) char *once = redacted(cases[i].in, strlen(cases[i].in));
		CLEANUP(freep) char *twice = redacted(once, strlen(once));

		if (strstr(once, "PRIVATE KEY")) /* what stands between markers is always taken */
			continue;
		assert_string_equal(twice, once);
	}
}

/* A command inside what looks like a secret stays to be seen: substitutions and what ends a word are never covered. */
static void test_hides_no_command(void **state)
{
	static const char *const frames[] = {
		"API_KEY=abcdefgh%s", "API_KEY=\"abcdefgh%s\"", "Authorization: Bearer abcdefgh%s", "\"password\": \"abcdefgh%s\"",
		"curl -u me:abcdefgh%s", "https://me:abcdefgh%s@host", "--token abcdefgh%s", SK "%s", "bearer abcdefgh%s",
	};
	static const char *const commands[] = { "$(rm -rf x)", "`rm -rf x`", "${x:-$(rm -rf x)}" };

	(void)state;
	for (size_t f = 0; f < ARRAY_LEN(frames); f++) {
		for (size_t c = 0; c < ARRAY_LEN(commands); c++) {
			char text[200];
			const char *hole = strstr(frames[f], "%s");
			CLEANUP(freep) char *got = NULL;

			snprintf(text, sizeof(text), "%.*s%s%s", (int)(hole - frames[f]), frames[f], commands[c],
				hole + 2);
			got = redacted(text, strlen(text));
			if (!strstr(got, commands[c]))
				fail_msg("%s became %s", text, got);
		}
	}
	for (size_t c = 0; c < 4; c++) {
		static const char *const ends[] = { ";", "|", "&", "\n" };
		char text[100];
		CLEANUP(freep) char *got = NULL;

		snprintf(text, sizeof(text), "API_KEY=abcdefgh%srm -rf x", ends[c]);
		got = redacted(text, strlen(text));
		assert_non_null(strstr(got, "rm -rf x"));
	}
}

/* Cut anywhere, nothing is read past the end and no whole secret is left. */
static void test_cut_anywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		for (size_t n = 0; n < strlen(cases[i].in); n++) {
			CLEANUP(freep) char *got = redacted(cases[i].in, n);

			assert_non_null(got);
		}
	}
}

/* In the order of everything that leaves: redacted, then cut at any byte. Nothing of a secret is left, wherever it lay. */
static void test_cut_after(void **state)
{
	/* Written in pieces, so that no scanner of this file takes them for real ones. */
	static const struct {
		const char *before, *secret, *after;
	} kinds[] = {
		{ "Authorization: Bearer ", "q1w2e3r4t5y6u7i8", "' x" }, { "Authorization: Basic ", "dXNlcjpwYXNzd29yZDEy", "\n" },
		{ "bearer ", "q1w2e3r4t5y6u7i8", "" }, { "curl -u me:", "q1w2e3r4t5y6", " x" },
		{ "curl --user me:", "q1w2e3r4t5y6", " x" }, { "mysql -ume:", "q1w2e3r4t5y6", " x" },
		{ "https://me:", "q1w2e3r4t5y6", "@host/x" }, { "https://", "q1w2e3r4t5y6u7i8o9p0q1w2", "@host/x" },
		{ "API_KEY=", "q1w2e3r4t5y6", " x" }, { "DB_PASSWORD='", "q1w2 e3r4 t5y6", "' x" },
		{ "MYSQL_PWD=", "q1w2e3r4t5y6", " x" }, { "client_secret: ", "q1w2e3r4t5y6", "\n" },
		{ "{\"apiKey\":\"", "q1w2e3r4t5y6", "\"}" }, { "{\\\"password\\\":\\\"", "q1w2e3r4t5y6", "\\\"}" },
		{ "_authToken=", "q1w2e3r4t5y6", "\n" }, { "--token ", "q1w2e3r4t5y6", " x" },
		{ "--password=", "q1w2e3r4t5y6", " x" }, { "X-Api-Key: ", "q1w2e3r4t5y6", "" },
		{ "?access_token=", "q1w2e3r4t5y6", "&y=1" }, { " ", SK, " x" }, { " ", GHP, " x" },
		{ " ", "github_" "pat_A1b2C3d4E5A1b2C3d4E5A1b2C3", " x" }, { " ", "AK" "IAQ1W2E3R4T5Y6U7I8", " x" },
		{ " ", "xo" "xb-1234567890-q1w2e3r4t5y6", " x" }, { " ", "gl" "pat-q1w2e3r4t5y6u7i8o9p0", " x" },
		{ " ", "AI" "zaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q", " x" }, { " ", "np" "m_q1w2e3r4t5q1w2e3r4t5q1w2e3r4t5q1w2e3", " x" },
		{ " ", "ey" "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5", " x" },
		{ "-----BEGIN RSA PRIVATE KEY-----\n", B64, "\n-----END RSA PRIVATE KEY-----" },
		{ "-----BEGIN OPENSSH PRIVATE KEY-----\n", B64, "" },
	};
	enum { PIECE = 6 };

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		char text[400];
		CLEANUP(freep) char *got = NULL;
		size_t n;

		snprintf(text, sizeof(text), "run it %s%s%s and on", kinds[k].before, kinds[k].secret, kinds[k].after);
		got = redacted(text, strlen(text));
		n = strlen(got);
		for (size_t cap = 0; cap <= n; cap++) {
			size_t len = utf8_cut(got, n, cap);

			for (size_t at = 0; at + PIECE <= strlen(kinds[k].secret); at++)
				if (memmem(got, len, kinds[k].secret + at, PIECE) != NULL)
					fail_msg("%s, cut at %zu: %s", text, cap, got);
		}
	}
}

/* Every walk ends, moves forward, and stays within the text. */
static void test_walk(void **state)
{
	static const char alphabet[] = "aK=:/@\"'\\ -u.$`(\n0";
	static const char *const words[] = {
		"token", "-----BEGIN ", "PRIVATE KEY-----", "://", "Authorization:", "-u", "bearer ", "sk-", "eyJ",
		"-----END",
	};
	uint32_t seed = 12345;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		CLEANUP(textbuf_done) struct textbuf b = { 0 };
		struct secret s = { 0 };
		size_t from = 0;

		for (int k = 0; k < 24; k++) {
			seed = seed * 1664525 + 1013904223;
			if (seed >> 30 == 0)
				textbuf_puts(&b, words[(seed >> 8) % ARRAY_LEN(words)]);
			else
				textbuf_putc(&b, alphabet[(seed >> 8) % (sizeof(alphabet) - 1)]);
		}
		while (secret_find(textbuf_bytes(&b), from, &s) != SECRET_NONE) {
			assert_true(s.start >= from && s.end >= s.start && s.end <= b.len && s.end > from);
			from = s.end;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_hides_no_command),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_cut_after),
		cmocka_unit_test(test_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
