/* SPDX-License-Identifier: Apache-2.0 */
/*
 * netproc: the one process that may hold the key of a judge. Started by the guard it connects, confines itself, takes
 * the key, hears what to ask, asks once, and ends; with arguments it is a service that has such processes ready.
 */
#include <sys/prctl.h>

#include "netproc/asking.h"
#include "netproc/service.h"
#include "policy/sandbox/confine.h"

static const char alone[] =
	"auto-classifier-netproc is started by auto-classifier and does nothing by itself.\n"
	"As a service: auto-classifier-netproc --config FILE [--socket PATH]\n";

/*
 * libcurl brings GnuTLS along, for protocols that are not spoken here. It asks this before it makes itself ready as it
 * is loaded, which takes a third of a millisecond of every start (gnutls.h, GNUTLS_SKIP_GLOBAL_INIT).
 */
__attribute__((visibility("default"))) int _gnutls_global_init_skip(void);
int _gnutls_global_init_skip(void)
{
	return 1;
}

struct job {
	struct channel broker;
	struct asking asking;
	char *place, *request; /* what the asking points into; owned */
};

/* 0: it is known where to. Positive: the broker wants nothing. */
static int take_place(struct job *j)
{
	struct message m;
	int rc = channel_receive(&j->broker, &m);

	if (rc == 0 && m.type == MSG_MODEL_KEY) {
		j->asking.keys.config = TAKE_FD(j->broker.got_fd);
		rc = channel_receive(&j->broker, &m);
	}
	if (rc != 0)
		return rc;
	if (m.type != MSG_MODEL_PLACE)
		return -EPROTO;
	j->place = channel_take_buffer(&j->broker);
	return model_request_decode(m.body, &j->asking.q);
}

/*
 * 0, or a positive enum model_failure. From here on nothing is opened and nobody else connected to. The key comes
 * before TLS: while bytes of the network are read, the environment that it was taken from lies open no more.
 */
static int make_ready(struct asking *a)
{
	const char *layer = "";
	int failure, rc;

	a->ahead = true;
	a->deadline_ms = clock_ms() + a->q.timeout_ms;
	a->keys.environment = ROLE_FD_EXTRA;
	failure = asking_prepare(a);
	rc = confine(ROLE_NETPROC, &layer);
	if (rc < 0)
		_exit(confine_exit_status(layer));
	if (failure == 0)
		failure = asking_take_key(a);
	return failure == 0 ? asking_open(a) : failure;
}

/* 0: here is what is asked. Positive: the broker wants nothing after all. */
static int take_request(struct job *j)
{
	const struct model_request place = j->asking.q;
	struct message m;
	int rc = channel_receive(&j->broker, &m);

	if (rc != 0)
		return rc;
	if (m.type != MSG_MODEL_REQUEST)
		return -EPROTO;
	j->request = channel_take_buffer(&j->broker);
	rc = model_request_decode(m.body, &j->asking.q);
	if (rc < 0 || j->asking.q.protocol != place.protocol)
		return -EPROTO;
	model_place(&j->asking.q, &place);
	j->asking.deadline_ms = clock_ms() + j->asking.q.timeout_ms;
	return 0;
}

static int serve(struct job *j)
{
	struct model_reply reply;
	int rc = take_place(j), failure;

	if (rc != 0)
		return rc;
	failure = make_ready(&j->asking);
	rc = take_request(j);
	if (rc != 0)
		return rc;
	if (failure == 0)
		failure = asking_ask(&j->asking, &reply);
	/* The connection was kept for nobody else: a server that closes it has answered nothing. */
	return asking_say(&j->broker, failure == MODEL_STALE ? MODEL_NOT_HTTP : failure, &reply, 0);
}

int main(int argc, char **argv)
{
	static struct job j = { .asking = ASKING };

	/* Before anything is read: the memory file, or a file with a key, lies open here, and nobody may look. */
	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		return EXIT_FAILURE;
	if (argc > 1)
		return service_main(argc, argv);
	if (channel_check_fd(ROLE_FD_CHANNEL) < 0) {
		(void)!write(STDERR_FILENO, alone, sizeof(alone) - 1);
		return 64;
	}
	channel_init(&j.broker, ROLE_FD_CHANNEL, ROLE_NETPROC, ROLE_BROKER);
	_exit(serve(&j) < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}
