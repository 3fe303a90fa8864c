/* SPDX-License-Identifier: Apache-2.0 */
/* Python: the interpreter, pip, uv, poetry and the tools that run a project's tests and checks. */
#include "worker/commands/inline.h"
#include "worker/commands/model.h"
#include "worker/commands/programs/shown_settings.h"

#define RUNS RULES{ { ALWAYS, EFFECT_RUN_PROJECT }, { END } }
#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }

/* A requirement: a name of the index, a path, or a place outside. */
static void requirement(struct run *run, const struct arg *a)
{
	if (bytes_find(a->text, "://") || bytes_find(a->text, "git+") || bytes_find(a->text, "git@"))
		run_effect(run, EFFECT_INSTALL_OUTSIDE, a);
	else if (bytes_start(a->text, ".") || bytes_start(a->text, "/") || bytes_start(a->text, "~") ||
		bytes_end(a->text, ".whl") || bytes_end(a->text, ".tar.gz") || bytes_char(a->text, '/'))
		run_effect(run, EFFECT_INSTALL_PROJECT, a);
	else
		run_effect(run, EFFECT_INSTALL_REGISTRY, a);
}

static void installs(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		requirement(run, &run->operands[i]);
	if (run->n_operands == 0 && !run->out->effects)
		run_effect_fixed(run, EFFECT_INSTALL_PROJECT, ".");
}

/* --index-url: the index itself is fine by its own address. */
static void index_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (!value->is_static ||
		!(bytes_is(value->text, "https://pypi.org/simple") ||
			bytes_is(value->text, "https://pypi.org/simple/") ||
			bytes_start(value->text, "https://download.pytorch.org/whl/") ||
			bytes_is(value->text, "https://download.pytorch.org/whl")))
		run_effect(run, EFFECT_INSTALL_OUTSIDE, value);
}

#define PIP_LONGS "quiet verbose upgrade user no-cache-dir no-deps pre force-reinstall " \
	"ignore-installed no-build-isolation disable-pip-version-check no-input yes no-color " \
	"progress-bar= upgrade-strategy= only-binary?= no-binary?= prefer-binary " \
	"break-system-packages no-warn-script-location timeout= retries= default-timeout= " \
	"root-user-action= compile no-compile require-hashes dry-run python-version= " \
	"platform= implementation= abi= use-pep517 no-use-pep517 check-build-dependencies format= " \
	"outdated uptodate not-required local all exclude= verify files isolated " \
	"require-virtualenv no-python-version-warning no-verify-hashes system compile-bytecode " \
	"reinstall refresh resolution= prerelease= strict no-progress offline native-tls group= " \
	"frozen locked no-dev all-extras extra= all-groups no-group= only-group= no-sync " \
	"no-editable inexact exact dev package= all-packages no-install-project no-build seed " \
	"clear allow-existing prompt= no-project no-managed-python managed-python module " \
	"no-config universal output-format= no-header annotate no-annotate emit-index-url " \
	"annotation-style= upgrade-package= python-preference= link-mode= check diff bare lib app " \
	"no-readme name= no-workspace with= isolated-env index-strategy="
#define PIP_OPTIONS OPTIONS{ { "r", "requirement requirements constraint constraints", REQUIRED, \
	CALL, .text = "r" }, \
	{ "c", "override build-constraint", REQUIRED, CALL, .text = "r" }, \
	{ NULL, "report", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, \
	{ NULL, "script", REQUIRED, EFFECT_OF_VALUE, EFFECT_EXECUTE }, \
	{ "e", "editable", REQUIRED, CALL, .text = "e" }, \
	{ "i", "index-url extra-index-url index default-index", REQUIRED, CALL, .text = "i" }, \
	{ "f", "find-links", REQUIRED, REFUSE, .text = "-f takes packages from elsewhere" }, \
	{ NULL, "trusted-host proxy cert client-cert config-settings global-option build-option", REQUIRED, \
	REFUSE, .text = "changes where packages come from or how they are built" }, \
	{ "t", "target prefix root src cache-dir log build", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE }, \
	{ "o", "output-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, \
	{ "d", "dest wheel-dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE }, \
	{ "p", "python", REQUIRED, CALL, .text = "p" }, \
	{ NULL, "directory project", REQUIRED, DIRECTORY }, \
	{ 0 } }

/* --python takes a version, or a program. */
static void interpreter(struct run *run, const struct arg *value)
{
	if (!value->is_static || (bytes_char(value->text, '/') && !bytes_start(value->text, "/usr/bin/")))
		run_effect(run, EFFECT_EXECUTE, value);
}

