/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tools of single languages and frameworks that check, test, format, build or count a project. With the options listed
 * here they run its code or its configuration, and do no more; options that name a program, a plugin or a service are
 * left out (the manual of each tool).
 */
#include "worker/commands/model.h"

/*
 * Of tools with commands of their own, the first words that are fine, and words that are not, wherever they stand.
 * Characters rather than pointers, which would have to be relocated whenever a worker starts.
 */
static const struct {
	char program[20];
	char verbs[240];
	char not[56];
} rows[] = {
	{ "alembic", "history heads current show check branches upgrade stamp revision merge", "" },
	{ "bazel", "build test query cquery aquery info run coverage fetch mod version clean help", "" },
	{ "buck2", "build test query cquery uquery targets audit status clean", "" },
	{ "buf", "lint build generate format breaking ls-files dep", "" },
	{ "cdk", "synth synthesize list ls diff doctor docs notices acknowledge ack", "" },
	{ "dart", "analyze format test compile fix doc info run pub", "global token login logout uploader" },
	{ "dbt", "compile parse ls list deps debug", "" },
	{ "django-admin", "check diffsettings version help makemessages compilemessages", "" },
	{ "dune", "build test runtest clean fmt format describe", "" },
	{ "flask", "routes run db", "downgrade drop" },
	{ "flutter", "test analyze build run pub doctor devices clean create format gen-l10n emulators drive assemble",
		"global token login install" },
	{ "ginkgo", "run build watch outline labels version", "" },
	{ "hugo", "server serve list version env mod config", "get init" },
	{ "jekyll", "build b clean doctor hyde serve server s", "" },
	{ "jupyter", "nbconvert kernelspec troubleshoot", "install remove uninstall provision" },
	{ "kustomize", "build version", "" },
	{ "lein", "test check compile classpath deps jar uberjar clean run", "" },
	{ "maturin", "build develop", "" },
	{ "mdbook", "build test clean", "" },
	{ "opam", "list show search info", "" },
	{ "packer", "validate fmt inspect version", "" },
	{ "pdm", "install list build lock info sync update show outdated", "" },
	{ "pixi", "install list info lock tree", "" },
	{ "pod", "install update outdated", "" },
	{ "prisma", "generate validate format migrate version", "dev reset resolve deploy" },
	{ "pulumi", "preview version about", "" },
	{ "rails", "routes test t test:all test:system test:models test:controllers about stats notes version "
		"db:version db:migrate:status db:migrate db:schema:dump db:test:prepare zeitwerk:check middleware "
		"initializers server s generate g", "" },
	{ "rebar3", "compile eunit ct dialyzer xref deps tree clean fmt lint cover proper", "" },
	{ "sqlc", "generate compile vet diff", "" },
	{ "sqlfluff", "lint parse format fix dialects rules render", "" },
	{ "swift", "build test run package", "config plugin set-mirror register login set-repository" },
	{ "swiftlint", "lint analyze rules version reporters", "" },
	{ "tox", "", "exec e devenv x" },
	{ "templ", "generate fmt", "" },
	{ "terragrunt", "validate hclfmt hclvalidate plan init graph-dependencies", "" },
	{ "trivy", "fs filesystem config conf version", "" },
	{ "vagrant", "status global-status validate port version", "" },
	{ "vale", "", "sync" },
	{ "wasm-pack", "build test", "" },
};

enum { LOOKS = 1 }; /* an option is given that makes the program only look */

/* The tool hands on what stands behind "--" to the project's own tests. */
static bool hands_on(const struct run *run)
{
	return in_list(bytes_str(run->model->name), "tox bazel swift cucumber flutter dart");
}

