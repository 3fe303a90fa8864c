/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers: docker, podman, their compose, and what builds images. Inside a container nothing of the host
 * is touched, unless an option lets it out: mounts, privileges, namespaces of the host, devices
 * (docker-run(1)).
 */
#include "policy/paths/paths.h"
#include "worker/commands/programs/shown_settings.h"

enum { VOLUMES = 1, ALL = 2, PUSHES = 4, TAG_UNKNOWN = 8, GETS_SECRET = 16, INTERACTIVE = 32, ENTRY = 64 };

#define NAMES RULES{ { EACH, EFFECT_CONTAINER_READ }, { ABSENT, EFFECT_CONTAINER_READ, .text = "" }, \
	{ END } }
#define COBRA (PARTIAL | NO_ABBREVIATION | EQUALS)

/* What the container sees of the host, for the commands in it. */
static void add_mount(struct run *run, struct bytes source, struct bytes target)
{
	struct mount *m = target.len ? run_alloc(run, sizeof(*m)) : NULL;

	if (!m)
		return;
	*m = (struct mount){ source, target, run->mounts };
	run->mounts = m;
}

/* The project is what builds and tests mount every day; any other place is the host's. */
static void mounts_path(struct run *run, const struct arg *path)
{
	run_effect(run, EFFECT_RUN_PROJECT, path);
}

/* -v SOURCE:TARGET[:OPTIONS]: a named volume stays with the engine, a path is the host's. */
static void volume_option(struct run *run, const struct arg *value)
{
	struct bytes source = value->text;
	struct arg path = *value;
	const char *end = source.len ? memchr(source.p, ':', source.len) : NULL;

	if (!end && value->is_static)
		return;
	path.text = end ? (struct bytes){ source.p, (size_t)(end - source.p) } : source;
	path.is_static = value->is_static || end;
	if (path.text.len == 0) {
		run_open(run, "what %.*s mounts is not known before it runs", (int)run->out->program.len,
			run->out->program.p);
	} else if (strchr("/.~", path.text.p[0])) {
		struct bytes target = end ? bytes_from(source, (size_t)(end + 1 - source.p)) : (struct bytes){ "", 0 };
		const char *options = target.len ? memchr(target.p, ':', target.len) : NULL;

		mounts_path(run, &path);
		target.len = options ? (size_t)(options - target.p) : target.len;
		/* Where it is seen is not known: it may be anywhere. */
		add_mount(run, path.text, options || value->is_static ? target : BYTES("/"));
	}
}

/* The value of one of the names (separated by blanks) in KEY=VALUE,KEY=VALUE. */
static struct bytes field_of(struct bytes fields, const char *names)
{
	while (fields.len) {
		const char *comma = memchr(fields.p, ',', fields.len);
		struct bytes field = { fields.p, comma ? (size_t)(comma - fields.p) : fields.len };
		const char *eq = memchr(field.p, '=', field.len);

		if (eq && in_list((struct bytes){ field.p, (size_t)(eq - field.p) }, names))
			return bytes_from(field, (size_t)(eq + 1 - field.p));
		fields = bytes_from(fields, field.len + (comma ? 1 : 0));
	}
	return (struct bytes){ "", 0 };
}

/* --mount type=bind,source=…,target=…: without a type it is a volume, as with a name for its source. */
static void mount_option(struct run *run, const struct arg *value)
{
	struct bytes type = field_of(value->text, "type"), source = field_of(value->text, "source src");
	struct bytes target = field_of(value->text, "target dst destination");
	struct arg path = { .text = source, .is_static = true };

	if (bytes_is(type, "volume") || bytes_is(type, "tmpfs"))
		return;
	if (!value->is_static || bytes_char(value->text, '"') || (type.len && !bytes_is(type, "bind"))) {
		run_effect(run, EFFECT_CONTAINER_HOST, value);
	} else if (source.len && strchr("/.~", source.p[0])) {
		mounts_path(run, &path);
		add_mount(run, source, target);
	}
}

/* -e NAME=VALUE, or -e NAME, which hands on what the environment has. */
static void variable_option(struct run *run, const struct arg *value)
{
	bool bare = value->is_static && !bytes_char(value->text, '=');

	if ((bare && run_holds_secret(run, value->text)) || run_gives_secret(run, value))
		run->bits |= GETS_SECRET;
}

