/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variables that may stand in front of a command, or be exported to it: a thousand programs read a thousand names
 * there, so that only those are accepted that are known, or look, harmless with the value they get.
 */
#include "policy/environment.h"
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

/* How much of an accepted name's value must be known. */
enum value_kind {
	VALUE_ANY,
	VALUE_QUIET, /* names a program: only ones that do nothing or print */
	VALUE_MODULE, /* a module of the project, or a file of its root */
	VALUE_VERSION, /* digits and dots */
	VALUE_BARE, /* a word or a number, as it would otherwise be a file or code */
	VALUE_LOCALES, /* names of locales: no way to a catalogue of messages elsewhere (gettext(3)) */
	VALUE_TOOLCHAIN, /* a name: a path is a program that go runs in its place (go.dev/doc/toolchain) */
	VALUE_LOCAL, /* this machine */
	VALUE_JVM, /* where distributions put Java */
	VALUE_C, VALUE_COMPILER, VALUE_LESS, /* see policy/environment.h */
	VALUE_BELOW, /* a list of directories: only of the workspace and scratch, as the code there is the
			project's own */
};

struct accepted {
	char name[32]; /* a trailing * stands for any ending, a leading one for any beginning */
	enum value_kind value;
};

static const struct accepted accepted[] = {
	{ "LANG", VALUE_ANY }, { "LANGUAGE", VALUE_LOCALES }, { "LC_*", VALUE_ANY }, { "TZ", VALUE_ANY },
	{ "TERM", VALUE_ANY },
	{ "COLUMNS", VALUE_ANY }, { "LINES", VALUE_ANY }, { "NO_COLOR", VALUE_ANY }, { "FORCE_COLOR", VALUE_ANY },
	{ "CLICOLOR", VALUE_ANY }, { "CLICOLOR_FORCE", VALUE_ANY }, { "COLORTERM", VALUE_ANY }, { "CI", VALUE_ANY },
	{ "DEBUG", VALUE_ANY }, { "VERBOSE", VALUE_ANY }, { "LOG_LEVEL", VALUE_ANY }, { "*_LOG_LEVEL", VALUE_ANY },
	{ "RUST_LOG", VALUE_ANY }, { "RUST_BACKTRACE", VALUE_ANY }, { "NODE_ENV", VALUE_ANY }, { "APP_ENV", VALUE_ANY },
	{ "RAILS_ENV", VALUE_ANY }, { "RACK_ENV", VALUE_ANY }, { "MIX_ENV", VALUE_ANY }, { "FLASK_ENV", VALUE_ANY },
	{ "ENVIRONMENT", VALUE_ANY }, { "PORT", VALUE_ANY }, { "*_PORT", VALUE_ANY }, { "*_TIMEOUT", VALUE_ANY },
	{ "*_TIMEOUT_MS", VALUE_ANY }, { "PYTHONDONTWRITEBYTECODE", VALUE_ANY }, { "PYTHONUNBUFFERED", VALUE_ANY },
	{ "PYTHONIOENCODING", VALUE_ANY }, { "PYTHONUTF8", VALUE_ANY }, { "PYTHONHASHSEED", VALUE_ANY },
	{ "PYTHONFAULTHANDLER", VALUE_ANY }, { "PYTHONPATH", VALUE_BELOW }, { "NODE_PATH", VALUE_BELOW },
	{ "GIT_AUTHOR_NAME", VALUE_ANY }, { "GIT_AUTHOR_EMAIL", VALUE_ANY }, { "GIT_AUTHOR_DATE", VALUE_ANY },
	{ "GIT_COMMITTER_NAME", VALUE_ANY }, { "GIT_COMMITTER_EMAIL", VALUE_ANY }, { "GIT_COMMITTER_DATE", VALUE_ANY },
	{ "GIT_TERMINAL_PROMPT", VALUE_ANY }, { "GIT_OPTIONAL_LOCKS", VALUE_ANY }, { "GIT_LFS_SKIP_SMUDGE", VALUE_ANY },
	{ "GIT_PAGER", VALUE_QUIET }, { "PAGER", VALUE_QUIET }, { "GH_PAGER", VALUE_QUIET },
	{ "MANPAGER", VALUE_QUIET },
	{ "SYSTEMD_PAGER", VALUE_QUIET }, { "GIT_EDITOR", VALUE_QUIET }, { "GIT_SEQUENCE_EDITOR", VALUE_QUIET },
	{ "EDITOR", VALUE_QUIET }, { "VISUAL", VALUE_QUIET }, { "DEBIAN_FRONTEND", VALUE_BARE },
	{ "CGO_ENABLED", VALUE_ANY },
	{ "GOOS", VALUE_ANY }, { "GOARCH", VALUE_ANY }, { "GO111MODULE", VALUE_ANY }, { "CARGO_TERM_COLOR", VALUE_ANY },
	{ "CARGO_INCREMENTAL", VALUE_ANY }, { "CARGO_BUILD_JOBS", VALUE_ANY }, { "RUST_TEST_THREADS", VALUE_ANY },
	{ "SQLX_OFFLINE", VALUE_ANY }, { "NEXT_TELEMETRY_DISABLED", VALUE_ANY }, { "DO_NOT_TRACK", VALUE_ANY },
	{ "DOTNET_CLI_TELEMETRY_OPTOUT", VALUE_ANY }, { "DOTNET_NOLOGO", VALUE_ANY }, { "DOCKER_BUILDKIT", VALUE_ANY },
	{ "COMPOSE_PROJECT_NAME", VALUE_ANY }, { "BUILDKIT_PROGRESS", VALUE_ANY },
	{ "HOMEBREW_NO_AUTO_UPDATE", VALUE_ANY },
	{ "PIP_DISABLE_PIP_VERSION_CHECK", VALUE_ANY }, { "PIP_NO_INPUT", VALUE_ANY }, { "UV_NO_PROGRESS", VALUE_ANY },
	{ "PYTEST_DISABLE_PLUGIN_AUTOLOAD", VALUE_ANY }, { "OMP_NUM_THREADS", VALUE_ANY },
	{ "TOKENIZERS_PARALLELISM", VALUE_ANY },
	{ "CUDA_VISIBLE_DEVICES", VALUE_ANY }, { "TF_CPP_MIN_LOG_LEVEL", VALUE_ANY }, { "TF_IN_AUTOMATION", VALUE_ANY },
	{ "JEST_WORKER_ID", VALUE_ANY }, { "VITEST", VALUE_ANY }, { "BABEL_ENV", VALUE_ANY },
	{ "TS_NODE_TRANSPILE_ONLY", VALUE_ANY },
	{ "SOURCE_DATE_EPOCH", VALUE_ANY }, { "GREP_COLORS", VALUE_ANY }, { "LS_COLORS", VALUE_ANY },
	{ "BLOCKSIZE", VALUE_ANY },
	{ "TIMEFORMAT", VALUE_ANY }, { "BUILD_NUMBER", VALUE_ANY },
	{ "*_VERBOSE", VALUE_ANY }, { "NO_PROXY", VALUE_ANY }, { "no_proxy", VALUE_ANY },
	{ "CARGO_TARGET_DIR", VALUE_BELOW }, { "*_TELEMETRY_DISABLED", VALUE_ANY }, { "*_TELEMETRY_OPTOUT", VALUE_ANY },
	{ "*_SKIP_DOWNLOAD", VALUE_ANY }, { "*_SKIP_CHROMIUM_DOWNLOAD", VALUE_ANY },
	{ "*_SKIP_BROWSER_DOWNLOAD", VALUE_ANY }, { "*_SKIP_BINARY_DOWNLOAD", VALUE_ANY },
	{ "PLAYWRIGHT_BROWSERS_PATH", VALUE_VERSION }, { "GOTRACEBACK", VALUE_ANY }, { "GOMAXPROCS", VALUE_ANY },
	{ "GOGC", VALUE_ANY }, { "GODEBUG", VALUE_ANY }, { "GOTOOLCHAIN", VALUE_TOOLCHAIN }, { "GOARM", VALUE_ANY },
	{ "GOAMD64", VALUE_ANY }, { "CARGO_PROFILE_*", VALUE_BARE }, { "CARGO_NET_OFFLINE", VALUE_ANY },
	{ "PIP_NO_CACHE_DIR", VALUE_ANY }, { "PIP_PROGRESS_BAR", VALUE_ANY }, { "PIP_ROOT_USER_ACTION", VALUE_ANY },
	{ "UV_LINK_MODE", VALUE_ANY }, { "UV_NO_CACHE", VALUE_ANY }, { "UV_FROZEN", VALUE_ANY },
	{ "UV_OFFLINE", VALUE_ANY }, { "UV_CONCURRENT_*", VALUE_ANY }, { "UV_PYTHON", VALUE_VERSION },
	{ "VITE_*", VALUE_ANY }, { "NEXT_PUBLIC_*", VALUE_ANY }, { "REACT_APP_*", VALUE_ANY },
	{ "EXPO_PUBLIC_*", VALUE_ANY }, { "DJANGO_SETTINGS_MODULE", VALUE_MODULE }, { "FLASK_APP", VALUE_MODULE },
	{ "FLASK_DEBUG", VALUE_ANY }, { "HOST", VALUE_LOCAL }, { "DISPLAY", VALUE_LOCAL }, { "BROWSER", VALUE_QUIET },
	{ "AWS_PAGER", VALUE_QUIET }, { "BAT_PAGER", VALUE_QUIET }, { "PERL5LIB", VALUE_BELOW },
	{ "RUBYLIB", VALUE_BELOW }, { "JAVA_HOME", VALUE_JVM }, { "CFLAGS", VALUE_C }, { "CXXFLAGS", VALUE_C },
	{ "CPPFLAGS", VALUE_C }, { "LDFLAGS", VALUE_C }, { "CGO_CFLAGS", VALUE_C }, { "CGO_LDFLAGS", VALUE_C },
	{ "CC", VALUE_COMPILER }, { "CXX", VALUE_COMPILER }, { "HOSTCC", VALUE_COMPILER }, { "LESS", VALUE_LESS },
};

