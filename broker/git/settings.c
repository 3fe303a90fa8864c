/* SPDX-License-Identifier: Apache-2.0 */
/* Every setting that git would read for a repository, in its order, includes where they stand (git-config(1)). */
#include <stdio.h>
#include <strings.h>

#include "broker/git/config_file.h"
#include "broker/git/repository.h"

enum { FILE_BYTES_MAX = 1024 * 1024, SETTINGS_MAX = 16 * 1024, INCLUDE_DEPTH = 10 /* config.c MAX_INCLUDE_DEPTH */ };

struct reading {
	const struct git_question *q;
	struct settings *s;
	struct want *w;
	const char *file; /* being read */
	bool own, conditional;
	unsigned int depth;
};

static int read_layer(struct reading *r, const char *path);

void settings_done(struct settings *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		free((void *)(uintptr_t)s->list[i].name.p);
	free(s->list);
	*s = (struct settings){ 0 };
}

static int append(struct reading *r, struct bytes name, struct bytes value, bool has_value)
{
	struct settings *s = r->s;
	char *p;

	if (s->n == SETTINGS_MAX)
		return want_refused(r->w, "there are too many settings");
	if (s->n == s->size) {
		uint32_t size = s->size > 0 ? 2 * s->size : 64;
		struct setting *list = realloc(s->list, size * sizeof(*list));

		if (list == NULL)
			return -ENOMEM;
		s->list = list;
		s->size = size;
	}
	p = malloc(name.len + value.len + 1);
	if (p == NULL)
		return -ENOMEM;
	memcpy(p, name.p, name.len);
	memcpy(p + name.len, value.p, value.len);
	s->list[s->n++] = (struct setting){ .name = { p, name.len }, .value = { p + name.len, value.len },
		.has_value = has_value, .own = r->own, .conditional = r->conditional };
	return 0;
}

/* The file that a value of include.path means: from the including file's directory; ~/ is the user's. */
static bool include_path(const struct reading *r, struct bytes value, char ret[PATH_MAX])
{
	char base[PATH_MAX];

	if (value.len == 0 || value.p[0] == '%')
		return false;
	if (value.p[0] == '~') {
		if (value.len < 2 || value.p[1] != '/' || r->q->home.len == 0)
			return false;
		snprintf(base, sizeof(base), "%.*s", (int)r->q->home.len, r->q->home.p);
		return join_path(ret, base, value.p + 2, value.len - 2);
	}
	snprintf(base, sizeof(base), "%s", r->file);
	*strrchr(base, '/') = '\0';
	return join_path(ret, base, value.p, value.len);
}

/*
 * A conditional file is read as well: what it says may hold. git leaves out a file that is not there, and gives up at
 * one that may not be read.
 */
static int follow(struct reading *outer, struct bytes value, bool conditional)
{
	struct reading r = *outer;
	char path[PATH_MAX];

	if (!include_path(outer, value, path)) {
		r.s->unknown = true;
		return 0;
	}
	r.depth++;
	r.conditional = r.conditional || conditional;
	if (r.depth > INCLUDE_DEPTH)
		return want_refused(r.w, "settings include one another");
	return read_layer(&r, path);
}

static int on_setting(void *data, struct bytes name, struct bytes value, bool has_value)
{
	static const char condition[] = "includeif.", last[] = ".path";
	struct reading *r = data;
	int rc = append(r, name, value, has_value);

	if (rc != 0)
		return rc;
	if (bytes_is(name, "include.path"))
		return follow(r, value, false);
	if (name.len > sizeof(condition) + sizeof(last) && memcmp(name.p, condition, sizeof(condition) - 1) == 0 &&
		memcmp(name.p + name.len - (sizeof(last) - 1), last, sizeof(last) - 1) == 0)
		return follow(r, value, true);
	return 0;
}

static int read_layer(struct reading *r, const char *path)
{
	CLEANUP(text_done) struct text t = { 0 };
	int rc = read_file(path, FILE_BYTES_MAX, GIT_GRANT_INCLUDE, r->w, &t);

	if (rc != 0)
		return rc == READ_MISSING ? 0 : rc;
	r->file = path;
	rc = config_file_parse((struct bytes){ t.p, t.len }, on_setting, r);
	return rc == -EINVAL ? want_refused(r->w, "a file of settings is not one that git reads") : rc;
}

const struct setting *settings_last(const struct settings *s, const char *name)
{
	for (uint32_t i = s->n; i > 0; i--)
		if (!s->list[i - 1].conditional && bytes_is(s->list[i - 1].name, name))
			return &s->list[i - 1];
	return NULL;
}

bool setting_is_true(const struct setting *s)
{
	static const char *const no[] = { "", "false", "no", "off", "0" };

	if (s == NULL)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(no) && s->has_value; i++)
		if (s->value.len == strlen(no[i]) && strncasecmp(s->value.p, no[i], s->value.len) == 0)
			return false;
	return true;
}

static int read_own(struct reading *r, const struct layout *l)
{
	char path[PATH_MAX];
	int rc;

	r->own = true;
	if (!join_path(path, l->common, "config", 6))
		return want_refused(r->w, "a path is too long");
	rc = read_layer(r, path);
	if (rc != 0 || !setting_is_true(settings_last(r->s, "extensions.worktreeconfig")))
		return rc;
	if (!join_path(path, l->git, "config.worktree", 15))
		return want_refused(r->w, "a path is too long");
	return read_layer(r, path);
}

int settings_read(const struct git_question *q, const struct granted *g, const struct layout *l, struct settings *ret,
	struct want *w)
{
	static const enum git_grant_kind order[] = { GIT_GRANT_SYSTEM, GIT_GRANT_XDG, GIT_GRANT_USER };
	CLEANUP(settings_done) struct settings s = { 0 };
	struct reading r = { .q = q, .s = &s, .w = w };
	int rc = 0;

	for (size_t k = 0; k < ARRAY_LEN(order); k++) {
		r.own = q->user_is_another && order[k] != GIT_GRANT_SYSTEM;
		for (uint32_t i = 0; i < g->n && rc == 0; i++)
			if (g->list[i].kind == order[k])
				rc = read_layer(&r, g->list[i].path);
	}
	if (rc == 0)
		rc = read_own(&r, l);
	if (rc != 0)
		return rc;
	*ret = s;
	s = (struct settings){ 0 };
	return 0;
}
