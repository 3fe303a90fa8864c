/* SPDX-License-Identifier: Apache-2.0 */
/* Python's expressions by their precedence (Python reference 6.17). */
#include "worker/commands/inline/python.h"

/* Binary operators: the higher, the tighter. */
static const struct {
	const char *name;
	uint32_t level;
} operators[] = { { "|", 4 }, { "^", 5 }, { "&", 6 }, { "<<", 7 }, { ">>", 7 }, { "+", 8 }, { "-", 8 },
	{ "*", 9 }, { "/", 9 }, { "//", 9 }, { "%", 9 }, { "==", 3 }, { "!=", 3 }, { "<", 3 }, { ">", 3 },
	{ "<=", 3 }, { ">=", 3 }, { "in", 3 }, { "is", 3 } };

enum { LEVEL_COMPARE = 3, LEVEL_UNARY = 10 };

static struct code *disjunction(struct python *p);

static bool keyword(struct bytes name)
{
	return name_in(name,
		"False None True and as assert async await break class continue def del elif else except "
		"finally for from global if import in is lambda nonlocal not or pass raise return try while "
		"with yield");
}

static struct code *pair(struct python *p, enum code_kind kind, struct code *a, struct code *b)
{
	struct code *n = tree_code(p->tree, kind);

	if (!n || !a || !b)
		return NULL;
	if (kind == CODE_DIVIDE || kind == CODE_INDEX) {
		n->a = a;
		n->b = b;
		return n;
	}
	tree_append(n, a);
	tree_append(n, b);
	return n;
}

/* for TARGETS in ITERABLE [if …]…, behind the element. */
static struct code *comprehension(struct python *p, struct code *element)
{
	struct code *each, *body = element;

	if (python_is(p, "async"))
		return tree_wrong(p->tree, "it uses async");
	if (!python_accept(p, "for") || ++p->tree->depth > TREE_DEPTH_MAX)
		return tree_wrong(p->tree, "its syntax is not understood");
	each = tree_code(p->tree, CODE_EACH);
	if (!each)
		return NULL;
	each->a = python_targets(p);
	python_expect(p, "in");
	each->b = disjunction(p);
	each->c = tree_code(p->tree, CODE_LIST);
	while (python_accept(p, "if"))
		tree_append(each->c, disjunction(p));
	if (python_is(p, "for"))
		body = comprehension(p, element);
	p->tree->depth--;
	tree_append(each->c, body);
	return tree_failed(p->tree) || !each->a || !each->b ? NULL : each;
}

static struct code *starred(struct python *p)
{
	struct code *n;

	if (!python_accept(p, "*") && !python_accept(p, "**"))
		return python_expression(p);
	n = tree_code(p->tree, CODE_SPREAD);
	if (n)
		n->a = disjunction(p);
	return n && n->a ? n : NULL;
}

static struct code *arguments(struct python *p, struct code *function)
{
	struct code *call = tree_code(p->tree, CODE_CALL);

	if (!call)
		return NULL;
	call->a = function;
	while (!tree_failed(p->tree) && !python_is(p, ")")) {
		struct code *n = starred(p);

		if (n && n->kind == CODE_NAME && python_accept(p, "=")) {
			struct code *k = tree_code(p->tree, CODE_KEYWORD);

			if (!k)
				return NULL;
			k->text = n->text;
			k->a = python_expression(p);
			n = k->a ? k : NULL;
		} else if (n && python_is(p, "for")) {
			n = comprehension(p, n);
		}
		tree_append(call, n);
		if (!python_accept(p, ","))
			break;
	}
	python_expect(p, ")");
	return call;
}

/* [list], (tuple), {set}: up to the closing bracket. */
static struct code *display(struct python *p, const char *close)
{
	struct code *list = tree_code(p->tree, CODE_LIST);
	bool comma = false;

	while (!tree_failed(p->tree) && !python_is(p, close)) {
		struct code *n = starred(p);

		if (n && (python_is(p, "for") || python_is(p, "async")))
			n = comprehension(p, n);
		tree_append(list, n);
		if (!python_accept(p, ","))
			break;
		comma = true;
	}
	python_expect(p, close);
	/* (x) is x. */
	if (list && *close == ')' && !comma && list->list && list->list->kind != CODE_SPREAD)
		return list->list;
	return list;
}

static struct code *braces(struct python *p)
{
	struct code *dict = tree_code(p->tree, CODE_DICT);

