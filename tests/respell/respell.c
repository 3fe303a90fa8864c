/* SPDX-License-Identifier: Apache-2.0 */
/* Other spellings of a whole line: its words, what stands in front of its commands, and what is put around
 * it. */
#include "tests/respell/respell.h"

#include "worker/commands/model.h"

enum { EDITS_MAX = 16 };

struct edit {
	const char *from, *to;
	struct spelling *text;
};

struct task {
	struct random *random;
	struct arena *arena;
	struct bytes line;
	const struct script *script;
	struct edit edits[EDITS_MAX];
	size_t n_edits;
	bool names_change; /* the line defines functions: a path or a wrapper would run something else */
};

static void add_text(struct spelling *s, const char *text)
{
	spelling_add(s, text, strlen(text));
}

static bool one_in(const struct task *t, uint32_t n)
{
	return random_below(t->random, n) == 0;
}

static bool inside(const struct task *t, struct bytes b)
{
	return b.p >= t->line.p && b.p + b.len <= t->line.p + t->line.len;
}

static bool are_blanks(const char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != ' ' && *from != '\t')
			return false;
	return true;
}

/* Of printf the shell's own takes an option, -v, that the program does not have; kill behind sudo reaches
 * others. */
static bool is_program(struct bytes name)
{
	const struct command_model *m = model_by_name(name);

	return m != NULL && (m->syntax & SHELL_ONLY) == 0 && !bytes_is(name, "printf") &&
		!bytes_is(name, "kill");
}

/* A value that does not hang on what stands around the word, and no digits that a redirection would take for
 * its own. */
static bool is_free(const struct task *t, const struct word *w, bool first)
{
	const char *end = w->src.p + w->src.len;

	if (!w->is_static || (w->flags & ~(uint32_t)WORD_QUOTED) != 0 ||
		memchr(w->value.p, '\0', w->value.len) != NULL ||
		memmem(w->value.p, w->value.len, "{}", 2) != NULL)
		return false;
	/* Quoted, a builtin that declares reads its operands in another way, and an alias is none. */
	if (first &&
		(t->names_change || !is_program(w->value) || memchr(w->value.p, '=', w->value.len) != NULL))
		return false;
	return end == t->line.p + t->line.len || strchr(" \t\n;|&)", *end) != NULL;
}

static const struct {
	const char *text;
	bool same_causes; /* not of `command`, behind which the shell's own may set variables */
} wrappers[] = {
	{ "sudo ", true },
	{ "sudo -n ", true },
	{ "sudo -- ", true },
	{ "env ", true },
	{ "command ", false },
	{ "nice ", true },
	{ "nice -n 10 ", true },
	{ "timeout 60 ", true },
	{ "timeout -s KILL 5m ", true },
	{ "nohup ", false },
	{ "stdbuf -oL ", true },
	{ "ionice -c3 ", true },
	{ "/usr/bin/env ", true },
	{ "command -- ", false },
};

static void add_wrappers(struct task *t, struct spelling *s)
{
	for (uint32_t n = 1 + random_below(t->random, 2); n > 0; n--) {
		uint32_t i = random_below(t->random, ARRAY_LEN(wrappers));
		const char *w = wrappers[i].text;

		/* behind another program only programs can stand: `command` is the shell's own */
		if (s->len > 0 && strncmp(w, "command", 7) == 0)
			continue;
		add_text(s, w);
		spelling_note(s, w);
		s->same_causes &= wrappers[i].same_causes;
	}
}

static void add_blank(struct task *t, struct spelling *s)
{
	static const char *const blanks[] = { " ", " ", " ", "  ", "\t", " \\\n", "\\\n " };

	add_text(s, blanks[random_below(t->random, ARRAY_LEN(blanks))]);
}

static bool collect(const struct task *t, const struct simple_command *c, struct token *tokens)
{
	const struct word *w = c->words;
	const char *end = NULL;

	for (uint32_t i = 0; i < c->n_words; i++, w = w->next) {
		if (!inside(t, w->src) || (end != NULL && !are_blanks(end, w->src.p)))
			return false;
		end = w->src.p + w->src.len;
		tokens[i] = (struct token){ .text = w->src, .source = w->src, .free = is_free(t, w, i == 0) };
		if (tokens[i].free)
			tokens[i].text = w->value;
	}
	return true;
}

