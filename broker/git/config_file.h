/* SPDX-License-Identifier: Apache-2.0 */
/* git's configuration files, read as git reads them: libgit2 passes over include conditions that it does not know. */
#ifndef GIT_CONFIG_FILE_H
#define GIT_CONFIG_FILE_H

#include "policy/base.h"

/*
 * Calls `each` for every setting in order: its canonical name (section and key in lower case, the subsection between
 * them as written) and its value; has_value is false for a name alone, which means true. Both are valid during the
 * call. 0; -EINVAL where git would give up; or what `each` returned, if not 0. Grammar: git-config(1) "Syntax", with
 * config.c where that is silent.
 */
int config_file_parse(struct bytes text, int (*each)(void *data, struct bytes name, struct bytes value, bool has_value),
	void *data) __attribute__((nonnull(2))) MUST_CHECK;

#endif
