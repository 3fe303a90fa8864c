/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the links in a tree lead. A copy that follows them (cp -L, zip -r, tar -h, rsync -L) takes along what they
 * point to, wherever that lies. Directories are listed, no file is opened, and no link to one is descended into:
 * the place it leads to is told, and what lies below it is the caller's to doubt.
 */
#include <dirent.h>
#include <fcntl.h>

#include "broker/evidence/internal.h"
#include "policy/paths/paths.h"

enum { ENTRIES_MAX = 16384, DEPTH_MAX = 32, LINKS_MAX = 256 };

struct links {
	struct evidence *e;
	const struct workspace *w;
	uint32_t facts, entries, links;
	bool too_much; /* more than is looked at, or somewhere that is not looked into */
};

static void add_link(struct links *s, const char *path)
{
	struct bytes home = { s->e->real_home, s->e->real_home_len }, real;
	struct resolved r;

	resolve_path(s->e->mounts, path, false, &r);
	real = (struct bytes){ r.real, r.real_len };
	/* A link to nothing is not copied, but may lead somewhere by then. */
	if (++s->links > LINKS_MAX || r.remote || r.unreadable || r.type == PATH_UNKNOWN || r.type == PATH_LINK_BROKEN)
		s->too_much = true;
	if (s->too_much)
		return;
	s->facts |= location_facts(s->e, s->w, (struct bytes){ path, strlen(path) }, &r);
	if (in_denied_zone(s->e, real))
		s->facts |= FACT_SECRET;
	if (r.type == PATH_DIRECTORY && (path_holds_secret(real) || path_within(home, real)))
		s->facts |= FACT_SECRET;
}

static void walk(struct links *s, const char *dir, unsigned int depth)
{
	int fd = depth > DEPTH_MAX ? -1 : open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;

	if (d == NULL) {
		s->too_much = true;
		if (fd >= 0)
			close(fd);
		return;
	}
	while (!s->too_much && (entry = readdir(d)) != NULL) {
		char path[RESOLVE_PATH_MAX];
		size_t n = strlen(dir), m = strlen(entry->d_name);

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (++s->entries > ENTRIES_MAX || n + m + 2 > sizeof(path) || entry->d_type == DT_UNKNOWN) {
			s->too_much = true;
			break;
		}
		if (entry->d_type != DT_LNK && entry->d_type != DT_DIR)
			continue;
		memcpy(path, dir, n);
		path[n] = '/';
		memcpy(path + n + 1, entry->d_name, m + 1);
		if (entry->d_type == DT_LNK)
			add_link(s, path);
		else
			walk(s, path, depth + 1);
	}
	closedir(d);
}

int answer_links(struct evidence *e, const struct question *q, struct answer *ret)
{
	struct links s = { .e = e, .w = workspace_of(e, q->extra) };
	struct resolved r;
	int err = answer_path_resolved(e, q, ret, &r);

	if (err < 0 || ret->status != ANSWER_KNOWN)
		return err;
	if (r.remote)
		s.too_much = true;
	else if (r.type == PATH_DIRECTORY)
		walk(&s, r.real, 0);
	if (s.too_much) {
		evidence_answer_done(ret);
		*ret = (struct answer){ .kind = q->kind, .status = ANSWER_UNKNOWN };
		return 0;
	}
	/* The place's own facts, and what guards the places that its links lead to. */
	ret->size = s.links;
	ret->facts |= s.facts & (FACT_SECRET | FACT_GATE | FACT_REMOTE_FS);
	return 0;
}
