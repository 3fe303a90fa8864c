/* SPDX-License-Identifier: Apache-2.0 */
/* The broker's life: channels, confinement, configuration, the command, the end. */
#include "broker/broker.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>

#include "broker/config_load.h"
#include "broker/decision/worker_policy.h"
#include "broker/home.h"
#include "broker/telemetry/log.h"
#include "policy/sandbox/confine.h"

enum { SOCKET_PATH_MAX = 107 /* unix(7), less the NUL */ };

int broker_out(struct broker *b, const char *p, size_t len)
{
	return channel_send(&b->guard, MSG_OUTPUT, p, len, -1);
}

int broker_err(struct broker *b, const char *p, size_t len)
{
	int err = 0;

	/* One frame at most is taken at a time: nothing that is said to a person comes near it. */
	while (err == 0 && len > 0) {
		size_t n = len < FRAME_BODY_MAX ? len : FRAME_BODY_MAX;

		err = channel_send(&b->guard, MSG_ERROR_OUTPUT, p, n, -1);
		p += n;
		len -= n;
	}
	return err;
}

const char *broker_getenv(const struct broker *b, const char *name)
{
	size_t n = strlen(name);

	for (char **e = b->start.environment; e != NULL && *e != NULL; e++) {
		if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
			return *e + n + 1;
	}
	return NULL;
}

bool broker_variable_is_set(const struct broker *b, struct bytes name)
{
	char *const *const lists[] = { b->start.other_names, b->start.environment };

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		for (char *const *e = lists[i]; e != NULL && *e != NULL; e++)
			if (strncmp(*e, name.p, name.len) == 0 && ((*e)[name.len] == '\0' || (*e)[name.len] == '='))
				return true;
	return false;
}

static int keep_input(struct broker *b, struct bytes chunk)
{
	struct textbuf *t = &b->input_buffer;
	size_t consumed = t->len - b->input.len;

	/* What was consumed makes room once it is the greater part: each byte is moved at most once or so. */
	if (consumed > 0 && consumed >= b->input.len) {
		memmove(t->p, t->p + consumed, b->input.len);
		t->len = b->input.len;
		consumed = 0;
	}
	textbuf_append(t, chunk.p, chunk.len);
	if (t->failed)
		return -ENOMEM;
	b->input = (struct bytes){ t->p + consumed, t->len - consumed };
	return 0;
}

void broker_consume_input(struct broker *b, size_t n)
{
	b->input = (struct bytes){ b->input.p + n, b->input.len - n };
}

static int keep_child(struct broker *b, struct bytes body, bool failed)
{
	struct reader r = { .p = body.p, .left = body.len };
	uint32_t role = rd_u32(&r), value = rd_u32(&r);

	if (!rd_end(&r) || role != (uint32_t)b->child_role)
		return -EPROTO;
	if (failed) {
		b->child_errno = value != 0 && value < 4096 ? (int)value : EIO;
		return 0;
	}
	close_fdp(&b->child_fd);
	b->child_fd = TAKE_FD(b->guard.got_fd);
	b->child_pid = value;
	return 0;
}

static int keep_gone(struct broker *b, struct bytes body)
{
	struct reader r = { .p = body.p, .left = body.len };
	struct gone_child *g = &b->gone[b->n_gone++ % GONE_MAX];

	(void)rd_u32(&r); /* role */
	g->pid = rd_u32(&r);
	g->status = rd_u32(&r);
	return rd_end(&r) ? 0 : -EPROTO;
}

