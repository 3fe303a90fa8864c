/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a process that a command would end, or look into, the guard or one that it hangs from: the harness, the terminal
 * or session it runs in? Or one of the gate's service? Told by /proc (proc_pid_stat(5)), from the guard upwards.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>

#include "broker/evidence/internal.h"

enum { ANCESTORS_MAX = 64, STAT_MAX = 1024, ARGUMENTS_MAX = 16 * 1024 };

/* What is asked for: a process, a group of them, or a part of a name. */
struct wanted {
	bool by_number, arguments;
	int64_t number; /* below 0: of a group */
	struct bytes part;
};

struct process {
	pid_t pid, parent, group;
	char name[64]; /* as the kernel keeps it, at most 15 bytes for a program's */
};

/* 0 or -errno. *ret_len: never the whole buffer. */
static int read_of(pid_t pid, const char *what, char *buffer, size_t size, size_t *ret_len)
{
	CLEANUP(close_fdp) int fd = -1;
	char path[64];
	size_t len = 0;
	ssize_t n = 1;

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, what);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return -errno;
	while (n != 0 && len + 1 < size) {
		n = read(fd, buffer + len, size - 1 - len);
		if (n < 0 && errno != EINTR)
			return -errno;
		len += n > 0 ? (size_t)n : 0;
	}
	*ret_len = len;
	return 0;
}

/* The name stands in parentheses and may hold any byte, parentheses too: the last one closes it. */
static int read_process(pid_t pid, struct process *ret)
{
	char text[STAT_MAX], *open, *close;
	size_t len, n;
	int parent, group;
	int err = read_of(pid, "stat", text, sizeof(text), &len);

	if (err < 0)
		return err;
	text[len] = '\0';
	open = strchr(text, '(');
	close = strrchr(text, ')');
	if (open == NULL || close == NULL || close < open || sscanf(close + 1, " %*c %d %d", &parent, &group) != 2)
		return -EPROTO;
	n = (size_t)(close - open - 1);
	n = n < sizeof(ret->name) ? n : sizeof(ret->name) - 1;
	*ret = (struct process){ .pid = pid, .parent = parent, .group = group };
	memcpy(ret->name, open + 1, n);
	return 0;
}

static bool is_same(char text, char part)
{
	return part == '.' || tolower((unsigned char)(text == '\0' ? ' ' : text)) == tolower((unsigned char)part);
}

/*
 * A . of the part stands for any byte: it does so in the patterns that parts are taken from. Either case will do, as
 * pkill -i and killall -I have it.
 */
static bool holds(const char *text, size_t len, struct bytes part)
{
	for (size_t i = 0; i + part.len <= len; i++) {
		size_t k = 0;

		while (k < part.len && is_same(text[i + k], part.p[k]))
			k++;
		if (k == part.len)
			return true;
	}
	return false;
}

static bool arguments_hold(pid_t pid, struct bytes part)
{
	CLEANUP(freep) char *text = malloc(ARGUMENTS_MAX);
	size_t len = 0;

	return text != NULL && read_of(pid, "cmdline", text, ARGUMENTS_MAX, &len) == 0 && holds(text, len, part);
}

static bool is_wanted(const struct process *p, const struct wanted *w)
{
	if (w->by_number)
		return w->number < 0 ? p->group == -w->number : p->pid == w->number;
	return holds(p->name, strlen(p->name), w->part) || (w->arguments && arguments_hold(p->pid, w->part));
}

/* What is hidden of the processes above belongs to other users (proc(5), hidepid), and cannot be signalled either. */
static int is_above(const struct wanted *w, bool *ret)
{
	struct process p = { .parent = getppid() };

	for (size_t i = 0; i < ANCESTORS_MAX && p.parent > 0; i++) {
		int err = read_process(p.parent, &p);

		if (err < 0)
			return i == 0 ? err : 0;
		*ret = *ret || is_wanted(&p, w);
	}
	return 0;
}

/* A number that is not there, or no longer, is nobody's. */
static bool is_the_gates(const struct wanted *w)
{
	static const char name[] = "auto-classifier"; /* as much as the kernel keeps of each of them */
	struct process p;

	return w->by_number && w->number > 0 && read_process((pid_t)w->number, &p) == 0 &&
		strncmp(p.name, name, sizeof(name) - 1) == 0;
}

static bool read_wanted(const struct question *q, struct wanted *ret)
{
	char *end, text[32];

	*ret = (struct wanted){ .arguments = q->kind == ASK_PROCESS_LINE, .part = q->text };
	for (size_t i = 0; i < q->text.len; i++)
		if (ret->arguments || strchr("-0123456789", q->text.p[i]) == NULL)
			return true;
	if (q->text.len >= sizeof(text))
		return false;
	memcpy(text, q->text.p, q->text.len);
	text[q->text.len] = '\0';
	ret->by_number = true;
	ret->number = strtoll(text, &end, 10);
	return *end == '\0' && ret->number > INT32_MIN && ret->number <= INT32_MAX;
}

int answer_process(const struct question *q, struct answer *ret)
{
	struct wanted w;
	bool found = false;

	if (!read_wanted(q, &w) || is_above(&w, &found) < 0)
		return 0;
	ret->status = ANSWER_KNOWN;
	ret->type = PATH_MISSING;
	ret->size = found || is_the_gates(&w) ? 1 : 0;
	return 0;
}
