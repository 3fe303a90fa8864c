/* SPDX-License-Identifier: Apache-2.0 */
/* What the names of a Python program can stand for: imports, and variables whose every value is a literal. */
#include "worker/commands/python_names.h"

void python_give_up(struct python *py, const char *what, struct bytes name)
{
	if (!py->failed)
		run_open(py->run, "its Python %s %.*s", what, (int)(name.len < 60 ? name.len : 60),
			name.p ? name.p : "");
	py->failed = true;
}

struct binding *python_bound(struct python *py, struct bytes name, bool make)
{
	struct binding *b;

	for (uint32_t i = 0; i < py->n_bindings; i++)
		if (bytes_eq(py->b[i].name, name))
			return &py->b[i];
	if (!make)
		return NULL;
	if (py->n_bindings == BINDINGS_MAX) {
		python_give_up(py, "has more names than the gate looks at", name);
		return &py->b[0];
	}
	b = &py->b[py->n_bindings++];
	*b = (struct binding){ .name = name };
	return b;
}

static void unknown(struct python *py, const struct token *t)
{
	if (t->kind == TOKEN_NAME)
		python_bound(py, t->text, true)->unknown = true;
}

uint32_t python_dotted(struct python *py, uint32_t i, struct bytes *ret)
{
	const struct token *t = py->tokens.t;

	*ret = t[i].text;
	while (token_is(&t[i + 1], ".") && t[i + 2].kind == TOKEN_NAME) {
		*ret = run_join(py->run, run_join(py->run, *ret, BYTES(".")), t[i + 2].text);
		i += 2;
	}
	return i + 1;
}

bool python_ends_statement(const struct token *t)
{
	return t->kind == TOKEN_NEWLINE || t->kind == TOKEN_END || token_is(t, ";");
}

static uint32_t bind_import(struct python *py, uint32_t i, struct bytes from)
{
	struct token *t = py->tokens.t;
	struct bytes path, name = t[i].text;
	struct binding *b;
	uint32_t end = python_dotted(py, i, &path);

	if (from.len)
		path = run_join(py->run, run_join(py->run, from, BYTES(".")), path);
	else if (!python_module(path))
		python_give_up(py, "imports", path);
	if (token_is(&t[end], "as") && t[end + 1].kind == TOKEN_NAME) {
		name = t[end + 1].text;
		end += 2;
	} else if (!from.len) {
		path = name; /* import a.b binds a */
	}
	b = python_bound(py, name, true);
	if (b->path.len && !bytes_eq(b->path, path))
		python_give_up(py, "imports two things as", name);
	b->path = path;
	b->unknown = true;
	for (uint32_t k = i; k < end; k++)
		t[k].used = true;
	return end;
}

static void import_statement(struct python *py, uint32_t i)
{
	struct token *t = py->tokens.t;
	struct bytes from = { NULL, 0 };

	if (token_is(&t[i], "from")) {
		uint32_t end;

		if (t[i + 1].kind != TOKEN_NAME) {
			python_give_up(py, "imports from beside itself", (struct bytes){ NULL, 0 });
			return;
		}
		end = python_dotted(py, i + 1, &from);
		for (uint32_t k = i; k <= end; k++)
			t[k].used = true;
		if (!python_module(from))
			python_give_up(py, "imports", from);
		i = end;
	}
	t[i].used = true;
	i++;
	if (token_is(&t[i], "("))
		i++;
	while (t[i].kind == TOKEN_NAME) {
		i = bind_import(py, i, from);
		if (!token_is(&t[i], ","))
			break;
		i++;
	}
	if (token_is(&t[i], "*"))
		python_give_up(py, "imports everything of", from);
}

static void add_value(struct binding *b, struct bytes value)
{
	if (b->n_values == VALUES_MAX)
		b->unknown = true;
	else
		b->values[b->n_values++] = value;
}

