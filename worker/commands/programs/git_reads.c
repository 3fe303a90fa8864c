/* SPDX-License-Identifier: Apache-2.0 */
/* git subcommands that read: log, diff and all that share their options, and the plumbing that shows objects
 * and references. */
#include "worker/commands/programs/git.h"

#define DIFF_SHORTS "pusU:abzwWRM::B::C::D::l:S:G:I:X::"
#define DIFF_LONGS "patch no-patch unified= raw patch-with-raw patch-with-stat indent-heuristic " \
	"no-indent-heuristic minimal patience histogram anchored= diff-algorithm= stat?= " \
	"compact-summary numstat shortstat dirstat?= cumulative summary name-only name-status " \
	"submodule?= color?= no-color color-moved?= no-color-moved color-moved-ws= word-diff?= " \
	"word-diff-regex= color-words?= no-renames rename-empty no-rename-empty check " \
	"ws-error-highlight= full-index binary abbrev?= break-rewrites?= find-renames?= " \
	"find-copies?= find-copies-harder irreversible-delete diff-filter= pickaxe-all " \
	"pickaxe-regex skip-to= rotate-to= relative?= no-relative text ignore-cr-at-eol " \
	"ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines " \
	"ignore-matching-lines= inter-hunk-context= function-context exit-code quiet no-ext-diff " \
	"no-textconv ignore-submodules?= src-prefix= dst-prefix= no-prefix default-prefix " \
	"line-prefix= ita-invisible-in-index merge-base cached staged cc combined-all-paths " \
	"diff-merges= no-diff-merges remerge-diff dd"
