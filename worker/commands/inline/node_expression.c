/* SPDX-License-Identifier: Apache-2.0 */
/* JavaScript's expressions by their precedence (ECMA-262 13). */
#include "worker/commands/inline/node.h"

static const struct {
	const char *name;
	uint32_t level;
} operators[] = { { "?\?", 1 }, { "||", 1 }, { "&&", 2 }, { "|", 3 }, { "^", 4 }, { "&", 5 }, { "==", 6 },
	{ "!=", 6 }, { "===", 6 }, { "!==", 6 }, { "<", 7 }, { ">", 7 }, { "<=", 7 }, { ">=", 7 }, { "in", 7 },
	{ "instanceof", 7 }, { "<<", 8 }, { ">>", 8 }, { ">>>", 8 }, { "+", 9 }, { "-", 9 }, { "*", 10 },
	{ "/", 10 }, { "%", 10 } };

enum { LEVEL_UNARY = 11 };

static struct code *unary(struct javascript *p);

static struct code *wrong(struct javascript *p)
{
	return tree_wrong(p->tree, "its syntax is not understood");
}

static bool keyword(struct bytes name)
{
	return name_in(name,
		"break case catch class const continue debugger default delete do else enum export extends "
		"finally for function if import in instanceof new return super switch this throw try typeof "
		"var void while with yield let static async await");
}

static struct code *of_two(struct javascript *p, enum code_kind kind, struct code *a, struct code *b)
{
	struct code *n = tree_code(p->tree, kind);

	if (!n || !a || !b)
		return NULL;
	tree_append(n, a);
	tree_append(n, b);
	return n;
}

static struct code *with(struct javascript *p, enum code_kind kind, struct code *a, struct code *b)
{
	struct code *n = tree_code(p->tree, kind);

	if (!n || !a || !b)
		return NULL;
	n->a = a;
	n->b = b;
	return n;
}

static struct code *keyed(struct javascript *p, struct bytes key, struct code *value)
{
	struct code *n = tree_code(p->tree, CODE_KEYWORD);

	if (!n || !value)
		return NULL;
	n->text = key;
	n->a = value;
	return n;
}

/* Elements up to the closing bracket. */
static void elements(struct javascript *p, struct code *list, const char *close)
{
	while (!tree_failed(p->tree) && !javascript_is(p, close)) {
		bool spread = javascript_accept(p, "...");
		struct code *n = javascript_expression(p);

		if (spread && n) {
			struct code *s = tree_code(p->tree, CODE_SPREAD);

			if (s)
				s->a = n;
			n = s;
		}
		tree_append(list, n);
		if (!javascript_accept(p, ","))
			break;
	}
	javascript_expect(p, close);
}

/* {key: value, name, [computed]: value, ...other}; also a pattern, where a name may have a default. */
static void property(struct javascript *p, struct code *dict)
{
	struct bytes key = p->text;
	bool name = p->token == JS_NAME;
	struct code *n;

	if (javascript_accept(p, "...")) {
		n = tree_code(p->tree, CODE_SPREAD);
		if (n)
			n->a = javascript_expression(p);
		tree_append(dict, n && n->a ? n : NULL);
		return;
	}
	if (javascript_accept(p, "[")) {
		tree_append(dict, javascript_expression(p));
		javascript_expect(p, "]");
		javascript_expect(p, ":");
		tree_append(dict, javascript_expression(p));
		return;
	}
	if (!name && p->token != JS_STRING && p->token != JS_NUMBER) {
		wrong(p);
		return;
	}
	javascript_next(p);
	if (javascript_accept(p, ":")) {
		tree_append(dict, keyed(p, key, javascript_expression(p)));
		return;
	}
	if (!name || keyword(key)) {
		wrong(p);
		return;
	}
	n = tree_name(p->tree, key);
	if (javascript_accept(p, "="))
		n = with(p, CODE_ASSIGN, n, javascript_expression(p));
	tree_append(dict, keyed(p, key, n));
}

static struct code *object(struct javascript *p)
{
	struct code *dict = tree_code(p->tree, CODE_DICT);

	while (!tree_failed(p->tree) && !javascript_is(p, "}")) {
		property(p, dict);
		if (!javascript_accept(p, ","))
			break;
	}
	javascript_expect(p, "}");
	return dict;
}

