/* SPDX-License-Identifier: Apache-2.0 */
/* Path evidence on a real file system: links of every kind, things missing, things in the way, questions refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "broker/evidence/evidence.h"
#include "broker/evidence/resolve.h"
#include "policy/request.h"
#include "tests/unit/scratch.h"

static char top[SCRATCH_SIZE], home[300], app[300];
static struct broker broker;
static char *environment[3];

static const char *in(const char *dir, const char *name)
{
	static char buffer[32][600];
	static unsigned int next;
	char *p = buffer[next++ % ARRAY_LEN(buffer)];

	snprintf(p, sizeof(buffer[0]), "%s/%s", dir, name);
	return p;
}

static void make_dir(const char *dir, const char *name)
{
	assert_int_equal(mkdir(in(dir, name), 0700), 0);
}

static void make_file(const char *dir, const char *name)
{
	int fd = open(in(dir, name), O_CREAT | O_WRONLY | O_EXCL, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "x\n", 2), 2);
	close(fd);
}

static void make_link(const char *to, const char *dir, const char *name)
{
	assert_int_equal(symlink(to, in(dir, name)), 0);
}

static void make_policy(void)
{
	static char root[300], gate[300];
	struct bytes roots[1], gates[1];
	struct worker_policy p = { .home = { home, strlen(home) } };

	snprintf(root, sizeof(root), "%s/scratch/", top);
	snprintf(gate, sizeof(gate), "%s/opt-gate", top);
	roots[0] = (struct bytes){ root, strlen(root) };
	gates[0] = (struct bytes){ gate, strlen(gate) };
	p.scratch_roots = (struct string_list){ roots, 1 };
	p.gate_paths = (struct string_list){ gates, 1 };
	worker_policy_encode(&broker.policy, &p);
	assert_false(broker.policy.bad);
}

static int set_up(void **state)
{
	static char path[700];

	(void)state;
	scratch_make("/var/tmp/evidence", top);
	snprintf(home, sizeof(home), "%s/home", top);
	snprintf(app, sizeof(app), "%s/home/app", top);
	make_dir(top, "home");
	make_dir(top, "scratch");
	make_dir(top, "opt-gate");
	make_dir(top, "bin");
	make_dir(home, ".ssh");
	make_dir(home, ".config");
	make_dir(home, ".config/auto-classifier");
	make_dir(home, ".claude");
	make_dir(home, "app");
	make_dir(home, "plain");
	make_dir(app, ".git");
	make_dir(app, "src");
	make_dir(app, "build");
	make_file(home, ".ssh/id_rsa");
	make_file(home, ".config/auto-classifier/config.jsonc");
	make_file(home, ".claude/settings.json");
	make_file(home, "notes.txt");
	make_file(top, "opt-gate/worker");
	make_file(top, "bin/tool");
	chmod(in(top, "bin/tool"), 0755);
	make_file(app, "README.md");
	make_file(app, "src/a.c");
	make_link("../.ssh/id_rsa", app, "key-link");
	make_link("key-link", app, "key-link-2");
	make_link("../.ssh", app, "dir-link");
	make_link("nowhere", app, "dangling");
	make_link("loop-b", app, "loop-a");
	make_link("loop-a", app, "loop-b");
	make_link("/etc", app, "etc-link");
	make_link(in(home, "notes.txt"), top, "scratch/out");
	make_link("../../app", home, "plain/up");
	make_link("..", app, "src/parent");
	assert_int_equal(link(in(home, ".claude/settings.json"), in(app, "hard-gate")), 0);
	assert_int_equal(link(in(home, ".ssh/id_rsa"), in(app, "hard-key")), 0);
	assert_int_equal(link(in(app, "README.md"), in(app, "hard-plain")), 0);
	assert_int_equal(mkfifo(in(app, "fifo"), 0600), 0);
	broker.home = home;
	snprintf(path, sizeof(path), "PATH=%s/bin:/usr/bin:/bin", top);
	environment[0] = path;
	broker.start.environment = environment;
	make_policy();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	evidence_free(broker.evidence);
	wr_done(&broker.policy);
	return scratch_remove(top);
}

static struct answer ask(enum question_kind kind, const char *base, const char *path)
{
	const struct question q = { .kind = kind, .base = { base, strlen(base) }, .text = { path, strlen(path) },
		.extra = { app, strlen(app) } };
	struct answer a = { 0 };

	assert_int_equal(evidence_answer(&broker, &q, &a), 0);
	return a;
}

/* Facts of a path of the repository: which must be there, which must not. `real` is below `top`. */
static void check(enum question_kind kind, const char *path, enum path_type type, const char *real,
	uint32_t with, uint32_t without)
{
	struct answer a = ask(kind, app, path);

	if (a.status != ANSWER_KNOWN || a.type != type)
		fail_msg("%s: status %d, type %d", path, a.status, a.type);
	if (real != NULL && !bytes_is(a.real, real[0] == '/' ? real : in(top, real)))
		fail_msg("%s: lies at %.*s", path, (int)a.real.len, a.real.p);
	if ((a.facts & with) != with || (a.facts & without) != 0)
		fail_msg("%s: facts %x, wanted %x and not %x", path, a.facts, with, without);
	evidence_answer_done(&a);
}

