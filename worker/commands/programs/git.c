/* SPDX-License-Identifier: Apache-2.0 */
/* git: global options and the table of subcommands (git(1) and the page of each). What goes to a remote is in
 * git_remote.c, what needs reading its operands in git_local.c. */
#include "worker/commands/programs/git.h"

/* Settings that a line may give for one call: they name no program, file or address. */
static bool harmless_setting(struct bytes key)
{
	static const char *const sections[] = { "color.", "advice.", "column.", "status.", "author.",
		"committer.", "user.", "log.", "grep.", "rebase.auto", "merge.conflict", "merge.ff",
		"merge.rename", "diff.rename", "diff.algorithm", "diff.color", "diff.noprefix",
		"diff.context", "diff.mnemonicprefix", "index.", "pack.", "gc.auto", "pull.rebase", "pull.ff",
		"fetch.prune", "fetch.parallel", "fetch.fsck", "push.default", "push.autosetupremote",
		"init.defaultbranch", "protocol.version", "http.lowspeed", "http.postbuffer", "http.version",
		"submodule.fetchjobs", "submodule.recurse", "blame.", "commit.gpgsign", "commit.verbose",
		"commit.cleanup", "tag.gpgsign", "tag.sort", "branch.sort", "branch.autosetup",
		"core.quotepath", "core.autocrlf", "core.eol", "core.longpaths", "core.abbrev",
		"core.filemode", "core.ignorecase", "core.precomposeunicode", "core.symlinks",
		"core.safecrlf", "core.whitespace", "core.commentchar", "core.compression",
		"core.preloadindex", "core.untrackedcache", "core.checkstat", "core.trustctime",
		"transfer.fsck", "receive.deny", "rerere.", "feature.", "maintenance.auto",
		"interactive.singlekey", "stash.show", "versionsort.", "format.pretty", "i18n." };
	size_t i, k;

	for (i = 0; i < ARRAY_LEN(sections); i++) {
		size_t n = strlen(sections[i]);

		if (key.len < n)
			continue;
		for (k = 0; k < n; k++)
			if ((key.p[k] >= 'A' && key.p[k] <= 'Z' ? key.p[k] - 'A' + 'a' : key.p[k]) !=
				sections[i][k])
				break;
		if (k == n)
			return true;
	}
	return false;
}

bool git_setting_is_harmless(struct bytes setting)
{
	const char *eq = setting.len ? memchr(setting.p, '=', setting.len) : NULL;
	struct bytes key = { setting.p, eq ? (size_t)(eq - setting.p) : setting.len };
	struct bytes value = bytes_from(setting, key.len + (eq ? 1 : 0));

	if (harmless_setting(key))
		return true;
	/* No pager, no editor, no helper at all. */
	if (bytes_find_fold(key, "core.pager") || bytes_find_fold(key, "pager."))
		return value.len == 0 || bytes_is(value, "cat") || bytes_is(value, "false");
	if (bytes_find_fold(key, "core.editor") || bytes_find_fold(key, "sequence.editor"))
		return bytes_is(value, "true") || bytes_is(value, ":");
	return false;
}

static void setting(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (value->is_static && bytes_find_fold(value->text, "core.hookspath"))
		run_effect_fixed(run, EFFECT_GUARD_OVERRIDE, "core.hooksPath");
	else if (!value->is_static && memchr(value->text.p, '=', value->text.len) &&
		git_setting_is_harmless(value->text) && !bytes_find_fold(value->text, "pager") &&
		!bytes_find_fold(value->text, "editor"))
		return;
	else if (!value->is_static || !git_setting_is_harmless(value->text))
		run_open(run, "git -c sets something that may run a program: %.*s",
			(int)(value->text.len < 80 ? value->text.len : 80), value->text.p);
}

#define GIT_PATCH "changes the files that a patch names"
#define LOCAL RULES{ { ALWAYS, EFFECT_GIT_LOCAL }, { END } }

