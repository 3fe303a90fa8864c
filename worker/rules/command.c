/* SPDX-License-Identifier: Apache-2.0 */
/* One simple command through the rules: its assignments, redirections, effects, and the commands it runs in turn. */
#include "worker/rules/internal.h"

/* Every word as it is written, joined by single blanks: what rules see. Empty where a word is not known. */
static struct bytes rule_text(struct judge *j, const struct invocation *inv)
{
	const struct word *w = inv->words;

	for (uint32_t i = 0; i < inv->n_words && w != NULL; i++, w = w->next)
		if (!w->is_static)
			return (struct bytes){ NULL, 0 };
	return judge_join(j, inv->words, inv->n_words);
}

/*
 * A token with blanks, quotes or controls could pretend to be several, or to be quoted otherwise: no rule vouches for
 * it.
 */
static bool tokens_are_plain(const struct invocation *inv)
{
	const struct word *w = inv->words;

	for (uint32_t i = 0; i < inv->n_words && w != NULL; i++, w = w->next) {
		if (!w->is_static || w->value.len == 0)
			return false;
		for (size_t k = 0; k < w->value.len; k++) {
			unsigned char c = (unsigned char)w->value.p[k];

			if (c <= 0x20 || c == 0x7f || c == '\'' || c == '"' || c == '`' || c == '\\')
				return false;
		}
	}
	return true;
}

static void apply_deny_rules(struct subject *s, struct bytes joined)
{
	struct bytes rule;

	switch (joined.len > 0 ? rules_deny(s->j, joined, &rule) : RULE_NONE) {
	case RULE_MATCHED:
	case RULE_WHOLE:
		deny(s, STAGE_RULE, (struct reason_text){ REASON_FAST_DENY, 1, { rule } }, rule, BYTES("rule"), rule);
		return;
	case RULE_LIMIT:
		leave_open(s, BYTES("a rule of rules.fastDeny could not be held against it"), BYTES("rule"),
			rule, false);
		return;
	case RULE_NONE:
	default:
		return;
	}
}

/*
 * A rule on the whole argv is the user's word for all of it. One on its beginning vouches for a program that the gate
 * knows nothing of, never for an option or an effect that is known and was not vouched for.
 */
static void apply_allow_rules(struct subject *s, const struct invocation *inv, struct bytes joined)
{
	enum rule_match m;
	struct bytes rule;

	if (s->verdict != VERDICT_OPEN || !s->soft || joined.len == 0 || !tokens_are_plain(inv))
		return;
	m = rules_allow(s->j, joined, &rule);
	if (m != RULE_WHOLE && (m != RULE_MATCHED || s->effect_open || command_known(inv->words->value)))
		return;
	s->verdict = VERDICT_ALLOW;
	s->j->n_open_causes = s->causes_mark;
	if (s->j->allowed_by.len == 0)
		s->j->allowed_by = rule;
}

static void judge_invocation(struct subject *s, const struct invocation *inv);

struct flow judge_text_of_its_own(struct subject *s, const struct script *script, bool another_shell)
{
	struct judge *j = s->j;
	const struct script *around = j->current;
	struct line_facts facts = j->facts;
	uint32_t defined = j->facts.n_defined;
	struct flow end;

	if (another_shell)
		j->facts = line_facts_of_another_shell(&facts);
	j->current = script;
	s->sure = another_shell;
	s->apart = s->apart || another_shell;
	line_facts_collect(j, script);
	holders_collect(j, script);
	end = walk_script(j, script, s);
	j->current = around;
	if (another_shell)
		j->facts = facts;
	j->facts.n_defined = defined;
	return end;
}

static void judge_nested(const struct subject *outer, const struct nested *n)
{
	struct subject s = *outer;

	s.verdict = VERDICT_ALLOW;
	s.why = s.effect = s.target = (struct bytes){ NULL, 0 };
	s.soft = true;
	s.effect_open = false;
	s.depth++;
	s.causes_mark = s.j->n_open_causes;
	if (n->where != NESTED_HERE && s.where == NESTED_HERE)
		s.where = n->where;
	if (n->where == NESTED_CONTAINER && outer->where == NESTED_HERE) {
		s.container = n;
		s.host = outer->dirs;
		s.dirs = (struct directories){ .d = { n->inside }, .n = 1 };
		if (n->inside.len == 0 || n->inside.p[0] != '/')
			s.dirs = (struct directories){ .unknown = true };
	}
	if (n->where == NESTED_ELSEWHERE || n->where == NESTED_HOST) {
		s.dirs.n = 0;
		s.dirs.unknown = true;
	}
	if (n->base.len > 0) {
		struct command_effect to = { .target = n->base, .is_static = true };
		struct directories dirs;

		s.enter = &dirs;
		directories_enter(&s, &to);
		s.dirs = dirs;
		s.enter = NULL;
	}
	if (s.depth > NESTING_MAX) {
		leave_open(&s, BYTES("commands are nested too deeply"), BYTES("nesting"), s.program, false);
		settle(&s);
		return;
	}
	if (n->script != NULL) {
		struct flow end;

		if (n->script->limit != LIMIT_NONE || n->script->unmodelled != 0) {
			leave_open(&s, BYTES("the text it is to run cannot be read with certainty"),
				BYTES("unmodelled"), n->script->text, false);
			settle(&s);
		}
		s.script_dir = (struct bytes){ NULL, 0 };
		end = judge_text_of_its_own(&s, n->script, n->invocation.standalone);
		if (s.enter != NULL && !n->invocation.standalone) {
			*s.enter = end.done;
			((struct subject *)(uintptr_t)outer)->entered = true;
		}
		return;
	}
	if (n->invocation.standalone || n->where != NESTED_HERE)
		s.enter = NULL;
	judge_invocation(&s, &n->invocation);
}

