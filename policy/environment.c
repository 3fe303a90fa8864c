/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of variables that close the way for commands they affect. Left out is what terminals and editors set for
 * everybody, to values that only show or ask something (GIT_ASKPASS, GIT_EDITOR, PAGER).
 */
#include "policy/environment.h"

/* The programs a variable bears upon. */
enum programs {
	EVERY, ITSELF, ZSH, SH, GIT, GH, NODE, NODE_ALONE, NPM, PYTHON, PYTHON_TOOLS, PYTHON_TESTS, PYTEST,
	PERL, RUBY, JAVA, MVN, GRADLE, DOTNET, CARGO, GO, MAKE, COMPILERS, RG, TAR, RSYNC, CURL, WGET, PSQL,
	BASH, TRACERS, AWK, MAN, TEX, OPENSSL, PIP, UV, KUBECTL, AWS, LESS, DOCKER, PHP, LUA, RSCRIPT, ERLANG, CMAKE,
	BAT, ZIP, HG, SVN, TERRAFORM, PROGRAMS__MAX
};

/* Between blanks; NULL: all of them. */
static const char *const programs[PROGRAMS__MAX] = {
	[EVERY] = NULL,
	[ITSELF] = "", /* the function's own name */
	[ZSH] = "zsh",
	[SH] = "sh dash ksh",
	[GIT] = "git gh",
	[GH] = "gh",
	[NODE] = "node npm npx pnpm pnpx yarn tsc jest vitest eslint prettier next vite",
	[NODE_ALONE] = "node",
	[NPM] = "npm npx pnpm yarn",
	[PYTHON] = "python python3",
	[PYTHON_TOOLS] = "python python3 pip pip3 pytest",
	[PYTHON_TESTS] = "python python3 pytest",
	[PYTEST] = "pytest",
	[PERL] = "perl",
	[RUBY] = "ruby gem bundle rake",
	[JAVA] = "java javac mvn gradle",
	[MVN] = "mvn",
	[GRADLE] = "gradle",
	[DOTNET] = "dotnet",
	[CARGO] = "cargo",
	[GO] = "go",
	[MAKE] = "make",
	[COMPILERS] = "gcc g++ cc c++",
	[RG] = "rg",
	[TAR] = "tar",
	[RSYNC] = "rsync",
	[CURL] = "curl",
	[WGET] = "wget",
	[PSQL] = "psql",
	[BASH] = "bash",
	[TRACERS] = "bash sh dash ksh set",
	[AWK] = "awk gawk",
	[MAN] = "man",
	[TEX] = "tex pdftex latex pdflatex",
	[OPENSSL] = "openssl",
	[PIP] = "pip pip3 python python3 uv uvx pipx poetry pipenv tox nox",
	[UV] = "uv uvx",
	[KUBECTL] = "kubectl helm kustomize",
	[AWS] = "aws sam",
	[LESS] = "less man zless",
	[DOCKER] = "docker docker-compose podman",
	[PHP] = "php composer phpunit",
	[LUA] = "lua luajit",
	[RSCRIPT] = "Rscript R",
	[ERLANG] = "mix iex elixir erl rebar3",
	[CMAKE] = "cmake ctest",
	[BAT] = "bat batcat",
	[ZIP] = "zip unzip zipinfo",
	[HG] = "hg",
	[SVN] = "svn",
	[TERRAFORM] = "terraform tofu terragrunt",
};

/*
 * A trailing * in a variable's name stands for any ending. The first row that fits counts. The names lie in the table,
 * so that it need not be relocated when a process starts.
 */