/* Behind the opening quote: parts of text, and ${expressions}. */
static struct code *template(struct javascript *p)
{
	struct code *join = tree_code(p->tree, CODE_JOIN);
	const char *from = p->at, *q = p->at;

	while (q < p->end && *q != '`') {
		if (*q == '\\' && p->end - q > 1) {
			q += 2;
			continue;
		}
		if (*q != '$' || p->end - q < 2 || q[1] != '{') {
			q++;
			continue;
		}
		tree_append(join, javascript_text(p, (struct bytes){ from, (size_t)(q - from) }));
		p->at = q + 2;
		javascript_next(p);
		tree_append(join, javascript_expressions(p));
		if (!javascript_is(p, "}"))
			return wrong(p);
		q = from = p->at;
	}
	if (q >= p->end)
		return tree_wrong(p->tree, "a template in it does not end");
	tree_append(join, javascript_text(p, (struct bytes){ from, (size_t)(q - from) }));
	p->at = q + 1;
	javascript_next(p);
	return join;
}

/* => body, with what was read as an expression being its parameters. */
static struct code *arrow(struct javascript *p, struct code *parameters)
{
	struct code *f = tree_code(p->tree, CODE_FUNCTION), *next;

	if (!f || p->newline)
		return wrong(p);
	javascript_expect(p, "=>");
	f->index = p->tree->n_functions++;
	for (struct code *n = parameters; n; n = next) {
		next = n->next;
		n->next = NULL;
		if (n->kind == CODE_SPREAD)
			n = n->a;
		if (n->kind == CODE_ASSIGN && n->a->kind == CODE_NAME) {
			n->a->b = n->b;
			n = n->a;
		}
		if (n->kind != CODE_NAME && n->kind != CODE_LIST && n->kind != CODE_DICT)
			return wrong(p);
		tree_append(f, n);
	}
	if (javascript_accept(p, "{")) {
		f->a = javascript_block(p);
	} else {
		f->a = tree_code(p->tree, CODE_RETURN);
		if (f->a)
			f->a->a = javascript_expression(p);
	}
	return tree_failed(p->tree) ? NULL : f;
}

static struct code *bracketed(struct javascript *p)
{
	struct code *list = tree_code(p->tree, CODE_LIST), *last;

	elements(p, list, ")");
	if (javascript_is(p, "=>"))
		return arrow(p, list ? list->list : NULL);
	if (!list || !list->list)
		return wrong(p);
	/* (a, b) is b, once a has been evaluated. */
	if (!list->list->next)
		return list->list->kind == CODE_SPREAD ? wrong(p) : list->list;
	last = list->c;
	list->kind = CODE_DATA;
	return last->kind == CODE_SPREAD ? wrong(p) : list;
}

static struct code *word(struct javascript *p)
{
	struct bytes text = p->text;
	struct code *n;
	bool async = bytes_is(text, "async");

	javascript_next(p);
	if (name_in(text, "null true false undefined NaN Infinity")) {
		n = tree_code(p->tree, CODE_DATA);
		if (n)
			n->text = text;
		return n;
	}
	if (async && p->token == JS_NAME && !p->newline && !javascript_is(p, "function")) {
		text = p->text;
		javascript_next(p);
		return keyword(text) ? wrong(p) : arrow(p, tree_name(p->tree, text));
	}
	if (async && javascript_accept(p, "(")) {
		n = bracketed(p);
		return n && n->kind == CODE_FUNCTION ? n : wrong(p);
	}
	if (bytes_is(text, "function") || (async && javascript_accept(p, "function"))) {
		struct bytes name = p->token == JS_NAME ? p->text : BYTES("");

		if (name.len)
			javascript_next(p);
		n = javascript_function(p, name);
		/* Its name is known inside it. */
		return n && name.len ? with(p, CODE_ASSIGN, tree_name(p->tree, name), n) : n;
	}
	if (keyword(text))
		return wrong(p);
	if (javascript_is(p, "=>"))
		return arrow(p, tree_name(p->tree, text));
	return tree_name(p->tree, text);
}

static struct code *atom(struct javascript *p)
{
	struct code *n;