static bool value_is_quiet(struct bytes v)
{
	static const char *const quiet[] = { "", "cat", "true", ":", "/bin/cat", "/bin/true", "/usr/bin/true",
		"/usr/bin/cat", "none" };

	for (size_t i = 0; i < ARRAY_LEN(quiet); i++)
		if (bytes_is(v, quiet[i]))
			return true;
	return false;
}

/* One directory of a list: below the one the command runs in, so that it holds the same project's code. */
static bool directory_is_below(const struct subject *s, struct bytes dir)
{
	char buffer[QUESTION_PATH_MAX];
	struct bytes base = s->dirs.n == 1 ? s->dirs.d[0] : (struct bytes){ NULL, 0 };
	struct bytes cwd = s->j->line->cwd;
	struct bytes full;

	if (dir.len == 0 || s->dirs.unknown || base.len == 0)
		return false;
	full = (struct bytes){ buffer, path_normalise(base, dir, buffer, sizeof(buffer)) };
	return full.len > 0 && (path_within(full, base) || (cwd.len > 0 && path_within(full, cwd)));
}

/* One entry of such a list as it is written: plain, or $PWD and what follows it; $NAME keeps what was there before. */
static bool entry_is_below(const struct subject *s, struct bytes entry, struct bytes name)
{
	static const char *const here[] = { "$PWD", "${PWD}", "$(pwd)" };
	bool rooted = false;

	if (entry.len > 0 && entry.p[0] == '$') {
		struct bytes own = { entry.p + 1, entry.len - 1 };

		if (own.len > 2 && own.p[0] == '{' && own.p[own.len - 1] == '}')
			own = (struct bytes){ own.p + 1, own.len - 2 };
		if (bytes_eq(own, name))
			return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(here) && !rooted; i++) {
		size_t n = strlen(here[i]);

		if (entry.len < n || memcmp(entry.p, here[i], n) != 0 || (entry.len > n && entry.p[n] != '/'))
			continue;
		rooted = true;
		entry = (struct bytes){ entry.p + n + (entry.len > n), entry.len - n - (entry.len > n) };
	}
	for (size_t i = 0; i < entry.len; i++)
		if (strchr("$`\\\"'*?[]{}~() \t\n", entry.p[i]) != NULL)
			return false;
	if (rooted && entry.len > 0 && entry.p[0] == '/')
		return false;
	return directory_is_below(s, rooted && entry.len == 0 ? BYTES(".") : entry);
}

