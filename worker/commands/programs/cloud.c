/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clouds and clusters: what only lists and describes is a read, what deletes is destruction, the rest
 * changes. Verbs decide; an option of an unknown kind, a secret's value or a file sent along makes the
 * command open.
 */
#include "policy/paths/paths.h"
#include "worker/commands/model.h"

struct cloud {
	const char *program;
	const char *reads, *destroys; /* verbs */
	const char *groups; /* words that may stand in front of the verb */
	const char *with_value; /* options that take the next word */
	const char *flags;
	const char *secrets; /* words anywhere among the operands that make a read print credentials */
};

static const struct cloud clouds[] = {
	{ "kubectl",
		"get describe logs top explain api-resources api-versions version cluster-info events diff "
		"current-context get-contexts get-clusters get-users view status history can-i whoami wait port-forward",
		"delete", "config rollout auth",
		"--for --timeout --dry-run --from-literal --revision -n --namespace -o --output -l --selector --context -c --container --tail --since "
		"--since-time --field-selector --sort-by --limit --request-timeout --cluster --user",
		"-A --all-namespaces -w --watch --show-labels --no-headers -f --follow -p --previous "
		"--timestamps --all-containers --containers -L --show-kind --ignore-not-found --prefix "
		"--short --client --watch-only -R --recursive",
		"secret secrets secret/ token" },
	{ "helm", "list ls status history version env lint search template show", "uninstall delete del un",
		"repo plugin dependency",
		"-n --namespace -o --output --kube-context --max --filter --revision -f --values --set --set-string --version "
		"-s --show-only",
		"--include-crds --skip-tests --strict -a --all -A --all-namespaces --short -q --deployed --failed --pending --devel --versions "
		"--debug",
		"" },
	{ "gcloud", "list describe info version get-value read", "delete destroy remove-iam-policy-binding",
		"compute instances instance-groups instance-templates disks networks subnets firewall-rules "
		"addresses images snapshots zones regions machine-types projects config configurations "
		"container clusters node-pools operations run services revisions jobs functions iam "
		"service-accounts roles logging logs metrics sql databases backups dns managed-zones "
		"record-sets pubsub topics subscriptions storage buckets builds artifacts repositories app "
		"versions auth components organizations billing accounts scheduler tasks queues redis "
		"spanner bigtable monitoring dashboards source beta alpha",
		"--project --format --filter --zone --region --account --limit --sort-by --page-size "
		"--verbosity --location --cluster --instance --zones --regions --freshness --order",
		"--quiet -q --global --uri --no-user-output-enabled --all-users",
		"secrets keys auth print-access-token print-identity-token access" },
	{ "az", "list show version tail", "delete purge",
		"log account group vm vmss aks acr webapp functionapp storage container blob network vnet subnet "
		"nsg public-ip nic lb sql server db cosmosdb monitor activity-log metrics resource disk "
		"image snapshot appservice plan ad user sp app role assignment definition postgres "
		"flexible-server mysql redis servicebus eventhubs iot deployment operation extension config "
		"policy lock tag provider feature bicep repository advisor",
		"-g --resource-group -n --name -o --output --query --subscription -l --location "
		"--resource-type --vault-name --ids --cluster-name",
		"--verbose --debug --only-show-errors --all",
		"secret keys key keyvault get-access-token get-credentials credential list-keys "
		"connection-string" },
};

/* -Aw, -nNAME and -An NAME: flags of one letter, and the last may take a value. */
static bool is_cluster(const struct cloud *c, struct bytes name, uint32_t *i)
{
	char option[] = "-x";

	for (size_t k = 1; k < name.len; k++) {
		option[1] = name.p[k];
		if (in_list((struct bytes){ option, 2 }, c->with_value)) {
			*i += k + 1 == name.len;
			return true;
		}
		if (!in_list((struct bytes){ option, 2 }, c->flags))
			return false;
	}
	return name.len > 1;
}

/* --dry-run=client and =server change nothing; the last one counts, so that all must say so. */
static bool is_rehearsed(const struct run *run)
{
	bool rehearsed = false;

	for (uint32_t i = 0; i < run->argc; i++) {
		if (!bytes_start(run->argv[i].text, "--dry-run"))
			continue;
		if (!run->argv[i].is_static || !in_list(run->argv[i].text, "--dry-run=client --dry-run=server"))
			return false;
		rehearsed = true;
	}
	return rehearsed && strcmp(run->model->name, "kubectl") == 0;
}

