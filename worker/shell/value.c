/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a word before it runs: its one value, or what it certainly begins with. */
#include "worker/shell/parser.h"

/* Longer than this a word stays dynamic: variables in variables could make any length. */
enum { RESOLVED_WORD_MAX = 16 * 1024 };

/* Evaluation runs twice: to measure, then to write. */
struct sink {
	char *out; /* NULL: measure only */
	size_t len;
};

struct evaluation {
	const struct parser *parser;
	const struct bindings *known;
	bool verbatim, assigns;
	bool quoted; /* some part was quoted: the word exists even when it is empty */
};

static void put(struct sink *s, struct bytes text)
{
	if (s->out && text.len)
		memcpy(s->out + s->len, text.p, text.len);
	s->len += text.len;
}

/* A value that an unquoted expansion hands on unchanged: no blank to split at, nothing that matches file names. */
static bool survives_unquoted(struct bytes v)
{
	for (size_t i = 0; i < v.len; i++) {
		switch (v.p[i]) {
		case ' ': case '\t': case '\n': case '*': case '?': case '[': case ']': case '\\':
		case '(': case ')': case '|': case '+': case '@': case '!':
			return false;
		default:
			break;
		}
	}
	return true;
}

static bool put_param(const struct evaluation *e, const struct word_part *part, bool quoted, struct sink *s)
{
	const struct bytes *value;

	if (part->form != PARAM_PLAIN || !e->known)
		return false;
	value = binding_value(e->known, part->text);
	if (!value)
		return false;
	if (!quoted && !e->verbatim && (!bindings_split_by_default(e->known) || !survives_unquoted(*value)))
		return false;
	put(s, *value);
	return true;
}

/* `~` alone, before a slash, or in an assignment before a colon. */
static bool put_tilde(const struct evaluation *e, const struct word_part *part, struct sink *s)
{
	const struct word_part *next = part->next;

	if (part->text.len != 1 || !e->parser->options->home.len)
		return false;
	if (e->known && !bindings_home_known(e->known))
		return false;
	if (next && (next->kind != PART_LITERAL || !next->text.len ||
		!(next->text.p[0] == '/' || (next->text.p[0] == ':' && e->assigns))))
		return false;
	put(s, e->parser->options->home);
	return true;
}

/* Writes what is known of a part; false when it, or the rest of it, is dynamic. */
static bool put_part(struct evaluation *e, const struct word_part *part, bool quoted, struct sink *s)
{
	switch (part->kind) {
	case PART_SINGLE:
	case PART_ANSI_C:
		e->quoted = true;
		if (part->form != PARAM_PLAIN)
			return false;
		put(s, part->text);
		return true;
	case PART_LITERAL:
		put(s, part->text);
		return true;
	case PART_DOUBLE:
		e->quoted = true;
		for (const struct word_part *c = part->children; c; c = c->next)
			if (!put_part(e, c, true, s))
				return false;
		return true;
	case PART_PARAM:
		return put_param(e, part, quoted, s);
	case PART_TILDE:
		return put_tilde(e, part, s);
	case PART_GLOB:
		if (!e->verbatim || part->children || part->text.len != 1)
			return false;
		put(s, part->text);
		return true;
	case PART_LOCALE:
	case PART_COMMAND:
	case PART_ARITH:
	case PART_PROCESS:
	case PART_EXTGLOB:
	case PART_BRACE:
	case PART_ARRAY:
		return false;
	}
	return false;
}

static bool put_word(struct evaluation *e, const struct word *w, struct sink *s)
{
	for (const struct word_part *part = w->parts; part; part = part->next)
		if (!put_part(e, part, false, s))
			return false;
	return true;
}

