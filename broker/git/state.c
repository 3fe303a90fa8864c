/* SPDX-License-Identifier: Apache-2.0 */
/* The state of files against index, HEAD and the remote's default branch, through libgit2. */
#include <fcntl.h>
#include <git2.h>
#include <stdio.h>
#include <sys/stat.h>

#include "broker/git/objects.h"

enum { BLOB_BYTES_MAX = 32 * 1024 * 1024, WINDOW_BYTES = 16 * 1024 * 1024, MAPPED_BYTES = 256 * 1024 * 1024 };

static const char unreadable[] = "git's files could not be read";

static void free_repository(git_repository **p)
{
	git_repository_free(*p);
}

static void free_index(git_index **p)
{
	git_index_free(*p);
}

static void free_tree(git_tree **p)
{
	git_tree_free(*p);
}

static void free_odb(git_odb **p)
{
	git_odb_free(*p);
}

static void free_reference(git_reference **p)
{
	git_reference_free(*p);
}

static void free_status(git_status_list **p)
{
	git_status_list_free(*p);
}

/* No file but the repository's is looked for; what is mapped of packs stays within the address space we have. */
static int start_library(void)
{
	static const int levels[] = { GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
		GIT_CONFIG_LEVEL_GLOBAL };

	if (git_libgit2_init() < 0)
		return -EIO;
	for (size_t i = 0; i < ARRAY_LEN(levels); i++)
		if (git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "") < 0)
			return -EIO;
	if (git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)WINDOW_BYTES) < 0 ||
		git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)MAPPED_BYTES) < 0)
		return -EIO;
	return 0;
}

/*
 * The library asks whether the directories are its own user's. Where the reader runs as another that is never so, and
 * the broker, which handed the directories over, has asked it of the right one.
 */
static int leave_owners_to_the_broker(const struct layout *l)
{
	struct stat st;

	if (stat(l->git, &st) < 0)
		return -errno;
	return st.st_uid == geteuid() || git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0) == 0 ? 0 : -EIO;
}

static int open_repository(const struct layout *l, git_repository **ret, struct want *w)
{
	if (start_library() < 0 || leave_owners_to_the_broker(l) < 0 ||
		git_repository_open_ext(ret, l->bare ? l->git : l->root, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL) != 0)
		return want_refused(w, unreadable);
	return 0;
}