/* A word that names secrets: secret, secrets/x, cm,secret, Secret.v1 and their like. */
static bool names_secrets(const struct cloud *c, struct bytes word)
{
	while (word.len) {
		size_t n = 0, end;

		while (n < word.len && word.p[n] != ',')
			n++;
		for (end = 0; end < n && word.p[end] != '/' && word.p[end] != '.';)
			end++;
		if (in_list((struct bytes){ word.p, end }, c->secrets) || (end >= strlen("secret") &&
			end <= strlen("secrets") && strncasecmp(word.p, "secrets", end) == 0 &&
			strcmp(c->program, "kubectl") == 0))
			return true;
		word = bytes_from(word, n + (n < word.len));
	}
	return false;
}

/* The table of kubectl get and what describe says of a secret hold names and sizes alone; a format may hold all. */
static bool shows_names_only(const struct run *run)
{
	bool names = strcmp(run->model->name, "kubectl") == 0;

	for (uint32_t i = 0; i < run->argc && names; i++) {
		struct bytes word = run->argv[i].text;
		/* In a cluster, too; the value of -n or -l may hold any letter. */
		bool output = bytes_start(word, "--output") || (bytes_start(word, "-") && !bytes_start(word, "--") &&
			!bytes_start(word, "-n") && !bytes_start(word, "-l") && bytes_char(word, 'o'));

		names = run->argv[i].is_static && !in_list(word, "view token --raw") &&
			(!output || in_list(word, "-oname -owide -o=name -o=wide --output=name --output=wide") ||
				(in_list(word, "-o --output") && i + 1 < run->argc && run->argv[i + 1].is_static &&
					in_list(run->argv[i + 1].text, "name wide")));
	}
	return names;
}

/* Objects that a file describes may be secrets. */
static bool names_unseen(const struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++)
		if (in_list(run->argv[i].text, "-f --filename") || bytes_start(run->argv[i].text, "--filename="))
			return run->argc && arg_is(&run->argv[0], "get");
	return false;
}

static void verb_reader(struct run *run)
{
	const struct cloud *c = clouds;
	const char *found = NULL;
	bool secret = false, rehearsed = is_rehearsed(run);

	while (strcmp(c->program, run->model->name) != 0)
		c++;
	if (run->argc && strcmp(c->program, "gcloud") == 0 && arg_is(&run->argv[0], "storage")) {
		run->argv++;
		run->argc--;
		run_copies_objects(run);
		return;
	}
	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];
		struct bytes name = a->text;
		const char *eq = name.len ? memchr(name.p, '=', name.len) : NULL;

		if (!a->is_static && (a->text.len == 0 || !found)) {
			run_open(run, "a word of %s is not known before it runs", run->model->name);
			return;
		}
		if (bytes_find(a->text, "file://") || bytes_start(a->text, "@"))
			run_open(run, "%s sends a file along", run->model->name);
		if (name.len > 1 && name.p[0] == '-') {
			if (eq)
				name.len = (size_t)(eq - name.p);
			if (in_list(name, c->with_value))
				i += eq ? 0 : 1;
			else if (!in_list(name, c->flags) && !is_cluster(c, name, &i))
				run_open(run, "option %.*s of %s is not known to the gate",
					(int)(name.len < 60 ? name.len : 60), name.p, run->model->name);
			continue;
		}
		secret = secret || names_secrets(c, name);
		if (found)
			continue;
		if (in_list(name, c->reads) ||
			(rehearsed && in_list(name, "apply create delete replace label annotate")))
			found = "read";
		else if (in_list(name, c->destroys))
			found = "destroy";
		else if (!in_list(name, c->groups))
			break;
	}
	if (!found) {
		run_effect_fixed(run, EFFECT_CLOUD_CHANGE, run->model->name);
		return;
	}
	if (found[0] == 'd') {
		run_effect_fixed(run, EFFECT_CLOUD_DESTROY, run->model->name);
		return;
	}
	if ((secret || names_unseen(run)) && !shows_names_only(run))
		run_open(run, "%s may print a credential", run->model->name);
	run_effect_fixed(run, EFFECT_CLOUD_READ, run->model->name);
}

MODEL(kubectl) = { .name = "kubectl", .reader = verb_reader };
MODEL(helm) = { .name = "helm", .reader = verb_reader };
MODEL(gcloud) = { .name = "gcloud", .reader = verb_reader };
MODEL(az) = { .name = "az", .reader = verb_reader };

/* Operations of aws by their names: describe-, list-, head- and most get- only read. */
static bool aws_reads(struct bytes operation)
{
	static const char *const printing[] = { "secret", "password", "token", "credential", "key",
		"parameter", "object", "output", "login", "export", "presign", "access-details", "connection" };

	/* Its answer has the client's secret. */
	if (bytes_start(operation, "describe-user-pool-client"))
		return false;

	if (in_list(operation, "tail filter-log-events lookup-events start-query validate-template wait"))
		return true;
	if (bytes_start(operation, "describe-") || bytes_start(operation, "list-") ||
		bytes_start(operation, "head-"))
		return true;
	if (!bytes_start(operation, "get-") && !bytes_start(operation, "batch-get-"))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(printing); i++)
		if (bytes_find(operation, printing[i]))
			return false;
	return true;
}

