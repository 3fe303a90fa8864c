/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The editor that git rebase -i gives its list to (git-rebase(1), "INTERACTIVE MODE"), where it is a sed that drops
 * lines or changes what is done with a commit. The list may run commands (`exec`, `x`), so that nothing else is known:
 * neither a text that is put in, nor one that would be made of a commit's subject.
 */
#include "worker/rules/internal.h"

struct text {
	const char *p, *end;
};

static char at(const struct text *t)
{
	return t->p < t->end ? *t->p : '\0';
}

static bool step(struct text *t, char c)
{
	if (at(t) != c || c == '\0')
		return false;
	t->p++;
	return true;
}

static bool digits(struct text *t)
{
	const char *from = t->p;

	while (at(t) >= '0' && at(t) <= '9')
		t->p++;
	return t->p > from;
}

/* A number, the last line, or lines that match; nothing: all of them. */
static bool address(struct text *t)
{
	if (step(t, '$') || digits(t))
		return true;
	if (!step(t, '/'))
		return false;
	while (at(t) != '\0' && at(t) != '/')
		t->p += at(t) == '\\' && t->end - t->p > 1 ? 2 : 1;
	return step(t, '/');
}

/* WORD, or WORD and a commit's name. */
static bool word_and_commit(struct text *t, bool pick)
{
	static const char *const words[] = { "pick", "edit", "squash", "fixup", "reword", "drop", "e", "s", "f", "r",
		"d", "p" };
	const char *from;
	struct bytes word;

	if (pick)
		step(t, '^');
	from = t->p;
	while (at(t) >= 'a' && at(t) <= 'z')
		t->p++;
	word = (struct bytes){ from, (size_t)(t->p - from) };
	if (step(t, ' '))
		while ((at(t) >= '0' && at(t) <= '9') || (at(t) >= 'a' && at(t) <= 'f'))
			t->p++;
	for (size_t i = 0; i < (pick ? 1 : ARRAY_LEN(words)); i++)
		if (bytes_is(word, words[i]))
			return true;
	return false;
}

static bool commands(struct text *t)
{
	do {
		while (step(t, ' '))
			continue;
		if (address(t) && step(t, ',') && !address(t))
			return false;
		step(t, '!');
		if (step(t, 'd'))
			continue;
		if (!step(t, 's') || !step(t, '/') || !word_and_commit(t, true) || !step(t, '/') ||
			!word_and_commit(t, false) || !step(t, '/'))
			return false;
	} while (step(t, ';'));
	return t->p == t->end;
}

bool edits_sequence(struct bytes value)
{
	static const char *const beginnings[] = { "sed -i ", "sed -i -e ", "sed -i -E ", "sed -i.bak ",
		"sed -i.bak -e " };
	struct text t = { value.p, value.p + value.len };
	char quote;

	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++) {
		size_t n = strlen(beginnings[i]);
		struct text script = t;

		if (value.len <= n || memcmp(value.p, beginnings[i], n) != 0)
			continue;
		script.p += n;
		quote = at(&script);
		if (quote == '\'' || quote == '"') {
			if (script.end - script.p < 3 || script.end[-1] != quote ||
				memchr(script.p + 1, quote, (size_t)(script.end - script.p - 2)) != NULL)
				continue;
			script = (struct text){ script.p + 1, script.end - 1 };
		} else if (memchr(script.p, ' ', (size_t)(script.end - script.p)) != NULL) {
			continue;
		}
		/* The shell that git gives it to would expand these. */
		for (const char *p = script.p; p < script.end; p++)
			if (strchr(quote == '\'' ? "\n" : "`\\\n*?~&|<>(){}'\"#", *p) != NULL ||
				(*p == '$' && quote != '\'' && p + 1 < script.end && strchr("d,!", p[1]) == NULL))
				return false;
		if (commands(&script))
			return true;
	}
	return false;
}
