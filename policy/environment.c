/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of variables that close the way for commands they affect. Left out is what terminals and editors set for
 * everybody, to values that only show or ask something (GIT_ASKPASS, GIT_EDITOR, PAGER, LESSOPEN).
 */
#include "policy/environment.h"

/* A trailing * in a variable's name stands for any ending. No programs: all of them. */
static const struct {
	const char *variable, *programs;
} rows[] = {
	{ "BASH_ENV", NULL }, { "SHELLOPTS", NULL }, { "BASHOPTS", NULL }, { "BASH_LOADABLES_PATH", NULL },
	{ "BASH_FUNC_*", "" /* the function's own name */ },
	{ "LD_PRELOAD", NULL }, { "LD_AUDIT", NULL }, { "LD_LIBRARY_PATH", NULL }, { "LD_PROFILE", NULL },
	{ "DYLD_*", NULL }, { "GCONV_PATH", NULL }, { "POSIXLY_CORRECT", NULL }, { "ZDOTDIR", "zsh" }, { "ENV", "sh dash ksh" },
	{ "GIT_DIR", "git gh" }, { "GIT_WORK_TREE", "git gh" }, { "GIT_COMMON_DIR", "git gh" },
	{ "GIT_INDEX_FILE", "git gh" }, { "GIT_OBJECT_DIRECTORY", "git gh" },
	{ "GIT_ALTERNATE_OBJECT_DIRECTORIES", "git gh" }, { "GIT_NAMESPACE", "git gh" }, { "GIT_SSH*", "git gh" },
	{ "GIT_PROXY_COMMAND", "git gh" }, { "GIT_EXTERNAL_DIFF", "git gh" }, { "GIT_CONFIG*", "git gh" },
	{ "GIT_EXEC_PATH", "git gh" }, { "GIT_TEMPLATE_DIR", "git gh" }, { "GIT_ATTR_SOURCE", "git gh" },
	{ "GIT_ALLOW_PROTOCOL", "git gh" }, { "GIT_TRACE*", "git gh" }, { "GIT_SHALLOW_FILE", "git gh" },
	{ "GIT_REPLACE_REF_BASE", "git gh" }, { "GIT_DISCOVERY_ACROSS_FILESYSTEM", "git gh" },
	{ "NODE_OPTIONS", "node npm npx pnpm pnpx yarn tsc jest vitest eslint prettier next vite" },
	{ "NODE_PATH", "node" },
	{ "npm_config_*", "npm npx pnpm yarn" }, { "NPM_CONFIG_*", "npm npx pnpm yarn" },
	{ "PYTHONPATH", "python python3" }, { "PYTHONHOME", "python python3 pip pip3 pytest" },
	{ "PYTHONINSPECT", "python python3" }, { "PYTHONBREAKPOINT", "python python3 pytest" },
	{ "PYTHONWARNINGS", "python python3" }, { "PYTEST_ADDOPTS", "pytest" }, { "PYTEST_PLUGINS", "pytest" },
	{ "PERL5OPT", "perl" }, { "PERL5LIB", "perl" }, { "PERL5DB", "perl" }, { "PERLLIB", "perl" },
	{ "RUBYOPT", "ruby gem bundle rake" }, { "RUBYLIB", "ruby gem bundle rake" },
	{ "JAVA_TOOL_OPTIONS", "java javac mvn gradle" }, { "_JAVA_OPTIONS", "java javac mvn gradle" },
	{ "JDK_JAVA_OPTIONS", "java javac mvn gradle" }, { "MAVEN_OPTS", "mvn" }, { "GRADLE_OPTS", "gradle" },
	{ "DOTNET_STARTUP_HOOKS", "dotnet" }, { "RUSTC", "cargo" }, { "RUSTC_WRAPPER", "cargo" },
	{ "RUSTC_WORKSPACE_WRAPPER", "cargo" }, { "CARGO_BUILD_RUSTC*", "cargo" }, { "RUSTDOC", "cargo" },
	{ "GOFLAGS", "go" }, { "MAKEFLAGS", "make" }, { "GNUMAKEFLAGS", "make" }, { "MAKEFILES", "make" },
	{ "COMPILER_PATH", "gcc g++ cc c++" }, { "GCC_EXEC_PREFIX", "gcc g++ cc c++" },
	{ "DEPENDENCIES_OUTPUT", "gcc g++ cc c++" }, { "SUNPRO_DEPENDENCIES", "gcc g++ cc c++" },
	{ "RIPGREP_CONFIG_PATH", "rg" }, { "TAR_OPTIONS", "tar" }, { "RSYNC_RSH", "rsync" }, { "RSYNC_OLD_ARGS", "rsync" },
	{ "CURL_HOME", "curl" }, { "WGETRC", "wget" }, { "PSQLRC", "psql" }, { "PGSERVICEFILE", "psql" },
	{ "BASH_XTRACEFD", "bash" }, { "AWKPATH", "awk gawk" }, { "AWKLIBPATH", "awk gawk" }, { "MANOPT", "man" },
	{ "TEXMFCNF", "tex pdftex latex pdflatex" }, { "OPENSSL_CONF", "openssl" }, { "OPENSSL_MODULES", "openssl" },
	{ "OPENSSL_ENGINES", "openssl" },
};

static bool matches(struct bytes name, const char *pattern)
{
	size_t n = strlen(pattern);

	if (pattern[n - 1] == '*')
		return name.len >= n - 1 && memcmp(name.p, pattern, n - 1) == 0;
	return bytes_is(name, pattern);
}

bool environment_is_powerful(struct bytes name, uint32_t *ret_row)
{
	for (uint32_t i = 0; name.len > 0 && i < ARRAY_LEN(rows); i++)
		if (rows[i].variable[0] == name.p[0] && matches(name, rows[i].variable)) {
			*ret_row = i;
			return true;
		}
	return false;
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
