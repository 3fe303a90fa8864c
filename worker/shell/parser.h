/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parser's files share: the cursor, and the calls between them.
 *
 * A call that yields a pointer yields NULL when parsing has stopped (`stopped` is then set: a syntax error, a limit or
 * no memory), unless its comment says that NULL is an answer; a call that yields bool yields false then.
 */
#ifndef SHELL_PARSER_H
#define SHELL_PARSER_H

#include "worker/shell/chars.h"
#include "worker/shell/dialect.h"
#include "worker/shell/shell.h"

/* bash refuses more here-documents than this before one newline (parse.y, HEREDOC_MAX). */
enum { HEREDOC_MAX = 16 };

struct pending_heredoc {
	struct redirect *redirect;
	struct bytes delimiter;
	bool quoted;
	const struct context *context;
};

/* Here-documents whose body starts behind the next newline. Each $( ) has a queue of its own. */
struct heredoc_queue {
	struct pending_heredoc at[HEREDOC_MAX];
	unsigned int n;
	bool in_braces; /* of a ${ …; }: a closing brace ends the list whatever follows it */
	bool in_substitution; /* a line that starts with the delimiter and holds `)` ends the body too */
};

/* Contexts in order of creation, so that the first member of a pipeline can be told late that it is one. */
struct context_link {
	struct context context;
	struct context_link *older;
};

/* What is being read: the line itself, or a text of its own (a backtick command, the body of a here-document). */
struct input {
	const char *start, *at, *end;
	bool unescaped; /* backslashes were taken out of it (backticks) */
	uint8_t *not_arith; /* bit per byte: a `((` that has been tried and is none; NULL before the first */
};

struct parser {
	struct arena *arena;
	const struct shell_options *options;
	struct script *script; /* the whole line's */
	struct simple_command **tail;
	struct input in;
	struct heredoc_queue *heredocs;
	struct context_link *links;
	const struct context *context;
	unsigned int depth;
	unsigned int reread; /* `((` around the cursor that opened no arithmetic: bash reads what is in them twice */
	unsigned int braces, quoted_braces; /* ${…} around the cursor; those of them that stand in quotes */
	uint32_t n_words;
	size_t wasted; /* memory that went into attempts which failed */
	bool conditional;
	bool stopped;
	bool out_of_memory;
	bool has_params, has_assignments; /* there may be something to resolve */
	bool has_bang_paren; /* `!(` where a command begins: a pattern when extglob is on */
	bool evaluates; /* arithmetic stands somewhere */
	const char *evaluated_text; /* the first quoted text with a subscript that would run something */
};

/* ---- shell.c: flags and failures */
void unmodelled(struct parser *p, enum unmodelled kind, const char *at, const char *why) NONNULL;
void *stop_syntax(struct parser *p, const char *why) NONNULL; /* at the cursor; NULL */
void *stop_limit(struct parser *p, enum parse_limit limit) NONNULL;
void *stop_memory(struct parser *p) NONNULL;
bool enter(struct parser *p) NONNULL; /* one level deeper; pair with leave() when true */
void leave(struct parser *p) NONNULL;
bool expect_end(struct parser *p) NONNULL; /* of the text that is being read */
void *parser_alloc(struct parser *p, size_t size) NONNULL;
#define parser_new(p, type) ((type *)parser_alloc((p), sizeof(type)))

/* ---- lexer.c: the cursor. A backslash and newline are nothing, wherever the cursor looks. */
enum { END_OF_INPUT = -1 };

int peek(struct parser *p) NONNULL; /* the next character, or END_OF_INPUT */
int peek_after(struct parser *p) NONNULL; /* the one behind it */
void advance(struct parser *p) NONNULL; /* over the next character */
void skip_blanks(struct parser *p) NONNULL; /* blanks and a comment, not the newline */
bool skip_newlines(struct parser *p) NONNULL; /* blanks, comments, newlines; here-documents are read on the way */
bool at_meta(struct parser *p) NONNULL; /* at a metacharacter or the end */

