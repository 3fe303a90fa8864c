/* SPDX-License-Identifier: Apache-2.0 */
/* Dialects: their names, and the constructs that only a whole word shows. */
#include "worker/shell/parser.h"

const struct construct_row constructs[CONSTRUCT__MAX] = {
#define CONSTRUCT(name, differs, example, why) [CONSTRUCT_##name] = { #name, (differs), (example), (why) },
#include "worker/shell/constructs.def"
#undef CONSTRUCT
};

static const char *const dialect_names[DIALECT__MAX] = {
	[DIALECT_BASH] = "bash", [DIALECT_POSIX] = "posix", [DIALECT_ZSH] = "zsh", [DIALECT_OTHER] = "other",
};

const char *dialect_name(enum dialect d)
{
	return (unsigned int)d < DIALECT__MAX ? dialect_names[d] : "other";
}

/* Shells by the names of their programs. */
static const struct {
	const char *name;
	enum dialect dialect;
} programs[] = {
	{ "bash", DIALECT_BASH }, { "posix", DIALECT_POSIX }, { "sh", DIALECT_POSIX }, { "dash", DIALECT_POSIX },
	{ "ash", DIALECT_POSIX }, { "zsh", DIALECT_ZSH }, { "other", DIALECT_OTHER }, { "fish", DIALECT_OTHER },
	{ "ksh", DIALECT_OTHER }, { "mksh", DIALECT_OTHER }, { "csh", DIALECT_OTHER }, { "tcsh", DIALECT_OTHER },
	{ "nu", DIALECT_OTHER }, { "elvish", DIALECT_OTHER }, { "xonsh", DIALECT_OTHER }, { "pwsh", DIALECT_OTHER },
};

bool dialect_from_name(struct bytes name, enum dialect *ret_dialect)
{
	for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
		if (bytes_is(name, programs[i].name)) {
			*ret_dialect = programs[i].dialect;
			return true;
		}
	}
	return false;
}

void met(struct parser *p, enum construct construct, const char *at)
{
	const struct construct_row *row = &constructs[construct];

	if (row->differs & (1u << p->options->dialect))
		unmodelled(p, UNMODELLED_DIALECT, at, row->why);
}

/* Words that some shell reserves and bash does not; fish's and csh's, then zsh's. */
static const char *const foreign_keywords[] = {
	"and", "or", "not", "begin", "end", "switch", "foreach", "endif", "endsw", "breaksw", "builtin", "command", "exec",
	"eval", "source", "set", "abbr", "alias", "let", "def", "export", "fn", "var", "return", "exit", "status", "string",
	"test", "read", "cd", "where", "which", "history", "math", "block", "emit", "use", "overlay", "hide", "mut", "const",
	"repeat", "nocorrect", "always", "break", "continue", "else", "function", "in",
};

static const char *const zsh_keywords[] = {
	"repeat", "foreach", "end", "nocorrect", "noglob", "always", "integer", "float", "private", "-",
};

static bool is_listed(struct bytes word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes_is(word, list[i]))
			return true;
	return false;
}

void met_command_word(struct parser *p, const struct word *w)
{
	if (w->src.p[0] == '{')
		met(p, CONSTRUCT_BRACE_WORD, w->src.p);
	if (is_listed(w->src, foreign_keywords, ARRAY_LEN(foreign_keywords)))
		met(p, CONSTRUCT_FOREIGN_KEYWORD, w->src.p);
	if (is_listed(w->src, zsh_keywords, ARRAY_LEN(zsh_keywords)))
		met(p, CONSTRUCT_ZSH_KEYWORD, w->src.p);
}

static void met_literal(struct parser *p, const struct word_part *part, bool first)
{
	for (size_t i = 0; i < part->text.len; i++) {
		char c = part->text.p[i];
		bool leading = first && i == 0 && (c == '%' || c == '=' || c == '@' || c == ':');

		if (leading || (!char_is(c, CHAR_PLAIN) && c != '=' && c != ':' && c != '@' && c != '+') || c == '^' ||
			c == '#' || (unsigned char)c >= 0x80)
			met(p, CONSTRUCT_PLAIN_WORD, part->text.p + i);
	}
}

static void met_part(struct parser *p, const struct word_part *part, bool first)
{
	switch (part->kind) {
	case PART_LITERAL:
		met_literal(p, part, first);
		break;
	case PART_DOUBLE:
		for (const struct word_part *c = part->children; c; c = c->next)
			if (c->kind != PART_LITERAL)
				met_part(p, c, false);
		break;
	case PART_TILDE:
		met(p, CONSTRUCT_TILDE, part->text.p);
		break;
	case PART_GLOB: case PART_EXTGLOB: case PART_BRACE:
		met(p, CONSTRUCT_GLOB, part->text.p);
		break;
	case PART_PARAM: case PART_COMMAND: case PART_ARITH: case PART_PROCESS: case PART_ARRAY: case PART_LOCALE:
		met(p, CONSTRUCT_EXPANSION, part->text.p);
		break;
	case PART_SINGLE: case PART_ANSI_C:
		break;
	}
}

/* An unquoted bracket without its partner, in the parts of a word. */
static bool has_lone_bracket(const struct word *w)
{
	if (w->src.len == 1)
		return false;
	for (const struct word_part *part = w->parts; part; part = part->next)
		if (part->kind == PART_LITERAL && memchr(part->text.p, '[', part->text.len))
			return true;
	return false;
}

void met_word(struct parser *p, const struct word *w, unsigned int mode)
{
	bool first = true;

	for (const struct word_part *part = w->parts; part; part = part->next) {
		met_part(p, part, first);
		first = false;
	}
	if (mode & WORD_NEVER_ASSIGNS)
		return;
	if (bytes_is(w->src, "{") || bytes_is(w->src, "}"))
		met(p, CONSTRUCT_BRACE_WORD, w->src.p);
	if (has_lone_bracket(w))
		met(p, CONSTRUCT_BRACKET_WORD, w->src.p);
}
