/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one part of a line prepares for another: a manifest written here and run there is code that nobody has looked
 * at,
 * though neither part does harm by itself.
 */
#include "worker/rules/internal.h"

/* Files that tell a build tool or a package manager which commands to run. */
static const char *const manifests[] = {
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

static const char *const manifest_suffixes[] = { ".gemspec", ".csproj", ".fsproj", ".vbproj", ".targets",
	".props", ".mk" };

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool eq_fold(struct bytes b, const char *s)
{
	if (strlen(s) != b.len)
		return false;
	for (size_t i = 0; i < b.len; i++)
		if (lower(b.p[i]) != s[i])
			return false;
	return true;
}

static bool is_manifest(struct bytes path)
{
	const char *slash = path.len > 0 ? (const char *)memrchr(path.p, '/', path.len) : NULL;
	struct bytes name = path;

	if (slash != NULL)
		name = (struct bytes){ slash + 1, path.len - (size_t)(slash + 1 - path.p) };
	for (size_t i = 0; i < ARRAY_LEN(manifests); i++)
		if (eq_fold(name, manifests[i]))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(manifest_suffixes); i++) {
		size_t n = strlen(manifest_suffixes[i]);

		if (name.len > n && eq_fold((struct bytes){ name.p + name.len - n, n }, manifest_suffixes[i]))
			return true;
	}
	return false;
}

void flow_note(struct subject *s, enum effect_id effect, struct bytes target)
{
	struct judge *j = s->j;

	switch ((int)effect) {
	case EFFECT_WRITE:
	case EFFECT_CREATE:
		if (j->manifest.len == 0 && is_manifest(target))
			j->manifest = target;
		return;
	case EFFECT_RUN_PROJECT:
	case EFFECT_INSTALL_PROJECT:
	case EFFECT_CONTAINER_BUILD:
		if (j->runner.len == 0)
			j->runner = s->program;
		return;
	default:
		return;
	}
}

void flow_conclude(struct judge *j)
{
	struct finding nobody = { .verdict = VERDICT_ALLOW };
	struct subject s = { .j = j, .finding = &nobody, .verdict = VERDICT_ALLOW, .soft = true, .program = j->runner };

	if (j->manifest.len == 0 || j->runner.len == 0)
		return;
	leave_open(&s,
		judge_text(j, "it runs what %.*s says, which this line writes", (int)j->manifest.len,
			j->manifest.p),
		BYTES("run-written"), j->manifest, false);
	settle(&s);
}
