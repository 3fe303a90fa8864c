/* SPDX-License-Identifier: Apache-2.0 */
/* The way to a netproc that runs as a service: connected by a process that may wait, trusted by its user. */
#include <sys/socket.h>

#include "broker/model/model.h"
#include "broker/telemetry/log.h"

static int not_connected(struct broker *b, struct bytes body)
{
	struct reader r = { .p = body.p, .left = body.len };
	uint32_t number = rd_u32(&r);

	log_line(b, "netproc.socket: %s", rd_end(&r) && number < 4096 ? strerror((int)number) : "odd answer");
	return MODEL_NO_SERVICE;
}

/* What the connector comes back with. */
static int hear(struct broker *b, struct channel *c, uint64_t deadline_ms, int *ret_fd)
{
	struct message m;
	int err = channel_receive_until(c, deadline_ms, &m);

	if (err == -ETIMEDOUT) {
		log_line(b, "netproc.socket: nobody takes the connection");
		return MODEL_TIMEOUT;
	}
	if (err != 0) {
		log_line(b, "netproc.socket: the process that connects failed");
		return err == -ENOMEM ? err : MODEL_NO_SERVICE;
	}
	if (m.type != MSG_CONNECTED)
		return not_connected(b, m.body);
	*ret_fd = TAKE_FD(c->got_fd);
	return 0;
}

/*
 * Whoever may write the socket's directory can put a socket of his own there, and would be told what is judged, and
 * judge. Root's is always right: a socket that systemd made for the service is root's until the service has taken it.
 */
static int check_user(struct broker *b, int fd)
{
	struct ucred peer = { .uid = (uid_t)-1 };
	socklen_t n = sizeof(peer);
	uid_t uid;
	gid_t gid;

	if (broker_user(b, CFG_NETPROC_UID, &uid, &gid) < 0) {
		log_line(b, "netproc.uid: no such user");
		return MODEL_NO_SERVICE;
	}
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) < 0 || n != sizeof(peer))
		return -errno;
	if (peer.uid == 0 || peer.uid == uid)
		return 0;
	log_line(b, "netproc.socket: user %lu answers there, not %lu", (unsigned long)peer.uid, (unsigned long)uid);
	return MODEL_NO_SERVICE;
}

static int connect_to(struct broker *b, uint64_t deadline_ms, int *ret_fd)
{
	CLEANUP(close_fdp) int connection = -1;
	struct channel c;
	uint32_t pid = 0;
	int fd = -1, err = broker_start_child(b, ROLE_CONNECTOR, &fd, &pid);

	if (err == -ECHILD) {
		log_line(b, "netproc.socket: the process that connects could not be started");
		return MODEL_NO_SERVICE;
	}
	if (err < 0)
		return err;
	channel_init(&c, fd, ROLE_BROKER, ROLE_CONNECTOR);
	err = hear(b, &c, deadline_ms, &connection);
	broker_stop_child(b, &c, pid);
	if (err == 0)
		err = check_user(b, connection);
	if (err == 0)
		*ret_fd = TAKE_FD(connection);
	return err;
}

/* A service that has too many clients says that instead. */
static int not_greeted(struct bytes body)
{
	struct reader r = { .p = body.p, .left = body.len };
	uint8_t failure = rd_u8(&r);

	return failure > MODEL_NOT_CONFIGURED && failure < MODEL_FAILURE__MAX ? failure : MODEL_BROKEN;
}

static int hear_greeting(struct broker *b, struct channel *c, uint64_t deadline_ms, char ret_run[MODEL_RUN_BYTES])
{
	struct message m;
	int err = channel_receive_until(c, deadline_ms, &m);

	if (err == -ETIMEDOUT) {
		log_line(b, "netproc.socket: nobody greets");
		return MODEL_TIMEOUT;
	}
	if (err != 0)
		return err == -ENOMEM ? err : MODEL_BROKEN;
	if (m.type != MSG_MODEL_GREETING)
		return not_greeted(m.body);
	memcpy(ret_run, m.body.p, MODEL_RUN_BYTES);
	return 0;
}

int model_service_open(struct broker *b, uint64_t deadline_ms, struct channel *ret,
	char ret_run[static MODEL_RUN_BYTES])
{
	int fd = -1, err = connect_to(b, deadline_ms, &fd);

	if (err != 0)
		return err;
	channel_init(ret, fd, ROLE_BROKER, ROLE_NETPROC);
	err = hear_greeting(b, ret, deadline_ms, ret_run);
	if (err != 0)
		channel_done(ret);
	return err;
}
