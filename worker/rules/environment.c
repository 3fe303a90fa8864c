/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assignments. What stands before a command goes into its environment, where a thousand programs read a thousand names:
 * only names known to be harmless are accepted there. What sets a variable of this shell alone is harmless unless the
 * shell itself reads it, or it was exported before the line began.
 */
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

/* How much of an accepted name's value must be known. */
enum value_kind {
	VALUE_ANY,
	VALUE_QUIET, /* names a program: only ones that do nothing or print */
	VALUE_BELOW, /* a list of directories: only of the workspace and scratch, as the code there is the
			project's own */
};

struct accepted {
	char name[32]; /* a trailing * stands for any ending, a leading one for any beginning */
	enum value_kind value;
};

static const struct accepted accepted[] = {
	{ "LANG", VALUE_ANY }, { "LANGUAGE", VALUE_ANY }, { "LC_*", VALUE_ANY }, { "TZ", VALUE_ANY },
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
	{ "EDITOR", VALUE_QUIET }, { "VISUAL", VALUE_QUIET }, { "DEBIAN_FRONTEND", VALUE_ANY },
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
	{ "*_VERBOSE", VALUE_ANY },
};

/*
 * Variables the shell itself reads, or that decide what names run: setting one changes what the rest of the text means.
 */
static const char shell_names[][24] = {
	"PATH", "IFS", "BASH_ENV", "ENV", "PS4", "PS0", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "CDPATH", "HOME",
	"PWD",
	"OLDPWD", "GLOBIGNORE", "EXECIGNORE", "FIGNORE", "BASH_CMDS", "BASH_ALIASES", "BASH_COMPAT", "BASH_XTRACEFD",
	"BASH_LOADABLES_PATH", "POSIXLY_CORRECT", "SHELL", "INPUTRC", "FCEDIT", "TMPDIR", "ZDOTDIR", "FPATH",
	"MODULE_PATH",
	"fpath", "path", "cdpath", "module_path", "NULLCMD", "READNULLCMD", "DIRSTACK", "BASH_ARGV0", "BASHPID",
	"FUNCNEST",
	"HIST*", "LD_*", "DYLD_*", "GIT_*", "PYTHON*", "NODE_OPTIONS", "PERL5*", "RUBY*", "JAVA_TOOL_OPTIONS",
	"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "PAGER", "EDITOR", "VISUAL",
	"LESSOPEN", "LESSCLOSE", "MANPAGER", "SSH_*", "TMUX*",
};

static const char *const gate_prefixes[] = { "AUTO_CLASSIFIER_", "TYPESAFE_" };

static bool name_matches(struct bytes name, const char *pattern)
{
	size_t n = strlen(pattern);

	if (pattern[0] == '*')
		return name.len >= n && memcmp(name.p + name.len - (n - 1), pattern + 1, n - 1) == 0;
	if (pattern[n - 1] == '*')
		return name.len >= n - 1 && memcmp(name.p, pattern, n - 1) == 0;
	return bytes_is(name, pattern);
}

bool variable_is_gate(struct bytes name)
{
	for (size_t i = 0; i < ARRAY_LEN(gate_prefixes); i++) {
		size_t n = strlen(gate_prefixes[i]);

		if (name.len >= n && strncasecmp(name.p, gate_prefixes[i], n) == 0)
			return true;
	}
	return false;
}

bool variable_is_shells(struct bytes name)
{
	if (variable_is_runner_file(name))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(shell_names); i++)
		if (name_matches(name, shell_names[i]))
			return true;
	return false;
}

static bool is_exported(const struct judge *j, struct bytes name)
{
	const struct string_list *list = &j->line->policy->environment_names;

	for (uint32_t i = 0; i < list->n; i++)
		if (bytes_eq(list->items[i], name))
			return true;
	return false;
}

