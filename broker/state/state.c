/* SPDX-License-Identifier: Apache-2.0 */
/* Counting in a session, wherever sessions are kept. */
#include "broker/state/state.h"

#include "broker/state/private.h"
#include "broker/state/store.h"
#include "broker/telemetry/stamp.h"

enum { MEMORY_SESSIONS_MAX = 256 };

struct state {
	char *base, *path; /* owned; NULL: in memory */
	struct memory_session {
		struct key id;
		uint64_t used; /* by the clock below: the least recently used makes room */
		struct session *session; /* owned */
	} *memory; /* owned; MEMORY_SESSIONS_MAX of them */
	uint32_t n_memory;
	uint64_t clock;
};

int state_on_disk(const char *base, const char *path, struct state **ret)
{
	CLEANUP(state_freep) struct state *st = calloc(1, sizeof(*st));

	if (st == NULL)
		return -ENOMEM;
	st->base = strdup(base);
	st->path = strdup(path);
	if (st->base == NULL || st->path == NULL)
		return -ENOMEM;
	*ret = TAKE_PTR(st);
	return 0;
}

int state_in_memory(struct state **ret)
{
	CLEANUP(state_freep) struct state *st = calloc(1, sizeof(*st));

	if (st == NULL)
		return -ENOMEM;
	st->memory = calloc(MEMORY_SESSIONS_MAX, sizeof(*st->memory));
	if (st->memory == NULL)
		return -ENOMEM;
	*ret = TAKE_PTR(st);
	return 0;
}

void state_free(struct state *st)
{
	if (st == NULL)
		return;
	for (uint32_t i = 0; i < st->n_memory; i++) {
		session_done(st->memory[i].session);
		free(st->memory[i].session);
	}
	free(st->memory);
	free(st->base);
	free(st->path);
	free(st);
}

void state_freep(struct state **st)
{
	state_free(*st);
}

static struct memory_session *memory_find(struct state *st, const struct key *id)
{
	for (uint32_t i = 0; i < st->n_memory; i++) {
		if (memcmp(st->memory[i].id.hex, id->hex, KEY_HEX) == 0)
			return &st->memory[i];
	}
	return NULL;
}

static struct memory_session *memory_slot(struct state *st)
{
	struct memory_session *oldest = &st->memory[0];

	if (st->n_memory < MEMORY_SESSIONS_MAX)
		return &st->memory[st->n_memory++];
	for (uint32_t i = 1; i < st->n_memory; i++) {
		if (st->memory[i].used < oldest->used)
			oldest = &st->memory[i];
	}
	session_done(oldest->session);
	free(oldest->session);
	return oldest;
}

static int memory_session(struct state *st, struct bytes id, struct session **ret)
{
	struct key key = key_of_bytes(id);
	struct memory_session *m = memory_find(st, &key);
	struct session *s;

	if (m == NULL) {
		s = calloc(1, sizeof(*s));
		if (s == NULL || session_init(s, id, stamp_now()) < 0) {
			free(s);
			return -ENOMEM;
		}
		m = memory_slot(st);
		*m = (struct memory_session){ .id = key, .session = s };
	}
	m->used = ++st->clock;
	*ret = m->session;
	return 0;
}

/* The lock was not had: the denial is put down as a session of its own, for whoever has it next. */
static int put_down(int dir, struct bytes id, const struct denial *d, int64_t window)
{
	CLEANUP(session_done) struct session s = { 0 };
	CLEANUP(tally_done) struct tally tally = { 0 };
	int64_t now = stamp_now();
	int err = session_init(&s, id, now);

	if (err == 0)
		err = session_deny(&s, d, now, window, &tally);
	if (err == 0)
		err = store_miss(dir, id, &s);
	return err < 0 ? err : STATE_BUSY;
}

static int count_locked(int dir, struct bytes id, const struct denial *d, int64_t window, struct tally *ret)
{
	CLEANUP(session_done) struct session s = { 0 };
	CLEANUP(tally_done) struct tally tally = { 0 };
	int64_t now = stamp_now();
	int err = store_load(dir, id, true, &s);

	if (err == STORE_MISSING)
		err = session_init(&s, id, now);
	if (err < 0)
		return err;
	store_take_missed(dir, id, &s);
	err = session_deny(&s, d, now, window, &tally);
	if (err == 0)
		err = store_save(dir, id, &s);
	if (err < 0)
		return err;
	store_sweep(dir, now);
	*ret = tally;
	tally = (struct tally){ 0 };
	return 0;
}

static int disk_deny(struct state *st, struct bytes id, const struct denial *d, int64_t window, struct tally *ret)
{
	CLEANUP(close_fdp) int dir = -1, lock = -1;
	int err = private_dir(st->base, st->path, &dir);

	if (err == 0)
		err = store_lock(dir, &lock);
	if (err == STORE_BUSY)
		return put_down(dir, id, d, window);
	return err < 0 ? err : count_locked(dir, id, d, window, ret);
}

int state_deny(struct state *st, struct bytes session, const struct denial *d, int64_t window, struct tally *ret)
{
	struct session *s;
	int err;

	if (st->memory == NULL)
		return disk_deny(st, session, d, window, ret);
	err = memory_session(st, session, &s);
	return err < 0 ? err : session_deny(s, d, stamp_now(), window, ret);
}

/* What looks at a session without changing it. 0, STATE_NONE (what is looked for is not there) or -errno. */
typedef int session_look(const struct session *s, void *data);

