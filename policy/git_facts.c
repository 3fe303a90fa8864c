/* SPDX-License-Identifier: Apache-2.0 */
/* The git reader's questions, answers and facts as message bodies. */
#include "policy/git_facts.h"

static struct reader reader_of(struct bytes body)
{
	return (struct reader){ .p = body.p, .left = body.len };
}

void git_grant_encode(struct writer *w, const struct git_grant *g)
{
	wr_u8(w, (uint8_t)g->kind);
	wr_bytes(w, g->path);
}

int git_grant_decode(struct bytes body, struct git_grant *ret)
{
	struct reader r = reader_of(body);
	uint8_t kind = rd_u8(&r);
	struct bytes path = rd_text(&r, GIT_TEXT_MAX);

	if (!rd_end(&r) || kind == 0 || kind >= GIT_GRANT__MAX || path.len == 0 || path.p[0] != '/')
		return -EPROTO;
	*ret = (struct git_grant){ (enum git_grant_kind)kind, path };
	return 0;
}

void git_question_encode(struct writer *w, const struct git_question *q)
{
	uint32_t n = q->protected.n < GIT_PROTECTED_MAX ? q->protected.n : GIT_PROTECTED_MAX;

	wr_u8(w, (uint8_t)q->ask);
	wr_u8(w, q->bare);
	wr_u8(w, q->layers_withheld);
	wr_u8(w, q->user_is_another);
	wr_bytes(w, q->root);
	wr_bytes(w, q->home);
	wr_bytes(w, q->path);
	wr_u32(w, n);
	for (uint32_t i = 0; i < n; i++)
		wr_bytes(w, q->protected.items[i]);
}

int git_question_decode(struct bytes body, struct bytes *names, struct git_question *ret)
{
	struct reader r = reader_of(body);
	uint8_t ask = rd_u8(&r);
	struct git_question q = { .protected.items = names };

	q.bare = rd_bool(&r);
	q.layers_withheld = rd_bool(&r);
	q.user_is_another = rd_bool(&r);
	q.root = rd_text(&r, GIT_TEXT_MAX);
	q.home = rd_text(&r, GIT_TEXT_MAX);
	q.path = rd_text(&r, GIT_TEXT_MAX);
	q.protected.n = rd_count(&r, GIT_PROTECTED_MAX);
	for (uint32_t i = 0; i < q.protected.n && !r.bad; i++)
		names[i] = rd_text(&r, GIT_TEXT_MAX);
	if (!rd_end(&r) || ask == 0 || ask >= GIT_ASK__MAX || q.root.len == 0 || q.root.p[0] != '/')
		return -EPROTO;
	q.ask = (enum git_ask)ask;
	*ret = q;
	return 0;
}

void git_answer_encode(struct writer *w, const struct git_answer *a)
{
	wr_u8(w, (uint8_t)a->outcome);
	wr_u8(w, (uint8_t)a->kind);
	wr_u32(w, a->state);
	wr_bytes(w, a->text);
	wr_bytes(w, a->facts);
}

/* Which bits `state` may have, by outcome. */
static uint32_t state_bits(uint8_t outcome)
{
	return outcome == GIT_FILE ? GIT_FILE__ALL : outcome == GIT_BELOW ? GIT_BELOW__ALL : 0;
}

int git_answer_decode(struct bytes body, struct git_answer *ret)
{
	struct reader r = reader_of(body);
	uint8_t outcome = rd_u8(&r), kind = rd_u8(&r);
	struct git_answer a = { .state = rd_u32(&r) };

	a.text = rd_text(&r, GIT_TEXT_MAX);
	a.facts = rd_bytes(&r, (uint32_t)body.len);
	if (!rd_end(&r) || outcome >= GIT_OUTCOME__MAX || kind >= GIT_GRANT__MAX)
		return -EPROTO;
	if ((a.state & ~state_bits(outcome)) != 0 || (outcome == GIT_NEEDS) != (kind != 0))
		return -EPROTO;
	if ((a.facts.len != 0) != (outcome == GIT_FACTS))
		return -EPROTO;
	a.outcome = (enum git_outcome)outcome;
	a.kind = (enum git_grant_kind)kind;
	*ret = a;
	return 0;
}

static void encode_list(struct writer *w, const struct bytes *items, uint32_t n)
{
	wr_u32(w, n);
	for (uint32_t i = 0; i < n; i++)
		wr_bytes(w, items[i]);
}

static uint32_t decode_list(struct reader *r, struct bytes items[GIT_URLS_MAX])
{
	uint32_t n = rd_count(r, GIT_URLS_MAX);

	for (uint32_t i = 0; i < n && !r->bad; i++)
		items[i] = rd_text(r, GIT_TEXT_MAX);
	return r->bad ? 0 : n;
}

static uint32_t decode_flags(struct reader *r, uint32_t all)
{
	uint32_t flags = rd_u32(r);

	if ((flags & ~all) != 0)
		r->bad = true;
	return flags & all;
}

static void decode_remote(struct reader *r, struct git_remote *ret)
{
	ret->name = rd_text(r, GIT_TEXT_MAX);
	ret->default_branch = rd_text(r, GIT_TEXT_MAX);
	ret->flags = decode_flags(r, GIT_REMOTE__ALL);
	ret->n_urls = decode_list(r, ret->urls);
	ret->n_push_urls = decode_list(r, ret->push_urls);
}

