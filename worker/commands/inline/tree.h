/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one tree that the readers of Python and JavaScript build, and what the evaluator knows of values. A
 * construct that a reader does not know fails the whole text: nothing is skipped.
 */
#ifndef INLINE_TREE_H
#define INLINE_TREE_H

#include "worker/commands/model.h"

enum {
	TREE_TEXT_MAX = 32 * 1024, /* of a text; a longer one is a file of its own */
	TREE_DEPTH_MAX = 120, /* of nested expressions and blocks */
	TREE_CHAIN_MAX = 200, /* of operators, calls and attributes one behind the other */
	EVALUATION_DEPTH_MAX = 300,
	EVALUATION_STEPS_MAX = 100000, /* of one round */
	TREE_SYMBOLS = 256, /* buckets */
	TEXTS_MAX = 12, /* values a text may have before it counts as unknown */
};

enum code_kind {
	/* Expressions. */
	CODE_TEXT, /* text: its value */
	CODE_NUMBER, /* text: as written */
	CODE_DATA, /* None, true, a regular expression: nothing to know; children are evaluated */
	CODE_NAME, /* symbol */
	CODE_ATTRIBUTE, /* a.text */
	CODE_INDEX, /* a[b] */
	CODE_CALL, /* a(list) */
	CODE_KEYWORD, /* among arguments: text=a; in an object: text: a */
	CODE_SPREAD, /* *a, ...a */
	CODE_JOIN, /* the texts of list, one after the other */
	CODE_DIVIDE, /* a / b: a path in Python */
	CODE_LIST, /* [list], (list), {list} */
	CODE_DICT, /* keys and values in turn; CODE_SPREAD alone */
	CODE_EITHER, /* one of list */
	CODE_FUNCTION, /* list: parameters; a: body; text: name or empty */
	CODE_ASSIGN, /* a: target (NAME, LIST, INDEX …), b: value */
	CODE_EACH, /* a: target, b: what is iterated, c: body, or the element of a comprehension */
	/* Statements. */
	CODE_BLOCK, /* list, in order */
	CODE_RETURN, /* a or NULL */
	CODE_IMPORT, /* text: module; symbol: the name bound */
	CODE_FROM, /* text: module; name: of what; symbol: the name bound */
};

struct entity;

struct symbol {
	struct bytes name;
	uint32_t index;
	const struct entity *builtin; /* what the language itself means by it, or NULL */
	struct symbol *next;
};

struct code {
	enum code_kind kind;
	bool called; /* FUNCTION: somewhere, or handed on: its body counts */
	struct bytes text, name;
	struct symbol *symbol;
	struct code *a, *b, *c;
	struct code *list, *next;
	uint32_t index; /* FUNCTION: of its result */
};

struct language;

struct tree {
	struct run *run;
	const struct language *language;
	struct symbol *symbols[TREE_SYMBOLS];
	uint32_t n_symbols, n_functions, depth;
	const char *wrong; /* what was not understood; NULL: the text was read */
};

/* One of the blank-separated words of a long list; the word holds no blank. */
bool name_in(struct bytes word, const char *list);
/* NULL after a failure, which is sticky: tree->wrong or run->failed. */
struct code *tree_code(struct tree *t, enum code_kind kind);
struct symbol *tree_symbol(struct tree *t, struct bytes name);
struct code *tree_name(struct tree *t, struct bytes name);
/* The first reason stands. Always NULL. */
struct code *tree_wrong(struct tree *t, const char *why);
bool tree_failed(const struct tree *t);
/* Appends; a NULL child is the sticky failure's. */
void tree_append(struct code *parent, struct code *child);

/* What a name of the language or of one of its modules is. */
enum act {
	ACT_REFUSED, /* known, and always open */
	ACT_MODULE,
	ACT_DATA, /* a value */
	ACT_ENVIRONMENT, /* all variables */
	ACT_INPUT, /* standard input */
	ACT_OUTPUT, /* standard output or error */
	ACT_SEARCH_PATH, /* sys.path */
	/* Functions. */
	ACT_PURE, /* computes; functions among its arguments are called with data */
	ACT_SHOW, /* as PURE, and takes modules and functions too */
	ACT_TYPE, /* the class of its argument: shown and compared, never called */
	ACT_SAME, /* its first argument, as text */
	ACT_JOIN, /* a path of its arguments */
	ACT_PATH, /* an object that stands for such a path */
	ACT_HOME, /* as SAME, with ~ expanded */
	ACT_OPEN, /* (path, mode) */
	ACT_ON, /* effect on the first argument */
	ACT_FROM_TO, /* effect on the first, WRITE of the second */
	ACT_SELF, /* effect on the path that its object stands for */
	ACT_SELF_OPEN,
	ACT_SELF_TO, /* MOVE of its object, WRITE of the first argument */
	ACT_VARIABLE, /* the value of a variable of the environment */
	ACT_SHELL, /* text for a shell */
	ACT_ARGV, /* a list of words, or with shell=True a text */
	ACT_PROGRAM, /* (program, [arguments]) */
	ACT_FETCH, /* (url): with data, an upload */
	ACT_REQUEST, /* (url, {method, body}) */
	ACT_UPLOAD, /* (url, data) */
	ACT_REQUIRE, /* (module): JavaScript */
	ACT_SEARCH_ADD, /* sys.path.insert(…, directory) */
};

