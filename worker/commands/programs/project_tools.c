/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tools of single languages and frameworks that check, test, format, build or count a project. With the options listed
 * here they run its code or its configuration, and do no more; options that name a program, a plugin or a service are
 * left out (the manual of each tool).
 */
#include "policy/paths/paths.h"
#include "worker/commands/model.h"

/*
 * A tool is a run of texts: how it reads its options, its name, its letters, its long options, the first words that are
 * fine where it has commands of its own, and words that are not, wherever they stand. One text rather than models:
 * those are full of pointers, which would have to be relocated whenever a worker starts.
 */
#define RECORD(kind, program, letters, names, verbs, not) \
	kind program "\0" letters "\0" names "\0" verbs "\0" not "\0"
#define TOOL(program, letters, names, verbs, not) RECORD("t", program, letters, names, verbs, not)
/* -name is the same as --name (the flag package of Go). */
#define GO_TOOL(program, names, verbs, not) RECORD("g", program, "", names, verbs, not)
/* //PACKAGE:TARGET is a label of the workspace, not a path from the root. */
#define LABEL_TOOL(program, letters, names, verbs, not) RECORD("b", program, letters, names, verbs, not)
/* Changes hosts, or runs what it is for, unless one of the last options makes it only look. */
#define LOOKING_TOOL(program, letters, names, look, looks) RECORD("l", program, letters, names, look, looks)

