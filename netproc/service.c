/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The service's first process: makes ready, starts the others, and hears nothing but the acceptor's wish for one more.
 * As the guard it sets no filter, which its children would inherit before they have connected.
 */
#include "netproc/service.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "policy/sandbox/confine.h"
#include "policy/sandbox/start.h"
#include "policy/wire/channel.h"

enum { CHILDREN_MAX = 80 /* more than the acceptor ever wants */, EXIT_USAGE = 64, LINE_BYTES = 1024 };

struct service {
	struct service_plan plan;
	const char *config, *socket; /* options; borrowed */
	int listener, null_fd, signals; /* owned */
	struct channel acceptor;
	pid_t self, acceptor_pid;
	uint32_t n_children;
	bool over;
	int status;
};

static void say(const char *fmt, ...) PRINTF_LIKE(1, 2);

static void say(const char *fmt, ...)
{
	char line[LINE_BYTES] = "auto-classifier-netproc: ";
	size_t used = strlen(line);
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(line + used, sizeof(line) - used - 1, fmt, args);
	va_end(args);
	if (n < 0)
		return;
	used += (size_t)n < sizeof(line) - used - 1 ? (size_t)n : sizeof(line) - used - 2;
	line[used++] = '\n';
	(void)!write(STDERR_FILENO, line, used);
}

static int parse_options(struct service *s, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char **to = strcmp(argv[i], "--config") == 0 ? &s->config :
				  strcmp(argv[i], "--socket") == 0 ? &s->socket : NULL;

		if (to == NULL || *to != NULL || i + 1 == argc)
			return -EINVAL;
		*to = argv[++i];
	}
	return s->config != NULL ? 0 : -EINVAL;
}

/* Whatever else the environment holds is nobody's business here, and would lie in every child's memory. */
static void wipe_environment(void)
{
	for (char **e = environ; *e != NULL; e++) {
		explicit_bzero(*e, strlen(*e));
		*e = NULL;
	}
}

/* Descriptors 0 to 2 are there, whoever started us; no core file; no new privileges for anybody below. */
static int harden(struct service *s)
{
	const struct rlimit no_core = { 0, 0 };
	const struct sigaction ignore = { .sa_handler = SIG_IGN }, plain = { .sa_handler = SIG_DFL };
	sigset_t wanted;

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
			return -EBADF;
	sigemptyset(&wanted);
	sigaddset(&wanted, SIGCHLD);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGINT);
	if (setrlimit(RLIMIT_CORE, &no_core) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    sigaction(SIGPIPE, &ignore, NULL) < 0 || sigaction(SIGCHLD, &plain, NULL) < 0 ||
	    sigprocmask(SIG_SETMASK, &wanted, NULL) < 0)
		return -errno;
	s->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	s->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->null_fd < 0 || s->signals < 0 ? -errno : 0;
}

/* A fork with a channel, `extra` beside it. Returns in the parent alone: 0 with our end of the channel, or -errno. */
static int start(struct service *s, bool acceptor, int extra, int *ret_channel, pid_t *ret_pid)
{
	int pair[2], rc = 0;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		bool idle = s->socket == NULL;

		if (start_arrange_fds(s->null_fd, pair[1], extra) < 0 || start_live_under(s->self) < 0)
			_exit(EXIT_NO_PROGRAM);
		_exit(acceptor ? acceptor_main(&s->plan, idle) : pooled_main(&s->plan));
	}
	if (pid < 0)
		rc = -errno;
	close(pair[1]);
	if (rc < 0) {
		close(pair[0]);
		return rc;
	}
	*ret_channel = pair[0];
	*ret_pid = pid;
	return 0;
}

/* The acceptor's end must not hold it up, whatever the new process makes of its own. */
static int start_pooled(struct service *s)
{
	CLEANUP(close_fdp) int channel = -1;
	pid_t pid;
	int rc = s->n_children < CHILDREN_MAX ? start(s, false, s->plan.config_fd, &channel, &pid) : -EAGAIN;

	if (rc == 0 && fcntl(channel, F_SETFL, O_NONBLOCK) < 0)
		rc = -errno;
	if (rc < 0) {
		say("a process that asks could not be started: %s", strerror(-rc));
		return channel_send(&s->acceptor, MSG_POOL_NONE, NULL, 0, -1);
	}
	s->n_children++;
	return channel_send(&s->acceptor, MSG_POOL_CHILD, NULL, 0, channel);
}

static void reap(struct service *s)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (status != 0)
			say("%s %s", pid == s->acceptor_pid ? "the process that accepts" : "a process that asks",
				child_end_text(status));
		if (pid == s->acceptor_pid) {
			s->over = true;
			s->status = status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
		} else {
			s->n_children--;
		}
	}
}

static void take_signals(struct service *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			s->over = true;
	reap(s);
}

static int turn(struct service *s)
{
	struct pollfd p[] = {
		{ .fd = s->signals, .events = POLLIN },
		{ .fd = s->acceptor.fd, .events = POLLIN },
	};
	struct message m;
	int rc = poll(p, ARRAY_LEN(p), -1);

	if (rc < 0)
		return errno == EINTR ? 0 : -errno;
	if (p[0].revents != 0)
		take_signals(s);
	if (s->over || p[1].revents == 0)
		return 0;
	rc = channel_receive(&s->acceptor, &m);
	if (rc != 0) {
		/* Its end is in the making; its status says what it was. */
		close_fdp(&s->acceptor.fd);
		s->acceptor.fd = -1;
		return rc == CHANNEL_END ? 0 : rc;
	}
	return start_pooled(s);
}

static int run(struct service *s)
{
	int channel = -1, rc = start(s, true, s->listener, &channel, &s->acceptor_pid);

	if (rc < 0)
		return rc;
	channel_init(&s->acceptor, channel, ROLE_SERVICE, ROLE_ACCEPTOR);
	/* Nobody but the acceptor accepts: clients that come after its end are systemd's to start another service for. */
	close_fdp(&s->listener);
	s->listener = -1;
	while (rc == 0 && !s->over)
		rc = turn(s);
	if (s->socket != NULL)
		(void)unlink(s->socket);
	return rc;
}

/* What it takes before anybody is started. 0, or -errno with *ret_why (owned) where there is more to say. */
static int prepare(struct service *s, char **ret_why)
{
	const char *why = NULL;
	int rc = service_plan_load(s->config, getenv("CREDENTIALS_DIRECTORY"), &s->plan, ret_why);

	if (rc < 0)
		return rc;
	s->listener = service_listen(s->socket, &why);
	wipe_environment();
	if (s->listener >= 0)
		return 0;
	*ret_why = why != NULL ? strdup(why) : NULL;
	return s->listener;
}

/* Signals are held from the first: whoever sees the socket may end us, and it is not left behind. Children end with us. */
int service_main(int argc, char **argv)
{
	struct service s = { .plan.config_fd = -1, .listener = -1, .null_fd = -1, .signals = -1 };
	CLEANUP(freep) char *why = NULL;
	int rc;

	if (parse_options(&s, argc, argv) < 0) {
		say("usage: auto-classifier-netproc --config FILE [--socket PATH]");
		return EXIT_USAGE;
	}
	s.self = getpid();
	rc = harden(&s);
	if (rc == 0)
		rc = prepare(&s, &why);
	if (rc == 0)
		rc = run(&s);
	if (rc < 0)
		say("%s", why != NULL ? why : strerror(-rc));
	return rc < 0 ? EXIT_FAILURE : s.status;
}
