/* SPDX-License-Identifier: Apache-2.0 */
/* Denials that found the lock taken: put down beside the session file, so that no count is lost. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "broker/state/store.h"

enum { MISS_TRIES = 16 };

/* A directory of its own: as long as nothing was ever missed, looking for it is one call. */
static const char missed_name[] = "missed";

static int open_missed(int dir, bool make, int *ret_fd)
{
	int fd = openat(dir, missed_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT && make && (mkdirat(dir, missed_name, 0700) == 0 || errno == EEXIST))
		fd = openat(dir, missed_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	*ret_fd = fd;
	return 0;
}

static int put(int dir, const char *name, const struct session *s)
{
	CLEANUP(close_fdp) int missed = -1;
	int err = open_missed(dir, true, &missed);

	return err < 0 ? err : store_replace(missed, name, s);
}

int store_miss(int dir, struct bytes session, const struct session *s)
{
	char name[STORE_NAME_SIZE], suffix[64];
	struct timespec now;
	int err = -ENOENT;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)snprintf(suffix, sizeof(suffix), ".%ld.%lld-%ld", (long)getpid(), (long long)now.tv_sec, now.tv_nsec);
	store_name(session, suffix, name);
	/* Whoever takes what was missed removes the directory; it may do so between our opening it and the file. */
	for (int i = 0; i < MISS_TRIES && err == -ENOENT; i++)
		err = put(dir, name, s);
	return err;
}

static void take_one(int missed, const char *name, struct session *s)
{
	CLEANUP(session_done) struct session one = { 0 };

	int err = store_read(missed, name, &one);

	if (store_may_pass(err))
		return; /* it counts another time */
	if (err == 0)
		session_merge(s, &one);
	(void)unlinkat(missed, name, 0);
}

void store_take_missed(int dir, struct bytes session, struct session *s)
{
	CLEANUP(close_fdp) int missed = -1;
	char stem[STORE_NAME_SIZE];
	struct dirent *e;
	DIR *d;

	if (open_missed(dir, false, &missed) < 0)
		return;
	d = fdopendir(missed);
	if (d == NULL)
		return;
	store_name(session, ".", stem);
	for (int i = 0; i < STORE_MISSED_MAX && (e = readdir(d)) != NULL; i++) {
		size_t n = strlen(e->d_name);

		if (strncmp(e->d_name, stem, strlen(stem)) == 0 && (n < 4 || strcmp(e->d_name + n - 4, ".tmp") != 0))
			take_one(missed, e->d_name, s);
	}
	missed = -1;
	closedir(d);
	/* Gone when nothing else is in it; else another session's are waiting there. */
	(void)unlinkat(dir, missed_name, AT_REMOVEDIR);
}
