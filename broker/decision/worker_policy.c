/* SPDX-License-Identifier: Apache-2.0 */
/* From configuration and environment to what a worker needs for its rules; nothing secret, nothing of judges or logs. */
#include "broker/decision/worker_policy.h"

#include <limits.h>

#include "broker/config_load.h"
#include "broker/decision/shadows.h"
#include "policy/request.h"

/* Text made here for the policy; freed once it is encoded. */
struct made {
	struct string_list texts; /* owned */
};

static void made_done(struct made *m)
{
	for (uint32_t i = 0; i < m->texts.n; i++)
		free((void *)(uintptr_t)m->texts.items[i].p);
	free(m->texts.items);
}

/* Room is doubled: at 0, 8, 16, 32 … items the list is full. A hook's start is no place for pages nobody fills. */
static bool is_full(uint32_t n)
{
	return n == 0 || (n >= 8 && (n & (n - 1)) == 0);
}

static int add(struct string_list *list, struct bytes item)
{
	struct bytes *items;

	if (list->n == POLICY_LIST_MAX)
		return -E2BIG;
	if (is_full(list->n)) {
		items = reallocarray(list->items, list->n == 0 ? 8 : 2 * (size_t)list->n, sizeof(*items));
		if (items == NULL)
			return -ENOMEM;
		list->items = items;
	}
	list->items[list->n++] = item;
	return 0;
}

static int add_text(struct string_list *list, const char *s)
{
	return s != NULL && *s != '\0' ? add(list, (struct bytes){ s, strlen(s) }) : 0;
}

static int add_made(struct made *m, struct string_list *list, char *text)
{
	int err;

	if (text == NULL)
		return -ENOMEM;
	err = add(&m->texts, (struct bytes){ text, strlen(text) });
	if (err < 0) {
		free(text);
		return err;
	}
	return add_text(list, text);
}

static const struct {
	enum config_key key;
	size_t offset;
} copied_lists[] = {
	{ CFG_RULES_FAST_DENY, offsetof(struct worker_policy, fast_deny) },
	{ CFG_RULES_FAST_ALLOW, offsetof(struct worker_policy, fast_allow) },
	{ CFG_SANCTIONED_REMOTES, offsetof(struct worker_policy, sanctioned_remotes) },
	{ CFG_POLICY_TRUSTED_REMOTES, offsetof(struct worker_policy, trusted_remotes) },
	{ CFG_POLICY_PROTECTED_BRANCHES, offsetof(struct worker_policy, protected_branches) },
	{ CFG_FILE_ZONES_ALLOW_READ, offsetof(struct worker_policy, zone_read) },
	{ CFG_FILE_ZONES_ALLOW_WRITE, offsetof(struct worker_policy, zone_write) },
	{ CFG_FILE_ZONES_DENY, offsetof(struct worker_policy, zone_deny) },
	{ CFG_TOOLS_ALLOW, offsetof(struct worker_policy, tools_allow) },
	{ CFG_TOOLS_ASK, offsetof(struct worker_policy, tools_ask) },
	{ CFG_TOOLS_DENY, offsetof(struct worker_policy, tools_deny) },
};

static int copy_lists(const struct config *c, struct worker_policy *p)
{
	for (size_t i = 0; i < ARRAY_LEN(copied_lists); i++) {
		struct string_list *list = (void *)((char *)p + copied_lists[i].offset);
		const char *const *items;
		size_t n = config_strings(c, copied_lists[i].key, &items);

		for (size_t j = 0; j < n; j++) {
			int err = add_text(list, items[j]);

			if (err < 0)
				return err;
		}
	}
	return 0;
}

/* "dir/" from "dir" or "dir/"; ~/ from home. NULL with *ret_err 0: no absolute path can be made of it. */
static char *root_text(const char *root, const char *home, int *ret_err)
{
	const char *before = "";
	size_t n = strlen(root);
	char *text;

	*ret_err = 0;
	if (root[0] == '~' && root[1] == '/' && home != NULL) {
		before = home;
		root++;
		n--;
	}
	if (*before == '\0' && root[0] != '/')
		return NULL;
	while (n > 1 && root[n - 1] == '/')
		n--;
	text = malloc(strlen(before) + n + 2);
	if (text == NULL) {
		*ret_err = -ENOMEM;
		return NULL;
	}
	stpcpy(stpncpy(stpcpy(text, before), root, n), "/");
	return text;
}

static bool same_directory(const char *with_slash, const char *without)
{
	size_t n = strlen(without);

	return strncmp(with_slash, without, n) == 0 && strcmp(with_slash + n, "/") == 0;
}

/* As written and as it really lies: on some systems /tmp is a link. */
static int add_scratch_root(struct made *m, struct string_list *list, const char *root, const char *home)
{
	char real[PATH_MAX];
	int err;
	char *text = root_text(root, home, &err);

	if (text == NULL)
		return err;
	err = add_made(m, list, text);
	if (err == 0 && realpath(text, real) != NULL && !same_directory(text, real)) {
		text = root_text(real, NULL, &err);
		if (text != NULL)
			err = add_made(m, list, text);
	}
	return err;
}

