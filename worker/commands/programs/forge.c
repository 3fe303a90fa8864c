/* SPDX-License-Identifier: Apache-2.0 */
/* gh and glab: what they read, change and delete on a forge. The repository is -R, else that of the
 * directory. */
#include "worker/commands/programs/forge.h"

enum { WRITES = 64 };

static void on_repository(struct run *run, enum effect_id effect)
{
	run_effect_text(run, effect, run->detail.p ? run->detail : BYTES(""));
}

void forge_jq(struct run *run, const struct arg *program)
{
	if (program->is_static)
		run_reads_jq(run, program->text);
	else
		run_open(run, "the program for %s --jq is not known before it runs", run->model->name);
}

/* -R [HOST/]OWNER/REPO, and --jq, where the rule says so. */
static void repository_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	if (rule->text) {
		forge_jq(run, value);
		return;
	}
	run->detail = value->text;
	if (!value->is_static)
		run_open(run, "the repository that %s changes is not known before it runs", run->model->name);
}

/* The host in HOST/OWNER/REPO or an address; empty: the forge's own. */
static struct bytes host_of(struct bytes repository)
{
	const char *scheme = repository.len ? memmem(repository.p, repository.len, "://", 3) : NULL;
	struct bytes rest = scheme ? bytes_from(repository, (size_t)(scheme + 3 - repository.p)) : repository;
	const char *slash = rest.len ? memchr(rest.p, '/', rest.len) : NULL;
	struct bytes host = { rest.p, slash ? (size_t)(slash - rest.p) : 0 };

	if (!slash || (!scheme && !memchr(slash + 1, '/', rest.len - host.len - 1)) ||
		in_list(host, "github.com www.github.com gitlab.com"))
		return (struct bytes){ "", 0 };
	return host;
}

/* A token goes along to whatever host is asked (gh-environment(7), GH_ENTERPRISE_TOKEN). */
static void reads(struct run *run)
{
	struct bytes host = host_of(run->detail);

	if (host.len)
		run_effect_text(run, EFFECT_FETCH_COMPUTED, run_join(run, run_join(run, BYTES("https://"), host),
			BYTES("/")));
	on_repository(run, EFFECT_FORGE_READ);
}

static void writes(struct run *run)
{
	on_repository(run, EFFECT_FORGE_WRITE);
}

static void destroys(struct run *run)
{
	on_repository(run, EFFECT_FORGE_DESTROY);
}

/* gh repo view OWNER/REPO: the operand names the repository. */
static void reads_named(struct run *run)
{
	if (run->n_operands && run->operands[0].is_static && bytes_char(run->operands[0].text, '/'))
		run->detail = run->operands[0].text;
	reads(run);
}

static void writes_named(struct run *run)
{
	if (run->n_operands && run->operands[0].is_static && bytes_char(run->operands[0].text, '/'))
		run->detail = run->operands[0].text;
	writes(run);
}

static void destroys_named(struct run *run)
{
	if (run->n_operands && run->operands[0].is_static && bytes_char(run->operands[0].text, '/'))
		run->detail = run->operands[0].text;
	destroys(run);
}

/* gh repo create OWNER/NAME: without an owner it becomes the user's, whose name is not known here. */
static void creates(struct run *run)
{
	struct bytes name = run->n_operands ? run->operands[0].text : BYTES("");

	if (!run->n_operands || !run->operands[0].is_static || !bytes_char(name, '/')) {
		run_open(run, "whose repository gh makes is not known to the gate");
		return;
	}
	run->detail = name;
	writes(run);
}

static void checks_out(struct run *run)
{
	run_effect_fixed(run, EFFECT_GIT_FETCH, "");
	run_effect_fixed(run, EFFECT_GIT_LOCAL, ".");
}

static void clones(struct run *run)
{
	reads_named(run);
	run_effect_fixed(run, EFFECT_CREATE, ".");
}

static void downloads(struct run *run)
{
	reads(run);
	if (!(run->bits & WRITES))
		run_effect_fixed(run, EFFECT_CREATE, ".");
}

