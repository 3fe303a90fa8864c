/* SPDX-License-Identifier: Apache-2.0 */
/* JavaScript's statements (ECMA-262 14 and 16). Classes, labels, generators and `with` are not read. */
#include "worker/commands/inline/node.h"

static struct code *statement(struct javascript *p);

static struct code *wrong(struct javascript *p)
{
	return tree_wrong(p->tree, "its syntax is not understood");
}

/* A semicolon, or where one is put by itself (ECMA-262 12.10). */
static void end_statement(struct javascript *p)
{
	if (javascript_accept(p, ";") || p->token == JS_END || javascript_is(p, "}") || p->newline)
		return;
	wrong(p);
}

static struct code *assign(struct javascript *p, struct code *target, struct code *value)
{
	struct code *n = tree_code(p->tree, CODE_ASSIGN);

	if (!n || !target || !value)
		return NULL;
	n->a = target;
	n->b = value;
	return n;
}

struct code *javascript_block(struct javascript *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);

	if (++p->tree->depth > TREE_DEPTH_MAX)
		return tree_wrong(p->tree, "it is nested too deeply");
	while (!tree_failed(p->tree) && p->token != JS_END && !javascript_is(p, "}"))
		tree_append(block, statement(p));
	javascript_expect(p, "}");
	p->tree->depth--;
	return block;
}

struct code *javascript_function(struct javascript *p, struct bytes name)
{
	struct code *f = tree_code(p->tree, CODE_FUNCTION);

	if (!f)
		return NULL;
	f->index = p->tree->n_functions++;
	f->text = name;
	javascript_expect(p, "(");
	while (!tree_failed(p->tree) && !javascript_is(p, ")")) {
		struct code *n;

		javascript_accept(p, "...");
		n = javascript_target(p);
		if (n && javascript_accept(p, "=")) {
			if (n->kind != CODE_NAME)
				return wrong(p);
			n->b = javascript_expression(p);
		}
		tree_append(f, n);
		if (!javascript_accept(p, ","))
			break;
	}
	javascript_expect(p, ")");
	javascript_expect(p, "{");
	f->a = javascript_block(p);
	return tree_failed(p->tree) ? NULL : f;
}

static struct code *declaration(struct javascript *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);

	do {
		struct code *target = javascript_target(p);

		if (javascript_accept(p, "="))
			tree_append(block, assign(p, target, javascript_expression(p)));
		else if (target && target->kind == CODE_NAME)
			tree_append(block, assign(p, target, tree_code(p->tree, CODE_DATA)));
		else
			return wrong(p);
	} while (!tree_failed(p->tree) && javascript_accept(p, ","));
	return block;
}

static bool declares(struct javascript *p)
{
	return javascript_accept(p, "const") || javascript_accept(p, "let") || javascript_accept(p, "var");
}

/* for (const x of list), for (k in object), for (let i = 0; …; …). */
static struct code *for_statement(struct javascript *p)
{
	struct code *each = tree_code(p->tree, CODE_EACH), *block = tree_code(p->tree, CODE_BLOCK), *first;
	bool declared;

	javascript_accept(p, "await");
	javascript_expect(p, "(");
	declared = declares(p);
	first = javascript_is(p, ";") ? block : declared ? javascript_target(p) : javascript_expressions(p);
	if (!each || !first)
		return wrong(p);
	if (declared && (javascript_is(p, "of") || javascript_is(p, "in"))) {
		bool keys = javascript_is(p, "in");

		javascript_next(p);
		each->a = first;
		each->b = javascript_expressions(p);
		if (keys) {
			/* Keys of a list are numbers, of an object its names: texts not known here. */
			struct code *data = tree_code(p->tree, CODE_DATA);

			tree_append(data, each->b);
			each->b = data;
		}
		javascript_expect(p, ")");
		each->c = tree_code(p->tree, CODE_BLOCK);
		tree_append(each->c, statement(p));
		return tree_failed(p->tree) ? NULL : each;
	}
	if (declared && javascript_accept(p, "="))
		first = assign(p, first, javascript_expression(p));
	if (first != block)
		tree_append(block, first);
	if (javascript_accept(p, ","))
		tree_append(block, declared ? declaration(p) : javascript_expressions(p));
	javascript_expect(p, ";");
	if (!javascript_is(p, ";"))
		tree_append(block, javascript_expressions(p));
	javascript_expect(p, ";");
	if (!javascript_is(p, ")"))
		tree_append(block, javascript_expressions(p));
	javascript_expect(p, ")");
	tree_append(block, statement(p));
	return block;
}