static bool spell_command(struct task *t, const struct simple_command *c, struct spelling *s)
{
	struct token tokens[TOKENS_MAX];
	uint32_t n = c->n_words;

	if (n == 0 || n > TOKENS_MAX / 2 || !collect(t, c, tokens))
		return true;
	bool program = tokens[0].free && is_program(tokens[0].text) && !t->names_change;

	/* What is not understood is counted by its words, which these change. */
	if (program && one_in(t, 2)) {
		s->same_causes = false;
		if (!respell_options(s, t->random, t->arena, tokens, &n))
			return false;
	}
	if (program && c->assigns == NULL && one_in(t, 3)) {
		add_wrappers(t, s);
		/* of `cat FILE | sh` the file is read as a script; behind a wrapper it is only not known */
		s->same_causes &= !(c->piped_out && bytes_is(tokens[0].text, "cat"));
	}
	if (program && memchr(tokens[0].text.p, '/', tokens[0].text.len) == NULL && one_in(t, 4)) {
		add_text(s, one_in(t, 2) ? "/bin/" : "/usr/bin/");
		spelling_note(s, "path");
	}
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0)
			add_blank(t, s);
		if (tokens[i].free && (tokens[i].source.len == 0 || one_in(t, 2)))
			spell_value(s, t->random, tokens[i].text, i == 0);
		else
			spelling_add(s, tokens[i].source.p, tokens[i].source.len);
	}
	return true;
}

static bool overlaps(const struct task *t, const char *from, const char *to)
{
	for (size_t i = 0; i < t->n_edits; i++)
		if (from < t->edits[i].to && t->edits[i].from < to)
			return true;
	return false;
}

static const struct word *last_word(const struct simple_command *c)
{
	const struct word *w = c->words;

	while (w != NULL && w->next != NULL)
		w = w->next;
	return w;
}

/* What a dynamic word is counted by is how it is written. */
static bool is_substituted(const struct simple_command *c)
{
	for (const struct context *x = c->context; x != NULL; x = x->up)
		if (x->kind == CONTEXT_SUBST || x->kind == CONTEXT_PROCSUB)
			return true;
	return false;
}

static bool edit_commands(struct task *t)
{
	const struct simple_command *c = t->script->commands;

	for (uint32_t i = 0; i < t->script->n_commands && c != NULL && t->n_edits < EDITS_MAX;
		i++, c = c->next) {
		const struct word *last = last_word(c);

		if (last == NULL || !inside(t, c->words->src) || !inside(t, last->src) || one_in(t, 8))
			continue;
		const char *from = c->words->src.p, *to = last->src.p + last->src.len;

		if (from >= to || overlaps(t, from, to))
			continue;
		struct spelling *s = arena_new(t->arena, struct spelling);

		if (s == NULL)
			return false;
		s->same_causes = !is_substituted(c);
		if (!spell_command(t, c, s))
			return false;
		if (s->len > 0)
			t->edits[t->n_edits++] = (struct edit){ from, to, s };
	}
	return true;
}

static void apply(struct task *t, struct spelling *out)
{
	const char *at = t->line.p, *end = t->line.p + t->line.len;

	while (at < end) {
		const struct edit *next = NULL;

		for (size_t i = 0; i < t->n_edits; i++)
			if (t->edits[i].from >= at && (next == NULL || t->edits[i].from < next->from))
				next = &t->edits[i];
		if (next == NULL)
			break;
		spelling_add(out, at, (size_t)(next->from - at));
		spelling_add(out, next->text->text, next->text->len);
		spelling_note(out, next->text->notes);
		out->full |= next->text->full;
		out->same_causes &= next->text->same_causes;
		at = next->to;
	}
	spelling_add(out, at, (size_t)(end - at));
}

static void put_around(struct spelling *s, const char *before, const char *after)
{
	size_t front = strlen(before);

	if (s->full || front > sizeof(s->text) - 1 - s->len) {
		s->full = true;
		return;
	}
	memmove(s->text + front, s->text, s->len);
	memcpy(s->text, before, front);
	s->len += front;
	add_text(s, after);
}

