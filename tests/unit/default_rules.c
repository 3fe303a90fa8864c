/* SPDX-License-Identifier: Apache-2.0 */
/* The shipped rules under the engine's own options: what they are for, and what no option may make of them. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "policy/config/default_rules.h"
#include "policy/text/fold.h"
#include "tests/unit/config_help.h"

/* As worker/rules applies them: fastDeny anywhere, fastAllow from the first word to the end of one. */
static bool rule_matches(const char *pattern, const char *text, bool whole)
{
	PCRE2_SIZE at, len = strlen(text);
	int error, r;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
		PCRE2_CASELESS | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C, &error, &at, NULL);
	pcre2_match_data *data;
	bool matched;

	if (!code)
		fail_msg("%s: error %d at %zu", pattern, error, at);
	data = pcre2_match_data_create(1, NULL);
	r = pcre2_match(code, (PCRE2_SPTR)text, len, 0, whole ? PCRE2_ANCHORED : 0, data, NULL);
	matched = r >= 0 && (!whole || pcre2_get_ovector_pointer(data)[1] == len);
	pcre2_match_data_free(data);
	pcre2_code_free(code);
	return matched;
}

static bool some_matches(enum config_key k, const char *text)
{
	struct config *c = of_file("{}");
	const char *const *rules;
	size_t n = config_strings(c, k, &rules);
	bool matched = false;

	for (size_t i = 0; i < n; i++)
		matched |= rule_matches(rules[i], text, k == CFG_RULES_FAST_ALLOW);
	config_free(c);
	return matched;
}

static const char *const denied[] = {
	"mkfs /dev/sda1", "mkfs.ext4 -L data /dev/nvme0n1p2", "MKFS.XFS -f /dev/mapper/vg-root", "mkfs.ext4 UUID=1234",
	"dd if=/dev/zero of=/dev/sda bs=1M", "dd of=/dev/nvme0n1 if=x", "dd bs=1M of=/dev/disk/by-id/ata-x",
	"wipefs -a /dev/vdb", "shred -n1 /dev/mmcblk0", "blkdiscard /dev/xvda",
	":(){ :|:& };:", ":() { : | : & } ; :", "cd /tmp; bomb(){ bomb|bomb& };bomb", "f(){ f|f&}; f",
	"rm -rf --no-preserve-root /", "rm --no-preserve-root -r /",
};

static const char *const not_denied[] = {
	"mkfs.ext4 disk.img", "mkfs --help", "dd if=/dev/sda of=disk.img", "dd if=/dev/zero of=/dev/null", "dd of=./dev/sda",
	"echo 'mkfs /dev/sda'", "git commit -m 'dd of=/dev/sda'", "shred notes.txt", "foo(){ cat | grep x & }; foo",
	"build() { make; }; build", "rm -rf build", "ls /dev/sda", "lsblk /dev/sda", "cat of=/dev/sda",
};

static const char *const allowed[] = {
	"pwd", "whoami", "id", "ls", "ls -la", "ls -la /tmp src", "uname -a", "git status", "git status -sb",
	"git status --short --branch", "git status --porcelain=v2", "git branch", "git branch -a", "git branch --show-current",
	"git worktree list", "git remote -v", "git remote", "git remote get-url origin", "git rev-parse --show-toplevel",
	"git rev-parse --abbrev-ref HEAD", "git rev-parse HEAD~2", "git merge-base main HEAD", "gh pr view 12 --json title",
	"gh issue list --limit 5", "gh run list", "systemctl status nginx", "systemctl --user status x.service --no-pager",
	"systemctl is-active ssh", "systemctl list-units --type=service",
};

/* Words that write, run or reach elsewhere, however near to what is allowed. */
static const char *const not_allowed[] = {
	"pwd -P x", "ls --hyperlink", "git status --column", "git -c core.fsmonitor=x status", "git branch -D main", "git branch x",
	"git branch -m a b", "git branch -d main", "git branch -A", "git branch --edit-description", "git remote add a b",
	"git remote show ext::x", "git remote get-url -x", "git remote update", "git worktree list x", "git worktree add x",
	"git worktree prune", "git rev-parse --parseopt", "git rev-parse --exec-path=x", "git status -c x", "git push",
	"git push origin main", "git fetch --upload-pack=x", "gh pr merge 1", "gh api -X POST x", "gh repo delete x",
	"gh prx view", "gh pr viewx", "gh auth token", "systemctl restart nginx", "systemctl status -H root@h x",
	"systemctl -H h status x", "systemctl status --host=h", "systemctl cat --root=/x y", "systemctl enable status",
	"systemctl status --machine=x", "id root", "lsx", "lsof", "pwdx 1", "whoamix", "xgit status", "uname -x", "ls; rm x",
	"git statusx", "GIT STATUS",
};

