/* SPDX-License-Identifier: Apache-2.0 */
/* The forms of sanctionedRemotes, each against destinations that it covers and that only look as if it did. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "policy/destination.h"

static const struct {
	const char *entry, *text;
	enum destination_form form;
	bool covered;
} rows[] = {
	/* a host, whatever path, port and user */
	{ "forge.example.net", "https://forge.example.net/any/thing", FORM_URL, true },
	{ "forge.example.net", "https://u:p@FORGE.example.net.:8443/x", FORM_URL, true },
	{ "Forge.Example.Net", "git@forge.example.net:o/r.git", FORM_REMOTE, true },
	{ "forge.example.net", "ssh://git@forge.example.net:22/o/r", FORM_REMOTE, true },
	{ "forge.example.net", "forge.example.net/o/r", FORM_FORGE, true },
	{ "forge.example.net/", "https://forge.example.net/x", FORM_URL, true },
	{ "forge.example.net", "https://a.forge.example.net/", FORM_URL, false },
	{ "forge.example.net", "https://forge.example.net.evil.example/", FORM_URL, false },
	{ "forge.example.net", "https://forge.example.net@evil.example/", FORM_URL, false },
	{ "forge.example.net", "https://evil.example/forge.example.net", FORM_URL, false },
	{ "forge.example.net", "https://evil.example\\@forge.example.net/", FORM_URL, false },
	{ "forge.example.net", "https://forge.example.net:pw@evil.example/", FORM_URL, false },
	{ "forge.example.net", "https://forge.example.net#@evil.example/", FORM_URL, false },
	/* subdomains, and only those */
	{ "*.example.net", "https://a.example.net/", FORM_URL, true },
	{ "*.example.net", "https://a.b.example.net/", FORM_URL, true },
	{ "*.example.net", "https://example.net/", FORM_URL, false },
	{ "*.example.net", "https://notexample.net/", FORM_URL, false },
	{ "*.example.net/x", "https://a.example.net/x", FORM_URL, false },
	/* an owner, and a repository */
	{ "github.com/octo", "https://github.com/octo/app", FORM_URL, true },
	{ "github.com/octo/", "git@github.com:octo/app.git", FORM_REMOTE, true },
	{ "github.com/OCTO", "octo/app", FORM_FORGE, true },
	{ "github.com/octo", "https://github.com/octopus/app", FORM_URL, false },
	{ "github.com/octo", "https://github.com/x/../octo/../evil/app", FORM_URL, false },
	{ "github.com/octo", "https://github.com/x/../octo/app", FORM_URL, true },
	{ "github.com/octo", "https://github.com/octo%2f..%2fevil", FORM_URL, false },
	{ "github.com/octo", "https://github.com", FORM_URL, false },
	{ "github.com/octo", "https://gist.github.com/octo", FORM_URL, false },
	{ "github.com/octo/app", "https://github.com/octo/app.git", FORM_URL, true },
	{ "github.com/octo/app.git", "https://github.com/octo/app", FORM_URL, true },
	{ "github.com/octo/app.git", "git@github.com:octo/app.git", FORM_REMOTE, true },
	{ "github.com/octo/app", "https://github.com/octo/app.gitx", FORM_URL, false },
	{ "github.com/octo/app", "https://github.com/octo/app2", FORM_URL, false },
	{ "github.com/octo/app", "https://api.github.com/repos/octo/app/issues", FORM_URL, true },
	{ "github.com/octo/app", "https://uploads.github.com/repos/octo/app/releases/1/assets", FORM_URL, true },
	{ "github.com/octo/app", "https://api.github.com/repos/evil/app/issues", FORM_URL, false },
	{ "gist.github.com", "https://gist.github.com/", FORM_URL, false },
	/* what follows the colon is a path, unless it is a port */
	{ "forge.example.net/o", "forge.example.net:o/r", FORM_REMOTE, true },
	{ "forge.example.net/o", "forge.example.net:evil/o/r", FORM_REMOTE, false },
	{ "forge.example.net/o", "forge.example.net:22/o", FORM_REMOTE, false },
	{ "forge.example.net/o", "forge.example.net:evil/o", FORM_URL, false },
	/* networks, and one address in every way of writing it */
	{ "10.1.0.0/16", "http://10.1.2.3:8080/x", FORM_URL, true },
	{ "10.1.0.0/16", "http://10.2.0.1/", FORM_URL, false },
	{ "10.1.0.0/16", "http://[::ffff:10.1.2.3]/", FORM_URL, true },
	{ "192.0.2.7", "http://192.0.2.7/", FORM_URL, true },
	{ "192.0.2.7", "http://[::ffff:c000:207]/", FORM_URL, true },
	{ "2001:db8::1", "http://[2001:0DB8:0:0:0:0:0:1]/", FORM_URL, true },
	{ "2001:db8::1", "http://[2001:db8::2]/", FORM_URL, false },
	{ "10.0.0.0/33", "http://10.0.0.1/", FORM_URL, false },
	/* buckets are named by who keeps them */
	{ "storage.googleapis.com/ours", "gs://ours/x", FORM_URL, true },
	{ "storage.googleapis.com/ours", "gs://ours-not/x", FORM_URL, false },
	{ "s3.amazonaws.com/ours", "S3://ours/x", FORM_URL, true },
	{ "ours", "s3://ours/x", FORM_URL, false },
	{ "forge.example.net", "s3://forge.example.net/x", FORM_URL, false },
	/* no form of the list: sanctions nothing */
	{ "https://forge.example.net", "https://forge.example.net/", FORM_URL, false },
	{ "git@forge.example.net", "git@forge.example.net:x", FORM_REMOTE, false },
	{ "forge.example.net:8443", "https://forge.example.net:8443/", FORM_URL, false },
	{ "github.com/octo/..", "https://github.com/evil", FORM_URL, false },
	{ "*", "https://forge.example.net/", FORM_URL, false },
	{ "", "https://forge.example.net/", FORM_URL, false },
};