static const char tools[] =
	LOOKING_TOOL("act", "vj:W:",
		"job= workflows= verbose",
		"l", "list graph")
	GO_TOOL("actionlint",
		"color no-color oneline verbose format= ignore= debug",
		"", "")
	LOOKING_TOOL("ansible-inventory", "vi:l:y",
		"inventory= limit= vars yaml verbose",
		"", "list graph")
	TOOL("ansible-lint", "qvLTf:t:x:w:c:p",
		"offline nocolor parseable strict fix?= profile= format= exclude= skip-list= warn-list= "
		"enable-list= tags= list-rules list-tags show-relpath project-dir= config-file= ignore-file=",
		"", "")
	LOOKING_TOOL("ansible-playbook", "vi:l:t:CD",
		"inventory= limit= tags= skip-tags= check diff verbose",
		"", "syntax-check list-tasks list-hosts list-tags")
	LABEL_TOOL("bazel", "c:j:kst:",
		"config= compilation_mode= jobs= keep_going test_output= test_filter= output= "
		"nocache_test_results cache_test_results= show_progress noshow_progress verbose_failures "
		"sandbox_debug platforms= cpu= features= runs_per_test= test_arg= test_tag_filters= "
		"build_tag_filters= ui_event_filters= color= curses= noshow_loading_progress subcommands "
		"nofetch check_up_to_date local_test_jobs= test_timeout= flaky_test_attempts= build_tests_only "
		"expunge noimplicit_deps notool_deps order_output= test_summary= strip= stamp nostamp "
		"collect_code_coverage combined_report= instrumentation_filter= test_env= lockfile_mode=",
		"build test query cquery aquery info run coverage fetch mod version clean help", "")
	TOOL("brakeman", "qAzwf:p:o:",
		"quiet no-pager format= no-exit-on-warn no-progress confidence-level= only-files= skip-files= "
		"path= ignore-config= output=",
		"", "")
	LABEL_TOOL("buck2", "c:j:kv:",
		"config= mode= keep-going show-output show-full-output num-threads= output-format= json "
		"target-platforms= console= local-only",
		"build test query cquery uquery targets audit status clean", "")
	TOOL("buf", "o:wdv",
		"path= exclude-path= config= error-format= against= template= timeout= debug verbose "
		"include-imports write diff exit-code output=",
		"lint build generate format breaking ls-files dep", "")
	TOOL("cdk", "c:qvejl",
		"context= profile= output= quiet verbose json no-color exclusively strict no-version-reporting "
		"all long show-dependencies ci",
		"synth synthesize list ls diff doctor docs notices acknowledge ack", "")
	TOOL("cucumber", "t:n:f:p:dqsi",
		"tags= name= format= profile= dry-run strict no-color publish-quiet fail-fast guess expand",
		"", "")
	TOOL("dart", "o:D:j:n:N:r:t:x:p:l:v",
		"set-exit-if-changed output= line-length= fatal-infos fatal-warnings no-fatal-warnings apply "
		"dry-run coverage= concurrency= name= plain-name= reporter= tags= exclude-tags= platform= "
		"offline define= verbose show= machine format= enable-experiment=",
		"analyze format test compile fix doc info run pub", "global token login logout uploader")
	TOOL("dbt", "s:m:t:q",
		"select= exclude= profiles-dir= project-dir= target= profile= quiet no-version-check "
		"resource-type= output= models=",
		"compile parse ls list deps debug", "")
	TOOL("django-admin", "v:l:a",
		"settings= verbosity= traceback no-color force-color deploy tag= fail-level= locale= all",
		"check diffsettings version help makemessages compilemessages", "")
	TOOL("doxygen", "gsuqv",
		"",
		"", "")
	TOOL("dune", "fwp:j:x:",
		"root= profile= release display= force watch auto-promote verbose only-packages= no-buffer "
		"cache= sandbox= instrument-with= build-dir=",
		"build test runtest clean fmt format describe", "")
	GO_TOOL("errcheck",
		"blank asserts ignoretests exclude= tags= verbose abspath ignorepkg= ignore= excludeonly",
		"", "")
	TOOL("flask", "A:p:h:s:m:",
		"app= debug no-debug port= host= reload no-reload no-debugger sort= all-methods with-threads "
		"without-threads message=",
		"routes run db", "downgrade drop")
	TOOL("flutter", "d:t:vj:r:",
		"coverage name= plain-name= tags= exclude-tags= dart-define= release debug profile flavor= "
		"target= device-id= no-pub offline machine verbose reporter= build-name= build-number= "
		"obfuscate no-tree-shake-icons web-renderer= platforms= org= template= suppress-analytics "
		"fatal-infos no-fatal-infos fatal-warnings no-fatal-warnings test-randomize-ordering-seed= "
		"concurrency= update-goldens analyze-size no-codesign web-port= version timeout=",
		"test analyze build run pub doctor devices clean create format gen-l10n emulators drive assemble",
		"global token login install")
	TOOL("gcovr", "r:f:e:o:bspj:x",
		"root= html?= html-details?= xml?= json?= filter= exclude= output= print-summary branches "
		"fail-under-line= fail-under-branch= object-directory= txt?= csv?= cobertura?= keep "
		"sonarqube?= markdown?=",
		"", "")
	GO_TOOL("ginkgo",
		"r v vv p race cover focus= skip= tags= label-filter= procs= nodes= randomize-all fail-fast "
		"keep-going timeout= trace json-report= junit-report= coverprofile= output-dir= no-color "
		"succinct",
		"run build watch outline labels version", "")
	GO_TOOL("gosec",
		"fmt= out= severity= confidence= exclude= include= exclude-dir= exclude-generated quiet tests "
		"tags= conf= no-fail stdout",
		"", "")
	GO_TOOL("govulncheck",
		"json mode= tags= test show= format= scan= C=",
		"", "")
	TOOL("hugo", "DEFs:d:e:t:b:wvp:",
		"minify source= destination= environment= config= baseURL= buildDrafts buildFuture "
		"buildExpired gc logLevel= port= bind= disableFastRender navigateToChanged printPathWarnings "
		"quiet watch theme= themesDir= contentDir= verbose debug ignoreCache enableGitInfo "
		"panicOnWarning",
		"server serve list version env mod config", "get init")
	TOOL("jekyll", "s:d:DIltVqp:H:P:wb:",
		"drafts future incremental trace verbose quiet config= baseurl= destination= source= profile "
		"livereload port= host= watch no-watch unpublished strict_front_matter",
		"build b clean doctor hyde serve server s", "")
	TOOL("jupyter", "y",
		"to= output= output-dir= inplace stdout no-input no-prompt clear-output json allow-errors",
		"nbconvert kernelspec troubleshoot", "install remove uninstall provision")
	TOOL("just", "nqvlud:f:s:",
		"dry-run list show= summary quiet verbose working-directory= justfile= no-deps evaluate fmt "
		"check unstable color= yes variables dump list-heading= unsorted",
		"", "")
	TOOL("ktlint", "Fv",
		"format relative color verbose editorconfig= android code-style= log-level= baseline=",
		"", "")
	TOOL("kustomize", "o:",
		"output= reorder=",
		"build version", "")
	TOOL("lein", "oU",
		"offline",
		"test check compile classpath deps jar uberjar clean run", "")
	TOOL("markdownlint", "fc:i:djo:qp:s",
		"fix config= ignore= dot json output= quiet disable= enable= ignore-path= stdin",
		"", "")
	TOOL("maturin", "rb:m:F:E:o:v",
		"release strip manifest-path= features= extras= out= target= uv skip-install bindings= "
		"find-interpreter sdist",
		"build develop", "")
	TOOL("mdbook", "d:c:",
		"dest-dir= chapter=",
		"build test clean", "")
	TOOL("opam", "aisf:",
		"installed all short columns= required-by= depends-on= available raw field= color= switch=",
		"list show search info", "")
	GO_TOOL("packer",
		"syntax-only var= var-file= check diff write= recursive except= only= machine-readable",
		"validate fmt inspect version", "")
	TOOL("pdm", "dG:vqp:",
		"dev prod no-dev group= no-self frozen-lockfile check verbose quiet no-lock project= graph "
		"json tree dry-run",
		"install list build lock info sync update show outdated", "")
	TOOL("pest", "v",
		"filter= coverage parallel group= testsuite= stop-on-failure colors?= compact exclude-group= "
		"min= processes= no-coverage bail dirty retry todos ci",
		"", "")
	TOOL("phpcs", "sqnpvawiel",
		"standard= report= extensions= ignore= colors severity= error-severity= warning-severity= "
		"parallel= cache no-cache tab-width= report-width= encoding= sniffs= exclude= basepath=",
		"", "")
	TOOL("pint", "v",
		"test dirty diff= preset= config= format= bail repair parallel",
		"", "")
	TOOL("pixi", "e:vqp:",
		"manifest-path= environment= frozen locked json platform= explicit",
		"install list info lock tree", "")
	TOOL("pod", "",
		"repo-update verbose no-repo-update silent no-ansi deployment clean-install project-directory=",
		"install update outdated", "")
	TOOL("prisma", "",
		"schema= watch generator= no-engine name= create-only skip-generate skip-seed print script exit-code "
		"from-empty to-empty from-migrations= to-migrations= from-schema-datamodel= to-schema-datamodel=",
		"generate validate format migrate db version", "reset resolve deploy execute")
	TOOL("psalm", "c:r:",
		"show-info= no-cache threads= output-format= no-progress stats alter dry-run config= root= "
		"no-diff clear-cache report= find-unused-code?= taint-analysis monochrome long-progress "
		"issues=",
		"", "")
	TOOL("pulumi", "s:C:p:v:",
		"diff json stack= cwd= non-interactive parallel= suppress-outputs color= target= logtostderr "
		"expect-no-changes",
		"preview version about", "")
	TOOL("pycodestyle", "qv",
		"max-line-length= ignore= select= exclude= show-source show-pep8 statistics count first "
		"format= filename= max-doc-length= config=",
		"", "")
	TOOL("pydocstyle", "esdvq",
		"convention= match= match-dir= add-ignore= add-select= select= ignore= explain source count "
		"config= verbose",
		"", "")
	TOOL("rails", "e:p:n:vs:dfbc:g:E",
		"environment= port= name= trace verbose seed= defer-output fail-fast backtrace force skip "
		"pretend",
		"routes test t test:all test:system test:models test:controllers about stats notes version "
		"db:version db:migrate:status db:migrate db:schema:dump db:test:prepare zeitwerk:check "
		"middleware initializers server s generate g", "")
	TOOL("rebar3", "v",
		"dir= suite= module= verbose cover",
		"compile eunit ct dialyzer xref deps tree clean fmt lint cover proper", "")
	GO_TOOL("revive",
		"config= formatter= exclude= set_exit_status max_open_files=",
		"", "")
	TOOL("scc", "f:M:wi:x:s:o:avz",
		"by-file format= exclude-dir= include-ext= no-cocomo no-complexity sort= wide output= "
		"exclude-ext= ci not-match= no-gen no-min uloc dryness",
		"", "")
	TOOL("sqlc", "f:x",
		"file=",
		"generate compile vet diff", "")
	TOOL("sqlfluff", "vfs",
		"dialect= templater= rules= exclude-rules= format= config= processes= verbose disable-noqa "
		"force show-lint-violations nocolor ignore= disable-progress-bar write-output= "
		"annotation-level= nofail stdin-filename=",
		"lint parse format fix dialects rules render", "")
	TOOL("standardrb", "",
		"fix format= lint fix-unsafely no-fix parallel no-parallel",
		"", "")
	TOOL("stylelint", "q",
		"fix config= formatter= quiet cache ignore-path= allow-empty-input max-warnings= output-file= "
		"report-needless-disables",
		"", "")
	TOOL("swift", "c:vj:",
		"configuration= product= target= filter= skip= parallel num-workers= enable-code-coverage "
		"show-bin-path package-path= build-path= scratch-path= verbose quiet build-tests skip-build "
		"list-tests enable-test-discovery sanitize= static-swift-stdlib arch= triple= skip-update "
		"xunit-output= format= type=",
		"build test run package", "config plugin set-mirror register login set-repository")
	TOOL("swiftformat", "",
		"lint swiftversion= config= exclude= rules= disable= enable= verbose dryrun quiet indent= "
		"lenient report= output=",
		"", "")
	TOOL("swiftlint", "",
		"fix strict quiet reporter= config= path= only-rule= format autocorrect no-cache lenient "
		"progress cache-path= force-exclude",
		"lint analyze rules version reporters", "")
	GO_TOOL("templ",
		"path= f= lazy stdout w= v include-version= include-timestamp=",
		"generate fmt", "")
	GO_TOOL("terragrunt",
		"terragrunt-non-interactive non-interactive terragrunt-check check terragrunt-working-dir= "
		"working-dir= no-color input= lock= out= var= terragrunt-log-level= log-level= "
		"detailed-exitcode terragrunt-diff diff",
		"validate hclfmt hclvalidate plan init graph-dependencies", "")
	TOOL("tokei", "fs:e:lo:t:Cv",
		"files sort= exclude= languages output= type= compact hidden no-ignore verbose",
		"", "")
	TOOL("trivy", "f:s:o:qd",
		"severity= exit-code= ignore-unfixed format= scanners= security-checks= skip-dirs= skip-files= "
		"output= quiet no-progress ignorefile= timeout= vuln-type= pkg-types= offline-scan "
		"skip-db-update cache-dir= list-all-pkgs dependency-tree debug",
		"fs filesystem config conf version", "")
	TOOL("typos", "wvc:j:",
		"write-changes diff format= config= exclude= type= hidden force-exclude color= brief files "
		"identifiers words",
		"", "")
	TOOL("vagrant", "",
		"prune machine-readable color no-color",
		"status global-status validate port version", "")
	TOOL("vale", "",
		"config= glob= minAlertLevel= output= no-wrap ext= no-exit ignore-syntax no-global",
		"", "sync")
	TOOL("wasm-pack", "t:d:s:m:",
		"target= release dev profiling out-dir= out-name= scope= node firefox chrome safari headless "
		"no-typescript mode= no-pack no-opt weak-refs reference-types",
		"build test", "");

