/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Targets that are file name patterns: placed by the directory in front of the pattern, by what the pattern could
 * match, and where a link among the matches would matter by what it matches now.
 */
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

/* Effects that reach through a link among the files matched, to where it points. */
static bool reaches_through(enum effect_id e)
{
	return e == EFFECT_READ || e == EFFECT_COPY || effect_makes(e) || e == EFFECT_MODE || e == EFFECT_MODE_OPEN ||
		e == EFFECT_OWNER;
}

/* Which of the questions about patterns asks for what a word can stand for. */
static enum question_kind question_about(uint32_t flags)
{
	if (flags & WORD_VISIBLE)
		return ASK_GLOB_VISIBLE;
	return flags & (WORD_TRACKED | WORD_NOT_GIT) ? ASK_GLOB_TRACKED : ASK_GLOB;
}

/* What the pattern fits now, in the directory the command runs in. False: not known. */
static bool ask_about(struct subject *s, struct bytes pattern, enum question_kind kind, struct answer *ret)
{
	struct judge *j = s->j;
	struct bytes base = s->dirs.n == 1 && !s->dirs.unknown ? s->dirs.d[0] : (struct bytes){ NULL, 0 };
	struct pattern_memo *m;
	int r;

	if (pattern.len == 0 || (base.len == 0 && pattern.p[0] != '/') || s->where != NESTED_HERE)
		return false;
	for (m = j->pattern_memos; m != NULL; m = m->next)
		if (m->kind == kind && bytes_eq(m->pattern, pattern) && bytes_eq(m->base, base)) {
			*ret = m->answer;
			return ret->status == ANSWER_KNOWN;
		}
	if (j->line->oracle == NULL || j->questions >= QUESTIONS_MAX)
		return false;
	j->questions++;
	r = ask_glob(j->line->oracle, j->arena, j->line->cwd, base, pattern, kind, ret);
	m = r == 0 ? arena_new(j->arena, struct pattern_memo) : NULL;
	if (m == NULL) {
		judge_fail(j, r < 0 ? r : -ENOMEM);
		return false;
	}
	*m = (struct pattern_memo){ kind, base, pattern, *ret, j->pattern_memos };
	j->pattern_memos = m;
	return ret->status == ANSWER_KNOWN;
}

static bool ask_matches(struct subject *s, const struct command_effect *e, struct bytes pattern, struct answer *ret)
{
	return e->base.len == 0 && ask_about(s, pattern, question_about(e->word_flags), ret);
}

bool pattern_matches_nothing(struct subject *s, struct bytes pattern, uint32_t flags)
{
	struct answer a;

	return ask_about(s, pattern, question_about(flags), &a) && a.size == 0;
}

/* The line has itself brought in files, of names that nobody knows. */
static bool brings_names(const struct judge *j)
{
	return flow_has_brought_names(j) || j->flows_lost || j->rewrites || j->names_copied;
}

bool pattern_holds_together(struct subject *s, const struct word *word)
{
	/* What xargs, or the shell on reading a word again, takes for something else. */
	static const char special[] = "*[[:space:]\"'\\\\*?[]*";
	struct bytes src = word->src;
	size_t slash = 0, first = 0;
	bool deep;

	while (first < src.len && strchr("*?[", src.p[first]) == NULL) {
		if (strchr(" \t\n'\"\\", src.p[first]) != NULL)
			return false;
		if (src.p[first++] == '/')
			slash = first;
	}
	if (brings_names(s->j))
		return false;
	deep = memchr(src.p + first, '/', src.len - first) != NULL;
	return pattern_matches_nothing(s, judge_text(s->j, "%.*s%s%s", (int)slash, src.p, deep ? "**/" : "", special),
		word->flags);
}