bool evaluate_word(struct parser *p, struct word *w, const struct bindings *known)
{
	struct evaluation e = {
		.parser = p, .known = known, .verbatim = w->flags & WORD_VERBATIM, .assigns = w->flags & WORD_ASSIGNS,
	};
	const struct word_part *only = w->parts;
	struct sink s = { .out = NULL };
	struct bytes text;

	w->value = w->prefix = BYTES("");
	if (w->flags & WORD_DOUBTFUL)
		return true;
	if (only && !only->next && only->kind == PART_LITERAL) {
		w->is_static = true;
		w->value = only->text;
		return true;
	}
	w->is_static = put_word(&e, w, &s);
	if (known && s.len > RESOLVED_WORD_MAX) {
		w->is_static = false;
		return true;
	}
	/* Unquoted expansions to nothing leave no word at all. */
	if (w->is_static && s.len == 0 && !e.quoted && !e.verbatim)
		w->is_static = false;
	text.len = s.len;
	s = (struct sink){ .out = parser_alloc(p, text.len + 1) };
	if (!s.out)
		return false;
	put_word(&e, w, &s);
	text.p = s.out;
	if (w->is_static)
		w->value = text;
	else
		w->prefix = text;
	return true;
}

/* What is said of a word because of what stands inside an expansion. */
#define INNER_FLAGS ((uint32_t)(WORD_RUNS | WORD_PARAM | WORD_ARITH))

static bool is_opaque(enum part_kind kind)
{
	return kind == PART_PARAM || kind == PART_ARITH;
}

static uint32_t flags_of(const struct word_part *part, bool quoted)
{
	uint32_t flags = 0;

	for (; part; part = part->next) {
		bool inner = quoted || part->kind == PART_DOUBLE || part->kind == PART_LOCALE;

		switch (part->kind) {
		case PART_PARAM:
			flags |= WORD_PARAM | (!quoted || part->many ? WORD_SPLITS : 0);
			break;
		case PART_COMMAND:
			flags |= WORD_RUNS | (quoted ? 0 : WORD_SPLITS);
			break;
		case PART_PROCESS:
			flags |= WORD_RUNS;
			break;
		case PART_ARITH:
			flags |= WORD_ARITH | (quoted ? 0 : WORD_SPLITS);
			break;
		case PART_SINGLE:
		case PART_ANSI_C:
		case PART_DOUBLE:
		case PART_LOCALE:
			flags |= WORD_QUOTED;
			break;
		case PART_GLOB:
		case PART_EXTGLOB:
			flags |= WORD_GLOB;
			break;
		case PART_BRACE:
			flags |= WORD_BRACE;
			break;
		case PART_LITERAL:
		case PART_TILDE:
		case PART_ARRAY:
			break;
		}
		if (part->children)
			flags |= flags_of(part->children, inner) & (is_opaque(part->kind) ? INNER_FLAGS : ~0u);
	}
	return flags;
}

/*
 * What quotes mean in a backtick command that had backslashes taken out depends on who reads it (POSIX 2.6.3 leaves it
 * open): words that such a backslash may have touched vouch for nothing.
 */
static bool is_doubtful(const struct parser *p, const struct word *w)
{
	static const char touched[] = { '\\', '$', '`' };

	if (!p->in.unescaped || !w->src.len)
		return false;
	for (size_t i = 0; i < sizeof(touched); i++)
		if (memchr(w->src.p, touched[i], w->src.len))
			return true;
	return false;
}

bool finish_word(struct parser *p, struct word *w, unsigned int mode)
{
	w->flags |= flags_of(w->parts, false);
	/* dash splits what export assigns; bash and zsh do not. */
	if ((mode & WORD_DECLARATION) && (w->flags & WORD_ASSIGNS) && p->options->dialect != DIALECT_POSIX)
		w->flags |= WORD_VERBATIM;
	if (mode & (WORD_VALUE | WORD_HERESTRING))
		w->flags |= WORD_VERBATIM;
	if (w->flags & WORD_VERBATIM)
		w->flags &= ~(uint32_t)(WORD_SPLITS | WORD_GLOB);
	if (is_doubtful(p, w))
		w->flags |= WORD_DOUBTFUL;
	p->has_assignments |= (mode & WORD_DECLARATION) && (w->flags & WORD_ASSIGNS);
	return evaluate_word(p, w, NULL);
}
