/* SPDX-License-Identifier: Apache-2.0 */
/* Starting programs and timing them: what the benches of whole calls have in common. */
#ifndef BENCH_CALLS_H
#define BENCH_CALLS_H

#include "policy/base.h"

/* CLOCK_MONOTONIC, in microseconds. */
double now_us(void);

struct started {
	pid_t pid;
	int in, out; /* pipes to its stdin and from its stdout; the caller's to close */
};

/* 0 or -errno. */
int start_program(char *const argv[], struct started *ret) NONNULL MUST_CHECK;

/*
 * One whole call, as a harness makes it: start, write the input, read to the end, wait. Microseconds, or below 0 where
 * the program cannot be started, fails, or prints no `must_hold`.
 */
double time_call(char *const argv[], struct bytes input, const char *must_hold) NONNULL;

/*
 * netproc as the guard starts it: a channel, the memory file `secrets` (borrowed), no environment to speak of. 0 with
 * our end of the channel, or -errno.
 */
int start_netproc(const char *program, int secrets, pid_t *ret_pid, int *ret_channel) NONNULL MUST_CHECK;

/* Of n > 0 values, which are sorted. */
double percentile(double *values, size_t n, int p) NONNULL;

/* "p50 p99" in microseconds, on stdout: what bench/latency reads. */
void print_percentiles(double *values, size_t n) NONNULL;

#endif
