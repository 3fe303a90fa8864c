/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tools of JavaScript's registry that run, or delete, what their own words say: the command lines of concurrently, the
 * files of tsx and nodemon, the patterns of rimraf (each one's README).
 */
#include "worker/commands/inline.h"
#include "worker/commands/programs/npx.h"
#include "worker/commands/output.h"

/* yargs, commander and their like: no abbreviations, -o=value is -o value. */
#define JS (PARTIAL | NO_ABBREVIATION | EQUALS | PROJECT_TOOL)

enum { TEXT = 1, TESTS = 2 };

static void text_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	inline_node(run, value);
}

/* The file it runs, or its input where there is none; `watch` in front starts it again when it changes. */
static void runs_file(struct run *run)
{
	uint32_t at = run->n_operands && arg_is(&run->operands[0], "watch") ? 1 : 0;

	if (run->bits & TEXT)
		return;
	if (run->bits & TESTS) {
		run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
		for (uint32_t i = 0; i < run->n_operands; i++)
			run_effect(run, EFFECT_RUN_PROJECT, &run->operands[i]);
		return;
	}
	if (at == 1 && run->n_operands > 1 && bytes_start(run->operands[1].text, "-"))
		run_open(run, "what %s watches is not known to the gate", run->model->name);
	else if (at < run->n_operands && !arg_is(&run->operands[at], "-"))
		run_effect(run, EFFECT_EXECUTE, &run->operands[at]);
	else
		run_program_from_stdin(run, false, DIALECT_OTHER);
}

MODEL(tsx) = { .name = "tsx",
	.syntax = POSIX_ORDER | JS,
	.longs = "no-warnings tsconfig= no-cache enable-source-maps",
	.options = OPTIONS{ { "ep", "eval print", REQUIRED, CALL, .set = TEXT },
		{ NULL, "test", NOTHING, IGNORE, .set = TESTS },
		{ NULL, "env-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, { 0 } },
	.option = text_option,
	.special = runs_file };
MODEL(ts_node) = { .name = "ts-node",
	.syntax = POSIX_ORDER | JS,
	.shorts = "TP:",
	.longs = "transpile-only transpileOnly project= esm files pretty swc prefer-ts-exts skip-project type-check",
	.options = OPTIONS{ { "ep", "eval print", REQUIRED, CALL, .set = TEXT }, { 0 } },
	.option = text_option,
	.special = runs_file };

/* npm:NAME is short for `npm run NAME`. */
static bool is_script(struct bytes text)
{
	static const char *const runners[] = { "npm:", "pnpm:", "yarn:", "bun:", "node:", "deno:" };

	for (size_t i = 0; i < ARRAY_LEN(runners); i++)
		if (bytes_start(text, runners[i]))
			return !bytes_char(text, ' ');
	return false;
}

static void runs_texts(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];
		const char *colon = a->text.len ? memchr(a->text.p, ':', a->text.len) : NULL;

		if (!a->is_static) {
			run_open(run, "a command that %s runs is not known before it runs", run->model->name);
		} else if (colon && is_script(a->text)) {
			run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
			run_check_task(run, bytes_from(a->text, (size_t)(colon + 1 - a->text.p)));
		} else {
			run_nested_text(run, a->text, DIALECT_POSIX);
		}
	}
}

MODEL(concurrently) = {
	.name = "concurrently",
	.syntax = JS,
	.shorts = "n:c:ks:rgt:p:l:im:",
	.longs = "names= name-separator= prefix-colors= kill-others kill-others-on-fail kill-signal= success= raw "
		 "no-color hide= group timings prefix= prefix-length= pad-prefix timestamp-format= handle-input "
		 "default-input-target= max-processes= restart-tries= restart-after=",
	.options = OPTIONS{ { NULL, "teardown", REQUIRED, SHELL_TEXT },
		{ "P", "passthrough-arguments", NOTHING, REFUSE, .text = "puts arguments into the commands' texts" },
		{ 0 } },
	.special = runs_texts,
};

/* Operands are names of scripts, perhaps with arguments, or patterns of such names. */
static void runs_scripts(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	for (uint32_t i = 0; i < run->n_operands; i++) {
		struct bytes text = run->operands[i].text;
		const char *blank = text.len ? memchr(text.p, ' ', text.len) : NULL;

		if (!run->operands[i].is_static || blank || bytes_char(text, '/'))
			run_open(run, "what %s is given is not known to the gate", run->model->name);
		run_check_task(run, text);
	}
}

#define SCRIPTS(id, program) MODEL(id) = { .name = program, .syntax = JS, .shorts = "csplrn", .longs = \
	"continue-on-error aggregate-output print-label print-name race silent sequential serial parallel " \
	"max-parallel=", .special = runs_scripts }
