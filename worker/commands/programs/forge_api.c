/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gh api ENDPOINT: what a request to the forge's REST interface reads and changes. Few endpoints only add to what is
 * talked about in a repository; the others rewrite branches, let people in, show a repository to everybody or switch
 * off its checks (docs.github.com, "REST API endpoints").
 */
#include "worker/commands/programs/forge.h"

enum { METHOD = 1, FIELDS = 2, DELETES = 4, MUTATES = 8, HOSTED = 16, BODY = 32 };

/*
 * Behind repos/OWNER/NAME/, * for one component: what is written there is an issue, a comment, a review, a label, a
 * draft of words. Merging is left out: who may override a branch's rules does, by this interface.
 */
static const char *const talk[] = {
	"issues", "issues/*", "issues/*/comments", "issues/*/labels", "issues/*/assignees", "issues/*/reactions",
	"issues/comments/*", "issues/comments/*/reactions", "labels", "labels/*", "milestones", "milestones/*", "pulls",
	"pulls/*", "pulls/*/comments", "pulls/*/comments/*/replies", "pulls/comments/*", "pulls/comments/*/reactions",
	"pulls/*/reviews", "pulls/*/reviews/*", "pulls/*/reviews/*/events", "pulls/*/reviews/*/comments",
	"pulls/*/requested_reviewers", "pulls/*/update-branch", "releases", "releases/*", "releases/generate-notes",
	"commits/*/comments", "comments/*", "actions/runs/*/rerun", "actions/runs/*/rerun-failed-jobs",
	"actions/runs/*/cancel", "actions/jobs/*/rerun", "actions/workflows/*/dispatches",
};

static bool component_fits(struct bytes name)
{
	return name.len && !bytes_char(name, '%') && !bytes_is(name, ".") && !bytes_is(name, "..");
}

static bool fits(struct bytes path, const char *pattern)
{
	for (;;) {
		const char *slash = path.len ? memchr(path.p, '/', path.len) : NULL;
		struct bytes name = { path.p, slash ? (size_t)(slash - path.p) : path.len };
		size_t n = strcspn(pattern, "/");

		if (pattern[0] == '*' ? !component_fits(name) : name.len != n || memcmp(name.p, pattern, n) != 0)
			return false;
		if (!slash || !pattern[n])
			return !slash && !pattern[n];
		path = bytes_from(path, name.len + 1);
		pattern += n + 1;
	}
}

/* The name of the repository at the beginning of what stands behind repos/, and the rest. */
static struct bytes repository_in(struct bytes path, struct bytes *ret_rest)
{
	const char *slash = path.len ? memchr(path.p, '/', path.len) : NULL;
	const char *end = slash ? memchr(slash + 1, '/', path.len - (size_t)(slash + 1 - path.p)) : NULL;
	struct bytes name = { path.p, end ? (size_t)(end - path.p) : path.len };

	*ret_rest = end ? bytes_from(path, name.len + 1) : (struct bytes){ "", 0 };
	/* The program puts the names of the directory's repository in. */
	if (bytes_is(name, "{owner}/{repo}") || bytes_is(name, ":owner/:repo"))
		return (struct bytes){ "", 0 };
	return name;
}

/* Who may read, or push to branches that no rule protects, is for the repository's people to say; not who may rule it. */
static bool lets_in(const struct run *run, struct bytes rest)
{
	if (!fits(rest, "collaborators/*") || (run->bits & BODY))
		return false;
	for (uint32_t i = 0; i < run->argc; i++)
		if (!run->argv[i].is_static || bytes_find(run->argv[i].text, "admin") ||
			bytes_find(run->argv[i].text, "maintain"))
			return false;
	return true;
}

