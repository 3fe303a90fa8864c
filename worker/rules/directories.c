/* SPDX-License-Identifier: Apache-2.0 */
/* Where a command takes the shell: what cd, pushd and a script's "$(dirname "$0")" lead to, and whether it can fail. */
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

/* The ways in which scripts say "the directory I lie in". */
static bool is_script_directory(struct bytes src)
{
	static const char *const ways[] = {
		"\"$(dirname \"$0\")\"", "\"$(dirname -- \"$0\")\"", "$(dirname \"$0\")", "$(dirname $0)",
		"\"$(dirname $0)\"", "\"$(dirname \"${BASH_SOURCE[0]}\")\"", "\"$(dirname -- \"${BASH_SOURCE[0]}\")\"",
		"\"$(dirname \"$BASH_SOURCE\")\"", "$(dirname \"${BASH_SOURCE[0]}\")", "\"${0%/*}\"",
	};

	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		if (bytes_is(src, ways[i]))
			return true;
	return false;
}

/* `cd "$(mktemp -d)"`: whatever it is called, it is new, empty and nobody else's. */
static bool is_made_afresh(const struct command_effect *e)
{
	const uint32_t made = WORD_FOUND | WORD_REGULAR | WORD_TOKEN;

	return (e->word_flags & made) == made && e->target.len > 0 && e->target.p[0] == '/';
}

struct bytes directories_really(struct judge *j, struct bytes directory)
{
	struct answer a;

	if (!place_ask(j, (struct bytes){ NULL, 0 }, directory, &a) || a.status != ANSWER_KNOWN)
		return (struct bytes){ NULL, 0 };
	return a.real.len > 0 ? a.real : directory;
}

void directories_enter(struct subject *s, const struct command_effect *e)
{
	struct directories *to = s->enter;
	const struct string_list *env = &s->j->line->policy->environment_names;
	struct bytes target = e->target;

	if (to == NULL)
		return;
	s->entered = true;
	to->n = 0;
	to->unknown = true;
	if (!e->is_static && s->script_dir.len > 0 && e->word != NULL && is_script_directory(e->word->src))
		target = s->script_dir;
	else if (!e->is_static && is_made_afresh(e))
		target = judge_text(s->j, "%.*snew", (int)e->target.len, e->target.p);
	else if (!e->is_static || bytes_is(target, "-"))
		return;
	/* With CDPATH a relative name may lead anywhere (bash(1), cd). */
	for (uint32_t i = 0; i < env->n; i++)
		if (bytes_is(env->items[i], "CDPATH") && target.len > 0 && target.p[0] != '/' && target.p[0] != '.')
			return;
	if (target.len == 0)
		target = policy_shell_home(s->j->line->policy);
	if (target.len == 0 || (target.p[0] != '/' && (s->dirs.unknown || s->dirs.n == 0)))
		return;
	to->unknown = false;
	for (uint32_t i = 0; i < (target.p[0] == '/' ? 1 : s->dirs.n); i++) {
		char buffer[QUESTION_PATH_MAX];
		size_t n = path_normalise(
			target.p[0] == '/' ? BYTES("/") : s->dirs.d[i], target, buffer, sizeof(buffer));
		struct bytes dir = { arena_copy(s->j->arena, buffer, n), n };

		if (dir.p == NULL)
			judge_fail(s->j, -ENOMEM);
		else if (e->follows)
			dir = directories_really(s->j, dir);
		/* A path this long comes from a line that only walks on and on. */
		if (dir.len == 0 || dir.len > DIRECTORY_LENGTH_MAX) {
			to->unknown = true;
			return;
		}
		to->d[to->n++] = dir;
	}
}

/* Builtins after which the shell may be anywhere, whatever is known of them. */
bool command_may_move(const struct judge *j, const struct word *w)
{
	static const char *const names[] = { "source", ".", "popd", "pushd", "dirs" };
	static const char *const behind[] = { "cd", "chdir", "eval" };
	bool wrapped = false;

	/* What command and builtin run is run by this shell. */
	while (w != NULL && w->is_static && w->next != NULL &&
		(bytes_is(w->value, "command") || bytes_is(w->value, "builtin") || (wrapped && w->value.len > 0 &&
			w->value.p[0] == '-'))) {
		wrapped = true;
		w = w->next;
	}
	if (w == NULL || !w->is_static)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(behind) && wrapped; i++)
		if (bytes_is(w->value, behind[i]))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (bytes_is(w->value, names[i]))
			return true;
	return j->facts.changes_directory && name_is_own_function(j, w->value);
}

/* A directory that is there can be entered: then what follows runs in it, and nowhere else. */
bool directories_are_there(struct judge *j, const struct directories *d)
{
	if (d->unknown || d->n == 0)
		return false;
	for (uint32_t i = 0; i < d->n; i++) {
		struct answer a;

		if (!place_ask(j, (struct bytes){ NULL, 0 }, d->d[i], &a) || a.status != ANSWER_KNOWN ||
			a.type != PATH_DIRECTORY)
			return false;
	}
	return true;
}
