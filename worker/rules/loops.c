/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables whose values are known where a command stands: those of `for NAME in WORDS`, of `while read NAME` over what
 * a pipe carries, and of one assignment that is certainly made before. The command is judged once for each value that
 * a loop gives, with the value put where $NAME stands. Only names that nothing else on the line sets.
 */
#include "worker/rules/internal.h"

enum { ROUNDS_MAX = 32, DEPTH_MAX = 3, LOOKUP_WORK_MAX = 512 * 1024 };

static bool is_value(const struct word *w)
{
	const uint32_t other = WORD_BRACE | WORD_SPLITS | WORD_RUNS | WORD_PARAM | WORD_ARITH;

	return w->is_static || (w->flags & WORD_PROCESS) != 0 ||
		((w->flags & other) == 0 && (w->flags & WORD_GLOB) != 0);
}

/* printf sets a variable with -v alone, its first word (bash(1), printf). */
static bool only_prints(const struct word *w)
{
	return bytes_is(w->value, "printf") && w->next != NULL && w->next->is_static && w->next->value.len > 0 &&
		w->next->value.p[0] != '-';
}

/* NAME of NAME=value, NAME+=value and NAME[index]. */
static struct bytes declared(struct bytes word)
{
	for (size_t i = 0; i < word.len; i++)
		if (strchr("=+[", word.p[i]) != NULL)
			return (struct bytes){ word.p, i };
	return word;
}

/* One of the words behind the setter is the name, or may be; `anything`: or whatever it is. */
static bool may_set(const struct word *setter, struct bytes name, bool anything)
{
	for (const struct word *w = setter->next; w != NULL; w = w->next)
		if (anything || !w->is_static || bytes_eq(declared(w->value), name))
			return true;
	return false;
}

/* Something but the loop may give the variable a value: then the list says nothing. */
static bool is_set_elsewhere(const struct judge *j, struct bytes name, const struct simple_command *reader,
	const struct assignment *own)
{
	static const char *const setters[] = { "read", "mapfile", "readarray", "printf", "getopts", "let", "declare",
		"typeset", "local", "export", "readonly", "unset", "eval", "source", "." };

	for (const struct simple_command *c = j->current->commands; c != NULL; c = c->next) {
		for (const struct assignment *a = c->assigns; a != NULL; a = a->next)
			if (bytes_eq(a->name, name) && a != own)
				return true;
		if (c->words == NULL || !c->words->is_static || c == reader)
			continue;
		for (size_t i = 0; i < ARRAY_LEN(setters); i++)
			if (bytes_is(c->words->value, setters[i]) && !only_prints(c->words) &&
				may_set(c->words, name, setters[i][0] == '.' || bytes_is(c->words->value, "eval")))
				return true;
	}
	return false;
}

/* `read NAME`, with nothing that would put it together or take it apart otherwise than by lines. */
static const struct simple_command *reading(const struct node *loop, bool *ret_whole)
{
	const struct node *n = loop->children;
	const struct simple_command *c;
	const struct word *w;
	bool bare = false, nul = false;

	while (n != NULL && (n->kind == NODE_PIPELINE || n->kind == NODE_SEQUENCE) && n->children != NULL &&
		n->children->next == NULL)
		n = n->children;
	c = n != NULL && n->kind == NODE_SIMPLE ? n->simple : NULL;
	if (c == NULL || c->words == NULL || !bytes_is(c->words->src, "read") || c->redirects != NULL)
		return NULL;
	for (const struct assignment *a = c->assigns; a != NULL; a = a->next) {
		if (!bytes_is(a->name, "IFS") || a->value == NULL || !a->value->is_static)
			return NULL;
		bare = a->value->value.len == 0;
	}
	for (w = c->words->next; w != NULL && w->next != NULL; w = w->next) {
		if (bytes_is(w->src, "-d") && w->next->is_static && w->next->value.len == 0) {
			nul = true;
			w = w->next;
			continue;
		}
		if (!bytes_is(w->src, "-r"))
			return NULL;
	}
	*ret_whole = bare && nul;
	return w != NULL && w->is_static && bytes_at(w->value, 0) != '-' ? c : NULL;
}