static void api_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	if (rule->text) {
		forge_jq(run, value);
		return;
	}
	if (rule->longs[0] == 'h' && !bytes_is(bytes_str(rule->longs), "hostname")) {
		/* X-HTTP-Method-Override makes another method of what -X says. */
		if (!value->is_static ? value->text.len == 0 : bytes_find_fold(value->text, "method-override"))
			run_open(run, "a header of gh api may say another method");
		return;
	}
	if (bytes_is(bytes_str(rule->longs), "hostname")) {
		if (arg_is(value, "github.com"))
			return;
		run->bits |= HOSTED;
		run->detail = value->text;
		if (!value->is_static)
			run_open(run, "the host that gh api asks is not known before it runs");
		return;
	}
	if (rule->longs[0] == 'm') {
		run->bits |= METHOD;
		if (!value->is_static)
			run_open(run, "the method of gh api is not known before it runs");
		else if (in_list(value->text, "DELETE delete"))
			run->bits |= DELETES;
		else if (!in_list(value->text, "GET get HEAD head"))
			run->bits |= MUTATES;
		return;
	}
	run->bits |= FIELDS;
	if (bytes_find(value->text, "mutation") || !value->is_static)
		run->bits |= MUTATES;
	if (bytes_find(value->text, "=@"))
		run_open(run, "gh api takes a field from a file");
}

static void change(struct run *run, struct bytes path, struct bytes rest)
{
	bool known = bytes_start(path, "gists") || bytes_is(path, "markdown") || bytes_is(path, "graphql");

	for (size_t i = 0; i < ARRAY_LEN(talk) && bytes_start(path, "repos/") && !known; i++)
		known = fits(rest, talk[i]) || lets_in(run, rest);
	/* A mutation names its objects by numbers, whosever they are. */
	if (bytes_is(path, "graphql"))
		run_open(run, "which repository a mutation changes is not known to the gate");
	else if (!known)
		run_open(run, "what gh api changes at this endpoint may be more than what is talked about");
	run_effect_text(run, EFFECT_FORGE_WRITE, run->detail.p ? run->detail : BYTES(""));
}

/* By -X, else GET, and POST where there are fields; of graphql the text decides, and a body from a file may be one. */
static bool changes_something(const struct run *run, struct bytes path)
{
	if (bytes_is(path, "graphql"))
		return run->bits & (MUTATES | BODY);
	return (run->bits & MUTATES) || ((run->bits & FIELDS) && !(run->bits & METHOD));
}

static void api(struct run *run)
{
	const struct arg *endpoint = run->n_operands ? &run->operands[0] : NULL;
	struct bytes path, rest = { "", 0 };

	if (!endpoint)
		return;
	path = endpoint->text;
	if (bytes_start(path, "/"))
		path = bytes_from(path, 1);
	if (run->bits & HOSTED)
		run->detail = run_join(run, run_join(run, BYTES("https://"), run->detail), BYTES("/"));
	else if (bytes_start(path, "gists"))
		run->detail = BYTES("https://gist.github.com/");
	else if (!bytes_is(path, "graphql") && !bytes_start(path, "repos/"))
		run->detail = BYTES("https://github.com/");
	if (bytes_start(path, "repos/")) {
		struct bytes name = repository_in(bytes_from(path, strlen("repos/")), &rest);

		run->detail = run->bits & HOSTED ? run->detail : name;
	}
	if (!endpoint->is_static && endpoint->text.len == 0)
		run_open(run, "what gh api asks is not known before it runs");
	if (bytes_find(path, "://"))
		run_open(run, "gh api goes to another host");
	if (run->bits & DELETES)
		run_effect_text(run, EFFECT_FORGE_DESTROY, run->detail.p ? run->detail : BYTES(""));
	else if (changes_something(run, path))
		change(run, path, endpoint->is_static ? rest : (struct bytes){ "", 0 });
	/* A token goes along. */
	else if (run->bits & HOSTED)
		run_effect_text(run, EFFECT_FETCH_COMPUTED, run->detail);
	else
		run_effect_text(run, EFFECT_FORGE_READ, run->detail.p ? run->detail : BYTES(""));
}

const struct command_model gh_api[] = {
	{ .name = "api",
		.syntax = NO_ABBREVIATION | PARTIAL | EQUALS,
		.shorts = "it:p:",
		.option = api_option,
		.special = api,
		.longs = "include template= preview= paginate slurp silent cache= verbose",
		.options = OPTIONS{ { "X", "method", REQUIRED, CALL }, { NULL, "hostname", REQUIRED, CALL },
			{ "H", "header", REQUIRED, CALL },
			{ "q", "jq", REQUIRED, CALL, .text = "jq" }, { "fF", "field raw-field", REQUIRED, CALL },
			{ NULL, "input", REQUIRED, EFFECT_OF_VALUE, EFFECT_COPY, MUTATES | BODY }, { 0 } } },
	{ 0 },
};
