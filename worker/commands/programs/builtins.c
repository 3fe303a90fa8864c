/* SPDX-License-Identifier: Apache-2.0 */
/* The shell's own commands: what prints, tests, sets state or changes the directory (bash(1) "SHELL BUILTIN
 * COMMANDS"). */
#include "worker/commands/model.h"

#define STATE RULES{ { ALWAYS, EFFECT_SHELL_STATE }, { END } }
#define PRINTS RULES{ { ALWAYS, EFFECT_PURE }, { END } }

MODEL(true) = { .name = "true", .syntax = NO_OPTIONS, .rules = PRINTS };
MODEL(false) = { .name = "false", .syntax = NO_OPTIONS, .rules = PRINTS };
MODEL(colon) = { .name = ":", .syntax = NO_OPTIONS | SHELL_ONLY, .rules = PRINTS };
MODEL(echo) = { .name = "echo", .syntax = NO_OPTIONS | ANY_OPTION, .rules = PRINTS };

/* An index in a variable's name is evaluated, and what it holds in $( ) is run. */
static bool evaluates(const struct arg *name)
{
	return bytes_char(name->text, '[') &&
		(!name->is_static || bytes_char(name->text, '$') || bytes_char(name->text, '`'));
}

/* test -v NAME. */
static void test_command(struct run *run)
{
	for (uint32_t i = 1; i < run->n_operands; i++)
		if (arg_is(&run->operands[i - 1], "-v") &&
			(evaluates(&run->operands[i]) || !run->operands[i].is_static))
			run_open(run, "%s -v evaluates a name that is not known before it runs",
				run->model->name);
	/* What is no number stands in the complaint about it. */
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (run->operands[i].is_static && in_list(run->operands[i].text, "-eq -ne -lt -le -gt -ge"))
			run->out->shows_words = true;
	run_effect_fixed(run, EFFECT_PURE, NULL);
	run->out->stdin_role = STDIN_COUNTED;
}

MODEL(test) = { .name = "test", .syntax = NO_OPTIONS | ANY_OPTION, .special = test_command };
MODEL(bracket) = { .name = "[", .syntax = NO_OPTIONS | ANY_OPTION, .special = test_command };
MODEL(pwd) = {
	.name = "pwd", .syntax = ANY_OPTION, .shorts = "LP", .longs = "logical physical", .rules = PRINTS
};

/* printf -v NAME assigns, and an index in NAME is evaluated. */
static void printf_reader(struct run *run)
{
	const struct arg *a = run->argc ? &run->argv[0] : NULL;

	if (a && a->is_static && bytes_start(a->text, "-v")) {
		const struct arg *name = a->text.len > 2 ? a : run->argc > 1 ? &run->argv[1] : NULL;

		if (!name || !name->is_static || bytes_char(name->text, '['))
			run_open(run, "printf -v sets a variable that is not known before it runs");
		run_effect_fixed(run, EFFECT_SHELL_STATE, NULL);
		return;
	}
	if (a && !a->is_static && (a->text.len == 0 || a->text.p[0] == '-') && run->argc > 1)
		run_open(run, "the format of printf is not known before it runs");
	run_effect_fixed(run, EFFECT_PURE, NULL);
}

MODEL(printf) = { .name = "printf", .reader = printf_reader };

/* cd [-L|-P] [DIR]: nothing is HOME, "-" the last directory. With -P the .. behind a link leads to where the link's
 * target lies. */
static void cd_command(struct run *run)
{
	struct arg elsewhere = { .is_static = false };
	struct command_effect *e;

	if ((run->bits & 1) && run->n_operands && bytes_find(run->operands[0].text, ".."))
		run_effect(run, EFFECT_ENTER, &elsewhere);
	else if (run->n_operands == 0)
		run_effect_text(run, EFFECT_ENTER, run->invocation->home);
	else
		run_effect(run, EFFECT_ENTER, &run->operands[0]);
	/* And so does the .. of a later cd, from there. */
	e = run_last_effect(run);
	if (e && (run->bits & 1))
		e->follows = true;
}

MODEL(cd) = {
	.name = "cd", .syntax = NO_LONG | SHELL_ONLY | ANY_OPTION, .shorts = "Le@", .special = cd_command,
	.options = OPTIONS{ { "P", NULL, NOTHING, IGNORE, .set = 1 }, { 0 } }
};
MODEL(pushd) = {
	.name = "pushd",
	.syntax = NO_LONG | SHELL_ONLY | ANY_OPTION | PLUS | NUMBER,
	.shorts = "n",
	.rules = RULES{ { FIRST, EFFECT_ENTER }, { ABSENT, EFFECT_ENTER, .text = "-" }, { END } },
};
MODEL(popd) = {
	.name = "popd",
	.syntax = NO_LONG | SHELL_ONLY | ANY_OPTION | PLUS | NUMBER,
	.shorts = "n",
	.rules = RULES{ { ALWAYS, EFFECT_ENTER, .text = "-" }, { END } },
};
MODEL(dirs) = {
	.name = "dirs", .syntax = NO_LONG | SHELL_ONLY | PLUS | NUMBER, .shorts = "clpv", .rules = STATE
};

