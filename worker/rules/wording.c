/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of a command to people: its name as they wrote it, what it does, and to what. */
#include "worker/rules/internal.h"

static bool is_word_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static struct bytes first_word(struct bytes text)
{
	const char *blank = text.len > 0 ? (const char *)memchr(text.p, ' ', text.len) : NULL;

	return blank == NULL ? text : (struct bytes){ text.p, (size_t)(blank - text.p) };
}

/*
 * The canonical name stands in causes, so that every spelling counts as the same; people are shown the one they wrote:
 * python3, pip3 install, docker-compose up.
 */
struct bytes wording_program(struct subject *s)
{
	const struct word *w = s->invocation != NULL ? s->invocation->words : NULL;
	struct bytes written, name = first_word(s->program), rest;

	if (w == NULL || !w->is_static || w->value.len == 0 || s->program.len == 0)
		return s->program;
	written = judge_program(w->value);
	if (bytes_eq(written, name))
		return s->program;
	rest = (struct bytes){ s->program.p + name.len, s->program.len - name.len };
	return judge_text(s->j, "%.*s%.*s", (int)written.len, written.p, (int)rest.len, rest.p);
}

/* A target that only repeats the program's name says nothing. */
static bool repeats(struct bytes target, struct bytes program)
{
	struct bytes name = first_word(program);

	return bytes_eq(target, name) || bytes_eq(target, program);
}

struct bytes wording_deed(struct subject *s, enum effect_id effect, struct bytes target)
{
	static const char *const nameless[TARGET__MAX] = { [TARGET_URL] = "an address",
		[TARGET_REMOTE] = "a remote", [TARGET_FORGE] = "a repository" };
	const char *noun = nameless[effect_target(effect)];
	struct bytes verb = { effect_verb(effect), strlen(effect_verb(effect)) };

	if (repeats(target, s->program))
		target.len = 0;
	if (target.len == 0 && noun != NULL)
		target = (struct bytes){ noun, strlen(noun) };
	if (target.len == 0 && verb.len > 0 && (verb.p[verb.len - 1] == ':' || verb.p[verb.len - 1] == ','))
		verb.len--;
	return judge_text(s->j, "%.*s%s%.*s", (int)verb.len, verb.p, target.len > 0 ? " " : "", (int)target.len,
		target.p);
}

static bool starts(struct bytes text, const char *s)
{
	size_t n = strlen(s);

	return text.len >= n && memcmp(text.p, s, n) == 0;
}

/* Is the program named there already, as a word of its own? */
static bool names(struct bytes why, struct bytes program)
{
	struct bytes name = first_word(program);

	if (starts(why, "it ") || starts(why, "its "))
		return false;
	for (size_t i = 0; name.len > 0 && i + name.len <= why.len; i++)
		if (memcmp(why.p + i, name.p, name.len) == 0 && (i == 0 || !is_word_character(why.p[i - 1])) &&
			(i + name.len == why.len || !is_word_character(why.p[i + name.len])))
			return true;
	return false;
}

struct reason_text wording_open(struct subject *s)
{
	struct bytes program = wording_program(s);

	if (program.len == 0 || names(s->why, program) || names(s->why, s->program))
		return (struct reason_text){ REASON_NOT_UNDERSTOOD, 1, { s->why } };
	return (struct reason_text){ REASON_OPEN, 2, { program, s->why } };
}