	if (p->token == JS_STRING) {
		n = javascript_text(p, p->text);
		javascript_next(p);
		return n;
	}
	if (p->token == JS_NUMBER) {
		n = tree_code(p->tree, CODE_NUMBER);
		if (n)
			n->text = p->text;
		javascript_next(p);
		return n;
	}
	if (p->token == JS_NAME)
		return word(p);
	if (javascript_is(p, "/") || javascript_is(p, "/="))
		return javascript_regex(p);
	if (javascript_is(p, "`"))
		return template(p);
	if (javascript_accept(p, "("))
		return bracketed(p);
	if (javascript_accept(p, "{"))
		return object(p);
	if (javascript_accept(p, "[")) {
		n = tree_code(p->tree, CODE_LIST);
		elements(p, n, "]");
		return n;
	}
	return wrong(p);
}

static struct code *member(struct javascript *p, struct code *of)
{
	struct code *n = tree_code(p->tree, CODE_ATTRIBUTE);

	if (!n || p->token != JS_NAME)
		return wrong(p);
	n->a = of;
	n->text = p->text;
	javascript_next(p);
	return n;
}

static struct code *call(struct javascript *p, struct code *of)
{
	struct code *n = tree_code(p->tree, CODE_CALL);

	if (!n)
		return NULL;
	n->a = of;
	elements(p, n, ")");
	return n;
}

/* new Class(…): the class up to its arguments, which may be missing. */
static struct code *new(struct javascript *p)
{
	struct code *n = p->token == JS_NAME ? word(p) : wrong(p);

	for (uint32_t chain = 0; n && chain < TREE_CHAIN_MAX && javascript_accept(p, "."); chain++)
		n = member(p, n);
	if (!n || n->kind == CODE_FUNCTION)
		return wrong(p);
	if (javascript_accept(p, "("))
		return call(p, n);
	struct code *bare = tree_code(p->tree, CODE_CALL);

	if (bare)
		bare->a = n;
	return bare;
}

static struct code *primary(struct javascript *p)
{
	struct code *n = javascript_accept(p, "new") ? new(p) : atom(p);
	uint32_t chain = 0;

	while (n && !tree_failed(p->tree)) {
		if (++chain > TREE_CHAIN_MAX)
			return tree_wrong(p->tree, "it is nested too deeply");
		if (javascript_accept(p, "(")) {
			n = call(p, n);
		} else if (javascript_accept(p, "[")) {
			n = with(p, CODE_INDEX, n, javascript_expressions(p));
			javascript_expect(p, "]");
		} else if (javascript_accept(p, ".")) {
			n = member(p, n);
		} else if (javascript_accept(p, "?.")) {
			if (javascript_accept(p, "(")) {
				n = call(p, n);
			} else if (javascript_accept(p, "[")) {
				n = with(p, CODE_INDEX, n, javascript_expressions(p));
				javascript_expect(p, "]");
			} else {
				n = member(p, n);
			}
		} else {
			break;
		}
	}
	return javascript_is(p, "`") ? wrong(p) : n;
}

/* x++ and ++x: the target gets data. */
static struct code *step(struct javascript *p, struct code *target)
{
	if (!target || (target->kind != CODE_NAME && target->kind != CODE_ATTRIBUTE && target->kind != CODE_INDEX))
		return wrong(p);
	return with(p, CODE_ASSIGN, target, tree_code(p->tree, CODE_DATA));
}

static struct code *unary(struct javascript *p)
{
	static const char *const signs[] = { "!", "~", "+", "-", "typeof", "void", "delete" };
	struct code *n, *data;

	if (++p->tree->depth > TREE_DEPTH_MAX)
		return tree_wrong(p->tree, "it is nested too deeply");
	for (size_t i = 0; i < ARRAY_LEN(signs); i++)
		if (javascript_accept(p, signs[i])) {
			data = tree_code(p->tree, CODE_DATA);
			tree_append(data, unary(p));
			p->tree->depth--;
			return data;
		}
	if (javascript_accept(p, "++") || javascript_accept(p, "--"))
		n = step(p, unary(p));
	else if (javascript_accept(p, "await"))
		n = unary(p);
	else
		n = primary(p);
	if (n && !p->newline && (javascript_accept(p, "++") || javascript_accept(p, "--")))
		n = step(p, n);
	if (n && javascript_accept(p, "**"))
		n = of_two(p, CODE_DATA, n, unary(p));
	p->tree->depth--;
	return n;
}

