/* SPDX-License-Identifier: Apache-2.0 */
/* What test runners, checkers and builders of a project have in common: they run its code, wherever their
 * options point inside it. */
#include "policy/paths/paths.h"
#include "worker/commands/model.h"

/* As people call it. */
#define PROGRAM(run) (int)((run)->out->program.len < 60 ? (run)->out->program.len : 60), (run)->out->program.p

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
		"--override", "--install-types", "--onSuccess", "--node-arg" };

	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (bytes_start(word, options[i]))
			return true;
	return false;
}

/* :PROJECT:TASK of gradle, //PACKAGE:TARGET of bazel. */
static struct bytes last_part(struct bytes word)
{
	const char *mark = word.len ? memrchr(word.p, ':', word.len) : NULL;
	struct bytes part = mark ? bytes_from(word, (size_t)(mark + 1 - word.p)) : word;
	const char *slash = part.len ? memrchr(part.p, '/', part.len) : NULL;

	return slash ? bytes_from(part, (size_t)(slash + 1 - part.p)) : part;
}

/* Tasks of gradle, sbt, maven and mix; a file that is only called so has a slash or an extension. */
static bool is_release_task(struct bytes word)
{
	struct bytes task = last_part(word);

	return (bytes_start(word, "publish") && !bytes_char(word, '.') && !bytes_char(word, '/')) ||
		bytes_find(word, ":publish") || bytes_start(word, "closeAndRelease") ||
		in_list(task, "jib dockerPush dockerPushImage") ||
		in_list(word, "hex.publish release:perform release:prepare deploy:deploy-file uploadArchives "
			      "scm:checkin wagon:upload jib:build docker:push dockerfile:push");
}

/* What these plugins drop is all there is in the database that the project's settings name. */
static bool is_dropping_task(struct bytes word)
{
	return in_list(last_part(word), "flywayClean liquibaseDropAll dropAll liquibaseRollback") ||
		in_list(word, "flyway:clean liquibase:dropAll liquibase:rollback ecto.drop ecto.reset ecto.rollback");
}

/* The next piece of a task's name, as in db:drop, deploy-prod or app:serve. */
static struct bytes next_piece(struct bytes *rest)
{
	static const char marks[] = "-_:,= ";
	struct bytes piece;
	size_t n = 0;

	while (rest->len && strchr(marks, rest->p[0]))
		*rest = bytes_from(*rest, 1);
	while (n < rest->len && !strchr(marks, rest->p[n]))
		n++;
	piece = (struct bytes){ rest->p, n };
	*rest = bytes_from(*rest, n);
	return piece;
}

/*
 * Names that people give to what sends a project somewhere, or destroys what is not in it. One that only checks or
 * rehearses says so; a name with a dot or a slash is a file's.
 */
static bool reaches_far(struct bytes task)
{
	struct bytes piece, rest = task;
	bool sends = false, destroys = false, removes = false, kept = false;

	if (bytes_char(task, '.') || bytes_char(task, '/'))
		return false;
	piece = next_piece(&rest);
	if (in_list(piece, "test tests lint check verify validate plan e2e"))
		return false;
	for (; piece.len; piece = next_piece(&rest)) {
		if (in_list(piece, "dry dryrun local localhost check"))
			return false;
		sends = sends || bytes_start(piece, "deploy") || bytes_start(piece, "publish") ||
			in_list(piece, "undeploy redeploy push upload");
		destroys = destroys || in_list(piece, "destroy nuke drop dropdb");
		removes = removes || in_list(piece, "purge wipe reset truncate erase delete");
		kept = kept || in_list(piece, "db database prod production staging live data volumes bucket cluster "
			"remote cloud infra users");
	}
	return sends || destroys || (removes && kept);
}

void run_check_label(struct run *run, struct bytes label)
{
	struct bytes piece, task = last_part(label), rest = task;

	run_check_task(run, task);
	for (piece = next_piece(&rest); piece.len; piece = next_piece(&rest))
		if (in_list(piece, "push release upload"))
			run_open(run, "%.*s %.*s sends what it builds, by its name", PROGRAM(run),
				(int)(task.len < 60 ? task.len : 60), task.p);
}

void run_check_task(struct run *run, struct bytes task)
{
	if (reaches_far(task))
		run_open(run, "%.*s %.*s reaches outside the project, by its name", PROGRAM(run),
			(int)(task.len < 60 ? task.len : 60), task.p);
}

/* These have none of such commands, or are asked elsewhere: a bare word is a file, or chooses among their tests. */
static const char without_commands[] = "pytest jest vitest mocha playwright tsc vue-tsc eslint prettier rspec phpunit "
	"unittest bats tox";

