/* SPDX-License-Identifier: Apache-2.0 */
/* Where a name resolves in the harness's PATH, as execvp(3) would find it. */
#include "broker/evidence/internal.h"

/* The first entry that holds a file of that name which somebody may execute. */
static bool look_in(struct evidence *e, const char *dir, size_t len, struct bytes name, struct resolved *ret)
{
	char path[RESOLVE_PATH_MAX];

	/* An empty entry is the current directory, whatever that is when the command runs. */
	if (len == 0 || dir[0] != '/' || len + name.len + 2 > sizeof(path))
		return false;
	memcpy(path, dir, len);
	path[len] = '/';
	memcpy(path + len + 1, name.p, name.len);
	path[len + 1 + name.len] = '\0';
	resolve_path(e->mounts, path, false, ret);
	return ret->remote || (ret->type == PATH_FILE && (ret->mode & 0111) != 0);
}

/* The directory's own place: a link in it leads wherever who may write there wants. */
static uint32_t directory_facts(struct evidence *e, const struct workspace *w, const char *dir, size_t len)
{
	char path[RESOLVE_PATH_MAX];
	struct resolved r;

	memcpy(path, dir, len);
	path[len] = '\0';
	resolve_path(e->mounts, path, false, &r);
	if (r.remote)
		return FACT_REMOTE_FS | FACT_IN_SCRATCH;
	return location_facts(e, w, (struct bytes){ path, len }, &r);
}

int answer_program(struct broker *b, struct evidence *e, const struct question *q, struct answer *ret)
{
	const struct workspace *w = workspace_of(e, q->extra);
	const char *path = broker_getenv(b, "PATH");
	struct resolved r;

	while (path != NULL && *path != '\0') {
		size_t n = strcspn(path, ":");

		if (n == 0 || path[0] != '/' || n >= RESOLVE_PATH_MAX)
			return 0;
		if (look_in(e, path, n, q->text, &r)) {
			if (r.remote)
				return 0;
			ret->status = ANSWER_KNOWN;
			ret->type = r.type;
			ret->facts = FACT_EXECUTABLE | directory_facts(e, w, path, n);
			return answer_text(&ret->real, r.real, r.real_len);
		}
		path += n;
		path += *path == ':' ? 1 : 0;
	}
	ret->status = ANSWER_KNOWN;
	ret->type = PATH_MISSING;
	return 0;
}