/* The next thing the guard has to say, whatever was waited for. 0 or -errno (-EPIPE: it is gone). */
static int hear_guard(struct broker *b)
{
	struct message m;
	int err = channel_receive(&b->guard, &m);

	if (err != 0)
		return err == CHANNEL_END ? -EPIPE : err < 0 ? err : -EIO;
	switch ((int)m.type) {
	case MSG_STDIN:
		return keep_input(b, m.body);
	case MSG_STDIN_END:
		b->input_ended = true;
		b->input_end = m.body.p[0] <= STDIN_READ_ERROR ? (enum stdin_end)m.body.p[0] : STDIN_READ_ERROR;
		return 0;
	case MSG_CHILD:
		return keep_child(b, m.body, false);
	case MSG_CHILD_FAILED:
		return keep_child(b, m.body, true);
	case MSG_CHILD_ERRORS:
		close_fdp(&b->child_errors_fd);
		b->child_errors_fd = TAKE_FD(b->guard.got_fd);
		return 0;
	case MSG_CHILD_GONE:
		/* Its channel says so too, and in the right place among what it said before. */
		return keep_gone(b, m.body);
	default:
		return -EPROTO;
	}
}

int broker_read_input(struct broker *b)
{
	size_t before = b->input.len;
	int err = 0;

	while (err == 0 && !b->input_ended && b->input.len == before)
		err = hear_guard(b);
	return err;
}

void broker_stop_child(struct broker *b, struct channel *c, uint32_t pid)
{
	CLEANUP(wr_done) struct writer w = { 0 };

	if (c->fd < 0)
		return;
	channel_done(c);
	wr_u32(&w, pid);
	/* With its channel closed it ends by itself; the guard's kill is for one that does not. */
	if (!w.bad && channel_send(&b->guard, MSG_STOP, w.p, w.len, -1) < 0)
		log_line(b, "a child could not be stopped");
}

void broker_stop_worker(struct broker *b)
{
	broker_stop_child(b, &b->worker, b->worker_pid);
}

static int take_worker(struct broker *b, int fd, uint32_t pid)
{
	int err;

	channel_init(&b->worker, fd, ROLE_BROKER, ROLE_WORKER);
	b->worker_pid = pid;
	err = channel_send(&b->worker, MSG_POLICY, b->policy.p, b->policy.len, -1);
	if (err != -EPIPE && err != -ECONNRESET)
		return err;
	/* It died at once: as if it had never been there, and the next request asks for another. */
	channel_done(&b->worker);
	return 0;
}

/*
 * Whom a role becomes. Only root can become anybody; a name that nobody has keeps the role from starting, which is a
 * denial and not root's power in the wrong hands.
 */
static int role_user(struct broker *b, enum role role, uid_t *ret_uid, gid_t *ret_gid)
{
	enum config_key key = CFG_ROLES_UID;
	int err;

	*ret_uid = 0;
	*ret_gid = 0;
	if (!roles[role].changes_user || b->config == NULL || geteuid() != 0)
		return 0;
	if (role == ROLE_NETPROC && *config_string(b->config, CFG_NETPROC_UID) != '\0')
		key = CFG_NETPROC_UID;
	err = broker_user(b, key, ret_uid, ret_gid);
	if (err < 0)
		log_line(b, "%s: no such user: %s cannot be started", config_specs[key].path, role_name(role));
	return err;
}

int broker_start_child(struct broker *b, enum role role, int *ret_fd, uint32_t *ret_pid)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	uid_t uid = 0;
	gid_t gid = 0;
	int err;

	if (role_user(b, role, &uid, &gid) < 0)
		return -ECHILD;
	b->child_errno = 0;
	b->child_role = role;
	wr_u32(&w, role);
	wr_u32(&w, uid);
	wr_u32(&w, gid);
	if (w.bad)
		return -ENOMEM;
	err = channel_send(&b->guard, MSG_START, w.p, w.len, -1);
	while (err == 0 && b->child_fd < 0 && b->child_errno == 0)
		err = hear_guard(b);
	if (err < 0)
		return err;
	if (b->child_errno != 0)
		return -ECHILD;
	*ret_fd = TAKE_FD(b->child_fd);
	*ret_pid = b->child_pid;
	return 0;
}

