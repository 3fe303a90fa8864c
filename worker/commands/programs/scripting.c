/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interpreters whose programs are not read: php, lua, R. They tell their version, check syntax without running
 * anything, and run a script, which is the project's own where a framework's runner is named (artisan, bin/console).
 */
#include "worker/commands/model.h"

/* The file that is run; a runner of a framework with one of the words that look or test. */
static void run_file(struct run *run, const struct arg *file, const struct arg *word)
{
	static const char looks[] = "test about list env help route:list migrate:status config:clear cache:clear "
				    "view:clear route:clear optimize:clear event:list schedule:list model:show "
				    "migrate debug:router debug:container debug:config lint:yaml lint:twig "
				    "lint:container router:match doctrine:schema:validate "
				    "doctrine:migrations:status make:controller make:model make:migration "
				    "make:test make:factory make:seeder";

	if (file->is_static && in_list(file->text, "artisan ./artisan bin/console ./bin/console") && word &&
		word->is_static && in_list(word->text, looks)) {
		run_effect(run, EFFECT_RUN_PROJECT, file);
		return;
	}
	run_effect(run, EFFECT_EXECUTE, file);
}

struct interpreter {
	char program[8];
	char tells[40]; /* options that print something about it and end */
	char checks; /* the option that only checks the syntax of a file */
	char code[12]; /* letters of options that take a program from the line */
	char flags[16]; /* letters that only shape how it runs */
};

static const struct interpreter interpreters[] = {
	{ "php", "-v --version -m -h --help --ini", 'l', "rBRFE", "nq" },
	{ "lua", "-v --version", '\0', "el", "EW" },
	{ "Rscript", "--version --help", '\0', "e", "" },
};

static void interpreter_reader(struct run *run)
{
	const struct interpreter *in = interpreters;
	bool checks = false;
	uint32_t at = 0;

	while (strcmp(in->program, run->model->name) != 0)
		in++;
	for (; at < run->argc && (run->argv[at].text.len > 1 || !run->argv[at].is_static); at++) {
		const struct arg *a = &run->argv[at];

		if (!a->is_static && (a->text.len == 0 || a->text.p[0] == '-')) {
			run_open(run, "what %s runs is not known before it runs", run->model->name);
			return;
		}
		if (a->text.p[0] != '-')
			break;
		if (in_list(a->text, in->tells)) {
			run_effect_fixed(run, EFFECT_PURE, NULL);
			return;
		}
		for (size_t i = 1; i < a->text.len; i++) {
			char c = a->text.p[i];

			if (c == in->checks && c != '\0')
				checks = true;
			else if (!strchr(in->flags, c)) {
				run_open(run, strchr(in->code, c) ? "%s runs code of its line"
								   : "an option of %s is not known to the gate",
					run->model->name);
				return;
			}
		}
	}
	if (at >= run->argc || arg_is(&run->argv[at], "-"))
		run_program_from_stdin(run, false, DIALECT_OTHER);
	else if (checks)
		run_effect(run, EFFECT_USE, &run->argv[at]);
	else
		run_file(run, &run->argv[at], at + 1 < run->argc ? &run->argv[at + 1] : NULL);
}

MODEL(php) = { .name = "php", .reader = interpreter_reader };
MODEL(lua) = { .name = "lua", .reader = interpreter_reader };
MODEL(Rscript) = { .name = "Rscript", .reader = interpreter_reader };
