/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that keep their protection under a second name: hard links share an inode, directories hold what is below them.
 */
#include <dirent.h>
#include <fcntl.h>

#include "broker/evidence/internal.h"
#include "policy/paths/paths.h"

enum { DIRECTORY_ENTRIES_MAX = 128 };

/* Below the home directory; a trailing slash: the files directly in it. */
static const char *const gate_files[] = {
	".config/auto-classifier/", ".claude/settings.json", ".claude/settings.local.json", ".claude/hooks/",
	".claude.json", ".claude/plugins/",
	".gemini/config/hooks.json", ".gemini/settings.json", ".gemini/antigravity-cli/settings.json", ".gemini/hooks/",
	".gemini/extensions/", ".gemini/policies/", ".gemini/config/plugins/", ".gemini/trustedFolders.json",
	".codex/hooks.json", ".codex/config.toml", ".codex/hooks/", ".codex/rules/", ".codex/plugins/",
	".copilot/hooks/", ".copilot/settings.json", ".copilot/config.json",
	".cursor/hooks.json", ".cursor/hooks/", ".cursor/cli-config.json", ".cursor/permissions.json",
	".config/opencode/config.json", ".config/opencode/plugins/", ".config/opencode/plugin/",
	".config/opencode/opencode.json", ".config/opencode/opencode.jsonc", ".pi/agent/settings.json",
	".pi/agent/extensions/",
	".openclaw/openclaw.json", ".openclaw/exec-approvals.json", ".openclaw/state/", ".openclaw/extensions/", ".local/share/auto-classifier/", ".cache/auto-classifier/sessions/",
};

static const char *const secret_files[] = {
	".ssh/", ".gnupg/", ".gnupg/private-keys-v1.d/", ".aws/", ".kube/", ".docker/", ".netrc", ".npmrc", ".pypirc",
	".pgpass",
	".git-credentials", ".claude/.credentials.json", ".codex/auth.json", ".config/gh/hosts.yml", ".bash_history",
	".zsh_history", ".config/gcloud/", ".azure/", ".gemini/oauth_creds.json", ".local/share/opencode/auth.json",
	".env",
};

static const char *const system_secrets[] = { "/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssh/",
	"/etc/sudoers.d/" };

/* Of the workspace: what a harness reads there. */
static const char *const workspace_files[] = {
	".claude/settings.json", ".claude/settings.local.json", ".claude/hooks/", ".agents/hooks.json",
	".agent/hooks.json",
	"_agents/hooks.json", "_agent/hooks.json", ".agents/plugins/", ".agent/plugins/", ".claude/plugins/",
	".gemini/settings.json", ".gemini/hooks/", ".gemini/extensions/", ".codex/hooks.json", ".codex/config.toml",
	".codex/hooks/", ".codex/rules/", ".github/hooks/", ".github/copilot/", ".cursor/hooks.json", ".cursor/hooks/",
	".cursor/cli.json", ".opencode/plugins/", ".opencode/plugin/", "opencode.json",
	"opencode.jsonc",
	".pi/settings.json", ".pi/extensions/",
};

static void add_inode(struct inodes *list, const struct stat *st)
{
	if (!S_ISREG(st->st_mode))
		return;
	if (list->n == INODES_MAX)
		list->full = true;
	else
		list->list[list->n++] = (struct inode){ st->st_dev, st->st_ino };
}

static void add_directory(struct inodes *list, const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	int seen = 0;

	if (d == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(d)) != NULL) {
		struct stat st;

		if (++seen > DIRECTORY_ENTRIES_MAX) {
			list->full = true;
			break;
		}
		if (fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			add_inode(list, &st);
	}
	closedir(d);
}

static void add_file(struct evidence *e, struct inodes *list, const char *base, const char *name)
{
	char path[RESOLVE_PATH_MAX];
	struct resolved r;
	struct stat st;
	size_t n = strlen(base), m = strlen(name);

	if (n + m + 2 > sizeof(path))
		return;
	memcpy(path, base, n);
	path[n] = '/';
	memcpy(path + n + (n > 0), name, m + 1);
	resolve_path(e->mounts, path, false, &r);
	if (r.remote || (r.type != PATH_FILE && r.type != PATH_DIRECTORY))
		return;
	if (r.type == PATH_DIRECTORY)
		add_directory(list, r.real);
	else if (stat(r.real, &st) == 0)
		add_inode(list, &st);
}