static uint32_t level_here(const struct javascript *p)
{
	if (p->token == JS_OP || p->token == JS_NAME)
		for (size_t i = 0; i < ARRAY_LEN(operators); i++)
			if (bytes_is(p->text, operators[i].name))
				return operators[i].level;
	return 0;
}

static struct code *binary(struct javascript *p, uint32_t level)
{
	struct code *left = level >= LEVEL_UNARY ? unary(p) : binary(p, level + 1);
	uint32_t chain = 0;

	while (left && level < LEVEL_UNARY && level_here(p) == level && !tree_failed(p->tree)) {
		enum code_kind kind = javascript_is(p, "+") ? CODE_JOIN
			: level <= 2                        ? CODE_EITHER
							    : CODE_DATA;
		struct bytes op = p->text;

		if (++chain > TREE_CHAIN_MAX)
			return tree_wrong(p->tree, "it is nested too deeply");
		javascript_next(p);
		left = of_two(p, kind, left, binary(p, level + 1));
		if (left)
			left->text = op;
	}
	return left;
}

static struct code *assignment(struct javascript *p, struct code *target)
{
	static const char *const others[] = { "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=" };
	struct code *old, *value;

	if (p->token == JS_OP && p->text.p[p->text.len - 1] == '=' && target->kind != CODE_NAME &&
		target->kind != CODE_ATTRIBUTE && target->kind != CODE_INDEX &&
		!((target->kind == CODE_LIST || target->kind == CODE_DICT) && javascript_is(p, "=")))
		return wrong(p);
	if (javascript_accept(p, "="))
		return with(p, CODE_ASSIGN, target, javascript_expression(p));
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (javascript_accept(p, others[i])) {
			value = tree_code(p->tree, CODE_DATA);
			tree_append(value, javascript_expression(p));
			return with(p, CODE_ASSIGN, target, value);
		}
	if (!javascript_is(p, "+=") && !javascript_is(p, "||=") && !javascript_is(p, "&&=") &&
		!javascript_is(p, "?\?="))
		return target;
	value = tree_code(p->tree, javascript_is(p, "+=") ? CODE_JOIN : CODE_EITHER);
	javascript_next(p);
	old = tree_code(p->tree, target->kind);
	if (!old)
		return NULL;
	*old = *target;
	old->next = NULL;
	tree_append(value, old);
	tree_append(value, javascript_expression(p));
	return with(p, CODE_ASSIGN, target, value);
}

struct code *javascript_expression(struct javascript *p)
{
	struct code *n, *choice;

	if (++p->tree->depth > TREE_DEPTH_MAX)
		return tree_wrong(p->tree, "it is nested too deeply");
	n = binary(p, 1);
	if (n && javascript_accept(p, "?")) {
		choice = tree_code(p->tree, CODE_EITHER);
		if (choice)
			choice->b = n;
		tree_append(choice, javascript_expression(p));
		javascript_expect(p, ":");
		tree_append(choice, javascript_expression(p));
		n = choice;
	} else if (n) {
		n = assignment(p, n);
	}
	p->tree->depth--;
	return tree_failed(p->tree) ? NULL : n;
}

struct code *javascript_expressions(struct javascript *p)
{
	struct code *n = javascript_expression(p), *data;

	if (!n || !javascript_is(p, ","))
		return n;
	data = tree_code(p->tree, CODE_DATA);
	tree_append(data, n);
	while (!tree_failed(p->tree) && javascript_accept(p, ","))
		tree_append(data, javascript_expression(p));
	return data;
}

struct code *javascript_target(struct javascript *p)
{
	struct code *n;

	if (javascript_accept(p, "{"))
		return object(p);
	if (javascript_accept(p, "[")) {
		n = tree_code(p->tree, CODE_LIST);
		elements(p, n, "]");
		return n;
	}
	if (p->token != JS_NAME || keyword(p->text))
		return wrong(p);
	n = tree_name(p->tree, p->text);
	javascript_next(p);
	return n;
}