static void pip_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	if (rule->text[0] == 'e')
		requirement(run, value);
	else if (rule->text[0] == 'r')
		run_effect(run,
			bytes_find(value->text, "://") ? EFFECT_INSTALL_OUTSIDE : EFFECT_INSTALL_PROJECT, value);
	else if (rule->text[0] == 'p')
		interpreter(run, value);
	else
		index_option(run, rule, value);
}

static void pip_removes(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		run_effect(run, EFFECT_INSTALL_REGISTRY, &run->operands[i]);
}

static const struct command_model pip_config[] = {
	{ .name = "list|debug", .syntax = PARTIAL, .longs = "global user site", .rules = STATUS,
		.special = run_lists_settings },
	{ .name = "get", .syntax = PARTIAL, .longs = "global user site", .rules = STATUS, .special = run_shows_setting },
	{ 0 },
};
static const struct command_model pip[] = {
	{ .name = "config", .syntax = POSIX_ORDER | PARTIAL, .subcommands = pip_config },
	{ .name = "install|download|wheel", .syntax = PARTIAL, .special = installs },
	{ .name = "uninstall", .syntax = PARTIAL, .special = pip_removes },
	{ .name = "list|show|freeze|check|debug|index|search|cache|inspect|hash|help|tree",
		.syntax = PARTIAL,
		.rules = STATUS },
	{ .name = "compile|sync",
		.syntax = PARTIAL,
		.rules = RULES{ { EACH, EFFECT_INSTALL_PROJECT }, { END } } },
	{ 0 },
};
#define PIP(id, program) MODEL(id) = { .name = program, .syntax = POSIX_ORDER | PARTIAL | \
	SUBCOMMAND_ALONE_OK | INHERITED | PROJECT_TOOL, .shorts = "qvUyIVhln", .longs = PIP_LONGS, \
	.options = PIP_OPTIONS, .option = pip_option, .subcommands = pip }
PIP(pip, "pip");
PIP(pip3, "pip3");

#define TOOL(id, program) MODEL(id) = { .name = program, .reader = run_project_tool, .syntax = \
	PROJECT_TOOL }
/* pytest empties --basetemp before it uses it; --pastebin publishes the output. */
static void pytest_reader(struct run *run)
{
	run_project_tool(run);
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];
		struct arg value = *a;

		if (bytes_start(a->text, "--pas"))
			run_open(run, "--pastebin publishes the output");
		if (!bytes_start(a->text, "--base"))
			continue;
		value.text = bytes_from(a->text, strlen("--basetemp="));
		if (!bytes_start(a->text, "--basetemp="))
			value = i + 1 < run->argc ? run->argv[i + 1] : value;
		run_effect(run, EFFECT_DELETE_TREE, &value);
	}
}

MODEL(pytest) = { .name = "pytest", .reader = pytest_reader, .syntax = PROJECT_TOOL };
/* What stands behind "--" goes to the project's own tests; exec and devenv run and write whatever the line names. */
static void tox_command(struct run *run)
{
	run_project_tool(run);
	if (run->n_operands && in_list(run->operands[0].text, "exec e devenv d"))
		run_open(run, "tox %.*s reaches further than the project", (int)run->operands[0].text.len,
			run->operands[0].text.p);
}

MODEL(tox) = {
	.name = "tox",
	.syntax = PROJECT_TOOL | PARTIAL,
	.shorts = "e:pvqrlaf:n:c:",
	.longs = "parallel recreate verbose skip-missing-interpreters?= workdir= listenvs colored= quiet notest "
		 "sdistonly no-recreate-pkg skip-env= root= develop conf=",
	.special = tox_command,
};

/* downgrade drops what a migration made. */
static void alembic_command(struct run *run)
{
	run_project_tool(run);
	if (run->n_operands && !(run->operands[0].is_static &&
		in_list(run->operands[0].text,
			"history heads current show check branches upgrade stamp revision merge")))
		run_open(run, "this command of alembic is not known to the gate");
}

