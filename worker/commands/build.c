/* SPDX-License-Identifier: Apache-2.0 */
/* Compilers and build systems: make, cmake, ninja, meson, gcc, java, maven, gradle, dotnet and
 * others. */
#include "worker/commands/model.h"

#define RUNS RULES{ { ALWAYS, EFFECT_RUN_PROJECT }, { END } }
#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }
#define PURE RULES{ { ALWAYS, EFFECT_PURE }, { END } }

/* make runs what the makefile of the directory says; assignments on its line become variables of it. */
static void make_command(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		if (a->is_static && in_list(a->text, "install uninstall publish deploy"))
			run_open(run, "make %.*s reaches outside the project", (int)a->text.len, a->text.p);
		/* SHELL and MAKEFLAGS decide what runs; $( ) in a value is run by make. */
		if (bytes_start(a->text, "SHELL=") || bytes_start(a->text, "MAKEFLAGS=") ||
			bytes_start(a->text, ".SHELLFLAGS=") ||
			(bytes_char(a->text, '=') && bytes_char(a->text, '$')) || bytes_find(a->text, ":::="))
			run_open(run, "a variable on make's line decides what it runs");
	}
}

MODEL(make) = {
	.name = "make",
	.syntax = PARTIAL,
	.shorts = "bmBdeij::kl::L::nO::pqrRsStvwW:o:",
	.special = make_command,
	.longs = "always-make debug?= environment-overrides ignore-errors jobs?= keep-going load-average?= "
		 "max-load?= check-symlink-times just-print dry-run recon output-sync?= print-data-base "
		 "question no-builtin-rules no-builtin-variables silent quiet no-keep-going stop touch trace "
		 "print-directory no-print-directory what-if= new-file= assume-new= old-file= assume-old= "
		 "warn-undefined-variables shuffle?=",
	.options = OPTIONS{ { "C", "directory", REQUIRED, DIRECTORY },
		{ "f", "file makefile", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT },
		{ "I", "include-dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT },
		{ "E", "eval", REQUIRED, REFUSE, .text = "--eval runs a text" }, { 0 } },
};
MODEL(ninja) = {
	.name = "ninja",
	.syntax = PARTIAL,
	.shorts = "vnj:k:l:d:t:w:h",
	.longs = "verbose quiet version",
	.rules = RUNS,
	.options = OPTIONS{ { "C", NULL, REQUIRED, DIRECTORY },
		{ "f", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT }, { 0 } },
};
static void meson_command(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	for (uint32_t i = 1; i < run->n_operands; i++)
		run_effect(run, EFFECT_RUN_PROJECT, &run->operands[i]);
}

MODEL(meson) = {
	.name = "meson",
	.syntax = PARTIAL,
	.shorts = "D:vj:t:q",
	.special = meson_command,
	.longs = "buildtype= prefix= reconfigure wipe fatal-meson-warnings suite= print-errorlogs list "
		 "no-rebuild num-processes= repeat= timeout-multiplier= verbose quiet jobs= default-library= "
		 "warnlevel= werror strip unity= optimization= clean targets all buildoptions introspection "
		 "dependencies tests auto-features= no-suite= clearcache benchmark destdir= no-stdsplit "
		 "skip-subprojects?=",
	.options = OPTIONS{ { "C", NULL, REQUIRED, DIRECTORY },
		{ NULL, "wrap wrapper gdb setup", REQUIRED, REFUSE, .text = "runs a program of its line" },
		{ NULL, "native-file cross-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT }, { 0 } },
};

/* cmake -E runs a command; -P runs a script of the project's. */
MODEL(cmake) = {
	.name = "cmake",
	.syntax = PARTIAL | NO_ABBREVIATION,
	.shorts = "G:D:U:T:A:j::vNLt:W:",
	.rules = RULES{ { ALWAYS, EFFECT_RUN_PROJECT }, { EACH, EFFECT_RUN_PROJECT }, { END } },
	.longs = "parallel?= target= config= clean-first verbose preset= list-presets?= fresh log-level= "
		 "trace trace-expand warn-uninitialized component= strip debug-output "
		 "resolve-package-references= workflow graphviz-not= no-warn-unused-cli",
	.options = OPTIONS{ { "SB", "build open-dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT },
		{ NULL, "install", REQUIRED, REFUSE, .text = "--install writes to the prefix" },
		{ "C", "toolchain", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT },
		{ "EP", NULL, NOTHING, REFUSE, .text = "-E and -P run other commands" }, { 0 } },
};
MODEL(ctest) = {
	.name = "ctest",
	.syntax = PARTIAL | NO_ABBREVIATION,
	.shorts = "VvQNj::R:E:L:C:I:F",
	.longs = "output-on-failure verbose extra-verbose parallel?= timeout= rerun-failed test-dir= preset= "
		 "repeat= stop-on-failure show-only?= progress quiet no-tests= schedule-random",
	.rules = RUNS,
};

#define TOOL(id, program) MODEL(id) = { .name = program, .reader = run_project_tool, .syntax = \
	PROJECT_TOOL }
TOOL(golangci_lint, "golangci-lint");
TOOL(staticcheck, "staticcheck");
TOOL(gotestsum, "gotestsum");
TOOL(goimports, "goimports");

/* gcc and clang: reading sources, writing objects; plugins, wrappers and specs run other programs. */
static void cc_reader(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];
		struct arg value = *a;

		if (!a->is_static && a->text.len == 0 && !(a->flags & WORD_GLOB)) {
			run_open(run, "a word of the compiler is not known before it runs");
		} else if (bytes_start(a->text, "-o")) {
			value.text = bytes_from(a->text, 2);
			if (!value.text.len && i + 1 < run->argc)
				value = run->argv[++i];
			run_effect(run, EFFECT_WRITE, &value);
		} else if (bytes_start(a->text, "-B") || bytes_start(a->text, "-wrapper") ||
			bytes_start(a->text, "-fplugin") || bytes_start(a->text, "-specs") ||
			bytes_start(a->text, "--specs") || bytes_start(a->text, "-Xclang") ||
			bytes_start(a->text, "-load") || bytes_start(a->text, "@") ||
			bytes_start(a->text, "-fuse-ld=/") || bytes_start(a->text, "-no-canonical") ||
			bytes_start(a->text, "--config")) {
			run_open(run, "an option of the compiler may run another program");
		} else if (a->text.len && a->text.p[0] != '-') {
			run_effect(run, EFFECT_USE, a);
		} else if (bytes_is(a->text, "-x") || bytes_is(a->text, "-include") ||
			bytes_is(a->text, "-I") || bytes_is(a->text, "-L") || bytes_is(a->text, "-l") ||
			bytes_is(a->text, "-D") || bytes_is(a->text, "-isystem") ||
			bytes_is(a->text, "-MF") || bytes_is(a->text, "-MT")) {
			i++;
		}
	}
	run_effect_fixed(run, EFFECT_CREATE, ".");
	run->out->stdin_role = STDIN_READ;
}

MODEL(gcc) = { .name = "gcc", .reader = cc_reader };
MODEL(gxx) = { .name = "g++", .reader = cc_reader };
MODEL(clang) = { .name = "clang", .reader = cc_reader };
MODEL(clangxx) = { .name = "clang++", .reader = cc_reader };
MODEL(cc) = { .name = "cc", .reader = cc_reader };
TOOL(clang_format, "clang-format");
TOOL(clang_tidy, "clang-tidy");
TOOL(cppcheck, "cppcheck");
TOOL(shellcheck, "shellcheck");
TOOL(shfmt, "shfmt");
MODEL(nm) = { .name = "nm",
	.syntax = PARTIAL,
	.shorts = "aABCDgnoPprsSuVf:t:",
	.longs = "demangle?= dynamic extern-only undefined-only defined-only print-size size-sort",
	.rules = RULES{ { EACH, EFFECT_READ }, { END } } };
MODEL(objdump) = { .name = "objdump",
	.syntax = PARTIAL,
	.shorts = "adDfhprsStTxwCM:j:lGgzHi",
	.longs = "disassemble disassemble-all all-headers syms source demangle?= no-show-raw-insn section= "
		 "start-address= stop-address=",
	.rules = RULES{ { EACH, EFFECT_READ }, { END } } };
MODEL(readelf) = { .name = "readelf",
	.syntax = PARTIAL,
	.shorts = "aAdDehIlnrsSuVwWx:p:",
	.longs = "all file-header program-headers section-headers symbols dyn-syms notes relocs dynamic "
		 "version-info wide",
	.rules = RULES{ { EACH, EFFECT_READ }, { END } } };
/* ldd runs the loader of the program it is shown. */
MODEL(ldd) = { .name = "ldd",
	.syntax = PARTIAL,
	.shorts = "vudr",
	.rules = RULES{ { EACH, EFFECT_EXECUTE }, { END } } };
MODEL(pkg_config) = { .name = "pkg-config",
	.syntax = PARTIAL | NO_ABBREVIATION,
	.longs = "modversion libs cflags exists print-errors short-errors static variable= list-all "
		 "atleast-version= exact-version= libs-only-l cflags-only-I print-variables silence-errors",
	.rules = STATUS };
TOOL(autoreconf, "autoreconf");
TOOL(cargo_nextest, "cargo-nextest");

/* java -jar FILE and java CLASS run code; javac writes classes. */
static void java_reader(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];

		if (!a->is_static && a->text.len == 0) {
			run_open(run, "a word of java is not known before it runs");
			return;
		}
		if (in_list(a->text, "-version --version -showversion -help")) {
			run_effect_fixed(run, EFFECT_PURE, NULL);
			return;
		}
		if (in_list(a->text, "-cp -classpath --class-path") && i + 1 < run->argc) {
			run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
			if (bytes_start(run->argv[i + 1].text, "/") ||
				bytes_start(run->argv[i + 1].text, ".."))
				run_effect(run, EFFECT_EXECUTE, &run->argv[i + 1]);
			i++;
		} else if (bytes_is(a->text, "-jar")) {
			if (i + 1 < run->argc)
				run_effect(run, EFFECT_EXECUTE, &run->argv[i + 1]);
			return;
		} else if (bytes_start(a->text, "-agent") || bytes_start(a->text, "-javaagent") ||
			bytes_start(a->text, "-XX:OnError") || bytes_start(a->text, "-XX:OnOut") ||
			bytes_start(a->text, "@") || bytes_start(a->text, "-Xbootclasspath")) {
			run_open(run, "an option of java loads or runs other code");
		} else if (a->text.len && a->text.p[0] != '-') {
			run_effect_fixed(run,
				bytes_end(a->text, ".java") ? EFFECT_EXECUTE : EFFECT_RUN_PROJECT,
				bytes_end(a->text, ".java") ? NULL : ".");
			return;
		}
	}
	run_effect_fixed(run, EFFECT_PURE, NULL);
}

