/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What pipes and substitutions carry, as words: the names below a directory that find or git list, the ids of processes
 * that lsof finds, the directory that pwd prints. A reader of them (xargs, a loop, the command that a substitution
 * stands in) is then judged with such words instead of with words that nobody knows.
 */
#include "policy/git_facts.h"
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

enum { CARRIED_DEPTH_MAX = 4 };

static enum output_kind output_of_node(struct subject *s, const struct node *n, unsigned int depth,
	const struct word **ret);

static struct word *static_word(struct judge *j, struct bytes text)
{
	struct word *w = arena_new(j->arena, struct word);

	if (w == NULL) {
		judge_fail(j, -ENOMEM);
		return NULL;
	}
	*w = (struct word){ .src = text, .is_static = true, .value = text };
	return w;
}

static const struct word *process_word(void)
{
	static const struct word process = { .src = { "the process", 11 }, .flags = WORD_PARAM | WORD_PROCESS };

	return &process;
}

static bool words_are(const struct invocation *inv, const char *const *words, uint32_t n)
{
	const struct word *w = inv->words;

	if (inv->n_words != n)
		return false;
	for (uint32_t i = 0; i < n; i++, w = w->next)
		if (!w->is_static || !bytes_is(w->value, words[i]))
			return false;
	return true;
}

static struct bytes here(const struct subject *s)
{
	return s->dirs.n == 1 && !s->dirs.unknown && s->where == NESTED_HERE ? s->dirs.d[0] : (struct bytes){ NULL, 0 };
}

/* $0 and its like, in a script whose file is known. */
static bool is_script_name(const struct word *w)
{
	static const char *const ways[] = { "$0", "\"$0\"", "${0}", "\"${0}\"", "\"${BASH_SOURCE[0]}\"",
		"${BASH_SOURCE[0]}", "\"$BASH_SOURCE\"", "$BASH_SOURCE" };

	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		if (bytes_is(w->src, ways[i]))
			return true;
	return false;
}

static struct bytes script_directory(const struct subject *s, const struct invocation *inv)
{
	const struct word *w = inv->words->next;

	if (s->script_dir.len == 0 || !bytes_is(inv->words->value, "dirname") || w == NULL)
		return (struct bytes){ NULL, 0 };
	if (w->is_static && bytes_is(w->value, "--"))
		w = w->next;
	return w != NULL && w->next == NULL && is_script_name(w) ? s->script_dir : (struct bytes){ NULL, 0 };
}

/* A repository that git finds from here, which lies at or above this directory. */
static struct bytes repository_root(struct subject *s, struct bytes dir)
{
	struct answer a;
	struct git_facts facts;

	ask_about_repository(s->j, ASK_REPOSITORY, dir, BYTES("."), &a);
	if (a.status != ANSWER_KNOWN || a.type != PATH_DIRECTORY || git_facts_decode(a.detail, &facts) < 0 ||
		!path_within(dir, facts.root))
		return (struct bytes){ NULL, 0 };
	return facts.root;
}

/* What a directory's name is, where the command prints nothing else. */
static struct bytes directory_printed(struct subject *s, const struct invocation *inv)
{
	static const char *const pwd[] = { "pwd" }, *const pwd_physical[] = { "pwd", "-P" },
		*const pwd_logical[] = { "pwd", "-L" }, *const toplevel[] = { "git", "rev-parse", "--show-toplevel" };
	struct bytes dir = here(s);

	if (dir.len == 0)
		return dir;
	if (words_are(inv, pwd_physical, 2) || (words_are(inv, pwd, 1) && inv->standalone))
		return directories_really(s->j, dir);
	if (words_are(inv, pwd, 1) || words_are(inv, pwd_logical, 2))
		return dir;
	if (words_are(inv, toplevel, 3))
		return repository_root(s, dir);
	return script_directory(s, inv);
}

static bool words_are_usable(const struct word *w)
{
	for (; w != NULL; w = w->next)
		if (!w->is_static && (w->flags & (WORD_FOUND | WORD_PROCESS)) == 0)
			return false;
	return true;
}

static enum output_kind output_of(struct subject *s, const struct invocation *inv, unsigned int depth,
	const struct word **ret)
{
	struct judge *j = s->j;
	struct invocation asked = *inv;
	struct command_effects fx;
	struct bytes name, dir;
	int r;

	if (!inv->words->is_static || depth > CARRIED_DEPTH_MAX || j->carried_work >= CARRIED_WORK_MAX)
		return OUTPUT_ANYTHING;
	name = inv->words->value;
	if (name_is_redefined(j, name) || name_is_own_function(j, name))
		return OUTPUT_ANYTHING;
	j->carried_work++;
	dir = directory_printed(s, inv);
	if (dir.len > 0) {
		*ret = static_word(j, dir);
		return *ret != NULL ? OUTPUT_WORDS : OUTPUT_ANYTHING;
	}
	asked.telling = true;
	carried_view(s, &asked);
	r = command_effects(j->arena, &asked, &fx);
	if (r < 0)
		judge_fail(j, r);
	if (r < 0 || fx.open)
		return OUTPUT_ANYTHING;
	if (fx.wrapper && fx.nested != NULL && fx.nested->next == NULL && fx.nested->script == NULL &&
		fx.nested->where == NESTED_HERE && fx.nested->base.len == 0)
		return output_of(s, &fx.nested->invocation, depth + 1, ret);
	if (fx.output == OUTPUT_WORDS && !words_are_usable(fx.prints))
		return OUTPUT_ANYTHING;
	*ret = fx.prints;
	return fx.output;
}

