/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files that search programs, git and ls print, as patterns below the places they were told to look in. */
#include "worker/commands/output.h"

/* A directory's or file's name, or a pattern written without quotes. */
static bool is_plain(const struct arg *a)
{
	const uint32_t other = WORD_PARAM | WORD_RUNS | WORD_BRACE | WORD_ARITH | WORD_QUOTED | WORD_TILDE;

	if (a->is_static)
		return true;
	return (a->flags & WORD_GLOB) && !(a->flags & other) && a->word && !bytes_char(a->word->src, '\\');
}

static void prints_word(struct run *run, const struct arg *a, uint32_t flags)
{
	run_prints(run, a->is_static ? static_word(run, a->text) : pattern_word(run, a->word->src, flags));
}

/* Names of files that fit `name`, at any depth below a directory, which they are printed with. */
static void prints_below(struct run *run, struct bytes directory, struct bytes name, uint32_t flags)
{
	struct bytes pattern = run_join(run, BYTES("**/"), name);

	if (directory.len && !bytes_is(directory, ".")) {
		if (!bytes_end(directory, "/"))
			directory = run_join(run, directory, BYTES("/"));
		pattern = run_join(run, directory, pattern);
	}
	run_prints(run, pattern_word(run, pattern, flags));
}

/* Files and directories from operands[at] on, as a recursive search prints what it finds below them. */
static void prints_operands(struct run *run, uint32_t at, struct bytes name, uint32_t flags)
{
	if (at >= run->n_operands)
		prints_below(run, BYTES("."), name, flags);
	for (uint32_t i = at; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		if (!is_plain(a)) {
			prints_anything(run);
			return;
		}
		if (!arg_is(a, ".") && !bytes_end(a->text, "/"))
			prints_word(run, a, flags);
		prints_below(run, a->is_static ? a->text : a->word->src, name, flags);
	}
}

/* The one --include=GLOB, or every name. */
static struct bytes included(const struct run *run)
{
	struct bytes found = { "*", 1 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < run->argc; i++) {
		struct bytes glob = bytes_from(run->argv[i].text, strlen("--include="));

		if (!bytes_start(run->argv[i].text, "--include="))
			continue;
		if (n++ == 0 && run->argv[i].is_static && glob.len && !bytes_char(glob, '/') && !bytes_char(glob, '{'))
			found = glob;
		else
			found = BYTES("*");
	}
	return found;
}

void tell_grep(struct run *run)
{
	uint32_t at = run->bits & SEARCH_PATTERN_GIVEN ? 0 : 1;

	if ((run->bits & SEARCH_LISTS) && !(run->bits & SEARCH_COUNTS)) {
		if (run->bits & SEARCH_RECURSIVE) {
			prints_operands(run, at, included(run), 0);
			return;
		}
		for (uint32_t i = at; i < run->n_operands; i++) {
			if (!is_plain(&run->operands[i])) {
				prints_anything(run);
				return;
			}
			prints_word(run, &run->operands[i], 0);
		}
		return;
	}
	if (run->n_operands == at && !(run->bits & (SEARCH_RECURSIVE | SEARCH_NAMES_ONLY)) &&
		!has_option(run, "nHobABCZ0123456789", "", "line-number with-filename only-matching byte-offset "
			"after-context before-context context null color colour"))
		run->out->output = OUTPUT_INPUT;
}

void tell_rg(struct run *run)
{
	uint32_t at = run->bits & (SEARCH_PATTERN_GIVEN | SEARCH_FILES) ? 0 : 1;

	if ((run->bits & SEARCH_LISTS) && !(run->bits & SEARCH_COUNTS))
		prints_operands(run, at, BYTES("*"), run->bits & SEARCH_HIDDEN ? 0 : WORD_VISIBLE);
	else if (run->n_operands == 1 && run->invocation->input == INPUT_PIPE && run->argc == 1)
		run->out->output = OUTPUT_INPUT;
}

void tell_fd(struct run *run)
{
	if (!has_option(run, "laxX", "detESocj", "list-details absolute-path exec exec-batch format base-directory "
		"search-path"))
		prints_operands(run, 1, BYTES("*"), has_option(run, "Hu", "detESocj", "hidden unrestricted") ? 0 :
			WORD_VISIBLE);
}

/* Bare names of one directory; the operands as they are with -d, or where they are files by their names. */
void tell_ls(struct run *run)
{
	bool as_they_are = has_option(run, "d", "", "directory");
	const struct arg *only = run->n_operands == 1 ? &run->operands[0] : NULL;

	if (has_option(run, "lRsiFpgonQmCxZaNIwT", "", "long recursive size inode classify file-type indicator-style "
		"quote-name all format color hyperlink zero author context ignore hide width"))
		return;
	if (run->n_operands == 0 || (!as_they_are && only && only->is_static)) {
		run_prints(run, pattern_word(run, BYTES("*"), 0));
		if (has_option(run, "A", "", "almost-all"))
			run_prints(run, pattern_word(run, BYTES(".[!.]*"), 0));
		/* A file instead of a directory is printed as it is. */
		if (only)
			prints_word(run, only, 0);
		return;
	}
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];
		const struct line_view *line = run->invocation->line;

		/* Of a directory that is not empty the names in it would be printed. */
		if (!is_plain(a) || (!as_they_are && (!line || !line->matches_nothing ||
			!line->matches_nothing(run->invocation->line_data, run_join(run,
				a->is_static ? a->text : a->word->src, BYTES("/*")))))) {
			prints_anything(run);
			return;
		}
		prints_word(run, a, 0);
	}
}

