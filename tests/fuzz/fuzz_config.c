/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of settings files as each layer: the first byte names the layer, a NUL separates it from a second text merged
 * as the floor. Whatever they hold, the result can be shown, a broken text changes nothing, the floor only tightens.
 */
#include <json-c/json.h>

#include "policy/config/config.h"
#include "policy/text/json_strict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void merge(struct config *c, enum config_layer layer, const uint8_t *p, size_t len)
{
	CLEANUP(freep) char *text = malloc(len ? len : 1);

	if (!text)
		abort();
	if (len)
		memcpy(text, p, len);
	if (config_merge_text(c, layer, "fuzz", text, len) < 0)
		abort();
}

static void check_shown(const struct config *c)
{
	CLEANUP(json_putp) struct json_object *shown = NULL;
	CLEANUP(freep) char *text = NULL;
	size_t at;

	if (config_show(c, true, &text) < 0)
		abort();
	if (json_strict((struct bytes){ text, strlen(text) }, &shown, &at) != JSON_OK)
		abort();
}

static void check_problems(const struct config *c)
{
	const struct config_problem *p;
	size_t n = config_problems(c, &p), fatal = 0;

	for (size_t i = 0; i < n; i++) {
		if (!p[i].text || strpbrk(p[i].text, "\n\x1b"))
			abort();
		fatal += p[i].fatal;
	}
	if ((fatal > 0) != (config_is_broken(c) || config_overlay_broken(c)))
		abort();
}

static void check_untouched(const struct config *c)
{
	for (size_t k = 0; k < CFG__MAX; k++) {
		if (config_origin(c, (enum config_key)k) == LAYER_FILE)
			abort();
	}
}

/* What a floor decides cannot be looser than without it: spot checks of each direction. */
static void check_tighter(const struct config *with, const struct config *without)
{
	const char *const *a, *const *b;

	if (config_bool(without, CFG_POLICY_HEADLESS) > config_bool(with, CFG_POLICY_HEADLESS))
		abort();
	if (config_bool(without, CFG_POLICY_TRUST_LANDED_SCRIPTS) < config_bool(with, CFG_POLICY_TRUST_LANDED_SCRIPTS))
		abort();
	if (config_int(without, CFG_POLICY_CONSECUTIVE_THRESHOLD) < config_int(with, CFG_POLICY_CONSECUTIVE_THRESHOLD))
		abort();
	if (config_number(without, CFG_JEV_MIN_CONFIDENCE) > config_number(with, CFG_JEV_MIN_CONFIDENCE))
		abort();
	if (config_strings(without, CFG_TOOLS_ALLOW, &a) < config_strings(with, CFG_TOOLS_ALLOW, &b) &&
	    config_strings(without, CFG_TOOLS_ALLOW, &a) == 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(config_freep) struct config *with = NULL;
	CLEANUP(config_freep) struct config *without = NULL;
	enum config_layer layer;
	const uint8_t *nul;
	size_t len;

	if (size == 0)
		return 0;
	layer = data[0] % 2 ? LAYER_FILE : LAYER_OVERLAY;
	data++;
	size--;
	nul = size ? memchr(data, 0, size) : NULL;
	len = nul ? (size_t)(nul - data) : size;
	if (config_new(&with) < 0 || config_new(&without) < 0 || config_set_places(with, "/h", "/h/c") < 0 ||
	    config_set_places(without, "/h", "/h/c") < 0)
		abort();
	merge(with, layer, data, len);
	merge(without, layer, data, len);
	if (config_is_broken(with))
		check_untouched(with);
	if (nul)
		merge(with, LAYER_FLOOR, nul + 1, size - len - 1);
	if (config_finish(with) < 0 || config_finish(without) < 0)
		abort();
	check_shown(with);
	check_problems(with);
	check_tighter(with, without);
	return 0;
}