#define LETS_OUT { "v", "volume", REQUIRED, CALL, .text = "volume" }, \
	{ NULL, "mount", REQUIRED, CALL, .text = "mount" }, \
	{ "e", "env", REQUIRED, CALL, .text = "env" }, \
	{ "w", "workdir", REQUIRED, CALL, .text = "workdir" }, \
	{ "i", "interactive", NOTHING, IGNORE, .set = INTERACTIVE }, \
	{ NULL, "entrypoint", REQUIRED, CALL, .text = "entrypoint", .set = ENTRY }, \
	{ NULL, "env-file", REQUIRED, CALL, .text = "env-file" }, \
	{ NULL, "privileged", OPTIONAL, EFFECT_FIXED, EFFECT_CONTAINER_HOST, .text = "--privileged" }, \
	{ NULL, "cap-add device security-opt pid ipc uts userns cgroupns volumes-from gpus-host " \
	"device-cgroup-rule", REQUIRED, EFFECT_OF_VALUE, EFFECT_CONTAINER_HOST }, \
	{ NULL, "network net", REQUIRED, CALL, .text = "network" }, \
	{ NULL, "label-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, \
	{ NULL, "cidfile iidfile", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }

/* What it is given of secrets is the image's, whoever made it. */
static void variables_option(struct run *run, const struct arg *value)
{
	run_effect(run, EFFECT_USE, value);
	if (value->is_static && path_is_secret(value->text))
		run->bits |= GETS_SECRET;
}

static void entry_option(struct run *run, const struct arg *value)
{
	run->chosen = *value;
}

static void workdir_option(struct run *run, const struct arg *value)
{
	run->detail = value->is_static ? value->text : (struct bytes){ "", 0 };
}

static void network_option(struct run *run, const struct arg *value)
{
	if (!value->is_static || bytes_is(value->text, "host") || bytes_start(value->text, "container:"))
		run_effect(run, EFFECT_CONTAINER_HOST, value);
}

static void run_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	static const struct {
		const char *text;
		void (*read)(struct run *, const struct arg *);
	} readers[] = {
		{ "volume", volume_option },
		{ "mount", mount_option },
		{ "env", variable_option },
		{ "env-file", variables_option },
		{ "entrypoint", entry_option },
		{ "workdir", workdir_option },
		{ "network", network_option },
	};

	for (size_t i = 0; i < ARRAY_LEN(readers); i++)
		if (strcmp(readers[i].text, rule->text) == 0)
			readers[i].read(run, value);
}

/* The words of the command in it: from operands[1] on, behind what takes the place of the image's own entry. */
static struct nested *inner_command(struct run *run)
{
	bool entry = (run->bits & ENTRY) && (run->chosen.text.len || !run->chosen.is_static);
	uint32_t n = run->n_operands - 1 + entry;
	struct arg *words = n ? run_alloc(run, n * sizeof(*words)) : NULL;

	if (!words)
		return NULL;
	if (entry)
		words[0] = run->chosen;
	memcpy(words + entry, run->operands + 1, (run->n_operands - 1) * sizeof(*words));
	return run_nested_words(run, words, n);
}

static void runs_inside(struct run *run, bool running)
{
	struct nested *n = inner_command(run);

	/* The image's own command, which may be a shell, reads what it is given. */
	if (!n && !running && (run->bits & INTERACTIVE) && run->mounts && run->invocation->input != INPUT_INHERITED)
		run_program_from_stdin(run, false, DIALECT_OTHER);
	if (!n)
		return;
	n->where = NESTED_CONTAINER;
	n->mounts = run->mounts;
	n->inside = run->detail;
	n->running = running;
}

/* IMAGE [COMMAND …]. */
static void runs_image(struct run *run)
{
	if (run->n_operands == 0)
		return;
	run_effect(run, EFFECT_CONTAINER_RUN, &run->operands[0]);
	if (run->bits & GETS_SECRET)
		run_open(run, "%.*s hands a credential to the image", (int)run->out->program.len, run->out->program.p);
	runs_inside(run, false);
}

