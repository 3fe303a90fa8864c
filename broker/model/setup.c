/* SPDX-License-Identifier: Apache-2.0 */
/* From configuration and assessment to what netproc is told. Everything of the command's leaves redacted, then cut. */
#include <fcntl.h>

#include "broker/config_load.h"
#include "broker/model/model.h"
#include "broker/decision/served.h"
#include "policy/text/jsonout.h"
#include "policy/text/redact.h"
#include "policy/text/utf8.h"

enum { COMMAND_SENT_MAX = 16 * 1024, FACT_SENT_MAX = 4096, CHAT_FILE_MAX = 8000 };

static struct bytes bytes_of(const char *s)
{
	return (struct bytes){ s, s != NULL ? strlen(s) : 0 };
}

static bool is_file_layer(enum config_layer l)
{
	return l == LAYER_HOST || l == LAYER_FILE || l == LAYER_OVERLAY || l == LAYER_FLOOR;
}

static void add_key(struct model_request *q, enum key_kind kind, bool from_file, struct bytes text)
{
	if (q->n_keys < MODEL_KEYS_MAX && text.len > 0)
		q->keys[q->n_keys++] = (struct key_source){ .kind = kind, .from_file = from_file, .text = text };
}

static const char *layer_file(const struct broker *b, enum config_layer l)
{
	const struct config_files *f = b->files;

	if (f == NULL)
		return NULL;
	return l == LAYER_HOST ? f->host : l == LAYER_OVERLAY ? f->overlay : l == LAYER_FLOOR ? f->floor : f->file;
}

/* Variables first, the stronger before the weaker; then what a file says. */
static void add_keys(struct broker *b, enum config_key key, struct model_setup *s)
{
	const char *value = config_string(b->config, key), *file;
	enum config_layer layer = config_origin(b->config, key);

	for (const char *name = config_specs[key].env; name != NULL && *name != '\0';) {
		size_t n = strcspn(name, " ");

		if (broker_variable_is_set(b, (struct bytes){ name, n }))
			add_key(&s->q, KEY_VARIABLE, false, (struct bytes){ name, n });
		name += n + strspn(name + n, " ");
	}
	if (is_file_layer(layer) && strncmp(value, "env:", 4) == 0) {
		add_key(&s->q, KEY_VARIABLE, true, bytes_of(value + 4));
		return;
	}
	file = layer_file(b, is_file_layer(layer) ? layer : LAYER_FILE);
	if (*value == '\0' || file == NULL)
		return;
	s->key_fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (s->key_fd >= 0)
		add_key(&s->q, KEY_LITERAL, true, bytes_of(config_specs[key].path));
}

