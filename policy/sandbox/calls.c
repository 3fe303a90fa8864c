/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is not named here ends the process; a call newer than the library the filters were built with gets ENOSYS, so
 * that a newer C library can fall back.
 */
#include "policy/sandbox/calls.h"

#define LIST(a) { a, ARRAY_LEN(a) }

/* A role that lives on its channel and memory: at most twelve calls. */
static const struct call_rule channel_only[] = {
	{ "recvmsg", CALL_ALLOW, "the next message" },
	{ "sendmsg", CALL_ALLOW, "an answer" },
	{ "poll", CALL_ALLOW, "waiting for a message until a time" },
	{ "ppoll", CALL_ALLOW, "poll, where the machine has no other" },
	{ "close", CALL_ALLOW, "a descriptor that nobody asked for" },
	{ "clock_gettime", CALL_ALLOW, "deadlines, where the vDSO cannot tell the time" },
	{ "exit_group", CALL_ALLOW, "the end" },
};

static const struct call_rule broker_own[] = {
	{ "recvmsg", CALL_ALLOW, "the next message" },
	{ "sendmsg", CALL_ALLOW, "a message to guard, worker or netproc" },
	{ "poll", CALL_ALLOW, "waiting for any of them" },
	{ "ppoll", CALL_ALLOW, "poll, where the machine has no other" },
	{ "close", CALL_ALLOW, "files and channels" },
	{ "openat", CALL_ALLOW, "configuration, state, evidence, logs" },
	{ "openat2", CALL_ALLOW, "the same, where links must not be followed" },
	{ "read", CALL_ALLOW, "their content" },
	{ "pread64", CALL_ALLOW, "their content" },
	{ "write", CALL_ALLOW, "state, telemetry, log" },
	{ "writev", CALL_ALLOW, "a row in one write" },
	{ "lseek", CALL_ALLOW, "the size of what is read" },
	{ "ftruncate", CALL_ALLOW, "a state file that is written anew" },
	{ "fsync", CALL_ALLOW, "state that must outlast a power cut" },
	{ "fdatasync", CALL_ALLOW, "the same" },
	{ "flock", CALL_ALLOW, "one session, one writer" },
	{ "fcntl", CALL_ALLOW, "descriptor flags; directory streams" },
	{ "fstat", CALL_ALLOW, "what a descriptor is" },
	{ "newfstatat", CALL_ALLOW, "what a path is" },
	{ "statx", CALL_ALLOW, "what a path is, and on which mount" },
	{ "fstatfs", CALL_ALLOW, "is this file on a file system that may hang" },
	{ "access", CALL_ALLOW, "may it be read" },
	{ "faccessat", CALL_ALLOW, "may it be run" },
	{ "faccessat2", CALL_ALLOW, "may it be run" },
	{ "readlinkat", CALL_ALLOW, "where a link leads" },
	{ "readlink", CALL_ALLOW, "where a link leads" },
	{ "getdents64", CALL_ALLOW, "sweeping old state; repositories around a path" },
	{ "getcwd", CALL_ALLOW, "where the caller stands" },
	{ "mkdir", CALL_ALLOW, "state directories" },
	{ "mkdirat", CALL_ALLOW, "state directories" },
	{ "rename", CALL_ALLOW, "atomic replacement, rotation" },
	{ "renameat", CALL_ALLOW, "atomic replacement, rotation" },
	{ "renameat2", CALL_ALLOW, "atomic replacement, rotation" },
	{ "unlink", CALL_ALLOW, "old state" },
	{ "unlinkat", CALL_ALLOW, "old state" },
	{ "fchmod", CALL_ALLOW, "state is its owner's alone" },
	{ "utimensat", CALL_ALLOW, "a session's last use" },
	{ "umask", CALL_ALLOW, "modes as given" },
	{ "getuid", CALL_ALLOW, "whose files are these" },
	{ "geteuid", CALL_ALLOW, "whose files are these" },
	{ "getgid", CALL_ALLOW, "whose files are these" },
	{ "getegid", CALL_ALLOW, "whose files are these" },
	{ "getpid", CALL_ALLOW, "names of temporary files" },
	{ "getppid", CALL_ALLOW, "the processes above the guard" },
	{ "clock_gettime", CALL_ALLOW, "deadlines, time stamps" },
	{ "gettimeofday", CALL_ALLOW, "time stamps" },
	{ "clock_nanosleep", CALL_ALLOW, "waiting for a lock in steps" },
	{ "exit_group", CALL_ALLOW, "the end" },
};

