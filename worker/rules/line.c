/* SPDX-License-Identifier: Apache-2.0 */
/* What a line does to the meaning of its own words, and of the words of lines to come in the same shell. */
#include "worker/rules/internal.h"

enum { NAMES_MAX = 256 };

static bool is_name(const struct word *w, const char *name)
{
	return w != NULL && w->is_static && bytes_is(w->value, name);
}

static bool is_one_of(const struct word *w, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_name(w, names[i]))
			return true;
	return false;
}

/* The command word behind `builtin` and `command`. */
static const struct word *command_word(const struct word *w)
{
	bool wrapped = false;

	while (w != NULL && w->next != NULL &&
		(is_name(w, "builtin") || is_name(w, "command") ||
			(wrapped && w->is_static && w->value.len > 0 && w->value.p[0] == '-'))) {
		wrapped = true;
		w = w->next;
	}
	return w;
}

static void add_name(struct judge *j, struct bytes **list, uint32_t *n, struct bytes name)
{
	if (*list == NULL)
		*list = (struct bytes *)arena_alloc(j->arena, NAMES_MAX * sizeof(**list));
	if (*list == NULL) {
		judge_fail(j, -ENOMEM);
		return;
	}
	/* A table that is full could miss the name that matters: then no name means what it says. */
	if (*n == NAMES_MAX)
		j->facts.path_changed = true;
	else
		(*list)[(*n)++] = name;
}

static void collect_renaming(struct judge *j, const struct word *w)
{
	for (w = w->next; w != NULL; w = w->next) {
		struct bytes name = w->is_static ? w->value : w->prefix;
		const char *eq = name.len > 0 ? (const char *)memchr(name.p, '=', name.len) : NULL;

		if (!w->is_static && eq == NULL) {
			j->facts.path_changed = true;
			continue;
		}
		if (eq != NULL)
			name.len = (size_t)(eq - name.p);
		if (name.len > 0 && name.p[0] != '-')
			add_name(j, &j->facts.renamed, &j->facts.n_renamed, name);
	}
}

static void collect_command(struct judge *j, const struct simple_command *c)
{
	static const char *const renaming[] = { "alias", "hash", "enable", "unalias", "rehash", "disable",
		"functions" };
	static const char *const moving[] = { "cd", "pushd", "popd", "chdir" };
	const struct word *w = command_word(c->words);

	for (const struct context *x = c->context; x != NULL; x = x->up)
		if (x->kind == CONTEXT_FUNCTION && x->node != NULL &&
			(j->facts.n_functions == 0 ||
				!bytes_eq(j->facts.functions[j->facts.n_functions - 1], x->node->name)))
			add_name(j, &j->facts.functions, &j->facts.n_functions, x->node->name);
	for (const struct assignment *a = c->assigns; a != NULL && c->words == NULL; a = a->next)
		if (bytes_is(a->name, "PATH") || bytes_is(a->name, "path") || bytes_is(a->name, "BASH_CMDS") ||
			bytes_is(a->name, "BASH_ALIASES"))
			j->facts.path_changed = true;
	if (w == NULL)
		return;
	if (is_one_of(w, renaming, ARRAY_LEN(renaming)))
		collect_renaming(j, w);
	if (is_name(w, "unset")) {
		for (const struct word *v = w->next; v != NULL; v = v->next)
			if (v->is_static)
				add_name(j, &j->facts.renamed, &j->facts.n_renamed, v->value);
			else
				j->facts.functions_lost = true;
	}
	if (is_one_of(w, moving, ARRAY_LEN(moving)))
		j->facts.changes_directory = true;
	for (const struct word *v = w->next; v != NULL; v = v->next) {
		struct bytes text = v->is_static ? v->value : v->prefix;

		if ((text.len >= 5 && memcmp(text.p, "PATH=", 5) == 0) ||
			(text.len >= 6 && memcmp(text.p, "PATH+=", 6) == 0))
			j->facts.path_changed = true;
	}
}

struct line_facts line_facts_of_another_shell(const struct line_facts *f)
{
	return (struct line_facts){ .renamed = f->renamed, .n_renamed = f->n_renamed, .path_changed = f->path_changed };
}