/* Its standard output goes where it went before: errors may go anywhere. */
static bool prints_to_the_pipe(const struct redirect *r)
{
	for (; r != NULL; r = r->next)
		switch (r->op) {
		case REDIR_IN:
		case REDIR_HEREDOC:
		case REDIR_HEREDOC_TABS:
		case REDIR_HERESTRING:
		case REDIR_DUP_IN:
		case REDIR_RDWR:
			break;
		case REDIR_OUT:
		case REDIR_APPEND:
		case REDIR_CLOBBER:
			if (r->fd != 2)
				return false;
			break;
		case REDIR_DUP_OUT:
		case REDIR_BOTH:
		case REDIR_BOTH_APPEND:
		case REDIR__MAX:
		default:
			if (r->op != REDIR_DUP_OUT || r->fd != 2 || r->target == NULL || !r->target->is_static ||
				bytes_is(r->target->value, "1"))
				return false;
			break;
		}
	return true;
}

/* `$(< server.pid)`: the shell itself prints the file. */
static bool is_pid_file(const struct simple_command *c)
{
	const struct redirect *r = c->redirects;
	const struct word *w = r != NULL ? r->target : NULL;

	if (c->words != NULL || c->assigns != NULL || w == NULL || r->next != NULL || r->op != REDIR_IN)
		return false;
	return w->is_static && w->value.len > 4 && memcmp(w->value.p + w->value.len - 4, ".pid", 4) == 0;
}

static enum output_kind output_of_simple(struct subject *s, const struct simple_command *c, unsigned int depth,
	const struct word **ret)
{
	struct simple_command known;
	struct invocation inv;

	if (is_pid_file(c)) {
		*ret = process_word();
		return OUTPUT_WORDS;
	}
	if (c->words == NULL || c->assigns != NULL || !prints_to_the_pipe(c->redirects))
		return OUTPUT_ANYTHING;
	known = *c;
	if (depth <= CARRIED_DEPTH_MAX)
		values_put_in(s, c, depth + 1, &known);
	invocation_of(&known, s->j->line->dialect, s->j->line->policy->home, &inv);
	return output_of(s, &inv, depth, ret);
}

static const struct node *last_of(const struct node *first, const struct node *until)
{
	const struct node *last = NULL;

	for (; first != NULL && first != until; first = first->next)
		last = first;
	return last;
}

/* What comes out of the members of a pipeline in front of `until`, or out of all of them. */
static const struct word *output_of_members(struct subject *s, const struct node *first, const struct node *until,
	unsigned int depth)
{
	const struct node *last = last_of(first, until);

	for (; last != NULL; last = last_of(first, last)) {
		const struct word *words = NULL;
		struct subject at = *s;

		at.members = first;
		at.member = last;
		switch (output_of_node(&at, last, depth, &words)) {
		case OUTPUT_WORDS:
			return words;
		case OUTPUT_INPUT:
			break;
		case OUTPUT_ANYTHING:
		default:
			return NULL;
		}
	}
	return NULL;
}

static bool ends_quietly(const struct node *n)
{
	static const char *const names[] = { "true", ":", "exit", "return", "false" };
	const struct word *w;

	if (n->kind == NODE_PIPELINE && n->children != NULL && n->children->next == NULL)
		n = n->children;
	w = n->kind == NODE_SIMPLE && n->simple != NULL ? n->simple->words : NULL;
	for (size_t i = 0; w != NULL && w->is_static && i < ARRAY_LEN(names); i++)
		if (bytes_is(w->value, names[i]))
			return true;
	return false;
}

/* `cd DIR && pwd`: the directory's own name. */
static bool cd_and_pwd(struct subject *s, const struct node *n, unsigned int depth, const struct word **ret)
{
	const struct node *cd = n->children, *pwd = cd != NULL ? cd->next : NULL;
	const struct word *w;
	struct simple_command known;
	char buffer[QUESTION_PATH_MAX];
	struct bytes path;

	if (pwd == NULL || pwd->next != NULL || cd->kind != NODE_SIMPLE || pwd->kind != NODE_SIMPLE ||
		cd->simple == NULL || pwd->simple == NULL || cd->simple->words == NULL || pwd->simple->words == NULL ||
		!bytes_is(pwd->simple->words->src, "pwd") || !bytes_is(cd->simple->words->src, "cd") ||
		(pwd->simple->n_words != 1 && !bytes_is(pwd->simple->words->next->src, "-P")))
		return false;
	known = *cd->simple;
	values_put_in(s, cd->simple, depth + 1, &known);
	w = known.words->next;
	if (w != NULL && w->is_static && bytes_is(w->value, "--"))
		w = w->next;
	if (w == NULL || !w->is_static || w->next != NULL || w->value.len == 0 || w->value.p[0] == '-' ||
		here(s).len == 0)
		return false;
	path = (struct bytes){ buffer, path_normalise(here(s), w->value, buffer, sizeof(buffer)) };
	if (path.len == 0)
		return false;
	*ret = static_word(s->j, judge_text(s->j, "%.*s", (int)path.len, path.p));
	return *ret != NULL;
}