static const struct {
	char variable[36];
	uint8_t programs, value; /* enum programs, enum environment_value */
} rows[] = {
	{ "BASH_ENV", EVERY, 0 }, { "SHELLOPTS", EVERY, 0 }, { "BASHOPTS", EVERY, 0 },
	{ "BASH_LOADABLES_PATH", EVERY, 0 }, { "BASH_FUNC_*", ITSELF, 0 }, { "LD_PRELOAD", EVERY, 0 },
	{ "LD_AUDIT", EVERY, 0 }, { "LD_LIBRARY_PATH", EVERY, ENVIRONMENT_DIRECTORIES }, { "LD_PROFILE", EVERY, 0 },
	{ "DYLD_*", EVERY, 0 }, { "GCONV_PATH", EVERY, 0 }, { "POSIXLY_CORRECT", EVERY, 0 }, { "ZDOTDIR", ZSH, 0 },
	{ "ENV", SH, 0 }, { "GIT_DIR", GIT, 0 }, { "GIT_WORK_TREE", GIT, 0 }, { "GIT_COMMON_DIR", GIT, 0 },
	{ "GIT_INDEX_FILE", GIT, 0 }, { "GIT_OBJECT_DIRECTORY", GIT, 0 },
	{ "GIT_ALTERNATE_OBJECT_DIRECTORIES", GIT, 0 }, { "GIT_NAMESPACE", GIT, 0 },
	{ "GIT_SSH_COMMAND", GIT, ENVIRONMENT_SSH }, { "GIT_SSH*", GIT, 0 }, { "GIT_PROXY_COMMAND", GIT, 0 },
	{ "GIT_EXTERNAL_DIFF", GIT, 0 }, { "GIT_CONFIG_COUNT", GIT, ENVIRONMENT_COUNT },
	{ "GIT_CONFIG_KEY_*", GIT, ENVIRONMENT_GIT_KEY }, { "GIT_CONFIG_VALUE_*", GIT, ENVIRONMENT_GIT_VALUE },
	{ "GIT_CONFIG*", GIT, 0 }, { "GIT_EXEC_PATH", GIT, 0 }, { "GIT_TEMPLATE_DIR", GIT, 0 },
	{ "GIT_ATTR_SOURCE", GIT, 0 }, { "GIT_ALLOW_PROTOCOL", GIT, 0 }, { "GIT_TRACE*", GIT, ENVIRONMENT_NUMBER },
	{ "GIT_SHALLOW_FILE", GIT, 0 }, { "GIT_REPLACE_REF_BASE", GIT, 0 },
	{ "GIT_DISCOVERY_ACROSS_FILESYSTEM", GIT, 0 }, { "GH_REPO", GH, 0 }, { "GH_HOST", GH, 0 },
	{ "NODE_OPTIONS", NODE, ENVIRONMENT_NODE }, { "NODE_PATH", NODE_ALONE, ENVIRONMENT_PROJECT },
	{ "npm_config_cache", NPM, ENVIRONMENT_DIRECTORIES },
	{ "npm_config_global_prefix", NPM, ENVIRONMENT_DIRECTORIES },
	{ "npm_config_globalconfig", NPM, ENVIRONMENT_DIRECTORIES },
	{ "npm_config_init_module", NPM, ENVIRONMENT_DIRECTORIES },
	{ "npm_config_node_gyp", NPM, ENVIRONMENT_DIRECTORIES },
	{ "npm_config_prefix", NPM, ENVIRONMENT_DIRECTORIES },
	{ "npm_config_userconfig", NPM, ENVIRONMENT_DIRECTORIES },
	{ "npm_config_local_prefix", NPM, ENVIRONMENT_ANY }, { "npm_config_npm_version", NPM, ENVIRONMENT_ANY },
	{ "npm_config_user_agent", NPM, ENVIRONMENT_ANY }, { "npm_config_loglevel", NPM, ENVIRONMENT_ANY },
	{ "npm_config_update_notifier", NPM, ENVIRONMENT_ANY }, { "npm_config_fund", NPM, ENVIRONMENT_ANY },
	{ "npm_config_audit", NPM, ENVIRONMENT_ANY }, { "npm_config_progress", NPM, ENVIRONMENT_ANY },
	{ "npm_config_color", NPM, ENVIRONMENT_ANY }, { "npm_config_noproxy", NPM, ENVIRONMENT_ANY },
	{ "npm_config_*", NPM, 0 }, { "NPM_CONFIG_LOGLEVEL", NPM, ENVIRONMENT_ANY },
	{ "NPM_CONFIG_UPDATE_NOTIFIER", NPM, ENVIRONMENT_ANY }, { "NPM_CONFIG_FUND", NPM, ENVIRONMENT_ANY },
	{ "NPM_CONFIG_AUDIT", NPM, ENVIRONMENT_ANY }, { "NPM_CONFIG_PREFIX", NPM, ENVIRONMENT_DIRECTORIES },
	{ "NPM_CONFIG_CACHE", NPM, ENVIRONMENT_DIRECTORIES }, { "NPM_CONFIG_*", NPM, 0 },
	{ "PYTHONPATH", PYTHON, ENVIRONMENT_PROJECT }, { "PYTHONHOME", PYTHON_TOOLS, 0 },
	{ "PYTHONINSPECT", PYTHON, 0 }, { "PYTHONBREAKPOINT", PYTHON_TESTS, 0 },
	{ "PYTHONWARNINGS", PYTHON, ENVIRONMENT_WARNINGS }, { "PYTEST_ADDOPTS", PYTEST, ENVIRONMENT_PYTEST },
	{ "PYTEST_PLUGINS", PYTEST, 0 }, { "PERL5OPT", PERL, 0 }, { "PERL5LIB", PERL, ENVIRONMENT_DIRECTORIES },
	{ "PERL5DB", PERL, 0 }, { "PERLLIB", PERL, ENVIRONMENT_DIRECTORIES }, { "RUBYOPT", RUBY, 0 },
	{ "RUBYLIB", RUBY, ENVIRONMENT_DIRECTORIES }, { "JAVA_TOOL_OPTIONS", JAVA, ENVIRONMENT_JAVA },
	{ "_JAVA_OPTIONS", JAVA, ENVIRONMENT_JAVA }, { "JDK_JAVA_OPTIONS", JAVA, ENVIRONMENT_JAVA },
	{ "MAVEN_OPTS", MVN, ENVIRONMENT_JAVA }, { "GRADLE_OPTS", GRADLE, ENVIRONMENT_JAVA },
	{ "DOTNET_STARTUP_HOOKS", DOTNET, 0 }, { "RUSTC", CARGO, 0 }, { "RUSTC_WRAPPER", CARGO, 0 },
	{ "RUSTC_WORKSPACE_WRAPPER", CARGO, 0 }, { "CARGO_BUILD_RUSTC*", CARGO, 0 }, { "RUSTDOC", CARGO, 0 },
	{ "GOFLAGS", GO, ENVIRONMENT_GO }, { "MAKEFLAGS", MAKE, ENVIRONMENT_MAKE },
	{ "GNUMAKEFLAGS", MAKE, ENVIRONMENT_MAKE }, { "MAKEFILES", MAKE, 0 },
	{ "COMPILER_PATH", COMPILERS, ENVIRONMENT_DIRECTORIES }, { "GCC_EXEC_PREFIX", COMPILERS, 0 },
	{ "DEPENDENCIES_OUTPUT", COMPILERS, 0 }, { "SUNPRO_DEPENDENCIES", COMPILERS, 0 },
	{ "RIPGREP_CONFIG_PATH", RG, 0 }, { "TAR_OPTIONS", TAR, 0 }, { "RSYNC_RSH", RSYNC, 0 },
	{ "RSYNC_OLD_ARGS", RSYNC, 0 }, { "CURL_HOME", CURL, 0 }, { "WGETRC", WGET, 0 }, { "PSQLRC", PSQL, 0 },
	{ "PGSERVICEFILE", PSQL, 0 }, { "BASH_XTRACEFD", BASH, 0 }, { "AWKPATH", AWK, ENVIRONMENT_DIRECTORIES },
	{ "AWKLIBPATH", AWK, ENVIRONMENT_DIRECTORIES }, { "MANOPT", MAN, 0 }, { "TEXMFCNF", TEX, 0 },
	/* Where packages come from. A proxy is none of these: what it passes on is sealed, or fetched in the clear anyway. */
	{ "PIP_INDEX_URL", PIP, ENVIRONMENT_INDEX }, { "PIP_EXTRA_INDEX_URL", PIP, ENVIRONMENT_INDEX },
	{ "PIP_FIND_LINKS", PIP, 0 }, { "PIP_CONFIG_FILE", PIP, ENVIRONMENT_DIRECTORIES }, { "PIP_TRUSTED_HOST", PIP, 0 },
	{ "PIP_PYTHON", PIP, 0 }, { "PIP_TARGET", PIP, 0 }, { "PIP_PREFIX", PIP, 0 }, { "PIP_ROOT", PIP, 0 },
	{ "UV_INDEX*", UV, ENVIRONMENT_INDEX }, { "UV_DEFAULT_INDEX", UV, ENVIRONMENT_INDEX },
	{ "UV_EXTRA_INDEX_URL", UV, ENVIRONMENT_INDEX }, { "UV_FIND_LINKS", UV, 0 },
	{ "UV_CONFIG_FILE", UV, ENVIRONMENT_DIRECTORIES }, { "UV_INSECURE_HOST", UV, 0 }, { "UV_ENV_FILE", UV, 0 },
	{ "GOPROXY", GO, ENVIRONMENT_INDEX }, { "GOSUMDB", GO, ENVIRONMENT_INDEX }, { "GOINSECURE", GO, 0 },
	{ "GOENV", GO, ENVIRONMENT_DIRECTORIES }, { "GOROOT", GO, ENVIRONMENT_DIRECTORIES }, { "GOVCS", GO, 0 },
	{ "CARGO_TARGET_DIR", CARGO, ENVIRONMENT_ANY }, { "CARGO_TARGET_*", CARGO, 0 },
	{ "CARGO_HOME", CARGO, ENVIRONMENT_DIRECTORIES }, { "CARGO_REGISTRIES_*", CARGO, 0 },
	{ "CARGO_SOURCE_*", CARGO, 0 }, { "CARGO_ALIAS_*", CARGO, 0 }, { "RUSTFLAGS", CARGO, ENVIRONMENT_RUST },
	{ "RUSTDOCFLAGS", CARGO, ENVIRONMENT_RUST }, { "CARGO_ENCODED_RUSTFLAGS", CARGO, 0 },
	{ "BUNDLE_GEMFILE", RUBY, ENVIRONMENT_PROJECT }, { "BUNDLE_MIRROR__*", RUBY, 0 },
	{ "GEM_HOME", RUBY, ENVIRONMENT_DIRECTORIES }, { "GEM_PATH", RUBY, ENVIRONMENT_DIRECTORIES },
	/* Whom a client of a cluster or a cloud asks, and the programs that its settings name. */
	{ "KUBECONFIG", KUBECTL, ENVIRONMENT_DIRECTORIES }, { "HELM_PLUGINS", KUBECTL, ENVIRONMENT_DIRECTORIES },
	{ "AWS_CONFIG_FILE", AWS, ENVIRONMENT_DIRECTORIES },
	{ "AWS_SHARED_CREDENTIALS_FILE", AWS, ENVIRONMENT_DIRECTORIES }, { "AWS_ENDPOINT_URL*", AWS, 0 },
	{ "AWS_DATA_PATH", AWS, ENVIRONMENT_DIRECTORIES }, { "TF_CLI_ARGS*", TERRAFORM, 0 },
	{ "TF_CLI_CONFIG_FILE", TERRAFORM, ENVIRONMENT_DIRECTORIES },
	{ "DOCKER_HOST", DOCKER, ENVIRONMENT_SOCKET }, { "CONTAINER_HOST", DOCKER, ENVIRONMENT_SOCKET },
	{ "DOCKER_CONTEXT", DOCKER, 0 }, { "DOCKER_CONFIG", DOCKER, ENVIRONMENT_DIRECTORIES },
	{ "COMPOSE_FILE", DOCKER, ENVIRONMENT_PROJECT },
	/* Code, and files of settings that lead to it. */
	{ "PS4", TRACERS, 0 }, { "GLOBIGNORE", EVERY, 0 }, { "LESSOPEN", LESS, ENVIRONMENT_LESS },
	{ "LESSCLOSE", LESS, ENVIRONMENT_LESS }, { "CORECLR_*", DOTNET, 0 }, { "COR_*", DOTNET, 0 },
	{ "DOTNET_ADDITIONAL_DEPS", DOTNET, 0 }, { "PHPRC", PHP, ENVIRONMENT_DIRECTORIES },
	{ "PHP_INI_SCAN_DIR", PHP, ENVIRONMENT_DIRECTORIES }, { "LUA_INIT*", LUA, 0 }, { "R_PROFILE*", RSCRIPT, 0 },
	{ "R_ENVIRON*", RSCRIPT, 0 }, { "ERL_FLAGS", ERLANG, 0 }, { "ERL_AFLAGS", ERLANG, 0 },
	{ "ELIXIR_ERL_OPTIONS", ERLANG, 0 }, { "CMAKE_TOOLCHAIN_FILE", CMAKE, ENVIRONMENT_PROJECT },
	{ "BAT_CONFIG_PATH", BAT, ENVIRONMENT_DIRECTORIES }, { "BAT_OPTS", BAT, 0 }, { "TAPE", TAR, 0 },
	{ "UNZIP", ZIP, 0 }, { "ZIPOPT", ZIP, 0 }, { "HGRCPATH", HG, 0 }, { "SVN_SSH", SVN, 0 },
	{ "OPENSSL_CONF", OPENSSL, 0 }, { "OPENSSL_MODULES", OPENSSL, 0 }, { "OPENSSL_ENGINES", OPENSSL, 0 },
};

