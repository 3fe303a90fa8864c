/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What self-protection guards, by name: the gate's own files, and every file through which a harness is told to ask it.
 * Whoever may write one of these can switch the gate off.
 */
#include "policy/paths/components.h"
#include "policy/paths/paths.h"

static const struct path_rule gate_rules[] = {
	{ ".config/auto-classifier/**", "the gate's configuration" },
	{ "/etc/auto-classifier/**", "the gate's configuration" },
	{ ".cache/auto-classifier/**", "the gate's state" },
	{ ".local/state/auto-classifier/**", "the gate's state" },
	{ "auto-classifier/sessions/**", "the gate's state" },
	{ "/run/user/*/auto-classifier/**", "the gate's state" },
	{ "/run/auto-classifier/**", "the gate's sockets" },
	{ ".local/share/auto-classifier/**", "the gate's code" },
	{ "bin/auto-classifier*", "the gate's code" },
	{ "sbin/auto-classifier*", "the gate's code" },
	{ "lib/auto-classifier/**", "the gate's code" },
	{ "libexec/auto-classifier*/**", "the gate's code" },
	{ "share/auto-classifier/**", "the gate's code" },
	{ "systemd/*/auto-classifier*/**", "the gate's service" },
	{ "/etc/apparmor.d/*auto-classifier*/**", "the gate's confinement" },

	{ ".claude/settings.json", "Claude Code's settings" },
	{ ".claude/settings.local.json", "Claude Code's settings" },
	{ ".claude/hooks/**", "Claude Code's hooks" },
	{ ".claude/plugins/**", "Claude Code's plugins" },
	{ ".claude-plugin/**", "a Claude Code plugin's manifest" },
	{ "~/.claude.json", "Claude Code's settings" },
	{ "/etc/claude-code/**", "Claude Code's managed settings" },
	{ "/library/application support/claudecode/**", "Claude Code's managed settings" },

	{ ".agents/hooks.json", "agy's hooks" },
	{ ".agent/hooks.json", "agy's hooks" },
	{ "_agents/hooks.json", "agy's hooks" },
	{ "_agent/hooks.json", "agy's hooks" },
	{ ".agents/plugins/**", "agy's plugins" },
	{ ".agent/plugins/**", "agy's plugins" },
	{ "_agents/plugins/**", "agy's plugins" },
	{ "_agent/plugins/**", "agy's plugins" },
	{ ".gemini/config/hooks.json", "agy's hooks" },
	{ ".gemini/config/plugins/**", "agy's plugins" },
	{ ".gemini/antigravity-cli/settings.json", "agy's settings" },
	{ ".gemini/antigravity-cli/plugins/**", "agy's plugins" },

	{ ".gemini/settings.json", "Gemini's settings" },
	{ ".gemini/hooks/**", "Gemini's hooks" },
	{ ".gemini/extensions/**", "Gemini's extensions" },
	{ ".gemini/policies/**", "Gemini's policies" },
	{ ".gemini/trustedfolders.json", "Gemini's trust list" },
	{ "/etc/gemini-cli/**", "Gemini's managed settings" },

	{ ".codex/hooks.json", "Codex's hooks" },
	{ ".codex/hooks/**", "Codex's hooks" },
	{ ".codex/config.toml", "Codex's settings" },
	{ ".codex/rules/**", "Codex's rules" },
	{ ".codex/plugins/**", "Codex's plugins" },
	{ ".codex-plugin/**", "a Codex plugin's manifest" },
	{ "/etc/codex/**", "Codex's managed settings" },

	{ ".copilot/hooks/**", "Copilot's hooks" },
	{ ".copilot/settings.json", "Copilot's settings" },
	{ ".copilot/config.json", "Copilot's settings" },
	{ ".github/hooks/**", "Copilot's hooks" },
	{ ".github/copilot/**", "Copilot's settings" },
	{ "/etc/github-copilot/**", "Copilot's managed settings" },

	{ ".cursor/hooks.json", "Cursor's hooks" },
	{ ".cursor/hooks/**", "Cursor's hooks" },
	{ ".cursor/cli.json", "Cursor's permissions" },
	{ ".cursor/cli-config.json", "Cursor's permissions" },
	{ ".cursor/permissions.json", "Cursor's permissions" },
	{ "/etc/cursor/**", "Cursor's managed hooks" },

	{ ".config/opencode/plugin/**", "OpenCode's plugins" },
	{ ".config/opencode/plugins/**", "OpenCode's plugins" },
	{ ".config/opencode/opencode.json*", "OpenCode's settings" },
	{ ".config/opencode/config.json*", "OpenCode's settings" },
	{ ".opencode/plugin/**", "OpenCode's plugins" },
	{ ".opencode/plugins/**", "OpenCode's plugins" },
	{ "opencode.json", "OpenCode's settings" },
	{ "opencode.jsonc", "OpenCode's settings" },
	{ "/etc/opencode/**", "OpenCode's managed settings" },

	{ ".pi/agent/settings.json", "pi's settings" },
	{ ".pi/agent/extensions/**", "pi's extensions" },
	{ ".pi/settings.json", "pi's settings" },
	{ ".pi/extensions/**", "pi's extensions" },

	{ ".openclaw/openclaw.json", "OpenClaw's settings" },
	{ ".openclaw/exec-approvals*", "OpenClaw's approvals" },
	{ ".openclaw/state/**", "OpenClaw's approvals" },
	{ ".openclaw/extensions/**", "OpenClaw's extensions" },
};

