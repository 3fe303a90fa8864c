/* SPDX-License-Identifier: Apache-2.0 */
/* Compilers and build systems: make, cmake, ninja, meson, cargo, go, gcc, java, maven, gradle, dotnet and
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

/* cargo [+toolchain] SUBCOMMAND. */
#define CARGO_SHORTS "vqp:j:F:rZ:"
#define CARGO_LONGS "verbose quiet package= workspace all exclude= lib bin?= bins example?= " \
	"examples test?= tests bench?= benches all-targets features= all-features " \
	"no-default-features release profile= jobs= keep-going target= message-format= locked " \
	"offline frozen color= no-run no-fail-fast doc ignore-rust-version allow-dirty " \
	"allow-staged fix lib tests check edition depth= prefix= invert= no-dedupe duplicates " \
	"charset= format= edges= open no-deps document-private-items future-incompat-report " \
	"timings?= unit-graph build-plan list dry-run git-not= aggressive precise= recursive " \
	"limit= no-track broken-code name= vcs= optional dev build rename= no-optional path-not= " \
	"doc-not branch-not= ignored nocapture partition= retries= filter-expr= run-ignored= " \
	"cargo-quiet success-output= failure-output= status-level= show-output lcov html " \
	"summary-only workspace-remap"
#define CARGO(names, ...) { .name = names, .syntax = PARTIAL, .shorts = CARGO_SHORTS "E:", .longs = \
	CARGO_LONGS, .rules = __VA_ARGS__, .options = OPTIONS{ { NULL, "manifest-path", REQUIRED, \
	EFFECT_OF_VALUE, EFFECT_RUN_PROJECT }, \
	{ NULL, "target-dir out-dir artifact-dir output-path", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE }, \
	{ NULL, "config", REQUIRED, REFUSE, .text = "--config sets anything" }, \
	{ 0 } } }

/* cargo install NAME builds from the registry; --git and --path do not. */
static void cargo_installs(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		run_effect(run, EFFECT_INSTALL_REGISTRY, &run->operands[i]);
	if (run->n_operands == 0 && !run->out->effects)
		run_effect_fixed(run, EFFECT_INSTALL_PROJECT, ".");
}

static void cargo_run_words(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
}

#define CARGO_RUN(names) { .name = names, .syntax = PARTIAL | POSIX_ORDER, .shorts = CARGO_SHORTS, \
	.longs = CARGO_LONGS, .special = cargo_run_words, .options = OPTIONS{ { NULL, \
	"manifest-path", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT }, \
	{ 0 } } }