static void project_tool(struct run *run)
{
	const struct arg *first;
	size_t at = 0;
	bool has_verbs;

	run_project_tool(run);
	while (at < ARRAY_LEN(rows) && strcmp(rows[at].program, run->model->name) != 0)
		at++;
	has_verbs = at < ARRAY_LEN(rows) && rows[at].verbs[0] != '\0';
	for (uint32_t i = 0; i < run->n_operands; i++) {
		const struct arg *a = &run->operands[i];

		/* Behind "--" stand the options of another program; a name with a value changes the environment. */
		if (has_verbs && !hands_on(run) && (bytes_start(a->text, "-") || bytes_char(a->text, '=')))
			run_open(run, "%s is given %.*s", run->model->name,
				(int)(a->text.len < 60 ? a->text.len : 60), a->text.p);
		if (at < ARRAY_LEN(rows) && in_list(a->text, rows[at].not))
			run_open(run, "%s %.*s reaches further than the project", run->model->name, (int)a->text.len,
				a->text.p);
	}
	first = run->operands;
	if (has_verbs && run->n_operands > 0 && !(first->is_static && in_list(first->text, rows[at].verbs)))
		run_open(run, "%s %.*s is not known to the gate", run->model->name,
			(int)(first->text.len < 60 ? first->text.len : 60), first->text.p);
}

/* Programs that change hosts, or run what they are for, unless told to look. */
static void looking_tool(struct run *run)
{
	project_tool(run);
	if (!(run->bits & LOOKS))
		run_open(run, "%s changes hosts or runs programs", run->model->name);
}

/* //PACKAGE:TARGET is a label of the workspace, not a path from the root. */
static void label_tool(struct run *run)
{
	const struct arg *words = run->argv;
	struct arg *labels = run_alloc(run, (run->argc + 1) * sizeof(*labels));

	if (!labels)
		return;
	for (uint32_t i = 0; i < run->argc; i++) {
		labels[i] = words[i];
		if (bytes_start(words[i].text, "//"))
			labels[i].text = bytes_from(words[i].text, 2);
	}
	run->argv = labels;
	project_tool(run);
	run->argv = words;
}

#define TOOL(id, program, letters, names) MODEL(id) = { .name = program, .syntax = PROJECT_TOOL | PARTIAL, \
	.shorts = letters, .longs = names, .special = project_tool }
/* -name is the same as --name (the flag package of Go). */
#define GO_TOOL(id, program, names) MODEL(id) = { .name = program, .syntax = PROJECT_TOOL | PARTIAL | ONE_DASH, \
	.longs = names, .special = project_tool }
#define LOOKING_TOOL(id, program, letters, names, look, looks) MODEL(id) = { .name = program, .syntax = PARTIAL, \
	.shorts = letters, .longs = names, .special = looking_tool, \
	.options = OPTIONS{ { look, looks, NOTHING, IGNORE, .set = LOOKS }, { 0 } } }

#define LABEL_TOOL(id, program, letters, names) MODEL(id) = { .name = program, .syntax = PARTIAL | NO_ABBREVIATION, \
	.shorts = letters, .longs = names, .special = label_tool }

LABEL_TOOL(bazel, "bazel", "c:j:kst:",
	"config= compilation_mode= jobs= keep_going test_output= test_filter= output= nocache_test_results "
	"cache_test_results= show_progress noshow_progress verbose_failures sandbox_debug platforms= cpu= "
	"features= runs_per_test= test_arg= test_tag_filters= build_tag_filters= ui_event_filters= color= curses= "
	"noshow_loading_progress subcommands nofetch check_up_to_date local_test_jobs= test_timeout= "
	"flaky_test_attempts= build_tests_only expunge noimplicit_deps notool_deps order_output= test_summary= "
	"strip= stamp nostamp collect_code_coverage combined_report= instrumentation_filter= test_env= "
	"lockfile_mode=");
LABEL_TOOL(buck2, "buck2", "c:j:kv:",
	"config= mode= keep-going show-output show-full-output num-threads= output-format= json target-platforms= "
	"console= local-only");
TOOL(alembic, "alembic", "c:n:vm:r:i",
	"config= name= raiseerr verbose autogenerate message= rev-id= sql head= splice branch-label= tag= "
	"indicate-current rev-range= resolve-dependencies");
