/* SPDX-License-Identifier: Apache-2.0 */
/* What test runners, checkers and builders of a project have in common: they run its code, wherever their
 * options point inside it. */
#include "policy/paths/paths.h"
#include "worker/commands/model.h"

static bool leads_outside(struct bytes path)
{
	return bytes_start(path, "/") || bytes_start(path, "../") || bytes_is(path, "..") ||
		bytes_start(path, "~") || bytes_find(path, "/../");
}

/* Of the web; file:///elsewhere is a path. */
static bool is_address(struct bytes text)
{
	return bytes_start(text, "https://") || bytes_start(text, "http://");
}

static size_t before_mark(struct bytes text, const char *marks)
{
	size_t n = 0;

	while (n < text.len && !(text.p[n] && strchr(marks, text.p[n])))
		n++;
	return n;
}

/* Options by which these tools take code, plugins or hosts from elsewhere. */
static bool brings_code(struct bytes word)
{
	static const char *const options[] = { "--resolve-plugins", "--rulesdir", "--plugin",
		"--load-plugins", "--python-executable", "--confcutdir", "--override-ini", "--env-file",
		"--node-option", "--exec", "--command", "--shell", "--cmd", "--script-shell", "--use-dotenv",
		"--proxy", "--init-hook", "-Dorg.gradle.jvmargs", "--chooser", "--run_under",
		"--override", "--install-types" };

	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (bytes_start(word, options[i]))
			return true;
	return false;
}

/* Tasks of gradle, sbt, maven and mix; a file that is only called so has a slash or an extension. */
static bool is_release_task(struct bytes word)
{
	return (bytes_start(word, "publish") && !bytes_char(word, '.') && !bytes_char(word, '/')) ||
		bytes_find(word, ":publish") || bytes_start(word, "closeAndRelease") ||
		in_list(word, "hex.publish release:perform release:prepare deploy:deploy-file uploadArchives "
			      "scm:checkin wagon:upload");
}

/* These have none of such commands, or are asked elsewhere: a bare word is a file, or chooses among their tests. */
static const char without_commands[] = "pytest jest vitest mocha playwright tsc vue-tsc eslint prettier rspec phpunit "
	"unittest bats tox";

/*
 * Commands by which such tools run whatever stands behind, or turn to a service: as the first word that is no option,
 * nor the value of the option in front of it.
 */
static void check_command(struct run *run, struct bytes tool)
{
	bool value = true;

	if (in_list(tool, without_commands))
		return;
	for (uint32_t i = 0; i < run->argc && value; i++) {
		struct bytes word = run->argv[i].text;

		if (bytes_start(word, "-"))
			continue;
		value = i > 0 && bytes_start(run->argv[i - 1].text, "-") && !bytes_char(run->argv[i - 1].text, '=');
		if (run->argv[i].is_static && in_list(word, "exec x dlx login logout link connect run-commands"))
			run_open(run, "%.*s %.*s runs another program, or turns to a service", (int)tool.len, tool.p,
				(int)word.len, word.p);
		else if (bytes_is(word, "add") && in_list(tool, "nx ng"))
			run_open(run, "%.*s add runs what it installs", (int)tool.len, tool.p);
	}
}

/* Formatters and checkers print the text of a file that is named to them; an option may name one to be loaded. */
static void check_secret(struct run *run, uint32_t i)
{
	const struct arg *a = &run->argv[i];

	if (!a->is_static || bytes_start(a->text, "-") || !path_is_secret(a->text) ||
		(i > 0 && bytes_start(run->argv[i - 1].text, "-") && bytes_find(run->argv[i - 1].text, "env")))
		return;
	run_effect(run, EFFECT_READ, a);
}

/* An address of another machine, or settings as text, in which paths are not seen. */
static bool is_hidden(struct bytes word)
{
	return (bytes_find(word, "://") && !bytes_find(word, "://localhost") && !bytes_find(word, "://127.0.0.1")) ||
		bytes_start(word, "{") || bytes_find(word, "={");
}

void run_project_tool_named(struct run *run, struct bytes tool)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	check_command(run, tool);
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];
		const char *eq = a->text.len ? memchr(a->text.p, '=', a->text.len) : NULL;
		struct arg path = *a;

		check_secret(run, i);
		if (!a->is_static && a->text.len == 0 && !(a->flags & WORD_GLOB))
			run_open(run, "a word of %s is not known before it runs", run->model->name);
		if (a->is_static && in_list(a->text, "publish deploy gh-deploy try-repo archive.install"))
			run_open(run, "%s %.*s reaches outside the project", run->model->name,
				(int)a->text.len, a->text.p);
		if (is_release_task(a->text))
			run_open(run, "%s %.*s publishes", run->model->name, (int)a->text.len, a->text.p);
		if (bytes_start(a->text, "@") && bytes_char(a->text, '/'))
			run_open(run, "%s takes its options from a file", run->model->name);
		if (brings_code(a->text))
			run_open(run, "%s takes code or configuration from elsewhere", run->model->name);
		if (bytes_is(a->text, "--scan") && in_list(bytes_str(run->model->name), "gradle ./gradlew"))
			run_open(run, "gradle --scan sends the build's records to a service");
		/* Sources of packages are ruled upon by themselves. */
		if (is_hidden(a->text) && !bytes_start(run->out->program, "dotnet"))
			run_open(run, "%s is given an address, or settings as text", run->model->name);
		if (eq && (bytes_start(a->text, "-") || !leads_outside(a->text)))
			path.text = bytes_from(a->text, (size_t)(eq + 1 - a->text.p));
		else if (bytes_start(a->text, "-") && !bytes_start(a->text, "--") && a->text.len > 2)
			path.text = bytes_from(a->text, 2);
		/* html:/elsewhere, and whatever else stands behind a mark. */
		while (!leads_outside(path.text) && bytes_start(a->text, "-") && !is_address(path.text) &&
			(bytes_char(path.text, ':') || bytes_char(path.text, ',')))
			path.text = bytes_from(path.text, 1 + before_mark(path.text, ":,"));
		/* //package:target is bazel's for the workspace. */
		if (leads_outside(path.text) &&
			!(bytes_start(path.text, "//") && strcmp(run->model->name, "bazel") == 0))
			run_effect(run, EFFECT_RUN_PROJECT, &path);
	}
}

void run_project_tool(struct run *run)
{
	run_project_tool_named(run, bytes_str(run->model->name));
}