/* The id of these very bytes as a blob: no filter, no line ending is converted. GIT_ENOTFOUND: there is no such file. */
static int hash_file(const struct layout *l, const char *path, git_oid *ret)
{
	CLEANUP(text_done) struct text t = { 0 };
	struct want ignored;
	char whole[PATH_MAX];
	struct stat st;
	int rc;

	if (!join_path(whole, l->root, path, strlen(path)))
		return -1;
	if (lstat(whole, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR ? GIT_ENOTFOUND : -1;
	if (!S_ISREG(st.st_mode))
		return -1;
	rc = read_file(whole, BLOB_BYTES_MAX, GIT_GRANT_TREE, &ignored, &t);
	if (rc != 0)
		return -1;
	return git_odb_hash(ret, t.p, t.len, GIT_OBJECT_BLOB);
}

enum held { HELD_NOT, HELD_OTHERWISE, HELD_EXACTLY, HELD_UNKNOWN };

/* Does the tree hold a file of that name, and these bytes? Each tree on the way is looked at before it is read. */
static enum held held_by_tree(git_repository *repository, git_odb *objects, git_tree *root, const char *path,
	const git_oid *blob)
{
	CLEANUP(free_tree) git_tree *owned = NULL;
	git_tree *tree = root;

	for (;;) {
		char name[NAME_MAX + 1];
		size_t n = strcspn(path, "/");
		const git_tree_entry *entry;
		git_filemode_t mode;
		git_tree *below = NULL;

		if (n == 0 || n > NAME_MAX)
			return HELD_UNKNOWN;
		memcpy(name, path, n);
		name[n] = '\0';
		entry = git_tree_entry_byname(tree, name);
		if (entry == NULL)
			return HELD_NOT;
		mode = git_tree_entry_filemode(entry);
		if (path[n] == '\0') {
			if (mode != GIT_FILEMODE_BLOB && mode != GIT_FILEMODE_BLOB_EXECUTABLE)
				return HELD_NOT;
			return git_oid_equal(git_tree_entry_id(entry), blob) ? HELD_EXACTLY : HELD_OTHERWISE;
		}
		if (mode != GIT_FILEMODE_TREE)
			return HELD_NOT;
		if (!object_is_sound(objects, git_tree_entry_id(entry)) ||
			git_tree_lookup(&below, repository, git_tree_entry_id(entry)) != 0)
			return HELD_UNKNOWN;
		git_tree_free(owned);
		owned = tree = below;
		path += n + 1;
	}
}

/* `ref`: a whole name. One that is not there holds nothing. */
static enum held held_by_ref(git_repository *repository, git_odb *objects, const char *ref, const char *path,
	const git_oid *blob)
{
	CLEANUP(free_tree) git_tree *tree = NULL;
	git_oid commit;
	int rc = git_reference_name_to_id(&commit, repository, ref);

	if (rc != 0)
		return rc == GIT_ENOTFOUND ? HELD_NOT : HELD_UNKNOWN;
	if (object_tree(objects, repository, &commit, &tree) != 0)
		return HELD_UNKNOWN;
	return held_by_tree(repository, objects, tree, path, blob);
}

/* The default branch of the remote that this branch follows, else of origin. False: none is known. */
static bool landing_ref(const struct git_facts *f, char *ret, size_t size)
{
	struct bytes name = f->branch_remote.len > 0 && !bytes_is(f->branch_remote, ".") ? f->branch_remote :
											   BYTES("origin");

	for (uint32_t i = 0; i < f->n_remotes; i++) {
		const struct git_remote *m = &f->remotes[i];

		if (bytes_eq(m->name, name) && m->default_branch.len > 0)
			return snprintf(ret, size, "refs/remotes/%.*s/%.*s", (int)m->name.len, m->name.p,
				(int)m->default_branch.len, m->default_branch.p) < (int)size;
	}
	return false;
}

static int file_state(git_repository *repository, const struct layout *l, const struct git_facts *f, const char *path,
	struct git_answer *ret, struct want *w)
{
	CLEANUP(free_index) git_index *index = NULL;
	CLEANUP(free_odb) git_odb *objects = NULL;
	git_oid blob;
	int ignored = 0, rc = hash_file(l, path, &blob);
	enum held head = HELD_NOT, landed = HELD_NOT;

	w->text[0] = '\0';
	if ((rc != 0 && rc != GIT_ENOTFOUND) || git_repository_index(&index, repository) != 0 ||
		git_repository_odb(&objects, repository) != 0)
		return want_refused(w, unreadable);
	if (git_index_get_bypath(index, path, 0) != NULL)
		ret->state |= GIT_FILE_TRACKED;
	else if (git_ignore_path_is_ignored(&ignored, repository, path) == 0 && ignored != 0)
		ret->state |= GIT_FILE_IGNORED;
	if (rc == GIT_ENOTFOUND) {
		ret->state |= GIT_FILE_MISSING;
	} else {
		head = held_by_ref(repository, objects, "HEAD", path, &blob);
		if (landing_ref(f, w->text, sizeof(w->text)))
			landed = held_by_ref(repository, objects, w->text, path, &blob);
	}
	if (head == HELD_UNKNOWN || landed == HELD_UNKNOWN)
		return want_refused(w, unreadable);
	if (head == HELD_EXACTLY)
		ret->state |= GIT_FILE_COMMITTED;
	if (landed == HELD_EXACTLY)
		ret->state |= GIT_FILE_LANDED;
	if (landed != HELD_NOT)
		ret->state |= GIT_FILE_ON_REMOTE;
	ret->outcome = GIT_FILE;
	ret->text = (struct bytes){ w->text, strlen(w->text) };
	return 0;
}

static uint32_t below_facts(unsigned int status)
{
	uint32_t facts = 0;

	if ((status & GIT_STATUS_WT_NEW) != 0)
		facts |= GIT_BELOW_UNTRACKED;
	if ((status & GIT_STATUS_IGNORED) != 0)
		facts |= GIT_BELOW_IGNORED;
	if ((status & ~(unsigned int)(GIT_STATUS_WT_NEW | GIT_STATUS_IGNORED)) != 0)
		facts |= GIT_BELOW_CHANGED;
	return facts;
}

static int tracked_below(git_repository *repository, const char *path, struct git_answer *ret)
{
	CLEANUP(free_index) git_index *index = NULL;
	char prefix[PATH_MAX + 1];
	size_t at;

	if (git_repository_index(&index, repository) != 0)
		return -1;
	snprintf(prefix, sizeof(prefix), "%s%s", path, path[0] != '\0' ? "/" : "");
	if (path[0] == '\0' ? git_index_entrycount(index) > 0
			    : git_index_get_bypath(index, path, 0) != NULL ||
				git_index_find_prefix(&at, index, prefix) == 0)
		ret->state |= GIT_BELOW_TRACKED;
	return 0;
}

static int stashed(git_repository *repository, struct git_answer *ret)
{
	CLEANUP(free_reference) git_reference *reference = NULL;
	int rc = git_reference_lookup(&reference, repository, "refs/stash");

	if (rc == 0)
		ret->state |= GIT_BELOW_STASHED;
	return rc == GIT_ENOTFOUND ? 0 : rc;
}

/* Of what the library compares: the trees of HEAD, and attributes that it takes from the index. */
static bool can_be_compared(git_repository *repository)
{
	static const char attributes[] = ".gitattributes";
	const size_t length = sizeof(attributes) - 1;
	CLEANUP(free_odb) git_odb *objects = NULL;
	CLEANUP(free_index) git_index *index = NULL;
	git_oid head;
	int rc;

	if (git_repository_odb(&objects, repository) != 0 || git_repository_index(&index, repository) != 0)
		return false;
	rc = git_reference_name_to_id(&head, repository, "HEAD");
	if (rc != 0 ? rc != GIT_ENOTFOUND : !object_trees_are_sound(objects, repository, &head))
		return false;
	for (size_t i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *entry = git_index_get_byindex(index, i);
		size_t n = strlen(entry->path);

		if (n >= length && strcmp(entry->path + n - length, attributes) == 0 &&
			!object_is_sound(objects, &entry->id))
			return false;
	}
	return true;
}

static int below_state(git_repository *repository, const char *path, struct git_answer *ret, struct want *w)
{
	CLEANUP(free_status) git_status_list *list = NULL;
	char *paths[] = { (char *)(uintptr_t)path };
	git_status_options options;

	if (git_status_options_init(&options, GIT_STATUS_OPTIONS_VERSION) != 0)
		return want_refused(w, unreadable);
	options.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
	options.flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED | GIT_STATUS_OPT_INCLUDE_IGNORED |
		GIT_STATUS_OPT_EXCLUDE_SUBMODULES | GIT_STATUS_OPT_DISABLE_PATHSPEC_MATCH |
		GIT_STATUS_OPT_INCLUDE_UNREADABLE; /* what is hidden from us may be lost all the same */
	if (path[0] != '\0') {
		/* A name below a directory that is untracked as a whole is found only by looking into it. */
		options.flags |= GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS | GIT_STATUS_OPT_RECURSE_IGNORED_DIRS;
		options.pathspec = (git_strarray){ paths, 1 };
	}
	if (!can_be_compared(repository) || git_status_list_new(&list, repository, &options) != 0 ||
		tracked_below(repository, path, ret) != 0 || stashed(repository, ret) != 0)
		return want_refused(w, unreadable);
	for (size_t i = 0; i < git_status_list_entrycount(list); i++)
		ret->state |= below_facts(git_status_byindex(list, i)->status);
	ret->outcome = GIT_BELOW;
	return 0;
}

int state_of(const struct git_question *q, const struct layout *l, const struct git_facts *f, struct git_answer *ret,
	struct want *w)
{
	CLEANUP(free_repository) git_repository *repository = NULL;
	char path[PATH_MAX];
	int rc;

	*ret = (struct git_answer){ 0 };
	if (f->bare || (f->runs & GIT_RUNS_ELSEWHERE) != 0)
		return want_refused(w, "the repository has no worktree here");
	if (q->path.len >= sizeof(path) || (q->path.len > 0 && q->path.p[0] == '/') ||
		(q->ask == GIT_ASK_FILE && q->path.len == 0))
		return want_refused(w, "a path is not one of the worktree");
	if (q->path.len > 0)
		memcpy(path, q->path.p, q->path.len);
	path[q->path.len] = '\0';
	rc = layout_alternates(l, w);
	if (rc == 0)
		rc = open_repository(l, &repository, w);
	if (rc != 0)
		return rc;
	return q->ask == GIT_ASK_FILE ? file_state(repository, l, f, path, ret, w)
				      : below_state(repository, path, ret, w);
}
