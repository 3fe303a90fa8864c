/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form of a command model, and what a model's own code may call. A model is data: what it does not list
 * is not known, and what is not known is open.
 */
#ifndef COMMANDS_MODEL_H
#define COMMANDS_MODEL_H

#include "worker/commands/commands.h"

struct run;

/* One word of the command line, seen as text. */
struct arg {
	const struct word *word;
	struct bytes text; /* the value, or what it certainly begins with */
	bool is_static;
	uint32_t flags; /* enum word_flags */
};

/* How a program reads its command line. */
enum syntax {
	GNU = 0, /* getopt_long: clusters, --name[=value], unique abbreviations, operands and options mixed */
	POSIX_ORDER = 1u << 0, /* the first operand ends the options */
	NO_LONG = 1u << 1, /* no --name options: "--" only ends options */
	ONE_DASH = 1u << 2, /* -name and --name are the same long option (go, openssl, java); no clusters */
	PLUS = 1u << 3, /* +x is an option too */
	NO_ABBREVIATION = 1u << 4, /* argparse off, cobra, clap: --nam is not --name */
	NUMBER = 1u << 5, /* -20 is a count */
	NO_OPTIONS = 1u << 6, /* every word is an operand (echo, test) */
	ANY_OPTION = 1u << 7, /* no option it has, listed or not, does more than shape its output */
	PARTIAL = 1u << 8, /* not all of its options are listed: an abbreviation cannot be told */
	SUBCOMMAND_ALONE_OK = 1u << 9, /* without a subcommand it prints help or a status */
	FOLDED = 1u << 10, /* subcommands in any case */
	PROJECT_TOOL = 1u << 11, /* may also be run from the project's own bin directory (.venv/bin,
				    node_modules/.bin) */
	SHELL_ONLY = 1u << 12, /* a builtin without a program of that name */
	INHERITED = 1u << 13, /* its options may also stand behind the subcommand */
	EQUALS = 1u << 14, /* -o=value is -o value (pflag, clap); to getopt(3) the value would be "=value" */
};

enum arity { NOTHING, REQUIRED, OPTIONAL };

enum action {
	IGNORE, /* harmless */
	EFFECT_OF_VALUE, /* effect on the value */
	EFFECT_FIXED, /* effect on `text` (or without a target) */
	REFUSE, /* makes the command open: `text` says what it does */
	SHELL_TEXT, /* the value is run by /bin/sh */
	DIRECTORY, /* the value becomes the directory that targets are relative to */
	CALL, /* the model's option() decides */
};

/* The rules are packed: each page of them that holds a pointer is copied when a worker starts. */
_Static_assert(EFFECT__MAX <= UINT8_MAX + 1, "an effect fits a byte of a rule");

struct option_rule {
	const char *shorts; /* each letter is this option */
	const char *longs; /* names, separated by single spaces */
	enum arity arity : 8;
	enum action action : 8;
	enum effect_id effect : 8;
	uint32_t set; /* bits added to run->bits */
	const char *text;
};

enum position {
	END = 0,
	ALWAYS, /* whatever the operands are: the target is `text` or, for a path, the directory */
	EACH,
	FIRST,
	SECOND,
	REST, /* all but the first */
	LAST, /* of two or more */
	FRONT, /* all but the last, of two or more; the only one when there is one */
	ABSENT, /* as ALWAYS, when there is no operand */
	ONLY, /* the operand, when there is exactly one */
};

struct operand_rule {
	enum position position : 8;
	enum effect_id effect : 8;
	uint16_t when, unless; /* run->bits must have all of `when` and none of `unless` */
	const char *text;
};

/* What a wrapper does with its operands before the command it runs. */
struct wrapping {
	uint8_t skip; /* operands of its own in front of the command */
	bool assigns; /* NAME=value words may stand in front */
	bool appended; /* the command gets further arguments from its input */
	bool joined; /* the words are joined by blanks and read by a shell (watch, ssh, su) */
	uint32_t unless; /* with any of these bits there is no inner command */
	bool keeps_shell; /* builtins and functions may be run (command, builtin, eval, exec) */
	enum nested_where where;
	const char *bare; /* without a command: NULL: nothing happens; else why it is open */
	enum effect_id effect; /* besides what is nested; 0: none */
};

