/* SPDX-License-Identifier: Apache-2.0 */
/* Talking to a netproc that asks, and to a worker that reads the answer: each a fresh process for one question. */
#include "broker/model/model.h"
#include "broker/telemetry/log.h"
#include "policy/request.h"
#include "policy/sandbox/confine.h"

enum { GRACE_MS = 100 /* netproc keeps time itself; this is for one that does not */ };

struct early_child {
	struct broker *broker; /* borrowed: whom it is stopped by */
	struct channel channel;
	uint32_t pid; /* 0: a service's, and no child */
	char run[MODEL_RUN_BYTES]; /* of the service */
};

void model_answer_done(struct model_answer *a)
{
	free(a->buffer);
	*a = (struct model_answer){ 0 };
}

static bool is_gone(int err)
{
	return err == -EPIPE || err == -ECONNRESET;
}

static int fail(struct model_answer *ret, enum model_failure failure)
{
	*ret = (struct model_answer){ .failed = true, .failure = failure };
	return 0;
}

static int send_encoded(struct channel *c, enum message_type type, const struct model_request *q, uint64_t deadline_ms)
{
	CLEANUP(wr_done) struct writer w = { 0 };

	model_request_encode(&w, q);
	return w.bad ? -ENOMEM : channel_send_until(c, type, w.p, w.len, -1, deadline_ms);
}

/* Where to go, and where the key for it is. */
static int send_place(struct channel *c, const struct model_setup *s, uint32_t patience_ms, uint64_t deadline_ms)
{
	struct model_request place = { .protocol = s->q.protocol, .timeout_ms = patience_ms };
	int err = s->key_fd < 0 ? 0 : channel_send_until(c, MSG_MODEL_KEY, NULL, 0, s->key_fd, deadline_ms);

	model_place(&place, &s->q);
	return err < 0 ? err : send_encoded(c, MSG_MODEL_PLACE, &place, deadline_ms);
}

static int take_failure(struct bytes body, struct model_answer *ret)
{
	struct reader r = { .p = body.p, .left = body.len };
	uint8_t failure = rd_u8(&r);

	return fail(ret, failure < MODEL_FAILURE__MAX ? (enum model_failure)failure : MODEL_BROKEN);
}

static int take_reply(struct channel *c, struct bytes body, struct model_answer *ret)
{
	struct model_reply reply;

	if (model_reply_decode(body, &reply) < 0)
		return fail(ret, MODEL_BROKEN);
	*ret = (struct model_answer){
		.status = reply.status, .retry_after_ms = reply.retry_after_ms,
		.request_id = reply.request_id, .body = reply.body,
		.buffer = channel_take_buffer(c),
	};
	return 0;
}

static int hear(struct channel *c, uint64_t deadline_ms, struct model_answer *ret)
{
	struct message m;
	int err = channel_receive_until(c, deadline_ms + GRACE_MS, &m);

	if (err == -ETIMEDOUT)
		return fail(ret, MODEL_TIMEOUT);
	if (err != 0)
		return err == -ENOMEM ? err : fail(ret, MODEL_BROKEN);
	return m.type == MSG_MODEL_REPLY ? take_reply(c, m.body, ret) : take_failure(m.body, ret);
}

/* For whoever set it up: the agent is told only that it failed. */
static void tell_end(struct broker *b, uint32_t pid)
{
	int status;

	if (broker_wait_child(b, pid, clock_ms() + GRACE_MS, &status) == 0)
		log_line(b, "netproc %s", child_end_text(status));
}

static void early_child_done(struct early_child **child)
{
	if (*child != NULL && (*child)->pid != 0)
		broker_stop_child((*child)->broker, &(*child)->channel, (*child)->pid);
	else if (*child != NULL)
		channel_done(&(*child)->channel);
	free(*child);
	*child = NULL;
}

void model_end_early(struct broker *b)
{
	early_child_done(&b->netproc);
	early_child_done(&b->reader);
}

