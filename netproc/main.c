/* SPDX-License-Identifier: Apache-2.0 */
/* netproc: the one process that may hold the key of a judge. Answers one request and ends. */
#include "policy/sandbox/confine.h"
#include "policy/wire/channel.h"
#include "policy/wire/codec.h"

static const char alone[] = "auto-classifier-netproc is started by auto-classifier and does nothing by itself.\n";
static const char no_model[] = "no model configured";

static int answer(struct channel *broker)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	struct message m;
	int rc = channel_receive(broker, &m);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	wr_u8(&w, MODEL_NOT_CONFIGURED);
	wr_str(&w, no_model);
	return w.bad ? -ENOMEM : channel_send(broker, MSG_MODEL_FAILED, w.p, w.len, -1);
}

int main(void)
{
	struct channel broker;
	const char *layer = "";
	int rc;

	if (channel_check_fd(ROLE_FD_CHANNEL) < 0) {
		(void)!write(STDERR_FILENO, alone, sizeof(alone) - 1);
		return 64;
	}
	/* No model is asked, so what holds the secrets is given up before anything else. */
	close(ROLE_FD_EXTRA);
	rc = confine(ROLE_NETPROC, &layer);
	if (rc < 0)
		_exit(confine_exit_status(layer));
	channel_init(&broker, ROLE_FD_CHANNEL, ROLE_NETPROC, ROLE_BROKER);
	_exit(answer(&broker) < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}
