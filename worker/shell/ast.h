/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the shell parser yields. Everything lives in one arena and dies with it; strings are
 * (pointer, length), never assumed to end in NUL. `modelled` means: this tree is exactly what the
 * shell would see.
 */
#ifndef SHELL_AST_H
#define SHELL_AST_H

#include "policy/base.h"

struct script;
struct node;
struct word;

enum part_kind {
	PART_LITERAL, /* unquoted text, backslashes and line continuations removed */
	PART_SINGLE, /* '…', or one character behind a backslash */
	PART_ANSI_C, /* $'…', decoded */
	PART_DOUBLE, /* "…": children */
	PART_LOCALE, /* $"…": children; dynamic, the message catalogue decides */
	PART_PARAM, /* $x ${…}: text = parameter name; children = words inside ${…} */
	PART_COMMAND, /* $( … ), ` … ` or ${ …; }: script */
	PART_ARITH, /* $(( … )) or $[ … ]: children = expansions inside */
	PART_PROCESS, /* <( … ) or >( … ): script */
	PART_TILDE, /* ~ or ~user at a word's start (or after = or : in an assignment) */
	PART_GLOB, /* unquoted * ? or [ … ] */
	PART_EXTGLOB, /* ?( *( +( @( !( … ) */
	PART_BRACE, /* from a word's first {a,b} or {1..9} on: text = source, children = all parts from there */
	PART_ARRAY, /* ( … ) of an array in an argument of declare and its like: elements */
};

/* What a parameter expansion does to the value. */
enum param_form {
	PARAM_PLAIN, /* $x or ${x} */
	PARAM_DEFAULT, /* ${x:-…} ${x-…} */
	PARAM_COMPLAINT, /* ${x:?…} ${x?…}: without a value the words are an error message */
	PARAM_ASSIGN, /* ${x:=…} ${x=…}: sets the variable */
	PARAM_INDIRECT, /* ${!x…}: the variable that is meant is not known */
	PARAM_PROMPT, /* ${x@P}: runs what the value holds */
	PARAM_ARITH, /* ${x:1:2} ${a[i]}: evaluates arithmetic */
	PARAM_LENGTH, /* ${#x} */
	PARAM_ALTERNATIVE, /* ${x:+…} ${x+…}: nothing of the value, but whether there is one */
	PARAM_OTHER, /* patterns, substrings, elements … */
};

struct word_part {
	enum part_kind kind;
	struct bytes text; /* decoded text; the name for PART_PARAM; source for the others */
	struct word_part *children;
	struct script *script;
	struct word *elements;
	enum param_form form;
	bool many; /* $@ and its like: may be several words even in double quotes */
	struct word_part *next;
};

enum word_flags {
	WORD_QUOTED = 1u << 0, /* some part was quoted or escaped */
	WORD_GLOB = 1u << 1, /* unquoted glob or extglob: may become any file names */
	WORD_BRACE = 1u << 2, /* brace expansion: becomes several words */
	WORD_TILDE = 1u << 3,
	WORD_SPLITS = 1u << 4, /* an unquoted expansion: may become none or many words */
	WORD_RUNS = 1u << 5, /* holds a command or process substitution */
	WORD_PARAM = 1u << 6,
	WORD_ARITH = 1u << 7,
	WORD_ASSIGNS = 1u << 8, /* begins with NAME= or NAME+= */
	WORD_VERBATIM = 1u << 9, /* neither split nor matched against file names */
	WORD_DOUBTFUL = 1u << 10, /* never static: shells disagree on what its quotes mean */
	/* Never set by the parser, but on words that stand for what another command prints. */
	WORD_FOUND = 1u << 11, /* any text that fits the pattern: the name of a file, or a harmless token */
	WORD_PIECES = 1u << 12, /* taken apart at blanks: a name that holds some is several words */
	WORD_PROCESS = 1u << 13, /* the id of a process chosen by its port or name, or of the last job */
	WORD_REGULAR = 1u << 14, /* of a file that is no link */
	WORD_TRACKED = 1u << 15, /* of a file in git's index: not below .git, and not more secret than the history */
	WORD_VISIBLE = 1u << 16, /* neither its name nor a directory below the pattern's first begins with a dot */
	WORD_TOKEN = 1u << 17, /* holds no blank, no slash, nothing a shell would touch, and no dash in front */
	WORD_SINGLE = 1u << 18, /* one word, whatever it is */
	WORD_NOT_GIT = 1u << 19, /* of a file that does not lie below .git */
};

struct word {
	struct bytes src; /* as written */
	struct word_part *parts;
	bool is_static; /* `value` is exactly the one word the command will get */
	struct bytes value;
	struct bytes prefix; /* of a dynamic word: what it certainly begins with (may be empty) */
	uint32_t flags;
	struct word *next;
};

