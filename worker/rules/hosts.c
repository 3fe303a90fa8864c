/* SPDX-License-Identifier: Apache-2.0 */
/* Placing hosts, remotes and forge repositories. A remote's name alone says nothing: only git's files do. */
#include "policy/destination.h"
#include "worker/rules/internal.h"

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
	return destination_is_sanctioned(&d, &policy->sanctioned_remotes) ? PLACE_SANCTIONED : PLACE_OUTSIDE;
}