MODEL(alembic) = {
	.name = "alembic",
	.syntax = PROJECT_TOOL | PARTIAL,
	.shorts = "c:n:vm:r:i",
	.longs = "config= name= raiseerr verbose autogenerate message= rev-id= sql head= splice branch-label= tag= "
		 "indicate-current rev-range= resolve-dependencies",
	.special = alembic_command,
};
TOOL(nox, "nox");
/* run FILE and run -m MODULE are what python makes of them; the other commands report. */
static const struct command_model coverage_runs = {
	.name = "coverage run",
	.syntax = POSIX_ORDER | PARTIAL,
	.shorts = "ap",
	.longs = "append branch concurrency= context= data-file= debug= include= omit= parallel-mode rcfile= "
		 "save-signal= source= source-pkgs= source-dirs= timid pylib",
	.options = OPTIONS{ { "m", "module", NOTHING, IGNORE, .set = 1 }, { 0 } },
};

static void coverage_reader(struct run *run)
{
	static const char *const module[] = { "python3", "-m" };
	uint32_t n = 0;
	struct run inner = *run;
	struct arg *words;

	run_project_tool(run);
	if (!run->argc || !arg_is(&run->argv[0], "run"))
		return;
	inner.model = &coverage_runs;
	inner.argv = run->argv + 1;
	inner.argc = run->argc - 1;
	run_options(&inner);
	run->failed = inner.failed;
	words = run_alloc(run, (inner.n_operands + ARRAY_LEN(module)) * sizeof(*words));
	if (!words || !inner.n_operands)
		return;
	for (; n < (inner.bits & 1 ? ARRAY_LEN(module) : 1); n++)
		words[n] = (struct arg){ .text = bytes_str(module[n]), .is_static = true };
	memcpy(words + n, inner.operands, inner.n_operands * sizeof(*words));
	run_nested_words(run, words, n + inner.n_operands);
}

MODEL(coverage) = { .name = "coverage", .reader = coverage_reader, .syntax = PROJECT_TOOL };
TOOL(unittest, "unittest");
TOOL(pre_commit, "pre-commit");
TOOL(sphinx_build, "sphinx-build");
TOOL(mkdocs, "mkdocs");
TOOL(mypy, "mypy");
TOOL(ruff, "ruff");
TOOL(black, "black");
TOOL(flake8, "flake8");
TOOL(isort, "isort");
TOOL(pylint, "pylint");
TOOL(pyright, "pyright");
TOOL(basedpyright, "basedpyright");
TOOL(bandit, "bandit");
TOOL(autopep8, "autopep8");
TOOL(yapf, "yapf");
TOOL(codespell, "codespell");
TOOL(yamllint, "yamllint");
TOOL(vulture, "vulture");
TOOL(interrogate, "interrogate");

/* INFILE [OUTFILE], and options that may take a word. */
static void reads_and_writes(struct run *run, const struct arg *rest, uint32_t n)
{
	uint32_t files = 0;

	run->out->stdin_role = STDIN_READ;
	for (uint32_t i = 0; i < n; i++) {
		bool value = i && in_list(rest[i - 1].text, "--indent -m --mode");

		if (!value && !bytes_start(rest[i].text, "-"))
			run_effect(run, files++ ? EFFECT_WRITE : EFFECT_READ, &rest[i]);
	}
}

/* python -m MODULE: those of the standard library that are tools, and those that have a model. */
static void module(struct run *run, const struct arg *name, const struct arg *rest, uint32_t n)
{
	const struct command_model *m;
	struct run sub = *run;

	if (!name->is_static) {
		run_open(run, "the module that python runs is not known before it runs");
		return;
	}
	sub.argv = rest;
	sub.argc = n;
	run_imports(run, name->text);
	if (in_list(name->text,
		    "platform site sysconfig this calendar keyword tabnanny pyclbr")) {
		run_effect_fixed(run, EFFECT_PURE, NULL);
	} else if (bytes_is(name->text, "ensurepip")) {
		run_effect_fixed(run, EFFECT_INSTALL_REGISTRY, "pip");
		for (uint32_t i = 0; i < n; i++)
			if (!in_list(rest[i].text, "--upgrade -U --user --default-pip --version"))
				run_open(run, "an option of ensurepip is not known to the gate");
	} else if (in_list(name->text, "json.tool ast tokenize dis base64")) {
		reads_and_writes(run, rest, n);
	} else if (in_list(name->text, "py_compile compileall")) {
		run_effect_fixed(run, EFFECT_PURE, NULL);
		for (uint32_t i = 0; i < n; i++) /* writes __pycache__ beside them */
			if (!bytes_start(rest[i].text, "-"))
				run_effect(run, EFFECT_CREATE, &rest[i]);
	} else if (in_list(name->text, "venv virtualenv")) {
		for (uint32_t i = 0; i < n; i++)
			if (!bytes_start(rest[i].text, "-"))
				run_effect(run, EFFECT_CREATE, &rest[i]);
	} else if (in_list(name->text, "http.server pydoc")) {
		run_effect_fixed(run, EFFECT_LISTEN, NULL);
	} else if (bytes_is(name->text, "doctest")) {
		for (uint32_t i = 0; i < n; i++) /* imports them */
			if (!bytes_start(rest[i].text, "-"))
				run_effect(run, EFFECT_EXECUTE, &rest[i]);
	} else if (in_list(name->text, "build")) {
		run_project_tool(&sub);
		run->failed = sub.failed;
	} else if (in_list(name->text,
			   "pip pytest unittest mypy ruff black flake8 isort pylint coverage tox nox pyright "
			   "bandit yapf autopep8 pre_commit sphinx_build mkdocs alembic uv poetry")) {
		m = model_by_name(bytes_is(name->text, "pre_commit") ? BYTES("pre-commit") : name->text);
		if (m) {
			sub.out->program = bytes_str(m->name);
			run_model(&sub, m);
			run->failed = sub.failed;
		}
	} else {
		run_open(run, "python module %.*s is not known to the gate",
			(int)(name->text.len < 80 ? name->text.len : 80), name->text.p);
	}
}

