/* SPDX-License-Identifier: Apache-2.0 */
/* Python's statements (Python reference 7 and 8). Classes, decorators, async and match are not read. */
#include "worker/commands/inline/python.h"

static struct code *statement(struct python *p);

static struct code *wrong(struct python *p)
{
	return tree_wrong(p->tree, "its syntax is not understood");
}

/* Annotations are evaluated when the function is defined. */
static void annotation(struct python *p, struct code *function)
{
	if (!function->b)
		function->b = tree_code(p->tree, CODE_LIST);
	tree_append(function->b, python_expression(p));
}

void python_parameters(struct python *p, struct code *function, const char *end)
{
	while (!tree_failed(p->tree) && !python_is(p, end)) {
		struct code *n;

		if (python_accept(p, "/") || (python_accept(p, "*") && python_is(p, ","))) {
			python_accept(p, ",");
			continue;
		}
		python_accept(p, "**");
		if (p->token != PY_NAME) {
			wrong(p);
			return;
		}
		n = tree_name(p->tree, p->text);
		python_next(p);
		if (*end == ')' && python_accept(p, ":"))
			annotation(p, function);
		if (n && python_accept(p, "="))
			n->b = python_expression(p);
		tree_append(function, n);
		if (!python_accept(p, ","))
			break;
	}
}

/* A dotted name; its first part goes to *ret_first. */
static struct bytes dotted(struct python *p, struct bytes *ret_first)
{
	struct bytes all = p->text;

	*ret_first = p->text;
	if (p->token != PY_NAME) {
		wrong(p);
		return all;
	}
	python_next(p);
	while (!tree_failed(p->tree) && python_accept(p, ".")) {
		/* Blanks within it would make another text of the same name. */
		if (p->token != PY_NAME || p->text.p != all.p + all.len + 1) {
			wrong(p);
			return all;
		}
		all.len += p->text.len + 1;
		python_next(p);
	}
	return all;
}

static void bind(struct python *p, struct code *n, struct bytes name)
{
	if (python_accept(p, "as")) {
		if (p->token != PY_NAME)
			wrong(p);
		name = p->text;
		python_next(p);
	}
	if (n)
		n->symbol = tree_symbol(p->tree, name);
}

static struct code *import(struct python *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);

	do {
		struct code *n = tree_code(p->tree, CODE_IMPORT);
		struct bytes first, all = dotted(p, &first);

		/* `import a.b` binds a, `import a.b as c` binds a.b. */
		if (n) {
			n->text = all;
			n->name = python_is(p, "as") ? all : first;
		}
		bind(p, n, first);
		tree_append(block, n);
	} while (!tree_failed(p->tree) && python_accept(p, ","));
	return block;
}

static struct code *from(struct python *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);
	struct bytes first, module = dotted(p, &first);
	bool brackets;

	python_expect(p, "import");
	brackets = python_accept(p, "(");
	do {
		struct code *n = tree_code(p->tree, CODE_FROM);

		if (brackets && python_is(p, ")"))
			break;
		if (!n || p->token != PY_NAME)
			return wrong(p);
		n->text = module;
		n->name = p->text;
		python_next(p);
		bind(p, n, n->name);
		tree_append(block, n);
	} while (!tree_failed(p->tree) && python_accept(p, ","));
	if (brackets)
		python_expect(p, ")");
	return block;
}

static struct code *assign(struct python *p, struct code *target, struct code *value)
{
	struct code *n = tree_code(p->tree, CODE_ASSIGN);

	if (!n || !target || !value)
		return NULL;
	n->a = target;
	n->b = value;
	return n;
}

/* target op= value: the target gets a value made of both. */
static struct code *augmented(struct python *p, struct code *target)
{
	bool adds = python_is(p, "+=");
	struct code *n, *both = tree_code(p->tree, adds ? CODE_JOIN : CODE_DATA), *old;

	python_next(p);
	old = tree_code(p->tree, CODE_LIST);
	if (!both || !old || !target)
		return NULL;
	/* The target stands in the tree once: its value is read through a node of its own. */
	old = tree_code(p->tree, target->kind);
	if (!old)
		return NULL;
	*old = *target;
	old->next = NULL;
	tree_append(both, old);
	tree_append(both, python_expressions(p));
	n = assign(p, target, both);
	if (n)
		n->text = BYTES("augmented");
	return n;
}

