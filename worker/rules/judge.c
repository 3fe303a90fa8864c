/* SPDX-License-Identifier: Apache-2.0 */
/* Stages 0 to 4 over one line: parse, hold every command against the rules, conclude. */
#include <stdarg.h>
#include <stdio.h>

#include "worker/rules/internal.h"

void judge_fail(struct judge *j, int error)
{
	if (j->error == 0)
		j->error = error;
}

struct bytes judge_text(struct judge *j, const char *fmt, ...)
{
	va_list args;
	char *p;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	p = n >= 0 ? (char *)arena_alloc(j->arena, (size_t)n + 1) : NULL;
	if (p == NULL) {
		judge_fail(j, -ENOMEM);
		return (struct bytes){ NULL, 0 };
	}
	va_start(args, fmt);
	n = vsnprintf(p, (size_t)n + 1, fmt, args);
	va_end(args);
	return (struct bytes){ p, (size_t)n };
}

struct bytes judge_join(struct judge *j, const struct word *words, uint32_t n)
{
	size_t size = 0, at = 0;
	const struct word *w = words;
	char *p;

	for (uint32_t i = 0; i < n && w != NULL; i++, w = w->next)
		size += (w->is_static ? w->value.len : w->src.len) + 1;
	p = (char *)arena_alloc(j->arena, size + 1);
	if (p == NULL) {
		judge_fail(j, -ENOMEM);
		return (struct bytes){ NULL, 0 };
	}
	w = words;
	for (uint32_t i = 0; i < n && w != NULL; i++, w = w->next) {
		struct bytes t = w->is_static ? w->value : w->src;

		if (at > 0)
			p[at++] = ' ';
		if (t.len > 0)
			memcpy(p + at, t.p, t.len);
		at += t.len;
	}
	return (struct bytes){ p, at };
}

struct bytes judge_program(struct bytes name)
{
	const char *slash = command_known(name) ? memrchr(name.p, '/', name.len) : NULL;

	if (slash == NULL)
		return name;
	return (struct bytes){ slash + 1, (size_t)(name.p + name.len - slash - 1) };
}

struct bytes judge_cause_text(struct judge *j, const struct word *words, uint32_t n)
{
	struct word first = *words;

	first.value = judge_program(first.value);
	return judge_join(j, &first, n);
}

static size_t slot_of(const struct judge *j, const struct simple_command *c)
{
	uintptr_t key = (uintptr_t)c >> 4;

	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (j->order_size - 1);
}

/* Findings are parallel to the commands; a command knows no number, so its address is looked up. */
static bool index_commands(struct judge *j)
{
	uint32_t size = 4, i = 0;

	while (size < j->script->n_commands * 2)
		size *= 2;
	j->order_size = size;
	j->order = (const struct simple_command **)arena_alloc(j->arena, size * sizeof(*j->order));
	j->order_index = (uint32_t *)arena_alloc(j->arena, size * sizeof(*j->order_index));
	j->findings = (struct finding *)arena_alloc(j->arena, (j->script->n_commands + 1) * sizeof(*j->findings));
	if (j->order == NULL || j->order_index == NULL || j->findings == NULL)
		return false;
	for (const struct simple_command *c = j->script->commands; c != NULL && i < j->script->n_commands;
		c = c->next, i++) {
		size_t slot = slot_of(j, c);

		while (j->order[slot] != NULL)
			slot = (slot + 1) & (size - 1);
		j->order[slot] = c;
		j->order_index[slot] = i;
	}
	return true;
}

/* The last finding is nobody's: of what hangs on compound commands. */
struct finding *judge_finding(struct judge *j, const struct simple_command *c)
{
	struct finding *f = &j->findings[j->script->n_commands];