static bool value_is_quiet(struct bytes v)
{
	static const char *const quiet[] = { "", "cat", "true", ":", "/bin/cat", "/bin/true", "/usr/bin/true",
		"/usr/bin/cat" };

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
	"*DISABLE", "*BYPASS", "*IGNORE", "*UNSAFE", "*INSECURE", "*VERIFY", "*ALLOW", "*TRUST", "*HOOK",
	"CMD", "OPT", "OPTS", "ARG", "ARGS", "RC", "RCFILE", "INIT", "DIR", "DIRS", "FILE", "FILES", "FILENAME",
	"BIN", "LIB", "LIBS", "ENV", "ENVFILE", "URL", "URI", "ADDR", "SOCK", "SOCKET", "KEY", "KEYS", "CC", "CXX",
	"CPP", "LD", "AR", "AS", "FC", "MAKE", "TOOL", "GIT", "SSH", "GPG", "SUDO", "AWS", "GCP", "NPM", "PNPM",
	"YARN", "BUN", "DENO", "PIP", "UV", "GO", "MVN", "MAVEN", "GRADLE", "JVM", "JDK", "DOTNET", "NUGET", "GH",
	"GLAB", "GITHUB", "GITLAB", "PG", "PGSERVICE", "MYSQL", "REDIS", "MONGO", "DB", "DATABASE", "LD", "DYLD",
	"BASH", "ZSH", "DISPLAY", "DBUS", "XDG", "TMUX", "STY", "TMP", "TEMP", "PS4", "IFS", "BASHOPTS", "CDPATH",
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

/* Capitals, digits and underscores, no part of which is powerful; and of more than one part: short names are taken. */
static bool name_is_powerless(struct bytes name)
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
	return parts > 1 && !variable_is_shells(name);
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

static bool is_accepted(const struct subject *s, struct bytes name, const struct word *value, struct bytes text)
{
	for (size_t i = 0; i < ARRAY_LEN(accepted); i++) {
		if (!name_matches(name, accepted[i].name))
			continue;
		switch (accepted[i].value) {
		case VALUE_ANY:
			return true;
		case VALUE_QUIET:
			if (value != NULL && !value->is_static)
				return false;
			text = value != NULL ? value->value : text;
			return value_is_quiet(text) || (bytes_is(name, "GIT_SEQUENCE_EDITOR") && edits_sequence(text));
		case VALUE_BELOW:
		default:
			return value != NULL && value_is_below(s, value, name);
		}
	}
	if (value != NULL && !value->is_static)
		return false;
	return name_is_powerless(name) && value_is_bare(value != NULL ? value->value : text);
}

static void deny_gate_variable(struct subject *s, struct bytes name)
{
	deny(s, STAGE_SELF, (struct reason_text){ REASON_SELF_PROTECTION, 1,
		{ judge_text(s->j, "it sets %.*s, which belongs to the gate", (int)name.len, name.p) } },
		BYTES("self-protection"), BYTES("set-variable"), name);
}

/* A program that keeps or shows a variable of this name does not know what it is. */
static void renames_secret(struct subject *s, struct bytes name)
{
	leave_open(s, judge_text(s->j, "the variable %.*s takes a credential along by another name", (int)name.len,
		name.p), BYTES("environment"), name, false);
}

static void not_accepted(struct subject *s, struct bytes name)
{
	leave_open(s, judge_text(s->j, "the variable %.*s can change what programs do", (int)name.len, name.p),
		BYTES("environment"), name, false);
}

/*
 * Text that the shell would run when it evaluates the variable as arithmetic or with ${…@P}: bash looks into values for
 * array subscripts, and runs the substitutions there (bash(1), ARITHMETIC EVALUATION).
 */
static bool holds_hidden_code(const struct subject *s, const struct word *w)
{
	if (w == NULL || !w->is_static || w->value.len < 3)
		return false;
	if (memmem(w->value.p, w->value.len, "$(", 2) == NULL && memchr(w->value.p, '`', w->value.len) == NULL)
		return false;
	return s->j->line->shell == SHELL_PERSISTENT || line_evaluates(s->j);
}

void judge_assignments(struct subject *s, const struct assignment *a, bool has_command)
{
	for (; a != NULL; a = a->next) {
		if (variable_is_gate(a->name)) {
			deny_gate_variable(s, a->name);
			continue;
		}
		if (holds_hidden_code(s, a->value))
			leave_open(s, BYTES("a variable holds text that arithmetic would run"),
				BYTES("hidden"), a->name, false);
		if (is_accepted(s, a->name, a->subscript == NULL && !a->append ? a->value : NULL,
			    (struct bytes){ NULL, 0 })) {
			if (has_command && word_mentions_secret(s->j, a->value))
				renames_secret(s, a->name);
			continue;
		}
		if (line_is_traced(s->j) && word_mentions_secret(s->j, a->value))
			leave_open(s, BYTES("the shell prints, as it is told to, what a variable gets: a credential"),
				BYTES("environment"), a->name, false);
		/* `IFS= read`: for that one reading alone. */
		if (has_command && bytes_is(a->name, "IFS") && bytes_is(s->program, "read"))
			continue;
		if (has_command || variable_is_shells(a->name) || is_exported(s->j, a->name))
			not_accepted(s, a->name);
	}
}

void judge_assignment_words(struct subject *s, const struct word *words, uint32_t n)
{
	for (; words != NULL && n > 0; words = words->next, n--) {
		struct bytes text = words->is_static ? words->value : words->prefix, name = text;
		const char *eq = text.len > 0 ? (const char *)memchr(text.p, '=', text.len) : NULL;

		/* `export NAME` passes on a value that some other line set. */
		if (eq != NULL)
			name.len = (size_t)(eq - text.p);
		if (name.len > 0 && name.p[name.len - 1] == '+')
			name.len--;
		if (variable_is_gate(name)) {
			deny_gate_variable(s, name);
			continue;
		}
		if (eq == NULL && !words->is_static) {
			not_accepted(s, words->src);
			continue;
		}
		if (!is_accepted(s, name, NULL, eq != NULL && words->is_static ?
			(struct bytes){ eq + 1, text.len - name.len - 1 } : BYTES("?")))
			not_accepted(s, name);
		else if (word_mentions_secret(s->j, words))
			renames_secret(s, name);
	}
}
