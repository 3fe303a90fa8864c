/* SPDX-License-Identifier: Apache-2.0 */
/* What in a project is more than a file of it: written there, it changes what tools do, or what others run. */
#include "policy/paths/components.h"
#include "policy/paths/paths.h"

static const struct path_rule workspace_rules[] = {
	{ ".git/**", "git internals" },
	{ ".agents/**", "agy hooks" },
	{ ".agent/**", "agy hooks" },
	{ "_agents/**", "agy hooks" },
	{ "_agent/**", "agy hooks" },
	{ ".gemini/**", "Gemini config" },
	{ ".claude/**", "Claude settings" },
	{ ".codex/**", "Codex config" },
	{ ".cursor/**", "Cursor config" },
	{ ".opencode/**", "OpenCode config" },
	{ ".pi/**", "pi config" },
	{ ".githooks/**", "git hooks" },
	{ ".husky/**", "git hooks" },
	{ "opencode.json", "OpenCode config" },
	{ "opencode.jsonc", "OpenCode config" },
	{ ".mcp.json", "MCP config" },
	{ ".lfsconfig", "LFS settings" },
	{ ".auto-classifier.json", "the gate's project settings" },
	{ ".env", "env file" },
	{ ".envrc", "env file" },
	{ ".env.*", "env file" },
	{ ".github/workflows/**", "CI workflow" },
	{ ".gitea/workflows/**", "CI workflow" },
	{ ".forgejo/workflows/**", "CI workflow" },
	{ ".github/hooks/**", "Copilot hooks" },
	{ ".vscode/tasks.json", "an editor's tasks" },
};

bool path_is_sensitive_in_workspace(struct bytes relative, const char **ret_what)
{
	struct components split;
	const struct path_rule *rule;

	path_split(relative, &split);
	if (split.too_long) {
		*ret_what = "a path too long to be looked at";
		return true;
	}
	rule = path_find(&split, (struct bytes){ NULL, 0 }, workspace_rules, ARRAY_LEN(workspace_rules));
	if (rule == NULL)
		return false;
	*ret_what = rule->what;
	return true;
}

bool path_glob_reaches_sensitive(struct bytes pattern)
{
	struct components split;

	path_split(pattern, &split);
	for (uint32_t k = 0; k < split.n; k++)
		for (size_t i = 0; i < ARRAY_LEN(workspace_rules); i++) {
			const char *rule = workspace_rules[i].pattern;
			size_t n = strcspn(rule, "/*");
			char name[32];

			/* By their first component: what is below goes with it. */
			if (n >= sizeof(name))
				return true;
			memcpy(name, rule, n);
			name[n] = '\0';
			if (path_glob_reaches(split.c[k], name))
				return true;
		}
	return false;
}
