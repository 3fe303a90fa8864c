/* SPDX-License-Identifier: Apache-2.0 */
/* Finding, reading and merging the configuration's files. */
#include "broker/config_load.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

enum { CONFIG_FILE_MAX = 1024 * 1024 };

/* Whose file it may be, and who else may write it. */
struct trust {
	bool user; /* ours counts; else only the host's owner's */
	uid_t host_owner;
	mode_t forbidden; /* mode bits that may not be set */
};

static const char *distrust(const struct stat *st, const struct trust *trust)
{
	if (S_ISDIR(st->st_mode))
		return "is a directory";
	if (!S_ISREG(st->st_mode))
		return "is no regular file";
	if (st->st_uid != trust->host_owner && !(trust->user && st->st_uid == geteuid()))
		return trust->user ? "belongs to another user" : "does not belong to root";
	if (st->st_mode & trust->forbidden)
		return "may be written by others";
	if (st->st_size > CONFIG_FILE_MAX)
		return "is larger than 1 MiB";
	return NULL;
}

struct text {
	char *p;
	size_t len;
};

/* Literal keys may stand in it. */
static void text_wipe(struct text *t)
{
	if (t->p)
		explicit_bzero(t->p, t->len);
	free(t->p);
}

/* A file that has grown since it was looked at is being written. */
static int read_all(int fd, size_t size, struct text *ret)
{
	ssize_t n;

	ret->p = malloc(size + 1);
	if (!ret->p)
		return -ENOMEM;
	while (ret->len <= size) {
		n = read(fd, ret->p + ret->len, size + 1 - ret->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return 0;
		ret->len += (size_t)n;
	}
	return -EAGAIN;
}

enum read_outcome { READ_OK = 0, READ_ABSENT, READ_REFUSED };

/* The file's text, or why not. Links are followed: people keep their settings in a repository of dot-files. */
static int read_file(const char *path, const struct trust *trust, struct text *ret, const char **ret_why)
{
	CLEANUP(close_fdp) int fd = -1;
	struct stat st;
	int r;

	if (lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR))
		return READ_ABSENT;
	if (stat(path, &st) < 0) {
		*ret_why = errno == ENOENT ? "is a link to nothing" : strerror(errno);
		return READ_REFUSED;
	}
	*ret_why = distrust(&st, trust); /* before it is opened: opening a device can do something */
	if (*ret_why)
		return READ_REFUSED;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st) < 0) {
		*ret_why = strerror(errno);
		return READ_REFUSED;
	}
	*ret_why = distrust(&st, trust);
	if (*ret_why)
		return READ_REFUSED;
	r = read_all(fd, (size_t)st.st_size, ret);
	if (r == -ENOMEM)
		return r;
	if (r < 0) {
		*ret_why = r == -EAGAIN ? "was changed while it was read" : strerror(-r);
		return READ_REFUSED;
	}
	return READ_OK;
}

struct loader {
	const struct config_sources *s;
	struct config *c;
	struct config_files *files;
	bool trusted; /* variables that name files count */
};

static const char *variable(const struct config_sources *s, const char *name)
{
	size_t n = strlen(name);

	for (char *const *e = s->environment; e && *e; e++) {
		if (strncmp(*e, name, n) == 0 && (*e)[n] == '=' && (*e)[n + 1])
			return *e + n + 1;
	}
	return NULL;
}

static struct trust user_trust(const struct loader *l)
{
	return (struct trust){ .user = true, .host_owner = l->s->etc_owner, .forbidden = S_IWOTH };
}

static struct trust host_trust(const struct loader *l)
{
	return (struct trust){ .host_owner = l->s->etc_owner, .forbidden = S_IWGRP | S_IWOTH };
}

/* 0, READ_ABSENT when there is no such file, or -ENOMEM. */
static int merge_file(struct loader *l, enum config_layer layer, const char *path, struct trust trust, bool *ret_read)
{
	CLEANUP(text_wipe) struct text text = { 0 };
	const char *why;
	int r;

	*ret_read = false;
	r = read_file(path, &trust, &text, &why);
	if (r == READ_REFUSED)
		return config_file_failed(l->c, layer, path, why, true);
	if (r != READ_OK)
		return r;
	*ret_read = true;
	return config_merge_text(l->c, layer, path, text.p, text.len);
}