struct command_model {
	const char *name; /* canonical */
	const char *shorts; /* harmless options as getopt(3) writes them: "ab:c::" */
	const char *longs; /* harmless ones, separated by blanks: "all size= color?=" */
	const struct option_rule *options; /* the others; ends with an empty one */
	const struct operand_rule *rules; /* ends with END */
	const struct command_model
		*subcommands; /* ends with an empty one; aliases follow a bar: "remove|rm" */
	const struct command_model *more; /* more subcommands, in another file; behind a reader: what gets the words
					     that it hands on */
	const struct wrapping *wrapping;
	/* Beyond tables: called after options and rules. */
	void (*special)(struct run *run);
	void (*option)(struct run *run, const struct option_rule *rule, const struct arg *value);
	/* Reads all words itself, instead of options and rules. */
	void (*reader)(struct run *run);
	uint32_t syntax;
	enum stdin_role input; /* what standard input is to it (STDIN_READ only counts where it has no file
				  operands) */
	const char *refuse; /* known, and always open: why */
};

struct run {
	struct arena *arena;
	const struct invocation *invocation;
	struct command_effects *out;
	const struct command_model *model;
	const struct run *outer; /* of the program whose subcommand this is */
	const struct arg *argv; /* behind the command word (and subcommand) */
	uint32_t argc;
	const struct arg *operands;
	uint32_t n_operands;
	uint32_t bits;
	uint32_t n_options;
	struct bytes base;
	struct bytes detail; /* for the model's own code */
	struct arg chosen; /* likewise */
	const struct mount *mounts; /* what the container sees of this machine (containers.c) */
	bool failed; /* out of memory: sticky */
	bool uncertain; /* effects added now may not happen */
};

/* Building the answer. All are safe to call after a failure. */
void run_open(struct run *run, const char *format, ...) PRINTF_LIKE(2, 3);
void run_effect(struct run *run, enum effect_id effect, const struct arg *target);
void run_effect_text(struct run *run, enum effect_id effect, struct bytes target);
void run_effect_fixed(struct run *run, enum effect_id effect, const char *target);
struct command_effect *run_last_effect(struct run *run);
/* A copy that takes along what links in the tree lead to. */
void run_copy_through_links(struct run *run, const struct arg *target);
/* The words from argv[from], as a command of their own. NULL on failure or when there are none. */
struct nested *run_nested_words(struct run *run, const struct arg *args, uint32_t n);
/* Text for a shell. */
struct nested *run_nested_text(struct run *run, struct bytes text, enum dialect dialect);
void *run_alloc(struct run *run, size_t size);
struct bytes run_copy(struct run *run, const char *p, size_t len);
/* a + b (+ c) as one text in the arena. */
struct bytes run_join(struct run *run, struct bytes a, struct bytes b);
/* All words from args joined by single blanks; false when one is dynamic. */
bool run_join_args(struct run *run, const struct arg *args, uint32_t n, struct bytes *ret);

/* Standard input is (or may be) where the program comes from: judge here-text as a script, anything else as
 * unknown. */
void run_program_from_stdin(struct run *run, bool is_shell, enum dialect dialect);

/* A dynamic word that the program may take for an option. */
bool arg_may_be_option(const struct run *run, const struct arg *a);
/* Options and operands of run->argv by run->model; fills operands, bits, base and effects (options.c). */
void run_options(struct run *run);
/* A tool that reads the project's own code and configuration: whatever its options are, they concern the
 * project, unless one names a place outside or code from elsewhere (tools.c). */
void run_project_tool(struct run *run);
/* The same, of a tool that another program runs by its name. */
void run_project_tool_named(struct run *run, struct bytes tool);
/* Words for a program of the project's: places outside it that they lead to. */
void run_project_words(struct run *run, const struct arg *words, uint32_t n);
/* Open where the name of a target or a script says that it sends the project somewhere, or destroys what is not in it. */
void run_check_task(struct run *run, struct bytes task);
/* The same of the label of a target that is run rather than built. */
void run_check_label(struct run *run, struct bytes label);
/* For models of what publishes: to the registry the line names, else to the program's own (publish.c). */
enum { RUN_REHEARSES = 1 << 30 }; /* the bit of an option by which nothing is published */
void run_publishes(struct run *run);
/* Copies between here and a store of objects: run->argv begins with the verb (transfer.c). */
void run_copies_objects(struct run *run);
void run_pushes_image(struct run *run, const struct arg *image);
/* Applies model->rules to the operands (engine.c). */
void run_rules(struct run *run, const struct operand_rule *rules);
bool run_has_subcommand(const struct command_model *model, struct bytes name);
/* One more model over the same words, as a subcommand would be (engine.c). */
void run_model(struct run *run, const struct command_model *model);
/* Words in which something else will be put in place of `mark` (xargs -I, find {}): dynamic from there on. */
void run_placeholder(struct run *run, struct arg *args, uint32_t n, const char *mark);
/* Bits of the search programs' models. */
enum {
	SEARCH_RECURSIVE = 1, SEARCH_PATTERN_GIVEN = 2,
	SEARCH_NAMES_ONLY = 4, /* no line of what is found */
	SEARCH_HIDDEN = 8,
	SEARCH_FILES = 16, /* no pattern: the names of all files */
	SEARCH_LISTS = 32, /* names of files */
	SEARCH_COUNTS = 64,
	SEARCH_FISHES = 128, /* a pattern that secrets fit */
};