enum reserved {
	RESERVED_NONE, RESERVED_IF, RESERVED_THEN, RESERVED_ELIF, RESERVED_ELSE, RESERVED_FI, RESERVED_FOR,
	RESERVED_WHILE, RESERVED_UNTIL, RESERVED_SELECT, RESERVED_DO, RESERVED_DONE, RESERVED_CASE, RESERVED_ESAC,
	RESERVED_IN, RESERVED_FUNCTION, RESERVED_COPROC, RESERVED_TIME, RESERVED_BANG, RESERVED_OPEN, RESERVED_CLOSE,
	RESERVED_COND, RESERVED_COND_END,
};

/* The reserved word at the cursor, as a whole unquoted token; ret_end is behind it. */
enum reserved peek_reserved(struct parser *p, const char **ret_end) NONNULL;
bool take_reserved(struct parser *p, enum reserved which) NONNULL; /* false without stopping when another is there */
bool expect_reserved(struct parser *p, enum reserved which, const char *why) NONNULL;

/* ---- word.c */
enum word_mode {
	WORD_ARGUMENT = 0,
	WORD_DECLARATION = 1u << 0, /* argument of declare and its like: NAME=( … ) is one word, values do not split */
	WORD_COMMAND = 1u << 1, /* the command word */
	WORD_ELEMENT = 1u << 2, /* in a=( … ): [subscript]=value */
	WORD_VALUE = 1u << 3, /* behind NAME=: neither split nor expanded to files or braces; may be empty */
	WORD_PATTERN = 1u << 4, /* case or [[ ]] operand: stands for itself, as WORD_VALUE */
	WORD_REGEX = 1u << 5, /* right of =~ */
	WORD_HERESTRING = 1u << 6, /* as WORD_PATTERN */
	/* Where NAME= has no meaning and braces do not expand. */
	WORD_NEVER_ASSIGNS = WORD_VALUE | WORD_PATTERN | WORD_REGEX | WORD_HERESTRING,
};

struct part_list {
	struct word_part *first, *last;
};

struct word *parse_word(struct parser *p, unsigned int mode) NONNULL;
struct word_part *add_part(struct parser *p, struct part_list *l, enum part_kind kind, const char *text, size_t len)
	NONNULL;
bool parse_single_quoted(struct parser *p, struct part_list *l) NONNULL;
bool parse_double_quoted(struct parser *p, struct part_list *l, enum part_kind kind) NONNULL;
/* Text in which only $ ` \ are special, up to the end of the input (here-document bodies) or an unquoted `"`. */
bool parse_double_text(struct parser *p, struct part_list *l, bool heredoc) NONNULL;

/* ---- value.c: what is known of a word */
struct bindings; /* bindings.h */
bool finish_word(struct parser *p, struct word *w, unsigned int mode) NONNULL;
/* Sets is_static and value, or prefix. `known` may be NULL. */
bool evaluate_word(struct parser *p, struct word *w, const struct bindings *known) __attribute__((nonnull(1, 2)));
/* NULL when the line does not say. */
const struct bytes *binding_value(const struct bindings *b, struct bytes name) NONNULL;
bool bindings_split_by_default(const struct bindings *b) NONNULL; /* IFS is the shell's own */
bool bindings_home_known(const struct bindings *b) NONNULL;

/* ---- brace.c: turns the parts from the first brace expansion on into one PART_BRACE */
bool find_braces(struct parser *p, struct word *w) NONNULL;

/* ---- ansi_c.c */
bool parse_ansi_c(struct parser *p, struct part_list *l) NONNULL;

/* ---- expansion.c */
enum quoting {
	QUOTING_NONE,
	QUOTING_DOUBLE,
	QUOTING_HEREDOC,
};

bool parse_dollar(struct parser *p, struct part_list *l, enum quoting quoting) NONNULL;

/* ---- param.c: ${ … } behind the `${` */
bool parse_braced_param(struct parser *p, struct part_list *l, const char *start, enum quoting quoting) NONNULL;

/* ---- substitution.c */
bool parse_command_substitution(struct parser *p, struct part_list *l, const char *start) NONNULL;
bool parse_brace_substitution(struct parser *p, struct part_list *l, const char *start) NONNULL;
bool parse_process_substitution(struct parser *p, struct part_list *l) NONNULL;
bool parse_backticks(struct parser *p, struct part_list *l, enum quoting quoting) NONNULL;

/* ---- matched.c: text up to a closing character, of which only the expansions matter */
enum matched_rules {
	MATCHED_PATTERN, /* extglob, regular expression: as unquoted words */
	MATCHED_ARITH, /* arithmetic, subscripts: expanded as in double quotes */
};

