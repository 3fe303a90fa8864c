/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of variables that close the way for commands they affect. Left out is what terminals and editors set for
 * everybody, to values that only show or ask something (GIT_ASKPASS, GIT_EDITOR, PAGER, LESSOPEN).
 */
#include "policy/environment.h"

#define NPM "npm npx pnpm yarn"
#define JAVA "java javac mvn gradle"
#define COMPILERS "gcc g++ cc c++"

/* A trailing * in a variable's name stands for any ending. No programs: all of them. The first row that fits counts. */
static const struct {
	const char *variable, *programs;
	enum environment_value value;
} rows[] = {
	{ "BASH_ENV", NULL, 0 }, { "SHELLOPTS", NULL, 0 }, { "BASHOPTS", NULL, 0 }, { "BASH_LOADABLES_PATH", NULL, 0 },
	{ "BASH_FUNC_*", "" /* the function's own name */, 0 },
	{ "LD_PRELOAD", NULL, 0 }, { "LD_AUDIT", NULL, 0 }, { "LD_LIBRARY_PATH", NULL, ENVIRONMENT_DIRECTORIES },
	{ "LD_PROFILE", NULL, 0 }, { "DYLD_*", NULL, 0 }, { "GCONV_PATH", NULL, 0 }, { "POSIXLY_CORRECT", NULL, 0 },
	{ "ZDOTDIR", "zsh", 0 }, { "ENV", "sh dash ksh", 0 },
	{ "GIT_DIR", "git gh", 0 }, { "GIT_WORK_TREE", "git gh", 0 }, { "GIT_COMMON_DIR", "git gh", 0 },
	{ "GIT_INDEX_FILE", "git gh", 0 }, { "GIT_OBJECT_DIRECTORY", "git gh", 0 },
	{ "GIT_ALTERNATE_OBJECT_DIRECTORIES", "git gh", 0 }, { "GIT_NAMESPACE", "git gh", 0 },
	{ "GIT_SSH_COMMAND", "git gh", ENVIRONMENT_SSH },
	{ "GIT_SSH*", "git gh", 0 }, { "GIT_PROXY_COMMAND", "git gh", 0 }, { "GIT_EXTERNAL_DIFF", "git gh", 0 },
	{ "GIT_CONFIG_COUNT", "git gh", ENVIRONMENT_COUNT }, { "GIT_CONFIG_KEY_*", "git gh", ENVIRONMENT_GIT_KEY },
	{ "GIT_CONFIG_VALUE_*", "git gh", ENVIRONMENT_GIT_VALUE }, { "GIT_CONFIG*", "git gh", 0 },
	{ "GIT_EXEC_PATH", "git gh", 0 }, { "GIT_TEMPLATE_DIR", "git gh", 0 }, { "GIT_ATTR_SOURCE", "git gh", 0 },
	{ "GIT_ALLOW_PROTOCOL", "git gh", 0 }, { "GIT_TRACE*", "git gh", ENVIRONMENT_NUMBER },
	{ "GIT_SHALLOW_FILE", "git gh", 0 }, { "GIT_REPLACE_REF_BASE", "git gh", 0 },
	{ "GIT_DISCOVERY_ACROSS_FILESYSTEM", "git gh", 0 }, { "GH_REPO", "gh", 0 }, { "GH_HOST", "gh", 0 },
	{ "NODE_OPTIONS", "node npm npx pnpm pnpx yarn tsc jest vitest eslint prettier next vite", ENVIRONMENT_NODE },
	{ "NODE_PATH", "node", ENVIRONMENT_PROJECT },
	{ "npm_config_cache", NPM, ENVIRONMENT_DIRECTORIES }, { "npm_config_global_prefix", NPM, ENVIRONMENT_DIRECTORIES },
	{ "npm_config_globalconfig", NPM, ENVIRONMENT_DIRECTORIES }, { "npm_config_init_module", NPM, ENVIRONMENT_DIRECTORIES },
	{ "npm_config_node_gyp", NPM, ENVIRONMENT_DIRECTORIES }, { "npm_config_prefix", NPM, ENVIRONMENT_DIRECTORIES },
	{ "npm_config_userconfig", NPM, ENVIRONMENT_DIRECTORIES }, { "npm_config_local_prefix", NPM, ENVIRONMENT_ANY },
	{ "npm_config_npm_version", NPM, ENVIRONMENT_ANY }, { "npm_config_user_agent", NPM, ENVIRONMENT_ANY },
	{ "npm_config_loglevel", NPM, ENVIRONMENT_ANY }, { "npm_config_update_notifier", NPM, ENVIRONMENT_ANY },
	{ "npm_config_fund", NPM, ENVIRONMENT_ANY }, { "npm_config_audit", NPM, ENVIRONMENT_ANY },
	{ "npm_config_progress", NPM, ENVIRONMENT_ANY }, { "npm_config_color", NPM, ENVIRONMENT_ANY },
	{ "npm_config_noproxy", NPM, ENVIRONMENT_ANY }, { "npm_config_*", NPM, 0 },
	{ "NPM_CONFIG_LOGLEVEL", NPM, ENVIRONMENT_ANY }, { "NPM_CONFIG_UPDATE_NOTIFIER", NPM, ENVIRONMENT_ANY },
	{ "NPM_CONFIG_FUND", NPM, ENVIRONMENT_ANY }, { "NPM_CONFIG_AUDIT", NPM, ENVIRONMENT_ANY },
	{ "NPM_CONFIG_PREFIX", NPM, ENVIRONMENT_DIRECTORIES }, { "NPM_CONFIG_CACHE", NPM, ENVIRONMENT_DIRECTORIES },
	{ "NPM_CONFIG_*", NPM, 0 },
	{ "PYTHONPATH", "python python3", ENVIRONMENT_PROJECT }, { "PYTHONHOME", "python python3 pip pip3 pytest", 0 },
	{ "PYTHONINSPECT", "python python3", 0 }, { "PYTHONBREAKPOINT", "python python3 pytest", 0 },
	{ "PYTHONWARNINGS", "python python3", ENVIRONMENT_WARNINGS }, { "PYTEST_ADDOPTS", "pytest", ENVIRONMENT_PYTEST },
	{ "PYTEST_PLUGINS", "pytest", 0 },
	{ "PERL5OPT", "perl", 0 }, { "PERL5LIB", "perl", ENVIRONMENT_DIRECTORIES }, { "PERL5DB", "perl", 0 },
	{ "PERLLIB", "perl", ENVIRONMENT_DIRECTORIES },
	{ "RUBYOPT", "ruby gem bundle rake", 0 }, { "RUBYLIB", "ruby gem bundle rake", ENVIRONMENT_DIRECTORIES },
	{ "JAVA_TOOL_OPTIONS", JAVA, ENVIRONMENT_JAVA }, { "_JAVA_OPTIONS", JAVA, ENVIRONMENT_JAVA },
	{ "JDK_JAVA_OPTIONS", JAVA, ENVIRONMENT_JAVA }, { "MAVEN_OPTS", "mvn", ENVIRONMENT_JAVA },
	{ "GRADLE_OPTS", "gradle", ENVIRONMENT_JAVA },
	{ "DOTNET_STARTUP_HOOKS", "dotnet", 0 }, { "RUSTC", "cargo", 0 }, { "RUSTC_WRAPPER", "cargo", 0 },
	{ "RUSTC_WORKSPACE_WRAPPER", "cargo", 0 }, { "CARGO_BUILD_RUSTC*", "cargo", 0 }, { "RUSTDOC", "cargo", 0 },
	{ "GOFLAGS", "go", ENVIRONMENT_GO }, { "MAKEFLAGS", "make", ENVIRONMENT_MAKE },
	{ "GNUMAKEFLAGS", "make", ENVIRONMENT_MAKE }, { "MAKEFILES", "make", 0 },
	{ "COMPILER_PATH", COMPILERS, ENVIRONMENT_DIRECTORIES }, { "GCC_EXEC_PREFIX", COMPILERS, 0 },
	{ "DEPENDENCIES_OUTPUT", COMPILERS, 0 }, { "SUNPRO_DEPENDENCIES", COMPILERS, 0 },
	{ "RIPGREP_CONFIG_PATH", "rg", 0 }, { "TAR_OPTIONS", "tar", 0 }, { "RSYNC_RSH", "rsync", 0 },
	{ "RSYNC_OLD_ARGS", "rsync", 0 },
	{ "CURL_HOME", "curl", 0 }, { "WGETRC", "wget", 0 }, { "PSQLRC", "psql", 0 }, { "PGSERVICEFILE", "psql", 0 },
	{ "BASH_XTRACEFD", "bash", 0 }, { "AWKPATH", "awk gawk", ENVIRONMENT_DIRECTORIES },
	{ "AWKLIBPATH", "awk gawk", ENVIRONMENT_DIRECTORIES }, { "MANOPT", "man", 0 },
	{ "TEXMFCNF", "tex pdftex latex pdflatex", 0 }, { "OPENSSL_CONF", "openssl", 0 },
	{ "OPENSSL_MODULES", "openssl", 0 }, { "OPENSSL_ENGINES", "openssl", 0 },
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

enum environment_value environment_value_of(struct bytes name)
{
	uint32_t row;

	return find_row(name, &row) ? rows[row].value : ENVIRONMENT_ANY;
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
	const char *list = row < ARRAY_LEN(rows) ? rows[row].programs : NULL;

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
