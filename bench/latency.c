/* SPDX-License-Identifier: Apache-2.0 */
/* Times whole hook calls beside the floor (spawn_pair.c), in turn, and prints the ratio; then adds up memory. */
#include "policy/base.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

enum { PAIRS = 500, WARM_UP = 20 };

static const char payload[] = "{\"session_id\":\"bench\",\"transcript_path\":\"/tmp/transcript.jsonl\","
			      "\"cwd\":\"/tmp\",\"permission_mode\":\"default\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
			      "\"tool_input\":{\"command\":\"ls -la | wc -l\",\"description\":\"Count files\"}}";

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

struct run {
	pid_t pid;
	int in, out;
};

static int start(char *const argv[], struct run *ret)
{
	posix_spawn_file_actions_t actions;
	int in[2], out[2], rc;

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
		return -errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
	rc = posix_spawn(&ret->pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(in[0]);
	close(out[1]);
	ret->in = in[1];
	ret->out = out[0];
	return -rc;
}

/* One whole call, as a harness makes it: start, write, read to the end, wait. Microseconds, or below 0. */
static double time_call(char *const argv[], const char *input, size_t n, const char *must_hold)
{
	double from = now_us();
	char reply[4096];
	size_t have = 0;
	struct run r;
	ssize_t got;
	int status;

	if (start(argv, &r) < 0)
		return -1;
	if (n != 0 && write(r.in, input, n) != (ssize_t)n)
		return -1;
	close(r.in);
	while ((got = read(r.out, reply + have, sizeof(reply) - 1 - have)) > 0)
		have += (size_t)got;
	reply[have] = '\0';
	close(r.out);
	if (waitpid(r.pid, &status, 0) != r.pid || status != 0 || strstr(reply, must_hold) == NULL)
		return -1;
	return now_us() - from;
}

static int by_size(const void *a, const void *b)
{
	double d = *(const double *)a - *(const double *)b;

	return d < 0 ? -1 : d > 0;
}

static double percentile(double *v, size_t n, int p)
{
	qsort(v, n, sizeof(*v), by_size);
	return v[(n - 1) * (size_t)p / 100];
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
	struct run r;
	long sum, child;
	FILE *f;

	if (start(argv, &r) < 0 || write(r.in, row, sizeof(row) - 1) < 0 || read(r.out, reply, sizeof(reply)) <= 0)
		return -1;
	sum = resident(r.pid);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)r.pid, (int)r.pid);
	f = fopen(path, "re");
	while (f != NULL && fscanf(f, "%ld", &child) == 1)
		sum += resident(child);
	if (f != NULL)
		fclose(f);
	close(r.in);
	waitpid(r.pid, NULL, 0);
	close(r.out);
	return sum;
}

static int measure(char *program, char *floor_program)
{
	char *const hook[] = { program, (char[]){ "hook" }, (char[]){ "claude" }, NULL };
	char *const floor_argv[] = { floor_program, NULL };
	static double hooks[PAIRS], floors[PAIRS];
	double hook_p50, floor_p50;
	long kib;

	for (int i = -WARM_UP; i < PAIRS; i++) {
		double a = time_call(floor_argv, NULL, 0, "");
		double b = time_call(hook, payload, sizeof(payload) - 1, "\"allow\"");

		if (a < 0 || b < 0) {
			fputs("bench-latency: a call failed\n", stderr);
			return 1;
		}
		if (i >= 0) {
			floors[i] = a;
			hooks[i] = b;
		}
	}
	hook_p50 = percentile(hooks, PAIRS, 50);
	floor_p50 = percentile(floors, PAIRS, 50);
	printf("hook call, whole process     p50 %5.0f us   p99 %5.0f us\n", hook_p50, percentile(hooks, PAIRS, 99));
	printf("floor: two trivial processes p50 %5.0f us   p99 %5.0f us\n", floor_p50, percentile(floors, PAIRS, 99));
	printf("ratio                        p50 %5.2f      (bound 1.50)\n", hook_p50 / floor_p50);
	kib = memory(program);
	printf("resident memory, all         %.1f MiB       (bound 12)\n", (double)kib / 1024);
	return kib < 0;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: bench-latency AUTO-CLASSIFIER FLOOR-PROGRAM\n", stderr);
		return 64;
	}
	return measure(argv[1], argv[2]);
}