	for (size_t slot = c != NULL ? slot_of(j, c) : 0; c != NULL && j->order[slot] != NULL;
		slot = (slot + 1) & (j->order_size - 1)) {
		if (j->order[slot] != c)
			continue;
		f = &j->findings[j->order_index[slot]];
		break;
	}
	if (!f->judged) {
		f->judged = true;
		f->verdict = VERDICT_ALLOW;
	}
	return f;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct bytes trim(struct bytes b)
{
	while (b.len > 0 && is_blank(b.p[0])) {
		b.p++;
		b.len--;
	}
	while (b.len > 0 && is_blank(b.p[b.len - 1]))
		b.len--;
	return b;
}

static void deny_line(struct judge *j, enum stage stage, struct reason_text reason, struct bytes rule)
{
	struct finding nobody = { 0 };
	struct subject s = { .j = j, .finding = &nobody, .program = BYTES("line") };

	deny(&s, stage, reason, rule, BYTES("rule"), rule);
}

/* The raw line too: a rule that names what several commands do together can only be held against all of it. */
static void deny_by_raw_line(struct judge *j)
{
	struct bytes rule;

	switch (rules_deny(j, j->text, &rule)) {
	case RULE_MATCHED:
	case RULE_WHOLE:
		deny_line(j, STAGE_RULE, (struct reason_text){ REASON_FAST_DENY, 1, { rule } }, rule);
		return;
	case RULE_LIMIT:
		deny_line(j, STAGE_RULE, (struct reason_text){ REASON_RULE_LIMIT, 1, { rule } }, rule);
		return;
	case RULE_NONE:
	default:
		return;
	}
}

static const char *limit_name(enum parse_limit limit)
{
	static const char *const names[] = {
		[LIMIT_NONE] = "", [LIMIT_LENGTH] = "its length", [LIMIT_DEPTH] = "the depth of its nesting",
		[LIMIT_COMMANDS] = "the number of its commands", [LIMIT_WORDS] = "the number of its words",
		[LIMIT_MEMORY] = "the memory it takes",
	};

	return names[(unsigned int)limit < ARRAY_LEN(names) ? limit : LIMIT_MEMORY];
}

static void deny_for_limit(struct judge *j, enum parse_limit limit)
{
	const char *name = limit_name(limit);

	deny_line(j, STAGE_RULE, (struct reason_text){ REASON_LIMIT, 1, { { name, strlen(name) } } }, BYTES("limit"));
}

/* Whatever the walk did not reach is judged all the same, as something that may run anywhere. */
static void judge_the_rest(struct judge *j)
{
	uint32_t i = 0;

	for (const struct simple_command *c = j->script->commands; c != NULL && i < j->script->n_commands;
		c = c->next, i++) {
		struct subject s = { .j = j, .dirs = { .unknown = true } };
		struct flow f;

		if (!j->findings[i].judged)
			judge_simple(j, c, &s, &f);
	}
}

static void judge_script(struct judge *j)
{
	struct subject s = { .j = j, .sure = true };
	struct bytes broken = rules_begin(j);

	if (broken.len > 0)
		deny_line(j, STAGE_RULE, (struct reason_text){ REASON_RULE_BROKEN, 1, { broken } },
			BYTES("rules.fastDeny"));
	if (j->line->cwd.len > 0) {
		s.dirs.d[0] = j->line->cwd;
		s.dirs.n = 1;
	} else {
		s.dirs.unknown = true;
	}
	j->current = j->script;
	line_facts_collect(j, j->script);
	holders_collect(j, j->script);
	walk_script(j, j->script, &s);
	judge_the_rest(j);
	flow_conclude(j);
	deny_by_raw_line(j);
	judge_tells(j);
}

int judge_line(struct arena *arena, const struct line *line, struct assessment *assessment, struct script **ret_script,
	struct finding **ret_findings)
{
	struct judge j = { .arena = arena,
		.line = line,
		.text = trim(line->command),
		.a = assessment,
		.denied = STAGE_NONE,
		.asks_for_ours = -1 };
	const struct shell_options options = { .dialect = line->dialect, .home = line->policy->home,
		.cwd = line->cwd };
	int r;

	assessment->n_causes = 0;
	assessment->flags = 0;
	r = shell_parse(arena, j.text, &options, &j.script);
	if (r < 0)
		return r;
	if (!index_commands(&j))
		return -ENOMEM;
	if (j.text.len == 0) {
		assessment->verdict = VERDICT_ALLOW;
		assessment->source = SOURCE_EMPTY;
		assessment->reason = (struct reason_text){ .id = REASON_EMPTY };
	} else if (j.script->limit != LIMIT_NONE) {
		deny_for_limit(&j, j.script->limit);
		conclude(&j);
	} else {
		judge_script(&j);
		if (j.open && j.denied == STAGE_NONE)
			discards_tell(&j);
		conclude(&j);
		if (assessment->verdict == VERDICT_OPEN)
			attach_files(&j);
	}
	if (j.error != 0)
		return j.error;
	*ret_script = j.script;
	*ret_findings = j.findings;
	return 0;
}