bool pattern_has_dashed(struct subject *s, const struct word *word)
{
	const char *at;
	struct bytes rest;
	struct command_effect e = { .word = word, .target = word->prefix, .word_flags = word->flags };
	struct bytes pattern = pattern_of(s->j, &e);

	if ((word->flags & WORD_PIECES) != 0 && !pattern_holds_together(s, word))
		return true;
	if (word->prefix.len > 0)
		return word->prefix.p[0] == '-';
	if (pattern.len == 0 || brings_names(s->j))
		return true;
	/* The first component, with a dash where its first wildcard stands. */
	at = (const char *)memchr(pattern.p, '/', pattern.len);
	if (at != NULL)
		pattern.len = (size_t)(at - pattern.p);
	if (bytes_is(pattern, "**") || bytes_is(pattern, "*"))
		return !pattern_matches_nothing(s, BYTES("-*"), 0);
	at = pattern.p[0] == '[' ? (const char *)memchr(pattern.p + 1, ']', pattern.len - 1) : pattern.p;
	if (at == NULL)
		return true;
	rest = (struct bytes){ at + 1, (size_t)(pattern.p + pattern.len - at) - 1 };
	return !pattern_matches_nothing(s, judge_text(s->j, "-%s%.*s", pattern.p[0] == '*' ? "*" : "", (int)rest.len,
		rest.p), 0);
}

/* `*`, `*.txt`: of all files, or of all of a kind that is not one of secrets. */
static bool is_any_name(struct bytes pattern)
{
	const char *slash = pattern.len > 0 ? (const char *)memrchr(pattern.p, '/', pattern.len) : NULL;
	struct bytes last = slash != NULL ?
		(struct bytes){ slash + 1, (size_t)(pattern.p + pattern.len - slash) - 1 } : pattern;
	char name[64] = "x";

	if (last.len == 0 || last.p[0] != '*' || last.len >= sizeof(name))
		return last.len == 2 && memcmp(last.p, "?*", 2) == 0;
	if (memchr(last.p + 1, '*', last.len - 1) != NULL || memchr(last.p, '?', last.len) != NULL ||
		memchr(last.p, '[', last.len) != NULL || (last.len > 1 && last.p[1] != '.'))
		return false;
	memcpy(name + 1, last.p + 1, last.len - 1);
	return !path_is_secret((struct bytes){ name, last.len });
}

/* The files matched decide over the directory they lie in, where one of them is more than it seems. */
static void look_at_matches(struct subject *s, const struct command_effect *e, struct bytes pattern,
	struct bytes names, struct placed *ret)
{
	struct answer a = { .status = ANSWER_UNKNOWN };
	bool prints = e->effect == EFFECT_READ || e->effect == EFFECT_COPY, known;

	ret->certain = false;
	/* No link is among them, and none by a name that tells of secrets. */
	if ((e->word_flags & WORD_REGULAR) != 0 && prints && !path_glob_reaches_secret(names))
		return;
	known = ask_matches(s, e, pattern, &a);
	/* What is committed is shown by many a command of git. */
	if ((e->word_flags & WORD_TRACKED) != 0 && prints) {
		ret->place = known && (a.facts & FACT_SYMLINK) == 0 ? ret->place : PLACE_UNKNOWN;
		return;
	}
	if (known && (a.facts & FACT_SECRET) && prints)
		ret->place = PLACE_SECRET;
	else if (known && (a.facts & (FACT_GATE | FACT_HOLDS_GATE)) && !prints)
		ret->place = PLACE_GATE;
	else if (!known || (a.facts & FACT_SYMLINK) ||
		((a.facts & (FACT_GATE | FACT_SECRET | FACT_STARTUP)) && !prints))
		ret->place = PLACE_UNKNOWN;
	/* What is not there yet may be there when it runs: then the name must tell. */
	if ((!known || (a.size == 0 && (flow_may_add(s, pattern) || !is_any_name(names)))) && prints &&
		path_glob_reaches_secret(names))
		ret->place = PLACE_SECRET;
}

/* DIR/LAST, or DIR/ ** /LAST without the blanks: such names at any depth. */
struct pattern_parts {
	struct bytes dir, with_slash, last;
	bool deep; /* there is a ** before the last */
	bool all; /* the last matches everything there is, or everything hidden */
};

