/* SPDX-License-Identifier: Apache-2.0 */
/* Search programs: grep, ripgrep, ag, ack, fd, locate. find has a file of its own. */
#include "policy/paths/paths.h"
#include "worker/commands/model.h"

/*
 * A pattern that would print any line, or lines with secrets, of whatever is found: over a whole tree such a
 * search shows what reading a file of secrets would.
 */
static bool speaks_of_secrets(struct bytes pattern)
{
	static const char *const words[] = { "token", "secret", "passw", "passphrase", "credential",
		"api_key", "apikey", "api-key", "private key", "private_key", "begin ", "akia", "bearer",
		"aws_", "ghp_" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (bytes_find_fold(pattern, words[i]))
			return true;
	/* What stands in front of every value in a file of settings. */
	return bytes_is(pattern, "KEY") || bytes_is(pattern, "KEY=") || bytes_find(pattern, "_KEY");
}

bool search_fishes(const struct arg *pattern)
{
	uint32_t letters = 0, best = 0;

	if (!pattern->is_static)
		return false;
	if (speaks_of_secrets(pattern->text))
		return true;
	for (size_t i = 0; i < pattern->text.len; i++) {
		unsigned char c = (unsigned char)pattern->text.p[i];

		letters = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
				c == '_' || c >= 0x80
			? letters + 1
			: 0;
		if (letters > best)
			best = letters;
	}
	return best < 2;
}

/* Below /usr nothing secret is kept: a search there is as good as reading. */
/* Hidden directories of a home hold configuration and keys. */
static bool is_hidden(struct bytes path)
{
	static const char project[] =
		".github .gitlab .circleci .vscode .husky .storybook .changeset .devcontainer .venv .project";

	for (size_t i = 0; i < path.len; i++) {
		size_t end = i;

		if (path.p[i] != '.' || (i && path.p[i - 1] != '/'))
			continue;
		while (end < path.len && path.p[end] != '/')
			end++;
		if (end - i > 1 && !(end - i == 2 && path.p[i + 1] == '.') &&
			!in_list((struct bytes){ path.p + i, end - i }, project))
			return true;
		i = end;
	}
	return false;
}

static void search_target(struct run *run, const struct arg *a, bool recursive)
{
	if (recursive && !(run->bits & SEARCH_NAMES_ONLY) && is_hidden(a->text))
		run_open(run, "%s searches a whole hidden directory", run->model->name);
	if (run->bits & SEARCH_NAMES_ONLY)
		run_effect(run, EFFECT_LIST, a);
	else if (recursive &&
		!(a->is_static && (bytes_start(a->text, "/usr/") || bytes_start(a->text, "/var/log/"))))
		run_effect(run, EFFECT_SEARCH, a);
	else
		run_effect(run, EFFECT_READ, a);
}

/* How credentials of known services, and keys, begin: who looks for one wants to see it. */
static bool seeks_values(struct bytes pattern)
{
	static const char *const words[] = { "akia", "asia[", "ghp_", "gho_", "github_pat", "glpat-", "sk_live",
		"sk-[", "sk-ant", "sk-proj", "xox[", "xoxb", "xoxp", "begin rsa", "begin openssh", "begin priv",
		"begin ec ", "private key", "eyj", "aiza" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (bytes_find_fold(pattern, words[i]))
			return true;
	return false;
}

/* Files where the value stands beside its name; the manifest of a project has tokens of another kind. */
static bool is_configuration(struct bytes path)
{
	static const char *const endings[] = { ".yml", ".yaml", ".json", ".toml", ".ini", ".cfg", ".conf", ".config",
		".properties", ".xml", ".env", ".tfvars", ".rc", "settings.py", "config.py", "config.js", "config.ts",
		"wp-config.php", ".plist", ".txt" };

	if (bytes_end(path, "package.json") || bytes_end(path, "package-lock.json") || bytes_end(path, "tsconfig.json"))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(endings); i++)
		if (bytes_end(path, endings[i]))
			return true;
	return false;
}

/* Lines of a file that is named, chosen by what credentials are called or begin with. */
static void check_fishing(struct run *run, uint32_t at)
{
	const struct arg *pattern = at == 1 && run->n_operands ? &run->operands[0] : NULL;
	bool names = run->bits & SEARCH_FISHES, values = false;

	if (pattern && pattern->is_static) {
		values = seeks_values(pattern->text);
		names = speaks_of_secrets(pattern->text);
	}
	for (uint32_t i = at; (names || values) && i < run->n_operands; i++)
		if (values || is_configuration(run->operands[i].text)) {
			run_open(run, "%s with this pattern may print a credential from %.*s", run->model->name,
				(int)(run->operands[i].text.len < 80 ? run->operands[i].text.len : 80),
				run->operands[i].text.p);
			return;
		}
}

/* PATTERN FILE…, or only FILE… when -e or -f gave the patterns. */
static void pattern_and_files(struct run *run, bool recursive, bool whole_tree)
{
	uint32_t at = run->bits & (SEARCH_PATTERN_GIVEN | SEARCH_FILES) ? 0 : 1;
	static const struct arg here = { .text = { ".", 1 }, .is_static = true };

	if (recursive && whole_tree && !(run->bits & SEARCH_NAMES_ONLY) &&
		((run->bits & SEARCH_FISHES) || (at == 1 && run->n_operands && search_fishes(&run->operands[0]))))
		run_open(run, "%s over a whole tree with this pattern may print secrets", run->model->name);
	if (!recursive && !(run->bits & SEARCH_NAMES_ONLY))
		check_fishing(run, at);
	for (uint32_t i = at; i < run->n_operands; i++)
		search_target(run, &run->operands[i], recursive);
	if (run->n_operands > at)
		return;
	if (recursive && run->invocation->input != INPUT_PIPE && run->invocation->input != INPUT_TEXT)
		search_target(run, &here, true);
	else
		run->out->stdin_role = STDIN_READ;
}

static void grep_command(struct run *run)
{
	pattern_and_files(run, run->bits & SEARCH_RECURSIVE, true);
}

#define GREP_SHORTS "A:B:C:D:EFGHIPTUVabhim:nosuvwxyzZ"
#define GREP_LONGS "extended-regexp fixed-strings basic-regexp perl-regexp ignore-case " \
	"no-ignore-case word-regexp line-regexp null-data no-messages invert-match max-count= " \
	"byte-offset line-number line-buffered with-filename no-filename label= only-matching " \
	"binary-files= text devices= exclude= exclude-dir= count " \
	"initial-tab null before-context= after-context= context= group-separator= " \
	"no-group-separator color?= colour?= binary unix-byte-offsets"
/* Names that the search is kept to: of a secret, or of whatever is hidden. */
static void search_names(struct run *run, const struct arg *value)
{
	struct bytes last = value->text;
	const char *slash = last.len ? memrchr(last.p, '/', last.len) : NULL;

	if (slash)
		last = bytes_from(last, (size_t)(slash + 1 - last.p));
	if (value->is_static && path_is_secret(last))
		run_effect_text(run, EFFECT_READ, last);
	else if (value->is_static ? path_glob_reaches_secret(last) && !bytes_start(last, "*.") :
		!bytes_start(last, "*.") || !value->word || bytes_find(value->word->src, "env"))
		run_open(run, "%s searches files of names that may be those of secrets", run->model->name);
}

static void grep_pattern(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	if (rule->text) {
		search_names(run, value);
		return;
	}
	if (search_fishes(value))
		run->bits |= SEARCH_FISHES;
}

#define GREP_OPTIONS OPTIONS{ { "e", "regexp", REQUIRED, CALL, .set = SEARCH_PATTERN_GIVEN }, \
	{ "f", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ, SEARCH_PATTERN_GIVEN }, \
	{ "r", "recursive", NOTHING, IGNORE, .set = SEARCH_RECURSIVE }, \
	{ "R", "dereference-recursive", NOTHING, REFUSE, .set = SEARCH_RECURSIVE, .text = "-R prints what links " \
	"lead to, use -r" }, \
	{ "d", "directories", REQUIRED, IGNORE, .set = SEARCH_RECURSIVE }, \
	{ "lL", "files-with-matches files-without-match", NOTHING, IGNORE, \
	.set = SEARCH_NAMES_ONLY | SEARCH_LISTS }, \
	{ "cq", "quiet silent", NOTHING, IGNORE, .set = SEARCH_NAMES_ONLY | SEARCH_COUNTS }, \
	{ NULL, "exclude-from", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, \
	{ NULL, "include", REQUIRED, CALL, .text = "names" }, \
	{ 0 } }

MODEL(grep) = {
	.name = "grep",
	.syntax = ANY_OPTION | NUMBER,
	.shorts = GREP_SHORTS,
	.longs = GREP_LONGS,
	.option = grep_pattern,
	.options = GREP_OPTIONS,
	.special = grep_command,
};
MODEL(zgrep) = {
	.name = "zgrep",
	.syntax = ANY_OPTION | NUMBER,
	.shorts = GREP_SHORTS,
	.longs = GREP_LONGS,
	.option = grep_pattern,
	.options = GREP_OPTIONS,
	.special = grep_command,
};

/* ripgrep leaves out hidden files unless -., --hidden, -u twice: then it is a whole tree. */
static void rg_command(struct run *run)
{
	pattern_and_files(run, true, run->bits & SEARCH_HIDDEN);
}

/* -g overrides what rg leaves out: a pattern that hidden files fit brings them in (ripgrep's GUIDE "Manual
 * filtering: globs"). */
static void rg_glob(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	struct bytes last = value->text;
	const char *slash = last.len ? memrchr(last.p, '/', last.len) : NULL;

	if (strchr(rule->shorts, 'e')) {
		grep_pattern(run, rule, value);
		return;
	}
	if (slash)
		last = bytes_from(last, (size_t)(slash + 1 - last.p));
	if (bytes_start(value->text, "!"))
		return;
	if (value->is_static && path_is_secret(last))
		search_names(run, value);
	/* *.c and main.* keep to names that say what they are. */
	if (!value->is_static || last.len == 0 || bytes_start(last, ".") || bytes_start(last, "[") ||
		bytes_start(last, "{") || bytes_start(last, "?") ||
		(bytes_start(last, "*") &&
			!(last.len > 2 && last.p[1] == '.' && !bytes_char(bytes_from(last, 2), '*') &&
				!bytes_start(last, "*.env"))))
		run->bits |= SEARCH_HIDDEN;
}

MODEL(rg) = {
	.name = "rg",
	.syntax = PROJECT_TOOL | EQUALS,
	.special = rg_command,
	.option = rg_glob,
	.shorts = "A:B:C:bE:iIHhj:Lm:M:nNopPr:sSt:T:vwxza0UFd:",
	.longs = "after-context= before-context= context= color= colors= column no-column crlf debug trace "
		 "dfa-size-limit= encoding= engine= field-context-separator= field-match-separator= "
		 "fixed-strings no-fixed-strings follow no-follow glob-case-insensitive heading "
		 "no-heading ignore-case ignore-file-case-insensitive include-zero invert-match "
		 "json line-buffered line-number no-line-number line-regexp max-columns= max-columns-preview "
		 "max-count= max-depth= maxdepth= max-filesize= mmap no-mmap multiline multiline-dotall "
		 "no-config no-messages no-pcre2-unicode null null-data one-file-system only-matching "
		 "passthru path-separator= pcre2 pcre2-version pretty regex-size-limit= replace= search-zip "
		 "no-search-zip smart-case case-sensitive sort= sortr= stats stop-on-nonmatch text trim "
		 "no-trim type= type-not= type-add= type-clear= type-list unicode no-unicode vimgrep "
		 "with-filename no-filename word-regexp threads= auto-hybrid-regex block-buffered binary "
		 "no-binary byte-offset generate= hyperlink-format= context-separator= no-context-separator "
		 "sort-files",
	.options = OPTIONS{ { "e", "regexp", REQUIRED, CALL, .set = SEARCH_PATTERN_GIVEN },
		{ "g", "glob iglob", REQUIRED, CALL },
		{ "f", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ, SEARCH_PATTERN_GIVEN },
		{ NULL, "ignore-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
		{ "l", "files-with-matches files-without-match", NOTHING, IGNORE,
			.set = SEARCH_NAMES_ONLY | SEARCH_LISTS },
		{ "cq", "count count-matches quiet", NOTHING, IGNORE, .set = SEARCH_NAMES_ONLY | SEARCH_COUNTS },
		{ NULL, "files", NOTHING, IGNORE, .set = SEARCH_NAMES_ONLY | SEARCH_FILES | SEARCH_LISTS },
		{ ".u",
			"hidden unrestricted no-ignore no-ignore-vcs no-ignore-dot no-ignore-exclude "
			"no-ignore-files no-ignore-global no-ignore-parent",
			NOTHING, IGNORE, .set = SEARCH_HIDDEN },
		{ NULL, "pre", REQUIRED, REFUSE, .text = "--pre runs a program on every file" },
		{ NULL, "pre-glob", REQUIRED, IGNORE },
		{ NULL, "hostname-bin", REQUIRED, REFUSE, .text = "--hostname-bin runs a program" }, { 0 } },
};
static void git_grep_like(struct run *run)
{
	pattern_and_files(run, true, true);
}

MODEL(ag) = {
	.name = "ag",
	.syntax = PARTIAL,
	.special = git_grep_like,
	.shorts = "aA:B:C:cDfG:gHiLlm:nNoQrRsSuUvwzW:t0",
	.longs = "after?= before?= context?= count color nocolor column filename nofilename heading "
		 "noheading ignore= ignore-dir= ignore-case smart-case case-sensitive literal fixed-strings "
		 "line-numbers files-with-matches files-without-matches max-count= only-matching vimgrep "
		 "word-regexp depth= hidden nobreak break stats",
	.options = OPTIONS{ { NULL, "pager", REQUIRED, REFUSE, .text = "--pager runs a program" }, { 0 } },
};
MODEL(ack) = {
	.name = "ack",
	.syntax = PARTIAL,
	.special = git_grep_like,
	.shorts = "A:B:C:cfgHhiLlm:nNorRsvwxQ1",
	.longs = "ignore-case smart-case count color nocolor files-with-matches word-regexp literal type= "
		 "noenv",
	.options = OPTIONS{ { NULL, "pager", REQUIRED, REFUSE, .text = "--pager runs a program" }, { 0 } },
};

/* fd PATTERN PATH…; -x and -X run a command on what is found. */
static void fd_exec(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	(void)value;
	run_open(run, "fd runs a command on every file it finds");
}

MODEL(fd) = {
	.name = "fd",
	.syntax = PARTIAL,
	.option = fd_exec,
	.shorts = "HIusigaFlLp0d:t:e:E:S:o:c:j:qh1",
	.longs = "hidden no-hidden no-ignore no-ignore-vcs unrestricted case-sensitive ignore-case glob "
		 "regex absolute-path list-details follow full-path print0 max-depth= min-depth= "
		 "exact-depth= type= extension= exclude= size= changed-within= changed-before= newer= older= "
		 "owner= color= threads= max-results= quiet show-errors base-directory= path-separator= "
		 "search-path= strip-cwd-prefix?= one-file-system prune format=",
	.options = OPTIONS{ { "xX", "exec exec-batch", NOTHING, CALL }, { 0 } },
	.rules = RULES{ { REST, EFFECT_LIST }, { ALWAYS, EFFECT_LIST, .text = "." }, { END } },
};
MODEL(locate) = {
	.name = "locate",
	.syntax = ANY_OPTION | PARTIAL,
	.shorts = "abcei0l:n:qrwSA",
	.longs = "all basename count existing ignore-case limit= null regex",
	.rules = RULES{ { ALWAYS, EFFECT_STATUS }, { END } },
};
