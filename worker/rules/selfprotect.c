/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command may not do to the gate itself, beyond writing its files: stop it or the harness that asks it, start an
 * agent that would not ask, run its own set-up and approval, and type into the terminal its user answers in.
 */
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

const char *const agent_names[] = {
	"claude", "codex", "agy", "antigravity", "gemini", "copilot", "cursor-agent", "opencode", "pi", "openclaw",
	NULL,
};

/* What npx and its like call them. */
static const char *const agent_packages[] = {
	"@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli", "@github/copilot", "opencode-ai",
	"@earendil-works/pi-coding-agent", "@mariozechner/pi-coding-agent", "openclaw",
};

/* Options and subcommands under which an agent asks nobody, or loses its hooks. A trailing * stands for any ending. */
static const char *const unguarded[] = {
	"--dangerously*", "--allow-dangerously*", "--yolo", "-y", "--bare", "--settings*", "--setting-sources*",
	"--full-auto",
	"--permission-mode*", "--permission-prompt-tool*", "--allow-all*", "--allowedTools*", "--allowed-tools*",
	"--allow-tool*",
	"--approval-mode*", "--ask-for-approval*", "-a", "--sandbox*", "--force", "-f", "--trust*", "--no-extensions",
	"--extensions*", "-e", "--no-hooks*", "--disable*", "--plugin-dir*", "--config*", "-c", "--profile*",
	"--agent*",
	"disable", "disable-all", "uninstall", "remove", "mcp", "plugin", "plugins", "hooks", "hook", "config",
	"extensions",
	"extension", "features", "serve", "acp", "app-server", "mcp-server", "update", "upgrade", "logout",
	"--remote-debugging*",
	"/hooks*", "/config*", "/permissions*",
};

/* Variables that move an agent's settings elsewhere, so that it finds no hooks. */
static const char *const moving_variables[] = { "HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME",
	"GEMINI_*", "OPENCODE_*", "CLAUDE_*", "COPILOT_*", "CURSOR_*", "PI_*", "CODEX_*" };

/* The gate's own commands that an agent has no business with. The rest only shows things. */
static const char *const own_commands[] = { "approve", "install", "uninstall", "hook", "agy", "agy-accept",
	"agy-timeout", "agy-pre-invocation", "deny", "reset", "netproc" };

static bool matches(struct bytes text, const char *pattern)
{
	size_t n = strlen(pattern);

	if (n > 1 && pattern[n - 1] == '*')
		return text.len >= n - 1 && memcmp(text.p, pattern, n - 1) == 0;
	return bytes_is(text, pattern);
}

static bool in_table(struct bytes text, const char *const *table, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (matches(text, table[i]))
			return true;
	return false;
}

static bool names_agent(struct bytes name)
{
	return in_table(name, agent_names, ARRAY_LEN(agent_names) - 1);
}

static void protect(struct subject *s, const char *what, struct bytes effect, struct bytes target)
{
	deny(s, STAGE_SELF, (struct reason_text){ REASON_SELF_PROTECTION, 1, { { what, strlen(what) } } },
		BYTES("self-protection"), effect, target);
}

static bool is_gate_program(struct bytes name)
{
	return matches(name, "auto-classifier*");
}

/* With or without @VERSION behind it. */
static bool is_package(struct bytes word)
{
	const char *version = word.len > 1 ? (const char *)memrchr(word.p, '@', word.len) : NULL;

	if (version != NULL && version != word.p)
		word.len = (size_t)(version - word.p);
	return in_table(word, agent_packages, ARRAY_LEN(agent_packages));
}

static bool is_agent(struct bytes word)
{
	return names_agent(path_last(word)) || is_package(word);
}

/* An agent somewhere among the first words (npx, bunx and `pnpm dlx` name it later); what follows are its options. */
static const struct word *agent_word(const struct invocation *inv)
{
	static const char *const runners[] = { "npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "uvx",
		"deno", "mise", "asdf" };
	const struct word *w = inv->words;

	if (w == NULL || !w->is_static)
		return NULL;
	if (is_agent(w->value))
		return w;
	if (!in_table(path_last(w->value), runners, ARRAY_LEN(runners)))
		return NULL;
	for (w = w->next; w != NULL; w = w->next)
		if (w->is_static && (names_agent(w->value) || is_package(w->value)))
			return w;
	return NULL;
}

