/* SPDX-License-Identifier: Apache-2.0 */
/* `help` and `version`. */
#include <ctype.h>

#include "broker/cli/cli.h"
#include "broker/cli/version.h"
#include "policy/text/textbuf.h"

static int print(struct broker *b, struct textbuf *text)
{
	int r = text->failed ? -ENOMEM : broker_out(b, text->p, text->len);

	textbuf_done(text);
	return r;
}

int cli_version(struct broker *b)
{
	struct textbuf text = { 0 };

	textbuf_printf(&text, "auto-classifier %s\n", version_text);
	return print(b, &text);
}

static int help_of(struct broker *b, const struct command_spec *spec)
{
	struct textbuf text = { 0 };

	textbuf_printf(&text, "usage: auto-classifier %s%s%s\n\n%c%s.\n", spec->name,
		spec->usage[0] ? " " : "", spec->usage, toupper((unsigned char)spec->help[0]), spec->help + 1);
	if (spec->detail)
		textbuf_printf(&text, "\n%s", spec->detail);
	return print(b, &text);
}

int cli_command_help(struct broker *b)
{
	return help_of(b, b->start.command);
}

static const char head[] =
	"auto-classifier decides whether a coding agent's shell command may run, by what it would do.\n"
	"\n"
	"Your agent calls it before each command and gets one of three answers: allow, deny with a reason\n"
	"the agent can act on, or ask, which puts the question to you. Try it by hand first:\n"
	"\n"
	"  auto-classifier check 'git status'\n"
	"  auto-classifier explain 'cd build && rm -rf ../../*'\n"
	"  auto-classifier doctor\n"
	"\n"
	"Commands:\n";

static const char tail[] =
	"\n"
	"check exits 0 for allow, 1 for ask, 2 for deny, 64 for a wrong command line.\n"
	"\n"
	"Hook it up. Claude Code, in ~/.claude/settings.json:\n"
	"\n"
	"  \"hooks\": { \"PreToolUse\": [ { \"matcher\": \"*\", \"hooks\": [ { \"type\": \"command\",\n"
	"      \"command\": \"auto-classifier hook claude --event PreToolUse\", \"timeout\": 30 } ] } ] }\n"
	"\n"
	"and likewise for PermissionRequest and PreSkillShellCommand. agy, in ~/.gemini/config/hooks.json:\n"
	"\n"
	"  { \"auto-classifier\": { \"PreToolUse\": [ { \"matcher\": \"*\", \"hooks\": [ { \"type\": \"command\",\n"
	"      \"command\": \"auto-classifier hook agy --event PreToolUse\", \"timeout\": 20 } ] } ] } }\n"
	"\n"
	"Give the full path where the agent's PATH may lack it: a hook that is not found lets everything run.\n"
	"`auto-classifier doctor` says whether the hooks are in place.\n"
	"\n"
	"Settings: ~/.config/auto-classifier/config.jsonc (see `auto-classifier config show`).\n";

int cli_help(struct broker *b)
{
	const char *name = b->start.argc > 2 ? b->start.argv[2] : NULL;
	struct textbuf text = { 0 };

	if (b->start.argc > 3)
		return cli_usage_error(b, "one argument too many", b->start.argv[3]);
	if (name) {
		const struct command_spec *spec = command_by_name(name);

		return spec ? help_of(b, spec) : cli_usage_error(b, "no such command", name);
	}
	textbuf_puts(&text, head);
	for (size_t i = 0; i < n_command_specs; i++)
		if (!command_specs[i].hidden)
			textbuf_printf(&text, "  %-9s %s\n", command_specs[i].name, command_specs[i].help);
	textbuf_puts(&text, tail);
	return print(b, &text);
}