static bool matches(struct bytes name, const char *pattern)
{
	size_t n = strlen(pattern);

	if (pattern[n - 1] == '*')
		return name.len >= n - 1 && memcmp(name.p, pattern, n - 1) == 0;
	return bytes_is(name, pattern);
}

static bool find_row(struct bytes name, uint32_t *ret_row)
{
	for (uint32_t i = 0; name.len > 0 && i < ARRAY_LEN(rows); i++)
		if (rows[i].variable[0] == name.p[0] && matches(name, rows[i].variable)) {
			*ret_row = i;
			return true;
		}
	return false;
}

bool environment_is_powerful(struct bytes name, uint32_t *ret_row)
{
	return find_row(name, ret_row) && rows[*ret_row].value != ENVIRONMENT_ANY;
}

bool environment_is_listed(struct bytes name)
{
	uint32_t row;

	return find_row(name, &row);
}

enum environment_value environment_value_of(struct bytes name)
{
	uint32_t row;

	return find_row(name, &row) ? (enum environment_value)rows[row].value : ENVIRONMENT_ANY;
}

/* Exported functions are called BASH_FUNC_name%% (bash(1), SHELL FUNCTIONS); others had () behind the name. */
static bool is_function(struct bytes variable, struct bytes program)
{
	const size_t prefix = strlen("BASH_FUNC_");

	return variable.len > prefix + program.len &&
		memcmp(variable.p + prefix, program.p, program.len) == 0 &&
		strchr("%(", variable.p[prefix + program.len]) != NULL;
}

bool environment_affects(uint32_t row, struct bytes variable, struct bytes program)
{
	const char *list = row < ARRAY_LEN(rows) ? programs[rows[row].programs] : NULL;

	if (list == NULL)
		return true;
	if (*list == '\0')
		return is_function(variable, program);
	while (*list != '\0') {
		size_t n = strcspn(list, " ");

		if (program.len == n && memcmp(program.p, list, n) == 0)
			return true;
		list += n;
		list += *list == ' ' ? 1 : 0;
	}
	return false;
}

bool environment_is_program_directory(struct bytes directory)
{
	static const char *const systems[] = { "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin",
		"/bin", "/usr/games", "/usr/local/games", "/snap/bin" };

	for (size_t i = 0; i < ARRAY_LEN(systems); i++)
		if (bytes_is(directory, systems[i]))
			return true;
	return false;
}
