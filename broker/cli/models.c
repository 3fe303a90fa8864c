/* SPDX-License-Identifier: Apache-2.0 */
/* `models`: what the configured judge's endpoint offers. */
#include <stdio.h>

#include "broker/cli/cli.h"
#include "broker/model/model.h"
#include "policy/text/oneline.h"

enum { EXIT_FAILED = 1, PATIENCE_MS = 10000 };

static int say(struct broker *b, const char *what, const char *why)
{
	CLEANUP(textbuf_done) struct textbuf t = { 0 };
	int err;

	textbuf_printf(&t, "auto-classifier models: %s%s\n", what, why);
	err = t.failed ? -ENOMEM : broker_err(b, t.p, t.len);
	return err < 0 ? err : EXIT_FAILED;
}

static int print_names(struct broker *b, struct bytes body)
{
	CLEANUP(textbuf_done) struct textbuf t = { 0 };
	struct reader r = { .p = body.p, .left = body.len };
	bool is_list = rd_bool(&r);
	uint32_t n = rd_count(&r, MODEL_NAMES_MAX);

	if (!r.bad && !is_list)
		return say(b, "the endpoint's answer is no list of models", "");
	for (uint32_t i = 0; i < n && !r.bad; i++) {
		struct bytes name = rd_bytes(&r, MODEL_NAME_MAX);

		if (name.len == 0)
			continue;
		text_oneline(&t, name, MODEL_NAME_MAX);
		textbuf_putc(&t, '\n');
	}
	if (!rd_end(&r))
		return say(b, "the process that reads the answer failed", "");
	if (t.failed)
		return -ENOMEM;
	return t.len > 0 ? broker_out(b, t.p, t.len) : 0;
}

static int list(struct broker *b, struct model_setup *s)
{
	CLEANUP(model_answer_done) struct model_answer a = { 0 };
	CLEANUP(freep) char *buffer = NULL;
	struct bytes names;
	char status[40];
	uint64_t until = clock_ms() + PATIENCE_MS;
	int err;

	s->q.protocol = s->q.protocol == MODEL_JEV ? MODEL_JEV_LIST : MODEL_CHAT_LIST;
	s->q.timeout_ms = PATIENCE_MS;
	err = model_attempt(b, s, until, &a);
	if (err < 0)
		return err;
	if (a.failed)
		return say(b, "the judge cannot be asked: ", model_failure_text(a.failure));
	if (a.status != 200) {
		(void)snprintf(status, sizeof(status), "HTTP status %u", a.status);
		return say(b, "the endpoint answered with ", status);
	}
	err = model_read_names(b, a.body, until, &names, &buffer);
	if (err == -EPROTO)
		return say(b, "the process that reads the answer failed", "");
	return err < 0 ? err : print_names(b, names);
}

int cli_models(struct broker *b)
{
	const struct assessment nothing = { 0 };
	CLEANUP(model_setup_done) struct model_setup s = { .key_fd = -1 };
	const char *const *helper;
	int err;

	if (b->start.argc > 2)
		return cli_usage_error(b, "takes no argument", b->start.argv[2]);
	if (config_is_broken(b->config))
		return say(b, "the configuration is broken; see `auto-classifier config check`", "");
	if (!config_has_judge(b->config))
		return say(b, "no model is configured", "");
	if (config_strings(b->config, CFG_JEV_COMMAND, &helper) > 0 &&
		strcmp(config_string(b->config, CFG_LLM_PROVIDER), "jev") == 0)
		return say(b, "the judge is asked by jev.command, which answers questions alone", "");
	err = model_setup(b, &nothing, "", &s);
	return err < 0 ? err : list(b, &s);
}