/* TAG [FILE[#LABEL] …]: the files go along. */
static void uploads(struct run *run)
{
	for (uint32_t i = 1; i < run->n_operands; i++) {
		struct arg file = run->operands[i];
		const char *label = file.text.len ? memchr(file.text.p, '#', file.text.len) : NULL;

		file.text.len = label ? (size_t)(label - file.text.p) : file.text.len;
		file.is_static = file.is_static || label;
		run_effect(run, EFFECT_COPY, &file);
	}
	writes(run);
}

/* Output and paging options that every listing has. */
#define LISTING "json= template= limit= state= label= author= assignee= search= app= base= " \
	"head= draft milestone= mention= web comments branch= workflow= user= " \
	"commit= event= status= created= exit-status log log-failed job= attempt= verbose " \
	"archived no-archived fork source language= topic= visibility= sort= order= name-only " \
	"patch color= watch required interval= fail-fast compact exclude-drafts " \
	"exclude-pre-releases all owner= closed query= match= extension= filename= size= merged " \
	"review= checks= merged-at= closed-at= updated= involves= team-review-requested= " \
	"review-requested= reviewed-by= conflict-status tag= yaml ref= key="
#define LIST_SHORTS "wct:L:s:l:A:a:S:d:B:H:m:b:u:e:j:vr:"
#define REPO_OPTION { "R", "repo", REQUIRED, CALL }
#define JQ_OPTION { "q", "jq", REQUIRED, CALL, .text = "jq" }
#define FILE_OPTION { "F", "body-file notes-file recover", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY }
#define EDITING "title= body= assignee= label= milestone= project= reviewer= base= head= draft " \
	"fill fill-first fill-verbose no-maintainer-edit web template= add-assignee= " \
	"remove-assignee= add-label= remove-label= add-project= remove-project= add-reviewer= " \
	"remove-reviewer= remove-milestone comment= reason= edit-last create-if-none approve " \
	"request-changes squash merge rebase auto disable-auto subject= match-head-commit= " \
	"author-email= delete-branch undo notes= target= prerelease latest?= generate-notes " \
	"verify-tag discussion-category= notes-start-tag= notes-from-tag fail-on-no-commits " \
	"clobber tag= name= color= description= force field= raw-field= ref= json debug failed " \
	"job= dry-run editor type= duplicate-of= yes"
#define EDIT_SHORTS "t:b:a:l:m:p:r:B:H:dfwT:c:suen:"
#define COBRA (NO_ABBREVIATION | PARTIAL | EQUALS)

#define LISTS(names) { .name = names, .syntax = COBRA, .shorts = LIST_SHORTS, .longs = LISTING, \
	.options = OPTIONS{ REPO_OPTION, JQ_OPTION, { 0 } }, .option = repository_option, .special = reads }
#define EDITS(names) { .name = names, .syntax = COBRA, .shorts = EDIT_SHORTS, .longs = EDITING, \
	.options = OPTIONS{ REPO_OPTION, FILE_OPTION, { 0 } }, .option = repository_option, .special \
	= writes }
#define DELETES_FOR_GOOD(names) { .name = names, .syntax = COBRA, .shorts = "y", .longs = "yes " \
	"cleanup-tag confirm all", .options = OPTIONS{ REPO_OPTION, { 0 } }, .option = \
	repository_option, .special = destroys }

