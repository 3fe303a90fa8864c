/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about repositories as data: messages there and back, where pushes go, which settings run what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "policy/git_facts.h"

static struct bytes text(const char *s)
{
	return (struct bytes){ s, strlen(s) };
}

#define T(s) { (s), sizeof(s) - 1 }

static const struct git_facts facts = {
	.root = T("/home/ada/app"),
	.git_directory = T("/home/ada/app/.git"),
	.branch = T("feature"),
	.complete = true,
	.branch_remote = T("origin"),
	.branch_merge = T("refs/heads/upstream-name"),
	.n_remotes = 7,
	.remotes = {
		{ .name = T("origin"), .n_urls = 1, .urls = { T("gh:octo/app") }, .default_branch = T("main") },
		{ .name = T("split"), .n_urls = 1, .urls = { T("https://a.example/x") }, .n_push_urls = 2,
			.push_urls = { T("gh:octo/x"), T("mine:x") } },
		{ .name = T("many"), .n_urls = 2, .urls = { T("https://a.example/1"), T("https://b.example/2") } },
		{ .name = T("half"), .n_urls = 2, .urls = { T("mine:1"), T("https://b.example/2") } },
		{ .name = T("mirror"), .n_urls = 1, .urls = { T("https://a.example/m") }, .flags = GIT_REMOTE_MIRROR },
		{ .name = T("helper"), .n_urls = 1, .urls = { T("https://a.example/h") }, .flags = GIT_REMOTE_HELPER },
		{ .name = T("bare") },
	},
	.n_rewrites = 4,
	.rewrites = {
		{ .base = T("https://github.com/"), .prefix = T("gh:") },
		{ .base = T("https://github.com/other/"), .prefix = T("gh:octo/long/") },
		{ .base = T("ssh://push.example/"), .prefix = T("mine:"), .push = true },
		{ .base = T("https://fetch.example/"), .prefix = T("mine:") },
	},
};

static const struct {
	const char *remote, *urls; /* joined by blanks */
	bool verified, forced;
} pushes[] = {
	{ "", "https://github.com/octo/app", true, false },
	{ "origin", "https://github.com/octo/app", true, false },
	{ "gh:octo/long/x", "https://github.com/other/x", true, false }, /* the longest prefix */
	{ "split", "https://github.com/octo/x https://fetch.example/x", true, false }, /* pushurl: insteadOf alone */
	{ "many", "https://a.example/1 https://b.example/2", true, false },
	{ "half", "ssh://push.example/1", true, false }, /* what pushInsteadOf made replaces all */
	{ "mine:y", "ssh://push.example/y", true, false },
	{ "https://c.example/z", "https://c.example/z", true, false },
	{ "mirror", "https://a.example/m", true, true },
	{ "helper", "https://a.example/h", false, false },
	{ "bare", "", false, false },
	{ "nobody", "", false, false },
	{ "../up", "../up", true, false },
};

static void test_pushes(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
		char room[1024], joined[1024] = "";
		struct git_push p;

		git_push_resolve(&facts, text(pushes[i].remote), room, sizeof(room), &p);
		for (uint32_t k = 0; k < p.n_urls; k++) {
			size_t n = strlen(joined);

			snprintf(joined + n, sizeof(joined) - n, "%s%.*s", k > 0 ? " " : "", (int)p.urls[k].len,
				p.urls[k].p);
		}
		assert_string_equal(joined, pushes[i].urls);
		assert_int_equal(p.verified, pushes[i].verified);
		assert_int_equal(p.forced, pushes[i].forced);
	}
}

static void test_push_without_room(void **state)
{
	char room[8];
	struct git_push p;

	(void)state;
	git_push_resolve(&facts, text("origin"), room, sizeof(room), &p);
	assert_false(p.verified);
}

