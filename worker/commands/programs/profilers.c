/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that run another one and watch, time, repeat or record it. */
#include "worker/commands/model.h"

/* A tool is a program beside valgrind's own, found by its name: with a slash in it, anywhere. */
static void valgrind_tool(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static || bytes_char(value->text, '/'))
		run_open(run, "valgrind is given a tool that may lie anywhere");
}

/* --trace-children and --vgdb concern the program; --log-file and --xml-file are written; a suppression file is read. */
MODEL(valgrind) = {
	.name = "valgrind",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "qv",
	.option = valgrind_tool,
	.longs = "leak-check= show-leak-kinds= track-origins= num-callers= error-exitcode= quiet verbose "
		 "show-reachable= undef-value-errors= leak-resolution= trace-children= gen-suppressions= "
		 "dump-instr= collect-jumps= cache-sim= branch-sim= time-unit= threshold= max-snapshots= "
		 "child-silent-after-fork= errors-for-leak-kinds= read-var-info= free-fill= malloc-fill= "
		 "main-stacksize=",
	.options = OPTIONS{ { NULL, "tool", REQUIRED, CALL },
		{ NULL,
				    "log-file xml-file callgrind-out-file massif-out-file cachegrind-out-file dhat-out-file",
				    REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ NULL, "suppressions", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, { 0 } },
	.wrapping = WRAPPING{ .skip = 0 },
};
/* bear -- COMMAND writes compile_commands.json. */
MODEL(bear) = {
	.name = "bear",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "v",
	.longs = "append verbose force-preload force-wrapper",
	.options = OPTIONS{ { "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.rules = RULES{ { ALWAYS, EFFECT_CREATE, .text = "compile_commands.json" }, { END } },
	.wrapping = WRAPPING{ .skip = 0 },
};

/* Each operand of hyperfine is a text for a shell. */
static void hyperfine_command(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (run->operands[i].is_static)
			run_nested_text(run, run->operands[i].text, DIALECT_POSIX);
		else
			run_open(run, "hyperfine runs a command that is not known before it runs");
}

MODEL(hyperfine) = {
	.name = "hyperfine",
	.syntax = PARTIAL,
	.shorts = "w:m:M:r:Niu:n:",
	.longs = "warmup= min-runs= max-runs= runs= ignore-failure time-unit= command-name= show-output style= sort=",
	.options = OPTIONS{ { "psc", "prepare setup cleanup conclude", REQUIRED, SHELL_TEXT },
		{ NULL, "export-json export-csv export-markdown export-asciidoc export-orgmode", REQUIRED,
			EFFECT_OF_VALUE, EFFECT_WRITE },
		{ 0 } },
	.special = hyperfine_command,
};
/* cross-env NAME=VALUE… COMMAND; cross-env-shell reads a text. */
MODEL(cross_env) = { .name = "cross-env", .syntax = POSIX_ORDER | PROJECT_TOOL, .wrapping = WRAPPING{ .assigns = true } };
/* The names of changed files come from the input; -s runs the one argument by a shell. */
MODEL(entr) = {
	.name = "entr",
	.syntax = POSIX_ORDER | NO_LONG,
	.shorts = "acdnprz",
	.options = OPTIONS{ { "s", NULL, NOTHING, REFUSE, .text = "-s runs a text by a shell" }, { 0 } },
	.wrapping = WRAPPING{ .skip = 0 },
	.input = STDIN_COUNTED,
};
static const struct command_model perf[] = {
	{ .name = "stat",
		.syntax = POSIX_ORDER | PARTIAL,
		.shorts = "e:r:dvB",
		.longs = "event= repeat= detailed verbose null",
		.options = OPTIONS{ { "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
		.wrapping = WRAPPING{ .skip = 0 } },
	{ .name = "record",
		.syntax = POSIX_ORDER | PARTIAL,
		.shorts = "e:F:gqvc:",
		.longs = "event= freq= call-graph= quiet verbose count=",
		.options = OPTIONS{ { "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
			{ "pt", "pid tid", REQUIRED, EFFECT_OF_VALUE, EFFECT_ATTACH }, { 0 } },
		.rules = RULES{ { ALWAYS, EFFECT_WRITE, .text = "perf.data" }, { END } },
		.wrapping = WRAPPING{ .skip = 0 } },
	{ .name = "list|version|help", .syntax = PARTIAL, .rules = RULES{ { ALWAYS, EFFECT_STATUS }, { END } } },
	{ 0 },
};
MODEL(perf) = { .name = "perf", .syntax = POSIX_ORDER | PARTIAL, .subcommands = perf };
