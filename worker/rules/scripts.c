/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shell scripts that a line runs (`./x.sh`, `bash x.sh`, `sh < x.sh`, `cat x.sh | sh`): their commands are judged where
 * the script will run, like text behind -c. What cannot be read whole, and in the dialect of the shell that will run
 * it, stays as open as any unknown program.
 */
#include "policy/environment.h"
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

enum { SCRIPT_DEPTH_MAX = 3, SHEBANG_MAX = 127 /* what any kernel reads of a first line: execve(2) */ };

static const struct {
	const char *name;
	enum dialect dialect;
} shells[] = {
	{ "sh", DIALECT_POSIX }, { "bash", DIALECT_BASH }, { "dash", DIALECT_POSIX }, { "zsh", DIALECT_ZSH },
};

static bool shell_by_name(struct bytes name, enum dialect *ret)
{
	for (size_t i = 0; i < ARRAY_LEN(shells); i++)
		if (bytes_is(name, shells[i].name)) {
			*ret = shells[i].dialect;
			return true;
		}
	return false;
}

/* Options that change nothing about how a script is read: they make it stop early, or say what it does. */
static bool option_is_harmless(struct bytes o)
{
	if (o.len < 2 || o.p[0] != '-')
		return false;
	for (size_t i = 1; i < o.len; i++)
		if (strchr("euxvs", o.p[i]) == NULL)
			return false;
	return true;
}

static struct bytes next_token(struct bytes *line)
{
	struct bytes token;

	while (line->len > 0 && (line->p[0] == ' ' || line->p[0] == '\t')) {
		line->p++;
		line->len--;
	}
	token = (struct bytes){ line->p, 0 };
	while (token.len < line->len && line->p[token.len] != ' ' && line->p[token.len] != '\t')
		token.len++;
	line->p += token.len;
	line->len -= token.len;
	return token;
}

/* The name of a program in one of the system's directories; empty: it lies elsewhere. */
static struct bytes system_program(struct bytes path)
{
	const char *slash = path.len > 0 ? (const char *)memrchr(path.p, '/', path.len) : NULL;

	if (slash == NULL || !environment_is_program_directory((struct bytes){ path.p, (size_t)(slash - path.p) }))
		return (struct bytes){ NULL, 0 };
	return (struct bytes){ slash + 1, path.len - (size_t)(slash + 1 - path.p) };
}

/* `#!/bin/sh -e`, `#!/usr/bin/env bash`: a shell that is known, with options that are. */
static bool dialect_of_shebang(struct bytes content, enum dialect *ret)
{
	const char *end = (const char *)memchr(content.p, '\n', content.len);
	struct bytes line = { content.p + 2, (end != NULL ? (size_t)(end - content.p) : content.len) - 2 };
	struct bytes name, option;

	if (line.len > SHEBANG_MAX)
		return false;
	name = system_program(next_token(&line));
	if (bytes_is(name, "env"))
		name = next_token(&line);
	if (!shell_by_name(name, ret))
		return false;
	for (option = next_token(&line); option.len > 0; option = next_token(&line))
		if (!option_is_harmless(option))
			return false;
	return true;
}

/*
 * The dialect of a file that is run by its own name. Without a first line that says so it is read by the shell at hand
 * (bash(1), COMMAND EXECUTION), or by sh where a program starts it (execvp(3)).
 */
static bool dialect_of_file(const struct subject *s, const struct invocation *inv, struct bytes content,
	enum dialect *ret)
{
	if (content.len > 2 && content.p[0] == '#' && content.p[1] == '!')
		return dialect_of_shebang(content, ret);
	*ret = inv->standalone ? DIALECT_POSIX : s->j->line->dialect;
	return *ret == DIALECT_BASH || *ret == DIALECT_POSIX;
}

/* What is handed to the script could be evaluated there as arithmetic, which runs substitutions inside it. */
static bool word_is_plain(const struct word *w)
{
	return w->is_static && memchr(w->value.p != NULL ? w->value.p : "", '`', w->value.len) == NULL &&
		memmem(w->value.p != NULL ? w->value.p : "", w->value.len, "$(", 2) == NULL;
}

