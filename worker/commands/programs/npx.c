/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a JavaScript runner is told to run by its name: npx, npm exec, pnpm and yarn dlx and exec, bunx. It comes to
 * what the tool itself comes to; besides, a package that the project does not have is fetched (npx(1), "Description").
 */
#include "worker/commands/programs/npx.h"

/* Packages of which the program has another name than the package. */
static const char programs[] =
	"@angular/cli\0" "ng\0"
	"@arethetypeswrong/cli\0" "attw\0"
	"@biomejs/biome\0" "biome\0"
	"@changesets/cli\0" "changeset\0"
	"@commitlint/cli\0" "commitlint\0"
	"@graphql-codegen/cli\0" "graphql-codegen\0"
	"@playwright/test\0" "playwright\0"
	"@tailwindcss/cli\0" "tailwindcss\0"
	"@vscode/vsce\0" "vsce\0"
	"dotenv-cli\0" "dotenv\0"
	"markdownlint-cli\0" "markdownlint\0"
	"npm-check-updates\0" "ncu\0"
	"npm-run-all2\0" "npm-run-all\0";

/* What the project pins is run from node_modules; these are so common that their names are the registry's own. */
static bool is_common(struct bytes name)
{
	return in_list(name,
		"tsc eslint prettier jest vitest mocha playwright cypress vite webpack rollup esbuild next "
		"nuxt astro turbo nx tsx ts-node nodemon rimraf prisma drizzle-kit tailwindcss postcss "
		"stylelint biome oxlint knip madge depcheck typedoc storybook lint-staged "
		"husky commitlint semantic-release changeset lerna nyc c8 ava tap tape "
		"svelte-check svelte-kit vue-tsc ng expo react-scripts serve http-server concurrently "
		"npm-run-all run-s run-p cross-env dotenv markdownlint markdownlint-cli2 "
		"cspell tsup tsd api-extractor size-limit publint attw browserslist "
		"update-browserslist-db ncu sort-package-json syncpack graphql-codegen "
		"openapi-typescript wrangler vercel-build vsce ovsx");
}

bool js_name_is_anothers(struct bytes name)
{
	return in_list(name, "tsc ng biome attw changeset commitlint run-s run-p api-extractor svelte-kit vsce "
			     "graphql-codegen ncu");
}

static struct bytes program_of(struct bytes package)
{
	for (const char *p = programs; p < programs + sizeof(programs) - 1;) {
		const char *program = p + strlen(p) + 1;

		if (bytes_is(package, p))
			return bytes_str(program);
		p = program + strlen(program) + 1;
	}
	return package;
}

bool js_tool_is_known(struct bytes name)
{
	return is_common(program_of(name));
}

bool js_from_outside(struct bytes spec)
{
	if (bytes_find(spec, "://") || bytes_start(spec, "git@") || bytes_start(spec, "git+") ||
		bytes_start(spec, "github:") || bytes_start(spec, "gitlab:") ||
		bytes_start(spec, "bitbucket:") || bytes_start(spec, "gist:"))
		return true;
	/* owner/repository is GitHub; @scope/name is the registry; ./path is here. */
	return bytes_char(spec, '/') && spec.p[0] != '@' && spec.p[0] != '.' && spec.p[0] != '/' &&
		spec.p[0] != '~';
}

/* NAME@VERSION, @SCOPE/NAME@VERSION */
static struct bytes without_version(struct bytes spec)
{
	const char *at = spec.len > 1 ? memchr(spec.p + 1, '@', spec.len - 1) : NULL;

	return at ? (struct bytes){ spec.p, (size_t)(at - spec.p) } : spec;
}

/* The tool as a command of its own, under its program's name. */
static void as_command(struct run *run, const struct arg *words, uint32_t n, struct bytes program)
{
	struct arg *copy = run_alloc(run, n * sizeof(*copy));

	if (!copy)
		return;
	memcpy(copy, words, n * sizeof(*copy));
	if (!bytes_eq(program, words[0].text))
		copy[0] = (struct arg){ .text = program, .is_static = true };
	run_nested_words(run, copy, n);
}

/* A tool of which nothing more is known than that it works on the project. */
static void as_project_tool(struct run *run, const struct arg *words, uint32_t n, struct bytes program)
{
	struct run tool = *run;

	tool.argv = words + 1;
	tool.argc = n - 1;
	run_project_tool_named(&tool, program);
	run->failed = tool.failed;
}

void run_js_tool(struct run *run, const struct arg *words, uint32_t n, bool installed)
{
	struct bytes spec, name, program;
	bool is_path;

	if (n == 0)
		return;
	spec = words[0].text;
	is_path = spec.len && strchr("./~", spec.p[0]);
	name = is_path ? spec : without_version(spec);
	program = program_of(name);
	if (!words[0].is_static || js_from_outside(spec)) {
		run_effect(run, EFFECT_RUN_FETCHED, &words[0]);
		return;
	}
	if (name.len != spec.len)
		run_open(run, "%s runs a package of a version that the project may not pin", run->model->name);
	else if (!installed && !is_path && !is_common(program))
		run_open(run, "%.*s may be fetched and run, the gate does not know what the project pins",
			(int)(name.len < 80 ? name.len : 80), name.p);
	if (is_path || model_by_name(program))
		as_command(run, words, n, program);
	else if (installed || is_common(program))
		as_project_tool(run, words, n, program);
}
