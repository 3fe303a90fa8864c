/* SPDX-License-Identifier: Apache-2.0 */
/* One process of the service's pool: connects, confines itself, takes the key, waits for a client, answers, ends. */
#include <poll.h>
#include <sys/prctl.h>

#include "netproc/asking.h"
#include "netproc/service.h"
#include "policy/sandbox/confine.h"

enum { REQUEST_MS = 2000 /* for a request that has begun to arrive */, REPLY_MS = 1000 /* for a client to take it */ };

struct pooled {
	const struct service_plan *plan;
	struct asking asking;
	struct channel acceptor, client;
	char *body; /* what the request points into; owned */
};

/* 0, or a positive enum model_failure: then it is told to the one client that may be waiting. */
static int make_ready(struct pooled *p)
{
	struct asking *a = &p->asking;
	const char *layer = "";
	int failure, rc;

	a->q = p->plan->base;
	a->ahead = true;
	a->system = p->plan->system; /* the plan's, and not freed here */
	a->deadline_ms = clock_ms() + a->q.timeout_ms;
	a->keys.config = p->plan->config_fd >= 0 ? ROLE_FD_EXTRA : -1;
	failure = asking_prepare(a);
	rc = confine(ROLE_NETPROC, &layer);
	if (rc < 0)
		_exit(confine_exit_status(layer));
	/* The configuration is closed before a byte of the network is read. */
	if (failure == 0)
		failure = asking_take_key(a);
	return failure == 0 ? asking_open(a) : failure;
}

/* Waits for the acceptor's word, for as long as the connection stands. 0: it is there. Positive: there is no point. */
static int wait_for_client(struct pooled *p, bool ready)
{
	struct pollfd ends[2] = {
		{ .fd = p->acceptor.fd, .events = POLLIN },
		{ .fd = ready ? transport_fd(p->asking.transport, &p->asking.connection) : -1, .events = POLLIN },
	};

	while (ends[0].revents == 0) {
		if (poll(ends, ARRAY_LEN(ends), -1) < 0 && errno != EINTR)
			return -errno;
		if (ends[0].revents == 0 && ends[1].revents != 0 &&
		    !transport_stands(p->asking.transport, &p->asking.connection))
			return 1;
	}
	return 0;
}

static int take_client(struct pooled *p)
{
	struct message m;
	int rc = channel_receive(&p->acceptor, &m);

	if (rc != 0)
		return rc;
	channel_init(&p->client, TAKE_FD(p->acceptor.got_fd), ROLE_NETPROC, ROLE_BROKER);
	p->client.sent = SERVICE_GREETINGS;
	rc = channel_receive_until(&p->client, clock_ms() + REQUEST_MS, &m);
	if (rc != 0)
		return rc;
	if (m.type != MSG_MODEL_REQUEST)
		return -EPROTO; /* a key of the client's is nothing for us */
	p->body = channel_take_buffer(&p->client);
	return model_request_decode(m.body, &p->asking.q);
}

static struct bytes choose_model(const struct service_plan *plan, struct bytes wanted)
{
	for (uint32_t i = 0; i < plan->n_models; i++)
		if (bytes_eq(plan->models[i], wanted))
			return wanted;
	return plan->models[0];
}

/* Of what the client said stay the fields that are judged; where they go, and in which words, is not its to say. */
static int impose(const struct service_plan *plan, struct model_request *q)
{
	const struct model_request *base = &plan->base;

	if (q->protocol != base->protocol &&
		q->protocol != (base->protocol == MODEL_JEV ? MODEL_JEV_LIST : MODEL_CHAT_LIST))
		return MODEL_OTHER_JUDGE;
	model_place(q, base);
	q->extra_body = base->extra_body;
	q->prompt.instructions = base->prompt.instructions;
	q->max_tokens = base->max_tokens;
	q->model = choose_model(plan, q->model);
	if (q->timeout_ms > base->timeout_ms)
		q->timeout_ms = base->timeout_ms;
	return 0;
}

static int answer(struct pooled *p, int failure)
{
	struct asking *a = &p->asking;
	struct model_reply reply;

	if (failure == 0)
		failure = impose(p->plan, &a->q);
	a->deadline_ms = clock_ms() + a->q.timeout_ms;
	if (failure == 0)
		failure = asking_ask(a, &reply);
	return asking_say(&p->client, failure, &reply, clock_ms() + REPLY_MS);
}

static int serve(struct pooled *p)
{
	int failure = make_ready(p), rc;
	const char ready = failure == 0;

	rc = channel_send(&p->acceptor, MSG_POOL_READY, &ready, sizeof(ready), -1);
	if (rc == 0)
		rc = wait_for_client(p, failure == 0);
	if (rc == 0)
		rc = take_client(p);
	return rc == 0 ? answer(p, failure) : rc;
}

/* Nobody is told of a client that left or said what it may not: its connection ends with us. */
int pooled_main(const struct service_plan *plan)
{
	struct pooled p = { .plan = plan, .asking = ASKING };

	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		return EXIT_FAILURE;
	channel_init(&p.acceptor, ROLE_FD_CHANNEL, ROLE_NETPROC, ROLE_ACCEPTOR);
	channel_init(&p.client, -1, ROLE_NETPROC, ROLE_BROKER);
	(void)!serve(&p);
	return EXIT_SUCCESS;
}
