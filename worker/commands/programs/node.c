/* SPDX-License-Identifier: Apache-2.0 */
/* The JavaScript runners: npm, pnpm, yarn, bun, npx and node. Scripts of package.json are the project's own
 * code. */
#include "policy/text/fold.h"
#include "worker/commands/inline.h"
#include "worker/commands/model.h"
#include "worker/commands/programs/npx.h"
#include "worker/commands/programs/shown_settings.h"

#define RUNS RULES{ { ALWAYS, EFFECT_RUN_PROJECT }, { END } }
#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }
#define PURE RULES{ { ALWAYS, EFFECT_PURE }, { END } }
/* init NAME runs the package create-NAME. */
#define BEGINS RULES{ { ABSENT, EFFECT_WRITE, .text = "package.json" }, { FIRST, EFFECT_RUN_FETCHED }, { END } }

/*
 * What one installs by, behind NAME@ where it gets another name: an address or another forge, a directory or an archive
 * that lies here, or a name of the registry (npm-package-arg's own rules).
 */
static void installs_one(struct run *run, const struct arg *a)
{
	const char *at = a->text.len > 1 ? memchr(a->text.p + 1, '@', a->text.len - 1) : NULL;
	struct arg spec = *a;

	if (at && a->text.p[0] != '.' && a->text.p[0] != '/' && a->text.p[0] != '~' && !bytes_find(a->text, "://"))
		spec.text = bytes_from(a->text, (size_t)(at + 1 - a->text.p));
	if (bytes_start(spec.text, "file:") || bytes_start(spec.text, "link:"))
		spec.text = bytes_from(spec.text, strlen("file:"));
	else if (js_from_outside(spec.text)) {
		run_effect(run, EFFECT_INSTALL_OUTSIDE, a);
		return;
	} else if (!bytes_start(spec.text, ".") && !bytes_start(spec.text, "/") && !bytes_start(spec.text, "~/") &&
		!fold_ends(spec.text, ".tgz") && !fold_ends(spec.text, ".tar.gz") && !fold_ends(spec.text, ".tar")) {
		run_effect(run, EFFECT_INSTALL_REGISTRY, a);
		return;
	}
	run_effect(run, EFFECT_INSTALL_PROJECT, &spec);
}

static void installs(struct run *run)
{
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_INSTALL_PROJECT, ".");
	for (uint32_t i = 0; i < run->n_operands; i++)
		installs_one(run, &run->operands[i]);
}

enum { INSTALLED = 1 }; /* --no-install keeps to what is here */

static void runs_tool(struct run *run)
{
	run_js_tool(run, run->operands, run->n_operands, run->bits & INSTALLED);
}

/* Whatever the project has: the package of that name is fetched (pnpm-dlx, yarn dlx). */
static void fetches_tool(struct run *run)
{
	if (run->n_operands && js_name_is_anothers(run->operands[0].text))
		run_open(run, "the registry's package of that name is not the tool's");
	runs_tool(run);
}

/* -p PACKAGE: one of which the tools are as common as their names. */
static void package_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static || !(js_tool_is_known(value->text) || bytes_is(value->text, "typescript")))
		run_open(run, "npx -p fetches a package to run");
}

/* What is in the project's own directory of programs, or in PATH: nothing is fetched. */
static void runs_installed(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	if (run->n_operands && !run->operands[0].is_static)
		run_nested_words(run, run->operands, run->n_operands);
	else
		run_js_tool(run, run->operands, run->n_operands, true);
}

#define NPM_LONGS "silent quiet verbose loglevel= json long parseable production omit= include= " \
	"save save-dev save-exact save-optional save-peer no-save no-audit no-fund audit fund " \
	"force legacy-peer-deps strict-peer-deps ignore-scripts if-present prefer-offline " \
	"prefer-online offline no-optional no-package-lock package-lock-only package-lock " \
	"workspaces include-workspace-root dry-run progress no-progress depth= all prod dev " \
	"location= yes no-bin-links foreground-scripts tag= access= otp= provenance " \
	"color?= no-color maxsockets= fetch-retries= fetch-timeout= audit-level= " \
	"install-strategy= no-update-notifier engine-strict global-style noproxy= timing usage"
