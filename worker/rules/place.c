/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the target of an effect may lie, over all directories the command may be in. What the spelling settles is
 * settled by it; the broker is asked where a link could make the answer another one and the answer matters.
 */
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

enum { PATH_SIZE = QUESTION_PATH_MAX };

static int ask(struct judge *j, struct bytes base, struct bytes path, bool entry, struct answer *ret)
{
	struct memo *m;
	int r;

	for (m = j->memos; m != NULL; m = m->next)
		if (m->entry == entry && bytes_eq(m->path, path) && bytes_eq(m->base, base)) {
			*ret = m->answer;
			return 0;
		}
	*ret = (struct answer){ .status = ANSWER_UNKNOWN };
	if (j->line->oracle == NULL || j->questions >= QUESTIONS_MAX)
		return 0;
	j->questions++;
	r = ask_path(j->line->oracle, j->arena, j->line->cwd, base, path, entry, ret);
	m = r == 0 ? arena_new(j->arena, struct memo) : NULL;
	if (m == NULL)
		return r < 0 ? r : -ENOMEM;
	*m = (struct memo){ base, path, entry, *ret, j->memos };
	j->memos = m;
	return 0;
}

bool place_ask(struct judge *j, struct bytes base, struct bytes path, struct answer *ret)
{
	int r = ask(j, base, path, false, ret);

	if (r < 0)
		judge_fail(j, r);
	return r == 0;
}

/* A relative path, and nobody knows from where. */
static enum place place_from_nowhere(struct judge *j, struct bytes path, enum effect_id effect)
{
	bool looks = effect_reads(effect) && effect_rule(effect, PLACE_OTHER).ruling == RULING_VOUCHED;
	enum place named = place_by_name(j, path, effect);

	if (named != PLACE_NONE)
		return named;
	return looks && !place_needs_evidence(effect) ? PLACE_OTHER : PLACE_UNKNOWN;
}

/* What the broker saw of the target may make less of the effect. */
static void settle_effect(const struct answer *a, enum effect_id effect, struct placed *ret)
{
	const bool missing = a->status == ANSWER_KNOWN && a->type == PATH_MISSING;
	const bool directory = a->status == ANSWER_KNOWN && a->type == PATH_DIRECTORY;

	if (effect == EFFECT_ASK_ITSELF && ret->place != PLACE_SYSTEM)
		ret->effect = EFFECT_EXECUTE;
	/* What is not there yet loses nothing by being written. */
	if (effect == EFFECT_WRITE && missing)
		ret->effect = EFFECT_CREATE;
	/* Nor does what is not there by being deleted, where no repository would keep what is. */
	if (effect == EFFECT_DELETE && missing && ret->place == PLACE_WORKSPACE)
		ret->place = PLACE_NULL;
	/* A directory that is deleted from, and not as a whole: what goes is something in it. */
	if (effect == EFFECT_DELETE && directory && ret->place == PLACE_ROOT)
		ret->place = place_ordinary(a, (struct bytes){ NULL, 0 }, effect);
	if (effect == EFFECT_WRITE && directory && (ret->place == PLACE_ROOT || ret->place == PLACE_ABOVE)) {
		/* A file put into a directory is no change of the directory: `within` says where it goes. */
		ret->place = place_ordinary(a, (struct bytes){ NULL, 0 }, effect);
		ret->effect = EFFECT_CREATE;
	}
}

/* By what the broker finds at `path` in `dir`: `normal`. */
static void place_by_evidence(struct judge *j, struct bytes dir, struct bytes path, struct bytes normal,
	enum effect_id effect, struct placed *ret)
{
	struct answer a;
	int r = ask(j, dir, path, effect_on_entry(effect), &a);

