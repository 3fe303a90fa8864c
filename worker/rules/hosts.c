/* SPDX-License-Identifier: Apache-2.0 */
/* Placing hosts, remotes and forge repositories. A remote's name alone says nothing: only git's files do. */
#include <arpa/inet.h>

#include "policy/destination.h"
#include "policy/git_facts.h"
#include "worker/rules/internal.h"

/* Hosts that hand out this machine's own cloud credentials to whoever asks. */
static bool is_metadata_service(const struct destination *d)
{
	static const char *const hosts[] = { "169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200",
		"metadata", "metadata.google.internal", "metadata.goog", "fd00:ec2::254", "instance-data" };

	for (size_t i = 0; i < ARRAY_LEN(hosts); i++)
		if (strcmp(d->host, hosts[i]) == 0)
			return true;
	return false;
}

/* An address in one of the forms that inet_aton(3) takes beside a.b.c.d is spelt so as not to be recognised. */
static bool is_disguised_address(const struct destination *d)
{
	struct in_addr address;

	return inet_aton(d->host, &address) != 0 && inet_pton(AF_INET, d->host, &address) != 1;
}

static enum place place_destination(const struct worker_policy *policy, const struct destination *d)
{
	if (destination_is_loopback(d))
		return PLACE_LOOPBACK;
	if (d->kind == DESTINATION_UNKNOWN)
		return PLACE_UNKNOWN;
	if (is_metadata_service(d))
		return PLACE_SECRET;
	if (is_disguised_address(d))
		return PLACE_UNKNOWN;
	return destination_is_sanctioned(d, &policy->sanctioned_remotes) ? PLACE_SANCTIONED : PLACE_OUTSIDE;
}

enum place place_host(const struct worker_policy *policy, enum target_kind kind, struct bytes target)
{
	const enum destination_form form = kind == TARGET_FORGE ? FORM_FORGE :
		kind == TARGET_REMOTE ? FORM_REMOTE : FORM_URL;
	struct destination d;

	destination_parse(target, form, &d);
	if (d.kind == DESTINATION_UNKNOWN && kind == TARGET_URL)
		destination_parse(target, FORM_REMOTE, &d);
	return place_destination(policy, &d);
}

enum place place_copy_host(const struct worker_policy *policy, struct bytes target)
{
	struct destination d;

	destination_parse(target, FORM_REMOTE, &d);
	if (d.kind == DESTINATION_UNKNOWN)
		destination_parse(target, FORM_URL, &d);
	return place_destination(policy, &d);
}

/* Every address of one remote: a forge's client may take any of a directory's remotes for the repository it is about. */
static bool add_remote(const struct worker_policy *policy, const struct git_facts *f, const struct git_remote *r,
	enum place *all)
{
	char text[GIT_TEXT_MAX];
	struct git_push push;
	struct bytes url;

	if (!git_fetch_resolve(f, r, text, sizeof(text), &url) || place_host(policy, TARGET_REMOTE, url) != *all)
		return false;
	git_push_resolve(f, r->name, text, sizeof(text), &push);
	for (uint32_t i = 0; i < push.n_urls; i++)
		if (place_host(policy, TARGET_REMOTE, push.urls[i]) != *all)
			return false;
	return push.verified;
}

/* The one place that all remotes of the directory's repository are; unknown where they differ, or cannot be told. */
static enum place place_of_remotes(struct judge *j, struct bytes directory)
{
	CLEANUP(freep) struct git_facts *facts = malloc(sizeof(*facts));
	char text[GIT_TEXT_MAX];
	enum place all;
	struct answer a;
	struct bytes url;

	if (facts == NULL) {
		judge_fail(j, -ENOMEM);
		return PLACE_UNKNOWN;
	}
	ask_about_repository(j, ASK_REPOSITORY, directory, BYTES("."), &a);
	if (a.status != ANSWER_KNOWN || a.type == PATH_MISSING || git_facts_decode(a.detail, facts) < 0 ||
		!facts->complete || facts->n_remotes == 0 ||
		!git_fetch_resolve(facts, &facts->remotes[0], text, sizeof(text), &url))
		return PLACE_UNKNOWN;
	all = place_host(j->line->policy, TARGET_REMOTE, url);
	for (uint32_t i = 0; i < facts->n_remotes; i++)
		if (!add_remote(j->line->policy, facts, &facts->remotes[i], &all))
			return PLACE_UNKNOWN;
	/* A path of this machine is no forge. */
	return all == PLACE_LOOPBACK ? PLACE_UNKNOWN : all;
}

enum place place_forge(struct subject *s, struct bytes target)
{
	enum place all = PLACE_UNKNOWN;

	if (target.len > 0)
		return place_host(s->j->line->policy, TARGET_FORGE, target);
	if (s->dirs.unknown || s->where != NESTED_HERE)
		return PLACE_UNKNOWN;
	for (uint32_t i = 0; i < s->dirs.n; i++) {
		enum place here = place_of_remotes(s->j, s->dirs.d[i]);

		if (i > 0 && here != all)
			return PLACE_UNKNOWN;
		all = here;
	}
	return all;
}