static const struct {
	const char *branch_remote, *push_remote, *default_remote, *mode, *remote, *branch;
} branches[] = {
	{ "", "", "", "", "many", "feature" },
	{ "origin", "", "", "", "origin", "feature" },
	{ "origin", "", "", "current", "origin", "feature" },
	{ "origin", "", "", "upstream", "origin", "upstream-name" },
	{ "origin", "", "", "tracking", "origin", "upstream-name" },
	{ "origin", "", "", "upstream", "many", "" },
	{ "origin", "", "", "matching", "origin", "" },
	{ "origin", "", "", "nothing", "origin", "" },
	{ "origin", "", "", "", "mirror", "" },
};

static void test_branches(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(branches); i++) {
		struct git_facts f = facts;
		char room[1024];
		struct git_push p;

		f.branch_remote = text(branches[i].branch_remote);
		f.push_mode = text(branches[i].mode);
		git_push_resolve(&f, text(branches[i].remote), room, sizeof(room), &p);
		assert_int_equal(p.branch.len, strlen(branches[i].branch));
		assert_memory_equal(p.branch.p, branches[i].branch, p.branch.len);
		assert_true(bytes_is(p.head, "feature"));
	}
}

/* branch.NAME.pushRemote before remote.pushDefault before branch.NAME.remote before origin. */
static void test_default_remote(void **state)
{
	static const struct {
		const char *branch, *push_default, *own, *host;
	} rows[] = {
		{ "", "", "", "https://github.com/octo/app" },
		{ "many", "", "", "https://a.example/1" },
		{ "many", "half", "", "ssh://push.example/1" },
		{ "many", "half", "mirror", "https://a.example/m" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct git_facts f = facts;
		char room[1024];
		struct git_push p;

		f.branch_remote = text(rows[i].branch);
		f.push_remote = text(rows[i].push_default);
		f.branch_push_remote = text(rows[i].own);
		git_push_resolve(&f, text(""), room, sizeof(room), &p);
		assert_true(p.n_urls > 0 && bytes_is(p.urls[0], rows[i].host));
	}
}

static const struct {
	const char *name, *value; /* NULL: a name alone */
	uint32_t runs;
} settings[] = {
	{ "core.fsmonitor", "true", 0 },
	{ "core.fsmonitor", NULL, 0 },
	{ "core.fsmonitor", ".git/x.sh", GIT_RUNS_FSMONITOR },
	{ "core.sshcommand", "ssh -i k", GIT_RUNS_TRANSPORT },
	{ "core.pager", "less", GIT_RUNS_PAGER },
	{ "pager.log", "false", 0 },
	{ "pager.log", "sh -c x", GIT_RUNS_PAGER },
	{ "diff.external", "x", GIT_RUNS_DIFF },
	{ "diff.word.textconv", "x", GIT_RUNS_DIFF },
	{ "diff.a.b.command", "x", GIT_RUNS_DIFF },
	{ "diff.algorithm", "patience", 0 },
	{ "filter.lfs.clean", "git-lfs clean -- %f", 0 },
	{ "filter.lfs.clean", "git-lfs clean -- %f; x", GIT_RUNS_FILTER },
	{ "filter.x.process", "x", GIT_RUNS_FILTER },
	{ "filter.lfs.required", "true", 0 },
	{ "credential.helper", "store", 0 },
	{ "credential.helper", "!x", GIT_RUNS_CREDENTIAL },
	{ "credential.https://a.example.helper", "/bin/x", GIT_RUNS_CREDENTIAL },
	{ "gpg.program", "x", GIT_RUNS_SIGNING },
	{ "gpg.ssh.program", "x", GIT_RUNS_SIGNING },
	{ "remote.origin.url", "git@github.com:octo/app", 0 },
	{ "remote.origin.url", "https://[::1]/x", 0 },
	{ "remote.origin.url", "host:a::b", 0 },
	{ "remote.origin.url", "ext::sh -c x", GIT_RUNS_TRANSPORT },
	{ "remote.origin.pushurl", "weird://x", GIT_RUNS_TRANSPORT },
	{ "remote.origin.uploadpack", "x", GIT_RUNS_TRANSPORT },
	{ "url.ext::sh -c x %S.insteadof", "gh:", GIT_RUNS_TRANSPORT },
	{ "url.https://github.com/.insteadof", "gh:", 0 },
	{ "alias.st", "!x", GIT_RUNS_ALIAS },
	{ "submodule.x.update", "rebase", 0 },
	{ "submodule.x.update", "!x", GIT_RUNS_SUBMODULE },
	{ "merge.ours.driver", "true", GIT_RUNS_MERGE },
	{ "user.name", "Ada", 0 },
	{ "nothing", "x", 0 },
};

static void test_settings(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
		const char *value = settings[i].value;
		uint32_t runs = git_runs_by(text(settings[i].name), text(value != NULL ? value : ""), value != NULL);

		if (runs != settings[i].runs)
			fail_msg("%s = %s: %#x", settings[i].name, value != NULL ? value : "", runs);
	}
}

