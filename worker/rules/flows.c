/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one part of a line prepares for another: a manifest written here and run there is code that nobody has looked
 * at,
 * though neither part does harm by itself.
 */
#include "policy/paths/paths.h"
#include "policy/text/fold.h"
#include "worker/rules/internal.h"

/* Files that tell a build tool or a package manager which commands to run. */
static const char manifests[][28] = {
	"package.json", "makefile", "gnumakefile", "makefile.am", "gemfile", "rakefile", "composer.json", "setup.py",
	"setup.cfg",
	"pyproject.toml", "tox.ini", "noxfile.py", "conftest.py", "cargo.toml", "build.rs", "cmakelists.txt",
	"build.gradle",
	"build.gradle.kts", "settings.gradle", "gradlew", "pom.xml", "mvnw", "justfile", "taskfile.yml",
	"taskfile.yaml",
	"podfile", "mix.exs", "build.sbt", "package.swift", "meson.build", "configure", "build.zig", "deno.json",
	"deno.jsonc",
	"binding.gyp", "gulpfile.js", "gruntfile.js", "webpack.config.js", "vite.config.js", "vite.config.ts",
	"jest.config.js",
	"directory.build.props", "directory.build.targets", "dockerfile", "docker-compose.yml", "compose.yml",
	"compose.yaml",
	"vagrantfile", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".eslintrc.js", ".babelrc",
	"babel.config.js",
};

static const char manifest_suffixes[][12] = { ".gemspec", ".csproj", ".fsproj", ".vbproj", ".targets",
	".props", ".mk" };

static bool is_manifest(struct bytes path)
{
	struct bytes name = path_last(path);

	for (size_t i = 0; i < ARRAY_LEN(manifests); i++)
		if (fold_is(name, manifests[i]))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(manifest_suffixes); i++)
		if (fold_ends(name, manifest_suffixes[i]))
			return true;
	return false;
}