TOOL(flutter, "flutter", "d:t:vj:r:",
	"coverage name= plain-name= tags= exclude-tags= dart-define= release debug profile flavor= target= "
	"device-id= no-pub offline machine verbose reporter= build-name= build-number= obfuscate "
	"no-tree-shake-icons web-renderer= platforms= org= template= suppress-analytics fatal-infos no-fatal-infos "
	"fatal-warnings no-fatal-warnings test-randomize-ordering-seed= concurrency= update-goldens analyze-size "
	"no-codesign web-port= version timeout=");
TOOL(just, "just", "nqvlud:f:s:",
	"dry-run list show= summary quiet verbose working-directory= justfile= no-deps evaluate fmt check unstable "
	"color= yes variables dump list-heading= unsorted");
TOOL(swift, "swift", "c:vj:",
	"configuration= product= target= filter= skip= parallel num-workers= enable-code-coverage show-bin-path "
	"package-path= build-path= scratch-path= verbose quiet build-tests skip-build list-tests "
	"enable-test-discovery sanitize= static-swift-stdlib arch= triple= skip-update xunit-output= format= type=");
TOOL(tox, "tox", "e:pvqrlaf:n:c:",
	"parallel recreate verbose skip-missing-interpreters?= workdir= listenvs colored= quiet notest sdistonly "
	"no-recreate-pkg skip-env= root= develop conf=");
LOOKING_TOOL(act, "act", "vj:W:", "job= workflows= verbose", "l", "list graph");
LOOKING_TOOL(ansible_inventory, "ansible-inventory", "vi:l:y", "inventory= limit= vars yaml verbose", NULL,
	"list graph");
LOOKING_TOOL(ansible_playbook, "ansible-playbook", "vi:l:t:CD",
	"inventory= limit= tags= skip-tags= check diff verbose", NULL, "syntax-check list-tasks list-hosts list-tags");
TOOL(ansible_lint, "ansible-lint", "qvLTf:t:x:w:c:p",
	"offline nocolor parseable strict fix?= profile= format= exclude= skip-list= warn-list= enable-list= tags= "
	"list-rules list-tags show-relpath project-dir= config-file= ignore-file=");
TOOL(brakeman, "brakeman", "qAzwf:p:o:",
	"quiet no-pager format= no-exit-on-warn no-progress confidence-level= only-files= skip-files= path= "
	"ignore-config= output=");
TOOL(buf, "buf", "o:wdv",
	"path= exclude-path= config= error-format= against= template= timeout= debug verbose include-imports write "
	"diff exit-code output=");
TOOL(cdk, "cdk", "c:qvejl",
	"context= profile= output= quiet verbose json no-color exclusively strict no-version-reporting all long "
	"show-dependencies ci");
TOOL(cucumber, "cucumber", "t:n:f:p:dqsi",
	"tags= name= format= profile= dry-run strict no-color publish-quiet fail-fast guess expand");
TOOL(dart, "dart", "o:D:j:n:N:r:t:x:p:l:v",
	"set-exit-if-changed output= line-length= fatal-infos fatal-warnings no-fatal-warnings apply dry-run "
	"coverage= concurrency= name= plain-name= reporter= tags= exclude-tags= platform= offline define= verbose "
	"show= machine format= enable-experiment=");
TOOL(dbt, "dbt", "s:m:t:q",
	"select= exclude= profiles-dir= project-dir= target= profile= quiet no-version-check resource-type= output= "
	"models=");
TOOL(django_admin, "django-admin", "v:l:a",
	"settings= verbosity= traceback no-color force-color deploy tag= fail-level= locale= all");
TOOL(doxygen, "doxygen", "gsuqv", "");
TOOL(dune, "dune", "fwp:j:x:",
	"root= profile= release display= force watch auto-promote verbose only-packages= no-buffer cache= sandbox= "
	"instrument-with= build-dir=");
