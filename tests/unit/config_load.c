/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration's files as they are found on a disk: places, precedence, and everything a file should not be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "broker/config_load.h"
#include "tests/unit/config_help.h"

/* A home and an /etc of its own for each test, below a directory that the group removes. */
struct world {
	char root[64], home[96], etc[96], dir[160];
};

static int begin(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	char command[512];

	snprintf(w->root, sizeof(w->root), "/tmp/config-load-XXXXXX");
	if (!mkdtemp(w->root))
		return -1;
	snprintf(w->home, sizeof(w->home), "%s/home", w->root);
	snprintf(w->etc, sizeof(w->etc), "%s/etc", w->root);
	snprintf(w->dir, sizeof(w->dir), "%s/.config/auto-classifier", w->home);
	snprintf(command, sizeof(command), "mkdir -p '%s' '%s'", w->dir, w->etc);
	*state = w;
	return system(command);
}

static int end(void **state)
{
	struct world *w = *state;
	char command[512];

	snprintf(command, sizeof(command), "chmod -R u+rwX '%s' && rm -rf '%s'", w->root, w->root);
	if (system(command) != 0)
		return -1;
	free(w);
	return 0;
}

static void put(const char *directory, const char *name, const char *text)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

struct loaded {
	struct config *config;
	struct config_files *files;
};

static void loaded_done(struct loaded *l)
{
	config_free(l->config);
	config_files_free(l->files);
}

static struct loaded load(const struct world *w, bool hook, char *const *environment)
{
	const struct config_sources s = {
		.environment = environment, .home = w->home, .hook = hook, .etc = w->etc, .etc_owner = geteuid(),
	};
	struct loaded l = { 0 };

	assert_int_equal(config_load(&s, &l.config, &l.files), 0);
	return l;
}

#define MODEL(name) "{\"llm\": {\"model\": \"" name "\"}}"

static void test_nothing_there(void **state)
{
	const struct world *w = *state;
	CLEANUP(loaded_done) struct loaded l = load(w, true, NULL);
	const struct config_problem *p;

	assert_false(config_is_broken(l.config));
	assert_int_equal(config_problems(l.config, &p), 0);
	assert_string_equal(config_string(l.config, CFG_LLM_MODEL), "deepseek-flash");
	assert_false(l.files->file_read || l.files->host_read || l.files->overlay_read || l.files->floor_read);
	assert_non_null(strstr(l.files->file, "/.config/auto-classifier/config.jsonc"));
	assert_string_equal(l.files->directory, w->dir);
}

static void test_no_home(void **state)
{
	const struct world *w = *state;
	const struct config_sources s = { .hook = true, .etc = w->etc, .etc_owner = geteuid() };
	CLEANUP(loaded_done) struct loaded l = { 0 };

	put(w->etc, "config.jsonc", MODEL("host"));
	assert_int_equal(config_load(&s, &l.config, &l.files), 0);
	assert_false(config_is_broken(l.config));
	assert_string_equal(config_string(l.config, CFG_LLM_MODEL), "host");
	assert_null(l.files->directory);
}

static void test_precedence(void **state)
{
	const struct world *w = *state;
	char *environment[] = { (char[]){ "AUTO_CLASSIFIER_MODEL=variable" }, NULL };
	static const struct {
		const char *where, *text, *model;
	} steps[] = {
		{ "host", MODEL("host"), "host" },
		{ "config.json", MODEL("json"), "json" },
		{ "config.jsonc", MODEL("jsonc"), "jsonc" },
		{ "local.jsonc", MODEL("overlay"), "overlay" },
		{ "floor", MODEL("floor"), "floor" },
	};

	for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
		CLEANUP(loaded_done) struct loaded l = { 0 };

		if (strcmp(steps[i].where, "host") == 0)
			put(w->etc, "config.jsonc", steps[i].text);
		else if (strcmp(steps[i].where, "floor") == 0)
			put(w->etc, "policy.jsonc", steps[i].text);
		else
			put(w->dir, steps[i].where, steps[i].text);
		l = load(w, true, NULL);
		assert_false(config_is_broken(l.config));
		assert_string_equal(config_string(l.config, CFG_LLM_MODEL), steps[i].model);
		loaded_done(&l);
		l = load(w, false, environment);
		assert_string_equal(config_string(l.config, CFG_LLM_MODEL),
			i + 1 < ARRAY_LEN(steps) ? "variable" : "floor");
	}
}