static bool has_dynamic_word(const struct invocation *inv)
{
	const struct word *w = inv->words;

	for (uint32_t i = 0; i < inv->n_words && w != NULL; i++, w = w->next)
		if (!w->is_static)
			return true;
	return false;
}

static void judge_names(struct subject *s, const struct invocation *inv, const struct command_effects *fx)
{
	const struct word *w = inv->words;

	if (w == NULL || !w->is_static) {
		s->j->runs_unknown = true;
		judge_text_origin(s, inv);
		leave_open(s, BYTES("what it runs is not known before it runs"), BYTES("dynamic"),
			w != NULL ? w->src : s->program, false);
		return;
	}
	if (fx->open) {
		judge_text_origin(s, inv);
		/* A text of a known language, perhaps: of programs that nobody knows the reviewers knew. */
		s->j->runs_unknown = s->j->runs_unknown || (command_known(w->value) && has_dynamic_word(inv));
		/* A function of the line's own is judged where it is defined. */
		if (!inv->standalone && name_is_defined(s->j, w->value) && !command_known(w->value))
			return;
		leave_open(s, fx->why, BYTES("open"), judge_cause_text(s->j, inv->words, inv->n_words), true);
	}
	if (name_is_redefined(s->j, w->value) && !inv->standalone)
		leave_open(s, BYTES("the line itself may give this name another meaning"), BYTES("redefined"),
			w->value, false);
	else if (s->j->facts.path_changed && bytes_at(w->value, 0) != '/')
		leave_open(s, BYTES("the line changes where programs are found"), BYTES("redefined"), w->value, false);
}

void judge_found(struct subject *s, const struct invocation *inv, const struct command_effects *fx)
{
	if (fx->open)
		leave_open(s, fx->why, BYTES("open"), judge_cause_text(s->j, inv->words, inv->n_words), true);
	for (const struct command_effect *e = fx->effects; e != NULL; e = e->next)
		judge_effect(s, e, inv);
	for (const struct nested *n = fx->nested; n != NULL; n = n->next)
		judge_nested(s, n);
}

static void judge_invocation(struct subject *s, const struct invocation *inv)
{
	struct judge *j = s->j;
	struct invocation seen = *inv;
	struct command_effects fx;
	struct bytes joined;
	int r;

	if (j->error != 0)
		return;
	if (j->judged++ >= WORK_MAX) {
		leave_open(s, BYTES("there is more of it than the gate looks at"), BYTES("limit"), s->program, false);
		settle(s);
		return;
	}
	carried_view(s, &seen);
	r = command_effects(j->arena, &seen, &fx);
	if (r < 0) {
		judge_fail(j, r);
		return;
	}
	s->program = fx.program;
	s->invocation = inv;
	judge_names(s, inv, &fx);
	protect_invocation(s, inv);
	judge_shell_state(s, inv);
	judge_assignment_words(s, fx.assigns, fx.n_assigns);
	judge_assignment_words(s, inv->assigns, UINT32_MAX);
	for (const struct command_effect *e = fx.effects; e != NULL; e = e->next)
		judge_effect(s, e, inv);
	judge_what_it_means(s, inv, &fx);
	judge_imports(s, &fx);
	judge_archives(s, &fx);
	attach_note(s, inv, &fx);
	joined = rule_text(j, inv);
	apply_deny_rules(s, joined);
	if (joined.len > 0 && joined.p[0] == '/' && s->verdict != VERDICT_DENY)
		apply_deny_rules(s, judge_cause_text(j, inv->words, inv->n_words));
	for (const struct nested *n = fx.nested; n != NULL; n = n->next)
		judge_nested(s, n);
	apply_allow_rules(s, inv, joined);
	settle(s);
}

