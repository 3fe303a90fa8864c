/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repositories inside this one: `git status` and its like look into those that the index lists (gitformat-index(5)), by
 * their own settings. Only the mode and the path of each entry are read.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/stat.h>

#include "broker/git/config_file.h"
#include "broker/git/repository.h"

enum {
	INDEX_BYTES_MAX = 128 * 1024 * 1024,
	CONFIG_BYTES_MAX = 1024 * 1024,
	GITLINKS_MAX = 64,
	GITLINK_MODE = 0160000,
	MODE_AT = 24, /* of an entry: ten numbers, the seventh of them the mode, then the object's name and the flags */
	NAME_AT = 40,
	EXTENDED = 0x4000,
};

static const uint32_t whatever = GIT_RUNS_FSMONITOR | GIT_RUNS_FILTER | GIT_RUNS_DIFF;

struct scan {
	const struct layout *l;
	struct bytes left;
	uint32_t version;
	size_t hash; /* bytes of an object's name */
	char path[PATH_MAX]; /* of the entry before: version 4 shortens by it */
	size_t path_len;
	uint32_t runs, links;
};

static uint32_t number(const char *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return ntohl(n);
}

static int on_setting(void *data, struct bytes name, struct bytes value, bool has_value)
{
	uint32_t *runs = data;

	*runs |= git_runs_by(name, value, has_value);
	if (name.len > 7 && memcmp(name.p, "include", 7) == 0)
		*runs |= whatever;
	return 0;
}

/* Settings of the repository at this path. A .git file leads to .git/modules, which is looked through as a whole. */
static uint32_t runs_inside(const struct layout *l, const char *path)
{
	CLEANUP(text_done) struct text t = { 0 };
	char whole[PATH_MAX], config[PATH_MAX];
	struct want ignored;
	struct stat st;
	uint32_t runs = 0;
	int rc;

	if (!join_path(whole, l->root, path, strlen(path)) || !join_path(config, whole, ".git", 4))
		return whatever;
	if (lstat(config, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : whatever;
	if (S_ISREG(st.st_mode)) {
		char real[PATH_MAX], modules[PATH_MAX];

		rc = read_file(config, PATH_MAX, GIT_GRANT_INCLUDE, &ignored, &t);
		if (rc != 0 || t.len < 9 || memcmp(t.p, "gitdir: ", 8) != 0)
			return whatever;
		t.p[strcspn(t.p, "\r\n")] = '\0';
		if (!join_path(config, whole, t.p + 8, strlen(t.p + 8)) || realpath(config, real) == NULL ||
			!join_path(modules, l->common, "modules", 7))
			return whatever;
		return is_within(real, modules) ? 0 : whatever;
	}
	if (!S_ISDIR(st.st_mode) || !join_path(config, whole, ".git/config", 11))
		return whatever;
	rc = read_file(config, CONFIG_BYTES_MAX, GIT_GRANT_INCLUDE, &ignored, &t);
	if (rc == READ_MISSING)
		return 0;
	if (rc != 0 || config_file_parse((struct bytes){ t.p, t.len }, on_setting, &runs) != 0)
		return whatever;
	return runs & whatever;
}

static bool skip(struct scan *s, size_t n)
{
	if (n > s->left.len)
		return false;
	s->left = (struct bytes){ s->left.p + n, s->left.len - n };
	return true;
}

/* How much of the path before is dropped: seven bits a byte, as in packs. */
static bool take_shortening(struct scan *s, size_t *ret)
{
	size_t value = 0;

	for (bool first = true;; first = false) {
		unsigned char c;

		if (s->left.len == 0 || value > PATH_MAX)
			return false;
		c = (unsigned char)s->left.p[0];
		skip(s, 1);
		value = first ? c & 0x7f : ((value + 1) << 7) | (c & 0x7f);
		if ((c & 0x80) == 0)
			break;
	}
	*ret = value;
	return true;
}

/* The path that begins here and ends in a NUL; `fixed` bytes of the entry came before it. */
static bool take_path(struct scan *s, size_t fixed)
{
	size_t keep = 0, dropped, n;
	const char *end;

	if (s->version == 4) {
		if (!take_shortening(s, &dropped) || dropped > s->path_len)
			return false;
		keep = s->path_len - dropped;
	}
	end = memchr(s->left.p, '\0', s->left.len);
	n = end != NULL ? (size_t)(end - s->left.p) : 0;
	if (end == NULL || n == 0 || keep + n >= sizeof(s->path))
		return false;
	memcpy(s->path + keep, s->left.p, n);
	s->path_len = keep + n;
	s->path[s->path_len] = '\0';
	/* Before version 4 an entry is filled up with NULs, one at least, to a multiple of eight. */
	return skip(s, s->version == 4 ? n + 1 : n + 8 - (fixed + n) % 8);
}

static bool take_entry(struct scan *s)
{
	size_t fixed = NAME_AT + s->hash + 2;
	uint32_t mode;

	if (s->left.len < fixed + 2)
		return false;
	mode = number(s->left.p + MODE_AT);
	if (s->version >= 3 && ((unsigned char)s->left.p[NAME_AT + s->hash] & (EXTENDED >> 8)) != 0)
		fixed += 2;
	if (!skip(s, fixed) || !take_path(s, fixed))
		return false;
	if (mode == GITLINK_MODE)
		s->runs |= ++s->links > GITLINKS_MAX ? whatever : runs_inside(s->l, s->path);
	return true;
}

/* The entries of a split index stand in another file, which an extension names. */
static bool is_split(struct scan *s)
{
	while (s->left.len >= 8 + s->hash) {
		uint32_t size = number(s->left.p + 4);

		if (memcmp(s->left.p, "link", 4) == 0)
			return true;
		if (!skip(s, 8) || !skip(s, size))
			return true;
	}
	return false;
}

uint32_t gitlink_runs(const struct layout *l, bool sha256)
{
	CLEANUP(text_done) struct text t = { 0 };
	CLEANUP(freep) struct scan *s = calloc(1, sizeof(*s));
	struct want ignored;
	char path[PATH_MAX];
	uint32_t n;
	int rc;

	if (s == NULL || !join_path(path, l->git, "index", 5))
		return whatever;
	rc = read_file(path, INDEX_BYTES_MAX, GIT_GRANT_INCLUDE, &ignored, &t);
	if (rc == READ_MISSING)
		return 0;
	if (rc != 0 || t.len < 12 || memcmp(t.p, "DIRC", 4) != 0)
		return whatever;
	*s = (struct scan){ .l = l, .left = { t.p + 12, t.len - 12 }, .version = number(t.p + 4), .hash = sha256 ? 32 : 20 };
	if (s->version < 2 || s->version > 4)
		return whatever;
	n = number(t.p + 8);
	for (uint32_t i = 0; i < n; i++)
		if (!take_entry(s))
			return whatever;
	return s->runs | (is_split(s) ? whatever : 0);
}
