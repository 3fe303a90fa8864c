/* SPDX-License-Identifier: Apache-2.0 */
/* Starting and ending processes. Between start and exec only system calls are made. */
#include "broker/guard/children.h"
#include "policy/sandbox/confine.h"
#include "policy/sandbox/start.h"
#include "policy/wire/channel.h"
#include "policy/wire/codec.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>

int children_init(struct children *c)
{
	ssize_t n;
	char *slash;

	/* The launches are written when needed: their stacks are pages that most starts never touch. */
	c->null_fd = -1;
	c->secrets_fd = -1;
	c->guard = getpid();
	c->broker = 0;
	c->helper = (struct helper){ 0 };
	c->service = (struct sockaddr_un){ 0 };
	for (size_t i = 0; i < CHILDREN_MAX; i++)
		c->list[i] = (struct child){ .pidfd = -1 };
	n = readlink("/proc/self/exe", c->root, sizeof(c->root) - 1);
	if (n < 0)
		return -errno;
	c->root[n] = '\0';
	slash = strrchr(c->root, '/');
	if (slash == NULL)
		return -ENOENT;
	*slash = '\0';
	c->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	return c->null_fd < 0 ? -errno : 0;
}

void children_done(struct children *c)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++)
		close_fdp(&c->list[i].pidfd);
	close_fdp(&c->null_fd);
	c->null_fd = -1;
	free(c->helper.store);
	c->helper = (struct helper){ 0 };
}

static char *keep(char **at, struct bytes b)
{
	char *start = *at;

	if (b.len > 0)
		memcpy(start, b.p, b.len);
	start[b.len] = '\0';
	*at += b.len + 1;
	return start;
}

int children_set_helper(struct children *c, const char *body, size_t len)
{
	struct reader r = { .p = body, .left = len };
	struct bytes home = rd_text(&r, PATH_MAX);
	uint32_t n = rd_count(&r, HELPER_ARGS_MAX);
	char *at = malloc(len + sizeof("HOME=") + HELPER_ARGS_MAX + 1);

	if (at == NULL)
		return -ENOMEM;
	free(c->helper.store);
	c->helper = (struct helper){ .store = at, .home = at };
	at = stpcpy(at, "HOME=");
	(void)keep(&at, home);
	for (uint32_t i = 0; i < n && !r.bad; i++)
		c->helper.argv[i] = keep(&at, rd_text(&r, (uint32_t)len));
	return rd_end(&r) && n > 0 ? 0 : -EPROTO;
}

int children_set_service(struct children *c, const char *body, size_t len)
{
	struct sockaddr_un place = { .sun_family = AF_UNIX };

	if (len == 0 || len >= sizeof(place.sun_path) || memchr(body, '\0', len) != NULL)
		return -EPROTO;
	memcpy(place.sun_path, body, len);
	c->service = place;
	return 0;
}

/* A name without a slash is looked for where the system keeps programs, whatever the caller's PATH says. */
static int helper_path(const struct children *c, char ret[PATH_MAX])
{
	static const char *const places[] = { "/usr/local/bin/", "/usr/bin/", "/bin/" };
	const char *name = c->helper.argv[0];
	int n = -1;

	if (name == NULL)
		return -ENOSYS;
	if (name[0] == '/')
		n = snprintf(ret, PATH_MAX, "%s", name);
	for (size_t i = 0; i < ARRAY_LEN(places) && n < 0 && strchr(name, '/') == NULL; i++) {
		n = snprintf(ret, PATH_MAX, "%s%s", places[i], name);
		if (n > 0 && n < PATH_MAX && access(ret, X_OK) < 0)
			n = -1;
	}
	return n < 0 || n >= PATH_MAX ? -ENOENT : 0;
}

/*
 * The build tree is known by its directory's name, so nothing is probed: an installed guard never looks for programs
 * outside libexec, a built one never inside it.
 */
int children_path(const struct children *c, enum role role, char ret[PATH_MAX])
{
	const struct role_spec *r = &roles[role];
	const char *last = strrchr(c->root, '/');
	int n;

	if (role == ROLE_HELPER)
		return helper_path(c, ret);
	if (r->program == NULL || last == NULL)
		return -ENOSYS;
	if (strcmp(last, "/broker") == 0)
		n = snprintf(ret, PATH_MAX, "%.*s/%s/%s", (int)(last - c->root), c->root, r->build_directory,
			r->program);
	else
		n = snprintf(ret, PATH_MAX, "%s/%s/%s", c->root, LIBEXEC_FROM_BIN, r->program);
	return n < 0 || n >= PATH_MAX ? -ENAMETOOLONG : 0;
}