static void test_entries(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct bytes entry = { rows[i].entry, strlen(rows[i].entry) };
		const struct string_list list = { &entry, 1 };
		struct destination d;

		destination_parse((struct bytes){ rows[i].text, strlen(rows[i].text) }, rows[i].form, &d);
		if (destination_is_sanctioned(&d, &list) != rows[i].covered)
			fail_msg("%s, %s: read as %s%s", rows[i].entry, rows[i].text, d.host, d.path);
	}
}

static void test_kinds(void **state)
{
	static const struct {
		const char *text;
		enum destination_form form;
		enum destination_kind kind;
		bool loopback;
	} kinds[] = {
		{ "/srv/x.git", FORM_REMOTE, DESTINATION_LOCAL, true },
		{ "file:///srv/x", FORM_REMOTE, DESTINATION_LOCAL, true },
		{ "~/x", FORM_REMOTE, DESTINATION_LOCAL, true },
		{ "http://[::1]:3000/", FORM_URL, DESTINATION_HOST, true },
		{ "http://127.9.9.9/", FORM_URL, DESTINATION_HOST, true },
		{ "http://[::ffff:127.0.0.1]/", FORM_URL, DESTINATION_HOST, true },
		{ "localhost:3000", FORM_URL, DESTINATION_HOST, true },
		{ "http://localhost.evil.example/", FORM_URL, DESTINATION_HOST, false },
		{ "http://127.0.0.1.evil.example/", FORM_URL, DESTINATION_HOST, false },
		{ "-oProxyCommand=x", FORM_REMOTE, DESTINATION_UNKNOWN, false },
		{ "https://f\xc3\xb6rge.example.net/", FORM_URL, DESTINATION_UNKNOWN, false },
		{ "https:///x", FORM_URL, DESTINATION_UNKNOWN, false },
		{ "https://[::1/x", FORM_URL, DESTINATION_UNKNOWN, false },
		{ "https://[::1]x/", FORM_URL, DESTINATION_UNKNOWN, false },
		{ "", FORM_URL, DESTINATION_UNKNOWN, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct destination d;

		destination_parse((struct bytes){ kinds[i].text, strlen(kinds[i].text) }, kinds[i].form, &d);
		if (d.kind != kinds[i].kind || destination_is_loopback(&d) != kinds[i].loopback)
			fail_msg("%s: kind %d, %s", kinds[i].text, d.kind, d.host);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
