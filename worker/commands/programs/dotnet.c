/* SPDX-License-Identifier: Apache-2.0 */
/* dotnet: what it builds, runs and tests is the project's, unless its line makes more of it (dotnet(1), MSBuild). */
#include "worker/commands/model.h"

#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }

/*
 * Properties that say what is built and how; others hold command lines (PreBuildEvent), or the paths of tools and of
 * files that are read as part of the project (MSBuild reference, "Common MSBuild project properties").
 */
static bool is_plain_property(struct bytes name)
{
	return in_list(name, "Configuration Platform Version VersionPrefix VersionSuffix PackageVersion "
		"AssemblyVersion FileVersion InformationalVersion TargetFramework TargetFrameworks RuntimeIdentifier "
		"RuntimeIdentifiers "
		"SelfContained PublishSingleFile PublishTrimmed PublishReadyToRun PublishAot PublishProfile DebugType "
		"DebugSymbols Optimize TreatWarningsAsErrors WarningLevel WarningsAsErrors NoWarn Nullable LangVersion "
		"ContinuousIntegrationBuild Deterministic CollectCoverage CoverletOutputFormat CoverletOutput Threshold "
		"ThresholdType Exclude ExcludeByFile Include UseAppHost GenerateDocumentationFile RestoreLockedMode "
		"RunAnalyzers EnforceCodeStyleInBuild DefineConstants UseSharedCompilation OutDir OutputPath PublishDir "
		"PackageOutputPath IncludeSymbols SymbolPackageFormat InvariantGlobalization BuildNumber IsPackable "
		"IncludeNativeLibrariesForSelfExtract EnableCompressionInSingleFile RestorePackagesWithLockFile "
		"GeneratePackageOnBuild StripSymbols AnalysisLevel AnalysisMode RepositoryCommit SourceRevisionId");
}

/* NAME=VALUE[;NAME=VALUE] */
static void check_list(struct run *run, struct bytes rest)
{
	while (rest.len) {
		size_t n = 0, name = 0;

		while (n < rest.len && rest.p[n] != ';' && rest.p[n] != ',')
			n++;
		while (name < n && rest.p[name] != '=')
			name++;
		if (name < n && !is_plain_property((struct bytes){ rest.p, name }))
			run_open(run, "what the property %.*s makes the build run is not known to the gate",
				(int)(name < 60 ? name : 60), rest.p);
		rest = bytes_from(rest, n + (n < rest.len));
	}
}

static bool begins_fold(struct bytes text, const char *lowered)
{
	size_t n = strlen(lowered);

	return text.len >= n && strncasecmp(text.p, lowered, n) == 0;
}

/* -p:NAME=VALUE, also with /, -property and --property; --property NAME=VALUE too. */
static void check_properties(struct run *run)
{
	static const char *const ways[] = { "-p:", "/p:", "-property:", "/property:", "--property:", "-p=",
		"--property=" };

	for (uint32_t i = 0; i < run->argc; i++) {
		struct bytes rest = { "", 0 };

		if (i > 0 && in_list(run->argv[i - 1].text, "-p --property"))
			rest = run->argv[i].text;
		for (size_t k = 0; k < ARRAY_LEN(ways); k++)
			if (begins_fold(run->argv[i].text, ways[k]))
				rest = bytes_from(run->argv[i].text, strlen(ways[k]));
		check_list(run, rest);
	}
}

/* Packages come from the configured sources, unless the line names another. */
static void dotnet_installs(struct run *run)
{
	run_project_tool(run);
	check_properties(run);
	run_effect_fixed(run, EFFECT_INSTALL_PROJECT, ".");
	for (uint32_t i = 0; i < run->argc; i++) {
		struct arg place = run->argv[i];
		const char *eq = place.text.len ? memchr(place.text.p, '=', place.text.len) : NULL;

		if (bytes_start(place.text, "-") && eq)
			place.text = bytes_from(place.text, (size_t)(eq + 1 - place.text.p));
		if (bytes_find(place.text, "://") && !bytes_start(place.text, "https://api.nuget.org/"))
			run_effect(run, EFFECT_INSTALL_OUTSIDE, &place);
	}
}

/* ef database drop and update are about the database that the project's settings name. */
static void dotnet_reads_project(struct run *run)
{
	run_project_tool(run);
	check_properties(run);
	if (run->argc > 1 && bytes_end(run->out->program, " ef") && arg_is(&run->argv[0], "database") &&
		arg_is(&run->argv[1], "drop"))
		run_open(run, "dotnet ef drops the database");
}

static const struct command_model dotnet_tool[] = {
	{ .name = "restore", .syntax = PARTIAL, .rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } } },
	{ .name = "list|search", .syntax = PARTIAL, .shorts = "g", .longs = "global local", .rules = STATUS },
	{ 0 },
};
static const struct command_model dotnet_workload[] = {
	{ .name = "list|search", .syntax = PARTIAL, .rules = STATUS },
	{ 0 },
};
static const struct command_model dotnet[] = {
	{ .name = "build|test|run|clean|format|pack|watch|msbuild|vstest|ef", .reader = dotnet_reads_project },
	{ .name = "restore", .reader = dotnet_installs },
	{ .name = "--info|--version|--list-sdks|--list-runtimes|list|help",
		.syntax = NO_OPTIONS,
		.rules = STATUS },
	{ .name = "add|remove|new|sln|reference|package|publish",
		.reader = dotnet_installs },
	/* Tools that the project's manifest names. */
	{ .name = "tool", .syntax = POSIX_ORDER, .subcommands = dotnet_tool },
	{ .name = "workload", .syntax = POSIX_ORDER, .subcommands = dotnet_workload },
	{ .name = "nuget",
		.syntax = NO_OPTIONS,
		.special = run_publishes },
	{ 0 },
};
static const struct command_model dotnet_model = {
	.name = "dotnet", .syntax = POSIX_ORDER | SUBCOMMAND_ALONE_OK, .subcommands = dotnet
};

static void dotnet_reader(struct run *run)
{
	if (run->argc && run->argv[0].is_static &&
		in_list(run->argv[0].text, "--info --version --list-sdks --list-runtimes"))
		run_effect_fixed(run, EFFECT_STATUS, NULL);
	else
		run_model(run, run->model->more);
}

MODEL(dotnet) = { .name = "dotnet", .reader = dotnet_reader, .more = &dotnet_model };