/* For poll(): a deadline far away is looked at again. */
static int wait_ms(uint64_t now, uint64_t deadline_ms)
{
	if (now >= deadline_ms)
		return 0;
	return deadline_ms - now > INT_MAX ? INT_MAX : (int)(deadline_ms - now);
}

static const struct gone_child *find_gone(const struct broker *b, uint32_t pid)
{
	for (size_t i = 0; i < GONE_MAX; i++)
		if (b->gone[i].pid == pid)
			return &b->gone[i];
	return NULL;
}

int broker_wait_child(struct broker *b, uint32_t pid, uint64_t deadline_ms, int *ret_status)
{
	while (find_gone(b, pid) == NULL) {
		struct pollfd p = { .fd = b->guard.fd, .events = POLLIN };
		uint64_t now = clock_ms();
		int err = poll(&p, 1, wait_ms(now, deadline_ms));

		if (err == 0)
			return -ETIMEDOUT;
		if (err > 0)
			err = hear_guard(b);
		else
			err = errno == EINTR ? 0 : -errno;
		if (err < 0)
			return err;
	}
	*ret_status = (int)find_gone(b, pid)->status;
	return 0;
}

int broker_new_worker(struct broker *b)
{
	uint32_t pid = 0;
	int fd = -1, err;

	broker_stop_worker(b);
	err = broker_start_child(b, ROLE_WORKER, &fd, &pid);
	return err < 0 ? err : take_worker(b, fd, pid);
}

/* A hook may be started with any HOME that a repository's settings chose; a person's own commands take it as usual. */
static char *find_home(const struct broker *b)
{
	const char *home = b->start.command->hook ? NULL : broker_getenv(b, "HOME");

	return home != NULL && home[0] == '/' ? strdup(home) : home_from_passwd();
}

bool broker_home_is_another(const struct broker *b)
{
	const char *said = broker_getenv(b, "HOME");
	struct stat there, ours;

	if (!b->start.command->hook || said == NULL || b->home == NULL || strcmp(said, b->home) == 0)
		return false;
	return said[0] != '/' || stat(said, &there) < 0 || stat(b->home, &ours) < 0 || there.st_dev != ours.st_dev ||
		there.st_ino != ours.st_ino;
}

static bool is_private_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

const char *broker_runtime_dir(struct broker *b)
{
	const char *named = b->start.command->hook ? NULL : broker_getenv(b, "XDG_RUNTIME_DIR");

	if (b->runtime_dir != NULL)
		return b->runtime_dir;
	if (named != NULL && named[0] == '/')
		b->runtime_dir = strdup(named);
	else if (asprintf(&b->runtime_dir, "/run/user/%lu", (unsigned long)geteuid()) < 0)
		b->runtime_dir = NULL;
	if (b->runtime_dir != NULL && !is_private_dir(b->runtime_dir))
		free(TAKE_PTR(b->runtime_dir));
	return b->runtime_dir;
}

static int load_config(struct broker *b)
{
	const struct config_sources sources = {
		.environment = b->start.environment,
		.other_names = b->start.other_names,
		.home = b->home,
		.hook = b->start.command->hook,
	};

	return config_load(&sources, &b->config, &b->files);
}

/* The guard's last word follows, and denies; this says to the person what to mend. */
static int start_failed(struct broker *b, const char *what, int err)
{
	char text[200];
	int n = snprintf(text, sizeof(text), "auto-classifier: %s: %s\n", what, strerror(-err));

	if (n > 0 && (size_t)n < sizeof(text) && broker_err(b, text, (size_t)n) < 0)
		return -EPIPE;
	return err;
}

/* Which program asks in our place. */
static int send_helper(struct broker *b)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	const char *const *argv;
	size_t n = config_strings(b->config, CFG_JEV_COMMAND, &argv);

	if (n == 0 || strcmp(config_string(b->config, CFG_LLM_PROVIDER), "jev") != 0)
		return 0;
	wr_str(&w, b->home);
	wr_u32(&w, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		wr_str(&w, argv[i]);
	return w.bad ? -ENOMEM : channel_send(&b->guard, MSG_HELPER, w.p, w.len, -1);
}

