/* SPDX-License-Identifier: Apache-2.0 */
/* The chat service's request (OpenAI-compatible chat completions). */
#include "netproc/encode.h"

#include <json-c/json.h>
#include <stdio.h>
#include <strings.h>

#include "policy/text/json_strict.h"
#include "policy/text/jsonout.h"

/* How a service is told not to think aloud: it would spend the few tokens of the answer. Each as its own manual says. */
static const struct {
	const char *host; /* suffix */
	const char *prefix; /* of the model's name */
	const char *body;
} routes[] = {
	{ "openrouter.ai", "openrouter/", "{\"reasoning\":{\"enabled\":false}}" },
	{ "deepseek.com", "deepseek/", "{\"thinking\":{\"type\":\"disabled\"}}" },
	{ "ollama.com", "ollama-cloud/", "{\"reasoning_effort\":\"none\"}" },
};

static bool host_ends(const char *host, const char *suffix)
{
	size_t n = strlen(host), m = strlen(suffix);

	return n >= m && strcasecmp(host + n - m, suffix) == 0 && (n == m || host[n - m - 1] == '.');
}

static const char *route_body(const char *host, struct bytes model)
{
	for (size_t i = 0; i < ARRAY_LEN(routes); i++)
		if (host_ends(host, routes[i].host))
			return routes[i].body;
	for (size_t i = 0; i < ARRAY_LEN(routes); i++) {
		size_t n = strlen(routes[i].prefix);

		if (model.len >= n && memcmp(model.p, routes[i].prefix, n) == 0)
			return routes[i].body;
	}
	return "{}";
}

static void begin(struct textbuf *b, const char *what, const char *nonce)
{
	textbuf_printf(b, "=== %s %s begins ===\n", what, nonce);
}

static void end(struct textbuf *b, const char *what, const char *nonce)
{
	textbuf_printf(b, "\n=== %s %s ends ===\n", what, nonce);
}

/* As JSON text: whatever the command put into a fact's words stays inside its string. */
static void put_facts(struct textbuf *b, const struct model_request *q, const char *nonce)
{
	struct jsonout o = JSONOUT(b);

	begin(b, "FACTS", nonce);
	jsonout_object(&o);
	if (q->cwd.len > 0)
		jsonout_member_bytes(&o, "working_directory", q->cwd);
	encode_facts(&o, q);
	if (q->n_files > 0) {
		jsonout_name(&o, "files");
		jsonout_array(&o);
	}
	for (uint32_t i = 0; i < q->n_files; i++) {
		jsonout_object(&o);
		jsonout_member_int(&o, "part", (int64_t)i + 1);
		encode_file_facts(&o, &q->files[i]);
		jsonout_end(&o);
	}
	if (q->n_files > 0)
		jsonout_end(&o);
	jsonout_end(&o);
	end(b, "FACTS", nonce);
}

static void put_user(struct textbuf *b, const struct model_request *q, const char *nonce)
{
	put_facts(b, q, nonce);
	for (uint32_t i = 0; i < q->n_files; i++) {
		char what[32];

		snprintf(what, sizeof(what), "FILE %u", i + 1);
		begin(b, what, nonce);
		textbuf_append(b, q->files[i].content.p, q->files[i].content.len);
		end(b, what, nonce);
	}
	begin(b, "COMMAND", nonce);
	textbuf_append(b, q->command.p, q->command.len);
	end(b, "COMMAND", nonce);
}

static void put_message(struct jsonout *o, const char *role, const struct textbuf *text)
{
	jsonout_object(o);
	jsonout_member(o, "role", role);
	jsonout_member_bytes(o, "content", textbuf_bytes(text));
	jsonout_end(o);
	o->b->failed = o->b->failed || text->failed;
}

/* Members of `over` replace those of `under`; a null takes one away. */
static int put_over(struct json_object *under, struct json_object *over)
{
	json_object_object_foreach(over, name, value)
	{
		if (value == NULL)
			json_object_object_del(under, name);
		else if (json_object_object_add(under, name, json_object_get(value)) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int put_over_text(struct json_object *under, struct bytes text)
{
	CLEANUP(json_putp) struct json_object *over = NULL;
	size_t at;
	int err = text.len > 0 ? json_strict(text, &over, &at) : 0;

	if (err < 0)
		return err;
	if (err != 0 || (over != NULL && !json_object_is_type(over, json_type_object)))
		return -EINVAL;
	return over != NULL ? put_over(under, over) : 0;
}

static void put_base(struct textbuf *b, const struct model_request *q, const struct textbuf *system,
	const struct textbuf *user)
{
	struct jsonout o = JSONOUT(b);

	jsonout_object(&o);
	jsonout_member_bytes(&o, "model", q->model);
	jsonout_name(&o, "messages");
	jsonout_array(&o);
	put_message(&o, "system", system);
	put_message(&o, "user", user);
	jsonout_end(&o);
	jsonout_member_int(&o, "temperature", 0);
	jsonout_member_int(&o, "max_tokens", q->max_tokens);
	jsonout_member_bool(&o, "stream", false);
	jsonout_end(&o);
}

int encode_chat(struct textbuf *b, const struct model_request *q, const char *host, struct bytes system,
	const char *nonce)
{
	CLEANUP(textbuf_done) struct textbuf base = { 0 }, prompt = { 0 }, user = { 0 };
	CLEANUP(json_putp) struct json_object *body = NULL;
	struct jsonout o = JSONOUT(b);
	const char *route = route_body(host, q->model);
	size_t at;
	int err;

	if (system.len > 0)
		textbuf_append(&prompt, system.p, system.len);
	else
		prompt_expand(&prompt, prompt_chat, &q->prompt);
	put_user(&user, q, nonce);
	put_base(&base, q, &prompt, &user);
	if (base.failed)
		return -ENOMEM;
	err = json_strict(textbuf_bytes(&base), &body, &at);
	if (err != 0)
		return err < 0 ? err : -EINVAL;
	err = put_over_text(body, (struct bytes){ route, strlen(route) });
	if (err == 0)
		err = put_over_text(body, q->extra_body);
	if (err < 0)
		return err;
	jsonout_value(&o, body);
	return b->failed ? -ENOMEM : 0;
}