enum { LOOKS = 1 };

struct tool {
	char kind;
	const char *program, *letters, *names, *verbs, *not;
};

static bool next_tool(const char **at, struct tool *ret)
{
	const char **fields[] = { &ret->program, &ret->letters, &ret->names, &ret->verbs, &ret->not };
	const char *p = *at;

	if (p + 1 >= tools + sizeof(tools))
		return false;
	ret->kind = *p++;
	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		*fields[i] = p;
		p += strlen(p) + 1;
	}
	*at = p;
	return true;
}

/* The tool that the command word names, behind whatever directory. */
static bool find_tool(struct bytes word, struct tool *ret)
{
	const char *at = tools;

	word = path_last(word);
	if (bytes_is(word, "bazelisk"))
		word = BYTES("bazel");
	if (bytes_is(word, "markdownlint-cli2"))
		word = BYTES("markdownlint");
	while (next_tool(&at, ret))
		if (bytes_is(word, ret->program))
			return true;
	return false;
}

/* The tool hands on what stands behind "--" to the project's own tests. */
static bool hands_on(const struct tool *tool)
{
	return in_list(bytes_str(tool->program), "bazel swift cucumber flutter dart");
}

static void check_operands(struct run *run, const struct tool *tool)
{
	bool has_verbs = tool->kind != 'l' && tool->verbs[0] != '\0';
	const struct arg *first = run->operands;

	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		/* Behind "--" stand the options of another program; a name with a value changes the environment. */
		if (has_verbs && !hands_on(tool) && (bytes_start(a->text, "-") || bytes_char(a->text, '=')))
			run_open(run, "%s is given %.*s", tool->program,
				(int)(a->text.len < 60 ? a->text.len : 60), a->text.p);
		if (tool->kind != 'l' && in_list(a->text, tool->not))
			run_open(run, "%s %.*s reaches further than the project", tool->program, (int)a->text.len,
				a->text.p);
	}
	if (tool->kind == 'b' && run->n_operands > 1 && arg_is(first, "run"))
		run_check_label(run, run->operands[1].text);
	if (has_verbs && run->n_operands > 0 && !(first->is_static && in_list(first->text, tool->verbs)))
		run_open(run, "%s %.*s is not known to the gate", tool->program,
			(int)(first->text.len < 60 ? first->text.len : 60), first->text.p);
	if (tool->kind == 'l' && !(run->bits & LOOKS))
		run_open(run, "%s changes hosts or runs programs", tool->program);
}

