/* SPDX-License-Identifier: Apache-2.0 */
/*
 * netproc: the one process that may hold the key of a judge. Started by the guard it connects, confines itself, asks
 * once, and ends; started with arguments it is a service that has such processes ready.
 */
#include <sys/prctl.h>

#include "netproc/asking.h"
#include "netproc/service.h"
#include "policy/sandbox/confine.h"

static const char alone[] =
	"auto-classifier-netproc is started by auto-classifier and does nothing by itself.\n"
	"As a service: auto-classifier-netproc --config FILE [--socket PATH]\n";

struct job {
	struct channel broker;
	struct asking asking;
	int config_fd;
	char *body; /* what the request points into; owned */
};

/* 0: there is a request. Positive: the broker wants nothing. */
static int take_request(struct job *j)
{
	struct message m;
	int rc = channel_receive(&j->broker, &m);

	if (rc == 0 && m.type == MSG_MODEL_KEY) {
		j->config_fd = TAKE_FD(j->broker.got_fd);
		rc = channel_receive(&j->broker, &m);
	}
	if (rc != 0)
		return rc;
	if (m.type != MSG_MODEL_REQUEST)
		return -EPROTO;
	j->body = channel_take_buffer(&j->broker);
	return model_request_decode(m.body, &j->asking.q);
}

static int serve(struct job *j)
{
	const char *layer = "";
	struct model_reply reply;
	int rc = take_request(j), failure;

	if (rc != 0)
		return rc;
	j->asking.deadline_ms = clock_ms() + j->asking.q.timeout_ms;
	j->asking.keys.environment = ROLE_FD_EXTRA;
	j->asking.keys.config = j->config_fd;
	failure = asking_prepare(&j->asking);
	rc = confine(ROLE_NETPROC, &layer);
	if (rc < 0)
		_exit(confine_exit_status(layer));
	if (failure == 0)
		failure = asking_take_key(&j->asking);
	if (failure == 0)
		failure = asking_ask(&j->asking, &reply);
	return asking_say(&j->broker, failure, &reply, 0);
}

int main(int argc, char **argv)
{
	static struct job j = { .config_fd = -1, .asking = ASKING };

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