/* for NAME in ["a", "b"] and for NAME in glob.glob("*.x"); of any other form the targets are not known. */
static void bind_loop(struct python *py, uint32_t i)
{
	struct token *t = py->tokens.t;
	uint32_t k = i + 3;
	struct binding *b;
	struct bytes path;

	if (t[i + 1].kind != TOKEN_NAME || !token_is(&t[i + 2], "in")) {
		for (k = i + 1; k < py->tokens.n && !token_is(&t[k], "in"); k++)
			unknown(py, &t[k]);
		return;
	}
	b = python_bound(py, t[i + 1].text, true);
	if (token_is(&t[k], "[") || token_is(&t[k], "(")) {
		for (k++; t[k].kind == TOKEN_STRING && t[k].is_static; k += token_is(&t[k + 1], ",") ? 2 : 1)
			add_value(b, t[k].text);
		if (b->n_values == 0 || (!token_is(&t[k], "]") && !token_is(&t[k], ")")) ||
			!(token_is(&t[k + 1], ":") || token_is(&t[k + 1], "]") || token_is(&t[k + 1], ")")))
			b->unknown = true;
		return;
	}
	k = t[k].kind == TOKEN_NAME ? python_dotted(py, k, &path) : py->tokens.n;
	if (k + 3 < py->tokens.n && bytes_is(path, "glob.glob") && token_is(&t[k], "(") &&
		t[k + 1].kind == TOKEN_STRING && t[k + 1].is_static && token_is(&t[k + 2], ")") &&
		token_is(&t[k + 3], ":")) {
		add_value(b, t[k + 1].text);
		b->is_pattern = true;
		return;
	}
	b->unknown = true;
}

/* Parameters of def and lambda. */
static void bind_parameters(struct python *py, uint32_t i)
{
	struct token *t = py->tokens.t;
	bool lambda = token_is(&t[i], "lambda");
	uint32_t k = i + 1;

	if (!lambda)
		unknown(py, &t[k++]);
	for (; k < py->tokens.n; k++) {
		if (lambda ? token_is(&t[k], ":") && t[k].depth == t[i].depth
			   : token_is(&t[k], ")") && t[k].depth == t[i].depth)
			return;
		unknown(py, &t[k]);
	}
}

/* One statement: only NAME = "text" makes a value known; every other target of = is not. */
static void bind_assignment(struct python *py, uint32_t start, uint32_t end)
{
	struct token *t = py->tokens.t;
	uint32_t last = 0;
	bool any = false;

	for (uint32_t i = start; i < end; i++) {
		const struct token *op = &t[i];

		if (op->kind == TOKEN_OPERATOR && op->text.len > 1 && bytes_end(op->text, "=") &&
			!in_list(op->text, "== != <= >=") && i > start)
			unknown(py, &t[i - 1]);
		if (token_is(op, "=") && op->depth == t[start].depth) {
			last = i;
			any = true;
		}
	}
	if (!any)
		return;
	if (last == start + 1 && t[start].kind == TOKEN_NAME && t[last + 1].kind == TOKEN_STRING &&
		t[last + 1].is_static && last + 2 == end) {
		add_value(python_bound(py, t[start].text, true), t[last + 1].text);
		return;
	}
	for (uint32_t i = start; i < last; i++)
		unknown(py, &t[i]);
}

/* Statements end at newlines and semicolons, and behind the colon of a compound one. */
static void bind_statements(struct python *py)
{
	struct token *t = py->tokens.t;
	uint32_t start = 0;

	for (uint32_t i = 0; i <= py->tokens.n; i++) {
		bool colon = token_is(&t[i], ":") && t[i].depth == 0;

		/* NAME: type = value. */
		if (colon && i == start + 1)
			unknown(py, &t[start]);
		if (!colon && !python_ends_statement(&t[i]))
			continue;
		if (i > start)
			bind_assignment(py, start, i);
		start = i + 1;
	}
}

void python_bindings(struct python *py)
{
	struct token *t = py->tokens.t;

	for (uint32_t i = 0; i < py->tokens.n; i++) {
		bool starts = i == 0 || python_ends_statement(&t[i - 1]) || token_is(&t[i - 1], ":");

		if (t[i].kind != TOKEN_NAME || t[i].used)
			continue;
		if (starts && (token_is(&t[i], "import") || token_is(&t[i], "from")))
			import_statement(py, i);
		else if (token_is(&t[i], "for"))
			bind_loop(py, i);
		else if (token_is(&t[i], "def") || token_is(&t[i], "lambda") || token_is(&t[i], "class"))
			bind_parameters(py, i);
		else if (token_is(&t[i], "as") || token_is(&t[i], "global") || token_is(&t[i], "nonlocal") ||
			token_is(&t[i], "case") || token_is(&t[i], "del"))
			for (uint32_t k = i + 1;
				k < py->tokens.n && !python_ends_statement(&t[k]) && !token_is(&t[k], ":");
				k++)
				unknown(py, &t[k]);
	}
	bind_statements(py);
}
