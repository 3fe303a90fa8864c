/* SPDX-License-Identifier: Apache-2.0 */
/* Compilers and build systems: make, cmake, ninja, meson, gcc, java, maven, gradle and others. */
#include "worker/commands/model.h"

#define RUNS RULES{ { ALWAYS, EFFECT_RUN_PROJECT }, { END } }
#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }
#define PURE RULES{ { ALWAYS, EFFECT_PURE }, { END } }

/*
 * Recipes put variables into the lines that they give to a shell. Quotes that come in pairs, and backslashes in front
 * of them, only make one word of what stands between.
 */
static bool has_shell_syntax(struct bytes text)
{
	uint32_t pairs[2] = { 0, 0 };

	for (size_t i = 0; i < text.len; i++) {
		if (text.p[i] == '\0' || strchr("$;|&<>`(){}\n", text.p[i]) ||
			(text.p[i] == '\\' && !(i + 1 < text.len && strchr("\"'", text.p[i + 1]))))
			return true;
		pairs[0] += text.p[i] == '"';
		pairs[1] += text.p[i] == '\'';
	}
	return pairs[0] % 2 || pairs[1] % 2;
}

/* CC=/elsewhere/cc is run and MAKEFILES=/elsewhere.mk is read; other variables name what is made, and where. */
static bool names_code_outside(struct bytes name, struct bytes value)
{
	return (bytes_start(value, "/") || bytes_start(value, "..") || bytes_start(value, "~")) &&
		!bytes_start(value, "/usr/bin/") && !bytes_start(value, "/bin/") &&
		!bytes_start(value, "/usr/local/bin/") &&
		in_list(name, "MAKEFILES MAKE CC CXX CPP LD AR AS RANLIB NM STRIP OBJCOPY INSTALL PYTHON PYTHON3 "
			      "NODE NPM GO CARGO JAVA RUBY PERL PHP BASH SH PIP UV");
}

/* Variables by which people say where something is written; where things are installed is for the target install. */
static bool names_output(struct bytes name)
{
	return in_list(name, "O OUT OUTPUT OUTFILE OUT_FILE OUTPUT_FILE OUTDIR OUT_DIR OUTPUTDIR OUTPUT_DIR TARGET "
		"TARGET_DIR DEST DST DESTINATION FILE LOG LOGFILE LOG_FILE BUILDDIR BUILD_DIR REPORT out output dest");
}

/* CC='sh -c …' runs what it says wherever a recipe says $(CC). */
static bool is_command_line(struct bytes value)
{
	const char *blank = value.len ? memchr(value.p, ' ', value.len) : NULL;
	struct bytes first = { value.p, blank ? (size_t)(blank - value.p) : value.len };

	return blank && command_known(first) && !in_list(first, "gcc g++ cc c++ clang clang++");
}

static void make_variable(struct run *run, const struct arg *a)
{
	const char *eq = a->text.len ? memchr(a->text.p, '=', a->text.len) : NULL;
	struct arg value = *a;

	if (!eq)
		return;
	value.text = bytes_from(a->text, (size_t)(eq + 1 - a->text.p));
	if (names_code_outside((struct bytes){ a->text.p, (size_t)(eq - a->text.p) }, value.text))
		run_effect(run, EFFECT_RUN_PROJECT, &value);
	else if (names_output((struct bytes){ a->text.p, (size_t)(eq - a->text.p) }) &&
		(bytes_start(value.text, "/") || bytes_start(value.text, "..") || bytes_start(value.text, "~")))
		run_effect(run, EFFECT_WRITE, &value);
	if (is_command_line(value.text))
		run_open(run, "a variable on make's line is a command");
}

/* Targets by which what is built leaves the project, whatever tool is told to make them. */
static void check_target(struct run *run, const struct arg *a)
{
	if (a->is_static && in_list(a->text,
			"install uninstall publish deploy install/strip install/local install/fast"))
		run_open(run, "%s %.*s reaches outside the project", run->model->name, (int)a->text.len, a->text.p);
	else if (a->is_static && !bytes_char(a->text, '='))
		run_check_task(run, a->text);
}