/* Whether all their words choose among tests or files. The scripts of a project are called after what they do. */
static bool takes_no_commands(struct bytes tool)
{
	return in_list(tool, without_commands) || bytes_start(tool, "test") || bytes_start(tool, "lint") ||
		in_list(tool, "t tst typecheck type-check format fmt check");
}

/* Commands that reach further than the project: the first word that is no option. */
static const struct {
	const char *tool;
	const char *only; /* the only ones that do not */
	const char *far; /* those that do; NULL and without `only`: the tool itself */
	const char *unless; /* with one of these options they only show what they would do, or keep it here */
	const char *what;
} outward[] = {
	{ "lerna", NULL, "version", "--no-push --no-git-tag-version", "tags a version and pushes it" },
	{ "nx", NULL, "release", "--dry-run -d", "publishes, and changes the repository" },
	{ "semantic-release", NULL, NULL, "--dry-run -d", "tags a version and publishes it" },
	{ "husky", NULL, "add set init uninstall", NULL, "changes what runs at every commit" },
	{ "drizzle-kit", NULL, "push drop studio", NULL, "changes the database, or what stands of its history" },
	{ "wrangler", "dev types whoami docs check build init", NULL, NULL, "changes what runs in the cloud" },
};

static bool has_word(const struct run *run, const char *list)
{
	for (uint32_t i = 0; list && i < run->argc; i++)
		if (run->argv[i].is_static && in_list(run->argv[i].text, list))
			return true;
	return false;
}

/* `command`: empty where there is none, by which most of them print their help. */
static void check_outward(struct run *run, struct bytes tool, struct bytes command)
{
	for (size_t i = 0; i < ARRAY_LEN(outward); i++) {
		bool far = outward[i].only ? command.len > 0 && !in_list(command, outward[i].only) :
			!outward[i].far || in_list(command, outward[i].far);

		if (bytes_is(tool, outward[i].tool) && far && !has_word(run, outward[i].unless))
			run_open(run, "%s%s%.*s %s", outward[i].tool, command.len ? " " : "",
				(int)(command.len < 40 ? command.len : 40), command.p, outward[i].what);
	}
}

/* Tools that are told tasks by their names. */
static const char with_tasks[] = "nx turbo lerna just task invoke inv rake gradle ./gradlew grunt gulp mage";

/*
 * Commands by which such tools run whatever stands behind, or turn to a service: as the first word that is no option,
 * nor the value of the option in front of it.
 */