	if (!dict)
		return NULL;
	while (!tree_failed(p->tree) && !python_is(p, "}")) {
		struct code *key = starred(p);

		tree_append(dict, key);
		if (key && key->kind != CODE_SPREAD) {
			if (!python_accept(p, ":")) {
				dict->kind = CODE_LIST;
			} else {
				struct code *value = python_expression(p);

				if (python_is(p, "for")) {
					struct code *both = pair(p, CODE_LIST, key, value);

					dict->list = dict->c = NULL;
					dict->kind = CODE_LIST;
					value = comprehension(p, both);
				}
				tree_append(dict, value);
			}
			if (dict->kind == CODE_LIST && python_is(p, "for")) {
				dict->list = dict->c = NULL;
				tree_append(dict, comprehension(p, key));
			}
		}
		if (!python_accept(p, ","))
			break;
	}
	python_expect(p, "}");
	return dict;
}

static struct code *subscript(struct python *p, struct code *of)
{
	struct code *list = tree_code(p->tree, CODE_LIST);
	bool slice = false;

	while (!tree_failed(p->tree) && !python_is(p, "]")) {
		if (python_accept(p, ":") || python_accept(p, ",")) {
			slice = true;
			continue;
		}
		tree_append(list, starred(p));
	}
	python_expect(p, "]");
	if (!list || !list->list || tree_failed(p->tree))
		return slice ? pair(p, CODE_DATA, of, list) : tree_wrong(p->tree, "its syntax is not understood");
	return slice ? pair(p, CODE_DATA, of, list) : pair(p, CODE_INDEX, of, list->list);
}

static struct code *strings(struct python *p)
{
	struct code *join = tree_code(p->tree, CODE_JOIN);

	while (p->token == PY_STRING) {
		tree_append(join, python_string(p, p->text));
		python_next(p);
	}
	return join && join->list && !join->list->next ? join->list : join;
}

static struct code *name(struct python *p)
{
	struct bytes text = p->text;
	struct code *n;

	python_next(p);
	if (name_in(text, "None True False")) {
		n = tree_code(p->tree, CODE_DATA);
		if (n)
			n->text = text;
		return n;
	}
	if (keyword(text))
		return tree_wrong(p->tree, "its syntax is not understood");
	return tree_name(p->tree, text);
}

static struct code *atom(struct python *p)
{
	struct code *n;

	if (p->token == PY_STRING)
		return strings(p);
	if (p->token == PY_NUMBER) {
		n = tree_code(p->tree, CODE_NUMBER);
		if (n)
			n->text = p->text;
		python_next(p);
		return n;
	}
	if (p->token == PY_NAME)
		return name(p);
	if (python_accept(p, "..."))
		return tree_code(p->tree, CODE_DATA);
	if (python_accept(p, "("))
		return display(p, ")");
	if (python_accept(p, "["))
		return display(p, "]");
	if (python_accept(p, "{"))
		return braces(p);
	return tree_wrong(p->tree, "its syntax is not understood");
}

static struct code *primary(struct python *p)
{
	struct code *n;
	uint32_t chain = 0;

	if (++p->tree->depth > TREE_DEPTH_MAX)
		return tree_wrong(p->tree, "it is nested too deeply");
	n = atom(p);
	while (n && !tree_failed(p->tree)) {
		if (++chain > TREE_CHAIN_MAX)
			return tree_wrong(p->tree, "it is nested too deeply");
		if (python_accept(p, "(")) {
			n = arguments(p, n);
		} else if (python_accept(p, "[")) {
			n = subscript(p, n);
		} else if (python_accept(p, ".")) {
			struct code *attribute = tree_code(p->tree, CODE_ATTRIBUTE);

			if (!attribute || p->token != PY_NAME)
				return tree_wrong(p->tree, "its syntax is not understood");
			attribute->a = n;
			attribute->text = p->text;
			n = attribute;
			python_next(p);
		} else {
			break;
		}
	}
	p->tree->depth--;
	return n;
}

static struct code *data_of(struct python *p, struct code *child)
{
	struct code *n = tree_code(p->tree, CODE_DATA);

	tree_append(n, child);
	return child ? n : NULL;
}

static struct code *unary(struct python *p)
{
	struct code *n, *power;
	uint32_t signs = 0;

	while (python_accept(p, "-") || python_accept(p, "+") || python_accept(p, "~"))
		signs++;
	n = primary(p);
	if (n && python_accept(p, "**")) {
		if (++p->tree->depth > TREE_DEPTH_MAX)
			return tree_wrong(p->tree, "it is nested too deeply");
		power = unary(p);
		p->tree->depth--;
		n = pair(p, CODE_DATA, n, power);
	}
	return signs ? data_of(p, n) : n;
}