	if (r < 0) {
		judge_fail(j, r);
		return;
	}
	ret->place = place_by_facts(j, &a, effect, normal);
	if (a.status == ANSWER_KNOWN && a.real.len > 0)
		ret->shown = a.real;
	/* A name that looks secret stays one where nothing more could be found out. */
	if (ret->place == PLACE_UNKNOWN && place_by_name(j, normal, effect) == PLACE_SECRET)
		ret->place = PLACE_SECRET;
	ret->place = place_in_zone(j, normal, ret->shown, effect, ret->place);
	settle_effect(&a, effect, ret);
}

/* `rm -r x/`, where the line brings in what x is: a link, perhaps, that the slash follows. */
static bool leads_through_news(struct judge *j, struct bytes dir, struct bytes path)
{
	struct answer a;

	return path.len > 0 && path.p[path.len - 1] == '/' && flow_brings_names(j) &&
		(ask(j, dir, path, true, &a) < 0 || a.status != ANSWER_KNOWN || a.type == PATH_MISSING);
}

/* By another name it leads there all the same, and nobody can tell from that name. */
static bool moves_link_to_secret(struct judge *j, struct bytes dir, struct bytes path, enum effect_id effect)
{
	const uint32_t both = FACT_SYMLINK | FACT_SECRET;
	struct answer target;

	return effect == EFFECT_MOVE && (ask(j, dir, path, false, &target) < 0 || (target.facts & both) == both);
}

/* `path` in directory `dir` (empty: unknown). Sets place, effect and shown. */
static void place_at(struct subject *s, struct bytes dir, struct bytes path, enum effect_id effect, struct placed *ret)
{
	struct judge *j = s->j;
	char buffer[PATH_SIZE];
	size_t n = path_normalise(dir, path, buffer, sizeof(buffer));
	struct bytes normal;

	ret->effect = effect;
	ret->shown = path;
	ret->certain = true;
	if (n == 0 && effect == EFFECT_ASK_ITSELF)
		ret->effect = effect = EFFECT_EXECUTE;
	if (n == 0) {
		ret->place = place_from_nowhere(j, path, effect);
		return;
	}
	if (effect_makes(effect) && path_is_an_option(path)) {
		ret->place = PLACE_UNKNOWN;
		return;
	}
	normal = (struct bytes){ arena_copy(j->arena, buffer, n), n };
	if (normal.p == NULL) {
		judge_fail(j, -ENOMEM);
		return;
	}
	ret->shown = normal;
	ret->place = place_by_name(j, normal, effect);
	/* Only what lies in the system's directories is asked about itself; the rest is run. */
	if (effect == EFFECT_ASK_ITSELF && (ret->place != PLACE_NONE || !path_is_system(normal))) {
		place_at(s, dir, path, EFFECT_EXECUTE, ret);
		return;
	}
	if (ret->place != PLACE_NONE && !zones_need_evidence(j))
		return;
	if (ret->place != PLACE_NONE && ret->place != PLACE_SECRET) {
		ret->place = place_in_zone(j, normal, normal, effect, ret->place);
		return;
	}
	if (!place_needs_evidence(effect) && !zones_need_evidence(j)) {
		ret->place = place_spelled(j, normal);
		return;
	}
	place_by_evidence(j, dir, path, normal, effect, ret);
	if (effect_on_entry(effect) && effect_rule(effect, ret->place).ruling == RULING_VOUCHED &&
		(leads_through_news(j, dir, path) || moves_link_to_secret(j, dir, path, effect))) {
		ret->place = PLACE_UNKNOWN;
		ret->certain = false;
	}
}

/* Strictness of a ruling, for choosing between two places one target may lie in. */
static int strictness(const struct placed *p)
{
	switch (effect_rule(p->effect, p->place).ruling) {
	case RULING_VOUCHED:
		return 0;
	case RULING_OPEN:
		return 1;
	case RULING_HARM:
	default:
		return 2;
	}
}

/* Over all directories the command may be in. A harm is certain when it is one wherever the command runs, or when it
 * hits the gate in one of them. */
