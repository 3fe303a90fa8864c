/* SPDX-License-Identifier: Apache-2.0 */
/* The layers below the filter, seen from inside: limits, dumpability, capabilities, Landlock. */
#include "policy/sandbox/confine.h"
#include "policy/sandbox/landlock.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#ifdef WITHOUT_FILTER
enum { FILTERED = 0 };
#else
enum { FILTERED = 1 };
#endif

/* Runs a check in a process of its own; the line it fails at is its exit status. */
static void in_child(int (*check)(void))
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(check());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("status %#x", (unsigned int)status);
}

#define CHECK(condition) \
	do \
		if (!(condition)) \
			return __LINE__ & 0x7f; \
	while (0)

static const struct readable nowhere;

/* Landlock alone, so that its answer is seen and not the filter's. */
static int nothing_is_left(void)
{
	CLEANUP(close_fdp) int fd = -1, network = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in loopback = { .sin_family = AF_INET, .sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	CHECK(landlock_enter(LANDLOCK_NOTHING, &nowhere) == 0);
	if (landlock_abi() == 0)
		return 0;
	fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
	CHECK(fd < 0 && errno == EACCES);
	fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(fd < 0 && errno == EACCES);
	fd = open("/dev/shm/auto-classifier-test", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	CHECK(fd < 0 && errno == EACCES);
	CHECK(execl("/bin/true", "true", (char *)NULL) < 0 && errno == EACCES);
	if (landlock_abi() >= 4)
		CHECK(connect(network, (struct sockaddr *)&loopback, sizeof(loopback)) < 0 && errno == EACCES);
	if (landlock_abi() >= 6)
		CHECK(kill(getppid(), 0) < 0 && errno == EPERM);
	return 0;
}

static int files_but_no_programs(void)
{
	CLEANUP(close_fdp) int fd = -1;

	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	CHECK(landlock_enter(LANDLOCK_NO_EXECUTE, &nowhere) == 0);
	if (landlock_abi() == 0)
		return 0;
	fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0);
	CHECK(execl("/bin/true", "true", (char *)NULL) < 0 && errno == EACCES);
	return 0;
}

static int reading_alone(void)
{
	const int handed[] = { open("/etc/passwd", O_PATH | O_CLOEXEC), open("/usr", O_PATH | O_CLOEXEC) };
	const struct readable below = { handed, ARRAY_LEN(handed) };
	CLEANUP(close_fdp) int fd = -1, directory = -1, other = -1;

	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	if (landlock_abi() == 0) {
		CHECK(landlock_enter(LANDLOCK_READ_BELOW, &below) == -ENOSYS);
		return 0;
	}
	CHECK(landlock_enter(LANDLOCK_READ_BELOW, &below) == 0);
	fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0);
	directory = open("/usr/bin", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(directory >= 0);
	other = open("/etc/group", O_RDONLY | O_CLOEXEC);
	CHECK(other < 0 && errno == EACCES);
	other = open("/etc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(other < 0 && errno == EACCES);
	other = open("/etc/passwd", O_WRONLY | O_CLOEXEC);
	CHECK(other < 0 && errno == EACCES);
	other = open("/usr/auto-classifier-test", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	CHECK(other < 0 && errno == EACCES);
	CHECK(mkdir("/usr/auto-classifier-test", 0700) < 0 && errno == EACCES);
	CHECK(execl("/bin/true", "true", (char *)NULL) < 0 && errno == EACCES);
	return 0;
}

static void landlock_rights(void **state)
{
	(void)state;
	in_child(nothing_is_left);
	in_child(files_but_no_programs);
	in_child(reading_alone);
}

/* "Name:\tvalue" in /proc/PID/status. */
static bool status_has(pid_t pid, const char *line)
{
	CLEANUP(close_fdp) int fd = -1;
	char path[64], text[8192];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (n <= 0)
		return false;
	text[n] = '\0';
	return strstr(text, line) != NULL;
}

static bool limits_are(pid_t pid, const struct role_limits *want)
{
	const struct {
		__rlimit_resource_t resource;
		int64_t want;
	} all[] = {
		{ RLIMIT_CORE, 0 },
		{ RLIMIT_FSIZE, want->file_size },
		{ RLIMIT_NOFILE, want->open_files },
		{ RLIMIT_NPROC, want->processes },
		{ RLIMIT_AS, want->address_space },
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		struct rlimit l;

		if (all[i].want == LIMIT_KEEP)
			continue;
		if (prlimit(pid, all[i].resource, NULL, &l) < 0)
			return errno == EPERM; /* an undumpable process is not ours to look at */
		if (l.rlim_max > (rlim_t)all[i].want)
			return false;
	}
	return true;
}

static void check_role(enum role role)
{
	char ready = 0;
	int pipe_fds[2], status;
	pid_t pid;

	assert_int_equal(pipe(pipe_fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		const char *layer = "";

		if (confine(role, &layer) == 0 && write(pipe_fds[1], "!", 1) == 1)
			for (;;)
				(void)poll(NULL, 0, -1);
		_exit(1);
	}
	close(pipe_fds[1]);
	assert_int_equal(read(pipe_fds[0], &ready, 1), 1);
	close(pipe_fds[0]);
	assert_true(status_has(pid, "NoNewPrivs:\t1\n"));
	assert_true(status_has(pid, "Seccomp:\t2\n"));
	assert_true(status_has(pid, "CapAmb:\t0000000000000000\n"));
	assert_true(status_has(pid, "CapInh:\t0000000000000000\n"));
	if (roles[role].keeps_dac_read_search)
		assert_true(status_has(pid, "CapPrm:\t0000000000000004\n") ||
			    status_has(pid, "CapPrm:\t0000000000000000\n"));
	else
		assert_true(status_has(pid, "CapPrm:\t0000000000000000\n"));
	if (geteuid() == 0)
		assert_true(status_has(pid, "CapBnd:\t0000000000000000\n"));
	assert_true(limits_are(pid, &roles[role].limits));
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void every_layer_is_entered(void **state)
{
	(void)state;
	for (unsigned int role = 0; role < ROLE__MAX; role++)
		if (roles[role].confined)
			check_role((enum role)role);
}

static void ends_are_told(void **state)
{
	(void)state;
	assert_string_equal(child_end_text(confine_exit_status("Landlock") << 8), "could not enter Landlock");
	assert_string_equal(child_end_text(confine_exit_status("capabilities") << 8),
		"could not give up its capabilities");
	assert_string_equal(child_end_text(SIGSYS), "was stopped by its system call filter");
	assert_string_equal(child_end_text(SIGKILL), "was killed");
	assert_string_equal(child_end_text(SIGSEGV), "crashed");
	assert_string_equal(child_end_text(EXIT_NO_PROGRAM << 8),
		"could not be started: its program is missing or cannot be run");
	assert_string_equal(child_end_text(1 << 8), "gave up");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(landlock_rights),
		cmocka_unit_test(every_layer_is_entered),
		cmocka_unit_test(ends_are_told),
	};

	return FILTERED ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
