/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong command lines, colour, and the options that check, parse and explain have in common. */
#include "broker/cli/cli.h"
#include "broker/cli/options.h"
#include "policy/text/oneline.h"

int cli_usage_error(struct broker *b, const char *error, const char *what)
{
	const struct command_spec *spec = b->start.command;
	CLEANUP(textbuf_done) struct textbuf text = { 0 };
	int r;

	textbuf_printf(&text, "auto-classifier %s: %s", spec->name, error);
	if (what) {
		textbuf_puts(&text, ": ");
		text_oneline(&text, (struct bytes){ what, strlen(what) }, 200);
	}
	textbuf_printf(&text, "\nusage: auto-classifier %s %s\n", spec->name, spec->usage);
	if (text.failed)
		return -ENOMEM;
	r = broker_err(b, text.p, text.len);
	return r < 0 ? r : EXIT_USAGE;
}

/* https://no-color.org: set and not empty means no. */
bool cli_wants_colour(const struct broker *b)
{
	const char *no_colour = broker_getenv(b, "NO_COLOR"), *term = broker_getenv(b, "TERM");

	return b->start.stdout_tty && !(no_colour && *no_colour) && !(term && strcmp(term, "dumb") == 0);
}

static bool dialect_is_known(const char *name)
{
	static const char *const names[] = { "bash", "posix", "zsh", "other" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Which options mean something together. NULL: all is well. */
static const char *judge_options_conflict(const struct judge_options *o)
{
	if (o->batch && o->command)
		return "--batch reads its commands from standard input";
	if (!o->batch && !o->command)
		return "which command? Give it as one argument, quoted";
	if (o->record && !o->batch)
		return "--record goes with --batch";
	if (o->dialect && !dialect_is_known(o->dialect))
		return "a dialect is bash, posix, zsh or other";
	return NULL;
}

int judge_options_parse(
	int argc, char **argv, struct judge_options *ret, const char **ret_error, const char **ret_what)
{
	struct judge_options o = { 0 };
	const struct option_spec specs[] = {
		{ "--session", &o.session, NULL },
		{ "--cwd", &o.cwd, NULL },
		{ "--dialect", &o.dialect, NULL },
		{ "--batch", NULL, &o.batch },
		{ "--record", NULL, &o.record },
		{ "--json", NULL, &o.json },
		{ "--help", NULL, &o.help },
		{ "-h", NULL, &o.help },
	};
	int n, r;

	*ret_what = NULL;
	r = options_read(argc, argv, 2, specs, ARRAY_LEN(specs), &o.command, 1, &n, ret_error, ret_what);
	if (r == 0 && !o.help) {
		*ret_error = judge_options_conflict(&o);
		r = *ret_error ? -EINVAL : 0;
	}
	if (r == 0)
		*ret = o;
	return r;
}
