/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes the service's clients: who each is, whether that user may ask now, and which process answers. A client's bytes
 * are waited for and not read, so nothing that a client writes is ever parsed by a process that sees another's.
 */
#include <poll.h>
#include <sys/socket.h>

#include "netproc/clients.h"
#include "netproc/service.h"
#include "policy/sandbox/confine.h"
#include "policy/wire/channel.h"
#include "policy/wire/codec.h"

enum {
	POOL_MAX = 64,
	ACCEPT_PAUSE_MS = 200, /* where the machine has nothing left to accept with */
	WARM_FOR_MS = 60000, /* after the last client connections are kept ready no longer */
	COOL_MIN_MS = 250, /* before one that ended unused is replaced; doubled each time */
	COOL_MAX_MS = 10000,
};

/* Nothing is done for more users than that at a time, so that there is always an entry to be had. */
_Static_assert(POOL_MAX + CLIENTS_MAX < BOUNDS_UIDS_MAX, "a user is kept out by others");
_Static_assert(MODEL_RUN_BYTES == 16, "as policy/wire/messages.c has it");

enum member_state { MEMBER_STARTING, MEMBER_READY, MEMBER_BUSY };

struct member { /* a process that asks */
	struct channel channel;
	enum member_state state;
	struct uid_bounds *bounds; /* of its client, when busy */
};

struct acceptor {
	const struct service_plan *plan;
	bool may_idle_out;
	struct channel service;
	struct clients clients;
	struct member members[POOL_MAX]; /* the newest last */
	uint32_t n_members, n_wanted; /* asked for, not there yet */
	uint64_t last_client_ms, cool_until_ms, cool_ms, accept_at_ms;
	struct pollfd polls[2 + POOL_MAX + CLIENTS_MAX];
};

static uint32_t count(const struct acceptor *a, enum member_state state)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < a->n_members; i++)
		n += a->members[i].state == state;
	return n;
}

static void cool_down(struct acceptor *a, uint64_t now)
{
	a->cool_ms = a->cool_ms == 0 ? COOL_MIN_MS : a->cool_ms * 2 < COOL_MAX_MS ? a->cool_ms * 2 : COOL_MAX_MS;
	a->cool_until_ms = now + a->cool_ms;
}

static void drop_member(struct acceptor *a, uint32_t i, uint64_t now)
{
	struct member *m = &a->members[i];

	if (m->state == MEMBER_BUSY)
		m->bounds->running--;
	else
		cool_down(a, now); /* a server that lets nobody wait, or cannot be reached */
	channel_done(&m->channel);
	a->n_members--;
	memmove(m, m + 1, (a->n_members - i) * sizeof(*m));
}

/* The second message at most into an empty socket: it does not block. Whether it arrives is the client's affair. */
static void refuse(int fd, bool greeted)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	struct channel c;

	channel_init(&c, fd, ROLE_NETPROC, ROLE_BROKER);
	c.sent = greeted ? SERVICE_GREETINGS : 0;
	wr_u8(&w, MODEL_BUSY);
	wr_str(&w, model_failure_text(MODEL_BUSY));
	if (!w.bad)
		(void)!channel_send_until(&c, MSG_MODEL_FAILED, w.p, w.len, -1, 1);
	channel_done(&c);
}

/* The first. What is said after it is said by another process, on another channel over the same socket. */
static void greet(const struct acceptor *a, int fd)
{
	struct channel c;

	channel_init(&c, fd, ROLE_NETPROC, ROLE_BROKER);
	(void)!channel_send_until(&c, MSG_MODEL_GREETING, a->plan->run, sizeof(a->plan->run), -1, 1);
}

/* Of memory, or of the system's files, there may be more in a moment: nobody is served by a service that ends of it. */
static int cannot_accept(struct acceptor *a, uint64_t now, int error)
{
	switch (error) {
	case EAGAIN:
	case EINTR:
	case ECONNABORTED:
		return 0;
	case EMFILE:
	case ENFILE:
	case ENOBUFS:
	case ENOMEM:
		a->accept_at_ms = now + ACCEPT_PAUSE_MS;
		return 0;
	default:
		return -error;
	}
}

static int take_client(struct acceptor *a, uint64_t now)
{
	struct ucred peer = { .uid = (uid_t)-1 };
	socklen_t n = sizeof(peer);
	int fd = accept4(ROLE_FD_EXTRA, NULL, NULL, SOCK_CLOEXEC), refused = fd;

	if (fd < 0)
		return cannot_accept(a, now, errno);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 && n == sizeof(peer))
		refused = clients_add(&a->clients, fd, peer.uid, now);
	if (refused != fd) {
		greet(a, fd);
		a->last_client_ms = now;
	}
	if (refused >= 0)
		refuse(refused, refused != fd);
	return 0;
}