static bool plain_x(struct bytes value)
{
	return in_list(value, "dev utf8 utf8=1 utf8=0 importtime faulthandler tracemalloc no_debug_ranges "
			      "frozen_modules=off frozen_modules=on showrefcount");
}

/* python [options] [-c TEXT | -m MODULE | SCRIPT | -] [arguments] (Python manual "Command line and
 * environment"). */
static void python_reader(struct run *run)
{
	static const struct arg none = { .is_static = true, .text = { "", 0 } };
	uint32_t at = 0;

	while (at < run->argc) {
		const struct arg *a = &run->argv[at];

		if (!a->is_static && (a->text.len == 0 || a->text.p[0] == '-')) {
			run_open(run, "what python runs is not known before it runs");
			return;
		}
		if (a->text.len < 2 || a->text.p[0] != '-')
			break;
		at++;
		if (in_list(a->text, "--version --help")) {
			run_effect_fixed(run, EFFECT_PURE, NULL);
			return;
		}
		for (size_t i = 1; i < a->text.len; i++) {
			char c = a->text.p[i];
			struct arg value = *a;

			if (c == 'c' || c == 'm' || c == 'W' || c == 'X') {
				value.text = bytes_from(a->text, i + 1);
				if (!value.text.len)
					value = at < run->argc ? run->argv[at++] : none;
				if (c == 'c')
					inline_python(run, &value);
				else if (c == 'X' && !plain_x(value.text))
					run_open(run, "an -X option of python is not known to the gate");
				else if (c == 'm')
					module(run, &value, run->argv + at, run->argc - at);
				else
					break;
				return;
			}
			if (c == 'V' || c == 'h') {
				run_effect_fixed(run, EFFECT_PURE, NULL);
				return;
			}
			if (!strchr("bBdEIOPqsSuvxt", c)) {
				run_open(run, "option %.*s of python is not known to the gate",
					(int)(a->text.len < 80 ? a->text.len : 80), a->text.p);
				return;
			}
		}
	}
	if (at < run->argc && !arg_is(&run->argv[at], "-")) {
		run_effect(run, EFFECT_EXECUTE, &run->argv[at]);
		return;
	}
	if (run->invocation->input == INPUT_TEXT && run->invocation->input_word &&
		run->invocation->input_word->is_static) {
		struct arg text = { .text = run->invocation->input_word->value, .is_static = true };

		run->out->stdin_role = STDIN_PROGRAM;
		inline_python(run, &text);
		return;
	}
	run_program_from_stdin(run, false, DIALECT_OTHER);
}

MODEL(python) = { .name = "python", .reader = python_reader, .syntax = PROJECT_TOOL };

/* uv: pip and project management in one. */
static void uv_runs(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	run_nested_words(run, run->operands, run->n_operands);
}

static void uvx(struct run *run)
{
	if (run->n_operands && run->operands[0].is_static &&
		in_list(run->operands[0].text,
			"ruff black mypy pytest isort flake8 pyright pre-commit tox nox codespell yamllint "
			"cookiecutter-show"))
		run_nested_words(run, run->operands, run->n_operands);
	else
		run_open(run, "%s may fetch and run what the project does not pin", run->model->name);
}

