/* SPDX-License-Identifier: Apache-2.0 */
/* What commands do, where, and what policy says to each pair: the one table of (effect, place) -> ruling. */
#ifndef POLICY_EFFECTS_H
#define POLICY_EFFECTS_H

#include "policy/base.h"

/* How the text of a target is placed. */
enum target_kind {
	TARGET_NONE, /* there is none: place is PLACE_NONE */
	TARGET_PATH, /* a path, relative to the command's directory (or effect.base) */
	TARGET_URL, /* a URL, host, or host:path */
	TARGET_REMOTE, /* a git remote's name or URL; empty: the default of the current branch */
	TARGET_FORGE, /* [HOST/]OWNER/REPO; empty: the repository of the directory */
	TARGET_NAME, /* a name policy needs no place for: PLACE_NONE */
	TARGET__MAX
};

enum effect_id {
	EFFECT_UNKNOWN = 0,
#define EFFECT(id, name, target, verb) EFFECT_##id,
#include "policy/effects.def"
#undef EFFECT
	EFFECT__MAX
};

/* Where a target lies. The zero value is the strict one. */
enum place {
	PLACE_UNKNOWN = 0, /* not known, or too dynamic to be placed */
	PLACE_NONE, /* the effect has no target that has a place */
	PLACE_NULL, /* /dev/null, /dev/stdout, /dev/stderr, /dev/tty, /dev/zero, /dev/urandom … */
	PLACE_SCRATCH,
	PLACE_BUILD, /* build or cache output, below the workspace or the user's cache directories */
	PLACE_WORKTREE, /* inside the workspace, which is a git worktree */
	PLACE_WORKSPACE, /* inside the workspace, which is no repository */
	PLACE_ROOT, /* the workspace's root itself */
	PLACE_ABOVE, /* holds the workspace's root, or is HOME or / */
	PLACE_SENSITIVE, /* of the workspace: git internals, agent settings, env files, workflows */
	PLACE_HOME, /* elsewhere below the user's home */
	PLACE_STARTUP, /* its content is run later by somebody */
	PLACE_SYSTEM, /* a directory of the operating system */
	PLACE_DEVICE, /* a device other than those of PLACE_NULL */
	PLACE_SECRET, /* secret-looking, wherever it lies */
	PLACE_GATE, /* the gate's own, and every harness's hooks */
	PLACE_DENIED, /* in a zone that the configuration keeps everybody out of */
	PLACE_OTHER, /* an ordinary place that none of the above names: /srv, /var/lib, another user's home …
		      */
	PLACE_ACCESS, /* written to, it lets somebody log in or become root: sudoers, authorized_keys, the accounts */
	PLACE_CONTAINER, /* inside a container's own file system */
	PLACE_LOOPBACK, /* of hosts: this machine */
	PLACE_SANCTIONED, /* of hosts: in sanctionedRemotes */
	PLACE_OUTSIDE, /* of hosts: any other */
	PLACE__MAX
};

/* Harms of the design, shared by rules, offline judge and prompts. */
enum harm {
	HARM_NONE = 0,
	HARM_EXFILTRATION,
	HARM_CREDENTIAL,
	HARM_FOREIGN_CODE,
	HARM_LOCKOUT,
	HARM_ACCESS,
	HARM_SYSTEM,
	HARM_DATA,
	HARM_GUARD,
	HARM_HIDING,
	HARM_OTHER_HOST,
	HARM_REVIEWER,
	HARM_SELF,
	HARM__MAX
};

enum ruling { RULING_OPEN = 0, RULING_HARM, RULING_VOUCHED };

struct effect_rule {
	enum ruling ruling;
	enum harm harm; /* with RULING_HARM */
};

/* Total: a value out of range is open. A harm counts only where effect and target are certain; else it is
 * open. */
struct effect_rule effect_rule(enum effect_id effect, enum place place);

/* Static text, never NULL. */
const char *effect_name(enum effect_id effect);
const char *effect_verb(enum effect_id effect); /* "NAME {verb} TARGET" */
enum target_kind effect_target(enum effect_id effect);
const char *place_name(enum place place);
const char *place_phrase(enum place place); /* "TARGET, {phrase}"; empty where a place says nothing */
const char *harm_name(enum harm harm); /* one word for telemetry */
const char *harm_phrase(enum harm harm); /* as in "denied for {phrase}" */

#endif