GO_TOOL(errcheck, "errcheck", "blank asserts ignoretests exclude= tags= verbose abspath ignorepkg= ignore= excludeonly");
TOOL(flask, "flask", "A:p:h:s:m:",
	"app= debug no-debug port= host= reload no-reload no-debugger sort= all-methods with-threads without-threads "
	"message=");
TOOL(gcovr, "gcovr", "r:f:e:o:bspj:x",
	"root= html?= html-details?= xml?= json?= filter= exclude= output= print-summary branches fail-under-line= "
	"fail-under-branch= object-directory= txt?= csv?= cobertura?= keep sonarqube?= markdown?=");
GO_TOOL(ginkgo, "ginkgo",
	"r v vv p race cover focus= skip= tags= label-filter= procs= nodes= randomize-all fail-fast keep-going "
	"timeout= trace json-report= junit-report= coverprofile= output-dir= no-color succinct");
GO_TOOL(gosec, "gosec",
	"fmt= out= severity= confidence= exclude= include= exclude-dir= exclude-generated quiet tests tags= conf= "
	"no-fail stdout");
GO_TOOL(govulncheck, "govulncheck", "json mode= tags= test show= format= scan= C=");
TOOL(hugo, "hugo", "DEFs:d:e:t:b:wvp:",
	"minify source= destination= environment= config= baseURL= buildDrafts buildFuture buildExpired gc "
	"logLevel= port= bind= disableFastRender navigateToChanged printPathWarnings quiet watch theme= themesDir= "
	"contentDir= verbose debug ignoreCache enableGitInfo panicOnWarning");
TOOL(jekyll, "jekyll", "s:d:DIltVqp:H:P:wb:",
	"drafts future incremental trace verbose quiet config= baseurl= destination= source= profile livereload "
	"port= host= watch no-watch unpublished strict_front_matter");
TOOL(jupyter, "jupyter", "y",
	"to= output= output-dir= inplace stdout no-input no-prompt clear-output json allow-errors");
TOOL(ktlint, "ktlint", "Fv", "format relative color verbose editorconfig= android code-style= log-level= baseline=");
TOOL(kustomize, "kustomize", "o:", "output= reorder=");
TOOL(lein, "lein", "oU", "offline");
TOOL(markdownlint, "markdownlint", "fc:i:djo:qp:s",
	"fix config= ignore= dot json output= quiet disable= enable= ignore-path= stdin");
TOOL(maturin, "maturin", "rb:m:F:E:o:v",
	"release strip manifest-path= features= extras= out= target= uv skip-install bindings= find-interpreter sdist");
TOOL(mdbook, "mdbook", "d:c:", "dest-dir= chapter=");
TOOL(opam, "opam", "aisf:",
	"installed all short columns= required-by= depends-on= available raw field= color= switch=");
GO_TOOL(packer, "packer",
	"syntax-only var= var-file= check diff write= recursive except= only= machine-readable");
TOOL(pdm, "pdm", "dG:vqp:",
	"dev prod no-dev group= no-self frozen-lockfile check verbose quiet no-lock project= graph json tree dry-run");
TOOL(pest, "pest", "v",
	"filter= coverage parallel group= testsuite= stop-on-failure colors?= compact exclude-group= min= processes= "
	"no-coverage bail dirty retry todos ci");
TOOL(phpcs, "phpcs", "sqnpvawiel",
	"standard= report= extensions= ignore= colors severity= error-severity= warning-severity= parallel= cache "
	"no-cache tab-width= report-width= encoding= sniffs= exclude= basepath=");
TOOL(pint, "pint", "v", "test dirty diff= preset= config= format= bail repair parallel");
TOOL(pixi, "pixi", "e:vqp:", "manifest-path= environment= frozen locked json platform= explicit");
TOOL(pod, "pod", "",
	"repo-update verbose no-repo-update silent no-ansi deployment clean-install project-directory=");
