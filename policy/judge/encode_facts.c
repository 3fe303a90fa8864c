/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the gate itself established, as JSON: whatever a name of a file or a branch holds stays inside its string, so
 * that no text of the agent's can add a fact.
 */
#include "policy/judge/encode.h"

static void put_remotes(struct jsonout *o, const struct model_request *q)
{
	jsonout_name(o, "remotes");
	jsonout_array(o);
	for (uint32_t i = 0; i < q->n_remotes; i++) {
		jsonout_object(o);
		jsonout_member_bytes(o, "name", q->remotes[i].name);
		jsonout_member_bytes(o, "push_url", q->remotes[i].url);
		jsonout_member_bool(o, "sanctioned", q->remotes[i].sanctioned);
		jsonout_end(o);
	}
	jsonout_end(o);
}

void encode_facts(struct jsonout *o, const struct model_request *q)
{
	if (q->repository_known) {
		jsonout_member_bool(o, "in_git_repository", q->repository.len > 0);
		if (q->repository.len > 0)
			jsonout_member_bytes(o, "repository_root", q->repository);
		if (q->branch.len > 0)
			jsonout_member_bytes(o, "branch", q->branch);
		if (q->n_remotes > 0)
			put_remotes(o, q);
	}
	if (q->effects.len > 0)
		jsonout_member_bytes(o, "effects", q->effects);
	if (q->finding.len > 0)
		jsonout_member_bytes(o, "left_open_because", q->finding);
	if (q->files_left_out)
		jsonout_member_bool(o, "more_files_than_shown", true);
}

void encode_file_facts(struct jsonout *o, const struct model_file *f)
{
	jsonout_member_bytes(o, "path", f->path);
	jsonout_member_bool(o, "runs", f->runs);
	jsonout_member_bytes(o, "provenance", f->provenance.len > 0 ? f->provenance : BYTES("unknown"));
	if (f->note.len > 0)
		jsonout_member_bytes(o, "note", f->note);
}
