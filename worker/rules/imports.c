/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that run without being named as scripts: modules that python finds in the directory it is started in, before
 * its own, and archives that are installed. What git keeps is the project's code, as a test runner runs it; what nobody
 * has committed is a script like any other, and of an archive nobody sees what it runs.
 */
#include "policy/git_facts.h"
#include "policy/paths/paths.h"
#include "policy/text/fold.h"
#include "worker/rules/internal.h"

enum { IMPORTS_MAX = 10 /* that are looked for */ };

static bool line_writes(const struct judge *j, struct bytes dir, struct bytes path)
{
	char buffer[QUESTION_PATH_MAX];
	struct bytes full = { buffer, path_normalise(dir, path, buffer, sizeof(buffer)) };

	for (uint32_t i = 0; i < j->n_written; i++)
		if (bytes_eq(full, j->written[i]))
			return true;
	return false;
}

/* It is not there, or git knows it. */
static bool is_kept(struct subject *s, struct bytes dir, struct bytes path)
{
	struct answer a, state;

	if (line_writes(s->j, dir, path) || !place_ask(s->j, dir, path, &a) || a.status != ANSWER_KNOWN)
		return false;
	if (a.type == PATH_MISSING)
		return true;
	ask_about_repository(s->j, ASK_STATE, dir, path, &state);
	return state.status == ANSWER_KNOWN && (state.size & GIT_FILE_TRACKED) != 0;
}

void judge_imports(struct subject *s, const struct command_effects *fx)
{
	struct bytes dir = s->dirs.n == 1 && !s->dirs.unknown ? s->dirs.d[0] : (struct bytes){ NULL, 0 };
	uint32_t n = 0;

	if (s->j->line->oracle == NULL || dir.len == 0 || s->where != NESTED_HERE || s->verdict != VERDICT_ALLOW)
		return;
	for (const struct word *w = fx->imports; w != NULL; w = w->next) {
		struct bytes file = judge_text(s->j, "%.*s.py", (int)w->value.len, w->value.p);
		struct bytes package = judge_text(s->j, "%.*s/__init__.py", (int)w->value.len, w->value.p);

		if (n++ < IMPORTS_MAX && is_kept(s, dir, file) && is_kept(s, dir, package))
			continue;
		leave_open(s, judge_text(s->j, "it may load %.*s, which is in no commit", (int)file.len, file.p),
			BYTES("import"), file, false);
		return;
	}
}

static bool is_archive(struct bytes path)
{
	static const char suffixes[][8] = { ".tgz", ".tar.gz", ".tar", ".whl", ".zip", ".egg" };

	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++)
		if (fold_ends(path, suffixes[i]))
			return true;
	return false;
}

/* The project's own output, or unchanged since somebody committed it; what is not there is not installed. */
static bool is_ours(struct subject *s, struct bytes dir, struct bytes path)
{
	struct answer a, state;

	if (line_writes(s->j, dir, path) || !place_ask(s->j, dir, path, &a) || a.status != ANSWER_KNOWN)
		return false;
	if (a.type != PATH_FILE || (a.facts & FACT_IN_BUILD) != 0)
		return true;
	ask_about_repository(s->j, ASK_STATE, dir, path, &state);
	return state.status == ANSWER_KNOWN && (state.size & GIT_FILE_COMMITTED) != 0;
}

/* FILE[EXTRA] names the file (pip-install(1)). */
static struct bytes without_extras(struct bytes path)
{
	const char *mark = path.len > 1 && path.p[path.len - 1] == ']' ? memrchr(path.p, '[', path.len) : NULL;

	return mark != NULL ? (struct bytes){ path.p, (size_t)(mark - path.p) } : path;
}

void judge_archives(struct subject *s, const struct command_effects *fx)
{
	struct bytes dir = s->dirs.n == 1 && !s->dirs.unknown ? s->dirs.d[0] : (struct bytes){ NULL, 0 };

	if (s->j->line->oracle == NULL || s->where != NESTED_HERE || s->verdict != VERDICT_ALLOW)
		return;
	for (const struct command_effect *e = fx->effects; e != NULL; e = e->next) {
		struct bytes path = without_extras(e->target);

		if (e->effect != EFFECT_INSTALL_PROJECT || !e->is_static || !is_archive(path))
			continue;
		if (e->base.len > 0)
			path = judge_text(s->j, "%.*s/%.*s", (int)e->base.len, e->base.p, (int)path.len, path.p);
		if (dir.len > 0 && is_ours(s, dir, path))
			continue;
		leave_open(s, judge_text(s->j, "it installs %.*s, which is in no commit", (int)path.len, path.p),
			BYTES("import"), path, false);
		return;
	}
}
