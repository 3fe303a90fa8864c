/* SPDX-License-Identifier: Apache-2.0 */
/* Which key may go to which host. */
#include "policy/judge/keys.h"

#include <strings.h>

/* AUTO_CLASSIFIER_API_KEY is ours: it goes to the service that is asked when nothing is configured. */
static const struct {
	const char *variable, *host;
} homes[] = {
	{ "TYPESAFE_API_KEY", "api.typesafe.ai" },
	{ "OPENAI_API_KEY", "api.openai.com" },
	{ "AUTO_CLASSIFIER_API_KEY", "api.deepseek.com" },
};

const char *key_home(struct bytes variable)
{
	for (size_t i = 0; i < ARRAY_LEN(homes); i++)
		if (bytes_is(variable, homes[i].variable))
			return homes[i].host;
	return NULL;
}

bool key_may_go(const struct model_request *q, const struct key_source *s, struct bytes host)
{
	const char *home = s->kind == KEY_VARIABLE ? key_home(s->text) : NULL;

	if (q->origin_from_file || (s->from_file && q->origin_default))
		return true;
	return home != NULL && strlen(home) == host.len && strncasecmp(home, host.p, host.len) == 0;
}