/* Subcommands of git that leave the files of the worktree as they are. */
static bool keeps_the_worktree(struct bytes program)
{
	static const char *const names[] = { "git add", "git commit", "git tag", "git branch", "git remote",
		"git fetch", "git notes", "git gc", "git worktree add", "git worktree list", "git worktree prune",
		"git stash list" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (bytes_is(program, names[i]))
			return true;
	return false;
}

static void note_written(struct judge *j, struct bytes path)
{
	if (j->n_written == WRITTEN_MAX || path.len == 0 || path.p[0] != '/')
		j->rewrites = true;
	else
		j->written[j->n_written++] = path;
}

void flow_runs(struct subject *s, struct bytes path)
{
	struct judge *j = s->j;

	if (j->n_scripts == SCRIPTS_MAX || path.len == 0)
		leave_open(s, BYTES("it runs more scripts than the gate looks at"), BYTES("limit"), path, false);
	else
		j->scripts[j->n_scripts++] = path;
}

static bool is_rewritten(const struct judge *j, struct bytes script)
{
	for (uint32_t i = 0; i < j->n_written; i++)
		if (path_within(script, j->written[i]))
			return true;
	return j->rewrites;
}

static void conclude_scripts(struct judge *j)
{
	struct finding nobody = { .verdict = VERDICT_ALLOW };
	struct subject s = { .j = j, .finding = &nobody, .verdict = VERDICT_ALLOW, .program = BYTES("script") };

	for (uint32_t i = 0; i < j->n_scripts; i++)
		if (is_rewritten(j, j->scripts[i]))
			leave_open(&s, judge_text(j, "the line may change the script %.*s before it runs",
				(int)j->scripts[i].len, j->scripts[i].p), BYTES("run-written"), j->scripts[i], false);
	settle(&s);
}

/* Programs that fill a directory with what was packed, or is kept, somewhere else. */
static const char bringers[][24] = { "tar", "bsdtar", "unzip", "7z", "7za", "7zz", "unrar", "cpio", "patch",
	"git clone", "git apply", "git am", "git submodule update", "git submodule add", "curl", "wget", "aria2c",
	"scp", "rsync", "sftp", "svn", "hg", "gh repo clone" };

/* What no tool takes for code, and archives, which something else has to unpack first. */
static const char data_suffixes[][12] = { ".json", ".jsonl", ".txt", ".csv", ".tsv", ".html", ".xml", ".md", ".png",
	".jpg", ".jpeg", ".gif", ".svg", ".pdf", ".log", ".gz", ".tgz", ".xz", ".bz2", ".zst", ".tar", ".zip", ".7z",
	".parquet", ".db", ".sqlite" };

static bool is_data(struct bytes path)
{
	for (size_t i = 0; i < ARRAY_LEN(data_suffixes); i++)
		if (fold_ends(path, data_suffixes[i]))
			return true;
	return false;
}

/* Those by which a repository may come along, with settings of its own; what git makes has settings of git's. */
static bool unpacks(struct bytes program)
{
	static const char *const names[] = { "tar", "bsdtar", "unzip", "7z", "7za", "7zz", "unrar", "cpio", "patch",
		"scp", "rsync", "sftp", "svn", "hg" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (bytes_is(program, names[i]))
			return true;
	return false;
}

bool flow_unpacks_repository(const struct judge *j, struct bytes directory)
{
	for (uint32_t i = 0; i < j->n_unpacked; i++)
		if (path_within(directory, j->unpacked[i]))
			return true;
	return j->flows_lost;
}

/* Whatever it is called: a directory named like data is filled all the same. */
static void note_unpacked(struct subject *s, struct bytes target)
{
	struct judge *j = s->j;

	if (!unpacks(s->program))
		return;
	if (j->n_unpacked == FLOWS_MAX)
		j->flows_lost = true;
	else
		j->unpacked[j->n_unpacked++] = target;
}

/* An address on the line, where a remote has a name: what is merged from there is nobody's whom the project knows. */
static void note_fetched(struct subject *s, const struct command_effect *e)
{
	struct judge *j = s->j;
	struct bytes directory = git_directory_of(s, e);

	if (e->target.len == 0 || (memchr(e->target.p, ':', e->target.len) == NULL &&
		memchr(e->target.p, '/', e->target.len) == NULL))
		return;
	if (j->bringer.len == 0)
		j->bringer = s->program;
	if (directory.len == 0 || j->n_brought == FLOWS_MAX)
		j->flows_lost = true;
	else
		j->brought[j->n_brought++] = directory;
}

/* These put files down by names that stand on another machine, or that they make themselves. */
static const char namers[][16] = { "gsutil cp", "gcloud cp", "rclone copy", "rclone sync", "aws", "s3cmd get",
	"s5cmd cp", "mc cp", "mc mirror", "azcopy copy", "docker cp", "podman cp", "kubectl cp", "gh run download",
	"gh release", "split", "csplit" };

void flow_note_names(struct subject *s, const struct command_effect *e, enum effect_id effect)
{
	bool moves = bytes_is(s->program, "mv") || bytes_is(s->program, "cp") || bytes_is(s->program, "ln") ||
		bytes_is(s->program, "install");

	if (effect == EFFECT_GIT_FETCH)
		note_fetched(s, e);
	/* The last component is a pattern, of another directory. */
	if (moves && (e->word_flags & WORD_GLOB) != 0 && e->word != NULL && e->word->src.len > 0 &&
		memchr(e->word->src.p, '/', e->word->src.len) != NULL)
		s->j->names_copied = true;
	for (size_t i = 0; i < ARRAY_LEN(namers) && effect_makes(effect) && !s->j->names_copied; i++)
		s->j->names_copied = s->program.len >= strlen(namers[i]) &&
			memcmp(s->program.p, namers[i], strlen(namers[i])) == 0;
}

static void note_brought(struct subject *s, struct bytes target)
{
	struct judge *j = s->j;

	for (size_t i = 0; i < ARRAY_LEN(bringers); i++) {
		if (!bytes_is(s->program, bringers[i]))
			continue;
		if (j->bringer.len == 0)
			j->bringer = s->program;
		if (j->n_brought == FLOWS_MAX)
			j->flows_lost = true;
		else
			j->brought[j->n_brought++] = target;
	}
}

static void note_run(struct subject *s, struct bytes target)
{
	struct judge *j = s->j;

	if (j->runner.len == 0)
		j->runner = s->program;
	if (j->n_ran == FLOWS_MAX)
		j->flows_lost = true;
	else
		j->ran[j->n_ran++] = target;
}

/* What was brought is run, or lies where something is run, below it, or around it. Data is run by its own name alone. */
static bool meet(struct bytes brought, struct bytes ran)
{
	if (is_data(brought))
		return bytes_eq(brought, ran);
	return path_within(brought, ran) || path_within(ran, brought);
}

static bool brought_meets_run(const struct judge *j)
{
	for (uint32_t i = 0; i < j->n_brought; i++)
		for (uint32_t k = 0; k < j->n_ran; k++)
			if (meet(j->brought[i], j->ran[k]))
				return true;
	return j->flows_lost;
}

/* Files whose names are not known may have come along. */
bool flow_has_brought_names(const struct judge *j)
{
	for (uint32_t i = 0; i < j->n_brought; i++)
		if (!is_data(j->brought[i]))
			return true;
	return false;
}

static void conclude_brought(struct judge *j)
{
	struct finding nobody = { .verdict = VERDICT_ALLOW };
	struct subject s = { .j = j, .finding = &nobody, .verdict = VERDICT_ALLOW, .program = j->runner };

	if (j->n_brought == 0 || j->n_ran == 0 || !brought_meets_run(j))
		return;
	leave_open(&s,
		judge_text(j, "it may run what %.*s brings in on the same line", (int)j->bringer.len, j->bringer.p),
		BYTES("run-brought"), j->bringer, false);
	settle(&s);
}

/* Below the pattern's directory there may be files by now that were not there when the line began. */
bool flow_may_add(const struct subject *s, struct bytes pattern)
{
	const struct judge *j = s->j;
	char buffer[QUESTION_PATH_MAX];
	size_t n = 0;
	struct bytes dir;

	for (size_t i = 0; i < pattern.len && strchr("*?[", pattern.p[i]) == NULL; i++)
		if (pattern.p[i] == '/')
			n = i + 1;
	if (s->dirs.n != 1 || s->dirs.unknown)
		return true;
	n = path_normalise(s->dirs.d[0], n > 0 ? (struct bytes){ pattern.p, n } : BYTES("."), buffer, sizeof(buffer));
	dir = (struct bytes){ buffer, n };
	if (n == 0 || j->rewrites || j->flows_lost || flow_has_brought_names(j) || j->n_ran > 0)
		return true;
	for (uint32_t i = 0; i < j->n_written; i++)
		if (path_within(dir, j->written[i]))
			return true;
	return false;
}

bool flow_brings_names(const struct judge *j)
{
	return flow_has_brought_names(j) || j->git_changes;
}

bool flow_has_fetched(const struct judge *j, struct bytes path)
{
	for (uint32_t i = 0; i < j->n_brought && j->fetched_from.len > 0; i++)
		if (bytes_eq(j->brought[i], path))
			return true;
	return false;
}

void flow_note(struct subject *s, enum effect_id effect, enum place place, struct bytes target)
{
	struct judge *j = s->j;

	switch ((int)effect) {
	case EFFECT_FETCH:
		if (j->fetched_from.len == 0 && place == PLACE_OUTSIDE)
			j->fetched_from = target;
		return;
	case EFFECT_LINK:
		note_written(j, target);
		return;
	case EFFECT_GIT_LOCAL:
		j->git_changes = j->git_changes || !keeps_the_worktree(s->program);
		j->rewrites = j->rewrites || j->git_changes;
		return;
	case EFFECT_WRITE:
	case EFFECT_CREATE:
	case EFFECT_MAKE_DIRECTORY:
	case EFFECT_TOUCH:
		note_written(j, target);
		note_brought(s, target);
		note_unpacked(s, target);
		if (j->manifest.len == 0 && is_manifest(target))
			j->manifest = target;
		return;
	case EFFECT_RUN_PROJECT:
	case EFFECT_INSTALL_PROJECT:
	case EFFECT_CONTAINER_BUILD:
		note_run(s, target);
		return;
	default:
		return;
	}
}

void flow_conclude(struct judge *j)
{
	struct finding nobody = { .verdict = VERDICT_ALLOW };
	struct subject s = { .j = j, .finding = &nobody, .verdict = VERDICT_ALLOW, .soft = true, .program = j->runner };

	conclude_scripts(j);
	conclude_brought(j);
	if (j->manifest.len == 0 || j->runner.len == 0)
		return;
	leave_open(&s,
		judge_text(j, "it runs what %.*s says, which this line writes", (int)j->manifest.len,
			j->manifest.p),
		BYTES("run-written"), j->manifest, false);
	settle(&s);
}