static int look(struct state *st, struct bytes id, session_look *at, void *data)
{
	CLEANUP(close_fdp) int dir = -1;
	CLEANUP(session_done) struct session s = { 0 };
	struct session *in_memory;
	int err;

	if (st->memory != NULL) {
		err = memory_session(st, id, &in_memory);
		return err < 0 ? err : at(in_memory, data);
	}
	/* No lock: a file is replaced as a whole, so that what is read is one state or the next. */
	err = private_dir(st->base, st->path, &dir);
	if (err == 0)
		err = store_load(dir, id, false, &s);
	if (err == STORE_MISSING)
		return STATE_NONE;
	return err < 0 ? err : at(&s, data);
}

struct find_query {
	const struct key *counting;
	int64_t window;
	struct tally *ret;
};

static int tally_of(const struct session *s, void *data)
{
	const struct find_query *q = data;
	const struct denial_record *r = session_find(s, q->counting, stamp_now(), q->window);

	if (r == NULL)
		return STATE_NONE;
	*q->ret = (struct tally){ .count = r->count, .retry = true, .source = r->source, .reason = strdup(r->reason) };
	return 0;
}

int state_find(struct state *st, struct bytes session, const struct key *counting, int64_t window, struct tally *ret)
{
	struct find_query q = { counting, window, ret };

	return look(st, session, tally_of, &q);
}

struct outlook_query {
	const struct denial *d;
	int64_t window;
	struct outlook *ret;
};

static int outlook_of(const struct session *s, void *data)
{
	const struct outlook_query *q = data;
	int64_t now = stamp_now();

	*q->ret = (struct outlook){
		.stands = session_stands(s, q->d, now, q->window),
		.known = session_knows(s, &q->d->exact, now, q->window),
		.judged = session_judged(s, now, q->window),
	};
	return 0;
}

int state_outlook(struct state *st, struct bytes session, const struct denial *d, int64_t window, struct outlook *ret)
{
	struct outlook_query q = { d, window, ret };
	int err = look(st, session, outlook_of, &q);

	if (err == STATE_NONE)
		*ret = (struct outlook){ 0 };
	return err < 0 ? err : 0;
}

struct allowed_query {
	const struct permit *permit;
	int64_t window;
	char **ret_reason;
};

static int allowed_of(const struct session *s, void *data)
{
	const struct allowed_query *q = data;
	const struct allow_record *r = session_allowed(s, q->permit, stamp_now(), q->window);
	char *reason = r != NULL ? strdup(r->reason) : NULL;

	if (r == NULL)
		return STATE_NONE;
	if (reason == NULL)
		return -ENOMEM;
	*q->ret_reason = reason;
	return 0;
}

int state_allowed(struct state *st, struct bytes session, const struct permit *p, int64_t window, char **ret_reason)
{
	struct allowed_query q = { p, window, ret_reason };

	return look(st, session, allowed_of, &q);
}

/* What changes a session. 0: it is to be kept; else an outcome or -errno, and nothing is. */
typedef int session_change(struct session *s, void *data);

static int change_locked(int dir, struct bytes id, session_change *change, void *data)
{
	CLEANUP(session_done) struct session s = { 0 };
	int err = store_load(dir, id, true, &s);

	if (err == STORE_MISSING)
		err = session_init(&s, id, stamp_now());
	if (err < 0)
		return err;
	store_take_missed(dir, id, &s);
	err = change(&s, data);
	return err != 0 ? err : store_save(dir, id, &s);
}

static int change(struct state *st, struct bytes id, session_change *how, void *data)
{
	CLEANUP(close_fdp) int dir = -1, lock = -1;
	struct session *in_memory;
	int err;

	if (st->memory != NULL) {
		err = memory_session(st, id, &in_memory);
		return err < 0 ? err : how(in_memory, data);
	}
	err = private_dir(st->base, st->path, &dir);
	if (err == 0)
		err = store_lock(dir, &lock);
	if (err == STORE_BUSY)
		return STATE_BUSY;
	return err < 0 ? err : change_locked(dir, id, how, data);
}

struct charge {
	int64_t window, *ret_charge;
	uint32_t most, *ret_judged;
};

static int charge_it(struct session *s, void *data)
{
	const struct charge *q = data;
	int64_t now = stamp_now();

	*q->ret_judged = session_judged(s, now, q->window);
	if (*q->ret_judged >= q->most || *q->ret_judged >= SESSION_JUDGED_MAX)
		return STATE_FULL;
	*q->ret_charge = session_charge(s, now, q->window);
	return 0;
}

int state_charge(struct state *st, struct bytes session, int64_t window, uint32_t most, int64_t *ret_charge,
	uint32_t *ret_judged)
{
	struct charge q = { .window = window, .most = most, .ret_charge = ret_charge, .ret_judged = ret_judged };

	return change(st, session, charge_it, &q);
}

static int refund_it(struct session *s, void *data)
{
	session_refund(s, *(const int64_t *)data);
	return 0;
}

int state_refund(struct state *st, struct bytes session, int64_t charge)
{
	return change(st, session, refund_it, &charge);
}

struct allowance {
	const struct permit *permit;
	const char *reason;
	int64_t charge;
};

static int allow_it(struct session *s, void *data)
{
	const struct allowance *q = data;

	session_refund(s, q->charge);
	return session_allow(s, q->permit, q->reason, stamp_now());
}

int state_allow(struct state *st, struct bytes session, const struct permit *p, const char *reason, int64_t charge)
{
	struct allowance q = { p, reason, charge };

	return change(st, session, allow_it, &q);
}
