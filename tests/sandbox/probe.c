/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every system call there is, made by a child behind a role's real sandbox with arguments that do no harm: an allowed
 * one must reach the kernel, a soft one must get ENOSYS, any other must end the process.
 */
#include "policy/sandbox/build_filter.h"
#include "policy/sandbox/calls.h"
#include "policy/sandbox/confine.h"
#include "policy/sandbox/filters.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cmocka.h>
#include <seccomp.h>

#ifdef WITHOUT_FILTER
enum { FILTERED = 0 };
#else
enum { FILTERED = 1 };
#endif

enum { ENDED = -1, NOT_CONFINED = 200, RETURNED = 201, BEYOND = 1000, X32_BIT = 0x40000000 };

struct arguments {
	long a[6];
};

static const struct arguments harmless = { { -1, -1, -1, -1, -1, -1 } };

static bool is_refusal(int status)
{
	if (FILTERS_TRAP && WIFEXITED(status) && WEXITSTATUS(status) == TRAPPED_STATUS)
		return true;
	/* A foreign machine's numbers end the process in either build. */
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
}

/* Makes one call behind the sandbox. ENDED: the filter ended the child. RETURNED: it succeeded. Else its errno. */
static int probe(enum role role, long nr, const struct arguments *args)
{
	const struct rlimit no_core = { 0, 0 };
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		const char *layer;
		const long *a = args->a;

		/* Not the test framework's handlers, which would go on with the tests in here. */
		signal(SIGILL, SIG_DFL);
		signal(SIGSEGV, SIG_DFL);
		if (setrlimit(RLIMIT_CORE, &no_core) < 0 || confine(role, &layer) < 0)
			_exit(NOT_CONFINED);
		errno = 0;
		if (syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]) == -1 && errno != 0)
			_exit(errno < NOT_CONFINED ? errno : RETURNED);
		_exit(RETURNED);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (is_refusal(status))
		return ENDED;
	if (WIFSIGNALED(status)) /* rt_sigreturn() with nothing to return to: it did reach the kernel */
		return RETURNED;
	assert_int_not_equal(WEXITSTATUS(status), NOT_CONFINED);
	return WEXITSTATUS(status);
}

/* Where -1 is not harmless, or is an answer that looks like a refusal. */
static struct arguments arguments_for(const char *name)
{
	if (strcmp(name, "exit_group") == 0)
		return (struct arguments){ { RETURNED } };
	if (strcmp(name, "futex") == 0)
		return (struct arguments){ { -1, 1, 1 } }; /* FUTEX_WAKE at no address */
	if (strcmp(name, "openat") == 0)
		return (struct arguments){ { -1, -1, O_RDONLY } };
	if (strcmp(name, "mmap") == 0 || strcmp(name, "mprotect") == 0)
		return (struct arguments){ { 1, 0, PROT_READ, MAP_PRIVATE, -1, 0 } };
	return harmless;
}

/* What the lists say of a call: an enum call_kind, or ENDED. */
static int expected(enum role role, const char *name)
{
	const struct call_list *lists[] = { &role_calls[role].own, &role_calls[role].libc };

	for (size_t l = 0; l < ARRAY_LEN(lists); l++)
		for (size_t i = 0; i < lists[l]->n; i++)
			if (strcmp(lists[l]->rules[i].name, name) == 0)
				return (int)lists[l]->rules[i].kind;
	return ENDED;
}

/*
 * Newer kernels let uretprobe (335) and uprobe (336) pass every filter: they are made by the kernel's own trampolines,
 * and do nothing for anybody else.
 */
static bool passes_every_filter(uint32_t nr)
{
#ifdef __x86_64__
	return nr == 335 || nr == 336;
#else
	(void)nr;
	return false;
#endif
}