enum { WORKTREE = FACT_IN_WORKSPACE | FACT_IN_WORKTREE, GUARDED = FACT_SECRET | FACT_GATE | FACT_STARTUP };

static void test_plain(void **state)
{
	(void)state;
	check(ASK_PATH, "README.md", PATH_FILE, "home/app/README.md", WORKTREE | FACT_IN_HOME, GUARDED | FACT_SYMLINK);
	check(ASK_PATH, "src", PATH_DIRECTORY, "home/app/src", WORKTREE, FACT_WORKSPACE_ROOT);
	check(ASK_PATH, "src/", PATH_DIRECTORY, "home/app/src", WORKTREE, 0);
	check(ASK_PATH, ".", PATH_DIRECTORY, "home/app", WORKTREE | FACT_WORKSPACE_ROOT, 0);
	check(ASK_PATH, "..", PATH_DIRECTORY, "home", FACT_WORKSPACE_ROOT | FACT_IN_HOME, WORKTREE);
	check(ASK_PATH, "/", PATH_DIRECTORY, "/", FACT_WORKSPACE_ROOT | FACT_IN_SYSTEM, WORKTREE);
	check(ASK_PATH, "build/x.o", PATH_MISSING, "home/app/build/x.o", WORKTREE | FACT_IN_BUILD, 0);
	check(ASK_PATH, "missing/dir/../x", PATH_MISSING, "home/app/missing/x", WORKTREE, 0);
	check(ASK_PATH, "README.md/x", PATH_MISSING, "home/app/README.md/x", WORKTREE, 0);
	check(ASK_PATH, "fifo", PATH_SPECIAL, NULL, WORKTREE, 0);
	check(ASK_PATH, "../notes.txt", PATH_FILE, "home/notes.txt", FACT_IN_HOME, WORKTREE);
	check(ASK_PATH, "/etc/hosts.new", PATH_MISSING, "/etc/hosts.new", FACT_IN_SYSTEM | FACT_STARTUP, WORKTREE);
}