static const struct command_model issue[] = {
	LISTS("list|ls|view|status"),
	EDITS("create|new|edit|comment|close|reopen|pin|unpin|lock|unlock|develop"),
	DELETES_FOR_GOOD("delete"),
	{ 0 },
};
static const struct command_model pr[] = {
	LISTS("list|ls|view|diff|checks|status"),
	EDITS("create|new|edit|comment|review|ready|reopen|update-branch|lock|unlock"),
	{ .name = "close",
		.syntax = COBRA,
		.shorts = "c:",
		.longs = "comment=",
		.option = repository_option,
		.special = writes,
		.options = OPTIONS{ REPO_OPTION, { "d", "delete-branch", NOTHING, IGNORE }, { 0 } } },
	{ .name = "merge",
		.syntax = COBRA,
		.shorts = EDIT_SHORTS,
		.longs = EDITING,
		.option = repository_option,
		.special = writes,
		.options = OPTIONS{ REPO_OPTION, FILE_OPTION,
			{ NULL, "admin", NOTHING, EFFECT_FIXED, EFFECT_GUARD_OVERRIDE, .text = "--admin" },
			{ 0 } } },
	{ .name = "checkout|co",
		.syntax = COBRA,
		.shorts = "b:f",
		.longs = "branch= detach force recurse-submodules",
		.option = repository_option,
		.options = OPTIONS{ REPO_OPTION, { 0 } },
		.special = checks_out },
	{ 0 },
};
static const struct command_model repo[] = {
	{ .name = "list|ls|view",
		.syntax = COBRA,
		.shorts = LIST_SHORTS,
		.longs = LISTING,
		.options = OPTIONS{ JQ_OPTION, { 0 } },
		.option = repository_option,
		.special = reads_named },
	{ .name = "clone",
		.syntax = COBRA,
		.shorts = "u:",
		.longs = "upstream-remote-name=",
		.special = clones },
	{ .name = "edit|sync",
		.syntax = COBRA,
		.shorts = "b:d:s:h:",
		.longs = "branch= source= description= homepage= add-topic= remove-topic= default-branch= "
			 "enable-issues?= enable-wiki?= enable-projects?= enable-auto-merge?= "
			 "enable-squash-merge?= delete-branch-on-merge?=",
		.special = writes_named },
	{ .name = "set-default",
		.syntax = COBRA,
		.shorts = "vu",
		.longs = "view unset",
		.rules = RULES{ { ALWAYS, EFFECT_GIT_LOCAL }, { END } } },
	{ .name = "delete", .syntax = COBRA, .longs = "yes confirm", .special = destroys_named },
	{ .name = "create|new",
		.syntax = COBRA,
		.shorts = "cd:g:h:l:t:",
		.longs = "clone description= gitignore= homepage= license= template= team= add-readme "
			 "include-all-branches disable-issues disable-wiki private internal",
		.options = OPTIONS{ { NULL, "public", NOTHING, REFUSE, .text = "--public shows it to everybody" },
			{ NULL, "push", NOTHING, IGNORE }, { "sr", "source remote", REQUIRED, IGNORE }, { 0 } },
		.special = creates },
	{ 0 },
};
static const struct command_model ci_run[] = {
	LISTS("list|ls|view|watch"),
	EDITS("rerun|cancel"),
	DELETES_FOR_GOOD("delete"),
	{ .name = "download",
		.syntax = COBRA,
		.shorts = "n:p:",
		.longs = "name= pattern=",
		.option = repository_option,
		.special = downloads,
		.options = OPTIONS{ REPO_OPTION,
			{ "D", "dir", REQUIRED, EFFECT_OF_VALUE, EFFECT_CREATE, WRITES }, { 0 } } },
	{ 0 },
};
static const struct command_model workflow[] = { LISTS("list|ls|view"), EDITS("run|enable"),
	{ .name = "disable", .refuse = "stops a workflow, which may be a check" }, { 0 } };