/* 0, -ECHILD (it could not be started) or -errno. */
static int start(struct broker *b, enum role role, struct early_child **ret)
{
	struct early_child *child = calloc(1, sizeof(*child));
	int fd = -1, err = child == NULL ? -ENOMEM : broker_start_child(b, role, &fd, &child->pid);

	if (err < 0) {
		free(child);
		return err;
	}
	child->broker = b;
	channel_init(&child->channel, fd, ROLE_BROKER, role);
	*ret = child;
	return 0;
}

/* As start(). One that is gone at once is found out by whoever asks it. */
static int start_netproc(struct broker *b, const struct model_setup *s, uint32_t patience_ms, uint64_t deadline_ms,
	struct early_child **ret)
{
	CLEANUP(early_child_done) struct early_child *n = NULL;
	int err = start(b, ROLE_NETPROC, &n);

	if (err == 0)
		err = send_place(&n->channel, s, patience_ms, deadline_ms);
	if (err < 0 && !is_gone(err) && err != -ETIMEDOUT)
		return err;
	*ret = TAKE_PTR(n);
	return 0;
}

/* A fresh worker, so that none reads an answer that has read the command. As start_netproc(). */
static int start_reader(struct broker *b, struct early_child **ret)
{
	CLEANUP(early_child_done) struct early_child *r = NULL;
	int err = start(b, ROLE_WORKER, &r);

	if (err == 0)
		err = channel_send(&r->channel, MSG_POLICY, b->policy.p, b->policy.len, -1);
	if (err < 0 && !is_gone(err))
		return err;
	*ret = TAKE_PTR(r);
	return 0;
}

/* Whoever will read the answer starts while the judge thinks. A netproc that left early may have said why before. */
static int converse(struct broker *b, struct channel *c, const struct model_request *q, uint64_t deadline_ms,
	struct model_answer *ret)
{
	int err = send_encoded(c, MSG_MODEL_REQUEST, q, deadline_ms), started;

	if (err == 0 && b->reader == NULL) {
		started = start_reader(b, &b->reader);
		if (started < 0 && started != -ECHILD)
			return started;
	}
	if (err == -ETIMEDOUT)
		return fail(ret, MODEL_TIMEOUT);
	return err == 0 || is_gone(err) ? hear(c, deadline_ms, ret) : err;
}

static bool is_service(const struct broker *b)
{
	return *config_string(b->config, CFG_NETPROC_SOCKET) != '\0';
}

int model_go_ahead(struct broker *b)
{
	CLEANUP(model_setup_done) struct model_setup s = { .key_fd = -1 };
	uint64_t until = model_deadline(b);
	uint32_t patience;
	int err = is_service(b) || b->netproc != NULL ? -ECHILD : model_setup_place(b, &s);

	if (err == 0) {
		patience = model_patience(b, s.q.protocol, until);
		err = model_has_helper(b, s.q.protocol) || patience == 0 ? -ECHILD :
			start_netproc(b, &s, patience, until, &b->netproc);
	}
	return err == -ECHILD ? 0 : err;
}

static int ask_netproc(struct broker *b, const struct model_setup *s, uint64_t deadline_ms, struct model_answer *ret)
{
	CLEANUP(early_child_done) struct early_child *n = TAKE_PTR(b->netproc);
	int err = n != NULL ? 0 : start_netproc(b, s, s->q.timeout_ms, deadline_ms, &n);

	if (err == -ECHILD)
		return fail(ret, MODEL_BROKEN);
	if (err < 0)
		return err;
	err = converse(b, &n->channel, &s->q, deadline_ms, ret);
	if (err == 0 && ret->failed && ret->failure == MODEL_BROKEN)
		tell_end(b, n->pid);
	return err;
}

/* 0, a positive enum model_failure or -errno. */
static int open_service(struct broker *b, uint64_t deadline_ms, struct early_child **ret)
{
	struct early_child *n = calloc(1, sizeof(*n));
	int err = n == NULL ? -ENOMEM : model_service_open(b, deadline_ms, &n->channel, n->run);

	if (err != 0) {
		free(n);
		return err;
	}
	n->broker = b;
	*ret = n;
	return 0;
}

