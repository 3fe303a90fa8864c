/* SPDX-License-Identifier: Apache-2.0 */
/* git subcommands that speak to a remote: what is sent where, by which branch, with what force (git-push(1)
 * "<refspec>"). */
#include "worker/commands/programs/git.h"

static const struct arg current = { .text = { "", 0 }, .is_static = true };

static bool word_is(const struct run *run, uint32_t i, const char *list)
{
	return i < run->n_operands && run->operands[i].is_static && in_list(run->operands[i].text, list);
}

/* ext::COMMAND and other helpers by name run programs (gitremote-helpers(7)). */
static void check_transport(struct run *run, const struct arg *remote)
{
	if (bytes_find(remote->text, "::"))
		run_open(run, "git takes a transport that runs a program: %.*s",
			(int)(remote->text.len < 80 ? remote->text.len : 80), remote->text.p);
}

void git_push_option(struct run *run, const struct option_rule *rule, const struct arg *value)
{
	(void)rule;
	run->detail = value->text;
	if (!value->is_static)
		run_open(run, "where git pushes is not known before it runs");
}

/* The name of a branch, or a pattern over such names; empty: the one that is checked out. */
static struct bytes branch_of(struct bytes ref)
{
	if (bytes_is(ref, "refs/*"))
		return BYTES("*");
	if (bytes_start(ref, "refs/heads/"))
		return bytes_from(ref, 11);
	if (bytes_start(ref, "heads/"))
		return bytes_from(ref, 6);
	if (bytes_is(ref, "HEAD") || bytes_is(ref, "@"))
		return (struct bytes){ "", 0 };
	return ref;
}

/*
 * What a repository keeps of its remotes is written by its own fetches: a push into it makes that up. A name with a
 * slash may stand for any of its references, those of remotes included (gitrevisions(7)).
 */
static bool forges_tracking(const struct arg *remote, struct bytes destination)
{
	bool local = bytes_start(remote->text, "/") || bytes_start(remote->text, ".") ||
		bytes_start(remote->text, "~") || bytes_start(remote->text, "file:");

	if (bytes_start(destination, "refs/remotes/") || bytes_start(destination, "remotes/"))
		return true;
	return local && bytes_char(destination, '/') && !bytes_start(destination, "refs/heads/") &&
		!bytes_start(destination, "refs/tags/");
}

/* One refspec: [+]source[:destination]. */
static void push_refspec(struct run *run, const struct arg *remote, const struct arg *spec)
{
	struct bytes text = spec->text, destination;
	enum effect_id effect = run->bits & GIT_LEASE ? EFFECT_GIT_PUSH_LEASE : EFFECT_GIT_PUSH;
	const char *colon;
	struct command_effect *e;

	if (run->bits & GIT_FORCE)
		effect = EFFECT_GIT_PUSH_FORCE;
	if (bytes_start(text, "+")) {
		effect = EFFECT_GIT_PUSH_FORCE;
		text = bytes_from(text, 1);
	}
	if (bytes_is(text, ":")) /* every branch that both have */
		text = BYTES("refs/heads/*");
	colon = text.len ? memchr(text.p, ':', text.len) : NULL;
	destination = colon ? bytes_from(text, (size_t)(colon + 1 - text.p)) : text;
	if ((run->bits & GIT_DELETE) || (colon == text.p && colon && destination.len))
		effect = EFFECT_GIT_PUSH_DELETE;
	if (effect == EFFECT_GIT_PUSH_LEASE && !spec->is_static)
		effect = EFFECT_GIT_PUSH_FORCE; /* onto a branch that may be any */
	run_effect(run, effect, remote);
	e = run_last_effect(run);
	if (!e)
		return;
	e->detail = branch_of(destination);
	if (colon && forges_tracking(remote, destination))
		run_open(run, "git push writes what another repository knows of its remotes");
	if (!spec->is_static) {
		e->detail = (struct bytes){ "", 0 };
		if (effect == EFFECT_GIT_PUSH && !bytes_start(spec->text, "refs/heads/") &&
			spec->text.len == 0 && !(spec->flags & WORD_TOKEN))
			run_open(run, "what git pushes is not known before it runs");
	}
}

static void push_refspecs(struct run *run, const struct arg *remote, uint32_t at)
{
	for (; at < run->n_operands; at++)
		if (word_is(run, at, "tag") && at + 1 < run->n_operands)
			push_refspec(run, remote, &run->operands[++at]);
		else
			push_refspec(run, remote, &run->operands[at]);
}

void git_push(struct run *run)
{
	static const struct arg every = { .text = { "refs/heads/*", 12 }, .is_static = true };
	struct arg remote = current;
	uint32_t at = 0;

	/* Beside an operand git does not heed --repo. */
	if (run->n_operands)
		remote = run->operands[at++];
	else if (run->detail.p)
		remote.text = run->detail;
	check_transport(run, &remote);
	if (run->bits & GIT_DRY) {
		run_effect_fixed(run, EFFECT_GIT_READ, ".");
		return;
	}
	if ((run->bits & GIT_DELETE) && (run->bits & GIT_ALL)) {
		run_open(run, "git push deletes on the remote what is not here");
		run->uncertain = true;
		run_effect(run, EFFECT_GIT_PUSH_DELETE, &remote);
		run->uncertain = false;
		run->bits &= ~(uint32_t)GIT_DELETE;
	}
	if (run->bits & GIT_ALL)
		push_refspec(run, &remote, &every);
	else if (at >= run->n_operands)
		push_refspec(run, &remote, &current);
	push_refspecs(run, &remote, at);
}

