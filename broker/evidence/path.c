/* SPDX-License-Identifier: Apache-2.0 */
/* What a path is and where it really lies: facts by its name as asked for, and by the place the walk ended at. */
#include "broker/evidence/internal.h"
#include "policy/paths/paths.h"

/* Caches below the home directory that programs fill and can fill again. */
static const char *const home_caches[] = {
	".cache", ".npm", ".cargo/registry", ".cargo/git", ".gradle/caches", ".m2/repository", ".nuget/packages",
	"go/pkg",
	".local/share/pnpm/store", ".bun/install/cache", ".yarn/cache", ".rustup/tmp", "Library/Caches",
};

static struct bytes real_of(const struct resolved *r)
{
	return (struct bytes){ r->real, r->real_len };
}

/* Below a scratch root, where that really lies; the root itself is everybody's. */
static bool in_scratch(const struct evidence *e, struct bytes real)
{
	for (uint32_t i = 0; i < e->policy.scratch_roots.n; i++) {
		struct bytes root = e->policy.scratch_roots.items[i];

		if (real.len > root.len && root.len > 1 && memcmp(real.p, root.p, root.len) == 0)
			return true;
	}
	return false;
}

static bool in_home_cache(const struct evidence *e, struct bytes real)
{
	struct bytes home = { e->real_home, e->real_home_len };
	struct bytes rest;

	if (home.len < 2 || real.len <= home.len || !path_within(real, home))
		return false;
	rest = (struct bytes){ real.p + home.len + 1, real.len - home.len - 1 };
	for (size_t i = 0; i < ARRAY_LEN(home_caches); i++) {
		struct bytes dir = { home_caches[i], strlen(home_caches[i]) };

		if (rest.len > dir.len && path_within(rest, dir))
			return true;
	}
	return false;
}

static uint32_t workspace_facts(const struct workspace *w, struct bytes real)
{
	struct bytes root = { w->root, w->root_len };
	uint32_t facts = 0;

	if (root.len == 0)
		return 0;
	if (path_within(root, real))
		facts |= FACT_WORKSPACE_ROOT;
	if (!path_within(real, root))
		return facts;
	facts |= FACT_IN_WORKSPACE | (w->worktree ? FACT_IN_WORKTREE : 0);
	if (real.len > root.len &&
		path_is_build_output((struct bytes){ real.p + root.len + 1, real.len - root.len - 1 }))
		facts |= FACT_IN_BUILD;
	return facts;
}

/* Protection follows the name as well as the place; permission follows the place alone. */
uint32_t location_facts(struct evidence *e, const struct workspace *w, struct bytes name, const struct resolved *r)
{
	struct bytes real = real_of(r), home = { e->home, strlen(e->home) },
		     real_home = { e->real_home, e->real_home_len };
	const char *what;
	uint32_t facts = workspace_facts(w, real);

	if (path_is_secret(name) || path_is_secret(real) || inode_is_secret(e, r))
		facts |= FACT_SECRET;
	if (name_is_gate(e, name) || name_is_gate(e, real) || inode_is_gate(e, r))
		facts |= FACT_GATE;
	if (path_is_startup(name, home, &what) || path_is_startup(real, real_home, &what))
		facts |= FACT_STARTUP;
	if (r->type == PATH_DIRECTORY && directory_holds_gate(e, real))
		facts |= FACT_HOLDS_GATE;
	if (in_scratch(e, real))
		facts |= FACT_IN_SCRATCH;
	if (in_home_cache(e, real))
		facts |= FACT_IN_BUILD;
	if (real_home.len > 0 && path_within(real, real_home))
		facts |= FACT_IN_HOME;
	if (path_is_system(real))
		facts |= FACT_IN_SYSTEM;
	return facts;
}

static uint32_t file_facts(const struct resolved *r)
{
	uint32_t facts = 0;

	if (r->last_symlink)
		facts |= FACT_SYMLINK;
	if (r->via_symlink)
		facts |= FACT_VIA_SYMLINK;
	if (r->type == PATH_FILE && r->links > 1)
		facts |= FACT_HARD_LINKED;
	if (r->type == PATH_FILE && (r->mode & 0111) != 0)
		facts |= FACT_EXECUTABLE;
	return facts;
}

int answer_path(struct evidence *e, const struct question *q, struct answer *ret)
{
	struct resolved r;

	return answer_path_resolved(e, q, ret, &r);
}

int answer_path_resolved(struct evidence *e, const struct question *q, struct answer *ret, struct resolved *ret_where)
{
	const struct workspace *w = workspace_of(e, q->extra);
	char path[2 * RESOLVE_PATH_MAX], name[RESOLVE_PATH_MAX];
	size_t n = 0, name_len;
	struct resolved r;
	int err;

	if (q->text.p[0] != '/') {
		memcpy(path, q->base.p, q->base.len);
		n = q->base.len;
		path[n++] = '/';
	}
	memcpy(path + n, q->text.p, q->text.len);
	n += q->text.len;
	path[n] = '\0';
	name_len = path_normalise(q->base, q->text, name, sizeof(name));
	if (n >= RESOLVE_PATH_MAX || name_len == 0)
		return 0;
	resolve_path(e->mounts, path, q->kind == ASK_ENTRY, &r);
	if (r.unreadable || (r.type == PATH_UNKNOWN && !r.remote))
		return 0;
	*ret_where = r;
	ret->status = ANSWER_KNOWN;
	ret->type = r.type;
	ret->facts = r.remote ? FACT_REMOTE_FS :
				file_facts(&r) | location_facts(e, w, (struct bytes){ name, name_len }, &r);
	ret->size = r.type == PATH_FILE && !r.remote ? r.size : 0;
	err = answer_text(&ret->real, r.real, r.real_len);
	if (err == 0 && (ret->facts & FACT_IN_WORKSPACE) != 0)
		err = answer_text(&ret->detail, w->root, w->root_len);
	if (err < 0)
		evidence_answer_done(ret);
	return err;
}
