/* SPDX-License-Identifier: Apache-2.0 */
/* Program text of other languages given on the command line: read as far as it is fully understood, else
 * open. */
#ifndef COMMANDS_INLINE_H
#define COMMANDS_INLINE_H

#include "worker/commands/model.h"

/* Adds the effects of the text; a text that is dynamic, or not understood as a whole, is RUN_INLINE too. */
void inline_python(struct run *run, const struct arg *text);
void inline_node(struct run *run, const struct arg *text);

/* Tokens, as far as both languages need them. */
enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_OPERATOR, TOKEN_NEWLINE };

struct token {
	enum token_kind kind;
	struct bytes text; /* as written; of a string its content */
	bool is_static; /* a string whose content is its value */
	uint16_t depth; /* of brackets around it */
	uint16_t indent; /* of its line */
	bool used; /* already taken care of together with an earlier one */
};

struct tokens {
	struct token *t;
	uint32_t n; /* t[n] is TOKEN_END */
};

/* false: the text cannot be read with certainty, or is too long. */
bool python_tokens(struct run *run, struct bytes text, struct tokens *ret);
bool node_tokens(struct run *run, struct bytes text, struct tokens *ret);

static inline bool token_is(const struct token *t, const char *s)
{
	return (t->kind == TOKEN_NAME || t->kind == TOKEN_OPERATOR) && bytes_is(t->text, s);
}

#endif
