/* SPDX-License-Identifier: Apache-2.0 */
/* The worker: confines itself, takes its policy, judges one request (or the rows of one batch), and is ended. */
#include "policy/sandbox/confine.h"
#include "worker/serve.h"

static const char alone[] = "auto-classifier-worker is started by auto-classifier and does nothing by itself.\n";

/* 0: it is the policy, kept in w. Positive: the broker wants nothing. */
static int take_policy(struct worker *w)
{
	struct message m;
	int rc = channel_receive(&w->broker, &m);

	if (rc != 0)
		return rc;
	if (m.type != MSG_POLICY)
		return -EPROTO;
	w->policy_body = channel_take_buffer(&w->broker);
	return worker_policy_decode(m.body, &w->policy);
}

/* Of a batch; the worker that names the row its predecessor died of goes on with the rows behind it. */
static bool is_rows(enum request_mode mode)
{
	return mode == REQUEST_CHECK_ROWS || mode == REQUEST_PARSE_ROWS || mode == REQUEST_NAME_ROW;
}

/* 0: answered; the next may come. Positive: there is no next. */
static int take_request(struct worker *w)
{
	CLEANUP(freep) char *body = NULL;
	struct request request;
	struct message m;
	int rc = channel_receive(&w->broker, &m);

	if (rc != 0)
		return rc;
	if (m.type != MSG_REQUEST)
		return -EPROTO;
	/* Questions asked on the way receive into the channel's buffer, so this one is ours until the answer is out. */
	body = channel_take_buffer(&w->broker);
	rc = request_decode(m.body, &request);
	if (rc == 0)
		rc = worker_serve(w, &request);
	return rc < 0 ? rc : is_rows(request.mode) ? 0 : CHANNEL_END;
}

/*
 * The broker ends, or has ended, whoever has answered it. To end before it has passed the answer on would take a
 * processor from it, and from the guard that would have to hear of it.
 */
static int wait_for_end(struct worker *w)
{
	struct message m;
	int rc = channel_receive(&w->broker, &m);

	return rc == CHANNEL_END ? 0 : rc < 0 ? rc : -EPROTO;
}

int main(void)
{
	struct worker w = { 0 };
	const char *layer = "";
	int rc;

	if (channel_check_fd(ROLE_FD_CHANNEL) < 0) {
		(void)!write(STDERR_FILENO, alone, sizeof(alone) - 1);
		return 64;
	}
	rc = confine(ROLE_WORKER, &layer);
	if (rc < 0)
		_exit(confine_exit_status(layer));
	channel_init(&w.broker, ROLE_FD_CHANNEL, ROLE_WORKER, ROLE_BROKER);
	rc = take_policy(&w);
	while (rc == 0)
		rc = take_request(&w);
	if (rc == CHANNEL_END)
		rc = wait_for_end(&w);
	/* Nothing is freed and no exit handler runs: the kernel takes it all. */
	_exit(rc < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}