static void test_links(void **state)
{
	(void)state;
	check(ASK_PATH, "key-link", PATH_FILE, "home/.ssh/id_rsa",
		FACT_SECRET | FACT_SYMLINK | FACT_VIA_SYMLINK, WORKTREE);
	check(ASK_PATH, "key-link-2", PATH_FILE, "home/.ssh/id_rsa", FACT_SECRET | FACT_SYMLINK, WORKTREE);
	check(ASK_PATH, "dir-link/id_rsa", PATH_FILE, "home/.ssh/id_rsa", FACT_SECRET | FACT_VIA_SYMLINK,
		FACT_SYMLINK | WORKTREE);
	check(ASK_PATH, "dir-link/new", PATH_MISSING, "home/.ssh/new", FACT_SECRET, WORKTREE);
	check(ASK_PATH, "dangling", PATH_MISSING, "home/app/nowhere", WORKTREE | FACT_SYMLINK, 0);
	check(ASK_PATH, "loop-a", PATH_LINK_BROKEN, NULL, FACT_VIA_SYMLINK, 0);
	check(ASK_PATH, "etc-link/hosts.new", PATH_MISSING, "/etc/hosts.new", FACT_IN_SYSTEM | FACT_STARTUP, WORKTREE);
	/* `..` behind a link leads to the parent of where the link points, not of where it stands. */
	check(ASK_PATH, "dir-link/../notes.txt", PATH_FILE, "home/notes.txt", FACT_IN_HOME, WORKTREE);
	check(ASK_PATH, "src/parent/README.md", PATH_FILE, "home/app/README.md", WORKTREE, 0);
	check(ASK_PATH, in(top, "scratch/x"), PATH_MISSING, "scratch/x", FACT_IN_SCRATCH, WORKTREE);
	check(ASK_PATH, in(top, "scratch/out"), PATH_FILE, "home/notes.txt", FACT_IN_HOME, FACT_IN_SCRATCH);
	check(ASK_PATH, in(top, "scratch"), PATH_DIRECTORY, "scratch", 0, FACT_IN_SCRATCH);
}

static void test_entries(void **state)
{
	(void)state;
	check(ASK_ENTRY, "key-link", PATH_LINK_BROKEN, "home/app/key-link", WORKTREE | FACT_SYMLINK, FACT_SECRET);
	check(ASK_ENTRY, "etc-link", PATH_LINK_BROKEN, "home/app/etc-link", WORKTREE, FACT_IN_SYSTEM);
	check(ASK_ENTRY, "etc-link/", PATH_DIRECTORY, "/etc", FACT_IN_SYSTEM, WORKTREE);
	check(ASK_ENTRY, "dir-link/id_rsa", PATH_FILE, "home/.ssh/id_rsa", FACT_SECRET, WORKTREE);
	check(ASK_ENTRY, in(top, "scratch/out"), PATH_LINK_BROKEN, "scratch/out", FACT_IN_SCRATCH, 0);
}

static void test_guarded(void **state)
{
	(void)state;
	check(ASK_PATH, "../.claude/settings.json", PATH_FILE, NULL, FACT_GATE, FACT_SECRET);
	check(ASK_PATH, "../.config/auto-classifier", PATH_DIRECTORY, NULL, FACT_GATE, 0);
	check(ASK_PATH, "../.config", PATH_DIRECTORY, NULL, FACT_HOLDS_GATE, FACT_GATE);
	check(ASK_PATH, "..", PATH_DIRECTORY, NULL, FACT_HOLDS_GATE, FACT_GATE);
	check(ASK_PATH, "src", PATH_DIRECTORY, NULL, 0, FACT_HOLDS_GATE);
	check(ASK_PATH, in(top, "opt-gate/worker"), PATH_FILE, NULL, FACT_GATE, 0);
	check(ASK_PATH, "hard-gate", PATH_FILE, NULL, FACT_GATE | FACT_HARD_LINKED, 0);
	check(ASK_PATH, "hard-key", PATH_FILE, NULL, FACT_SECRET | FACT_HARD_LINKED, 0);
	check(ASK_PATH, "hard-plain", PATH_FILE, NULL, FACT_HARD_LINKED, GUARDED);
	check(ASK_PATH, "../.bashrc", PATH_MISSING, NULL, FACT_STARTUP, 0);
	check(ASK_PATH, ".git/hooks/pre-commit", PATH_MISSING, NULL, FACT_STARTUP | WORKTREE, 0);
}

/* Of the kernel's own file systems nothing is looked at: their links lead everywhere. */
static void test_remote(void **state)
{
	static const char *const paths[] = { "/proc/self/root/etc/shadow", "/proc/self/environ",
		"/proc/1/cwd", "/sys/kernel", "/proc/self/fd/3" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct answer a = ask(ASK_PATH, "/", paths[i]);

		assert_int_equal(a.status, ANSWER_KNOWN);
		assert_int_equal(a.facts, FACT_REMOTE_FS);
		evidence_answer_done(&a);
	}
}

