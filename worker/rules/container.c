/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command in a container does to files of this machine: below the target of a bind mount it sees, and changes,
 * what lies at the mount's source (docker-run(1), --volume and --mount).
 */
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

typedef void (*each_fn)(struct subject *s, const struct command_effect *e, const struct placed *p);

static struct bytes normal(struct judge *j, struct bytes base, struct bytes path)
{
	char buffer[QUESTION_PATH_MAX];
	size_t n = path_normalise(base, path, buffer, sizeof(buffer));
	struct bytes copy = { arena_copy(j->arena, buffer, n), n };

	if (copy.p == NULL)
		judge_fail(j, -ENOMEM);
	return copy;
}

/* Of this machine, under the name it has here. What runs in a container is never certain: the image may differ. */
static void on_host(struct subject *s, const struct command_effect *e, struct bytes path, bool is_pattern, each_fn each)
{
	const struct directories inside = s->dirs;
	struct command_effect host = *e;
	struct word *word = arena_new(s->j->arena, struct word);

	if (word == NULL) {
		judge_fail(s->j, -ENOMEM);
		return;
	}
	*word = (struct word){ .src = path, .flags = WORD_GLOB };
	host.base = (struct bytes){ NULL, 0 };
	host.target = path;
	host.certain = false;
	if (is_pattern) {
		for (host.target.len = 0; host.target.len < path.len && strchr("*?[", path.p[host.target.len]) == NULL;)
			host.target.len++;
		word->prefix = host.target;
		host.word = word;
		host.word_flags = word->flags;
	}
	s->where = NESTED_HERE;
	s->dirs = s->host;
	place_effect(s, &host, each);
	s->dirs = inside;
	s->where = NESTED_CONTAINER;
}

/* Reaches all there is below what it names. */
static bool goes_down(enum effect_id e)
{
	return effect_on_tree(e) || e == EFFECT_SEARCH || e == EFFECT_COPY;
}

/* What a pattern begins with, up to the last slash in front of it: everything below may fit. */
static struct bytes above_pattern(struct bytes path)
{
	size_t n = 0;

	for (size_t i = 0; i < path.len && strchr("*?[", path.p[i]) == NULL; i++)
		if (path.p[i] == '/')
			n = i;
	return (struct bytes){ path.p, n > 0 ? n : 1 };
}

/* A path in the container, absolute: every mount it lies in, or which lies in what is reached. */
static bool in_mounts(struct subject *s, const struct command_effect *e, struct bytes path, bool is_pattern,
	each_fn each)
{
	struct bytes above = is_pattern ? above_pattern(path) : path;
	struct placed unknown = { .place = PLACE_UNKNOWN, .effect = e->effect, .shown = path };
	bool found = false;

	for (const struct mount *m = s->container->mounts; m != NULL; m = m->next) {
		struct bytes target = normal(s->j, BYTES("/"), m->target), rest;

		if (path_within(path, target)) {
			size_t skip = target.len > 1 ? target.len : 0;

			rest = (struct bytes){ path.p + skip, path.len - skip };
			on_host(s, e, rest.len > 1 ? judge_text(s->j, "%.*s%.*s", (int)m->source.len, m->source.p,
				(int)rest.len, rest.p) : m->source, is_pattern && rest.len > 1, each);
			found = true;
		} else if (path_within(target, above) && goes_down(e->effect)) {
			on_host(s, e, m->source, false, each);
			found = true;
		} else if (is_pattern && path_within(target, above)) {
			each(s, e, &unknown);
			found = true;
		}
	}
	return found;
}

/* Relative to a directory that only the image knows: it may be any of the mounts. */
static bool in_any_mount(struct subject *s, const struct command_effect *e, struct bytes path, bool is_pattern,
	each_fn each)
{
	for (const struct mount *m = s->container->mounts; m != NULL; m = m->next)
		on_host(s, e, judge_text(s->j, "%.*s/%.*s", (int)m->source.len, m->source.p, (int)path.len, path.p),
			is_pattern, each);
	return s->container->mounts != NULL;
}