/* A helper speaks on its input and output, as a group of its own that can be ended whole. */
static void run_helper(const struct launch *l)
{
	const struct helper *h = &l->children->helper;
	char path_variable[] = "PATH=/usr/local/bin:/usr/bin:/bin", locale[] = "LC_ALL=C.UTF-8";
	char *const environment[] = { path_variable, locale, h->home, NULL };

	if (start_arrange_fds(l->children->null_fd, l->channel, l->errors) == 0 &&
	    dup2(ROLE_FD_CHANNEL, STDIN_FILENO) >= 0 && dup2(ROLE_FD_CHANNEL, STDOUT_FILENO) >= 0 &&
	    dup2(ROLE_FD_EXTRA, STDERR_FILENO) >= 0 && close(ROLE_FD_CHANNEL) == 0 && close(ROLE_FD_EXTRA) == 0 &&
	    setpgid(0, 0) == 0 && start_live_under(l->children->guard) == 0)
		execve(l->path, h->argv, environment);
	_exit(EXIT_NO_PROGRAM);
}

/*
 * In a copy of the guard: looking up a path and waiting for room in a backlog may take for ever, and are nothing for
 * the process that a harness waits for. Whose socket it is, the broker asks.
 */
static void run_connector(const struct launch *l)
{
	const struct sockaddr_un *place = &l->children->service;
	struct channel broker;
	char why[4] = { 0 };
	int fd, rc;

	if (start_arrange_fds(l->children->null_fd, l->channel, -1) < 0 || start_live_under(l->children->guard) < 0)
		_exit(EXIT_NO_PROGRAM);
	channel_init(&broker, ROLE_FD_CHANNEL, ROLE_CONNECTOR, ROLE_BROKER);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (const struct sockaddr *)(const void *)place, sizeof(*place)) < 0) {
		for (size_t i = 0; i < sizeof(why); i++)
			why[i] = (char)((unsigned int)errno >> (8 * i));
		rc = channel_send(&broker, MSG_NOT_CONNECTED, why, sizeof(why), -1);
	} else {
		rc = channel_send(&broker, MSG_CONNECTED, NULL, 0, fd);
	}
	_exit(rc < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}

/*
 * In the child, on its own stack but in the guard's memory: nothing is written but that stack, and only a failure,
 * which ends it, sets errno.
 */
static int run_program(void *data)
{
	const struct launch *l = data;
	const struct role_spec *r = &roles[l->role];
	char *const argv[] = { (char *)(uintptr_t)r->program, NULL };
	char path_variable[] = "PATH=/usr/bin:/bin", locale[] = "LC_ALL=C.UTF-8";
	char *const environment[] = { path_variable, locale, NULL };

	if (l->role == ROLE_HELPER)
		run_helper(l);
	if (l->role == ROLE_CONNECTOR)
		run_connector(l);
	if (start_arrange_fds(l->children->null_fd, l->channel, r->secrets ? l->children->secrets_fd : -1) < 0)
		_exit(EXIT_NO_PROGRAM);
	if (start_become(l->uid, l->gid) < 0)
		_exit(EXIT_NO_USER);
	if (start_live_under(l->children->guard) == 0)
		execve(l->path, argv, environment);
	_exit(EXIT_NO_PROGRAM);
}

static size_t free_slot(const struct children *c)
{
	size_t i = 0;

	while (i < CHILDREN_MAX && c->list[i].pid != 0)
		i++;
	return i;
}

/*
 * As vfork(2) does, the child borrows the guard's memory until exec: copying it would be the longest step of a start.
 * Unlike there the guard does not wait: a file system that hangs under the program hangs the child alone. A connector
 * never comes to an exec, and gets a copy.
 */
static pid_t launch(struct launch *l)
{
	return clone(run_program, l->stack + sizeof(l->stack), (l->role == ROLE_CONNECTOR ? 0 : CLONE_VM) | SIGCHLD, l);
}

/*
 * What the helper writes to stderr is read by the broker, as far as it wants, and without waiting. The helper waits:
 * few programs expect a stderr that takes only a part.
 */
