/* SPDX-License-Identifier: Apache-2.0 */
/* Which processes count as the harness's or the gate's: the test stands for the broker, what started it for the guard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "broker/evidence/internal.h"

static struct answer ask(enum question_kind kind, const char *text)
{
	const struct question q = { .kind = kind, .text = { text, strlen(text) } };
	struct answer a = { .kind = kind, .status = ANSWER_UNKNOWN };

	assert_int_equal(answer_process(&q, &a), 0);
	return a;
}

static void expect(enum question_kind kind, const char *text, bool ours)
{
	struct answer a = ask(kind, text);

	if (a.status != ANSWER_KNOWN || (a.size == 1) != ours)
		fail_msg("%s: status %d, size %d", text, (int)a.status, (int)a.size);
}

static void expect_number(int64_t number, bool ours)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)number);
	expect(ASK_PROCESS, text, ours);
}

/* A process beside us, that waits to be ended; under this name, where there is one. */
static pid_t start_other(const char *name)
{
	int ready[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		if (name != NULL)
			prctl(PR_SET_NAME, name);
		close(ready[0]);
		close(ready[1]);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 0);
	close(ready[0]);
	return pid;
}

static void end_other(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void read_of_parent(const char *what, char *buffer, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)getppid(), what);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	n = read(fd, buffer, size - 1);
	close(fd);
	assert_true(n > 0);
	buffer[n] = '\0';
	buffer[strcspn(buffer, "\n")] = '\0';
}

static void test_numbers(void **state)
{
	pid_t other = start_other(NULL);

	(void)state;
	expect_number(getppid(), true);
	expect_number(-(int64_t)getpgid(getppid()), true);
	expect_number(1, true); /* everything hangs from it */
	expect_number(other, false);
	expect_number(-(int64_t)other, false); /* no group has that number */
	end_other(other);
	expect_number(other, false);
	expect_number(INT32_MAX, false);
}

static void test_the_gates_own(void **state)
{
	pid_t service = start_other("auto-classifier-netproc"), other = start_other("auto-classifie");

	(void)state;
	expect_number(service, true);
	expect_number(other, false);
	end_other(service);
	end_other(other);
}

static void test_names(void **state)
{
	char name[64], line[4096], part[64];
	size_t n;

	(void)state;
	read_of_parent("comm", name, sizeof(name));
	read_of_parent("cmdline", line, sizeof(line));
	expect(ASK_PROCESS, name, true);
	expect(ASK_PROCESS_LINE, name, true);
	for (char *c = name; *c != '\0'; c++)
		*c = (char)toupper((unsigned char)*c);
	expect(ASK_PROCESS, name, true);
	name[0] = '.';
	expect(ASK_PROCESS, name, true);
	n = strlen(line);
	snprintf(part, sizeof(part), "%.40s", n > 40 ? line + n - 40 : line);
	expect(ASK_PROCESS_LINE, part, true);
	expect(ASK_PROCESS, "nobody is called so", false);
	expect(ASK_PROCESS_LINE, "nobody was started so", false);
}

static void test_what_is_no_number(void **state)
{
	static const char *const texts[] = { "--1", "1-2", "-", "99999999999999999999", "4294967297",
		"000000000000000000000000000000000001" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (ask(ASK_PROCESS, texts[i]).status == ANSWER_KNOWN)
			fail_msg("%s", texts[i]);
	assert_int_equal(ask(ASK_PROCESS_LINE, "--1").status, ANSWER_KNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_the_gates_own),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_what_is_no_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