/* Likewise which socket leads to the service. */
static int send_service(struct broker *b)
{
	const char *path = config_string(b->config, CFG_NETPROC_SOCKET);

	if (strlen(path) > SOCKET_PATH_MAX)
		log_line(b, "netproc.socket: the path is too long for a socket");
	if (*path == '\0' || strlen(path) > SOCKET_PATH_MAX)
		return 0; /* a connector without a place cannot be started */
	return channel_send(&b->guard, MSG_SERVICE_PLACE, path, strlen(path), -1);
}

/*
 * Said before a worker is heard, whether or not there is a helper or a service: from then on the guard takes no word
 * about either, so that a broker which a worker has taken over can name neither.
 */
static int settle(struct broker *b)
{
	int err = send_helper(b);

	if (err == 0)
		err = send_service(b);
	return err < 0 ? err : channel_send(&b->guard, MSG_SETTLED, NULL, 0, -1);
}

/* The guard started one before anybody had read whom it should become: where it should, another takes its place. */
static int first_worker(struct broker *b)
{
	uid_t uid;
	gid_t gid;
	int err = role_user(b, ROLE_WORKER, &uid, &gid);

	if (err == 0 && uid == 0)
		return take_worker(b, b->start.worker_fd, b->start.worker_pid);
	channel_init(&b->worker, b->start.worker_fd, ROLE_BROKER, ROLE_WORKER);
	b->worker_pid = b->start.worker_pid;
	broker_stop_worker(b);
	return 0; /* the first request asks for a worker */
}

static int prepare(struct broker *b)
{
	const char *layer = "the sandbox";
	char what[100];
	int err;

	/* Before confinement: what asks the name service is a program, and talks to daemons that nobody can list. */
	b->home = find_home(b);
	b->cwd = getcwd(NULL, 0);
	err = confine(ROLE_BROKER, &layer);
	if (err < 0) {
		(void)snprintf(what, sizeof(what), "%s cannot be entered", layer);
		return start_failed(b, what, err);
	}
	err = load_config(b);
	if (err < 0)
		return start_failed(b, "settings cannot be loaded", err);
	err = settle(b);
	if (err < 0)
		return err;
	err = worker_policy_prepare(b);
	if (err < 0)
		return start_failed(b, "settings, or the names in the environment, are too many", err);
	return b->start.worker_fd < 0 ? 0 : first_worker(b);
}

static int finish(struct broker *b, int status)
{
	CLEANUP(wr_done) struct writer w = { 0 };

	wr_u32(&w, (uint32_t)status);
	return w.bad ? -ENOMEM : channel_send(&b->guard, MSG_FINISH, w.p, w.len, -1);
}

/*
 * The guard, which has the reply to pass on, ends this process together with its own. Ending before it would have a
 * processor take this process apart while somebody waits for those bytes.
 */
static void wait_for_end(struct broker *b)
{
	struct message m;

	while (channel_receive(&b->guard, &m) == 0)
		; /* about a child, and for nobody any more */
}

/* Nothing is freed: the process ends here, and the kernel is quicker. */
int broker_main(const struct broker_start *start)
{
	struct broker b = { .start = *start, .started_ms = clock_ms(), .child_fd = -1, .child_errors_fd = -1 };
	int status;

	channel_init(&b.guard, start->guard_fd, ROLE_BROKER, ROLE_GUARD);
	channel_init(&b.worker, -1, ROLE_BROKER, ROLE_WORKER);
	status = prepare(&b);
	if (status == 0)
		status = start->command->run(&b);
	/* Without a finish the guard has the last word, which for a hook is a deny. */
	if (status < 0 || finish(&b, status) < 0)
		return EXIT_FAILURE;
	wait_for_end(&b);
	return status;
}
