/* SPDX-License-Identifier: Apache-2.0 */
/* What a test build does at a refused system call: names it and ends. Release builds kill instead. */
#include "policy/sandbox/filters.h"

#ifdef SECCOMP_TRAP
#include <signal.h>

static void on_refused_call(int signal, siginfo_t *info, void *context)
{
	char line[] = "seccomp: refused system call 0000\n";

	(void)signal, (void)context;
	for (int i = 0, nr = info->si_syscall; i < 4; i++, nr /= 10)
		line[sizeof(line) - 3 - (size_t)i] = (char)('0' + nr % 10);
	(void)!write(STDERR_FILENO, line, sizeof(line) - 1);
	_exit(TRAPPED_STATUS);
}

int filter_report_traps(void)
{
	const struct sigaction action = { .sa_sigaction = on_refused_call, .sa_flags = SA_SIGINFO };

	return sigaction(SIGSYS, &action, NULL) < 0 ? -errno : 0;
}
#else
int filter_report_traps(void)
{
	return -ENOSYS;
}
#endif