static void check_command(struct run *run, struct bytes tool)
{
	bool value = true;

	check_outward(run, tool, (struct bytes){ "", 0 });
	for (uint32_t i = 0; i < run->argc && value; i++) {
		struct bytes word = run->argv[i].text;

		if (bytes_start(word, "-"))
			continue;
		value = i > 0 && bytes_start(run->argv[i - 1].text, "-") && !bytes_char(run->argv[i - 1].text, '=');
		if (run->argv[i].is_static && in_list(word, "exec x dlx login logout link connect run-commands"))
			run_open(run, "%.*s %.*s runs another program, or turns to a service", (int)tool.len, tool.p,
				(int)word.len, word.p);
		else if (bytes_is(word, "add") && in_list(tool, "nx ng astro nuxt"))
			run_open(run, "%.*s add runs what it installs", (int)tool.len, tool.p);
		check_outward(run, tool, word);
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

static bool has_component(struct bytes path, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i + n <= path.len; i++)
		if (memcmp(path.p + i, name, n) == 0 && (i == 0 || path.p[i - 1] == '/') &&
			(i + n == path.len || path.p[i + n] == '/'))
			return true;
	return false;
}

/* -o and --out…, --output-file and their like say where something is written. */
static bool names_output(struct bytes option)
{
	return bytes_is(option, "-o") || bytes_start(option, "--out");
}

/*
 * A place that a word, or what stands behind an option's sign in it, leads to: outside the project, or into what
 * decides what runs in it. Options of pytest's are read by its own model.
 */
static void check_place(struct run *run, struct bytes tool, const struct arg *option, const struct arg *path)
{
	struct bytes name = option->text;
	const char *eq = name.len ? memchr(name.p, '=', name.len) : NULL;
	bool written;

	name.len = eq ? (size_t)(eq - name.p) : name.len;
	written = names_output(name) && !bytes_is(tool, "pytest");
	if (leads_outside(path->text))
		run_effect(run, written ? EFFECT_WRITE : EFFECT_RUN_PROJECT, path);
	else if ((written && (bytes_start(path->text, ".") || bytes_find(path->text, "/."))) ||
		has_component(path->text, ".git") || has_component(path->text, ".husky"))
		run_effect(run, EFFECT_WRITE, path);
}

/* What a word says by itself, wherever it stands. */
static void check_word(struct run *run, const struct arg *a, bool commands, bool tasks)
{
	const char *eq = a->text.len ? memchr(a->text.p, '=', a->text.len) : NULL;
	struct bytes value = a->text;

	if (!a->is_static && a->text.len == 0 && !(a->flags & WORD_GLOB))
		run_open(run, "a word of %.*s is not known before it runs", PROGRAM(run));
	if (eq && bytes_start(a->text, "-"))
		value = bytes_from(a->text, (size_t)(eq + 1 - a->text.p));
	if (tasks && a->is_static && (eq || !bytes_start(a->text, "-")))
		run_check_task(run, value);
	if (commands && a->is_static &&
		in_list(a->text, "publish deploy destroy gh-deploy try-repo archive.install"))
		run_open(run, "%.*s %.*s reaches outside the project", PROGRAM(run), (int)a->text.len, a->text.p);
	if (is_release_task(a->text))
		run_open(run, "%.*s %.*s publishes", PROGRAM(run), (int)a->text.len, a->text.p);
	if (commands && is_dropping_task(a->text))
		run_open(run, "%.*s %.*s drops what a database holds", PROGRAM(run), (int)a->text.len, a->text.p);
	if (bytes_start(a->text, "@") && bytes_char(a->text, '/'))
		run_open(run, "%.*s takes its options from a file", PROGRAM(run));
	if (brings_code(a->text))
		run_open(run, "%.*s takes code or configuration from elsewhere", PROGRAM(run));
	if (bytes_is(a->text, "--scan") && in_list(bytes_str(run->model->name), "gradle ./gradlew"))
		run_open(run, "gradle --scan sends the build's records to a service");
	/* Sources of packages are ruled upon by themselves. */
	if (is_hidden(a->text) && !bytes_start(run->out->program, "dotnet"))
		run_open(run, "%.*s is given an address, or settings as text", PROGRAM(run));
}

/* The path in a word: what stands behind an option's name, and behind whatever marks are in front of the path. */
static struct arg path_in(const struct arg *a)
{
	const char *eq = a->text.len ? memchr(a->text.p, '=', a->text.len) : NULL;
	struct arg path = *a;

	if (eq && (bytes_start(a->text, "-") || !leads_outside(a->text)))
		path.text = bytes_from(a->text, (size_t)(eq + 1 - a->text.p));
	else if (bytes_start(a->text, "-") && !bytes_start(a->text, "--") && a->text.len > 2)
		path.text = bytes_from(a->text, 2);
	/* html:/elsewhere, and whatever else stands behind a mark. */
	while (!leads_outside(path.text) && bytes_start(a->text, "-") && !is_address(path.text) &&
		(bytes_char(path.text, ':') || bytes_char(path.text, ',')))
		path.text = bytes_from(path.text, 1 + before_mark(path.text, ":,"));
	return path;
}

void run_project_words(struct run *run, const struct arg *words, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct arg path = path_in(&words[i]);
		bool alone = i == 0 || bytes_start(words[i].text, "-");

		check_place(run, BYTES(""), alone ? &words[i] : &words[i - 1], &path);
	}
}

/* --args='-o /elsewhere' of gradle, and NAME[/elsewhere,…] of rake: words of a program or a task. */
static void check_inner_words(struct run *run, const struct arg *a)
{
	bool args = bytes_start(a->text, "--args"), task = bytes_end(a->text, "]");
	struct bytes rest = a->text;

	while ((args || task) && rest.len) {
		size_t n = before_mark(rest, args ? " =" : "[,] ");
		struct arg word = { .text = { rest.p, n }, .is_static = true };

		run_project_words(run, &word, n > 0);
		rest = bytes_from(rest, n + (n < rest.len));
	}
}

void run_project_tool_named(struct run *run, struct bytes tool)
{
	bool commands = !takes_no_commands(tool), tasks = in_list(tool, with_tasks);

	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	if (commands)
		check_command(run, tool);
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];
		const struct arg path = path_in(a);

		check_secret(run, i);
		check_word(run, a, commands, tasks);
		check_inner_words(run, a);
		/* //package:target is bazel's for the workspace. */
		if (!(bytes_start(path.text, "//") && strcmp(run->model->name, "bazel") == 0))
			check_place(run, tool, bytes_start(a->text, "-") || i == 0 ? a : &run->argv[i - 1], &path);
	}
}

void run_project_tool(struct run *run)
{
	run_project_tool_named(run, bytes_str(run->model->name));
}