void line_defines(struct judge *j, struct bytes name)
{
	if (j->facts.n_defined < NAMES_MAX)
		add_name(j, &j->facts.defined, &j->facts.n_defined, name);
}

void line_facts_collect(struct judge *j, const struct script *script)
{
	for (const struct simple_command *c = script->commands; c != NULL; c = c->next)
		collect_command(j, c);
}

static bool is_name_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* By text: the next place where the name stands as more than the $NAME or ${NAME} that asks for the value. */
static bool next_mention(struct bytes text, struct bytes name, size_t *at, size_t *ret)
{
	while (*at + name.len <= text.len) {
		const char *p = (const char *)memmem(text.p + *at, text.len - *at, name.p, name.len);
		size_t i = p != NULL ? (size_t)(p - text.p) : 0, end = i + name.len;
		bool asked, first;

		if (p == NULL)
			return false;
		*at = i + 1;
		if ((i > 0 && is_name_character(text.p[i - 1])) || (end < text.len && is_name_character(text.p[end])))
			continue;
		first = i == 0;
		asked = !first && (text.p[i - 1] == '$' || (i > 1 && text.p[i - 1] == '{' && text.p[i - 2] == '$'));
		*ret = i;
		/* ${NAME=…} and ${NAME:=…} give it one. */
		if (!asked || (text.p[i - 1] == '{' && end < text.len && text.p[end] != '}'))
			return true;
	}
	return false;
}

static bool text_sets(struct bytes text, struct bytes name)
{
	size_t at = 0, found;

	return next_mention(text, name, &at, &found);
}

uint32_t line_mentions(struct bytes text, struct bytes name)
{
	size_t at = 0, i = 0;
	uint32_t n = 0;

	while (name.len > 0 && next_mention(text, name, &at, &i)) {
		size_t end = i + name.len;

		/* ${NAME%.c} and the like ask for a part of it. */
		if (i > 1 && text.p[i - 1] == '{' && text.p[i - 2] == '$' && end < text.len &&
			strchr("%#/", text.p[end]) != NULL)
			continue;
		if ((i == 0 || strchr("-/.", text.p[i - 1]) == NULL) &&
			(end == text.len || strchr("./", text.p[end]) == NULL))
			n++;
	}
	return n;
}

bool line_sets(struct judge *j, struct bytes name)
{
	static const char *const setters[] = { "eval", "source", ".", "read", "mapfile", "readarray", "let", "declare",
		"typeset", "local", "export", "readonly", "getopts", "set", "shift", "trap", "builtin", "command" };

	j->loop_work += 1 + j->script->n_commands + (uint32_t)(j->text.len / 64);
	if (name.len == 0 || j->loop_work >= LOOP_WORK_MAX || text_sets(j->text, name))
		return true;
	/* A name that is pieced together is not found in the text. */
	for (const struct simple_command *c = j->script->commands; c != NULL; c = c->next) {
		if (c->words == NULL)
			continue;
		if (!c->words->is_static || is_one_of(c->words, setters, 3))
			return true;
		if (!is_one_of(c->words, setters, ARRAY_LEN(setters)) && !is_name(c->words, "printf"))
			continue;
		if (is_name(c->words, "printf") && (c->words->next == NULL || (c->words->next->is_static &&
			!(c->words->next->value.len > 0 && c->words->next->value.p[0] == '-'))))
			continue;
		for (const struct word *w = c->words->next; w != NULL; w = w->next)
			if (!w->is_static || bytes_eq(w->value, name))
				return true;
	}
	return false;
}

/* By text alone: whatever looks like it may. */
bool line_evaluates(const struct judge *j)
{
	static const char *const evaluators[] = { "((", "[[", "$[", "let", "@P}", "declare", "typeset", "-v",
		"unset", "read", "local", "[" };

	for (size_t i = 0; i < ARRAY_LEN(evaluators); i++)
		if (memmem(j->text.p, j->text.len, evaluators[i], strlen(evaluators[i])) != NULL ||
			(j->current != j->script && memmem(j->current->text.p, j->current->text.len, evaluators[i],
				strlen(evaluators[i])) != NULL))
			return true;
	return false;
}