static void without_labels(struct run *run)
{
	struct arg *words = run_alloc(run, (run->argc + 1) * sizeof(*words));

	if (!words)
		return;
	for (uint32_t i = 0; i < run->argc; i++) {
		words[i] = run->argv[i];
		if (bytes_start(words[i].text, "//"))
			words[i].text = bytes_from(words[i].text, 2);
	}
	run->argv = words;
}

static void tool_reader(struct run *run)
{
	const struct command_model *own = run->model;
	struct option_rule looks[] = { { 0 }, { 0 } };
	struct tool tool;
	struct command_model m;

	if (!run->invocation->words->is_static || !find_tool(run->invocation->words->value, &tool)) {
		run_open(run, "the tool is not known to the gate");
		return;
	}
	if (tool.kind == 'l')
		looks[0] = (struct option_rule){ tool.verbs[0] ? tool.verbs : NULL, tool.not, NOTHING, IGNORE,
			.set = LOOKS };
	m = (struct command_model){ .name = tool.program, .shorts = tool.letters, .longs = tool.names, .options = looks,
		.syntax = PARTIAL | NO_ABBREVIATION | (tool.kind == 'g' ? ONE_DASH : 0) };
	run->out->program = bytes_str(tool.program);
	run->model = &m;
	if (tool.kind == 'b')
		without_labels(run);
	run_options(run);
	/* A prompt, or recipes, from the input. */
	for (uint32_t i = 0; i < run->argc; i++)
		if (strcmp(tool.program, "just") == 0 && arg_is(&run->argv[i], "-"))
			run_program_from_stdin(run, false, DIALECT_OTHER);
	if (run->argc == 0 && strcmp(tool.program, "swift") == 0)
		run_program_from_stdin(run, false, DIALECT_OTHER);
	if (!run->failed) {
		run_project_tool(run);
		check_operands(run, &tool);
	}
	run->model = own;
}

/* Every name in the table above; this one is the first of them. */
MODEL(project_tool) = { .name = "act", .reader = tool_reader, .syntax = PROJECT_TOOL };

/* --vcs, --extract-with and --read-lang-def run commands; the rest only counts (cloc's own help). */
MODEL(cloc) = {
	.name = "cloc",
	.syntax = ONE_DASH | PARTIAL,
	.longs = "by-file by-file-by-lang csv json yaml md xml exclude-dir= exclude-lang= include-lang= exclude-ext= "
		 "include-ext= match-f= not-match-f= match-d= not-match-d= quiet hide-rate progress-rate= unix "
		 "skip-uniqueness sum-one show-lang?= show-ext?= timeout= processes= fullpath max-file-size= diff "
		 "docstring-as-code",
	.options = OPTIONS{ { NULL, "out report-file ignored counted", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
		{ NULL, "list-file exclude-list-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_LIST }, { 0 } },
	.rules = RULES{ { EACH, EFFECT_LIST }, { END } },
};