SCRIPTS(npm_run_all, "npm-run-all");
SCRIPTS(run_s, "run-s");
SCRIPTS(run_p, "run-p");

/* rm -rf, of patterns too: what is quoted is no pattern of the shell's. */
static void deletes_trees(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++) {
		struct arg a = run->operands[i];

		if (a.is_static && (bytes_char(a.text, '{') || bytes_char(a.text, '(') || bytes_char(a.text, '\\')))
			run_open(run, "what %s deletes is a pattern that the gate does not read", run->model->name);
		if (a.is_static && (bytes_char(a.text, '*') || bytes_char(a.text, '?') || bytes_char(a.text, '['))) {
			const struct word *w = pattern_word(run, a.text, 0);

			if (!w)
				return;
			a = arg_of_word(w);
		}
		run_effect(run, EFFECT_DELETE_TREE, &a);
	}
}

MODEL(rimraf) = {
	.name = "rimraf",
	.syntax = JS,
	.shorts = "gGvVi",
	.longs = "glob no-glob preserve-root verbose no-verbose version interactive no-interactive backoff= "
		 "max-retries= retry-delay= impl=",
	.options = OPTIONS{ { NULL, "no-preserve-root", NOTHING, REFUSE, .text = "would delete the root too" },
		{ NULL, "tmp", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE }, { 0 } },
	.special = deletes_trees,
};

/* -x TEXT [FILE]: both are one text for a shell. */
static void exec_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	run->chosen = *value;
}

static void starts_again(struct run *run)
{
	struct bytes rest;

	if (!(run->bits & TEXT)) {
		if (run->n_operands)
			run_effect(run, EFFECT_EXECUTE, &run->operands[0]);
		else
			run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
		return;
	}
	if (!run->chosen.is_static || !run_join_args(run, run->operands, run->n_operands, &rest)) {
		run_open(run, "what %s runs is not known before it runs", run->model->name);
		return;
	}
	run_nested_text(run, run_join(run, run_join(run, run->chosen.text, BYTES(" ")), rest), DIALECT_POSIX);
}

MODEL(nodemon) = {
	.name = "nodemon",
	.syntax = POSIX_ORDER | JS,
	.shorts = "w:e:i:d:s:VqLCI",
	.longs = "watch= ext= ignore= delay= signal= verbose quiet legacy-watch on-change-only no-stdin exitcrash "
		 "no-colours no-update-notifier dump spawn polling-interval=",
	.options = OPTIONS{ { "x", "exec", REQUIRED, CALL, .set = TEXT },
		{ NULL, "config cwd", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT }, { 0 } },
	.option = exec_option,
	.special = starts_again,
};

/* The variables of a file, for the command behind. */
MODEL(dotenv) = {
	.name = "dotenv",
	.syntax = POSIX_ORDER | JS,
	.shorts = "oc::q",
	.longs = "override quiet cascade?= no-expand",
	.options = OPTIONS{ { "e", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
		{ "v", NULL, REQUIRED, REFUSE, .text = "-v sets a variable" },
		{ "p", "debug", NOTHING, REFUSE, .text = "prints variables of the file" }, { 0 } },
	.wrapping = WRAPPING{ .bare = "without a command is not known to the gate" },
};

/* What is counted is another command; a module that is loaded first is the project's, or lies where its path says. */
static void module_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static || bytes_char(value->text, ':'))
		run_open(run, "what %s loads first is not known before it runs", run->model->name);
	else if (strchr("./~", value->text.len ? value->text.p[0] : '.'))
		run_effect(run, EFFECT_RUN_PROJECT, value);
}

static void counts_lines(struct run *run)
{
	static const struct wrapping wrapping = { 0 };

	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	if (run->n_operands && !(run->operands[0].is_static && in_list(run->operands[0].text, "report check-coverage")))
		run_wrapping(run, &wrapping);
}

#define COVERS(id, program) MODEL(id) = { .name = program, .syntax = POSIX_ORDER | JS, .shorts = "ar:x:n:e:s", \
	.longs = "all reporter= exclude= include= extension= src= check-coverage lines= branches= functions= " \
	"statements= per-file skip-full silent cache no-cache clean no-clean source-map produce-source-map " \
	"instrument show-process-tree exclude-after-remap merge-async 100 allowExternal omit-relative", \
	.options = OPTIONS{ { "i", "require", REQUIRED, CALL }, \
		{ "o", "report-dir reports-dir temp-dir temp-directory nycrc-path config cwd", REQUIRED, \
			EFFECT_OF_VALUE, EFFECT_RUN_PROJECT }, \
		{ 0 } }, \
	.option = module_option, .special = counts_lines }
COVERS(nyc, "nyc");
COVERS(c8, "c8");
