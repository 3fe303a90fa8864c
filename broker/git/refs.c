/* SPDX-License-Identifier: Apache-2.0 */
/* A remote's default branch, from the refs as files and the packed ones (gitrepository-layout(5)). */
#include <stdio.h>
#include <sys/stat.h>

#include "broker/git/repository.h"

enum { REF_BYTES_MAX = 4096, PACKED_BYTES_MAX = 16 * 1024 * 1024 };

/* What can be a component of a ref's path: nothing that leaves refs/remotes. */
static bool is_plain(struct bytes name)
{
	if (name.len == 0 || name.len > 200 || name.p[0] == '/' || memchr(name.p, '\0', name.len) != NULL ||
		memchr(name.p, '\n', name.len) != NULL)
		return false;
	for (size_t i = 0; i + 1 < name.len; i++)
		if (name.p[i] == '.' && name.p[i + 1] == '.')
			return false;
	return true;
}

/* refs/remotes/NAME/HEAD is a symbolic ref, which is never packed. */
static int read_symbolic(const struct layout *l, struct bytes remote, char *ret, size_t size, struct want *w)
{
	CLEANUP(text_done) struct text t = { 0 };
	char path[PATH_MAX], prefix[PATH_MAX];
	size_t n;
	int rc;

	if (snprintf(path, sizeof(path), "%s/refs/remotes/%.*s/HEAD", l->common, (int)remote.len, remote.p) >=
			PATH_MAX ||
		snprintf(prefix, sizeof(prefix), "ref: refs/remotes/%.*s/", (int)remote.len, remote.p) >= PATH_MAX)
		return 0;
	rc = read_file(path, REF_BYTES_MAX, GIT_GRANT_INCLUDE, w, &t);
	if (rc != 0)
		return rc == READ_MISSING ? 0 : rc;
	n = strlen(prefix);
	if (t.len <= n || memcmp(t.p, prefix, n) != 0)
		return 0;
	t.p[strcspn(t.p, "\n")] = '\0';
	if (strlen(t.p + n) < size)
		memcpy(ret, t.p + n, strlen(t.p + n) + 1);
	return 0;
}

static bool packed_has(const struct text *packed, const char *ref)
{
	size_t n = strlen(ref);

	for (const char *p = packed->p, *end = packed->p + packed->len; p != NULL && p < end; p++) {
		p = memmem(p, (size_t)(end - p), ref, n);
		if (p == NULL)
			return false;
		if (p > packed->p && p[-1] == ' ' && (p + n == end || p[n] == '\n' || p[n] == '\r'))
			return true;
	}
	return false;
}

static bool has_ref(const struct layout *l, const struct text *packed, const char *ref)
{
	char path[PATH_MAX];
	struct stat st;

	return (join_path(path, l->common, ref, strlen(ref)) && stat(path, &st) == 0 && S_ISREG(st.st_mode)) ||
		packed_has(packed, ref);
}

int default_branch(const struct git_question *q, const struct layout *l, struct bytes remote, char *ret, size_t size,
	struct want *w)
{
	CLEANUP(text_done) struct text packed = { 0 };
	char path[PATH_MAX];
	int rc;

	ret[0] = '\0';
	if (!is_plain(remote))
		return 0;
	rc = read_symbolic(l, remote, ret, size, w);
	if (rc != 0 || ret[0] != '\0')
		return rc;
	if (!join_path(path, l->common, "packed-refs", 11))
		return 0;
	rc = read_file(path, PACKED_BYTES_MAX, GIT_GRANT_INCLUDE, w, &packed);
	if (rc != 0 && rc != READ_MISSING)
		return rc;
	for (uint32_t i = 0; i < q->protected.n; i++) {
		struct bytes branch = q->protected.items[i];
		char ref[PATH_MAX];

		if (!is_plain(branch) || branch.len >= size ||
			snprintf(ref, sizeof(ref), "refs/remotes/%.*s/%.*s", (int)remote.len, remote.p, (int)branch.len,
				branch.p) >= PATH_MAX || !has_ref(l, &packed, ref))
			continue;
		memcpy(ret, branch.p, branch.len);
		ret[branch.len] = '\0';
		return 0;
	}
	return 0;
}