#define NPM_OPTIONS OPTIONS{ { "g", "global", NOTHING, IGNORE, .set = 2 }, \
	{ "C", "prefix dir cwd", REQUIRED, DIRECTORY }, \
	{ "w", "workspace", REQUIRED, IGNORE }, \
	{ NULL, "registry", REQUIRED, REFUSE, .text = "--registry takes packages from elsewhere" }, \
	{ NULL, "script-shell userconfig globalconfig node-options", REQUIRED, REFUSE, .text = "takes a " \
	"program or configuration from elsewhere" }, \
	{ "p", "package", REQUIRED, REFUSE, .text = "-p fetches a package to run" }, \
	{ "c", "call", REQUIRED, SHELL_TEXT }, \
	{ 0 } }

/*
 * A script of the manifest: the project's own code, unless its name says that it reaches further. What stands behind
 * its name goes to the tool that the script runs, so that it is read as a tool's words are.
 */
static void runs_named_script(struct run *run, struct bytes name, uint32_t from)
{
	struct run tool = *run;

	tool.argv = run->operands + from;
	tool.argc = run->n_operands - from;
	run_project_tool_named(&tool, name);
	run->failed = tool.failed;
	run_check_task(run, name);
	if (bytes_is(name, "release"))
		run_open(run, "a script that is called release publishes what it makes");
}

static void runs_script(struct run *run)
{
	if (run->n_operands && run->operands[0].is_static)
		runs_named_script(run, run->operands[0].text, 1);
	else
		run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
}

/* yarn run and bun run take a package's program where there is no such script. */
static void runs_script_or_tool(struct run *run)
{
	runs_script(run);
	if (run->n_operands && run->operands[0].is_static && js_tool_is_known(run->operands[0].text))
		run_js_tool(run, run->operands, run->n_operands, true);
}

/* The subcommand is the name: `npm test`, `pnpm lint`. */
static void runs_its_script(struct run *run)
{
	const struct bytes program = run->out->program;
	const char *blank = program.len ? memrchr(program.p, ' ', program.len) : NULL;

	runs_named_script(run, blank ? bytes_from(program, (size_t)(blank + 1 - program.p)) : program, 0);
}