static void test_subcommands(void **state)
{
	const uint32_t all = GIT_RUNS__ALL & ~(uint32_t)GIT_RUNS_PARTIAL;

	(void)state;
	assert_true(git_runs_during(all, text("status")) & GIT_RUNS_FSMONITOR);
	assert_true(git_runs_during(all, text("diff")) & GIT_RUNS_DIFF);
	assert_false(git_runs_during(all, text("log")) & (GIT_RUNS_FSMONITOR | GIT_RUNS_TRANSPORT));
	assert_int_equal(git_runs_during(all, text("rev-parse")), 0);
	assert_int_equal(git_runs_during(all, text("unheard-of")), all);
	/* A partial clone fetches what log shows. */
	assert_true(git_runs_during(GIT_RUNS__ALL, text("log")) & GIT_RUNS_TRANSPORT);
	assert_int_equal(git_runs_during(0, text("unheard-of")), 0);
}

/* Whatever is cut off or added makes it no message. */
static void try_lengths(struct writer *w, int (*decode)(struct bytes body))
{
	assert_false(w->bad);
	assert_int_equal(decode((struct bytes){ w->p, w->len }), 0);
	for (size_t n = 0; n < w->len; n++)
		assert_int_equal(decode((struct bytes){ w->p, n }), -EPROTO);
	wr_u8(w, 0);
	assert_int_equal(decode((struct bytes){ w->p, w->len }), -EPROTO);
	wr_done(w);
}

static int decode_facts(struct bytes body)
{
	struct git_facts f;
	int rc = git_facts_decode(body, &f);

	if (rc == 0) {
		assert_int_equal(f.n_remotes, facts.n_remotes);
		assert_int_equal(f.remotes[1].n_push_urls, 2);
		assert_true(bytes_is(f.remotes[1].push_urls[1], "mine:x"));
		assert_true(bytes_is(f.rewrites[3].prefix, "mine:"));
		assert_true(bytes_is(f.branch_merge, "refs/heads/upstream-name"));
	}
	return rc;
}

static int decode_push(struct bytes body)
{
	struct git_push p;

	return git_push_decode(body, &p);
}

static int decode_answer(struct bytes body)
{
	struct git_answer a;

	return git_answer_decode(body, &a);
}

static int decode_grant(struct bytes body)
{
	struct git_grant g;

	return git_grant_decode(body, &g);
}

static int decode_question(struct bytes body)
{
	struct bytes names[GIT_PROTECTED_MAX];
	struct git_question q;

	return git_question_decode(body, names, &q);
}

static void test_lengths(void **state)
{
	struct bytes main_branch = text("main");
	const struct git_question q = { .ask = GIT_ASK_FILE, .root = text("/r"), .path = text("a"),
		.protected = { &main_branch, 1 } };
	const struct git_push p = { .verified = true, .n_urls = 1, .urls = { text("u") }, .branch = text("b") };
	struct writer w = { 0 };

	(void)state;
	git_facts_encode(&w, &facts);
	try_lengths(&w, decode_facts);
	git_push_encode(&w, &p);
	try_lengths(&w, decode_push);
	git_answer_encode(&w, &(struct git_answer){ .outcome = GIT_NEEDS, .kind = GIT_GRANT_OBJECTS, .text = text("/o") });
	try_lengths(&w, decode_answer);
	git_grant_encode(&w, &(struct git_grant){ GIT_GRANT_TREE, text("/r") });
	try_lengths(&w, decode_grant);
	git_question_encode(&w, &q);
	try_lengths(&w, decode_question);
}

