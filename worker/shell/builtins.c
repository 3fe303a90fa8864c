/* SPDX-License-Identifier: Apache-2.0 */
/* What commands do to the shell's variables. Programs cannot; builtins that may are listed. */
#include "worker/shell/bindings.h"

/* Run code, or set variables whose names are not looked at here. */
static const char *const setters[] = {
	"eval", ".", "source", "let", "command", "builtin", "trap", "wait", "compgen", "enable",
};

/* Set, or forget, the variables that their arguments name. */
static const char *const name_setters[] = { "read", "mapfile", "readarray", "getopts", "unset" };

static const char *const zsh_setters[] = {
	"vared", "print", "zparseopts", "zstat", "stat", "strftime", "sysread", "sysopen", "zsocket", "zselect", "ztcp",
	"zformat", "zstyle", "autoload", "emulate", "setopt", "unsetopt", "noglob", "nocorrect", "-", "zmodload", "integer",
	"float", "private", "repeat", "unhash", "unfunction", "zle", "zregexparse", "comparguments", "exec",
};

static const char *const directory_changers[] = { "cd", "pushd", "popd", "chdir" };

static bool is_listed(struct bytes word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes_is(word, list[i]))
			return true;
	return false;
}

static bool is_declaration(struct bytes name)
{
	static const char *const names[] = { "export", "readonly", "declare", "typeset", "local" };

	return is_listed(name, names, ARRAY_LEN(names));
}

/* Options after which a variable is still a plain string: -r -x -g. */
static bool is_plain_option(const struct word *w)
{
	if (!w->is_static || w->value.len < 2 || w->value.p[0] != '-')
		return false;
	for (size_t i = 1; i < w->value.len; i++)
		if (w->value.p[i] != 'r' && w->value.p[i] != 'x' && w->value.p[i] != 'g' && w->value.p[i] != '-')
			return false;
	return true;
}

/* The name in front of `=`, `+=` or `[`, or the whole word; empty when it is none. */
static struct bytes declared_name(const struct word *w)
{
	struct bytes name = w->is_static ? w->value : w->prefix;

	for (size_t i = 0; i < name.len; i++) {
		if (!char_is_name(name.p[i])) {
			name.len = i;
			break;
		}
	}
	return is_name(name) ? name : (struct bytes){ "", 0 };
}

static void declare_word(struct parser *p, struct bindings *b, const struct word *w, bool plain)
{
	struct bytes name = declared_name(w);
	size_t value = name.len + 1;

	if (!name.len)
		unbind_all(b);
	else if (!plain)
		fix(p, b, name);
	else if (w->is_static && w->value.len >= value && w->value.p[name.len] == '=')
		bind(p, b, name, (struct bytes){ w->value.p + value, w->value.len - value });
	else
		unbind(p, b, name);
}

static void apply_declaration(struct parser *p, struct bindings *b, const struct simple_command *c)
{
	bool readonly = bytes_is(c->words->value, "readonly"), plain = true;

	for (const struct word *w = c->words->next; w; w = w->next) {
		bool option = w->is_static && w->value.len && (w->value.p[0] == '-' || w->value.p[0] == '+');

		if (option) {
			plain = plain && is_plain_option(w);
			readonly = readonly || memchr(w->value.p, 'r', w->value.len);
			continue;
		}
		declare_word(p, b, w, plain);
		if (readonly && declared_name(w).len)
			bind_readonly(p, b, declared_name(w));
	}
}

/* -r and its like; another option may have a name attached (-aNAME) or run code (mapfile -C). */
static bool is_flags_only(struct bytes option)
{
	for (size_t i = 1; i < option.len; i++)
		if (option.p[i] == 'C' || (i > 1 && option.p[i - 1] == 'a'))
			return false;
	return true;
}

/* Arguments of options are taken for names too, which does no harm; mapfile -C runs code. */
static void apply_names(struct parser *p, struct bindings *b, const struct simple_command *c)
{
	for (const struct word *w = c->words->next; w; w = w->next) {
		if (!w->is_static || (w->value.len && memchr(w->value.p, '[', w->value.len)))
			unbind_all(b);
		else if (is_name(w->value))
			unbind(p, b, w->value);
		else if (w->value.len > 1 && w->value.p[0] == '-' && !is_flags_only(w->value))
			unbind_all(b);
	}
}

/* printf -v NAME: an argument that may turn out to be the option counts as one. */
static bool prints_to_variable(const struct word *argument)
{
	struct bytes text;

	if (!argument)
		return false;
	text = argument->is_static ? argument->value : argument->prefix;
	if (!text.len)
		return !argument->is_static;
	return text.p[0] == '-' && (text.len == 1 ? !argument->is_static : text.p[1] == 'v' || text.p[1] == '-');
}

static bool may_set_anything(const struct parser *p, const struct bindings *b, const struct simple_command *c)
{
	const struct word *name = c->words;

	if (!name->is_static || is_function(b, name->value) || is_listed(name->value, setters, ARRAY_LEN(setters)))
		return true;
	if (bytes_is(name->value, "printf"))
		return prints_to_variable(name->next);
	return p->options->dialect != DIALECT_BASH && is_listed(name->value, zsh_setters, ARRAY_LEN(zsh_setters));
}

void apply_builtin(struct parser *p, struct bindings *b, const struct simple_command *c)
{
	const struct word *name = c->words;

	if (may_set_anything(p, b, c)) {
		b->hopeless |= name->is_static && bytes_is(name->value, "trap");
		unbind_all(b);
		unbind(p, b, BYTES("PWD"));
	} else if (is_listed(name->value, name_setters, ARRAY_LEN(name_setters))) {
		apply_names(p, b, c);
	} else if (is_declaration(name->value)) {
		apply_declaration(p, b, c);
	} else if (is_listed(name->value, directory_changers, ARRAY_LEN(directory_changers))) {
		unbind(p, b, BYTES("PWD"));
	}
}