/* Of the settings only showing: npm itself keeps tokens from what it lists. */
static const struct command_model npm_config[] = {
	{ .name = "list|ls", .syntax = PARTIAL, .shorts = "l", .longs = "json long", .rules = STATUS,
		.special = run_lists_settings },
	{ .name = "get", .syntax = PARTIAL, .longs = "json", .rules = STATUS, .special = run_shows_setting },
	{ 0 },
};
static const struct command_model npm[] = {
	{ .name = "config|c", .syntax = POSIX_ORDER | PARTIAL, .subcommands = npm_config },
	{ .name = "run|run-script|rum|urn", .syntax = PARTIAL, .special = runs_script },
	{ .name = "test|t|tst|start|stop|restart|build|rebuild|rb", .syntax = PARTIAL, .special = runs_its_script },
	{ .name = "install|i|add|in|ins|isntall|install-test|it|ci|clean-install|ic|install-clean|install-ci-"
		  "test|cit|update|up|upgrade|udpate|dedupe|ddp|prune",
		.syntax = PARTIAL,
		.special = installs },
	{ .name = "uninstall|remove|rm|r|un|unlink",
		.syntax = PARTIAL,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT, .unless = 2 },
			{ EACH, EFFECT_PACKAGE_REMOVE, .when = 2 }, { END } } },
	{ .name = "ls|list|la|ll|outdated|view|info|show|v|audit|explain|why|fund|root|prefix|bin|ping|"
		  "whoami|search|s|se|find|doctor|query|sbom|docs|repo|bugs|diff|help|"
		  "--version",
		.syntax = PARTIAL,
		.rules = STATUS },
	{ .name = "init|create|innit",
		.syntax = PARTIAL,
		.shorts = "y",
		.longs = "yes scope=",
		.rules = BEGINS },
	{ .name = "version|pkg|shrinkwrap|set-script",
		.syntax = PARTIAL,
		.longs = "no-git-tag-version allow-same-version preid= message= git-tag-version?=",
		.rules = RULES{ { ALWAYS, EFFECT_WRITE, .text = "package.json" }, { END } } },
	{ .name = "pack", .syntax = PARTIAL, .longs = "pack-destination=", .rules = RUNS },
	{ .name = "exec|x", .syntax = POSIX_ORDER | PARTIAL, .special = runs_tool, .longs = "yes" },
	{ .name = "cache", .syntax = PARTIAL, .rules = STATUS },
	{ .name = "link|ln", .syntax = PARTIAL, .special = installs },
	{ .name = "publish|unpublish|deprecate|dist-tag|star|owner|access|team|org",
		.syntax = PARTIAL,
		.special = run_publishes },
	{ 0 },
};
MODEL(npm) = {
	.name = "npm",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK | INHERITED,
	.shorts = "sdqDESOPBfyvlL",
	.longs = NPM_LONGS,
	.options = NPM_OPTIONS,
	.subcommands = npm,
};
MODEL(npx) = {
	.name = "npx",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "yq",
	.longs = "yes quiet no-update-notifier",
	.special = runs_tool,
	.option = package_option,
	.options = OPTIONS{ { NULL, "no-install no", NOTHING, IGNORE, .set = INSTALLED },
		{ "p", "package", REQUIRED, CALL },
		{ "c", "call", REQUIRED, SHELL_TEXT },
		{ NULL, "registry", REQUIRED, REFUSE, .text = "--registry takes packages from elsewhere" },
		{ 0 } },
};

/* The words from `at` on, as yarn's own in another directory of the project. */
static void as_yarn(struct run *run, uint32_t at)
{
	struct run inner = *run;

	if (at >= run->n_operands)
		return;
	if (bytes_start(run->operands[at].text, "-")) {
		run_open(run, "what yarn runs in a workspace is not known to the gate");
		return;
	}
	inner.model = &model_yarn;
	inner.argv = run->operands + at;
	inner.argc = run->n_operands - at;
	inner.bits = 0;
	model_yarn.reader(&inner);
	run->failed = inner.failed;
}

static void in_workspace(struct run *run)
{
	as_yarn(run, 1);
}

static void in_each_workspace(struct run *run)
{
	as_yarn(run, 0);
}

static const struct command_model workspaces[] = {
	{ .name = "foreach",
		.syntax = POSIX_ORDER | PARTIAL | NO_ABBREVIATION,
		.shorts = "ARWpitvj:",
		.longs = "all recursive worktree parallel interlaced topological topological-dev verbose jobs= "
			 "include= exclude= from= since?= no-private dry-run",
		.special = in_each_workspace },
	{ .name = "run", .syntax = POSIX_ORDER, .special = runs_script_or_tool },
	{ .name = "list|info", .syntax = PARTIAL, .shorts = "Rv", .longs = "json recursive verbose since?=",
		.rules = STATUS },
	{ .name = "focus",
		.syntax = PARTIAL,
		.shorts = "A",
		.longs = "all production json",
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } } },
	{ 0 },
};

