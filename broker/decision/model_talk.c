/* SPDX-License-Identifier: Apache-2.0 */
/* Talking to a netproc that asks, and to a worker that reads the answer: each a fresh process for one question. */
#include "broker/decision/model.h"
#include "policy/request.h"

enum { GRACE_MS = 100 /* netproc keeps time itself; this is for one that does not */ };

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

static int send_request(struct channel *c, const struct model_setup *s)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	int err = 0;

	if (s->key_fd >= 0)
		err = channel_send(c, MSG_MODEL_KEY, NULL, 0, s->key_fd);
	model_request_encode(&w, &s->q);
	if (w.bad)
		return -ENOMEM;
	return err < 0 ? err : channel_send(c, MSG_MODEL_REQUEST, w.p, w.len, -1);
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
		.status = reply.status, .retry_after_ms = reply.retry_after_ms, .body = reply.body,
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

int model_attempt(struct broker *b, const struct model_setup *s, uint64_t deadline_ms, struct model_answer *ret)
{
	struct channel c;
	uint32_t pid = 0;
	int fd = -1, err = broker_start_child(b, ROLE_NETPROC, &fd, &pid);

	if (err == -ECHILD)
		return fail(ret, MODEL_BROKEN);
	if (err < 0)
		return err;
	channel_init(&c, fd, ROLE_BROKER, ROLE_NETPROC);
	err = send_request(&c, s);
	if (err == 0)
		err = hear(&c, deadline_ms, ret);
	else if (is_gone(err))
		err = fail(ret, MODEL_BROKEN);
	broker_stop_child(b, &c, pid);
	return err;
}

static int send_reply(struct broker *b, struct channel *c, enum request_mode mode, struct bytes body)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	const struct request q = { .mode = mode, .input = body };
	int err = channel_send(c, MSG_POLICY, b->policy.p, b->policy.len, -1);

	request_encode(&w, &q);
	if (w.bad)
		return -ENOMEM;
	return err < 0 ? err : channel_send(c, MSG_REQUEST, w.p, w.len, -1);
}

/* A fresh worker, so that none reads an answer that has read the command. */
static int read_reply(struct broker *b, enum request_mode mode, struct bytes body, uint64_t deadline_ms,
	enum message_type wanted, struct bytes *ret, char **ret_buffer)
{
	struct channel c;
	struct message m;
	uint32_t pid = 0;
	int fd = -1, err = broker_start_child(b, ROLE_WORKER, &fd, &pid);

	if (err < 0)
		return err == -ECHILD ? -EPROTO : err;
	channel_init(&c, fd, ROLE_BROKER, ROLE_WORKER);
	err = send_reply(b, &c, mode, body);
	if (err == 0)
		err = channel_receive_until(&c, deadline_ms, &m);
	if (err == CHANNEL_END || err == -ETIMEDOUT || is_gone(err) || (err == 0 && m.type != wanted))
		err = -EPROTO;
	if (err == 0) {
		*ret = m.body;
		*ret_buffer = channel_take_buffer(&c);
	}
	broker_stop_child(b, &c, pid);
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
