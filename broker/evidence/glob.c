/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a file name pattern matches now. The worker judges by the pattern's directory; this tells it when one of the
 * files is a link, or is guarded, so that the directory says too little. Directories are listed, no file is opened.
 */
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include "broker/evidence/internal.h"

enum { ENTRIES_MAX = 64 * 1024 /* a decision */, MATCHES_MAX = 4096, FILES_MAX = 16384, PATTERN_DEPTH_MAX = 24 };

struct search {
	struct evidence *e;
	const struct workspace *w;
	uint32_t facts;
	uint32_t matches; /* that were looked at */
	uint32_t files; /* matches below `**` that are told by their names */
	bool visible; /* hidden files and directories are left out, everywhere */
	bool tracked; /* and what lies in .git */
	bool tree; /* behind `**`: hidden files are matched as others are */
	bool too_much; /* more than is looked at, or somewhere that is not looked into */
};

static bool has_wildcard(const char *p, size_t n)
{
	return memchr(p, '*', n) != NULL || memchr(p, '?', n) != NULL || memchr(p, '[', n) != NULL;
}

/* A link that leads to something else of the same workspace is no more than that, whatever is done through it. */
static void add_target(struct search *s, const char *path)
{
	struct resolved r;
	uint32_t facts;

	resolve_path(s->e->mounts, path, false, &r);
	if (r.type == PATH_MISSING || r.type == PATH_LINK_BROKEN || r.type == PATH_UNKNOWN || r.remote ||
		r.unreadable) {
		s->facts |= FACT_SYMLINK;
		return;
	}
	facts = location_facts(s->e, s->w, (struct bytes){ r.real, r.real_len }, &r);
	s->facts |= facts;
	if (in_denied_zone(s->e, (struct bytes){ r.real, r.real_len }))
		s->facts |= FACT_SECRET;
	if ((facts & FACT_IN_WORKSPACE) == 0 || (facts & FACT_WORKSPACE_ROOT) != 0)
		s->facts |= FACT_SYMLINK;
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
	if (r.last_symlink)
		add_target(s, path);
	else if (r.via_symlink)
		s->facts |= FACT_SYMLINK;
	if (r.type == PATH_FILE && r.links > 1)
		s->facts |= FACT_HARD_LINKED;
}

/* An ordinary file in a tree that was walked without a link: it lies where it is found. */
static void add_file(struct search *s, const char *path)
{
	struct resolved r = { .type = PATH_FILE };
	size_t n = strlen(path);
	struct stat st;

	if (++s->files > FILES_MAX || n >= sizeof(r.real) || lstat(path, &st) < 0 || !S_ISREG(st.st_mode)) {
		s->too_much = true;
		return;
	}
	r.links = st.st_nlink;
	if (r.links > 1)
		s->facts |= FACT_HARD_LINKED;
	memcpy(r.real, path, n + 1);
	r.real_len = n;
	s->facts |= location_facts(s->e, s->w, (struct bytes){ path, n }, &r);
	if (in_denied_zone(s->e, (struct bytes){ path, n }))
		s->facts |= FACT_SECRET;
}

static void expand(struct search *s, const char *dir, const char *pattern, unsigned int depth);

/* One entry of a directory that the pattern's component fits. */
static void descend(struct search *s, const char *dir, const char *name, unsigned char type, const char *rest,
	unsigned int depth)
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
	if (*rest == '\0' && s->tree && type == DT_REG)
		add_file(s, path);
	else if (*rest == '\0')
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

static bool is_entered(const struct search *s, const char *name)
{
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	return name[0] != '.' || !(s->visible || (s->tracked && strcmp(name, ".git") == 0));
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
		if (++s->e->entries_listed > ENTRIES_MAX)
			s->too_much = true;
		else if (entry->d_type == DT_UNKNOWN)
			s->too_much = true;
		else if (entry->d_type == DT_DIR && is_entered(s, entry->d_name))
			descend(s, dir, entry->d_name, DT_DIR, pattern, depth);
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
		descend(s, dir, component, DT_UNKNOWN, pattern + n, depth);
		return;
	}
	d = open_directory(s, dir);
	while (d != NULL && !s->too_much && (entry = readdir(d)) != NULL) {
		if (++s->e->entries_listed > ENTRIES_MAX)
			s->too_much = true;
		else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
			fnmatch(component, entry->d_name,
				(s->tree && !s->visible ? 0 : FNM_PERIOD) | FNM_NOESCAPE) == 0)
			descend(s, dir, entry->d_name, entry->d_type, pattern + n, depth);
	}
	if (d != NULL)
		closedir(d);
}

int answer_glob(struct evidence *e, const struct question *q, struct answer *ret)
{
	struct search s = { .e = e, .w = workspace_of(e, q->extra), .visible = q->kind == ASK_GLOB_VISIBLE,
		.tracked = q->kind == ASK_GLOB_TRACKED };
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
	ret->type = s.matches + s.files > 0 ? PATH_FILE : PATH_MISSING;
	ret->facts = s.facts;
	ret->size = (uint64_t)s.matches + s.files;
	return 0;
}