static struct code *expression_statement(struct python *p)
{
	static const char *const operators[] = { "+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=",
		">>=", "<<=", "@=" };
	struct code *first = python_expressions(p), *block = tree_code(p->tree, CODE_BLOCK), *target[8];
	uint32_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(operators); i++)
		if (python_is(p, operators[i]))
			return augmented(p, first);
	if (python_accept(p, ":")) {
		tree_append(block, python_expression(p));
		if (!python_is(p, "="))
			return first && first->kind == CODE_NAME ? block : wrong(p);
	}
	if (!python_is(p, "="))
		return first;
	while (!tree_failed(p->tree) && python_accept(p, "=")) {
		if (n == ARRAY_LEN(target))
			return tree_wrong(p->tree, "it assigns to too many targets at once");
		target[n++] = first;
		first = python_expressions(p);
	}
	/* The value is evaluated once; its later targets get the first one's. */
	for (uint32_t i = 0; i < n; i++)
		tree_append(block, assign(p, target[i], first));
	return block;
}

static struct code *data(struct python *p, struct code *list)
{
	struct code *n = tree_code(p->tree, CODE_DATA);

	tree_append(n, list);
	return list ? n : NULL;
}

static struct code *return_statement(struct python *p)
{
	struct code *n = tree_code(p->tree, CODE_RETURN);

	if (n && p->token != PY_NEWLINE && !python_is(p, ";"))
		n->a = python_expressions(p);
	return n;
}

static struct code *raise(struct python *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);

	if (p->token == PY_NEWLINE || python_is(p, ";"))
		return block;
	tree_append(block, python_expression(p));
	if (python_accept(p, "from"))
		tree_append(block, python_expression(p));
	return block;
}

static struct code *names_only(struct python *p)
{
	do {
		if (p->token != PY_NAME)
			return wrong(p);
		python_next(p);
	} while (python_accept(p, ","));
	return tree_code(p->tree, CODE_BLOCK);
}

static struct code *delete(struct python *p)
{
	struct code *list = python_expressions(p), *n = data(p, list);

	/* `del list[0]` changes the list. */
	if (n && list && list->kind != CODE_NAME)
		return assign(p, list, tree_code(p->tree, CODE_DATA));
	return n;
}

static struct code *simple_statement(struct python *p)
{
	if (python_accept(p, "import"))
		return import(p);
	if (python_accept(p, "from"))
		return from(p);
	if (python_accept(p, "pass") || python_accept(p, "break") || python_accept(p, "continue"))
		return tree_code(p->tree, CODE_BLOCK);
	if (python_accept(p, "return"))
		return return_statement(p);
	if (python_accept(p, "assert"))
		return data(p, python_expressions(p));
	if (python_accept(p, "raise"))
		return raise(p);
	if (python_accept(p, "del"))
		return delete(p);
	if (python_accept(p, "global") || python_accept(p, "nonlocal"))
		return names_only(p);
	return expression_statement(p);
}

/* Behind the colon: statements on the same line, or an indented block. */
static struct code *suite(struct python *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);

	python_expect(p, ":");
	if (p->token != PY_NEWLINE) {
		tree_append(block, statement(p));
		return block;
	}
	python_next(p);
	if (p->token != PY_INDENT || ++p->tree->depth > TREE_DEPTH_MAX)
		return wrong(p);
	python_next(p);
	while (!tree_failed(p->tree) && p->token != PY_DEDENT && p->token != PY_END)
		tree_append(block, statement(p));
	if (p->token == PY_DEDENT)
		python_next(p);
	p->tree->depth--;
	return block;
}

static struct code *if_statement(struct python *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);

	tree_append(block, data(p, python_expression(p)));
	tree_append(block, suite(p));
	while (!tree_failed(p->tree) && python_accept(p, "elif")) {
		tree_append(block, data(p, python_expression(p)));
		tree_append(block, suite(p));
	}
	if (python_accept(p, "else"))
		tree_append(block, suite(p));
	return block;
}

static struct code *for_statement(struct python *p)
{
	struct code *each = tree_code(p->tree, CODE_EACH);

