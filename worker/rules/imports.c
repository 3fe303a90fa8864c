/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules that python finds in the directory it is started in, before its own. What git keeps there is the project's
 * code, as a test runner runs it; a file that lies there and that nobody has committed is a script like any other.
 */
#include "policy/git_facts.h"
#include "policy/paths/paths.h"
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
