/* SPDX-License-Identifier: Apache-2.0 */
/* Placing hosts, remotes and forge repositories. A remote's name alone says nothing: only git's files do. */
#include <arpa/inet.h>

#include "policy/destination.h"
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

enum place place_host(const struct worker_policy *policy, enum target_kind kind, struct bytes target)
{
	const enum destination_form form = kind == TARGET_FORGE ? FORM_FORGE :
		kind == TARGET_REMOTE ? FORM_REMOTE : FORM_URL;
	struct destination d;

	destination_parse(target, form, &d);
	if (d.kind == DESTINATION_UNKNOWN && kind == TARGET_URL)
		destination_parse(target, FORM_REMOTE, &d);
	if (destination_is_loopback(&d))
		return PLACE_LOOPBACK;
	if (d.kind == DESTINATION_UNKNOWN)
		return PLACE_UNKNOWN;
	if (is_metadata_service(&d))
		return PLACE_SECRET;
	if (is_disguised_address(&d))
		return PLACE_UNKNOWN;
	return destination_is_sanctioned(&d, &policy->sanctioned_remotes) ? PLACE_SANCTIONED : PLACE_OUTSIDE;
}
