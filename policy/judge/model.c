/* SPDX-License-Identifier: Apache-2.0 */
/* The model request and reply as message bodies; which failures may be tried again. */
#include "policy/judge/model.h"

static const size_t text_offsets[] = {
	offsetof(struct model_request, url), offsetof(struct model_request, model),
	offsetof(struct model_request, session), offsetof(struct model_request, ca_file),
	offsetof(struct model_request, proxy), offsetof(struct model_request, extra_body),
	offsetof(struct model_request, system_prompt_file), offsetof(struct model_request, command),
	offsetof(struct model_request, cwd), offsetof(struct model_request, effects),
	offsetof(struct model_request, finding), offsetof(struct model_request, prompt.instructions),
	offsetof(struct model_request, repository), offsetof(struct model_request, branch),
};

static const size_t list_offsets[] = {
	offsetof(struct model_request, allow_http),
	offsetof(struct model_request, prompt.sanctioned_remotes),
	offsetof(struct model_request, prompt.protected_branches),
};

void model_request_encode(struct writer *w, const struct model_request *q)
{
	wr_u8(w, (uint8_t)q->protocol);
	wr_u8(w, q->origin_from_file);
	wr_u8(w, q->origin_default);
	wr_u8(w, q->repository_known);
	wr_u8(w, q->files_left_out);
	wr_u32(w, q->timeout_ms);
	wr_u32(w, q->max_tokens);
	for (size_t i = 0; i < ARRAY_LEN(text_offsets); i++)
		wr_bytes(w, *(const struct bytes *)(const void *)((const char *)q + text_offsets[i]));
	for (size_t i = 0; i < ARRAY_LEN(list_offsets); i++) {
		const struct string_list *list = (const void *)((const char *)q + list_offsets[i]);

		string_list_encode(w, list);
	}
	wr_u32(w, q->n_keys);
	for (uint32_t i = 0; i < q->n_keys; i++) {
		wr_u8(w, (uint8_t)q->keys[i].kind);
		wr_u8(w, q->keys[i].from_file);
		wr_bytes(w, q->keys[i].text);
	}
	wr_u32(w, q->n_files);
	for (uint32_t i = 0; i < q->n_files; i++) {
		wr_bytes(w, q->files[i].path);
		wr_bytes(w, q->files[i].provenance);
		wr_bytes(w, q->files[i].content);
		wr_bytes(w, q->files[i].note);
		wr_u8(w, q->files[i].runs);
	}
	wr_u32(w, q->n_remotes);
	for (uint32_t i = 0; i < q->n_remotes; i++) {
		wr_bytes(w, q->remotes[i].name);
		wr_bytes(w, q->remotes[i].url);
		wr_u8(w, q->remotes[i].sanctioned);
	}
}

static void decode_tail(struct reader *r, struct model_request *q)
{
	q->n_keys = rd_count(r, MODEL_KEYS_MAX);
	for (uint32_t i = 0; i < q->n_keys && !r->bad; i++) {
		uint8_t kind = rd_u8(r);

		r->bad = r->bad || kind >= KEY__MAX;
		q->keys[i].kind = (enum key_kind)kind;
		q->keys[i].from_file = rd_bool(r);
		q->keys[i].text = rd_text(r, POLICY_STRING_MAX);
	}
	q->n_files = rd_count(r, MODEL_FILES_MAX);
	for (uint32_t i = 0; i < q->n_files && !r->bad; i++) {
		q->files[i].path = rd_bytes(r, MODEL_TEXT_MAX);
		q->files[i].provenance = rd_bytes(r, MODEL_TEXT_MAX);
		q->files[i].content = rd_bytes(r, MODEL_TEXT_MAX);
		q->files[i].note = rd_bytes(r, MODEL_TEXT_MAX);
		q->files[i].runs = rd_bool(r);
	}
	q->n_remotes = rd_count(r, MODEL_REMOTES_MAX);
	for (uint32_t i = 0; i < q->n_remotes && !r->bad; i++) {
		q->remotes[i].name = rd_bytes(r, MODEL_TEXT_MAX);
		q->remotes[i].url = rd_bytes(r, MODEL_TEXT_MAX);
		q->remotes[i].sanctioned = rd_bool(r);
	}
}