static const struct command_model cargo[] = {
	CARGO_RUN("run|r|test|t|bench"),
	CARGO("build|b|check|c|clippy|doc|d|fmt|fix|nextest|llvm-cov|tarpaulin|miri|expand|hack|machete|"
	      "udeps|shear|deny|audit|outdated|insta|criterion|semver-checks|sort|careful|watch-not",
		RUNS),
	CARGO("clean|update|fetch|generate-lockfile|vendor|add|remove|rm|package|new|init|set-version|"
	      "upgrade",
		RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } }),
	CARGO("tree|metadata|search|info|locate-project|pkgid|read-manifest|verify-project|version|help|--"
	      "list|config|report|bloat|asm|modules|geiger|msrv|about",
		STATUS),
	{ .name = "install|binstall",
		.syntax = PARTIAL,
		.shorts = "fjq",
		.longs = "force version= locked features= all-features no-default-features root-not= bin= "
			 "example= no-track quiet debug list profile= target= jobs= no-confirm vers=",
		.special = cargo_installs,
		.options = OPTIONS{ { NULL, "git", REQUIRED, EFFECT_OF_VALUE, EFFECT_INSTALL_OUTSIDE },
			{ NULL, "path", REQUIRED, EFFECT_OF_VALUE, EFFECT_INSTALL_PROJECT },
			{ NULL, "index registry", REQUIRED, EFFECT_OF_VALUE, EFFECT_INSTALL_OUTSIDE },
			{ NULL, "branch tag rev", REQUIRED, IGNORE },
			{ NULL, "root target-dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE }, { 0 } } },
	{ .name = "uninstall",
		.syntax = PARTIAL,
		.rules = RULES{ { EACH, EFFECT_INSTALL_REGISTRY }, { END } } },
	{ .name = "publish|yank|owner|login|logout",
		.syntax = PARTIAL,
		.shorts = "np:v",
		.longs = "dry-run package= allow-dirty no-verify token= locked registry=",
		.rules = RULES{ { ALWAYS, EFFECT_PUBLISH, .text = "crate" }, { END } } },
	{ 0 },
};
static const struct command_model cargo_model = {
	.name = "cargo",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK | INHERITED,
	.shorts = "vqZ:Vh",
	.longs = "verbose quiet color= locked offline frozen list explain=",
	.subcommands = cargo,
	.options = OPTIONS{ { "C", NULL, REQUIRED, DIRECTORY },
		{ NULL, "config", REQUIRED, REFUSE, .text = "--config sets anything" }, { 0 } },
};

static void cargo_reader(struct run *run)
{
	if (run->argc && run->argv[0].is_static && bytes_start(run->argv[0].text, "+")) {
		run->argv++;
		run->argc--;
	}
	run_model(run, &cargo_model);
}

MODEL(cargo) = { .name = "cargo", .reader = cargo_reader };
MODEL(rustc) = {
	.name = "rustc",
	.syntax = PARTIAL,
	.shorts = "gOvVA:W:D:F:L:l:C:",
	.longs = "crate-type= crate-name= edition= emit= print= test target= explain= cap-lints= color= "
		 "error-format= cfg= verbose",
	.rules = RULES{ { EACH, EFFECT_USE }, { ALWAYS, EFFECT_CREATE }, { END } },
	.options = OPTIONS{ { "o", "out-dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ "CZ", "codegen extern", REQUIRED, REFUSE, .text = "may run another linker" }, { 0 } },
};
/* A toolchain that is linked is any directory of programs. */
static const struct command_model rustup_toolchain[] = {
	{ .name = "list", .syntax = PARTIAL, .shorts = "v", .longs = "verbose", .rules = STATUS },
	{ .name = "install|add|update|upgrade|uninstall|remove",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_REGISTRY, .text = "rust" }, { END } } },
	{ 0 },
};
static const struct command_model rustup[] = {
	{ .name = "show|which|check|doc|help",
		.syntax = PARTIAL,
		.longs = "toolchain= verbose",
		.rules = STATUS },
	{ .name = "update|install|default|component|target",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_REGISTRY, .text = "rust" }, { END } } },
	{ .name = "toolchain", .syntax = POSIX_ORDER, .subcommands = rustup_toolchain },
	{ 0 },
};
MODEL(rustup) = { .name = "rustup",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK,
	.shorts = "vqV",
	.longs = "verbose quiet",
	.subcommands = rustup };
MODEL(rustfmt) = { .name = "rustfmt",
	.syntax = PARTIAL,
	.shorts = "lvq",
	.longs = "check edition= emit= color= config= verbose quiet files-with-diff",
	.rules = RULES{ { EACH, EFFECT_WRITE }, { END } } };

/* go: one dash or two. -exec, -toolexec, -vettool and linker flags run other programs. */
#define GO_LONGS "a n p= race msan asan cover covermode= coverpkg= coverprofile-not v x work " \
	"buildmode= buildvcs= gccgoflags-not compiler= installsuffix= mod= tags= trimpath run= " \
	"bench= benchtime= count= cpu= list= short timeout= parallel= failfast json shuffle= " \
	"skip= benchmem vet= fullpath u t d m f= e deps find test export compiled versions " \
	"retract json u=patch cmd c all src short-not go= compat= print fmt module= require= " \
	"droprequire= replace-not dropreplace= tidy diff fix-not fast cache-clear modcache " \
	"testcache fuzzcache cache s l w i go-not= fuzz= fuzztime= fuzzminimizetime="
#define GO_OPTIONS OPTIONS{ { NULL, "o outputdir coverprofile cpuprofile memprofile blockprofile " \
	"mutexprofile trace", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, \
	{ NULL, "C", REQUIRED, DIRECTORY }, \
	{ NULL, "modfile overlay pkgdir pgo", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT }, \
	{ NULL, "ldflags gcflags asmflags", REQUIRED, CALL }, \
	{ NULL, "exec toolexec vettool", REQUIRED, REFUSE, .text = "runs another program" }, \
	{ 0 } }