static bool value_is_below(const struct subject *s, const struct word *w, struct bytes name)
{
	struct bytes v = w->is_static ? w->value : w->src;
	size_t start = 0;

	if (!w->is_static && v.len > 1 && v.p[0] == '"' && v.p[v.len - 1] == '"')
		v = (struct bytes){ v.p + 1, v.len - 2 };
	for (size_t i = 0; i <= v.len; i++) {
		if (i < v.len && v.p[i] != ':')
			continue;
		if (!entry_is_below(s, (struct bytes){ v.p + start, i - start }, name))
			return false;
		start = i + 1;
	}
	return true;
}


/*
 * Parts of names of variables that say what runs, where, or with whom: with one of them no value is harmless. Between
 * underscores; a leading * also inside a part.
 */
static const char powerful[][16] = {
	"*PATH", "*PAGER", "*EDITOR", "*BROWSER", "*SHELL", "*WRAPPER", "*PRELOAD", "*COMMAND", "*EXEC", "*OPTION",
	"*FLAG", "*CONFIG", "*PROXY", "*HOST", "*STARTUP", "*PLUGIN", "*LOADER", "*COMPILER", "*LINKER", "*RUNNER",
	"*HANDLER", "*FILTER", "*REGISTRY", "*INDEX", "*MIRROR", "*REMOTE", "*SERVER", "*ENDPOINT", "*PROFILE",
	"*PROGRAM", "*HELPER", "*ASKPASS", "*TERMINAL", "*VISUAL", "*HOME", "*PREFIX", "*ROOT", "*SOURCE", "*SCRIPT",
	"*BINARY", "*LIBRARY", "*MODULE", "*PYTHON", "*PERL", "*RUBY", "*NODE", "*JAVA", "*DOCKER", "*KUBE", "*ANSIBLE",
	"*TERRAFORM", "*CARGO", "*RUST", "*GOOGLE", "*AZURE", "*CLAUDE", "*CODEX", "*GEMINI", "*COPILOT", "*CURSOR",
	"*OPENCODE", "*ENGINE", "*DRIVER", "*BACKEND", "*PROVIDER", "*CONTEXT", "*CLUSTER", "*SECRET", "*TOKEN",
	"*PASSWORD", "*CREDENTIAL", "*INTERPRETER", "*LESS", "*TERMINFO", "*LOCALEDIR", "*FORCE", "*YES", "*SKIP",
	"*DISABLE", "*HUSKY", "*BYPASS", "*IGNORE", "*UNSAFE", "*INSECURE", "*VERIFY", "*ALLOW", "*TRUST", "*HOOK",
	"CMD", "OPT", "OPTS", "ARG", "ARGS", "RC", "RCFILE", "INIT", "DIR", "DIRS", "FILE", "FILES", "FILENAME",
	"BIN", "LIB", "LIBS", "ENV", "ENVFILE", "URL", "URI", "ADDR", "SOCK", "SOCKET", "KEY", "KEYS", "CC", "CXX",
	"CPP", "LD", "AR", "AS", "FC", "MAKE", "TOOL", "GIT", "SSH", "GPG", "SUDO", "AWS", "GCP", "NPM", "PNPM",
	"YARN", "BUN", "DENO", "PIP", "UV", "GO", "MVN", "MAVEN", "GRADLE", "JVM", "JDK", "DOTNET", "NUGET", "GH",
	"GLAB", "GITHUB", "GITLAB", "PG", "PGSERVICE", "MYSQL", "REDIS", "MONGO", "DB", "DATABASE", "LD", "DYLD",
	"RM", "YACC", "LEX", "INSTALL", "TAR", "TAPE", "GZIP", "EXINIT", "VIMINIT", "BASH", "ZSH", "DISPLAY",
	"DBUS", "XDG", "TMUX", "STY", "TMP", "TEMP", "PS4", "IFS", "BASHOPTS", "CDPATH", "RSH", "MERGE", "*MAPPER",
	"*RCLONE", "JUST", "*VAGRANT", "EXS", "*IMPERSONATE",
};

