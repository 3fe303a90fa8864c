/* SPDX-License-Identifier: Apache-2.0 */
/* Shells: text after -c, a script's path, or a program on standard input (bash(1) "OPTIONS", dash(1),
 * zshall(1)). */
#include "worker/commands/model.h"

/* -n only looks for syntax errors, but an interactive shell ignores it, and +n or a name behind -o may take it back. */
enum { TEXT = 1, STDIN = 2, NO_EXECUTION = 4, MAY_EXECUTE = 8 };

/* Options of a shell, up to its first operand: 0, or -1 with the run opened. +x is an option as well, -o
 * takes a name. */
static int read_options(struct run *run, uint32_t *ret_at, uint32_t *ret_bits)
{
	uint32_t at = 0, bits = 0;

	while (at < run->argc) {
		const struct arg *a = &run->argv[at];

		if (!a->is_static) {
			if (a->text.len == 0 || a->text.p[0] == '-' || a->text.p[0] == '+') {
				run_open(run, "what %s runs is not known before it runs", run->model->name);
				return -1;
			}
			break;
		}
		if (a->text.len < 2 || (a->text.p[0] != '-' && a->text.p[0] != '+'))
			break;
		at++;
		if (arg_is(a, "--"))
			break;
		if (bytes_start(a->text, "--")) {
			if (in_list(a->text,
				    "--login --noprofile --norc --posix --verbose --noediting --restricted"))
				continue;
			run_open(run, "option %.*s of %s is not known to the gate",
				(int)(a->text.len < 80 ? a->text.len : 80), a->text.p, run->model->name);
			return -1;
		}
		for (size_t i = 1; i < a->text.len; i++) {
			char c = a->text.p[i];

			if (c == 'i' || c == 'o' || (c == 'n' && a->text.p[0] == '+'))
				bits |= MAY_EXECUTE;
			if (c == 'c')
				bits |= TEXT;
			else if (c == 's')
				bits |= STDIN;
			else if (c == 'n' && a->text.p[0] == '-')
				bits |= NO_EXECUTION;
			else if (c == 'o' && at < run->argc && run->argv[at].is_static)
				at++;
			else if (!strchr("lexuvnhfEmpirbCkBH", c)) {
				run_open(run, "option -%c of %s is not known to the gate", c,
					run->model->name);
				return -1;
			}
		}
	}
	*ret_at = at;
	*ret_bits = bits;
	return 0;
}

static void run_shell(struct run *run, enum dialect dialect)
{
	uint32_t at, bits;
	const struct arg *first;

	if (read_options(run, &at, &bits) < 0)
		return;
	if (at < run->argc && arg_is(&run->argv[at], "-"))
		at++;
	first = at < run->argc ? &run->argv[at] : NULL;
	if (bits & TEXT) {
		if (!first)
			return;
		if (first->is_static)
			run_nested_text(run, first->text, dialect);
		else
			run_open(run, "the text that %s runs is not known before it runs", run->model->name);
		return;
	}
	if (!first || (bits & STDIN) || arg_is(first, "/dev/stdin")) {
		run_program_from_stdin(run, true, dialect);
		return;
	}
	run_effect(run, (bits & (NO_EXECUTION | MAY_EXECUTE)) == NO_EXECUTION ? EFFECT_READ : EFFECT_EXECUTE, first);
}

static void bash_reader(struct run *run)
{
	run_shell(run, DIALECT_BASH);
}

static void posix_reader(struct run *run)
{
	run_shell(run, DIALECT_POSIX);
}

static void zsh_reader(struct run *run)
{
	run_shell(run, DIALECT_ZSH);
}

static void other_reader(struct run *run)
{
	run_shell(run, DIALECT_OTHER);
}

MODEL(bash) = { .name = "bash", .reader = bash_reader };
MODEL(sh) = { .name = "sh", .reader = posix_reader };
MODEL(dash) = { .name = "dash", .reader = posix_reader };
MODEL(ash) = { .name = "ash", .reader = posix_reader };
MODEL(ksh) = { .name = "ksh", .reader = other_reader };
MODEL(zsh) = { .name = "zsh", .reader = zsh_reader };
MODEL(fish) = { .name = "fish", .reader = other_reader };

static void eval_reader(struct run *run)
{
	struct bytes text;
	struct nested *n;

	run->out->wrapper = true;
	if (run->argc && arg_is(&run->argv[0], "--")) {
		run->argv++;
		run->argc--;
	}
	if (run->argc == 0)
		return;
	if (!run_join_args(run, run->argv, run->argc, &text)) {
		run_open(run, "the text that eval runs is not known before it runs");
		return;
	}
	n = run_nested_text(run, text, run->invocation->dialect);
	if (n)
		n->invocation.standalone = false;
}

MODEL(eval) = { .name = "eval", .reader = eval_reader, .syntax = SHELL_ONLY };

/* source FILE [arguments]: the file is run by this very shell. */
static void source_reader(struct run *run)
{
	uint32_t at = run->argc && arg_is(&run->argv[0], "--") ? 1 : 0;

	if (at >= run->argc)
		return;
	run_effect(run, EFFECT_EXECUTE, &run->argv[at]);
}

MODEL(source) = { .name = "source", .reader = source_reader, .syntax = SHELL_ONLY };

/* trap ACTION SIGNAL…: the action is run by this shell, later. */
static void trap_reader(struct run *run)
{
	struct nested *n;

	if (run->argc && arg_is(&run->argv[0], "--")) {
		run->argv++;
		run->argc--;
	}
	if (run->argc == 0 || in_list(run->argv[0].text, "-l -p -"))
		return;
	if (!run->argv[0].is_static) {
		run_open(run, "the text that trap runs is not known before it runs");
		return;
	}
	if (run->argc == 1 || run->argv[0].text.len == 0)
		return;
	n = run_nested_text(run, run->argv[0].text, run->invocation->dialect);
	if (n)
		n->invocation.standalone = false;
}

MODEL(trap) = { .name = "trap", .reader = trap_reader, .syntax = SHELL_ONLY };
