/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which remotes may speak for what has landed. A repository that anybody can make elsewhere is no review: the remote
 * must be sanctioned, or in policy.trustedRemotes, or the one that the session's own repository had when it began.
 */
#include <stdio.h>

#include "broker/evidence/internal.h"
#include "broker/evidence/origin.h"
#include "policy/destination.h"
#include "policy/paths/paths.h"

static const struct git_remote *remote_of(const struct git_facts *f, struct bytes ref)
{
	for (uint32_t i = 0; i < f->n_remotes; i++) {
		const struct git_remote *m = &f->remotes[i];
		char expected[512];
		int n = snprintf(expected, sizeof(expected), "refs/remotes/%.*s/%.*s", (int)m->name.len, m->name.p,
			(int)m->default_branch.len, m->default_branch.p);

		if (n > 0 && (size_t)n < sizeof(expected) && bytes_is(ref, expected))
			return m;
	}
	return NULL;
}

/*
 * Scratch is written freely, but for what lies in a directory `.git`: references that are kept there under another name
 * prove nothing.
 */
static bool is_kept_apart(struct evidence *e, struct bytes session_directory, struct bytes directory)
{
	char path[RESOLVE_PATH_MAX];
	struct resolved r;
	uint32_t facts;

	if (directory.len == 0 || directory.len >= sizeof(path))
		return false;
	memcpy(path, directory.p, directory.len);
	path[directory.len] = '\0';
	if (strstr(path, "/.git/") != NULL || (directory.len > 5 && strcmp(path + directory.len - 5, "/.git") == 0))
		return true;
	resolve_path(e->mounts, path, false, &r);
	facts = location_facts(e, workspace_of(e, session_directory), directory, &r);
	return (facts & (FACT_IN_SCRATCH | FACT_IN_BUILD)) == 0;
}

bool remote_is_trusted(struct broker *b, struct evidence *e, const struct question *q, const char *root,
	struct bytes ref)
{
	CLEANUP(freep) struct known_repository *known = calloc(1, sizeof(*known));
	const struct git_remote *m = NULL;
	const struct git_facts *f;
	char room[GIT_TEXT_MAX];
	struct destination d;
	struct bytes url;
	bool trusted = false;

	if (known == NULL)
		return false;
	f = &known->facts;
	if (repository_know(b, e, q->base, known) == 0 && f->complete && !f->bare && bytes_is(f->root, root) &&
		(f->runs & GIT_RUNS_ELSEWHERE) == 0 && is_kept_apart(e, q->base, f->common_directory))
		m = remote_of(f, ref);
	if (m != NULL && (m->flags & (GIT_REMOTE_MIXED | GIT_REMOTE_HELPER)) == 0 &&
		git_fetch_resolve(f, m, room, sizeof(room), &url)) {
		destination_parse(url, FORM_REMOTE, &d);
		/* Of what lies on this machine nobody knows who wrote it. */
		trusted = d.kind == DESTINATION_HOST && !destination_is_loopback(&d) &&
			(destination_is_sanctioned(&d, &e->policy.sanctioned_remotes) ||
				destination_is_sanctioned(&d, &e->policy.trusted_remotes) ||
				origin_holds(b, q->extra, q->base, f, m));
	}
	repository_forget(known);
	return trusted;
}