static void begin(struct subject *s, struct judge *j, const struct subject *inherited)
{
	*s = (struct subject){ .j = j };
	if (inherited != NULL) {
		s->finding = inherited->finding;
		s->dirs = inherited->dirs;
		s->where = inherited->where;
		s->container = inherited->container;
		s->host = inherited->host;
		s->depth = inherited->depth;
		s->program = inherited->program;
		s->captured = inherited->captured;
		s->captor = inherited->captor;
		s->feeder = inherited->feeder;
		s->members = inherited->members;
		s->member = inherited->member;
		s->scripts = inherited->scripts;
		s->script_dir = inherited->script_dir;
		s->apart = inherited->apart;
	}
	s->verdict = VERDICT_ALLOW;
	s->soft = true;
	s->causes_mark = j->n_open_causes;
}

/* Of a command that only counts or tests what it reads, the input is not printed. */
static bool only_counts(struct judge *j, const struct simple_command *c, const struct invocation *inv)
{
	struct command_effects fx;
	bool reads = false;

	for (const struct redirect *r = c->redirects; r != NULL && !reads; r = r->next)
		reads = r->op == REDIR_IN;
	if (!reads || command_effects(j->arena, inv, &fx) < 0)
		return false;
	return !fx.open && fx.stdin_role == STDIN_COUNTED;
}

static void prepare(struct subject *s, const struct simple_command *c, struct invocation *inv)
{
	struct judge *j = s->j;

	invocation_of(c, j->line->dialect, j->line->policy->home, inv);
	inv->words = braces_in(j, inv->words, &inv->n_words);
	/* In a text that another command runs, and in a shell that lives on, variables come from elsewhere. */
	s->own_variables = s->depth == 0 && j->line->shell == SHELL_FRESH;
	s->counted = only_counts(j, c, inv);
}

void judge_simple(struct judge *j, const struct simple_command *c, const struct subject *inherited, struct flow *ret)
{
	if (!judge_each_value(j, c, inherited, ret))
		judge_as(j, c, c, inherited, ret);
}

/* Nothing behind it is reached: `cd build || exit 1`. */
static bool ends_the_shell(const struct judge *j, const struct word *w)
{
	return w->is_static && (bytes_is(w->value, "exit") || bytes_is(w->value, "return")) &&
		!name_is_redefined(j, w->value);
}

void judge_as(struct judge *j, const struct simple_command *original, const struct simple_command *c,
	const struct subject *inherited, struct flow *ret)
{
	struct subject s;
	struct directories to = { .unknown = true };
	struct invocation inv;

	begin(&s, j, inherited);
	s.assigns = c->assigns;
	s.enter = &to;
	ret->done = ret->failed = s.dirs;
	if (s.finding == NULL)
		s.finding = judge_finding(j, original);
	if (c->words != NULL && c->words->is_static)
		s.program = judge_program(c->words->value);
	if (j->judged >= WORK_MAX) {
		leave_open(&s, BYTES("there is more of it than the gate looks at"), BYTES("limit"), s.program, false);
		settle(&s);
		return;
	}
	j->judged += c->words == NULL ? 1 : 0;
	judge_assignments(&s, c->assigns, c->words != NULL);
	if (c->words == NULL) {
		judge_redirects(&s, c->redirects);
		settle(&s);
		return;
	}
	prepare(&s, c, &inv);
	judge_redirects(&s, c->redirects);
	judge_invocation(&s, &inv);
	if (s.entered) {
		ret->done = to;
		if (c->next != NULL && s.where == NESTED_HERE && directories_are_there(j, &to))
			ret->failed = (struct directories){ .n = 0 };
	} else if (command_may_move(j, c->words)) {
		ret->done = ret->failed = (struct directories){ .unknown = true };
	} else if (ends_the_shell(j, c->words)) {
		ret->done = ret->failed = (struct directories){ .n = 0 };
	}
}

/* The entry that stands for a compound's redirections in the list of commands; NULL: not looked for, or of a nested text. */
static const struct simple_command *command_of(struct judge *j, const struct node *n)
{
	if (j->loop_work >= LOOP_WORK_MAX)
		return NULL;
	for (const struct simple_command *c = j->script->commands; c != NULL; c = c->next) {
		j->loop_work++;
		if (c->words == NULL && c->node == n)
			return c;
	}
	return NULL;
}

void judge_compound_redirects(struct judge *j, const struct node *n, const struct subject *inherited)
{
	struct subject s;

	if (n->redirects == NULL)
		return;
	begin(&s, j, inherited);
	if (s.finding == NULL)
		s.finding = judge_finding(j, command_of(j, n));
	s.program = BYTES("redirection");
	judge_redirects(&s, n->redirects);
	settle(&s);
}

void judge_function(struct judge *j, const struct node *n, const struct subject *inherited)
{
	struct subject s;

	if (j->line->shell != SHELL_PERSISTENT || inherited->apart || !command_known(n->name))
		return;
	begin(&s, j, inherited);
	if (s.finding == NULL)
		s.finding = judge_finding(j, NULL);
	s.program = n->name;
	leave_open(&s, BYTES("it gives the name of a command another meaning, for later commands too"),
		BYTES("redefined"), n->name, false);
	settle(&s);
}
