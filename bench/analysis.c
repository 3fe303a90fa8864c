/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What analysing one command costs inside the worker, without any process around it: parser, command models and rules
 * on every line of a file, and the processor time of large inputs, the median of five each. `analysis FILE [LARGE...]`
 */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>

#include "policy/config/config.h"
#include "policy/git_facts.h"
#include "worker/rules/judge.h"

enum { ROUNDS = 400, LARGE_ROUNDS = 5, LINES_MAX = 1024, FILE_MAX = 1 << 20 };

static uint64_t cpu_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The worker's own part: an answer costs it nothing here, as it waits for the broker meanwhile. */
static int ordinary_file(void *data, struct arena *arena, const struct question *q, struct answer *ret)
{
	(void)data;
	/* Facts of a repository that runs nothing of its own: what git's everyday subcommands meet. */
	if (q->kind == ASK_REPOSITORY || q->kind == ASK_PUSH) {
		static const struct bytes url = BYTES("git@github.com:octo/app.git");
		const struct git_push push = { .verified = true, .n_urls = 1, .urls = { url }, .branch = BYTES("topic") };
		CLEANUP(freep) struct git_facts *facts = calloc(1, sizeof(*facts));
		CLEANUP(wr_done) struct writer w = { 0 };

		if (facts == NULL)
			return -ENOMEM;
		facts->root = BYTES("/home/dev/app");
		if (q->kind == ASK_PUSH)
			git_push_encode(&w, &push);
		else
			git_facts_encode(&w, facts);
		*ret = (struct answer){ .kind = q->kind, .status = ANSWER_KNOWN, .type = PATH_DIRECTORY,
			.detail = { arena_copy(arena, w.p, w.len), w.len } };
		return w.bad || ret->detail.p == NULL ? -ENOMEM : 0;
	}
	*ret = (struct answer){ .kind = q->kind, .status = ANSWER_KNOWN, .type = PATH_FILE,
		.facts = FACT_IN_WORKSPACE | FACT_IN_WORKTREE | FACT_IN_HOME, .real = BYTES("/home/dev/app/file") };
	return 0;
}

static int strings_of(const struct config *c, enum config_key key, struct string_list *ret)
{
	const char *const *items;
	size_t n = config_strings(c, key, &items);

	ret->items = calloc(n ? n : 1, sizeof(*ret->items));
	if (!ret->items)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		ret->items[i] = (struct bytes){ items[i], strlen(items[i]) };
	ret->n = (uint32_t)n;
	return 0;
}

static int default_policy(const struct config *c, struct worker_policy *ret)
{
	int r;

	*ret = (struct worker_policy){ .home = BYTES("/home/dev"), .shell = BYTES("/bin/bash") };
	r = strings_of(c, CFG_RULES_FAST_DENY, &ret->fast_deny);
	if (r == 0)
		r = strings_of(c, CFG_RULES_FAST_ALLOW, &ret->fast_allow);
	if (r == 0)
		r = strings_of(c, CFG_RULES_SCRATCH_WRITE_ROOTS, &ret->scratch_roots);
	if (r == 0)
		r = strings_of(c, CFG_POLICY_PROTECTED_BRANCHES, &ret->protected_branches);
	return r;
}

struct bench {
	struct arena arena;
	struct worker_policy policy;
	struct compiled_rules *rules;
	unsigned verdicts[VERDICT__MAX];
};

