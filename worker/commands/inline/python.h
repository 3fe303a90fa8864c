/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of Python, and what the two halves of its parser share (Python reference "Lexical analysis"). */
#ifndef INLINE_PYTHON_H
#define INLINE_PYTHON_H

#include "worker/commands/inline/tree.h"

enum { PYTHON_INDENTS = 40 };

enum python_token { PY_END, PY_NEWLINE, PY_INDENT, PY_DEDENT, PY_NAME, PY_NUMBER, PY_STRING, PY_OP };

struct python {
	struct tree *tree;
	const char *at, *end;
	enum python_token token;
	struct bytes text; /* of the token */
	uint32_t brackets; /* open ones: newlines and indentation do not count inside */
	uint32_t indents[PYTHON_INDENTS], n_indents, dedents;
	bool line_start;
	char indent_with; /* the one character that indents, once it is known */
};

/* Reads the next token. Past a failure it is PY_END. */
void python_next(struct python *p);
bool python_is(const struct python *p, const char *op); /* an operator or a keyword */
bool python_accept(struct python *p, const char *op);
bool python_expect(struct python *p, const char *op);

/* The value of a string token, or the parts of a formatted one. */
struct code *python_string(struct python *p, struct bytes token);

struct code *python_expression(struct python *p);
/* One or more, separated by commas: more than one, or a comma at the end, is a list. */
struct code *python_expressions(struct python *p);
/* Targets of a `for`: as above, without `in`. */
struct code *python_targets(struct python *p);
/* Parameters up to `end` (":" or ")"), into the function's list. */
void python_parameters(struct python *p, struct code *function, const char *end);

struct code *python_parse(struct tree *t, struct bytes text);

#endif
