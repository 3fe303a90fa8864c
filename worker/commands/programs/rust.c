/* SPDX-License-Identifier: Apache-2.0 */
/* Rust: cargo, rustc, rustup, rustfmt (cargo(1) and the page of each subcommand). */
#include "worker/commands/model.h"

#define RUNS RULES{ { ALWAYS, EFFECT_RUN_PROJECT }, { END } }
#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }

/* cargo [+toolchain] SUBCOMMAND. */
#define CARGO_SHORTS "vqp:j:F:rZ:i:e:"
#define CARGO_LONGS "verbose quiet package= workspace all exclude= lib bin?= bins example?= " \
	"examples test?= tests bench?= benches all-targets features= all-features " \
	"no-default-features release profile= jobs= keep-going target= message-format= locked " \
	"offline frozen color= no-run no-fail-fast doc ignore-rust-version allow-dirty " \
	"allow-staged fix check edition depth= prefix= invert= no-dedupe duplicates " \
	"charset= format= edges= open no-deps document-private-items future-incompat-report " \
	"timings?= unit-graph build-plan list dry-run aggressive precise= recursive " \
	"limit= no-track broken-code name= vcs= optional dev build rename= no-optional " \
	"ignored nocapture partition= retries= filter-expr= run-ignored= " \
	"cargo-quiet success-output= failure-output= status-level= show-output lcov html " \
	"summary-only workspace-remap format-version= filter-platform="
#define CARGO(names, ...) { .name = names, .syntax = PARTIAL | EQUALS, .shorts = CARGO_SHORTS "E:", .longs = \
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
	run_project_words(run, run->operands, run->n_operands);
}

#define CARGO_RUN(names) { .name = names, .syntax = PARTIAL | POSIX_ORDER | EQUALS, .shorts = CARGO_SHORTS, \
	.longs = CARGO_LONGS, .special = cargo_run_words, .options = OPTIONS{ { NULL, \
	"manifest-path", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT }, \
	{ 0 } } }

static const struct command_model cargo[] = {
	CARGO_RUN("run|r|test|t|bench"),
	CARGO("build|b|check|c|clippy|doc|d|fmt|fix|nextest|llvm-cov|tarpaulin|miri|expand|hack|machete|"
	      "udeps|shear|deny|audit|outdated|insta|criterion|semver-checks|sort|careful",
		RUNS),
	CARGO("clean|update|fetch|generate-lockfile|add|remove|rm|package|set-version|upgrade",
		RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } }),
	CARGO("new|init|vendor",
		RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { EACH, EFFECT_CREATE }, { END } }),
	CARGO("tree|metadata|search|info|locate-project|pkgid|read-manifest|verify-project|version|help|--"
	      "list|config|report|bloat|asm|modules|geiger|msrv|about",
		STATUS),
	{ .name = "binstall", .syntax = NO_OPTIONS, .refuse = "takes programs from wherever a crate says" },
	{ .name = "install",
		.syntax = PARTIAL | EQUALS,
		.shorts = "fj:q",
		.longs = "force version= locked features= all-features no-default-features bin= "
			 "example= no-track quiet debug list profile= target= jobs= no-confirm vers=",
		.special = cargo_installs,
		.options = OPTIONS{ { NULL, "git", REQUIRED, EFFECT_OF_VALUE, EFFECT_INSTALL_OUTSIDE },
			{ NULL, "path", REQUIRED, EFFECT_OF_VALUE, EFFECT_INSTALL_PROJECT },
			{ NULL, "index registry", REQUIRED, EFFECT_OF_VALUE, EFFECT_INSTALL_OUTSIDE },
			{ NULL, "branch tag rev", REQUIRED, IGNORE },
			{ NULL, "root target-dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE }, { 0 } } },
	{ .name = "uninstall",
		.syntax = PARTIAL | EQUALS,
		.rules = RULES{ { EACH, EFFECT_INSTALL_REGISTRY }, { END } } },
	{ .name = "publish|yank|owner|login|logout",
		.syntax = PARTIAL | EQUALS,
		.shorts = "p:v",
		.options = OPTIONS{ { "n", "dry-run", NOTHING, IGNORE, .set = RUN_REHEARSES }, { 0 } },
		.longs = "package= allow-dirty no-verify token= locked registry=",
		.special = run_publishes },
	{ 0 },
};
static const struct command_model cargo_model = {
	.name = "cargo",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK | INHERITED | EQUALS,
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
	run_model(run, run->model->more);
}

MODEL(cargo) = { .name = "cargo", .reader = cargo_reader, .more = &cargo_model };
/* --emit=link=FILE and --print=cfg=FILE write to FILE. */
static void rustc_kinds(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static || bytes_char(value->text, '='))
		run_open(run, "rustc writes to a file that the option names");
}

static void rustc_command(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (bytes_start(run->operands[i].text, "@"))
			run_open(run, "rustc takes its options from a file");
}

MODEL(rustc) = {
	.name = "rustc",
	.syntax = PARTIAL,
	.shorts = "gOvVA:W:D:F:L:l:",
	.longs = "crate-type= crate-name= edition= test target= explain= cap-lints= color= "
		 "error-format= cfg= verbose",
	.rules = RULES{ { EACH, EFFECT_USE }, { ALWAYS, EFFECT_CREATE }, { END } },
	.special = rustc_command,
	.option = rustc_kinds,
	.options = OPTIONS{ { "o", "out-dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ NULL, "emit print", REQUIRED, CALL },
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
