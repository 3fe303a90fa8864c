/* SPDX-License-Identifier: Apache-2.0 */
/* What the settings say of remotes, branches and rewriting, as facts. */
#include <dirent.h>
#include <stdio.h>
#include <strings.h>

#include "broker/git/config_file.h"
#include "broker/git/repository.h"

/* "section.SUB.key": the part between, or false. */
static bool between(struct bytes name, const char *section, const char *key, struct bytes *ret)
{
	size_t n = strlen(section), m = strlen(key);

	if (name.len < n + m + 2 || memcmp(name.p, section, n) != 0 || name.p[n] != '.' ||
		memcmp(name.p + name.len - m, key, m) != 0 || name.p[name.len - m - 1] != '.')
		return false;
	/* [section] with a dotted key cannot be: what is left over is the subsection. */
	if (name.len < n + m + 2 || name.len - m - 1 <= n)
		return false;
	*ret = (struct bytes){ name.p + n + 1, name.len - n - m - 2 };
	return true;
}

static struct git_remote *remote_named(struct git_facts *f, struct bytes name)
{
	for (uint32_t i = 0; i < f->n_remotes; i++)
		if (bytes_eq(f->remotes[i].name, name))
			return &f->remotes[i];
	if (f->n_remotes == GIT_REMOTES_MAX || name.len == 0 || name.len > GIT_TEXT_MAX) {
		f->complete = false;
		return NULL;
	}
	f->remotes[f->n_remotes] = (struct git_remote){ .name = name };
	return &f->remotes[f->n_remotes++];
}

static void add(struct git_facts *f, struct bytes list[GIT_URLS_MAX], uint32_t *n, const struct setting *x)
{
	/* An empty value clears the list in newer versions of git. */
	if (*n == GIT_URLS_MAX || x->value.len == 0 || x->value.len > GIT_TEXT_MAX)
		f->complete = false;
	else
		list[(*n)++] = x->value;
}

static bool on_remote(struct git_facts *f, const struct setting *x)
{
	static const char *const helpers[] = { "vcs", "proxy", "receivepack" };
	struct git_remote *m;
	struct bytes name;

	if (between(x->name, "remote", "url", &name)) {
		m = remote_named(f, name);
		if (m != NULL)
			add(f, m->urls, &m->n_urls, x);
	} else if (between(x->name, "remote", "pushurl", &name)) {
		m = remote_named(f, name);
		if (m != NULL)
			add(f, m->push_urls, &m->n_push_urls, x);
	} else if (between(x->name, "remote", "mirror", &name)) {
		m = remote_named(f, name);
		if (m != NULL && setting_is_true(x))
			m->flags |= GIT_REMOTE_MIRROR;
	} else if (between(x->name, "remote", "push", &name)) {
		m = remote_named(f, name);
		if (m != NULL)
			m->flags |= GIT_REMOTE_REFSPECS |
				(x->value.len > 0 &&
							(x->value.p[0] == '+' ||
								(x->value.p[0] == ':' && x->value.len > 1))
						? GIT_REMOTE_FORCES
						: 0);
	} else {
		for (size_t i = 0; i < ARRAY_LEN(helpers); i++)
			if (between(x->name, "remote", helpers[i], &name)) {
				m = remote_named(f, name);
				if (m != NULL)
					m->flags |= GIT_REMOTE_HELPER;
				return true;
			}
		return false;
	}
	return true;
}

static bool starts(struct bytes name, const char *prefix)
{
	return name.len >= strlen(prefix) && memcmp(name.p, prefix, strlen(prefix)) == 0;
}

static bool on_rewrite(struct git_facts *f, const struct setting *x)
{
	struct bytes base;
	bool push = between(x->name, "url", "pushinsteadof", &base);

	if (!push && !between(x->name, "url", "insteadof", &base))
		return false;
	if (f->n_rewrites == GIT_REWRITES_MAX || base.len > GIT_TEXT_MAX || x->value.len > GIT_TEXT_MAX)
		f->complete = false;
	else
		f->rewrites[f->n_rewrites++] = (struct git_rewrite){ .base = base, .prefix = x->value, .push = push };
	return true;
}

/* Keys of the branch HEAD is on, and those that stand for every remote. */
static void on_choice(struct git_facts *f, const struct setting *x)
{
	struct bytes name;

	if (between(x->name, "branch", "remote", &name) && bytes_eq(name, f->branch))
		f->branch_remote = x->value;
	else if (between(x->name, "branch", "pushremote", &name) && bytes_eq(name, f->branch))
		f->branch_push_remote = x->value;
	else if (between(x->name, "branch", "merge", &name) && bytes_eq(name, f->branch))
		f->branch_merge = x->value;
	else if (bytes_is(x->name, "remote.pushdefault"))
		f->push_remote = x->value;
	else if (bytes_is(x->name, "push.default"))
		f->push_mode = x->value;
}