static bool has_wildcard(struct bytes text)
{
	return bytes_char(text, '*') || bytes_char(text, '?') || bytes_char(text, '[');
}

/* Pathspecs: a directory, a file, or a pattern whose stars go through slashes. */
static void prints_pathspecs(struct run *run, uint32_t flags)
{
	if (run->n_operands == 0)
		prints_below(run, BYTES("."), BYTES("*"), flags);
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		if (!a->is_static || bytes_find(a->text, "..") || bytes_start(a->text, "/")) {
			prints_anything(run);
			return;
		}
		if (bytes_start(a->text, "*.") && only_of(bytes_from(a->text, 2), 0,
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
			prints_below(run, BYTES("."), a->text, flags);
		else if (bytes_start(a->text, ":") || has_wildcard(a->text))
			prints_below(run, BYTES("."), BYTES("*"), flags);
		else {
			if (!arg_is(a, "."))
				prints_word(run, a, 0);
			prints_below(run, a->text, BYTES("*"), flags);
		}
	}
}

void tell_ls_files(struct run *run)
{
	bool others = has_option(run, "oik", "x", "others ignored killed");

	if (!has_option(run, "stvfu", "x", "stage debug eol unmerged format"))
		prints_pathspecs(run, others ? 0 : WORD_TRACKED);
}

/* Names are printed from the root of the repository on, whatever the revisions are. */
void tell_changed(struct run *run)
{
	if (has_option(run, "", "", "name-only") &&
		!has_option(run, "", "", "stat numstat name-status line-prefix output graph patch"))
		prints_below(run, BYTES("."), BYTES("*"), WORD_TRACKED);
}

/* Without a format of nothing, git show and git log print who did it first. */
void tell_shown(struct run *run)
{
	static const char *const nothing[] = { "--format=", "--pretty=", "--pretty=format:", "--format=format:" };

	for (uint32_t i = 0; i < run->argc; i++)
		for (size_t k = 0; k < ARRAY_LEN(nothing); k++)
			if (arg_is(&run->argv[i], nothing[k])) {
				tell_changed(run);
				return;
			}
}

void tell_git_grep(struct run *run)
{
	if (has_option(run, "lL", "efmABCOW", "files-with-matches name-only files-without-match") &&
		!has_option(run, "cO", "efmAB", "count open-files-in-pager no-index"))
		prints_below(run, BYTES("."), BYTES("*"), WORD_TRACKED);
}

/* The part of a pattern in front of, or behind, its last slash; a star behind it stands for any name. */
static struct bytes part_of(struct bytes path, bool last)
{
	const char *slash;

	while (path.len > 1 && path.p[path.len - 1] == '/')
		path.len--;
	slash = path.len ? memrchr(path.p, '/', path.len) : NULL;
	if (last)
		return slash ? bytes_from(path, (size_t)(slash + 1 - path.p)) : path;
	if (!slash)
		return BYTES(".");
	return slash == path.p ? BYTES("/") : (struct bytes){ path.p, (size_t)(slash - path.p) };
}

static bool is_told(const struct arg *a)
{
	return a->is_static || (a->word && (a->flags & WORD_FOUND)) || is_plain(a);
}

void tell_basename(struct run *run)
{
	bool suffix = run->n_operands > 1 && bytes_start(run->operands[run->n_operands - 1].text, ".");

	if (has_option(run, "asz", "", "multiple suffix zero"))
		return;
	for (uint32_t i = 0; i + (suffix ? 1 : 0) < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];
		struct bytes name;

		if (!is_told(a)) {
			prints_anything(run);
			return;
		}
		name = part_of(a->is_static ? a->text : a->word->src, true);
		if (a->is_static && suffix && bytes_end(name, run_copy(run,
			run->operands[run->n_operands - 1].text.p, run->operands[run->n_operands - 1].text.len).p))
			name.len -= run->operands[run->n_operands - 1].text.len;
		else if (suffix && !a->is_static)
			name = BYTES("*");
		run_prints(run, a->is_static ? static_word(run, name) : pattern_word(run, name, 0));
	}
}

void tell_dirname(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];
		struct bytes directory;

		if (!is_told(a)) {
			prints_anything(run);
			return;
		}
		directory = part_of(a->is_static ? a->text : a->word->src, false);
		if (a->is_static || !has_wildcard(directory)) {
			run_prints(run, static_word(run, directory));
			continue;
		}
		/* DIR/ ** (without the blank): DIR itself, or any directory below. */
		if (bytes_end(directory, "**")) {
			struct bytes above = part_of(directory, false);

			run_prints(run, static_word(run, above));
			run_prints(run, pattern_word(run, run_join(run, directory, BYTES("/*")), 0));
			continue;
		}
		run_prints(run, pattern_word(run, directory, 0));
	}
}

