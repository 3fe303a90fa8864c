/* SPDX-License-Identifier: Apache-2.0 */
/* The table of subcommands, and how a command line picks one. */
#include "broker/commands.h"

#include "broker/cli/cli.h"
#include "broker/cli/options.h"

#define OPTION_CWD "  --cwd DIR       judge as if it ran there (default: the directory you are in)\n"
#define OPTION_DIALECT                                                                                         \
	"  --dialect NAME  the shell that would read it: bash (default), posix (sh, dash), zsh, other (fish)\n"

static const char check_detail[] =
	"  --session ID    whose denials it counts among (default: cli-check-session)\n" OPTION_CWD OPTION_DIALECT
	"  --batch         read rows from stdin, one JSON object a line: {\"id\", \"command\", \"cwd\"?, \"session\"?};\n"
	"                  print {\"id\", \"decision\", \"source\", \"reason\", \"rule\"?} for each, in order. Denials are\n"
	"                  counted in memory, nothing is written\n"
	"  --record        with --batch: write telemetry all the same\n"
	"\n"
	"Without --batch it is a real call: it is counted and recorded. To look only, use explain.\n"
	"Exit status: 0 allow, 1 ask or force_ask, 2 deny, 64 wrong command line.\n";

static const char explain_detail[] = "  --json          the same as JSON\n" OPTION_CWD OPTION_DIALECT
	"\n"
	"Each command is fine, unsure or harmful, with what it does and where. Nothing is counted or recorded.\n";

static const char parse_detail[] = OPTION_DIALECT
	"  --batch         read {\"id\", \"command\"} from stdin, one a line; print a line for each\n"
	"\n"
	"argv holds null for a word that is known only when the command runs. \"modelled\": false means that the\n"
	"list may not be all. Exit status: 0, or 1 when the shell would refuse the line.\n";

static const char hook_detail[] =
	"  --event EVENT   the event it is installed for (PreToolUse, PermissionRequest ...)\n"
	"  --limit-ms N    how long the harness waits, where that is less than it usually does\n"
	"\n"
	"Without a name the harness is recognised by what it sends. What cannot be understood is denied.\n";

/* clang-format off */
const struct command_spec command_specs[] = {
	{ .name = "check", .usage = "'COMMAND' [--session ID] [--cwd DIR] [--dialect NAME] | --batch [--record]",
	  .help = "decide a command and say why, as JSON", .detail = check_detail,
	  .verdict = true, .worker = true, .run = cli_check },
	{ .name = "explain", .usage = "'COMMAND' [--json] [--cwd DIR] [--dialect NAME]",
	  .help = "show every command in a line, what it does, and what comes of it", .detail = explain_detail,
	  .worker = true, .run = cli_explain },
	{ .name = "parse", .usage = "'COMMAND' [--dialect NAME] | --batch",
	  .help = "list the simple commands in a line, as JSON", .detail = parse_detail,
	  .worker = true, .run = cli_parse },
	{ .name = "config", .usage = "[show [--origin] | check | path]",
	  .help = "show the settings in force, check the files, or say where they are", .run = cli_config },
	{ .name = "models", .usage = "",
	  .help = "list the models that the configured judge offers", .run = cli_models },
	{ .name = "doctor", .usage = "[--judge]",
	  .help = "check the installation and say how to mend what is amiss; --judge: ask the judge, once",
	  .run = cli_doctor },
	{ .name = "hook", .usage = "[agy|claude] [--event EVENT] [--limit-ms N]",
	  .help = "answer a harness: its JSON on stdin, the reply on stdout", .detail = hook_detail,
	  .verdict = true, .hook = true, .worker = true, .input = INPUT_WHOLE, .run = cli_hook },
	{ .name = "agy", .usage = "[--event EVENT] [--limit-ms N]", .help = "the same as `hook agy`",
	  .verdict = true, .hook = true, .worker = true, .input = INPUT_WHOLE, .hidden = true, .run = cli_hook },
	{ .name = "agy-pre-invocation", .usage = "[--limit-ms N]",
	  .help = "the same as `hook agy --event PreInvocation`",
	  .verdict = true, .hook = true, .worker = true, .input = INPUT_WHOLE, .hidden = true, .run = cli_hook },
	{ .name = "version", .usage = "", .help = "print the version", .run = cli_version },
	{ .name = "help", .usage = "[COMMAND]", .help = "print this, or what a command takes", .run = cli_help },
};
/* clang-format on */
const size_t n_command_specs = ARRAY_LEN(command_specs);