static struct word *line_words(struct judge *j, const struct word *words, bool whole)
{
	struct word *first = NULL, **end = &first;
	bool texts = words != NULL && words->next != NULL;

	for (const struct word *w = words; w != NULL; w = w->next)
		texts = texts && w->is_static;
	/* Words that are known to the letter may be one line. */
	if (texts)
		return NULL;
	for (; words != NULL; words = words->next) {
		*end = arena_new(j->arena, struct word);
		if (*end == NULL) {
			judge_fail(j, -ENOMEM);
			return NULL;
		}
		**end = *words;
		(*end)->next = NULL;
		if (!whole && !words->is_static && (words->flags & (WORD_TOKEN | WORD_PROCESS)) == 0)
			(*end)->flags |= WORD_PIECES;
		end = &(*end)->next;
	}
	return first;
}

/* The substitution that a word, or what stands between its double quotes, consists of. */
static const struct word_part *substitution_of(const struct word *w)
{
	const struct word_part *p = w != NULL ? w->parts : NULL;

	if (p != NULL && p->next == NULL && p->kind == PART_DOUBLE)
		p = p->children;
	return p != NULL && p->next == NULL && (p->kind == PART_COMMAND || p->kind == PART_PROCESS) ? p : NULL;
}

/* What the lines are that a loop reads: from the pipe it is a member of, `< <(…)` or `<<< "$(…)"`. */
static const struct word *lines_of(struct subject *s, const struct node *loop, unsigned int depth)
{
	const struct word_part *p;

	if (loop->redirects == NULL) {
		struct subject at = *s;

		for (const struct loop_feed *f = s->j->loop_feeds; f != NULL; f = f->next)
			if (f->loop == loop) {
				at.members = f->members;
				at.member = loop;
				return carried_by_pipe(&at);
			}
		return NULL;
	}
	if (loop->redirects->next != NULL || loop->redirects->fd > 0 || loop->redirects->fd_var.len > 0 ||
		(loop->redirects->op != REDIR_IN && loop->redirects->op != REDIR_HERESTRING))
		return NULL;
	p = substitution_of(loop->redirects->target);
	return p != NULL ? carried_by_script(s, p->script, depth + 1) : NULL;
}

static void add_value(struct values *ret, struct value v)
{
	if (v.words != NULL && ret->n < VALUES_MAX && !value_is_named(ret, v.name))
		ret->v[ret->n++] = v;
}

/* The words of a list, with what its substitutions print; NULL: not known. */
static const struct word *listed(struct subject *s, const struct node *loop, unsigned int depth)
{
	uint32_t n = 0;
	const struct word *words = braces_in(s->j, loop->words, &n);
	struct word *first = NULL, **end = &first;

	n = 0;
	for (const struct word *w = words; w != NULL; w = w->next) {
		const struct word_part *p = w->is_static ? NULL : substitution_of(w);
		const struct word *of = p != NULL && p->kind == PART_COMMAND && p == w->parts ?
			carried_by_script(s, p->script, depth + 1) : w;

		for (; of != NULL; of = of == w ? NULL : of->next) {
			if (n++ == ROUNDS_MAX || !is_value(of))
				return NULL;
			*end = arena_new(s->j->arena, struct word);
			if (*end == NULL) {
				judge_fail(s->j, -ENOMEM);
				return NULL;
			}
			**end = *of;
			(*end)->next = NULL;
			if (of != w && !of->is_static && (of->flags & (WORD_TOKEN | WORD_PROCESS)) == 0)
				(*end)->flags |= WORD_PIECES;
			end = &(*end)->next;
		}
		if (p != NULL && p->kind == PART_COMMAND && p == w->parts && end == &first)
			return NULL;
	}
	s->j->loop_work += n;
	return first;
}