/* Of a harness altogether: a file of any name in one may be settings or a hook. */
static const struct path_rule gate_directories[] = {
	{ ".claude", "Claude Code's directory" }, { ".agents", "agy's directory" }, { ".agent", "agy's directory" },
	{ ".gemini", "Gemini's directory" }, { ".gemini/config", "agy's directory" },
	{ ".gemini/antigravity-cli", "agy's directory" }, { ".codex", "Codex's directory" },
	{ ".copilot", "Copilot's directory" }, { ".cursor", "Cursor's directory" },
	{ ".config/opencode", "OpenCode's directory" }, { ".opencode", "OpenCode's directory" },
	{ ".pi", "pi's directory" }, { ".pi/agent", "pi's directory" }, { ".openclaw", "OpenClaw's directory" },
};

bool path_is_gate_directory(struct bytes path, struct bytes home)
{
	struct components split;

	path_split(path, &split);
	return split.too_long || path_find(&split, home, gate_directories, ARRAY_LEN(gate_directories)) != NULL;
}

bool path_is_gate(struct bytes path, struct bytes home, const char **ret_what)
{
	struct components split;
	const struct path_rule *rule;

	path_split(path, &split);
	if (split.too_long) {
		*ret_what = "a path too long to be told from the gate's own";
		return true;
	}
	rule = path_find(&split, home, gate_rules, ARRAY_LEN(gate_rules));
	if (rule == NULL)
		return false;
	*ret_what = rule->what;
	return true;
}

bool path_glob_reaches_gate(struct bytes pattern)
{
	for (size_t i = 0; i < ARRAY_LEN(gate_rules); i++) {
		const char *slash = strrchr(gate_rules[i].pattern, '/');
		const char *name = slash != NULL ? slash + 1 : gate_rules[i].pattern;

		if (strcmp(name, "**") != 0 && path_glob_reaches(pattern, name))
			return true;
	}
	return false;
}

/* One component of a rule against one of a pattern: could a name fit both? */
static bool could_be(struct bytes pattern, const char *segment, size_t len)
{
	char name[64];
	const char *star = memchr(segment, '*', len);

	if (len >= sizeof(name))
		return true;
	memcpy(name, segment, len);
	name[len] = '\0';
	/* Of two patterns only what stands before the star of the rule's is held against the other. */
	if (star != NULL)
		return memchr(pattern.p, '*', pattern.len) != NULL || memchr(pattern.p, '[', pattern.len) != NULL ||
			path_name_matches(pattern, name);
	return path_glob_reaches(pattern, name);
}

/* `*` is any name: it tells of nothing. */
static bool says_something(struct bytes pattern)
{
	for (size_t i = 0; i < pattern.len; i++)
		if (strchr("*?", pattern.p[i]) == NULL)
			return true;
	return false;
}

/*
 * From component `at` on; `below`: what the pattern fits is taken with all that lies below it. Some component that says
 * something has to fit one that does.
 */
static bool hits_from(const struct components *pattern, uint32_t at, const char *rule, bool below)
{
	bool said = false;

	for (;; at++) {
		size_t len = strcspn(rule, "/");

		if (len == 2 && memcmp(rule, "**", 2) == 0)
			return said;
		if (at == pattern->n)
			return below && said;
		if (bytes_is(pattern->c[at], "**"))
			return true;
		if (!could_be(pattern->c[at], rule, len))
			return false;
		said = said || (says_something(pattern->c[at]) && rule[0] != '*');
		if (rule[len] == '\0')
			return at + 1 == pattern->n && said;
		rule += len + 1;
	}
}

bool path_glob_hits_gate(struct bytes pattern, struct bytes home, bool below)
{
	struct components split, home_split;

	path_split(pattern, &split);
	path_split(home, &home_split);
	if (split.too_long)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(gate_rules); i++) {
		const char *rule = gate_rules[i].pattern;
		uint32_t first = 0, last = split.n;

		if (rule[0] == '/') {
			last = split.absolute ? 1 : 0;
			rule++;
		} else if (rule[0] == '~') {
			first = home_split.n;
			last = first + 1;
			rule += 2;
		}
		for (uint32_t at = first; at < last && at < split.n; at++)
			if (hits_from(&split, at, rule, below))
				return true;
	}
	return false;
}

bool path_holds_gate(struct bytes path, struct bytes home, const char **ret_what)
{
	struct components split, home_split;

	path_split(path, &split);
	path_split(home, &home_split);
	/* The home directory, and what lies above it, hold every user-level file of the table. */
	if (split.absolute && home_split.n > 0 && split.n <= home_split.n) {
		bool above = true;

		for (uint32_t i = 0; i < split.n; i++)
			above = above && bytes_eq(split.c[i], home_split.c[i]);
		if (above) {
			*ret_what = "the directory that holds the gate's configuration";
			return true;
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(gate_rules); i++) {
		if (!path_leads_to(&split, &home_split, gate_rules[i].pattern))
			continue;
		*ret_what = gate_rules[i].what;
		return true;
	}
	return false;
}