static const struct command_model release[] = {
	LISTS("list|ls|view"),
	EDITS("edit"),
	DELETES_FOR_GOOD("delete|delete-asset"),
	{ .name = "create|new|upload",
		.syntax = COBRA,
		.shorts = EDIT_SHORTS,
		.longs = EDITING,
		.option = repository_option,
		.options = OPTIONS{ REPO_OPTION, FILE_OPTION, { 0 } },
		.special = uploads },
	{ .name = "download",
		.syntax = COBRA,
		.shorts = "p:A:",
		.longs = "pattern= archive= clobber skip-existing",
		.option = repository_option,
		.special = downloads,
		.options = OPTIONS{ REPO_OPTION,
			{ "DO", "dir output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE, WRITES }, { 0 } } },
	{ 0 },
};
static const struct command_model label[] = { LISTS("list|ls"), EDITS("create|edit"),
	DELETES_FOR_GOOD("delete"), { 0 } };
static const struct command_model lists_only[] = { LISTS("list|ls|view|status|get|check"), { 0 } };
static const struct command_model search[] = { LISTS("issues|prs|repos|code|commits"), { 0 } };
static const struct command_model variable[] = {
	LISTS("list|ls|get"),
	EDITS("set"),
	DELETES_FOR_GOOD("delete"),
	{ 0 },
};
static const struct command_model cache[] = { LISTS("list|ls"), EDITS("delete"), { 0 } };

static void gist_writes(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++)
		run_effect(run, EFFECT_COPY, &run->operands[i]);
	run->out->stdin_role = STDIN_SENT;
	run_effect_fixed(run, EFFECT_UPLOAD, "https://gist.github.com");
}

static const struct command_model gist[] = {
	LISTS("list|ls|view"),
	DELETES_FOR_GOOD("delete"),
	{ .name = "create|new|edit",
		.syntax = COBRA,
		.shorts = "pd:f:wa:r:",
		.longs = "public desc= filename= web add= remove=",
		.special = gist_writes },
	{ 0 },
};
static const struct command_model auth[] = {
	{ .name = "status",
		.syntax = COBRA,
		.shorts = "h:a",
		.longs = "hostname= active json=",
		.rules = RULES{ { ALWAYS, EFFECT_STATUS }, { END } },
		.options = OPTIONS{ { "t", "show-token", NOTHING, EFFECT_FIXED, EFFECT_PRINT_CREDENTIAL,
					    .text = "gh token" },
			{ 0 } } },
	{ .name = "token",
		.syntax = NO_OPTIONS,
		.rules = RULES{ { ALWAYS, EFFECT_PRINT_CREDENTIAL, .text = "gh token" }, { END } } },
	{ .name = "setup-git|switch",
		.syntax = COBRA,
		.shorts = "h:u:",
		.longs = "hostname= user=",
		.rules = RULES{ { ALWAYS, EFFECT_GIT_CONFIG, .text = "credential.helper" }, { END } } },
	{ 0 },
};

static const struct command_model gh[] = {
	{ .name = "issue", .subcommands = issue, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "pr", .subcommands = pr, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "repo", .subcommands = repo, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "run", .subcommands = ci_run, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "workflow", .subcommands = workflow, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "release", .subcommands = release, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "label", .subcommands = label, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "variable", .subcommands = variable, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "cache", .subcommands = cache, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "secret|ruleset|project|org",
		.subcommands = lists_only,
		.syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "search", .subcommands = search, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "gist", .subcommands = gist, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "auth", .subcommands = auth, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "status|version|help",
		.syntax = COBRA,
		.shorts = "o:e:",
		.longs = "org= exclude=",
		.special = reads },
	{ 0 },
};

MODEL(gh) = {
	.name = "gh",
	.syntax = POSIX_ORDER | COBRA | SUBCOMMAND_ALONE_OK | INHERITED,
	.subcommands = gh,
	.more = gh_api,
	.options = OPTIONS{ REPO_OPTION, { 0 } },
	.option = repository_option,
};

#define LAB_READS(names) { .name = names, .syntax = COBRA, .shorts = "ap:P:FcoS:l:b:s:m:A:u", .longs \
	= "all page= per-page= output= search= label= state= comments web branch= status= " \
	"assignee= author= milestone= opened closed merged draft source-branch= target-branch= " \
	"live", .options = OPTIONS{ REPO_OPTION, { 0 } }, .option = repository_option, .special = \
	reads }
#define LAB_WRITES(names) { .name = names, .syntax = COBRA, .shorts = "t:d:l:a:b:s:m:yf", .longs = \
	"title= description= label= assignee= target-branch= source-branch= milestone= fill draft " \
	"yes message= squash remove-source-branch reviewer= web", .options = OPTIONS{ REPO_OPTION, { \
	0 } }, .option = repository_option, .special = writes }

static const struct command_model lab_items[] = {
	LAB_READS("list|ls|view|show|diff|status|trace|lint|get"),
	LAB_WRITES("create|new|update|note|close|reopen|approve|merge|rebase|run|retry|cancel|subscribe"),
	DELETES_FOR_GOOD("delete|rm"),
	{ .name = "checkout", .syntax = COBRA, .special = checks_out },
	{ 0 },
};
static const struct command_model glab[] = {
	{ .name = "mr|issue|ci|pipeline|release|label|job|milestone",
		.subcommands = lab_items,
		.syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "version|help", .syntax = COBRA, .rules = RULES{ { ALWAYS, EFFECT_PURE }, { END } } },
	{ 0 },
};

MODEL(glab) = { .name = "glab", .syntax = POSIX_ORDER | COBRA | SUBCOMMAND_ALONE_OK, .subcommands = glab };
