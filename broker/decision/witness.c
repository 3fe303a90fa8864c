/* SPDX-License-Identifier: Apache-2.0 */
/* Asking a second worker. It takes the first one's place at the broker while it speaks. */
#include "broker/decision/witness.h"

#include "broker/decision/exchange.h"
#include "broker/decision/reconcile.h"

enum { WITNESS_MS = 500 };

static int hear(struct exchange *x, const struct request *q, const struct key *exact)
{
	struct assessment a;
	struct message m;
	struct key key;
	int err = exchange_next(x, &m);

	if (err != 0)
		return err;
	if (m.type != MSG_ASSESSMENT || assessment_decode(m.body, &a) < 0 || reconcile(q, &x->log, &a) < 0)
		return WITNESS_DIFFERS;
	key = exact_key(&a, &x->log);
	return memcmp(key.hex, exact->hex, KEY_HEX) == 0 ? WITNESS_AGREES : WITNESS_DIFFERS;
}

int witness_ask(struct broker *b, const struct request *q, const struct key *exact)
{
	struct exchange x = { .b = b };
	struct channel first = b->worker;
	uint32_t first_pid = b->worker_pid;
	uint64_t soon = clock_ms() + WITNESS_MS;
	int err;

	channel_init(&b->worker, -1, ROLE_BROKER, ROLE_WORKER);
	err = exchange_send(&x, q);
	if (x.deadline_ms > soon)
		x.deadline_ms = soon;
	if (err == 0)
		err = hear(&x, q, exact);
	broker_stop_worker(b);
	b->worker = first;
	b->worker_pid = first_pid;
	return err < 0 ? err : err == 0 ? WITNESS_AGREES : WITNESS_DIFFERS;
}
