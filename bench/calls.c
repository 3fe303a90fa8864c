/* SPDX-License-Identifier: Apache-2.0 */
/* Starting programs and timing them. */
#include "bench/calls.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "policy/sandbox/roles.h"

enum { FREE_OF_ROLES = 10 };

double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int start_program(char *const argv[], struct started *ret)
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

int start_netproc(const char *program, int secrets, pid_t *ret_pid, int *ret_channel)
{
	char path_variable[] = "PATH=/usr/bin:/bin", locale[] = "LC_ALL=C.UTF-8";
	char *const argv[] = { (char *)(uintptr_t)program, NULL };
	char *const environment[] = { path_variable, locale, NULL };
	/* Above the numbers they are to have: putting one in place must not close the other. */
	CLEANUP(close_fdp) int theirs = -1;
	CLEANUP(close_fdp) int file = fcntl(secrets, F_DUPFD_CLOEXEC, FREE_OF_ROLES);
	posix_spawn_file_actions_t actions;
	int pair[2], rc;

	if (file < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	theirs = fcntl(pair[1], F_DUPFD_CLOEXEC, FREE_OF_ROLES);
	close(pair[1]);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, theirs, ROLE_FD_CHANNEL);
	posix_spawn_file_actions_adddup2(&actions, file, ROLE_FD_EXTRA);
	rc = posix_spawn(ret_pid, program, &actions, NULL, argv, environment);
	posix_spawn_file_actions_destroy(&actions);
	if (rc != 0) {
		close(pair[0]);
		return -rc;
	}
	*ret_channel = pair[0];
	return 0;
}

double time_call(char *const argv[], struct bytes input, const char *must_hold)
{
	double from = now_us();
	char reply[4096];
	struct started s;
	size_t have = 0;
	ssize_t got;
	int status;

	if (start_program(argv, &s) < 0)
		return -1;
	if (input.len != 0 && write(s.in, input.p, input.len) != (ssize_t)input.len)
		return -1;
	close(s.in);
	while ((got = read(s.out, reply + have, sizeof(reply) - 1 - have)) > 0)
		have += (size_t)got;
	reply[have] = '\0';
	close(s.out);
	if (waitpid(s.pid, &status, 0) != s.pid || status != 0 || strstr(reply, must_hold) == NULL)
		return -1;
	return now_us() - from;
}

static int by_size(const void *a, const void *b)
{
	double d = *(const double *)a - *(const double *)b;

	return d < 0 ? -1 : d > 0;
}

double percentile(double *values, size_t n, int p)
{
	qsort(values, n, sizeof(*values), by_size);
	return values[(n - 1) * (size_t)p / 100];
}

void print_percentiles(double *values, size_t n)
{
	printf("%.0f %.0f\n", percentile(values, n, 50), percentile(values, n, 99));
}
