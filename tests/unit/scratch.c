/* SPDX-License-Identifier: Apache-2.0 */
/* Made with mkdtemp(3), removed by a walk from the leaves up that follows no link. */
#include "tests/unit/scratch.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { OPEN_AT_ONCE = 16 };

void scratch_make(const char *prefix, char ret[static SCRATCH_SIZE])
{
	char name[PATH_MAX], real[PATH_MAX];

	assert_in_range(snprintf(name, sizeof(name), "%s-XXXXXX", prefix), 1, sizeof(name) - 1);
	assert_non_null(mkdtemp(name));
	assert_non_null(realpath(name, real));
	assert_in_range(strlen(real), 1, SCRATCH_SIZE - 1);
	memcpy(ret, real, strlen(real) + 1);
}

void scratch_put(const char *top, const char *name, const void *text, size_t len)
{
	char path[PATH_MAX];
	int fd;

	assert_in_range(snprintf(path, sizeof(path), "%s/%s", top, name), 1, sizeof(path) - 1);
	for (char *p = strchr(path + 1, '/'); p != NULL; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdir(path, 0700) < 0)
			assert_int_equal(errno, EEXIST);
		*p = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	close(fd);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

int scratch_remove(const char *top)
{
	return nftw(top, remove_one, OPEN_AT_ONCE, FTW_DEPTH | FTW_PHYS);
}
