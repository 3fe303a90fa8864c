/* SPDX-License-Identifier: Apache-2.0 */
/* auto-classifier, the process a harness waits for: starts the others, and has the last word when they fail. */
#include "broker/broker.h"
#include "broker/guard/environment.h"
#include "broker/guard/serve.h"
#include "policy/sandbox/confine.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/* Time for the last word, after the deadline and before the harness's limit. */
enum { RESERVE_MS = 1000, LAST_WORD_MS = 400 };

struct start {
	struct guard guard;
	struct environment environment;
	struct broker_start broker;
	char missing[PATH_MAX]; /* a program of ours that is not there */
};

/* An absent standard descriptor would be taken by the next one opened, and a socket written as if it were stdout. */
static int hold_standard_fds(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		/* Read-only: a reply written here fails, as it would have. */
		if (open("/dev/null", O_RDONLY) != fd)
			return -EBADF;
	}
	return 0;
}

static int harden(void)
{
	const struct rlimit no_core = { 0, 0 };

	if (prctl(PR_SET_DUMPABLE, 0) < 0 || setrlimit(RLIMIT_CORE, &no_core) < 0)
		return -errno;
	return hold_standard_fds();
}

/*
 * Whoever started us may have left any disposition and mask behind. While a harness waits, no signal that can be held
 * back ends the guard: an agent's own process may send it, and a guard that dies is no answer. Children start with none
 * blocked.
 */
static int set_signals(bool hook)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN }, plain = { .sa_handler = SIG_DFL };
	sigset_t blocked;

	if (hook)
		sigfillset(&blocked);
	else
		sigemptyset(&blocked);
	if (sigaction(SIGPIPE, &ignore, NULL) < 0 || sigaction(SIGCHLD, &plain, NULL) < 0 ||
	    sigprocmask(SIG_SETMASK, &blocked, NULL) < 0)
		return -errno;
	return 0;
}

static void set_deadline(struct start *s)
{
	uint32_t limit = harness_specs[s->broker.harness].limit_ms;
	struct hook_options o;
	const char *error;

	if (s->guard.input == INPUT_STREAM)
		return;
	if (s->broker.command->hook) {
		/* Wrong options are the broker's to report; they leave the bare hook's limit. */
		int rc = hook_options_parse(s->broker.argc, s->broker.argv, &o, &error);

		limit = rc == 0 || rc == -EINVAL ? o.limit_ms : limit;
	}
	limit = limit > 2 * RESERVE_MS ? limit - RESERVE_MS : limit / 2;
	s->guard.deadline_ms = s->broker.deadline_ms = clock_ms() + limit;
}

static int run_broker(void *data, int guard_fd, int worker_fd)
{
	struct start *s = data;

	s->broker.guard_fd = guard_fd;
	s->broker.worker_fd = worker_fd;
	return broker_main(&s->broker);
}

/* For a person who asks what is wrong; a hook finds out by starting. */
static void find_missing(struct start *s)
{
	for (enum role r = 0; r < ROLE__MAX; r++)
		if (roles[r].program != NULL && children_path(&s->guard.children, r, s->missing) == 0 &&
			access(s->missing, X_OK) < 0) {
			s->broker.missing_program = s->missing;
			return;
		}
}

/*
 * The worker is under way before anything else is done, since nothing takes longer than its start. It borrows this
 * memory up to its exec, and takes none of the environment in it along.
 */
static int start_worker(struct start *s, int *ret_channel)
{
	struct started started = { .channel = -1 };
	int rc = children_init(&s->guard.children);

	if (rc == 0 && s->broker.command->worker)
		rc = children_start(&s->guard.children, ROLE_WORKER, 0, 0, &started);
	if (rc < 0)
		return rc;
	s->broker.worker_pid = (uint32_t)started.pid;
	*ret_channel = started.channel;
	return 0;
}

static int start_broker(struct start *s, int worker)
{
	struct children *c = &s->guard.children;
	int channel, rc;

	c->secrets_fd = s->environment.secrets_fd;
	s->broker.environment = s->environment.allowed;
	s->broker.other_names = s->environment.other_names;
	if (!s->broker.command->hook)
		find_missing(s);
	rc = children_fork_broker(c, worker, run_broker, s, &channel);
	if (rc < 0)
		return rc;
	if (fcntl(channel, F_SETFL, O_NONBLOCK) < 0) {
		rc = -errno;
		close(channel);
		return rc;
	}
	channel_init(&s->guard.broker, channel, ROLE_GUARD, ROLE_BROKER);
	return 0;
}

