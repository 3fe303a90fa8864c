/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that tell a command's output share (output.c, found.c). */
#ifndef COMMANDS_OUTPUT_H
#define COMMANDS_OUTPUT_H

#include "worker/commands/model.h"

/* Words that what is printed may be: any text that fits the pattern, or this one. NULL: no memory (the run has failed). */
struct word *pattern_word(struct run *run, struct bytes pattern, uint32_t flags);
struct word *static_word(struct run *run, struct bytes text);
/* Takes back what was said of the output. */
void prints_anything(struct run *run);
/*
 * One of the letters stands in a cluster of options before `--`, or one of the long options (separated by blanks) is
 * given. `valued`: letters behind which the rest of a cluster is a value.
 */
bool has_option(const struct run *run, const char *letters, const char *valued, const char *longs);

/* found.c */
void tell_grep(struct run *run);
void tell_rg(struct run *run);
void tell_fd(struct run *run);
void tell_ls(struct run *run);
void tell_ls_files(struct run *run);
void tell_changed(struct run *run);
void tell_shown(struct run *run);
void tell_git_grep(struct run *run);
void tell_basename(struct run *run);
void tell_dirname(struct run *run);

#endif
