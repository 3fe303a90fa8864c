/* SPDX-License-Identifier: Apache-2.0 */
/* Which programs a repository's settings make git run, and by which of its subcommands. */
#include <ctype.h>
#include <strings.h>

#include "policy/git_facts.h"

enum harmless {
	HARMLESS_NONE,
	HARMLESS_BOOLEAN, /* only turns git's own on or off */
	HARMLESS_LFS, /* what `git lfs install` writes */
	HARMLESS_NOT_HELPER, /* a URL that names no remote helper */
	HARMLESS_SUBSECTION_NOT_HELPER,
	HARMLESS_BARE_NAME, /* git-credential-NAME */
	HARMLESS_NOT_BANG,
};

struct key {
	const char *section, *key;
	uint32_t occasion;
	enum harmless harmless;
};

static const struct key keys[] = {
#define GIT_KEY(section, key, occasion, harmless) { section, key, GIT_RUNS_##occasion, HARMLESS_##harmless },
#include "policy/git_runs.def"
};

static const struct {
	const char *name;
	uint32_t occasions;
} verbs[] = {
#define GIT_VERB(subcommand, occasions) { subcommand, occasions },
#include "policy/git_runs.def"
};

uint32_t git_runs_during(uint32_t runs, struct bytes subcommand)
{
	uint32_t occasions = GIT_RUNS__ALL;

	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		if (bytes_is(subcommand, verbs[i].name))
			occasions = verbs[i].occasions;
	/* With objects missing, whatever reads one may fetch it. */
	if ((runs & GIT_RUNS_PARTIAL) != 0 && occasions != 0)
		occasions |= GIT_RUNS_TRANSPORT | GIT_RUNS_CREDENTIAL;
	return runs & occasions;
}

static bool is_one_of(struct bytes value, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes_is(value, list[i]))
			return true;
	return false;
}

static bool is_boolean(struct bytes value)
{
	static const char *const words[] = { "true", "yes", "on", "false", "no", "off", "1", "0", "" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (value.len == strlen(words[i]) && strncasecmp(value.p, words[i], value.len) == 0)
			return true;
	return false;
}

/* helper::address runs git-remote-helper; so does scheme:// of a scheme that git does not know itself (transport.c). */
static bool names_helper(struct bytes url)
{
	static const char *const schemes[] = { "http", "https", "ssh", "git", "file", "git+ssh", "ssh+git", "ftp",
		"ftps" };
	size_t n = 0;

	while (n < url.len && (isalnum((unsigned char)url.p[n]) || (n > 0 && strchr("+-.", url.p[n]) != NULL)))
		n++;
	if (url.len - n >= 2 && memcmp(url.p + n, "::", 2) == 0)
		return true;
	return n > 0 && url.len - n >= 3 && memcmp(url.p + n, "://", 3) == 0 &&
		!is_one_of((struct bytes){ url.p, n }, schemes, ARRAY_LEN(schemes));
}

static bool is_bare_name(struct bytes value)
{
	for (size_t i = 0; i < value.len; i++)
		if (!((value.p[i] >= 'a' && value.p[i] <= 'z') || (value.p[i] == '-' && i > 0)))
			return false;
	return true;
}

static bool is_harmless(enum harmless h, struct bytes value, struct bytes subsection, bool has_value)
{
	static const char *const lfs[] = { "git-lfs clean -- %f", "git-lfs smudge -- %f", "git-lfs filter-process",
		"git-lfs smudge --skip -- %f", "git-lfs filter-process --skip" };

	switch (h) {
	case HARMLESS_BOOLEAN:
		return !has_value || is_boolean(value);
	case HARMLESS_LFS:
		return has_value && is_one_of(value, lfs, ARRAY_LEN(lfs));
	case HARMLESS_NOT_HELPER:
		return has_value && !names_helper(value);
	case HARMLESS_SUBSECTION_NOT_HELPER:
		return !names_helper(subsection);
	case HARMLESS_BARE_NAME:
		return has_value && is_bare_name(value);
	case HARMLESS_NOT_BANG:
		return has_value && (value.len == 0 || value.p[0] != '!');
	case HARMLESS_NONE:
	default:
		return false;
	}
}

uint32_t git_runs_by(struct bytes name, struct bytes value, bool has_value)
{
	const char *first = memchr(name.p, '.', name.len), *last = memrchr(name.p, '.', name.len);
	struct bytes section, key, subsection = { "", 0 };
	uint32_t runs = 0;

	if (first == NULL)
		return 0;
	section = (struct bytes){ name.p, (size_t)(first - name.p) };
	key = (struct bytes){ last + 1, name.len - (size_t)(last + 1 - name.p) };
	if (last > first)
		subsection = (struct bytes){ first + 1, (size_t)(last - first - 1) };
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (bytes_is(section, keys[i].section) &&
			(strcmp(keys[i].key, "*") == 0 || bytes_is(key, keys[i].key)) &&
			!is_harmless(keys[i].harmless, value, subsection, has_value))
			runs |= keys[i].occasion;
	return runs;
}