	if (!each)
		return NULL;
	each->a = python_targets(p);
	python_expect(p, "in");
	each->b = python_expressions(p);
	each->c = suite(p);
	if (!each->a || !each->b || !each->c)
		return NULL;
	if (python_accept(p, "else")) {
		struct code *block = tree_code(p->tree, CODE_BLOCK);

		tree_append(block, each);
		tree_append(block, suite(p));
		return block;
	}
	return each;
}

static struct code *try_statement(struct python *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);

	tree_append(block, suite(p));
	while (!tree_failed(p->tree) && python_accept(p, "except")) {
		if (!python_is(p, ":")) {
			tree_append(block, data(p, python_expressions(p)));
			if (python_accept(p, "as")) {
				struct code *name = tree_name(p->tree, p->text);

				python_next(p);
				tree_append(block, assign(p, name, tree_code(p->tree, CODE_DATA)));
			}
		}
		tree_append(block, suite(p));
	}
	while (!tree_failed(p->tree) && (python_accept(p, "else") || python_accept(p, "finally")))
		tree_append(block, suite(p));
	return block;
}

static struct code *with_statement(struct python *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);
	bool brackets = python_accept(p, "(");

	do {
		struct code *n;

		if (brackets && python_is(p, ")"))
			break;
		n = python_expression(p);
		if (python_accept(p, "as"))
			n = assign(p, python_expression(p), n);
		tree_append(block, n);
	} while (!tree_failed(p->tree) && python_accept(p, ","));
	if (brackets)
		python_expect(p, ")");
	tree_append(block, suite(p));
	return block;
}

static struct code *function(struct python *p)
{
	struct code *f = tree_code(p->tree, CODE_FUNCTION), *name;

	if (!f || p->token != PY_NAME)
		return wrong(p);
	f->index = p->tree->n_functions++;
	f->text = p->text;
	name = tree_name(p->tree, p->text);
	python_next(p);
	python_expect(p, "(");
	python_parameters(p, f, ")");
	python_expect(p, ")");
	if (python_accept(p, "->"))
		annotation(p, f);
	f->a = suite(p);
	return assign(p, name, f->a ? f : NULL);
}

static struct code *statement(struct python *p)
{
	struct code *block;

	if (python_accept(p, "if"))
		return if_statement(p);
	if (python_accept(p, "while"))
		return if_statement(p);
	if (python_accept(p, "for"))
		return for_statement(p);
	if (python_accept(p, "try"))
		return try_statement(p);
	if (python_accept(p, "with"))
		return with_statement(p);
	if (python_accept(p, "def"))
		return function(p);
	block = tree_code(p->tree, CODE_BLOCK);
	do {
		if (p->token == PY_NEWLINE)
			break;
		tree_append(block, simple_statement(p));
	} while (!tree_failed(p->tree) && python_accept(p, ";"));
	if (p->token != PY_NEWLINE)
		return wrong(p);
	python_next(p);
	return block;
}

/* A line that changes how Python reads the rest (PEP 263), or a character whose meaning differs by version. */
static bool readable(struct tree *t, struct bytes text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.p[i] < ' ' && text.p[i] != '\n' && text.p[i] != '\t') {
			tree_wrong(t, "a control character is in it");
			return false;
		}
	for (size_t i = 0, lines = 0; i < text.len && lines < 2; lines++) {
		const char *end = memchr(text.p + i, '\n', text.len - i);
		struct bytes line = { text.p + i, (end ? (size_t)(end - text.p) : text.len) - i };

		i += line.len + 1;
		while (line.len && (*line.p == ' ' || *line.p == '\t'))
			line = bytes_from(line, 1);
		if (bytes_start(line, "#") && (bytes_find(line, "coding:") || bytes_find(line, "coding="))) {
			tree_wrong(t, "it names its own character set");
			return false;
		}
	}
	return true;
}

struct code *python_parse(struct tree *t, struct bytes text)
{
	struct python p = { .tree = t,
		.at = text.p,
		.end = text.p + text.len,
		.line_start = true,
		.token = PY_END };
	struct code *block = tree_code(t, CODE_BLOCK);

	if (!readable(t, text))
		return NULL;
	python_next(&p);
	while (!tree_failed(t) && p.token != PY_END)
		tree_append(block, statement(&p));
	return tree_failed(t) ? NULL : block;
}