/* pnpm, yarn and bun run a script of package.json by its bare name too. */
static const struct command_model pnpm[] = {
	{ .name = "config|c", .syntax = POSIX_ORDER | PARTIAL, .subcommands = npm_config },
	{ .name = "run|run-script", .syntax = POSIX_ORDER | PARTIAL, .special = runs_script_or_tool },
	{ .name = "test|t|tst|start|build|lint|dev|typecheck|check|format|fmt|e2e|coverage|"
		  "clean|generate|codegen|compile|preview|storybook|prepare|watch|vsix|docs|bench|release:"
		  "check|test:unit|test:e2e|test:integration|type-check|lint:fix|format:check|ci|validate|"
		  "verify|rebuild|rb",
		.syntax = NO_OPTIONS,
		.special = runs_its_script },
	{ .name = "exec", .syntax = POSIX_ORDER | PARTIAL, .special = runs_installed },
	{ .name = "install|i|add|update|up|upgrade|dedupe|prune|fetch|import|link|ln|remove|rm|uninstall|"
		  "un",
		.syntax = PARTIAL,
		.special = installs,
		.longs = "frozen-lockfile no-frozen-lockfile immutable lockfile-only prefer-frozen-lockfile "
			 "shamefully-hoist dev exact optional peer latest interactive check-cache mode= "
			 "non-interactive pure-lockfile network-timeout= save-catalog production no-save "
			 "backend=" },
	{ .name = "dlx", .syntax = POSIX_ORDER | PARTIAL, .special = fetches_tool },
	{ .name = "x", .syntax = POSIX_ORDER | PARTIAL, .special = runs_tool },
	{ .name = "create|init", .syntax = POSIX_ORDER | PARTIAL, .rules = BEGINS },
	{ .name = "workspace", .syntax = POSIX_ORDER, .special = in_workspace },
	{ .name = "workspaces", .syntax = POSIX_ORDER, .subcommands = workspaces },
	{ .name = "ls|list|la|ll|outdated|why|audit|info|view|root|bin|store|licenses|doctor|cache|pm|"
		  "--version|-v",
		.syntax = PARTIAL,
		.rules = STATUS,
		.longs = "recursive depth= json all" },
	{ .name = "publish|npm", .syntax = PARTIAL, .special = run_publishes },
	{ .name = "pack|version|deploy", .syntax = PARTIAL, .rules = RUNS },
	{ 0 },
};
#define PNPM_LONGS NPM_LONGS " recursive parallel stream aggregate-output " \
	"no-bail workspace-root reporter= filter-prod= changed-files-ignore-pattern= " \
	"workspace-concurrency= sequential test-pattern= elide-lines= bun smol watch hot " \
	"verbose-logs top-level"
#define PNPM(id, program, hook) static const struct command_model id##_commands = { .name = program, .special = hook, .syntax = \
	POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK | INHERITED, .shorts = "rDEPOWs", .longs = \
	PNPM_LONGS, .subcommands = pnpm, .options = OPTIONS{ { "F", "filter", REQUIRED, IGNORE }, \
	{ "g", "global", NOTHING, IGNORE, .set = 2 }, \
	{ "C", "dir cwd prefix", REQUIRED, DIRECTORY }, \
	{ NULL, "registry", REQUIRED, REFUSE, .text = "--registry takes packages from elsewhere" }, \
	{ "c", "shell-mode", NOTHING, REFUSE, .text = "runs a text in a shell" }, \
	{ 0 } } }
static void yarn_alone(struct run *run)
{
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_INSTALL_PROJECT, ".");
}

/* A name that is none of its commands is a script's, or a tool's that the project has: then it is both. */
static void by_tool_name(struct run *run)
{
	const struct arg *first = run->argc ? &run->argv[0] : NULL;
	const struct command_model *commands = run->model->more;

	if (first && first->is_static && js_tool_is_known(first->text) && !run_has_subcommand(commands, first->text)) {
		run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
		run_js_tool(run, run->argv, run->argc, true);
		return;
	}
	run_model(run, commands);
}

PNPM(pnpm, "pnpm", NULL);
PNPM(yarn, "yarn", yarn_alone);
MODEL(pnpm) = { .name = "pnpm", .reader = by_tool_name, .more = &pnpm_commands };
MODEL(yarn) = { .name = "yarn", .reader = by_tool_name, .more = &yarn_commands };
/* bun run takes a script of package.json, or a file. */
static void bun_runs(struct run *run)
{
	const struct arg *first = run->n_operands ? &run->operands[0] : NULL;

	runs_script_or_tool(run);
	if (first && arg_is(first, "-"))
		run_program_from_stdin(run, false, DIALECT_OTHER);
	if (first && bytes_char(first->text, '/'))
		run_effect(run, EFFECT_RUN_PROJECT, first);
}

