/* SPDX-License-Identifier: Apache-2.0 */
/* What a path's spelling says: the tables of policy/paths, walked with cases of each kind and near misses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/paths/paths.h"

static const struct bytes home = { "/home/ada", 9 };

static struct bytes text(const char *s)
{
	return (struct bytes){ s, strlen(s) };
}

static const char *const secrets[] = {
	"/etc/shadow", "/etc/shadow-", "/ETC/Shadow", "/etc//shadow", "/etc/./shadow", "/usr/../etc/shadow",
	"/etc/gshadow.bak",
	"/etc/sudoers", "/etc/sudoers.d/deploy", "/etc/sudoers.d", "/etc/ssh/ssh_host_ed25519_key", "/home/ada/.ssh",
	"/home/ada/.ssh/", "/home/ada/.ssh/id_rsa", "/home/ada/.ssh/config", ".aws/credentials", "a/b/.env", ".env",
	".env.local",
	".ENV", "prod.env", ".env.bak", "id_rsa", "id_rsa.pub", "id_ed25519.old", "keys/id_ecdsa", "server.key",
	"tls/cert.pem",
	"store.p12", "app.keystore", "svc.creds", "/proc/self/environ", "/proc/1/environ", "/proc/42/cmdline",
	"/proc/self/task/7/environ", "/proc/self/root/etc/shadow", "/proc/1/cwd/.env",
	"/proc/self/root/proc/self/root/etc/shadow",
	"secrets.json", "config/client_secret.json", "my-credentials.yaml", "api_token.txt", "apiToken.json",
	"dbpassword.ini",
	"session-tokens.json", "signing-keys", "deploy-keys.yml", "/home/ada/.config/gh/hosts.yml",
	"/home/ada/.config/opencode/auth.json", "/home/ada/.config/forge/token", "credentials", "secret", ".netrc",
	"~/.kaggle/kaggle.json", "~/.config/ngrok/ngrok.yml", "~/.snowflake/connections.toml", "~/.dbt/profiles.yml",
	"~/.smbcredentials", "~/.vnc/passwd", "~/.msmtprc", "~/.subversion/auth/svn.simple/1", "/etc/mysql/debian.cnf",
	"~/.local/share/com.vercel.cli/auth.json", "~/.NuGet/NuGet/NuGet.Config", "infra/terraform.tfstate", ".dev.vars",
	"api/local.settings.json", "wp-config.php",
	"~/.netrc",
	".git-credentials", ".npmrc", "/dev/sda", "/dev/nvme0n1p2", "/dev/mem", "server.key.bak", "id_rsa~",
	".claude.json",
	"/home/ada/.claude/.credentials.json", "/run/secrets/db", "serviceAccountKey.json", "gcp-service-account.json",
	"/home/ada/.bash_history", ".envrc", "terraform.tfvars", "/home/ada/.docker/config.json", "../.env",
	"x/../.env",
};

static const char *const not_secrets[] = {
	"README.md", "/etc/passwd", "/etc/hosts", "/etc/ssh/sshd_config", "src/tokenizer.json", "tokenizer_config.json",
	"docs/session-scoped-tokens.md", "src/secrets.ts", "src/password_reset.py", ".env.example", ".env.sample",
	"config.json",
	"package.json", "keyboard.c", "src/keys/index.ts", "environment.yml", "/proc/cpuinfo", "/proc/meminfo",
	"/proc/self/status",
	"/dev/null", "/home/ada/.config/auto-classifier/config.jsonc", "id_rsaparser.go", "monkey", "", "/", ".",
	"tests/",
	"/home/ada/.config/nvim/init.lua", "docs/credentials.md", "design-keys.md", ".ssh-notes", "xenv",
	"/proc/self/root/etc/hosts",
};

static void test_secret(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(secrets); i++)
		if (!path_is_secret(text(secrets[i])))
			fail_msg("not secret: %s", secrets[i]);
	for (size_t i = 0; i < ARRAY_LEN(not_secrets); i++)
		if (path_is_secret(text(not_secrets[i])))
			fail_msg("secret: %s", not_secrets[i]);
}

static const char *const reaching[] = {
	"*", ".*", "*.pem", "id_*", ".e*", ".en?", ".[e]nv", "/home/ada/.s*/id_rsa", "*.key", "config/*", "secr*",
	"*.json",
	"/etc/sh*", "/etc/shado?", "/proc/*/environ", ".ssh/*", "[a-z]d_rsa",
};

static const char *const not_reaching[] = { "*.md", "src/*.c", "*.py", "README*", "docs/*.rst", "test_*",
	"*.log", "a?b" };

static void test_glob(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(reaching); i++)
		if (!path_glob_reaches_secret(text(reaching[i])))
			fail_msg("does not reach: %s", reaching[i]);
	for (size_t i = 0; i < ARRAY_LEN(not_reaching); i++)
		if (path_glob_reaches_secret(text(not_reaching[i])))
			fail_msg("reaches: %s", not_reaching[i]);
}

static const char *const gates[] = {
	"/home/ada/.config/auto-classifier/config.jsonc", "/home/ada/.config/auto-classifier",
	"/home/ada/.config//auto-classifier/",
	"/home/ada/.CONFIG/Auto-Classifier/x", "/home/ada/x/../.config/auto-classifier/local.jsonc",
	"/etc/auto-classifier/policy.jsonc",
	"/run/user/1000/auto-classifier/sessions/ab.json", "/usr/bin/auto-classifier",
	"/usr/lib/auto-classifier/worker",
	"/usr/libexec/auto-classifier-worker", "/home/ada/.claude/settings.json", "src/app/.claude/settings.local.json",
	".claude/hooks/gate.sh", "/etc/claude-code/managed-settings.json", ".agents/hooks.json", "_agent/hooks.json",
	"/home/ada/.gemini/config/hooks.json", "/home/ada/.gemini/settings.json", ".gemini/settings.json",
	"/home/ada/.gemini/antigravity-cli/settings.json", "/etc/gemini-cli/settings.json",
	"/home/ada/.codex/hooks.json",
	"/home/ada/.codex/config.toml", ".codex/hooks.json", "/home/ada/.copilot/hooks/gate.json",
	".github/hooks/x.json",
	"/home/ada/.cursor/hooks.json", "/etc/cursor/hooks.json",
	"/home/ada/.config/opencode/plugins/auto-classifier.js",
	"/home/ada/.config/opencode/opencode.jsonc", ".opencode/plugins/x.ts", "opencode.json",
	"/home/ada/.pi/agent/settings.json",
	".pi/extensions/gate.ts", "/home/ada/.claude.json", "/home/ada/.cache/auto-classifier/sessions/x.json",
};

static const char *const not_gates[] = {
	"/home/ada/.claude/skills/x/SKILL.md", "/home/ada/.gemini/config/skills/x",
	"/home/ada/.copilot/session-state/1", ".github/workflows/ci.yml",
	"/home/ada/src/auto-classifier/README.md", "docs/auto-classifier.md", ".claude/CLAUDE.md", "settings.json",
	"src/hooks.json",
	"/home/ada/src/.claude.json", "auto-classifier", ".cursor/rules/a.mdc", "/etc/auto-classifierx/y", "bin/tool",
};

static void test_gate(void **state)
{
	const char *what = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(gates); i++)
		if (!path_is_gate(text(gates[i]), home, &what))
			fail_msg("not the gate's: %s", gates[i]);
	for (size_t i = 0; i < ARRAY_LEN(not_gates); i++)
		if (path_is_gate(text(not_gates[i]), home, &what))
			fail_msg("the gate's: %s (%s)", not_gates[i], what);
}

static void test_holds_gate(void **state)
{
	static const char *const holders[] = {
		"/", "/home", "/home/ada", "/home/ada/.config", "/home/ada/.claude", ".claude", "/home/ada/.gemini",
		"/etc",
		"/home/ada/.config/opencode", ".codex", "/home/ada/.cache", ".github", "/usr/bin",
	};
	static const char *const others[] = {
		"/home/ada/src", "/home/bob", "/tmp", "src", "/home/ada/.config/nvim", "/home/ada/.claude/skills",
		"node_modules", "/usr/share/doc",
	};
	const char *what = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(holders); i++)
		if (!path_holds_gate(text(holders[i]), home, &what))
			fail_msg("holds nothing: %s", holders[i]);
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (path_holds_gate(text(others[i]), home, &what))
			fail_msg("holds: %s (%s)", others[i], what);
}

static void test_startup(void **state)
{
	static const char *const yes[] = {
		"/home/ada/.bashrc", ".zshenv", "/home/ada/.config/fish/config.fish", ".git/hooks/pre-commit",
		"sub/.git/config",
		"/etc/cron.d/x", "/etc/motd", "/private/etc/hosts", "/var/spool/cron/crontabs/ada",
		"/home/ada/.config/systemd/user/x.service",
		"/home/ada/.config/autostart/x.desktop", "/home/ada/Library/LaunchAgents/x.plist",
		"/home/ada/.local/bin/git", ".husky/pre-push",
		"/home/ada/.ssh/authorized_keys", "/home/ada/.gitconfig", "venv/lib/python3.11/site-packages/x.pth",
		"/home/ada/.BASHRC",
	};
	static const char *const no[] = { "README.md", "src/.gitignore", "bin/tool", "/home/ada/notes",
		"/tmp/x", "etc/config", ".git/index" };
	const char *what = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(yes); i++)
		if (!path_is_startup(text(yes[i]), home, &what))
			fail_msg("no startup file: %s", yes[i]);
	for (size_t i = 0; i < ARRAY_LEN(no); i++)
		if (path_is_startup(text(no[i]), home, &what))
			fail_msg("startup file: %s (%s)", no[i], what);
}

static void test_workspace(void **state)
{
	static const char *const yes[] = { ".git/config", "a/.git/x", ".agents/x", ".env", "sub/.env.test", ".mcp.json",
		".github/workflows/ci.yml", ".claude/CLAUDE.md", "opencode.json", ".githooks/pre-commit", ".GIT/config",
		"./.git" };
	static const char *const no[] = { "src/main.c", ".github/ISSUE_TEMPLATE.md", ".gitignore", "env.ts",
		"agents/x" };
	const char *what = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(yes); i++)
		if (!path_is_sensitive_in_workspace(text(yes[i]), &what))
			fail_msg("ordinary: %s", yes[i]);
	for (size_t i = 0; i < ARRAY_LEN(no); i++)
		if (path_is_sensitive_in_workspace(text(no[i]), &what))
			fail_msg("sensitive: %s (%s)", no[i], what);
}

static void test_system_and_build(void **state)
{
	static const char *const system[] = { "/", "/etc", "/usr/bin/ls", "/var/lib/app", "/boot", "/home",
		"/dev/sda", "/opt/x", "//usr", "/tmp/../usr", "/tmp", "/var/tmp" };
	static const char *const free[] = { "/home/ada", "/tmp/x", "/var/tmp/x", "/srv/app", "usr/bin",
		"/dev/shm/x", "/run/user/1000/x" };
	static const char *const build[] = { "node_modules", "a/dist/x.js", "target/debug/app", "__pycache__",
		"x.egg-info/PKG-INFO", "./build/x" };
	static const char *const sources[] = { "src", "../build/x", "/build", "builder/x", "" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(system); i++)
		if (!path_is_system(text(system[i])))
			fail_msg("no system directory: %s", system[i]);
	for (size_t i = 0; i < ARRAY_LEN(free); i++)
		if (path_is_system(text(free[i])))
			fail_msg("system directory: %s", free[i]);
	for (size_t i = 0; i < ARRAY_LEN(build); i++)
		if (!path_is_build_output(text(build[i])))
			fail_msg("no build output: %s", build[i]);
	for (size_t i = 0; i < ARRAY_LEN(sources); i++)
		if (path_is_build_output(text(sources[i])))
			fail_msg("build output: %s", sources[i]);
}

static void test_normalise(void **state)
{
	static const struct {
		const char *base, *path, *want;
	} cases[] = {
		{ "/w", "a/b", "/w/a/b" }, { "/w", "./a//b/", "/w/a/b" }, { "/w/x", "../y", "/w/y" }, { "/w",
		"../../..", "/" },
		{ "/w", "/a/../b", "/b" }, { "", "/a", "/a" }, { "", "a", "" }, { "rel", "a", "" }, { "/", "a", "/a" },
		{ "/w", "", "/w" },
		{ "/w", ".", "/w" }, { "/w", "a/../../b", "/b" }, { "/..", "a", "/a" }, { "/w", "...", "/w/..." },
	};
	char buffer[64], tiny[4], long_path[2 * 200 + 1];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t n = path_normalise(text(cases[i].base), text(cases[i].path), buffer, sizeof(buffer));

		assert_int_equal(n, strlen(cases[i].want));
		assert_memory_equal(buffer, cases[i].want, n);
	}
	assert_int_equal(path_normalise(text("/w"), text("abc"), tiny, sizeof(tiny)), 0);
	for (size_t i = 0; i < sizeof(long_path) - 1; i++)
		long_path[i] = i % 2 == 0 ? 'a' : '/';
	long_path[sizeof(long_path) - 1] = '\0';
	assert_int_equal(path_normalise(text("/"), text(long_path), buffer, sizeof(buffer)), 0);
	assert_true(path_is_secret(text(long_path)));
	assert_int_equal(path_normalise(text("/w"), (struct bytes){ "a\0b", 3 }, buffer, sizeof(buffer)), 0);

	assert_true(path_within(text("/a/b"), text("/a")));
	assert_true(path_within(text("/a"), text("/a")));
	assert_true(path_within(text("/a"), text("/")));
	assert_false(path_within(text("/ab"), text("/a")));
	assert_false(path_within(text("/a"), text("/a/b")));
	assert_false(path_within(text("/a"), text("")));
}

static void test_zones(void **state)
{
	static const struct {
		const char *path, *glob;
		bool in;
	} rows[] = {
		{ "/srv/x", "/srv/**", true },
		{ "/srv/x/y", "/srv/**", true },
		{ "/srv", "/srv/**", false },
		{ "/srv", "/srv", true },
		{ "/srv/x", "/srv", true },
		{ "/srvx", "/srv", false },
		{ "/srv/a/b.key", "/srv/**/*.key", true },
		{ "/srv/b.key", "/srv/**/*.key", true },
		{ "/srv/b.keys", "/srv/**/*.key", false },
		{ "/srv/a/b", "/srv/*/b", true },
		{ "/srv/a/c/b", "/srv/*/b", false },
		{ "/home/ada/d/x", "~/d", true },
		{ "/home/eve/d/x", "~/d", false },
		{ "/any/where/vault/x", "vault/**", true },
		{ "/any/vaults/x", "vault/**", false },
		{ "/a/x1", "x?", true },
		{ "/a/x12", "x?", false },
		{ "/a/../srv/x", "/srv", true },
	};
	const struct bytes ada = BYTES("/home/ada");

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct bytes path = { rows[i].path, strlen(rows[i].path) },
			     glob = { rows[i].glob, strlen(rows[i].glob) };

		if (path_in_zone(path, glob, ada) != rows[i].in)
			fail_msg("%s in %s", rows[i].path, rows[i].glob);
	}
	assert_true(zone_begins_below(BYTES("/srv/private/**"), BYTES("/srv"), ada));
	assert_true(zone_begins_below(BYTES("~/d/**"), BYTES("/home"), ada));
	assert_true(zone_begins_below(BYTES("/**/x"), BYTES("/srv/a"), ada));
	assert_false(zone_begins_below(BYTES("/srv/private/**"), BYTES("/opt"), ada));
	assert_false(zone_begins_below(BYTES("x/**"), BYTES("/opt"), ada));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_secret),
		cmocka_unit_test(test_glob),
		cmocka_unit_test(test_gate),
		cmocka_unit_test(test_holds_gate),
		cmocka_unit_test(test_startup),
		cmocka_unit_test(test_workspace),
		cmocka_unit_test(test_system_and_build),
		cmocka_unit_test(test_normalise),
		cmocka_unit_test(test_zones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