/* From behind `open` to behind the `close` that matches it. */
bool parse_matched(struct parser *p, struct part_list *l, char open, char close, enum matched_rules rules) NONNULL;
/* A '…' whose content is expanded nevertheless, as bash does inside double quotes. */
bool parse_false_quotes(struct parser *p, struct part_list *l) NONNULL;
/* What follows a dollar there, where quotes behind it quote no more than those do. */
bool parse_false_dollar(struct parser *p, struct part_list *l, enum quoting quoting) NONNULL;

/* ---- attempt.c */
/* All that a failed attempt at a reading gives back. */
struct attempt {
	struct input in;
	struct script script;
	struct simple_command **tail;
	struct context_link *links;
	const struct context *context;
	struct heredoc_queue *heredocs;
	unsigned int depth;
	uint32_t n_words;
	size_t used;
	bool conditional;
};

void begin_attempt(const struct parser *p, struct attempt *a) NONNULL;
bool undo_attempt(struct parser *p, const struct attempt *a) NONNULL; /* false past a limit */

/* ---- arith.c */
/* At `((`: consumed with its `))` when it is arithmetic; false without stopping when it is two open parentheses. */
bool try_double_parens(struct parser *p, struct part_list *l) NONNULL;
/* The word that stands for the whole of (( … )), from `start` to the cursor; `inner`: the expansions in it, or NULL. */
struct word *new_arith_word(struct parser *p, const char *start, struct word_part *inner)
	__attribute__((nonnull(1, 2)));
bool parse_dollar_bracket(struct parser *p, struct part_list *l, const char *start) NONNULL;

/* ---- heredoc.c */
bool heredoc_pending(struct parser *p, struct redirect *r) NONNULL;
bool heredocs_read(struct parser *p) NONNULL; /* behind a newline */

/* ---- redirect.c */
bool redirect_reads(const struct redirect *r) NONNULL; /* from descriptor 0, unless another is written */
/* All that stand at the cursor, and the blanks behind them; *end moves behind the last one. */
bool parse_redirects(struct parser *p, struct redirect ***tail, const char **end) NONNULL;

/* ---- assign.c */
/* NULL without stopping when the cursor is at no assignment. */
struct assignment *parse_assignment(struct parser *p) NONNULL;
/* Behind `(`: to behind `)`. */
bool parse_array(struct parser *p, struct word **ret_elements) NONNULL;

/* ---- list.c */
struct node *new_node(struct parser *p, enum node_kind kind) NONNULL;
/* A list up to a terminator, which stays: `)`, `;;`, a reserved word that ends a part of a compound, the end. NULL
 * without stopping when it is empty. */
struct node *parse_list(struct parser *p) NONNULL;
struct node *parse_required_list(struct parser *p) NONNULL; /* an empty one is a syntax error */
bool push_context(struct parser *p, enum context_kind kind, const struct node *node) __attribute__((nonnull(1)));
void mark_background(struct simple_command *from) __attribute__((nonnull(1)));

/* ---- simple.c */
struct node *parse_simple(struct parser *p) NONNULL;
bool append_command(struct parser *p, struct simple_command *c) NONNULL;

/* ---- compound.c, loop.c */
struct node *parse_command(struct parser *p) NONNULL; /* one member of a pipeline */
bool at_compound(struct parser *p) NONNULL;
struct node *parse_function_body(struct parser *p, struct node *function) NONNULL;
struct node *parse_for(struct parser *p, enum node_kind kind) NONNULL;
struct node *parse_while(struct parser *p, enum node_kind kind) NONNULL;
struct node *parse_case(struct parser *p) NONNULL;

/* ---- cond.c: behind [[ */
struct node *parse_cond(struct parser *p) NONNULL;

/* ---- reread.c */
/*
 * Arithmetic evaluates the values of variables, and a subscript in one runs its substitutions: x='a[$(id)]'; (( x )).
 * Does the text hold such a subscript?
 */
bool runs_when_evaluated(struct bytes text);
/* Flags lines that change how later ones are read, and quoted texts that are read again when they are evaluated. */
void check_rereading(struct parser *p) NONNULL;

/* ---- resolve.c: values that the line itself gave to variables */
void resolve_variables(struct parser *p) NONNULL;

#endif
