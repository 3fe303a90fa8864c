/* SPDX-License-Identifier: Apache-2.0 */
/* `config show`, `check` and `path`: what the settings are, what is wrong with them, where they stand. */
#include "broker/cli/cli.h"
#include "broker/cli/options.h"
#include "broker/config_load.h"

enum { EXIT_PROBLEMS = 1 };

static int print(struct broker *b, struct textbuf *text)
{
	return text->failed ? -ENOMEM : broker_out(b, text->p, text->len);
}

static int show(struct broker *b, bool origin)
{
	CLEANUP(freep) char *text = NULL;
	int r;

	r = config_show(b->config, origin, &text);
	if (r == 0)
		r = broker_out(b, text, strlen(text));
	if (r < 0)
		return r;
	return config_is_broken(b->config) ? EXIT_PROBLEMS : 0;
}

/* What a hook would find in this environment: variables that a person may use and a hook ignores. */
static int hook_view(const struct broker *b, struct config **ret)
{
	const struct config_sources sources = {
		.environment = b->start.environment,
		.other_names = b->start.other_names,
		.home = b->home,
		.hook = true,
	};

	return config_load(&sources, ret, NULL);
}

static size_t put_problems(struct textbuf *text, const struct config *c, bool variables_only)
{
	const struct config_problem *p;
	size_t n = config_problems(c, &p), shown = 0;

	for (size_t i = 0; i < n; i++) {
		if (variables_only && p[i].layer != LAYER_ENVIRONMENT)
			continue;
		textbuf_puts(text, p[i].fatal ? "error: " : "warning: ");
		config_problem_print(&p[i], text);
		textbuf_putc(text, '\n');
		shown++;
	}
	return shown;
}

static int check(struct broker *b)
{
	CLEANUP(textbuf_done) struct textbuf text = { 0 };
	CLEANUP(config_freep) struct config *hook = NULL;
	bool broken = config_is_broken(b->config), overlay = config_overlay_broken(b->config);
	size_t shown;
	int r;

	r = hook_view(b, &hook);
	if (r < 0)
		return r;
	shown = put_problems(&text, b->config, false);
	shown += put_problems(&text, hook, true);
	if (broken)
		textbuf_puts(&text, "Every command is denied until the errors are mended.\n");
	else if (overlay)
		textbuf_puts(&text, "Until the overlay is mended it does not count, nobody is asked, and nothing is "
			"looser than as shipped.\n");
	else if (shown == 0)
		textbuf_puts(&text, "The configuration is in order.\n");
	r = print(b, &text);
	if (r < 0)
		return r;
	return broken || overlay ? EXIT_PROBLEMS : 0;
}

static void put_path(struct textbuf *text, const char *what, const char *path, bool read)
{
	if (path)
		textbuf_printf(text, "%-12s %s%s\n", what, path, read ? "" : "  (not read)");
}

static int paths(struct broker *b)
{
	CLEANUP(textbuf_done) struct textbuf text = { 0 };
	const struct config_files *f = b->files;
	int r;

	put_path(&text, "host", f->host, f->host_read);
	put_path(&text, "file", f->file, f->file_read);
	put_path(&text, "overlay", f->overlay, f->overlay_read);
	put_path(&text, "remotes", f->remotes, f->remotes_read);
	put_path(&text, "floor", f->floor, f->floor_read);
	r = print(b, &text);
	return r < 0 ? r : 0;
}

int cli_config(struct broker *b)
{
	bool origin = false, help = false;
	const struct option_spec specs[] = {
		{ .name = "--origin", .flag = &origin },
		{ .name = "--help", .flag = &help },
		{ .name = "-h", .flag = &help },
	};
	const char *verb = "show", *error, *what;
	int n = 0;

	if (options_read(b->start.argc, b->start.argv, 2, specs, ARRAY_LEN(specs), &verb, 1, &n, &error, &what) < 0)
		return cli_usage_error(b, error, what);
	if (help)
		return cli_command_help(b);
	if (strcmp(verb, "show") == 0)
		return show(b, origin);
	if (origin)
		return cli_usage_error(b, "only `config show` takes --origin", NULL);
	if (strcmp(verb, "check") == 0)
		return check(b);
	if (strcmp(verb, "path") == 0)
		return paths(b);
	return cli_usage_error(b, "not show, check or path", verb);
}