int model_request_decode(struct bytes body, struct model_request *ret)
{
	CLEANUP(model_request_done) struct model_request q = { 0 };
	struct reader r = { .p = body.p, .left = body.len };
	uint8_t protocol = rd_u8(&r);

	q.origin_from_file = rd_bool(&r);
	q.origin_default = rd_bool(&r);
	q.repository_known = rd_bool(&r);
	q.files_left_out = rd_bool(&r);
	q.timeout_ms = rd_u32(&r);
	q.max_tokens = rd_u32(&r);
	for (size_t i = 0; i < ARRAY_LEN(text_offsets); i++)
		*(struct bytes *)(void *)((char *)&q + text_offsets[i]) = rd_bytes(&r, MODEL_TEXT_MAX);
	for (size_t i = 0; i < ARRAY_LEN(list_offsets); i++) {
		int err = string_list_decode(&r, (void *)((char *)&q + list_offsets[i]));

		if (err < 0)
			return err;
	}
	decode_tail(&r, &q);
	if (!rd_end(&r) || protocol >= MODEL__MAX)
		return -EPROTO;
	q.protocol = (enum model_protocol)protocol;
	*ret = q;
	q = (struct model_request){ 0 };
	return 0;
}

void model_request_done(struct model_request *q)
{
	for (size_t i = 0; i < ARRAY_LEN(list_offsets); i++) {
		struct string_list *list = (void *)((char *)q + list_offsets[i]);

		free(list->items);
		*list = (struct string_list){ 0 };
	}
}

void model_place(struct model_request *to, const struct model_request *from)
{
	to->origin_from_file = from->origin_from_file;
	to->origin_default = from->origin_default;
	to->url = from->url;
	to->ca_file = from->ca_file;
	to->proxy = from->proxy;
	to->system_prompt_file = from->system_prompt_file;
	free(to->allow_http.items);
	to->allow_http = from->allow_http;
	to->n_keys = from->n_keys;
	memcpy(to->keys, from->keys, sizeof(to->keys));
}

static const struct {
	bool retryable;
	const char *text;
} failures[MODEL_FAILURE__MAX] = {
	[MODEL_NOT_CONFIGURED] = { false, "no model is configured" },
	[MODEL_BAD_ADDRESS] = { false, "its address is not one that may be asked" },
	[MODEL_NO_KEY] = { false, "there is no key for it" },
	[MODEL_UNREACHABLE] = { true, "it cannot be reached" },
	[MODEL_TLS] = { false, "its identity could not be verified" },
	[MODEL_TIMEOUT] = { true, "it did not answer in time" },
	[MODEL_TOO_LARGE] = { false, "its answer is too large" },
	[MODEL_NOT_HTTP] = { true, "its answer broke off or is not HTTP" },
	[MODEL_BROKEN] = { false, "the process that asks it failed" },
	[MODEL_BUSY] = { true, "the service that asks it has too many requests" },
	[MODEL_STALE] = { true, "its connection was closed" },
	[MODEL_NO_SERVICE] = { true, "the service that asks it is not there" },
	[MODEL_OTHER_JUDGE] = { false, "the service that asks it is set up for another kind of judge" },
};

bool model_failure_retryable(enum model_failure f)
{
	return (unsigned int)f < MODEL_FAILURE__MAX && failures[f].retryable;
}

const char *model_failure_text(enum model_failure f)
{
	return failures[(unsigned int)f < MODEL_FAILURE__MAX ? f : MODEL_BROKEN].text;
}

bool model_status_retryable(uint32_t status)
{
	return status == 408 || status == 429 || (status >= 500 && status <= 599);
}

void model_reply_encode(struct writer *w, const struct model_reply *r)
{
	wr_u32(w, r->status);
	wr_u32(w, r->retry_after_ms);
	wr_bytes(w, r->request_id);
	wr_bytes(w, r->body);
}

int model_reply_decode(struct bytes body, struct model_reply *ret)
{
	struct reader r = { .p = body.p, .left = body.len };
	struct model_reply m = { .status = rd_u32(&r), .retry_after_ms = rd_u32(&r) };

	m.request_id = rd_bytes(&r, MODEL_REQUEST_ID_MAX);
	m.body = rd_bytes(&r, MODEL_BODY_MAX);
	if (!rd_end(&r))
		return -EPROTO;
	*ret = m;
	return 0;
}
