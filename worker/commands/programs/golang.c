/* SPDX-License-Identifier: Apache-2.0 */
/* Go: the go command and gofmt (go help). */
#include "worker/commands/model.h"

#define RUNS RULES{ { ALWAYS, EFFECT_RUN_PROJECT }, { END } }
#define STATUS RULES{ { ALWAYS, EFFECT_STATUS }, { END } }

/* go: one dash or two. -exec, -toolexec, -vettool and linker flags run other programs. */
#define GO_LONGS "a n p= race msan asan cover covermode= coverpkg= v x work " \
	"buildmode= buildvcs= compiler= installsuffix= mod= tags= trimpath run= " \
	"bench= benchtime= count= cpu= list= short timeout= parallel= failfast json shuffle= " \
	"skip= benchmem vet= fullpath u t d m f= e deps find test export compiled versions " \
	"retract cmd c all src go= compat= print fmt module= require= " \
	"droprequire= dropreplace= tidy diff fast cache-clear modcache " \
	"testcache fuzzcache cache s l w i fuzz= fuzztime= fuzzminimizetime="
#define GO_OPTIONS OPTIONS{ { NULL, "o outputdir coverprofile cpuprofile memprofile blockprofile " \
	"mutexprofile trace", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, \
	{ NULL, "C", REQUIRED, DIRECTORY }, \
	{ NULL, "modfile overlay pkgdir pgo", REQUIRED, EFFECT_OF_VALUE, EFFECT_RUN_PROJECT }, \
	{ NULL, "ldflags gcflags asmflags", REQUIRED, CALL }, \
	{ NULL, "exec toolexec vettool", REQUIRED, REFUSE, .text = "runs another program" }, \
	{ 0 } }

static void go_flags(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	for (struct bytes rest = value->text; rest.len;) {
		const char *blank = memchr(rest.p, ' ', rest.len);
		struct bytes one = { rest.p, blank ? (size_t)(blank - rest.p) : rest.len };
		const char *eq = one.len && one.p[0] != '-' ? memchr(one.p, '=', one.len) : NULL;

		rest = bytes_from(rest, one.len + (blank != NULL));
		/* PATTERN=FLAG holds for the packages of the pattern alone. */
		if (eq && eq + 1 < one.p + one.len && eq[1] == '-')
			one = bytes_from(one, (size_t)(eq + 1 - one.p));
		if (bytes_start(one, "-") && !in_list(one, "-N -l -e -S -B -s -w -c -d -race -msan -extldflags") &&
			!bytes_start(one, "-m") && !bytes_start(one, "-l=") && !bytes_start(one, "-X") &&
			!bytes_start(one, "-d=") && !bytes_start(one, "-linkmode") &&
			!bytes_start(one, "-buildid") && !bytes_start(one, "-checklinkname") &&
			!bytes_start(one, "-trimpath"))
			run_open(run, "a flag of go's tools is not known to the gate");
	}
	if (!value->is_static || bytes_find(value->text, "extld"))
		run_open(run, "a flag of go may run another program");
}

static void go_words(struct run *run)
{
	run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (bytes_char(run->operands[i].text, '@') || bytes_find(run->operands[i].text, "://"))
			run_effect(run, EFFECT_RUN_FETCHED, &run->operands[i]);
		else if (bytes_start(run->operands[i].text, "/") || bytes_start(run->operands[i].text, "../"))
			run_effect(run, EFFECT_RUN_PROJECT, &run->operands[i]);
}

/*
 * go get and go install take modules through the proxy, which serves any forge: pinned by go.mod only without a
 * version. What go get brings is kept for the project to be built with, as packages of other registries are; nothing
 * of it is run.
 */
static void go_gets(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];
		const char *slash = a->text.len > 0 ? memchr(a->text.p, '/', a->text.len) : NULL;
		struct bytes host = { a->text.p, slash ? (size_t)(slash - a->text.p) : 0 };

		if (!a->is_static || bytes_find(a->text, ":"))
			run_open(run, "go gets what is not the name of a module");
		else if (bytes_char(host, '.') && host.p[0] != '.')
			run_effect(run, EFFECT_INSTALL_REGISTRY, a);
		else if (bytes_start(a->text, "/") || bytes_start(a->text, ".."))
			run_effect(run, EFFECT_RUN_PROJECT, a);
		else
			run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
	}
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
}

static void go_installs(struct run *run)
{
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		if (bytes_start(a->text, "./") || bytes_start(a->text, ".") || arg_is(a, "all") ||
			bytes_start(a->text, "cmd/"))
			run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
		else if (bytes_start(a->text, "golang.org/") || bytes_start(a->text, "google.golang.org/"))
			run_effect(run, EFFECT_INSTALL_REGISTRY, a);
		else
			run_open(run, "go installs a module of another forge: %.*s",
				(int)(a->text.len < 80 ? a->text.len : 80), a->text.p);
	}
	if (run->n_operands == 0)
		run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
}