/* A search for it finds credentials, or nearly everything. */
bool search_fishes(const struct arg *pattern);

/* What the command prints, where a model knows it: run->out->output and prints (output.c). */
void run_tell(struct run *run);
/* One more kind of word that it prints. NULL is taken for no memory. */
void run_prints(struct run *run, struct word *word);
/* A pattern would choose shells and sessions among processes, or all there are (processes.c). */
bool chooses_sessions(struct bytes pattern);
/*
 * The effect runs or applies a file whose text is at hand (invocation.given): the text is read instead (given.c).
 * False: it is not, or of no program that is read.
 */
bool run_reads_given(struct run *run, const struct word *word) __attribute__((nonnull(1)));
void run_reads_awk(struct run *run, struct bytes text);
void run_reads_sed(struct run *run, struct bytes text);
void run_reads_jq(struct run *run, struct bytes text);
void run_reads_patch(struct run *run, struct bytes text);
/* What it stands for may hold the value of a variable that is a credential (shown.c). */
bool run_holds_secret(const struct run *run, struct bytes variable);
bool run_gives_secret(const struct run *run, const struct arg *a);
/* A module of this dotted name is looked for in the directory first. */
void run_imports(struct run *run, struct bytes module);
/* Notes the credentials among the words that come out again (shown.c). */
void run_shows(struct run *run);
/* Nested command from operands by model->wrapping (wrappers.c). */
void run_wrapping(struct run *run, const struct wrapping *w);

/* A word made here may have no text at all: what mem*() functions are given is never NULL. */
static inline struct arg arg_of_word(const struct word *w)
{
	struct bytes text = w->is_static ? w->value : w->prefix;

	return (struct arg){ w, text.p ? text : BYTES(""), w->is_static, w->flags };
}

/* Text helpers. */
static inline bool arg_is(const struct arg *a, const char *s)
{
	return a->is_static && bytes_is(a->text, s);
}

static inline bool bytes_start(struct bytes b, const char *s)
{
	size_t n = strlen(s);

	return b.len >= n && memcmp(b.p, s, n) == 0;
}

static inline bool bytes_end(struct bytes b, const char *s)
{
	size_t n = strlen(s);

	return b.len >= n && memcmp(b.p + b.len - n, s, n) == 0;
}

static inline struct bytes bytes_from(struct bytes b, size_t at)
{
	return at <= b.len ? (struct bytes){ b.p + at, b.len - at } : (struct bytes){ b.p + b.len, 0 };
}

static inline struct bytes bytes_str(const char *s)
{
	return (struct bytes){ s, strlen(s) };
}

static inline bool bytes_char(struct bytes b, char c)
{
	return b.len > 0 && memchr(b.p, c, b.len) != NULL;
}

bool bytes_find(struct bytes b, const char *s); /* contains */
bool bytes_find_fold(struct bytes b, const char *s); /* contains, ignoring ASCII case; s in lower case */
bool only_of(struct bytes text, size_t from, const char *set); /* every byte from `from` on is one of the set's */
/* `word` is one of the blank-separated words of `list`. */
bool in_list(struct bytes word, const char *list);

/* Models by name (names.c). NULL: unknown. */
const struct command_model *model_by_name(struct bytes name);
/* The name behind an absolute path into a system directory for programs, or the name itself; false: another
 * path. */
bool program_name(struct bytes word, struct bytes *ret_name);

#define MODEL(id) const struct command_model model_##id
#define NAME(text, id) extern const struct command_model model_##id;
#include "worker/commands/names.def"
#undef NAME

#define OPTIONS (const struct option_rule[])
#define RULES (const struct operand_rule[])
#define SUBCOMMANDS (const struct command_model[])
#define WRAPPING &(const struct wrapping)

#endif