static bool part_is_powerful(struct bytes part)
{
	for (size_t i = 0; i < ARRAY_LEN(powerful); i++) {
		const char *word = powerful[i];

		if (word[0] == '*' ? memmem(part.p, part.len, word + 1, strlen(word + 1)) != NULL :
				     bytes_is(part, word))
			return true;
	}
	return false;
}

/* Capitals, digits and underscores, no part of which is powerful; and of enough parts: short names are taken. */
static bool name_is_powerless(struct bytes name, uint32_t least)
{
	size_t start = 0;
	uint32_t parts = 0;

	for (size_t i = 0; i <= name.len; i++) {
		char c = i < name.len ? name.p[i] : '_';

		if (c != '_') {
			if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')))
				return false;
			continue;
		}
		if (i > start && part_is_powerful((struct bytes){ name.p + start, i - start }))
			return false;
		parts += i > start ? 1 : 0;
		start = i + 1;
	}
	return parts >= least && !variable_is_shells(name);
}

/* Neither a path nor an address, an option, a list or code: one bare word or number. */
static bool value_is_bare(struct bytes v)
{
	for (size_t i = 0; i < v.len; i++) {
		char c = v.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
			    (c == '-' && i > 0)))
			return false;
	}
	return v.len <= 64;
}

/* What a project's own code, which these run, makes of a name that nobody else knows is the project's business. */
static bool runs_project(struct bytes program)
{
	static const char runners[][12] = { "make", "gmake", "just", "task", "npm", "pnpm", "yarn", "bun", "cargo",
		"go", "pytest", "tox", "nox", "rake", "mix", "gradle", "./gradlew", "mvn", "./mvnw", "dotnet", "ctest",
		"ninja", "meson", "cmake", "jest", "vitest" };

	for (size_t i = 0; i < ARRAY_LEN(runners); i++)
		if (bytes_is(program, runners[i]))
			return true;
	return false;
}

