/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of JavaScript, and what the two halves of its parser share (ECMA-262, "Lexical Grammar"). */
#ifndef INLINE_NODE_H
#define INLINE_NODE_H

#include "worker/commands/inline/tree.h"

enum node_token { JS_END, JS_NAME, JS_NUMBER, JS_STRING, JS_OP };

struct javascript {
	struct tree *tree;
	const char *at, *end;
	enum node_token token;
	struct bytes text; /* of the token */
	bool newline; /* a line ended before it */
};

/* Reads the next token. A slash is an operator: where an expression begins, javascript_regex() reads it. */
void javascript_next(struct javascript *p);
bool javascript_is(const struct javascript *p, const char *op); /* an operator or a word */
bool javascript_accept(struct javascript *p, const char *op);
bool javascript_expect(struct javascript *p, const char *op);
/* The token is a slash: the regular expression that it begins, as data. */
struct code *javascript_regex(struct javascript *p);
/* The value of a string token, or of a part of a template. */
struct code *javascript_text(struct javascript *p, struct bytes body);

struct code *javascript_expression(struct javascript *p); /* no comma */
struct code *javascript_expressions(struct javascript *p);
struct code *javascript_target(struct javascript *p); /* a name or a pattern */
struct code *javascript_block(struct javascript *p);
/* From the parameters' opening bracket to the body's end. */
struct code *javascript_function(struct javascript *p, struct bytes name);

struct code *javascript_parse(struct tree *t, struct bytes text);

#endif
