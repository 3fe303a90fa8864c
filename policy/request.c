/* SPDX-License-Identifier: Apache-2.0 */
/* What the broker sends a worker: its policy once, then requests. */
#include "policy/request.h"

#include "policy/wire/frame.h"

/* Every list of the policy, in the order it is sent: encoding, decoding and freeing walk the same table. */
static const size_t list_offsets[] = {
	offsetof(struct worker_policy, fast_deny),
	offsetof(struct worker_policy, fast_allow),
	offsetof(struct worker_policy, scratch_roots),
	offsetof(struct worker_policy, sanctioned_remotes),
	offsetof(struct worker_policy, trusted_remotes),
	offsetof(struct worker_policy, protected_branches),
	offsetof(struct worker_policy, zone_read),
	offsetof(struct worker_policy, zone_write),
	offsetof(struct worker_policy, zone_deny),
	offsetof(struct worker_policy, tools_allow),
	offsetof(struct worker_policy, tools_ask),
	offsetof(struct worker_policy, tools_deny),
	offsetof(struct worker_policy, gate_paths),
	offsetof(struct worker_policy, environment_names),
	offsetof(struct worker_policy, shadowing),
};

void string_list_encode(struct writer *w, const struct string_list *list)
{
	wr_u32(w, list->n);
	for (uint32_t i = 0; i < list->n; i++)
		wr_bytes(w, list->items[i]);
}

int string_list_decode(struct reader *r, struct string_list *ret)
{
	uint32_t n = rd_count(r, POLICY_LIST_MAX);
	struct bytes *items;

	/* Each item takes at least its length: a count that cannot be true allocates nothing. */
	if (r->bad || n > r->left / sizeof(uint32_t))
		return -EPROTO;
	if (n == 0)
		return 0;
	items = calloc(n, sizeof(*items));
	if (items == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		items[i] = rd_text(r, POLICY_STRING_MAX);
	*ret = (struct string_list){ .items = items, .n = n };
	return 0;
}

void worker_policy_encode(struct writer *w, const struct worker_policy *p)
{
	for (size_t i = 0; i < ARRAY_LEN(list_offsets); i++) {
		const struct string_list *list = (const void *)((const char *)p + list_offsets[i]);

		if (list->n > POLICY_LIST_MAX)
			w->bad = true;
		else
			string_list_encode(w, list);
	}
	wr_bytes(w, p->home);
	wr_bytes(w, p->shell);
	wr_u8(w, p->home_is_another);
	wr_u8(w, p->path_is_mixed);
	wr_u8(w, p->trust_landed_scripts);
	wr_u8(w, p->model_available);
}

int worker_policy_decode(struct bytes body, struct worker_policy *ret)
{
	CLEANUP(worker_policy_done) struct worker_policy p = { 0 };
	struct reader r = { .p = body.p, .left = body.len };

	for (size_t i = 0; i < ARRAY_LEN(list_offsets); i++) {
		int err = string_list_decode(&r, (void *)((char *)&p + list_offsets[i]));

		if (err < 0)
			return err;
	}
	p.home = rd_text(&r, POLICY_STRING_MAX);
	p.shell = rd_text(&r, POLICY_STRING_MAX);
	p.home_is_another = rd_bool(&r);
	p.path_is_mixed = rd_bool(&r);
	p.trust_landed_scripts = rd_bool(&r);
	p.model_available = rd_bool(&r);
	if (!rd_end(&r))
		return -EPROTO;
	*ret = p;
	p = (struct worker_policy){ 0 };
	return 0;
}

void worker_policy_done(struct worker_policy *p)
{
	for (size_t i = 0; i < ARRAY_LEN(list_offsets); i++) {
		struct string_list *list = (void *)((char *)p + list_offsets[i]);

		free(list->items);
		*list = (struct string_list){ 0 };
	}
}

void request_encode(struct writer *w, const struct request *q)
{
	wr_u8(w, (uint8_t)q->mode);
	wr_u8(w, (uint8_t)q->harness);
	wr_u32(w, q->first_row);
	wr_bytes(w, q->event);
	wr_bytes(w, q->session);
	wr_bytes(w, q->cwd);
	wr_bytes(w, q->dialect);
	wr_bytes(w, q->input);
}

int request_decode(struct bytes body, struct request *ret)
{
	struct reader r = { .p = body.p, .left = body.len };
	uint8_t mode = rd_u8(&r), harness = rd_u8(&r);
	struct request q = { .harness = harness_from_wire(harness) };

	q.first_row = rd_u32(&r);
	q.event = rd_text(&r, POLICY_STRING_MAX);
	q.session = rd_text(&r, POLICY_STRING_MAX);
	q.cwd = rd_text(&r, POLICY_STRING_MAX);
	q.dialect = rd_text(&r, POLICY_STRING_MAX);
	q.input = rd_bytes(&r, MESSAGE_MAX);
	if (!rd_end(&r) || mode >= REQUEST__MAX)
		return -EPROTO;
	q.mode = (enum request_mode)mode;
	*ret = q;
	return 0;
}