static int start_processes(struct start *s)
{
	CLEANUP(close_fdp) int worker = -1;
	int rc = start_worker(s, &worker);

	if (rc == 0)
		rc = environment_take(environ, &s->environment);
	return rc < 0 ? rc : start_broker(s, worker);
}

/*
 * Of root's power the guard keeps what starting and ending children of another user takes. What they may do is theirs
 * to give up: a program that root executes begins with everything again.
 */
static int drop_capabilities(void)
{
	static const cap_value_t kept[] = { CAP_KILL, CAP_SETGID, CAP_SETUID };
	cap_t caps = geteuid() == 0 ? cap_get_proc() : NULL;
	int rc = 0;

	if (caps == NULL)
		return 0;
	for (cap_value_t cap = 0; cap <= CAP_LAST_CAP && rc == 0; cap++) {
		bool keep = false;

		for (size_t i = 0; i < ARRAY_LEN(kept); i++)
			keep = keep || kept[i] == cap;
		if (!keep && (cap_set_flag(caps, CAP_EFFECTIVE, 1, &cap, CAP_CLEAR) < 0 ||
			      cap_set_flag(caps, CAP_PERMITTED, 1, &cap, CAP_CLEAR) < 0))
			rc = -errno;
	}
	if (rc == 0 && cap_set_proc(caps) < 0)
		rc = -errno;
	cap_free(caps);
	return rc;
}

static int serve(struct start *s)
{
	int rc = set_signals(s->broker.command->hook);

	if (rc == 0)
		rc = start_processes(s);
	if (rc == 0)
		rc = drop_capabilities();
	return rc < 0 ? rc : guard_serve(&s->guard);
}

static const char *cause(int rc)
{
	return rc == -ETIMEDOUT ? "no answer in time" : rc == -EPIPE ? "the broker is gone" : strerror(-rc);
}

/* The reply when there is none: the harness's own deny, unless rows already went out or no verdict was asked for. */
static int last_word(struct start *s, int rc)
{
	const struct last_word *w = &harness_specs[s->broker.harness].last_word;
	struct output *out = &s->guard.out, *err = &s->guard.err;
	bool verdict = s->broker.command->verdict;
	uint64_t until = clock_ms() + LAST_WORD_MS;
	char line[160];
	int n = snprintf(line, sizeof(line), "auto-classifier: %s\n", cause(rc)), said;

	output_done(out); /* what the broker had to say on stderr stays: it may name the cause */
	rc = 0;
	if (verdict && s->guard.input != INPUT_STREAM)
		rc = output_put(out, (struct bytes){ w->out, strlen(w->out) });
	if (rc == 0)
		rc = output_finish(out, until);
	said = output_put(err, (struct bytes){ line, n > 0 ? (size_t)n : 0 });
	if (said == 0 && verdict)
		said = output_put(err, (struct bytes){ w->err, strlen(w->err) });
	if (said == 0)
		said = output_finish(err, until);
	return rc < 0 || said < 0 || !verdict ? 2 : w->status;
}

/* The reply's way out. Whatever could not be written is an answer too: 2 blocks where stdout is not read. */
static int reply(struct start *s, int rc)
{
	if (rc < 0)
		return last_word(s, rc);
	rc = output_finish(&s->guard.out, s->guard.deadline_ms);
	if (output_finish(&s->guard.err, s->guard.deadline_ms) < 0 && s->guard.out.len == 0)
		return 2; /* stderr was the whole answer */
	return rc < 0 ? 2 : (int)s->guard.status;
}

int main(int argc, char **argv)
{
	static struct start s = {
		.guard = { .broker = { .fd = -1, .got_fd = -1 }, .out.fd = STDOUT_FILENO, .err.fd = STDERR_FILENO },
		.environment.secrets_fd = -1,
	};
	int rc = harden(), status;

	s.broker = (struct broker_start){ .argc = argc, .argv = argv, .stdout_tty = isatty(STDOUT_FILENO) };
	s.broker.command = command_find(argc, argv, isatty(STDIN_FILENO), &s.guard.input, &s.broker.harness);
	if (s.broker.command == NULL) {
		(void)!write(STDERR_FILENO, command_unknown, strlen(command_unknown));
		return 64;
	}
	if (!s.broker.command->hook)
		s.broker.landlock_abi = landlock_abi();
	set_deadline(&s);
	status = reply(&s, rc < 0 ? rc : serve(&s));
	children_kill_all(&s.guard.children);
	/* Harnesses read to the end of stdout: it is there now, whatever they still write. */
	close(STDOUT_FILENO);
	guard_drain_stdin(&s.guard);
	_exit(status);
}
