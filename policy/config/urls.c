/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of judges: which are usable, and whether there is a judge at all. */
#include "policy/config/internal.h"

static bool is_loopback(struct bytes host)
{
	return (host.len == 9 && strncasecmp(host.p, "localhost", 9) == 0) || bytes_is(host, "::1") ||
		(host.len > 4 && memcmp(host.p, "127.", 4) == 0 && strspn(host.p, "0123456789.") >= host.len);
}

bool judge_address_parse(const char *s, struct judge_address *ret)
{
	size_t scheme = strncasecmp(s, "https://", 8) == 0 ? 8 : strncasecmp(s, "http://", 7) == 0 ? 7 : 0;
	const char *authority, *at;
	size_t len, host;

	if (scheme == 0)
		return false;
	authority = s + scheme;
	len = strcspn(authority, "/?#");
	*ret = (struct judge_address){ .https = scheme == 8 };
	at = memrchr(authority, '@', len);
	if (at) {
		ret->userinfo = true;
		len -= (size_t)(at + 1 - authority);
		authority = at + 1;
	}
	if (len > 0 && *authority == '[') {
		host = strcspn(authority, "]");
		if (host >= len)
			return false;
		ret->host = (struct bytes){ authority + 1, host - 1 };
	} else {
		host = strcspn(authority, ":");
		ret->host = (struct bytes){ authority, host < len ? host : len };
	}
	ret->here = is_loopback(ret->host);
	return ret->host.len > 0;
}

static bool may_be_plain(const struct config *c, const struct judge_address *a)
{
	struct json_object *list = c->value[CFG_LLM_ALLOW_HTTP];

	for (size_t i = 0; i < json_object_array_length(list); i++) {
		const char *allowed = json_object_get_string(json_object_array_get_idx(list, i));

		if (strlen(allowed) == a->host.len && strncasecmp(allowed, a->host.p, a->host.len) == 0)
			return true;
	}
	return a->here;
}

static int check_url(struct config *c, enum config_key k)
{
	struct place at = { .c = c, .layer = c->origin[k], .source = config_layer_name(c->origin[k]) };
	const char *url = config_string(c, k);
	struct judge_address a;

	if (!*url)
		return 0;
	if (!judge_address_parse(url, &a))
		return problem_add(&at, false, "%s: is no https:// or http:// address; that judge cannot be asked",
			config_specs[k].path);
	if (a.userinfo)
		return problem_add(&at, false, "%s: holds a user name or password; that judge cannot be asked",
			config_specs[k].path);
	if (!a.https && !may_be_plain(c, &a))
		return problem_add(&at, false,
			"%s: plain HTTP leaves this machine; use https, or add %.*s to llm.allowHttp", config_specs[k].path,
			(int)a.host.len, a.host.p);
	return 0;
}

int config_check_urls(struct config *c)
{
	int r = check_url(c, CFG_LLM_BASE_URL);

	return r < 0 ? r : check_url(c, CFG_JEV_BASE_URL);
}

bool config_has_judge(const struct config *c)
{
	const char *provider = config_string(c, CFG_LLM_PROVIDER);
	bool jev = strcmp(provider, "jev") == 0;
	enum config_key url = jev ? CFG_JEV_BASE_URL : CFG_LLM_BASE_URL;
	struct judge_address a;

	if (strcmp(provider, "offline") == 0)
		return false;
	if (jev && json_object_array_length(c->value[CFG_JEV_COMMAND]) > 0)
		return true;
	if (!judge_address_parse(config_string(c, url), &a) || a.userinfo || (!a.https && !may_be_plain(c, &a)))
		return false;
	if (a.here || *config_string(c, CFG_NETPROC_SOCKET))
		return true;
	if (jev)
		return *config_string(c, CFG_JEV_API_KEY) || *config_string(c, CFG_JEV_API_KEY_FILE);
	return *config_string(c, CFG_LLM_API_KEY) || *config_string(c, CFG_LLM_API_KEY_FILE);
}