static void executes(struct run *run)
{
	if (run->n_operands == 0)
		return;
	runs_inside(run, true);
}

#define RUN_LONGS "detach tty rm name= expose= publish= publish-all " \
	"user= hostname= platform= pull= restart= memory= cpus= label= init read-only " \
	"tmpfs= shm-size= ulimit= add-host= dns= network-alias= ip= stop-signal= stop-timeout= " \
	"sig-proxy?= quiet cpu-shares= cpuset-cpus= memory-swap= pids-limit= log-driver= log-opt= " \
	"health-cmd= health-interval= health-retries= health-timeout= no-healthcheck group-add= " \
	"link= mac-address= oom-kill-disable gpus= runtime= storage-opt= attach= detach-keys= " \
	"cap-drop= no-deps service-ports use-aliases build"
#define RUN_SHORTS "dtqp:Pu:h:m:l:a:c:"

static void pushes(struct run *run)
{
	/* podman push IMAGE DESTINATION */
	uint32_t from = run->n_operands > 1 && bytes_find(run->operands[run->n_operands - 1].text, "://") ? 1 : 0;

	for (uint32_t i = from; i < run->n_operands; i++)
		run_pushes_image(run, &run->operands[i]);
}

/* The places stand in a file. */
static void publishes_unnamed(struct run *run)
{
	run_effect_fixed(run, EFFECT_PUBLISH, NULL);
}

/* -o DIRECTORY, or type=…,dest=PATH,… (docker buildx build). */
static void build_output(struct run *run, const struct arg *value)
{
	static const char dest[] = "dest=";
	const char *at = value->text.len ? memmem(value->text.p, value->text.len, dest, strlen(dest)) : NULL;
	struct arg path = *value;

	if (at) {
		const char *comma;

		path.text = bytes_from(value->text, (size_t)(at - value->text.p) + strlen(dest));
		comma = path.text.len ? memchr(path.text.p, ',', path.text.len) : NULL;
		path.text.len = comma ? (size_t)(comma - path.text.p) : path.text.len;
	} else if (bytes_char(value->text, '=')) {
		run_open(run, "where %s build writes is not known to the gate", run->model->name);
	}
	run_effect(run, EFFECT_WRITE, &path);
}

static void tag_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	if (rule->text) {
		build_output(run, value);
		return;
	}
	run->detail = value->text;
	if (!value->is_static)
		run->bits |= TAG_UNKNOWN;
}

static void builds(struct run *run)
{
	struct arg tag = { .text = run->detail, .is_static = !(run->bits & TAG_UNKNOWN) };

	if ((run->bits & PUSHES) && run->detail.p)
		run_pushes_image(run, &tag);
	else if (run->bits & PUSHES)
		publishes_unnamed(run);
	for (uint32_t i = 0; i < run->n_operands; i++)
		if (bytes_find(run->operands[i].text, "://") || bytes_start(run->operands[i].text, "git@"))
			run_effect(run, EFFECT_RUN_FETCHED, &run->operands[i]);
		else if (!arg_is(&run->operands[i], "-"))
			run_effect(run, EFFECT_CONTAINER_BUILD, &run->operands[i]);
	if (run->n_operands && arg_is(&run->operands[0], "-"))
		run->out->stdin_role = STDIN_READ;
}

#define BUILD_LONGS "no-cache pull quiet rm force-rm build-arg= target= label= platform= " \
	"progress= load compress squash network= shm-size= cache-from= " \
	"cache-to= builder= provenance= sbom= memory= isolation= ulimit= no-cache-filter= check " \
	"call= add-host= annotation= parallel"