static int open_errors(enum role role, int pipe_fds[2])
{
	int rc = 0;

	pipe_fds[0] = pipe_fds[1] = -1;
	if (role == ROLE_HELPER && pipe2(pipe_fds, O_CLOEXEC) < 0)
		return -errno;
	if (role == ROLE_HELPER && fcntl(pipe_fds[0], F_SETFL, O_NONBLOCK) < 0)
		rc = -errno;
	return rc;
}

static int launch_in(struct children *c, size_t slot, struct started *ret)
{
	struct launch *l = &c->launches[slot];
	CLEANUP(close_fdp) int ours = -1, theirs = -1, said = -1, errors = -1;
	int pair[2], pipe_fds[2], type = l->role == ROLE_HELPER ? SOCK_STREAM : SOCK_SEQPACKET;
	int rc = open_errors(l->role, pipe_fds);
	pid_t pid;

	said = pipe_fds[0];
	errors = pipe_fds[1];
	if (rc < 0)
		return rc;
	if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	ours = pair[0];
	theirs = pair[1];
	l->channel = theirs;
	l->errors = errors;
	pid = launch(l);
	if (pid < 0)
		return -errno;
	c->list[slot] = (struct child){ .role = l->role, .pid = pid, .pidfd = (int)syscall(SYS_pidfd_open, pid, 0) };
	*ret = (struct started){ .pid = pid, .channel = TAKE_FD(ours), .errors = TAKE_FD(said) };
	return 0;
}

int children_start(struct children *c, enum role role, uid_t uid, gid_t gid, struct started *ret)
{
	size_t slot = free_slot(c);
	struct launch *l = &c->launches[slot];
	int rc;

	if (slot == CHILDREN_MAX)
		return -EAGAIN;
	if (role == ROLE_CONNECTOR)
		rc = c->service.sun_path[0] != '\0' ? 0 : -ENOSYS;
	else
		rc = children_path(c, role, l->path);
	if (rc < 0)
		return rc;
	l->children = c;
	l->role = role;
	l->uid = uid;
	l->gid = gid;
	return launch_in(c, slot, ret);
}

int children_fork_broker(struct children *c, int worker_channel, int (*run)(void *data, int guard_fd, int worker_fd),
	void *data, int *ret_channel)
{
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		if (start_arrange_fds(c->null_fd, pair[1], worker_channel) < 0 || start_live_under(c->guard) < 0)
			_exit(EXIT_NO_PROGRAM);
		_exit(run(data, ROLE_FD_CHANNEL, worker_channel < 0 ? -1 : ROLE_FD_EXTRA));
	}
	if (pid < 0) {
		int rc = -errno;

		close(pair[0]);
		close(pair[1]);
		return rc;
	}
	close(pair[1]);
	c->broker = pid;
	*ret_channel = pair[0];
	return 0;
}

/* Whatever a helper started ends with it: while it is a zombie, its group's number is nobody else's. */
static void end_group(const struct child *child)
{
	siginfo_t ended = { 0 };

	if (child->role == ROLE_HELPER && waitid(P_PID, (id_t)child->pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    ended.si_pid == child->pid)
		kill(-child->pid, SIGKILL);
}

bool children_reap(struct child *child, int *ret_status)
{
	if (child->pid != 0)
		end_group(child);
	if (child->pid == 0 || waitpid(child->pid, ret_status, WNOHANG) != child->pid)
		return false;
	close_fdp(&child->pidfd);
	*child = (struct child){ .pidfd = -1 };
	return true;
}

static void kill_child(const struct child *child)
{
	if (child->role == ROLE_HELPER)
		kill(-child->pid, SIGKILL);
	/* Its pid is ours until reaped: where pidfds are missing, kill() names the same process. */
	if (child->pidfd < 0 || syscall(SYS_pidfd_send_signal, child->pidfd, SIGKILL, NULL, 0) < 0)
		kill(child->pid, SIGKILL);
}

void children_kill(struct children *c, pid_t pid)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++)
		if (pid > 0 && c->list[i].pid == pid)
			kill_child(&c->list[i]);
}

void children_kill_all(struct children *c)
{
	for (size_t i = 0; i < CHILDREN_MAX; i++)
		if (c->list[i].pid != 0)
			kill_child(&c->list[i]);
	if (c->broker > 0)
		kill(c->broker, SIGKILL);
}