MODEL(java) = { .name = "java", .reader = java_reader };
MODEL(javac) = {
	.name = "javac",
	.syntax = ONE_DASH | PARTIAL,
	.longs = "g nowarn verbose deprecation proc:none source= target= release= encoding= Xlint Xlint:all "
		 "Xlint:unchecked parameters cp= classpath= class-path= sourcepath= Werror version "
		 "implicit:none",
	.options = OPTIONS{ { NULL, "d s h", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ NULL, "processorpath processor Xplugin", REQUIRED, REFUSE, .text = "loads other code" },
		{ 0 } },
	.rules = RULES{ { EACH, EFFECT_USE }, { ALWAYS, EFFECT_CREATE }, { END } },
};
/* The project's own wrapper scripts and the programs they start. */
MODEL(gradle) = { .name = "gradle", .reader = run_project_tool };
/* GROUP:ARTIFACT:VERSION:GOAL fetches a plugin of any name. */
static void mvn_reader(struct run *run)
{
	run_project_tool(run);
	for (uint32_t i = 0; i < run->argc; i++) {
		const char *colon = run->argv[i].text.len
			? memchr(run->argv[i].text.p, ':', run->argv[i].text.len)
			: NULL;

		if (colon && run->argv[i].text.p[0] != '-' &&
			memchr(colon + 1, ':',
				run->argv[i].text.len - (size_t)(colon + 1 - run->argv[i].text.p)))
			run_open(run, "mvn runs a plugin that the project may not name");
		if (run->argv[i].is_static &&
			in_list(run->argv[i].text, "deploy release:perform site-deploy"))
			run_open(run, "mvn deploys to another host");
	}
}