static void test_refused_messages(void **state)
{
	static const struct git_answer answers[] = {
		{ .outcome = GIT_OUTCOME__MAX },
		{ .outcome = GIT_NEEDS, .text = T("/x") }, /* needs what? */
		{ .outcome = GIT_REFUSED, .kind = GIT_GRANT_TREE },
		{ .outcome = GIT_REFUSED, .state = 1 },
		{ .outcome = GIT_FILE, .state = GIT_FILE__ALL + 1 },
		{ .outcome = GIT_BELOW, .state = GIT_BELOW__ALL + 1 },
		{ .outcome = GIT_FACTS },
		{ .outcome = GIT_REFUSED, .facts = T("x") },
	};
	static const struct git_grant grants[] = { { GIT_GRANT__MAX, T("/x") }, { 0, T("/x") },
		{ GIT_GRANT_TREE, T("x") }, { GIT_GRANT_TREE, T("") }, { GIT_GRANT_TREE, T("/a\0b") } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		CLEANUP(wr_done) struct writer w = { 0 };

		git_answer_encode(&w, &answers[i]);
		assert_int_equal(decode_answer((struct bytes){ w.p, w.len }), -EPROTO);
	}
	for (size_t i = 0; i < ARRAY_LEN(grants); i++) {
		CLEANUP(wr_done) struct writer w = { 0 };

		git_grant_encode(&w, &grants[i]);
		assert_int_equal(decode_grant((struct bytes){ w.p, w.len }), -EPROTO);
	}
}

static void test_provenances(void **state)
{
	enum {
		TRACKED = GIT_FILE_TRACKED,
		IN_HEAD = TRACKED | GIT_FILE_COMMITTED,
		THERE = IN_HEAD | GIT_FILE_ON_REMOTE | GIT_FILE_LANDED,
	};
	static const struct {
		uint32_t state;
		const char *name;
	} cases[] = {
		{ GIT_FILE_MISSING, "missing" },
		{ GIT_FILE_MISSING | TRACKED, "missing" }, /* deleted here */
		{ 0, "untracked" },
		{ GIT_FILE_IGNORED, "untracked" },
		{ GIT_FILE_LANDED | GIT_FILE_TRUSTED | GIT_FILE_ON_REMOTE, "untracked" }, /* not in the index */
		{ TRACKED | GIT_FILE_IGNORED, "modified" }, /* of what is tracked .gitignore says nothing */
		{ TRACKED, "modified" },
		{ TRACKED | GIT_FILE_ON_REMOTE, "modified" },
		{ TRACKED | GIT_FILE_TRUSTED, "modified" },
		{ IN_HEAD, "unpushed" },
		{ IN_HEAD | GIT_FILE_ON_REMOTE | GIT_FILE_TRUSTED, "unpushed" },
		{ THERE, "foreign" },
		{ THERE & ~(uint32_t)GIT_FILE_COMMITTED, "foreign" }, /* HEAD holds another */
		{ THERE | GIT_FILE_TRUSTED, "landed" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(git_provenance_name(git_file_provenance(cases[i].state)), cases[i].name);
	assert_int_equal(git_file_provenance(GIT_FILE_IGNORED), GIT_PROVENANCE_IGNORED);
	assert_int_equal(git_file_provenance(0), GIT_PROVENANCE_UNTRACKED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_provenances),
		cmocka_unit_test(test_pushes),
		cmocka_unit_test(test_push_without_room),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_default_remote),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_subcommands),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_refused_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