static void aws_s3(struct run *run, struct bytes verb, const struct arg *from, const struct arg *to)
{
	if (bytes_is(verb, "ls")) {
		run_effect_fixed(run, EFFECT_CLOUD_READ, "s3");
	} else if (in_list(verb, "rm rb")) {
		run_effect_fixed(run, EFFECT_CLOUD_DESTROY, "s3");
	} else if (in_list(verb, "cp sync mv") && from && to) {
		bool sends = bytes_start(to->text, "s3://"), brings = bytes_start(from->text, "s3://");

		if (brings && path_is_secret(from->text))
			run_open(run, "what aws s3 brings looks like a secret");
		if (brings)
			run_effect_fixed(run, EFFECT_CLOUD_READ, "s3");
		else if (arg_is(from, "-"))
			run->out->stdin_role = STDIN_SENT;
		else
			run_effect(run, EFFECT_COPY, from);
		/* From one bucket to another nothing leaves this machine. */
		if (sends && brings)
			run_effect_fixed(run, EFFECT_CLOUD_CHANGE, "s3");
		else if (sends || !arg_is(to, "-"))
			run_effect(run, sends ? EFFECT_UPLOAD : EFFECT_WRITE, to);
		if (sends)
			run_open(run, "aws sends to where its own settings say");
		else if (!bytes_is(verb, "cp"))
			run_open(run, "aws s3 %.*s may delete what it copies, or what is here", (int)verb.len, verb.p);
	} else {
		run_effect_fixed(run, EFFECT_CLOUD_CHANGE, "s3");
	}
}

static void aws_reader(struct run *run)
{
	const struct arg *operands[4] = { NULL, NULL, NULL, NULL };
	uint32_t n = 0;

	for (uint32_t i = 0; i < run->argc; i++) {
		const struct arg *a = &run->argv[i];

		if (!a->is_static && (a->text.len == 0 || n < 2)) {
			run_open(run, "a word of aws is not known before it runs");
			return;
		}
		if (bytes_find(a->text, "file://") || bytes_find(a->text, "fileb://") ||
			bytes_start(a->text, "--cli-input") || bytes_start(a->text, "--endpoint-url") ||
			bytes_start(a->text, "--ca-bundle") || bytes_start(a->text, "--with-decryption"))
			run_open(run, "an option of aws sends a file, asks another host or shows a secret");
		if (in_list(a->text,
			    "--profile --region --output --query --cli-read-timeout --cli-connect-timeout "
			    "--color"))
			i++;
		else if ((!bytes_start(a->text, "-") || a->text.len == 1) && n < ARRAY_LEN(operands))
			operands[n++] = a;
	}
	if (n < 2) {
		run_open(run, "what aws does is not known to the gate");
	} else if (arg_is(operands[0], "s3")) {
		aws_s3(run, operands[1]->text, operands[2], operands[3]);
	} else if (arg_is(operands[0], "configure")) {
		if (!arg_is(operands[1], "list") && !arg_is(operands[1], "list-profiles"))
			run_open(run, "aws configure shows or changes credentials");
		run_effect_fixed(run, EFFECT_CLOUD_READ, "configuration");
	} else if (aws_reads(operands[1]->text)) {
		run_effect(run, EFFECT_CLOUD_READ, operands[0]);
	} else if (bytes_start(operands[1]->text, "delete-") ||
		bytes_start(operands[1]->text, "terminate-") || bytes_start(operands[1]->text, "purge-") ||
		bytes_start(operands[1]->text, "batch-delete-") ||
		bytes_start(operands[1]->text, "schedule-key-deletion")) {
		run_effect(run, EFFECT_CLOUD_DESTROY, operands[0]);
	} else {
		run_effect(run, EFFECT_CLOUD_CHANGE, operands[0]);
	}
}

MODEL(aws) = { .name = "aws", .reader = aws_reader };

#define TF_LONGS "no-color compact-warnings input= lock= lock-timeout= var= parallelism= refresh= " \
	"target= detailed-exitcode recursive check diff write= list= json upgrade reconfigure " \
	"backend= get= raw module-depth= type="
#define TF(names, ...) { .name = names, .syntax = ONE_DASH | PARTIAL, .longs = TF_LONGS, .rules = \
	__VA_ARGS__, .options = OPTIONS{ { NULL, "var-file backend-config", REQUIRED, \
	EFFECT_OF_VALUE, EFFECT_USE }, \
	{ NULL, "out", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, \
	{ NULL, "destroy", NOTHING, EFFECT_FIXED, EFFECT_CLOUD_DESTROY, .text = "resources" }, \
	{ 0 } } }