MODEL(mvn) = { .name = "mvn", .reader = mvn_reader };
static void wrapper_script(struct run *run)
{
	if (bytes_is(bytes_str(run->model->name), "./mvnw"))
		mvn_reader(run);
	else
		run_project_tool(run);
	run_effect_fixed(run, EFFECT_RUN_PROJECT, run->model->name);
}

MODEL(gradlew) = { .name = "./gradlew", .reader = wrapper_script };
MODEL(mvnw) = { .name = "./mvnw", .reader = wrapper_script };
TOOL(ant, "ant");
TOOL(sbt, "sbt");
TOOL(bazel, "bazel");
TOOL(just, "just");
TOOL(task, "task");
TOOL(xcodebuild, "xcodebuild");
TOOL(swift, "swift");
TOOL(flutter, "flutter");
TOOL(mix, "mix");
TOOL(rspec, "rspec");
TOOL(rake, "rake");
TOOL(rubocop, "rubocop");
TOOL(phpunit, "phpunit");
TOOL(phpstan, "phpstan");
TOOL(cabal, "cabal");
TOOL(stack, "stack");
TOOL(zig, "zig");
TOOL(bats, "bats");

static const struct command_model dotnet[] = {
	{ .name = "build|test|run|restore|clean|format|pack|watch|msbuild|vstest|ef",
		.reader = run_project_tool },
	{ .name = "--info|--version|--list-sdks|--list-runtimes|list|help|workload-list",
		.syntax = NO_OPTIONS,
		.rules = STATUS },
	{ .name = "add|remove|new|sln|reference|package|tool-restore|publish",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } } },
	{ .name = "nuget",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_PUBLISH, .text = "package" }, { END } } },
	{ 0 },
};
static const struct command_model dotnet_model = {
	.name = "dotnet", .syntax = POSIX_ORDER | SUBCOMMAND_ALONE_OK, .subcommands = dotnet
};

