/* SPDX-License-Identifier: Apache-2.0 */
/* What the environment sets a variable to: libraries of a system or a user's own, everyday options, or something else. */
#include "broker/evidence/internal.h"
#include "policy/environment.h"

/* Where the path lies; and who may write to it: to the nearest place above, where it is missing and could be made. */
static bool look_at(struct evidence *e, const struct workspace *w, struct bytes path, uint32_t *ret_facts,
	struct resolved *ret)
{
	char name[RESOLVE_PATH_MAX];

	if (path.len == 0 || path.p[0] != '/' || path.len >= sizeof(name))
		return false;
	memcpy(name, path.p, path.len);
	name[path.len] = '\0';
	resolve_path(e->mounts, name, false, ret);
	*ret_facts = location_facts(e, w, path, ret);
	for (;;) {
		char *slash;

		if (ret->remote || ret->unreadable || ret->type == PATH_UNKNOWN || ret->type == PATH_LINK_BROKEN)
			return false;
		if (ret->type != PATH_MISSING)
			return true;
		slash = strrchr(name, '/');
		slash[slash == name ? 1 : 0] = '\0';
		resolve_path(e->mounts, name, false, ret);
	}
}

/* Nobody but root and the user writes there, and the user's agent only by leaving its workspace. */
static bool place_is_kept(struct evidence *e, const struct workspace *w, struct bytes path, bool project)
{
	struct resolved r;
	uint32_t facts;

	if (!look_at(e, w, path, &facts, &r) || (r.mode & S_IWOTH) != 0 || (r.uid != 0 && r.uid != geteuid()))
		return false;
	if (project && (facts & FACT_IN_WORKSPACE) != 0)
		return true;
	return (facts & (FACT_IN_WORKSPACE | FACT_IN_SCRATCH | FACT_IN_BUILD)) == 0;
}

/* An empty entry is the directory that a program is started in. */
static bool places_are_kept(struct evidence *e, const struct workspace *w, const char *list, bool project)
{
	while (*list != '\0') {
		struct bytes entry = { list, strcspn(list, ":") };

		if (!place_is_kept(e, w, entry, project))
			return false;
		list += entry.len;
		if (*list == ':' && list[1] == '\0')
			return false;
		list += *list == ':' ? 1 : 0;
	}
	return true;
}

/* GIT_CONFIG_VALUE_n is never told, as it may be a password: what it is the value of tells enough. */
static const char *name_of_git_value(struct broker *b, const char *name)
{
	static const char value_prefix[] = "GIT_CONFIG_VALUE_", key_prefix[] = "GIT_CONFIG_KEY_";
	const char *number = name + sizeof(value_prefix) - 1;
	char key[64];

	if (strlen(number) + sizeof(key_prefix) > sizeof(key))
		return NULL;
	memcpy(key, key_prefix, sizeof(key_prefix) - 1);
	memcpy(key + sizeof(key_prefix) - 1, number, strlen(number) + 1);
	return broker_getenv(b, key);
}

bool variable_is_harmless(struct broker *b, struct evidence *e, const struct workspace *w, const char *name)
{
	enum environment_value kind = environment_value_of((struct bytes){ name, strlen(name) });
	const char *value = kind == ENVIRONMENT_GIT_VALUE ? name_of_git_value(b, name) : broker_getenv(b, name);

	if (kind == ENVIRONMENT_ANY)
		return true;
	if (kind == ENVIRONMENT_GIT_VALUE)
		kind = ENVIRONMENT_GIT_KEY;
	if (value == NULL || !environment_value_is_harmless(kind, (struct bytes){ value, strlen(value) }))
		return false;
	if (kind == ENVIRONMENT_DIRECTORIES || kind == ENVIRONMENT_PROJECT)
		return places_are_kept(e, w, value, kind == ENVIRONMENT_PROJECT);
	return true;
}

int answer_variable(struct broker *b, struct evidence *e, const struct question *q, struct answer *ret)
{
	char name[128];

	if (q->text.len >= sizeof(name))
		return 0;
	memcpy(name, q->text.p, q->text.len);
	name[q->text.len] = '\0';
	ret->status = ANSWER_KNOWN;
	ret->type = PATH_MISSING;
	ret->size = variable_is_harmless(b, e, workspace_of(e, q->extra), name) ? 1 : 0;
	return 0;
}
