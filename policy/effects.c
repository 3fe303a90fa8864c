/* SPDX-License-Identifier: Apache-2.0 */
/* The table of (effect, place) -> ruling, and the words for effects, places and harms. */
#include "policy/effects.h"

#define P(place) (1u << PLACE_##place)

_Static_assert(PLACE__MAX <= 32, "a set of places is one 32-bit word");

enum {
	SCRATCH = P(SCRATCH) | P(NULL),
	PROJECT = P(BUILD) | P(WORKTREE) | P(WORKSPACE) | P(ROOT),
	TRACKED = P(BUILD) | P(WORKTREE) | P(ROOT),
	ANYWHERE = (1u << PLACE__MAX) - 1,
	ANY_HOST = P(LOOPBACK) | P(SANCTIONED) | P(OUTSIDE),
	OURS = P(LOOPBACK) | P(SANCTIONED),
	ORDINARY = SCRATCH | PROJECT | P(SENSITIVE) | P(ABOVE) | P(HOME) | P(STARTUP) | P(SYSTEM) | P(OTHER) |
		P(GATE) | P(CONTAINER),
};

/* Per effect: the places where it is vouched for, and those where it is a harm, with the harm. All else is
 * open. */
static const struct {
	uint32_t vouched;
	uint32_t harmful;
	enum harm harm;
	uint32_t harmful2; /* a second kind of harm, elsewhere */
	enum harm harm2;
} table[EFFECT__MAX] = {
	[EFFECT_READ] = { ORDINARY, P(SECRET), HARM_CREDENTIAL },
	[EFFECT_USE] = { ORDINARY },
	/* What holds the home directory holds its keys. */
	[EFFECT_COPY] = { ORDINARY & ~P(ABOVE), P(SECRET), HARM_CREDENTIAL },
	[EFFECT_LIST] = { ANYWHERE },
	[EFFECT_SEARCH] = { SCRATCH | PROJECT | P(SENSITIVE) | P(HOME) | P(OTHER) | P(CONTAINER), P(SECRET),
		HARM_CREDENTIAL },
	[EFFECT_CREATE] = { SCRATCH | PROJECT | P(CONTAINER), P(GATE), HARM_SELF, P(ACCESS), HARM_ACCESS },
	/* What is empty holds nothing that could be run or read, and takes nothing's place. */
	[EFFECT_MAKE_DIRECTORY] = { SCRATCH | PROJECT | P(HOME) | P(OTHER) | P(SYSTEM) | P(CONTAINER), P(GATE),
		HARM_SELF },
	[EFFECT_TOUCH] = { SCRATCH | PROJECT | P(HOME) | P(OTHER) | P(CONTAINER), P(GATE), HARM_SELF },
	[EFFECT_WRITE] = { SCRATCH | TRACKED | P(CONTAINER), P(GATE), HARM_SELF, P(ACCESS), HARM_ACCESS },
	[EFFECT_MOVE] = { SCRATCH | P(BUILD) | P(WORKTREE), P(GATE), HARM_SELF, P(ROOT) | P(ABOVE),
		HARM_DATA },
	[EFFECT_DELETE] = { SCRATCH | P(BUILD) | P(WORKTREE), P(GATE), HARM_SELF, P(SYSTEM) | P(DEVICE),
		HARM_SYSTEM },
	[EFFECT_DELETE_TREE] = { SCRATCH | P(BUILD) | P(WORKTREE), P(GATE), HARM_SELF,
		P(SYSTEM) | P(DEVICE) | P(ROOT) | P(ABOVE), HARM_DATA },
	[EFFECT_MODE] = { SCRATCH | PROJECT | P(CONTAINER), P(GATE), HARM_SELF },
	[EFFECT_MODE_OPEN] = { SCRATCH | PROJECT | P(CONTAINER), P(GATE), HARM_SELF,
		P(SYSTEM) | P(SECRET) | P(STARTUP) | P(DEVICE), HARM_ACCESS },
	[EFFECT_OWNER] = { SCRATCH | PROJECT | P(CONTAINER), P(GATE), HARM_SELF },
	[EFFECT_LINK] = { SCRATCH | PROJECT | P(CONTAINER), P(GATE), HARM_SELF },
	[EFFECT_EXECUTE] = { 0 },
	[EFFECT_APPLY] = { 0 },
	/* Elsewhere this is running it (worker/rules/place.c). What lies in the system's directories was put there by root. */
	[EFFECT_ASK_ITSELF] = { P(SYSTEM) },
	[EFFECT_RUN_PROJECT] = { PROJECT | P(CONTAINER) },
	[EFFECT_RAW_DEVICE] = { P(NULL), P(DEVICE), HARM_SYSTEM },
	/* What lies in scratch, and in /tmp itself, was put there by nobody that was asked. */
	[EFFECT_IMPORT] = { ORDINARY & ~(SCRATCH | P(SYSTEM)) },
	[EFFECT_ENTER] = { ANYWHERE },

	[EFFECT_PURE] = { ANYWHERE },
	[EFFECT_SHELL_STATE] = { ANYWHERE },
	[EFFECT_STATUS] = { ANYWHERE },
	[EFFECT_PRINT_VARIABLE] = { ANYWHERE },
	[EFFECT_PRINT_ENVIRONMENT] = { 0 },
	[EFFECT_PRINT_CREDENTIAL] = { 0, ANYWHERE, HARM_CREDENTIAL },

	[EFFECT_RUN_INLINE] = { 0 },
	[EFFECT_RUN_STDIN] = { 0 },
	[EFFECT_RUN_PINNED] = { ANYWHERE },
	[EFFECT_RUN_FETCHED] = { 0, P(OUTSIDE), HARM_FOREIGN_CODE },
	[EFFECT_RUN_DECODED] = { 0, ANYWHERE, HARM_HIDING },
	[EFFECT_INSTALL_PROJECT] = { PROJECT | P(CONTAINER) },
	[EFFECT_INSTALL_REGISTRY] = { ANYWHERE },
	[EFFECT_INSTALL_OUTSIDE] = { 0, ANYWHERE, HARM_FOREIGN_CODE },
	[EFFECT_PACKAGE_REMOVE] = { 0 },
	[EFFECT_PACKAGE_REMOVE_CORE] = { 0, ANYWHERE, HARM_SYSTEM },
	[EFFECT_PUBLISH] = { P(LOOPBACK), P(OUTSIDE), HARM_EXFILTRATION },

	[EFFECT_FETCH] = { ANY_HOST },
	[EFFECT_FETCH_COMPUTED] = { OURS },
	[EFFECT_UPLOAD] = { OURS, P(OUTSIDE), HARM_EXFILTRATION },
	[EFFECT_PROBE] = { ANY_HOST },
	[EFFECT_SCAN] = { 0, P(SANCTIONED) | P(OUTSIDE) | P(UNKNOWN) | P(NONE), HARM_OTHER_HOST },
	[EFFECT_LISTEN] = { 0 },
	[EFFECT_REMOTE_SHELL] = { 0 },
	[EFFECT_REMOTE_CHANGE] = { 0, P(SANCTIONED) | P(OUTSIDE), HARM_OTHER_HOST },

	[EFFECT_GIT_READ] = { ORDINARY },
	[EFFECT_GIT_LOCAL] = { SCRATCH | PROJECT | P(HOME) | P(OTHER) | P(CONTAINER) },
	/* Where git finds that nothing would be lost, it is vouched for: worker/rules/discards.c. */
	[EFFECT_GIT_DISCARD] = { 0, P(GATE), HARM_SELF },
	/* No place: there is no repository, so that git does nothing. */
	[EFFECT_GIT_FETCH] = { ANY_HOST | P(NONE) },
	[EFFECT_GIT_PUSH] = { OURS, P(OUTSIDE), HARM_EXFILTRATION },
	[EFFECT_GIT_PUSH_LEASE] = { OURS, P(OUTSIDE), HARM_EXFILTRATION },
	[EFFECT_GIT_PUSH_FORCE] = { 0, P(OUTSIDE), HARM_EXFILTRATION },
	[EFFECT_GIT_PUSH_PROTECTED] = { 0, ANY_HOST | P(UNKNOWN), HARM_DATA },
	[EFFECT_GIT_PUSH_DELETE] = { 0, ANY_HOST | P(UNKNOWN), HARM_DATA },
	/* A remote of another name or address could make local work look landed. */
	[EFFECT_GIT_REMOTE_CONFIG] = { 0, P(OUTSIDE), HARM_EXFILTRATION },
	[EFFECT_GIT_CONFIG] = { 0 },
	[EFFECT_GUARD_OVERRIDE] = { 0, ANYWHERE, HARM_GUARD },

	[EFFECT_FORGE_READ] = { ANY_HOST | P(UNKNOWN) },
	[EFFECT_FORGE_WRITE] = { OURS, P(OUTSIDE), HARM_EXFILTRATION },
	[EFFECT_FORGE_DESTROY] = { 0, ANY_HOST | P(UNKNOWN) | P(NONE), HARM_DATA },
	[EFFECT_FORGE_ACCESS] = { 0 },
	[EFFECT_CLOUD_READ] = { ANYWHERE },
	[EFFECT_CLOUD_CHANGE] = { 0 },
	[EFFECT_CLOUD_DESTROY] = { 0, ANYWHERE, HARM_DATA },
	[EFFECT_CONTAINER_READ] = { ANYWHERE },
	[EFFECT_CONTAINER_BUILD] = { PROJECT },
	[EFFECT_CONTAINER_RUN] = { ANYWHERE },
	[EFFECT_CONTAINER_STOP] = { ANYWHERE },
	[EFFECT_CONTAINER_HOST] = { 0 },
	[EFFECT_CONTAINER_PRUNE] = { 0 },
	[EFFECT_CONTAINER_DATA] = { 0, ANYWHERE, HARM_DATA },

	[EFFECT_SERVICE_RESTART] = { ANYWHERE },
	[EFFECT_SERVICE_STOP] = { 0 },
	[EFFECT_SERVICE_ENABLE] = { 0 },
	[EFFECT_SERVICE_GUARD_OFF] = { 0, ANYWHERE, HARM_ACCESS },
	[EFFECT_SIGNAL] = { ANYWHERE },
	[EFFECT_ATTACH] = { 0 },
	[EFFECT_SIGNAL_ALL] = { 0, ANYWHERE, HARM_SYSTEM },
	[EFFECT_USERS] = { 0, ANYWHERE, HARM_ACCESS },
	[EFFECT_ACCESS] = { 0, ANYWHERE, HARM_ACCESS },
	[EFFECT_FIREWALL_OFF] = { 0, ANYWHERE, HARM_LOCKOUT },
	[EFFECT_CLOCK] = { 0, ANYWHERE, HARM_LOCKOUT },
	[EFFECT_NETWORK_CONFIG] = { 0 },
	[EFFECT_KERNEL] = { 0 },
	[EFFECT_POWER] = { 0 },
	[EFFECT_MACHINE_SETTING] = { ANYWHERE },
	[EFFECT_SYSTEM_CHANGE] = { 0 },
	[EFFECT_VOLUME_DESTROY] = { 0, ANYWHERE, HARM_DATA },
	[EFFECT_SCHEDULE] = { 0 },
	[EFFECT_AUDIT_OFF] = { 0, ANYWHERE, HARM_HIDING },
	[EFFECT_TERMINAL_INPUT] = { 0 },
	[EFFECT_BACKGROUND] = { ANYWHERE },

	[EFFECT_DB_READ] = { ANYWHERE },
	[EFFECT_DB_WRITE] = { 0 },
	[EFFECT_DB_DESTROY] = { 0, ANYWHERE, HARM_DATA },
};