static void test_named_by_variable(void **state)
{
	const struct world *w = *state;
	char file[512], overlay[512];
	char *environment[] = { file, overlay, NULL };

	put(w->dir, "config.jsonc", MODEL("usual"));
	put(w->home, "other.jsonc", MODEL("named"));
	put(w->home, "over.jsonc", "{\"policy\": {\"headless\": true}}");
	snprintf(file, sizeof(file), "AUTO_CLASSIFIER_CONFIG=%s/other.jsonc", w->home);
	snprintf(overlay, sizeof(overlay), "AUTO_CLASSIFIER_LOCAL_CONFIG=%s/over.jsonc", w->home);
	for (int trusted = 0; trusted < 2; trusted++) {
		CLEANUP(loaded_done) struct loaded person = { 0 }, hook = { 0 };

		if (trusted)
			put(w->dir, "config.jsonc", "{\"environment\": \"trusted\", \"llm\": {\"model\": \"usual\"}}");
		person = load(w, false, environment);
		assert_string_equal(config_string(person.config, CFG_LLM_MODEL), "named");
		assert_true(config_bool(person.config, CFG_POLICY_HEADLESS));
		hook = load(w, true, environment);
		assert_string_equal(config_string(hook.config, CFG_LLM_MODEL), trusted ? "named" : "usual");
		assert_int_equal(config_bool(hook.config, CFG_POLICY_HEADLESS), trusted);
		assert_int_equal(problem_says(hook.config, "does not count in a hook", false), !trusted);
	}
}

/* A file that a variable names cannot say that variables are to be trusted. */
static void test_trust_is_not_borrowed(void **state)
{
	const struct world *w = *state;
	char file[512];
	char *environment[] = { file, (char[]){ "AUTO_CLASSIFIER_MODEL=variable" }, NULL };
	CLEANUP(loaded_done) struct loaded l = { 0 };

	put(w->home, "repo.jsonc", "{\"environment\": \"trusted\", \"policy\": {\"consecutiveThreshold\": 99}}");
	snprintf(file, sizeof(file), "AUTO_CLASSIFIER_CONFIG=%s/repo.jsonc", w->home);
	l = load(w, true, environment);
	assert_string_equal(config_string(l.config, CFG_LLM_MODEL), "deepseek-flash");
	assert_int_equal(config_int(l.config, CFG_POLICY_CONSECUTIVE_THRESHOLD), 2);
	assert_string_equal(config_string(l.config, CFG_ENVIRONMENT), "tighten");
}

static void test_floor_forbids_trust(void **state)
{
	const struct world *w = *state;
	char *environment[] = { (char[]){ "AUTO_CLASSIFIER_MODEL=variable" }, NULL };
	CLEANUP(loaded_done) struct loaded l = { 0 };

	put(w->dir, "config.jsonc", "{\"environment\": \"trusted\"}");
	put(w->etc, "policy.jsonc", "{\"environment\": \"tighten\"}");
	l = load(w, true, environment);
	assert_string_equal(config_string(l.config, CFG_LLM_MODEL), "deepseek-flash");
}

static void test_named_but_missing(void **state)
{
	const struct world *w = *state;
	char *environment[] = { (char[]){ "AUTO_CLASSIFIER_CONFIG=/no/such/file" }, NULL };
	CLEANUP(loaded_done) struct loaded l = { 0 };

	put(w->dir, "config.jsonc", MODEL("usual"));
	l = load(w, false, environment);
	assert_string_equal(config_string(l.config, CFG_LLM_MODEL), "usual");
	assert_true(problem_says(l.config, "does not exist", false));
}

static void test_overlay_outside_home(void **state)
{
	const struct world *w = *state;
	char overlay[512], link[512], target[512];
	char *environment[] = { overlay, NULL };

	put(w->root, "over.jsonc", MODEL("overlay"));
	snprintf(target, sizeof(target), "%s/over.jsonc", w->root);
	snprintf(link, sizeof(link), "%s/link.jsonc", w->home);
	assert_int_equal(symlink(target, link), 0);
	for (int linked = 0; linked < 2; linked++) {
		CLEANUP(loaded_done) struct loaded l = { 0 };

		snprintf(overlay, sizeof(overlay), "AUTO_CLASSIFIER_LOCAL_CONFIG=%.400s", linked ? link : target);
		l = load(w, false, environment);
		assert_string_equal(config_string(l.config, CFG_LLM_MODEL), "deepseek-flash");
		assert_true(problem_says(l.config, "outside the home directory", false));
		assert_false(config_overlay_broken(l.config));
	}
}

/* What may stand at a file's place, and whether it can be read. */
enum thing {
	REGULAR,
	LINK,
	DIRECTORY,
	FIFO,
	DEVICE,
	LOOP,
	DANGLING,
	UNREADABLE,
	SHARED,
	HUGE,
	EMPTY,
	BINARY,
	N_THINGS
};

static const char *const thing_problems[N_THINGS] = {
	[DIRECTORY] = "is a directory",
	[FIFO] = "is no regular file",
	[DEVICE] = "is no regular file",
	[LOOP] = "symbolic links",
	[DANGLING] = "link to nothing",
	[UNREADABLE] = "denied",
	[SHARED] = "may be written by others",
	[HUGE] = "1 MiB",
	[BINARY] = "UTF-8",
};