/* Read once a broker, and only when a file of several names is asked about. */
static void read_inodes(struct evidence *e)
{
	if (e->inodes_read)
		return;
	e->inodes_read = true;
	for (uint32_t i = 0; i < e->policy.gate_paths.n; i++) {
		char path[RESOLVE_PATH_MAX];
		struct bytes p = e->policy.gate_paths.items[i];

		if (p.len == 0 || p.len >= sizeof(path))
			continue;
		memcpy(path, p.p, p.len);
		path[p.len] = '\0';
		add_file(e, &e->gate, "", path);
	}
	for (size_t i = 0; i < ARRAY_LEN(gate_files) && e->real_home_len > 0; i++)
		add_file(e, &e->gate, e->real_home, gate_files[i]);
	for (size_t i = 0; i < ARRAY_LEN(workspace_files) && e->workspace.root_len > 0; i++)
		add_file(e, &e->gate, e->workspace.root, workspace_files[i]);
	for (size_t i = 0; i < ARRAY_LEN(secret_files) && e->real_home_len > 0; i++)
		add_file(e, &e->secret, e->real_home, secret_files[i]);
	for (size_t i = 0; i < ARRAY_LEN(system_secrets); i++)
		add_file(e, &e->secret, "", system_secrets[i]);
}

static bool listed(const struct inodes *list, const struct resolved *r)
{
	struct stat st;

	/* The numbers of statx(2) and stat(2) are compared through stat(2), which says both alike. */
	if (r->type != PATH_FILE || r->links < 2)
		return false;
	if (list->full)
		return true;
	if (stat(r->real, &st) < 0)
		return true;
	for (size_t i = 0; i < list->n; i++)
		if (list->list[i].dev == st.st_dev && list->list[i].ino == st.st_ino)
			return true;
	return false;
}

bool inode_is_gate(struct evidence *e, const struct resolved *r)
{
	if (r->type != PATH_FILE || r->links < 2)
		return false;
	read_inodes(e);
	return listed(&e->gate, r);
}

bool inode_is_secret(struct evidence *e, const struct resolved *r)
{
	if (r->type != PATH_FILE || r->links < 2)
		return false;
	read_inodes(e);
	return listed(&e->secret, r);
}

bool name_is_gate(const struct evidence *e, struct bytes path)
{
	const char *what;

	for (uint32_t i = 0; i < e->policy.gate_paths.n; i++)
		if (path_within(path, e->policy.gate_paths.items[i]))
			return true;
	return path_is_gate(path, (struct bytes){ e->home, strlen(e->home) }, &what) ||
		path_is_gate(path, (struct bytes){ e->real_home, e->real_home_len }, &what);
}

static bool file_is_below(struct bytes dir, const char *base, size_t base_len, const char *name)
{
	char path[RESOLVE_PATH_MAX];
	size_t n = strlen(name);
	struct stat st;

	while (n > 0 && name[n - 1] == '/')
		n--;
	if (base_len + n + 2 > sizeof(path))
		return true;
	memcpy(path, base, base_len);
	path[base_len] = '/';
	memcpy(path + base_len + 1, name, n);
	path[base_len + 1 + n] = '\0';
	if (!path_within((struct bytes){ path, base_len + 1 + n }, dir))
		return false;
	return lstat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

bool directory_holds_gate(struct evidence *e, struct bytes dir)
{
	for (uint32_t i = 0; i < e->policy.gate_paths.n; i++) {
		struct bytes p = e->policy.gate_paths.items[i];

		if (p.len > 0 && path_within(p, dir))
			return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(gate_files) && e->real_home_len > 0; i++)
		if (file_is_below(dir, e->real_home, e->real_home_len, gate_files[i]))
			return true;
	/* Projects keep their harness settings in their root: of the directory itself, and of the workspace. */
	for (size_t i = 0; i < ARRAY_LEN(workspace_files); i++)
		if (file_is_below(dir, dir.p, dir.len, workspace_files[i]) ||
			(e->workspace.root_len > 0 &&
				file_is_below(dir, e->workspace.root, e->workspace.root_len, workspace_files[i])))
			return true;
	return false;
}
