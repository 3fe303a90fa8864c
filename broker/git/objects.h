/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects libgit2 may be let read, and the way to a tree that reads no others. */
#ifndef GIT_OBJECTS_H
#define GIT_OBJECTS_H

#include <git2.h>

#include "broker/git/repository.h"

/* False: its file holds more, or less, than it says. True also of an object that is not there. */
bool object_is_sound(git_odb *objects, const git_oid *id) NONNULL;
/* The tree of a commit; owned by the caller. 0 or negative: one of the two cannot be read. */
int object_tree(git_odb *objects, git_repository *repository, const git_oid *commit, git_tree **ret) NONNULL MUST_CHECK;
/* Every tree of the commit can be read. False: one cannot, or there are too many to tell. */
bool object_trees_are_sound(git_odb *objects, git_repository *repository, const git_oid *commit) NONNULL;

#endif
