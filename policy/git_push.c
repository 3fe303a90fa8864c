/* SPDX-License-Identifier: Apache-2.0 */
/* Where a push goes, by the rules of git's own remote.c, from what the settings say. */
#include "policy/git_facts.h"

struct text_room {
	char *p;
	size_t left;
	bool full;
};

static bool starts_with(struct bytes text, struct bytes prefix)
{
	return text.len >= prefix.len && (prefix.len == 0 || memcmp(text.p, prefix.p, prefix.len) == 0);
}

/* The longest prefix wins, of equal ones the first (alias_url()). False: nothing was rewritten. */
static bool rewrite(const struct git_facts *f, bool push, struct bytes url, struct text_room *room, struct bytes *ret)
{
	const struct git_rewrite *best = NULL;
	size_t len;

	for (uint32_t i = 0; i < f->n_rewrites; i++) {
		const struct git_rewrite *r = &f->rewrites[i];

		if (r->push == push && starts_with(url, r->prefix) &&
			(best == NULL || r->prefix.len > best->prefix.len))
			best = r;
	}
	*ret = url;
	if (best == NULL)
		return false;
	len = best->base.len + url.len - best->prefix.len;
	if (len > room->left || len > GIT_TEXT_MAX) {
		room->full = true;
		return true;
	}
	memcpy(room->p, best->base.p, best->base.len);
	memcpy(room->p + best->base.len, url.p + best->prefix.len, url.len - best->prefix.len);
	*ret = (struct bytes){ room->p, len };
	room->p += len;
	room->left -= len;
	return true;
}

static void add_url(struct git_push *p, struct bytes url)
{
	if (p->n_urls < GIT_URLS_MAX && url.len > 0)
		p->urls[p->n_urls++] = url;
	else
		p->verified = false;
}

/*
 * pushurl, rewritten by insteadOf; where there is none, what pushInsteadOf makes of the URLs; where it makes nothing of
 * any of them, the URLs, rewritten by insteadOf (alias_all_urls()).
 */
static void add_urls(const struct git_facts *f, const struct bytes *urls, uint32_t n_urls,
	const struct bytes *push_urls, uint32_t n_push_urls, struct text_room *room, struct git_push *p)
{
	struct bytes url;

	for (uint32_t i = 0; i < n_push_urls; i++) {
		rewrite(f, false, push_urls[i], room, &url);
		add_url(p, url);
	}
	for (uint32_t i = 0; i < n_urls && n_push_urls == 0; i++)
		if (rewrite(f, true, urls[i], room, &url))
			add_url(p, url);
	if (n_push_urls > 0 || p->n_urls > 0)
		return;
	for (uint32_t i = 0; i < n_urls; i++) {
		rewrite(f, false, urls[i], room, &url);
		add_url(p, url);
	}
}

bool git_fetch_resolve(
	const struct git_facts *f, const struct git_remote *m, char *text, size_t size, struct bytes *ret)
{
	struct text_room room = { text, size, false };

	if (m->n_urls == 0)
		return false;
	rewrite(f, false, m->urls[0], &room, ret); /* of several, git fetches from the first */
	return !room.full;
}

/* branch.NAME.pushRemote, remote.pushDefault, branch.NAME.remote, origin. */
static struct bytes default_remote(const struct git_facts *f)
{
	if (f->branch_push_remote.len > 0)
		return f->branch_push_remote;
	if (f->push_remote.len > 0)
		return f->push_remote;
	return f->branch_remote.len > 0 ? f->branch_remote : BYTES("origin");
}

/* The branch that a push without refspecs updates (git-config(1) "push.default"). */
static struct bytes bare_branch(const struct git_facts *f, bool triangular)
{
	const struct bytes heads = BYTES("refs/heads/");

	if (bytes_is(f->push_mode, "upstream") || bytes_is(f->push_mode, "tracking")) {
		if (triangular || !starts_with(f->branch_merge, heads))
			return (struct bytes){ "", 0 };
		return (struct bytes){ f->branch_merge.p + heads.len, f->branch_merge.len - heads.len };
	}
	if (f->push_mode.len == 0 || bytes_is(f->push_mode, "simple") || bytes_is(f->push_mode, "current"))
		return f->branch;
	return (struct bytes){ "", 0 };
}

/* A name git would look up beneath .git/remotes; anything else it takes for a URL or a path as it stands. */
static bool looks_like_name(struct bytes remote)
{
	return memchr(remote.p, '/', remote.len) == NULL && memchr(remote.p, ':', remote.len) == NULL;
}

void git_push_resolve(const struct git_facts *f, struct bytes remote, char *text, size_t size, struct git_push *ret)
{
	struct git_push p = { .verified = f->complete, .runs = f->runs, .head = f->branch };
	struct text_room room = { text, size, false };
	struct bytes name = remote.len > 0 ? remote : default_remote(f);
	const struct git_remote *found = NULL;

	for (uint32_t i = 0; i < f->n_remotes; i++)
		if (bytes_eq(f->remotes[i].name, name))
			found = &f->remotes[i];
	p.branch = bare_branch(f, f->branch_remote.len > 0 && !bytes_eq(f->branch_remote, name));
	if (found != NULL && found->n_urls + found->n_push_urls > 0) {
		p.default_branch = found->default_branch;
		p.forced = (found->flags & (GIT_REMOTE_MIRROR | GIT_REMOTE_FORCES)) != 0;
		if ((found->flags & (GIT_REMOTE_MIRROR | GIT_REMOTE_REFSPECS)) != 0)
			p.branch = (struct bytes){ "", 0 };
		if ((found->flags & GIT_REMOTE_HELPER) != 0)
			p.verified = false;
		add_urls(f, found->urls, found->n_urls, found->push_urls, found->n_push_urls, &room, &p);
	} else if (remote.len > 0 && !looks_like_name(remote)) {
		add_urls(f, &remote, 1, NULL, 0, &room, &p);
	} else {
		p.verified = false; /* a name that nothing gives a meaning to */
	}
	if (room.full || p.n_urls == 0)
		p.verified = false;
	*ret = p;
}