static struct code *condition(struct javascript *p)
{
	struct code *data = tree_code(p->tree, CODE_DATA);

	javascript_expect(p, "(");
	tree_append(data, javascript_expressions(p));
	javascript_expect(p, ")");
	return data;
}

static struct code *try_statement(struct javascript *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);

	javascript_expect(p, "{");
	tree_append(block, javascript_block(p));
	if (javascript_accept(p, "catch")) {
		if (javascript_accept(p, "(")) {
			tree_append(block, assign(p, javascript_target(p), tree_code(p->tree, CODE_DATA)));
			javascript_expect(p, ")");
		}
		javascript_expect(p, "{");
		tree_append(block, javascript_block(p));
	}
	if (javascript_accept(p, "finally")) {
		javascript_expect(p, "{");
		tree_append(block, javascript_block(p));
	}
	return block;
}

static struct code *import(struct javascript *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK), *n;
	struct bytes module;

	if (javascript_accept(p, "{")) {
		while (!tree_failed(p->tree) && p->token == JS_NAME) {
			n = tree_code(p->tree, CODE_FROM);
			if (!n)
				return NULL;
			n->name = p->text;
			javascript_next(p);
			if (javascript_accept(p, "as")) {
				n->symbol = tree_symbol(p->tree, p->text);
				javascript_next(p);
			} else {
				n->symbol = tree_symbol(p->tree, n->name);
			}
			tree_append(block, n);
			if (!javascript_accept(p, ","))
				break;
		}
		javascript_expect(p, "}");
	} else {
		if (javascript_accept(p, "*"))
			javascript_expect(p, "as");
		n = tree_code(p->tree, CODE_IMPORT);
		if (!n || p->token != JS_NAME)
			return wrong(p);
		n->symbol = tree_symbol(p->tree, p->text);
		javascript_next(p);
		tree_append(block, n);
	}
	javascript_expect(p, "from");
	module = p->text;
	if (p->token != JS_STRING || bytes_char(module, '\\') || !block)
		return wrong(p);
	javascript_next(p);
	if (bytes_start(module, "node:"))
		module = bytes_from(module, 5);
	/* A file of its own is code that has not been read. */
	if (bytes_start(module, ".") || bytes_start(module, "/") || bytes_find(module, ":"))
		return tree_wrong(p->tree, "it imports a file");
	for (n = block->list; n; n = n->next) {
		n->text = module;
		if (n->kind == CODE_IMPORT)
			n->name = module;
	}
	return block;
}

static struct code *switch_statement(struct javascript *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);

	tree_append(block, condition(p));
	javascript_expect(p, "{");
	while (!tree_failed(p->tree) && !javascript_accept(p, "}")) {
		if (javascript_accept(p, "case"))
			tree_append(block, javascript_expressions(p));
		else if (!javascript_accept(p, "default"))
			return wrong(p);
		javascript_expect(p, ":");
		while (!tree_failed(p->tree) && !javascript_is(p, "case") && !javascript_is(p, "default") &&
			!javascript_is(p, "}"))
			tree_append(block, statement(p));
	}
	return block;
}

