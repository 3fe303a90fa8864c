/* SPDX-License-Identifier: Apache-2.0 */
/* Would a person see agy's prompt? Asked only when an escalation is about to be passed on. */
#include "broker/reply/agy_prompt.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "policy/text/json_strict.h"

enum {
	ANCESTORS_MAX = 8,
	CMDLINE_MAX = 64 * 1024,
	LOGS_MAX = 200, /* the newest of these */
	LOGS_LISTED = 4096,
	LOG_HEAD = 4096,
	LOG_TAIL = 1024 * 1024,
	SETTINGS_MAX = 1024 * 1024,
};

static const char log_dir[] = ".gemini/antigravity-cli/log";
static const char settings_path[] = ".gemini/antigravity-cli/settings.json";

/* Up to `size` bytes of an open file from `offset`. -errno. */
static ssize_t read_at(int fd, char *buffer, size_t size, off_t offset)
{
	size_t n = 0;

	while (n < size) {
		ssize_t r = pread(fd, buffer + n, size - n, offset + (off_t)n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		if (r == 0)
			break;
		n += (size_t)r;
	}
	return (ssize_t)n;
}

static ssize_t read_path(const char *dir, const char *name, char *buffer, size_t size)
{
	CLEANUP(close_fdp) int fd = -1;
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir, name) >= sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd < 0 ? -errno : read_at(fd, buffer, size, 0);
}

/* The parent, from /proc/PID/stat: the second field after the last parenthesis. 0: not to be had. */
static long parent_of(const char *proc, const char *pid)
{
	char name[32], buffer[1024], *p, state;
	long parent = 0;
	ssize_t n;

	snprintf(name, sizeof(name), "%s/stat", pid);
	n = read_path(proc, name, buffer, sizeof(buffer) - 1);
	if (n <= 0)
		return 0;
	buffer[n] = '\0';
	p = strrchr(buffer, ')');
	if (!p || sscanf(p + 1, " %c %ld", &state, &parent) != 2)
		return 0;
	return parent;
}

static bool is_agy(const char *cmdline, size_t len)
{
	size_t n = strnlen(cmdline, len);
	const char *slash = memrchr(cmdline, '/', n);
	const char *base = slash ? slash + 1 : cmdline;

	return bytes_is((struct bytes){ base, n - (size_t)(base - cmdline) }, "agy");
}

static bool skips_permissions(const char *cmdline, size_t len)
{
	static const char flag[] = "--dangerously-skip-permissions";

	for (size_t at = 0; at < len; at += strnlen(cmdline + at, len - at) + 1)
		if (strncmp(cmdline + at, flag, sizeof(flag) - 1) == 0)
			return true;
	return false;
}

enum ancestor { ANCESTOR_NONE, ANCESTOR_ASKS, ANCESTOR_SKIPS, ANCESTOR_UNREADABLE };

/* The nearest process above us that is agy. */
static enum ancestor find_agy(const char *proc, long *ret_pid)
{
	CLEANUP(freep) char *cmdline = malloc(CMDLINE_MAX + 1);
	long pid = parent_of(proc, "self");

	if (!cmdline || pid == 0)
		return ANCESTOR_UNREADABLE;
	for (int i = 0; i < ANCESTORS_MAX && pid > 1; i++) {
		char name[64];
		ssize_t n;

		snprintf(name, sizeof(name), "%ld/cmdline", pid);
		n = read_path(proc, name, cmdline, CMDLINE_MAX);
		if (n < 0)
			return ANCESTOR_UNREADABLE;
		cmdline[n] = '\0';
		if (n > 0 && is_agy(cmdline, (size_t)n)) {
			*ret_pid = pid;
			if (skips_permissions(cmdline, (size_t)n))
				return ANCESTOR_SKIPS;
			return n < CMDLINE_MAX ? ANCESTOR_ASKS : ANCESTOR_UNREADABLE;
		}
		snprintf(name, sizeof(name), "%ld", pid);
		pid = parent_of(proc, name);
		if (pid == 0)
			return ANCESTOR_UNREADABLE;
	}
	return ANCESTOR_NONE;
}

struct log_entry {
	char name[64];
	struct timespec when;
};

static int newest_first(const void *a, const void *b)
{
	const struct log_entry *x = a, *y = b;

	if (x->when.tv_sec != y->when.tv_sec)
		return x->when.tv_sec < y->when.tv_sec ? 1 : -1;
	if (x->when.tv_nsec != y->when.tv_nsec)
		return x->when.tv_nsec < y->when.tv_nsec ? 1 : -1;
	return strcmp(y->name, x->name);
}