static void go_flags(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static || bytes_find(value->text, "extld") || bytes_find(value->text, "tmpdir") ||
		bytes_find(value->text, "plugin"))
		run_open(run, "a flag of go may run another program");
}

static void go_words(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (bytes_char(run->operands[i].text, '@') || bytes_find(run->operands[i].text, "://"))
			run_effect(run, EFFECT_RUN_FETCHED, &run->operands[i]);
		else if (bytes_start(run->operands[i].text, "/") || bytes_start(run->operands[i].text, "../"))
			run_effect(run, EFFECT_RUN_PROJECT, &run->operands[i]);
}

/* go get and go install take modules through the proxy, which serves any forge: pinned by go.mod only without
 * a version. */
static void go_installs(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		if (bytes_start(a->text, "./") || bytes_start(a->text, ".") || arg_is(a, "all") ||
			bytes_start(a->text, "cmd/"))
			run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
		else if (bytes_start(a->text, "golang.org/") || bytes_start(a->text, "google.golang.org/"))
			run_effect(run, EFFECT_INSTALL_REGISTRY, a);
		else
			run_open(run, "go installs a module of another forge: %.*s",
				(int)(a->text.len < 80 ? a->text.len : 80), a->text.p);
	}
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
}

#define GO(names, hook) { .name = names, .syntax = ONE_DASH | PARTIAL, .longs = GO_LONGS, .options = \
	GO_OPTIONS, .option = go_flags, .special = hook }
static const struct command_model go_mod[] = {
	{ .name = "tidy|download|verify|vendor|edit|init",
		.syntax = ONE_DASH | PARTIAL,
		.longs = GO_LONGS,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } } },
	{ .name = "graph|why", .syntax = ONE_DASH | PARTIAL, .longs = GO_LONGS, .rules = STATUS },
	{ 0 },
};
static const struct command_model go_work[] = {
	{ .name = "init|use|sync|edit|vendor",
		.syntax = ONE_DASH | PARTIAL,
		.longs = GO_LONGS,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } } },
	{ 0 },
};
static const struct command_model go[] = {
	GO("test|build|vet|fmt|generate|fix|doc|clean", go_words),
	{ .name = "run",
		.syntax = ONE_DASH | PARTIAL | POSIX_ORDER,
		.longs = GO_LONGS,
		.options = GO_OPTIONS,
		.option = go_flags,
		.special = go_words },
	GO("get|install", go_installs),
	{ .name = "list|version|help|bug", .syntax = ONE_DASH | PARTIAL, .longs = GO_LONGS, .rules = STATUS },
	{ .name = "env",
		.syntax = ONE_DASH | PARTIAL,
		.longs = "json changed",
		.rules = STATUS,
		.options =
			OPTIONS{ { NULL, "w u", NOTHING, REFUSE, .text = "changes the configuration of go" },
				{ 0 } } },
	{ .name = "mod", .syntax = POSIX_ORDER, .subcommands = go_mod },
	{ .name = "work", .syntax = POSIX_ORDER, .subcommands = go_work },
	{ .name = "tool", .syntax = POSIX_ORDER | ONE_DASH | PARTIAL, .longs = "n", .rules = RUNS },
	{ 0 },
};
MODEL(go) = { .name = "go",
	.syntax = POSIX_ORDER | SUBCOMMAND_ALONE_OK,
	.subcommands = go,
	.options = OPTIONS{ { "C", NULL, REQUIRED, DIRECTORY }, { 0 } } };
MODEL(gofmt) = { .name = "gofmt",
	.syntax = ONE_DASH,
	.longs = "d e l s r=",
	.options = OPTIONS{ { NULL, "w", NOTHING, IGNORE, .set = 1 },
		{ NULL, "cpuprofile", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_READ, .unless = 1 }, { EACH, EFFECT_WRITE, .when = 1 }, { END } },
	.input = STDIN_READ };
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
MODEL(mvn) = { .name = "mvn", .reader = run_project_tool };
static void wrapper_script(struct run *run)
{
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