static const struct command_model uv_tool[] = {
	{ .name = "list|dir", .syntax = PARTIAL, .rules = STATUS },
	{ .name = "run", .syntax = POSIX_ORDER | PARTIAL, .special = uvx },
	{ .name = "install|upgrade", .syntax = PARTIAL, .special = installs },
	{ .name = "uninstall", .syntax = PARTIAL, .special = pip_removes },
	{ 0 },
};
static const struct command_model uv_python[] = {
	{ .name = "list|find|dir", .syntax = PARTIAL, .rules = STATUS },
	{ .name = "install|pin",
		.syntax = PARTIAL,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_REGISTRY, .text = "python" }, { END } } },
	{ 0 },
};
static const struct command_model uv_places[] = {
	{ .name = "dir|version", .syntax = PARTIAL, .rules = STATUS },
	{ 0 },
};
static const struct command_model uv[] = {
	{ .name = "pip", .syntax = POSIX_ORDER | PARTIAL, .subcommands = pip },
	{ .name = "build",
		.syntax = PARTIAL,
		.longs = "sdist wheel",
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { EACH, EFFECT_INSTALL_PROJECT }, { END } } },
	{ .name = "sync|lock|export|remove",
		.syntax = PARTIAL,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } },
		.shorts = "",
		.longs = "frozen" },
	{ .name = "add", .syntax = PARTIAL, .special = installs },
	{ .name = "run",
		.syntax = POSIX_ORDER | PARTIAL,
		.special = uv_runs,
		.options = OPTIONS{ { NULL, "with with-requirements with-editable env-file", REQUIRED, REFUSE,
					    .text = "--with brings other packages along" },
			{ "m", "module", NOTHING, REFUSE, .text = "-m runs a module" }, { 0 } } },
	{ .name = "venv",
		.syntax = PARTIAL,
		.rules = RULES{ { EACH, EFFECT_CREATE }, { ABSENT, EFFECT_CREATE, .text = ".venv" },
			{ END } } },
	{ .name = "init",
		.syntax = PARTIAL,
		.rules = RULES{ { EACH, EFFECT_CREATE }, { ABSENT, EFFECT_CREATE }, { END } } },
	{ .name = "tree|version|help|format", .syntax = PARTIAL, .rules = STATUS },
	{ .name = "cache|self", .syntax = POSIX_ORDER | PARTIAL, .subcommands = uv_places },
	{ .name = "tool", .syntax = POSIX_ORDER, .subcommands = uv_tool },
	{ .name = "python", .syntax = POSIX_ORDER, .subcommands = uv_python },
	{ .name = "publish",
		.syntax = PARTIAL,
		.special = run_publishes },
	{ 0 },
};
MODEL(uv) = {
	.name = "uv",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK | INHERITED | NO_ABBREVIATION | EQUALS,
	.shorts = "qvnUVh",
	.longs = PIP_LONGS,
	.options = PIP_OPTIONS,
	.option = pip_option,
	.subcommands = uv,
};
MODEL(uvx) = { .name = "uvx", .syntax = POSIX_ORDER | PARTIAL, .shorts = "q", .special = uvx };
/* env use takes any python. */
static const struct command_model poetry_env[] = {
	{ .name = "list|info|activate", .syntax = PARTIAL, .shorts = "p", .longs = "path full-path executable",
		.rules = STATUS },
	{ 0 },
};
static const struct command_model poetry[] = {
	{ .name = "install|update|lock|sync|build|remove",
		.syntax = PARTIAL,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } },
		.longs = "no-root no-dev sync with= without= only= all-extras extras= dry-run no-update "
			 "regenerate group= all-groups format= output= local-version= clean only-root "
			 "compile" },
	{ .name = "add",
		.syntax = PARTIAL,
		.shorts = "GDE:",
		.longs = "group= dev extras= optional allow-prereleases lock dry-run",
		.special = installs },
	{ .name = "run", .syntax = POSIX_ORDER | PARTIAL, .special = uv_runs },
	{ .name = "env", .syntax = POSIX_ORDER, .subcommands = poetry_env },
	{ .name = "show|check|version|about|search|export|list",
		.syntax = PARTIAL,
		.longs = "tree latest outdated all top-level short only= with= without= path",
		.rules = STATUS },
	{ .name = "publish",
		.syntax = PARTIAL,
		.special = run_publishes },
	{ 0 },
};
MODEL(poetry) = {
	.name = "poetry",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK | INHERITED,
	.shorts = "qvnV",
	.longs = "no-interaction quiet verbose no-ansi ansi no-plugins no-cache",
	.subcommands = poetry,
	.options = OPTIONS{ { "CP", "directory project", REQUIRED, DIRECTORY }, { 0 } },
};
static const struct command_model pipx[] = {
	{ .name = "list|environment", .syntax = PARTIAL, .rules = STATUS },
	{ .name = "install|upgrade|upgrade-all|inject",
		.syntax = PARTIAL,
		.longs = "force include-deps",
		.special = installs },
	{ .name = "run", .syntax = POSIX_ORDER | PARTIAL, .special = uvx },
	{ 0 },
};
MODEL(pipx) = { .name = "pipx", .syntax = POSIX_ORDER, .subcommands = pipx };
static const struct command_model pipenv[] = {
	{ .name = "install|sync|lock|update",
		.syntax = PARTIAL,
		.shorts = "d",
		.longs = "dev deploy system ignore-pipfile",
		.special = installs },
	{ .name = "run", .syntax = POSIX_ORDER, .special = uv_runs },
	{ .name = "graph|check|requirements|verify", .syntax = PARTIAL, .rules = STATUS },
	{ 0 },
};
MODEL(pipenv) = { .name = "pipenv",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK,
	.longs = "venv where py",
	.subcommands = pipenv };