static void test_workspace(void **state)
{
	const struct {
		const char *session, *path;
		uint32_t with, without;
	} rows[] = {
		{ in(app, "src"), in(app, "README.md"), WORKTREE, 0 },
		{ in(home, "plain"), in(home, "plain/x"), FACT_IN_WORKSPACE, FACT_IN_WORKTREE },
		{ home, in(home, "x"), FACT_IN_HOME, FACT_IN_WORKSPACE },
		{ "/", "/srv/x", 0, FACT_IN_WORKSPACE },
		{ "/etc", "/etc/x", FACT_IN_SYSTEM, FACT_IN_WORKSPACE },
		{ top, in(home, "x"), FACT_IN_HOME, FACT_IN_WORKSPACE },
		{ in(home, "not-there"), in(home, "not-there/x"), FACT_IN_WORKSPACE, FACT_IN_WORKTREE },
		{ in(home, "notes.txt"), in(home, "notes.txt"), 0, FACT_IN_WORKSPACE },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct question q = { .kind = ASK_PATH, .text = { rows[i].path, strlen(rows[i].path) },
			.extra = { rows[i].session, strlen(rows[i].session) } };
		struct answer a = { 0 };

		assert_int_equal(evidence_answer(&broker, &q, &a), 0);
		if ((a.facts & rows[i].with) != rows[i].with || (a.facts & rows[i].without) != 0)
			fail_msg("session %s, %s: facts %x", rows[i].session, rows[i].path, a.facts);
		evidence_answer_done(&a);
	}
}

static void test_dishonest(void **state)
{
	static const struct question rows[] = {
		{ .kind = ASK_PATH },
		{ .kind = ASK_PATH, .text = { "a", 1 } },
		{ .kind = ASK_PATH, .base = { "rel", 3 }, .text = { "a", 1 } },
		{ .kind = ASK_ENTRY, .base = { "/a", 2 }, .text = { "a", 1 }, .extra = { "rel", 3 } },
		{ .kind = ASK_PROGRAM, .text = { "/bin/ls", 7 } },
		{ .kind = ASK_PROGRAM, .base = { "/", 1 }, .text = { "ls", 2 } },
		{ .kind = ASK_FILE, .base = { "x", 1 }, .text = { "y", 1 } },
		{ .kind = ASK_FILE, .text = { "y", 1 } },
		{ .kind = ASK_REPOSITORY, .text = { "/a", 2 } },
		{ .kind = ASK_REPOSITORY, .base = { "/a", 2 } },
		{ .kind = ASK_PUSH, .text = { "origin", 6 } },
		{ .kind = ASK_PUSH, .base = { "a", 1 }, .text = { "origin", 6 } },
		{ .kind = ASK_STATE, .text = { "a", 1 } },
		{ .kind = ASK_WORK, .base = { "/a", 2 } },
		{ .kind = 0, .text = { "/a", 2 } },
		{ .kind = ASK__MAX, .text = { "/a", 2 } },
	};
	struct answer a = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(evidence_answer(&broker, &rows[i], &a), EVIDENCE_DISHONEST);
}

static void put(const char *dir, const char *name, const char *text, size_t len)
{
	int fd = open(in(dir, name), O_CREAT | O_WRONLY | O_TRUNC, 0755);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), (ssize_t)len);
	close(fd);
}

/* What is shown of a script: its content, or nothing. */
static void check_script(const char *path, const char *content, bool in_part)
{
	struct answer a = ask(ASK_SCRIPT, app, path);

	if (content == NULL ? a.content.len != 0 : !bytes_is(a.content, content))
		fail_msg("%s: shown: %.*s", path, (int)a.content.len, a.content.p);
	if (a.status == ANSWER_KNOWN && ((a.facts & FACT_IN_PART) != 0) != in_part)
		fail_msg("%s: facts %x", path, a.facts);
	evidence_answer_done(&a);
}

