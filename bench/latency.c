/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Times whole hook calls beside the floor (spawn_pair.c), in turn, and prints the ratio; what a call costs more that
 * needs git; and the memory of all processes.
 */
#include <stdio.h>
#include <sys/wait.h>

#include "bench/calls.h"

enum { ROUNDS = 500, WARM_UP = 20 };

static const char payload_format[] = "{\"session_id\":\"bench\",\"transcript_path\":\"/tmp/transcript.jsonl\","
				     "\"cwd\":\"%s\",\"permission_mode\":\"default\",\"hook_event_name\":\"PreToolUse\","
				     "\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"%s\",\"description\":\"A bench\"}}";

enum { FLOOR, PLAIN, HERE, GIT, CALLS };

struct call {
	char *const *argv;
	char input[1024];
	const char *must_hold;
	double us[ROUNDS];
};

static void hook_call(struct call *c, char *const *argv, const char *directory, const char *command)
{
	c->argv = argv;
	c->must_hold = "\"allow\"";
	(void)snprintf(c->input, sizeof(c->input), payload_format, directory, command);
}

/* VmRSS of one process in KiB, or 0. */
static long resident(long pid)
{
	char path[64], line[256];
	long kib = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/status", pid);
	f = fopen(path, "re");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "VmRSS: %ld", &kib) == 1)
			break;
	if (f != NULL)
		fclose(f);
	return kib;
}

/* The guard and its children while a batch with one row answered stands open. KiB, or below 0. */
static long memory(char *program)
{
	static const char row[] = "{\"id\":\"1\",\"command\":\"ls -la | wc -l\"}\n";
	char *const argv[] = { program, (char[]){ "check" }, (char[]){ "--batch" }, NULL };
	char path[64], reply[4096];
	struct started s;
	long sum, child;
	FILE *f;

	if (start_program(argv, &s) < 0 || write(s.in, row, sizeof(row) - 1) < 0 ||
		read(s.out, reply, sizeof(reply)) <= 0)
		return -1;
	sum = resident(s.pid);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)s.pid, (int)s.pid);
	f = fopen(path, "re");
	while (f != NULL && fscanf(f, "%ld", &child) == 1)
		sum += resident(child);
	if (f != NULL)
		fclose(f);
	close(s.in);
	waitpid(s.pid, NULL, 0);
	close(s.out);
	return sum;
}

static int measure(struct call *calls, size_t n)
{
	for (int round = -WARM_UP; round < ROUNDS; round++) {
		for (size_t i = 0; i < n; i++) {
			struct call *c = &calls[i];
			double us = time_call(c->argv, (struct bytes){ c->input, strlen(c->input) }, c->must_hold);

			if (us < 0) {
				fprintf(stderr, "bench-latency: a call failed: %s\n", c->input);
				return 1;
			}
			if (round >= 0)
				c->us[round] = us;
		}
	}
	return 0;
}

static double row(const char *name, struct call *c)
{
	double p50 = percentile(c->us, ROUNDS, 50);

	printf("%-29s p50 %5.0f us   p99 %5.0f us\n", name, p50, percentile(c->us, ROUNDS, 99));
	return p50;
}

int main(int argc, char **argv)
{
	static struct call calls[CALLS];
	double hook_p50, floor_p50;
	long kib;

	if (argc != 4) {
		fputs("usage: bench-latency AUTO-CLASSIFIER FLOOR-PROGRAM REPOSITORY\n", stderr);
		return 64;
	}
	char *const hook[] = { argv[1], (char[]){ "hook" }, (char[]){ "claude" }, NULL };
	char *const floor_argv[] = { argv[2], NULL };

	calls[FLOOR] = (struct call){ .argv = floor_argv, .must_hold = "" };
	hook_call(&calls[PLAIN], hook, "/tmp", "ls -la | wc -l");
	hook_call(&calls[HERE], hook, argv[3], "ls -la | wc -l");
	hook_call(&calls[GIT], hook, argv[3], "git status");
	if (measure(calls, CALLS) != 0)
		return 1;
	hook_p50 = row("hook call, whole process", &calls[PLAIN]);
	floor_p50 = row("floor: two trivial processes", &calls[FLOOR]);
	printf("ratio                         p50 %5.2f      (bound 1.50)\n", hook_p50 / floor_p50);
	hook_p50 = row("the same call in a repository", &calls[HERE]);
	floor_p50 = row("one there that needs git", &calls[GIT]);
	printf("over one that does not        p50 %5.1f ms   (bound 15)\n", (floor_p50 - hook_p50) / 1000);
	kib = memory(argv[1]);
	printf("resident memory, all          %.1f MiB       (bound 12)\n", (double)kib / 1024);
	return kib < 0;
}