void place_path(struct subject *s, struct bytes base, struct bytes path, enum effect_id effect,
	struct placed *ret)
{
	bool absolute = (path.len > 0 && path.p[0] == '/') || (base.len > 0 && base.p[0] == '/');
	uint32_t n = absolute ? 1 : s->dirs.n;
	int least = 2;

	place_at(s, absolute ? base : (struct bytes){ NULL, 0 }, path, effect, ret);
	if (absolute)
		return;
	if (n > 0 && !s->dirs.unknown)
		ret->place = PLACE_NONE;
	else
		least = strictness(ret);
	for (uint32_t i = 0; i < n; i++) {
		struct placed here;
		char buffer[PATH_SIZE];
		size_t len = path_normalise(s->dirs.d[i], base, buffer, sizeof(buffer));
		struct bytes dir = { arena_copy(s->j->arena, buffer, len), len };

		if (dir.p == NULL) {
			judge_fail(s->j, -ENOMEM);
			return;
		}
		place_at(s, dir, path, effect, &here);
		least = strictness(&here) < least ? strictness(&here) : least;
		if ((i == 0 && !s->dirs.unknown) || strictness(&here) > strictness(ret))
			*ret = here;
	}
	if (strictness(ret) == 2 && least < 2 && ret->place != PLACE_GATE)
		ret->certain = false;
}

static void place_dynamic(struct subject *s, const struct command_effect *e, struct placed *ret)
{
	struct bytes pattern = pattern_of(s->j, e);
	size_t slash = e->target.len;

	/* A name that is taken apart is the names of other files. */
	if (pattern.len > 0 && (e->word_flags & WORD_PIECES) != 0 &&
		effect_rule(e->effect, PLACE_UNKNOWN).ruling != RULING_VOUCHED && !pattern_holds_together(s, e->word))
		pattern.len = 0;
	if (pattern.len > 0) {
		place_pattern(s, e, pattern, ret);
		if (e->within.len > 0) {
			struct placed below;
			struct bytes inner = judge_text(s->j, "%.*s/%.*s", (int)pattern.len, pattern.p,
				(int)e->within.len, e->within.p);

			place_pattern(s, e, inner, &below);
			if (strictness(&below) > strictness(ret))
				*ret = below;
		}
		return;
	}
	if (target_is_runner_file(s, e)) {
		*ret = (struct placed){ .place = PLACE_SCRATCH, .effect = e->effect, .shown = e->word->src };
		return;
	}
	*ret = (struct placed){ .place = PLACE_UNKNOWN, .effect = e->effect,
		.shown = e->word != NULL ? e->word->src : e->target, .certain = false };
	/* What it certainly begins with can still be told as the gate's or a secret. */
	while (slash > 0 && e->target.p[slash - 1] != '/')
		slash--;
	if (slash > 1) {
		enum place p = place_by_name(s->j, (struct bytes){ e->target.p, slash - 1 }, e->effect);

		if (p == PLACE_GATE || p == PLACE_SECRET)
			ret->place = p;
	}
}

/* <(…): what runs there is judged where it stands, and what it prints is no file. */
static bool reads_a_process(const struct command_effect *e)
{
	return (e->effect == EFFECT_READ || e->effect == EFFECT_COPY || e->effect == EFFECT_LIST) && !e->is_static &&
		e->word != NULL && e->target.len == 0 && e->word->parts != NULL &&
		e->word->parts->kind == PART_PROCESS && e->word->parts->next == NULL;
}

/* What a copy takes along that follows the links in a tree. */
static void look_at_links(struct subject *s, struct placed *p)
{
	struct judge *j = s->j;
	struct answer a = { .status = ANSWER_UNKNOWN };

	if (effect_rule(p->effect, p->place).ruling != RULING_VOUCHED || p->shown.len == 0 || p->shown.p[0] != '/')
		return;
	if (j->line->oracle != NULL && j->questions < QUESTIONS_MAX) {
		int r = ask_links(j->line->oracle, j->arena, j->line->cwd, (struct bytes){ NULL, 0 }, p->shown, &a);

		j->questions++;
		if (r < 0)
			judge_fail(j, r);
	}
	if (a.status == ANSWER_KNOWN && (a.facts & FACT_SECRET) == 0)
		return;
	p->certain = false;
	p->place = a.status == ANSWER_KNOWN ? PLACE_SECRET : PLACE_UNKNOWN;
}