static struct code *loop(struct javascript *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);

	if (javascript_accept(p, "do")) {
		tree_append(block, statement(p));
		javascript_expect(p, "while");
		tree_append(block, condition(p));
		javascript_accept(p, ";");
		return block;
	}
	javascript_next(p);
	tree_append(block, condition(p));
	tree_append(block, statement(p));
	return block;
}

static struct code *if_statement(struct javascript *p)
{
	struct code *block = tree_code(p->tree, CODE_BLOCK);

	tree_append(block, condition(p));
	tree_append(block, statement(p));
	if (javascript_accept(p, "else"))
		tree_append(block, statement(p));
	return block;
}

static struct code *function(struct javascript *p)
{
	struct bytes name = p->text;

	if (p->token != JS_NAME)
		return wrong(p);
	javascript_next(p);
	return assign(p, tree_name(p->tree, name), javascript_function(p, name));
}

static struct code *simple_statement(struct javascript *p)
{
	struct code *n;

	if (declares(p)) {
		n = declaration(p);
	} else if (javascript_is(p, "return") || javascript_is(p, "throw")) {
		bool returns = javascript_is(p, "return");

		javascript_next(p);
		n = tree_code(p->tree, returns ? CODE_RETURN : CODE_BLOCK);
		if (n && !p->newline && !javascript_is(p, ";") && !javascript_is(p, "}") && p->token != JS_END) {
			struct code *value = javascript_expressions(p);

			if (returns)
				n->a = value;
			else
				tree_append(n, value);
		}
	} else if (javascript_accept(p, "break") || javascript_accept(p, "continue")) {
		n = tree_code(p->tree, CODE_BLOCK);
	} else {
		n = javascript_expressions(p);
	}
	end_statement(p);
	return n;
}

static struct code *statement(struct javascript *p)
{
	struct javascript ahead;
	struct code *n;

	if (++p->tree->depth > TREE_DEPTH_MAX)
		return tree_wrong(p->tree, "it is nested too deeply");
	if (javascript_accept(p, ";")) {
		n = tree_code(p->tree, CODE_BLOCK);
	} else if (javascript_accept(p, "{")) {
		n = javascript_block(p);
	} else if (javascript_accept(p, "if")) {
		n = if_statement(p);
	} else if (javascript_accept(p, "for")) {
		n = for_statement(p);
	} else if (javascript_is(p, "while") || javascript_is(p, "do")) {
		n = loop(p);
	} else if (javascript_accept(p, "try")) {
		n = try_statement(p);
	} else if (javascript_accept(p, "switch")) {
		n = switch_statement(p);
	} else if (javascript_accept(p, "import")) {
		n = import(p);
		end_statement(p);
	} else if (javascript_accept(p, "function")) {
		n = function(p);
	} else {
		ahead = *p;
		if (javascript_accept(&ahead, "async") && !ahead.newline && javascript_accept(&ahead, "function")) {
			*p = ahead;
			n = function(p);
		} else {
			n = simple_statement(p);
		}
	}
	p->tree->depth--;
	return n;
}

/* Characters that end a line, or join what looks apart, and that no text needs outside of strings. */
static bool readable(struct tree *t, struct bytes text)
{
	for (size_t i = 0; i < text.len; i++)
		if (((unsigned char)text.p[i] < ' ' && text.p[i] != '\n' && text.p[i] != '\t') ||
			bytes_start(bytes_from(text, i), "\xe2\x80\xa8") ||
			bytes_start(bytes_from(text, i), "\xe2\x80\xa9")) {
			tree_wrong(t, "a control character is in it");
			return false;
		}
	return true;
}

struct code *javascript_parse(struct tree *t, struct bytes text)
{
	struct javascript p = { .tree = t, .at = text.p, .end = text.p + text.len };
	struct code *block = tree_code(t, CODE_BLOCK);

	if (!readable(t, text))
		return NULL;
	p.newline = true;
	javascript_next(&p);
	while (!tree_failed(t) && p.token != JS_END)
		tree_append(block, statement(&p));
	return tree_failed(t) ? NULL : block;
}