static void test_scripts(void **state)
{
	static char large[SCRIPT_BYTES_MAX + 1], payload[sizeof(app) + 16];
	static const char *const made[] = { "run.sh", "token.sh", "large.sh", "whole.sh" };
	static const char *const secret_kinds[] = { "key-link", "key-link-2", "hard-key", "hard-gate",
		"dir-link/id_rsa", "../.ssh/id_rsa", "../.claude/settings.json",
		"../.config/auto-classifier/config.jsonc" };

	(void)state;
	memset(large, '#', sizeof(large));
	put(app, "run.sh", "ls\n", 3);
	put(app, "token.sh", "export API_TOKEN=abcdef0123456789abcdef\nls\n", 43);
	put(app, "large.sh", large, sizeof(large));
	put(app, "whole.sh", large, SCRIPT_BYTES_MAX);
	put(home, "other.sh", "id\n", 3);
	put(top, "scratch/s.sh", "id\n", 3);
	/* The payload speaks of the session's directory: what lies below it is shown. */
	snprintf(payload, sizeof(payload), "{\"cwd\":\"%s\"}", app);
	broker.input = (struct bytes){ payload, strlen(payload) };
	check_script("run.sh", "ls\n", false);
	check_script("src/../run.sh", "ls\n", false);
	check_script("token.sh", "export API_TOKEN=xxxxxxxxxxxxxxxxxxxxxx\nls\n", true);
	check_script("large.sh", NULL, true);
	check_script(in(top, "scratch/s.sh"), "id\n", false);
	check_script("../other.sh", NULL, true);
	for (size_t i = 0; i < ARRAY_LEN(secret_kinds); i++)
		check_script(secret_kinds[i], NULL, true);
	check_script("fifo", NULL, true);
	check_script("src", NULL, true);
	check_script("missing.sh", NULL, true);
	check_script("/proc/self/environ", NULL, true);
	check_script("/dev/zero", NULL, true);
	{
		struct answer a = ask(ASK_SCRIPT, app, "whole.sh");

		assert_int_equal(a.content.len, SCRIPT_BYTES_MAX);
		evidence_answer_done(&a);
	}
	/* A payload that names the file; and one that speaks of neither. */
	broker.input = BYTES("bash ~/other.sh");
	check_script("../other.sh", "id\n", false);
	check_script("run.sh", NULL, true);
	broker.input = (struct bytes){ NULL, 0 };
	for (size_t i = 0; i < ARRAY_LEN(made); i++)
		assert_int_equal(unlink(in(app, made[i])), 0);
	assert_int_equal(unlink(in(home, "other.sh")), 0);
	assert_int_equal(unlink(in(top, "scratch/s.sh")), 0);
}

/* Files for a judge are shown as scripts are, and of long ones the beginning. */
static void test_files(void **state)
{
	static const enum question_kind kinds[] = { ASK_FILE, ASK_RUN };
	static char large[SCRIPT_BYTES_MAX + 100], payload[sizeof(app) + 16];

	(void)state;
	memset(large, '#', sizeof(large));
	put(app, "plan.txt", "one\n", 4);
	put(app, "large.txt", large, sizeof(large));
	snprintf(payload, sizeof(payload), "{\"cwd\":\"%s\"}", app);
	broker.input = (struct bytes){ payload, strlen(payload) };
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct answer a = ask(kinds[i], app, "plan.txt");

		assert_true(bytes_is(a.content, "one\n"));
		assert_int_equal(a.size, 4);
		evidence_answer_done(&a);
		a = ask(kinds[i], app, "large.txt");
		assert_int_equal(a.content.len, SCRIPT_BYTES_MAX);
		assert_int_equal(a.size, SCRIPT_BYTES_MAX + 100);
		assert_true((a.facts & FACT_IN_PART) != 0);
		evidence_answer_done(&a);
		a = ask(kinds[i], app, "../.ssh/id_rsa");
		assert_int_equal(a.content.len, 0);
		assert_true((a.facts & FACT_IN_PART) != 0);
		evidence_answer_done(&a);
	}
	broker.input = (struct bytes){ NULL, 0 };
	assert_int_equal(unlink(in(app, "plan.txt")), 0);
	assert_int_equal(unlink(in(app, "large.txt")), 0);
}

