/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the git model share. */
#ifndef COMMANDS_GIT_H
#define COMMANDS_GIT_H

#include "policy/git_facts.h"
#include "worker/commands/model.h"

enum git_bits {
	GIT_NO_INDEX = 1, /* works on files outside the repository */
	GIT_FORCE = 2,
	GIT_CREATE = 4, /* creates a branch; only the index; only shows */
	GIT_LEASE = 8,
	GIT_DELETE = 16,
	GIT_ALL = 32,
	GIT_TAGS = 64,
	GIT_DRY = 128,
	GIT_PRUNE = 256,
	GIT_MULTIPLE = 512, /* fetch: operands are remotes */
	GIT_SOURCE = 1024, /* files come from a commit, not from the index */
	GIT_IGNORED_TOO = 2048,
	GIT_IGNORED_ONLY = 4096,
	GIT_UNTOLD = 8192, /* which files is told elsewhere */
	GIT_PATTERN = 16384, /* what is searched for stands in an option */
	GIT_FISHES = 32768, /* and secrets fit it */
	GIT_QUIET = 65536, /* names or numbers, and no lines */
};

#define GIT_FETCH_LONGS "append atomic depth= deepen= shallow-since= shallow-exclude= unshallow " \
	"update-shallow negotiation-tip= dry-run porcelain write-fetch-head no-write-fetch-head " \
	"force keep auto-maintenance auto-gc no-auto-gc no-auto-maintenance write-commit-graph " \
	"prefetch prune prune-tags no-tags refetch tags recurse-submodules?= jobs= " \
	"no-recurse-submodules set-upstream update-head-ok quiet verbose progress no-progress " \
	"server-option= show-forced-updates no-show-forced-updates ipv4 ipv6 filter= all"
#define GIT_TRANSPORT { NULL, "upload-pack", REQUIRED, REFUSE, .text = "--upload-pack runs a program" }, \
	{ NULL, "multiple", NOTHING, IGNORE, .set = GIT_MULTIPLE }

extern const struct command_model git_worktree[], git_reading[];

bool git_setting_is_harmless(struct bytes setting);

void git_shows(struct run *run);
void git_greps(struct run *run);
void git_grep_option(struct run *run, const struct option_rule *rule, const struct arg *value);
void git_adds(struct run *run);
void git_checkout(struct run *run);
void git_branch(struct run *run);
void git_reset(struct run *run);
void git_stash(struct run *run);
void git_clean(struct run *run);
void git_restore(struct run *run);
void git_switch(struct run *run);
void git_removes(struct run *run);
void git_moves(struct run *run);
void git_bundle(struct run *run);
void git_apply(struct run *run);
void git_apply_option(struct run *run, const struct option_rule *rule, const struct arg *value);
void git_bisect(struct run *run);
void git_submodule(struct run *run);
void git_symbolic_ref(struct run *run);
void git_reflog(struct run *run);
void git_config(struct run *run);
void git_lfs(struct run *run);
void git_strategy(struct run *run, const struct option_rule *rule, const struct arg *value);

void git_remote(struct run *run);
void git_fetch(struct run *run);
void git_clone(struct run *run);
void git_ls_remote(struct run *run);
void git_push(struct run *run);
void git_sends(struct run *run);
void git_subtree(struct run *run);
void git_push_option(struct run *run, const struct option_rule *rule, const struct arg *value);

#endif
