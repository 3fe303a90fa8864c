/* SPDX-License-Identifier: Apache-2.0 */
/* What the names of Python's modules, builtins and attributes do. */
#ifndef COMMANDS_PYTHON_NAMES_H
#define COMMANDS_PYTHON_NAMES_H

#include "worker/commands/inline.h"

enum python_use_kind { USE_HARMLESS, USE_EFFECT, USE_OPEN, USE_SHELL, USE_COMMAND, USE_ENVIRONMENT };

struct python_use {
	const char *path; /* dotted, from the module's name on */
	enum python_use_kind kind;
	enum effect_id effect, second; /* on the first argument, on the second */
};

/* A module of which the table below knows what is harmless. */
bool python_module(struct bytes path);
/* What taking this from a module means. NULL: not known. */
const struct python_use *python_use(struct bytes path);
/* Builtin names by which code can be run or looked up by text. */
bool python_forbidden(struct bytes name);
/* Attributes that are harmless on every object that such a program can get hold of. */
bool python_attribute(struct bytes name);

/* One program while it is read (python_bindings.c, inline_python.c). */
enum { BINDINGS_MAX = 128, VALUES_MAX = 16 };

struct binding {
	struct bytes name;
	struct bytes path; /* of an import: the dotted name behind it */
	struct bytes values[VALUES_MAX]; /* of a variable: the texts it can have */
	uint32_t n_values;
	bool is_pattern; /* the values are file name patterns */
	bool unknown; /* also bound to something else */
};

struct python {
	struct run *run;
	struct tokens tokens;
	struct binding b[BINDINGS_MAX];
	uint32_t n_bindings;
	bool failed;
};

/* Not all of it is understood: the first reason is what people are told. */
void python_give_up(struct python *py, const char *what, struct bytes name);
/* The binding of a name; NULL when it has none and none is to be made. */
struct binding *python_bound(struct python *py, struct bytes name, bool make);
/* A dotted name from token i on; returns the token behind it. */
uint32_t python_dotted(struct python *py, uint32_t i, struct bytes *ret);
bool python_ends_statement(const struct token *t);
/* All imports and assignments: what each name can stand for. */
void python_bindings(struct python *py);

#endif