static enum output_kind output_of_node(struct subject *s, const struct node *n, unsigned int depth,
	const struct word **ret)
{
	const struct node *only = n->children != NULL && n->children->next == NULL ? n->children : NULL;

	if (depth > CARRIED_DEPTH_MAX)
		return OUTPUT_ANYTHING;
	switch (n->kind) {
	case NODE_SIMPLE:
		return n->simple != NULL ? output_of_simple(s, n->simple, depth, ret) : OUTPUT_ANYTHING;
	case NODE_PIPELINE:
		if (only != NULL)
			return output_of_node(s, only, depth, ret);
		*ret = output_of_members(s, n->children, NULL, depth + 1);
		return *ret != NULL ? OUTPUT_WORDS : OUTPUT_ANYTHING;
	case NODE_SEQUENCE:
	case NODE_GROUP:
	case NODE_SUBSHELL:
		return only != NULL && !only->background && n->redirects == NULL ?
			       output_of_node(s, only, depth + 1, ret) : OUTPUT_ANYTHING;
	case NODE_OR:
		for (const struct node *c = n->children != NULL ? n->children->next : NULL; c != NULL; c = c->next)
			if (!ends_quietly(c))
				return OUTPUT_ANYTHING;
		return n->children != NULL ? output_of_node(s, n->children, depth + 1, ret) : OUTPUT_ANYTHING;
	case NODE_AND:
		return cd_and_pwd(s, n, depth + 1, ret) ? OUTPUT_WORDS : OUTPUT_ANYTHING;
	case NODE_IF:
	case NODE_FOR:
	case NODE_ARITH_FOR:
	case NODE_SELECT:
	case NODE_WHILE:
	case NODE_UNTIL:
	case NODE_CASE:
	case NODE_FUNCTION:
	case NODE_COPROC:
	case NODE_COND:
	case NODE_ARITH:
	case NODE_NONE:
	default:
		return OUTPUT_ANYTHING;
	}
}

const struct word *carried_by_script(struct subject *s, const struct script *script, unsigned int depth)
{
	const struct word *words = NULL;

	if (script == NULL || script->root == NULL || script->unmodelled != 0 || script->limit != LIMIT_NONE)
		return NULL;
	return output_of_node(s, script->root, depth, &words) == OUTPUT_WORDS ? words : NULL;
}

const struct word *carried_by_pipe(struct subject *s)
{
	return s->members != NULL && s->member != s->members ? output_of_members(s, s->members, s->member, 0) : NULL;
}

static bool view_is_set(void *data, struct bytes name)
{
	struct subject *s = (struct subject *)data;
	const struct string_list *names = &s->j->line->policy->environment_names;
	bool set = !s->own_variables || line_sets(s->j, name);

	/* A project's settings can fill the environment: what stands there is any word. */
	for (uint32_t i = 0; i < names->n && !set; i++)
		set = bytes_eq(names->items[i], name);
	return set;
}

static bool view_has_dashed(void *data, const struct word *word)
{
	return pattern_has_dashed((struct subject *)data, word);
}

static bool view_matches_nothing(void *data, struct bytes pattern)
{
	return pattern_matches_nothing((struct subject *)data, pattern, 0);
}

static bool view_holds_secret(void *data, struct bytes name)
{
	return holder_of_secret(((struct subject *)data)->j, name);
}

static bool view_is_traced(void *data)
{
	return line_is_traced(((struct subject *)data)->j);
}

static bool view_is_piped(void *data)
{
	const struct subject *s = (const struct subject *)data;

	return s->captured || (s->members != NULL && s->member != NULL && s->member->next != NULL);
}

static const struct simple_command *view_reader(void *data)
{
	const struct subject *s = (const struct subject *)data;
	const struct node *next = s->members != NULL && s->member != NULL && s->depth == 0 ? s->member->next : NULL;

	if (next == NULL || next->kind != NODE_SIMPLE || next->simple == NULL || next->simple->words == NULL)
		return NULL;
	return name_is_redefined(s->j, next->simple->words->value) ? NULL : next->simple;
}

static const struct word *view_fed(void *data)
{
	return carried_by_pipe((struct subject *)data);
}

void carried_view(struct subject *s, struct invocation *inv)
{
	static const struct line_view view = {
		.is_set = view_is_set, .has_dashed = view_has_dashed, .matches_nothing = view_matches_nothing,
		.holds_secret = view_holds_secret, .is_traced = view_is_traced,
		.is_piped = view_is_piped, .reader = view_reader,
		.fed = view_fed,
	};

	inv->line = &view;
	inv->line_data = s;
}