static int hear_service(struct acceptor *a, uint64_t now)
{
	struct message m;
	int rc = channel_receive(&a->service, &m);

	if (rc != 0)
		return rc < 0 ? rc : -EPIPE;
	if (a->n_wanted == 0)
		return -EPROTO;
	a->n_wanted--;
	if (m.type == MSG_POOL_NONE) {
		cool_down(a, now);
		return 0;
	}
	if (a->n_members == POOL_MAX)
		return -EPROTO;
	a->members[a->n_members] = (struct member){ .state = MEMBER_STARTING };
	channel_init(&a->members[a->n_members++].channel, TAKE_FD(a->service.got_fd), ROLE_ACCEPTOR, ROLE_NETPROC);
	return 0;
}

/*
 * False: the process is of no use. A client's socket that cannot be handed over is the client's fault, who would else
 * cost one process after the other: it may hold sockets that hold sockets, deeper than kernels before 6.10 let pass.
 */
static bool give(struct acceptor *a, struct member *m, uint32_t client)
{
	struct client *c = &a->clients.list[client];
	int rc = channel_send(&m->channel, MSG_POOL_CLIENT, NULL, 0, c->fd);

	if (rc == -EPIPE || rc == -EAGAIN)
		return false;
	if (rc < 0) {
		clients_drop(&a->clients, client);
		return true;
	}
	m->state = MEMBER_BUSY;
	m->bounds = c->bounds;
	m->bounds->running++;
	a->cool_ms = 0;
	clients_drop(&a->clients, client);
	return true;
}

/* One that could not connect still tells a client that waits; for nobody else it is worth keeping. */
static bool is_of_use(struct acceptor *a, struct member *m, bool ready)
{
	uint32_t client = clients_next(&a->clients);

	if (ready)
		m->state = MEMBER_READY;
	else if (client < a->clients.n && !give(a, m, client))
		return false;
	return m->state != MEMBER_STARTING;
}

/* False: it has ended, or is to. */
static bool hear_member(struct acceptor *a, struct member *m)
{
	struct message said;
	struct reader r;
	int rc = channel_receive(&m->channel, &said);
	bool ready;

	if (rc == CHANNEL_AGAIN)
		return true;
	if (rc != 0 || m->state != MEMBER_STARTING)
		return false;
	r = (struct reader){ .p = said.body.p, .left = said.body.len };
	ready = rd_bool(&r);
	return rd_end(&r) && is_of_use(a, m, ready);
}

/* The newest that is ready: its connection is the least likely to be closed this moment. */
static uint32_t newest_ready(const struct acceptor *a)
{
	uint32_t i = a->n_members;

	while (i > 0 && a->members[i - 1].state != MEMBER_READY)
		i--;
	return i;
}

static void match(struct acceptor *a, uint64_t now)
{
	for (;;) {
		uint32_t client = clients_next(&a->clients), member = newest_ready(a);

		if (client == a->clients.n || member == 0)
			return;
		if (!give(a, &a->members[member - 1], client))
			drop_member(a, member - 1, now);
	}
}

static int keep_pool(struct acceptor *a, uint64_t now)
{
	uint32_t have = count(a, MEMBER_READY) + count(a, MEMBER_STARTING) + a->n_wanted;
	uint32_t want = clients_due(&a->clients);
	bool warm = now - a->last_client_ms < WARM_FOR_MS && now >= a->cool_until_ms;
	int rc = 0;

	if (warm)
		want += a->plan->warm;
	while (rc == 0 && have < want && a->n_members + a->n_wanted < POOL_MAX) {
		rc = channel_send(&a->service, MSG_POOL_WANTED, NULL, 0, -1);
		a->n_wanted++;
		have++;
	}
	return rc;
}

/* A key and a connection are held for clients that come, not for days. */
static void drop_unused(struct acceptor *a, uint64_t now)
{
	if (now - a->last_client_ms < WARM_FOR_MS)
		return;
	for (uint32_t i = a->n_members; i > 0; i--)
		if (a->members[i - 1].state == MEMBER_READY)
			drop_member(a, i - 1, now);
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return b != 0 && b < a ? b : a;
}

