/* SPDX-License-Identifier: Apache-2.0 */
/* fileZones: paths that nobody may touch, that may be written like the workspace, that may be read though they look
 * secret. */
#include "policy/paths/paths.h"
#include "worker/rules/internal.h"

static bool in_any(const struct string_list *zones, struct bytes path, struct bytes home)
{
	for (uint32_t i = 0; i < zones->n; i++)
		if (path_in_zone(path, zones->items[i], home))
			return true;
	return false;
}

/* Of what reaches below a directory: a zone begins there, or holds everything in it. */
static bool holds_any(const struct string_list *zones, struct bytes path, struct bytes home)
{
	char child[QUESTION_PATH_MAX + 2];

	if (path.len + 2 > sizeof(child))
		return true;
	if (path.len > 0)
		memcpy(child, path.p, path.len);
	memcpy(child + path.len, "/x", 2);
	if (in_any(zones, (struct bytes){ child, path.len + 2 }, home))
		return true;
	for (uint32_t i = 0; i < zones->n; i++)
		if (zone_begins_below(zones->items[i], path, home))
			return true;
	return false;
}

bool zones_need_evidence(const struct judge *j)
{
	const struct worker_policy *policy = j->line->policy;

	return policy->zone_deny.n > 0 || policy->zone_write.n > 0 || policy->zone_read.n > 0;
}

static bool only_writes(enum effect_id e)
{
	return effect_makes(e) || e == EFFECT_MODE || e == EFFECT_LINK;
}

static bool only_prints(enum effect_id e)
{
	return e == EFFECT_READ || e == EFFECT_COPY || e == EFFECT_SEARCH;
}

enum place place_in_zone(const struct judge *j, struct bytes name, struct bytes real, enum effect_id effect,
	enum place place)
{
	const struct worker_policy *policy = j->line->policy;
	struct bytes home = policy->home;

	if (place == PLACE_GATE || place == PLACE_NULL)
		return place;
	if (policy->zone_deny.n > 0 && effect != EFFECT_LIST && effect != EFFECT_ENTER &&
		(in_any(&policy->zone_deny, name, home) || in_any(&policy->zone_deny, real, home) ||
			((effect == EFFECT_SEARCH || effect == EFFECT_COPY || effect_on_tree(effect)) &&
				holds_any(&policy->zone_deny, real, home))))
		return PLACE_DENIED;
	if (only_writes(effect) && (place == PLACE_HOME || place == PLACE_OTHER || place == PLACE_WORKSPACE ||
		place == PLACE_SYSTEM) && in_any(&policy->zone_write, real, home))
		return PLACE_WORKTREE;
	if (only_prints(effect) && place == PLACE_SECRET && in_any(&policy->zone_read, real, home))
		return PLACE_OTHER;
	return place;
}
