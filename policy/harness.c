/* SPDX-License-Identifier: Apache-2.0 */
/* The harness table: how long each waits, how it runs a line, and what it is told when nobody can decide. */
#include "policy/harness.h"

#define SAID                                                                                                   \
	"auto-classifier could not judge this call, so it is blocked. Tell the user that the safety gate "     \
	"failed; do not look for a way around it."
#define STDERR "auto-classifier: the gate could not judge this call, so it is blocked\n"

#define DENY_DECISION "{\"decision\":\"deny\",\"reason\":\"" SAID "\"}\n"
#define DENY_NESTED                                                                                            \
	"\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\","            \
	"\"permissionDecisionReason\":\"" SAID "\"}"
#define DENY_CLAUDE "{" DENY_NESTED "}\n"
/* Camel-case events read the upper level only, Pascal-case ones either: so both are given. */
#define DENY_COPILOT "{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"" SAID "\"," DENY_NESTED "}\n"
#define DENY_CURSOR "{\"permission\":\"deny\",\"user_message\":\"" SAID "\",\"agent_message\":\"" SAID "\"}\n"
#define DENY_CHECK                                                                                             \
	"{\n  \"decision\": \"deny\",\n  \"reason\": \"" SAID "\",\n  \"consecutiveCount\": 0,\n"              \
	"  \"escalated\": false,\n  \"gateRaised\": true,\n  \"source\": \"error\"\n}\n"

/*
 * Exit status 2 blocks, whatever stdout holds, on every harness but agy, which counts it as a broken hook and runs the
 * tool; stdout still carries the deny for those that read it first. shell: persistent unless known to be fresh.
 */
const struct harness_spec harness_specs[HARNESS__MAX] = {
	[HARNESS_UNKNOWN] = { "", 20000, SHELL_PERSISTENT, "login", false, { DENY_CLAUDE, STDERR, 2 } },
	[HARNESS_AGY] = { "agy", 20000, SHELL_PERSISTENT, "login", true, { DENY_DECISION, STDERR, 0 } },
	[HARNESS_CLAUDE] = { "claude", 30000, SHELL_FRESH, "bash-or-zsh", true, { DENY_CLAUDE, STDERR, 2 } },
	[HARNESS_CODEX] = { "codex", 30000, SHELL_FRESH, "login", false, { DENY_CLAUDE, STDERR, 2 } },
	[HARNESS_COPILOT] = { "copilot", 30000, SHELL_PERSISTENT, "bash", false, { DENY_COPILOT, STDERR, 2 } },
	[HARNESS_GEMINI] = { "gemini", 30000, SHELL_FRESH, "bash", false, { DENY_DECISION, STDERR, 2 } },
	[HARNESS_CURSOR] = { "cursor", 30000, SHELL_PERSISTENT, "login", false, { DENY_CURSOR, STDERR, 2 } },
	[HARNESS_OPENCODE] = { "opencode", 25000, SHELL_FRESH, "login", false, { DENY_DECISION, STDERR, 2 } },
	[HARNESS_PI] = { "pi", 25000, SHELL_FRESH, "bash", false, { DENY_DECISION, STDERR, 2 } },
	[HARNESS_CLI] = { "cli", 60000, SHELL_PERSISTENT, "bash", false, { DENY_CHECK, STDERR, 2 } },
};

enum harness harness_from_name(const char *name, size_t len)
{
	for (size_t i = HARNESS_UNKNOWN + 1; i < HARNESS__MAX; i++)
		if (bytes_is((struct bytes){ name, len }, harness_specs[i].name))
			return (enum harness)i;
	return HARNESS_UNKNOWN;
}

enum harness harness_from_wire(uint32_t v)
{
	return v < HARNESS__MAX ? (enum harness)v : HARNESS_UNKNOWN;
}
