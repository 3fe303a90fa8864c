/* SPDX-License-Identifier: Apache-2.0 */
/* The git reader: takes directories to read, confines itself to them, answers questions about one repository. */
#include "broker/git/repository.h"
#include "policy/sandbox/confine.h"
#include "policy/wire/channel.h"

static const char alone[] = "auto-classifier-git is started by auto-classifier and does nothing by itself.\n";

struct reader_process {
	struct channel broker;
	struct granted granted;
	int fds[GIT_GRANTS_MAX];
	bool confined;
};

static int take_grant(struct reader_process *p, struct bytes body)
{
	struct git_grant g;
	int rc = git_grant_decode(body, &g);

	if (rc < 0 || p->granted.n == GIT_GRANTS_MAX || g.path.len >= PATH_MAX)
		return -EPROTO;
	p->fds[p->granted.n] = TAKE_FD(p->broker.got_fd);
	p->granted.list[p->granted.n].kind = g.kind;
	memcpy(p->granted.list[p->granted.n].path, g.path.p, g.path.len);
	p->granted.list[p->granted.n].path[g.path.len] = '\0';
	p->granted.n++;
	return 0;
}

/* The first question ends the grants: from here on only what lies below them can be read, and nothing written. */
static void enter_sandbox(struct reader_process *p)
{
	const char *layer = "";
	const struct readable below = { p->fds, p->granted.n };
	int rc = confine_reading(ROLE_GIT, &below, &layer);

	if (rc < 0)
		_exit(confine_exit_status(layer));
	for (uint32_t i = 0; i < p->granted.n; i++)
		close(p->fds[i]);
	p->confined = true;
}

static int take_question(struct reader_process *p, struct bytes body)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	int rc;

	if (!p->confined)
		enter_sandbox(p);
	rc = answer_question(&p->granted, body, &w);
	return rc < 0 ? rc : channel_send(&p->broker, MSG_GIT_ANSWER, w.p, w.len, -1);
}

/* 0: the next may come. Positive: there is none. */
static int take_message(struct reader_process *p)
{
	struct message m;
	int rc = channel_receive(&p->broker, &m);

	if (rc != 0)
		return rc;
	if (m.type == MSG_GIT_OPEN)
		return take_grant(p, m.body);
	return m.type == MSG_GIT_QUESTION ? take_question(p, m.body) : -EPROTO;
}

int main(void)
{
	static struct reader_process p;
	int rc = 0;

	if (channel_check_fd(ROLE_FD_CHANNEL) < 0) {
		(void)!write(STDERR_FILENO, alone, sizeof(alone) - 1);
		return 64;
	}
	channel_init(&p.broker, ROLE_FD_CHANNEL, ROLE_GIT, ROLE_BROKER);
	while (rc == 0)
		rc = take_message(&p);
	/* Nothing is freed and no exit handler runs: the kernel takes it all. */
	_exit(rc < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
}