/* One line judged from nothing; returns its processor time, or 0 when it could not be judged. */
static uint64_t judge_once(struct bench *b, struct bytes command)
{
	struct oracle oracle = { .ask = ordinary_file };
	struct line line = { .command = command, .cwd = BYTES("/home/dev/app"), .dialect = DIALECT_BASH,
		.shell = SHELL_FRESH, .policy = &b->policy, .rules = &b->rules, .oracle = &oracle };
	struct assessment assessment = { 0 };
	struct finding *findings = NULL;
	struct script *script = NULL;
	uint64_t began, ended;
	int r;

	arena_reset(&b->arena);
	began = cpu_ns();
	r = judge_line(&b->arena, &line, &assessment, &script, &findings);
	ended = cpu_ns();
	if (r < 0)
		return 0;
	b->verdicts[assessment.verdict]++;
	return ended > began ? ended - began : 1;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* "\n" in the file stands for a newline in the command. */
static size_t unescape(char *p, size_t len)
{
	size_t out = 0;

	for (size_t i = 0; i < len; i++) {
		if (p[i] == '\\' && i + 1 < len && p[i + 1] == 'n') {
			p[out++] = '\n';
			i++;
		} else {
			p[out++] = p[i];
		}
	}
	return out;
}

static size_t split_lines(char *text, size_t len, struct bytes *lines)
{
	size_t n = 0;

	for (char *p = text, *end = text + len; p < end && n < LINES_MAX;) {
		char *newline = memchr(p, '\n', (size_t)(end - p));
		size_t size = (size_t)((newline ? newline : end) - p);

		if (size > 0)
			lines[n++] = (struct bytes){ p, unescape(p, size) };
		p += size + 1;
	}
	return n;
}

static int read_file(const char *path, char **ret_text, size_t *ret_len)
{
	CLEANUP(close_fdp) int fd = open(path, O_RDONLY | O_CLOEXEC);
	CLEANUP(freep) char *text = malloc(FILE_MAX);
	ssize_t n;

	if (!text)
		return -ENOMEM;
	n = fd < 0 ? -1 : read(fd, text, FILE_MAX);
	if (n < 0)
		return -errno;
	*ret_text = TAKE_PTR(text);
	*ret_len = (size_t)n;
	return 0;
}

static int everyday(struct bench *b, const char *path)
{
	CLEANUP(freep) uint64_t *times = NULL;
	CLEANUP(freep) char *text = NULL;
	struct bytes lines[LINES_MAX];
	size_t len, n, k = 0;
	int r = read_file(path, &text, &len);

	if (r < 0)
		return r;
	n = split_lines(text, len, lines);
	times = calloc(n * ROUNDS + 1, sizeof(*times));
	if (!times)
		return -ENOMEM;
	for (int round = -ROUNDS / 10; round < ROUNDS; round++) {
		for (size_t i = 0; i < n; i++) {
			uint64_t t = judge_once(b, lines[i]);

			if (t == 0)
				return -EINVAL;
			if (round >= 0)
				times[k++] = t;
		}
	}
	if (k == 0)
		return -ENODATA;
	qsort(times, k, sizeof(*times), by_value);
	printf("everyday %zu commands: p50 %.1f us, p99 %.1f us, worst %.1f us\n", n, (double)times[k / 2] / 1e3,
		(double)times[k * 99 / 100] / 1e3, (double)times[k - 1] / 1e3);
	return 0;
}

static int large(struct bench *b, const char *path)
{
	CLEANUP(freep) char *text = NULL;
	uint64_t times[LARGE_ROUNDS];
	size_t len;
	int r = read_file(path, &text, &len);

	if (r < 0)
		return r;
	for (size_t i = 0; i < LARGE_ROUNDS; i++)
		times[i] = judge_once(b, (struct bytes){ text, len });
	qsort(times, LARGE_ROUNDS, sizeof(*times), by_value);
	printf("large %.2f ms %s\n", (double)times[LARGE_ROUNDS / 2] / 1e6, path);
	return 0;
}

int main(int argc, char **argv)
{
	struct bench b = { 0 };
	struct config *c = NULL;
	int r = config_new(&c);

	if (r == 0)
		r = config_finish(c);
	if (r == 0)
		r = default_policy(c, &b.policy);
	if (r == 0 && argc > 1)
		r = everyday(&b, argv[1]);
	for (int i = 2; i < argc && r == 0; i++)
		r = large(&b, argv[i]);
	if (r < 0)
		fprintf(stderr, "analysis: %s\n", strerror(-r));
	worker_policy_done(&b.policy);
	arena_done(&b.arena);
	config_free(c);
	return r < 0;
}
