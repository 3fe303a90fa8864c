/* SPDX-License-Identifier: Apache-2.0 */
/* Starting the git reader, asking it, starting it again with what it lacks, and giving up in time. */
#include <stdio.h>

#include "broker/evidence/reader.h"

enum { READER_MS = 300 /* for all questions of one decision */, STARTS_MAX = 12 };

struct git_reader {
	struct channel channel; /* fd -1: no process */
	uint32_t pid;
	char root[RESOLVE_PATH_MAX]; /* that the grants are for */
	bool bare;
	struct grants grants;
	uint64_t spent_ms;
};

enum asked { ASKED, ASKED_GONE /* dead, silent or dishonest */ };

static void stop(struct broker *b, struct git_reader *r)
{
	broker_stop_child(b, &r->channel, r->pid);
	r->channel.fd = -1;
}

void reader_begin(struct git_reader *r)
{
	if (r != NULL)
		r->spent_ms = 0;
}

void reader_free(struct git_reader *r)
{
	if (r == NULL)
		return;
	channel_done(&r->channel);
	grants_done(&r->grants);
	free(r);
}

static struct git_reader *reader_of(struct evidence *e)
{
	if (e->reader == NULL) {
		e->reader = calloc(1, sizeof(*e->reader));
		if (e->reader != NULL)
			channel_init(&e->reader->channel, -1, ROLE_BROKER, ROLE_GIT);
	}
	return e->reader;
}

static bool gone(int err)
{
	return err == -EPIPE || err == -ECONNRESET || err == -EPROTO || err == -ETIMEDOUT;
}

/* A path that can no longer be opened is left out: the reader will say so, and is then refused it. */
static int hand_over(struct evidence *e, struct git_reader *r)
{
	for (uint32_t i = 0; i < r->grants.n; i++) {
		const struct grant *g = &r->grants.list[i];
		CLEANUP(wr_done) struct writer w = { 0 };
		CLEANUP(close_fdp) int fd = grant_open(e, g);
		int err;

		if (fd < 0) {
			r->grants.withheld = r->grants.withheld || g->kind > GIT_GRANT_OBJECTS;
			continue;
		}
		git_grant_encode(&w, &(struct git_grant){ g->kind, { g->path, strlen(g->path) } });
		err = w.bad ? -ENOMEM : channel_send(&r->channel, MSG_GIT_OPEN, w.p, w.len, fd);
		if (err < 0)
			return err;
	}
	return 0;
}

static int start(struct broker *b, struct evidence *e, struct git_reader *r)
{
	int fd = -1, err = broker_start_child(b, ROLE_GIT, &fd, &r->pid);

	if (err < 0)
		return err;
	channel_init(&r->channel, fd, ROLE_BROKER, ROLE_GIT);
	return hand_over(e, r);
}

static int put(struct evidence *e, struct git_reader *r, enum git_ask ask, struct bytes path)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	const struct git_question q = {
		.ask = ask,
		.root = { r->root, strlen(r->root) },
		.bare = r->bare,
		.layers_withheld = r->grants.withheld,
		.user_is_another = e->policy.home_is_another,
		.home = policy_shell_home(&e->policy),
		.path = path,
		.protected = e->policy.protected_branches,
	};

	git_question_encode(&w, &q);
	return w.bad ? -ENOMEM : channel_send(&r->channel, MSG_GIT_QUESTION, w.p, w.len, -1);
}

/* 0: answered. ASKED_GONE, or -errno. */
static int ask_once(struct broker *b, struct evidence *e, struct git_reader *r, enum git_ask ask, struct bytes path,
	uint64_t deadline, struct git_answer *ret)
{
	struct message m;
	int err = r->channel.fd < 0 ? start(b, e, r) : 0;

	if (err == -ECHILD)
		return ASKED_GONE;
	if (err == 0)
		err = put(e, r, ask, path);
	if (err == 0)
		err = channel_receive_until(&r->channel, deadline, &m);
	if (err == CHANNEL_END || gone(err))
		return ASKED_GONE;
	if (err != 0)
		return err;
	return m.type != MSG_GIT_ANSWER || git_answer_decode(m.body, ret) < 0 ? ASKED_GONE : ASKED;
}

static int refuse(struct broker *b, struct git_reader *r, const char *why, struct git_answer *ret)
{
	stop(b, r);
	*ret = (struct git_answer){ .outcome = GIT_REFUSED, .text = { why, strlen(why) } };
	return 0;
}

static int converse(struct broker *b, struct evidence *e, struct git_reader *r, enum git_ask ask, struct bytes path,
	uint64_t deadline, struct git_answer *ret)
{
	for (unsigned int starts = 0; starts < STARTS_MAX; starts++) {
		int err = ask_once(b, e, r, ask, path, deadline, ret);

		if (err < 0)
			return err;
		if (err == ASKED_GONE)
			return refuse(b, r, clock_ms() >= deadline ? "the repository could not be read in time" :
									   "the process that reads repositories failed", ret);
		if (ret->outcome != GIT_NEEDS)
			return 0;
		if (!grants_add(e, ret->kind, ret->text, &r->grants))
			return refuse(b, r, "the repository needs a file or directory that is not read for it", ret);
		stop(b, r);
	}
	return refuse(b, r, "the repository is spread over too many places", ret);
}

/* Another repository is read by another process: what one holds says nothing in the name of the other. */
static bool turn_to(struct broker *b, struct evidence *e, struct git_reader *r, const char *root, bool bare)
{
	if (strcmp(r->root, root) == 0 && r->bare == bare && r->grants.n > 0)
		return true;
	stop(b, r);
	grants_done(&r->grants);
	r->root[0] = '\0';
	r->bare = bare;
	if (!grants_begin(b, e, root, &r->grants))
		return false;
	snprintf(r->root, sizeof(r->root), "%s", root);
	return true;
}

int reader_ask(struct broker *b, struct evidence *e, const char *root, bool bare, enum git_ask ask, struct bytes path,
	struct git_answer *ret)
{
	struct git_reader *r = reader_of(e);
	uint64_t begin = clock_ms(), now;
	int err;

	if (r == NULL)
		return -ENOMEM;
	if (r->spent_ms >= READER_MS)
		return refuse(b, r, "the repository could not be read in time", ret);
	if (!turn_to(b, e, r, root, bare))
		return refuse(b, r, "the repository is not this user's own", ret);
	err = converse(b, e, r, ask, path, begin + READER_MS - r->spent_ms, ret);
	now = clock_ms();
	r->spent_ms += now - begin;
	return err;
}