static bool assigns_move_settings(const struct subject *s)
{
	for (const struct assignment *a = s->assigns; a != NULL; a = a->next)
		if (in_table(a->name, moving_variables, ARRAY_LEN(moving_variables)))
			return true;
	return false;
}

static bool words_move_settings(const struct word *w)
{
	for (; w != NULL; w = w->next) {
		struct bytes text = w->is_static ? w->value : w->prefix;
		const char *eq = text.len > 0 ? (const char *)memchr(text.p, '=', text.len) : NULL;

		if (eq != NULL && in_table((struct bytes){ text.p, (size_t)(eq - text.p) }, moving_variables,
			ARRAY_LEN(moving_variables)))
			return true;
	}
	return false;
}

static bool names_setting(struct bytes text)
{
	const char *eq = text.len > 0 ? (const char *)memchr(text.p, '=', text.len) : NULL;

	if (eq != NULL)
		text.len = (size_t)(eq - text.p);
	return text.len > 0 && in_table(text, moving_variables, ARRAY_LEN(moving_variables));
}

/* env [-u NAME] [NAME=VALUE] … COMMAND: what stands behind it is the command's. */
static bool env_moves_settings(const struct word *w)
{
	bool unsets = false;

	for (; w != NULL; w = w->next) {
		struct bytes text = w->is_static ? w->value : w->prefix;
		bool option = text.len > 0 && text.p[0] == '-';

		if (!option && !unsets && (text.len == 0 || memchr(text.p, '=', text.len) == NULL))
			return false;
		if (!option && names_setting(text))
			return true;
		if (matches(text, "-u*") && text.len > 2 && names_setting((struct bytes){ text.p + 2, text.len - 2 }))
			return true;
		if (matches(text, "--unset=*") && names_setting((struct bytes){ text.p + 8, text.len - 8 }))
			return true;
		unsets = bytes_is(text, "-u") || bytes_is(text, "--unset");
	}
	return false;
}

/* The same, set by another command of the line. */
static bool line_moves_settings(const struct judge *j)
{
	static const char *const setters[] = { "export", "declare", "typeset", "readonly", "unset" };

	for (const struct simple_command *c = j->current->commands; c != NULL; c = c->next) {
		bool sets = c->words != NULL && c->words->is_static &&
			in_table(c->words->value, setters, ARRAY_LEN(setters));

		for (const struct assignment *a = c->words == NULL ? c->assigns : NULL; a != NULL; a = a->next)
			if (in_table(a->name, moving_variables, ARRAY_LEN(moving_variables)))
				return true;
		/* env may stand behind other wrappers. */
		for (const struct word *w = c->words; w != NULL; w = w->next)
			if ((sets && names_setting(w->is_static ? w->value : w->prefix)) ||
				(w->is_static && bytes_is(judge_program(w->value), "env") &&
					env_moves_settings(w->next)))
				return true;
	}
	return false;
}

/* sudo -u USER, runuser USER …: somebody else than root, whose settings are his own. */
static bool line_changes_user(const struct judge *j)
{
	static const char *const changers[] = { "runuser", "su", "setpriv", "machinectl" };

	for (const struct simple_command *c = j->current->commands; c != NULL; c = c->next) {
		bool asks = false;

		for (const struct word *w = c->words; w != NULL; w = w->next) {
			struct bytes text = w->is_static ? judge_program(w->value) : w->prefix;

			if (in_table(text, changers, ARRAY_LEN(changers)) ||
				(asks && (matches(text, "-u*") || matches(text, "--user*"))))
				return true;
			asks = asks || bytes_is(text, "sudo") || bytes_is(text, "doas");
		}
	}
	return false;
}