static void dotnet_reader(struct run *run)
{
	if (run->argc && run->argv[0].is_static &&
		in_list(run->argv[0].text, "--info --version --list-sdks --list-runtimes"))
		run_effect_fixed(run, EFFECT_STATUS, NULL);
	else
		run_model(run, &dotnet_model);
}

MODEL(dotnet) = { .name = "dotnet", .reader = dotnet_reader };
static const struct command_model bundle[] = {
	{ .name = "install|update|add|lock|clean|check|config-not",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } } },
	{ .name = "exec", .syntax = POSIX_ORDER, .rules = RUNS, .wrapping = WRAPPING{ .skip = 0 } },
	{ .name = "list|show|info|outdated|doctor|platform|version", .syntax = NO_OPTIONS, .rules = STATUS },
	{ 0 },
};
MODEL(bundle) = { .name = "bundle", .syntax = POSIX_ORDER, .subcommands = bundle };
static const struct command_model gem[] = {
	{ .name = "install|update",
		.syntax = PARTIAL,
		.shorts = "Nv:",
		.longs = "no-document version= user-install no-ri no-rdoc conservative",
		.rules = RULES{ { EACH, EFFECT_INSTALL_REGISTRY },
			{ ABSENT, EFFECT_INSTALL_REGISTRY, .text = "" }, { END } } },
	{ .name = "list|search|info|env|which|query|outdated|specification|contents|dependency|help",
		.syntax = NO_OPTIONS,
		.rules = STATUS },
	{ .name = "build",
		.syntax = PARTIAL,
		.rules = RULES{ { EACH, EFFECT_EXECUTE }, { END } } }, /* a gemspec is Ruby */
	{ .name = "push|yank",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_PUBLISH, .text = "gem" }, { END } } },
	{ 0 },
};
MODEL(gem) = { .name = "gem", .syntax = POSIX_ORDER, .subcommands = gem };
static const struct command_model composer[] = {
	{ .name = "install|update|require|remove|dump-autoload|dumpautoload",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } } },
	{ .name = "run-script|run|test|exec", .syntax = NO_OPTIONS, .rules = RUNS },
	{ .name = "show|outdated|validate|diagnose|licenses|why|audit|check-platform-reqs|info",
		.syntax = NO_OPTIONS,
		.rules = STATUS },
	{ 0 },
};
MODEL(composer) = { .name = "composer",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "nqv",
	.longs = "no-interaction quiet verbose",
	.subcommands = composer };