/* Lists of the configuration as the message wants them. */
static int copy_list(const struct config *c, enum config_key key, struct string_list *ret)
{
	const char *const *items;
	size_t n = config_strings(c, key, &items);

	if (n > POLICY_LIST_MAX)
		n = POLICY_LIST_MAX;
	ret->items = n > 0 ? calloc(n, sizeof(*ret->items)) : NULL;
	if (n > 0 && ret->items == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		ret->items[i] = bytes_of(items[i]);
	ret->n = (uint32_t)n;
	return 0;
}

static void put_redacted(struct textbuf *b, struct bytes text, size_t max, struct bytes *ret)
{
	redact(b, text);
	*ret = (struct bytes){ b->p, b->failed ? 0 : utf8_cut(b->p != NULL ? b->p : "", b->len, max) };
}

static size_t file_limit(const struct broker *b)
{
	int64_t max = config_int(b->config, CFG_LLM_MAX_FILE_CHARS);
	bool jev = strcmp(config_string(b->config, CFG_LLM_PROVIDER), "jev") == 0;
	size_t most = jev ? MODEL_TEXT_MAX : CHAT_FILE_MAX;

	return max > 0 && (uint64_t)max < most ? (size_t)max : most;
}

/* Cut here, or not shown whole before: the judge is told that there is more. */
static void put_note(struct model_setup *s, uint32_t i, const struct served_file *f)
{
	struct model_file *to = &s->q.files[i];
	struct textbuf *note = &s->notes[i];
	size_t shown = to->content.len, all = s->files[i].len;

	if (f->note != NULL && !(shown < all && f->len < f->size))
		textbuf_puts(note, f->note);
	if (shown < all)
		textbuf_printf(note, "%sonly the beginning is shown, %zu bytes of it", note->len > 0 ? "; " : "",
			shown);
	to->note = textbuf_bytes(note);
	s->in_part = s->in_part || (f->runs && (!f->whole || shown < all));
}

static int put_files(struct broker *b, struct model_setup *s)
{
	const struct served *served = b->served;

	for (uint32_t i = 0; served != NULL && i < served->n; i++) {
		const struct served_file *f = &served->files[i];
		struct model_file *to = &s->q.files[s->q.n_files++];

		put_redacted(&s->files[i], (struct bytes){ f->content, f->len }, file_limit(b), &to->content);
		put_redacted(&s->paths[i], bytes_of(f->path), FACT_SENT_MAX, &to->path);
		to->runs = f->runs;
		put_note(s, i, f);
		if (s->files[i].failed || s->paths[i].failed || s->notes[i].failed)
			return -ENOMEM;
	}
	s->q.files_left_out = served != NULL && served->left_out;
	s->in_part = s->in_part || (served != NULL && served->left_out_runs);
	return 0;
}

static int put_texts(struct broker *b, const struct assessment *a, const char *finding, struct model_setup *s)
{
	put_redacted(&s->command, trim_blanks(a->command), COMMAND_SENT_MAX, &s->q.command);
	s->in_part = s->q.command.len < s->command.len;
	put_redacted(&s->cwd, a->cwd, FACT_SENT_MAX, &s->q.cwd);
	put_redacted(&s->effects, a->effects, FACT_SENT_MAX, &s->q.effects);
	put_redacted(&s->finding, bytes_of(finding), FACT_SENT_MAX, &s->q.finding);
	if (s->command.failed || s->cwd.failed || s->effects.failed || s->finding.failed)
		return -ENOMEM;
	return put_files(b, s);
}

static void put_places(struct broker *b, struct model_setup *s)
{
	const struct config *c = b->config;
	bool jev = strcmp(config_string(c, CFG_LLM_PROVIDER), "jev") == 0;
	enum config_key url = jev ? CFG_JEV_BASE_URL : CFG_LLM_BASE_URL;
	enum config_key key_file = jev ? CFG_JEV_API_KEY_FILE : CFG_LLM_API_KEY_FILE;
	enum config_key instructions = jev ? CFG_JEV_INSTRUCTIONS_APPEND : CFG_LLM_INSTRUCTIONS_APPEND;
	enum config_layer layer = config_origin(c, url);

	s->q.protocol = jev ? MODEL_JEV : MODEL_CHAT;
	s->q.url = bytes_of(config_string(c, url));
	s->q.origin_default = layer == LAYER_DEFAULT;
	s->q.origin_from_file = is_file_layer(layer) ||
		(layer == LAYER_ENVIRONMENT && strcmp(config_string(c, CFG_ENVIRONMENT), "trusted") == 0);
	s->q.ca_file = bytes_of(config_string(c, CFG_LLM_CA_FILE));
	s->q.proxy = bytes_of(config_string(c, CFG_LLM_PROXY));
	s->q.system_prompt_file = bytes_of(config_string(c, CFG_LLM_SYSTEM_PROMPT_FILE));
	s->q.max_tokens = (uint32_t)config_int(c, CFG_LLM_MAX_TOKENS);
	if (*config_string(c, instructions) == '\0')
		instructions = CFG_POLICY_INSTRUCTIONS_APPEND;
	s->q.prompt.instructions = bytes_of(config_string(c, instructions));
	add_keys(b, jev ? CFG_JEV_API_KEY : CFG_LLM_API_KEY, s);
	add_key(&s->q, KEY_FILE, is_file_layer(config_origin(c, key_file)), bytes_of(config_string(c, key_file)));
}

int model_setup_place(struct broker *b, struct model_setup *ret)
{
	int err;

	*ret = (struct model_setup){ .key_fd = -1 };
	put_places(b, ret);
	err = copy_list(b->config, CFG_LLM_ALLOW_HTTP, &ret->q.allow_http);
	if (err < 0)
		model_setup_done(ret);
	return err;
}

int model_setup(struct broker *b, const struct assessment *a, const char *finding, struct model_setup *ret)
{
	struct json_object *extra = config_object(b->config, CFG_LLM_EXTRA_BODY);
	struct jsonout o = JSONOUT(&ret->extra);
	int err = model_setup_place(b, ret);

	ret->q.session = a->session;
	if (err == 0)
		err = copy_list(b->config, CFG_SANCTIONED_REMOTES, &ret->q.prompt.sanctioned_remotes);
	if (err == 0)
		err = copy_list(b->config, CFG_POLICY_PROTECTED_BRANCHES, &ret->q.prompt.protected_branches);
	if (err == 0)
		err = put_texts(b, a, finding, ret);
	if (err == 0 && a->command.len > 0)
		err = model_facts(b, a, ret);
	if (err == 0 && extra != NULL) {
		jsonout_value(&o, extra);
		err = ret->extra.failed ? -ENOMEM : 0;
		ret->q.extra_body = textbuf_bytes(&ret->extra);
	}
	if (err < 0)
		model_setup_done(ret);
	return err;
}

void model_setup_done(struct model_setup *s)
{
	model_request_done(&s->q);
	textbuf_done(&s->command);
	textbuf_done(&s->cwd);
	textbuf_done(&s->effects);
	textbuf_done(&s->finding);
	textbuf_done(&s->repository);
	textbuf_done(&s->branch);
	textbuf_done(&s->extra);
	for (size_t i = 0; i < MODEL_FILES_MAX; i++) {
		textbuf_done(&s->files[i]);
		textbuf_done(&s->paths[i]);
		textbuf_done(&s->notes[i]);
		textbuf_done(&s->provenance[i]);
	}
	for (size_t i = 0; i < MODEL_REMOTES_MAX; i++) {
		textbuf_done(&s->remotes[i]);
		textbuf_done(&s->urls[i]);
	}
	close_fdp(&s->key_fd);
	*s = (struct model_setup){ .key_fd = -1 };
}
