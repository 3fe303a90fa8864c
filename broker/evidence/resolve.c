/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk of path_resolution(7), one openat(O_PATH | O_NOFOLLOW) a component: nothing is opened for reading, a link is
 * read and followed by hand, and a file system that may hang is recognised before anything below it is asked for.
 */
#include "broker/evidence/resolve.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "broker/evidence/mounts.h"

struct walk {
	const struct mounts *mounts;
	struct resolved *r;
	int dir; /* O_PATH of the directory reached */
	char left[2 * RESOLVE_PATH_MAX]; /* what is still to be walked, links put in front */
	size_t left_len;
	unsigned int hops;
};

enum step { STEP_ON, STEP_END };

static bool append(struct resolved *r, const char *name, size_t len)
{
	size_t slash = r->real_len > 1 ? 1 : 0;

	if (len == 0)
		return true;
	if (r->real_len + slash + len >= sizeof(r->real))
		return false;
	if (slash != 0)
		r->real[r->real_len++] = '/';
	memcpy(r->real + r->real_len, name, len);
	r->real_len += len;
	r->real[r->real_len] = '\0';
	return true;
}

static void pop(struct resolved *r)
{
	while (r->real_len > 1 && r->real[r->real_len - 1] != '/')
		r->real_len--;
	if (r->real_len > 1)
		r->real_len--;
	r->real[r->real_len] = '\0';
}

/* What is left is joined on by text: nothing of it exists, or nobody may look. */
static void join_rest(struct walk *w, const char *first, size_t first_len)
{
	bool fits = append(w->r, first, first_len);

	for (size_t at = 0; at < w->left_len && fits;) {
		size_t n = 0;

		while (at + n < w->left_len && w->left[at + n] != '/')
			n++;
		if (n == 2 && memcmp(w->left + at, "..", 2) == 0)
			pop(w->r);
		else if (n > 0 && !(n == 1 && w->left[at] == '.'))
			fits = append(w->r, w->left + at, n);
		at += n + 1;
	}
	if (!fits)
		w->r->type = PATH_UNKNOWN;
}

/* The first component of what is left, taken off it. False: there is none. */
static bool take_component(struct walk *w, char *name, size_t size, size_t *ret_len)
{
	size_t skip = 0, n = 0;

	while (skip < w->left_len && w->left[skip] == '/')
		skip++;
	while (skip + n < w->left_len && w->left[skip + n] != '/')
		n++;
	if (n == 0 || n >= size) {
		*ret_len = n;
		return false;
	}
	memcpy(name, w->left + skip, n);
	name[n] = '\0';
	*ret_len = n;
	w->left_len -= skip + n;
	memmove(w->left, w->left + skip + n, w->left_len);
	return true;
}

static bool only_slashes(const struct walk *w)
{
	for (size_t i = 0; i < w->left_len; i++)
		if (w->left[i] != '/')
			return false;
	return true;
}

static int replace_dir(struct walk *w, int fd)
{
	if (w->dir >= 0)
		close(w->dir);
	w->dir = fd;
	return fd;
}

static enum path_type type_of(mode_t mode)
{
	if (S_ISREG(mode))
		return PATH_FILE;
	if (S_ISDIR(mode))
		return PATH_DIRECTORY;
	return S_ISLNK(mode) ? PATH_LINK_BROKEN : PATH_SPECIAL;
}

/* Type, identity and mount of a descriptor, from what the kernel has at hand: nothing is asked of a server. */
static bool look(struct walk *w, int fd, struct resolved *r)
{
	struct statx x;

	if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS | STATX_MNT_ID, &x) < 0)
		return false;
	r->remote = mount_is_remote(w->mounts, (x.stx_mask & STATX_MNT_ID) != 0, x.stx_mnt_id, fd);
	r->mode = x.stx_mode;
	r->dev = ((dev_t)x.stx_dev_major << 32) | x.stx_dev_minor;
	r->ino = x.stx_ino;
	r->uid = x.stx_uid;
	r->links = x.stx_nlink;
	r->size = x.stx_size;
	r->type = type_of(r->mode);
	return true;
}

