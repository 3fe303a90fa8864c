/* SPDX-License-Identifier: Apache-2.0 */
/* Places whose content is run later by somebody: who may write there may run anything, when nobody is looking. */
#include "policy/paths/components.h"
#include "policy/paths/paths.h"

static const struct path_rule startup_rules[] = {
	{ ".bashrc", "a shell's startup file" },
	{ ".bash_profile", "a shell's startup file" },
	{ ".bash_login", "a shell's startup file" },
	{ ".bash_logout", "a shell's startup file" },
	{ ".bash_aliases", "a shell's startup file" },
	{ ".profile", "a shell's startup file" },
	{ ".zshrc", "a shell's startup file" },
	{ ".zshenv", "a shell's startup file" },
	{ ".zprofile", "a shell's startup file" },
	{ ".zlogin", "a shell's startup file" },
	{ ".zlogout", "a shell's startup file" },
	{ ".kshrc", "a shell's startup file" },
	{ ".cshrc", "a shell's startup file" },
	{ ".tcshrc", "a shell's startup file" },
	{ ".login", "a shell's startup file" },
	{ ".inputrc", "a shell's startup file" },
	{ ".oh-my-zsh/**", "a shell's startup file" },
	{ ".config/fish/**", "a shell's startup file" },
	{ ".config/powershell/**", "a shell's startup file" },
	{ ".pam_environment", "the login environment" },
	{ ".config/environment.d/**", "the login environment" },
	{ ".xinitrc", "a session's startup file" },
	{ ".xsession", "a session's startup file" },
	{ ".xsessionrc", "a session's startup file" },
	{ ".xprofile", "a session's startup file" },
	{ ".config/autostart/**", "a session's startup file" },
	{ ".config/systemd/**", "a user's units" },
	{ ".local/share/systemd/**", "a user's units" },
	{ "library/launchagents/**", "a launch agent" },
	{ "library/launchdaemons/**", "a launch daemon" },
	{ "var/spool/cron/**", "a crontab" },
	{ "/run/nologin", "what keeps users from logging in" },
	{ "/var/run/nologin", "what keeps users from logging in" },
	{ ".ssh/**", "ssh's files" },
	{ ".git/hooks/**", "git hooks" },
	{ ".git/config", "git's configuration" },
	{ ".git/config.worktree", "git's configuration" },
	{ ".git/modules/**", "git internals" },
	{ ".git/info/**", "git internals" },
	{ ".githooks/**", "git hooks" },
	{ ".husky/**", "git hooks" },
	{ ".gitconfig", "git's configuration" },
	{ ".config/git/**", "git's configuration" },
	{ "~/.local/bin/**", "a directory of programs" },
	{ "~/bin/**", "a directory of programs" },
	{ "~/.cargo/bin/**", "a directory of programs" },
	{ "~/go/bin/**", "a directory of programs" },
	{ "~/.npm-global/**", "a directory of programs" },
	{ ".vimrc", "an editor's startup file" },
	{ ".vim/**", "an editor's startup file" },
	{ ".config/nvim/**", "an editor's startup file" },
	{ ".emacs", "an editor's startup file" },
	{ ".emacs.d/**", "an editor's startup file" },
	{ ".exrc", "an editor's startup file" },
	{ ".nanorc", "an editor's startup file" },
	{ ".gdbinit", "a debugger's startup file" },
	{ ".lldbinit", "a debugger's startup file" },
	{ ".pythonrc*", "an interpreter's startup file" },
	{ ".pdbrc", "an interpreter's startup file" },
	{ "sitecustomize.py", "an interpreter's startup file" },
	{ "usercustomize.py", "an interpreter's startup file" },
	{ "site-packages/*.pth", "an interpreter's startup file" },
	{ ".irbrc", "an interpreter's startup file" },
	{ ".psqlrc", "a client's startup file" },
	{ ".sqliterc", "a client's startup file" },
	{ ".wgetrc", "a client's startup file" },
	{ ".curlrc", "a client's startup file" },
	{ ".screenrc", "a terminal's startup file" },
	{ ".tmux.conf", "a terminal's startup file" },
	{ ".config/tmux/**", "a terminal's startup file" },
	{ "~/.cargo/config*", "a package manager's configuration" },
	{ "~/.config/pip/**", "a package manager's configuration" },
	{ "~/.pip/**", "a package manager's configuration" },
	{ ".config/direnv/**", "direnv's configuration" },
	{ ".envrc", "direnv's file" },
};

/* Whoever is written there may log in, or become root. */
static const struct path_rule access_rules[] = {
	{ "/etc/sudoers", "" }, { "/etc/sudoers.d/**", "" }, { "/etc/passwd", "" }, { "/etc/shadow", "" },
	{ "/etc/gshadow", "" }, { "/etc/group", "" }, { ".ssh/authorized_keys", "" }, { ".ssh/authorized_keys2", "" },
	{ ".rhosts", "" }, { ".shosts", "" }, { "/etc/hosts.equiv", "" }, { "/etc/doas.conf", "" },
};

bool path_grants_access(struct bytes path, struct bytes home)
{
	struct components split;

	path_split(path, &split);
	return split.too_long || path_find(&split, home, access_rules, ARRAY_LEN(access_rules)) != NULL;
}

bool path_is_startup(struct bytes path, struct bytes home, const char **ret_what)
{
	struct components split;
	const struct path_rule *rule;

	path_split(path, &split);
	if (split.too_long) {
		*ret_what = "a path too long to be told from a startup file";
		return true;
	}
	if (split.absolute && split.n > 0 && (path_name_eq(split.c[0], "etc") ||
		(split.n > 1 && path_name_eq(split.c[1], "etc") && path_name_eq(split.c[0], "private")))) {
		*ret_what = "the system's configuration";
		return true;
	}
	rule = path_find(&split, home, startup_rules, ARRAY_LEN(startup_rules));
	if (rule == NULL)
		return false;
	*ret_what = rule->what;
	return true;
}
