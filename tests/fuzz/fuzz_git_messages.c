/* SPDX-License-Identifier: Apache-2.0 */
/* What a git reader that a repository has taken over may send: decoded facts come back as the same bytes, and where a
 * push goes is always within bounds. */
#include "policy/git_facts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void same(const struct writer *w, struct bytes body)
{
	require(!w->bad && bytes_eq((struct bytes){ w->p, w->len }, body));
}

static void push_from(const struct git_facts *f)
{
	char room[4096];
	CLEANUP(wr_done) struct writer w = { 0 };
	struct git_push p, again;

	for (uint32_t i = 0; i <= f->n_remotes; i++) {
		git_push_resolve(
			f, i < f->n_remotes ? f->remotes[i].name : (struct bytes){ "", 0 }, room, sizeof(room), &p);
		require(p.n_urls <= GIT_URLS_MAX && (!p.verified || (f->complete && p.n_urls > 0)));
	}
	git_push_encode(&w, &p);
	require(!w.bad && git_push_decode((struct bytes){ w.p, w.len }, &again) == 0 && again.n_urls == p.n_urls);
}

static void facts(struct bytes body)
{
	CLEANUP(freep) struct git_facts *f = malloc(sizeof(*f));
	CLEANUP(wr_done) struct writer w = { 0 };

	if (f == NULL || git_facts_decode(body, f) < 0)
		return;
	git_facts_encode(&w, f);
	same(&w, body);
	push_from(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes body = { (const char *)data, size };
	CLEANUP(wr_done) struct writer w = { 0 };
	struct bytes names[GIT_PROTECTED_MAX];
	struct git_answer a;
	struct git_question q;
	struct git_grant g;

	facts(body);
	if (git_answer_decode(body, &a) == 0) {
		git_answer_encode(&w, &a);
		same(&w, body);
		facts(a.facts);
		wr_reset(&w);
	}
	if (git_question_decode(body, names, &q) == 0) {
		git_question_encode(&w, &q);
		same(&w, body);
		wr_reset(&w);
	}
	if (git_grant_decode(body, &g) == 0) {
		git_grant_encode(&w, &g);
		same(&w, body);
	}
	return 0;
}