/* No pointers: a table of them would have to be relocated whenever the process starts. */
struct entity {
	char name[36]; /* whole: "os.path.join"; of a class's method ":path.exists" */
	char returns[6]; /* class of the object; "=": what the first argument is, or holds; empty: data */
	char of[6]; /* class of what iterating the result gives; empty: data */
	uint8_t act; /* enum act */
	uint8_t effect; /* enum effect_id */
};

_Static_assert(EFFECT__MAX <= UINT8_MAX, "an effect is one byte of an entity");

struct language {
	const struct entity *entities; /* sorted by name */
	size_t n_entities;
	const char *methods; /* of data: harmless whatever the object is */
	const char *attributes; /* of data; NULL: all but those that are refused */
	const char *refused; /* names that lead from data to code */
	const char *callbacks; /* methods that call their first argument: it must be a function that is known */
	const char *changes; /* methods that put something into a list or take it away */
	const char *modules; /* known ones whose import only brings names; nothing of them may be used but
				their version */
	bool imports_here; /* modules are looked for in the directory first */
	struct code *(*parse)(struct tree *t, struct bytes text);
};

extern const struct language language_python, language_node;

/* NULL: not listed. prefix may be empty. */
const struct entity *entity_find(const struct language *l, struct bytes prefix, struct bytes name);

/* What is taken from a module that is not listed: known to be there, and nothing else. */
extern const struct entity entity_foreign;

/* A module by the name that it is imported by. NULL: not listed. */
const struct entity *module_find(const struct language *l, struct bytes name);

/* What a text may be: one of n; n == 0: anything that begins with prefix. */
struct texts {
	const struct bytes *v;
	uint32_t n;
	struct bytes prefix;
};

enum value_kind {
	VALUE_NEVER, /* no value reaches this place */
	VALUE_DATA, /* texts, numbers, lists, results of libraries: calling it is not known */
	VALUE_OBJECT, /* of class `entity`; texts: the path it stands for */
	VALUE_ENTITY, /* a module or function of the language */
	VALUE_OWN, /* a function of the text */
	VALUE_ANY, /* not known: whatever is done with it is open */
};

struct value {
	enum value_kind kind;
	const struct entity *entity; /* of OBJECT and ENTITY */
	struct code *function; /* of OWN */
	struct texts texts;
	struct texts items; /* DATA: what iterating or indexing gives */
	const struct entity *items_class;
	bool several; /* by more than one assignment: which one is not known */
};

struct evaluation {
	struct tree *tree;
	struct run *run;
	const struct language *language;
	struct value *variables; /* by symbol->index */
	struct value *results; /* by function's index */
	uint32_t depth, steps, pass;
	uint32_t current; /* function whose body is being evaluated; UINT32_MAX: none */
	bool changed, mutates, final;
	bool exhausted; /* more steps than a text of that length needs: it ends here, and is open */
	bool opened; /* something is not known: `why` and `what` */
	const char *why;
	struct bytes what;
	bool imports, project, reads_input;
};

struct value value_data(void);
struct value value_text(struct evaluation *ev, struct bytes text);
struct value value_any(struct evaluation *ev, const char *why, struct bytes what);
struct value value_join(struct evaluation *ev, struct value a, struct value b);
bool value_same(const struct value *a, const struct value *b);
/* a then b, with `between` ("/", or empty). */
struct texts texts_concat(struct evaluation *ev, struct texts a, const char *between, struct texts b);
struct texts texts_join(struct evaluation *ev, struct texts a, struct texts b);
/* Data, or an object of a known class: no code, no variables of the environment. */
bool value_is_passive(const struct value *v);

/* Puts a value into a variable. */
void evaluation_bind(struct evaluation *ev, const struct code *name, struct value v);
/* Notes that a module is looked for. */
void evaluation_imports(struct evaluation *ev, struct bytes module);
/* What a listed name stands for. */
struct value entity_value(const struct evaluation *ev, const struct entity *e);
/* A kind of error that a module defines, by its name; or NULL. */
const struct entity *entity_error(const struct language *l, const struct entity *module, struct bytes name);
void evaluate_statement(struct evaluation *ev, struct code *n);
struct value evaluate(struct evaluation *ev, struct code *n);
struct value evaluate_call(struct evaluation *ev, struct code *n);
/* A name that may lead from data to code. */
bool name_is_refused(const struct language *l, struct bytes name);
/* Two paths as os.path.join does: an absolute second one stands alone. */
struct texts texts_path(struct evaluation *ev, struct texts a, struct texts b);
/* Notes that a variable of the environment is read; one that may be a credential, or is not known, is open. */
void evaluation_variable(struct evaluation *ev, const struct value *name);
/* Lists are changed somewhere: nothing is known of what they hold. */
void evaluation_mutates(struct evaluation *ev);
/* Counts one step. False: there were too many. */
bool evaluation_step(struct evaluation *ev);
void evaluation_open(struct evaluation *ev, const char *why, struct bytes what);
void evaluation_effect(struct evaluation *ev, enum effect_id effect, const struct value *target);
/* Its body is evaluated with these arguments; with `others`, more that are data. */
void evaluate_parameters(struct evaluation *ev, struct code *function, const struct value *v,
	const struct bytes *keywords, uint32_t n, bool others);
/* As above, with nothing but data. */
void evaluate_callback(struct evaluation *ev, struct code *function);

/* A whole text: effects into run; RUN_INLINE where it is not understood. */
void inline_text(struct run *run, const struct language *l, const struct arg *text);

#endif