static bool in_names(const struct bytes *list, uint32_t n, struct bytes name)
{
	for (uint32_t i = 0; i < n; i++)
		if (bytes_eq(list[i], name))
			return true;
	return false;
}

bool name_is_redefined(const struct judge *j, struct bytes name)
{
	if (name.len > 0 && name.p[0] == '/')
		return in_names(j->facts.renamed, j->facts.n_renamed, name);
	return j->facts.path_changed || in_names(j->facts.renamed, j->facts.n_renamed, name) ||
		in_names(j->facts.functions, j->facts.n_functions, name);
}

bool name_is_own_function(const struct judge *j, struct bytes name)
{
	return in_names(j->facts.functions, j->facts.n_functions, name);
}

bool name_is_defined(const struct judge *j, struct bytes name)
{
	return !j->facts.functions_lost && in_names(j->facts.defined, j->facts.n_defined, name) &&
		!in_names(j->facts.renamed, j->facts.n_renamed, name);
}

/* Builtins whose operands are names of variables that they set. */
static const char *const setters[] = { "read", "mapfile", "readarray", "printf", "getopts", "let", "declare", "typeset",
	"local", "export", "readonly", "unset", "integer", "float", "vared", "set", "wait" };

static void judge_setter(struct subject *s, const struct word *w)
{
	for (w = w->next; w != NULL; w = w->next) {
		struct bytes name = w->is_static ? w->value : w->prefix;

		for (size_t i = 0; i < name.len; i++)
			if (name.p[i] == '=' || name.p[i] == '[' || name.p[i] == '+') {
				name.len = i;
				break;
			}
		if (name.len == 0)
			continue;
		if (variable_is_gate(name))
			deny(s, STAGE_SELF, (struct reason_text){ REASON_SELF_PROTECTION, 1,
				{ judge_text(s->j, "it changes %.*s, which belongs to the gate", (int)name.len, name.p) } },
				BYTES("self-protection"), BYTES("set-variable"), name);
		else if (variable_is_shells(name))
			leave_open(s,
				judge_text(s->j, "it changes %.*s, which the shell itself reads",
					(int)name.len, name.p),
				BYTES("environment"), name, false);
	}
}

/* `set` with nothing but what stops a script early or prints it: -e -u -x -v, -o pipefail, and operands behind --. */
static bool set_is_harmless(const struct word *w)
{
	static const char *const options[] = { "errexit", "nounset", "xtrace", "verbose", "pipefail",
		"errtrace", "functrace" };

	for (w = w->next; w != NULL; w = w->next) {
		if (!w->is_static || w->value.len == 0)
			return false;
		if (bytes_is(w->value, "--"))
			return true;
		if (w->value.p[0] != '-' && w->value.p[0] != '+')
			return true;
		for (size_t i = 1; i < w->value.len; i++) {
			if (strchr("euxvET", w->value.p[i]) != NULL)
				continue;
			if (w->value.p[i] != 'o' || i + 1 != w->value.len)
				return false;
			w = w->next;
			if (!is_one_of(w, options, ARRAY_LEN(options)))
				return false;
			break;
		}
	}
	return true;
}

/* The rest of the line, and in a kept shell all lines to come, would be read by other rules than the parser's. */
void judge_shell_state(struct subject *s, const struct invocation *inv)
{
	static const char *const changing[] = { "alias", "unalias", "shopt", "trap", "enable", "hash",
		"emulate", "setopt", "unsetopt", "autoload", "zmodload", "functions", "disable", "rehash",
		"bind", "bindkey", "complete", "compdef", "zle", "unfunction", "exec" };
	const struct word *w = command_word(inv->words);
	bool kept = s->j->line->shell == SHELL_PERSISTENT && !s->apart;

	if (inv->standalone)
		return;
	if (is_one_of(w, setters, ARRAY_LEN(setters)))
		judge_setter(s, w);
	if (is_name(w, "set") && !set_is_harmless(w))
		leave_open(s, BYTES("it changes how the shell reads what follows"), BYTES("shell-state"),
			w->value, false);
	else if (kept && is_one_of(w, changing, ARRAY_LEN(changing)))
		leave_open(s, BYTES("it changes the shell that later commands will run in"),
			BYTES("shell-state"), w->value, false);
}