static void protect_agents(struct subject *s, const struct invocation *inv)
{
	const struct word *w = agent_word(inv);

	if (w == NULL)
		return;
	if (inv->privileged && line_changes_user(s->j)) {
		protect(s, "it starts an agent as another user, who has not this gate's hook", BYTES("start-agent"),
			path_last(w->value));
		return;
	}
	if (assigns_move_settings(s) || words_move_settings(inv->assigns) || line_moves_settings(s->j)) {
		protect(s, "it starts an agent whose settings lie elsewhere, without this gate's hook",
			BYTES("start-agent"), path_last(w->value));
		return;
	}
	for (const struct word *o = w->next; o != NULL; o = o->next) {
		struct bytes text = o->is_static ? o->value : o->prefix;

		if (text.len > 0 && in_table(text, unguarded, ARRAY_LEN(unguarded))) {
			protect(s, "it starts or sets up an agent in a way that this gate's hook may not see",
				BYTES("start-agent"), path_last(w->value));
			return;
		}
	}
}

static void protect_own_commands(struct subject *s, const struct invocation *inv)
{
	const struct word *w = inv->words;

	if (w == NULL || !w->is_static || !is_gate_program(path_last(w->value)))
		return;
	/* The other executables are started by the guard and nobody else. */
	if (!bytes_is(path_last(w->value), "auto-classifier")) {
		protect(s, "it runs a part of the gate by itself", BYTES("run-gate"), path_last(w->value));
		return;
	}
	for (w = w->next; w != NULL; w = w->next)
		if (!w->is_static || in_table(w->value, own_commands, ARRAY_LEN(own_commands))) {
			protect(s,
				"approving, installing and answering hooks are for the user, not for an agent",
				BYTES("run-gate"), w->is_static ? w->value : BYTES("unknown"));
			return;
		}
}

/* Without a target tmux and screen type into the pane they are started from. */
static bool is_own_terminal(const struct invocation *inv)
{
	for (const struct word *w = inv != NULL ? inv->words : NULL; w != NULL; w = w->next) {
		struct bytes text = w->is_static ? w->value : w->prefix;

		if (word_is_parameter(w, "TMUX_PANE") || word_is_parameter(w, "STY"))
			return true;
		if (text.len > 1 && text.p[0] == '-' && (text.p[1] == 't' || text.p[1] == 'S'))
			return word_is_parameter(w->next, "TMUX_PANE") || word_is_parameter(w->next, "STY");
	}
	return true;
}

static bool protect_signal(struct subject *s, const struct command_effect *e)
{
	switch (signal_reaches(s, e)) {
	case REACHES_OTHERS:
		return false;
	case REACHES_UNSEEN:
		leave_open(s, BYTES("whether it reaches the harness that asks the gate could not be seen"),
			BYTES("signal"), e->target, false);
		return false;
	case REACHES_OURS:
	default:
		break;
	}
	if (e->effect == EFFECT_ATTACH)
		protect(s, "it looks into, or takes over, the gate or the harness", BYTES("attach"), e->target);
	else
		protect(s, "it signals the gate, or the harness that asks it", BYTES("signal"), e->target);
	return true;
}

bool protect_effect(struct subject *s, const struct command_effect *e)
{
	switch ((int)e->effect) {
	case EFFECT_SIGNAL:
	case EFFECT_ATTACH:
		return protect_signal(s, e);
	case EFFECT_SERVICE_RESTART:
	case EFFECT_SERVICE_STOP:
	case EFFECT_SERVICE_ENABLE:
	case EFFECT_SERVICE_GUARD_OFF:
	case EFFECT_PACKAGE_REMOVE:
	case EFFECT_PACKAGE_REMOVE_CORE:
		if (e->target.len == 0 || memmem(e->target.p, e->target.len, "auto-classifier", 15) == NULL)
			return false;
		protect(s, "it stops or removes the gate", BYTES("service"), e->target);
		return true;
	case EFFECT_TERMINAL_INPUT:
		if (!is_own_terminal(s->invocation))
			return false;
		protect(s, "it types into the agent's own terminal", BYTES("terminal"), e->target);
		return true;
	default:
		return false;
	}
}

void protect_invocation(struct subject *s, const struct invocation *inv)
{
	protect_own_commands(s, inv);
	protect_agents(s, inv);
}
