/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor of bench/latency: a program that only starts another and makes two round trips with it, both linked
 * dynamically and doing nothing else. Any gate built of a command and one separate process costs at least this.
 */
#include "policy/base.h"

#include <sys/socket.h>

enum { CHANNEL = 3, ROUND_TRIPS = 2, BYTES_EACH_WAY = 256 };

static int answer(void)
{
	char message[BYTES_EACH_WAY];

	for (int i = 0; i < ROUND_TRIPS; i++)
		if (recv(CHANNEL, message, sizeof(message), 0) <= 0 || send(CHANNEL, message, sizeof(message), 0) < 0)
			return 1;
	return 0;
}

static int ask(char *self)
{
	char *const argv[] = { self, (char[]){ "answer" }, NULL };
	char message[BYTES_EACH_WAY] = { 0 };
	int pair[2];
	pid_t pid = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0 ? -1 : fork();

	if (pid == 0) {
		if (dup2(pair[1], CHANNEL) == CHANNEL)
			execv(self, argv);
		_exit(127);
	}
	close(pair[1]);
	for (int i = 0; pid > 0 && i < ROUND_TRIPS; i++)
		if (send(pair[0], message, sizeof(message), 0) < 0 || recv(pair[0], message, sizeof(message), 0) <= 0)
			return 1;
	return pid > 0 && write(STDOUT_FILENO, message, 1) == 1 ? 0 : 1;
}

int main(int argc, char **argv)
{
	return argc > 1 ? answer() : ask(argv[0]);
}
