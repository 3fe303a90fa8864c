/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that may be read. libgit2 (1.5) gives a loose object a buffer of the size that its header names and writes
 * into it all that comes out of the file's first bytes: where the header says less than there is, it writes past the
 * end. Only a buffer shorter than those bytes can be missed, so that larger objects need no second look.
 */
#include <git2.h>

#include "broker/git/objects.h"

enum { HEAD_BYTES = 64 /* of an object, that libgit2 unpacks before it has a buffer: odb_loose.c MAX_HEADER_LEN */ };

static void free_stream(git_odb_stream **p)
{
	git_odb_stream_free(*p);
}

/* Through the stream, which copies no more than it is asked for. */
static bool is_as_long_as_it_says(git_odb *objects, const git_oid *id)
{
	CLEANUP(free_stream) git_odb_stream *stream = NULL;
	char buffer[2 * HEAD_BYTES];
	size_t size, got = 0;
	git_object_t type;

	/* What lies in a pack cannot be streamed, and is read in another way. */
	if (git_odb_open_rstream(&stream, &size, &type, objects, id) != 0)
		return true;
	while (got < sizeof(buffer)) {
		int n = git_odb_stream_read(stream, buffer + got, sizeof(buffer) - got);

		if (n < 0)
			return false;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return got == size;
}

bool object_is_sound(git_odb *objects, const git_oid *id)
{
	git_object_t type;
	size_t size;

	/* Of one that is not there the library says so itself. */
	if (git_odb_read_header(&size, &type, objects, id) != 0)
		return true;
	return size >= HEAD_BYTES || is_as_long_as_it_says(objects, id);
}

struct walk {
	git_odb *objects;
	uint32_t left; /* trees that may still be looked at */
};

static int before_subtree(const char *root, const git_tree_entry *entry, void *payload)
{
	struct walk *w = payload;

	(void)root;
	if (git_tree_entry_type(entry) != GIT_OBJECT_TREE)
		return 0;
	if (w->left == 0 || !object_is_sound(w->objects, git_tree_entry_id(entry)))
		return -1;
	w->left--;
	return 0;
}

int object_tree(git_odb *objects, git_repository *repository, const git_oid *commit, git_tree **ret)
{
	git_commit *c = NULL;
	int rc = -1;

	if (object_is_sound(objects, commit) && git_commit_lookup(&c, repository, commit) == 0 &&
		object_is_sound(objects, git_commit_tree_id(c)))
		rc = git_commit_tree(ret, c);
	git_commit_free(c);
	return rc;
}

bool object_trees_are_sound(git_odb *objects, git_repository *repository, const git_oid *commit)
{
	enum { TREES_MAX = 100 * 1000 };
	struct walk w = { objects, TREES_MAX };
	git_tree *tree = NULL;
	bool sound = object_tree(objects, repository, commit, &tree) == 0 &&
		git_tree_walk(tree, GIT_TREEWALK_PRE, before_subtree, &w) == 0;

	git_tree_free(tree);
	return sound;
}