TOOL(prisma, "prisma", "", "schema= watch generator= no-engine");
TOOL(psalm, "psalm", "c:r:",
	"show-info= no-cache threads= output-format= no-progress stats alter dry-run config= root= no-diff "
	"clear-cache report= find-unused-code?= taint-analysis monochrome long-progress issues=");
TOOL(pulumi, "pulumi", "s:C:p:v:",
	"diff json stack= cwd= non-interactive parallel= suppress-outputs color= target= logtostderr expect-no-changes");
TOOL(pycodestyle, "pycodestyle", "qv",
	"max-line-length= ignore= select= exclude= show-source show-pep8 statistics count first format= filename= "
	"max-doc-length= config=");
TOOL(pydocstyle, "pydocstyle", "esdvq",
	"convention= match= match-dir= add-ignore= add-select= select= ignore= explain source count config= verbose");
TOOL(rails, "rails", "e:p:n:vs:dfbc:g:E",
	"environment= port= name= trace verbose seed= defer-output fail-fast backtrace force skip pretend");
TOOL(rebar3, "rebar3", "v", "dir= suite= module= verbose cover");
GO_TOOL(revive, "revive", "config= formatter= exclude= set_exit_status max_open_files=");
TOOL(scc, "scc", "f:M:wi:x:s:o:avz",
	"by-file format= exclude-dir= include-ext= no-cocomo no-complexity sort= wide output= exclude-ext= ci "
	"not-match= no-gen no-min uloc dryness");
TOOL(sqlc, "sqlc", "f:x", "file=");
TOOL(sqlfluff, "sqlfluff", "vfs",
	"dialect= templater= rules= exclude-rules= format= config= processes= verbose disable-noqa force "
	"show-lint-violations nocolor ignore= disable-progress-bar write-output= annotation-level= nofail "
	"stdin-filename=");
TOOL(standardrb, "standardrb", "", "fix format= lint fix-unsafely no-fix parallel no-parallel");
TOOL(stylelint, "stylelint", "q",
	"fix config= formatter= quiet cache ignore-path= allow-empty-input max-warnings= output-file= "
	"report-needless-disables");
TOOL(swiftformat, "swiftformat", "",
	"lint swiftversion= config= exclude= rules= disable= enable= verbose dryrun quiet indent= lenient report= output=");
TOOL(swiftlint, "swiftlint", "",
	"fix strict quiet reporter= config= path= only-rule= format autocorrect no-cache lenient progress "
	"cache-path= force-exclude");
GO_TOOL(templ, "templ", "path= f= lazy stdout w= v include-version= include-timestamp=");
GO_TOOL(terragrunt, "terragrunt",
	"terragrunt-non-interactive non-interactive terragrunt-check check terragrunt-working-dir= working-dir= "
	"no-color input= lock= out= var= terragrunt-log-level= log-level= detailed-exitcode terragrunt-diff diff");
TOOL(tokei, "tokei", "fs:e:lo:t:Cv",
	"files sort= exclude= languages output= type= compact hidden no-ignore verbose");
TOOL(trivy, "trivy", "f:s:o:qd",
	"severity= exit-code= ignore-unfixed format= scanners= security-checks= skip-dirs= skip-files= output= quiet "
	"no-progress ignorefile= timeout= vuln-type= pkg-types= offline-scan skip-db-update cache-dir= list-all-pkgs "
	"dependency-tree debug");
TOOL(typos, "typos", "wvc:j:",
	"write-changes diff format= config= exclude= type= hidden force-exclude color= brief files identifiers words");
TOOL(vagrant, "vagrant", "", "prune machine-readable color no-color");
TOOL(vale, "vale", "", "config= glob= minAlertLevel= output= no-wrap ext= no-exit ignore-syntax no-global");
TOOL(wasm_pack, "wasm-pack", "t:d:s:m:",
	"target= release dev profiling out-dir= out-name= scope= node firefox chrome safari headless no-typescript "
	"mode= no-pack no-opt weak-refs reference-types");
GO_TOOL(actionlint, "actionlint", "color no-color oneline verbose format= ignore= debug");

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
