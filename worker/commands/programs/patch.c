/* SPDX-License-Identifier: Apache-2.0 */
/*
 * patch and git apply: a patch is read for the files that it names, each of which is written; one that is not at hand,
 * or in any form but the unified one, leaves it open what is changed (GNU patch manual, "Multiple Patches";
 * git-apply(1)).
 */
#include "worker/commands/programs/git.h"

enum { DRY_RUN = 1 };
enum { NAMES_MAX = 256, STRIP_MAX = 32 };

struct reading {
	struct run *run;
	struct bytes rest;
	struct bytes old; /* of the file header before: --- OLD */
	uint32_t strip, n_names;
	bool strip_given;
	const char *odd; /* why it was not understood */
};

static bool take_line(struct reading *r, struct bytes *ret)
{
	const char *end;

	if (r->rest.len == 0)
		return false;
	end = memchr(r->rest.p, '\n', r->rest.len);
	*ret = (struct bytes){ r->rest.p, end ? (size_t)(end - r->rest.p) : r->rest.len };
	r->rest = bytes_from(r->rest, ret->len + (end != NULL));
	if (ret->len && ret->p[ret->len - 1] == '\r')
		ret->len--;
	return true;
}

/* A name ends at a tab, behind which a date stands. With blanks or quotes in it, it is read in more ways than one. */
static struct bytes name_of(struct reading *r, struct bytes text)
{
	const char *tab = text.len ? memchr(text.p, '\t', text.len) : NULL;

	if (tab)
		text.len = (size_t)(tab - text.p);
	if (text.len == 0 || bytes_char(text, ' ') || bytes_char(text, '"') || bytes_char(text, '\\'))
		r->odd = "a name in it can be read in more ways than one";
	return text;
}

/* Without the first `n` components; runs of slashes count as one. */
static struct bytes stripped(struct bytes name, uint32_t n)
{
	while (n-- > 0) {
		const char *slash = name.len ? memchr(name.p, '/', name.len) : NULL;

		if (!slash)
			return name;
		name = bytes_from(name, (size_t)(slash + 1 - name.p));
		while (bytes_start(name, "/"))
			name = bytes_from(name, 1);
	}
	return name;
}

static void touches(struct reading *r, struct bytes name, enum effect_id effect)
{
	const char *slash = name.len ? memrchr(name.p, '/', name.len) : NULL;

	if (bytes_is(name, "/dev/null") || r->odd)
		return;
	if (++r->n_names > NAMES_MAX) {
		r->odd = "it names more files than are looked at";
		return;
	}
	name = r->strip_given ? stripped(name, r->strip) : name;
	run_effect_text(r->run, effect, name);
	/* Without -p only the last component counts, unless the directories are there. */
	if (!r->strip_given && slash)
		run_effect_text(r->run, effect, bytes_from(name, (size_t)(slash + 1 - name.p)));
}

static bool take_number(struct bytes *text, uint32_t *ret)
{
	uint32_t n = 0;
	size_t i = 0;

	for (; i < text->len && text->p[i] >= '0' && text->p[i] <= '9' && n < 1000000; i++)
		n = n * 10 + (uint32_t)(text->p[i] - '0');
	*text = bytes_from(*text, i);
	*ret = n;
	return i > 0;
}

/* -1,5 or +1,5 or +1: how many lines. */
static bool take_range(struct bytes *text, char sign, uint32_t *ret)
{
	uint32_t start;

	if (text->len == 0 || text->p[0] != sign)
		return false;
	*text = bytes_from(*text, 1);
	*ret = 1;
	if (!take_number(text, &start))
		return false;
	if (!bytes_start(*text, ","))
		return true;
	*text = bytes_from(*text, 1);
	return take_number(text, ret);
}

/* The lines of a hunk are no headers, whatever they look like: as many as its first line says. */
static void hunk(struct reading *r, struct bytes head)
{
	struct bytes text = bytes_from(head, strlen("@@ ")), line;
	uint32_t old, new;

	if (!take_range(&text, '-', &old) || !bytes_start(text, " ")) {
		r->odd = "a hunk in it is malformed";
		return;
	}
	text = bytes_from(text, 1);
	if (!take_range(&text, '+', &new) || !bytes_start(text, " @@"))
		r->odd = "a hunk in it is malformed";
	while ((old || new) && !r->odd) {
		char c;

		if (!take_line(r, &line)) {
			r->odd = "a hunk in it is cut off";
			return;
		}
		c = line.len ? line.p[0] : ' ';
		if (!strchr(" +-\\", c) || (c == '+' && !new) || (c == '-' && !old) || (c == ' ' && (!old || !new)))
			r->odd = "a hunk in it is malformed";
		old -= c == '-' || c == ' ';
		new -= c == '+' || c == ' ';
	}
}

