/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a signal, or a look into a running process, reaches the gate, the harness that asks it, or what that runs in:
 * by names that are known to be theirs, and by what the broker sees of the processes above it.
 */
#include "worker/rules/internal.h"

#include "worker/ask.h"

enum { RUN_SHORTEST = 3 }; /* of a pattern: shorter texts are part of too many names to say anything */

static bool names_ours(struct bytes text)
{
	if (text.len == 0)
		return false;
	for (size_t i = 0; agent_names[i] != NULL; i++) {
		size_t n = strlen(agent_names[i]);
		const char *at = (const char *)memmem(text.p, text.len, agent_names[i], n);
		bool start, end;

		if (at == NULL)
			continue;
		/* "pi" and its like count as words only. */
		start = at == text.p || strchr("/^ -[|(", at[-1]) != NULL;
		end = at + n == text.p + text.len || strchr("/$ -.]|)", at[n]) != NULL;
		if (start && end)
			return true;
	}
	return memmem(text.p, text.len, "auto-classifier", 15) != NULL;
}

static bool contains_folded(const char *text, struct bytes part)
{
	size_t n = strlen(text);

	for (size_t i = 0; part.len > 0 && i + part.len <= n; i++)
		if (strncasecmp(text + i, part.p, part.len) == 0)
			return true;
	return false;
}

static bool is_part_of_ours(struct bytes part)
{
	static const char *const lines[] = { "/usr/bin/auto-classifier hook claude", "auto-classifier-worker",
		"auto-classifier-netproc", "auto-classifier-git" };

	for (size_t i = 0; agent_names[i] != NULL; i++)
		if (contains_folded(agent_names[i], part))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		if (contains_folded(lines[i], part))
			return true;
	return false;
}

/*
 * pkill and pgrep take an extended regular expression that may match anywhere in a name, or with -f in a command line.
 * What a match certainly contains is a literal run of an alternative. The longest of the alternative at *at, which is
 * left behind it; false: there is no more.
 */
static bool next_run(struct bytes pattern, size_t *at, struct bytes *ret)
{
	struct bytes longest = { NULL, 0 }, run = { NULL, 0 };
	size_t end = *at;

	if (*at > pattern.len)
		return false;
	while (end < pattern.len && pattern.p[end] != '|' && pattern.p[end] != '\n')
		end++;
	for (size_t i = *at; i <= end; i++) {
		bool literal = i < end && strchr(".*+?[](){}^$\\", pattern.p[i]) == NULL;
		bool optional = i + 1 < end && strchr("*?{", pattern.p[i + 1]) != NULL;

		if (literal && !optional) {
			run = (struct bytes){ run.len ? run.p : pattern.p + i, run.len + 1 };
			continue;
		}
		longest = run.len > longest.len ? run : longest;
		run.len = 0;
		/* What is in a bracket is a choice, no run. */
		while (i < end && pattern.p[i] == '[')
			while (i < end && pattern.p[i] != ']')
				i++;
	}
	*at = end + 1;
	*ret = longest;
	return true;
}

/* `unsaid`: an alternative without any run may be meant too, and short ones count. */
static bool pattern_names_ours(struct bytes pattern, bool unsaid)
{
	struct bytes run;
	size_t at = 0;

	while (next_run(pattern, &at, &run)) {
		if (run.len == 0 && unsaid)
			return true;
		if (run.len > 0 && (run.len >= RUN_SHORTEST || unsaid) && is_part_of_ours(run))
			return true;
	}
	return false;
}

static bool is_asker(struct bytes name)
{
	static const char *const askers[] = { "pgrep", "pidof", "ps", "grep", "awk", "lsof", "fuser", "ss", "cat" };

	for (size_t i = 0; i < ARRAY_LEN(askers); i++)
		if (bytes_is(name, askers[i]))
			return true;
	return false;
}

bool word_is_parameter(const struct word *w, const char *name)
{
	if (w == NULL)
		return false;
	for (const struct word_part *p = w->parts; p != NULL; p = p->next) {
		if (p->kind == PART_PARAM && bytes_is(p->text, name))
			return true;
		for (const struct word_part *c = p->children; c != NULL; c = c->next)
			if (c->kind == PART_PARAM && bytes_is(c->text, name))
				return true;
	}
	return false;
}