static const struct command_model bun[] = {
	{ .name = "run|test|build",
		.syntax = POSIX_ORDER | PARTIAL,
		.special = bun_runs,
		.options = OPTIONS{ { "e", "eval", REQUIRED, REFUSE, .text = "-e runs a text" },
			{ NULL, "preload require", REQUIRED, REFUSE, .text = "loads other code" }, { 0 } } },
	{ .name = "install|i|add|a|update|remove|rm|ci|link|unlink",
		.syntax = PARTIAL,
		.special = installs,
		.shorts = "dD",
		.longs = "frozen-lockfile dev exact production no-save optional latest" },
	{ .name = "x", .syntax = POSIX_ORDER | PARTIAL, .special = runs_tool },
	{ .name = "create|init", .syntax = POSIX_ORDER | PARTIAL, .rules = BEGINS },
	{ .name = "pm|outdated|audit|why|info|--version|-v|--revision", .syntax = PARTIAL, .rules = STATUS },
	{ .name = "publish", .syntax = PARTIAL, .special = run_publishes },
	{ 0 },
};
static const struct command_model bun_model = {
	.name = "bun",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK | INHERITED,
	.longs = PNPM_LONGS,
	.subcommands = bun,
	.options =
		OPTIONS{ { "F", "filter", REQUIRED, IGNORE }, { NULL, "cwd", REQUIRED, DIRECTORY }, { 0 } },
};

static void bun_reader(struct run *run)
{
	const struct arg *first = run->argc ? &run->argv[0] : NULL;

	if (first && first->is_static &&
		(bytes_end(first->text, ".ts") || bytes_end(first->text, ".js") ||
			bytes_end(first->text, ".tsx") || bytes_end(first->text, ".mjs")))
		run_effect(run, EFFECT_EXECUTE, first);
	else if (first && first->is_static && in_list(first->text, "-e --eval -p --print") && run->argc > 1)
		inline_node(run, &run->argv[1]);
	else if ((!first || arg_is(first, "-")) && run->invocation->input != INPUT_INHERITED)
		run_program_from_stdin(run, false, DIALECT_OTHER);
	else
		run_model(run, run->model->more);
}

MODEL(bun) = { .name = "bun", .reader = bun_reader, .more = &bun_model };
MODEL(bunx) = {
	.name = "bunx", .syntax = POSIX_ORDER | PARTIAL, .longs = "bun verbose", .special = runs_tool
};
MODEL(pnpx) = { .name = "pnpx", .syntax = POSIX_ORDER | PARTIAL, .longs = "silent", .special = fetches_tool };

/* node [options] [script] [arguments]; -e, -p take a text; without either it reads its input. */
enum { TEXT = 1, CHECK = 2, TESTS = 4, PRINTS = 16, SCRIPT = 32 };

static void node_text(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	if (!rule->text)
		inline_node(run, value);
	/* One of another name is a module that is loaded. */
	else if (!value->is_static || !in_list(value->text, "spec tap dot junit lcov"))
		run_open(run, "--test-reporter loads other code");
}

static void node_command(struct run *run)
{
	if (run->bits & SCRIPT)
		run_project_words(run, run->operands, run->n_operands);
	if (run->bits & (TEXT | SCRIPT))
		return;
	/* node -p TEXT, and -pe TEXT, which is -p -e. */
	if ((run->bits & PRINTS) && run->n_operands) {
		inline_node(run, &run->operands[0]);
		return;
	}
	if (run->bits & TESTS) {
		run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
		for (uint32_t i = 0; i < run->n_operands; i++)
			run_effect(run, EFFECT_RUN_PROJECT, &run->operands[i]);
		return;
	}
	if (run->n_operands && !arg_is(&run->operands[0], "-")) {
		run_effect(run, run->bits & CHECK ? EFFECT_USE : EFFECT_EXECUTE, &run->operands[0]);
		return;
	}
	if (run->n_operands == 0 && run->n_options && !(run->bits & (8 | PRINTS)))
		return;
	if (run->invocation->input == INPUT_TEXT && run->invocation->input_word &&
		run->invocation->input_word->is_static) {
		struct arg text = { .text = run->invocation->input_word->value, .is_static = true };

		run->out->stdin_role = STDIN_PROGRAM;
		inline_node(run, &text);
		return;
	}
	run_program_from_stdin(run, false, DIALECT_OTHER);
}