#define GO(names, hook) { .name = names, .syntax = ONE_DASH | PARTIAL, .longs = GO_LONGS, .options = \
	GO_OPTIONS, .option = go_flags, .special = hook }
static const struct command_model go_mod[] = {
	{ .name = "tidy|download|verify|vendor|edit|init",
		.syntax = ONE_DASH | PARTIAL,
		.longs = GO_LONGS,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { END } } },
	{ .name = "graph|why", .syntax = ONE_DASH | PARTIAL, .longs = GO_LONGS, .rules = STATUS },
	{ 0 },
};
static const struct command_model go_work[] = {
	{ .name = "init|use|sync|edit|vendor",
		.syntax = ONE_DASH | PARTIAL,
		.longs = GO_LONGS,
		.rules = RULES{ { ALWAYS, EFFECT_INSTALL_PROJECT }, { EACH, EFFECT_RUN_PROJECT }, { END } } },
	{ 0 },
};
/* A profile is a file, or the address of a program that is asked for one; a program's own file may stand in front. */
enum { REPORTS = 1 };

static void profiles(struct run *run)
{
	if (!(run->bits & REPORTS))
		run_open(run, "pprof waits for commands");
	for (uint32_t i = 0; i < run->n_operands; i++)
		run_effect(run, bytes_find(run->operands[i].text, "://") ? EFFECT_FETCH : EFFECT_READ,
			&run->operands[i]);
}

static const struct command_model go_dist[] = { { .name = "list|env|version",
							.syntax = ONE_DASH,
							.longs = "json p v",
							.rules = STATUS },
	{ 0 } };
/* The tools that only show; compile, link and pprof write, run and listen. */
static const struct command_model go_tool[] = {
	{ .name = "cover",
		.syntax = ONE_DASH,
		.longs = "mode=",
		.options = OPTIONS{ { NULL, "func html", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ },
			{ NULL, "o", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
		.rules = RUNS },
	{ .name = "nm|objdump|buildid",
		.syntax = ONE_DASH,
		.longs = "n size sort= type s= gnu S",
		.rules = RULES{ { EACH, EFFECT_READ }, { END } } },
	{ .name = "pprof",
		.syntax = ONE_DASH | PARTIAL,
		.longs = "cum flat lines functions files noinlines nodecount= nodefraction= "
			 "edgefraction= sample_index= alloc_space alloc_objects inuse_space inuse_objects "
			 "focus= ignore= hide= show= unit= trim= granularity= mean symbolize=",
		.options = OPTIONS{ { NULL, "top text tree raw traces", NOTHING, IGNORE, .set = REPORTS },
			{ NULL, "list peek", REQUIRED, IGNORE, .set = REPORTS },
			{ NULL, "base diff_base", REQUIRED, EFFECT_OF_VALUE, EFFECT_READ },
			{ NULL, "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
		.special = profiles },
	{ .name = "doc|vet", .syntax = NO_OPTIONS, .rules = STATUS },
	{ .name = "dist", .syntax = POSIX_ORDER, .subcommands = go_dist },
	{ .name = "fix",
		.syntax = ONE_DASH,
		.longs = "diff r= force= go=",
		.rules = RULES{ { EACH, EFFECT_WRITE }, { END } } },
	{ 0 },
};
static const struct command_model go[] = {
	GO("test|build|vet|fmt|generate|fix|doc|clean", go_words),
	{ .name = "run",
		.syntax = ONE_DASH | PARTIAL | POSIX_ORDER,
		.longs = GO_LONGS,
		.options = GO_OPTIONS,
		.option = go_flags,
		.special = go_words },
	GO("get", go_gets),
	GO("install", go_installs),
	{ .name = "list|version|help", .syntax = ONE_DASH | PARTIAL, .longs = GO_LONGS, .rules = STATUS },
	{ .name = "env",
		.syntax = ONE_DASH | PARTIAL,
		.longs = "json changed",
		.rules = STATUS,
		.options =
			OPTIONS{ { NULL, "w u", NOTHING, REFUSE, .text = "changes the configuration of go" },
				{ 0 } } },
	{ .name = "mod", .syntax = POSIX_ORDER, .subcommands = go_mod },
	{ .name = "work", .syntax = POSIX_ORDER, .subcommands = go_work },
	{ .name = "tool", .syntax = POSIX_ORDER | ONE_DASH, .subcommands = go_tool },
	{ 0 },
};
MODEL(go) = { .name = "go",
	.syntax = POSIX_ORDER | SUBCOMMAND_ALONE_OK,
	.subcommands = go,
	.options = OPTIONS{ { "C", NULL, REQUIRED, DIRECTORY }, { 0 } } };
MODEL(gofmt) = { .name = "gofmt",
	.syntax = ONE_DASH,
	.longs = "d e l s r=",
	.options = OPTIONS{ { NULL, "w", NOTHING, IGNORE, .set = 1 },
		{ NULL, "cpuprofile", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_READ, .unless = 1 }, { EACH, EFFECT_WRITE, .when = 1 }, { END } },
	.input = STDIN_READ };