/* The whole line as the text of another shell. */
static bool as_text(struct task *t, struct spelling *s, const char *before)
{
	struct bytes copy = { arena_copy(t->arena, s->text, s->len), s->len };

	if (copy.p == NULL)
		return false;
	s->len = 0;
	add_text(s, before);
	add_text(s, "'");
	for (size_t i = 0; i < copy.len; i++)
		if (copy.p[i] == '\'')
			add_text(s, "'\\''");
		else
			spelling_add(s, copy.p + i, 1);
	add_text(s, "'");
	return true;
}

/* The line's last command ends with the line: what is appended belongs to it. */
static bool ends_with_program(const struct task *t)
{
	const struct simple_command *c = t->script->commands;

	for (uint32_t i = 0; i < t->script->n_commands && c != NULL; i++, c = c->next)
		if (inside(t, c->src) && c->src.p + c->src.len == t->line.p + t->line.len &&
			c->words != NULL && c->context != NULL && c->context->kind == CONTEXT_TOP &&
			c->words->is_static && is_program(c->words->value))
			return true;
	return false;
}

static bool sets_state(const struct task *t)
{
	const struct simple_command *c = t->script->commands;

	for (uint32_t i = 0; i < t->script->n_commands && c != NULL; i++, c = c->next)
		if (c->words == NULL || !c->words->is_static || !is_program(c->words->value))
			return true;
	return t->names_change;
}

/* Behind && a command may not run, and a new shell has not the variables of the old one. */
static bool holds(const struct task *t, char c)
{
	return memchr(t->line.p, c, t->line.len) != NULL;
}

static bool surround(struct task *t, struct spelling *s)
{
	static const char *const before[] = { "true; ", ":; ", ":\n", "cd .; ", "cd . && ", "true && " };
	static const char *const after[] = { " 2>&1", " | cat", " | head -50", " 2>&1 | tail -n 20",
		" | tee /dev/null", " 2>/dev/null" };
	static const char *const around[][2] = { { "{\n", "\n}" }, { "(\n", "\n)" },
		{ "if true; then\n", "\nfi" } };
	static const char *const shells[] = { "bash -c ", "sudo bash -c ", "/bin/bash -c ", "env bash -c ",
		"bash -c -- " };
	bool heredoc = memmem(t->line.p, t->line.len, "<<", 2) != NULL;

	if (t->names_change)
		return true;
	if (!heredoc && ends_with_program(t) && one_in(t, 4)) {
		add_text(s, after[random_below(t->random, ARRAY_LEN(after))]);
		spelling_note(s, "tail");
	}
	if (one_in(t, 4)) {
		put_around(s, before[random_below(t->random, holds(t, '=') ? 4 : ARRAY_LEN(before))], "");
		spelling_note(s, "no-op");
	}
	if (one_in(t, 6)) {
		uint32_t i = random_below(t->random, ARRAY_LEN(around));

		put_around(s, around[i][0], around[i][1]);
		spelling_note(s, "group");
	}
	if (!sets_state(t) && !holds(t, '$') && !holds(t, '{') && one_in(t, 6)) {
		spelling_note(s, "shell");
		if (!as_text(t, s, shells[random_below(t->random, ARRAY_LEN(shells))]))
			return false;
	}
	if (one_in(t, 6)) {
		put_around(s, "", one_in(t, 2) ? "\n# as before" : "\n:");
		spelling_note(s, "comment");
	}
	return true;
}

bool respell(struct random *r, struct arena *arena, struct bytes line, struct spelling *ret)
{
	const struct shell_options options = {
		.dialect = DIALECT_BASH, .home = BYTES("/home/ada"), .cwd = BYTES("/home/ada/app")
	};
	static const char *const changers[] = { "()", "function", "alias", "PATH", "hash", "enable" };
	struct task t = { .random = r, .arena = arena, .line = line };
	struct script *script;

	if (shell_parse(arena, line, &options, &script) != 0)
		return false;
	t.line = script->text;
	t.script = script;
	for (size_t i = 0; i < ARRAY_LEN(changers); i++)
		t.names_change |= memmem(line.p, line.len, changers[i], strlen(changers[i])) != NULL;
	ret->len = 0;
	ret->full = false;
	ret->same_causes = true;
	ret->notes[0] = '\0';
	if (script->unmodelled != 0 || script->limit != LIMIT_NONE)
		return false;
	if (memchr(line.p, '`', line.len) == NULL && !edit_commands(&t))
		return false;
	apply(&t, ret);
	return surround(&t, ret) && !ret->full;
}
