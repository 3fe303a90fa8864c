/* SPDX-License-Identifier: Apache-2.0 */
/*
 * git_mutations DIRECTORY COUNT SEED: changes files below DIRECTORY/.git at random, COUNT times over, and asks what the
 * git reader asks, in a process of its own each time. What our own code reads must never crash; a crash or silence of
 * the library is a refusal, as the reader's death is to the broker.
 */
#include <fcntl.h>
#include <ftw.h>
#include <git2.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "broker/git/repository.h"

enum { FILES_MAX = 256, FILE_BYTES_MAX = 256 * 1024, CHANGES_MAX = 3, PATIENCE_S = 10, PATIENCE_US = 100 * 1000 };

struct file {
	char path[PATH_MAX];
	char *p;
	size_t len;
};

static struct files {
	struct file list[FILES_MAX];
	size_t n;
} files;

static struct tally {
	unsigned long answered, refused, crashed, silent;
} tally;

static uint64_t state;

static uint32_t random_below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state >> 33) % n);
}

static int collect(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	struct file *f = &files.list[files.n];
	int fd;

	(void)ftw;
	/* Samples of hooks are read by nobody. */
	if (type != FTW_F || st->st_size > FILE_BYTES_MAX || files.n == FILES_MAX || strstr(path, ".sample") != NULL)
		return 0;
	snprintf(f->path, sizeof(f->path), "%s", path);
	f->len = (size_t)st->st_size;
	f->p = malloc(f->len + 1);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (f->p == NULL || fd < 0 || read(fd, f->p, f->len) != (ssize_t)f->len)
		return -1;
	close(fd);
	chmod(path, 0600);
	files.n++;
	return 0;
}

static void put(const struct file *f, const char *p, size_t len)
{
	int fd = open(f->path, O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, p, len) != (ssize_t)len)
		abort();
	close(fd);
}

/* Pieces of what git writes, where they do not belong. */
static const char *const pieces[] = { "ref: ", "refs/heads/", "\n", "[core]\n", "\0\0\0\1", "\xff\xff\xff\xff",
	"..", "/", "\x7f\xff\xff\xff", "[remote \"x\"]\n\turl = ", "[include]\n\tpath = config\n", "gitdir: ", "\"",
	"\\", "tree ", " ", "[extensions]\n\tworktreeConfig = true\n",
	"[includeIf \"gitdir:/\"]\n\tpath = config\n" };

static void change(const struct file *f)
{
	size_t size = f->len + 256, len = f->len, at;
	char *p = malloc(size);

	if (p == NULL)
		abort();
	memcpy(p, f->p, len);
	for (uint32_t n = 1 + random_below(4); n > 0; n--) {
		const char *piece = pieces[random_below(ARRAY_LEN(pieces))];
		size_t m = piece[0] == '\0' ? 4 : strlen(piece);

		at = len > 0 ? random_below((uint32_t)len) : 0;
		switch (random_below(5)) {
		case 0:
			if (len > 0)
				p[at] = (char)random_below(256);
			break;
		case 1:
			if (len > 0)
				p[at] = (char)(p[at] ^ (1 << random_below(8)));
			break;
		case 2:
			len = at;
			break;
		case 3:
			if (len + m <= size) {
				memmove(p + at + m, p + at, len - at);
				memcpy(p + at, piece, m);
				len += m;
			}
			break;
		default:
			if (at + m <= len)
				memcpy(p + at, piece, m);
			break;
		}
	}
	put(f, p, len);
	free(p);
}

/* The answer is always one that the broker can read. */
static bool ask(const char *root, enum git_ask what, const char *path)
{
	static const struct granted none;
	static struct bytes protected_names[] = { { "main", 4 } };
	const struct git_question q = { .ask = what, .root = { root, strlen(root) }, .path = { path, strlen(path) },
		.home = { "/nonexistent", 12 }, .protected = { protected_names, 1 } };
	CLEANUP(freep) struct git_facts *f = malloc(sizeof(*f));
	CLEANUP(wr_done) struct writer question = { 0 };
	CLEANUP(wr_done) struct writer answer = { 0 };
	struct git_answer a;

	git_question_encode(&question, &q);
	if (f == NULL || answer_question(&none, (struct bytes){ question.p, question.len }, &answer) != 0 ||
		git_answer_decode((struct bytes){ answer.p, answer.len }, &a) != 0)
		_exit(3);
	if (a.outcome == GIT_FACTS && git_facts_decode(a.facts, f) != 0)
		_exit(3);
	return a.outcome != GIT_REFUSED;
}

/* How the child ended: 0, or the line that failed. `own`: only our code has run. */
static bool attempt(const char *root, volatile bool *own)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		abort();
	if (pid == 0) {
		bool answered;

		/* A library that turns in a circle shows by the processor's time, whatever else the machine does. */
		if (setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_usec = PATIENCE_US }, NULL) < 0)
			_exit(4);
		alarm(PATIENCE_S);
		*own = true;
		answered = ask(root, GIT_ASK_FACTS, "");
		*own = false;
		answered = ask(root, GIT_ASK_FILE, "run.sh") || answered;
		answered = ask(root, GIT_ASK_BELOW, "") || answered;
		_exit(answered ? 0 : 1);
	}
	if (waitpid(pid, &status, 0) != pid)
		abort();
	if (WIFEXITED(status) && WEXITSTATUS(status) <= 1) {
		*(WEXITSTATUS(status) == 0 ? &tally.answered : &tally.refused) += 1;
		return true;
	}
	if (!*own && WIFSIGNALED(status)) {
		*(WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF ? &tally.silent : &tally.crashed) += 1;
		return true;
	}
	fprintf(stderr, "status %#x\n", (unsigned int)status);
	return false;
}

int main(int argc, char **argv)
{
	volatile bool *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char git[PATH_MAX];
	unsigned long count;

	if (argc != 4 || own == MAP_FAILED || git_libgit2_init() < 0)
		return 64;
	count = strtoul(argv[2], NULL, 10);
	snprintf(git, sizeof(git), "%s/.git", argv[1]);
	if (nftw(git, collect, 16, FTW_PHYS) != 0 || files.n == 0)
		return 64;
	for (unsigned long i = 0; i < count; i++) {
		const struct file *changed[CHANGES_MAX];
		uint32_t n;

		state = strtoul(argv[3], NULL, 10) * 1000003u + i;
		n = 1 + random_below(CHANGES_MAX);
		for (uint32_t k = 0; k < n; k++) {
			changed[k] = &files.list[random_below((uint32_t)files.n)];
			change(changed[k]);
		}
		if (!attempt(argv[1], own)) {
			fprintf(stderr, "mutation %lu of seed %s\n", i, argv[3]);
			return 1;
		}
		for (uint32_t k = 0; k < n; k++)
			put(changed[k], changed[k]->p, changed[k]->len);
	}
	printf("%lu answered, %lu refused, %lu ended by the library's death, %lu by its silence\n", tally.answered,
		tally.refused, tally.crashed, tally.silent);
	return tally.answered > 0 && tally.refused > 0 ? 0 : 1;
}