/* Where a file is cut, at whichever byte of a secret: nothing of it is left before the cut. */
static void test_secret_at_the_cut(void **state)
{
	/* Written in pieces, so that no scanner of this file takes them for real ones. */
	static const char *const secrets[] = { "ghp_" "abcdefghijklmnopqrstuvwxyz0123456789",
		"API_KEY=" "abcdefgh12345678", "https://joe:" "s3cretpassw0rd" "@host/x", "-----BEGIN PRIVATE KEY" "-----\nMIIEvQIBADANBgkqhkiG9w0B" };
	static const char *const insides[] = { "abcdef", "abcdef", "s3cret", "MIIEvQ" };
	static char text[SCRIPT_BYTES_MAX + 200], payload[sizeof(app) + 16];

	(void)state;
	snprintf(payload, sizeof(payload), "{\"cwd\":\"%s\"}", app);
	broker.input = (struct bytes){ payload, strlen(payload) };
	for (size_t k = 0; k < ARRAY_LEN(secrets); k++) {
		for (size_t before = 0; before <= strlen(secrets[k]); before++) {
			struct answer a;

			memset(text, '\n', sizeof(text));
			memcpy(text + SCRIPT_BYTES_MAX - before, secrets[k], strlen(secrets[k]));
			put(app, "cut.txt", text, sizeof(text));
			a = ask(ASK_FILE, app, "cut.txt");
			assert_int_equal(a.content.len, SCRIPT_BYTES_MAX);
			if (memmem(a.content.p, a.content.len, insides[k], strlen(insides[k])) != NULL)
				fail_msg("%s is cut after %zu bytes, and shown", secrets[k], before);
			evidence_answer_done(&a);
		}
	}
	broker.input = (struct bytes){ NULL, 0 };
	assert_int_equal(unlink(in(app, "cut.txt")), 0);
}

static void test_glob(void **state)
{
	const struct {
		const char *pattern;
		uint64_t matches;
		uint32_t with, without;
	} rows[] = {
		{ "*.md", 1, WORKTREE | FACT_HARD_LINKED, GUARDED | FACT_SYMLINK },
		{ "src/*.c", 1, WORKTREE, GUARDED | FACT_SYMLINK },
		{ "*/a.c", 1, WORKTREE, GUARDED | FACT_SYMLINK },
		{ "key-*", 2, FACT_SYMLINK, 0 },
		{ "hard-k*", 1, FACT_SECRET, FACT_GATE },
		{ "hard-g*", 1, FACT_GATE, FACT_SECRET },
		{ "../.ss*/*", 1, FACT_SECRET, 0 },
		{ "../.claude/s*", 1, FACT_GATE, 0 },
		{ "no*such", 0, 0, ~(uint32_t)0 },
		{ "no/such/*", 0, 0, ~(uint32_t)0 },
		{ "*", 14, FACT_SYMLINK | FACT_SECRET | FACT_GATE, 0 },
		{ ".g*", 1, 0, FACT_SYMLINK },
		/* at any depth, hidden ones too, but behind no link */
		{ "**/a.c", 1, WORKTREE, GUARDED | FACT_SYMLINK },
		{ "**/*.c", 1, WORKTREE, GUARDED | FACT_SYMLINK },
		{ "**/par*", 1, FACT_SYMLINK, 0 },
		{ "src/**/*", 2, FACT_SYMLINK, 0 },
		{ "**/id_rsa", 0, 0, ~(uint32_t)0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct answer a = ask(ASK_GLOB, app, rows[i].pattern);

		assert_int_equal(a.status, ANSWER_KNOWN);
		if (a.size != rows[i].matches || (a.facts & rows[i].with) != rows[i].with ||
			(a.facts & rows[i].without) != 0)
			fail_msg("%s: %u matches, facts %x", rows[i].pattern, (unsigned int)a.size, a.facts);
	}
	assert_int_equal(ask(ASK_GLOB, "/", "/proc/*/environ").status, ANSWER_UNKNOWN);
	assert_int_equal(ask(ASK_GLOB, "/", "/*/*/*/*/*/*/*/*/*/*/*").status, ANSWER_UNKNOWN);
}

/* Which files of a tree a pattern is held against, and links in it that lead no further than the workspace. */
static void test_trees(void **state)
{
	static const struct {
		enum question_kind kind;
		const char *pattern;
		uint64_t matches;
		uint32_t with, without;
	} rows[] = {
		{ ASK_GLOB, "tree/**/*.txt", 4, WORKTREE, FACT_SYMLINK },
		{ ASK_GLOB_TRACKED, "tree/**/*.txt", 3, WORKTREE, FACT_SYMLINK },
		{ ASK_GLOB_VISIBLE, "tree/**/*.txt", 1, WORKTREE, FACT_SYMLINK },
		{ ASK_GLOB_VISIBLE, "tree/**/*", 3, WORKTREE | FACT_SYMLINK, 0 },
		{ ASK_GLOB, "tree/**/in", 1, WORKTREE, FACT_SYMLINK },
		{ ASK_GLOB, "tree/**/out", 1, FACT_SYMLINK, 0 },
		{ ASK_GLOB, "tree/**/*[[:space:]]*", 0, 0, ~(uint32_t)0 },
	};

	(void)state;
	make_dir(app, "tree");
	make_dir(app, "tree/.git");
	make_dir(app, "tree/.hidden");
	make_file(app, "tree/a.txt");
	make_file(app, "tree/.b.txt");
	make_file(app, "tree/.git/c.txt");
	make_file(app, "tree/.hidden/d.txt");
	make_link("a.txt", app, "tree/in");
	make_link("/etc/passwd", app, "tree/out");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct answer a = ask(rows[i].kind, app, rows[i].pattern);

		assert_int_equal(a.status, ANSWER_KNOWN);
		if (a.size != rows[i].matches || (a.facts & rows[i].with) != rows[i].with ||
			(a.facts & rows[i].without) != 0)
			fail_msg("%s: %u matches, facts %x", rows[i].pattern, (unsigned int)a.size, a.facts);
	}
}