enum redirect_op {
	REDIR_IN, /* <   */
	REDIR_OUT, /* >   */
	REDIR_APPEND, /* >>  */
	REDIR_CLOBBER, /* >|  */
	REDIR_RDWR, /* <>  */
	REDIR_DUP_IN, /* <&  */
	REDIR_DUP_OUT, /* >&  (with a word that is no descriptor: writes that file) */
	REDIR_BOTH, /* &>  */
	REDIR_BOTH_APPEND, /* &>> */
	REDIR_HEREDOC, /* <<  */
	REDIR_HEREDOC_TABS, /* <<- */
	REDIR_HERESTRING, /* <<< */
	REDIR__MAX
};

struct redirect {
	enum redirect_op op;
	int fd; /* -1: none written */
	struct bytes fd_var; /* {name}>: the variable, else empty */
	struct word *target; /* file, descriptor, delimiter or here-string word */
	struct word *body; /* here-document: its text as a word; static when quoted or without expansions */
	struct redirect *next;
};

struct assignment {
	struct bytes src; /* NAME=text as written */
	struct bytes name;
	struct word *subscript; /* a[…]=, else NULL */
	bool append; /* += */
	struct word *value; /* NULL for an array */
	bool is_array;
	struct word *elements; /* of ( … ) */
	struct assignment *next;
};

/* Where a simple command sits: one link per enclosing construct, innermost first. */
enum context_kind {
	CONTEXT_TOP,
	CONTEXT_PIPE, /* part of a pipeline of two or more */
	CONTEXT_SUBSHELL,
	CONTEXT_GROUP,
	CONTEXT_IF,
	CONTEXT_LOOP, /* for while until select */
	CONTEXT_CASE,
	CONTEXT_FUNCTION,
	CONTEXT_SUBST, /* $( ) or ` ` */
	CONTEXT_PROCSUB,
	CONTEXT_COPROC,
	CONTEXT__MAX
};

struct context {
	enum context_kind kind;
	const struct node *node; /* the construct, NULL at the top */
	const struct context *up;
};

/*
 * Also stands for the redirections of a compound command: then it has no words, and `node` is the compound.
 */
struct simple_command {
	struct bytes src;
	struct assignment *assigns;
	struct word *words; /* the command word first */
	uint32_t n_words;
	struct redirect *redirects; /* its own, in order; those of enclosing compounds hang on their nodes */
	const struct context *context;
	struct node *node;
	bool piped_in, piped_out; /* stdin / stdout is the pipe of the pipeline it is a member of */
	bool background; /* & or coproc: its own list item */
	bool conditional; /* may not run: behind && or ||, in a branch or a loop body */
	struct simple_command *next; /* the whole line's, in the order in which bash meets them: substitutions first */
};

enum node_kind {
	NODE_SIMPLE,
	NODE_PIPELINE, /* members; negated, timed */
	NODE_AND,
	NODE_OR,
	NODE_SEQUENCE, /* ; & and newline; each child knows whether it runs in the background */
	NODE_SUBSHELL,
	NODE_GROUP,
	NODE_IF,
	NODE_FOR,
	NODE_ARITH_FOR,
	NODE_SELECT,
	NODE_WHILE,
	NODE_UNTIL,
	NODE_CASE,
	NODE_FUNCTION,
	NODE_COPROC,
	NODE_COND, /* [[ … ]]: words */
	NODE_ARITH, /* (( … )): parts in words */
	NODE_NONE,
};

struct case_item {
	struct word *patterns;
	struct node *body;
	struct case_item *next;
};

struct node {
	enum node_kind kind;
	struct bytes src;
	struct node *children; /* first child, in source order: condition(s) before bodies */
	struct node *next;
	struct simple_command *simple; /* NODE_SIMPLE */
	struct redirect *redirects; /* of a compound command */
	struct bytes name; /* for/select variable, function or coproc name */
	struct word *words; /* for … in words; case subject; [[ ]] operands */
	bool has_in; /* for … in was written (an absent list means "$@") */
	struct case_item *cases;
	bool negated, timed, background, pipe_stderr;
};

/* Why a tree is not what the shell would see. A set, as several may hold. */
enum unmodelled {
	UNMODELLED_SYNTAX = 1u << 0, /* the shell itself would refuse it */
	UNMODELLED_DIALECT = 1u << 1, /* read differently by the harness's shell */
	UNMODELLED_CONTROL = 1u << 2, /* control characters, lone CR */
	UNMODELLED_ENCODING = 1u << 3, /* not UTF-8 */
	UNMODELLED_ALIAS = 1u << 4, /* the line itself changes how later text is read (alias, shopt, set) */
	UNMODELLED_OTHER = 1u << 5,
};

enum parse_limit { LIMIT_NONE, LIMIT_LENGTH, LIMIT_DEPTH, LIMIT_COMMANDS, LIMIT_WORDS, LIMIT_MEMORY };

struct script {
	struct bytes text;
	struct node *root; /* NULL when empty */
	/* The first n_commands from here on: every one, also inside substitutions. */
	struct simple_command *commands;
	uint32_t n_commands;
	uint32_t unmodelled; /* enum unmodelled */
	struct bytes unmodelled_at; /* the first place, for people */
	const char *unmodelled_why; /* static text */
	enum parse_limit limit;
};

#endif