const char command_unknown[] = "auto-classifier: unknown command; `auto-classifier help` lists them\n";

static const struct {
	const char *alias, *name;
} aliases[] = {
	{ "--version", "version" },
	{ "-v", "version" },
	{ "--help", "help" },
	{ "-h", "help" },
};

const struct command_spec *command_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
		if (strcmp(name, aliases[i].alias) == 0)
			name = aliases[i].name;
	for (size_t i = 0; i < n_command_specs; i++)
		if (strcmp(name, command_specs[i].name) == 0)
			return &command_specs[i];
	return NULL;
}

/* Milliseconds: digits only, 1 to nine digits. 0 when it is anything else. */
static uint32_t limit_read(const char *s)
{
	uint32_t v = 0;
	size_t n = strlen(s);

	if (n == 0 || n > 9)
		return 0;
	for (; *s; s++) {
		if (*s < '0' || *s > '9')
			return 0;
		v = v * 10 + (uint32_t)(*s - '0');
	}
	return v;
}

/* The harness a hook's command line names, in argv[1] or its operand. False: not one we can answer. */
static bool hook_harness(int argc, char **argv, const char *operand, enum harness *ret)
{
	if (argc > 1 && strncmp(argv[1], "agy", 3) == 0) {
		*ret = HARNESS_AGY;
		return operand == NULL;
	}
	if (!operand) {
		*ret = HARNESS_UNKNOWN;
		return true;
	}
	*ret = harness_from_name(operand, strlen(operand));
	return *ret != HARNESS_UNKNOWN && harness_specs[*ret].hooked;
}

static int hook_options_read(int argc, char **argv, struct hook_options *ret, const char **ret_error)
{
	const char *event = NULL, *limit = NULL, *operand = NULL, *what;
	const struct option_spec specs[] = { { "--event", &event, NULL }, { "--limit-ms", &limit, NULL } };
	struct hook_options o = { 0 };
	int n, r;

	r = options_read(argc, argv, 2, specs, ARRAY_LEN(specs), &operand, 1, &n, ret_error, &what);
	if (r < 0)
		return r;
	if (!hook_harness(argc, argv, operand, &o.harness)) {
		*ret_error = "no such harness, or not one this version can answer";
		return -EINVAL;
	}
	o.event = argc > 1 && strcmp(argv[1], "agy-pre-invocation") == 0 ? "PreInvocation" : event;
	o.limit_ms = harness_specs[o.harness].limit_ms;
	if (limit) {
		uint32_t v = limit_read(limit);

		if (v == 0) {
			*ret_error = "--limit-ms takes a number of milliseconds";
			return -EINVAL;
		}
		if (v < o.limit_ms)
			o.limit_ms = v;
	}
	*ret = o;
	return 0;
}

int hook_options_parse(int argc, char **argv, struct hook_options *ret, const char **ret_error)
{
	int r = hook_options_read(argc, argv, ret, ret_error);

	if (r < 0)
		*ret = (struct hook_options){ .harness = HARNESS_UNKNOWN,
			.limit_ms = harness_specs[HARNESS_UNKNOWN].limit_ms };
	return r;
}

/* Does a well-formed command line ask for rows on stdin? */
static bool wants_batch(const struct command_spec *spec, int argc, char **argv)
{
	struct judge_options o;
	const char *error, *what;

	if (spec->run != cli_check && spec->run != cli_parse)
		return false;
	return judge_options_parse(argc, argv, &o, &error, &what) == 0 && o.batch;
}

const struct command_spec *command_find(int argc, char **argv, bool stdin_is_tty, enum input_mode *ret_input,
	enum harness *ret_harness)
{
	const char *name = argc > 1 ? argv[1] : stdin_is_tty ? "help" : "hook";
	const struct command_spec *spec = command_by_name(name);
	struct hook_options o;
	const char *error;

	if (!spec)
		return NULL;
	*ret_input = wants_batch(spec, argc, argv) ? INPUT_STREAM : spec->input;
	*ret_harness = HARNESS_CLI;
	if (spec->hook)
		*ret_harness = hook_options_parse(argc, argv, &o, &error) == 0 ? o.harness : HARNESS_UNKNOWN;
	return spec;
}