static void test_program(void **state)
{
	const struct question tool = { .kind = ASK_PROGRAM, .text = { "tool", 4 } };
	const struct question none = { .kind = ASK_PROGRAM, .text = { "no-such-program-here", 20 } };
	struct answer a = { 0 };

	(void)state;
	assert_int_equal(evidence_answer(&broker, &tool, &a), 0);
	assert_int_equal(a.status, ANSWER_KNOWN);
	assert_true(bytes_is(a.real, in(top, "bin/tool")));
	evidence_answer_done(&a);
	assert_int_equal(evidence_answer(&broker, &none, &a), 0);
	assert_int_equal(a.status, ANSWER_KNOWN);
	assert_int_equal(a.type, PATH_MISSING);
	evidence_answer_done(&a);
}

/* Long paths, many components, a link farm: an answer, never a crash, never more hops than the kernel makes. */
static void test_extremes(void **state)
{
	char path[RESOLVE_PATH_MAX], name[300];
	struct resolved r;
	struct answer a;

	(void)state;
	memset(path, '/', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	a = ask(ASK_PATH, "/", path);
	assert_int_equal(a.type, PATH_DIRECTORY);
	evidence_answer_done(&a);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	a = ask(ASK_PATH, app, name);
	assert_true(a.status == ANSWER_UNKNOWN || a.type == PATH_MISSING);
	evidence_answer_done(&a);
	for (size_t i = 0; i + 3 < sizeof(path); i += 3)
		memcpy(path + i, "../", 4);
	resolve_path(NULL, in("/", "usr"), false, &r);
	assert_int_equal(r.type, PATH_DIRECTORY);
	for (int i = 0; i < 45; i++) {
		char from[32], to[32];

		snprintf(from, sizeof(from), "chain-%d", i);
		snprintf(to, sizeof(to), "chain-%d", i + 1);
		make_link(to, app, from);
	}
	make_file(app, "chain-45");
	resolve_path(NULL, in(app, "chain-0"), false, &r);
	assert_int_equal(r.type, PATH_LINK_BROKEN);
	resolve_path(NULL, in(app, "chain-6"), false, &r);
	assert_int_equal(r.type, PATH_FILE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_guarded),
		cmocka_unit_test(test_remote),
		cmocka_unit_test(test_workspace),
		cmocka_unit_test(test_dishonest),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_secret_at_the_cut),
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_glob), cmocka_unit_test(test_program),
		cmocka_unit_test(test_trees), cmocka_unit_test(test_extremes),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