struct effect_rule effect_rule(enum effect_id effect, enum place place)
{
	uint32_t here;

	if ((unsigned int)effect >= EFFECT__MAX || (unsigned int)place >= PLACE__MAX)
		return (struct effect_rule){ RULING_OPEN, HARM_NONE };
	here = 1u << place;
	if (table[effect].harmful & here)
		return (struct effect_rule){ RULING_HARM, table[effect].harm };
	if (table[effect].harmful2 & here)
		return (struct effect_rule){ RULING_HARM, table[effect].harm2 };
	if (table[effect].vouched & here)
		return (struct effect_rule){ RULING_VOUCHED, HARM_NONE };
	return (struct effect_rule){ RULING_OPEN, HARM_NONE };
}

static const struct {
	const char *name, *verb;
	enum target_kind target;
} effects[EFFECT__MAX] = {
	[EFFECT_UNKNOWN] = { "unknown", "does something unknown to", TARGET_NONE },
#define EFFECT(id, name, target, verb) [EFFECT_##id] = { name, verb, TARGET_##target },
#include "policy/effects.def"
#undef EFFECT
};

static const struct {
	const char *name, *phrase;
} places[PLACE__MAX] = {
	[PLACE_UNKNOWN] = { "unknown", "which is not known before it runs" },
	[PLACE_NONE] = { "none", "" },
	[PLACE_NULL] = { "null", "" },
	[PLACE_SCRATCH] = { "scratch", "which is scratch" },
	[PLACE_BUILD] = { "build", "which is build or cache output" },
	[PLACE_WORKTREE] = { "worktree", "in the workspace" },
	[PLACE_WORKSPACE] = { "workspace", "in a workspace that is no repository" },
	[PLACE_ROOT] = { "root", "the root of the workspace" },
	[PLACE_ABOVE] = { "above", "which holds far more than the workspace" },
	[PLACE_SENSITIVE] = { "sensitive", "which decides what runs in the workspace" },
	[PLACE_HOME] = { "home", "in the home directory" },
	[PLACE_STARTUP] = { "startup", "whose content is run later" },
	[PLACE_SYSTEM] = { "system", "part of the operating system" },
	[PLACE_DEVICE] = { "device", "a device" },
	[PLACE_SECRET] = { "secret", "which looks like a secret" },
	[PLACE_GATE] = { "gate", "which is, or holds, the gate's own or a harness's hooks" },
	[PLACE_DENIED] = { "denied", "which fileZones.deny keeps everybody out of" },
	[PLACE_OTHER] = { "other", "outside the workspace" },
	[PLACE_ACCESS] = { "access", "which decides who may log in or become root" },
	[PLACE_CONTAINER] = { "container", "inside a container" },
	[PLACE_LOOPBACK] = { "loopback", "on this machine" },
	[PLACE_SANCTIONED] = { "sanctioned", "a sanctioned place" },
	[PLACE_OUTSIDE] = { "outside", "which is not in sanctionedRemotes" },
};