/* The shell's own options, up to the word that names the script, or all of them when `file` is NULL. */
static bool options_are_harmless(const struct invocation *inv, const struct word *file)
{
	uint32_t i = 1;

	for (const struct word *w = inv->words->next; w != NULL && i < inv->n_words; w = w->next, i++) {
		if (!word_is_plain(w))
			return false;
		if (w == file)
			return true;
		if (bytes_is(w->value, "--") || bytes_is(w->value, "--norc") || bytes_is(w->value, "--noprofile"))
			continue;
		if (!option_is_harmless(w->value))
			return file == NULL && i > 1;
	}
	return file == NULL;
}

static bool arguments_are_plain(const struct invocation *inv)
{
	const struct word *w = inv->words->next;

	for (uint32_t i = 1; w != NULL && i < inv->n_words; w = w->next, i++)
		if (!word_is_plain(w))
			return false;
	return true;
}

const struct word *script_feeder(const struct subject *s)
{
	const struct simple_command *c = s->feeder;

	if (c == NULL || c->redirects != NULL || c->assigns != NULL || c->n_words != 2 || !c->words->is_static ||
		!bytes_is(judge_program(c->words->value), "cat") || name_is_redefined(s->j, c->words->value))
		return NULL;
	return c->words->next->is_static && c->words->next->value.len > 0 && c->words->next->value.p[0] != '-' ?
		       c->words->next : NULL;
}

struct bytes script_named(const struct subject *s, const struct command_effect *e)
{
	const struct invocation *inv = s->invocation;
	const struct word *input = NULL;

	if (e->effect == EFFECT_EXECUTE || e->effect == EFFECT_APPLY)
		return e->is_static && e->base.len == 0 ? e->target : (struct bytes){ NULL, 0 };
	if (inv != NULL && inv->input == INPUT_FILE)
		input = inv->input_word;
	else if (inv != NULL && inv->input == INPUT_PIPE)
		input = script_feeder(s);
	return input != NULL && input->is_static ? input->value : (struct bytes){ NULL, 0 };
}

struct script_source {
	struct bytes path;
	enum dialect dialect;
	bool by_name; /* the command itself: its first line decides over the dialect */
	bool has_name; /* $0 is the path */
	bool sourced; /* by the shell at hand */
};

/* Which script the effect runs, and who reads it. False: none that could be read. */
static bool source_of(const struct subject *s, const struct command_effect *e, const struct invocation *inv,
	struct script_source *ret)
{
	*ret = (struct script_source){ .path = e->target, .has_name = e->effect == EFFECT_EXECUTE };
	if (e->effect == EFFECT_EXECUTE) {
		if (!e->is_static || e->base.len > 0 || e->target.len == 0)
			return false;
		/* Read by this very shell, and looked for along PATH when its name has no slash (bash(1), source). */
		if (bytes_is(s->program, "source")) {
			ret->dialect = s->j->line->dialect;
			ret->sourced = true;
			return memchr(e->target.p, '/', e->target.len) != NULL && arguments_are_plain(inv);
		}
		if (bytes_eq(inv->words->value, e->target)) {
			ret->by_name = true;
			return arguments_are_plain(inv);
		}
		return shell_by_name(s->program, &ret->dialect) && e->word != NULL &&
			options_are_harmless(inv, e->word) && arguments_are_plain(inv);
	}
	if (e->effect != EFFECT_RUN_STDIN || !shell_by_name(s->program, &ret->dialect) ||
		!options_are_harmless(inv, NULL) || !arguments_are_plain(inv))
		return false;
	ret->path = script_named(s, e);
	return ret->path.len > 0;
}

/* Leaves it open with a reason of its own: more than "it runs X" is known. */
static void not_readable(struct subject *s, struct bytes path, const char *why)
{
	leave_open(s, judge_text(s->j, "the script %.*s cannot be vouched for: %s", (int)path.len, path.p, why),
		BYTES("script"), path, false);
}

/* $0 is the name the script was run by: absolute, or below the directory it was run in. */
static struct bytes directory_of(struct subject *s, struct bytes path)
{
	char buffer[QUESTION_PATH_MAX];
	size_t n = path_normalise(s->dirs.d[0], path, buffer, sizeof(buffer));

	while (n > 0 && buffer[n - 1] != '/')
		n--;
	n -= n > 1 ? 1 : 0;
	return judge_text(s->j, "%.*s", (int)n, buffer);
}