/* `kill $(pgrep claude)`: who is signalled is computed, and the line asks for one of ours by name. */
static bool line_asks_for_ours(const struct judge *j)
{
	for (const struct simple_command *c = j->current->commands; c != NULL; c = c->next) {
		bool asks = false;

		/* Any word: it may stand behind wrappers, and be written with its directory. */
		for (const struct word *w = c->words; w != NULL; w = w->next) {
			struct bytes text = w->is_static ? w->value : w->src;

			if (asks && (names_ours(text) || (text.len > 0 && text.p[0] != '-' &&
							pattern_names_ours(text, false))))
				return true;
			asks = asks || is_asker(judge_program(text));
		}
	}
	return false;
}

static bool asks_for_ours(struct judge *j)
{
	if (j->asks_for_ours < 0)
		j->asks_for_ours = line_asks_for_ours(j) ? 1 : 0;
	return j->asks_for_ours > 0;
}

/* -f: the pattern is looked for in the arguments as well. */
static bool looks_at_arguments(const struct invocation *inv)
{
	for (const struct word *w = inv != NULL ? inv->words : NULL; w != NULL; w = w->next) {
		struct bytes text = w->is_static ? w->value : w->prefix;

		if (bytes_is(text, "--full") || (text.len > 1 && text.p[0] == '-' && text.p[1] != '-' &&
							memchr(text.p, 'f', text.len) != NULL))
			return true;
	}
	return false;
}

/* A line that nobody but itself is asked about (check --batch) is of no process. */
static enum reach ask_whom(struct judge *j, struct bytes whom, bool arguments)
{
	struct answer a = { .status = ANSWER_UNKNOWN };
	int r;

	if (j->line->oracle == NULL)
		return REACHES_OTHERS;
	if (j->questions >= QUESTIONS_MAX)
		return REACHES_UNSEEN;
	j->questions++;
	r = ask_process(j->line->oracle, j->arena, whom, arguments, &a);
	if (r < 0)
		judge_fail(j, r);
	if (r < 0 || a.status != ANSWER_KNOWN)
		return REACHES_UNSEEN;
	return a.size == 1 ? REACHES_OURS : REACHES_OTHERS;
}

static enum reach ask_pattern(struct subject *s, struct bytes pattern)
{
	bool arguments = looks_at_arguments(s->invocation);
	struct bytes run;
	size_t at = 0;

	while (next_run(pattern, &at, &run)) {
		enum reach reach = run.len == 0 ? REACHES_OTHERS : ask_whom(s->j, run, arguments);

		if (reach != REACHES_OTHERS)
			return reach;
	}
	return REACHES_OTHERS;
}

static bool is_number(struct bytes text)
{
	size_t from = text.len > 0 && text.p[0] == '-' ? 1 : 0;

	for (size_t i = from; i < text.len; i++)
		if (text.p[i] < '0' || text.p[i] > '9')
			return false;
	return text.len > from;
}

/* tmux sets both for what runs in a pane; without a target, a command of tmux's means that pane (tmux(1)). */
static bool is_own_pane(const struct subject *s, struct bytes target)
{
	const struct string_list *names = &s->j->line->policy->environment_names;

	if (bytes_is(target, "tmux"))
		for (uint32_t i = 0; i < names->n; i++)
			if (bytes_is(names->items[i], "TMUX"))
				return true;
	for (const struct word *w = s->invocation != NULL ? s->invocation->words : NULL; w != NULL; w = w->next)
		if (word_is_parameter(w, "TMUX_PANE"))
			return true;
	return false;
}

enum reach signal_reaches(struct subject *s, const struct command_effect *e)
{
	if (!e->is_static || e->target.len == 0)
		return word_is_parameter(e->word, "PPID") || (e->word != NULL && names_ours(e->word->src)) ||
			asks_for_ours(s->j) ? REACHES_OURS : REACHES_OTHERS;
	if (names_ours(e->target) || is_own_pane(s, e->target))
		return REACHES_OURS;
	if (is_number(e->target))
		return ask_whom(s->j, e->target, false);
	if (strchr("0123456789%-", e->target.p[0]) != NULL) /* a job of this shell, or several numbers */
		return REACHES_OTHERS;
	return pattern_names_ours(e->target, true) ? REACHES_OURS : ask_pattern(s, e->target);
}