/* make runs what the makefile of the directory says; assignments on its line become variables of it. */
static void make_command(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		check_target(run, a);
		/* SHELL and MAKEFLAGS decide what runs; $( ) in a value is run by make. */
		if (bytes_start(a->text, "SHELL=") || bytes_start(a->text, "MAKEFLAGS=") ||
			bytes_start(a->text, ".SHELLFLAGS=") ||
			(bytes_char(a->text, '=') && has_shell_syntax(a->text)) ||
			bytes_find(a->text, ":::="))
			run_open(run, "a variable on make's line decides what it runs");
		make_variable(run, a);
	}
}

/* -f - is a makefile on the input. */
static void makefile(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (arg_is(value, "-") || arg_is(value, "/dev/stdin"))
		run_program_from_stdin(run, false, DIALECT_OTHER);
	else
		run_effect(run, EFFECT_RUN_PROJECT, value);
}

MODEL(make) = {
	.name = "make",
	.syntax = PARTIAL,
	.shorts = "bmBdeij::kl::L::nO::pqrRsStvwW:o:",
	.special = make_command,
	.option = makefile,
	.longs = "always-make debug?= environment-overrides ignore-errors jobs?= keep-going load-average?= "
		 "max-load?= check-symlink-times just-print dry-run recon output-sync?= print-data-base "
		 "question no-builtin-rules no-builtin-variables silent quiet no-keep-going stop touch trace "
		 "print-directory no-print-directory what-if= new-file= assume-new= old-file= assume-old= "
		 "warn-undefined-variables shuffle?=",
	.options = OPTIONS{ { "C", "directory", REQUIRED, DIRECTORY },
		{ "f", "file makefile", REQUIRED, CALL },
		{ "I", "include-dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT },
		{ "E", "eval", REQUIRED, REFUSE, .text = "--eval runs a text" }, { 0 } },
};
/* -t TOOL: browse starts a server, others only look or tidy up. */
static void ninja_tool(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static ||
		!in_list(value->text, "clean commands inputs deps missingdeps graph query targets compdb "
				      "compdb-targets recompact restat rules cleandead list"))
		run_open(run, "this tool of ninja is not known to the gate");
}

static void check_targets(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		check_target(run, &run->operands[i]);
}