#define BUILD(names) { .name = names, .syntax = COBRA, .shorts = "qm:D", .longs = BUILD_LONGS, \
	.option = tag_option, \
	.special = builds, .options = OPTIONS{ { "f", "file", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE \
	}, \
	{ "o", "output", REQUIRED, CALL, .text = "output" }, \
	{ NULL, "iidfile metadata-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, \
	{ NULL, "secret ssh build-context allow security-opt", REQUIRED, REFUSE, .text = "lets a build " \
	"reach beyond its context" }, \
	{ NULL, "push", NOTHING, IGNORE, .set = PUSHES }, \
	{ "t", "tag", REQUIRED, CALL }, \
	{ 0 } } }

/* cp HOST CONTAINER:PATH and back. */
static void copies(struct run *run)
{
	if (run->n_operands < 2)
		return;
	for (uint32_t i = 0; i < 2; i++) {
		struct bytes text = run->operands[i].text;
		const char *colon = text.len ? memchr(text.p, ':', text.len) : NULL;

		if (!colon && !arg_is(&run->operands[i], "-"))
			run_effect(run, i ? EFFECT_WRITE : EFFECT_COPY, &run->operands[i]);
		/* Under another name nobody would know it for what it is. */
		else if (i == 0 && colon && path_is_secret(bytes_from(text, (size_t)(colon + 1 - text.p))))
			run_open(run, "%.*s takes what looks like a secret out of a container",
				(int)run->out->program.len, run->out->program.p);
	}
	if (!run->out->effects)
		run_effect_fixed(run, EFFECT_CONTAINER_READ, "");
}

static void prunes(struct run *run)
{
	run_effect_fixed(run, run->bits & VOLUMES ? EFFECT_CONTAINER_DATA : EFFECT_CONTAINER_PRUNE, "");
}

#define PRUNE(names) { .name = names, .syntax = COBRA, .shorts = "f", .longs = "force filter=", \
	.special = prunes, .options = OPTIONS{ { NULL, "volumes", NOTHING, IGNORE, .set = VOLUMES }, \
	{ "a", "all", NOTHING, IGNORE, .set = ALL }, \
	{ 0 } } }
#define LIST_SHORTS "aqsn:f:lt"
#define LIST_LONGS "all quiet size no-trunc last= filter= format= latest digests tree details " \
	"tail= since= until= timestamps follow no-stream services images hash profiles volumes " \
	"no-interpolate resolve-image-digests orphans status= index= dry-run no-color " \
	"no-log-prefix json human"
#define READS(names) { .name = names, .syntax = COBRA, .shorts = LIST_SHORTS, .longs = LIST_LONGS, \
	.rules = NAMES }
#define INSPECTS { .name = "inspect", .syntax = COBRA, .shorts = "s", .longs = "size type=", .rules = NAMES, \
	.option = run_format, .special = run_inspects, \
	.options = OPTIONS{ { "f", "format", REQUIRED, CALL }, { 0 } } }
#define STOPS(names) { .name = names, .syntax = COBRA, .shorts = "fst:l", .longs = "force time= " \
	"timeout= signal= link all ignore", .rules = RULES{ { EACH, EFFECT_CONTAINER_STOP }, \
	{ ABSENT, EFFECT_CONTAINER_STOP, .text = "" }, \
	{ END } }, .options = OPTIONS{ { "v", "volumes", NOTHING, EFFECT_FIXED, EFFECT_CONTAINER_DATA, .text = "" }, \
	{ "a", NULL, NOTHING, IGNORE }, \
	{ 0 } } }

/* What docker takes by itself and behind container or image. */
#define RUNS(names, hook) { .name = names, .syntax = POSIX_ORDER | COBRA, .shorts = RUN_SHORTS, .longs = RUN_LONGS, \
	.options = OPTIONS{ LETS_OUT, { 0 } }, .option = run_option, .special = hook }
#define COPY_ROW { .name = "cp", .syntax = COBRA, .shorts = "aLq", .longs = "archive follow-link quiet", .special = copies }
#define PULL_ROW { .name = "pull", .syntax = COBRA, .shorts = "aq", .longs = "all-tags quiet platform=", \
	.rules = RULES{ { EACH, EFFECT_CONTAINER_READ }, { END } } }
#define PUSH_ROW { .name = "push", .syntax = COBRA, .shorts = "aq", .longs = "all-tags quiet platform=", .special = pushes }

