/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stands in netproc's place between a real broker and a real netproc, passes on what they say, and writes down in
 * microseconds how long it was from the first byte of a request to the last one of the reply. In the directory it lies
 * in: netproc itself as "netproc", and what was measured, a line a call, in "took".
 */
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "bench/calls.h"
#include "policy/sandbox/roles.h"
#include "policy/wire/frame.h"
#include "policy/wire/messages.h"

struct tap {
	int broker, netproc;
	double asked; /* 0: not yet */
	char took[PATH_MAX];
};

/* Before the reply is passed on: whoever has it ends us. */
static void write_down(const struct tap *t, double answered)
{
	FILE *f = fopen(t->took, "ae");

	if (f == NULL)
		return;
	fprintf(f, "%.0f\n", answered - t->asked);
	fclose(f);
}

static void note(struct tap *t, const char *record, size_t len)
{
	struct frame_header h;

	if (len < sizeof(h))
		return;
	memcpy(&h, record, sizeof(h));
	if (h.type == MSG_MODEL_REQUEST && t->asked == 0)
		t->asked = now_us();
	if (h.type == MSG_MODEL_REPLY && (h.flags & FRAME_MORE) == 0)
		write_down(t, now_us());
}

/* One record with the descriptor that may come along. False: the end. */
static bool pass_on(struct tap *t, int from, int to)
{
	static char record[FRAME_MAX];
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = { record, sizeof(record) };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control),
	};
	ssize_t n = recvmsg(from, &m, MSG_CMSG_CLOEXEC);
	struct cmsghdr *c;
	bool sent;

	if (n <= 0)
		return false;
	note(t, record, (size_t)n);
	iov.iov_len = (size_t)n;
	sent = sendmsg(to, &m, MSG_NOSIGNAL) == n;
	c = CMSG_FIRSTHDR(&m);
	if (c != NULL && c->cmsg_type == SCM_RIGHTS) {
		int fd;

		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
		close(fd);
	}
	return sent;
}

static void relay(struct tap *t)
{
	struct pollfd p[2] = { { .fd = t->broker, .events = POLLIN }, { .fd = t->netproc, .events = POLLIN } };
	bool open = true;

	while (open && poll(p, ARRAY_LEN(p), -1) > 0) {
		if (p[0].revents != 0)
			open = pass_on(t, t->broker, t->netproc);
		if (p[1].revents != 0)
			open = pass_on(t, t->netproc, t->broker) && open;
	}
}

int main(void)
{
	static struct tap t = { .broker = ROLE_FD_CHANNEL };
	char here[PATH_MAX - 16], program[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", here, sizeof(here) - 1);
	char *slash;
	pid_t pid;

	if (n <= 0)
		return EXIT_FAILURE;
	here[n] = '\0';
	slash = strrchr(here, '/');
	*slash = '\0';
	(void)snprintf(program, sizeof(program), "%s/netproc", here);
	(void)snprintf(t.took, sizeof(t.took), "%s/took", here);
	if (start_netproc(program, ROLE_FD_EXTRA, &pid, &t.netproc) < 0)
		return EXIT_FAILURE;
	relay(&t);
	/* It ends with its channel, but for one that waits for a server. */
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	return EXIT_SUCCESS;
}