MODEL(ninja) = {
	.name = "ninja",
	.special = check_targets,
	.syntax = PARTIAL,
	.shorts = "vnj:k:l:d:w:h",
	.longs = "verbose quiet version",
	.rules = RUNS,
	.option = ninja_tool,
	.options = OPTIONS{ { "t", NULL, REQUIRED, CALL },
		 { "C", NULL, REQUIRED, DIRECTORY },
		{ "f", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT }, { 0 } },
};
static void meson_command(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	if (run->n_operands && in_list(run->operands[0].text, "devenv subprojects rewrite wrap env2mfile"))
		run_open(run, "this command of meson is not known to the gate");
	if (run->n_operands > 1 && arg_is(&run->operands[0], "compile"))
		check_targets(run);
	/* install goes to the prefix, unless --destdir says where. */
	if (run->n_operands && arg_is(&run->operands[0], "install") && !(run->bits & 1))
		run_open(run, "meson install writes to the prefix");
	for (uint32_t i = 1; i < run->n_operands; i++)
		if (!in_list(run->operands[0].text, "test compile"))
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
		 "dependencies tests auto-features= no-suite= clearcache benchmark no-stdsplit "
		 "skip-subprojects?=",
	.options = OPTIONS{ { "C", NULL, REQUIRED, DIRECTORY },
		{ NULL, "destdir", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE, 1 },
		{ NULL, "wrap wrapper gdb setup", REQUIRED, REFUSE, .text = "runs a program of its line" },
		{ NULL, "native-file cross-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT }, { 0 } },
};

/* --target NAME, and -D NAME[:TYPE]=VALUE: some variables name programs and files that cmake runs
 * (cmake-variables(7): CMAKE_<LANG>_COMPILER, …_LAUNCHER, CMAKE_PROJECT_INCLUDE, CMAKE_TOOLCHAIN_FILE). */
static void cmake_variable(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	const char *eq = value->text.len ? memchr(value->text.p, '=', value->text.len) : NULL;
	struct bytes name = { value->text.p, eq ? (size_t)(eq - value->text.p) : value->text.len };
	struct arg content = *value;

	if (rule->longs) {
		check_target(run, value);
		return;
	}
	content.text = bytes_from(value->text, eq ? name.len + 1 : name.len);
	if (bytes_find(name, "TOOLCHAIN") || bytes_find(name, "INCLUDE") || bytes_find(name, "MODULE_PATH")) {
		run_effect(run, EFFECT_RUN_PROJECT, &content);
	} else if (bytes_find(name, "COMPILER") || bytes_find(name, "LAUNCHER") || bytes_find(name, "LINKER") ||
		bytes_find(name, "PROGRAM") || bytes_find(name, "EXECUTABLE") || bytes_find(name, "EMULATOR") ||
		bytes_find(name, "CMAKE_AR") || bytes_find(name, "RULE_") || bytes_find(name, "CLANG_TIDY") ||
		bytes_find(name, "CPPCHECK") || bytes_find(name, "_COMMAND")) {
		if (!content.is_static ||
			(bytes_char(content.text, '/') && !bytes_start(content.text, "/usr/bin/")))
			run_effect(run, EFFECT_EXECUTE, &content);
	}
}

/* What stands behind -- is for the build tool: there an option or a variable may run anything. */
static void cmake_command(struct run *run)
{
	check_targets(run);
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		if (bytes_start(a->text, "-")
				? !only_of(a->text, 1, "jkslv0123456789")
				: bytes_char(a->text, '=') && !in_list(a->text, "VERBOSE=1 V=1"))
			run_open(run, "cmake hands a word to the build tool that may run anything");
		else if (!bytes_start(a->text, "-"))
			run_effect(run, EFFECT_RUN_PROJECT, a);
	}
}

/* cmake -E runs a command; -P runs a script of the project's. */
MODEL(cmake) = {
	.name = "cmake",
	.syntax = PARTIAL | NO_ABBREVIATION,
	.shorts = "G:U:T:A:j::vNLW:",
	.option = cmake_variable,
	.special = cmake_command,
	.rules = RUNS,
	.longs = "parallel?= config= clean-first verbose preset= list-presets?= fresh log-level= "
		 "trace trace-expand warn-uninitialized component= strip debug-output "
		 "resolve-package-references= workflow no-warn-unused-cli",
	.options = OPTIONS{ { "D", NULL, REQUIRED, CALL },
		{ "t", "target", REQUIRED, CALL },
		{ "SB", "build open-dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT },
		{ NULL, "install", REQUIRED, REFUSE, .text = "--install writes to the prefix" },
		{ "C", "toolchain", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT },
		{ "EP", NULL, NOTHING, REFUSE, .text = "-E and -P run other commands" }, { 0 } },
};
MODEL(ctest) = {
	.name = "ctest",
	.syntax = PARTIAL | NO_ABBREVIATION,
	.shorts = "VvQNj::R:E:L:C:I:F",
	.options = OPTIONS{ { NULL, "test-dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT }, { 0 } },
	.longs = "output-on-failure verbose extra-verbose parallel?= timeout= rerun-failed preset= "
		 "repeat= stop-on-failure show-only?= progress quiet no-tests= schedule-random",
	.rules = RUNS,
};

#define TOOL(id, program) MODEL(id) = { .name = program, .reader = run_project_tool, .syntax = \
	PROJECT_TOOL }
TOOL(golangci_lint, "golangci-lint");
TOOL(staticcheck, "staticcheck");
TOOL(gotestsum, "gotestsum");
TOOL(goimports, "goimports");

/* What is told to the linker by -Wl, and only shapes what it makes. */
static bool linker_flags(struct bytes flags)
{
	static const char *const harmless[] = { "-rpath", "-z", "-s", "-x", "-S", "-O", "-B", "-E",
		"--gc-sections", "--as-needed", "--no-as-needed", "--start-group", "--end-group",
		"--whole-archive", "--no-whole-archive", "--export-dynamic", "-soname", "--soname", "--build-id",
		"--no-undefined", "--allow", "--wrap", "--stats", "--print", "--hash-style", "--strip",
		"--enable-new-dtags", "--disable-new-dtags", "--fatal-warnings", "--version-script",
		"--exclude-libs", "--icf", "--warn", "--trace", "-t", "--verbose", "-framework", "-dead_strip" };

	while (flags.len) {
		const char *comma = memchr(flags.p, ',', flags.len);
		struct bytes one = { flags.p, comma ? (size_t)(comma - flags.p) : flags.len };
		bool known = one.len == 0 || (one.p[0] != '-' && one.p[0] != '@');

		for (size_t i = 0; i < ARRAY_LEN(harmless) && !known; i++)
			known = bytes_start(one, harmless[i]);
		if (!known)
			return false;
		flags = bytes_from(flags, one.len + (comma != NULL));
	}
	return true;
}

/* Options of gcc(1) and clang(1) that neither name a program to run nor a file to write. */
static bool compiler_option(struct bytes o)
{
	static const char *const beginnings[] = { "-O", "-g", "-std=", "--std=", "-D", "-U", "-I", "-L", "-l",
		"-isystem", "-iquote", "-idirafter", "-m", "-x", "-print-", "--print-", "-pedantic", "-stdlib=",
		"-nostd", "-target", "--target=", "--sysroot", "-isysroot", "-arch", "-framework", "-static",
		"-W", "-u", "-z", "-T", "-dump", "-save-temps" };

	if (bytes_start(o, "-Wl,"))
		return linker_flags(bytes_from(o, 4));
	if (bytes_start(o, "-Wp,") || bytes_start(o, "-Wa,") || bytes_start(o, "-dumpdir") ||
		bytes_start(o, "-dumpbase"))
		return false;
	if (bytes_start(o, "-f"))
		return !bytes_find(o, "plugin") &&
			(!bytes_char(o, '/') || bytes_find(o, "-prefix-map="));
	if (in_list(o, "- -c -S -E -M -MM -MD -MMD -MP -MG -P -C -H -s -v -w -Q -r -### -pipe -pthread -shared "
		       "-rdynamic -pie -no-pie -ansi -nodefaultlibs -nolibc -no-integrated-as -dM -dD -dI -undef "
		       "-trigraphs -Qunused-arguments --coverage --version --help -help --verbose -pg -p -symbolic"))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++)
		if (bytes_start(o, beginnings[i]))
			return true;
	return false;
}

/* -D"$X" and -I"$X" are that whatever X is; behind the letters of other options it may become any of them. */
static bool certain_option(struct bytes begin)
{
	return begin.len > 1 && (strchr("DUILlOgmo", begin.p[1]) || bytes_start(begin, "-std=") ||
		(bytes_start(begin, "-f") && bytes_char(begin, '=')));
}

/* gcc and clang: reading sources, writing objects; plugins, wrappers and specs run other programs. */
static void cc_reader(struct run *run)
{
	bool prints = false;

	for (uint32_t i = 0; i < run->argc; i++)
		prints |= arg_is(&run->argv[i], "-E");
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i], *next = i + 1 < run->argc ? a + 1 : a;
		struct arg value = *a;

		if (arg_may_be_option(run, a) || (!a->is_static && bytes_start(a->text, "-") &&
			!certain_option(a->text))) {
			run_open(run, "a word of the compiler is not known before it runs");
		} else if (bytes_start(a->text, "-o") || bytes_start(a->text, "-MF")) {
			value.text = bytes_from(a->text, a->text.p[1] == 'o' ? 2 : 3);
			if (!value.text.len && a->is_static)
				value = *next, i++;
			run_effect(run, EFFECT_WRITE, &value);
		} else if (in_list(a->text, "-include -imacros -T")) {
			run_effect(run, prints ? EFFECT_READ : EFFECT_USE, next);
			i++;
		} else if (in_list(a->text, "-x -I -L -l -D -U -isystem -iquote -idirafter -MT -MQ -u -z -arch "
					    "-isysroot -framework -target")) {
			i++;
		} else if (!bytes_start(a->text, "-") && !bytes_start(a->text, "@") && (a->text.len || !a->is_static)) {
			run_effect(run, prints ? EFFECT_READ : EFFECT_USE, a);
		} else if (!compiler_option(a->text)) {
			run_open(run, "option %.*s of the compiler is not known to the gate",
				(int)(a->text.len < 80 ? a->text.len : 80), a->text.p);
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

/* @FILE: more options stand in it. */
static void takes_files(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (bytes_start(run->operands[i].text, "@"))
			run_open(run, "%s takes its options from a file", run->model->name);
}

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
	.special = takes_files,
};
/* The project's own wrapper scripts and the programs they start. */
MODEL(gradle) = { .name = "gradle", .reader = run_project_tool };
/* help:effective-settings hides passwords unless it is told not to; help:evaluate prints what an expression gives. */
static bool is_shown_settings(struct bytes word)
{
	return bytes_start(word, "-DshowPasswords") ||
		(bytes_start(word, "-Dexpression") && bytes_find(word, "settings"));
}

/* GROUP:ARTIFACT:VERSION:GOAL fetches a plugin of any name. */
static void mvn_reader(struct run *run)
{
	run_project_tool(run);
	for (uint32_t i = 0; i < run->argc; i++)
		if (bytes_start(run->argv[i].text, "-Dexec.executable") ||
			bytes_start(run->argv[i].text, "-Dexec.args") || arg_is(&run->argv[i], "exec:exec"))
			run_open(run, "mvn runs a program that its line names");
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
		if (colon && run->argv[i].text.p[0] != '-')
			run_check_task(run, run->argv[i].text);
		if (is_shown_settings(run->argv[i].text))
			run_open(run, "mvn prints settings, in which passwords stand");
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
/* sbt reads each word as a line of its own language: eval and set take Scala. */
static void sbt_reader(struct run *run)
{
	run_project_tool(run);
	for (uint32_t i = 0; i < run->argc; i++)
		if (bytes_find(run->argv[i].text, "eval") || bytes_start(run->argv[i].text, "set ") ||
			bytes_find(run->argv[i].text, ";set ") || bytes_start(run->argv[i].text, "!"))
			run_open(run, "sbt runs code of its line");
}

MODEL(sbt) = { .name = "sbt", .reader = sbt_reader };
TOOL(task, "task");
TOOL(xcodebuild, "xcodebuild");
/* Both take code of their own language on the line. */
static void code_reader(struct run *run)
{
	run_project_tool(run);
	for (uint32_t i = 0; i < run->argc; i++)
		if (bytes_start(run->argv[i].text, "-e") || bytes_start(run->argv[i].text, "-E") ||
			bytes_start(run->argv[i].text, "--e") || bytes_start(run->argv[i].text, "-p"))
			run_open(run, "%s runs code of its line", run->model->name);
}

MODEL(mix) = { .name = "mix", .reader = code_reader };
TOOL(rspec, "rspec");
MODEL(rake) = { .name = "rake", .reader = code_reader };
TOOL(rubocop, "rubocop");
TOOL(phpunit, "phpunit");
TOOL(phpstan, "phpstan");
/* Some of their commands run any program, script or compiler. */
static void exec_reader(struct run *run)
{
	run_project_tool(run);
	if (run->argc && in_list(run->argv[0].text, "exec runghc runhaskell script ghc ghci eval cc c++ ar upload"))
		run_open(run, "%s %.*s runs what its line names", run->model->name, (int)run->argv[0].text.len,
			run->argv[0].text.p);
}

MODEL(cabal) = { .name = "cabal", .reader = exec_reader };
MODEL(stack) = { .name = "stack", .reader = exec_reader };
MODEL(zig) = { .name = "zig", .reader = exec_reader };
TOOL(bats, "bats");

/* add NAME --git ADDRESS, --github OWNER/NAME, --source ADDRESS: from elsewhere than the Gemfile's sources. */
static void bundle_installs(struct run *run)
{
	static const char *const elsewhere[] = { "--git", "--github", "--gist", "--bitbucket", "--source", "--path",
		"-s" };

	run_effect_fixed(run, EFFECT_INSTALL_PROJECT, ".");
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];
		bool named = false;

		if (!a->is_static)
			run_open(run, "a word of bundle add is not known before it runs");
		for (size_t k = 0; k < ARRAY_LEN(elsewhere); k++)
			named = named || bytes_start(a->text, elsewhere[k]);
		if (named && !bytes_char(a->text, '=') && i + 1 < run->argc)
			run_effect(run, EFFECT_INSTALL_OUTSIDE, &run->argv[i + 1]);
		else if (named)
			run_effect(run, EFFECT_INSTALL_OUTSIDE, a);
	}
}

static const struct command_model bundle[] = {
	{ .name = "add", .reader = bundle_installs },
	{ .name = "install|update|lock|clean|check",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } } },
	{ .name = "exec", .syntax = POSIX_ORDER, .rules = RUNS, .wrapping = WRAPPING{ .skip = 0 } },
	{ .name = "list|show|info|outdated|doctor|platform|version", .syntax = NO_OPTIONS, .rules = STATUS },
	{ 0 },
};
MODEL(bundle) = { .name = "bundle", .syntax = POSIX_ORDER, .subcommands = bundle };
/* A file is code that nobody vouched for, whatever its name. */
static void gem_installs(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		run_effect(run,
			bytes_end(run->operands[i].text, ".gem") || bytes_char(run->operands[i].text, '/')
				? EFFECT_EXECUTE
				: EFFECT_INSTALL_REGISTRY,
			&run->operands[i]);
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_INSTALL_REGISTRY, "");
}