/* Until when there is nothing to do unless somebody says something. */
static int wait_ms(const struct acceptor *a, uint64_t now)
{
	uint64_t until = now + WARM_FOR_MS, idle = a->plan->idle_exit_ms;

	until = clients_late_at(&a->clients, until);
	if (a->cool_until_ms > now)
		until = sooner(until, a->cool_until_ms);
	if (a->accept_at_ms > now)
		until = sooner(until, a->accept_at_ms);
	if (a->may_idle_out && idle != 0 && a->clients.n == 0 && count(a, MEMBER_BUSY) == 0)
		until = sooner(until, a->last_client_ms + idle);
	if (a->last_client_ms + WARM_FOR_MS > now)
		until = sooner(until, a->last_client_ms + WARM_FOR_MS);
	return until > now ? (int)(until - now) : 0;
}

static bool is_idle_out(const struct acceptor *a, uint64_t now)
{
	return a->may_idle_out && a->plan->idle_exit_ms != 0 && a->clients.n == 0 && count(a, MEMBER_BUSY) == 0 &&
		now - a->last_client_ms >= a->plan->idle_exit_ms;
}

static nfds_t set_polls(struct acceptor *a, uint64_t now)
{
	const struct clients *c = &a->clients;
	nfds_t n = 0;

	a->polls[n++] = (struct pollfd){ .fd = a->service.fd, .events = POLLIN };
	a->polls[n++] = (struct pollfd){ .fd = now >= a->accept_at_ms ? ROLE_FD_EXTRA : -1, .events = POLLIN };
	for (uint32_t i = 0; i < a->n_members; i++)
		a->polls[n++] = (struct pollfd){ .fd = a->members[i].channel.fd, .events = POLLIN };
	for (uint32_t i = 0; i < c->n; i++)
		a->polls[n++] = (struct pollfd){ .fd = c->list[i].fd,
			.events = c->list[i].spoke ? 0 : POLLIN }; /* that it leaves is told unasked */
	return n;
}

static void hear_client(struct acceptor *a, uint32_t i, short events, uint64_t now)
{
	int refused = -1;

	if ((events & (POLLHUP | POLLERR)) != 0)
		clients_drop(&a->clients, i);
	else if ((events & POLLIN) != 0)
		refused = clients_spoke(&a->clients, i, now);
	if (refused >= 0)
		refuse(refused, true);
}

/* From the last to the first, so that what is dropped moves none that is still to be looked at. */
static int take_events(struct acceptor *a, uint64_t now)
{
	const struct pollfd *members = &a->polls[2], *clients = members + a->n_members;
	uint32_t n_members = a->n_members;
	int rc = 0;

	for (uint32_t i = a->clients.n; i > 0; i--)
		hear_client(a, i - 1, clients[i - 1].revents, now);
	for (uint32_t i = n_members; i > 0; i--)
		if (members[i - 1].revents != 0 && !hear_member(a, &a->members[i - 1]))
			drop_member(a, i - 1, now);
	if (a->polls[0].revents != 0)
		rc = hear_service(a, now);
	if (rc == 0 && a->polls[1].revents != 0)
		rc = take_client(a, now);
	return rc;
}

static int turn(struct acceptor *a)
{
	uint64_t now = clock_ms();
	nfds_t n = set_polls(a, now);
	int rc = poll(a->polls, n, wait_ms(a, now));

	if (rc < 0)
		return errno == EINTR ? 0 : -errno;
	now = clock_ms();
	rc = take_events(a, now);
	if (rc < 0)
		return rc;
	clients_drop_late(&a->clients, now);
	drop_unused(a, now);
	match(a, now);
	return keep_pool(a, now);
}

int acceptor_main(const struct service_plan *plan, bool may_idle_out)
{
	CLEANUP(freep) struct acceptor *a = calloc(1, sizeof(*a));
	const char *layer = "";
	int rc = confine(ROLE_ACCEPTOR, &layer);

	if (rc < 0)
		return confine_exit_status(layer);
	if (a == NULL)
		return EXIT_FAILURE;
	a->plan = plan;
	a->may_idle_out = may_idle_out;
	a->last_client_ms = clock_ms();
	a->clients.bounds.per_uid = plan->per_uid;
	a->clients.bounds.per_minute = plan->per_minute;
	channel_init(&a->service, ROLE_FD_CHANNEL, ROLE_ACCEPTOR, ROLE_SERVICE);
	rc = keep_pool(a, a->last_client_ms);
	while (rc == 0 && !is_idle_out(a, clock_ms()))
		rc = turn(a);
	return rc < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