static void loops_around(struct subject *s, const struct simple_command *c, unsigned int depth, struct values *ret)
{
	struct judge *j = s->j;

	for (const struct context *x = c->context; x != NULL && ret->n < VALUES_MAX; x = x->up) {
		const struct simple_command *own = NULL;
		bool whole = false;
		struct bytes name;

		if (x->kind == CONTEXT_FUNCTION)
			return;
		if (x->kind != CONTEXT_LOOP || x->node == NULL)
			continue;
		if (x->node->kind == NODE_WHILE)
			own = reading(x->node, &whole);
		else if (x->node->kind != NODE_FOR || !x->node->has_in)
			continue;
		if (x->node->kind == NODE_WHILE && (own == NULL || own == c))
			continue;
		name = x->node->name;
		for (const struct word *w = own != NULL ? own->words : NULL; w != NULL; w = w->next)
			name = w->value;
		if (value_is_named(ret, name))
			continue;
		/* Whatever comes of it: a long list is looked through for every command of the body. */
		j->loop_work += j->current->n_commands;
		if (j->loop_work >= LOOP_WORK_MAX || is_set_elsewhere(j, name, own, NULL))
			continue;
		add_value(ret, (struct value){ .name = name, .of_loop = true,
			.words = own != NULL ? line_words(j, lines_of(s, x->node, depth), whole) :
				listed(s, x->node, depth) });
	}
}

static bool is_around(const struct context *outer, const struct context *inner)
{
	for (; inner != NULL; inner = inner->up)
		if (inner == outer)
			return true;
	return outer == NULL;
}

/* The one assignment to the name on the line, if it has certainly been made where the command stands. */
static const struct simple_command *assigned_before(struct judge *j, struct bytes name,
	const struct simple_command *c, const struct assignment **ret)
{
	const struct simple_command *found = NULL;

	j->lookup_work += 1 + j->current->n_commands;
	if (j->lookup_work > LOOKUP_WORK_MAX)
		return NULL;
	for (const struct simple_command *k = j->current->commands; k != NULL && k != c; k = k->next)
		for (const struct assignment *a = k->assigns; a != NULL; a = a->next)
			if (bytes_eq(a->name, name)) {
				if (found != NULL)
					return NULL;
				found = k;
				*ret = a;
			}
	if (found == NULL || found->words != NULL || found->conditional || found->background || found->piped_in ||
		found->piped_out || (*ret)->append || (*ret)->subscript != NULL || (*ret)->value == NULL ||
		!is_around(found->context, c->context) || is_set_elsewhere(j, name, NULL, *ret) ||
		line_mentions(j->current->text, name) != 1)
		return NULL;
	return found;
}

/* What a variable holds since the line assigned it: a text, the last job, what a substitution prints, or parts of these. */
static void variable_known(struct subject *s, const struct simple_command *c, struct bytes name, unsigned int depth,
	struct values *ret)
{
	const struct assignment *a = NULL;
	const struct simple_command *own = depth < DEPTH_MAX ? assigned_before(s->j, name, c, &a) : NULL;
	struct simple_command known;
	const struct word *w;

	if (own == NULL)
		return;
	w = a->value;
	if (!w->is_static) {
		known = *own;
		values_put_in(s, own, depth + 1, &known);
		for (const struct assignment *k = known.assigns; k != NULL; k = k->next)
			if (bytes_eq(k->name, name))
				w = k->value;
		/* `files=$(git ls-files)`: all of what it prints. */
		if (!w->is_static && !is_value(w)) {
			const struct word_part *p = substitution_of(w);

			if (p != NULL && p->kind == PART_COMMAND)
				w = carried_by_script(s, p->script, depth + 1);
		}
	}
	for (const struct word *v = w; v != NULL; v = v->next)
		if (!is_value(v))
			return;
	add_value(ret, (struct value){ .name = name, .words = w, .may_be_empty = !a->value->is_static });
}