#define DIFF_OPTIONS { NULL, "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, \
	{ "O", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, \
	{ NULL, "ext-diff", NOTHING, REFUSE, .text = "--ext-diff runs a configured program" }, \
	{ NULL, "textconv", NOTHING, REFUSE, .text = "--textconv runs a configured program" }, \
	{ NULL, "no-index", NOTHING, IGNORE, .set = GIT_NO_INDEX }
#define LOG_SHORTS DIFF_SHORTS "n:iEFPgqctrmhL:"
#define LOG_LONGS DIFF_LONGS " follow no-decorate decorate?= decorate-refs= " \
	"decorate-refs-exclude= clear-decorations source mailmap no-mailmap use-mailmap log-size " \
	"max-count= skip= since= after= until= before= since-as-filter= author= committer= " \
	"grep-reflog= grep= all-match invert-grep regexp-ignore-case basic-regexp extended-regexp " \
	"fixed-strings perl-regexp remove-empty merges no-merges min-parents= max-parents= " \
	"no-min-parents no-max-parents first-parent exclude-first-parent-only not all branches?= " \
	"tags?= remotes?= glob= exclude= exclude-hidden= reflog alternate-refs single-worktree " \
	"ignore-missing bisect stdin cherry-mark cherry-pick left-only right-only cherry " \
	"walk-reflogs merge boundary simplify-by-decoration show-pulls full-history dense sparse " \
	"simplify-merges ancestry-path?= date-order author-date-order topo-order reverse " \
	"no-walk?= do-walk pretty?= format= abbrev-commit no-abbrev-commit oneline encoding= " \
	"expand-tabs?= no-expand-tabs notes?= no-notes show-notes?= standard-notes " \
	"no-standard-notes show-signature relative-date date= parents children left-right graph " \
	"no-graph show-linear-break?= count timestamp objects objects-edge unpacked " \
	"no-object-names filter= disk-usage?= header bisect-all bisect-vars " \
	"numbered email group= max-age= min-age= root always match= candidates= exact-match long " \
	"contains?= no-contains= merged?= no-merged?="

#define READS_REPOSITORY RULES{ { ALWAYS, EFFECT_GIT_READ }, { END } }

const struct command_model git_reading[] = {
	{ .name = "status",
		.syntax = ANY_OPTION | PARTIAL,
		.shorts = "sbvu::z",
		.rules = READS_REPOSITORY,
		.longs = "short branch show-stash porcelain?= long verbose untracked-files?= "
			 "ignore-submodules?= ignored?= column?= no-column ahead-behind no-ahead-behind "
			 "renames no-renames find-renames?= null" },
	{ .name = "log",
		.syntax = PARTIAL | NUMBER,
		.shorts = LOG_SHORTS,
		.longs = LOG_LONGS,
		.options = OPTIONS{ DIFF_OPTIONS, { 0 } },
		.rules = READS_REPOSITORY,
		.special = git_shows },
	{ .name = "show|whatchanged",
		.syntax = PARTIAL | NUMBER,
		.shorts = LOG_SHORTS,
		.longs = LOG_LONGS,
		.options = OPTIONS{ DIFF_OPTIONS, { 0 } },
		.rules = READS_REPOSITORY,
		.special = git_shows },
	{ .name = "diff",
		.syntax = PARTIAL,
		.shorts = DIFF_SHORTS "123",
		.longs = DIFF_LONGS " base ours theirs",
		.options = OPTIONS{ DIFF_OPTIONS, { 0 } },
		.rules = READS_REPOSITORY,
		.special = git_shows },
	{ .name = "diff-tree|diff-index|diff-files",
		.syntax = PARTIAL,
		.shorts = LOG_SHORTS,
		.longs = LOG_LONGS " no-commit-id",
		.options = OPTIONS{ DIFF_OPTIONS, { 0 } },
		.rules = READS_REPOSITORY,
		.special = git_shows },
	{ .name = "range-diff",
		.syntax = PARTIAL,
		.shorts = DIFF_SHORTS,
		.longs = DIFF_LONGS " creation-factor= left-only right-only dual-color no-dual-color",
		.options = OPTIONS{ DIFF_OPTIONS, { 0 } },
		.rules = READS_REPOSITORY },
	{ .name = "shortlog|rev-list",
		.syntax = ANY_OPTION | PARTIAL | NUMBER,
		.shorts = LOG_SHORTS "e",
		.longs = LOG_LONGS,
		.rules = READS_REPOSITORY,
		.options = OPTIONS{ DIFF_OPTIONS, { 0 } },
		.input = STDIN_READ },
	{ .name = "grep",
		.syntax = PARTIAL,
		.shorts = "aIirwvhHEGPFnzopWA:B:C:m:",
		.rules = READS_REPOSITORY,
		.special = git_greps,
		.option = git_grep_option,
		.longs = "cached untracked exclude-standard recurse-submodules text "
			 "ignore-case word-regexp invert-match full-name extended-regexp basic-regexp "
			 "perl-regexp fixed-strings line-number column null only-matching color?= no-color break heading "
			 "show-function context= after-context= before-context= function-context max-count= "
			 "threads= and or not all-match max-depth= recursive",
		.options = OPTIONS{ { "f", NULL, REQUIRED, EFFECT_OF_VALUE, EFFECT_READ, GIT_PATTERN },
			{ "e", NULL, REQUIRED, CALL, .set = GIT_PATTERN },
			{ "lLcq", "files-with-matches name-only files-without-match count quiet", NOTHING, IGNORE,
				.set = GIT_QUIET },
			{ NULL, "no-exclude-standard", NOTHING, IGNORE, .set = GIT_IGNORED_TOO },
			{ "O", "open-files-in-pager", OPTIONAL, REFUSE,
				.text = "-O runs a program on what it finds" },
			{ NULL, "no-index", NOTHING, IGNORE, .set = GIT_NO_INDEX },
			{ NULL, "textconv ext-grep", NOTHING, REFUSE, .text = "runs a configured program" },
			{ 0 } } },
	{ .name = "rev-parse",
		.syntax = ANY_OPTION | PARTIAL,
		.shorts = "q",
		.rules = READS_REPOSITORY,
		.longs = "parseopt sq-quote keep-dashdash stop-at-non-option stuck-long revs-only no-revs "
			 "flags no-flags default= prefix= verify quiet sq short?= not abbrev-ref?= symbolic "
			 "symbolic-full-name all branches?= tags?= remotes?= glob= exclude= disambiguate= "
			 "local-env-vars path-format= git-dir absolute-git-dir git-common-dir "
			 "is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository "
			 "resolve-git-dir= git-path= show-cdup show-prefix show-toplevel "
			 "show-superproject-working-tree shared-index-path since= after= until= before= "
			 "show-object-format?= show-ref-format" },
	{ .name = "ls-files",
		.syntax = ANY_OPTION | PARTIAL,
		.shorts = "zcdmosukitvfx:",
		.rules = READS_REPOSITORY,
		.longs = "cached deleted modified others ignored stage directory no-empty-directory unmerged "
			 "killed resolve-undo exclude= exclude-standard error-unmatch with-tree= full-name "
			 "recurse-submodules abbrev?= debug eol deduplicate sparse format=",
		.options = OPTIONS{ { "X", "exclude-from exclude-per-directory", REQUIRED, EFFECT_OF_VALUE,
					    EFFECT_USE },
			{ 0 } } },
	{ .name = "ls-tree",
		.syntax = ANY_OPTION | PARTIAL,
		.shorts = "drtlz",
		.longs = "long name-only name-status object-only full-name full-tree abbrev?= format=",
		.rules = READS_REPOSITORY },
	{ .name = "merge-base",
		.syntax = ANY_OPTION | PARTIAL,
		.shorts = "a",
		.longs = "all octopus independent is-ancestor fork-point",
		.rules = READS_REPOSITORY },
	{ .name = "merge-tree",
		.syntax = PARTIAL,
		.shorts = "z",
		.longs = "write-tree trivial-merge name-only messages no-messages allow-unrelated-histories "
			 "merge-base=",
		.rules = READS_REPOSITORY },
	{ .name = "cherry",
		.syntax = ANY_OPTION | PARTIAL,
		.shorts = "v",
		.longs = "abbrev?= verbose",
		.rules = READS_REPOSITORY },
	{ .name = "describe",
		.syntax = ANY_OPTION | PARTIAL,
		.longs = "dirty?= broken?= all tags contains abbrev?= candidates= exact-match debug long "
			 "match= exclude= always first-parent",
		.rules = READS_REPOSITORY },
	{ .name = "blame|annotate",
		.syntax = PARTIAL,
		.shorts = "bL:ltpsfneMCcwS:h",
		.rules = READS_REPOSITORY,
		.special = git_shows,
		.longs = "root show-stats reverse first-parent porcelain line-porcelain incremental "
			 "encoding= date= progress no-progress score-debug show-name show-number show-email "
			 "abbrev?= ignore-rev= color-lines color-by-age",
		.options = OPTIONS{ { NULL, "contents ignore-revs-file", REQUIRED, EFFECT_OF_VALUE,
					    EFFECT_READ },
			{ 0 } } },
	{ .name = "show-ref",
		.syntax = ANY_OPTION | PARTIAL,
		.shorts = "dsq",
		.longs = "head heads branches tags dereference hash?= verify quiet abbrev?= "
			 "exclude-existing?= exists",
		.rules = READS_REPOSITORY },
	{ .name = "for-each-ref",
		.syntax = ANY_OPTION | PARTIAL,
		.shorts = "spt",
		.rules = READS_REPOSITORY,
		.longs = "count= sort= format= color?= shell perl python tcl points-at= merged?= no-merged?= "
			 "contains?= no-contains?= ignore-case omit-empty exclude=" },
	{ .name = "cat-file",
		.syntax = PARTIAL,
		.shorts = "etspv",
		.rules = READS_REPOSITORY,
		.special = git_shows,
		.input = STDIN_READ,
		.longs = "batch?= batch-check?= batch-command?= batch-all-objects buffer unordered "
			 "allow-unknown-type follow-symlinks path= mailmap filter=",
		.options = OPTIONS{ { NULL, "textconv filters", NOTHING, REFUSE,
					    .text = "runs a configured program" },
			{ 0 } } },
	{ .name = "name-rev",
		.syntax = ANY_OPTION | PARTIAL,
		.longs = "tags refs= exclude= all stdin annotate-stdin name-only no-undefined always",
		.rules = READS_REPOSITORY },
	{ .name = "count-objects",
		.syntax = PARTIAL,
		.shorts = "vH",
		.longs = "verbose human-readable",
		.rules = READS_REPOSITORY },
	{ .name = "check-ignore",
		.syntax = PARTIAL,
		.shorts = "qvzn",
		.longs = "quiet verbose stdin non-matching no-index",
		.rules = READS_REPOSITORY,
		.input = STDIN_READ },
	{ .name = "check-attr",
		.syntax = PARTIAL,
		.shorts = "az",
		.longs = "all cached stdin source=",
		.rules = READS_REPOSITORY,
		.input = STDIN_READ },
	{ .name = "check-ref-format|check-mailmap",
		.syntax = PARTIAL,
		.longs = "branch allow-onelevel normalize stdin",
		.rules = READS_REPOSITORY },
	{ .name = "show-branch",
		.syntax = PARTIAL,
		.shorts = "arg",
		.longs = "all remotes current topo-order date-order sparse more= list merge-base independent "
			 "no-name sha1-name topics reflog?=",
		.rules = READS_REPOSITORY },
	{ .name = "verify-commit|verify-tag",
		.syntax = PARTIAL,
		.shorts = "v",
		.longs = "raw verbose format=",
		.rules = READS_REPOSITORY },
	{ .name = "fsck",
		.syntax = PARTIAL,
		.shorts = "v",
		.longs = "tags root unreachable cache no-reflogs full strict verbose dangling no-dangling "
			 "progress no-progress connectivity-only name-objects",
		.rules = READS_REPOSITORY },
	{ .name = "var", .syntax = PARTIAL, .rules = READS_REPOSITORY, .shorts = "" },
	{ .name = "version", .longs = "build-options", .rules = RULES{ { ALWAYS, EFFECT_PURE }, { END } } },
	{ .name = "help",
		.syntax = PARTIAL,
		.shorts = "agcm",
		.longs = "all guides config man",
		.rules = RULES{ { ALWAYS, EFFECT_PURE }, { END } } },
	{ .name = "stripspace|column|fmt-merge-msg",
		.syntax = PARTIAL,
		.shorts = "sc",
		.longs = "strip-comments comment-lines mode=",
		.rules = RULES{ { ALWAYS, EFFECT_PURE }, { END } },
		.input = STDIN_READ },
	{ .name = "ls-remote",
		.syntax = PARTIAL,
		.shorts = "htqo:",
		.special = git_ls_remote,
		.longs = "heads branches tags refs quiet exit-code get-url sort= symref server-option=",
		.options = OPTIONS{ { NULL, "upload-pack exec", REQUIRED, REFUSE,
					    .text = "--upload-pack runs a program" },
			{ 0 } } },
	{ .name = "format-patch",
		.syntax = PARTIAL | NUMBER,
		.shorts = DIFF_SHORTS "nNkv:",
		.rules = RULES{ { ALWAYS, EFFECT_GIT_READ }, { ALWAYS, EFFECT_CREATE }, { END } },
		.longs = DIFF_LONGS
		" stdout numbered no-numbered keep-subject signoff attach?= inline?= thread?= in-reply-to= "
		"subject-prefix= rfc to= cover-letter numbered-files suffix= no-binary zero-commit "
		"root start-number= reroll-count= signature= no-signature base= range-diff= interdiff= "
		"from?= progress",
		.options = OPTIONS{ { "o", "output-directory", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE },
			DIFF_OPTIONS, { 0 } } },
	{ .name = "reflog",
		.syntax = PARTIAL | NUMBER,
		.shorts = LOG_SHORTS,
		.longs = LOG_LONGS " expire= rewrite updateref stale-fix dry-run verbose",
		.special = git_reflog },
	{ .name = "archive",
		.syntax = PARTIAL | NUMBER,
		.shorts = "vl",
		.longs = "format= list verbose prefix= worktree-attributes",
		.rules = READS_REPOSITORY,
		.special = git_shows,
		.options = OPTIONS{ { "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
			{ NULL, "add-file add-virtual-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY },
			{ NULL, "remote exec", REQUIRED, REFUSE, .text = "--remote asks another host" },
			{ 0 } } },
	{ 0 },
};