static int set_path(char **path, const char *directory, const char *name)
{
	free(*path);
	*path = NULL;
	if (!directory)
		*path = strdup(name);
	else if (asprintf(path, "%s/%s", directory, name) < 0)
		*path = NULL;
	return *path ? 0 : -ENOMEM;
}

static int merge_host(struct loader *l)
{
	const char *etc = l->s->etc ? l->s->etc : "/etc/auto-classifier";
	int r;

	r = set_path(&l->files->host, etc, "config.jsonc");
	if (r == 0)
		r = set_path(&l->files->floor, etc, "policy.jsonc");
	if (r == 0)
		r = merge_file(l, LAYER_HOST, l->files->host, host_trust(l), &l->files->host_read);
	return r == READ_ABSENT ? 0 : r;
}

static int merge_floor(struct loader *l)
{
	int r = merge_file(l, LAYER_FLOOR, l->files->floor, host_trust(l), &l->files->floor_read);

	return r == READ_ABSENT ? 0 : r;
}

static int warn(struct loader *l, const char *name, const char *why)
{
	return config_file_failed(l->c, LAYER_ENVIRONMENT, name, why, false);
}

/* A file that a variable names. READ_ABSENT: none does, or the usual places are next. */
static int merge_named(struct loader *l, const char *name, enum config_layer layer, char **path, bool *ret_read)
{
	const char *value = variable(l->s, name);
	int r;

	*ret_read = false;
	if (!value)
		return READ_ABSENT;
	if (!l->trusted) {
		r = warn(l, name, "does not count in a hook unless a file sets environment to \"trusted\"");
		return r < 0 ? r : READ_ABSENT;
	}
	r = set_path(path, NULL, value);
	if (r == 0)
		r = merge_file(l, layer, *path, user_trust(l), ret_read);
	if (r == READ_ABSENT) {
		r = warn(l, name, "names a file that does not exist");
		return r < 0 ? r : READ_ABSENT;
	}
	return r;
}

static int merge_user(struct loader *l)
{
	static const char *const names[] = { "config.jsonc", "config.json" };
	bool *read = &l->files->file_read;
	int r;

	if (l->s->config_path) {
		r = set_path(&l->files->file, NULL, l->s->config_path);
		if (r == 0)
			r = merge_file(l, LAYER_FILE, l->files->file, user_trust(l), read);
		if (r == READ_ABSENT)
			r = config_file_failed(l->c, LAYER_FILE, l->files->file, "does not exist", true);
		return r;
	}
	r = merge_named(l, "AUTO_CLASSIFIER_CONFIG", LAYER_FILE, &l->files->file, read);
	for (size_t i = 0; r == READ_ABSENT && i < ARRAY_LEN(names) && l->files->directory; i++) {
		r = set_path(&l->files->file, l->files->directory, names[i]);
		if (r == 0)
			r = merge_file(l, LAYER_FILE, l->files->file, user_trust(l), read);
	}
	if (r == READ_ABSENT && l->files->directory)
		r = set_path(&l->files->file, l->files->directory, names[0]); /* where one would be written */
	return r == READ_ABSENT ? 0 : r;
}

/* Does the path really lie below home? */
static bool below_home(const struct loader *l, const char *path)
{
	char real[PATH_MAX], home[PATH_MAX];
	size_t n;

	if (!l->s->home || !realpath(path, real) || !realpath(l->s->home, home))
		return false;
	n = strlen(home);
	return strncmp(real, home, n) == 0 && (real[n] == '/' || n == 1);
}