static void variables_in(struct subject *s, const struct simple_command *c, const struct word_part *p,
	unsigned int depth, struct values *ret)
{
	for (; p != NULL; p = p->next) {
		if (p->kind == PART_PARAM && p->form == PARAM_PLAIN && !p->many && !value_is_named(ret, p->text))
			variable_known(s, c, p->text, depth, ret);
		variables_in(s, c, p->children, depth, ret);
	}
}

void values_known(struct subject *s, const struct simple_command *c, unsigned int depth, struct values *ret)
{
	*ret = (struct values){ .depth = depth };
	if (s->j->loop_work >= LOOP_WORK_MAX)
		return;
	loops_around(s, c, depth, ret);
	for (const struct word *w = c->words; w != NULL; w = w->next)
		if (!w->is_static)
			variables_in(s, c, w->parts, depth, ret);
	for (const struct redirect *r = c->redirects; r != NULL; r = r->next)
		if (r->target != NULL && !r->target->is_static)
			variables_in(s, c, r->target->parts, depth, ret);
	for (const struct assignment *a = c->assigns; a != NULL; a = a->next)
		if (a->value != NULL && !a->value->is_static)
			variables_in(s, c, a->value->parts, depth, ret);
}

/* Has it words that only become known when it runs, other than patterns? */
static bool has_open_words(const struct simple_command *c)
{
	const uint32_t open = WORD_PARAM | WORD_RUNS;

	for (const struct word *w = c->words; w != NULL; w = w->next)
		if (!w->is_static && (w->flags & open) != 0)
			return true;
	for (const struct redirect *r = c->redirects; r != NULL; r = r->next)
		if (r->target != NULL && !r->target->is_static && (r->target->flags & open) != 0)
			return true;
	for (const struct assignment *a = c->assigns; a != NULL; a = a->next)
		if (a->value != NULL && !a->value->is_static && (a->value->flags & open) != 0)
			return true;
	return false;
}

static uint32_t count(const struct word *w)
{
	uint32_t n = 0;

	for (; w != NULL; w = w->next)
		n++;
	return n;
}

/*
 * The first value of each loop to begin with. A variable's values are all there at once, and the outermost loops are
 * let go first where there are too many rounds.
 */
static void begin_rounds(const struct values *values, const struct word **choice)
{
	uint32_t rounds = 1;

	for (uint32_t i = 0; i < values->n; i++) {
		uint32_t n = count(values->v[i].words);

		choice[i] = !values->v[i].of_loop || n * rounds > ROUNDS_MAX ? NULL : values->v[i].words;
		rounds *= choice[i] != NULL ? n : 1;
	}
}

static bool next_round(const struct values *values, const struct word **choice)
{
	for (uint32_t i = 0; i < values->n; i++) {
		if (choice[i] == NULL)
			continue;
		choice[i] = choice[i]->next;
		if (choice[i] != NULL)
			return true;
		choice[i] = values->v[i].words;
	}
	return false;
}

bool judge_each_value(
	struct judge *j, const struct simple_command *c, const struct subject *inherited, struct flow *ret)
{
	const struct word *choice[VALUES_MAX];
	struct subject s = { .j = j, .dirs = { .unknown = true } };
	struct values values;
	bool first = true;

	if (j->loop_work >= LOOP_WORK_MAX || !has_open_words(c))
		return false;
	if (inherited != NULL)
		s = *inherited;
	values_known(&s, c, 0, &values);
	begin_rounds(&values, choice);
	do {
		struct simple_command copy;
		struct flow f;

		if (!values_copy(&s, &values, choice, c, &copy)) {
			judge_fail(j, -ENOMEM);
			return true;
		}
		j->loop_work += 64;
		judge_as(j, c, &copy, inherited, &f);
		*ret = first ? f :
			       (struct flow){ directories_either(&ret->done, &f.done),
				       directories_either(&ret->failed, &f.failed) };
		first = false;
	} while (j->error == 0 && next_round(&values, choice));
	return true;
}
