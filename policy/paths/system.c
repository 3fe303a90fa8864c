/* SPDX-License-Identifier: Apache-2.0 */
/* The operating system's own directories (Filesystem Hierarchy Standard 3.0, and macOS's). */
#include "policy/paths/components.h"
#include "policy/paths/paths.h"

/* The directory itself and all below. */
static const struct path_rule system_trees[] = {
	{ "/bin/**", "" }, { "/boot/**", "" }, { "/dev/**", "" }, { "/efi/**", "" }, { "/etc/**", "" }, { "/lib/**",
	"" },
	{ "/lib32/**", "" }, { "/lib64/**", "" }, { "/libx32/**", "" }, { "/lost+found/**", "" }, { "/nix/**", "" },
	{ "/opt/**", "" }, { "/proc/**", "" }, { "/run/**", "" }, { "/sbin/**", "" }, { "/snap/**", "" }, { "/sys/**",
	"" },
	{ "/usr/**", "" }, { "/var/**", "" }, { "/private/etc/**", "" }, { "/private/var/**", "" }, { "/system/**",
	"" },
	{ "/library/**", "" }, { "/applications/**", "" }, { "/cores/**", "" },
};

/* Only the directory itself: what lies below belongs to users. */
static const struct path_rule system_roots[] = {
	{ "/home", "" }, { "/users", "" }, { "/root", "" }, { "/mnt", "" }, { "/media", "" }, { "/srv", "" }, { "/tmp",
	"" },
	{ "/private", "" }, { "/volumes", "" },
};

/* Below a system tree, but free for all: temporary files, and the run-time directories of users. */
static const struct path_rule user_trees[] = {
	{ "/var/tmp/*/**", "" }, { "/run/user/*/**", "" }, { "/dev/shm/*/**", "" }, { "/private/var/folders/**", "" },
	{ "/private/var/tmp/*/**", "" }, { "/var/folders/**", "" },
};

static bool in_table(const struct components *path, const struct path_rule *rules, size_t n)
{
	return path_find(path, (struct bytes){ NULL, 0 }, rules, n) != NULL;
}

bool path_is_system(struct bytes path)
{
	struct components split;

	path_split(path, &split);
	if (!split.absolute)
		return false;
	if (split.n == 0)
		return true;
	if (split.n == 1 && in_table(&split, system_roots, ARRAY_LEN(system_roots)))
		return true;
	return in_table(&split, system_trees, ARRAY_LEN(system_trees)) &&
		!in_table(&split, user_trees, ARRAY_LEN(user_trees));
}