static const struct command_model container[] = {
	READS("ls|list|ps|logs|stats|top|port|diff"),
	INSPECTS,
	STOPS("stop|start|restart|pause|unpause|kill|rm|wait|rename"),
	PRUNE("prune"),
	RUNS("exec", executes),
	RUNS("run|create", runs_image),
	COPY_ROW,
	{ 0 },
};
static const struct command_model image[] = {
	READS("ls|list|inspect|history|tag|tree"),
	BUILD("build"),
	PRUNE("prune"),
	STOPS("rm|rmi"),
	PULL_ROW,
	PUSH_ROW,
	{ 0 },
};
static const struct command_model volume[] = {
	READS("ls|list|inspect"),
	{ .name = "create",
		.syntax = COBRA,
		.shorts = "d:",
		.longs = "label= name=",
		.rules = RULES{ { ALWAYS, EFFECT_CONTAINER_STOP, .text = "" }, { END } } },
	{ .name = "rm|remove|prune",
		.syntax = COBRA,
		.shorts = "fa",
		.longs = "force all filter=",
		.rules = RULES{ { EACH, EFFECT_CONTAINER_DATA },
			{ ABSENT, EFFECT_CONTAINER_DATA, .text = "" }, { END } } },
	{ 0 },
};
static const struct command_model network[] = {
	READS("ls|list|inspect"),
	STOPS("create|rm|remove|connect|disconnect"),
	PRUNE("prune"),
	{ 0 },
};
static const struct command_model system_commands[] = { READS("df|info|events"), PRUNE("prune"), { 0 } };
static const struct command_model buildx[] = { BUILD("build|b"), READS("ls|inspect|du|version|imagetools"),
	PRUNE("prune"), STOPS("create|use|rm|stop"), { 0 } };
static const struct command_model builder[] = { BUILD("build"), PRUNE("prune"), { 0 } };
static const struct command_model context[] = { READS("ls|list|inspect|show"), { 0 } };