/*
 * A harness's directory as a whole: what is unpacked into it, mounted over it or put in its place brings settings and
 * hooks along. With `within` it is known which file of it is meant, unless the directory is not there yet.
 */
static bool names_settings(const struct judge *j, const struct command_effect *e, const struct placed *p)
{
	if (e->effect != EFFECT_WRITE && e->effect != EFFECT_CREATE && e->effect != EFFECT_LINK &&
		e->effect != EFFECT_MOVE)
		return false;
	return p->place != PLACE_NULL && path_is_gate_directory(p->shown, j->line->policy->home);
}

static bool replaces_settings(const struct judge *j, const struct command_effect *e, const struct placed *p)
{
	bool whole = e->within.len == 0 || (e->effect == EFFECT_WRITE && p->effect == EFFECT_CREATE);

	return whole && names_settings(j, e, p);
}

static enum place place_address(struct subject *s, const struct command_effect *e, enum target_kind kind)
{
	if (!e->is_static)
		return PLACE_UNKNOWN;
	if (kind == TARGET_FORGE)
		return place_forge(s, e->target);
	return e->by_path ? place_copy_host(s->j->line->policy, e->target) :
		place_host(s->j->line->policy, kind, e->target);
}

/* A target that is no path of this machine. */
static void place_elsewhere(struct subject *s, const struct command_effect *e, struct placed *p)
{
	enum target_kind kind = effect_target(e->effect);

	switch (kind) {
	case TARGET_REMOTE:
		place_remote(s, e, p);
		return;
	case TARGET_URL:
	case TARGET_FORGE:
		p->place = place_address(s, e, kind);
		return;
	case TARGET_PATH:
	case TARGET_NONE:
	case TARGET_NAME:
	case TARGET__MAX:
	default:
		p->certain = true;
	}
}

void place_effect(struct subject *s, const struct command_effect *e,
	void (*each)(struct subject *s, const struct command_effect *e, const struct placed *p))
{
	struct placed p = { .place = PLACE_NONE, .effect = e->effect, .shown = e->target, .certain = e->is_static };

	if (effect_target(e->effect) != TARGET_PATH) {
		place_elsewhere(s, e, &p);
		each(s, e, &p);
		return;
	}
	if (reads_a_process(e))
		return;
	if (s->where == NESTED_CONTAINER && place_in_container(s, e, each))
		return;
	if (s->where == NESTED_CONTAINER || s->where == NESTED_HOST || s->where == NESTED_ROOT) {
		p.place = s->where == NESTED_CONTAINER ? PLACE_CONTAINER : PLACE_UNKNOWN;
		p.certain = false;
		each(s, e, &p);
		return;
	}
	if (!e->is_static) {
		place_dynamic(s, e, &p);
		each(s, e, &p);
		return;
	}
	place_path(s, e->base, e->target.len > 0 ? e->target : BYTES("."), e->effect, &p);
	p.certain = p.certain && e->is_static;
	if (e->follows)
		look_at_links(s, &p);
	if (replaces_settings(s->j, e, &p))
		p.place = PLACE_GATE;
	each(s, e, &p);
	if (e->within.len > 0 && p.place != PLACE_NULL) {
		struct bytes inner = judge_text(s->j, "%.*s/%.*s", (int)e->target.len, e->target.p, (int)e->within.len,
			e->within.p);

		place_path(s, e->base, inner, e->effect, &p);
		/* Whether the target is a directory is not known: this is only where it may go. */
		p.certain = p.place == PLACE_GATE;
		if (names_settings(s->j, e, &p))
			p.place = PLACE_GATE;
		each(s, e, &p);
	}
}