void git_facts_encode(struct writer *w, const struct git_facts *f)
{
	const struct bytes texts[] = { f->root, f->git_directory, f->common_directory, f->branch, f->branch_remote,
		f->branch_push_remote, f->branch_merge, f->push_remote, f->push_mode };

	wr_u8(w, f->bare);
	wr_u8(w, f->complete);
	wr_u32(w, f->runs);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		wr_bytes(w, texts[i]);
	wr_u32(w, f->n_remotes);
	for (uint32_t i = 0; i < f->n_remotes; i++) {
		const struct git_remote *m = &f->remotes[i];

		wr_bytes(w, m->name);
		wr_bytes(w, m->default_branch);
		wr_u32(w, m->flags);
		encode_list(w, m->urls, m->n_urls);
		encode_list(w, m->push_urls, m->n_push_urls);
	}
	wr_u32(w, f->n_rewrites);
	for (uint32_t i = 0; i < f->n_rewrites; i++) {
		wr_u8(w, f->rewrites[i].push);
		wr_bytes(w, f->rewrites[i].base);
		wr_bytes(w, f->rewrites[i].prefix);
	}
}

int git_facts_decode(struct bytes body, struct git_facts *ret)
{
	struct reader r = reader_of(body);
	struct bytes *const texts[] = { &ret->root, &ret->git_directory, &ret->common_directory, &ret->branch,
		&ret->branch_remote, &ret->branch_push_remote, &ret->branch_merge, &ret->push_remote, &ret->push_mode };

	memset(ret, 0, sizeof(*ret));
	ret->bare = rd_bool(&r);
	ret->complete = rd_bool(&r);
	ret->runs = decode_flags(&r, GIT_RUNS__ALL);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		*texts[i] = rd_text(&r, GIT_TEXT_MAX);
	ret->n_remotes = rd_count(&r, GIT_REMOTES_MAX);
	for (uint32_t i = 0; i < ret->n_remotes && !r.bad; i++)
		decode_remote(&r, &ret->remotes[i]);
	ret->n_rewrites = rd_count(&r, GIT_REWRITES_MAX);
	for (uint32_t i = 0; i < ret->n_rewrites && !r.bad; i++) {
		ret->rewrites[i].push = rd_bool(&r);
		ret->rewrites[i].base = rd_text(&r, GIT_TEXT_MAX);
		ret->rewrites[i].prefix = rd_text(&r, GIT_TEXT_MAX);
	}
	if (rd_end(&r) && ret->root.len > 0)
		return 0;
	memset(ret, 0, sizeof(*ret));
	return -EPROTO;
}

/* The first line that fits: what is not there or never was committed says nothing by its bytes. */
static const struct {
	uint32_t mask, wanted; /* enum git_file_facts */
	enum git_provenance provenance;
} provenances[] = {
	{ GIT_FILE_MISSING, GIT_FILE_MISSING, GIT_PROVENANCE_MISSING },
	{ GIT_FILE_TRACKED | GIT_FILE_IGNORED, GIT_FILE_IGNORED, GIT_PROVENANCE_IGNORED },
	{ GIT_FILE_TRACKED, 0, GIT_PROVENANCE_UNTRACKED },
	{ GIT_FILE_LANDED | GIT_FILE_TRUSTED, GIT_FILE_LANDED | GIT_FILE_TRUSTED, GIT_PROVENANCE_LANDED },
	{ GIT_FILE_LANDED, GIT_FILE_LANDED, GIT_PROVENANCE_FOREIGN },
	{ GIT_FILE_COMMITTED, GIT_FILE_COMMITTED, GIT_PROVENANCE_UNPUSHED },
	{ 0, 0, GIT_PROVENANCE_MODIFIED },
};

enum git_provenance git_file_provenance(uint32_t state)
{
	size_t i = 0;

	while ((state & provenances[i].mask) != provenances[i].wanted)
		i++;
	return provenances[i].provenance;
}

const char *git_provenance_name(enum git_provenance p)
{
	static const char *const names[GIT_PROVENANCE__MAX] = {
		[GIT_PROVENANCE_MISSING] = "missing",
		[GIT_PROVENANCE_IGNORED] = "untracked",
		[GIT_PROVENANCE_UNTRACKED] = "untracked",
		[GIT_PROVENANCE_LANDED] = "landed",
		[GIT_PROVENANCE_FOREIGN] = "foreign",
		[GIT_PROVENANCE_UNPUSHED] = "unpushed",
		[GIT_PROVENANCE_MODIFIED] = "modified",
	};

	return names[p];
}

void git_push_encode(struct writer *w, const struct git_push *p)
{
	wr_u8(w, p->verified);
	wr_u8(w, p->forced);
	wr_u32(w, p->runs);
	wr_bytes(w, p->head);
	wr_bytes(w, p->branch);
	wr_bytes(w, p->default_branch);
	encode_list(w, p->urls, p->n_urls);
}

int git_push_decode(struct bytes body, struct git_push *ret)
{
	struct reader r = reader_of(body);
	struct git_push p = { .verified = rd_bool(&r) };

	p.forced = rd_bool(&r);
	p.runs = decode_flags(&r, GIT_RUNS__ALL);
	p.head = rd_text(&r, GIT_TEXT_MAX);
	p.branch = rd_text(&r, GIT_TEXT_MAX);
	p.default_branch = rd_text(&r, GIT_TEXT_MAX);
	p.n_urls = decode_list(&r, p.urls);
	if (!rd_end(&r))
		return -EPROTO;
	*ret = p;
	return 0;
}
