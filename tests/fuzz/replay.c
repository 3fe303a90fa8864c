/* SPDX-License-Identifier: Apache-2.0 */
/* A main for a fuzz target where there is no libFuzzer: every file of a corpus directory, whole and damaged. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "policy/base.h"

enum {
	INPUT_MAX = 1 << 20,
	DAMAGED_MAX = 4096, /* larger inputs are there for their size, and are run once */
	DAMAGED_RUNS = 48,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* xorshift64: the same damage in every run, so that a failure can be repeated. */
static uint32_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (uint32_t)(*state >> 32);
}

/* A copy of exactly this size, so that a sanitizer sees a read past the end. */
static int run_one(const uint8_t *p, size_t len)
{
	CLEANUP(freep) uint8_t *copy = malloc(len ? len : 1);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, p, len);
	(void)LLVMFuzzerTestOneInput(copy, len);
	return 0;
}

static int run_damaged(const uint8_t *p, size_t len)
{
	CLEANUP(freep) uint8_t *copy = malloc(len);
	uint64_t state = 0x9e3779b97f4a7c15u ^ len;
	int r = 0;

	if (!copy)
		return -ENOMEM;
	for (int i = 0; i < DAMAGED_RUNS && r == 0; i++) {
		size_t cut = next_random(&state) % len + 1;
		size_t edits = next_random(&state) % 4;

		memcpy(copy, p, len);
		for (size_t k = 0; k < edits; k++)
			copy[next_random(&state) % cut] = (uint8_t)next_random(&state);
		r = run_one(copy, cut);
	}
	return r;
}

static int run_file(int dir, const char *name)
{
	CLEANUP(close_fdp) int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	CLEANUP(freep) uint8_t *data = NULL;
	struct stat st;
	ssize_t n;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size > INPUT_MAX)
		return -EINVAL;
	data = malloc((size_t)st.st_size + 1);
	if (!data)
		return -ENOMEM;
	n = read(fd, data, (size_t)st.st_size + 1);
	if (n != st.st_size)
		return n < 0 ? -errno : -EIO;
	r = run_one(data, (size_t)n);
	if (r == 0 && n > 0 && n <= DAMAGED_MAX)
		r = run_damaged(data, (size_t)n);
	return r;
}

static int replay(const char *path, unsigned *ret_files)
{
	struct dirent **entries = NULL;
	CLEANUP(close_fdp) int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int n = dir < 0 ? -1 : scandir(path, &entries, NULL, alphasort);
	unsigned files = 0;
	int r = 0;

	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		if (r == 0 && entries[i]->d_name[0] != '.') {
			r = run_file(dir, entries[i]->d_name);
			if (r < 0)
				fprintf(stderr, "%s/%s: %s\n", path, entries[i]->d_name, strerror(-r));
			files++;
		}
		free(entries[i]);
	}
	free(entries);
	if (r == 0)
		*ret_files = files;
	return r;
}

int main(int argc, char **argv)
{
	unsigned total = 0;

	for (int i = 1; i < argc; i++) {
		unsigned files = 0;
		int r = replay(argv[i], &files);

		if (r < 0) {
			fprintf(stderr, "%s: %s\n", argv[i], strerror(-r));
			return 1;
		}
		total += files;
	}
	printf("%u inputs, each with up to %d damaged copies\n", total, DAMAGED_RUNS);
	if (total == 0) {
		fputs("an empty corpus tests nothing\n", stderr);
		return 1;
	}
	return 0;
}
