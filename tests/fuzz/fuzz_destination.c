/* SPDX-License-Identifier: Apache-2.0 */
/* Destinations and values of variables from any text: what is said of them holds, and nothing foreign is sanctioned. */
#include <stdio.h>
#include <stdlib.h>

#include "policy/destination.h"
#include "policy/environment.h"

#define REQUIRE(what) do { \
	if (!(what)) { \
		fprintf(stderr, "does not hold: %s\n", #what); \
		abort(); \
	} \
} while (0)

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool holds_folded(struct bytes text, const char *what)
{
	size_t n = strlen(what);

	for (size_t i = 0; i + n <= text.len; i++) {
		size_t k = 0;

		while (k < n && lower(text.p[i + k]) == what[k])
			k++;
		if (k == n)
			return true;
	}
	return false;
}

static void check_form(struct bytes text, enum destination_form form)
{
	static struct bytes entries[] = { { "forge.example.net", 17 }, { "github.com/octo", 15 } };
	const struct string_list list = { entries, ARRAY_LEN(entries) };
	struct destination d;
	bool ours;

	destination_parse(text, form, &d);
	ours = destination_is_sanctioned(&d, &list);
	if (d.kind != DESTINATION_HOST) {
		REQUIRE(!ours);
		return;
	}
	REQUIRE(d.host[0] != '\0' && strlen(d.host) < sizeof(d.host) && strlen(d.path) < sizeof(d.path));
	REQUIRE(strpbrk(d.host, "@/\\?#%[] ") == NULL && strpbrk(d.path, "\\%?# ") == NULL);
	REQUIRE(d.path[0] == '\0' || (d.path[0] == '/' && strstr(d.path, "/../") == NULL));
	for (const char *c = d.host; *c != '\0'; c++)
		REQUIRE(lower(*c) == *c);
	/* What is sanctioned is named by the text itself; a forge's default host need not be. */
	if (ours && strcmp(d.host, "forge.example.net") == 0)
		REQUIRE(holds_folded(text, "forge.example.net"));
	if (ours && strcmp(d.host, "github.com") == 0)
		REQUIRE(holds_folded(text, "octo") && strncmp(d.path, "/octo", 5) == 0);
	REQUIRE(!(ours && destination_is_loopback(&d)));
}

/* A shell, or a program's own reader, is handed nothing but words that are in the tables. */
static void check_values(struct bytes text)
{
	static const char signs[] = "$`;|&<>()'\"\\*?[]{}\n\t";

	REQUIRE(!environment_value_is_harmless(ENVIRONMENT_CLOSES, text));
	REQUIRE(!environment_value_is_harmless(ENVIRONMENT_GIT_VALUE, text));
	for (int kind = ENVIRONMENT_NODE; kind <= ENVIRONMENT_SSH; kind++) {
		if (!environment_value_is_harmless((enum environment_value)kind, text))
			continue;
		for (size_t i = 0; i < text.len; i++)
			REQUIRE(text.p[i] == '\0' || strchr(signs, text.p[i]) == NULL);
		REQUIRE(text.len == 0 || memchr(text.p, '\0', text.len) == NULL);
		if (kind == ENVIRONMENT_NODE || kind == ENVIRONMENT_JAVA)
			REQUIRE(!holds_folded(text, "/") && !holds_folded(text, "require") && !holds_folded(text, "agent:"));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes text = { (const char *)data, size };

	for (int form = FORM_URL; form <= FORM_FORGE; form++)
		check_form(text, (enum destination_form)form);
	check_values(text);
	return 0;
}
