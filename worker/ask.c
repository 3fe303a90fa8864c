/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to the broker as calls: encoded, sent, and the one answer waited for. */
#include "worker/ask.h"

static int ask(const struct oracle *o, struct arena *arena, const struct question *q, struct answer *ret)
{
	*ret = (struct answer){ .kind = q->kind, .status = ANSWER_UNKNOWN };
	if (q->text.len > QUESTION_PATH_MAX || q->base.len > QUESTION_PATH_MAX)
		return 0;
	return o->ask(o->data, arena, q, ret);
}

int ask_path(const struct oracle *o, struct arena *arena, struct bytes session, struct bytes base, struct bytes path,
	bool entry, struct answer *ret)
{
	const struct question q = {
		.kind = entry ? ASK_ENTRY : ASK_PATH, .base = base, .text = path, .extra = session,
	};

	return ask(o, arena, &q, ret);
}

int ask_glob(const struct oracle *o, struct arena *arena, struct bytes session, struct bytes base, struct bytes pattern,
	enum question_kind kind, struct answer *ret)
{
	const struct question q = { .kind = kind, .base = base, .text = pattern, .extra = session };

	return ask(o, arena, &q, ret);
}

int ask_program(const struct oracle *o, struct arena *arena, struct bytes session, struct bytes name,
	struct answer *ret)
{
	const struct question q = { .kind = ASK_PROGRAM, .text = name, .extra = session };

	return ask(o, arena, &q, ret);
}

int ask_variable(const struct oracle *o, struct arena *arena, struct bytes session, struct bytes name,
	struct answer *ret)
{
	const struct question q = { .kind = ASK_VARIABLE, .text = name, .extra = session };

	return ask(o, arena, &q, ret);
}

int ask_process(const struct oracle *o, struct arena *arena, struct bytes whom, bool arguments, struct answer *ret)
{
	const struct question q = { .kind = arguments ? ASK_PROCESS_LINE : ASK_PROCESS, .text = whom };

	return ask(o, arena, &q, ret);
}

int ask_links(const struct oracle *o, struct arena *arena, struct bytes session, struct bytes base, struct bytes path,
	struct answer *ret)
{
	const struct question q = { .kind = ASK_LINKS, .base = base, .text = path, .extra = session };

	return ask(o, arena, &q, ret);
}

int ask_script(const struct oracle *o, struct arena *arena, struct bytes session, struct bytes base, struct bytes path,
	struct answer *ret)
{
	const struct question q = { .kind = ASK_SCRIPT, .base = base, .text = path, .extra = session };

	return ask(o, arena, &q, ret);
}

int ask_git(const struct oracle *o, struct arena *arena, enum question_kind kind, struct bytes session,
	struct bytes directory, struct bytes text, struct answer *ret)
{
	const struct question q = { .kind = kind, .base = directory, .text = text, .extra = session };

	return ask(o, arena, &q, ret);
}

static int copy_to(struct arena *arena, struct bytes *b)
{
	char *p = arena_copy(arena, b->p != NULL ? b->p : "", b->len);

	if (p == NULL)
		return -ENOMEM;
	b->p = p;
	return 0;
}

/* The oracle behind a channel. The answer points into the channel's buffer and is copied out of it. */
static int ask_channel(void *data, struct arena *arena, const struct question *q, struct answer *ret)
{
	struct channel *broker = (struct channel *)data;
	CLEANUP(wr_done) struct writer w = { 0 };
	struct message m;
	struct answer a;
	int r;

	question_encode(&w, q);
	if (w.bad)
		return -ENOMEM;
	r = channel_send(broker, MSG_QUESTION, w.p, w.len, -1);
	if (r < 0)
		return r;
	r = channel_receive_until(broker, 0, &m);
	if (r != 0)
		return r < 0 ? r : -EPIPE;
	if (m.type != MSG_ANSWER)
		return -EPROTO;
	r = answer_decode(m.body, &a);
	if (r < 0)
		return r;
	if (a.kind != q->kind)
		return -EPROTO;
	r = copy_to(arena, &a.real);
	r = r < 0 ? r : copy_to(arena, &a.content);
	r = r < 0 ? r : copy_to(arena, &a.detail);
	if (r < 0)
		return r;
	*ret = a;
	return 0;
}

struct oracle oracle_channel(struct channel *broker)
{
	return (struct oracle){ .ask = ask_channel, .data = broker };
}