/* Does it bear on where a push goes? Of a file that may or may not count, that leaves the destination unknown. */
static bool is_about_destinations(struct bytes name)
{
	static const char *const sections[] = { "remote.", "url.", "branch.", "push.", "http.", "core.gitproxy",
		"core.worktree", "submodule." };

	for (size_t i = 0; i < ARRAY_LEN(sections); i++)
		if (starts(name, sections[i]))
			return true;
	return false;
}

static bool ends(struct bytes name, const char *suffix)
{
	return name.len >= strlen(suffix) && memcmp(name.p + name.len - strlen(suffix), suffix, strlen(suffix)) == 0;
}

/* Where git-lfs sends what it keeps apart, which its own hook does along with a push (git-lfs-config(5)). */
static bool is_about_lfs(struct bytes name)
{
	return bytes_is(name, "lfs.url") || bytes_is(name, "lfs.pushurl") ||
		(starts(name, "remote.") && (ends(name, ".lfsurl") || ends(name, ".lfspushurl")));
}

/* A proxy of the repository's choosing is a place that data goes to as well; so are the submodules' remotes. */
static bool diverts(const struct setting *x)
{
	if (bytes_is(x->name, "push.recursesubmodules") || bytes_is(x->name, "submodule.recurse"))
		return setting_is_true(x) && !bytes_is(x->value, "check");
	if (!x->own)
		return false;
	return bytes_is(x->name, "core.gitproxy") || is_about_lfs(x->name) ||
		(starts(x->name, "http.") && (ends(x->name, "proxy") || ends(x->name, ".curloptresolve")));
}

/* Remotes in files of their own, as git kept them long ago: a name without settings may be one. */
static bool has_entries(const char *base, const char *name)
{
	char path[PATH_MAX];
	struct dirent *entry;
	bool found = false;
	DIR *d;

	if (!join_path(path, base, name, strlen(name)))
		return true;
	d = opendir(path);
	if (d == NULL)
		return errno != ENOENT;
	while (!found && (entry = readdir(d)) != NULL)
		found = entry->d_name[0] != '.';
	closedir(d);
	return found;
}

/* Extensions that change how a repository is read (Documentation/technical/repository-version.txt). */
static int check_format(const struct settings *s, struct want *w)
{
	static const char *const known[] = { "noop", "partialclone", "preciousobjects", "worktreeconfig",
		"objectformat", "relativeworktrees" };
	const struct setting *version = settings_last(s, "core.repositoryformatversion");
	bool extended = version != NULL && !bytes_is(version->value, "0");

	if (extended && !bytes_is(version->value, "1"))
		return want_refused(w, "the repository is of a form that is not read");
	for (uint32_t i = 0; i < s->n; i++) {
		bool fine = !s->list[i].own || !starts(s->list[i].name, "extensions.");

		for (size_t k = 0; k < ARRAY_LEN(known) && !fine; k++)
			fine = s->list[i].name.len == 11 + strlen(known[k]) &&
				memcmp(s->list[i].name.p + 11, known[k], strlen(known[k])) == 0;
		if (!fine)
			return want_refused(w, "the repository is of a form that is not read");
	}
	return 0;
}

static int add_default_branches(const struct git_question *q, const struct layout *l, struct text *names,
	struct git_facts *f, struct want *w)
{
	enum { NAME_ROOM = 256 };

	names->p = calloc(GIT_REMOTES_MAX, NAME_ROOM);
	if (names->p == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < f->n_remotes; i++) {
		char *room = names->p + (size_t)i * NAME_ROOM;
		int rc = default_branch(q, l, f->remotes[i].name, room, NAME_ROOM, w);

		if (rc != 0)
			return rc;
		f->remotes[i].default_branch = (struct bytes){ room, strlen(room) };
	}
	return 0;
}

/* A pattern of a refspec: at most one asterisk, for any text. */
static bool pattern_matches(struct bytes pattern, struct bytes ref)
{
	const char *star = pattern.len > 0 ? memchr(pattern.p, '*', pattern.len) : NULL;
	size_t front = star != NULL ? (size_t)(star - pattern.p) : 0, back = pattern.len - front - 1;

	if (star == NULL)
		return bytes_eq(pattern, ref);
	return ref.len >= front + back && memcmp(ref.p, pattern.p, front) == 0 &&
		memcmp(ref.p + ref.len - back, star + 1, back) == 0;
}

