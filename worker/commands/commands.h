/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command does: from the words of one invocation to its effects, the commands it runs in turn, and
 * what it does with its input. Nothing here is a verdict: targets are placed and effects ruled upon by the
 * caller (policy/effects.h).
 */
#ifndef COMMANDS_COMMANDS_H
#define COMMANDS_COMMANDS_H

#include "policy/effects.h"
#include "worker/shell/shell.h"

enum input_kind {
	INPUT_INHERITED, /* whatever the caller's is: a terminal, /dev/null, a harness's pipe */
	INPUT_PIPE, /* the output of another command */
	INPUT_FILE, /* < file */
	INPUT_TEXT, /* a here-document or here-string */
	INPUT_NONE, /* </dev/null, or closed */
};

/* One command as it will be run. */
struct invocation {
	const struct word *words; /* the command word first; n_words of them, linked */
	uint32_t n_words;
	const struct word *assigns; /* NAME=value words a wrapper puts into its environment (env, sudo): the
				       caller's to judge */
	enum input_kind input;
	const struct word *input_word; /* INPUT_TEXT: its text; INPUT_FILE: its name */
	bool appended; /* further arguments come from somewhere else behind the last word (xargs, find -exec …
			  +) */
	bool privileged; /* behind sudo and the like: as another user */
	bool standalone; /* run by a program, not by a shell: no builtins, no functions (env, xargs, sudo …)
			  */
	enum dialect dialect; /* of the shell that reads the words (eval, trap) */
	struct bytes home; /* what ~ stands for in inner text */
	const struct line_view *line; /* what the line around it tells; NULL: nothing */
	void *line_data;
	const struct word *appendix; /* with `appended`: what these arguments are; NULL: not known */
	const struct word *given_word; /* names a file whose text is `given`; NULL: there is none */
	struct bytes given;
	bool telling; /* what it prints is asked for (command_effects.prints) */
};

/* What only the line, or the machine at this moment, can tell of a word. `data` is the invocation's line_data. */
struct line_view {
	/* May the line itself give this variable a value? One that only the environment sets holds no option. */
	bool (*is_set)(void *data, struct bytes name);
	/* May a word that a pattern, or what another command prints, becomes begin with a dash? */
	bool (*has_dashed)(void *data, const struct word *word);
	/* Does the pattern fit no file now? */
	bool (*matches_nothing)(void *data, struct bytes pattern);
	/* Does the line itself put a credential into this variable, or may it? */
	bool (*holds_secret)(void *data, struct bytes name);
	/* May the shell print every command before it runs it (set -x)? */
	bool (*is_traced)(void *data);
	/* Does another command read what it prints? */
	bool (*is_piped)(void *data);
	/* The command that alone reads what it prints, by a pipe; NULL: there is none, or it is not known. */
	const struct simple_command *(*reader)(void *data);
	/* What the lines are that come in by the pipe it reads; NULL: not known. */
	const struct word *(*fed)(void *data);
};

struct command_effect {
	enum effect_id effect;
	struct bytes target; /* is_static: exactly; else what it certainly begins with (may be empty) */
	bool is_static;
	bool certain; /* the effect follows whenever the command runs and succeeds; else it only may */
	const struct word *word; /* where the target was read, NULL: it follows from the command itself */
	uint32_t word_flags; /* enum word_flags of the word it came from: a glob or braces stand for several
				targets */
	struct bytes within; /* target may be a directory: then target/within is what is really touched */
	struct bytes detail; /* GIT_PUSH*: the branch or refspec; others: for people */
	struct bytes
		base; /* directory that target is relative to, where an option names one (-C); else empty */
	bool follows; /* ENTER: to where links lead. COPY: what links below the target lead to is copied */
	bool by_path; /* TARGET_URL: what follows host: is a path, as scp(1) and rsync(1) read it, not a port */
	struct command_effect *next;
};

enum nested_where {
	NESTED_HERE,
	NESTED_ELSEWHERE, /* in a directory not known (find -execdir): relative paths are unknown */
	NESTED_HOST, /* on another host */
	NESTED_CONTAINER, /* in a container's file system */
	NESTED_ROOT, /* below another root directory (chroot) */
};

/* A directory or file of this machine that a container sees at `target`; both as they are written. */
struct mount {
	struct bytes source, target;
	const struct mount *next;
};

/* A command that the command runs; to be judged in its own right. */
struct nested {
	const struct script *script; /* text read by a shell; NULL: `invocation` */
	struct invocation invocation;
	enum nested_where where;
	struct bytes base; /* directory it runs in, where an option names one (env -C); else empty */
	const struct mount *mounts; /* NESTED_CONTAINER */
	struct bytes inside; /* likewise: the directory in it; empty: the image's own */
	bool running; /* likewise: it was there before, with whatever it was given */
	struct nested *next;
};

/* What a command's standard output is to who reads it. */
enum output_kind {
	OUTPUT_ANYTHING, /* contents of files or of the network, or not known */
	OUTPUT_WORDS, /* lines (or texts that end with NUL) of which each is, or fits, one of `prints` */
	OUTPUT_INPUT, /* some of the lines of its input, as they are */
};

enum stdin_role {
	STDIN_IGNORED,
	STDIN_READ, /* data: filtered, or kept */
	STDIN_COUNTED, /* data of which nothing is shown: counted, summed, tested */
	STDIN_PROGRAM, /* executed as a program; EFFECT_RUN_STDIN says so too, unless the text was understood
			*/
	STDIN_SENT, /* leaves for the target of an UPLOAD */
	STDIN_ARGUMENTS, /* becomes arguments of what is nested (xargs) */
};

struct command_effects {
	struct bytes program; /* canonical: "rm", "git push"; of an unknown program its name */
	bool open; /* something was not understood: never vouched for, whatever the effects are */
	struct bytes why; /* with open: a sentence for people, no final stop */
	struct command_effect *effects; /* what is known of it, also when open */
	struct command_effect **effects_end;
	struct nested *nested;
	struct nested **nested_end;
	const struct word
		*assigns; /* NAME=value words given to export, declare, readonly … : the caller's to judge */
	uint32_t n_assigns;
	enum stdin_role stdin_role;
	enum output_kind output; /* filled for an invocation that is `telling` */
	struct word *prints; /* static, or patterns with WORD_FOUND or WORD_PROCESS */
	const struct word *imports; /* modules that are looked for in the directory before anywhere else */
	uint32_t n_imports;
	bool shows_words; /* what it is told, to send it somewhere, is printed too */
	bool wrapper; /* nothing but its nested command matters for rules on argv (sudo, env, timeout …) */
};

/*
 * Everything *ret points to lives in the arena or in the words. A command without words is not for this
 * function. 0, or -ENOMEM. An unknown program, option or dynamic command word yields `open`; nothing is ever
 * silently left out.
 */
int command_effects(struct arena *arena, const struct invocation *invocation,
	struct command_effects *ret) NONNULL MUST_CHECK;

/* A file that this program runs (EXECUTE) or applies (APPLY) is read when it is given (invocation.given). */
bool command_reads_given(struct bytes program);

/* The invocation of a simple command as the shell parser saw it: words, and its input from redirections and
 * pipe. */
void invocation_of(const struct simple_command *command, enum dialect dialect, struct bytes home,
	struct invocation *ret) NONNULL;

/* Is there a model, wrapper or builtin of this name (which may be an absolute path in a system directory)? */
bool command_known(struct bytes name);

/* Variables whose value is a credential, by their name: *TOKEN*, *SECRET*, *PASSWORD*, AWS_SECRET_ACCESS_KEY
 * … */
bool variable_is_secret(struct bytes name);

#endif