static const struct command_model subcommands[] = {
	{ .name = "add|stage",
		.syntax = ANY_OPTION | PARTIAL,
		.shorts = "nvipuN",
		.rules = LOCAL,
		.special = git_adds,
		.longs = "dry-run verbose interactive patch edit update no-all ignore-removal "
			 "no-ignore-removal sparse intent-to-add refresh ignore-errors ignore-missing "
			 "renormalize chmod= pathspec-file-nul",
		.options = OPTIONS{ { NULL, "pathspec-from-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
			{ "f", "force", NOTHING, IGNORE, .set = GIT_FORCE },
			{ "A", "all", NOTHING, IGNORE, .set = GIT_ALL }, { 0 } } },
	{ .name = "commit",
		.syntax = PARTIAL,
		.shorts = "apqvsS::u::zm:C:c:eio",
		.rules = LOCAL,
		.longs = "all patch reuse-message= reedit-message= fixup= squash= reset-author dry-run short "
			 "branch porcelain long null message= signoff no-signoff trailer= allow-empty "
			 "allow-empty-message cleanup= edit no-edit amend no-post-rewrite include only "
			 "pathspec-file-nul untracked-files?= verbose quiet status no-status gpg-sign?= "
			 "no-gpg-sign author= date= interactive verify",
		.options = OPTIONS{ { "F", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY },
			{ "t", "template", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY },
			{ NULL, "pathspec-from-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
			{ "n", "no-verify", NOTHING, EFFECT_FIXED, EFFECT_GUARD_OVERRIDE,
				.text = "--no-verify" },
			{ 0 } } },
	{ .name = "branch",
		.syntax = ANY_OPTION | PARTIAL,
		.shorts = "dDfimMcCrvaltu:q",
		.special = git_branch,
		.longs = "delete create-reflog force move copy color?= no-color ignore-case column?= "
			 "no-column remotes all list verbose quiet abbrev?= no-abbrev track?= no-track "
			 "recurse-submodules set-upstream-to= unset-upstream edit-description contains?= "
			 "no-contains?= merged?= no-merged?= sort= points-at= format= show-current "
			 "omit-empty" },
	{ .name = "checkout",
		.syntax = PARTIAL,
		.shorts = "qt::ldm",
		.special = git_checkout,
		.longs = "quiet progress no-progress ours theirs track?= no-track guess no-guess detach "
			 "ignore-skip-worktree-bits merge conflict= ignore-other-worktrees overwrite-ignore "
			 "no-recurse-submodules overlay no-overlay pathspec-file-nul",
		.options = OPTIONS{ { "bB", "orphan", REQUIRED, IGNORE, .set = GIT_CREATE },
			{ "f", "force", NOTHING, IGNORE, .set = GIT_FORCE },
			{ "p", "patch", NOTHING, IGNORE, .set = GIT_FORCE },
			{ NULL, "recurse-submodules", OPTIONAL, IGNORE, .set = GIT_UNTOLD },
			{ NULL, "pathspec-from-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE,
				GIT_FORCE | GIT_UNTOLD },
			{ 0 } } },
	{ .name = "switch",
		.syntax = PARTIAL,
		.shorts = "c:C:dqt::m",
		.special = git_switch,
		.longs = "create= force-create= detach guess no-guess merge conflict= quiet progress "
			 "no-progress track?= no-track orphan= ignore-other-worktrees no-recurse-submodules",
		.options = OPTIONS{ { "f", "force discard-changes", NOTHING, IGNORE, .set = GIT_FORCE },
			{ NULL, "recurse-submodules", OPTIONAL, IGNORE, .set = GIT_UNTOLD }, { 0 } } },
	{ .name = "restore",
		.syntax = PARTIAL,
		.shorts = "q",
		.special = git_restore,
		.longs = "quiet progress no-progress ours theirs merge conflict= ignore-unmerged "
			 "ignore-skip-worktree-bits overlay no-overlay no-recurse-submodules "
			 "pathspec-file-nul",
		.options = OPTIONS{ { "S", "staged", NOTHING, IGNORE, .set = GIT_CREATE },
			{ "s", "source", REQUIRED, IGNORE, .set = GIT_SOURCE },
			{ NULL, "recurse-submodules", OPTIONAL, IGNORE, .set = GIT_UNTOLD },
			{ "Wp", "worktree patch", NOTHING, IGNORE, .set = GIT_FORCE }, { 0 } } },
	{ .name = "reset",
		.syntax = PARTIAL,
		.shorts = "qNp",
		.special = git_reset,
		.longs = "soft mixed keep quiet no-quiet refresh no-refresh intent-to-add patch "
			 "no-recurse-submodules pathspec-file-nul",
		/* --merge keeps what is not staged, and only that: the table in git-reset(1). */
		.options = OPTIONS{ { NULL, "hard merge", NOTHING, IGNORE, .set = GIT_FORCE },
			{ NULL, "recurse-submodules", OPTIONAL, IGNORE, .set = GIT_UNTOLD }, { 0 } } },
	{ .name = "merge",
		.syntax = PARTIAL,
		.shorts = "nem:qvX:S",
		.rules = LOCAL,
		.longs = "commit no-commit edit no-edit cleanup= ff no-ff ff-only log?= no-log signoff "
			 "no-signoff stat no-stat compact-summary squash no-squash verify-signatures "
			 "no-verify-signatures summary no-summary quiet verbose progress no-progress "
			 "autostash no-autostash allow-unrelated-histories into-name= rerere-autoupdate "
			 "no-rerere-autoupdate overwrite-ignore abort quit continue strategy-option= "
			 "gpg-sign?= no-gpg-sign message= verify",
		.options = OPTIONS{ { "F", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY },
			{ "s", "strategy", REQUIRED, CALL },
			{ NULL, "no-verify", NOTHING, EFFECT_FIXED, EFFECT_GUARD_OVERRIDE,
				.text = "--no-verify" },
			{ 0 } },
		.option = git_strategy },
	{ .name = "rebase",
		.syntax = PARTIAL,
		.shorts = "iqvnfkmrX:C:SY",
		.rules = LOCAL,
		.longs = "onto= keep-base continue skip abort quit edit-todo show-current-patch interactive "
			 "merge apply empty= no-keep-empty keep-empty reapply-cherry-picks "
			 "no-reapply-cherry-picks allow-empty-message quiet verbose stat no-stat "
			 "force-rebase no-ff fork-point no-fork-point ignore-whitespace whitespace= "
			 "committer-date-is-author-date ignore-date reset-author-date signoff autosquash "
			 "no-autosquash autostash no-autostash reschedule-failed-exec "
			 "no-reschedule-failed-exec update-refs no-update-refs root rebase-merges?= "
			 "no-rebase-merges rerere-autoupdate no-rerere-autoupdate strategy-option= "
			 "gpg-sign?= no-gpg-sign verify",
		.options =
			OPTIONS{ { "x", "exec", REQUIRED, SHELL_TEXT }, { "s", "strategy", REQUIRED, CALL },
				{ NULL, "no-verify", NOTHING, EFFECT_FIXED, EFFECT_GUARD_OVERRIDE,
					.text = "--no-verify" },
				{ 0 } },
		.option = git_strategy },
	{ .name = "cherry-pick|revert",
		.syntax = PARTIAL,
		.shorts = "em:nsxrX:S",
		.rules = LOCAL,
		.longs = "edit no-edit mainline= no-commit signoff ff allow-empty allow-empty-message "
			 "keep-redundant-commits empty= strategy-option= rerere-autoupdate "
			 "no-rerere-autoupdate continue skip quit abort cleanup= gpg-sign?= no-gpg-sign "
			 "reference",
		.options = OPTIONS{ { NULL, "strategy", REQUIRED, CALL }, { 0 } },
		.option = git_strategy },
	{ .name = "stash",
		.syntax = PARTIAL,
		.special = git_stash,
		.shorts = "pkuqSm:",
		.longs = "patch keep-index no-keep-index include-untracked quiet staged message= index "
			 "stat only-untracked pathspec-file-nul no-patch name-only name-status color?=",
		.options = OPTIONS{ { "a", "all", NOTHING, IGNORE, .set = GIT_IGNORED_TOO }, { 0 } } },
	{ .name = "tag",
		.syntax = ANY_OPTION | PARTIAL,
		.shorts = "asu:fdvln::im:e",
		.rules = LOCAL,
		.longs = "annotate sign no-sign local-user= force delete verify list sort= color?= "
			 "ignore-case omit-empty column?= no-column contains?= no-contains?= merged?= "
			 "no-merged?= points-at= message= edit cleanup= create-reflog format= trailer= "
			 "no-edit",
		.options = OPTIONS{ { "F", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY }, { 0 } } },
	{ .name = "worktree", .syntax = 0, .subcommands = git_worktree },
	{ .name = "mv",
		.shorts = "knv",
		.syntax = PARTIAL,
		.longs = "dry-run verbose sparse",
		.options = OPTIONS{ { "f", "force", NOTHING, IGNORE, .set = GIT_FORCE }, { 0 } },
		.special = git_moves,
		.rules = RULES{ { ALWAYS, EFFECT_GIT_LOCAL }, { FRONT, EFFECT_MOVE }, { LAST, EFFECT_WRITE },
			{ END } } },
	{ .name = "rm",
		.shorts = "nrq",
		.syntax = PARTIAL,
		.longs = "dry-run ignore-unmatch sparse quiet pathspec-file-nul",
		.options = OPTIONS{ { "f", "force", NOTHING, IGNORE, .set = GIT_FORCE },
			{ NULL, "cached", NOTHING, IGNORE, .set = GIT_CREATE }, { 0 } },
		.special = git_removes },
	{ .name = "clean",
		.shorts = "dfiqe:",
		.syntax = PARTIAL,
		.special = git_clean,
		.longs = "force interactive quiet exclude=",
		.options = OPTIONS{ { "n", "dry-run", NOTHING, IGNORE, .set = GIT_CREATE },
			{ "x", NULL, NOTHING, IGNORE, .set = GIT_IGNORED_TOO },
			{ "X", NULL, NOTHING, IGNORE, .set = GIT_IGNORED_ONLY }, { 0 } } },
	{ .name = "init",
		.shorts = "qb:",
		.syntax = PARTIAL,
		.longs = "quiet bare object-format= ref-format= initial-branch= shared?=",
		.options =
			OPTIONS{ { NULL, "template", REQUIRED, REFUSE,
					 .text = "--template brings hooks along" },
				{ NULL, "separate-git-dir", REQUIRED, REFUSE,
					.text = "--separate-git-dir moves what is known of the remotes" },
				{ 0 } },
		.rules = RULES{ { EACH, EFFECT_CREATE }, { ABSENT, EFFECT_GIT_LOCAL }, { END } } },
	{ .name = "apply",
		.syntax = PARTIAL,
		.shorts = "3C:RzNv",
		.special = git_apply,
		.option = git_apply_option,
		.input = STDIN_READ,
		.longs = "index cached intent-to-add 3way ours theirs union "
			 "reverse reject binary recount inaccurate-eof verbose quiet unidiff-zero "
			 "ignore-space-change ignore-whitespace whitespace= exclude= include= allow-overlap "
			 "allow-empty no-add",
		.options = OPTIONS{ { NULL, "unsafe-paths", NOTHING, REFUSE, .text = "--unsafe-paths writes anywhere" },
			{ NULL, "stat numstat summary check", NOTHING, IGNORE, .set = GIT_CREATE },
			{ NULL, "apply", NOTHING, IGNORE, .set = GIT_FORCE },
			{ "p", NULL, REQUIRED, CALL, .text = "strip" },
			{ NULL, "directory", REQUIRED, REFUSE, .text = "--directory puts files elsewhere" },
			{ NULL, "build-fake-ancestor", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } } },
	{ .name = "am",
		.refuse = GIT_PATCH,
		.syntax = PARTIAL,
		.shorts = "siku3qcmrC:p:S",
		.special = git_apply,
		.input = STDIN_READ,
		.longs = "signoff keep keep-cr no-keep-cr scissors no-scissors message-id quiet utf8 3way "
			 "no-3way ignore-space-change ignore-whitespace whitespace= directory= exclude= "
			 "include= reject patch-format= interactive continue resolved skip abort quit "
			 "show-current-patch?= committer-date-is-author-date ignore-date empty= gpg-sign?= "
			 "no-gpg-sign",
		.options = OPTIONS{ { "n", "no-verify", NOTHING, EFFECT_FIXED, EFFECT_GUARD_OVERRIDE,
					    .text = "--no-verify" },
			{ 0 } } },
	{ .name = "notes",
		.syntax = PARTIAL,
		.shorts = "fm:C:c:vqns:",
		.longs = "ref= message= reuse-message= reedit-message= force allow-empty ignore-missing stdin "
			 "dry-run verbose quiet strategy= commit abort separator?= no-separator stripspace no-stripspace",
		.options = OPTIONS{ { "F", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY }, { 0 } },
		.rules = LOCAL },
	{ .name = "bisect", .syntax = PARTIAL, .reader = git_bisect },
	{ .name = "submodule",
		.syntax = PARTIAL,
		.shorts = "qfNb:",
		.longs = "quiet cached init recursive remote force checkout merge rebase no-fetch depth= "
			 "jobs= recommend-shallow no-recommend-shallow single-branch no-single-branch name= "
			 "branch= default files summary-limit= progress all filter=",
		.special = git_submodule },
	{ .name = "sparse-checkout",
		.syntax = PARTIAL,
		.longs = "cone no-cone sparse-index stdin",
		.rules = LOCAL },
	{ .name = "gc",
		.syntax = PARTIAL,
		.shorts = "q",
		.longs = "aggressive auto quiet prune?= no-prune keep-largest-pack detach no-detach",
		.rules = LOCAL },
	{ .name = "maintenance",
		.syntax = PARTIAL,
		.longs = "auto quiet task=",
		.refuse = "may schedule work for later" },
	{ .name = "update-index",
		.syntax = PARTIAL,
		.shorts = "qz",
		.rules = LOCAL,
		.special = git_adds,
		.longs = "add remove refresh really-refresh assume-unchanged no-assume-unchanged "
			 "skip-worktree no-skip-worktree chmod= force-remove stdin cacheinfo= again" },
	{ .name = "hash-object",
		.syntax = PARTIAL,
		.shorts = "t:",
		.longs = "stdin stdin-paths path= no-filters literally",
		/* What is kept as an object can be printed by its sum. */
		.options = OPTIONS{ { "w", NULL, NOTHING, IGNORE, .set = GIT_CREATE }, { 0 } },
		.rules = RULES{ { ALWAYS, EFFECT_GIT_LOCAL }, { EACH, EFFECT_USE, .unless = GIT_CREATE },
			{ EACH, EFFECT_COPY, .when = GIT_CREATE }, { END } } },
	{ .name = "write-tree|commit-tree|mktree",
		.syntax = PARTIAL,
		.shorts = "p:m:S",
		.longs = "prefix= missing-ok",
		.rules = LOCAL,
		.input = STDIN_READ },
	{ .name = "read-tree",
		.syntax = PARTIAL,
		.shorts = "mivnq",
		.longs = "reset trivial aggressive prefix= verbose dry-run no-sparse-checkout quiet empty",
		.options = OPTIONS{ { "u", NULL, NOTHING, IGNORE, .set = GIT_FORCE },
			{ NULL, "recurse-submodules", OPTIONAL, IGNORE, .set = GIT_FORCE | GIT_UNTOLD }, { 0 } },
		.special = git_switch },
	{ .name = "symbolic-ref",
		.syntax = PARTIAL,
		.shorts = "qm:",
		.longs = "quiet short recurse no-recurse",
		.special = git_symbolic_ref },
	{ .name = "bundle",
		.syntax = PARTIAL,
		.shorts = "q",
		.longs = "quiet progress all-progress version= all branches?= tags?= remotes?= since= max-count=",
		.special = git_bundle },
	{ .name = "config", .syntax = PARTIAL, .reader = git_config },
	{ .name = "remote",
		.syntax = PARTIAL,
		.shorts = "vft:m:np",
		.longs = "verbose tags no-tags mirror?= push all dry-run prune",
		.options = OPTIONS{ { "a", "auto", NOTHING, IGNORE, .set = GIT_ALL },
			{ "d", "delete", NOTHING, IGNORE, .set = GIT_DELETE }, { 0 } },
		.special = git_remote },
	{ .name = "fetch",
		.syntax = PARTIAL,
		.shorts = "aqvfkmnptuPj:o:46",
		.special = git_fetch,
		.longs = GIT_FETCH_LONGS,
		.options = OPTIONS{ GIT_TRANSPORT, { 0 } } },
	{ .name = "pull",
		.syntax = PARTIAL,
		.shorts = "qvafknptSr::X:j:o:46",
		.special = git_fetch,
		.longs = GIT_FETCH_LONGS
		" rebase?= no-rebase ff no-ff ff-only commit no-commit edit no-edit cleanup= squash "
		"no-squash stat no-stat log?= no-log signoff autostash no-autostash verify-signatures "
		"allow-unrelated-histories strategy-option= gpg-sign?= summary verify",
		.options = OPTIONS{ GIT_TRANSPORT, { "s", "strategy", REQUIRED, CALL },
			{ NULL, "no-verify", NOTHING, EFFECT_FIXED, EFFECT_GUARD_OVERRIDE,
				.text = "--no-verify" },
			{ 0 } },
		.option = git_strategy },
	{ .name = "clone",
		.syntax = PARTIAL,
		.shorts = "lsqvnb:o:j:46",
		.special = git_clone,
		.longs = "local no-local no-hardlinks shared dissociate quiet verbose progress no-checkout "
			 "bare mirror origin= branch= depth= shallow-since= shallow-exclude= single-branch "
			 "no-single-branch no-tags tags shallow-submodules no-shallow-submodules "
			 "remote-submodules jobs= sparse filter= also-filter-submodules reject-shallow "
			 "no-reject-shallow server-option= recurse-submodules?= recursive?= revision=",
		.options = OPTIONS{ GIT_TRANSPORT,
			{ "u", NULL, REQUIRED, REFUSE, .text = "-u runs a program" },
			{ NULL, "reference reference-if-able", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE },
			{ NULL, "template bundle-uri", REQUIRED, REFUSE,
				.text = "brings hooks or data along" },
			{ NULL, "separate-git-dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE },
			{ "c", "config", REQUIRED, CALL }, { 0 } },
		.option = setting },
	{ .name = "push",
		.syntax = PARTIAL,
		.shorts = "vqo:46",
		.special = git_push,
		.option = git_push_option,
		.longs = "quiet verbose progress no-progress atomic no-atomic signed?= no-signed thin "
			 "no-thin porcelain push-option= follow-tags no-follow-tags recurse-submodules= "
			 "no-recurse-submodules ipv4 ipv6 no-force-with-lease verify",
		.options = OPTIONS{ { "u", "set-upstream", NOTHING, IGNORE },
			{ "f", "force", NOTHING, IGNORE, .set = GIT_FORCE },
			{ NULL, "force-with-lease", OPTIONAL, IGNORE, .set = GIT_LEASE },
			{ NULL, "force-if-includes", NOTHING, IGNORE },
			{ "d", "delete", NOTHING, IGNORE, .set = GIT_DELETE },
			{ NULL, "prune", NOTHING, IGNORE, .set = GIT_DELETE | GIT_ALL },
			{ NULL, "mirror", NOTHING, IGNORE, .set = GIT_DELETE | GIT_ALL | GIT_FORCE },
			{ NULL, "all branches", NOTHING, IGNORE, .set = GIT_ALL },
			{ NULL, "tags", NOTHING, IGNORE, .set = GIT_TAGS },
			{ "n", "dry-run", NOTHING, IGNORE, .set = GIT_DRY }, { NULL, "repo", REQUIRED, CALL },
			{ NULL, "no-verify", NOTHING, EFFECT_FIXED, EFFECT_GUARD_OVERRIDE,
				.text = "--no-verify" },
			{ NULL, "receive-pack exec", REQUIRED, REFUSE,
				.text = "--receive-pack runs a program" },
			{ 0 } } },
	{ .name = "send-pack|http-push",
		.syntax = PARTIAL,
		.longs = "verbose quiet thin atomic force all",
		.special = git_sends },
	{ .name = "subtree",
		.syntax = PARTIAL,
		.shorts = "qP:",
		.longs = "quiet prefix=",
		.special = git_subtree },
	{ .name = "filter-branch|filter-repo", .refuse = "rewrites history by programs of its own" },
	{ .name = "lfs",
		.syntax = PARTIAL,
		.longs = "all dry-run skip-smudge local",
		.special = git_lfs },
	{ .name = "credential|credential-cache|credential-store",
		.rules = RULES{ { ALWAYS, EFFECT_PRINT_CREDENTIAL, .text = "git credential" }, { END } },
		.syntax = NO_OPTIONS },
	{ 0 },
};

MODEL(git) = {
	.name = "git",
	.syntax = POSIX_ORDER | PARTIAL | SUBCOMMAND_ALONE_OK,
	.shorts = "Pvh",
	.option = setting,
	.subcommands = subcommands,
	.more = git_reading,
	.longs = "no-pager bare no-replace-objects no-lazy-fetch no-optional-locks literal-pathspecs "
		 "glob-pathspecs noglob-pathspecs icase-pathspecs namespace= html-path man-path info-path "
		 "list-cmds= attr-source=",
	.options = OPTIONS{ { "C", NULL, REQUIRED, DIRECTORY }, { "c", NULL, REQUIRED, CALL },
		{ NULL, "work-tree", REQUIRED, DIRECTORY, .set = GIT_UNTOLD },
		{ NULL, "git-dir", REQUIRED, REFUSE,
			.text = "--git-dir takes the configuration of another repository" },
		{ "p", "paginate", NOTHING, REFUSE, .text = "-p runs a pager" },
		{ NULL, "exec-path", OPTIONAL, REFUSE,
			.text = "--exec-path takes its programs from elsewhere" },
		{ NULL, "config-env", REQUIRED, REFUSE,
			.text = "--config-env takes settings from the environment" },
		{ 0 } },
};