static void make(enum thing thing, const char *directory, const char *name)
{
	char path[512], other[512];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	snprintf(other, sizeof(other), "%s/%s.real", directory, name);
	switch (thing) {
	case REGULAR:
	case LINK:
	case UNREADABLE:
	case SHARED:
		put(directory, thing == LINK ? strcat(strcpy(other, name), ".real") : name, MODEL("there"));
		if (thing == LINK)
			assert_int_equal(symlink(other, path), 0);
		if (thing == UNREADABLE)
			assert_int_equal(chmod(path, 0), 0);
		if (thing == SHARED)
			assert_int_equal(chmod(path, 0666), 0);
		break;
	case DIRECTORY:
		assert_int_equal(mkdir(path, 0700), 0);
		break;
	case FIFO:
		assert_int_equal(mkfifo(path, 0600), 0);
		break;
	case DEVICE:
		assert_int_equal(symlink("/dev/zero", path), 0);
		break;
	case LOOP:
		assert_int_equal(symlink(name, path), 0);
		break;
	case DANGLING:
		assert_int_equal(symlink("/no/such/file", path), 0);
		break;
	case HUGE:
		put(directory, name, "{}");
		assert_int_equal(truncate(path, 2 << 20), 0);
		break;
	case EMPTY:
		put(directory, name, "");
		break;
	case BINARY:
		put(directory, name, "{\"a\": \"\xff\xfe\"}");
		break;
	case N_THINGS:
		break;
	}
}

static bool can_be_refused(enum thing thing)
{
	return thing != UNREADABLE || geteuid() != 0; /* root reads all */
}

static void check_thing(const struct world *w, enum thing thing, const char *directory, const char *name, bool overlay,
	bool floor)
{
	CLEANUP(loaded_done) struct loaded l = { 0 };
	bool bad = thing_problems[thing] || (floor && thing == EMPTY);
	char command[512];

	make(thing, directory, name);
	l = load(w, true, NULL);
	if (can_be_refused(thing)) {
		assert_int_equal(config_is_broken(l.config), bad && !overlay);
		assert_int_equal(config_overlay_broken(l.config), bad && overlay);
		if (thing_problems[thing] && !problem_says(l.config, thing_problems[thing], true))
			fail_msg("%s: thing %d", name, thing);
		if (bad && overlay)
			assert_true(config_bool(l.config, CFG_POLICY_HEADLESS));
	}
	if (thing == REGULAR || thing == LINK)
		assert_string_equal(config_string(l.config, CFG_LLM_MODEL), "there");
	snprintf(command, sizeof(command), "rm -rf '%s'/%s*", directory, name);
	assert_int_equal(system(command), 0);
}

static void test_things(void **state)
{
	const struct world *w = *state;

	for (enum thing t = REGULAR; t < N_THINGS; t++) {
		check_thing(w, t, w->dir, "config.jsonc", false, false);
		check_thing(w, t, w->dir, "config.json", false, false);
		check_thing(w, t, w->dir, "local.jsonc", true, false);
		check_thing(w, t, w->etc, "config.jsonc", false, false);
		check_thing(w, t, w->etc, "policy.jsonc", false, true);
	}
}

/* A directory that cannot be searched may hold a floor. */
static void test_closed_directories(void **state)
{
	const struct world *w = *state;

	if (geteuid() == 0)
		skip();
	for (int i = 0; i < 2; i++) {
		const char *directory = i == 0 ? w->etc : w->dir;
		CLEANUP(loaded_done) struct loaded l = { 0 };

		assert_int_equal(chmod(directory, 0), 0);
		l = load(w, true, NULL);
		assert_int_equal(chmod(directory, 0700), 0);
		assert_true(config_is_broken(l.config));
		assert_true(problem_says(l.config, "denied", true));
	}
}

/* The host's files must be the host's owner's; the user's may be either's. */
static void test_owners(void **state)
{
	const struct world *w = *state;
	const struct config_sources s = { .home = w->home, .hook = true, .etc = w->etc, .etc_owner = geteuid() + 1 };

	for (int floor = 0; floor < 2; floor++) {
		CLEANUP(loaded_done) struct loaded l = { 0 };
		const char *name = floor ? "policy.jsonc" : "config.jsonc";
		char path[512];

		put(w->etc, name, "{}");
		put(w->dir, "config.jsonc", MODEL("mine"));
		assert_int_equal(config_load(&s, &l.config, &l.files), 0);
		assert_true(config_is_broken(l.config));
		assert_true(problem_says(l.config, "does not belong to root", true));
		assert_string_equal(config_string(l.config, CFG_LLM_MODEL), "mine");
		snprintf(path, sizeof(path), "%s/%s", w->etc, name);
		assert_int_equal(unlink(path), 0);
	}
	if (geteuid() == 0) {
		CLEANUP(loaded_done) struct loaded l = { 0 };
		char path[512];

		snprintf(path, sizeof(path), "%s/config.jsonc", w->dir);
		assert_int_equal(chown(path, 12345, 12345), 0);
		l = load(w, true, NULL);
		assert_true(problem_says(l.config, "belongs to another user", true));
	}
}

