/* SPDX-License-Identifier: Apache-2.0 */
/* Where a name resolves in the harness's PATH, as execvp(3) would find it. */
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include "broker/evidence/internal.h"
#include "policy/environment.h"
#include "policy/paths/paths.h"

enum entry { ENTRY_ABSENT, ENTRY_PROGRAM, ENTRY_DOUBTFUL };

/*
 * One look at DIR/NAME. Below the system's own directories it is a plain one; elsewhere it stays on the root's mount
 * and follows no link to the root (openat2(2)), so that no file system which may never answer is asked.
 */
static enum entry glance(int root, struct bytes dir, const char *path)
{
	const struct open_how how = { .flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS };
	CLEANUP(close_fdp) int fd = -1;
	struct stat st;

	if (path_is_system(dir))
		fd = open(path, O_PATH | O_CLOEXEC);
	else
		fd = (int)syscall(SYS_openat2, root, path + 1, &how, sizeof(how));
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? ENTRY_ABSENT : ENTRY_DOUBTFUL;
	if (!environment_is_program_directory(dir) || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
		(st.st_mode & 0111) == 0)
		return ENTRY_DOUBTFUL;
	return ENTRY_PROGRAM;
}

/* DIR/NAME, or false when it is no absolute path or does not fit. */
static bool join(char path[RESOLVE_PATH_MAX], struct bytes dir, struct bytes name)
{
	/* An empty entry is the current directory, whatever that is when the command runs. */
	if (dir.len == 0 || dir.p[0] != '/' || dir.len + name.len + 2 > RESOLVE_PATH_MAX)
		return false;
	memcpy(path, dir.p, dir.len);
	path[dir.len] = '/';
	memcpy(path + dir.len + 1, name.p, name.len);
	path[dir.len + 1 + name.len] = '\0';
	return true;
}

static struct bytes next_entry(const char **path)
{
	struct bytes dir = { *path, strcspn(*path, ":") };

	*path += dir.len + ((*path)[dir.len] == ':' ? 1 : 0);
	return dir;
}

int answer_system_program(struct broker *b, const struct question *q, const char **ret_rest, struct answer *ret)
{
	CLEANUP(close_fdp) int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const char *rest = broker_getenv(b, "PATH");
	char path[RESOLVE_PATH_MAX];

	while (rest != NULL && *rest != '\0') {
		const char *here = rest;
		struct bytes dir = next_entry(&rest);
		enum entry found = join(path, dir, q->text) ? glance(root, dir, path) : ENTRY_DOUBTFUL;

		if (found == ENTRY_DOUBTFUL) {
			*ret_rest = here;
			return PROGRAM_DOUBTFUL;
		}
		if (found == ENTRY_PROGRAM) {
			ret->status = ANSWER_KNOWN;
			ret->type = PATH_FILE;
			ret->facts = FACT_EXECUTABLE | FACT_IN_SYSTEM;
			return answer_text(&ret->real, path, strlen(path));
		}
	}
	ret->status = ANSWER_KNOWN;
	ret->type = PATH_MISSING;
	return 0;
}

/* The first entry that holds a file of that name which somebody may execute. */
static bool look_in(struct evidence *e, struct bytes dir, struct bytes name, struct resolved *ret)
{
	char path[RESOLVE_PATH_MAX];

	if (!join(path, dir, name))
		return false;
	resolve_path(e->mounts, path, false, ret);
	return ret->remote || (ret->type == PATH_FILE && (ret->mode & 0111) != 0);
}

/* The directory's own place: a link in it leads wherever who may write there wants. */
static uint32_t directory_facts(struct evidence *e, const struct workspace *w, const char *dir, size_t len)
{
	char path[RESOLVE_PATH_MAX];
	struct resolved r;

	memcpy(path, dir, len);
	path[len] = '\0';
	resolve_path(e->mounts, path, false, &r);
	if (r.remote)
		return FACT_REMOTE_FS | FACT_IN_SCRATCH;
	return location_facts(e, w, (struct bytes){ path, len }, &r);
}

int answer_program(struct evidence *e, const struct question *q, const char *rest, struct answer *ret)
{
	const struct workspace *w = workspace_of(e, q->extra);
	struct resolved r;

	while (rest != NULL && *rest != '\0') {
		struct bytes dir = next_entry(&rest);

		if (dir.len == 0 || dir.p[0] != '/' || dir.len >= RESOLVE_PATH_MAX)
			return 0;
		if (look_in(e, dir, q->text, &r)) {
			if (r.remote)
				return 0;
			ret->status = ANSWER_KNOWN;
			ret->type = r.type;
			ret->facts = FACT_EXECUTABLE | directory_facts(e, w, dir.p, dir.len);
			return answer_text(&ret->real, r.real, r.real_len);
		}
	}
	ret->status = ANSWER_KNOWN;
	ret->type = PATH_MISSING;
	return 0;
}