static size_t list_logs(DIR *dir, struct log_entry *logs)
{
	struct dirent *e;
	size_t n = 0;

	while (n < LOGS_LISTED && (e = readdir(dir)) != NULL) {
		size_t len = strlen(e->d_name);
		struct stat st;

		if (len < 8 || len >= sizeof(logs->name) || strncmp(e->d_name, "cli-", 4) != 0 ||
			strcmp(e->d_name + len - 4, ".log") != 0)
			continue;
		if (fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
			continue;
		memcpy(logs[n].name, e->d_name, len + 1);
		logs[n++].when = st.st_mtim;
	}
	qsort(logs, n, sizeof(*logs), newest_first);
	return n < LOGS_MAX ? n : LOGS_MAX;
}

/* Does the log's head say that it is this process's? */
static bool log_is_of(int fd, long pid)
{
	char head[LOG_HEAD + 1], mark[64], *p;
	ssize_t n = read_at(fd, head, LOG_HEAD, 0);
	size_t len;

	if (n <= 0)
		return false;
	head[n] = '\0';
	len = (size_t)snprintf(mark, sizeof(mark), "Starting language server process with pid %ld", pid);
	p = memmem(head, (size_t)n, mark, len);
	return p && (p[len] < '0' || p[len] > '9');
}

/* Where the mark stands last, plus one; 0: nowhere. */
static size_t last_of(const char *p, size_t len, const char *mark)
{
	size_t n = strlen(mark), at = 0;
	const char *hit;

	while ((hit = memmem(p + at, len - at, mark, n)) != NULL)
		at = (size_t)(hit - p) + 1;
	return at;
}

/* What agy did with its last prompt. False: the log does not tell. */
static bool log_prompting(int fd, enum prompting *ret)
{
	CLEANUP(freep) char *tail = malloc(LOG_TAIL);
	struct stat st;
	size_t answered, shown;
	ssize_t n;

	if (!tail || fstat(fd, &st) < 0)
		return false;
	n = read_at(fd, tail, LOG_TAIL, st.st_size > LOG_TAIL ? st.st_size - LOG_TAIL : 0);
	if (n <= 0)
		return false;
	answered = last_of(tail, (size_t)n, "Always-proceed: auto-approving tool confirmation");
	shown = last_of(tail, (size_t)n, "Surfacing tool confirmation");
	if (answered == shown)
		return false;
	*ret = answered > shown ? PROMPT_ANSWERED : PROMPT_SHOWN;
	return true;
}

static void closedirp(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

static bool logs_prompting(const char *home, long pid, enum prompting *ret)
{
	CLEANUP(closedirp) DIR *dir = NULL;
	CLEANUP(freep) struct log_entry *logs = NULL;
	char path[PATH_MAX];
	size_t n;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", home, log_dir) >= sizeof(path))
		return false;
	dir = opendir(path);
	logs = dir ? calloc(LOGS_LISTED, sizeof(*logs)) : NULL;
	if (!logs)
		return false;
	n = list_logs(dir, logs);
	for (size_t i = 0; i < n; i++) {
		CLEANUP(close_fdp)
		int fd = openat(dirfd(dir), logs[i].name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

		if (fd >= 0 && log_is_of(fd, pid))
			return log_prompting(fd, ret);
	}
	return false;
}

static enum prompting settings_prompting(const char *home)
{
	CLEANUP(json_putp) struct json_object *o = NULL;
	CLEANUP(freep) char *text = malloc(SETTINGS_MAX);
	size_t at;
	ssize_t n;

	if (!text)
		return PROMPT_UNKNOWN;
	n = read_path(home, settings_path, text, SETTINGS_MAX);
	if (n == -ENOENT || n == -ENOTDIR)
		return PROMPT_SHOWN;
	if (n < 0 || n == SETTINGS_MAX || json_strict((struct bytes){ text, (size_t)n }, &o, &at) != JSON_OK)
		return PROMPT_UNKNOWN;
	return bytes_is(json_member_string(o, "toolPermission"), "always-proceed") ? PROMPT_ANSWERED :
										     PROMPT_SHOWN;
}

enum prompting agy_prompting(const struct prompt_sources *s)
{
	enum prompting said;
	long pid = 0;

	switch (find_agy(s->proc, &pid)) {
	case ANCESTOR_SKIPS:
		return PROMPT_ANSWERED;
	case ANCESTOR_UNREADABLE:
		return PROMPT_UNKNOWN;
	case ANCESTOR_ASKS:
		if (logs_prompting(s->home, pid, &said))
			return said;
		break;
	case ANCESTOR_NONE:
		break;
	}
	return settings_prompting(s->home);
}