static void test_config_path(void **state)
{
	const struct world *w = *state;
	char path[512];
	struct config_sources s = {
		.home = w->home, .hook = true, .etc = w->etc, .etc_owner = geteuid(), .config_path = path,
	};

	put(w->dir, "config.jsonc", MODEL("usual"));
	put(w->root, "flag.jsonc", MODEL("flag"));
	for (int missing = 0; missing < 2; missing++) {
		CLEANUP(loaded_done) struct loaded l = { 0 };

		snprintf(path, sizeof(path), "%s/%s", w->root, missing ? "none.jsonc" : "flag.jsonc");
		assert_int_equal(config_load(&s, &l.config, &l.files), 0);
		assert_int_equal(config_is_broken(l.config), missing);
		if (!missing)
			assert_string_equal(config_string(l.config, CFG_LLM_MODEL), "flag");
	}
}

static void test_remotes_file(void **state)
{
	const struct world *w = *state;
	const char *const *list;

	put(w->dir, "config.jsonc",
		"{\"sanctionedRemotesFile\": \"remotes.json\", \"sanctionedRemotes\": [\"a.org\"]}");
	for (enum thing t = REGULAR; t < N_THINGS; t++) {
		CLEANUP(loaded_done) struct loaded l = { 0 };
		char command[512];

		if (!can_be_refused(t))
			continue;
		make(t, w->dir, "remotes.json");
		if (t == REGULAR)
			put(w->dir, "remotes.json", "[\"b.org\"]");
		l = load(w, true, NULL);
		assert_false(config_is_broken(l.config));
		assert_int_equal(config_strings(l.config, CFG_SANCTIONED_REMOTES, &list), t == REGULAR ? 2 : 1);
		if (t != REGULAR) {
			const struct config_problem *p;

			assert_true(config_problems(l.config, &p) > 0);
		}
		snprintf(command, sizeof(command), "rm -rf '%s'/remotes.json*", w->dir);
		assert_int_equal(system(command), 0);
	}
}

/* A repository's .env that sets every variable we read, in a hook: nothing is looser, no origin moves. */
static void test_hostile_environment(void **state)
{
	const struct world *w = *state;
	char *environment[CFG__MAX * 2 + 1];
	size_t n = 0;
	CLEANUP(loaded_done) struct loaded plain = load(w, true, NULL), l = { 0 };
	const char *const *branches;

	for (size_t k = 0; k < CFG__MAX; k++) {
		const char *p = config_specs[k].env;

		while (p && *p) {
			size_t len = strcspn(p, " ");

			assert_true(asprintf(&environment[n++], "%.*s=%s", (int)len, p,
				config_specs[k].type == TYPE_INT || config_specs[k].type == TYPE_NUMBER ? "99999" :
				config_specs[k].type == TYPE_BOOL				? "false" :
				config_specs[k].direction == ORDERED				? "ask-user" :
												  "evil") > 0);
			p += len + (p[len] == ' ');
		}
	}
	environment[n] = NULL;
	l = load(w, true, environment);
	for (size_t k = 0; k < CFG__MAX; k++) {
		const struct config_spec *s = &config_specs[k];

		if (s->flags & KEY_SECRET || k == CFG_POLICY_PROTECTED_BRANCHES)
			continue;
		assert_int_equal(config_origin(l.config, (enum config_key)k), LAYER_DEFAULT);
		if (s->type == TYPE_STRING)
			assert_string_equal(config_string(l.config, (enum config_key)k),
				config_string(plain.config, (enum config_key)k));
	}
	assert_int_equal(config_strings(l.config, CFG_POLICY_PROTECTED_BRANCHES, &branches), 3);
	while (n > 0)
		free(environment[--n]);
}

#define IN_WORLD(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_WORLD(test_nothing_there),
		IN_WORLD(test_no_home),
		IN_WORLD(test_precedence),
		IN_WORLD(test_named_by_variable),
		IN_WORLD(test_trust_is_not_borrowed),
		IN_WORLD(test_floor_forbids_trust),
		IN_WORLD(test_named_but_missing),
		IN_WORLD(test_overlay_outside_home),
		IN_WORLD(test_things),
		IN_WORLD(test_closed_directories),
		IN_WORLD(test_owners),
		IN_WORLD(test_config_path),
		IN_WORLD(test_remotes_file),
		IN_WORLD(test_hostile_environment),
	};

	umask(022);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