static const struct command_model workspace[] = {
	TF("list|show", RULES{ { ALWAYS, EFFECT_CLOUD_READ, .text = "state" }, { END } }),
	TF("select|new", RULES{ { ALWAYS, EFFECT_CLOUD_CHANGE, .text = "workspace" }, { END } }),
	TF("delete", RULES{ { ALWAYS, EFFECT_CLOUD_DESTROY, .text = "workspace" }, { END } }),
	{ 0 },
};
static const struct command_model tf_providers[] = {
	{ .name = "lock|schema",
		.syntax = ONE_DASH | PARTIAL,
		.longs = "json platform= no-color",
		.rules = RULES{ { ALWAYS, EFFECT_RUN_PROJECT }, { END } } },
	{ .name = "mirror",
		.syntax = ONE_DASH | PARTIAL,
		.longs = "platform= no-color",
		.rules = RULES{ { EACH, EFFECT_WRITE }, { END } } },
	{ 0 },
};
/* What is marked sensitive is hidden in what list and show print; pull prints all. */
static const struct command_model tf_state[] = {
	{ .name = "list|show",
		.syntax = ONE_DASH | PARTIAL,
		.longs = "no-color id=",
		.options = OPTIONS{ { NULL, "state", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, { 0 } },
		.rules = RULES{ { ALWAYS, EFFECT_CLOUD_READ, .text = "state" }, { END } } },
	{ .name = "mv|rm|push|replace-provider",
		.syntax = ONE_DASH | PARTIAL,
		.longs = "dry-run lock= lock-timeout= force auto-approve",
		.rules = RULES{ { ALWAYS, EFFECT_CLOUD_CHANGE, .text = "resources" }, { END } } },
	{ .name = "pull", .refuse = "prints what the state keeps secret", .syntax = PARTIAL },
	{ 0 },
};
/* Of all outputs those that are sensitive are hidden; of one that is named the value is printed. */
static void prints_output(struct run *run)
{
	if (run->n_operands)
		run_open(run, "the value of a named output is printed, whatever it is");
	run_effect_fixed(run, EFFECT_CLOUD_READ, "state");
}

static const struct command_model terraform[] = {
	TF("fmt|validate|init|get|graph|plan",
		RULES{ { EACH, EFFECT_RUN_PROJECT }, { ABSENT, EFFECT_RUN_PROJECT }, { END } }),
	{ .name = "workspace", .syntax = POSIX_ORDER, .subcommands = workspace },
	{ .name = "providers",
		.syntax = POSIX_ORDER | ONE_DASH | SUBCOMMAND_ALONE_OK,
		.rules = RULES{ { ALWAYS, EFFECT_RUN_PROJECT }, { END } },
		.subcommands = tf_providers },
	{ .name = "state", .syntax = POSIX_ORDER | ONE_DASH, .subcommands = tf_state },
	{ .name = "output",
		.syntax = ONE_DASH | PARTIAL,
		.longs = "no-color",
		.options = OPTIONS{ { NULL, "json raw", NOTHING, REFUSE, .text = "prints values that are kept secret" },
			{ 0 } },
		.special = prints_output },
	{ .name = "show",
		.syntax = ONE_DASH | PARTIAL,
		.longs = "no-color",
		.options = OPTIONS{ { NULL, "json", NOTHING, REFUSE,
			.text = "-json prints what the state keeps secret" }, { 0 } },
		.rules = RULES{ { EACH, EFFECT_USE }, { ALWAYS, EFFECT_CLOUD_READ, .text = "state" }, { END } } },
	TF("version|metadata",
		RULES{ { ALWAYS, EFFECT_CLOUD_READ, .text = "state" }, { END } }),
	/* test applies what it tests, for as long as it runs. */
	TF("apply|test|import|refresh|taint|untaint|force-unlock|console",
		RULES{ { ALWAYS, EFFECT_CLOUD_CHANGE, .text = "resources" }, { END } }),
	TF("destroy", RULES{ { ALWAYS, EFFECT_CLOUD_DESTROY, .text = "resources" }, { END } }),
	{ 0 },
};
#define TERRAFORM(id, program) MODEL(id) = { .name = program, .syntax = POSIX_ORDER | ONE_DASH | \
	SUBCOMMAND_ALONE_OK, .longs = "version help", .subcommands = terraform, .options = OPTIONS{ \
	{ NULL, "chdir", REQUIRED, DIRECTORY }, \
	{ 0 } } }
TERRAFORM(terraform, "terraform");
TERRAFORM(tofu, "tofu");
MODEL(tflint) = { .name = "tflint", .reader = run_project_tool };