/* How a client of a database logs in, which is said in its options as well. */
static bool is_login(const struct subject *s, struct bytes name)
{
	static const struct {
		char program[12], name[20];
	} logins[] = {
		{ "psql", "PGUSER" }, { "psql", "PGPASSWORD" }, { "psql", "PGHOST" }, { "psql", "PGPORT" },
		{ "psql", "PGDATABASE" }, { "psql", "PGSSLMODE" }, { "psql", "PGAPPNAME" }, { "pg_isready", "PGHOST" },
		{ "pg_isready", "PGPORT" }, { "pg_isready", "PGUSER" }, { "pg_isready", "PGPASSWORD" },
		{ "mysql", "MYSQL_PWD" }, { "redis-cli", "REDISCLI_AUTH" }, { "aws", "AWS_REGION" },
		{ "aws", "AWS_PROFILE" }, { "aws", "AWS_DEFAULT_REGION" },
	};

	for (size_t i = 0; i < ARRAY_LEN(logins); i++)
		if (bytes_is(s->program, logins[i].program) && bytes_is(name, logins[i].name))
			return true;
	return false;
}

static bool only_holds(struct bytes v, const char *others)
{
	for (size_t i = 0; i < v.len; i++) {
		char c = v.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			    (c != '\0' && strchr(others, c) != NULL)))
			return false;
	}
	return true;
}