static void header(struct reading *r, struct bytes line)
{
	static const char *const named[] = { "rename to ", "copy to ", "rename from " };

	if (bytes_start(line, "--- ")) {
		r->old = name_of(r, bytes_from(line, 4));
		touches(r, r->old, EFFECT_WRITE);
	} else if (bytes_start(line, "+++ ")) {
		struct bytes new = name_of(r, bytes_from(line, 4));

		if (bytes_is(new, "/dev/null"))
			touches(r, r->old, EFFECT_DELETE);
		touches(r, new, EFFECT_WRITE);
	} else if (bytes_start(line, "@@ ")) {
		hunk(r, line);
	} else if (bytes_start(line, "Index: ")) {
		touches(r, name_of(r, bytes_from(line, 7)), EFFECT_WRITE);
	} else if (bytes_start(line, "diff --git ")) {
		struct bytes names = bytes_from(line, strlen("diff --git "));
		const char *blank = names.len ? memchr(names.p, ' ', names.len) : NULL;

		if (!blank) {
			r->odd = "a name in it can be read in more ways than one";
			return;
		}
		r->old = name_of(r, (struct bytes){ names.p, (size_t)(blank - names.p) });
		touches(r, r->old, EFFECT_WRITE);
		touches(r, name_of(r, bytes_from(names, (size_t)(blank + 1 - names.p))), EFFECT_WRITE);
	} else if (bytes_start(line, "deleted file mode")) {
		touches(r, r->old, EFFECT_DELETE);
	} else if (bytes_find(line, "mode 120000")) {
		r->odd = "it makes a link";
	}
	/* Names behind "rename from" and its like are not stripped: they are those of diff --git without a/ and b/. */
	for (size_t i = 0; i < ARRAY_LEN(named); i++)
		if (bytes_start(line, named[i]))
			run_effect_text(r->run, i == 2 ? EFFECT_DELETE : EFFECT_WRITE,
				name_of(r, bytes_from(line, strlen(named[i]))));
}

/* patch takes patches out of letters: indented, or behind marks. A header that does not begin its line is not read. */
static bool is_quoted(struct bytes line)
{
	static const char *const marks[] = { "--- ", "+++ ", "*** ", "@@ -", "Index:", "diff --git " };

	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (bytes_find(bytes_from(line, 1), marks[i]))
			return true;
	return false;
}

/* `*** 1,5 ****`, `5c5` and `3d` begin hunks of other forms, and ed's commands. */
static bool of_another_form(struct bytes line)
{
	size_t i = 0;

	if (bytes_start(line, "***") || bytes_start(line, "GIT binary patch"))
		return true;
	while (i < line.len && ((line.p[i] >= '0' && line.p[i] <= '9') || line.p[i] == ','))
		i++;
	return i > 0 && i < line.len && strchr("acdijrsw", line.p[i]);
}

static void read_patch(struct run *run, struct bytes text, bool strip_given, uint32_t strip)
{
	struct reading r = { .run = run, .rest = text, .strip_given = strip_given, .strip = strip };
	struct bytes line;

	while (!r.odd && take_line(&r, &line)) {
		if (of_another_form(line) || (!bytes_start(line, "@@ ") && is_quoted(line)))
			r.odd = "it is not in the unified form";
		else
			header(&r, line);
	}
	if (!r.odd && r.n_names == 0)
		r.odd = "it names no file";
	if (r.odd)
		run_open(run, "the patch is not understood: %s", r.odd);
}

/* Of -p1, or --strip=1. */
static void note_strip(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	if (strcmp(rule->text, "strip") == 0)
		run->detail = value->is_static ? value->text : BYTES("?");
	else if (!value->is_static || bytes_char(value->text, '/'))
		run_open(run, "%s keeps a copy in a place of its own", run->model->name);
}