static const struct call_rule libc[] = {
	{ "brk", CALL_ALLOW, "malloc" },
	{ "mmap", CALL_NO_EXEC, "malloc; the vDSO's random state (glibc 2.41)" },
	{ "munmap", CALL_ALLOW, "free" },
	{ "mremap", CALL_ALLOW, "realloc of large blocks" },
	{ "mprotect", CALL_NO_EXEC, "malloc's arenas" },
	{ "madvise", CALL_ALLOW, "free of large blocks" },
	{ "futex", CALL_ALLOW, "locks" },
	{ "getrandom", CALL_ALLOW, "malloc's and hash tables' seeds" },
	{ "rt_sigprocmask", CALL_ALLOW, "abort(); the vDSO's getrandom (glibc 2.41)" },
	{ "rt_sigaction", CALL_ALLOW, "abort()" },
	{ "rt_sigreturn", CALL_ALLOW, "return from a handler" },
	{ "restart_syscall", CALL_ALLOW, "a wait goes on after SIGSTOP and SIGCONT" },
	{ "getpid", CALL_ALLOW, "abort()" },
	{ "gettid", CALL_ALLOW, "abort()" },
	{ "tgkill", CALL_ALLOW, "abort()" },
	{ "write", CALL_ALLOW, "the last message of assert() and of a caught overflow" },
	{ "writev", CALL_ALLOW, "the same" },
	{ "sysinfo", CALL_ALLOW, "qsort() of more than a kilobyte (glibc before 2.37)" },
	{ "fstat", CALL_SOFT, "stdio sizes a buffer; falls back to a fixed one" },
	{ "newfstatat", CALL_SOFT, "the same" },
	{ "ioctl", CALL_SOFT, "stdio asks whether it writes to a terminal" },
	{ "prctl", CALL_SOFT, "malloc names its mappings, if it can" },
	{ "clone3", CALL_SOFT, "falls back, and is then refused" },
};

static const struct call_rule broker_libc[] = {
	{ "brk", CALL_ALLOW, "malloc" },
	{ "mmap", CALL_NO_EXEC, "malloc; the vDSO's random state (glibc 2.41)" },
	{ "munmap", CALL_ALLOW, "free" },
	{ "mremap", CALL_ALLOW, "realloc of large blocks" },
	{ "mprotect", CALL_NO_EXEC, "malloc's arenas" },
	{ "madvise", CALL_ALLOW, "free of large blocks" },
	{ "futex", CALL_ALLOW, "locks" },
	{ "getrandom", CALL_ALLOW, "malloc's and hash tables' seeds" },
	{ "rt_sigprocmask", CALL_ALLOW, "abort(); the vDSO's getrandom (glibc 2.41)" },
	{ "rt_sigaction", CALL_ALLOW, "abort()" },
	{ "rt_sigreturn", CALL_ALLOW, "return from a handler" },
	{ "restart_syscall", CALL_ALLOW, "a wait goes on after SIGSTOP and SIGCONT" },
	{ "gettid", CALL_ALLOW, "abort()" },
	{ "tgkill", CALL_ALLOW, "abort()" },
	{ "sysinfo", CALL_ALLOW, "qsort() of more than a kilobyte (glibc before 2.37)" },
	{ "ioctl", CALL_SOFT, "stdio asks whether it writes to a terminal" },
	{ "prctl", CALL_SOFT, "malloc names its mappings, if it can" },
	{ "clone3", CALL_SOFT, "falls back, and is then refused" },
};

const struct role_calls role_calls[ROLE__MAX] = {
	[ROLE_BROKER] = { .own = LIST(broker_own), .libc = LIST(broker_libc) },
	[ROLE_WORKER] = { .own = LIST(channel_only), .libc = LIST(libc) },
	[ROLE_NETPROC] = { .own = LIST(channel_only), .libc = LIST(libc) },
};