/* NAME=value and NAME words of export, declare …: the assignments are the caller's to judge. */
static void declare_words(struct run *run)
{
	struct word *first = NULL, **end = &first;

	for (uint32_t i = 0; i < run->n_operands; i++) {
		struct word *copy = run_alloc(run, sizeof(*copy));

		if (!copy)
			return;
		if (!run->operands[i].is_static && run->operands[i].text.len == 0)
			run_open(
				run, "%s sets a variable that is not known before it runs", run->model->name);
		if (evaluates(&run->operands[i]))
			run_open(run, "%s evaluates the index of a variable", run->model->name);
		*copy = *run->operands[i].word;
		copy->next = NULL;
		*end = copy;
		end = &copy->next;
		run->out->n_assigns++;
	}
	run->out->assigns = first;
	/* Without names it prints what is set; -p NAME prints one. */
	if (run->n_operands == 0 || (run->bits & 1)) {
		if (run->n_operands == 0 && !(run->bits & 2))
			run_effect_fixed(run, EFFECT_PRINT_ENVIRONMENT, NULL);
		for (uint32_t i = 0; i < run->n_operands; i++)
			run_effect(run,
				variable_is_secret(run->operands[i].text) || !run->operands[i].is_static
					? EFFECT_PRINT_ENVIRONMENT
					: EFFECT_PRINT_VARIABLE,
				&run->operands[i]);
		return;
	}
	run_effect_fixed(run, EFFECT_SHELL_STATE, NULL);
}

#define DECLARES(id, text, letters) MODEL(id) = { .name = text, .syntax = NO_LONG | SHELL_ONLY | \
	PLUS, .shorts = letters, .options = OPTIONS{ { "p", NULL, NOTHING, IGNORE, .set = 1 }, \
	{ "fF", NULL, NOTHING, IGNORE, .set = 2 }, \
	{ 0 } }, .special = declare_words }

DECLARES(export, "export", "n");
DECLARES(declare, "declare", "aAgilrtuxI");
DECLARES(typeset, "typeset", "aAgilrtuxI");
DECLARES(local, "local", "aAilrtuxI");
DECLARES(readonly, "readonly", "aA");

/* unset 'a[…]' evaluates the index. */
static void names_command(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (evaluates(&run->operands[i]))
			run_open(run, "%s evaluates the index of a variable", run->model->name);
	run_effect_fixed(run, EFFECT_SHELL_STATE, NULL);
}

MODEL(unset) = { .name = "unset",
	.syntax = NO_LONG | SHELL_ONLY | ANY_OPTION,
	.shorts = "fvn",
	.special = names_command };
MODEL(shift) = { .name = "shift", .syntax = SHELL_ONLY | ANY_OPTION, .rules = STATE };
MODEL(exit) = { .name = "exit", .syntax = SHELL_ONLY | NO_OPTIONS, .rules = STATE };
MODEL(return_) = { .name = "return", .syntax = SHELL_ONLY | NO_OPTIONS, .rules = STATE };
MODEL(break_) = { .name = "break", .syntax = SHELL_ONLY | NO_OPTIONS, .rules = STATE };
MODEL(continue_) = { .name = "continue", .syntax = SHELL_ONLY | NO_OPTIONS, .rules = STATE };
MODEL(wait) = { .name = "wait",
	.syntax = SHELL_ONLY | NO_LONG | ANY_OPTION,
	.shorts = "fn",
	.rules = STATE,
	.options = OPTIONS{ { "p", NULL, REQUIRED, REFUSE, .text = "-p sets a variable" }, { 0 } } };
MODEL(jobs) = { .name = "jobs", .syntax = SHELL_ONLY | NO_LONG, .shorts = "lnprs", .rules = PRINTS };
MODEL(disown) = { .name = "disown",
	.syntax = SHELL_ONLY | NO_LONG,
	.shorts = "ahr",
	.rules = RULES{ { ALWAYS, EFFECT_BACKGROUND }, { END } } };
MODEL(fg) = { .name = "fg", .syntax = SHELL_ONLY, .rules = STATE };
MODEL(bg) = { .name = "bg", .syntax = SHELL_ONLY, .rules = STATE };
MODEL(umask) = {
	.name = "umask", .syntax = SHELL_ONLY | NO_LONG | ANY_OPTION, .shorts = "pS", .rules = STATE
};
MODEL(ulimit) = { .name = "ulimit",
	.syntax = SHELL_ONLY | NO_LONG | ANY_OPTION,
	.shorts = "HSabcdefiklmnpqrstuvxPRT",
	.rules = STATE };
MODEL(getopts) = { .name = "getopts", .syntax = SHELL_ONLY | NO_OPTIONS, .special = names_command };
MODEL(times) = { .name = "times", .syntax = SHELL_ONLY, .rules = PRINTS };
MODEL(type) = { .name = "type",
	.syntax = SHELL_ONLY | NO_LONG | ANY_OPTION,
	.shorts = "aftpP",
	.rules = RULES{ { EACH, EFFECT_LIST }, { END } } };
