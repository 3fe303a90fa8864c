/* SPDX-License-Identifier: Apache-2.0 */
/* A listing as JSON. A command's parts come in a fixed order: words, assignments, redirections, effects. */
#include "broker/reply/listing.h"
#include "broker/reply/reply.h"
#include "policy/listing.h"
#include "policy/text/jsonout.h"

enum list { LIST_NONE, LIST_WORDS, LIST_ASSIGNMENTS, LIST_REDIRECTS, LIST_EFFECTS, LIST__MAX };

struct view {
	struct jsonout j;
	bool findings; /* explain: verdict, why and effects too */
	bool pretty; /* but words stay on one line */
	bool parsed, in_command;
	bool disordered; /* a part came behind one that follows it: no listing of ours */
	enum list list; /* the array that is open */
	struct bytes context, why, src;
	enum verdict verdict;
};

/* Close the open array and open another of the same command. The context follows the words. */
static void list_switch(struct view *v, enum list to)
{
	static const char *const names[LIST__MAX] = { NULL, "argv", "assigns", "redirs", "effects" };

	if (v->list == to)
		return;
	v->disordered |= to != LIST_NONE && to < v->list;
	if (v->list != LIST_NONE)
		jsonout_end(&v->j);
	v->j.pretty = v->pretty;
	if (v->list == LIST_WORDS)
		jsonout_member_bytes(&v->j, "context", v->context);
	v->list = to;
	if (to == LIST_NONE)
		return;
	jsonout_name(&v->j, names[to]);
	v->j.pretty = false;
	jsonout_array(&v->j);
}

static void command_close(struct view *v)
{
	if (!v->in_command)
		return;
	list_switch(v, LIST_NONE);
	if (v->findings) {
		jsonout_member(&v->j, "verdict", verdict_name(v->verdict));
		if (v->why.len > 0)
			jsonout_member_bytes(&v->j, "why", v->why);
		jsonout_member_bytes(&v->j, "text", v->src);
	}
	jsonout_end(&v->j);
	v->in_command = false;
}

static void on_line(void *data, struct bytes row_id, bool row_id_set, uint32_t row, bool parsed,
	bool modelled, struct bytes why)
{
	struct view *v = data;

	v->parsed = parsed;
	if (row_id_set)
		jsonout_member_bytes(&v->j, "id", row_id);
	else if (row > 0)
		jsonout_member_int(&v->j, "line", row);
	jsonout_member_bool(&v->j, "parse", parsed);
	jsonout_member_bool(&v->j, "modelled", modelled);
	if (why.len > 0)
		jsonout_member_bytes(&v->j, "why", why);
	jsonout_name(&v->j, "cmds");
	jsonout_array(&v->j);
}

static void on_command(
	void *data, struct bytes context, enum verdict verdict, struct bytes why, struct bytes src)
{
	struct view *v = data;

	command_close(v);
	v->context = context;
	v->verdict = verdict;
	v->why = why;
	v->src = src;
	v->in_command = true;
	jsonout_object(&v->j);
	list_switch(v, LIST_WORDS);
}

static void on_word(void *data, bool is_static, struct bytes value)
{
	struct view *v = data;

	list_switch(v, LIST_WORDS);
	if (is_static)
		jsonout_bytes(&v->j, value);
	else
		jsonout_null(&v->j);
}

static void on_assignment(void *data, struct bytes text)
{
	struct view *v = data;

	list_switch(v, LIST_ASSIGNMENTS);
	jsonout_bytes(&v->j, text);
}

static void on_redirect(void *data, const struct listing_redirect *r)
{
	struct view *v = data;

	list_switch(v, LIST_REDIRECTS);
	jsonout_object(&v->j);
	if (r->fd >= 0)
		jsonout_member_int(&v->j, "fd", r->fd);
	jsonout_member_bytes(&v->j, "op", r->op);
	jsonout_name(&v->j, "target");
	if (r->target_static)
		jsonout_bytes(&v->j, r->target);
	else
		jsonout_null(&v->j);
	jsonout_end(&v->j);
}

static void on_effect(void *data, const struct listing_effect *e)
{
	struct view *v = data;

	if (!v->findings)
		return;
	list_switch(v, LIST_EFFECTS);
	jsonout_object(&v->j);
	jsonout_member_bytes(&v->j, "effect", e->effect);
	jsonout_member_bytes(&v->j, "place", e->place);
	jsonout_member_bytes(&v->j, "target", e->target);
	jsonout_member(&v->j, "verdict", verdict_name(e->verdict));
	jsonout_end(&v->j);
}

static void on_end(void *data)
{
	struct view *v = data;

	command_close(v);
	jsonout_end(&v->j);
}

static const struct listing_visitor visitor = {
	.line = on_line,
	.command = on_command,
	.word = on_word,
	.assignment = on_assignment,
	.redirect = on_redirect,
	.effect = on_effect,
	.end = on_end,
};

/* What is written before a body turns out to be torn is taken back: a listing is shown whole or not at all.
 */
static int view_walk(struct view *v, struct bytes listing, size_t start)
{
	int r = listing_walk(listing, &visitor, v);

	if (r == 0 && v->disordered)
		r = -EPROTO;
	if (r < 0) {
		v->j.b->len = start;
		return r;
	}
	jsonout_end(&v->j);
	textbuf_putc(v->j.b, '\n');
	return v->j.b->failed ? -ENOMEM : 0;
}

int listing_parse_json(struct bytes listing, bool pretty, struct textbuf *out, bool *ret_parsed)
{
	struct view v = { .j = pretty ? JSONOUT_PRETTY(out) : JSONOUT(out), .pretty = pretty };
	size_t start = out->len;
	int r;

	jsonout_object(&v.j);
	r = view_walk(&v, listing, start);
	if (r == 0)
		*ret_parsed = v.parsed;
	return r;
}

int listing_explain_json(struct bytes listing, const struct outcome *o, struct textbuf *out)
{
	struct view v = { .j = JSONOUT_PRETTY(out), .pretty = true, .findings = true };
	size_t start = out->len;

	jsonout_object(&v.j);
	jsonout_member(&v.j, "decision", decision_name(o->decision));
	jsonout_member(&v.j, "source", source_name(o->source));
	if (outcome_finding(o))
		jsonout_member(&v.j, "reason", outcome_finding(o));
	if (o->rule)
		jsonout_member(&v.j, "rule", o->rule);
	if (listing.len > 0)
		return view_walk(&v, listing, start);
	jsonout_end(&v.j);
	textbuf_putc(out, '\n');
	return out->failed ? -ENOMEM : 0;
}