static const struct command_model gem[] = {
	{ .name = "install|update",
		.syntax = PARTIAL,
		.shorts = "Nv:",
		.longs = "no-document version= user-install no-ri no-rdoc conservative",
		.special = gem_installs },
	{ .name = "list|search|info|env|which|query|outdated|specification|contents|dependency|help",
		.syntax = NO_OPTIONS,
		.rules = STATUS },
	{ .name = "build",
		.syntax = PARTIAL,
		.rules = RULES{ { EACH, EFFECT_EXECUTE }, { END } } }, /* a gemspec is Ruby */
	{ .name = "push|yank",
		.syntax = NO_OPTIONS,
		.special = run_publishes },
	{ 0 },
};
MODEL(gem) = { .name = "gem", .syntax = POSIX_ORDER, .subcommands = gem };
/* What stands behind the script's name is handed to it. */
static void composer_script(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	run_project_words(run, run->operands, run->n_operands);
	if (run->n_operands && run->operands[0].is_static)
		run_check_task(run, run->operands[0].text);
}

static const struct command_model composer[] = {
	{ .name = "install|update|require|remove|dump-autoload|dumpautoload",
		.syntax = PARTIAL,
		.shorts = "oaWw",
		.longs = "dev no-dev optimize-autoloader optimize classmap-authoritative apcu-autoloader prefer-dist "
			 "prefer-source prefer-stable prefer-lowest no-scripts no-progress no-suggest no-install "
			 "no-update no-audit audit dry-run lock with-dependencies with-all-dependencies "
			 "minimal-changes ignore-platform-reqs ignore-platform-req= sort-packages fixed unused",
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } } },
	{ .name = "run-script|run|test", .syntax = POSIX_ORDER | PARTIAL, .longs = "dev no-dev list timeout=",
		.special = composer_script },
	/* A shell runs it, with the project's tools in front of PATH. */
	{ .name = "exec", .syntax = POSIX_ORDER | PARTIAL, .rules = RUNS, .wrapping = WRAPPING{ .joined = true } },
	{ .name = "show|outdated|validate|diagnose|licenses|why|audit|check-platform-reqs|info",
		.syntax = NO_OPTIONS,
		.rules = STATUS },
	{ 0 },
};
MODEL(composer) = { .name = "composer",
	.syntax = POSIX_ORDER | PARTIAL | INHERITED,
	.shorts = "nqv",
	.longs = "no-interaction quiet verbose ansi no-ansi no-plugins no-cache profile",
	.options = OPTIONS{ { "d", "working-dir", REQUIRED, DIRECTORY }, { 0 } },
	.subcommands = composer };