/* A directory that the pattern fits, and not only the last component: it may be a link, to anywhere. */
static bool fits_directories(const struct pattern_parts *p)
{
	return p->last.len > 0 && memchr(p->last.p, '/', p->last.len) != NULL;
}

/* What is deleted or moved behind such a link is not where the pattern says. */
static void look_behind_links(struct subject *s, const struct command_effect *e, struct bytes pattern,
	struct placed *ret)
{
	struct answer a = { .status = ANSWER_UNKNOWN };

	if (ask_matches(s, e, pattern, &a) && (a.facts & FACT_SYMLINK) == 0)
		return;
	ret->place = PLACE_UNKNOWN;
	ret->certain = false;
}

/* What is deleted or renamed by a pattern that a harness's settings could fit. */
static void look_for_settings(struct subject *s, const struct command_effect *e, struct bytes pattern,
	struct placed *ret)
{
	struct answer a = { .status = ANSWER_UNKNOWN };
	bool known = ask_matches(s, e, pattern, &a);

	if (known && (a.facts & (FACT_GATE | FACT_HOLDS_GATE)) == 0)
		return;
	ret->certain = false;
	ret->place = known ? PLACE_GATE : PLACE_UNKNOWN;
}

/* The directory is the workspace's root, or holds it. */
static bool is_root(struct subject *s, struct bytes dir)
{
	struct bytes base = s->dirs.n == 1 && !s->dirs.unknown ? s->dirs.d[0] : (struct bytes){ NULL, 0 };
	struct answer a;

	if (base.len == 0 && (dir.len == 0 || dir.p[0] != '/'))
		return true;
	if (!place_ask(s->j, base, dir.len > 0 ? dir : BYTES("."), &a))
		return true;
	return a.status != ANSWER_KNOWN || (a.facts & FACT_WORKSPACE_ROOT) != 0;
}

static bool all_names(struct bytes last)
{
	return bytes_is(last, "*") || bytes_is(last, "?*");
}

static bool is_scratch_root(const struct judge *j, struct bytes dir)
{
	const struct string_list *roots = &j->line->policy->scratch_roots;

	for (uint32_t i = 0; i < roots->n; i++) {
		struct bytes root = roots->items[i];

		while (root.len > 1 && root.p[root.len - 1] == '/')
			root.len--;
		if (root.len > 1 && bytes_eq(root, dir))
			return true;
	}
	return false;
}

/* Something of the gate's is there, below the directory, and the pattern could fit it. */
static bool may_hit_gate(struct subject *s, const struct command_effect *e, struct bytes dir, struct bytes pattern)
{
	struct bytes base = s->dirs.n == 1 && !s->dirs.unknown ? s->dirs.d[0] : (struct bytes){ NULL, 0 };
	char buffer[QUESTION_PATH_MAX];
	const char *what;
	struct answer a;
	size_t n;

	if (pattern.p[0] == '/')
		base = BYTES("/");
	if (base.len == 0 || e->base.len > 0)
		return path_holds_gate(dir, s->j->line->policy->home, &what);
	n = path_normalise(base, pattern, buffer, sizeof(buffer));
	if (n > 0 && !path_glob_hits_gate((struct bytes){ buffer, n }, s->j->line->policy->home,
		effect_on_entry(e->effect) || e->effect == EFFECT_MODE || e->effect == EFFECT_MODE_OPEN ||
			e->effect == EFFECT_OWNER))
		return false;
	return !place_ask(s->j, base, dir, &a) || a.status != ANSWER_KNOWN || (a.facts & FACT_HOLDS_GATE) != 0;
}

static struct pattern_parts parts_of(struct bytes pattern)
{
	struct pattern_parts p = { .deep = false };
	size_t slash = 0;

