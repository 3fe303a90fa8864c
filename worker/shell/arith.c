/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic, and telling it from nested parentheses: `((` opens arithmetic when the text up to the parenthesis that
 * matches the first one ends in `))` (bash's parse_arith_cmd and chk_arithsub). The choice is made once for each
 * place, so that nesting does not multiply the work.
 */
#include "worker/shell/parser.h"

static bool known_failure(const struct parser *p)
{
	size_t i = (size_t)(p->in.at - p->in.start);

	return p->in.not_arith && (p->in.not_arith[i / 8] & (1u << i % 8));
}

static void remember_failure(struct parser *p)
{
	size_t i = (size_t)(p->in.at - p->in.start);

	p->in.not_arith[i / 8] |= (uint8_t)(1u << i % 8);
}

/* Made before the first attempt, so that all that is learnt inside one outlives its failure. */
static bool make_memory(struct parser *p)
{
	if (!p->in.not_arith)
		p->in.not_arith = parser_alloc(p, (size_t)(p->in.end - p->in.start) / 8 + 1);
	return p->in.not_arith;
}

/* Behind `((`: to behind the first parenthesis' partner. */
static bool parse_to_double_close(struct parser *p, struct part_list *l)
{
	if (!parse_matched(p, l, '(', ')', MATCHED_ARITH))
		return false;
	if (peek(p) != ')')
		return stop_syntax(p, "not arithmetic");
	p->in.at++;
	return true;
}

/*
 * zsh reads two subshells where the text is no arithmetic, of which it is the judge: one with a word behind a word, or
 * a bracket without its partner, is none.
 */
static bool is_plainly_arith(const char *at, const char *end)
{
	bool blank = false, operand = false;
	int brackets = 0;

	for (; at < end; at++) {
		bool word = char_is_name(*at) || *at == '$';

		if (strchr("`'\"\\{}@;\n", *at) != NULL || (word && operand && blank))
			return false;
		if (*at == '(' && at[-1] != '(' && strchr("$<>=", at[-1]) != NULL)
			return false;
		brackets += *at == '[' ? 1 : *at == ']' ? -1 : 0;
		if (brackets < 0)
			return false;
		if (!char_is(*at, CHAR_BLANK))
			operand = word || *at == ')' || *at == ']';
		blank = char_is(*at, CHAR_BLANK);
	}
	return brackets == 0;
}

bool try_double_parens(struct parser *p, struct part_list *l)
{
	struct attempt attempt;

	if (known_failure(p) || !make_memory(p) || !enter(p))
		return false;
	p->depth--;
	begin_attempt(p, &attempt);
	p->depth++;
	advance(p);
	advance(p);
	if (parse_to_double_close(p, l)) {
		leave(p);
		if (p->options->dialect == DIALECT_ZSH && !is_plainly_arith(attempt.in.at + 2, p->in.at - 2))
			unmodelled(p, UNMODELLED_OTHER, attempt.in.at, "what may be no arithmetic");
		return true;
	}
	if (p->out_of_memory || p->script->limit != LIMIT_NONE)
		return false;
	*l = (struct part_list){ .first = NULL };
	if (undo_attempt(p, &attempt))
		remember_failure(p);
	return false;
}

struct word *new_arith_word(struct parser *p, const char *start, struct word_part *inner)
{
	struct word *w = parser_new(p, struct word);

	if (!w)
		return NULL;
	w->src = (struct bytes){ start, (size_t)(p->in.at - start) };
	w->parts = parser_new(p, struct word_part);
	if (!w->parts)
		return NULL;
	w->parts->kind = PART_ARITH;
	w->parts->text = w->src;
	w->parts->children = inner;
	return finish_word(p, w, WORD_ARGUMENT) ? w : NULL;
}

bool parse_dollar_bracket(struct parser *p, struct part_list *l, const char *start)
{
	struct part_list inner = { .first = NULL };
	struct word_part *part;

	met(p, CONSTRUCT_DOLLAR_BRACKET, start);
	if (!enter(p) || !parse_matched(p, &inner, '[', ']', MATCHED_ARITH))
		return false;
	leave(p);
	part = add_part(p, l, PART_ARITH, start, (size_t)(p->in.at - start));
	if (part)
		part->children = inner.first;
	return part;
}