/* Are these a branch, and the place where branches of this remote are kept under their own names? */
static bool keeps_names(struct bytes remote, struct bytes source, struct bytes destination)
{
	static const char heads[] = "refs/heads/", remotes[] = "refs/remotes/";
	struct bytes rest;

	if (!starts(source, heads) || !starts(destination, remotes))
		return false;
	source = (struct bytes){ source.p + strlen(heads), source.len - strlen(heads) };
	rest = (struct bytes){ destination.p + strlen(remotes), destination.len - strlen(remotes) };
	return rest.len > remote.len && memcmp(rest.p, remote.p, remote.len) == 0 && rest.p[remote.len] == '/' &&
		bytes_eq(source, (struct bytes){ rest.p + remote.len + 1, rest.len - remote.len - 1 });
}

/*
 * remote.NAME.fetch, "[+]source:destination" (git-fetch(1)). What is known of a remote's default branch says what has
 * landed there: it must come from that branch of that remote.
 */
static void mark_mixed(struct git_facts *f, struct bytes remote, struct bytes spec)
{
	const char *colon = spec.len > 0 ? memchr(spec.p, ':', spec.len) : NULL;
	struct bytes source, destination;

	if (colon == NULL)
		return;
	source = (struct bytes){ spec.p, (size_t)(colon - spec.p) };
	destination = (struct bytes){ colon + 1, spec.len - source.len - 1 };
	if (starts(source, "+"))
		source = (struct bytes){ source.p + 1, source.len - 1 };
	if (keeps_names(remote, source, destination))
		return;
	for (uint32_t i = 0; i < f->n_remotes; i++) {
		struct git_remote *m = &f->remotes[i];
		char branch[GIT_TEXT_MAX], head[GIT_TEXT_MAX];

		snprintf(branch, sizeof(branch), "refs/remotes/%.*s/%.*s", (int)m->name.len, m->name.p,
			(int)m->default_branch.len, m->default_branch.p);
		snprintf(head, sizeof(head), "refs/remotes/%.*s/HEAD", (int)m->name.len, m->name.p);
		if (pattern_matches(destination, (struct bytes){ branch, strlen(branch) }) ||
			pattern_matches(destination, (struct bytes){ head, strlen(head) }))
			m->flags |= GIT_REMOTE_MIXED;
	}
}

static int on_lfs_setting(void *data, struct bytes name, struct bytes value, bool has_value)
{
	bool *diverted = data;

	(void)value;
	(void)has_value;
	*diverted = *diverted || is_about_lfs(name);
	return 0;
}

/* What comes with the files may say so, too. */
static bool lfs_is_diverted(const struct layout *l)
{
	enum { LFS_BYTES_MAX = 64 * 1024 };
	CLEANUP(text_done) struct text t = { 0 };
	struct want ignored;
	char path[PATH_MAX];
	bool diverted = false;
	int rc;

	if (l->bare || !join_path(path, l->root, ".lfsconfig", 10))
		return false;
	rc = read_file(path, LFS_BYTES_MAX, GIT_GRANT_TREE, &ignored, &t);
	if (rc == READ_MISSING)
		return false;
	return rc != 0 || config_file_parse((struct bytes){ t.p, t.len }, on_lfs_setting, &diverted) != 0 || diverted;
}

int facts_of(const struct git_question *q, const struct layout *l, const struct settings *s, struct text *names,
	struct git_facts *ret, struct want *w)
{
	int rc = check_format(s, w);

	if (rc != 0)
		return rc;
	memset(ret, 0, sizeof(*ret));
	ret->root = (struct bytes){ l->root, strlen(l->root) };
	ret->git_directory = (struct bytes){ l->git, strlen(l->git) };
	ret->common_directory = (struct bytes){ l->common, strlen(l->common) };
	ret->branch = (struct bytes){ l->branch, strlen(l->branch) };
	ret->bare = l->bare ||
		(settings_last(s, "core.bare") != NULL && setting_is_true(settings_last(s, "core.bare")));
	ret->complete = !s->unknown && !q->layers_withheld;
	ret->runs = runs_of(l, s);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct setting *x = &s->list[i];

		if ((x->conditional && is_about_destinations(x->name)) || diverts(x))
			ret->complete = false;
		if (!on_remote(ret, x) && !on_rewrite(ret, x))
			on_choice(ret, x);
	}
	if ((ret->runs & GIT_RUNS_HOOKS) != 0 && lfs_is_diverted(l))
		ret->complete = false;
	if (has_entries(l->common, "remotes") || has_entries(l->common, "branches"))
		ret->complete = false;
	rc = add_default_branches(q, l, names, ret, w);
	for (uint32_t i = 0; i < s->n && rc == 0; i++) {
		struct bytes name;

		if (between(s->list[i].name, "remote", "fetch", &name))
			mark_mixed(ret, name, s->list[i].value);
	}
	return rc;
}
