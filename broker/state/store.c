/* SPDX-License-Identifier: Apache-2.0 */
/* Session files in one private directory. */
#include "broker/state/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "broker/state/private.h"
#include "policy/wire/channel.h"

enum { STEM_HEX = 32 };

static const char lock_name[] = ".lock";
static const char swept_name[] = ".swept";

void store_name(struct bytes session, const char *suffix, char name[STORE_NAME_SIZE])
{
	struct key k = key_of_bytes(session);

	(void)snprintf(name, STORE_NAME_SIZE, "%.*s%s", STEM_HEX, k.hex, suffix);
}

int store_lock(int dir, int *ret_fd)
{
	CLEANUP(close_fdp) int fd = -1;
	uint64_t until = clock_ms() + STORE_LOCK_MS;
	int err = private_open(dir, lock_name, O_RDWR | O_CREAT, &fd);

	if (err < 0)
		return err;
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		/* There is no lock with a time limit; a signal for it would be the only one this process handles. */
		const struct timespec pause = { .tv_nsec = 1000000 };

		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (clock_ms() >= until)
			return STORE_BUSY;
		(void)nanosleep(&pause, NULL);
	}
	*ret_fd = TAKE_FD(fd);
	return 0;
}

static int read_file(int fd, struct textbuf *b)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_size > SESSION_FILE_MAX)
		return -EFBIG;
	if (!textbuf_reserve(b, (size_t)st.st_size))
		return -ENOMEM;
	while (b->len < (size_t)st.st_size) {
		ssize_t n = read(fd, b->p + b->len, (size_t)st.st_size - b->len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		b->len += (size_t)n;
	}
	return 0;
}

static void set_aside(int dir, const char *name)
{
	char aside[STORE_NAME_SIZE * 2];
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)snprintf(aside, sizeof(aside), "%s.corrupt-%lld%09ld", name, (long long)now.tv_sec, now.tv_nsec);
	/* A link, FIFO or directory in its place is moved out of the way just the same. */
	(void)renameat(dir, name, dir, aside);
}

int store_read(int dir, const char *name, struct session *ret)
{
	CLEANUP(textbuf_done) struct textbuf text = { 0 };
	CLEANUP(close_fdp) int fd = -1;
	int err = private_open(dir, name, O_RDONLY, &fd);

	if (err == 0)
		err = read_file(fd, &text);
	return err < 0 ? err : session_parse(textbuf_bytes(&text), ret);
}

bool store_may_pass(int err)
{
	static const int passing[] = { ENOMEM, EIO, EMFILE, ENFILE, EINTR, EAGAIN };

	for (size_t i = 0; i < ARRAY_LEN(passing); i++)
		if (err == -passing[i])
			return true;
	return false;
}

int store_load(int dir, struct bytes session, bool locked, struct session *ret)
{
	char name[STORE_NAME_SIZE];
	int err;

	store_name(session, ".json", name);
	err = store_read(dir, name, ret);
	if (err == 0 || store_may_pass(err))
		return err;
	if (locked && err != -ENOENT)
		set_aside(dir, name);
	return STORE_MISSING;
}

int store_replace(int dir, const char *name, const struct session *s)
{
	CLEANUP(textbuf_done) struct textbuf text = { 0 };
	CLEANUP(close_fdp) int fd = -1;
	char temporary[STORE_NAME_SIZE];
	int err, n = snprintf(temporary, sizeof(temporary), "%s.%ld.tmp", name, (long)getpid());

	if (n < 0 || (size_t)n >= sizeof(temporary))
		return -ENAMETOOLONG;
	session_format(s, &text);
	if (text.failed)
		return -ENOMEM;
	err = private_open(dir, temporary, O_WRONLY | O_CREAT | O_EXCL, &fd);
	if (err == -EEXIST) {
		/* Left by a process that had our number and died: nobody else writes under it. */
		(void)unlinkat(dir, temporary, 0);
		err = private_open(dir, temporary, O_WRONLY | O_CREAT | O_EXCL, &fd);
	}
	if (err < 0)
		return err;
	err = write_all(fd, text.p, text.len);
	if (err == 0 && renameat(dir, temporary, dir, name) < 0)
		err = -errno;
	if (err < 0)
		(void)unlinkat(dir, temporary, 0);
	return err;
}

int store_save(int dir, struct bytes session, const struct session *s)
{
	char name[STORE_NAME_SIZE];

	store_name(session, ".json", name);
	return store_replace(dir, name, s);
}

static bool is_old(int dir, const char *name, int64_t now, int64_t age)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && now / 1000 - st.st_mtim.tv_sec > age / 1000;
}

/* How long a file may lie untouched; 0: it is none of ours. */
static int64_t time_to_live(const char *name)
{
	if (strspn(name, "0123456789abcdef") != STEM_HEX || name[STEM_HEX] != '.')
		return 0;
	return strcmp(name + STEM_HEX, STORE_ORIGIN_SUFFIX) == 0 ? STORE_ORIGIN_DAYS * INT64_C(86400000) :
								   STORE_TTL_MS;
}

void store_sweep(int dir, int64_t now)
{
	CLEANUP(close_fdp) int stamp = -1, again = -1;
	struct stat st;
	struct dirent *e;
	DIR *d;

	if (fstatat(dir, swept_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && !is_old(dir, swept_name, now, STORE_SWEEP_MS))
		return;
	/* The stamp first: a directory that cannot be walked is not tried at every call. Writing sets its time. */
	if (private_open(dir, swept_name, O_WRONLY | O_CREAT, &stamp) < 0 || write_all(stamp, "\n", 1) < 0)
		return;
	again = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	d = again >= 0 ? fdopendir(again) : NULL;
	if (d == NULL)
		return;
	again = -1;
	for (int i = 0; i < STORE_SWEEP_MAX && (e = readdir(d)) != NULL; i++) {
		int64_t age = time_to_live(e->d_name);

		if (age > 0 && is_old(dir, e->d_name, now, age))
			(void)unlinkat(dir, e->d_name, 0);
	}
	closedir(d);
}
