/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks the real git reader, in the broker's place: git_ask READER HOME KIND=PATH... -- ROOT [bare] facts|file|below
 * [PATH], for tests. Grants what it is told to, and what the reader needs if --grant comes first.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "policy/git_facts.h"
#include "policy/wire/channel.h"

enum { PATIENCE_MS = 3000 /* the broker's is a tenth of it; machines that test are busy */, ROUNDS_MAX = 12 };

struct asking {
	const char *reader;
	const char *paths[GIT_GRANTS_MAX];
	enum git_grant_kind kinds[GIT_GRANTS_MAX];
	uint32_t n;
	struct git_question q;
	bool grants;
};

static const char *const kinds[] = { "", "tree", "directory", "objects", "system", "xdg", "user", "include" };

static enum git_grant_kind kind_of(const char *name, size_t len)
{
	for (size_t i = 1; i < ARRAY_LEN(kinds); i++)
		if (strlen(kinds[i]) == len && memcmp(kinds[i], name, len) == 0)
			return (enum git_grant_kind)i;
	return (enum git_grant_kind)0;
}

static pid_t start(const char *reader, int *ret_channel)
{
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		char *const argv[] = { (char *)(uintptr_t)reader, NULL }, *const environment[] = { NULL };

		if (dup2(pair[1], ROLE_FD_CHANNEL) == ROLE_FD_CHANNEL)
			execve(reader, argv, environment);
		_exit(127);
	}
	close(pair[1]);
	*ret_channel = pair[0];
	return pid;
}

static void print_text(const char *name, struct bytes b)
{
	printf("%s=%.*s\n", name, (int)b.len, b.p);
}

static void print_facts(const struct git_facts *f)
{
	print_text("root", f->root);
	print_text("git", f->git_directory);
	print_text("branch", f->branch);
	print_text("branch_remote", f->branch_remote);
	print_text("common", f->common_directory);
	printf("bare=%d\ncomplete=%d\nruns=%#x\n", f->bare, f->complete, f->runs);
	for (uint32_t i = 0; i < f->n_remotes; i++) {
		char room[8192];
		struct git_push p;

		print_text("remote", f->remotes[i].name);
		print_text("default", f->remotes[i].default_branch);
		printf("flags=%#x\n", f->remotes[i].flags);
		git_push_resolve(f, f->remotes[i].name, room, sizeof(room), &p);
		for (uint32_t k = 0; k < p.n_urls; k++)
			print_text("push", p.urls[k]);
	}
}

static int print_answer(const struct git_answer *a)
{
	static const char *const outcomes[] = { "refused", "needs", "facts", "file", "below" };
	struct git_facts *f = calloc(1, sizeof(*f));
	int rc = 0;

	printf("outcome=%s\nkind=%s\nstate=%#x\n", outcomes[a->outcome], kinds[a->kind], a->state);
	print_text("text", a->text);
	if (a->outcome == GIT_FACTS) {
		rc = f != NULL ? git_facts_decode(a->facts, f) : -ENOMEM;
		if (rc == 0)
			print_facts(f);
	}
	free(f);
	return rc;
}

static int hand_over(struct channel *c, const struct asking *x)
{
	for (uint32_t i = 0; i < x->n; i++) {
		CLEANUP(wr_done) struct writer w = { 0 };
		CLEANUP(close_fdp) int fd = open(x->paths[i], O_PATH | O_CLOEXEC);
		int rc;

		git_grant_encode(&w, &(struct git_grant){ x->kinds[i], { x->paths[i], strlen(x->paths[i]) } });
		rc = fd < 0 ? -errno : channel_send(c, MSG_GIT_OPEN, w.p, w.len, fd);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* 0: printed. 1: once more, with one grant more. */
static int ask(struct asking *x)
{
	CLEANUP(channel_done) struct channel c;
	CLEANUP(wr_done) struct writer w = { 0 };
	struct git_answer a;
	struct message m;
	int fd = -1, rc, status;
	uint64_t begin = clock_ms();
	pid_t pid = start(x->reader, &fd);

	channel_init(&c, fd, ROLE_BROKER, ROLE_GIT);
	if (pid < 0)
		return -ECHILD;
	git_question_encode(&w, &x->q);
	rc = hand_over(&c, x);
	if (rc == 0)
		rc = channel_send(&c, MSG_GIT_QUESTION, w.p, w.len, -1);
	if (rc == 0)
		rc = channel_receive_until(&c, begin + PATIENCE_MS, &m);
	if (rc == -ETIMEDOUT) {
		printf("outcome=silent\n");
		return kill(pid, SIGKILL);
	}
	if (rc != 0) {
		if (waitpid(pid, &status, 0) == pid)
			printf("outcome=died\nstatus=%#x\n", (unsigned int)status);
		return 0;
	}
	rc = git_answer_decode(m.body, &a);
	if (rc == 0 && a.outcome == GIT_NEEDS && x->grants && x->n < GIT_GRANTS_MAX) {
		x->kinds[x->n] = a.kind;
		x->paths[x->n++] = strndup(a.text.p, a.text.len);
		return 1;
	}
	if (rc == 0)
		rc = print_answer(&a);
	printf("ms=%llu\n", (unsigned long long)(clock_ms() - begin));
	return rc;
}

int main(int argc, char **argv)
{
	static struct bytes protected_names[] = { { "main", 4 }, { "master", 6 } };
	struct asking x = { .q = { .ask = GIT_ASK_FACTS, .protected = { protected_names, 2 } } };
	int i = 1, rc = 1;
	size_t given;

	if (i < argc && strcmp(argv[i], "--grant") == 0) {
		x.grants = true;
		i++;
	}
	if (argc - i < 4)
		return 64;
	x.reader = argv[i++];
	x.q.home = (struct bytes){ argv[i], strlen(argv[i]) };
	for (i++; i < argc && strcmp(argv[i], "--") != 0 && x.n < GIT_GRANTS_MAX; i++) {
		size_t n = strcspn(argv[i], "=");

		x.kinds[x.n] = kind_of(argv[i], n);
		x.paths[x.n++] = argv[i] + n + 1;
	}
	given = x.n;
	for (i++; i < argc; i++) {
		const struct bytes word = { argv[i], strlen(argv[i]) };

		if (x.q.root.len == 0)
			x.q.root = word;
		else if (bytes_is(word, "bare"))
			x.q.bare = true;
		else if (bytes_is(word, "file") || bytes_is(word, "below"))
			x.q.ask = bytes_is(word, "file") ? GIT_ASK_FILE : GIT_ASK_BELOW;
		else if (!bytes_is(word, "facts"))
			x.q.path = word;
	}
	for (int round = 0; round < ROUNDS_MAX && rc == 1; round++)
		rc = ask(&x);
	while (x.n > given)
		free((void *)x.paths[--x.n]);
	return rc == 0 ? 0 : 2;
}