static bool value_is_local(struct bytes v)
{
	return bytes_is(v, "localhost") || bytes_is(v, "127.0.0.1") || bytes_is(v, "0.0.0.0") || bytes_is(v, "::") ||
		bytes_is(v, "::1") || (v.len > 1 && v.p[0] == ':' && strspn(v.p + 1, "0123456789.") >= v.len - 1);
}

static bool value_is_version(struct bytes v)
{
	for (size_t i = 0; i < v.len; i++)
		if ((v.p[i] < '0' || v.p[i] > '9') && v.p[i] != '.')
			return false;
	return v.len > 0;
}

static bool value_is_jvm(struct bytes v)
{
	static const char start[] = "/usr/lib/jvm/";

	return v.len >= sizeof(start) - 1 && memcmp(v.p, start, sizeof(start) - 1) == 0 && only_holds(v, "/._-") &&
		memmem(v.p, v.len, "..", 2) == NULL;
}

static bool value_fits(enum value_kind kind, struct bytes name, struct bytes v)
{
	switch (kind) {
	case VALUE_QUIET:
		return value_is_quiet(v) || (bytes_is(name, "GIT_SEQUENCE_EDITOR") && edits_sequence(v));
	case VALUE_MODULE:
		return v.len > 0 && v.p[0] != '.' && only_holds(v, "_.:");
	case VALUE_VERSION:
		return value_is_version(v);
	case VALUE_BARE:
		return value_is_bare(v);
	case VALUE_LOCALES:
		return only_holds(v, "_.:@-");
	case VALUE_TOOLCHAIN:
		return only_holds(v, ".+-");
	case VALUE_LOCAL:
		return value_is_local(v);
	case VALUE_JVM:
		return value_is_jvm(v);
	case VALUE_C:
		return environment_value_is_harmless(ENVIRONMENT_C, v);
	case VALUE_COMPILER:
		return environment_value_is_harmless(ENVIRONMENT_COMPILER, v);
	case VALUE_LESS:
		return environment_value_is_harmless(ENVIRONMENT_LESS_OPTIONS, v);
	case VALUE_ANY:
	case VALUE_BELOW:
	default:
		return false;
	}
}

/* Of the names that are looked for in the environment: by what the value says, without a look at places. */
static bool is_everyday(struct bytes name, struct bytes v)
{
	enum environment_value kind = environment_value_of(name);

	return environment_is_listed(name) && kind != ENVIRONMENT_DIRECTORIES && kind != ENVIRONMENT_PROJECT &&
		environment_value_is_harmless(kind, v);
}

bool variable_is_accepted(const struct subject *s, struct bytes name, const struct word *value, struct bytes text)
{
	bool known = value != NULL ? value->is_static : text.p != NULL;

	if (value != NULL && known)
		text = value->value;
	if (is_login(s, name))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(accepted); i++) {
		if (!variable_matches(name, accepted[i].name))
			continue;
		if (accepted[i].value == VALUE_ANY)
			return true;
		if (accepted[i].value == VALUE_BELOW)
			return value != NULL && value_is_below(s, value, name);
		return known && value_fits(accepted[i].value, name, text);
	}
	if (!known)
		return false;
	if (environment_is_listed(name))
		return is_everyday(name, text);
	return value_is_bare(text) && name_is_powerless(name, runs_project(s->program) ? 1 : 2);
}