/* A channel is an address, or anybody's name at the registry: these are kept by the communities that others rely on. */
static void conda_channel(struct run *run, const struct arg *value)
{
	if (bytes_find(value->text, "://"))
		run_effect(run, EFFECT_INSTALL_OUTSIDE, value);
	else if (!value->is_static ||
		!in_list(value->text, "defaults main r free msys2 anaconda conda-forge bioconda pytorch nvidia"))
		run_open(run, "whose channel %.*s is, is not known to the gate",
			(int)(value->text.len < 60 ? value->text.len : 60), value->text.p);
}

static void conda_source(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	if (rule->text)
		conda_channel(run, value);
	else if (bytes_find(value->text, "://"))
		run_effect(run, EFFECT_INSTALL_OUTSIDE, value);
	else
		run_effect(run, EFFECT_INSTALL_PROJECT, value);
}

/* CHANNEL::NAME */
static void conda_installs(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++) {
		struct arg channel = run->operands[i];
		const char *mark = channel.text.len ? memmem(channel.text.p, channel.text.len, "::", 2) : NULL;

		channel.text.len = mark ? (size_t)(mark - channel.text.p) : 0;
		if (mark)
			conda_channel(run, &channel);
	}
	installs(run);
}

static const struct command_model conda_env[] = {
	{ .name = "list|export", .syntax = PARTIAL, .longs = "json no-builds from-history", .rules = STATUS },
	{ .name = "create|update",
		.syntax = PARTIAL,
		.shorts = "yqn:",
		.longs = "yes quiet name= prune",
		.option = conda_source,
		.options = OPTIONS{ { "p", "prefix", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE },
			{ "f", "file", REQUIRED, CALL }, { 0 } },
		.special = installs },
	{ 0 },
};
static const struct command_model conda[] = {
	{ .name = "install|update|create",
		.syntax = PARTIAL,
		.shorts = "yqn:",
		.longs = "yes quiet name= override-channels all dry-run",
		.option = conda_source,
		.options = OPTIONS{ { "p", "prefix", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE },
			{ "f", "file", REQUIRED, CALL },
			{ "c", "channel", REQUIRED, CALL, .text = "channel" }, { 0 } },
		.special = conda_installs },
	{ .name = "list|info|search", .syntax = NO_OPTIONS, .rules = STATUS },
	{ .name = "env", .syntax = POSIX_ORDER, .subcommands = conda_env },
	{ .name = "activate|deactivate", .rules = RULES{ { ALWAYS, EFFECT_SHELL_STATE }, { END } } },
	{ .name = "run",
		.syntax = POSIX_ORDER | PARTIAL,
		.shorts = "n:p:",
		.longs = "name= prefix= no-capture-output",
		.special = uv_runs },
	{ 0 },
};
MODEL(conda) = { .name = "conda", .syntax = POSIX_ORDER, .subcommands = conda };
MODEL(twine) = { .name = "twine",
	.syntax = NO_OPTIONS,
	.special = run_publishes };
MODEL(virtualenv) = { .name = "virtualenv",
	.syntax = PARTIAL,
	.shorts = "qv",
	.longs = "system-site-packages clear",
	.option = pip_option,
	.options = OPTIONS{ { "p", "python", REQUIRED, CALL, .text = "p" }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_CREATE }, { END } } };