static void try_every_call(enum role role)
{
	uint32_t max = filter_known_max();

	for (uint32_t nr = 0; nr <= max; nr++) {
		CLEANUP(freep) char *name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, (int)nr);
		struct arguments args = arguments_for(name != NULL ? name : "");
		int want = expected(role, name != NULL ? name : ""), got = probe(role, nr, &args);
		bool ok = got != ENDED && got != ENOSYS;

		if (want == ENDED || want == CALL_SOFT)
			ok = got == (want == ENDED ? ENDED : ENOSYS);
		if (!ok && !passes_every_filter(nr))
			fail_msg("%s: call %u (%s): got %d", role_name(role), nr, name != NULL ? name : "unknown", got);
	}
}

static void try_the_rest(enum role role)
{
	const int unknown = FILTERS_TRAP ? ENDED : ENOSYS;
	const struct arguments executable[] = {
		{ { 0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 } },
		{ { 0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 } },
		{ { 0, 4096, (1L << 32) | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 } },
	};

	assert_int_equal(probe(role, filter_known_max() + 1, &harmless), unknown);
	assert_int_equal(probe(role, BEYOND, &harmless), unknown);
	for (size_t i = 0; i < ARRAY_LEN(executable); i++) {
		assert_int_equal(probe(role, SYS_mmap, &executable[i]), ENDED);
		assert_int_equal(probe(role, SYS_mprotect, &executable[i]), ENDED);
	}
#ifdef __x86_64__
	/* The same calls under x32 numbers, and above what any table holds. */
	assert_int_equal(probe(role, X32_BIT | SYS_read, &harmless), ENDED);
	assert_int_equal(probe(role, X32_BIT | SYS_recvmsg, &harmless), ENDED);
	assert_int_equal(probe(role, X32_BIT | 520, &harmless), ENDED); /* execve of x32 */
#endif
}

#ifdef __x86_64__
/* A 32-bit call has other numbers: 20 is getpid there, writev here. */
static void try_foreign_machine(enum role role)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		const char *layer;
		long result = 20;

		signal(SIGSEGV, SIG_DFL);

		if (confine(role, &layer) < 0)
			_exit(NOT_CONFINED);
		__asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
		_exit(RETURNED);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status)); /* SIGSYS; SIGSEGV where the kernel has no 32-bit calls at all */
}
#endif

static void every_role(void **state)
{
	(void)state;
	for (unsigned int role = 0; role < ROLE__MAX; role++) {
		if (!roles[role].confined)
			continue;
		try_every_call((enum role)role);
		try_the_rest((enum role)role);
#ifdef __x86_64__
		try_foreign_machine((enum role)role);
#endif
	}
}

/* Every way to open that is not reading ends the reader; so does every other call that changes a path. */
static void a_reader_cannot_write(void **state)
{
	static const long flags[] = { O_WRONLY, O_RDWR, O_ACCMODE, O_CREAT, O_CREAT | O_EXCL, O_TRUNC, O_APPEND,
		O_TMPFILE, O_TMPFILE | O_RDWR, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC };
	static const long fine[] = { O_RDONLY, O_RDONLY | O_DIRECTORY | O_CLOEXEC, O_PATH, O_NOFOLLOW | O_NONBLOCK };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		const struct arguments args = { { AT_FDCWD, (long)(intptr_t)"x", flags[i], 0600 } };

		assert_int_equal(probe(ROLE_GIT, SYS_openat, &args), ENDED);
	}
	for (size_t i = 0; i < ARRAY_LEN(fine); i++) {
		const struct arguments args = { { AT_FDCWD, -1, fine[i] } };

		assert_int_equal(probe(ROLE_GIT, SYS_openat, &args), EFAULT);
	}
}

static void a_guard_has_no_filter(void **state)
{
	const char *layer = NULL;
	pid_t pid = fork();
	int status;

	(void)state;
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(confine(ROLE_GUARD, &layer) == -ENOSYS && strcmp(layer, "system call filter") == 0 ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_role),
		cmocka_unit_test(a_reader_cannot_write),
		cmocka_unit_test(a_guard_has_no_filter),
	};

	return FILTERED ? cmocka_run_group_tests(tests, NULL, NULL) : 77;
}
