/* SPDX-License-Identifier: Apache-2.0 */
/* The decision service's request: a state, a verdict and the risks (System One API 0.2.0, POST /v1/systemone). */
#include "policy/judge/encode.h"

static void put_text(struct jsonout *o, const char *name, const char *text, const struct prompt_facts *f)
{
	CLEANUP(textbuf_done) struct textbuf t = { 0 };

	prompt_expand(&t, text, f);
	o->b->failed = o->b->failed || t.failed;
	jsonout_member_bytes(o, name, textbuf_bytes(&t));
}

static void put_file(struct jsonout *o, const struct model_file *f)
{
	jsonout_object(o);
	encode_file_facts(o, f);
	jsonout_member_bytes(o, "content", f->content);
	jsonout_end(o);
}

static void put_files(struct jsonout *o, const struct model_request *q)
{
	uint32_t script = 0;

	while (script < q->n_files && !q->files[script].runs)
		script++;
	if (script < q->n_files) {
		jsonout_name(o, "script_file");
		put_file(o, &q->files[script]);
	}
	if (q->n_files <= (script < q->n_files ? 1U : 0U))
		return;
	jsonout_name(o, "attached_files");
	jsonout_array(o);
	for (uint32_t i = 0; i < q->n_files; i++)
		if (i != script)
			put_file(o, &q->files[i]);
	jsonout_end(o);
}

static void put_state(struct jsonout *o, const struct model_request *q)
{
	jsonout_name(o, "state");
	jsonout_object(o);
	jsonout_member_bytes(o, "command", q->command);
	if (q->cwd.len > 0)
		jsonout_member_bytes(o, "working_directory", q->cwd);
	put_files(o, q);
	jsonout_name(o, "facts");
	jsonout_object(o);
	encode_facts(o, q);
	jsonout_end(o);
	jsonout_end(o);
}

static void put_verdict(struct jsonout *o, const struct prompt_facts *f)
{
	jsonout_name(o, verdict_question);
	jsonout_object(o);
	jsonout_member(o, "type", "choice");
	put_text(o, "instructions", prompt_verdict, f);
	jsonout_name(o, "criteria");
	jsonout_object(o);
	put_text(o, verdict_labels[0], prompt_allow, f);
	put_text(o, verdict_labels[1], prompt_deny, f);
	jsonout_end(o);
	jsonout_end(o);
}

void encode_jev(struct textbuf *b, const struct model_request *q)
{
	struct jsonout o = JSONOUT(b);

	jsonout_object(&o);
	jsonout_member_bytes(&o, "model", q->model);
	put_state(&o, q);
	jsonout_name(&o, "questions");
	jsonout_object(&o);
	put_verdict(&o, &q->prompt);
	for (size_t i = 0; i < RISKS; i++) {
		jsonout_name(&o, risk_questions[i].name);
		jsonout_object(&o);
		jsonout_member(&o, "type", "noul");
		put_text(&o, "instructions", risk_questions[i].text, &q->prompt);
		jsonout_end(&o);
	}
	jsonout_end(&o);
	jsonout_end(&o);
}
