/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a file name pattern matches now. The worker judges by the pattern's directory; this tells it when one of the
 * files is a link, or is guarded, so that the directory says too little. Directories are listed, no file is opened.
 */
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>

#include "broker/evidence/internal.h"

enum { ENTRIES_MAX = 16384, MATCHES_MAX = 512, PATTERN_DEPTH_MAX = 16 };

struct search {
	struct evidence *e;
	const struct workspace *w;
	uint32_t facts;
	uint32_t entries, matches;
	bool tree; /* behind `**`: hidden files are matched as others are */
	bool too_much; /* more than is looked at, or somewhere that is not looked into */
};

static bool has_wildcard(const char *p, size_t n)
{
	return memchr(p, '*', n) != NULL || memchr(p, '?', n) != NULL || memchr(p, '[', n) != NULL;
}

static void add_match(struct search *s, const char *path)
{
	struct resolved r;

	resolve_path(s->e->mounts, path, true, &r);
	if (r.type == PATH_MISSING || (r.type == PATH_LINK_BROKEN && !r.last_symlink))
		return;
	if (++s->matches > MATCHES_MAX || r.remote || r.unreadable || r.type == PATH_UNKNOWN) {
		s->too_much = true;
		return;
	}
	s->facts |= location_facts(s->e, s->w, (struct bytes){ path, strlen(path) }, &r);
	/* Kept from everybody as a secret is. */
	if (in_denied_zone(s->e, (struct bytes){ r.real, r.real_len }))
		s->facts |= FACT_SECRET;
	if (r.last_symlink || r.via_symlink)
		s->facts |= FACT_SYMLINK;
	if (r.type == PATH_FILE && r.links > 1)
		s->facts |= FACT_HARD_LINKED;
}

static void expand(struct search *s, const char *dir, const char *pattern, unsigned int depth);

/* One entry of a directory that the pattern's component fits. */
static void descend(struct search *s, const char *dir, const char *name, const char *rest, unsigned int depth)
{
	char path[RESOLVE_PATH_MAX];
	size_t n = strlen(dir), m = strlen(name);

	if (n + m + 2 > sizeof(path)) {
		s->too_much = true;
		return;
	}
	memcpy(path, dir, n);
	if (n > 1)
		path[n++] = '/';
	memcpy(path + n, name, m + 1);
	while (*rest == '/')
		rest++;
	if (*rest == '\0')
		add_match(s, path);
	else
		expand(s, path, rest, depth + 1);
}

static DIR *open_directory(struct search *s, const char *dir)
{
	struct resolved r;
	int fd;
	DIR *d;

	resolve_path(s->e->mounts, dir, false, &r);
	if (r.remote || r.unreadable)
		s->too_much = true;
	if (r.remote || r.type != PATH_DIRECTORY)
		return NULL;
	fd = open(r.real, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	d = fd >= 0 ? fdopendir(fd) : NULL;
	if (d == NULL) {
		s->too_much = true;
		if (fd >= 0)
			close(fd);
	}
	return d;
}

/* `** /rest`, without the blank: here, and in every directory below that no link leads to. */
static void expand_tree(struct search *s, const char *dir, const char *pattern, const char *rest, unsigned int depth)
{
	struct dirent *entry;
	DIR *d;

	s->tree = true;
	expand(s, dir, rest, depth + 1);
	d = open_directory(s, dir);
	while (d != NULL && !s->too_much && (entry = readdir(d)) != NULL) {
		if (++s->entries > ENTRIES_MAX)
			s->too_much = true;
		else if (entry->d_type == DT_UNKNOWN)
			s->too_much = true;
		else if (entry->d_type == DT_DIR && strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			descend(s, dir, entry->d_name, pattern, depth);
	}
	if (d != NULL)
		closedir(d);
}

static void expand(struct search *s, const char *dir, const char *pattern, unsigned int depth)
{
	size_t n = strcspn(pattern, "/");
	char component[256];
	struct dirent *entry;
	DIR *d;

	if (n >= sizeof(component) || depth > PATTERN_DEPTH_MAX) {
		s->too_much = true;
		return;
	}
	memcpy(component, pattern, n);
	component[n] = '\0';
	if (strcmp(component, "**") == 0 && pattern[n] == '/') {
		expand_tree(s, dir, pattern, pattern + n + 1, depth);
		return;
	}
	if (!has_wildcard(component, n)) {
		descend(s, dir, component, pattern + n, depth);
		return;
	}
	d = open_directory(s, dir);
	while (d != NULL && !s->too_much && (entry = readdir(d)) != NULL) {
		if (++s->entries > ENTRIES_MAX)
			s->too_much = true;
		else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
			fnmatch(component, entry->d_name, (s->tree ? 0 : FNM_PERIOD) | FNM_NOESCAPE) == 0)
			descend(s, dir, entry->d_name, pattern + n, depth);
	}
	if (d != NULL)
		closedir(d);
}

int answer_glob(struct evidence *e, const struct question *q, struct answer *ret)
{
	struct search s = { .e = e, .w = workspace_of(e, q->extra) };
	char base[RESOLVE_PATH_MAX], pattern[RESOLVE_PATH_MAX];
	const char *at = pattern;

	memcpy(pattern, q->text.p, q->text.len);
	pattern[q->text.len] = '\0';
	if (pattern[0] == '/') {
		memcpy(base, "/", 2);
		while (*at == '/')
			at++;
	} else {
		if (q->base.len >= sizeof(base))
			return 0;
		memcpy(base, q->base.p, q->base.len);
		base[q->base.len] = '\0';
	}
	expand(&s, base, at, 0);
	if (s.too_much)
		return 0;
	ret->status = ANSWER_KNOWN;
	ret->type = s.matches > 0 ? PATH_FILE : PATH_MISSING;
	ret->facts = s.facts;
	ret->size = s.matches;
	return 0;
}