static int add_scratch_roots(const struct broker *b, struct made *m, struct string_list *list)
{
	const char *const *items;
	size_t n = config_strings(b->config, CFG_RULES_SCRATCH_WRITE_ROOTS, &items);
	int err = 0;

	for (size_t i = 0; i < n && i < POLICY_LIST_MAX / 2 && err == 0; i++)
		err = add_scratch_root(m, list, items[i], b->home);
	return err;
}

static int add_path(const struct broker *b, struct made *m, struct string_list *list, const char *path)
{
	int err;
	char *text;

	if (path == NULL || *path == '\0')
		return 0;
	text = root_text(path, b->home, &err);
	if (text == NULL)
		return err;
	text[strlen(text) - 1] = '\0';
	return add_made(m, list, text);
}

/* What the fixed rules cannot know: where this user's configuration, state, logs and program lie. */
static int add_gate_paths(struct broker *b, struct made *m, struct string_list *list)
{
	const struct config_files *f = b->files;
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	const char *const paths[] = {
		f != NULL ? f->directory : NULL,
		f != NULL ? f->file : NULL,
		f != NULL ? f->overlay : NULL,
		f != NULL ? f->host : NULL,
		f != NULL ? f->floor : NULL,
		f != NULL ? f->remotes : NULL,
		config_string(b->config, CFG_TELEMETRY_PATH),
		config_string(b->config, CFG_LOG_PATH),
		config_string(b->config, CFG_STATE_DIR),
		config_string(b->config, CFG_LLM_API_KEY_FILE),
		config_string(b->config, CFG_JEV_API_KEY_FILE),
		n > 0 ? exe : NULL,
	};
	int err = 0;

	exe[n > 0 ? n : 0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(paths) && err == 0; i++)
		err = add_path(b, m, list, paths[i]);
	return err;
}

/*
 * A workflow's runner names the files that a step reports by: nobody else's file is called like them. With any other
 * value the name is one that something set.
 */
static bool is_runner_file(const char *variable)
{
	static const struct {
		const char *variable, *file;
	} rows[] = { { "GITHUB_OUTPUT=/", "/_runner_file_commands/set_output_" },
		{ "GITHUB_STEP_SUMMARY=/", "/_runner_file_commands/step_summary_" } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *at = strstr(variable, rows[i].file);

		if (strncmp(variable, rows[i].variable, strlen(rows[i].variable)) == 0 && at != NULL &&
			strchr(at + strlen(rows[i].file), '/') == NULL)
			return true;
	}
	return false;
}

static int add_names(const struct broker *b, struct string_list *list)
{
	int err = 0;

	for (char **e = b->start.environment; e != NULL && *e != NULL && err == 0; e++)
		err = is_runner_file(*e) ? 0 : add(list, (struct bytes){ *e, strcspn(*e, "=") });
	for (char **e = b->start.other_names; e != NULL && *e != NULL && err == 0; e++)
		err = add_text(list, *e);
	return err;
}

static struct bytes bytes_of(const char *s)
{
	return (struct bytes){ s, s != NULL ? strlen(s) : 0 };
}

struct shadowing {
	struct made *made;
	struct string_list *list;
};

static int add_shadowing(void *data, const char *name)
{
	struct shadowing *s = data;

	return add_made(s->made, s->list, strdup(name));
}

/* What cannot be listed is asked about, name by name. */
static int add_shadows(struct broker *b, struct made *m, struct worker_policy *p)
{
	struct shadowing s = { .made = m, .list = &p->shadowing };
	int r = shadows_list(broker_getenv(b, "PATH"), add_shadowing, &s);

	p->path_is_mixed = r == SHADOWS_UNKNOWN;
	if (p->path_is_mixed)
		p->shadowing.n = 0;
	return r < 0 ? r : 0;
}

int worker_policy_prepare(struct broker *b)
{
	CLEANUP(worker_policy_done) struct worker_policy p = { 0 };
	CLEANUP(made_done) struct made m = { 0 };
	int err = copy_lists(b->config, &p);

	if (err == 0)
		err = add_scratch_roots(b, &m, &p.scratch_roots);
	if (err == 0)
		err = add_gate_paths(b, &m, &p.gate_paths);
	if (err == 0)
		err = add_names(b, &p.environment_names);
	if (err == 0)
		err = add_shadows(b, &m, &p);
	if (err < 0)
		return err;
	p.home = bytes_of(b->home);
	p.home_is_another = broker_home_is_another(b);
	p.shell = bytes_of(broker_getenv(b, "SHELL"));
	p.model_available = config_has_judge(b->config);
	p.trust_landed_scripts = config_bool(b->config, CFG_POLICY_TRUST_LANDED_SCRIPTS);
	wr_reset(&b->policy);
	worker_policy_encode(&b->policy, &p);
	return b->policy.bad ? -E2BIG : 0;
}