static uint32_t operator_here(const struct python *p)
{
	if (p->token == PY_OP || p->token == PY_NAME)
		for (size_t i = 0; i < ARRAY_LEN(operators); i++)
			if (bytes_is(p->text, operators[i].name))
				return operators[i].level;
	return python_is(p, "not") ? LEVEL_COMPARE : 0;
}

static struct code *binary(struct python *p, uint32_t level)
{
	struct code *left = level >= LEVEL_UNARY ? unary(p) : binary(p, level + 1);
	uint32_t chain = 0;

	while (left && level < LEVEL_UNARY && operator_here(p) == level && !tree_failed(p->tree)) {
		enum code_kind kind = python_is(p, "+") ? CODE_JOIN
			: python_is(p, "/")             ? CODE_DIVIDE
							: CODE_DATA;

		bool negated = python_is(p, "not"), is = python_is(p, "is");

		struct bytes op = p->text;

		if (++chain > TREE_CHAIN_MAX)
			return tree_wrong(p->tree, "it is nested too deeply");
		python_next(p);
		if (negated)
			python_expect(p, "in");
		if (is)
			python_accept(p, "not");
		left = pair(p, kind, left, binary(p, level + 1));
		if (left)
			left->text = negated ? BYTES("in") : op;
	}
	return left;
}

static struct code *inversion(struct python *p)
{
	uint32_t n = 0;
	struct code *a;

	while (python_accept(p, "not"))
		n++;
	a = binary(p, LEVEL_COMPARE);
	return n ? data_of(p, a) : a;
}

static struct code *either(struct python *p, const char *op, struct code *(*part)(struct python *p))
{
	struct code *first = part(p), *n;

	if (!python_is(p, op))
		return first;
	n = tree_code(p->tree, CODE_EITHER);
	tree_append(n, first);
	while (!tree_failed(p->tree) && python_accept(p, op))
		tree_append(n, part(p));
	return n;
}

static struct code *conjunction(struct python *p)
{
	return either(p, "and", inversion);
}

static struct code *lambda(struct python *p)
{
	struct code *f = tree_code(p->tree, CODE_FUNCTION), *r = tree_code(p->tree, CODE_RETURN);

	if (!f || !r)
		return NULL;
	f->index = p->tree->n_functions++;
	python_parameters(p, f, ":");
	python_expect(p, ":");
	r->a = disjunction(p);
	f->a = r;
	return r->a ? f : NULL;
}

static struct code *disjunction(struct python *p)
{
	struct code *n;

	if (++p->tree->depth > TREE_DEPTH_MAX)
		return tree_wrong(p->tree, "it is nested too deeply");
	n = python_accept(p, "lambda") ? lambda(p) : either(p, "or", conjunction);
	p->tree->depth--;
	return n;
}

struct code *python_expression(struct python *p)
{
	struct code *n = disjunction(p), *choice, *condition;

	if (n && n->kind == CODE_NAME && python_accept(p, ":=")) {
		struct code *assign = tree_code(p->tree, CODE_ASSIGN);

		if (!assign)
			return NULL;
		assign->a = n;
		assign->b = python_expression(p);
		return assign->b ? assign : NULL;
	}
	if (!n || !python_accept(p, "if"))
		return n;
	choice = tree_code(p->tree, CODE_EITHER);
	condition = disjunction(p);
	python_expect(p, "else");
	if (++p->tree->depth > TREE_DEPTH_MAX)
		return tree_wrong(p->tree, "it is nested too deeply");
	if (choice)
		choice->b = condition;
	tree_append(choice, n);
	tree_append(choice, python_expression(p));
	p->tree->depth--;
	return tree_failed(p->tree) || !condition ? NULL : choice;
}

struct code *python_expressions(struct python *p)
{
	struct code *first = starred(p), *list;

	if (!first || (!python_is(p, ",") && first->kind != CODE_SPREAD))
		return first;
	list = tree_code(p->tree, CODE_LIST);
	tree_append(list, first);
	while (!tree_failed(p->tree) && python_accept(p, ",")) {
		if (p->token == PY_NEWLINE || python_is(p, "=") || python_is(p, ")") || python_is(p, ":"))
			break;
		tree_append(list, starred(p));
	}
	return list;
}

struct code *python_targets(struct python *p)
{
	struct code *list = tree_code(p->tree, CODE_LIST);
	bool several = false;

	while (!tree_failed(p->tree) && !python_is(p, "in")) {
		several = python_accept(p, "*") || several;
		tree_append(list, primary(p));
		if (!python_accept(p, ","))
			break;
		several = true;
	}
	return list && list->list && !several ? list->list : list;
}
