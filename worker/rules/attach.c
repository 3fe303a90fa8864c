/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that a judge should see: what the line runs and nobody here reads, and what it names. They are noted while the
 * line is judged and asked for only if it stays open and there is a judge; the broker keeps what they hold.
 */
#include "policy/text/fold.h"
#include "worker/rules/internal.h"

/* Rows of bytes rather than pointers, which would be relocated at every start. */
static const char extensions[][9] = {
	".bash", ".bat", ".cfg", ".cjs", ".conf", ".csv", ".diff", ".go", ".hcl", ".html", ".ini", ".js", ".json", ".jsonc",
	".lua", ".md", ".mjs", ".mk", ".patch", ".php", ".pl", ".ps1", ".py", ".rb", ".service", ".sh", ".sql", ".tf",
	".toml", ".ts", ".txt", ".xml", ".yaml", ".yml", ".zsh",
};

/* Options whose value is a file, by what most programs mean by them. */
static const char file_options[][12] = {
	"-f", "--file", "--filename", "--body-file", "-i", "--input", "-c", "--config", "--from-file", "--data-file",
};

static bool has_extension(struct bytes word)
{
	for (size_t i = 0; i < ARRAY_LEN(extensions); i++) {
		size_t n = strlen(extensions[i]);

		if (word.len > n && word.p[word.len - n - 1] != '/' && fold_ends(word, extensions[i]))
			return true;
	}
	return false;
}

static bool is_file_option(struct bytes word)
{
	for (size_t i = 0; i < ARRAY_LEN(file_options); i++)
		if (fold_is(word, file_options[i]))
			return true;
	return false;
}

static void note_file(struct subject *s, struct bytes path, bool runs)
{
	struct judge *j = s->j;

	if (path.len == 0 || memchr(path.p, '\0', path.len) != NULL)
		return;
	for (uint32_t i = 0; i < j->n_attached; i++)
		if (bytes_eq(j->attached[i].path, path) && bytes_eq(j->attached[i].base, s->dirs.d[0])) {
			j->attached[i].runs = j->attached[i].runs || runs;
			return;
		}
	if (j->n_attached < ATTACHED_MAX)
		j->attached[j->n_attached++] = (struct attached){ s->dirs.d[0], path, runs };
}

/* `--name=value` by its halves; a word without a sign is all name. */
static struct bytes value_of(struct bytes word, struct bytes *ret_name)
{
	const char *sign = word.len > 0 ? (const char *)memchr(word.p, '=', word.len) : NULL;
	size_t n = sign != NULL ? (size_t)(sign - word.p) : word.len;

	*ret_name = (struct bytes){ word.p, n };
	return sign != NULL ? (struct bytes){ sign + 1, word.len - n - 1 } : (struct bytes){ NULL, 0 };
}

/* As curl and others write "the content of": @FILE, -d@FILE, NAME=@FILE. Empty: no such word. */
static struct bytes content_of(struct bytes word)
{
	const char *at = (const char *)memchr(word.p, '@', word.len);
	bool attached = at == word.p + 2 && word.p[0] == '-' && word.p[1] != '-';

	if (at == NULL || (at != word.p && !attached && at[-1] != '='))
		return (struct bytes){ NULL, 0 };
	return (struct bytes){ at + 1, word.len - (size_t)(at + 1 - word.p) };
}

static void note_named(struct subject *s, const struct invocation *inv)
{
	const struct word *w = inv->words != NULL ? inv->words->next : NULL;
	bool wanted = false;

	for (uint32_t i = 1; i < inv->n_words && w != NULL; i++, w = w->next) {
		struct bytes name, value, word = w->value;

		if (!w->is_static || word.len == 0) {
			wanted = false;
			continue;
		}
		if (content_of(word).len > 0) {
			note_file(s, content_of(word), false);
			wanted = false;
			continue;
		}
		if (word.p[0] == '-') {
			value = value_of(word, &name);
			if (value.len > 0 && is_file_option(name))
				note_file(s, value, false);
			wanted = name.len == word.len && is_file_option(name);
			continue;
		}
		if (wanted || (has_extension(word) && memmem(word.p, word.len, "://", 3) == NULL))
			note_file(s, word, false);
		wanted = false;
	}
}

/* What feeds a program that runs its input: a file, or `cat FILE`. */
static void note_read(struct subject *s, const struct invocation *inv, bool runs)
{
	const struct word *w = inv->input == INPUT_FILE ? inv->input_word :
		runs && inv->input == INPUT_PIPE ? script_feeder(s) : NULL;

	if (w != NULL && w->is_static)
		note_file(s, w->value, runs);
}

void attach_note(struct subject *s, const struct invocation *inv, const struct command_effects *fx)
{
	bool runs_input = false;

	if (!s->j->line->policy->model_available || s->dirs.n != 1 || s->dirs.unknown || s->where != NESTED_HERE)
		return;
	for (const struct command_effect *e = fx->effects; e != NULL; e = e->next) {
		runs_input = runs_input || e->effect == EFFECT_RUN_STDIN;
		if ((e->effect == EFFECT_EXECUTE || e->effect == EFFECT_APPLY) && e->is_static && e->base.len == 0)
			note_file(s, e->target, true);
	}
	note_read(s, inv, runs_input);
	/* Words of a command that it runs are that one's; of a script's own nobody can tell what they are when it runs. */
	if (s->scripts == 0 && fx->nested == NULL)
		note_named(s, inv);
}

static void ask_for(struct judge *j, const struct attached *f)
{
	const struct question q = { .kind = f->runs ? ASK_RUN : ASK_FILE, .base = f->base, .text = f->path,
		.extra = j->line->cwd };
	struct answer ignored;
	int r;

	if (j->questions >= QUESTIONS_MAX || f->path.len >= QUESTION_PATH_MAX || f->base.len >= QUESTION_PATH_MAX)
		return;
	j->questions++;
	r = j->line->oracle->ask(j->line->oracle->data, j->arena, &q, &ignored);
	if (r < 0)
		judge_fail(j, r);
}

void attach_files(struct judge *j)
{
	if (j->line->oracle == NULL)
		return;
	for (int runs = 1; runs >= 0; runs--)
		for (uint32_t i = 0; i < j->n_attached && j->error == 0; i++)
			if (j->attached[i].runs == (runs == 1))
				ask_for(j, &j->attached[i]);
}