/* compose: its file belongs to the project. */
static const struct command_model compose[] = {
	{ .name = "up|start|restart|build|pull|create|watch|scale|pause|unpause|wait",
		.syntax = COBRA,
		.shorts = "dt:q",
		.longs = "detach build no-build force-recreate no-recreate no-deps remove-orphans wait "
			 "wait-timeout= timeout= scale= pull= quiet-pull quiet no-start "
			 "abort-on-container-exit exit-code-from= attach= "
			 "attach-dependencies no-attach= no-log-prefix always-recreate-deps timestamps menu "
			 "watch no-cache build-arg= progress= ignore-buildable include-deps "
			 "ignore-pull-failures parallel with-dependencies policy= dry-run",
		.rules = RULES{ { ALWAYS, EFFECT_RUN_PROJECT }, { END } } },
	{ .name = "down",
		.syntax = COBRA,
		.shorts = "t:",
		.longs = "remove-orphans timeout= rmi= dry-run",
		.rules = RULES{ { ALWAYS, EFFECT_CONTAINER_STOP, .text = "" }, { END } },
		.options =
			OPTIONS{ { "v", "volumes", NOTHING, EFFECT_FIXED, EFFECT_CONTAINER_DATA, .text = "" },
				{ 0 } } },
	STOPS("stop|kill|rm"),
	READS("ps|logs|ls|images|top|events|port|version|stats|volumes"),
	{ .name = "config|convert",
		.syntax = COBRA,
		.longs = "format= environment variables lock-image-digests no-consistency no-normalize "
			 "no-path-resolution resolve-image-digests dry-run",
		.rules = NAMES,
		.special = run_shows_compose,
		.options = OPTIONS{ { "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE },
			{ "q", "quiet services images volumes profiles networks no-interpolate", NOTHING, IGNORE,
				.set = FORMAT_IS_HARMLESS },
			{ NULL, "hash", REQUIRED, IGNORE, .set = FORMAT_IS_HARMLESS }, { 0 } } },
	{ .name = "exec",
		.syntax = POSIX_ORDER | COBRA,
		.shorts = "dTu:it",
		.longs = "detach no-TTY index= user= interactive",
		.special = executes,
		.option = run_option,
		.options = OPTIONS{ { "e", "env", REQUIRED, CALL, .text = "env" },
			{ "w", "workdir", REQUIRED, CALL, .text = "workdir" },
			{ NULL, "privileged", NOTHING, EFFECT_FIXED, EFFECT_CONTAINER_HOST,
					    .text = "--privileged" },
			{ 0 } } },
	{ .name = "run",
		.syntax = POSIX_ORDER | COBRA,
		.shorts = RUN_SHORTS "T",
		.longs = RUN_LONGS " no-TTY remove-orphans quiet-pull",
		.options = OPTIONS{ LETS_OUT, { 0 } },
		.option = run_option,
		.special = runs_image },
	{ .name = "cp",
		.syntax = COBRA,
		.shorts = "aL",
		.longs = "archive follow-link index=",
		.special = copies },
	{ .name = "push",
		.syntax = COBRA,
		.special = publishes_unnamed },
	{ 0 },
};
/* -f - takes it from the input: what it mounts is not known. */
static void compose_file(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	if (arg_is(value, "-") || arg_is(value, "/dev/stdin"))
		run_program_from_stdin(run, false, DIALECT_OTHER);
	else
		run_effect(run, EFFECT_RUN_PROJECT, value);
}

#define COMPOSE_OPTIONS OPTIONS{ { "f", "file", REQUIRED, CALL }, \
	{ NULL, "project-directory", REQUIRED, DIRECTORY }, \
	{ NULL, "env-file", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, \
	{ 0 } }
#define COMPOSE_LONGS "project-name= profile= ansi= progress= parallel= compatibility " \
	"all-resources dry-run verbose"

static const struct command_model docker[] = {
	READS("ps|images|logs|stats|top|port|diff|version|info|history|events|search|wait"),
	INSPECTS,
	STOPS("stop|start|restart|pause|unpause|kill|rm|rmi|rename|tag"),
	RUNS("run|create", runs_image),
	RUNS("exec", executes),
	BUILD("build"),
	PULL_ROW,
	PUSH_ROW,
	COPY_ROW,
	{ .name = "save|export",
		.syntax = COBRA,
		.options = OPTIONS{ { "o", "output", REQUIRED, EFFECT_OF_VALUE, EFFECT_WRITE }, { 0 } },
		.rules = NAMES },
	{ .name = "load|import",
		.syntax = COBRA,
		.shorts = "q",
		.longs = "quiet",
		.options = OPTIONS{ { "i", "input", REQUIRED, EFFECT_OF_VALUE, EFFECT_USE }, { 0 } },
		.rules = NAMES },
	{ .name = "login|logout",
		.syntax = COBRA,
		.shorts = "u:p:",
		.longs = "username= password= password-stdin",
		.refuse = "changes the credentials of registries" },
	{ .name = "compose",
		.syntax = POSIX_ORDER | COBRA,
		.shorts = "p:",
		.longs = COMPOSE_LONGS,
		.options = COMPOSE_OPTIONS,
		.option = compose_file,
		.subcommands = compose },
	{ .name = "container", .subcommands = container, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "image", .subcommands = image, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "volume", .subcommands = volume, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "network", .subcommands = network, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "system", .subcommands = system_commands, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "buildx", .subcommands = buildx, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "builder", .subcommands = builder, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ .name = "context", .subcommands = context, .syntax = COBRA | SUBCOMMAND_ALONE_OK },
	{ 0 },
};

#define ENGINE(id, program) MODEL(id) = { .name = program, .syntax = POSIX_ORDER | COBRA | \
	SUBCOMMAND_ALONE_OK, .shorts = "Dl:v", .longs = "debug log-level=", .options = OPTIONS{ { \
	"Hc", "host context connection url", REQUIRED, REFUSE, .text = "acts on another host" }, \
	{ NULL, "config tlscacert tlscert tlskey root runroot", REQUIRED, REFUSE, .text = "takes another " \
	"configuration" }, \
	{ 0 } }, .subcommands = docker }
ENGINE(docker, "docker");
ENGINE(podman, "podman");
ENGINE(nerdctl, "nerdctl");
MODEL(docker_compose) = { .name = "docker-compose",
	.syntax = POSIX_ORDER | COBRA | SUBCOMMAND_ALONE_OK,
	.shorts = "p:",
	.longs = COMPOSE_LONGS,
	.options = COMPOSE_OPTIONS,
	.option = compose_file,
	.subcommands = compose };
MODEL(hadolint) = { .name = "hadolint", .reader = run_project_tool };
