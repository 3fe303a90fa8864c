/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the directories of PATH that are none of the system's, so that only the names in them need to be asked about. */
#include "broker/decision/shadows.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include "policy/environment.h"
#include "policy/paths/paths.h"
#include "policy/question.h"

static void closedirp(DIR **dir)
{
	if (*dir != NULL)
		closedir(*dir);
}

/* Stays on the root's mount, where nothing hangs (openat2(2)); the system's own directories are opened as they are. */
static int open_directory(int root, const char *path)
{
	const struct open_how how = { .flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS };

	if (path_is_system((struct bytes){ path, strlen(path) }))
		return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return (int)syscall(SYS_openat2, root, path + 1, &how, sizeof(how));
}

static int list_directory(int root, const char *path, uint32_t *n, int (*found)(void *, const char *), void *data)
{
	CLEANUP(close_fdp) int fd = open_directory(root, path);
	CLEANUP(closedirp) DIR *dir = NULL;
	struct dirent *d;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : SHADOWS_UNKNOWN;
	dir = fdopendir(fd);
	if (dir == NULL)
		return SHADOWS_UNKNOWN;
	fd = -1;
	while ((d = readdir(dir)) != NULL) {
		int r;

		if (d->d_name[0] == '.' && (d->d_name[1] == '\0' || strcmp(d->d_name, "..") == 0))
			continue;
		if (++*n > SHADOWS_MAX)
			return SHADOWS_UNKNOWN;
		r = found(data, d->d_name);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Is the entry at `at` also an earlier one? Its names are listed already. */
static bool listed_before(const char *path, const char *at, size_t len)
{
	for (size_t n; path < at; path += n + 1) {
		n = strcspn(path, ":");
		if (n == len && memcmp(path, at, len) == 0)
			return true;
	}
	return false;
}

int shadows_list(const char *path, int (*found)(void *data, const char *name), void *data)
{
	CLEANUP(close_fdp) int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const char *const first = path;
	char directory[QUESTION_PATH_MAX];
	uint32_t n = 0;

	/* An unset PATH is the C library's: the system's directories. */
	while (path != NULL && *path != '\0') {
		size_t len = strcspn(path, ":");
		int r;

		/* An empty entry is the current directory. So is the one behind a last colon. */
		if (len == 0 || path[0] != '/' || len >= sizeof(directory) || strcmp(path + len, ":") == 0)
			return SHADOWS_UNKNOWN;
		memcpy(directory, path, len);
		directory[len] = '\0';
		r = 0;
		if (!environment_is_program_directory((struct bytes){ directory, len }) &&
			!listed_before(first, path, len))
			r = list_directory(root, directory, &n, found, data);
		if (r != 0)
			return r;
		path += len + (path[len] == ':' ? 1 : 0);
	}
	return 0;
}
