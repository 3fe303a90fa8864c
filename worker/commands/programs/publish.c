/* SPDX-License-Identifier: Apache-2.0 */
/* Publishing: which registry a package or an image goes to, by the command line or by the program's own default. */
#include "worker/commands/model.h"

/* Where a program publishes when the line names no other place. */
static const struct {
	const char *programs, *host;
} defaults[] = {
	{ "npm pnpm yarn bun lerna", "registry.npmjs.org" },
	{ "twine uv poetry flit hatch pdm", "pypi.org" },
	{ "cargo", "crates.io" },
	{ "gem", "rubygems.org" },
	{ "dotnet nuget", "nuget.org" },
	{ "mix rebar3", "hex.pm" },
	{ "vsce ovsx", "marketplace.visualstudio.com" },
	{ "dart flutter", "pub.dev" },
};

/* Options by which these programs name another registry: by an address, or by a name that their settings know. */
#define ELSEWHERE "--registry --repository-url --host --publish-url --index --source --repository"

/* --dry-run is a flag, except that npm takes the word behind it for its value when that says true or false. */
static bool is_rehearsal(const struct run *run)
{
	bool dry = run->bits & RUN_REHEARSES;

	for (uint32_t i = 0; i < run->argc; i++) {
		if (arg_is(&run->argv[i], "--dry-run"))
			dry = true;
		else if (!run->argv[i].is_static || in_list(run->argv[i].text, "false --no-dry-run --dry-run=false"))
			return false;
	}
	return dry;
}

static bool names_registry(const struct arg *a, const struct arg *next, bool is_twine, struct arg *ret)
{
	const char *eq = a->text.len ? memchr(a->text.p, '=', a->text.len) : NULL;
	struct bytes name = a->text;

	if (a->text.len < 2 || a->text.p[0] != '-')
		return false;
	if (eq)
		name.len = (size_t)(eq - a->text.p);
	if (!in_list(name, ELSEWHERE) && !(is_twine && bytes_is(name, "-r")))
		return false;
	if (!eq && !next)
		return false;
	*ret = eq ? *a : *next;
	if (eq)
		ret->text = bytes_from(a->text, (size_t)(eq + 1 - a->text.p));
	return true;
}

/* Rights, tags and withdrawals change what a registry says, and carry nothing there. */
static bool publishes_something(const struct run *run)
{
	const struct bytes program = run->out->program;

	return bytes_end(program, " publish") || bytes_end(program, " push") ||
		(run->argc > 0 && run->argv[0].is_static && in_list(run->argv[0].text, "publish upload push"));
}

void run_publishes(struct run *run)
{
	struct bytes program = run->out->program;
	const char *blank = program.len ? memchr(program.p, ' ', program.len) : NULL;
	struct arg place = { .is_static = true };

	if (blank)
		program.len = (size_t)(blank - program.p);
	for (size_t i = 0; i < ARRAY_LEN(defaults) && !place.text.len; i++)
		if (in_list(program, defaults[i].programs))
			place.text = bytes_str(defaults[i].host);
	if (!publishes_something(run)) {
		run_effect(run, EFFECT_CLOUD_CHANGE, &place);
		return;
	}
	if (is_rehearsal(run)) {
		run_effect_fixed(run, EFFECT_RUN_PROJECT, ".");
		return;
	}
	for (uint32_t i = 0; i < run->argc; i++)
		if (names_registry(&run->argv[i], i + 1 < run->argc ? &run->argv[i + 1] : NULL,
			    bytes_is(program, "twine"), &place) &&
			place.is_static && !bytes_find(place.text, "://"))
			run_open(run, "which registry %.*s means is not known to the gate",
				(int)(place.text.len < 60 ? place.text.len : 60), place.text.p);
	run_effect(run, EFFECT_PUBLISH, &place);
}

/*
 * One image by its name. A first component without a dot or a port is no host but a user of the public registry
 * (docker-image-tag(1)); what stands behind : or @ is no part of the place.
 */
void run_pushes_image(struct run *run, const struct arg *image)
{
	struct bytes name = image->text;
	const char *transport = bytes_find(name, "://") ? memmem(name.p, name.len, "://", 3) : NULL;
	struct arg place = *image;
	const char *slash;
	struct bytes first;

	if (transport)
		name = bytes_from(name, (size_t)(transport + 3 - name.p));
	slash = name.len ? memchr(name.p, '/', name.len) : NULL;
	first = (struct bytes){ name.p, slash ? (size_t)(slash - name.p) : name.len };
	for (size_t i = slash ? first.len : 0; i < name.len; i++)
		if (name.p[i] == ':' || name.p[i] == '@')
			name.len = i;
	place.text = name;
	if (name.len && (!slash || (!bytes_char(first, '.') && !bytes_char(first, ':') &&
				   !bytes_is(first, "localhost"))))
		place.text = run_join(run, BYTES("docker.io/"), name);
	run_effect(run, EFFECT_PUBLISH, &place);
}

/* VERB SOURCE DESTINATION */
static void copies_image(struct run *run)
{
	if (run->n_operands > 2 && run->operands[0].is_static && in_list(run->operands[0].text, "push copy cp sync"))
		run_pushes_image(run, &run->operands[run->n_operands - 1]);
}

/* skopeo copy SOURCE DESTINATION, crane push TARBALL IMAGE: open, but where to is seen. */
#define COPIES_IMAGES(id, program) MODEL(id) = { .name = program, .syntax = PARTIAL, .special = copies_image, \
	.refuse = "copies images between registries" }
COPIES_IMAGES(skopeo, "skopeo");
COPIES_IMAGES(crane, "crane");

#define PUBLISHER(id, program) MODEL(id) = { .name = program, .syntax = NO_OPTIONS, .special = publisher, \
	.refuse = "builds and publishes packages" }
static void publisher(struct run *run)
{
	for (uint32_t i = 0; i < run->argc; i++)
		if (arg_is(&run->argv[i], "publish") || arg_is(&run->argv[i], "upload")) {
			run_publishes(run);
			return;
		}
}
PUBLISHER(flit, "flit");
PUBLISHER(hatch, "hatch");
PUBLISHER(vsce, "vsce");
PUBLISHER(ovsx, "ovsx");