static enum step give_up(struct walk *w, const char *name, size_t len, int error)
{
	struct resolved *r = w->r;

	r->type = error == ENOENT || error == ENOTDIR ? PATH_MISSING : PATH_UNKNOWN;
	r->unreadable = r->type == PATH_UNKNOWN;
	join_rest(w, name, len);
	return STEP_END;
}

static enum step follow(struct walk *w, int link)
{
	char text[RESOLVE_PATH_MAX];
	ssize_t n = readlinkat(link, "", text, sizeof(text));

	if (n <= 0 || (size_t)n >= sizeof(text) || ++w->hops > RESOLVE_HOPS_MAX ||
		w->left_len + (size_t)n + 1 > sizeof(w->left)) {
		w->r->type = PATH_LINK_BROKEN;
		return STEP_END;
	}
	memmove(w->left + n + 1, w->left, w->left_len);
	memcpy(w->left, text, (size_t)n);
	w->left[n] = '/';
	w->left_len += (size_t)n + 1;
	if (text[0] != '/')
		return STEP_ON;
	w->r->real_len = 1;
	w->r->real[1] = '\0';
	return replace_dir(w, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)) >= 0 ? STEP_ON : STEP_END;
}

static enum step step_up(struct walk *w)
{
	int fd = openat(w->dir, "..", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return give_up(w, "..", 2, errno);
	replace_dir(w, fd);
	pop(w->r);
	return look(w, fd, w->r) && !w->r->remote ? STEP_ON : STEP_END;
}

static enum step step_into(struct walk *w, const char *name, size_t len, bool entry)
{
	CLEANUP(close_fdp) int fd = openat(w->dir, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	bool last = w->left_len == 0, at_end = only_slashes(w);

	if (fd < 0)
		return give_up(w, name, len, errno);
	if (!look(w, fd, w->r))
		return give_up(w, name, len, errno);
	if (S_ISLNK(w->r->mode) && !w->r->remote && !(entry && last)) {
		w->r->via_symlink = true;
		w->r->last_symlink = w->r->last_symlink || at_end;
		return follow(w, fd);
	}
	if (!append(w->r, name, len)) {
		w->r->type = PATH_UNKNOWN;
		return STEP_END;
	}
	if (S_ISLNK(w->r->mode))
		w->r->last_symlink = true;
	if (w->r->remote) {
		join_rest(w, "", 0);
		return STEP_END;
	}
	if (at_end)
		return STEP_END;
	if (w->r->type != PATH_DIRECTORY) {
		w->r->type = PATH_MISSING;
		join_rest(w, "", 0);
		return STEP_END;
	}
	replace_dir(w, TAKE_FD(fd));
	return STEP_ON;
}

void resolve_path(const struct mounts *m, const char *path, bool entry, struct resolved *ret)
{
	struct walk w = { .mounts = m, .r = ret, .left_len = strlen(path) };
	char name[256];
	size_t n;

	*ret = (struct resolved){ .type = PATH_UNKNOWN, .real = "/", .real_len = 1 };
	if (w.left_len >= RESOLVE_PATH_MAX)
		return;
	memcpy(w.left, path, w.left_len);
	w.dir = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (w.dir < 0 || !look(&w, w.dir, ret)) {
		ret->type = PATH_UNKNOWN;
		w.left_len = 0;
	}
	while (take_component(&w, name, sizeof(name), &n)) {
		enum step s = STEP_ON;

		if (n == 2 && memcmp(name, "..", 2) == 0)
			s = step_up(&w);
		else if (n != 1 || name[0] != '.')
			s = step_into(&w, name, n, entry);
		if (s == STEP_END)
			break;
	}
	if (n >= sizeof(name)) /* longer than any file system allows: it is not there, whatever it is */
		ret->type = PATH_MISSING;
	if (w.dir >= 0)
		close(w.dir);
}
