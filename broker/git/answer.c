/* SPDX-License-Identifier: Apache-2.0 */
/* One question from beginning to end: everything is read anew, so that an answer is never older than its question. */
#include "broker/git/repository.h"

static int answer_facts(const struct git_facts *f, struct writer *ret)
{
	CLEANUP(wr_done) struct writer w = { 0 };
	struct git_answer a = { .outcome = GIT_FACTS };

	git_facts_encode(&w, f);
	if (w.bad)
		return -ENOMEM;
	a.facts = (struct bytes){ w.p, w.len };
	git_answer_encode(ret, &a);
	return ret->bad ? -ENOMEM : 0;
}

static int look(const struct granted *g, const struct git_question *q, struct writer *ret, struct want *w)
{
	CLEANUP(settings_done) struct settings s = { 0 };
	CLEANUP(text_done) struct text names = { 0 };
	CLEANUP(freep) struct layout *l = malloc(sizeof(*l));
	CLEANUP(freep) struct git_facts *f = malloc(sizeof(*f));
	struct git_answer a = { 0 };
	int rc;

	if (l == NULL || f == NULL)
		return -ENOMEM;
	rc = layout_find(q, l, w);
	if (rc == 0)
		rc = settings_read(q, g, l, &s, w);
	if (rc == 0)
		rc = facts_of(q, l, &s, &names, f, w);
	if (rc != 0)
		return rc;
	if (q->ask == GIT_ASK_FACTS)
		return answer_facts(f, ret);
	rc = state_of(q, l, f, &a, w);
	if (rc == 0)
		git_answer_encode(ret, &a);
	return rc != 0 ? rc : ret->bad ? -ENOMEM : 0;
}

int answer_question(const struct granted *g, struct bytes question, struct writer *ret)
{
	struct bytes names[GIT_PROTECTED_MAX];
	struct want w = { .text = "" };
	struct git_question q;
	struct git_answer a;
	int rc = git_question_decode(question, names, &q);

	if (rc == 0)
		rc = look(g, &q, ret, &w);
	if (rc <= 0)
		return rc;
	a = (struct git_answer){ .outcome = rc == READ_NEEDS ? GIT_NEEDS : GIT_REFUSED, .kind = w.kind,
		.text = { w.text, strlen(w.text) } };
	wr_reset(ret);
	git_answer_encode(ret, &a);
	return ret->bad ? -ENOMEM : 0;
}
