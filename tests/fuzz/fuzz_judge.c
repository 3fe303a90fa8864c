/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines through parser, command models and rules. The first byte picks dialect, shell and what the broker answers; the
 * rest is the line. Besides not crashing: an allow never stands beside a tell, a cause, or a part that was not
 * modelled.
 */
#include <stdint.h>
#include <stdlib.h>

#include "policy/paths/paths.h"
#include "worker/rules/judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Answers by what the path looks like, so that the same line gets the same verdict. */
static int ask(void *data, struct arena *arena, const struct question *q, struct answer *ret)
{
	char buffer[QUESTION_PATH_MAX];
	size_t n = path_normalise(q->base, q->text, buffer, sizeof(buffer));
	struct bytes path = { buffer, n };

	(*(unsigned int *)data)++;
	require(q->base.len <= QUESTION_PATH_MAX && q->text.len <= QUESTION_PATH_MAX);
	*ret = (struct answer){ .kind = q->kind, .status = ANSWER_UNKNOWN };
	if (n == 0 || n % 7 == 0)
		return 0;
	ret->status = ANSWER_KNOWN;
	ret->type = (enum path_type)(1 + n % PATH_SPECIAL);
	ret->real = (struct bytes){ arena_copy(arena, buffer, n), n };
	if (ret->real.p == NULL)
		return -ENOMEM;
	if (path_within(path, BYTES("/w")))
		ret->facts = FACT_IN_WORKSPACE | FACT_IN_WORKTREE;
	if (path_is_secret(path))
		ret->facts |= FACT_SECRET;
	if (path_is_system(path))
		ret->facts |= FACT_IN_SYSTEM;
	return 0;
}

static bool is_blank(struct bytes b)
{
	for (size_t i = 0; i < b.len; i++)
		if (strchr(" \t\r\n", b.p[i]) == NULL || b.p[i] == '\0')
			return false;
	return true;
}

static void check(const struct line *line, const struct assessment *a, const struct script *s, const struct finding *f)
{
	require(a->n_causes <= ASSESSMENT_CAUSES_MAX && a->reason.n_args <= REASON_ARGS_MAX);
	if (is_blank(line->command)) {
		require(a->verdict == VERDICT_ALLOW && a->source == SOURCE_EMPTY);
		return;
	}
	require(a->source != SOURCE_EMPTY);
	if (a->verdict != VERDICT_ALLOW) {
		require(a->n_causes > 0);
		return;
	}
	require(a->source == SOURCE_FAST_ALLOW && a->n_causes == 0);
	require(a->flags == 0 && s->unmodelled == 0 && s->limit == LIMIT_NONE);
	for (uint32_t i = 0; i < s->n_commands; i++)
		require(f[i].judged && f[i].verdict == VERDICT_ALLOW);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes deny[] = { BYTES("^mkfs"), BYTES("dd .*of=/dev/sd"), BYTES("(a|b|ab)*c$") };
	struct bytes allow[] = { BYTES("^forge (list|view)\\b"), BYTES("^x+$") };
	struct bytes roots[] = { BYTES("/tmp/") };
	struct worker_policy policy = { .fast_deny = { deny, 3 },
		.fast_allow = { allow, 2 },
		.scratch_roots = { roots, 1 },
		.home = BYTES("/home/ada") };
	struct compiled_rules *rules = NULL;
	struct arena arena = { .cap = (size_t)64 << 20 };
	unsigned int questions = 0;
	const struct oracle oracle = { ask, &questions };
	struct assessment a = { 0 };
	struct script *script;
	struct finding *findings;
	struct line line = { .cwd = BYTES("/w"), .policy = &policy, .rules = &rules, .oracle = &oracle };
	int r;

	if (size == 0)
		return 0;
	line.command = (struct bytes){ (const char *)data + 1, size - 1 };
	line.dialect = (enum dialect)(data[0] % DIALECT__MAX);
	line.shell = (data[0] & 0x40) != 0 ? SHELL_FRESH : SHELL_PERSISTENT;
	policy.model_available = (data[0] & 0x80) != 0;
	r = judge_line(&arena, &line, &a, &script, &findings);
	require(r == 0 || r == -ENOMEM);
	require(questions <= QUESTIONS_MAX);
	if (r == 0)
		check(&line, &a, script, findings);
	compiled_rules_free(rules, &policy);
	arena_done(&arena);
	return 0;
}
