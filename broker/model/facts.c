/* SPDX-License-Identifier: Apache-2.0 */
/* Facts for a judge that no worker is asked for: the broker's own look at the repository and at where files come from. */
#include "broker/model/model.h"

#include "broker/decision/served.h"
#include "broker/evidence/evidence.h"
#include "policy/destination.h"
#include "policy/git_facts.h"
#include "policy/text/redact.h"
#include "policy/text/utf8.h"

enum { FACT_MAX = 1024 };

static void put(struct textbuf *b, struct bytes text, struct bytes *ret)
{
	redact(b, text);
	*ret = (struct bytes){ b->p, b->failed || b->p == NULL ? 0 : utf8_cut(b->p, b->len, FACT_MAX) };
}

/* 0 with an answer that is known; 1: there is none to be had; -errno. */
static int look(struct broker *b, const struct question *q, struct answer *ret)
{
	int err = evidence_answer(b, q, ret);

	if (err != 0)
		return err < 0 ? err : 1;
	if (ret->status == ANSWER_KNOWN)
		return 0;
	evidence_answer_done(ret);
	return 1;
}

/* Everywhere a push to it would go is sanctioned, and there is no other place. */
static bool is_sanctioned(const struct git_push *p, const struct string_list *entries)
{
	for (uint32_t i = 0; i < p->n_urls; i++) {
		struct destination d;

		destination_parse(p->urls[i], FORM_REMOTE, &d);
		if (!destination_is_loopback(&d) && !destination_is_sanctioned(&d, entries))
			return false;
	}
	return p->verified && p->n_urls > 0;
}

static int put_remotes(const struct git_facts *f, struct model_setup *s)
{
	for (uint32_t i = 0; i < f->n_remotes && s->q.n_remotes < MODEL_REMOTES_MAX; i++) {
		uint32_t at = s->q.n_remotes++;
		struct model_remote *to = &s->q.remotes[at];
		char text[4 * GIT_TEXT_MAX];
		struct git_push push;

		git_push_resolve(f, f->remotes[i].name, text, sizeof(text), &push);
		to->sanctioned = is_sanctioned(&push, &s->q.prompt.sanctioned_remotes);
		put(&s->remotes[at], f->remotes[i].name, &to->name);
		if (push.n_urls > 0)
			put(&s->urls[at], push.urls[0], &to->url);
		if (s->remotes[at].failed || s->urls[at].failed)
			return -ENOMEM;
	}
	return 0;
}

static int put_repository(struct broker *b, struct bytes cwd, struct model_setup *s)
{
	const struct question q = { .kind = ASK_REPOSITORY, .base = cwd, .text = BYTES(".") };
	CLEANUP(freep) struct git_facts *facts = malloc(sizeof(*facts));
	CLEANUP(evidence_answer_done) struct answer a = { 0 };
	int err = facts == NULL ? -ENOMEM : look(b, &q, &a);

	if (err != 0)
		return err < 0 ? err : 0;
	s->q.repository_known = true;
	if (a.type == PATH_MISSING)
		return 0;
	put(&s->repository, a.real, &s->q.repository);
	if (git_facts_decode(a.detail, facts) < 0)
		return 0;
	put(&s->branch, facts->branch, &s->q.branch);
	return s->repository.failed || s->branch.failed ? -ENOMEM : put_remotes(facts, s);
}

/* In words; what it was compared with follows where the text ends open. */
static const struct {
	const char *text;
	bool names_ref;
	const char *on_remote; /* said instead where the branch that things land on has a file of that name */
} provenance_texts[GIT_PROVENANCE__MAX] = {
	[GIT_PROVENANCE_MISSING] = { "it does not exist", false, NULL },
	[GIT_PROVENANCE_IGNORED] = { "untracked and ignored by git: never committed or reviewed", false, NULL },
	[GIT_PROVENANCE_UNTRACKED] = { "untracked: never committed or reviewed", false, NULL },
	[GIT_PROVENANCE_LANDED] = { "landed: identical to the file on ", true, NULL },
	[GIT_PROVENANCE_FOREIGN] = {
		"foreign: identical to the file on a remote that is not known to be the user's, ", true, NULL },
	[GIT_PROVENANCE_UNPUSHED] = { "committed here but not landed: it is not on ", true,
		"committed here but not landed: differs from the file on " },
	[GIT_PROVENANCE_MODIFIED] = { "modified: differs from what is committed", false,
		"modified: differs from what is committed and from the file on " },
};

static void word_provenance(struct textbuf *b, const struct answer *a)
{
	const uint32_t state = (uint32_t)a->size;
	const enum git_provenance p = git_file_provenance(state);
	const bool differs = (state & GIT_FILE_ON_REMOTE) != 0 && provenance_texts[p].on_remote != NULL;
	const bool names_ref = differs || provenance_texts[p].names_ref;

	if (a->type == PATH_MISSING) {
		textbuf_puts(b, "outside any git repository");
		return;
	}
	/* The branch that things land on can be unknown; then nothing is on it. */
	if (names_ref && a->detail.len == 0) {
		textbuf_puts(b, "committed here; which branch of a remote it would land on is not known");
		return;
	}
	textbuf_puts(b, differs ? provenance_texts[p].on_remote : provenance_texts[p].text);
	if (names_ref)
		redact(b, a->detail);
}

/* Where the command runs, as far as a question can say it. */
static struct bytes directory(const struct assessment *a)
{
	return a->cwd.len > 0 && a->cwd.p[0] == '/' ? a->cwd : (struct bytes){ 0 };
}

static int put_provenance(struct broker *b, const struct assessment *a, struct model_setup *s, uint32_t i)
{
	/* The path as it is, not as it is told: that one has passed through redaction. */
	const char *path = b->served->files[i].path;
	const struct question q = { .kind = ASK_STATE, .base = directory(a), .text = { path, strlen(path) },
		.extra = a->session };
	CLEANUP(evidence_answer_done) struct answer known = { 0 };
	int err = look(b, &q, &known);

	if (err != 0)
		return err < 0 ? err : 0;
	word_provenance(&s->provenance[i], &known);
	s->q.files[i].provenance = textbuf_bytes(&s->provenance[i]);
	return s->provenance[i].failed ? -ENOMEM : 0;
}

int model_facts(struct broker *b, const struct assessment *a, struct model_setup *s)
{
	struct bytes cwd = directory(a);
	int err = cwd.len > 0 ? put_repository(b, cwd, s) : 0;

	for (uint32_t i = 0; i < s->q.n_files && err == 0; i++)
		err = put_provenance(b, a, s, i);
	return err;
}