static int merge_overlay(struct loader *l)
{
	static const char name[] = "AUTO_CLASSIFIER_LOCAL_CONFIG";
	const char *value = variable(l->s, name);
	bool *read = &l->files->overlay_read;
	struct stat st;
	int r = READ_ABSENT;

	if (l->s->no_overlay)
		return 0;
	if (value && l->trusted && stat(value, &st) == 0 && !below_home(l, value))
		r = warn(l, name, "names a file outside the home directory and does not count");
	if (r == 0)
		r = READ_ABSENT;
	else if (r == READ_ABSENT)
		r = merge_named(l, name, LAYER_OVERLAY, &l->files->overlay, read);
	if (r != READ_ABSENT || !l->files->directory)
		return r == READ_ABSENT ? 0 : r;
	r = set_path(&l->files->overlay, l->files->directory, "local.jsonc");
	if (r == 0)
		r = merge_file(l, LAYER_OVERLAY, l->files->overlay, user_trust(l), read);
	return r == READ_ABSENT ? 0 : r;
}

static int merge_variables(struct loader *l)
{
	bool tighten_only = l->s->hook && !config_trusts_environment(l->c);
	char name[128];
	int r;

	for (char *const *e = l->s->environment; e && *e; e++) {
		const char *equals = strchr(*e, '=');
		size_t n = equals ? (size_t)(equals - *e) : 0;

		if (n == 0 || n >= sizeof(name))
			continue;
		memcpy(name, *e, n);
		name[n] = '\0';
		r = config_merge_variable(l->c, name, equals + 1, tighten_only);
		if (r < 0)
			return r;
	}
	for (char *const *e = l->s->other_names; e && *e; e++) {
		r = config_merge_variable(l->c, *e, NULL, tighten_only);
		if (r < 0)
			return r;
	}
	return 0;
}

static int merge_remotes(struct loader *l)
{
	CLEANUP(text_wipe) struct text text = { 0 };
	struct trust trust = user_trust(l);
	const char *why;
	int r;

	free(TAKE_PTR(l->files->remotes));
	r = config_remotes_file(l->c, &l->files->remotes);
	if (r < 0 || !l->files->remotes)
		return r;
	r = read_file(l->files->remotes, &trust, &text, &why);
	if (r < 0)
		return r;
	if (r == READ_ABSENT)
		why = "does not exist";
	if (r != READ_OK)
		return config_file_failed(l->c, LAYER_FILE, l->files->remotes, why, false);
	l->files->remotes_read = true;
	return config_merge_remotes(l->c, l->files->remotes, text.p, text.len);
}

/* Files in order of strength; the floor before the variables, since it may say how far those count. */
static int load_once(struct loader *l)
{
	static int (*const steps[])(struct loader *) = {
		merge_host, merge_user, merge_overlay, merge_floor, merge_variables, merge_remotes,
	};
	int r;

	config_free(TAKE_PTR(l->c));
	r = config_new(&l->c);
	if (r == 0)
		r = config_set_places(l->c, l->s->home, l->files->directory);
	for (size_t i = 0; r == 0 && i < ARRAY_LEN(steps); i++)
		r = steps[i](l);
	return r;
}

static bool variable_names_file(const struct config_sources *s)
{
	return variable(s, "AUTO_CLASSIFIER_CONFIG") || variable(s, "AUTO_CLASSIFIER_LOCAL_CONFIG");
}

int config_load(const struct config_sources *s, struct config **ret, struct config_files **ret_files)
{
	CLEANUP(config_files_freep) struct config_files *files = calloc(1, sizeof(*files));
	struct loader l = { .s = s, .files = files, .trusted = !s->hook };
	int r = files ? 0 : -ENOMEM;

	if (r == 0 && s->home && *s->home == '/')
		r = set_path(&files->directory, s->home, ".config/auto-classifier");
	if (r == 0)
		r = load_once(&l);
	/* only files at their usual places may say that the environment can name others */
	if (r == 0 && s->hook && variable_names_file(s) && config_trusts_environment(l.c)) {
		l.trusted = true;
		r = load_once(&l);
	}
	if (r == 0)
		r = config_finish(l.c);
	if (r < 0) {
		config_free(l.c);
		return r;
	}
	*ret = l.c;
	if (ret_files)
		*ret_files = TAKE_PTR(files);
	return 0;
}

void config_files_free(struct config_files *f)
{
	if (!f)
		return;
	free(f->directory);
	free(f->host);
	free(f->file);
	free(f->overlay);
	free(f->floor);
	free(f->remotes);
	free(f);
}

void config_files_freep(struct config_files **f)
{
	config_files_free(*f);
}