static const struct {
	const char *name, *phrase;
} harms[HARM__MAX] = {
	[HARM_NONE] = { "none", "no harm" },
	[HARM_EXFILTRATION] = { "exfiltration", "sending data to a place that is not sanctioned" },
	[HARM_CREDENTIAL] = { "credential", "printing or copying a credential" },
	[HARM_FOREIGN_CODE] = { "foreign-code", "running or installing code from an outside source" },
	[HARM_LOCKOUT] = { "lockout", "locking the owner out" },
	[HARM_ACCESS] = { "access", "granting others access to this machine" },
	[HARM_SYSTEM] = { "system", "destroying the operating system" },
	[HARM_DATA] = { "data", "destroying data that is not scratch" },
	[HARM_GUARD] = { "guard", "overriding a guard" },
	[HARM_HIDING] = { "hiding", "hiding what runs" },
	[HARM_OTHER_HOST] = { "other-host", "acting on other hosts" },
	[HARM_REVIEWER] = { "reviewer", "addressing a reviewer to win approval" },
	[HARM_SELF] = { "self", "changing the gate itself" },
};

const char *effect_name(enum effect_id effect)
{
	return effects[(unsigned int)effect < EFFECT__MAX ? effect : EFFECT_UNKNOWN].name;
}

const char *effect_verb(enum effect_id effect)
{
	return effects[(unsigned int)effect < EFFECT__MAX ? effect : EFFECT_UNKNOWN].verb;
}

enum target_kind effect_target(enum effect_id effect)
{
	return effects[(unsigned int)effect < EFFECT__MAX ? effect : EFFECT_UNKNOWN].target;
}

const char *place_name(enum place place)
{
	return places[(unsigned int)place < PLACE__MAX ? place : PLACE_UNKNOWN].name;
}

const char *place_phrase(enum place place)
{
	return places[(unsigned int)place < PLACE__MAX ? place : PLACE_UNKNOWN].phrase;
}

const char *harm_name(enum harm harm)
{
	return harms[(unsigned int)harm < HARM__MAX ? harm : HARM_NONE].name;
}

const char *harm_phrase(enum harm harm)
{
	return harms[(unsigned int)harm < HARM__MAX ? harm : HARM_NONE].phrase;
}