static void test_deny(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(denied); i++)
		if (!some_matches(CFG_RULES_FAST_DENY, denied[i]))
			fail_msg("not denied: %s", denied[i]);
	for (size_t i = 0; i < ARRAY_LEN(not_denied); i++)
		if (some_matches(CFG_RULES_FAST_DENY, not_denied[i]))
			fail_msg("denied: %s", not_denied[i]);
}

static void test_allow(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(allowed); i++)
		if (!some_matches(CFG_RULES_FAST_ALLOW, allowed[i]))
			fail_msg("not allowed: %s", allowed[i]);
	for (size_t i = 0; i < ARRAY_LEN(not_allowed); i++)
		if (some_matches(CFG_RULES_FAST_ALLOW, not_allowed[i]))
			fail_msg("allowed: %s", not_allowed[i]);
}

/* Nothing may follow what a rule allows, and nothing stand before it. */
static void test_allow_is_whole(void **state)
{
	static const char *const more[] = {
		" --output=x", " -exec", " --upload-pack=x", " --unknown", " -Z9", "\n", " a\tb",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(allowed); i++) {
		/* gh's reading commands have no option that does more than read, so any may follow */
		if (strncmp(allowed[i], "gh ", 3) == 0)
			continue;
		for (size_t j = 0; j < ARRAY_LEN(more); j++) {
			char text[200];

			if (strncmp(allowed[i], "ls", 2) == 0 && strpbrk(more[j], "\t\n"))
				continue; /* a path with such a character in it is a path */
			snprintf(text, sizeof(text), "%s%s", allowed[i], more[j]);
			if (some_matches(CFG_RULES_FAST_ALLOW, text))
				fail_msg("allowed: %s", text);
			snprintf(text, sizeof(text), "x %s", allowed[i]);
			if (some_matches(CFG_RULES_FAST_ALLOW, text))
				fail_msg("allowed: %s", text);
		}
	}
}

static const struct {
	const char *pattern;
	char needs[DENY_NEEDS_MAX][DENY_NEED_SIZE];
} deny_rules[] = {
#define ROW(text, ...) { .pattern = (text), .needs = { __VA_ARGS__ } },
	DEFAULT_DENY_RULES(ROW, )
#undef ROW
};

/* The rules that C sees are those that a configuration is given, and each need is short enough to end in its place. */
static void test_deny_rules_are_the_defaults(void **state)
{
	struct config *c = of_file("{}");
	const char *const *rules;

	(void)state;
	assert_int_equal(config_strings(c, CFG_RULES_FAST_DENY, &rules), ARRAY_LEN(deny_rules));
	for (size_t i = 0; i < ARRAY_LEN(deny_rules); i++) {
		assert_string_equal(rules[i], deny_rules[i].pattern);
		assert_true(deny_rules[i].needs[0][0] != '\0');
		for (size_t k = 0; k < DENY_NEEDS_MAX; k++)
			for (const char *p = deny_rules[i].needs[k]; *p != '\0'; p++) {
				assert_true(p < deny_rules[i].needs[k] + DENY_NEED_SIZE - 1);
				assert_true(fold_lower(*p) == *p);
			}
	}
	config_free(c);
}

static bool is_there(const char *text, const char *need)
{
	struct bytes b = { text, strlen(text) };

	return need[0] == '^' ? fold_starts(b, need + 1) : fold_has(b, need);
}

/* How many rules match; each of them finds all it needs. */
static size_t matches_with_needs(const char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(deny_rules); i++) {
		if (!rule_matches(deny_rules[i].pattern, text, false))
			continue;
		n++;
		for (size_t k = 0; k < DENY_NEEDS_MAX; k++)
			if (!is_there(text, deny_rules[i].needs[k]))
				fail_msg("matched without \"%s\": %s", deny_rules[i].needs[k], text);
	}
	return n;
}

/* Whatever a rule still matches with a character left out, or in the other case, it would be asked about. */
static void test_deny_needs(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(denied); i++) {
		size_t len = strlen(denied[i]);
		char text[200];

		assert_true(matches_with_needs(denied[i]) > 0);
		for (size_t at = 0; at < len; at++) {
			snprintf(text, sizeof(text), "%.*s%s", (int)at, denied[i], denied[i] + at + 1);
			(void)matches_with_needs(text);
			snprintf(text, sizeof(text), "%s", denied[i]);
			if ((text[at] | 0x20) >= 'a' && (text[at] | 0x20) <= 'z') {
				text[at] = (char)(text[at] ^ 0x20);
				assert_true(matches_with_needs(text) > 0);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deny),
		cmocka_unit_test(test_deny_rules_are_the_defaults),
		cmocka_unit_test(test_deny_needs),
		cmocka_unit_test(test_allow),
		cmocka_unit_test(test_allow_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