/* The text of a patch that stands on the line, or in the file that the effect APPLY named. */
void run_reads_patch(struct run *run, struct bytes text)
{
	struct bytes number = run->detail;
	bool git = bytes_start(run->out->program, "git");
	uint32_t strip = 1;

	if (number.p && (!take_number(&number, &strip) || number.len || strip > STRIP_MAX))
		run_open(run, "%.*s strips an unknown part of names", (int)run->out->program.len, run->out->program.p);
	else
		read_patch(run, text, git || number.p, strip);
}

/* Where it is not named, the patch is the input. */
static void applies_input(struct run *run)
{
	const struct invocation *inv = run->invocation;
	struct command_effect *e;

	if (inv->input == INPUT_TEXT && inv->input_word && inv->input_word->is_static) {
		run_reads_patch(run, inv->input_word->value);
	} else if (inv->input == INPUT_FILE && inv->input_word) {
		struct arg file = arg_of_word(inv->input_word);

		run_effect(run, EFFECT_APPLY, &file);
		e = run_last_effect(run);
		/* The shell opens it, wherever -d leads. */
		if (e && e->effect == EFFECT_APPLY)
			e->base = (struct bytes){ NULL, 0 };
	} else {
		run_open(run, "%.*s changes the files that a patch names", (int)run->out->program.len,
			run->out->program.p);
	}
}

static void patch_command(struct run *run)
{
	bool named = run->chosen.word != NULL;

	if (run->bits & DRY_RUN)
		return;
	/* With a file to patch, whatever the patch calls it. */
	if (run->n_operands > 0 || named)
		run->out->stdin_role = STDIN_IGNORED;
	if (run->n_operands > 0)
		return;
	/* Whatever it names lies there. */
	if (run->base.len > 0)
		run_effect_fixed(run, EFFECT_WRITE, ".");
	if (named)
		run_effect(run, EFFECT_APPLY, &run->chosen);
	else
		applies_input(run);
}

static void option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	if (strcmp(rule->text, "input") != 0) {
		note_strip(run, rule, value);
		return;
	}
	if (run->chosen.word)
		run_open(run, "patch is given more than one patch");
	run->chosen = *value;
	if (!value->word)
		run_open(run, "patch is given a patch that is not known");
	run_effect(run, EFFECT_READ, value);
}

MODEL(patch) = {
	.name = "patch",
	.syntax = PARTIAL,
	.shorts = "bcEflNnRstTuZF:D:g:V:",
	.input = STDIN_READ,
	.option = option,
	.special = patch_command,
	.longs = "fuzz= forward reverse force batch silent quiet verbose unified context normal ignore-whitespace "
		 "backup remove-empty-files posix",
	.options = OPTIONS{ { "i", "input", REQUIRED, CALL, .text = "input" },
		{ "p", "strip", REQUIRED, CALL, .text = "strip" },
		/* The backup's name is a path: what stands in front of the file's, or behind it. */
		{ "BYz", "prefix basename-prefix suffix", REQUIRED, CALL, .text = "backup" },
		{ NULL, "dry-run", NOTHING, IGNORE, .set = DRY_RUN },
		{ "d", "directory", REQUIRED, DIRECTORY },
		{ "or", "output reject-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ "e", "ed", NOTHING, REFUSE, .text = "-e runs ed" }, { 0 } },
	.rules = RULES{ { FIRST, EFFECT_WRITE, .unless = DRY_RUN }, { FIRST, EFFECT_USE, .when = DRY_RUN },
		{ SECOND, EFFECT_READ }, { END } },
};

/* git apply, which writes neither above the directory nor in .git; and git am. */
void git_apply(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		run_effect(run, EFFECT_USE, &run->operands[i]);
	if ((run->bits & GIT_CREATE) && !(run->bits & GIT_FORCE))
		run_effect_fixed(run, EFFECT_GIT_READ, ".");
	else if (!bytes_is(run->out->program, "git apply") || run->n_operands > 1)
		run_open(run, "%.*s changes the files that a patch names", (int)run->out->program.len,
			run->out->program.p);
	else if (run->n_operands == 1)
		run_effect(run, EFFECT_APPLY, &run->operands[0]);
	else
		applies_input(run);
}

void git_apply_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	note_strip(run, rule, value);
}