static void judge_content(struct subject *s, struct bytes path, struct bytes content,
	const struct script_source *source)
{
	struct judge *j = s->j;
	struct shell_options options = { .dialect = source->dialect, .home = j->line->policy->home };
	struct subject inner = *s;
	struct script *script;
	const char *why;
	int r;

	if (s->dirs.n == 1 && !s->dirs.unknown)
		options.cwd = s->dirs.d[0];
	r = shell_parse(j->arena, content, &options, &script);
	if (r < 0) {
		judge_fail(j, r);
		return;
	}
	why = script->limit != LIMIT_NONE ? "it exceeds a limit" :
		script->unmodelled != 0 ? script->unmodelled_why : text_is_odd(content, script);
	if (why == NULL && script->unmodelled != 0)
		why = "it holds syntax that is not modelled";
	if (why == NULL && reviewer_pattern(content) != NULL)
		why = "it speaks to a reviewer";
	if (why == NULL)
		why = home_in_doubt(j->line->policy, content);
	if (why != NULL) {
		not_readable(s, path, why);
		return;
	}
	inner.depth++;
	inner.scripts++;
	inner.script_dir = s->dirs.n == 1 && source->has_name && memchr(path.p, '/', path.len) != NULL ?
				   directory_of(s, path) : (struct bytes){ NULL, 0 };
	inner.assigns = NULL;
	inner.invocation = NULL;
	inner.feeder = NULL;
	inner.enter = NULL;
	inner.verdict = VERDICT_ALLOW;
	inner.why = inner.effect = inner.target = (struct bytes){ NULL, 0 };
	inner.soft = true;
	inner.effect_open = false;
	inner.causes_mark = j->n_open_causes;
	if (source->sourced) {
		struct flow end = judge_text_of_its_own(&inner, script, false);

		if (s->enter != NULL) {
			*s->enter = directories_either(&end.done, &end.failed);
			s->entered = true;
		}
		return;
	}
	judge_text_of_its_own(&inner, script, true);
}

/* What is at a path below the directory of the command. */
static enum path_type type_of(struct subject *s, struct bytes path)
{
	struct answer a;

	if (!place_ask(s->j, s->dirs.d[0], path, &a) || a.status != ANSWER_KNOWN)
		return PATH_UNKNOWN;
	return a.type;
}

bool judge_activation(struct subject *s, const struct command_effect *e, enum place place)
{
	static const char ending[] = "/bin/activate";
	const size_t n = sizeof(ending) - 1;
	struct judge *j = s->j;
	char buffer[QUESTION_PATH_MAX];
	struct bytes dir, full;

	if (!bytes_is(s->program, "source") || !e->is_static || s->where != NESTED_HERE || s->dirs.n != 1 ||
		s->dirs.unknown || e->target.len <= n || memcmp(e->target.p + e->target.len - n, ending, n) != 0 ||
		(place != PLACE_WORKTREE && place != PLACE_WORKSPACE && place != PLACE_BUILD))
		return false;
	dir = (struct bytes){ e->target.p, e->target.len - n };
	full = (struct bytes){ buffer, path_normalise(s->dirs.d[0], dir, buffer, sizeof(buffer)) };
	if (full.len == 0)
		return false;
	for (uint32_t i = 0; i < j->n_written; i++)
		if (j->written[i].len > full.len && path_within(j->written[i], full))
			return false;
	if (type_of(s, judge_text(j, "%.*s/pyvenv.cfg", (int)dir.len, dir.p)) != PATH_FILE &&
		type_of(s, e->target) != PATH_MISSING)
		return false;
	if (j->rewrites || j->n_brought > 0 || j->flows_lost)
		return false;
	j->venv = judge_text(j, "%.*s", (int)full.len, full.p);
	if (s->enter != NULL) {
		*s->enter = s->dirs;
		s->entered = true;
	}
	return true;
}

/* Languages that are not read here, whose programs see what they are given as data rather than as commands. */
static bool is_other_language(struct bytes name)
{
	static const char *const names[] = { "python", "node", "perl", "ruby" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		size_t n = strlen(names[i]);

		if (name.len >= n && memcmp(name.p, names[i], n) == 0 &&
			strspn(name.p + n, "0123456789.") >= name.len - n)
			return true;
	}
	return false;
}

