/* SPDX-License-Identifier: Apache-2.0 */
/* Paths as people write them in settings, made absolute. */
#include <stdio.h>

#include "policy/config/internal.h"

int path_expand(const char *path, const char *home, const char *base, char **ret)
{
	char *out = NULL;

	if (*path == '~' && (path[1] == '/' || path[1] == '\0') && home) {
		if (asprintf(&out, "%s%s", home, path + 1) < 0)
			return -ENOMEM;
	} else if (*path && *path != '/' && *path != '~' && base) {
		if (asprintf(&out, "%s/%s", base, path) < 0)
			return -ENOMEM;
	} else {
		out = strdup(path);
		if (!out)
			return -ENOMEM;
	}
	*ret = out;
	return 0;
}
