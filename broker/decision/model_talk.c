/* SPDX-License-Identifier: Apache-2.0 */
/* Talking to a netproc that asks, and to a worker that reads the answer: each a fresh process for one question. */
#include "broker/decision/model.h"
#include "broker/telemetry/log.h"
#include "policy/request.h"
#include "policy/sandbox/confine.h"

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

static int send_request(struct channel *c, const struct model_request *q, int key_fd, uint64_t deadline_ms)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	int err = 0;

	if (key_fd >= 0)
		err = channel_send_until(c, MSG_MODEL_KEY, NULL, 0, key_fd, deadline_ms);
	model_request_encode(&w, q);
	if (w.bad)
		return -ENOMEM;
	return err < 0 ? err : channel_send_until(c, MSG_MODEL_REQUEST, w.p, w.len, -1, deadline_ms);
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

/* One that left early may have said why before. */
static int converse(struct channel *c, const struct model_request *q, int key_fd, uint64_t deadline_ms,
	struct model_answer *ret)
{
	int err = send_request(c, q, key_fd, deadline_ms);

	if (err == -ETIMEDOUT)
		return fail(ret, MODEL_TIMEOUT);
	return err == 0 || is_gone(err) ? hear(c, deadline_ms, ret) : err;
}

/* For whoever set it up: the agent is told only that it failed. */
static void tell_end(struct broker *b, uint32_t pid)
{
	int status;

	if (broker_wait_child(b, pid, clock_ms() + GRACE_MS, &status) == 0)
		log_line(b, "netproc %s", child_end_text(status));
}

static int ask_netproc(struct broker *b, const struct model_setup *s, uint64_t deadline_ms, struct model_answer *ret)
{
	struct channel c;
	uint32_t pid = 0;
	int fd = -1, err = broker_start_child(b, ROLE_NETPROC, &fd, &pid);

	if (err == -ECHILD)
		return fail(ret, MODEL_BROKEN);
	if (err < 0)
		return err;
	channel_init(&c, fd, ROLE_BROKER, ROLE_NETPROC);
	err = converse(&c, &s->q, s->key_fd, deadline_ms, ret);
	if (err == 0 && ret->failed && ret->failure == MODEL_BROKEN)
		tell_end(b, pid);
	broker_stop_child(b, &c, pid);
	return err;
}

/* Where requests go, and with which key, is the service's own: it is told neither. */
static int ask_service(struct broker *b, const struct model_setup *s, uint64_t deadline_ms, struct model_answer *ret)
{
	struct model_request q = s->q;
	struct channel c;
	int fd = -1, err = model_service_connect(b, deadline_ms, &fd);

	if (err != 0)
		return err < 0 ? err : fail(ret, (enum model_failure)err);
	q.url = q.ca_file = q.proxy = q.system_prompt_file = q.extra_body = q.prompt.instructions = (struct bytes){ 0 };
	q.allow_http = (struct string_list){ 0 };
	q.n_keys = 0;
	channel_init(&c, fd, ROLE_BROKER, ROLE_NETPROC);
	err = converse(&c, &q, -1, deadline_ms, ret);
	channel_done(&c);
	return err;
}

int model_attempt(struct broker *b, const struct model_setup *s, uint64_t deadline_ms, struct model_answer *ret)
{
	int err;

	if (*config_string(b->config, CFG_NETPROC_SOCKET) == '\0')
		return ask_netproc(b, s, deadline_ms, ret);
	err = ask_service(b, s, deadline_ms, ret);
	/* Nothing was answered on the connection it had kept, and it keeps others. */
	if (err == 0 && ret->failed && ret->failure == MODEL_STALE)
		err = ask_service(b, s, deadline_ms, ret);
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