MODEL(caller) = { .name = "caller", .syntax = SHELL_ONLY, .rules = PRINTS };
MODEL(help) = {
	.name = "help", .syntax = SHELL_ONLY | NO_LONG | ANY_OPTION, .shorts = "dms", .rules = PRINTS
};
MODEL(history) = { .name = "history", .syntax = SHELL_ONLY, .refuse = "shows or changes earlier commands" };
MODEL(compgen) = { .name = "compgen",
	.syntax = SHELL_ONLY | NO_LONG | POSIX_ORDER,
	.shorts = "abcdefgjksuvA:",
	.rules = PRINTS };

/* read NAME…: an index in a name is evaluated. */
static void read_command(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (!run->operands[i].is_static || bytes_char(run->operands[i].text, '['))
			run_open(
				run, "%s sets a variable that is not known before it runs", run->model->name);
	run_effect_fixed(run, EFFECT_SHELL_STATE, NULL);
}

MODEL(read) = {
	.name = "read",
	.syntax = SHELL_ONLY | NO_LONG | ANY_OPTION,
	.shorts = "eErsa:d:i:n:N:p:t:u:",
	.special = read_command,
	.input = STDIN_READ,
};
MODEL(mapfile) = {
	.name = "mapfile",
	.syntax = SHELL_ONLY | NO_LONG,
	.shorts = "td:n:O:s:u:c:",
	.special = read_command,
	.input = STDIN_READ,
	.options = OPTIONS{ { "C", NULL, REQUIRED, REFUSE, .text = "-C runs a command" }, { 0 } },
};

/* let: arithmetic may evaluate what variables hold. */
static void let_command(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (!run->operands[i].is_static || bytes_char(run->operands[i].text, '['))
			run_open(run, "let evaluates a text that is not known before it runs");
	run_effect_fixed(run, EFFECT_SHELL_STATE, NULL);
}

MODEL(let) = { .name = "let", .syntax = SHELL_ONLY | NO_OPTIONS, .special = let_command };

/*
 * What leaves the meaning of later words as it is. -k takes assignments from among a command's words, -P changes what
 * .. is, -p and -r what the shell may do (bash(1) "set").
 */
static bool harmless_setting(const struct arg *a, const struct arg *name)
{
	return a->is_static && only_of(a->text, 1, "abefhmnuvxBCEHTo") &&
		(!bytes_char(a->text, 'o') || !name ||
			(name->is_static &&
				in_list(name->text,
					"allexport braceexpand emacs errexit errtrace functrace hashall histexpand "
					"history ignoreeof monitor noclobber noexec noglob nolog notify nounset "
					"onecmd pipefail verbose vi xtrace")));
}

/* set -e, set -euo pipefail, set -- words: the caller knows what a persistent shell keeps. */
static void set_reader(struct run *run)
{
	if (run->argc == 0) {
		run_effect_fixed(run, EFFECT_PRINT_ENVIRONMENT, NULL);
		return;
	}
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];

		if (arg_is(a, "--") || arg_is(a, "-") ||
			(a->text.len && a->text.p[0] != '-' && a->text.p[0] != '+'))
			break;
		if (!harmless_setting(a, i + 1 < run->argc ? a + 1 : NULL)) {
			run_open(run, "what set changes is not known to the gate");
			break;
		}
		i += bytes_char(a->text, 'o');
	}
	run_effect_fixed(run, EFFECT_SHELL_STATE, NULL);
}

MODEL(set) = { .name = "set", .syntax = SHELL_ONLY, .reader = set_reader };

#define CHANGES_READING "changes how the shell reads later commands"

MODEL(alias) = { .name = "alias", .syntax = SHELL_ONLY, .refuse = CHANGES_READING };
MODEL(unalias) = { .name = "unalias", .syntax = SHELL_ONLY | NO_LONG, .shorts = "a", .rules = STATE };
MODEL(shopt) = { .name = "shopt", .syntax = SHELL_ONLY | NO_LONG, .shorts = "pqsuo", .rules = STATE };
MODEL(enable) = { .name = "enable", .syntax = SHELL_ONLY, .refuse = CHANGES_READING };
MODEL(hash) = {
	.name = "hash",
	.syntax = SHELL_ONLY | NO_LONG,
	.shorts = "rldt",
	.rules = STATE,
	.options = OPTIONS{ { "p", NULL, REQUIRED, REFUSE, .text = "-p " CHANGES_READING }, { 0 } },
};
MODEL(bind) = { .name = "bind", .syntax = SHELL_ONLY, .refuse = CHANGES_READING };
MODEL(complete) = { .name = "complete", .syntax = SHELL_ONLY, .refuse = CHANGES_READING };
MODEL(fc) = { .name = "fc", .syntax = SHELL_ONLY, .refuse = "runs earlier commands again" };
