/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Managers of language versions: nvm, pyenv and their kin, asdf, mise, fnm, volta, sdk. They list what is there,
 * fetch a release from its official place, write the project's own version file, and run a command with a version.
 */
#include "worker/commands/model.h"

#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }
#define FETCHES(what) RULES{ { ALWAYS, EFFECT_INSTALL_REGISTRY, .text = what }, { END } }
#define WRITES(file) RULES{ { ALWAYS, EFFECT_WRITE, .text = file }, { END } }
#define STATE RULES{ { ALWAYS, EFFECT_SHELL_STATE }, { END } }

/* A word with a slash in it is another's release, or a file (nvm: iojs-v1; pyenv: a file of a definition). */
static void releases(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (!run->operands[i].is_static ||
			(bytes_char(run->operands[i].text, '/') && !bytes_start(run->operands[i].text, "lts/")))
			run_open(run, "%s is given a version that is not known to the gate", run->model->name);
}

#define INSTALL(names, letters, options, what) { .name = names, .syntax = PARTIAL, .shorts = letters, \
	.longs = options, .rules = FETCHES(what), .special = releases }

static const struct command_model nvm[] = {
	{ .name = "ls|list|ls-remote|list-remote|current|which|version|version-remote|debug|help",
		.syntax = PARTIAL,
		.longs = "lts?= no-colors no-alias",
		.rules = STATUS },
	{ .name = "use|deactivate", .syntax = PARTIAL, .longs = "silent lts?= save", .rules = STATE },
	INSTALL("install|i", "bs", "lts?= latest-npm no-progress skip-default-packages default save", "node"),
	{ .name = "exec",
		.syntax = POSIX_ORDER | PARTIAL,
		.longs = "silent lts?=",
		.wrapping = WRAPPING{ .skip = 1 } },
	{ 0 },
};
MODEL(nvm) = { .name = "nvm", .syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK, .subcommands = nvm };

/* pyenv, rbenv, nodenv, goenv: one design, with one file of a project that says which version is wanted. */
static const struct {
	char program[8], file[16], language[8];
} kinds[] = {
	{ "pyenv", ".python-version", "python" },
	{ "rbenv", ".ruby-version", "ruby" },
	{ "nodenv", ".node-version", "node" },
	{ "goenv", ".go-version", "go" },
};

/* The last stands for any other. */
static size_t kind_of(const struct run *run)
{
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(kinds) && !bytes_start(run->out->program, kinds[i].program))
		i++;
	return i;
}

static void kin_wants(struct run *run)
{
	run_effect_fixed(run, EFFECT_WRITE, kinds[kind_of(run)].file);
	releases(run);
}

static void kin_installs(struct run *run)
{
	run_effect_fixed(run, EFFECT_INSTALL_REGISTRY, kinds[kind_of(run)].language);
	releases(run);
}

static const struct command_model kin[] = {
	{ .name = "versions|version|version-name|version-origin|version-file|which|whence|root|prefix|commands|help|shims|"
		  "rehash",
		.syntax = PARTIAL,
		.longs = "bare skip-aliases path short",
		.rules = STATUS },
	{ .name = "local", .syntax = PARTIAL, .longs = "unset", .special = kin_wants },
	{ .name = "install",
		.syntax = PARTIAL,
		.shorts = "lsfv",
		.longs = "list skip-existing force verbose keep",
		.special = kin_installs },
	{ .name = "exec", .syntax = POSIX_ORDER | PARTIAL, .wrapping = WRAPPING{ .skip = 0 } },
	{ 0 },
};
#define KIN(id, program) MODEL(id) = { .name = program, .syntax = POSIX_ORDER | PARTIAL, .subcommands = kin }
KIN(pyenv, "pyenv");
KIN(rbenv, "rbenv");
KIN(nodenv, "nodenv");
KIN(goenv, "goenv");

/* A plugin is code of its author's: what is installed by one runs it. */
static const struct command_model asdf[] = {
	{ .name = "current|list|where|which|latest|info|version|help|shimversions|reshim",
		.syntax = PARTIAL,
		.longs = "no-header all",
		.rules = STATUS },
	{ .name = "local|set",
		.syntax = PARTIAL,
		.rules = WRITES(".tool-versions"),
		.special = releases },
	{ .name = "install", .syntax = PARTIAL, .rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } },
		.special = releases },
	{ .name = "exec", .syntax = POSIX_ORDER | PARTIAL, .wrapping = WRAPPING{ .skip = 0 } },
	{ 0 },
};
MODEL(asdf) = { .name = "asdf", .syntax = POSIX_ORDER | PARTIAL, .subcommands = asdf };

static void mise_task(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (!run->operands[i].is_static)
			run_open(run, "a word of mise is not known before it runs");
}

static const struct command_model mise[] = {
	{ .name = "ls|list|current|where|which|version|outdated|tasks|registry|latest|ls-remote|doctor|config|cfg",
		.syntax = PARTIAL,
		.shorts = "cgimJ",
		.longs = "current global installed missing json no-header prefix=",
		.rules = STATUS },
	{ .name = "install|i",
		.syntax = PARTIAL,
		.shorts = "fj:vy",
		.longs = "force jobs= verbose yes",
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } },
		.special = releases },
	{ .name = "run|r",
		.syntax = POSIX_ORDER | PARTIAL,
		.shorts = "nfj:q",
		.longs = "dry-run force jobs= quiet",
		.special = mise_task },
	{ 0 },
};
MODEL(mise) = {
	.name = "mise",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "qvy",
	.longs = "quiet verbose yes",
	.options = OPTIONS{ { "C", "cd", REQUIRED, DIRECTORY }, { 0 } },
	.subcommands = mise,
};

static const struct command_model fnm[] = {
	{ .name = "list|ls|list-remote|ls-remote|current|help", .syntax = PARTIAL, .longs = "lts", .rules = STATUS },
	{ .name = "use", .syntax = PARTIAL, .longs = "silent-if-unchanged install-if-missing", .rules = STATE },
	INSTALL("install", "", "lts latest progress=", "node"),
	{ .name = "exec",
		.syntax = POSIX_ORDER | PARTIAL,
		.longs = "using=",
		.wrapping = WRAPPING{ .skip = 0 } },
	{ 0 },
};
MODEL(fnm) = { .name = "fnm", .syntax = POSIX_ORDER | PARTIAL, .subcommands = fnm };

static const struct command_model volta[] = {
	{ .name = "list|ls|which|help", .syntax = PARTIAL, .shorts = "cd", .longs = "current default format=",
		.rules = STATUS },
	INSTALL("fetch", "", "", "node"),
	{ 0 },
};
MODEL(volta) = { .name = "volta", .syntax = POSIX_ORDER | PARTIAL, .subcommands = volta };

static const struct command_model sdk[] = {
	{ .name = "list|ls|current|c|version|v|help|home|h", .syntax = PARTIAL, .rules = STATUS },
	{ .name = "use|u", .syntax = PARTIAL, .rules = STATE },
	INSTALL("install|i", "", "", "sdk"),
	{ 0 },
};
MODEL(sdk) = { .name = "sdk", .syntax = POSIX_ORDER | PARTIAL, .subcommands = sdk };