int model_meet(struct broker *b, struct model_setup *s)
{
	int err = 0;

	if (!is_service(b) || model_has_helper(b, s->q.protocol))
		return 0;
	s->of_service = true;
	s->deadline_ms = model_deadline(b);
	if (b->netproc == NULL)
		err = open_service(b, s->deadline_ms, &b->netproc);
	if (err == 0)
		memcpy(s->run, b->netproc->run, sizeof(s->run));
	s->has_run = err == 0;
	return err < 0 ? err : 0;
}

/* Where requests go, and with which key, is the service's own: it is told neither. */
static int ask_service(struct broker *b, const struct model_setup *s, uint64_t deadline_ms, struct model_answer *ret)
{
	static const struct model_request nowhere;
	CLEANUP(early_child_done) struct early_child *n = TAKE_PTR(b->netproc);
	struct model_request q = s->q;
	int err = n != NULL ? 0 : open_service(b, deadline_ms, &n);

	if (err != 0)
		return err < 0 ? err : fail(ret, (enum model_failure)err);
	/* What it says would be held for the other's word. */
	if (s->has_run && memcmp(n->run, s->run, sizeof(n->run)) != 0) {
		log_line(b, "netproc.socket: the service was started anew meanwhile");
		return fail(ret, MODEL_NO_SERVICE);
	}
	q.allow_http.items = NULL; /* the setup's, and kept there */
	model_place(&q, &nowhere);
	q.extra_body = q.prompt.instructions = (struct bytes){ 0 };
	return converse(b, &n->channel, &q, deadline_ms, ret);
}

int model_attempt(struct broker *b, const struct model_setup *s, uint64_t deadline_ms, struct model_answer *ret)
{
	int err;

	if (!is_service(b))
		return ask_netproc(b, s, deadline_ms, ret);
	err = ask_service(b, s, deadline_ms, ret);
	/* Nothing was answered on the connection it had kept, and it keeps others. */
	if (err == 0 && ret->failed && ret->failure == MODEL_STALE)
		err = ask_service(b, s, deadline_ms, ret);
	return err;
}

static int send_reply(struct channel *c, enum request_mode mode, struct bytes body)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	const struct request q = { .mode = mode, .input = body };

	request_encode(&w, &q);
	return w.bad ? -ENOMEM : channel_send(c, MSG_REQUEST, w.p, w.len, -1);
}

static int read_reply(struct broker *b, enum request_mode mode, struct bytes body, uint64_t deadline_ms,
	enum message_type wanted, struct bytes *ret, char **ret_buffer)
{
	CLEANUP(early_child_done) struct early_child *r = TAKE_PTR(b->reader);
	struct message m;
	int err = r != NULL ? 0 : start_reader(b, &r);

	if (err < 0)
		return err == -ECHILD ? -EPROTO : err;
	err = send_reply(&r->channel, mode, body);
	if (err == 0)
		err = channel_receive_until(&r->channel, deadline_ms, &m);
	if (err == CHANNEL_END || err == -ETIMEDOUT || is_gone(err) || (err == 0 && m.type != wanted))
		err = -EPROTO;
	if (err == 0) {
		*ret = m.body;
		*ret_buffer = channel_take_buffer(&r->channel);
	}
	return err;
}

int model_read(struct broker *b, enum model_protocol protocol, struct bytes body, uint64_t deadline_ms,
	struct judgement *ret, char **ret_buffer)
{
	CLEANUP(freep) char *buffer = NULL;
	struct bytes said;
	int err = read_reply(b, protocol == MODEL_JEV ? REQUEST_JEV_REPLY : REQUEST_CHAT_REPLY, body, deadline_ms,
		MSG_JUDGEMENT, &said, &buffer);

	if (err == 0)
		err = judgement_decode(said, ret);
	if (err == 0)
		*ret_buffer = TAKE_PTR(buffer);
	return err;
}

int model_read_names(struct broker *b, struct bytes body, uint64_t deadline_ms, struct bytes *ret, char **ret_buffer)
{
	return read_reply(b, REQUEST_NAMES_REPLY, body, deadline_ms, MSG_MODEL_NAMES, ret, ret_buffer);
}