/*
 * An image that names no directory works in the root (docker-run(1), --workdir), from where a mount's own name leads
 * into it. What a pattern without a slash fits there is the mount itself at most, not what lies in it.
 */
static bool from_root(struct subject *s, const struct command_effect *e, struct bytes path, bool is_pattern,
	each_fn each)
{
	if (is_pattern && memchr(path.p, '/', path.len) == NULL && !goes_down(e->effect))
		return false;
	return in_mounts(s, e, normal(s->j, BYTES("/"), path), is_pattern, each);
}

static bool in_directories(struct subject *s, const struct command_effect *e, struct bytes path, bool is_pattern,
	each_fn each)
{
	const struct directories dirs = s->dirs;
	struct bytes base = e->base;
	bool found = false;

	if (path.p[0] == '/')
		return in_mounts(s, e, normal(s->j, BYTES("/"), path), is_pattern, each);
	if (base.len > 0)
		path = judge_text(s->j, "%.*s/%.*s", (int)base.len, base.p, (int)path.len, path.p);
	if (path.len > 0 && path.p[0] == '/')
		return in_mounts(s, e, normal(s->j, BYTES("/"), path), is_pattern, each);
	for (uint32_t i = 0; i < dirs.n; i++) {
		struct bytes full = normal(s->j, dirs.d[i], path);

		found = (full.len > 0 && in_mounts(s, e, full, is_pattern, each)) || found;
	}
	if (dirs.unknown)
		found = from_root(s, e, path, is_pattern, each) || found;
	return (dirs.unknown && in_any_mount(s, e, path, is_pattern, each)) || found;
}

/* In one that was there before, what is called like a secret is one: it was given it, and nobody has seen its mounts. */
static bool in_running(struct subject *s, const struct command_effect *e, each_fn each)
{
	struct placed p = { .place = PLACE_SECRET, .effect = e->effect, .shown = e->target, .certain = false };

	if (!s->container->running || !e->is_static || (e->effect != EFFECT_READ && e->effect != EFFECT_COPY &&
		e->effect != EFFECT_SEARCH) || !path_is_secret(e->target))
		return false;
	each(s, e, &p);
	return true;
}

/* A word of which only the beginning is known: it may lead into a mount, unless it begins somewhere else. */
static bool in_the_unknown(struct subject *s, const struct command_effect *e, each_fn each)
{
	struct placed p = { .place = PLACE_UNKNOWN, .effect = e->effect, .certain = false,
		.shown = e->word != NULL ? e->word->src : e->target };
	bool reached = e->target.len == 0 || e->target.p[0] != '/';
	size_t slash = e->target.len;

	if (s->container->mounts == NULL)
		return false;
	while (slash > 1 && e->target.p[slash - 1] != '/')
		slash--;
	for (const struct mount *m = s->container->mounts; m != NULL && !reached; m = m->next) {
		struct bytes target = normal(s->j, BYTES("/"), m->target);
		struct bytes known = normal(s->j, BYTES("/"), (struct bytes){ e->target.p, slash });

		reached = path_within(known, target) || path_within(target, known);
	}
	if (reached)
		each(s, e, &p);
	return reached;
}

bool place_in_container(struct subject *s, const struct command_effect *e, each_fn each)
{
	struct bytes path = e->target;
	bool is_pattern = false;

	if (s->container == NULL || e->effect == EFFECT_ENTER)
		return false;
	if (!e->is_static) {
		path = pattern_of(s->j, e);
		is_pattern = path.len > 0;
		if (!is_pattern)
			return in_the_unknown(s, e, each);
	} else if (path.len == 0) {
		path = BYTES(".");
	}
	return in_directories(s, e, path, is_pattern, each) || in_running(s, e, each);
}
