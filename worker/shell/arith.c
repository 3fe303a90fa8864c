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

static bool remember_failure(struct parser *p)
{
	size_t i = (size_t)(p->in.at - p->in.start);

	if (!p->in.not_arith)
		p->in.not_arith = parser_alloc(p, (size_t)(p->in.end - p->in.start) / 8 + 1);
	if (!p->in.not_arith)
		return false;
	p->in.not_arith[i / 8] |= (uint8_t)(1u << i % 8);
	return true;
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

bool try_double_parens(struct parser *p, struct part_list *l)
{
	struct attempt attempt;
	uint8_t *failures;

	if (known_failure(p) || !enter(p))
		return false;
	p->depth--;
	begin_attempt(p, &attempt);
	p->depth++;
	advance(p);
	advance(p);
	if (parse_to_double_close(p, l)) {
		leave(p);
		return true;
	}
	if (p->out_of_memory || p->script->limit != LIMIT_NONE)
		return false;
	failures = p->in.not_arith; /* keeps what the attempt learnt, unless it stopped in another text */
	if (p->in.start != attempt.in.start)
		failures = attempt.in.not_arith;
	undo_attempt(p, &attempt);
	p->in.not_arith = failures;
	*l = (struct part_list){ .first = NULL };
	remember_failure(p);
	return false;
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