MODEL(node) = {
	.name = "node",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "vh",
	.option = node_text,
	.special = node_command,
	.longs =
		"no-warnings max-old-space-size= input-type= trace-warnings trace-deprecation no-deprecation "
		"throw-deprecation enable-source-maps expose-gc stack-trace-limit= preserve-symlinks "
		"unhandled-rejections= v8-options abort-on-uncaught-exception trace-uncaught",
	.options = OPTIONS{ { "e", "eval", REQUIRED, CALL, .set = TEXT },
		{ "p", "print", NOTHING, IGNORE, .set = PRINTS },
		{ "c", "check", NOTHING, IGNORE, .set = CHECK },
		{ NULL, "test", NOTHING, IGNORE, .set = TESTS },
		{ NULL,
			"experimental-strip-types experimental-vm-modules experimental-test-coverage "
			"experimental-transform-types",
			NOTHING, IGNORE, .set = 8 },
		{ NULL, "test-name-pattern test-concurrency test-timeout", REQUIRED, IGNORE },
		{ NULL, "test-only", NOTHING, IGNORE },
		{ NULL, "test-reporter", REQUIRED, CALL, .text = "reporter" },
		{ "r", "require import loader experimental-loader", REQUIRED, REFUSE,
			.text = "loads other code first" },
		{ NULL, "inspect inspect-brk", OPTIONAL, REFUSE, .text = "opens a debugger" },
		{ NULL, "run", REQUIRED, EFFECT_FIXED, EFFECT_RUN_PROJECT, SCRIPT, "." },
		{ NULL, "env-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, { 0 } },
};
static void deno_runs(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	for (uint32_t i = 0; i < run->n_operands; i++)
		run_effect(run,
			bytes_find(run->operands[i].text, "://") ? EFFECT_RUN_FETCHED : EFFECT_RUN_PROJECT,
			&run->operands[i]);
}

static const struct command_model deno[] = {
	{ .name = "test|check|lint|fmt|bench|task|cache|doc|info",
		.syntax = PARTIAL | EQUALS,
		.shorts = "A",
		.longs = "allow-all allow-read?= allow-env?= check unstable quiet coverage?= filter= no-lock",
		.special = deno_runs },
	{ 0 },
};
/* Alone it runs what it reads. */
static void deno_alone(struct run *run)
{
	if (run->n_operands == 0)
		run_program_from_stdin(run, false, DIALECT_OTHER);
}

MODEL(deno) = {
	.name = "deno",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK,
	.special = deno_alone,
	.subcommands = deno,
};

/* Run by the name that the project's package puts into the path. */
#define TOOL(id, program) MODEL(id) = { .name = program, .reader = run_project_tool, .syntax = \
	PROJECT_TOOL }

TOOL(tsc, "tsc");
TOOL(eslint, "eslint");
TOOL(prettier, "prettier");
TOOL(jest, "jest");
TOOL(vitest, "vitest");
TOOL(mocha, "mocha");
TOOL(playwright, "playwright");
TOOL(vite, "vite");
TOOL(webpack, "webpack");
TOOL(rollup, "rollup");
TOOL(esbuild, "esbuild");
TOOL(next, "next");
TOOL(turbo, "turbo");
TOOL(nx, "nx");
TOOL(biome, "biome");
TOOL(vue_tsc, "vue-tsc");
TOOL(ng, "ng");
TOOL(lerna, "lerna");
TOOL(tsup, "tsup");
TOOL(svelte_check, "svelte-check");
MODEL(corepack) = { .name = "corepack",
	.syntax = NO_OPTIONS,
	.rules = RULES{ { ALWAYS, EFFECT_INSTALL_REGISTRY, .text = "corepack" }, { END } } };