/* A program of the machine's, or a text whose first line names such a language. */
static enum script_reading foreign_content(struct bytes content)
{
	const char *end = content.len > 0 ? (const char *)memchr(content.p, '\n', content.len) : NULL;
	struct bytes line = { content.p, end != NULL ? (size_t)(end - content.p) : content.len }, name;

	if (content.len >= 4 && memcmp(content.p, "\177ELF", 4) == 0)
		return SCRIPT_OF_ANOTHER_LANGUAGE;
	if (line.len < 2 || memcmp(line.p, "#!", 2) != 0)
		return SCRIPT_UNREAD;
	line = (struct bytes){ line.p + 2, line.len - 2 };
	name = system_program(next_token(&line));
	if (bytes_is(name, "env"))
		name = next_token(&line);
	return is_other_language(name) ? SCRIPT_OF_ANOTHER_LANGUAGE : SCRIPT_UNREAD;
}

/* The command once more, with the text of the file that it names in the place of the file. */
static enum script_reading judge_given(struct subject *s, const struct command_effect *e, struct bytes content)
{
	struct judge *j = s->j;
	struct invocation inv = *s->invocation;
	struct subject inner = *s;
	struct command_effects fx;
	int r;

	inv.given_word = e->word;
	inv.given = content;
	carried_view(s, &inv);
	r = command_effects(j->arena, &inv, &fx);
	if (r < 0) {
		judge_fail(j, r);
		return SCRIPT_UNREAD;
	}
	/* A second one, which would have to be read with the first. */
	for (const struct command_effect *f = fx.effects; f != NULL; f = f->next)
		if (f->effect == EFFECT_EXECUTE || f->effect == EFFECT_APPLY)
			return SCRIPT_UNREAD;
	inner.depth++;
	inner.scripts++;
	inner.enter = NULL;
	inner.verdict = VERDICT_ALLOW;
	inner.why = inner.effect = inner.target = (struct bytes){ NULL, 0 };
	inner.soft = true;
	inner.effect_open = false;
	inner.causes_mark = j->n_open_causes;
	inner.invocation = &inv;
	judge_found(&inner, &inv, &fx);
	settle(&inner);
	return SCRIPT_READ;
}

enum script_reading judge_script_file(struct subject *s, const struct command_effect *e)
{
	const struct invocation *inv = s->invocation;
	struct judge *j = s->j;
	struct script_source source;
	struct answer a;
	int r;

	if (inv == NULL || !s->rule_on_effect || s->where != NESTED_HERE || s->scripts >= SCRIPT_DEPTH_MAX ||
		inv->appended || s->dirs.n != 1 || s->dirs.unknown || j->line->oracle == NULL ||
		j->questions >= QUESTIONS_MAX)
		return SCRIPT_UNREAD;
	if (command_reads_given(s->program))
		source = (struct script_source){ .path = script_named(s, e) };
	else if (!source_of(s, e, inv, &source))
		return is_other_language(s->program) ? SCRIPT_OF_ANOTHER_LANGUAGE : SCRIPT_UNREAD;
	j->questions++;
	r = ask_script(j->line->oracle, j->arena, j->line->cwd, s->dirs.d[0], source.path, &a);
	if (r < 0) {
		judge_fail(j, r);
		return SCRIPT_UNREAD;
	}
	if (a.status != ANSWER_KNOWN || a.type != PATH_FILE)
		return SCRIPT_UNREAD;
	if (a.content.p == NULL || a.content.len != a.size)
		return (a.facts & FACT_IN_PART) != 0 ? SCRIPT_IN_PART : SCRIPT_UNREAD;
	if (source.by_name && foreign_content(a.content) == SCRIPT_OF_ANOTHER_LANGUAGE)
		return SCRIPT_OF_ANOTHER_LANGUAGE;
	if ((a.facts & FACT_IN_PART) != 0 || memchr(a.content.p, '\0', a.content.len) != NULL)
		return SCRIPT_IN_PART;
	if (source.by_name && !dialect_of_file(s, inv, a.content, &source.dialect))
		return SCRIPT_UNREAD;
	flow_runs(s, a.real);
	if (command_reads_given(s->program))
		return judge_given(s, e, a.content);
	judge_content(s, source.path, a.content, &source);
	return SCRIPT_READ;
}