/* As git push does, but without its hook. */
void git_sends(struct run *run)
{
	run_open(run, "%.*s sends without asking what git push asks for", (int)run->out->program.len,
		run->out->program.p);
	if (run->n_operands == 1)
		push_refspec(run, &run->operands[0], &current);
	else if (run->n_operands > 1)
		push_refspecs(run, &run->operands[0], 1);
}

void git_subtree(struct run *run)
{
	if (word_is(run, 0, "push") && run->n_operands == 3)
		push_refspec(run, &run->operands[1], &run->operands[2]);
	else
		run_open(run, "this subcommand of git subtree is not known to the gate");
}

/* refs/heads/x, heads/x and x are one branch. */
static struct bytes short_branch(struct bytes ref)
{
	if (bytes_start(ref, "refs/heads/"))
		return bytes_from(ref, strlen("refs/heads/"));
	return bytes_start(ref, "heads/") ? bytes_from(ref, strlen("heads/")) : ref;
}

/*
 * Local work looks landed once refs/remotes say so: a branch of the remote may be written there under its own name
 * alone, and nothing from anywhere else.
 */
static void check_refspec(struct run *run, const struct arg *remote, const struct arg *spec)
{
	const char *colon = spec->text.len ? memrchr(spec->text.p, ':', spec->text.len) : NULL;
	struct bytes to = colon ? bytes_from(spec->text, (size_t)(colon + 1 - spec->text.p)) : (struct bytes){ 0 };
	struct bytes from = { spec->text.p, colon ? (size_t)(colon - spec->text.p) : spec->text.len };
	struct bytes of = remote->text;

	if (!spec->is_static) {
		run_open(run, "git fetch writes what is known of a remote");
		return;
	}
	/* git puts refs/ in front of remotes/… itself. */
	if (bytes_start(to, "refs/"))
		to = bytes_from(to, strlen("refs/"));
	if (!bytes_start(to, "remotes/"))
		return;
	to = bytes_from(to, strlen("remotes/"));
	if (bytes_start(from, "+"))
		from = bytes_from(from, 1);
	if (!remote->is_static || !of.len || to.len <= of.len || memcmp(to.p, of.p, of.len) != 0 ||
		to.p[of.len] != '/')
		run_open(run, "git fetch writes what is known of another remote");
	else if (!bytes_eq(short_branch(from), bytes_from(to, of.len + 1)))
		run_open(run, "git fetch writes one branch of the remote under another's name");
}

void git_fetch(struct run *run)
{
	const struct arg *remote = run->n_operands ? &run->operands[0] : &current;

	if (run->bits & GIT_MULTIPLE) {
		for (uint32_t i = 0; i < run->n_operands; i++)
			run_effect(run, EFFECT_GIT_FETCH, &run->operands[i]);
	} else {
		check_transport(run, remote);
		run_effect(run, EFFECT_GIT_FETCH, remote);
		for (uint32_t i = 1; i < run->n_operands; i++)
			check_refspec(run, remote, &run->operands[i]);
	}
	run_effect_fixed(run, EFFECT_GIT_LOCAL, ".");
}

/* The directory that clone makes from a URL: its last component without ".git". */
static struct bytes clone_directory(struct bytes url)
{
	size_t end = url.len, start;

	while (end && url.p[end - 1] == '/')
		end--;
	start = end;
	while (start && url.p[start - 1] != '/' && url.p[start - 1] != ':')
		start--;
	url = (struct bytes){ url.p + start, end - start };
	if (bytes_end(url, ".git"))
		url.len -= 4;
	return url;
}

void git_clone(struct run *run)
{
	if (run->n_operands == 0)
		return;
	check_transport(run, &run->operands[0]);
	run_effect(run, EFFECT_GIT_FETCH, &run->operands[0]);
	if (run->n_operands > 1)
		run_effect(run, EFFECT_CREATE, &run->operands[1]);
	else if (run->operands[0].is_static)
		run_effect_text(run, EFFECT_CREATE, clone_directory(run->operands[0].text));
}

void git_ls_remote(struct run *run)
{
	const struct arg *remote = run->n_operands ? &run->operands[0] : &current;

	check_transport(run, remote);
	run_effect(run, EFFECT_GIT_FETCH, remote);
}

void git_remote(struct run *run)
{
	if (run->n_operands == 0 || word_is(run, 0, "get-url")) {
		run_effect_fixed(run, EFFECT_GIT_READ, ".");
	} else if (word_is(run, 0, "show prune update")) {
		run_effect(run, EFFECT_GIT_FETCH, run->n_operands > 1 ? &run->operands[1] : &current);
		run_effect_fixed(run, EFFECT_GIT_LOCAL, ".");
	} else if (word_is(run, 0, "add set-url") && run->n_operands > 2) {
		check_transport(run, &run->operands[2]);
		run_effect(run, EFFECT_GIT_REMOTE_CONFIG, &run->operands[2]);
	} else if (word_is(run, 0, "set-head") && run->n_operands == 2 && (run->bits & GIT_ALL)) {
		/* -a asks the remote which branch its HEAD is. */
		run_effect(run, EFFECT_GIT_FETCH, &run->operands[1]);
		run_effect_fixed(run, EFFECT_GIT_LOCAL, ".");
	} else if (word_is(run, 0, "set-head set-branches rename")) {
		run_open(run, "git remote changes what is known of a remote without asking it");
	} else if (word_is(run, 0, "remove rm")) {
		run_effect_fixed(run, EFFECT_GIT_LOCAL, ".");
	} else {
		run_open(run, "this subcommand of git remote is not known to the gate");
	}
}