	for (size_t i = 0; i < pattern.len && strchr("*?[", pattern.p[i]) == NULL; i++)
		if (pattern.p[i] == '/')
			slash = i + 1;
	p.dir = (struct bytes){ pattern.p, slash > 1 ? slash - 1 : slash };
	p.with_slash = (struct bytes){ pattern.p, slash };
	p.last = (struct bytes){ pattern.p + slash, pattern.len - slash };
	while (p.last.len > 3 && memcmp(p.last.p, "**/", 3) == 0) {
		p.deep = true;
		p.last = (struct bytes){ p.last.p + 3, p.last.len - 3 };
	}
	p.all = bytes_is(p.last, "*") || bytes_is(p.last, ".*") || bytes_is(p.last, "**") || bytes_is(p.last, ".[!.]*");
	return p;
}

/* What is matched in a directory is less than the directory, unless it is everything there. */
static void place_in_directory(
	struct subject *s, const struct command_effect *e, const struct pattern_parts *p, struct placed *ret)
{
	/* Everything in the root, even without what lies below: settings and environment files are among it. */
	if (p->all && e->effect == EFFECT_DELETE &&
		(ret->place == PLACE_WORKTREE || ret->place == PLACE_WORKSPACE) && is_root(s, p->dir))
		ret->place = PLACE_ROOT;
	if (memmem(p->last.p, p->last.len, "..", 2) != NULL)
		ret->place = PLACE_UNKNOWN;
	if (ret->place == PLACE_ROOT && !p->all)
		ret->place = PLACE_WORKTREE;
	if (ret->place == PLACE_ROOT || ret->place == PLACE_ABOVE || ret->place == PLACE_GATE)
		ret->certain = ret->certain && p->all;
	if (ret->place == PLACE_ABOVE && !p->all)
		ret->place = PLACE_UNKNOWN;
	/* Of /tmp itself only what lies in it is scratch. */
	if (!p->all && (ret->place == PLACE_SYSTEM || ret->place == PLACE_OTHER) && is_scratch_root(s->j, p->dir))
		ret->place = PLACE_SCRATCH;
}

static bool is_vouched(const struct command_effect *e, const struct placed *p)
{
	return effect_rule(e->effect, p->place).ruling == RULING_VOUCHED;
}

/* Names of files that run or settle something, among what may be matched. */
static bool reaches_sensitive(
	struct subject *s, const struct command_effect *e, const struct pattern_parts *p, const struct placed *placed)
{
	if (effect_on_entry(e->effect) && is_vouched(e, placed) && p->last.len > 0 &&
		strchr("*?", p->last.p[0]) == NULL && path_glob_reaches_sensitive(p->last))
		return true;
	/* Whatever there is at any depth, in git's own directory too. */
	return all_names(p->last) && p->deep && (e->word_flags & (WORD_VISIBLE | WORD_TRACKED | WORD_NOT_GIT)) == 0 &&
		placed->place == PLACE_WORKTREE && is_root(s, p->dir);
}

/* A target with a pattern in its last components: placed by the directory in front of the pattern. */
void place_pattern(struct subject *s, const struct command_effect *e, struct bytes pattern, struct placed *ret)
{
	const struct pattern_parts p = parts_of(pattern);
	const struct bytes names = p.deep ? p.last : pattern;

	/* With its slash: what is matched lies behind the link that the directory may be. */
	place_path(s, e->base, p.dir.len > 0 ? p.with_slash : BYTES("."), e->effect, ret);
	ret->shown = pattern;
	place_in_directory(s, e, &p, ret);
	if (reaches_sensitive(s, e, &p, ret)) {
		ret->place = PLACE_SENSITIVE;
		ret->certain = false;
	}
	if (e->effect == EFFECT_READ && ret->place == PLACE_SECRET)
		return;
	if (e->effect == EFFECT_SEARCH && path_glob_reaches_secret(names)) {
		ret->certain = path_is_secret(p.dir);
		ret->place = PLACE_SECRET;
	}
	if (effect_on_entry(e->effect) && !p.all && path_glob_reaches_gate(p.last) && is_vouched(e, ret))
		look_for_settings(s, e, pattern, ret);
	if (reaches_through(e->effect) && is_vouched(e, ret))
		look_at_matches(s, e, pattern, names, ret);
	else if (fits_directories(&p) && effect_on_entry(e->effect) && is_vouched(e, ret))
		look_behind_links(s, e, pattern, ret);
	if (effect_on_tree(e->effect) && ret->place != PLACE_GATE && ret->place != PLACE_ABOVE && p.dir.len > 0 &&
		may_hit_gate(s, e, p.dir, pattern)) {
		ret->place = PLACE_GATE;
		ret->certain = p.all;
	}
	/* What another command found is moved by that name, mostly only to another one. */
	if ((e->word_flags & WORD_FOUND) != 0 && e->effect == EFFECT_MOVE)
		ret->certain = false;
}

static struct bytes pattern_as_written(struct judge *j, const struct command_effect *e)
{
	struct bytes src = e->word->src;
	size_t n = e->target.len, from = 0;
	char *p = (char *)arena_alloc(j->arena, n + src.len + 1);

	if (p == NULL) {
		judge_fail(j, -ENOMEM);
		return (struct bytes){ NULL, 0 };
	}
	if (n > 0)
		memcpy(p, e->target.p, n);
	while (from < src.len && strchr("*?[", src.p[from]) == NULL)
		from++;
	for (size_t i = from; i < src.len; i++)
		if (strchr("'\"\\", src.p[i]) == NULL)
			p[n++] = src.p[i];
	return (struct bytes){ p, n };
}

static bool is_pattern(const struct word_part *p)
{
	return p->kind == PART_GLOB || p->kind == PART_EXTGLOB;
}

/*
 * One part of a word behind its first pattern. What is quoted stands for itself, but for the few characters that would
 * be read as a pattern again; an extended pattern may match anything, a bracket with quotes in it any one character.
 */
static size_t add_pattern_part(char *p, size_t n, const struct word_part *part)
{
	bool is_quoted = !is_pattern(part);

	if (part->kind == PART_EXTGLOB) {
		p[n++] = '*';
		return n;
	}
	if (part->kind == PART_GLOB && part->text.len > 0 && part->text.p[0] == '[')
		for (size_t i = 0; i < part->text.len; i++)
			if (strchr("'\"\\$", part->text.p[i]) != NULL) {
				p[n++] = '?';
				return n;
			}
	if (part->kind == PART_DOUBLE) {
		for (const struct word_part *c = part->children; c != NULL; c = c->next)
			n = add_pattern_part(p, n, c);
		return n;
	}
	for (size_t i = 0; i < part->text.len; i++)
		p[n++] = is_quoted && strchr("*?[\\", part->text.p[i]) != NULL ? '?' : part->text.p[i];
	return n;
}

/*
 * The pattern a target is, when nothing but file name patterns makes it dynamic; empty: something else does, too. The
 * word may hold more than the target (an option it is attached to): the target's certain beginning comes first, then
 * what stands in the word from the first pattern on.
 */
struct bytes pattern_of(struct judge *j, const struct command_effect *e)
{
	const uint32_t other = WORD_BRACE | WORD_SPLITS | WORD_RUNS | WORD_PARAM | WORD_ARITH;
	const struct word *w = e->word;
	size_t n = e->target.len;
	const struct word_part *part;
	char *p;

	if (w == NULL || (w->flags & other) != 0 || (w->flags & WORD_GLOB) == 0)
		return (struct bytes){ NULL, 0 };
	for (part = w->parts; part != NULL && !is_pattern(part);)
		part = part->next;
	/* A word that a program makes (find -name) or braces made: its pattern is what is written. */
	if (part == NULL)
		return pattern_as_written(j, e);
	p = (char *)arena_alloc(j->arena, n + w->src.len + 1);
	if (p == NULL) {
		judge_fail(j, -ENOMEM);
		return (struct bytes){ NULL, 0 };
	}
	if (n > 0)
		memcpy(p, e->target.p, n);
	for (; part != NULL; part = part->next)
		n = add_pattern_part(p, n, part);
	return (struct bytes){ p, n };
}
